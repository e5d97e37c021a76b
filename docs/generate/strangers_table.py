"""The table of play between independent runs, from ``hanabi experiment strangers``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.generate.markdown import grid

POINTS = ("mirror", "between", "worst pair", "between, kept")


def _rows(folder: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the rows of the experiment by run and kind."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in json.loads((folder / "strangers.json").read_text(encoding="utf-8")):
        found.setdefault(row["run"], {})[row["row"]] = row
    return found


def _seeds(kinds: dict[str, dict[str, Any]]) -> int:
    return int(kinds["between"]["seeds"])


def strangers(folder: Path) -> str:
    """Return the table: a row per run and player count."""
    lines = []
    for kinds in _rows(folder).values():
        first = next(iter(kinds.values()))
        for count in "2345":
            published = kinds.get("published", {}).get(count)
            cells = {kind: kinds.get(kind, {}).get(count) for kind in (*POINTS, "pair error")}
            if published is None and cells["between"] is None:
                continue
            shown = {kind: "" if cells[kind] is None else f"{cells[kind]:.2f}" for kind in POINTS}
            shown["between"] = (
                f"{published:.2f}"
                if published is not None
                else f"**{shown['between']}** ± {cells['pair error']:.2f}"
            )
            same = kinds.get("same language", {}).get(count)
            sizes = (kinds.get(kind, {}).get(count) for kind in ("rules", "words"))
            lines.append(
                [
                    first["name"],
                    count,
                    *(shown[kind] for kind in POINTS),
                    "" if same is None else f"{same * _seeds(kinds):.0f} of {_seeds(kinds)}",
                    *("" if size is None else f"{size:.0f}" for size in sizes),
                ]
            )
    columns = ["runs", "players", *POINTS, "same language", "rules", "words"]
    return grid(columns, lines)


def games(folder: Path) -> int:
    """Return the games of each list among copies of another one, per player count."""
    return int(next(iter(_rows(folder).values()))["between"]["games"])


def shared(folder: Path) -> str:
    """Return what the seeds of each run share, as a list."""
    firsts = [next(iter(kinds.values())) for kinds in _rows(folder).values()]
    return "\n".join(f"- *{row['name']}*: {row['shares']}." for row in firsts)
