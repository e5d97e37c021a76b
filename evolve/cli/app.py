"""The command ``hanabi``. Every command imports what it needs when it runs, so that help is there at once.

A user's mistake is a ValueError of one line somewhere below; here it becomes that line and exit code 2. A rule that
fails is named with the position that it failed in, exit code 1. Set HANABI_TRACEBACK=1 to see where it came from.
"""
from __future__ import annotations

import json as json_text
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"]},
                  help="Evolve, explain and measure rule agents for the card game Hanabi.")

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="How many workers; -1 for all cores.")]
Seed = Annotated[int, typer.Option("--seed", "-s", min=0, help="Same seed, same result.")]
Players = Annotated[str | None, typer.Option("--players", "-p", help="Player counts, such as 3 or 2-5 or 2,4.")]
VariantText = Annotated[str, typer.Option("--variant", help="A name, a .toml file or settings such as colours=3,hand=4.")]
RuleFiles = Annotated[list[Path] | None, typer.Option("--rules", help="A Python file of your own rules; may be repeated.")]
AsJson = Annotated[bool, typer.Option("--json", help="The same as data.")]


def console():
    """Where tables go: as wide as the terminal, 110 columns where there is none."""
    from rich.console import Console
    return Console(highlight=False, width=None if sys.stdout.isatty() else 110, soft_wrap=False)


def table(title: str, *columns: str):
    """A plain rich table; a column whose name begins with > is right-aligned, one that begins with < never broken."""
    from rich import box
    from rich.table import Table
    grid = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        grid.add_column(column.lstrip("<>"), justify="right" if column.startswith(">") else "left",
                        overflow="fold", no_wrap=column[:1] in ("<", ">"))
    return grid


def put(grid) -> None:
    """Print a table below its title; rich would break the title where the table ends."""
    title, grid.title = grid.title, None
    out = console()
    out.print(f"{title}\n", markup=False)
    out.print(grid)


def listing(title: str, *columns: str, rows: list[tuple[str, str, str]]) -> None:
    """Rows of (number, text, text), names and sentences, as a table where it is wide enough, else one below the other."""
    from textwrap import wrap

    from rich.markup import escape
    out, names = console(), min((1, 2), key=lambda i: max((len(row[i]) for row in rows), default=0))
    if out.width >= 48 + max((len(row[names]) for row in rows), default=0):
        grid = table(title, ">" + columns[0], *(f"{'<' * (i == names)}{column}" for i, column in enumerate(columns[1:], 1)))
        for row in rows:
            grid.add_row(*map(escape, row))
        put(grid)
        return
    out.print(f"{title}\n", markup=False)
    wide = max(len(row[0]) for row in rows) if rows else 0
    for number, *texts in rows:
        for i, text in enumerate(texts):
            lines = wrap(text, max(20, out.width - wide - 3 - 2 * i), break_long_words=False, break_on_hyphens=False)
            for j, line in enumerate(lines):
                out.print(f"{number if i + j == 0 else '':>{wide}} {'  ' * i}{line}", markup=False, soft_wrap=True)


def player_counts(text: str | None) -> list[int] | None:
    """The player counts written ``3``, ``2-5`` or ``2,4``."""
    from rules.agents import counts
    if text is None:
        return None
    found = []
    for part in text.split(","):
        try:
            found += counts(part.strip())
        except ValueError:
            raise ValueError(f"--players {text!r}: write player counts from 2 to 5 such as 3, 2-5 or 2,4") from None
    return sorted(set(found))


def load_rules(files: list[Path] | None) -> None:
    """Enter users' own rule files."""
    from rules import load_file
    for file in files or []:
        load_file(file)


SAID = set()                                 # what is said once in a process


def say_first_compile() -> None:
    """Once for each version on a machine, should it come to that: what takes so long before the first game."""
    from hanabi import machine
    if "compile" not in SAID:
        SAID.add("compile")
        machine.announce[:] = [lambda: print("Compiling the game and its rules for this machine, about 10 s, once …",
                                             file=sys.stderr, flush=True)]


def print_json(data) -> None:
    """Data on standard output."""
    print(json_text.dumps(data, indent=1))


@app.callback(invoke_without_command=True)
def top(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False) -> None:
    """Evolve, explain and measure rule agents for the card game Hanabi."""
    if version:
        from hanabi import __version__
        print(f"hanabi {__version__}")
        raise typer.Exit()


