"""The maps of ways to play as data of the documentation: one entry per run of MAP-Elites.

``python -m docs.generate.map_results LABEL=RUN…`` puts finished runs into
docs/data/maps.json, each in place of the one with its label. The published archives are of Canaan
et al. (github.com/rocanaan/Hanabi-Map-Elites, two players, 1,000,000 individuals of 100 games
each).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from docs.generate.markdown import grid
from hanabi.evolve.ga.archive import ARCHIVE, SUMMARY
from hanabi.evolve.ga.config import Config, preset
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import unsealed
from hanabi.files import whole_path, write_whole

FILE = Path("docs/data/maps.json")
# cells filled of 400, mean and best points of an elite in 50 games, by archive
PUBLISHED = {
    "published, 2P": (311, 9.92, 20.38),
    "published, 2P2": (311, 10.27, 20.16),
    "published, 2P3": (310, 10.00, 20.04),
}


def map_result(folder: Path) -> dict[str, Any]:
    """Return what the documentation states of a run: its config, games, time and archive."""
    run = Run(folder)
    config, timing, rows = run.config, run.timing, pd.read_csv(folder / ARCHIVE)
    final = run.finals.iloc[-1]
    return {
        "run": run.name,
        "command": _command(config),
        "players": list(config.game.players),
        "games_each": config.search.games,
        "games": int(timing["games"].sum()),
        "individuals": (config.search.generations + 1) * config.search.population,
        "summary": {
            key: value for key, value in unsealed(folder / SUMMARY).items() if key != "checksum"
        },
        "above_18": int((rows["corrected_objective"] > 18).sum()),
        "above_15": int((rows["corrected_objective"] > 15).sum()),
        "best": {"mean": float(final["mean_kept"]), "sem": float(final["sem_kept"])},
    }


def _command(config: Config) -> str:
    """Return the command that makes a run of a config: what differs from the preset map."""
    before = preset("map").flat()
    settings = [
        f"--set '{key}={json.dumps(value)}'"
        for key, value in config.flat().items()
        if value != before[key]
    ]
    return " ".join(["hanabi evolve --preset map", *settings])


def maps(folder: Path) -> str:
    """Return the table of the maps, the published ones first."""
    lines = [
        [name, "2", "1,000,000", "100", f"{cells} of 400", "", f"{mean:.2f}", f"{best:.2f}", "", ""]
        for name, (cells, mean, best) in PUBLISHED.items()
    ]
    for one in json.loads((folder / FILE.name).read_text(encoding="utf-8")):
        found = one["summary"]
        best = one["best"]
        lines.append(
            [
                one["label"],
                ", ".join(map(str, one["players"])),
                f"{one['individuals']:,}",
                str(one["games_each"]),
                f"{found['found']['cells']} of {found['size']}",
                str(found["corrected"]["cells"]),
                f"{found['mean_of_elites']:.2f}",
                f"{best['mean']:.2f} ± {best['sem']:.2f}",
                str(one["above_18"]),
                f"{found['stays']:.0%}",
            ]
        )
    columns = ["map", "players", "individuals", "games each", "cells", "cells on fresh deals"]
    columns += ["mean elite", "best", "elites above 18", "stay in their cell"]
    return grid(columns, lines)


def write_results(labelled: dict[str, Path], file: Path = FILE) -> None:
    """Put runs into the data file, by the label that the table gives each."""
    rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    found = {row["label"]: row for row in rows}
    found |= {label: {"label": label, **map_result(run)} for label, run in labelled.items()}
    write_whole(file, json.dumps([*found.values()], indent=1, default=list) + "\n")


if __name__ == "__main__":
    pairs = [argument.partition("=") for argument in sys.argv[1:]]
    write_results({label: whole_path(run) for label, _, run in pairs})
