"""Run folders: created whole, locked while a process works in them, read back and listed."""

import csv
import hashlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config, in_sections, loads
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.versions import made_of
from hanabi.evolve.measure.arena import SCORINGS, players_text
from hanabi.files import OWN, TOML, file_mark, read_json, read_text, replace, write_whole
from hanabi.variant import check_name

READS_OLD_RUNS = "commit 4f4cf1b6 of this project"  # the last that knew older names of keys
RECORD = {
    "config": dict,
    "config_hash": str,
    "rules": list,
    "rules_hash": str,
    "rule_files": dict,
    "pool": list,
    "versions": dict,
    "engine": str,
    "extended": list,
}  # keys of run.json
STATE_FILES = "run.json", "config.toml", "result.json", "timing.csv"  # tell the state of a run


class RunError(ValueError):
    """A run cannot continue; the message says why and what to do, in one line."""


class RunBusyError(RunError):
    """Another process works in the run's folder."""


def sealed(values: dict) -> str:
    """Return values as JSON, with the SHA-256 of the rest as ``checksum``; see ``unsealed``."""
    return json.dumps(values | {"checksum": _sum(values)}, indent=1)


def _sum(values):
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def unsealed(path: Path) -> dict:
    """Return the values that ``sealed`` wrote to a file.

    Raises:
        ValueError: The file was edited (files of old runs have no checksum and are not checked), or
            it cannot be read.
    """
    values = read_json(path)
    if not isinstance(values, dict):
        raise ValueError(f"{path.name} should be a table")
    if values.pop("checksum", None) not in (None, _sum(values)):
        raise ValueError(f"{path.name} was edited: its checksum does not fit")
    return values


def result(folder: Path) -> dict:
    """Return what ``result.json`` of a finished run holds.

    Raises:
        ValueError: It holds no results, or was edited; see ``unsealed``.
        OSError: It cannot be read.
    """
    values = unsealed(folder / "result.json")
    rows = values.get("results")
    if not isinstance(values.get("best_toml"), str) or not isinstance(rows, list) or not rows:
        raise ValueError("result.json holds no results")
    keys = [f"{what}_{scoring}" for what in ("mean", "sem") for scoring in SCORINGS]
    for row in rows:
        numbers = [row.get(key) for key in keys] if isinstance(row, dict) else [None]
        if not all(isinstance(one, int | float) and 0 <= one < 1000 for one in numbers):
            raise ValueError("result.json holds no results")
    return values


def last_generations(folder: Path, config: Config) -> list[int]:
    """Return the last generation of each part of a run: the one after which ``minutes`` ended it.

    A part that is not finished goes to the last generation of its config.

    Raises:
        ValueError: A result.json is damaged.
    """
    parts = config.part_configs()
    if parts:
        return [last_generations(folder / name, part)[0] for name, part in parts.items()]
    limit = result(folder).get("time_limit") if (folder / "result.json").exists() else None
    if limit is None:
        return config.last_generations()
    found = limit.get("generations") if isinstance(limit, dict) else None
    if not isinstance(found, list) or len(found) != 1 or type(found[0]) is not int:
        raise ValueError("result.json holds no generation of a time limit")
    return found


@dataclass(frozen=True)
class RunState:
    """A run folder at a glance.

    Attributes:
        run: The folder.
        state: "running", "stopped", "done" or "broken".
        games: Games of all generations so far; None if timing.csv does not begin at the first one.
        seconds: Their duration; None as for ``games``.
        result: Mean points on the final deals under ``scoring``, with their standard error ``sem``;
            None until the run is done.
    """

    run: Path
    state: str
    generation: int = 0
    generations: int = 0
    mode: str = ""
    players: str = ""
    seed: int | None = None
    games: int | None = None
    seconds: float | None = None
    result: float | None = None
    sem: float | None = None
    scoring: str = ""

    @property
    def is_measured_again(self) -> bool:
        """Whether all generations are over, and the race and the finals go on."""
        if self.state != "running":
            return False
        limit = 60 * read(self.run)[0].search.minutes
        return self.generation >= self.generations or 0 < limit <= (self.seconds or 0)


def list_runs(folder: str | Path = "runs") -> list[RunState]:
    """Return the state of each run folder in a folder, by name.

    ``pandas.DataFrame(list_runs())`` makes a table of them.

    Columns: ``run``, ``state``, ``generation``, ``generations``, ``mode``, ``players``, ``seed``,
    ``games``, ``seconds``, ``result``, ``sem``, ``scoring``.
    """
    return [state_of(path.parent) for path in sorted(Path(folder).glob("*/run.json"))]


