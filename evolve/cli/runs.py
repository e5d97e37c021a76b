"""Commands about runs: evolve, resume, runs, export, report."""

from __future__ import annotations

import json as json_text
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.errors import stop
from hanabi.evolve.cli.options import (
    AsJson,
    Backend,
    Cluster,
    Jobs,
    Quiet,
    Rows,
    RuleFiles,
    backend_at,
    load_rules,
)
from hanabi.evolve.cli.printing import counted, listing, print_json, put, say, table
from hanabi.evolve.cli.progress_display import display, working
from hanabi.evolve.cli.run_summary import print_score, print_summary
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.evolve.ga.config import Config
    from hanabi.evolve.ga.run import Progress, Run
    from hanabi.evolve.ga.run_folder import RunState
    from hanabi.rules.agents import Agent

app = typer.Typer()


@app.command(
    rich_help_panel="Evolve",
    short_help="Evolve an agent.",
    epilog="Example: hanabi evolve --preset quick",
)
def evolve(
    config: Annotated[
        str | None, typer.Argument(metavar="[CONFIG.toml]", help="A config file, or --preset.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="best, quick, epistemic, paper-mirror, paper-mixed or response."),
    ] = None,
    pool: Annotated[
        list[str] | None,
        typer.Option(metavar="POOL", help="For mixed mode: a pool, or specs (repeat)."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key; repeat.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", min=0, help="The same as --set seed=…")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What the run folder is called, behind the date.")
    ] = None,
    files: RuleFiles = None,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    runs: Annotated[Path, typer.Option(help="The folder of run folders.")] = Path("runs"),
    quiet: Quiet = False,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Then play against the literature's agents.")
    ] = False,
) -> None:
    """Evolve an agent: run a config or a preset to its end, and export the best agent."""
    with working("reading the config"):
        from hanabi.evolve.ga.run import evolve as run_evolution

        there = backend_at(backend, cluster)
        changes = [
            *(settings or []),
            *([f"seed={seed}"] if seed is not None else []),
            *([f"pool={json_text.dumps(pool)}"] if pool else []),
        ]
        made = _configured(config, preset, changes, files or [])
    called = name if name is not None else preset or Path(config or "").stem
    finish_run(
        lambda progress: run_evolution(made, runs, called, jobs, there, progress), quiet, tournament
    )


def _configured(
    config: str | None, preset: str | None, changes: list[str], files: list[Path]
) -> Config:
    """The config of a file or a preset with changes; rules of one's own are added to its rules, unless a change names
    rules."""
    from hanabi.evolve.ga.config import override, read
    from hanabi.evolve.ga.config import preset as read_preset

    if config is not None and preset is not None:
        raise ValueError(
            f"{config} and --preset {preset}: give one of them (a config takes the rest from a preset with "
            f'base = "{preset}")'
        )
    if config is not None:
        made = override(read(config), changes)
    elif preset is not None:
        made = override(read_preset(preset), changes)
    else:
        raise ValueError(
            "say what to evolve: a config file, or --preset quick (or best, epistemic, paper-mirror, paper-mixed, response)"
        )
    if not files:
        return made
    own = [f"rule_files={json_text.dumps([str(file) for file in [*made.rule_files, *files]])}"]
    if not any(change.startswith("rules") for change in changes):
        own.append(f"rules={json_text.dumps([*made.rules, *(file.stem for file in files)])}")
    return override(made, own)


