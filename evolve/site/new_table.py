"""Create tables: from agents and a deal, a position, a game file, or the table of a past game."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game, seats_of
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.files import read_toml
from hanabi.game_reader import load, names_game, turn_to_begin
from hanabi.game_record import Game, Position
from hanabi.rules.agents.python_player import PLAYERS
from hanabi.variant import read_variant

STAMP = "%Y-%m-%d-%H%M%S"  # the time in the name of a table's file


def create_table(
    specs: Sequence[str],
    folder: Path,
    players: int | None = None,
    seed: int | None = None,
    variant: str = "standard",
    turn: int | None = None,
) -> PlayTable:
    """Return the table that the words of a command mean; its file is not yet written.

    Args:
        specs: Agents; or a file of a table; or a game or position and the agents that play on.
        folder: Where the file of a new table will be.
        players: The number of players, None if the specs or the variant give it.
        seed: The seed of the deal, None for a random one.
        variant: The variant of the deal.
        turn: Play on from this turn of a game.

    Raises:
        ValueError: The words mean no table. One line.
    """
    first, *rest = specs
    if turn is not None and not names_game(first):
        raise ValueError(f"--turn is for a game to play on, and {first} is none: leave it out")
    if not names_game(first):
        chosen = read_variant(variant)
        seats = seats_of(specs, players, chosen)
        if seed is None:
            seed = secrets.randbelow(1 << 32)
        return PlayTable(seats, new_game(chosen, len(seats), seed), new_file(folder))
    if turn is None and _is_table(first):
        # a table of a Python player is continued with the spec of that player: it loads the player
        if set(rest) - PLAYERS.keys():
            raise ValueError(f"{first} says who sits where: leave {' '.join(rest)} out")
        return PlayTable.read(Path(first))
    start = load(first)
    if turn is None and isinstance(start, Game):
        turn = turn_to_begin(first, len(start.moves))
    if turn is not None:
        start = game_until(start, turn)
    count = start.variant.seats
    if rest or not isinstance(start, Position):
        seats = seats_of(rest or [DEFAULT], count, start.variant)
    else:  # the person sits at the seat to move
        seats = [PERSON if seat == start.me else DEFAULT for seat in range(count)]
    return PlayTable(seats, start, new_file(folder))


def game_until(found: Game | Position, turn: int) -> Game:
    """Return a game up to a turn from which one can play on.

    Raises:
        ValueError: There is no such turn, or the game is over there. One line.
    """
    if isinstance(found, Position):
        raise ValueError("a position has no turns: leave the turn out, or give a game")
    check_turn(turn, 0, len(found.moves), bool(found.end))
    return Game(found.variant, found.seed, found.deck, found.moves[:turn], (), found.rules[:turn])


def check_turn(turn: int, first: int, last: int, ended: bool) -> None:
    """Raise ValueError, one line, for a turn from which nobody can play on."""
    if not first <= turn <= last:
        raise ValueError(f"This game has turns {first} to {last}.")
    if turn == last and ended:
        raise ValueError("The game is over there: go back a turn, and play on from there.")


def deal_again(table: PlayTable, deal: object, folder: Path) -> PlayTable:
    """Return a new table for the players of a game that is over, with its file.

    Args:
        table: The table of the game.
        deal: "new", "same", or "next" for the deal of the next seed.
        folder: Where the file is written.

    Raises:
        ValueError: The game goes on, or there is no such deal. One line.
    """
    if not table.over:
        raise ValueError("The game goes on: another one begins when it is over.")
    if deal not in ("new", "same", "next"):
        raise ValueError("A deal is new, same or next.")
    start = table.start
    if isinstance(start, Game):
        start = Game(table.variant, start.seed, start.deck)
    if deal == "next":
        if table.seed is None:
            raise ValueError("This game has no seed: choose a new deal, or the same one.")
        start = new_game(table.variant, len(table.specs), table.seed + 1)
    elif deal == "new":
        start = new_game(table.variant, len(table.specs), secrets.randbelow(1 << 32))
    created = PlayTable(table.specs, start, new_file(folder))
    created.names, created.help = list(table.names), list(table.help)
    created.save()
    return created


def _is_table(path: str) -> bool:
    """Whether a file is that of a table."""
    with suppress(ValueError):  # another format
        return "table" in read_toml(path)
    return False


def compile_for(table: PlayTable) -> None:
    """Compile what a table needs, before a person waits for it: each list chooses one move."""
    SeatViews(table)
    for agent, player in zip(table.agents, table.players):
        if agent and not agent.is_slow and not table.over:
            player.move(table.view.copy())


def new_file(folder: Path) -> Path:
    """Return the path of a new file: the time, and random letters for tables of one second."""
    return folder / f"{datetime.now():{STAMP}}-{secrets.token_hex(4)}.toml"


def creation_time(path: Path) -> datetime:
    """Return the time in the name of a table's file; for another name, when it was last written."""
    with suppress(ValueError):
        return datetime.strptime(path.stem.rpartition("-")[0], STAMP)
    return datetime.fromtimestamp(path.stat().st_mtime)