@app.command()
def rules(name: Annotated[str | None, typer.Argument(metavar="SET", help="A set such as cig2018; all rules without.")] = None,
          json: AsJson = False, files: RuleFiles = None) -> None:
    """List rules as the sentences that they are."""
    from rules import BOOK, SETS
    from rules.agents import rule_set
    load_rules(files)
    entries = rule_set(name) if name else list(BOOK.values())
    if json:
        print_json([dict(number=i if name else None, name=entry.name, says=entry.says, values=entry.settings)
                    for i, entry in enumerate(entries)])
        return
    listing(f"{len(entries)} rules{f' of the set {name}' if name else ''}", "#" if name else "", "rule", "what it does",
            rows=[(str(i) if name else "", entry.name, entry.says) for i, entry in enumerate(entries)])
    if not name:
        console().print(f"Sets: {', '.join(f'{key} ({len(names)})' for key, names in SETS.items())}. `hanabi rules SET` numbers them.")


@app.command()
def agents(name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Print this agent's file instead.")] = None,
           json: AsJson = False,
           measure: Annotated[bool, typer.Option("--measure", help="First measure those whose lists changed.")] = False) -> None:
    """List the named agents, with their mirror scores and source, and the pools; or print one as a file to edit."""
    if name:
        from rules.agents import dumps
        from rules.agents import load as load_agent
        print(dumps(load_agent(name)), end="")
        return
    if measure:
        from evolve.measure.scores import measure as measure_agents
        say_first_compile()
        measure_agents(tell=lambda name: print(f"measuring {name} …", file=sys.stderr))
    from rules.agents import NAMED, POOLS, load, mean_score, read_scores
    found, scores = [load(name) for name in NAMED], read_scores()
    scores = {agent.name: scores[agent.name] for agent in found
              if agent.name in scores and scores[agent.name]["hash"] == agent.hash}
    if json:
        print_json([dict(name=agent.name, source=agent.source, otherwise=agent.otherwise, scores=scores.get(agent.name),
                         rules={key: [rule.name for rule in rules] for key, rules in agent.lists.items()}) for agent in found])
        return
    grid = table(f"{len(found)} named agents and their mirror scores, standard game; kept: points stay when the last life is "
                 "lost, zero: such a game counts 0", "<agent", ">2", ">3", ">4", ">5", ">kept", ">zero", "source")
    for agent in found:
        entry = scores.get(agent.name)
        kept, kept_error, zero, _ = mean_score(entry) if entry else (None,) * 4
        grid.add_row(agent.name, *(f"{entry[count][0]:.2f}" if entry and count in entry else "" for count in "2345"),
                     *(f"{kept:.2f} ± {kept_error:.3f}", f"{zero:.2f}") if entry else ("", ""), agent.source)
    put(grid)
    print()
    for name, members in POOLS.items():
        console().print(f"Pool {name}: {', '.join(members)}.")


