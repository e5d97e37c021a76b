"""Commands about experiments: experiment, study."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.errors import stop
from hanabi.evolve.cli.options import AsJson, Backend, Cluster, Jobs, Quiet, Rows, backend_at
from hanabi.evolve.cli.printing import counted, print_json, print_table, say
from hanabi.evolve.cli.progress_display import EVERY, Work, line, seconds_text, working

if TYPE_CHECKING:
    from hanabi.evolve.experiments.experiment import Experiment, Step


@register_command("Evolve", "paper --set generations=10 --runs /tmp/try")
def experiment(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="An experiment, or a .toml file; without, lists them."
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Runs of each entry, with ascending seeds.")
    ] = 1,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a key of every run; generations=10 for a trial.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN", help="Run these entries only; repeat."),
    ] = None,
    runs: Annotated[Path, typer.Option(help="The folder for the experiment's folder.")] = Path(
        "runs"
    ),
    only_table: Annotated[
        bool, typer.Option("--table", help="Evolve nothing: print the results so far.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=14, help="Games of a published list per player count."),
    ] = None,
    output: Rows = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Run many evolutions beside published numbers.

    Runs a list of evolutions to its end, or continues it, and prints their scores beside the
    published ones.
    """
    if name is None:
        list_experiments(runs)
        return
    from hanabi.evolve.ga.progress import RunStoppedError
    from hanabi.evolve.measure.tournament import check_output, records, save_table

    if output:
        check_output(output)
    try:
        with working(f"experiment {name}") as work:
            from hanabi.evolve.experiments.experiment import experiment as run_experiment
            from hanabi.evolve.experiments.experiment import table_of
            from hanabi.evolve.experiments.plan import read

            if only_table:
                found = table_of(name, seeds, settings or (), runs, games, jobs)
            else:
                plan = replace(read(name, settings or ()), only=tuple(only or ()))
                there, show = backend_at(backend, cluster), _step_printer(work, quiet)
                found = run_experiment(plan, seeds, (), runs, games, jobs, there, show)
    except RunStoppedError as stopped:
        stop(str(stopped), 130)
    if output:
        save_table(found.rows, output)
    if json:
        print_json(records(found.rows))
    else:
        print_experiment(found)


def _step_printer(work: Work, quiet: bool) -> Callable[[Step], None]:
    """Return what shows the steps of an experiment.

    On a terminal it updates the line of ``work``; elsewhere it prints a line every few seconds.
    """
    last, begun = 0.0, set()

    def print_step(step: Step) -> None:
        nonlocal last
        left = "" if isnan(step.left) else f", {seconds_text(step.left)} left for all"
        what = f"{step.run} ({step.place} of {step.of}): "
        if step.step.stage == "warning":
            print(step.step.text, file=sys.stderr, flush=True)
        elif quiet:
            return
        elif work.stream.isatty():
            at = step.step.text
            if step.step.stage == "evolve":
                at = f"generation {step.step.generation}/{step.step.generations}"
            work(step.done, step.games, f"{what}{at}{left}")
        elif step.run not in begun or step.step.stage == "done" or time.monotonic() - last > EVERY:
            last = time.monotonic()
            begun.add(step.run)
            before, games_per_second, _ = line(step.step).partition(" games/s")
            share = f"{step.done / step.games:.0%} of {step.games:,.0f} games"
            print(f"{what}{before}{games_per_second}; {share}{left}", file=sys.stderr, flush=True)

    return print_step


def list_experiments(runs: Path) -> None:
    """Print the experiments: the number of their runs, of those that are done, and of games."""
    with working("reading the experiments"):
        from hanabi.evolve.experiments.plan import NAMES, read

        plans = [read(name) for name in NAMES]
    rows = []
    for plan in plans:
        done = sum(
            (runs / plan.name / entry.key / "result.json").exists() for entry in plan.entries
        )
        games = sum(entry.games for entry in plan.entries)
        numbers = [str(len(plan.entries)), str(done), f"{games / 1e6:,.0f}M"]
        rows.append([plan.name, *numbers, plan.says])
    print_table("Experiments", ["<experiment", ">runs", ">done", ">games", "what"], rows)
    say(
        as_typed(
            "\nhanabi experiment paper --set generations=10 --runs /tmp/try tries one; the same"
            " command continues one that was stopped."
        ),
        0,
    )


def print_experiment(found: Experiment) -> None:
    """Print the tables of an experiment."""
    from hanabi.evolve.experiments.tables import BY_COUNT, LOST, lines_of

    for place, (title, lines) in enumerate(lines_of(found.rows).items()):
        columns = ["<run", "<", ">mean", *(f">{count}" for count in BY_COUNT)]
        print_table(("\n" if place else "") + f"{title}; points by players", columns, lines)
    for name, shares in found.rows[["name", "shares"]].drop_duplicates().to_numpy():
        if shares:
            say(f"{name}; its seeds share: {shares}", 0)
    say(
        f"\n{found.done} of {counted(found.of, 'run')} done, in {found.folder}. ±: the standard"
        " error of one agent; of several seeds the standard deviation of their means. A lost start"
        f" ends more than {LOST:g} points below the best of its entry.",
        0,
    )


@register_command("Measure", "examples/study.toml --games 20")
def study(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="Agents, pools, runs and comparisons.")
    ],
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Output folder; by default studies/NAME."
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=2, help="Games of each comparison, for a trial."),
    ] = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Write the tables and figures of a paper.

    Evolves the runs of the file, plays its comparisons, and writes tables (CSV, LaTeX), figures
    (SVG, PNG), versions, seeds and BibTeX into a folder.
    """
    from hanabi.evolve.ga.progress import RunStoppedError

    try:
        with working(f"study {file.stem}") as work:
            from hanabi.evolve.experiments.study import run_study
            from hanabi.evolve.experiments.study_plan import read_study

            plan = read_study(file)
            place = folder or Path("studies") / plan.name
            found = run_study(
                plan,
                place,
                games,
                _step_printer(work, quiet),
                work,
                jobs=jobs,
                backend=backend_at(backend, cluster),
            )
    except RunStoppedError as stopped:
        stop(str(stopped), 130)
    if json:
        from json import loads

        from hanabi.files import read_text

        print_json(loads(read_text(place / "study.json")))
        return
    for one in found.results:
        columns = [f"{'>' if i else '<'}{name}" for i, name in enumerate(one.table.columns)]
        rows = [[str(cell) for cell in row] for row in one.table.fillna("").to_numpy()]
        print_table(one.plan.caption, columns, rows)
        print()
    say(f"Tables (CSV, LaTeX), figures, agents, study.json and references.bib are in {place}.")