@app.command(
    rich_help_panel="Evolve",
    short_help="Continue a stopped run.",
    epilog="Example: hanabi resume runs/2026-11-23-quick",
)
def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    extend_to: Annotated[
        int | None, typer.Option(min=1, help="Go on to so many generations.")
    ] = None,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Go on with a run that was stopped; it ends as if it had never been."""
    with working("reading the run"):
        from hanabi.evolve.ga.run import resume as resume_run

        there = backend_at(backend, cluster)
    finish_run(lambda progress: resume_run(run, extend_to, jobs, there, progress), quiet)


def finish_run(
    go: Callable[[Callable[[Progress], None]], Run], quiet: bool, then_tournament: bool = False
) -> None:
    """Run or resume under a display; then print one screen about what it made."""
    from hanabi.evolve.ga.run import RunStoppedError

    try:
        with display(quiet) as progress:
            folder = go(progress).folder
    except RunStoppedError as stopped:
        stop(str(stopped), 130)
    with working("writing the run as a page") as tell:
        from hanabi.evolve.ga.result import Run
        from hanabi.evolve.reports.run_report import report as write_report

        write_report(folder, progress=tell)
    rows = None
    if then_tournament:
        with working("playing the tournament") as tell:
            from hanabi.evolve.measure import tournament as play

            config = Run(folder).config
            rows = play.tournament(
                [str(folder / "best.toml"), *play.LITERATURE],
                players=[*config.players],
                variant=config.variant,
                progress=tell,
            ).rows
            play.save_table(rows, str(folder / "tournament.csv"))
    print_summary(Run(folder), rules_of(folder), rows)


def rules_of(run: Path) -> list[str | Path]:
    """The options that name the files with rules of one's own that a run was made with."""
    from hanabi.evolve.ga.run_folder import read

    return [word for file in read(run)[0].rule_files for word in ("--rules", Path(file))]


def print_agent(agent: Agent) -> None:
    """An agent as advice to a player: its lists as numbered sentences, and its score where its file states one."""
    for place, (key, entries) in enumerate(agent.lists.items()):
        listing(
            "\n" * (place > 0)
            + f"{agent.name} with {key} players: the first rule that applies decides",
            "",
            "what I do",
            "rule",
            rows=[
                (f"{number}.", entry.says, entry.name) for number, entry in enumerate(entries, 1)
            ],
        )
    for key, entries in agent.conventions.items():
        listing(
            f"\nWhat hints mean with {key} players, and the absence of one",
            "",
            "meaning",
            "convention",
            rows=[("", entry.says, entry.name) for entry in entries],
        )
    for key, weights in agent.weights.items():
        say(
            f"Weights with {key} players: {', '.join(f'{name} {value:g}' for name, value in weights.items())}."
        )
    print_score(agent)


@app.command(
    name="runs",
    rich_help_panel="Evolve",
    short_help="List the runs and their results.",
    epilog="Example: hanabi runs --sort -result",
)
def list_runs(
    folder: Annotated[Path, typer.Argument(help="The folder of run folders.")] = Path("runs"),
    sort: Annotated[
        str,
        typer.Option(
            metavar="COLUMN", help="Sort by a column of the table; -COLUMN from the greatest down."
        ),
    ] = "run",
    output: Rows = None,
    json: AsJson = False,
) -> None:
    """List run folders: how far each is, what it scored, how long it took, and what it was made with."""
    if output:
        from hanabi.evolve.measure.tournament import check_output

        check_output(output)
    if not folder.is_dir() and folder != Path("runs"):
        raise ValueError(f"there is no folder {folder}")
    if (folder / "run.json").exists():
        raise ValueError(
            f"{folder} is a run itself: `{command('hanabi', 'runs', folder.parent)}` lists it"
        )
    with working("reading the runs"):
        from hanabi.evolve.ga.run import list_runs as find_runs

        found = sorted_runs(find_runs(folder), sort)
    rows = [asdict(state) | {"run": str(state.run)} for state in found]
    if output:
        from pandas import DataFrame

        from hanabi.evolve.measure.tournament import save_table

        save_table(DataFrame(rows), output)
    if json:
        print_json(rows)
        return
    if not found:
        print(as_typed(f"No runs in {folder} yet: hanabi evolve --preset quick makes one."))
        return
    grid = table(
        f"{counted(len(found), 'run')} in {folder}; result: kept or zero points on the final deals, with s.e.; time: of "
        "the generations",
        *COLUMNS,
    )
    for state in found:
        grid.add_row(*(cell(state) for cell, _ in COLUMNS.values()))
    put(grid)


def _time(state):
    from hanabi.evolve.cli.progress_display import seconds_text

    return "" if state.seconds is None else seconds_text(state.seconds)


