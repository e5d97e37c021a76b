"""The runs that the site shows, as data for its pages.

Names in addresses are looked up in this list, so a name is never a path.
"""

from __future__ import annotations

import csv
import io
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.run_folder import RunState, list_runs, read, times_of
from hanabi.evolve.reports.map_page import has_map
from hanabi.files import OWN, read_text

REFERENCE = "reference"  # the folder of committed runs, in a folder of runs
MARK = " (reference)"  # follows the name of a run in that folder
POINTS = 400  # of a curve, at most
SMALL_POINTS = 40  # of the curve in the list of runs
CHANGES = 200  # that are sent at a time
BEFORE = 3  # generations before the newest, with whose best list it is compared
COLUMNS = ("generation", "best", "best_sem", "mean")


class RunList:
    """The runs of a folder, and of the folder ``reference`` in it.

    Args:
        folder: The folder of runs.
        agents: By name the spec of each agent that may be seated; winners of runs are added.
    """

    def __init__(self, folder: Path, agents: dict[str, str]) -> None:
        self.folder, self.agents = folder, agents

    def states(self) -> dict[str, RunState]:
        """Return the runs by name, running ones first, reference runs last; add their winners."""
        found = {state.run.name: state for state in list_runs(self.folder)}
        for state in list_runs(self.folder / REFERENCE):
            found[state.run.name + MARK] = state
        for name, state in found.items():
            winner = state.run / "best.toml"
            if state.state == "done" and name not in self.agents and winner.is_file():
                self.agents[name] = str(winner)

        def order(item: tuple[str, RunState]) -> tuple[bool, bool, str]:
            return item[1].state != "running", item[0].endswith(MARK), item[0]

        return dict(sorted(found.items(), key=order))

    def find(self, name: str) -> RunState:
        """Return the run of a name. Raises HTTPException 404 if there is none."""
        found = self.states().get(name)
        if found is None:
            raise HTTPException(404, "There is no such run.")
        return found


def run_row(name: str, state: RunState) -> dict[str, Any]:
    """Return a run as data: what `hanabi runs` prints, and a small curve."""
    curves = read_curves(state.run)
    best = [row[1] for row in curves[0]["rows"]] if curves else []
    return {
        "name": name,
        "state": state.state,
        "generation": state.generation,
        "generations": state.generations,
        "mode": state.mode,
        "players": state.players,
        "seconds": state.seconds,
        "left": time_left(state),
        "result": state.result,
        "sem": state.sem,
        "scoring": state.scoring,
        "best": best[:: max(1, len(best) // SMALL_POINTS)],
        "agent": name if (state.run / "best.toml").is_file() else "",
        "map": has_map(state.run),
    }


def time_left(state: RunState) -> float | None:
    """Return the seconds that a running run still needs, as the terminal shows them.

    None if the run is not running or no forecast is possible.
    """
    if state.state != "running":
        return None
    config = read(state.run)[0]
    folders = [state.run / part for part in config.part_names()] or [state.run]
    times = [seconds for folder in folders for seconds in times_of(folder)]
    left = seconds_left(times, state.generations - state.generation, config.search.minutes)
    return None if math.isnan(left) else round(left, 1)


def part_data(folder: Path) -> dict[str, Any]:
    """Return what the page of a run needs to know about the parts of the run.

    ``lists``: names of the lists that the run evolves one after the other, [] for a single list.
    ``each``: number of the last generation of a list, where the axis of its curve ends.
    """
    try:
        config, _ = read(folder)
    except (ValueError, OSError):  # a broken run
        return {"lists": [], "each": 0}
    return {"lists": list(config.part_configs()), "each": config.search.generations}


def read_curves(folder: Path) -> list[dict[str, Any]]:
    """Return the fitness of a run by generation, one curve per list.

    Each curve has ``list``, its name, and ``rows`` of [generation, best, standard error, mean].
    """
    found = []
    for path in [folder / "log.csv", *sorted(folder.glob("*/log.csv"))]:
        with suppress(ValueError):
            lines = csv.DictReader(io.StringIO(read_text(path, OWN)))
            rows = [[_number(line.get(column)) for column in COLUMNS] for line in lines]
            rows = [row for row in rows if None not in row[:2]]  # the last line may be incomplete
            if rows:
                name = "" if path.parent == folder else path.parent.name
                found.append({"list": name, "rows": rows[:: max(1, len(rows) // POINTS)]})
    return found


def read_changes(folder: Path, after: int = 0) -> dict[str, Any]:
    """Return the changes that local searches of a run accepted, newest last.

    Args:
        folder: The folder of the run.
        after: How many were returned before.

    Returns:
        ``changes``: each with ``list``, ``generation``, ``individual``, ``gain``, ``sem``,
        ``games`` and ``says``, at most CHANGES; ``count``: how many there are in all.
    """
    found = []
    for path in [folder / "changes.csv", *sorted(folder.glob("*/changes.csv"))]:
        with suppress(ValueError):
            for line in csv.DictReader(io.StringIO(read_text(path, OWN))):
                numbers = [_number(line.get(key)) for key in ("gain", "sem", "games")]
                if None not in numbers and line.get("change"):
                    part = "" if path.parent == folder else path.parent.name
                    found.append([part, line["generation"], line["individual"], *numbers])
                    found[-1].append(line["change"])
    keys = ("list", "generation", "individual", "gain", "sem", "games", "says")
    rows = [dict(zip(keys, row)) for row in found[after:]]
    return {"changes": rows[-CHANGES:], "count": len(found)}


def best_list(folder: Path) -> dict[str, Any] | None:
    """Return the best list of the newest generation of a run, and that of three before.

    Returns:
        ``list`` (the part), ``generation``, ``rules``, ``conventions`` and ``before`` (the rules of
        the generation three earlier); None before the first generation.
    """
    paths = [folder / "log.csv", *sorted(folder.glob("*/log.csv"))]
    written = [path for path in paths if path.is_file()]
    for path in sorted(written, key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(ValueError):
            rows = [
                line
                for line in csv.DictReader(io.StringIO(read_text(path, OWN)))
                if line.get("rules") and None not in line.values()
            ]
            if rows:
                old = rows[max(0, len(rows) - 1 - BEFORE)]
                return {
                    "list": "" if path.parent == folder else path.parent.name,
                    "generation": rows[-1]["generation"],
                    "rules": _entries(rows[-1]["rules"]),
                    "conventions": _entries(rows[-1].get("conventions") or ""),
                    "before": _entries(old["rules"]),
                    "since": old["generation"],
                }
    return None


def _entries(text):
    """The entries of a list as log.csv writes them."""
    return [entry for entry in text.split("; ") if entry]


def _number(text):
    """The number in a text if JSON can hold it, else None."""
    if not re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text or ""):
        return None
    number = float(text)
    return number if math.isfinite(number) else None
