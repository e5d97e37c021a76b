"""Results of tournaments and comparisons, each a JSON file with a name, and as pages show them."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hanabi.evolve.charts.number_format import plus_minus
from hanabi.evolve.measure.tournament import COLUMNS
from hanabi.evolve.reports.page_parts import text_columns
from hanabi.evolve.site.play_table import made_folder
from hanabi.files import parse_json, read_text, write_whole
from hanabi.notation import counted

if TYPE_CHECKING:
    import pandas as pd

NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{8}")  # of a file: no path can be one
LETTERS = 60  # of the title that somebody gives
LISTED = 100  # results that are listed
ROWS = 2_000  # of a file: 12 agents have 144 cells at each of four player counts
KEYS = {
    "title": str,
    "made": str,
    "mode": str,
    "agents": list,
    "games": int,
    "seed": int,
    "command": str,
    "text": str,
    "rows": list,
}
SCORINGS = {
    "kept": "points stay when the last life is lost",
    "zero": "a game that loses its last life counts 0",
}


class Results:
    """The results in a folder, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, title: str, values: dict[str, Any]) -> str:
        """Write a result under a new name and return the name. CannotWrite where that fails.

        Args:
            title: What somebody calls it; empty for a title made of the values.
            values: ``mode``, ``agents``, ``games``, ``seed``, ``command``, and ``rows`` or ``text``.
        """
        now = datetime.now()
        name = f"{now:%Y-%m-%d-%H%M%S}-{secrets.token_hex(4)}"
        usual = f"{values['mode']}, {counted(len(values['agents']), 'agent')}, {counted(values['games'], 'game')}, seed {values['seed']}"
        data = (
            {"text": "", "rows": []}
            | values
            | {"title": title or usual, "made": f"{now:%Y-%m-%d %H:%M}"}
        )
        write_whole(made_folder(self.folder) / f"{name}.json", json.dumps(data, indent=1))
        return name

    def read(self, name: str) -> dict[str, Any]:
        """The result of a name. ValueError, one line, where there is none or its file holds none."""
        if not NAME.fullmatch(name):
            raise ValueError("There is no such result.")
        data = parse_json(read_text(self.folder / f"{name}.json"), name)
        whole = isinstance(data, dict) and all(
            isinstance(data.get(key), kind) for key, kind in KEYS.items()
        )
        if not whole or len(data["rows"]) > ROWS or not all(map(_is_row, data["rows"])):
            raise ValueError(f"{name} holds no result.")
        return data

    def listed(self) -> list[dict[str, Any]]:
        """The newest results, each with its ``name``; a file that holds none is left out."""
        found = []
        for path in sorted(self.folder.glob("*.json"), reverse=True)[:LISTED]:
            with suppress(ValueError):
                found.append(self.read(path.stem) | {"name": path.stem})
        return found


def _is_row(row):
    """Whether a row of a file has all columns, with text and numbers where they belong; an error may be unknown."""
    if not isinstance(row, dict) or set(row) != set(COLUMNS):
        return False
    texts, numbers = (
        COLUMNS[:2],
        [name for name in COLUMNS[2:] if not (name.startswith("sem") and row[name] is None)],
    )
    return all(isinstance(row[name], str) for name in texts) and all(
        isinstance(row[name], (int, float)) for name in numbers
    )


def frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The rows of a result as a table again; an error that is not known is NaN."""
    import pandas as pd

    found = pd.DataFrame(rows, columns=COLUMNS)
    return found.astype({name: float for name in COLUMNS if name.startswith(("mean", "sem"))})


def sections(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The tables of a result as a page shows them: ``title``, ``says``, ``columns``, ``rows`` of text, ``texts`` (see text_columns)."""
    if not result["rows"]:
        return []
    rows = frame(result["rows"])
    found = (
        [_scores(rows)]
        if result["mode"] != "cross"
        else [
            _strangers(rows),
            *(_matrix(rows, scoring, says) for scoring, says in SCORINGS.items()),
        ]
    )
    return [one | {"texts": text_columns(one["columns"], one["rows"])} for one in found]