# by folder of a finished run, the marks of its files and its state
FINISHED: dict[Path, tuple[list[tuple[str, int, int]], RunState]] = {}


def state_of(folder: Path) -> RunState:
    """Return the state of a run folder; a finished one is read again only if its files change."""
    marks = _marks(folder.absolute())
    known = FINISHED.get(folder)
    if known and known[0] == marks:
        return known[1]
    state = _read_state(folder)
    if state.state == "done":
        FINISHED[folder] = marks, state
    return state


def _marks(folder):
    """(path, time, size) of the files from which the state of a run and of its parts is read."""
    folders = [folder, *(path.parent for path in folder.glob("*/result.json"))]
    paths = [one / name for one in folders for name in STATE_FILES]
    return [(str(path), *file_mark(path)) for path in paths]


def _read_state(folder):
    try:
        config, _ = read(folder)
        parts = [folder / part for part in config.part_configs()] or [folder]
        ends = last_generations(folder, config)
        checkpoints = [checkpoint.files(part)[:1] for part in parts]
        done = sum(int(newest.stem.split("-")[1]) + 1 for some in checkpoints for newest in some)
        last = sum(ends) + len(ends) - 1
        games, seconds = _spent(parts)
        state = partial(
            RunState,
            folder,
            generation=max(0, done - 1),
            generations=last,
            mode=config.game.mode,
            players=players_text(config.game.players),
            seed=config.search.seed,
            games=games,
            seconds=seconds,
        )
        if (folder / "result.json").exists():
            total, scoring = result(folder)["results"][-1], config.game.scoring
            return state(
                state="done",
                generation=last,
                result=total[f"mean_{scoring}"],
                sem=total[f"sem_{scoring}"],
                scoring=scoring,
            )
        try:
            with ExitStack() as stack:
                for part in {folder, *parts}:
                    stack.enter_context(locked(part, patience=0))
                return state(state="stopped")
        except RunBusyError:
            return state(state="running")
        except RunError:  # the folder of another user, which we cannot lock
            return state(state="stopped")
    except (ValueError, OSError):
        return RunState(folder, "broken")


def times_of(folder: Path) -> list[float]:
    """Return the seconds of each generation in timing.csv of a run or part; empty if unreadable."""
    try:
        return [float(row["seconds"]) for row in _times(folder)]
    except (ValueError, LookupError, TypeError):
        return []


def _times(folder):
    """The rows of timing.csv, without a last row that is half written."""
    rows = csv.DictReader(io.StringIO(read_text(folder / "timing.csv", OWN)))
    return [row for row in rows if row["jobs"] is not None]


def _spent(folders):
    """(games, seconds) of all generations so far; (None, None) if timing.csv lacks rows."""
    try:
        first, *others = folders
        begun = [_times(one) for one in others if (one / "timing.csv").exists()]
        parts = [_times(first), *filter(None, begun)]
        if any(int(rows[0]["generation"]) for rows in parts):
            return None, None
        every = [row for rows in parts for row in rows]
        return sum(int(row["games"]) for row in every), sum(float(row["seconds"]) for row in every)
    except (ValueError, LookupError, TypeError):
        return None, None


def read(folder: Path) -> tuple[Config, dict]:
    """Return (config, record) of a run folder: config.toml and run.json.

    Raises:
        ValueError: It is no run folder, or damaged.
    """
    if not (folder / "run.json").exists():
        raise ValueError(f"{folder} is not a run folder; `hanabi runs` lists them")
    try:
        record = unsealed(folder / "run.json")
        text = read_text(folder / "config.toml", TOML)
        for key, kind in RECORD.items():
            if not isinstance(record.get(key), kind):
                raise ValueError(f"run.json has no good {key!r}")
    except (OSError, ValueError) as error:
        raise damaged(folder, error) from None
    try:
        in_sections(record["config"])
    except ValueError:
        raise ValueError(
            f"{folder} was made by an older hanabi, with other keys: {READS_OLD_RUNS} reads it"
        ) from None
    return loads(text, str(folder / "config.toml")), record


def winners_before(folder: Path) -> list[Individual]:
    """Return the winners of the parts of a run with which the part in ``folder`` begins.

    Raises:
        RunError: One of them is not finished, or was edited since.
    """
    found = []
    for name in map(str, unsealed(folder / "run.json").get("inherits", [])):
        place = folder.parent / name
        if not (place / "result.json").exists():
            raise RunError(
                f"{folder} begins with the winner for {name} players, which is not finished: "
                f"resume {folder.parent}"
            )
        try:
            stated = result(place)
            found.append(Individual(stated["rules"], stated["conventions"], stated["weights"]))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise damaged(place, error) from None
    return found


