"""Hanabi: the game, what players know, and the agents that play it.

User-defined rules, conventions and players need no import except ``from hanabi import …``;
``__all__`` lists the names. docs/reference/questions.md names the modules of further questions.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "FORFEIT",
    "NOTHING",
    "SEATS",
    "SLOTS",
    "Choice",
    "Game",
    "ListPlayer",
    "PlayError",
    "Player",
    "PlayerFailedError",
    "Position",
    "Rule",
    "RuleError",
    "RuleFailedError",
    "State",
    "Step",
    "Table",
    "Variant",
    "View",
    "as_player",
    "card_text",
    "colour_of",
    "convention",
    "default_move",
    "discard",
    "game_seeds",
    "is_legal",
    "legal_moves",
    "load_game",
    "may_discard",
    "move_text",
    "newest",
    "oldest",
    "play",
    "play_one",
    "playable_chance",
    "primitive",
    "random_below",
    "rank_of",
    "read_card",
    "read_games",
    "read_move",
    "read_variant",
    "rule",
    "tell_colour",
    "tell_rank",
    "useless_chance",
]

if TYPE_CHECKING:
    from hanabi.conventions.register import convention
    from hanabi.game import Choice, Step, is_legal, legal_moves
    from hanabi.game_reader import load_game, read_games
    from hanabi.game_record import Game, play_one
    from hanabi.language.primitive_register import primitive
    from hanabi.moves import (
        FORFEIT,
        NOTHING,
        SEATS,
        SLOTS,
        card_text,
        colour_of,
        discard,
        move_text,
        play,
        rank_of,
        read_card,
        read_move,
        tell_colour,
        tell_rank,
    )
    from hanabi.player import (
        ListPlayer,
        Player,
        PlayerFailedError,
        PlayError,
        RuleError,
        RuleFailedError,
        as_player,
        default_move,
    )
    from hanabi.positions.position import Position
    from hanabi.rulebook import Rule, rule
    from hanabi.state import State, View
    from hanabi.table import Table, game_seeds
    from hanabi.variant import Variant, read_variant
    from hanabi.view import (
        may_discard,
        newest,
        oldest,
        playable_chance,
        random_below,
        useless_chance,
    )
else:
    from pathlib import Path

    from hanabi.lazy_exports import exports

    if not Path(__file__).with_name("rules").is_dir():
        # a checkout: hanabi.rules and hanabi.evolve lie beside this folder, and not in it
        __path__.append(str(Path(__file__).parents[1]))
    __getattr__, __dir__ = exports(__name__, __file__)
