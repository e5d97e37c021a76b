"""Hanabi: the game, what players know, and the agents who play it.

``from hanabi import Game, Position, Table, read_variant, …``: ``__all__`` has the names. A file of rules imports ``rule``
from hanabi.rulebook and ``convention`` from hanabi.conventions.register, and its questions from hanabi.view.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hanabi.game_record import Game as Game
    from hanabi.game_record import Position as Position
    from hanabi.game_record import play_one as play_one
    from hanabi.moves import NOTHING as NOTHING
    from hanabi.moves import discard as discard
    from hanabi.moves import move_text as move_text
    from hanabi.moves import play as play
    from hanabi.moves import read_move as read_move
    from hanabi.moves import tell_colour as tell_colour
    from hanabi.moves import tell_rank as tell_rank
    from hanabi.player import Player as Player
    from hanabi.player import default_move as default_move
    from hanabi.table import ListPlayer as ListPlayer
    from hanabi.table import Table as Table
    from hanabi.table import game_seeds as game_seeds
    from hanabi.variant import Variant as Variant
    from hanabi.variant import read_variant as read_variant
    from hanabi.view import oldest as oldest
    from hanabi.view import playable_chance as playable_chance
    from hanabi.view import random_below as random_below
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "hanabi.moves": "NOTHING discard move_text play read_move tell_colour tell_rank",
            "hanabi.player": "Player default_move",
            "hanabi.game_record": "Game Position play_one",
            "hanabi.table": "ListPlayer Table game_seeds",
            "hanabi.variant": "Variant read_variant",
            "hanabi.view": "oldest playable_chance random_below",
        },
    )
