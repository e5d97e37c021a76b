"""Commands about experiments: experiment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.errors import stop
from hanabi.evolve.cli.options import AsJson, Backend, Cluster, Jobs, Quiet, Rows, backend_at
from hanabi.evolve.cli.printing import counted, print_json, put, say, table
from hanabi.evolve.cli.progress_display import EVERY, Work, line, seconds_text, working

if TYPE_CHECKING:
    from hanabi.evolve.experiments.experiment import Experiment, Step

app = typer.Typer()


@app.command(
    rich_help_panel="Evolve",
    short_help="Run many evolutions beside published numbers.",
    epilog="Example: hanabi experiment paper --set generations=10 --runs /tmp/try",
)
def experiment(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Which one, or a .toml file; lists them without."),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="How many runs of each, with ascending seeds.")
    ] = 1,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a key of every run; generations=10 to try it.",
        ),
    ] = None,
    runs: Annotated[
        Path, typer.Option(help="The folder in which the experiment has its own.")
    ] = Path("runs"),
    only_table: Annotated[
        bool, typer.Option("--table", help="Evolve nothing: print what there is so far.")
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
    """Run a list of evolutions to its end, or on from where it was stopped, and set what they reach beside what was published."""
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

            found = (
                table_of(name, seeds, settings or (), runs, games, jobs)
                if only_table
                else run_experiment(
                    name,
                    seeds,
                    settings or (),
                    runs,
                    games,
                    jobs,
                    backend_at(backend, cluster),
                    _teller(work, quiet),
                )
            )
    except RunStoppedError as stopped:
        stop(str(stopped), 130)
    if output:
        save_table(found.rows, output)
    if json:
        print_json(records(found.rows))
    else:
        print_experiment(found)


def _teller(work: Work, quiet: bool) -> Callable[[Step], None]:
    """What hears of an experiment's steps: the line of a terminal, or else a line on standard error every few seconds."""
    last, told = 0.0, set()

    def tell(step):
        nonlocal last
        left = "" if step.left != step.left else f", {seconds_text(step.left)} left for all"
        what = f"{step.run} ({step.place} of {step.of}): "
        if step.step.stage == "warning":
            print(step.step.text, file=sys.stderr, flush=True)
        elif quiet:
            return
        elif work.stream.isatty():
            at = (
                f"generation {step.step.generation}/{step.step.generations}"
                if step.step.stage == "evolve"
                else step.step.text
            )
            work(step.done, step.games, f"{what}{at}{left}")
        elif step.run not in told or step.step.stage == "done" or time.monotonic() - last > EVERY:
            last = time.monotonic()
            told.add(step.run)
            alone = line(step.step).partition(" games/s")
            print(
                f"{what}{alone[0]}{alone[1]}; {step.done / step.games:.0%} of {step.games:,.0f} games{left}",
                file=sys.stderr,
                flush=True,
            )

    return tell


def list_experiments(runs: Path) -> None:
    """Print the experiments that there are: how large each is and how far."""
    with working("reading the experiments"):
        from hanabi.evolve.experiments.plan import NAMES, read

        plans = [read(name) for name in NAMES]
    grid = table("Experiments", "<experiment", ">runs", ">done", ">games", "what")
    for plan in plans:
        done = sum(
            (runs / plan.name / entry.key / "result.json").exists() for entry in plan.entries
        )
        grid.add_row(
            plan.name,
            str(len(plan.entries)),
            str(done),
            f"{sum(entry.games for entry in plan.entries) / 1e6:,.0f}M",
            plan.says,
        )
    put(grid)
    say(
        as_typed(
            "\nhanabi experiment paper --set generations=10 --runs /tmp/try tries one; the same command goes on with what was "
            "stopped."
        ),
        0,
    )


def print_experiment(found: Experiment) -> None:
    """The tables of an experiment."""
    from hanabi.evolve.experiments.tables import BY_COUNT, lines_of

    for place, (title, lines) in enumerate(lines_of(found.rows).items()):
        grid = table(
            ("\n" if place else "") + f"{title}; points by players",
            "<run",
            "<",
            ">mean",
            *(f">{count}" for count in BY_COUNT),
        )
        for row in lines:
            grid.add_row(*row)
        put(grid)
    say(
        f"\n{found.done} of {counted(found.of, 'run')} done, in {found.folder}. ±: the standard error of one agent; of several seeds the "
        "standard deviation of their means.",
        0,
    )
