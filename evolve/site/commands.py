"""Commands with which people play, and that write agents for others: play, serve, export."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    RuleFiles,
    Slots,
    VariantText,
    as_typed,
    load_players,
    load_rules,
    register_command,
)
from hanabi.evolve.cli.printing import READABLE, width
from hanabi.evolve.cli.progress_display import working
from hanabi.evolve.cli.runs import rules_of
from hanabi.shell_command import command
from hanabi.terminal_text import escape_controls

if TYPE_CHECKING:
    from hanabi.evolve.site.play_table import PlayTable
FOLDER, RUNS, AGENTS = Path("games"), Path("runs"), Path("agents")
LOCAL = "127.0.0.1"
Host = Annotated[
    str,
    typer.Option(
        "--host",
        help="Address to listen on; all pages but those of seats need the printed link.",
    ),
]
Port = Annotated[
    int | None,
    typer.Option("--port", min=0, max=65535, help="By default 8484 or the next free one; 0: any."),
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")]
Folder = Annotated[Path, typer.Option("--folder", help="Folder for the games.")]
AgentsFolder = Annotated[
    Path, typer.Option("--agents", help="Folder in which the workbench saves agents.")
]


def how_to_play() -> str:
    """Return the rules of the game as Markdown, for the terminal and the documentation."""
    return Path(__file__).with_name("how_to_play.md").read_text(encoding="utf-8").strip()


@register_command("Play", "--text piers")
def play(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC…|GAME|POSITION]",
            help="Who plays with you: one agent for all other seats, or one per seat, with person"
            " for people. Or a game, in any format that show reads, or a position.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option("--players", "-p", min=2, max=5)] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", "-s", min=0, help="Seed of the deal; by default a new one."),
    ] = None,
    variant: VariantText = "standard",
    turn: Annotated[
        int | None,
        typer.Option("--turn", "-t", min=0, help="With a game: play on from this turn."),
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Play in the terminal, line by line.")
    ] = False,
    slots: Slots = "age",
    how_to: Annotated[
        bool, typer.Option("--how-to", help="Print the rules of the game, and stop.")
    ] = False,
    folder: Folder = FOLDER,
    host: Host = LOCAL,
    port: Port = None,
    browser: Browser = True,
    files: RuleFiles = None,
) -> None:
    """Play with agents in the browser or terminal.

    Opens a table in a browser or, with --text, plays line by line. Every move is written to a game
    file.
    """
    if how_to:
        lazy.rich_console.Console().print(lazy.markdown.Markdown(how_to_play()))
        return
    with working("preparing the table"):
        from hanabi.evolve.site.play_table import PERSON
        from hanabi.evolve.site.tables import compile_for, create_table

        load_rules(files)
        load_players(*specs or ())
        numbered = lazy.move_facts.numbering(slots)
        if not text and not numbered.by_age:
            raise ValueError("--slots is for --text: the page numbers cards by age")
        table = create_table(
            specs or [lazy.partner_menu.DEFAULT], folder, players, seed, variant, turn
        )
        people = [seat for seat, spec in enumerate(table.specs) if spec == PERSON]
        if text and len(people) != 1:
            raise ValueError(
                f"--text seats one person, and {len(people)} sit at this table: leave --text out"
            )
        table.set_numbering(numbered)
        table.save()
        compile_for(table)
    if text:
        talk(table, people[0])
    else:
        serving(table.path.parent if table.path else folder, host, port, browser, table)


@register_command("Play")
def serve(
    runs: Annotated[Path, typer.Argument(help="The folder of run folders.")] = RUNS,
    folder: Folder = FOLDER,
    host: Host = LOCAL,
    port: Port = None,
    browser: Browser = False,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", help="One more agent for the tables: a file, or a spec; repeat for more."
        ),
    ] = None,
    agents_folder: AgentsFolder = AGENTS,
    files: RuleFiles = None,
) -> None:
    """Open runs, agents and tables as local site.

    The site shows runs, live while they evolve, agents, tournaments from a form, games, and tables
    for people and agents.
    """
    with working("preparing the site"):
        load_rules(files)
        load_players(*agents or ())
    serving(
        folder,
        host,
        port,
        browser,
        more=agents or (),
        runs=runs,
        agents_folder=agents_folder,
        rule_files=files or (),
    )


@register_command("Play", "piers")
def build(
    spec: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|AGENT]", help="An agent file or an agent to begin from."),
    ] = None,
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 3,
    variant: VariantText = "standard",
    runs: Annotated[Path, typer.Option("--runs", help="The folder of run folders.")] = RUNS,
    folder: Folder = FOLDER,
    host: Host = LOCAL,
    port: Port = None,
    browser: Browser = True,
    agents_folder: AgentsFolder = AGENTS,
    files: RuleFiles = None,
) -> None:
    """Order rules and measure them in the browser.

    Opens the workbench: a list of rules, from nothing or from an agent, whose score follows each
    edit. The page searches improvements, saves agent files and lays tables. With --rules, your own
    rules are in its library; a file that is saved is read again.
    """
    with working("preparing the workbench"):
        from urllib.parse import urlencode

        from hanabi.evolve.workbench.service import read_page_variant

        load_rules(files)
        read_page_variant(variant).at(players)
        agent = {} if spec is None else {"agent": listed_name(spec)}
        query = agent | {"players": players, "variant": variant}
    serving(
        folder,
        host,
        port,
        browser,
        more=[spec] if spec else (),
        runs=runs,
        agents_folder=agents_folder,
        rule_files=files or (),
        first_page=f"/build?{urlencode(query)}",
    )


def listed_name(spec: str) -> str:
    """Return the name of an agent with lists.

    Raises:
        ValueError: There is no such agent, or it has no list to edit.
    """
    agent = lazy.agents.load(spec)
    if not agent.lists:
        raise ValueError(f"{spec} has no list of rules to edit: name an agent that has one")
    agent.list_at(min(count for count in range(2, 6) if agent.plays(count)))
    return agent.name


def serving(
    folder: Path,
    host: str,
    port: int | None,
    browser: bool,
    table: "PlayTable | None" = None,
    more: Sequence[str] = (),
    runs: Path = RUNS,
    agents_folder: Path = AGENTS,
    rule_files: Sequence[Path] = (),
    first_page: str = "/",
) -> None:
    """Run the site until Ctrl-C.

    Args:
        folder: The folder of games.
        host: Address to listen on.
        port: Port; None takes a free one.
        browser: Open a browser.
        table: Open this table, and print each person's link to it.
        more: More agents for the tables.
        runs: The folder of run folders.
        agents_folder: The folder in which the workbench saves agents.
        rule_files: Files of user rules.
        first_page: The page that is opened without a table.
    """
    from hanabi.evolve.site.serving import run

    run(
        folder,
        (host, port),
        lambda lines: print("\n".join(lines), flush=True),
        browser,
        table,
        first_page,
        more,
        agents_folder,
        runs=runs,
        rule_files=rule_files,
    )


def talk(table: "PlayTable", seat: int) -> None:
    """Play at a seat of a table, line by line."""
    from hanabi.evolve.site.text_table import TextTable

    python = [spec for spec in dict.fromkeys(table.specs) if spec.startswith("python:")]
    TextTable(
        table,
        seat,
        lambda line: print(escape_controls(line, "\n"), flush=True),
        min(width(), READABLE),
        command("hanabi", "play", "--text", table.path or "", *python),
    ).run(typed_lines())


def typed_lines() -> Iterator[str]:
    """Yield the typed lines, with a prompt on a terminal."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield line