def damaged(folder: Path, error: Exception | str) -> RunError:
    """Return the error for files of a run that cannot be read, or were changed."""
    return RunError(
        f"the files of {folder} are damaged ({' '.join(str(error).split())}): put a copy back, or "
        "start a new run"
    )


def os_problem(error: OSError) -> str:
    """Return what went wrong, in a few words."""
    return (error.strerror or str(error) or "an error").lower()


def extend(folder: Path, record: dict, config: Config, wanted: Config, problem: Problem) -> None:
    """Extend a run; the results of the shorter run stay, under other names.

    Args:
        folder: The run, or a part of one.
        record: Its run.json.
        config: Its config, as it ended (``Config.without_clock``).
        wanted: The same with more generations.
        problem: What is evolved.

    Raises:
        RunError: The folder cannot be written.
    """
    step = {
        "from": config.search.generations,
        "to": wanted.search.generations,
        "date": date.today().isoformat(),
    }
    record = record | made_of(wanted, problem) | {"extended": [*record["extended"], step]}
    try:
        for file in (folder / "best.toml", folder / "result.json"):
            if file.exists():
                replace(file, file.with_stem(f"{file.stem}-{config.search.generations}"))
        # config.toml before run.json: if killed between the two, the error names generations
        write_whole(folder / "config.toml", wanted.text().encode())
        write_whole(folder / "run.json", sealed(record))
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {os_problem(error)}") from None


def run_files(
    config: Config, problem: Problem, part: str = "", inherits: Sequence[str] = ()
) -> dict[str, str]:
    """Return config.toml and run.json of a new run, or of a part of it, by their paths in it.

    Args:
        config: Its config.
        problem: What is evolved.
        part: The name of the part; empty: the whole run.
        inherits: The parts with whose winners it begins.
    """
    record = made_of(config, problem) | {"extended": []}
    record |= {"inherits": list(inherits)} if inherits else {}
    prefix = f"{part}/" if part else ""
    return {f"{prefix}config.toml": config.text(), f"{prefix}run.json": sealed(record)}


def check_run_name(name: str) -> None:
    """Raise ValueError where a name is none for a run's folder, or for the agent named by it."""
    check_name(name, "a run's folder and agent", is_file=True)


def dated_names(name: str) -> Iterator[str]:
    """Yield names for the folder of a run: the date and its name, then with a number.

    FILE_NAME leaves room for both.
    """
    stem = f"{date.today().isoformat()}-{name}"
    yield stem
    yield from (f"{stem}-{number}" for number in range(2, 100_000))


def new_folder(parent: Path, name: str, contents: dict[str, str], dated: bool = True) -> Path:
    """Create a folder that has all its files from the moment when it exists.

    Args:
        parent: Where to create it.
        name: Its name.
        contents: Texts by file name.
        dated: The name begins with the date; a number is added if the name is taken.

    Raises:
        ValueError: The name is none for the folder, or for the agent that is called by it.
        RunError: It cannot be created.
    """
    check_run_name(name)
    names = dated_names(name) if dated else [name]
    try:
        parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".new-", dir=parent))
        try:
            aside.chmod(0o755)
            for file, text in contents.items():
                (aside / file).parent.mkdir(exist_ok=True)
                write_whole(aside / file, text.encode())
            for folder in map(parent.joinpath, names):
                if folder.exists():
                    continue
                try:
                    os.rename(aside, folder)
                    return folder
                except OSError as error:
                    if not folder.exists():
                        raise error
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    except OSError as error:
        raise RunError(f"cannot make a run folder in {parent}: {os_problem(error)}") from None
    raise RunError(f"{parent} is full of runs of this name")


@contextmanager
def locked(folder: Path, patience: float = 1.0) -> Iterator[None]:
    """Lock a folder; the lock is released when its process ends.

    Args:
        folder: A run, or a part of one.
        patience: Seconds to wait for another process.

    Raises:
        RunBusyError: Another process works in it.
        RunError: The folder cannot be written.
    """
    lock = FileLock(folder / "lock", timeout=patience)
    try:
        lock.acquire()
    except Timeout:
        raise RunBusyError(
            f"another process is at work in {folder}; wait for it, or stop it with Ctrl-C"
        ) from None
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {os_problem(error)}") from None
    try:
        yield
    finally:
        lock.release()
