"""Runs: evolve in a new folder, and resume.

    runs/2026-11-20-name/
        config.toml run.json     what it is made of; compared at every resume
        log.csv                  one row per generation: results, the same for any number of workers
        changes.csv lineage.csv  mutations accepted in local searches; the parents of individuals
        heads.csv                the first rules of the lists of each generation
        language.csv             with language = "ordered": the decisions about conventions
        timing.csv               one row per generation: times
        map.csv archive.csv      with MAP-Elites in place of the two lines above: the archive by
        map.json elites/         generation; its elites, their summary and an agent file of each
        checkpoint-*.json        the last two (checkpoint.py)
        race.csv finals.csv      the race of the finalists; the winner on the final deals
        best.toml result.json    the agent and its scores; result.json exists once the run is done

``Run`` (result.py) reads them; its docstrings list the columns of the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hanabi.evolve.ga.config import Config, with_paths
from hanabi.evolve.ga.config import read as read_config
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.map_elites import MapElites
from hanabi.evolve.ga.multi_part import MultiPartRun, join
from hanabi.evolve.ga.operators import load_operators
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.ga.progress import Progress, RunStoppedError
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import (
    RunError,
    RunState,
    check_run_name,
    damaged,
    extend,
    last_generations,
    list_runs,
    locked,
    new_folder,
    read,
    run_files,
)
from hanabi.evolve.ga.run_recorder import run_to_end
from hanabi.evolve.ga.versions import changes, made_of
from hanabi.files import whole_path

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
    """Evolve an agent in a new run folder.

    Args:
        config: A config, the path of one, or the name of a preset such as "quick".
        runs: The folder of run folders.
        name: The name of the run.
        jobs: How many workers; -1: all cores. Workers change only the time.
        backend: "threads" or "processes"; see Workers for clusters.
        progress: Called at each step.
        dated: The folder's name begins with the date.

    Returns:
        The run, with its agent, logs and scores.

    Raises:
        ValueError: The config is bad.
        RunStoppedError: Ctrl-C or SIGTERM.
        RuleFailedError: A rule raised or moved illegally.
        RunError: The folder cannot be written.
        WorkerDiedError: A worker process died.
    """
    check_run_name(name)
    config = with_paths(
        config if isinstance(config, Config) else read_config(config),
        lambda file: str(whole_path(file)),
    )
    load_operators(config)
    parts = config.part_configs() or {"": config}
    problems = {part: Problem.of(one) for part, one in parts.items()}
    first = Evaluator(
        problems[next(iter(problems))], jobs, backend
    )  # before there is a folder: a rule may not compile
    contents = run_files(config, first.problem)
    for part, one in config.part_configs().items():
        contents |= run_files(one, problems[part], part, config.parts_before(part))
    folder = new_folder(Path(runs), name, contents, dated)
    overall = MultiPartRun(folder, list(parts), config, progress or (lambda step: None), jobs)
    return _finish(
        overall,
        config,
        parts,
        lambda part: (
            first if problems[part] is first.problem else Evaluator(problems[part], jobs, backend)
        ),
    )


def resume(
    run: str | Path | Run,
    extend_to: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Progress], None] | None = None,
    operators: Sequence[str | Path] = (),
) -> Run:
    """Continue a run from its last whole checkpoint; it ends as if it had never been stopped.

    Args:
        run: The run or its folder.
        extend_to: How many generations to play in all; None: as many as the config says.
        jobs: See ``evolve``.
        backend: See ``evolve``.
        progress: See ``evolve``.
        operators: Files of user-defined operators that the run names and that may be loaded.

    Returns:
        The run.

    Raises:
        RunError: The config, the rules or a version changed since; the message names it.
        ValueError: The run names a file of operators that is not in ``operators``.
    """
    folder = Path(run)
    config, record = read(folder)
    load_operators(config, list(operators))
    wanted = config
    if extend_to is not None:
        ends = last_generations(folder, config)
        if extend_to <= max(ends):
            raise ValueError(
                f"--extend-to {extend_to}: {folder} goes to generation {max(ends)} as it is"
            )
        wanted = config.without_clock([extend_to])  # its time is over
    problems = {part: Problem.of(read(folder / part)[0]) for part in config.part_configs() or [""]}
    for part in dict.fromkeys(("", *problems)):
        now, before = read(folder / part)
        try:
            found = changes(before, made_of(now, problems.get(part, next(iter(problems.values())))))
        except (TypeError, AttributeError, ValueError):  # a list where a name should be
            raise damaged(folder / part, "run.json holds what no run writes") from None
        if found:
            raise RunError(
                f"cannot go on with {folder / part}: {'; '.join(found)}. Undo this, "
                "or start a new run"
            )
    if extend_to is not None:
        with locked(folder):
            for (part, problem), end in zip(problems.items(), ends):
                now, before = read(folder / part)
                ended, longer = now.without_clock([end]), now.without_clock([extend_to])
                extend(folder / part, before, ended, longer, problem)
            if config.part_configs():
                ended = config.without_clock(ends)
                extend(folder, record, ended, wanted, next(iter(problems.values())))
    overall = MultiPartRun(folder, list(problems), wanted, progress or (lambda step: None), jobs)
    return _finish(
        overall,
        wanted,
        wanted.part_configs() or {"": wanted},
        lambda part: Evaluator(problems[part], jobs, backend),
    )


def _finish(overall, config, parts, evaluator):
    """Run the unfinished parts to their ends, and join the parts into one agent or reply table."""
    folder = overall.folder
    for part, one in parts.items():
        search = MapElites if one.map.behaviours else Evolution
        run_to_end(folder / part, folder, one, evaluator(part), overall.at(part), search)
    if config.part_configs() and not (folder / "result.json").exists():
        with locked(folder):
            join(overall)
    return Run(folder)
