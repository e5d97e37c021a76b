"""A run: a folder in which an evolution goes from its first generation to an agent, stopped and continued at will.

    runs/2026-11-20-name/
        config.toml run.json     what it is made of; compared at every resume
        log.csv                  one row per generation: results only, the same for any number of workers
        changes.csv lineage.csv  what individuals changed of themselves in a climb; whose child each was
        heads.csv                with which rules the lists of each generation begin, and how many with each
        timing.csv               one row per generation: times
        checkpoint-*.json        the last two (checkpoint.py)
        race.csv finals.csv      how the finalists came in; the winner on the final deals
        best.toml result.json    the agent and its scores; there is a result.json when the run is done

``Run`` (result.py) reads them, and says what columns the tables have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hanabi.evolve.ga.config import Config, with_paths
from hanabi.evolve.ga.config import read as read_config
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.generations import go
from hanabi.evolve.ga.multi_part import MultiPartRun, join
from hanabi.evolve.ga.operators import load_operators
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.ga.progress import Progress, RunStoppedError
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import (
    RunError,
    RunState,
    damaged,
    extend,
    list_runs,
    locked,
    new_folder,
    read,
    sealed,
)
from hanabi.evolve.ga.versions import changes, made_of
from hanabi.files import whole_path
from hanabi.variant import NAME, shown

__all__ = ["Progress", "RunError", "RunState", "RunStoppedError", "evolve", "list_runs", "resume"]


def evolve(
    config: Config | str | Path,
    runs: str | Path = "runs",
    name: str = "evolution",
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Progress], None] | None = None,
    dated: bool = True,
) -> Run:
    """Evolve an agent in a new folder of ``runs``; the run that is given has it, and its log and scores.

    ``config``: one made in Python, the path of a file, or the name of a preset such as "quick". ``dated``: the folder's name
    begins with the date.
    ``jobs`` workers (-1: all cores), "threads" or "processes"; they change nothing but the time. Raises ValueError for
    a bad config, Stopped after Ctrl-C, RuleFailedError where a rule raised or moved illegally, RunError for a full disk,
    WorkerDiedError for a worker process that died.
    """
    if not name or name != Path(name).name or name.startswith(".") or len(name) > NAME:
        raise ValueError(
            f"a run's name becomes a folder's name: {shown(name)} should be a plain word of up to {NAME} letters"
        )
    config = with_paths(
        config if isinstance(config, Config) else read_config(config),
        lambda file: str(whole_path(file)),
    )
    load_operators(config)
    parts = config.part_configs() or {"": config}
    tasks = {part: Problem.of(one) for part, one in parts.items()}
    first = Evaluator(
        tasks[next(iter(tasks))], jobs, backend
    )  # before there is a folder: a rule may not compile
    contents = {}
    for part, one in ({"": config} | parts).items():
        before = config.parts_before(part) if part else []
        contents[f"{part}/config.toml".lstrip("/")] = one.text()
        contents[f"{part}/run.json".lstrip("/")] = sealed(
            made_of(one, tasks.get(part, first.task))
            | {"extended": []}
            | ({"inherits": before} if before else {})
        )
    folder = new_folder(Path(runs), name, contents, dated)
    overall = MultiPartRun(folder, list(parts), config, progress or (lambda step: None), jobs)
    return _go(
        overall,
        config,
        parts,
        lambda part: first if tasks[part] is first.task else Evaluator(tasks[part], jobs, backend),
    )


def resume(
    run: str | Path | Run,
    extend_to: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Progress], None] | None = None,
    operators: Sequence[str | Path] = (),
) -> Run:
    """Go on with a run where its last whole checkpoint stands; it ends as if it had never been stopped.

    ``extend_to``: go on to so many generations (written down in run.json). Raises RunError where the config, the rules
    or a version changed since, naming what; see ``evolve`` for the rest.
    """
    folder = Path(run)
    config, record = read(folder)
    load_operators(config, list(operators))
    wanted = config
    if extend_to is not None:
        if extend_to <= config.search.generations:
            raise ValueError(
                f"--extend-to {extend_to}: {folder} goes to generation {config.search.generations} as it is"
            )
        wanted = config.changed(generations=extend_to)
    tasks = {part: Problem.of(read(folder / part)[0]) for part in config.part_configs() or [""]}
    for part in dict.fromkeys(("", *tasks)):
        now, before = read(folder / part)
        try:
            found = changes(before, made_of(now, tasks.get(part, next(iter(tasks.values())))))
        except (TypeError, AttributeError, ValueError):  # a list where a name should be
            raise damaged(folder / part, "run.json holds what no run writes") from None
        if found:
            raise RunError(
                f"cannot go on with {folder / part}: {'; '.join(found)}. Undo this, or start a new run"
            )
    if extend_to is not None:
        with locked(folder):
            for part, task in tasks.items():
                now, before = read(folder / part)
                extend(folder / part, before, now, now.changed(generations=extend_to), task)
            if config.part_configs():
                extend(folder, record, config, wanted, next(iter(tasks.values())))
    overall = MultiPartRun(folder, list(tasks), wanted, progress or (lambda step: None), jobs)
    return _go(
        overall,
        wanted,
        wanted.part_configs() or {"": wanted},
        lambda part: Evaluator(tasks[part], jobs, backend),
    )


def _go(overall, config, parts, evaluator):
    """Take what is not finished to its end, one part after the other; the finished parts of several become one agent, or a table of
    replies."""
    folder = overall.folder
    for part, one in parts.items():
        go(folder / part, folder, one, evaluator(part), overall.at(part))
    if config.part_configs() and not (folder / "result.json").exists():
        with locked(folder):
            join(overall)
    return Run(folder)
