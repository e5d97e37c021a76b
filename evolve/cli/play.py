"""Commands where people play: play, serve."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.options import RuleFiles, VariantText, load_players, load_rules
from hanabi.evolve.cli.printing import READABLE, width
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.evolve.site.play_table import PlayTable

app = typer.Typer()
FOLDER, RUNS = Path("games"), Path("runs")
LOCAL = "127.0.0.1"
Host = Annotated[
    str,
    typer.Option(
        "--host",
        help="Where to listen; another than this machine's own needs the token that is printed.",
    ),
]
Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="8484, or the next free one; 0: any.")
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")]
Folder = Annotated[Path, typer.Option("--folder", help="Where the games are kept.")]


@app.command(
    rich_help_panel="Play",
    short_help="Play with agents in the browser or terminal.",
    epilog="Example: hanabi play --text piers",
)
def play(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC…|GAME|POSITION]",
            help="Who plays with you: one agent for all "
            "other seats, or one per seat; person among them says where people sit. Or a game, kept here "
            "or in any format that show reads, or a position.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option("--players", "-p", min=2, max=5)] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", min=0, help="The deal; without, a new one.")
    ] = None,
    variant: VariantText = "standard",
    text: Annotated[
        bool, typer.Option("--text", help="Line by line, here and not in a browser.")
    ] = False,
    folder: Folder = FOLDER,
    host: Host = LOCAL,
    port: Port = None,
    browser: Browser = True,
    files: RuleFiles = None,
) -> None:
    """Sit down and play with agents, in a browser or, with --text, line by line. Every move is kept in a game file."""
    with working("laying the table"):
        from hanabi.evolve.site.new_table import compile_for, create_table
        from hanabi.evolve.site.play_table import PERSON

        load_rules(files)
        load_players(*specs or ())
        table = create_table(specs or ["convention"], folder, players, seed, variant)
        people = [seat for seat, spec in enumerate(table.specs) if spec == PERSON]
        if text and len(people) != 1:
            raise ValueError(
                f"--text seats one person, and {len(people)} sit at this table: leave --text out"
            )
        table.save()
        compile_for(table)
    if text:
        talk(table, people[0])
    else:
        serving(table.path.parent if table.path else folder, host, port, browser, table)


@app.command(
    rich_help_panel="Play",
    short_help="Open runs, agents and tables as local site.",
    epilog="Example: hanabi serve",
)
def serve(
    runs: Annotated[Path, typer.Argument(help="The folder of run folders.")] = RUNS,
    folder: Folder = FOLDER,
    host: Host = LOCAL,
    port: Port = None,
    browser: Browser = False,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", help="One more agent that may be seated: a file, or a spec; may be repeated."
        ),
    ] = None,
    files: RuleFiles = None,
) -> None:
    """A local site: runs, moving while they evolve, agents, tournaments from a form, games, tables for people and agents."""
    with working("getting the site ready"):
        load_rules(files)
        load_players(*agents or ())
    serving(folder, host, port, browser, more=agents or (), runs=runs)


def serving(
    folder: Path,
    host: str,
    port: int | None,
    browser: bool,
    table: PlayTable | None = None,
    more: Sequence[str] = (),
    runs: Path = RUNS,
) -> None:
    """Run the site until Ctrl-C; ``table``: open it, and say each person's link."""
    from hanabi.evolve.site.serving import run

    run(
        folder,
        (host, port),
        lambda lines: print("\n".join(lines), flush=True),
        browser,
        table,
        more,
        runs,
    )


def talk(table: PlayTable, seat: int) -> None:
    """Play line by line."""
    from hanabi.evolve.site.text_table import TextTable

    python = [spec for spec in dict.fromkeys(table.specs) if spec.startswith("python:")]
    TextTable(
        table,
        seat,
        lambda line: print(line, flush=True),
        min(width(), READABLE),
        command("hanabi", "play", "--text", table.path or "", *python),
    ).run(typed_lines())


def typed_lines() -> Iterator[str]:
    """What is typed, with a prompt on a terminal; ends where it ends."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield line
