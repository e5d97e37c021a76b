"""Run folders: made whole, locked while somebody is at work in them, read back and listed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config, loads
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.ga.versions import made_of
from hanabi.evolve.measure.arena import SCORINGS, players_text
from hanabi.files import OWN, TOML, read_json, read_text, write_whole

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
}  # what stands in run.json


class RunError(ValueError):
    """A run cannot go on as it is asked to; the message says why and what to do, in one line."""


class RunBusyError(RunError):
    """Another process is at work in the run's folder."""


def sealed(values: dict) -> str:
    """Values as JSON, with the SHA-256 of the rest under ``checksum``; see ``unsealed``."""
    return json.dumps(values | {"checksum": _sum(values)}, indent=1)


def _sum(values):
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def unsealed(path: Path) -> dict:
    """What ``sealed`` wrote to a file. ValueError, one line, where it is not as it was written (old runs have no checksum:
    they are believed) or cannot be read."""
    values = read_json(path)
    if not isinstance(values, dict):
        raise ValueError(f"{path.name} should be a table")
    if values.pop("checksum", None) not in (None, _sum(values)):
        raise ValueError(f"{path.name} was edited: its checksum does not fit")
    return values


def result(folder: Path) -> dict:
    """What ``result.json`` of a finished run holds. ValueError or OSError as ``unsealed``."""
    values = unsealed(folder / "result.json")
    rows = values.get("results")
    if (
        not isinstance(values.get("best_toml"), str)
        or not isinstance(rows, list)
        or not rows
        or not all(
            isinstance(row, dict)
            and all(
                isinstance(value := row.get(f"{what}_{scoring}"), (int, float))
                and 0 <= value < 1000
                for what in ("mean", "sem")
                for scoring in SCORINGS
            )
            for row in rows
        )
    ):
        raise ValueError("result.json holds no results")
    return values


