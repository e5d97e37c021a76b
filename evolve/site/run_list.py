"""The runs that the site shows, as data for its pages, and their reports.

Names in addresses are looked up in this list, so a name is never a path.

Reports of finished runs are written when a page asks for one, and served in a sandbox. They are
kept in the user's cache folder. The site never changes the folder of a run, so
reference runs stay as they were committed.
"""

import csv
import hashlib
import io
import math
import re
from bisect import bisect_right
from collections.abc import Generator
from contextlib import suppress
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import escape
from starlette.responses import HTMLResponse

import hanabi
from hanabi.backend.code_cache import cache_root
from hanabi.evolve.ga.language import decision_text
from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import RunState, last_generations, list_runs, read, times_of
from hanabi.evolve.reports.map_page import has_map
from hanabi.evolve.reports.reference_points import references
from hanabi.evolve.reports.run_report import FILE, page_of
from hanabi.evolve.reports.sealed_agent import export
from hanabi.evolve.site.requests import found_or_404
from hanabi.evolve.workbench.job_queue import Job, JobQueue
from hanabi.files import OWN, make_folder, read_bytes, read_text, whole_path, write_whole
from hanabi.rules.user_rules import LOADED
from hanabi.variant import read_variant

POINTS = 400  # of a curve, at most
CHANGES = 200  # that are sent at a time
BEFORE = 3  # generations before the one whose list is compared with that of then
COLUMNS = ("generation", "best", "best_sem", "mean", "individuals", "common")  # of log.csv


def run_data(state: RunState) -> dict[str, Any]:
    """Return what the page of a run needs to know beside its curves.

    Returns:
        ``lists``: names of the lists that the run evolves one after the other, [] for a single
        list. ``ends``: the last generation of each. ``place`` and ``reached``: the list that is
        evolved, and its generation. ``references``: points of known agents by list ("": all
        player counts). ``perfect``: points of a perfect game. ``limit``: minutes that end the run;
        0: none. ``ended``: whether they did. ``command``: the command that repeats it.
    """
    try:
        run, (config, _) = Run(state.run), read(state.run)
        ends = last_generations(state.run, config)
        starts = [0, *accumulate(end + 1 for end in ends)][: len(ends)]  # over all lists
        place = bisect_right(starts, state.generation) - 1
        return {
            "lists": config.part_names(),
            "ends": ends,
            "place": place,
            "reached": min(state.generation - starts[place], ends[place]),
            "references": references(config),
            "perfect": read_variant(config.game.variant).perfect,
            "limit": config.search.minutes,
            "ended": run.time_limit is not None,
            "command": run.again,
        }
    except (ValueError, OSError):  # a broken run
        nothing = {"lists": [], "ends": [0], "place": 0, "reached": state.generation}
        unknown = {"references": {}, "perfect": 25, "limit": 0, "ended": False, "command": ""}
        return nothing | unknown


def _logs(folder: Path, name: str) -> dict[str, Path]:
    """The files of a name in a run, by list ("": the run has one list)."""
    paths = [folder / name, *sorted(folder.glob(f"*/{name}"))]
    return {"" if path.parent == folder else path.parent.name: path for path in paths}


def _rows(path: Path) -> list[dict[str, str]]:
    """The whole rows of a log; [] if it cannot be read."""
    with suppress(ValueError):
        lines = csv.DictReader(io.StringIO(read_text(path, OWN)))
        return [line for line in lines if None not in line.values() and None not in line]
    return []


