"""A game in sentences for its page: how it ended, how points were lost, where the first was."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hanabi.game_record import Game
from hanabi.moves import COLOUR_NAMES
from hanabi.notation import all_of
from hanabi.text.move_facts import ending_text, lost_at, lost_points

HINTS = {
    "Promise": "promise",
    "Warning": "warning",
    "Finesse": "finesse",
    "orders": "order",
    "It shows": "shows a play",
    "stall": "stall",
}
ENDS = {"forfeit": "no rule applied, so the game ended there", "": "the game goes on"}


def hint_word(means: Sequence[str]) -> str:
    """Return the meaning of a hint in a word, from its sentences; "" for a plain hint."""
    return next((word for start, word in HINTS.items() if any(start in line for line in means)), "")


def game_words(game: Game, views: Sequence[np.record]) -> dict[str, Any]:
    """Return ``result``, ``lost`` and ``lost_at`` of game_data.

    Args:
        game: The game.
        views: The view before every move, and after the last one.
    """
    last, ranks = views[-1], game.variant.ranks
    missing = [
        f"{COLOUR_NAMES[colour]} {all_of(range(height + 1, ranks + 1))}"
        for colour, height in enumerate(last.fireworks[: game.variant.colours].tolist())
        if game.end and height < ranks
    ]
    misplays = [
        turn
        for turn, (before, after) in enumerate(zip(views, views[1:]))
        if after.lives < before.lives
    ]
    ended = ENDS.get(game.end) or ending_text(game)
    result = ended[0].upper() + ended[1:] + (f" before {all_of(missing)}." if missing else ".")
    if len(misplays) == 1:
        result += f" A life is lost at turn {misplays[0]}."
    elif misplays:
        result += f" Lives are lost at turns {all_of(misplays)}."
    return {
        "result": result,
        "lost": lost_points(last, game.end) if game.end else [],
        "lost_at": lost_at(views, game.variant.perfect),
    }
