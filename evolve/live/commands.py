"""The command by which an agent plays on hanab.live: live."""

import asyncio
from typing import Annotated

import typer

from hanabi.evolve.cli.command_registry import (
    RuleFiles,
    load_players,
    load_rules,
    register_command,
)
from hanabi.evolve.cli.printing import say


@register_command("Play", "--as Bot-Piers --agent piers --table friends")
def live(
    name: Annotated[
        str,
        typer.Option("--as", metavar="NAME", help="The account: Bot- and more letters."),
    ],
    agent: Annotated[str, typer.Option("--agent", metavar="SPEC", help="The agent that plays.")],
    table: Annotated[
        str, typer.Option("--table", help="Name or number of the table to join.")
    ] = "",
    create: Annotated[
        str, typer.Option("--create", help="Name of a table to lay; it starts when it is full.")
    ] = "",
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 2,
    invited: Annotated[
        bool, typer.Option("--invited", help="Wait until a person sends /join in private.")
    ] = False,
    server: Annotated[str, typer.Option("--server", metavar="URL")] = "https://hanab.live",
    password: Annotated[
        str, typer.Option(envvar="HANABI_LIVE_PASSWORD", help="By default it is asked for.")
    ] = "",
    files: RuleFiles = None,
) -> None:
    """Let an agent play on hanab.live.

    Plays one game at the table that is named, laid, or to which a person invites it, and writes the
    sentence of each move as a note. Ask the people at the table first, and keep the site's rules.
    Needs the extra: pip install 'hanabi-evolve[live]'.
    """
    if [bool(table), bool(create), invited].count(True) != 1:
        raise ValueError(
            "a bot joins no table by itself: write one of --table NAME, --create NAME or --invited"
        )
    try:
        import httpx  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"there is no {error.name}: install the extra, pip install 'hanabi-evolve[live]'"
        ) from None

    from hanabi.evolve.live.hanab_live_client import LiveClient

    load_rules(files)
    load_players(agent)
    password = password or typer.prompt("Password", hide_input=True)
    client = LiveClient(name, password, agent, table, create, players, server.rstrip("/"), say)
    asyncio.run(client.play())