def read_curves(folder: Path) -> list[dict[str, Any]]:
    """Return the fitness of a run by generation, one curve per list.

    Each curve has ``list``, its name, and ``rows`` of [generation, best, standard error, mean,
    individuals, share of entries that two of them have in common]; what is not known is None, and
    so is that share where no run could change it: of orders of all rules.
    """
    columns = [*COLUMNS[:-1], "none" if _has_fixed_entries(folder) else COLUMNS[-1]]
    found = []
    for name, path in _logs(folder, "log.csv").items():
        rows = [[_number(line.get(column)) for column in columns] for line in _rows(path)]
        if rows := [row for row in rows if None not in row[:2]]:
            step = max(1, len(rows) // POINTS)
            found.append({"list": name, "rows": rows[::-step][::-1]})  # the newest is in it
    return found


def read_changes(folder: Path, after: int = 0) -> dict[str, Any]:
    """Return the changes that local searches of a run accepted, newest last.

    The decisions of an ordered language come first, those of each list before its changes.

    Args:
        folder: The folder of the run.
        after: How many were returned before.

    Returns:
        ``changes``: each with ``list``, ``generation``, ``individual``, ``gain``, ``sem``,
        ``games`` and ``says``, at most CHANGES; ``count``: how many there are in all.
    """
    found = []
    for part, path in _logs(folder, "changes.csv").items():
        for line in [*_rows(path.with_name("language.csv")), *_rows(path)]:
            numbers = {key: _number(line.get(key)) for key in ("gain", "sem", "games")}
            where = {key: line.get(key, "0") for key in ("generation", "individual")}
            says = decision_text(line) if "chance" in line else line.get("change")
            if None not in numbers.values() and says:
                found.append({"list": part, "says": says} | where | numbers)
    return {"changes": found[after:][-CHANGES:], "count": len(found)}


def best_list(
    folder: Path, part: str | None = None, generation: int | None = None
) -> dict[str, Any] | None:
    """Return the best list of a generation of a run, and that of three before.

    Args:
        folder: The folder of the run.
        part: The name of a list; None: the one to which a generation was added last.
        generation: The generation; None: the newest.

    Returns:
        ``list`` (the part), ``generation``, ``rules``, ``conventions``, ``weights`` (by name),
        ``before`` (the rules of three generations earlier) and ``since`` (that generation);
        ``played``: ``players``, ``variant`` and ``otherwise`` with which it is played. None if
        there is no such generation.
    """
    logs = _logs(folder, "log.csv")
    if part is None:
        written = [name for name in logs if logs[name].is_file()]
        part = max(written, key=lambda name: logs[name].stat().st_mtime_ns, default="")
    if part not in logs:
        return None
    rows = _rows(logs[part])
    places = {line["generation"]: place for place, line in enumerate(rows)}
    place = len(rows) - 1 if generation is None else places.get(str(generation), -1)
    if place < 0:
        return None
    row, old = rows[place], rows[max(0, place - BEFORE)]
    return {
        "list": part,
        "generation": row["generation"],
        "rules": _rules(logs[part].parent, row),
        "conventions": _entries(row.get("conventions")),
        "weights": {
            name: _number(value)
            for name, _, value in (one.partition("=") for one in _entries(row.get("weights")))
        },
        "before": _rules(logs[part].parent, old),
        "since": old["generation"],
        "played": _played(logs[part].parent),
    }


def _played(folder: Path) -> dict[str, Any]:
    """How the lists of a run or part are played; {} if its config cannot be read."""
    with suppress(ValueError, OSError):
        config, _ = read(folder)
        played = {"players": config.game.players[0], "variant": config.game.variant}
        return played | {"otherwise": config.genome.otherwise}
    return {}


def _has_fixed_entries(folder: Path) -> bool:
    """Whether all lists of a run have the same entries, so that two have all in common."""
    with suppress(ValueError, OSError):
        genome = read(folder)[0].genome
        return not (genome.variable_length or genome.order_length or genome.conventions)
    return False


def _rules(folder: Path, row: dict[str, str]) -> list[str]:
    """The rules in a row of log.csv, which has their names or their places in the rule set."""
    if "order" not in row:
        return _entries(row.get("rules"))
    with suppress(ValueError, LookupError, OSError):
        config, record = read(folder)
        names = [record["rules"][int(place)] for place in row["order"].split()]
        return names[: config.genome.order_length or None]
    return []


def _entries(text: str | None) -> list[str]:
    """The entries of a list as log.csv writes them."""
    return [entry for entry in (text or "").split("; ") if entry]


def _number(text: str | None) -> float | None:
    """The number in a text if JSON can hold it, else None."""
    if not re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text or ""):
        return None
    number = float(text or "")
    return number if math.isfinite(number) else None


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
        found |= {one.run.name + MARK: one for one in list_runs(self.folder / REFERENCE)}
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
        return found_or_404(self.states().get(name), "There is no such run.")


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
    config, _ = read(state.run)
    folders = [state.run / part for part in config.part_names()] or [state.run]
    times = [seconds for folder in folders for seconds in times_of(folder)]
    left = seconds_left(times, state.generations - state.generation, config.search.minutes)
    return None if math.isnan(left) else round(left, 1)


