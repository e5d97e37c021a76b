"""Commands about runs: evolve, resume, runs, export, report."""
from __future__ import annotations

import json as json_text
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evolve.cli.command import as_typed
from evolve.cli.display import display, working
from evolve.cli.errors import stop
from evolve.cli.options import AsJson, Backend, Jobs, Quiet, RuleFiles
from evolve.cli.tables import console, counted, listing, print_json, put, table

if TYPE_CHECKING:
    from evolve.ga.config import Config
    from evolve.ga.run import Progress
    from rules.agents import Agent

app = typer.Typer()


@app.command()
def evolve(config: Annotated[str | None, typer.Argument(metavar="[CONFIG.toml]", help="A config file, or --preset.")] = None,
           preset: Annotated[str | None, typer.Option(help="quick, paper-mirror, paper-mixed or convention.")] = None,
           settings: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key; repeat.")] = None,
           seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="The same as --set seed=…")] = None,
           name: Annotated[str | None, typer.Option(help="What the run folder is called, behind the date.")] = None,
           files: RuleFiles = None, jobs: Jobs = -1,
           backend: Backend = "threads",
           runs: Annotated[Path, typer.Option(help="The folder of run folders.")] = Path("runs"),
           quiet: Quiet = False,
           tournament: Annotated[bool, typer.Option("--tournament", help="Then play against the literature's agents.")] = False,
           ) -> None:
    """Evolve an agent: run a config or a preset to its end, and export the best agent."""
    with working("reading the config"):
        from evolve.ga.run import evolve as run_evolution
        made = _configured(config, preset, list(settings or []) + ([f"seed={seed}"] if seed is not None else []), files or [])
    called = name if name is not None else preset or Path(config or "").stem
    finish_run(lambda progress: run_evolution(made, runs, called, jobs, backend, progress),
               quiet, tournament)


def _configured(config: str | None, preset: str | None, changes: list[str], files: list[Path]) -> Config:
    """The config of a file or a preset with changes; rules of one's own are added to its rules, unless a change names
    rules."""
    from evolve.ga.config import override, read
    from evolve.ga.config import preset as read_preset
    if config is not None and preset is not None:
        raise ValueError(f"{config} and --preset {preset}: give one of them (a config takes the rest from a preset with "
                         f"base = \"{preset}\")")
    if config is not None:
        made = override(read(config), changes)
    elif preset is not None:
        made = override(read_preset(preset), changes)
    else:
        raise ValueError("say what to evolve: a config file, or --preset quick (or paper-mirror, paper-mixed, convention)")
    if not files:
        return made
    own = [f"rule_files={json_text.dumps([str(file) for file in [*made.rule_files, *files]])}"]
    if not any(change.startswith("rules") for change in changes):
        own.append(f"rules={json_text.dumps([*made.rules, *(file.stem for file in files)])}")
    return override(made, own)


@app.command()
def resume(run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
           extend_to: Annotated[int | None, typer.Option(min=1, help="Go on to so many generations.")] = None, jobs: Jobs = -1,
           backend: Backend = "threads",
           quiet: Quiet = False) -> None:
    """Go on with a run that was stopped; it ends as if it had never been."""
    with working("reading the run"):
        from evolve.ga.run import resume as resume_run
    finish_run(lambda progress: resume_run(run, extend_to, jobs, backend, progress), quiet)


def finish_run(go: Callable[[Callable[[Progress], None]], Path], quiet: bool, then_tournament: bool = False) -> None:
    """Run or resume under a display; then the agent as sentences, its scores and what to type next."""
    from evolve.ga.run import Stopped
    try:
        with display(quiet) as progress:
            folder = go(progress)
    except Stopped as stopped:
        stop(str(stopped), 130)
    best = folder / "best.toml"
    with working("writing the run as a page"):
        from evolve.publish.report import report as write_report
        from rules.agents import load
        agent, page = load(str(best)), write_report(folder)
    print_agent(agent)
    own = "".join(f" --rules {shlex.quote(file)}" for file in rule_files_of(folder))
    print(f"\nThe run as a page: {page}")
    print(as_typed(f"The agent: {best}. Try:\n  hanabi show {best}{own}\n  hanabi tournament {best} piers{own}"))
    if then_tournament:
        from evolve.cli.measure import tournament as play_tournament
        from evolve.measure.tournament import LITERATURE
        play_tournament([str(best), *LITERATURE])


