"""How a table is laid: from agents and a deal, from a position, or from a game that was kept. And the folder of such games."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game, seats_of
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.files import read_toml
from hanabi.game_reader import load, names_game
from hanabi.game_record import Game, Position
from hanabi.rules.agents.python_player import PLAYERS
from hanabi.variant import read_variant

STAMP = "%Y-%m-%d-%H%M%S"  # the time in the name of a table's file


def lay(
    specs: Sequence[str],
    folder: Path,
    players: int | None = None,
    seed: int | None = None,
    variant: str = "standard",
) -> PlayTable:
    """The table that some words mean: agents, or a file of a table, a game or a position (behind it perhaps agents). Its file, not
    yet written, is a new one in the folder, but for a table's own. ValueError, one line, for words that mean none."""
    first, *rest = specs
    if not names_game(first):
        chosen = read_variant(variant)
        seats = seats_of(specs, players, chosen)
        return PlayTable(
            seats,
            new_game(chosen, len(seats), secrets.randbelow(1 << 32) if seed is None else seed),
            new_file(folder),
        )
    if _is_table(first):
        if set(rest) - PLAYERS.keys():  # a plain Python player of the table has to be typed again
            raise ValueError(f"{first} says who sits where: leave {' '.join(rest)} out")
        return PlayTable.read(Path(first))
    start = load(first)
    count = start.variant.seats
    if rest:
        seats = seats_of(rest, count, start.variant)
    else:
        seats = seats_of(["convention"], count, start.variant)
        if isinstance(start, Position):  # the person sits down where somebody is to move
            seats = [PERSON if seat == start.me else "convention" for seat in range(count)]
    return PlayTable(seats, start, new_file(folder))


def again(table: PlayTable, deal: object, folder: Path) -> PlayTable:
    """Lay a table for the players of a game that is over: a "new" deal, the "same" one, or that of the "next" seed.

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
    laid = PlayTable(table.specs, start, new_file(folder))
    laid.names, laid.help = list(table.names), list(table.help)
    laid.save()
    return laid


def _is_table(path: str) -> bool:
    """Return whether a file says who sits where."""
    with suppress(ValueError):  # another format
        return "table" in read_toml(path)
    return False


def warm(table: PlayTable) -> None:
    """Have everything compiled that this table needs, so that nobody waits for it later: every list is asked once."""
    SeatViews(table)
    for agent, player in zip(table.agents, table.players):
        if agent and not agent.is_slow and not table.over:
            player.move(table.view.copy())


def new_file(folder: Path) -> Path:
    """The path of a table's file that is not there yet: the time and, since many may be laid at once, some letters."""
    return folder / f"{datetime.now():{STAMP}}-{secrets.token_hex(4)}.toml"


def time_of(path: Path) -> datetime:
    """Return when the table of a file was laid, as its name says; for another name, when the file was last written."""
    with suppress(ValueError):
        return datetime.strptime(path.stem.rpartition("-")[0], STAMP)
    return datetime.fromtimestamp(path.stat().st_mtime)