def _scores(rows):
    from hanabi.evolve.measure.tournament import summarise, table

    kept, zero = (summarise(rows, scoring) for scoring in SCORINGS)
    counts = sorted(set(rows["players"]))
    lines = []
    for _, line in table(rows).iterrows():
        agent = line["agent"]
        cells = [_cell(kept, agent, count) for count in [*counts, "mean"]]
        lines.append([agent, *cells, _cell(zero, agent, "mean"), line["perfect"], line["forfeits"]])
    return {
        "title": "Points",
        "columns": [
            "agent",
            *(f"{count} players" for count in counts),
            "kept",
            "zero",
            "perfect",
            "forfeits",
        ],
        "says": f"Kept: {SCORINGS['kept']}; also by number of players. Zero: {SCORINGS['zero']}. ± is one standard error.",
        "rows": lines,
    }


def _cell(found, agent, count):
    """The mean of an agent with its error, at a player count or over all ("mean")."""
    return plus_minus(
        float(found.at[agent, ("mean", count)]), float(found.at[agent, ("sem", count)])
    )


def _strangers(rows):
    from hanabi.evolve.measure.cross_play import matrix, ordered, strangers

    worth = strangers(rows).loc[ordered(matrix(rows)[0])]
    lines = []
    for agent, one in worth.iterrows():
        hosts = [f"{one[which]} ({one[f'{which}_points']:.2f})" for which in ("best", "worst")]
        lines.append(
            [
                agent,
                plus_minus(one["mirror"], one["mirror_sem"]),
                plus_minus(one["guest"], one["guest_sem"]),
                f"{one['loses']:.2f}",
                *hosts,
            ]
        )
    return {
        "title": "Each agent as guest",
        "columns": ["agent", "mirror play", "as guest", "loses", "best host", "worst host"],
        "says": "As guest: the mean over all hosts but itself. Loses: mirror play less that. Kept points, ± is one standard error.",
        "rows": lines,
    }


def _matrix(rows, scoring, says):
    from hanabi.evolve.measure.cross_play import matrix, ordered

    names = ordered(matrix(rows)[0])
    means, sems = matrix(rows, scoring=scoring)
    return {
        "title": f"Points, {scoring}: {says}",
        "columns": ["guest ↓ host →", *names],
        "says": "Row: the guest, one agent in one seat. Column: the host, whose copies sit in all other seats. "
        "± is one standard error.",
        "rows": [
            [guest, *(plus_minus(means.at[guest, host], sems.at[guest, host]) for host in names)]
            for guest in names
        ],
    }


def picture(result: dict[str, Any]) -> tuple[str, str]:
    """The matrix of a cross tournament as SVG in the colours of the page, and its caption, which the page wraps; empty for others."""
    if result["mode"] != "cross" or not result["rows"]:
        return "", ""
    import vl_convert

    from hanabi.evolve.charts.chart import PAGE, ROLES, finish
    from hanabi.evolve.measure.matrix_chart import drawing

    spec = drawing(frame(result["rows"]), PAGE)
    title = spec.pop("title")
    return ROLES.sub(
        "", vl_convert.vegalite_to_svg(finish(spec, PAGE))
    ), f"{title['text']}. {' '.join(title['subtitle'])}"


def sentence(result: dict[str, Any]) -> str:
    """What came out, in a sentence; empty for a comparison, whose text says it."""
    if not result["rows"]:
        return ""
    rows = frame(result["rows"])
    if result["mode"] == "cross":
        from hanabi.evolve.measure.cross_play import strangers

        worth = strangers(rows)
        guest = max(worth.reset_index().to_dict("records"), key=lambda one: one["guest"])
        points = plus_minus(guest["guest"], guest["guest_sem"])
        return f"The best guest is {guest['agent']}: {points} points among copies of the others."
    from hanabi.evolve.measure.tournament import summarise

    found = summarise(rows)
    best = found["mean", "mean"].idxmax()
    return f"{best} makes most: {_cell(found, best, 'mean')} points, kept."