@register_command("Exchange", "piers --standalone agent.py", compiled=False)
def export(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN|SPEC…", help="A finished run's folder, or an agent; several for --page."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The agent file to write.")
    ] = None,
    alone: Annotated[
        Path | None,
        typer.Option(
            "--standalone",
            metavar="FILE.py|FOLDER",
            help="Write it as plain Python without imports; a folder for courses.",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write a web page that plays; several agents are partners."
        ),
    ] = None,
    pyodide: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|cdn", help="The page's Python: a folder, or from a public server."
        ),
    ] = None,
    files: RuleFiles = None,
) -> None:
    """Write an agent to a file.

    The file is TOML, to read and edit, or plain Python. Without an option it is printed. A page
    needs only a server of files; its Python, Pyodide, is fetched once.
    """
    run = runs[0]
    with working("reading the run"):
        from hanabi.evolve.reports.sealed_agent import export as read_run

        load_rules(files)
        if sum(map(bool, (output, alone, page))) > 1:
            raise ValueError(
                "-o writes an agent file, --standalone plain Python, --page a web page: "
                "give one of them"
            )
        if len(runs) > 1 and not page:
            raise ValueError("several agents stand in one page: give --page FOLDER")
        if pyodide and not page:
            raise ValueError("--pyodide says where a page has its Python from: give --page FOLDER")
        if page:
            from hanabi.evolve.site.page_export import write_page

            server = command("python3", "-m", "http.server", "--directory", page)
            written = write_page(runs, page, pyodide)
            says = f"{written}: any server of files shows it. Try: {server}"
        elif alone:
            from hanabi.evolve.reports.standalone import write_alone

            written = write_alone(run, alone)
            says = f"{written}: it needs nothing but Python. Try: {command('python3', written)}"
        else:
            text = read_run(run) if run.is_dir() else lazy.agents.dumps(lazy.agents.load(str(run)))
            says = text.removesuffix("\n")
        if output:
            lazy.files.write_whole(output, text)
            show = command("hanabi", "show", output, *(rules_of(run) if run.is_dir() else ()))
            says = as_typed(f"{output}: the agent of {run}. Try: {show}")
    print(says)