@dataclass(frozen=True)
class RunState:
    """A run folder at a glance; ``state`` is "running", "stopped", "done" or "broken".

    ``games`` and ``seconds``: of all generations so far, None where timing.csv does not go back to the first one.
    ``result`` with its standard error ``sem``: mean points on the final deals under ``scoring``, once it is done.
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


def list_runs(folder: str | Path = "runs") -> list[RunState]:
    """The run folders in a folder, by name, and how far each is; ``pandas.DataFrame(runs())`` makes a table of them.

    Columns: ``run``, ``state``, ``generation``, ``generations``, ``mode``, ``players``, ``seed``, ``games``, ``seconds``,
    ``result``, ``sem``, ``scoring``.
    """
    return [state_of(path.parent) for path in sorted(Path(folder).glob("*/run.json"))]


def state_of(folder: Path) -> RunState:
    """How far a run folder is."""
    try:
        config, _ = read(folder)
        parts = [folder / part for part in config.part_configs()] or [folder]
        newest = [
            int(checkpoint.files(part)[0].stem.split("-")[1])
            for part in parts
            if checkpoint.files(part)
        ]
        reached, whole = (
            max(0, sum(newest) + len(newest) - 1),
            len(parts) * (config.search.generations + 1) - 1,
        )
        games, seconds = _spent(parts)
        at = partial(
            RunState,
            folder,
            generation=reached,
            generations=whole,
            mode=config.game.mode,
            players=players_text(config.game.players),
            seed=config.search.seed,
            games=games,
            seconds=seconds,
        )
        if (folder / "result.json").exists():
            total = result(folder)["results"][-1]
            return at(
                state="done",
                generation=whole,
                result=total[f"mean_{config.game.scoring}"],
                sem=total[f"sem_{config.game.scoring}"],
                scoring=config.game.scoring,
            )
        try:
            with ExitStack() as stack:
                for part in {folder, *parts}:
                    stack.enter_context(locked(part, patience=0))
                return at(state="stopped")
        except RunBusyError:
            return at(state="running")
        except RunError:  # somebody else's, who alone may write there
            return at(state="stopped")
    except (ValueError, OSError):
        return RunState(folder, "broken")


def times_of(folder: Path) -> list[float]:
    """Return the seconds of each generation that timing.csv of a run, or of a part of one, has; none where it cannot be read."""
    try:
        return [float(row["seconds"]) for row in _timed(folder)]
    except (ValueError, LookupError, TypeError):
        return []


def _timed(folder):
    """The rows of timing.csv; the last one may be half written, and is left out."""
    path = folder / "timing.csv"
    return [
        row for row in csv.DictReader(io.StringIO(read_text(path, OWN))) if row["jobs"] is not None
    ]


def _spent(folders):
    """(games, seconds) of all generations so far, by timing.csv; (None, None) where one does not begin at the first one."""
    games, seconds = 0, 0.0
    try:
        for folder in folders:
            rows = (
                _timed(folder) if folder == folders[0] or (folder / "timing.csv").exists() else []
            )
            if rows and int(rows[0]["generation"]) != 0 or not rows and folder == folders[0]:
                return None, None
            games, seconds = (
                games + sum(int(row["games"]) for row in rows),
                seconds + sum(float(row["seconds"]) for row in rows),
            )
        return games, seconds
    except (ValueError, LookupError, TypeError):
        return None, None


def read(folder: Path) -> tuple[Config, dict]:
    """(config, record) of a run folder, the config as it stands in config.toml now."""
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
    return loads(text, str(folder / "config.toml"), of_run=True), record


def winners_before(folder: Path) -> list[Individual]:
    """The winners of the lists of a run that come before the one in ``folder``, where it begins with one of them; else none.
    RunError where one is still to be found, or was edited since."""
    found = []
    for name in map(str, unsealed(folder / "run.json").get("inherits", [])):
        place = folder.parent / name
        if not (place / "result.json").exists():
            raise RunError(
                f"{folder} begins with the winner for {name} players, which is still to be found: resume {folder.parent}"
            )
        try:
            stated = result(place)
            found.append(Individual(stated["rules"], stated["conventions"], stated["weights"]))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise damaged(place, error) from None
    return found


def damaged(folder: Path, error: Exception | str) -> RunError:
    """What to raise where a file of a run cannot be read, or was changed."""
    return RunError(
        f"the files of {folder} are damaged ({' '.join(str(error).split())}): put a copy back, or start a new run"
    )


def extend(folder: Path, record: dict, config: Config, wanted: Config, task: Problem) -> None:
    """Make a run longer: ``wanted`` is ``config`` with more generations. What the shorter run ended with stays."""
    record = (
        record
        | made_of(wanted, task)
        | {
            "extended": record["extended"]
            + [
                {
                    "from": config.search.generations,
                    "to": wanted.search.generations,
                    "date": date.today().isoformat(),
                }
            ]
        }
    )
    try:
        for name in (
            "best.toml",
            "result.json",
        ):  # those of the shorter run stay, under another name
            if (folder / name).exists():
                stem, dot, ending = name.partition(".")
                os.replace(
                    folder / name, folder / f"{stem}-{config.search.generations}{dot}{ending}"
                )
        # config.toml last but one: killed between the two, the error says that generations changed
        write_whole(folder / "config.toml", wanted.text().encode())
        write_whole(folder / "run.json", sealed(record))
    except OSError as error:
        raise RunError(
            f"cannot write to {folder}: {(error.strerror or 'an error').lower()}"
        ) from None


def new_folder(parent: Path, name: str, contents: dict[str, str], dated: bool = True) -> Path:
    """A folder that was not there before, complete from the moment it is there; ``dated``: its name begins with the date."""
    names = (
        (f"{date.today().isoformat()}-{name}{f'-{n}' if n > 1 else ''}" for n in range(1, 100_000))
        if dated
        else [name]
    )
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
        raise RunError(
            f"cannot make a run folder in {parent}: {(error.strerror or 'an error').lower()}"
        ) from None
    raise RunError(f"{parent} is full of runs of this name")


@contextmanager
def locked(folder: Path, patience: float = 1.0):
    """Nobody else is at work in the folder inside; RunError where somebody is. A lock dies with its process."""
    lock = FileLock(folder / "lock", timeout=patience)
    try:
        lock.acquire()
    except Timeout:
        raise RunBusyError(
            f"another process is at work in {folder}; wait for it, or stop it with Ctrl-C"
        ) from None
    except OSError as error:
        raise RunError(
            f"cannot write to {folder}: {(error.strerror or 'an error').lower()}"
        ) from None
    try:
        yield
    finally:
        lock.release()
