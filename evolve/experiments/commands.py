"""The commands experiment, of lists of evolutions, studies and publications, and logic kripke."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve import experiments
from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    Backend,
    Cluster,
    GamesOrDefault,
    Jobs,
    PlayerCount,
    Quiet,
    Seed,
    Turn,
    as_typed,
    backend_at,
)
from hanabi.evolve.cli.printing import Answer, counted, print_table, say, table_command
from hanabi.evolve.cli.progress_display import RunLines, Work, seconds_text

LEAST_GAMES = 14  # two with each of the seven partners of 2018


@table_command("Evolve", "paper --set generations=10 --runs /tmp/try", "reading the experiment")
def experiment(
    work: Work,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|FILE.toml]",
            help="A list of evolutions, a publication, or a file of a list or of a study; without,"
            " lists them.",
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
    games: GamesOrDefault = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the rows: .csv, .parquet or .json; of a study or a publication, its tables"
            " to a folder.",
        ),
    ] = None,
    people: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Of zhao: games that people played with hanabi play, a file or a folder.",
        ),
    ] = None,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> Answer:
    """Set runs or papers beside published numbers.

    A list of evolutions is run to its end, or continued, and their scores are printed beside the
    published ones. Of a publication, its games are played again. A study is a file of agents,
    pools, runs and comparisons: its tables (CSV, LaTeX), figures (SVG, PNG), versions, seeds and
    BibTeX are written to a folder, by default studies/NAME.
    """
    if name is None:
        return _listed(runs)
    papers, is_of_study = experiments.report.PAPERS, experiments.study_plan.is_study(name)
    known = (*experiments.plan.NAMES, *papers)
    if name not in known and not name.endswith(".toml"):
        raise ValueError(
            f"no experiment {name!r}{lazy.variant.nearest(name, known)}; there are "
            f"{', '.join(known)}, or write a .toml file"
        )
    if (name in papers or is_of_study) and (settings or only or only_table or seeds > 1):
        raise ValueError(f"--seeds, --set, --only and --table are not for {name}: leave them out")
    with_people = [one.name for one in papers.values() if one.has_people]
    if people and name not in with_people:
        raise ValueError(f"--people is for {', '.join(with_people)}, not for {name}: leave it out")
    if games and games < LEAST_GAMES and not is_of_study:
        raise ValueError(f"--games {games}: {name} takes {LEAST_GAMES} games or more")
    if name in papers:
        return reproduce_paper(work, name, games, output, people)
    work(what=f"experiment {name}")
    there, show = backend_at(backend, cluster), _step_printer(work, quiet)
    if is_of_study:
        return _study(work, Path(name), output, games, show, jobs, there)
    if output:
        lazy.tournament.check_output(output)
    if only_table:
        found = experiments.experiment.table_of(name, seeds, settings or (), runs, games, jobs)
    else:
        plan = replace(experiments.plan.read(name, settings or ()), only=tuple(only or ()))
        found = experiments.experiment.experiment(plan, seeds, (), runs, games, jobs, there, show)
    if output:
        lazy.tournament.save_table(found.rows, output)
    return Answer(lambda: print_experiment(found), found.rows)


def _step_printer(work: Work, quiet: bool) -> Callable[[experiments.experiment.Step], None]:
    """Return what shows the steps of an experiment."""
    lines = RunLines(work, quiet)

    def print_step(step: experiments.experiment.Step) -> None:
        left = "" if isnan(step.left) else f", {seconds_text(step.left)} left for all"
        share = f"{step.done / step.games:.0%} of {step.games:,.0f} games"
        what = f"{step.run} ({step.place} of {step.of}): "
        lines(replace(step.step, left=nan), what, f"; {share}{left}")

    return print_step


def _listed(runs: Path) -> Answer:
    """Return the experiments, with their runs, those that are done, and games; and the papers."""
    rows = [
        [
            plan.name,
            str(len(plan.entries)),
            str(sum((runs / plan.name / one.key / "result.json").exists() for one in plan.entries)),
            f"{sum(entry.games for entry in plan.entries) / 1e6:,.0f}M",
            plan.says,
        ]
        for plan in map(experiments.plan.read, experiments.plan.NAMES)
    ]
    papers = [[one.name, one.title] for one in experiments.report.PAPERS.values()]
    data = [dict(name=row[0], says=row[-1]) for row in [*rows, *papers]]
    return Answer(lambda: _print_list(rows, papers), data=data)


def _print_list(rows: list[list[str]], papers: list[list[str]]) -> None:
    print_table("Experiments", ["<experiment", ">runs", ">done", ">games", "what"], rows)
    print_table("\nPapers", ["<paper", "what it is"], papers)
    say(
        as_typed(
            "\nhanabi experiment paper --set generations=10 --runs /tmp/try tries one; the same"
            " command continues one that was stopped."
        ),
        0,
    )


def print_experiment(found: experiments.experiment.Experiment) -> None:
    """Print the tables of an experiment."""
    for place, (title, lines) in enumerate(experiments.experiment.lines_of(found.rows).items()):
        columns = [
            "<run",
            "<",
            ">mean",
            *(f">{count}" for count in experiments.experiment.BY_COUNT),
        ]
        print_table(("\n" if place else "") + f"{title}; points by players", columns, lines)
    for name, shares in found.rows[["name", "shares"]].drop_duplicates().to_numpy():
        if shares:
            say(f"{name}; its seeds share: {shares}", 0)
    say(
        f"\n{found.done} of {counted(found.of, 'run')} done, in {found.folder}. ±: the standard"
        " error of one agent; of several seeds the standard deviation of their means. A lost start"
        f" ends more than {experiments.seed_means.LOST:g} points below the best of its entry.",
        0,
    )


def _study(
    work: Work,
    file: Path,
    output: str | None,
    games: int | None,
    show: Callable[[experiments.experiment.Step], None],
    jobs: int,
    there: str,
) -> Answer:
    """Make the tables and figures of a study; return its tables."""
    work(what=f"study {file.stem}")
    plan = experiments.study_plan.read_study(file)
    place = Path(output) if output else Path("studies") / plan.name
    found = experiments.study.run_study(plan, place, games, show, work, jobs=jobs, backend=there)
    data = json.loads(lazy.files.read_text(place / "study.json"))
    return Answer(lambda: _print_study(found, place), data=data)


def _print_study(results: Sequence[experiments.study.Result], place: Path) -> None:
    for one in results:
        columns = [f"{'>' if i else '<'}{name}" for i, name in enumerate(one.table.columns)]
        rows = [[str(cell) for cell in row] for row in one.table.fillna("").to_numpy()]
        print_table(one.plan.caption, columns, rows)
        print()
    say(f"Tables (CSV, LaTeX), figures, agents, study.json and references.bib are in {place}.")


@table_command("Look", "", "playing a game up to a position that fits", name="logic kripke")
def kripke(
    tell: Work,
    players: PlayerCount = 4,
    seed: Seed = 1,
    turn: Turn = None,
    limit: Annotated[
        int, typer.Option(help="Bytes of the explicit model at most.")
    ] = 2_000_000_000,
) -> Answer:
    """Compare listed worlds with counting.

    Answers the same questions from a model that lists every world and without one, and prints
    worlds, memory and time.
    """
    found = experiments.irvall.two_ways(players or 4, seed, turn, limit, tell)
    return Answer(lambda: say(experiments.irvall.kripke_text(found).rstrip()), data=found)


def reproduce_paper(
    tell: Work, name: str, games: int | None, folder: str | None, people: str | None
) -> Answer:
    """Play a publication's games again; return its tables, and write what is asked for.

    Args:
        tell: The progress.
        name: The publication.
        games: Games per row and player count; by default those of its module.
        folder: Write CSV and Markdown to this folder.
        people: Games that people played.
    """
    tell(what=f"reproducing {name}")
    more = dict(people=people) if people else {}
    data = experiments.report.PAPERS.find(name).report(games, progress=tell, **more)
    if folder:
        print(
            "\n".join(map(str, experiments.report.write_folder(Path(folder), name, data))),
            file=sys.stderr,
        )
    tables = [] if folder else data["tables"]
    return Answer(lambda: print_report_tables(tables), data=data)


def print_report_tables(tables: list[dict[str, Any]]) -> None:
    """Print the tables of a report: title, rows and note of each."""
    for table in tables:
        columns = []
        for name, values in zip(table["columns"], zip(*table["rows"], strict=True), strict=True):
            number = not any(isinstance(value, str) for value in values)
            columns.append(f">{name}" if number else name)
        rows = [list(map(experiments.report.cell, table["columns"], row)) for row in table["rows"]]
        print_table(table["title"], columns, rows)
        say(f"\n{table['note']}\n" if table["note"] else "", 0)
