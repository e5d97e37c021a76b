"""Commands about runs: evolve, runs, analyse, simplify."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Callable
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    Backend,
    Cluster,
    Jobs,
    PairedGames,
    Players,
    Quiet,
    RuleFiles,
    as_typed,
    backend_at,
    load_players,
    load_rules,
    player_counts,
    register_command,
)
from hanabi.evolve.cli.measure import print_scores
from hanabi.evolve.cli.printing import (
    Answer,
    PlayOptions,
    counted,
    listing,
    print_table,
    say,
    table_command,
)
from hanabi.evolve.cli.progress_display import Work, display, seconds_text, working
from hanabi.evolve.cli.run_summary import print_score, print_summary
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.shell_command import command


@register_command("Evolve", "--preset quick")
def evolve(
    config: Annotated[
        str | None, typer.Argument(metavar="[CONFIG.toml]", help="A config file, or --preset.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Continue a stopped run instead.")
    ] = None,
    extend_to: Annotated[
        int | None,
        typer.Option(min=1, help="With --resume: extend the run to this many generations."),
    ] = None,
    operators: Annotated[
        list[Path] | None,
        typer.Option(
            help="With --resume: a Python file of genetic operators that the run names; repeat."
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help=f"One of {', '.join(PRESETS)}."),
    ] = None,
    pool: Annotated[
        list[str] | None,
        typer.Option(metavar="POOL", help="For mixed mode: a pool, or agents (repeat)."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key; repeat.")
    ] = None,
    players: Players = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", min=0, help="The same as --set seed=…")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="N", help="End after N minutes, once a generation is finished."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the run folder, after the date.")
    ] = None,
    files: RuleFiles = None,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    runs: Annotated[Path, typer.Option(help="The folder of run folders.")] = Path("runs"),
    quiet: Quiet = False,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Then compare it with the literature's agents.")
    ] = False,
) -> None:
    """Evolve an agent.

    Runs a config or a preset to its end, and writes the best agent to the run folder. A run that
    was stopped is continued with --resume; the result is the same as without a stop.
    """
    with working("reading the run" if resume else "reading the config"):
        there = backend_at(backend, cluster)
        changes = [
            *(settings or []),
            *([f"players={player_counts(players)}"] if players is not None else []),
            *([f"seed={seed}"] if seed is not None else []),
            *([f"minutes={minutes}"] if minutes is not None else []),
            *([f"pool={json_text.dumps(pool)}"] if pool else []),
        ]
        if resume and (config or preset or changes or name or files):
            raise ValueError(f"--resume {resume}: a run keeps its config: leave all else out")
        made = None if resume else _read_config(config, preset, changes, files or [])
    called = name if name is not None else preset or Path(config or "").stem

    with display(quiet) as progress:
        run = (
            lazy.run.evolve(made, runs, called, jobs, there, progress)
            if made
            else lazy.run.resume(resume or "", extend_to, jobs, there, progress, operators or [])
        )
    with working("writing the run as a page") as tell:
        lazy.drawings.draw("run page", run.folder, progress=tell)
    if tournament:
        with working("playing the tournament") as tell:
            rows = lazy.tournament.tournament(
                [str(run / "best.toml"), *lazy.tournament.LITERATURE],
                players=[*run.config.game.players],
                variant=run.config.game.variant,
                jobs=jobs,
                backend=there,
                progress=tell,
            ).rows
        lazy.tournament.save_table(rows, str(run / "tournament.csv"))
        print_scores(rows, "mirror")
        print()
    print_summary(run, rules_of(run.folder))


def _read_config(
    config: str | None, preset: str | None, changes: list[str], files: list[Path]
) -> lazy.config.Config:
    """Return the config of a file or a preset, with changes.

    User rules are added to its rules, unless a change names rules.
    """
    if config is not None and preset is not None:
        raise ValueError(
            f"{config} and --preset {preset}: give one of them (a config takes the rest from a"
            f' preset with base = "{preset}")'
        )
    if config is None and preset is None:
        raise ValueError(
            f"name what to evolve: a config file, or --preset with one of {', '.join(PRESETS)}"
        )
    found = lazy.config.override(
        lazy.config.read(config) if config is not None else lazy.config.preset(preset or ""),
        changes,
    )
    if not files:
        return found
    own = [
        f"rule_files={json_text.dumps([str(file) for file in [*found.genome.rule_files, *files]])}"
    ]
    if not any(change.startswith("rules") for change in changes):
        own.append(
            f"rules={json_text.dumps([*found.genome.rules, *(file.stem for file in files)])}"
        )
    return lazy.config.override(found, own)


def rules_of(run: Path) -> list[str | Path]:
    """Return the options that load the user rules of a run: ``--rules FILE`` for each file."""
    return [
        word
        for file in lazy.run_folder.read(run)[0].genome.rule_files
        for word in ("--rules", Path(file))
    ]


def is_run_folder(spec: str) -> bool:
    """Return whether a path is a run folder; False for a name that no file can have."""
    return os.path.isfile(os.path.join(spec, "run.json"))  # Path.is_file raises for long names


def agent_of(spec: str) -> lazy.agents.Agent:
    """Return an agent, or that of a run folder."""
    if not is_run_folder(spec):
        return lazy.agents.load(spec)
    run = lazy.result.Run(Path(spec))
    load_rules([Path(file) for file in run.config.genome.rule_files])
    return run.agent


def print_agent(agent: lazy.agents.Agent) -> None:
    """Print an agent: its lists as numbered sentences, conventions, weights and score."""
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
            f"\nWhat a hint means with {key} players, and the absence of one",
            "",
            "meaning",
            "convention",
            rows=[("", entry.says, entry.name) for entry in entries],
        )
    for key, weights in agent.weights.items():
        values = ", ".join(f"{name} {value:g}" for name, value in weights.items())
        say(f"Weights with {key} players: {values}.")
    print_score(agent)


@table_command(
    "Evolve", "--sort -result", "reading the runs", name="runs", compiled=False, rows=True
)
def list_runs(
    folder: Annotated[Path, typer.Argument(help="The folder of run folders.")] = Path("runs"),
    sort: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="Sort by a column; -COLUMN from the greatest down."),
    ] = "run",
) -> Answer:
    """List the runs and their results.

    Prints the state, score, time and settings of each run folder.
    """
    if not folder.is_dir() and folder != Path("runs"):
        raise ValueError(f"there is no folder {folder}")
    if is_run_folder(str(folder)):
        raise ValueError(
            f"{folder} is a run itself: `{command('hanabi', 'runs', folder.parent)}` lists it"
        )
    found = sorted_runs(lazy.run.list_runs(folder), sort)
    rows = [asdict(state) | {"run": str(state.run)} for state in found]
    return Answer(lambda: _print_runs(folder, found), rows, rows)


def _print_runs(folder: Path, found: list[lazy.run_folder.RunState]) -> None:
    if not found:
        print(as_typed(f"No runs in {folder} yet: hanabi evolve --preset quick makes one."))
        return
    print_table(
        f"{counted(len(found), 'run')} in {folder}; result: kept or zero points on the final deals,"
        " with s.e.; time: of the generations",
        [*COLUMNS],
        [
            ["" if getattr(one, field) is None else cell(one) for field, cell in COLUMNS.values()]
            for one in found
        ],
    )


# heading of the table of runs: the field of a run that sorts it, its cell where it has a value
COLUMNS: dict[str, tuple[str, Callable[[lazy.run_folder.RunState], str]]] = {
    "<run": ("run", lambda one: one.run.name),
    "<state": ("state", lambda one: one.state),
    ">generation": ("generation", lambda one: f"{one.generation}/{one.generations}"),
    ">result": ("result", lambda one: f"{one.result:.2f} ± {one.sem:.3f} {one.scoring}"),
    ">time": ("seconds", lambda one: seconds_text(one.seconds or 0)),
    "|<mode": ("mode", lambda one: one.mode),
    ">players": ("players", lambda one: one.players),
    ">games": ("games", lambda one: f"{one.games:,}"),
    ">seed": ("seed", lambda one: str(one.seed)),
}


def sorted_runs(states: list[lazy.run_folder.RunState], by: str) -> list[lazy.run_folder.RunState]:
    """Sort runs by a column of the table, keeping the order of equal ones.

    Args:
        states: The runs.
        by: A column; "-column" sorts from the greatest down. Runs without a value come last.

    Raises:
        ValueError: If there is no such column.
    """
    fields = {heading.lstrip("|<>"): field for heading, (field, _) in COLUMNS.items()}
    name = by.removeprefix("-")
    lazy.variant.check_known(name, fields, f"--sort {by}: no column")
    field = fields[name]
    with_value = [state for state in states if getattr(state, field) not in (None, "")]
    others = [state for state in states if state not in with_value]
    return sorted(with_value, key=attrgetter(field), reverse=by.startswith("-")) + others


@table_command("Evolve", "runs/2026-11-23-quick", "analysing", rules=True)
def analyse(
    tell: Work,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN|SPEC…", help="Folders of finished runs, or agents.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="best, heads, population, worth, losses, used, alike, cross, parts or decisions;"
            " repeat for more. By default all but the last two.",
        ),
    ] = None,
    losses: Annotated[
        bool, typer.Option("--losses", help="The same as --only losses: what points are lost by.")
    ] = False,
    decisions: Annotated[
        bool,
        typer.Option(
            "--decisions", help="The same as --only decisions: would other rules decide better?"
        ),
    ] = False,
    games: PairedGames = 1000,
    best: Annotated[
        int, typer.Option(min=1, help="Individuals of each run whose first rules are counted.")
    ] = 10,
    beside: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="For parts: in one seat among copies of this agent."),
    ] = None,
    off: Annotated[
        list[str] | None,
        typer.Option(
            "--off",
            metavar="NAME,NAME",
            help="For parts: also switch these rules and conventions off together; repeat.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the tables: .md; one table's rows: .csv, .parquet, .json.",
        ),
    ] = None,
    *,
    play: PlayOptions,
) -> Answer:
    """Measure what each rule of winners is worth.

    Tables of the first rules of lists, the worth of each part, the causes of lost points, and how
    similar the winners are. The table parts has what each rule, convention and weight gains on
    common deals, and what would be gained by those that an agent does not use. The table decisions
    makes the move of another rule instead, in every tenth turn, and plays on with the same deck:
    it shows that no exchange of single decisions helps, or where one does.
    """
    groups = [[name.strip() for name in text.split(",")] for text in off or ()]
    wanted = [*(only or []), *["losses"] * losses, *["decisions"] * decisions]
    if output:
        lazy.run_analysis.check(output, wanted or ["parts"] * bool(beside or off))
    load_players(*runs, beside)
    found = lazy.run_analysis.analyse(
        runs, wanted, play.counts, games, best, beside, groups, **play.arena(tell)
    )
    if output:
        lazy.run_analysis.write(found, output)
    return Answer(lambda: print_tables(found.shown), data=found.data)


def print_tables(tables: list[lazy.rendering.RenderedTable]) -> None:
    """Print tables with their notes, an empty line between two."""
    for place, one in enumerate(tables):
        print_table("\n" * (place > 0) + one.title, one.columns, one.rows)
        if one.note:
            say(f"\n{one.note}", 0)


@table_command("Evolve", "convention --loss 0.2 -o short.toml", "playing shorter lists", rules=True)
def simplify(
    tell: Work,
    spec: Annotated[str, typer.Argument(metavar="AGENT", help="The agent.")],
    loss: Annotated[
        float, typer.Option(help="Points per game that a list may lose, standard error included.")
    ] = 0.1,
    games: PairedGames = 4_000,
    output: Annotated[Path, typer.Option("-o", "--output", help="The agent file to write.")] = Path(
        "simple.toml"
    ),
    *,
    play: PlayOptions,
) -> Answer:
    """Write an agent in fewer words.

    Tries to drop, merge and round entries in paired games, and prints what each change cost. The
    deals choose the changes, so measure the result on others: hanabi compare.
    """
    if output.suffix != ".toml":
        raise ValueError(f"-o {output}: an agent file ends in .toml")
    found = lazy.ablation.simplify(spec, loss, play.counts, games, **play.arena(tell))
    lazy.files.write_whole(output, lazy.agents.dumps(found.agent))
    return Answer(
        lambda: _print_changes(found.rows, games, f"{output}: {found.agent.name}"), found.rows
    )


def _print_changes(rows: lazy.pandas.DataFrame, games: int, written: str) -> None:
    print_table(
        f"What each change costs, in points per game: {counted(games, 'game')} of both lists",
        ["<players", "<kind", "change", ">words", ">cost ± s.e.", ">loss so far ± s.e."],
        [
            [
                row["players"],
                row["kind"],
                row["change"],
                f"{-row['words']:+}",
                f"{row['cost']:+.3f} ± {row['sem']:.3f}",
                f"{row['loss']:+.3f} ± {row['loss_sem']:.3f}",
            ]
            for row in rows.to_dict("records")
        ],
    )
    print(written)
