"""The runs that the site shows, as data for its pages.

Names in addresses are looked up in this list, so a name is never a path.
"""

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.run_folder import RunState, list_runs, read, times_of
from hanabi.evolve.reports.map_page import has_map
from hanabi.evolve.site.run_details import read_curves

REFERENCE = "reference"  # the folder of committed runs, in a folder of runs
MARK = " (reference)"  # follows the name of a run in that folder
FINISHED_RUNS = 500  # whose small curves are kept
SMALL_POINTS = 40  # of the curve in the list of runs


class RunList:
    """The runs of a folder, and of the folder ``reference`` in it.

    Args:
        folder: The folder of runs.
        agents: By name the spec of each agent that may be seated; winners of runs are added.
    """

    def __init__(self, folder: Path, agents: dict[str, str]) -> None:
        self.folder, self.agents = folder, agents

    def states(self) -> dict[str, RunState]:
        """Return the runs by name; add their winners.

        Running ones are first, then the newest, and reference runs last.
        """
        found = {state.run.name: state for state in list_runs(self.folder)}
        for state in list_runs(self.folder / REFERENCE):
            found[state.run.name + MARK] = state
        for name, state in found.items():
            winner = state.run / "best.toml"
            if state.state == "done" and name not in self.agents and winner.is_file():
                self.agents[name] = str(winner)

        def order(item: tuple[str, RunState]) -> tuple[bool, bool, float, str]:
            name, state = item
            begun = (state.run / "run.json").stat().st_mtime if state.run.exists() else 0.0
            return state.state != "running", name.endswith(MARK), -begun, name

        return dict(sorted(found.items(), key=order))

    def find(self, name: str) -> RunState:
        """Return the run of a name. Raises HTTPException 404 if there is none."""
        found = self.states().get(name)
        if found is None:
            raise HTTPException(404, "There is no such run.")
        return found


def run_row(name: str, state: RunState) -> dict[str, Any]:
    """Return a run as data: what `hanabi runs` prints, and a small curve."""
    best = (_points_of_finished if state.state == "done" else _best_points)(state)
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
        "best": best,
        "agent": name if (state.run / "best.toml").is_file() else "",
        "map": has_map(state.run),
    }


def _best_points(state: RunState) -> list[float]:
    """Return the best of some generations of a run, for a small curve."""
    curves = read_curves(state.run)
    best = [row[1] for row in curves[0]["rows"]] if curves else []
    return best[:: max(1, len(best) // SMALL_POINTS)]


_points_of_finished = lru_cache(FINISHED_RUNS)(_best_points)


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