@app.command()
def tournament(specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help="Agent files, names, or cig2018:46,8,2.")],
               mode: Annotated[str, typer.Option(help="mirror, mixed or cross.")] = "mirror",
               pool: Annotated[list[str] | None, typer.Option(help="For mixed: a pool, or specs (repeat).")] = None,
               players: Players = None,
               games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games a player count and partner.")] = 1000,
               seed: Seed = 0, variant: VariantText = "standard",
               output: Annotated[str | None, typer.Option("-o", "--output", help="Write the rows: .csv, .parquet or .json.")] = None,
               json: AsJson = False, jobs: Jobs = -1, files: RuleFiles = None) -> None:
    """Seat agents and print their scores with standard errors, on common deals."""
    from evolve.measure import tournament as play
    from rules.agents import POOLS
    load_rules(files)
    if output:
        play.check_output(output)
    say_first_compile()
    named = pool[0] if pool and len(pool) == 1 and pool[0] in POOLS else pool
    rows = play.tournament(specs, mode, named, player_counts(players), games, seed=seed, variant=variant, jobs=jobs)
    if output:
        play.write(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_scores(rows, mode)


def print_scores(rows, mode: str) -> None:
    """A tournament's rows as one line an agent: kept means by player count, then both scorings over all."""
    from evolve.measure.tournament import means
    kept, zero = means(rows, "kept"), means(rows, "zero")
    counts = [count for count in kept["mean"].columns if count != "mean"]
    each, out, partners = rows["games"].iloc[0], console(), "" if mode == "mirror" else " and partner"
    wide = out.width >= 77 + max(len(agent) for agent in kept.index)
    grid = table(f"{mode}, {each:,} games a player count{partners}; points by players (kept), and over all with s.e.; kept: "
                 "points stay when the last life is lost, zero: such a game counts 0", "<agent",
                 *(f">{count}" for count in counts), ">kept", ">zero", *((">perfect", ">forfeits") if wide else ()))
    for agent in kept.index:
        mine = rows[rows["agent"] == agent]
        rates = [f"{mine[what].sum() / mine['games'].sum():.1%}" for what in ("perfect", "forfeits")]
        grid.add_row(agent, *(f"{kept['mean'][count][agent]:.2f}" for count in counts),
                     *(f"{scores['mean']['mean'][agent]:.2f} ± {scores['sem']['mean'][agent]:.3f}"
                       for scores in (kept, zero)), *(rates if wide else ()))
    put(grid)


@app.command()
def evolve(config: Annotated[str | None, typer.Argument(metavar="[CONFIG.toml]", help="A config file, or --preset.")] = None,
           preset: Annotated[str | None, typer.Option(help="quick, paper-mirror, paper-mixed or convention.")] = None,
           settings: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key; repeat.")] = None,
           seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="The same as --set seed=…")] = None,
           name: Annotated[str | None, typer.Option(help="What the run folder is called, behind the date.")] = None,
           files: RuleFiles = None, jobs: Jobs = -1,
           backend: Annotated[str, typer.Option(help="threads or processes.")] = "threads",
           runs: Annotated[Path, typer.Option(help="The folder of run folders.")] = Path("runs"),
           quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and the result only.")] = False,
           tournament: Annotated[bool, typer.Option("--tournament", help="Then play against the literature's agents.")] = False,
           ) -> None:
    """Evolve an agent: run a config or a preset to its end, and export the best agent."""
    from evolve.ga.config import override, read
    from evolve.ga.config import preset as read_preset
    from evolve.ga.run import evolve as run_evolution
    if config is not None and preset is not None:
        raise ValueError(f"{config} and --preset {preset}: give one of them (a config takes the rest from a preset with "
                         f"base = \"{preset}\")")
    if config is None and preset is None:
        raise ValueError("say what to evolve: a config file, or --preset quick (or paper-mirror, paper-mixed, convention)")
    changes = list(settings or []) + ([f"seed={seed}"] if seed is not None else [])
    made = override(read(config) if config else read_preset(preset), changes)
    if files:
        made = override(made, [f"rule_files={json_text.dumps([str(file) for file in [*made.rule_files, *files]])}",
                               *([] if any(change.startswith("rules") for change in changes) else
                                 [f"rules={json_text.dumps([*made.rules, *(file.stem for file in files)])}"])])
    called = name if name is not None else preset or Path(config).stem
    finish_run(lambda progress: run_evolution(made, runs, called, jobs, backend, progress),
               quiet, tournament)


@app.command()
def resume(run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
           extend_to: Annotated[int | None, typer.Option(min=1, help="Go on to so many generations.")] = None, jobs: Jobs = -1,
           backend: Annotated[str, typer.Option(help="threads or processes.")] = "threads",
           quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and the result only.")] = False) -> None:
    """Go on with a run that was stopped; it ends as if it had never been."""
    from evolve.ga.run import resume as resume_run
    finish_run(lambda progress: resume_run(run, extend_to, jobs, backend, progress), quiet)


def finish_run(go, quiet: bool, then_tournament: bool = False) -> None:
    """Run or resume under a display; then the agent as sentences, its scores and what to type next."""
    from evolve.cli.display import display
    from evolve.ga.run import Stopped
    say_first_compile()
    try:
        with display(quiet) as progress:
            folder = go(progress)
    except Stopped as stopped:
        stop(str(stopped), 130)
    from rules.agents import load
    best = folder / "best.toml"
    agent = load(str(best))
    print_agent(agent)
    from evolve.publish.report import report as write_report
    own = "".join(f" --rules {shlex.quote(file)}" for file in rule_files_of(folder))
    print(f"\nThe run as a page: {write_report(folder)}")
    print(f"The agent: {best}. Try:\n  hanabi show {best}{own}\n  hanabi tournament {best} piers{own}")
    if then_tournament:
        from evolve.measure.tournament import LITERATURE
        tournament([str(best), *LITERATURE])


def rule_files_of(run: Path) -> tuple[str, ...]:
    """The files with rules of one's own that a run was made with."""
    from evolve.ga.folder import read
    return read(run)[0].rule_files


def print_agent(agent) -> None:
    """An agent as advice to a player: its lists as numbered sentences, and its score where its file states one."""
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
                  f"over {facts['games']:,} games.")