COLUMNS: dict[
    str, tuple[Callable[[RunState], str], Callable[[RunState], Any]]
] = {  # what is printed, and what sorts
    "<run": (lambda state: state.run.name, lambda state: state.run.name),
    "<state": (lambda state: state.state, lambda state: state.state),
    ">generation": (
        lambda state: f"{state.generation}/{state.generations}",
        lambda state: state.generation,
    ),
    ">result": (
        lambda state: (
            "" if state.result is None else f"{state.result:.2f} ± {state.sem:.3f} {state.scoring}"
        ),
        lambda state: state.result,
    ),
    ">time": (_time, lambda state: state.seconds),
    "|<mode": (lambda state: state.mode, lambda state: state.mode),
    ">players": (lambda state: state.players, lambda state: state.players),
    ">games": (
        lambda state: "" if state.games is None else f"{state.games:,}",
        lambda state: state.games,
    ),
    ">seed": (
        lambda state: "" if state.seed is None else str(state.seed),
        lambda state: state.seed,
    ),
}


def sorted_runs(states: list[RunState], by: str) -> list[RunState]:
    """Runs sorted by a column of the table, "-column" from the greatest down; those without a value last. Equal ones stay in
    their order. ValueError, one line, for what is no column."""
    from hanabi.variant import nearest

    keys = {name.lstrip("|<>"): key for name, (_, key) in COLUMNS.items()}
    name = by.removeprefix("-")
    if name not in keys:
        raise ValueError(
            f"--sort {by}: no column {name!r}{nearest(name, keys)}; there are {', '.join(keys)}"
        )
    with_value = [state for state in states if keys[name](state) not in (None, "")]
    rest = [state for state in states if state not in with_value]
    return sorted(with_value, key=keys[name], reverse=by.startswith("-")) + rest


@app.command(
    rich_help_panel="Exchange",
    short_help="Write a run's agent to a file.",
    epilog="Example: hanabi export piers --standalone agent.py",
)
def export(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="A finished run's folder; with --standalone also an agent."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the agent file goes.")
    ] = None,
    alone: Annotated[
        Path | None,
        typer.Option(
            "--standalone",
            metavar="FILE.py|FOLDER",
            help="Write it as plain Python that needs nothing else; a folder for courses.",
        ),
    ] = None,
    files: RuleFiles = None,
) -> None:
    """Write the agent that a run ended with to a file (or print it): TOML, readable and editable; or plain Python."""
    with working("reading the run"):
        from hanabi.evolve.reports.agent_export import export as read_run
        from hanabi.files import write_whole

        load_rules(files)
        if alone and output:
            raise ValueError("-o writes an agent file, --standalone plain Python: give one of them")
        if alone:
            from hanabi.evolve.reports.standalone import write_alone

            written = write_alone(run, alone)
        else:
            text = read_run(run)
    if alone:
        print(f"{written}: it needs nothing but Python. Try: {command('python3', written)}")
        return
    if output is None:
        print(text, end="")
        return
    write_whole(output, text)
    print(
        as_typed(
            f"{output}: the agent of {run}. Try: {command('hanabi', 'show', output, *rules_of(run))}"
        )
    )


@app.command(
    rich_help_panel="Evolve",
    short_help="Write a run as a web page.",
    epilog="Example: hanabi report runs/2026-11-23-quick",
)
def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…", help="A finished run's folder, or several side by side."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Where a page about several goes; without: side-by-side.html."
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write each chart there, too, as SVG and PNG."),
    ] = None,
    jobs: Jobs = -1,
) -> None:
    """Write a run as one page, report.html: result, fitness, what each rule is worth, games to step through. Several: side by side."""
    with working("writing the page") as tell:
        from hanabi.evolve.reports.run_comparison import side_by_side
        from hanabi.evolve.reports.run_report import report as write_report

        if len(runs) == 1 and output:
            raise ValueError(
                "the page of one run is report.html in its folder: leave -o out, or name several runs"
            )
        page = (
            write_report(runs[0], figures, jobs, tell)
            if len(runs) == 1
            else side_by_side(runs, output or Path("side-by-side.html"), figures)
        )
    print(page)
