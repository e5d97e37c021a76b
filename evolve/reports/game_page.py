"""A game as one self-contained page, which steps through it without a server."""

from collections.abc import Sequence
from contextlib import suppress

from hanabi.evolve.reports.game_data import NOBODY, game_data
from hanabi.evolve.reports.page_parts import page
from hanabi.game_record import Game
from hanabi.player import Player
from hanabi.rules.agents import NAMED, load


def game_page(game: Game, players: Sequence[Player] = (), begin: int | None = None) -> str:
    """Return the page of a game, with what its moves mean where its agents are known.

    Args:
        game: The game.
        players: The player of each seat; by default the named agents that the game tells of.
        begin: The turn at which the board begins; by default the one that lost the first point.
    """
    known = list(players) or [named_player(name, game.variant.seats) for name in game.agents]
    data = game_data(game, known) | ({} if begin is None else {"start": begin})
    return page("page.html.j2", title=f"hanabi: {data['result']}", games=[data])


def named_player(name: str, players: int) -> Player:
    """Return the agent of a name, or NOBODY for any other text, such as a person's name."""
    with suppress(ValueError):
        if name in NAMED:
            return load(name).at(players)
    return NOBODY