@app.command(name="runs")
def list_runs(folder: Annotated[Path, typer.Argument(help="The folder of run folders.")] = Path("runs"), json: AsJson = False) -> None:
    """List run folders with their state, generation and result."""
    from evolve.ga.run import runs as find_runs
    if not folder.is_dir() and folder != Path("runs"):
        raise ValueError(f"there is no folder {folder}")
    if (folder / "run.json").exists():
        raise ValueError(f"{folder} is a run itself: `hanabi runs {folder.parent}` lists it")
    found = find_runs(folder)
    if json:
        print_json([dict(run=str(state.run), state=state.state, generation=state.generation, generations=state.generations,
                         result=state.result, sem=state.sem, scoring=state.scoring) for state in found])
        return
    if not found:
        print(f"No runs in {folder} yet: hanabi evolve --preset quick makes one.")
        return
    grid = table(f"{len(found)} run{'s' * (len(found) > 1)} in {folder}", "<run", "state", ">generation", ">result")
    for state in found:
        result = "" if state.result is None else f"{state.result:.3f} ± {state.sem:.3f} {state.scoring}"
        grid.add_row(str(state.run), state.state, f"{state.generation}/{state.generations}", result)
    put(grid)


@app.command()
def export(run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run's folder.")],
           output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the agent file goes.")] = None) -> None:
    """Write the agent that a run ended with to a file (or print it): TOML, readable and editable."""
    from evolve.publish.export import export as read_run
    text = read_run(run)
    if output is None:
        print(text, end="")
        return
    write_text(output, text)
    own = "".join(f" --rules {shlex.quote(file)}" for file in rule_files_of(run))
    print(f"{output}: the agent of {run}. Try: hanabi show {output}{own}")


@app.command()
def report(run: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run's folder.")]) -> None:
    """Write the run as one page, report.html: fitness, the agent as sentences, its scores."""
    from evolve.publish.report import report as write_report
    print(write_report(run))


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing: aside first, then renamed. A pipe or a device is written to, never replaced."""
    whole = path.resolve()                   # a link stays one
    device = whole.exists() and not whole.is_file() and not whole.is_dir()
    aside = whole if device else whole.with_name(f".{whole.name}.part")
    try:
        aside.write_text(text, encoding="utf-8")
        if not device:
            aside.replace(whole)
    except OSError as error:
        if not device:
            aside.unlink(missing_ok=True)
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


@app.command()
def show(specs: Annotated[list[str], typer.Argument(metavar="SPEC…|FILE.toml",
                                                    help="An agent for all seats, one a seat, or a written game or position.")],
         players: Annotated[int | None, typer.Option("--players", "-p", min=2, max=5)] = None, seed: Seed = 0,
         variant: VariantText = "standard", json: AsJson = False,
         output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the game as a text that reads back.")] = None,
         knowledge: Annotated[bool, typer.Option("--knowledge", help="And what each player knows, and knows of others.")] = False,
         marks: Annotated[bool, typer.Option("--marks", help="And what each move came to mean, by the agents' conventions.")] = False,
         files: RuleFiles = None) -> None:
    """Play one game and print it turn by turn: every hand, what hints have told, the move, the rule that made it."""
    from hanabi.words.transcript import game_data, game_text, position_text
    load_rules(files)
    if len(specs) == 1 and specs[0].endswith(".toml"):
        from hanabi.variant import read_toml
        if {"hands", "to_move"} & set(read_toml(specs[0])):
            if json or output:
                raise ValueError(f"{specs[0]} is a position: there is no game to write; `hanabi ask SPEC {specs[0]} "
                                 "--json` says what an agent does there")
            print(position_text(read_position(specs[0])[0]), end="")
            return
    game = one_game(specs, players, seed, variant)
    if output:
        write_text(output, str(game))
    meanings = meanings_of(game, specs) if marks else None
    if json:
        print_json(game_data(game, knowledge, meanings))
    else:
        print(game_text(game, knowledge=knowledge, meanings=meanings), end="")


def meanings_of(game, specs: list[str]) -> list[list[str]]:
    """What each move of a game came to mean; the agents are those of the command, or those that a written game names."""
    from hanabi.words.commentary import commentary
    from rules.agents import load
    names = list(specs if len(specs) > 1 else specs * game.variant.players)
    if len(specs) == 1 and "moves" in (read_data(specs[0]) or {}):
        if not game.agents:
            raise ValueError(f"{specs[0]} names no agents: --marks needs to know whose conventions are played")
        names = list(game.agents)
    different = list(dict.fromkeys(names))
    strategies = [load(name).at(game.variant.players) for name in different]
    if not any(strategy.conventions for strategy in strategies):
        raise ValueError(f"{', '.join(different)} play by no conventions: leave --marks out, or show convention")
    return commentary(game, strategies, [different.index(name) for name in names])


def read_data(path: str) -> dict | None:
    """The data of a TOML file; None for a spec that is none."""
    from hanabi.variant import read_toml
    return read_toml(path) if path.endswith(".toml") else None


@app.command()
def explain(path: Annotated[str, typer.Argument(metavar="POSITION|GAME", help="A written position, or a game and --turn.")],
            turn: Annotated[int | None, typer.Option("--turn", "-t", min=0, help="After so many moves of the game.")] = None,
            json: AsJson = False) -> None:
    """Say what each player knows of its cards, and what others know that it knows: exact, from logic alone."""
    from hanabi.position import Position
    from hanabi.record import Game
    from hanabi.variant import read_toml
    from hanabi.words.explain import knowledge_data, knowledge_text
    from hanabi.words.transcript import position_text
    data = read_toml(path)
    if "moves" in data:
        game = Game.from_data(data, path)
        position = game.position(len(game.moves) if turn is None else turn)
    elif turn is not None:
        raise ValueError(f"{path} is a position, which has no turns: leave --turn out, or give a game")
    else:
        position = Position.from_data(data, path)
    records = position.state()
    if json:
        print_json(knowledge_data(*records, position.variant))
    else:
        print(position_text(position), end="\n")
        print(knowledge_text(*records, position.variant), end="")


@app.command()
def kripke(players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 4, seed: Seed = 1,
           turn: Annotated[int | None, typer.Option("--turn", "-t", min=0, help="After so many moves of the game.")] = None,
           limit: Annotated[int, typer.Option(help="Bytes that the explicit model may take.")] = 2_000_000_000,
           json: AsJson = False) -> None:
    """Answer the same questions from a model that lists every world and without one: worlds, memory, time."""
    from evolve.reproduce.irvall import kripke_text, two_ways
    say_first_compile()
    found = two_ways(players, seed, turn, limit)
    if json:
        print_json(found)
    else:
        print(kripke_text(found), end="")


@app.command()
def reproduce(what: Annotated[str, typer.Argument(metavar="WHAT", help="cig2018: Canaan et al. 2018, Tables III to VI; "
                                                                    "irvall: the thesis of 2023.")],
              games: Annotated[int | None, typer.Option("--games", "-n", min=14, help="Games a row and player count.")] = None,
              output: Annotated[Path | None, typer.Option("-o", "--output", help="Write CSV and Markdown to a folder.")] = None,
              readme: Annotated[Path | None, typer.Option(help="Renew the tables between <!-- table: WHAT --> and <!-- end -->.")] = None,
              json: AsJson = False) -> None:
    """Set what a publication reports beside what this program finds."""
    from inspect import signature

    from evolve.reproduce.reports import REPORTS, refreshed, write_folder
    from hanabi.variant import nearest
    if what not in REPORTS:
        raise ValueError(f"nothing to reproduce is called {what!r}{nearest(what, REPORTS)}; there are {', '.join(REPORTS)}")
    if games is not None and "games" not in signature(REPORTS[what]).parameters:
        raise ValueError(f"reproduce {what} plays as many games as it needs: leave --games out")
    before = read_text(readme) if readme else ""
    if readme:
        refreshed(before, what, "")          # is there a place? asked before the games, not after them
    say_first_compile()
    data, text = REPORTS[what](**({"games": games} if games else {}))
    if (output or readme) and "tables" not in data:
        raise ValueError(f"reproduce {what} has no tables to write: use --json")
    if readme:
        write_text(readme, refreshed(before, what, text))
    if output:
        print("\n".join(f"{file}" for file in write_folder(output, what, data)), file=sys.stderr)
    if json:
        print_json(data)
    elif not output and not readme:
        print(text, end="")


def read_text(path: Path) -> str:
    """A file's text; ValueError, one line, where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {path}: {(getattr(error, 'strerror', None) or 'it is no text').lower()}") from None


def one_game(specs: list[str], players: int | None, seed: int, variant: str):
    """The game that agents play, or the one that is written in a file."""
    from hanabi.record import Game, play_one
    from hanabi.variant import read_toml, read_variant
    from rules.agents import load
    if len(specs) == 1 and specs[0].endswith(".toml"):
        data = read_toml(specs[0])
        if "moves" in data:
            return Game.from_data(data, specs[0])
    chosen = read_variant(variant)
    if len(specs) > 5:
        raise ValueError(f"{len(specs)} agents: at most 5 sit at a table")
    if len(specs) > 1 and players not in (None, len(specs)):
        raise ValueError(f"{len(specs)} agents for {players} players: name one agent, or one a seat")
    seated = chosen.at(len(specs) if len(specs) > 1 else players or chosen.players or 2)
    say_first_compile()
    names = list(dict.fromkeys(specs))
    agents = [load(name) for name in names]
    seats = [names.index(spec) for spec in (specs if len(specs) > 1 else specs * seated.players)]
    return play_one(seated, [agent.at(seated.players) for agent in agents], seats, seed, agents=[agent.name for agent in agents])


@app.command()
def ask(spec: Annotated[str, typer.Argument(metavar="SPEC|RULE", help="An agent, or a single rule by name.")],
        file: Annotated[str, typer.Argument(metavar="POSITION.toml|GAME.toml", help="A written position or game.")],
        turn: Annotated[int | None, typer.Option(min=0, help="In a game: the turn to ask at.")] = None,
        every: Annotated[bool, typer.Option("--all", help="What each rule answers, not only the one that decides.")] = False,
        json: AsJson = False, files: RuleFiles = None) -> None:
    """Ask an agent for its move in a position, and which rule makes it."""
    from hanabi.moves import NAMES, move_text
    from hanabi.table import answers, decision
    from hanabi.words.transcript import position_text
    load_rules(files)
    position, played = read_position(file, turn)
    agent = agent_or_rule(spec)
    strategy = agent.at(position.variant.players)
    say_first_compile()
    found = answers(strategy, position, played)
    rule, move, problem = decision(strategy, position, found)
    shown = [dict(rule=answer.rule.name, says=answer.rule.says, move=None if answer.problem else move_text(answer.move),
                  problem=answer.problem) for answer in found]
    if json:
        print_json(dict(agent=agent.name, seat=NAMES[position.me], move=None if problem else move_text(move),
                        rule=rule.name if rule else "otherwise", problem=problem, **({"answers": shown} if every else {})))
        return
    print(position_text(position))
    if every:
        listing("What each rule answers", "", "rule", "answer",
                rows=[(f"{i}.", answer["rule"], f"{answer['problem'] or answer['move']}  ({answer['says']})")
                      for i, answer in enumerate(shown, 1)])
        print()
    did = f"the rule {problem}" if problem else move_text(move)
    console().print(f"{agent.name}, {NAMES[position.me]} to move: {did}\n  "
                    f"{f'{rule.name}: {rule.says}' if rule else 'no rule applies'}", markup=False)


def read_position(file: str, turn: int | None = None):
    """(the position in a file, None), or (that of a written game at a turn, how it was played until then)."""
    from hanabi.record import Game, Position
    from hanabi.variant import read_toml
    data = read_toml(file)
    if "moves" not in data:
        if turn is not None:
            raise ValueError(f"--turn is for a game, and {file} is a position; leave it out")
        return Position.from_data(data, file), None
    game = Game.from_data(data, file)
    if turn is None:
        raise ValueError(f"{file} is a game: say at which turn to ask, --turn 0 to {len(game.moves)}")
    try:
        return game.position(turn), (game.seed, game.deck and list(game.deck), game.moves[:turn])
    except ValueError as error:
        raise ValueError(f"--turn {turn}: {error}") from None


def agent_or_rule(spec: str):
    """The agent that a spec means, or one of a single rule."""
    from hanabi.rule import FAMILIES, find
    from rules.agents import NAMED, Agent, load
    if spec not in NAMED and spec.partition("(")[0].strip() in FAMILIES:
        return Agent(spec, {"2-5": (find(spec),)})
    return load(spec)


@app.command()
def compare(one: Annotated[str, typer.Argument(metavar="SPEC")], other: Annotated[str, typer.Argument(metavar="SPEC")],
            players: Players = None, scoring: Annotated[str, typer.Option(help="kept or zero.")] = "kept",
            error: Annotated[float, typer.Option(help="The chance that anything said is wrong.")] = 0.05,
            margin: Annotated[float, typer.Option(help="Smaller differences, in points, count as the same.")] = 0.05,
            games: Annotated[int, typer.Option("--games", "-n", min=2, help="At most so many a player count.")] = 100_000,
            seed: Seed = 0, variant: VariantText = "standard", json: AsJson = False, jobs: Jobs = -1,
            files: RuleFiles = None) -> None:
    """Say which of two agents is better in mirror play, by how much, after as few common deals as that takes."""
    from evolve.measure.compare import compare as compare_agents
    load_rules(files)
    say_first_compile()
    found = compare_agents(one, other, player_counts(players), scoring, error, margin, games, seed=seed, variant=variant, jobs=jobs)
    if json:
        print_json(dict(one=found.one, other=found.other, scoring=scoring, error=error, margin=margin,
                        verdicts=[verdict.row() for verdict in found.verdicts]))
        return
    grid = table(f"{found.one} (first) against {found.other} (second), mirror play, {scoring}; all of it right with a "
                 f"chance of {1 - error:.0%}", ">players", "<better", ">first", ">second", ">diff.", ">between", ">games")
    for verdict in found.verdicts:
        better = {"same": f"within {margin}", "open": "not decided"}.get(verdict.better, verdict.better)
        grid.add_row(verdict.players, better, f"{verdict.mean_one:.3f}", f"{verdict.mean_other:.3f}",
                     f"{verdict.difference:+.3f}", f"{verdict.low:+.2f} … {verdict.high:+.2f}", f"{verdict.games:,}")
    put(grid)


@app.command()
def lab(spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent that is taken apart.")], players: Players = None,
        games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games a switch and player count.")] = 5_000,
        beside: Annotated[str | None, typer.Option(metavar="SPEC", help="Among partners that know of no switch.")] = None,
        off: Annotated[list[str] | None, typer.Option("--off", metavar="NAME,NAME", help="Switch these off together, "
                                                         "too: rules, conventions; may be repeated.")] = None,
        output: Annotated[str | None, typer.Option("-o", "--output", help="Write the rows: .csv, .parquet or .json.")] = None,
        seed: Seed = 0, variant: VariantText = "standard", json: AsJson = False, jobs: Jobs = -1,
        files: RuleFiles = None) -> None:
    """Say what each rule, convention and weight of an agent is worth: switched off, or on, on common deals."""
    from evolve.measure.lab import lab as take_apart
    from evolve.measure.tournament import check_output, write
    load_rules(files)
    if output:
        check_output(output)
    say_first_compile()
    groups = [[name.strip() for name in text.split(",")] for text in off or []]
    rows = take_apart(spec, player_counts(players), games, beside, groups, seed=seed, variant=variant, jobs=jobs)
    if output:
        write(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_worths(rows)


def print_worths(rows) -> None:
    """A lab's rows, a line a switch: its kept worth by player count, then both scorings over all; the worth most first."""
    from evolve.measure.lab import by_worth
    counts = [count for count in rows["players"].unique() if len(count) == 1]
    whole = [label for label in rows["players"].unique() if len(label) > 1] or counts
    first = rows.iloc[0]
    among = "" if first["partner"] == first["agent"] else f" in one seat among {first['partner']}"
    grid = table(f"{first['agent']}{among}: what each part is worth, points with it less points without, ± s.e., "
                 f"{first['games']:,} common deals a player count (+: not used by the agent, put in)",
                 "", "part", *(f">{count} players" for count in counts), *([f">{whole[0]} kept"] if len(counts) > 1 else []),
                 f">{whole[0]} zero")

    narrow = console().width < 30 + 13 * (len(counts) + 2)   # then errors only where all counts are taken together

    def cell(row, scoring="kept", error=True):
        if not row:
            return ""
        return f"{row[f'worth_{scoring}']:+.3f}" + (f"±{row[f'sem_{scoring}']:.3f}".replace("±0", "±") if error else "")

    for head, by_count in by_worth(rows):
        total = by_count.get(whole[0])
        grid.add_row("+" if head["switched"] == "on" else "", head["what"] + (" (weight)" if head["kind"] == "weight" else ""),
                     *(cell(by_count.get(count), error=not narrow or len(counts) == 1) for count in counts),
                     *([cell(total)] if len(counts) > 1 else []), cell(total, "zero"))
    put(grid)


@app.command()
def bench(names: Annotated[list[str] | None, typer.Argument(metavar="[NAME…]", help="Benchmarks; the default set without.")] = None,
          json: AsJson = False) -> None:
    """Measure speed: games per second and core, nanoseconds a decision, compile times."""
    from evolve.bench.speed import BENCHES, DEFAULT
    from hanabi.variant import nearest
    for name in names or []:
        if name not in BENCHES:
            raise ValueError(f"no benchmark {name!r}{nearest(name, BENCHES)}; there are {', '.join(BENCHES)}")
    say_first_compile()
    results = []
    for name in names or DEFAULT:
        results += BENCHES[name]()
    if json:
        print_json(dict(results=results))
        return
    grid = table("Medians of several rounds", "benchmark", ">players", ">value", "unit")
    for entry in results:
        grid.add_row(entry["name"], str(entry["players"] or ""), f"{entry['value']:,.10g}", entry["unit"])
    put(grid)


PLAIN_COMMANDS = ("rules", "agents", "holds")  # they list things, or ask a few questions: no machine code, no numba, a third of the start


def main() -> None:
    """Run the command line; the entry point of ``hanabi``."""
    if len(sys.argv) > 1 and sys.argv[1] in PLAIN_COMMANDS and "--measure" not in sys.argv:
        os.environ.setdefault("HANABI_PLAIN", "1")
    if sys.flags.optimize > 1:
        sys.exit("hanabi: python -OO strips the docstrings, which are the rules' sentences; run it without -OO")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")    # a terminal that cannot print ± gets a ?
    usage_error = typer.BadParameter.__base__   # typer's own copy of click, or click: whichever it uses
    try:
        code = app(standalone_mode=False, prog_name="hanabi")
        sys.stdout.flush()                   # here, where a full disk can still be told
        if code == 130:                      # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        sys.exit(code)
    except usage_error.__base__ as error:
        place = getattr(getattr(error, "ctx", None), "command_path", "hanabi")
        stop(f"{error.format_message()} (`{place} --help` tells more)")
    except (typer.Abort, KeyboardInterrupt):
        stop("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        if os.environ.get("HANABI_TRACEBACK") == "1":
            raise
        give_up(error)


def give_up(error: Exception) -> None:
    """What went wrong, in one line, and exit code 2; for a rule that failed also where, and exit code 1."""
    if isinstance(error, ValueError):
        stop(str(error))
    if isinstance(error, OSError):
        place = f"cannot use {error.filename}" if error.filename else "cannot write"
        with suppress(OSError, ValueError):  # standard output may be what failed: Python would try it again at its end
            sys.stdout.close()
        full = "" if error.filename or "numba" not in sys.modules else (
            f" (should it be the machine code in {sys.modules['hanabi.machine'].CACHE}: HANABI_CACHE names another folder)")
        stop(f"{place}: {(error.strerror or 'an error').lower()}{full}")
    if isinstance(error, MemoryError):
        stop("not enough memory; fewer games, a smaller population or fewer --jobs need less")
    from hanabi.table import RuleError, RuleFault
    if not isinstance(error, RuleError):
        raise error
    if isinstance(error, RuleFault):
        tell_fault(error)
    stop(str(error), 1)


def tell_fault(fault) -> None:
    """Name the rule that failed and say how to set its position up again; the position goes to a new file."""
    lines = [str(fault)]
    try:
        if fault.file is None:
            fault.file = next(path for path in (Path(f"fault{n or ''}.toml") for n in range(10_000)) if not path.exists())
            write_text(fault.file, fault.text())
            lines[0] += f"; the position is in {fault.file}"
        source = Path(fault.rule.family.function.__code__.co_filename)
        own = "" if source.is_relative_to(Path(__file__).parents[2] / "rules") else f" --rules {shlex.quote(str(source))}"
        lines.append(f"set it up again: hanabi ask {shlex.quote(fault.rule.name)} {shlex.quote(str(fault.file))}{own}")
    except ValueError as error:              # a folder that cannot be written, or a rule that changed the facts
        lines[0] += f"; the position could not be written down: {error}"
    for line in lines:
        print(f"hanabi: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(1)


def stop(line: str, code: int = 2) -> None:
    """One line, and the end: exit code 2 for a user's mistake."""
    print(f"hanabi: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(code)


from evolve.cli import logic  # noqa: E402, F401

if __name__ == "__main__":
    main()
