"""The command ``hanabi``. Every command imports what it needs when it runs, so that help is there at once.

A user's mistake is a ValueError of one line somewhere below; here it becomes that line and exit code 2. Set
HANABI_TRACEBACK=1 to see where it came from.
"""
from __future__ import annotations

import json as json_text
import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"]},
                  help="Evolve, explain and measure rule agents for the card game Hanabi.")

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="How many workers; -1 for all cores.")]
Seed = Annotated[int, typer.Option("--seed", "-s", min=0, help="Same seed, same result.")]
Players = Annotated[Optional[str], typer.Option("--players", "-p", help="Player counts, such as 3 or 2-5 or 2,4.")]
VariantText = Annotated[str, typer.Option("--variant", help="A name, a .toml file or settings such as colours=3,hand=4.")]
RuleFiles = Annotated[Optional[list[Path]], typer.Option("--rules", help="A Python file of your own rules; may be repeated.")]
AsJson = Annotated[bool, typer.Option("--json", help="The same as data.")]


def console():
    """Where tables go: as wide as the terminal, 110 columns where there is none."""
    from rich.console import Console
    return Console(highlight=False, width=None if sys.stdout.isatty() else 110, soft_wrap=False)


def table(title: str, *columns: str):
    """A plain rich table; a column name that begins with > is right-aligned."""
    from rich import box
    from rich.table import Table
    grid = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        grid.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left",
                        overflow="fold", no_wrap=column.startswith(">"))
    return grid


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
            raise ValueError(f"--players {text}: write player counts from 2 to 5 such as 3, 2-5 or 2,4") from None
    return sorted(set(found))


def load_rules(files: list[Path] | None) -> None:
    """Enter users' own rule files."""
    from rules import load_file
    for file in files or []:
        load_file(file)


def say_first_compile() -> None:
    """Once for each version on a machine: what takes so long before the first game."""
    from hanabi import machine
    if machine.is_cold():
        print("Compiling the game and its rules for this machine, about 15 s, once …", file=sys.stderr)


def print_json(data) -> None:
    """Data on standard output."""
    print(json_text.dumps(data, indent=1))


@app.callback(invoke_without_command=True)
def top(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False) -> None:
    """Evolve, explain and measure rule agents for the card game Hanabi."""
    if version:
        from importlib.metadata import version as installed
        print(f"hanabi {installed('hanabi-evolve')}")
        raise typer.Exit()


@app.command()
def rules(name: Annotated[Optional[str], typer.Argument(metavar="SET", help="A set such as cig2018; all rules without.")] = None,
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
    out = console()
    grid = table(f"{len(entries)} rules{f' of the set {name}' if name else ''}", ">#" if name else ">", "rule", "what it does")
    for i, entry in enumerate(entries):
        grid.add_row(str(i) if name else "", entry.name, entry.says)
    out.print(grid)
    if not name:
        out.print(f"Sets: {', '.join(f'{key} ({len(names)})' for key, names in SETS.items())}. `hanabi rules SET` numbers them.")


@app.command()
def agents(json: AsJson = False) -> None:
    """List the named agents, with their source, and the pools."""
    from rules.agents import NAMED, POOLS, load
    found = [load(name) for name in NAMED]
    if json:
        print_json([dict(name=agent.name, source=agent.source, otherwise=agent.otherwise,
                         rules={key: [rule.name for rule in rules] for key, rules in agent.lists.items()}) for agent in found])
        return
    grid = table(f"{len(found)} named agents", "agent", ">players", ">rules", "source")
    for agent in found:
        grid.add_row(agent.name, ", ".join(agent.lists), ", ".join(str(len(rules)) for rules in agent.lists.values()), agent.source)
    console().print(grid)
    for name, members in POOLS.items():
        console().print(f"Pool {name}: {', '.join(members)}.")


@app.command()
def tournament(specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help="Agent files, names, or cig2018:46,8,2.")],
               mode: Annotated[str, typer.Option(help="mirror, mixed or cross.")] = "mirror",
               pool: Annotated[Optional[list[str]], typer.Option(help="For mixed: a pool, or specs (repeat).")] = None,
               players: Players = None,
               games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games a player count and partner.")] = 1000,
               seed: Seed = 0, variant: VariantText = "standard",
               output: Annotated[Optional[str], typer.Option("-o", "--output", help="Write the rows: .csv, .parquet or .json.")] = None,
               json: AsJson = False, jobs: Jobs = -1, files: RuleFiles = None) -> None:
    """Seat agents and print their scores with standard errors, on common deals."""
    from evolve import tournament as play
    load_rules(files)
    if output:
        play.check_output(output)
    say_first_compile()
    named = pool[0] if pool and len(pool) == 1 and pool[0] in play.POOLS else pool or "cig2018-paper"
    rows = play.tournament(specs, mode, named, player_counts(players), games, seed, variant, jobs)
    if output:
        play.write(rows, output)
    if json:
        print_json(json_text.loads(rows.to_json(orient="records")))
    else:
        print_scores(rows, mode)


def print_scores(rows, mode: str) -> None:
    """A tournament's rows as one line an agent: kept means by player count, then both scorings over all."""
    from evolve.tournament import means
    kept, zero = means(rows, "kept"), means(rows, "zero")
    counts = [count for count in kept["mean"].columns if count != "mean"]
    each = rows["games"].iloc[0]
    grid = table(f"{mode}, {each:,} games a player count{'' if mode == 'mirror' else ' and partner'}; "
                 "kept: points stay when the last life is lost, zero: such a game counts 0",
                 "agent", *(f">{count} players" for count in counts), ">kept", ">zero", ">perfect", ">forfeits")
    for agent in kept.index:
        mine = rows[rows["agent"] == agent]
        grid.add_row(agent, *(f"{kept['mean'][count][agent]:.2f}" for count in counts),
                     *(f"{scores['mean']['mean'][agent]:.2f} ± {scores['sem']['mean'][agent]:.2f}" for scores in (kept, zero)),
                     f"{mine['perfect'].sum() / mine['games'].sum():.1%}", f"{mine['forfeits'].sum() / mine['games'].sum():.1%}")
    console().print(grid)


@app.command()
def bench(names: Annotated[Optional[list[str]], typer.Argument(metavar="[NAME…]", help="Benchmarks; the default set without.")] = None,
          json: AsJson = False) -> None:
    """Measure speed: games per second and core, nanoseconds a decision, compile times."""
    from evolve.bench import BENCHES, DEFAULT
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
    console().print(grid)


PLAIN_COMMANDS = ("rules", "agents")         # they only list things: no machine code, no numba, a third of the start


def main() -> None:
    """Run the command line; the entry point of ``hanabi``."""
    if len(sys.argv) > 1 and sys.argv[1] in PLAIN_COMMANDS:
        os.environ.setdefault("HANABI_PLAIN", "1")
    if sys.flags.optimize > 1:
        sys.exit("hanabi: python -OO strips the docstrings, which are the rules' sentences; run it without -OO")
    usage_error = typer.BadParameter.__base__   # typer's own copy of click, or click: whichever it uses
    try:
        sys.exit(app(standalone_mode=False, prog_name="hanabi"))
    except usage_error.__base__ as error:
        place = getattr(getattr(error, "ctx", None), "command_path", "hanabi")
        stop(f"{error.format_message()} (`{place} --help` tells more)")
    except ValueError as error:
        if os.environ.get("HANABI_TRACEBACK") == "1":
            raise
        stop(str(error))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def stop(line: str) -> None:
    """A user's mistake: one line, exit code 2."""
    print(f"hanabi: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