# a report has its own scripts: the sandbox keeps them from the site's cookie and its pages
SANDBOX = {
    "content-security-policy": "sandbox allow-scripts; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
BODY = re.compile(r"<body[^>]*>")


class ReportWriter:
    """Writes reports in a thread, one at a time. Call ``close`` at the end.

    Args:
        folder: Where reports are kept; by default in the user's cache folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_root() / "reports"
        self.queue = JobQueue()
        self.jobs: dict[Path, Job] = {}  # the newest of each run

    def close(self) -> None:
        """Stop the report that is being written."""
        self.queue.close()

    def begin(self, run: Path) -> None:
        """Begin to write the report of a run, unless it is being written.

        Raises:
            RefusedError: Too many reports wait.
        """
        if run not in self.jobs or self.jobs[run].ended:
            self.jobs[run] = self.queue.begin(Job("report", "", partial(self._write, run)))

    def _write(self, run: Path, job: Job) -> Generator[None]:
        """Write the report of a run with one worker, so that tables stay responsive."""
        export(run)  # raises for a folder that is not a finished run
        if any(str(whole_path(file)) not in LOADED for file in read(run)[0].genome.rule_files):
            raise ValueError(
                "This run has rules of its own, and the site loads none: "
                "start it with hanabi serve --rules FILE."
            )
        yield
        page, *_ = page_of(run, 1, job.progress)
        make_folder(self.folder)
        write_whole(self._file(run), page)

    def find(self, run: Path) -> Path | None:
        """Return the report in the folder of a run, else the one that the site wrote, else None."""
        found = [run / FILE]
        with suppress(ValueError):  # a run without an end
            found.append(self._file(run))
        return next((path for path in found if path.is_file()), None)

    def _file(self, run: Path) -> Path:
        """The file for the report of a run as it ended, by this version of the program.

        Raises ValueError for a run without an end.
        """
        parts = [hanabi.__version__.encode(), str(whole_path(run)).encode()]
        parts += [read_bytes(run / name, OWN) for name in ("config.toml", "result.json")]
        digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
        return self.folder / f"{digest[:32]}.html"

    def state(self, run: Path) -> dict[str, Any]:
        """Return whether a run has a report, how far it is written, and what went wrong."""
        job = self.jobs.get(run)
        is_written = job is not None and not job.ended
        return {
            "report": self.find(run) is not None,
            "writing": job.state.get("done", 0.0) if job and is_written else None,
            "problem": job.state.get("error", "") if job else "",
        }


def answer_with_report(page: str, path: str, title: str) -> HTMLResponse:
    """Return a self-contained page in a sandbox, with a link back to a page of the site.

    Args:
        page: The page as it is on disk, without the link.
        path: The path of the page of the site.
        title: The text of the link.
    """
    link = f'<nav style="padding:8px 24px"><a href="{quote(path)}">← {escape(title)}</a></nav>'
    return HTMLResponse(BODY.sub(lambda body: body[0] + link, page, count=1), headers=SANDBOX)