def rule_files_of(run: Path) -> tuple[str, ...]:
    """The files with rules of one's own that a run was made with."""
    from evolve.ga.folder import read
    return read(run)[0].rule_files


def print_agent(agent: Agent) -> None:
    """An agent as advice to a player: its lists as numbered sentences, and its score where its file states one."""
    from hanabi.words.transcript import ABOUT_FORFEITS
    out = console()
    for key, entries in agent.lists.items():
        listing(f"\n{agent.name} with {key} players: the first rule that applies decides", "", "what I do", "rule",
                rows=[(f"{place}.", entry.says, entry.name) for place, entry in enumerate(entries, 1)])
    for key, entries in agent.conventions.items():
        listing(f"\nWhat hints mean with {key} players, and the absence of one", "", "meaning", "convention",
                rows=[("", entry.says, entry.name) for entry in entries])
    for key, weights in agent.weights.items():
        out.print(f"Weights with {key} players: {', '.join(f'{name} {value:g}' for name, value in weights.items())}.")
    facts = agent.provenance
    if "score" in facts:
        out.print(f"Score on fresh deals ({facts['scoring']}): {facts['score']:.3f} ± {facts['sem']:.3f} (s.e.) "
                  f"over {counted(facts['games'], 'game')}.")
        forfeited = facts["results"][-1].get("forfeited_games", 0)
        if forfeited:
            out.print(f"Forfeits, {forfeited / facts['games']:.1%} of these games: {ABOUT_FORFEITS}", markup=False)


@app.command(name="runs")
def list_runs(folder: Annotated[Path, typer.Argument(help="The folder of run folders.")] = Path("runs"), json: AsJson = False) -> None:
    """List run folders with their state, generation and result."""
    if not folder.is_dir() and folder != Path("runs"):
        raise ValueError(f"there is no folder {folder}")
    if (folder / "run.json").exists():
        raise ValueError(f"{folder} is a run itself: `hanabi runs {folder.parent}` lists it")
    with working("reading the runs"):
        from evolve.ga.run import runs as find_runs
        found = find_runs(folder)
    if json:
        print_json([dict(run=str(state.run), state=state.state, generation=state.generation, generations=state.generations,
                         result=state.result, sem=state.sem, scoring=state.scoring) for state in found])
        return
    if not found:
        print(as_typed(f"No runs in {folder} yet: hanabi evolve --preset quick makes one."))
        return
    grid = table(f"{counted(len(found), 'run')} in {folder}", "<run", "state", ">generation", ">result")
    for state in found:
        result = "" if state.result is None else f"{state.result:.3f} ± {state.sem:.3f} {state.scoring}"
        grid.add_row(str(state.run), state.state, f"{state.generation}/{state.generations}", result)
    put(grid)


@app.command()
def export(run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run's folder.")],
           output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the agent file goes.")] = None) -> None:
    """Write the agent that a run ended with to a file (or print it): TOML, readable and editable."""
    with working("reading the run"):
        from evolve.publish.export import export as read_run
        from hanabi.files import write_whole
        text = read_run(run)
    if output is None:
        print(text, end="")
        return
    write_whole(output, text)
    own = "".join(f" --rules {shlex.quote(file)}" for file in rule_files_of(run))
    print(as_typed(f"{output}: the agent of {run}. Try: hanabi show {output}{own}"))


@app.command()
def report(run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run's folder.")]) -> None:
    """Write the run as one page, report.html: fitness, the agent as sentences, its scores."""
    with working("writing the run as a page"):
        from evolve.publish.report import report as write_report
        page = write_report(run)
    print(page)
