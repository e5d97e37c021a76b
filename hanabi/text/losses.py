"""The result of a game: its end, score in words, grade, and a sentence per unfinished firework."""

from collections.abc import Sequence

import numpy as np

from hanabi.cards import COLOUR_NAMES, COLOURS, STRIDE
from hanabi.game import event_card, event_fits, event_move
from hanabi.game_record import Game
from hanabi.moves import NAMES, is_play
from hanabi.view import reachable

GRADES = ("beginner", "apprentice", "master", "master of the second grade", "king of Hanabi")


def grade(score: int, perfect: int) -> str:
    """Return the grade by fifths of the highest score: up to 20 % beginner, and so on.

    Raises:
        ValueError: For an impossible score.
    """
    if not 0 <= score <= perfect or perfect < 1:
        raise ValueError(f"a score is from 0 to the highest one, not {score} of {perfect}")
    return GRADES[max(0, -(-len(GRADES) * score // perfect) - 1)]


NOT_OVER = "not over yet"
ENDINGS = {
    "deck": "the deck ran out",
    "lives": "the last life is lost",
    "perfect": "every firework is finished",
    "hopeless": "no needed card can be played any more",
    "forfeit": "forfeited",
    "terminated": "{who} ended the game",
    "vote": "the players voted to end the game",
    "timeout": "{who} ran out of time",
    "idle": "the site ended the game, as nobody moved any more",
    "speedrun": "a perfect score cannot be reached any more, which ends a speedrun",
    "all-or-nothing": "a perfect score cannot be reached any more, which ends all or nothing",
    "softlock": "{who} has no move left",
    "": NOT_OVER,
}


def ending_text(game: Game) -> str:
    """Return how a game ended, such as ``Ann ended the game``."""
    seat = game.stop.seat if game.stop else -1
    return ENDINGS[game.end].format(who=NAMES[seat] if seat >= 0 else "a player")


WHY_IT_ENDED = {
    "lives": "the last life was lost",
    "deck": "the moves ran out",
    "hopeless": "the moves ran out",
    "forfeit": "the game was forfeited",
}


def lost_points(view: np.record, end: str, first: int = 0) -> list[str]:
    """Return a sentence for each unfinished firework: where it stopped, and because of which move.

    Args:
        view: The view after the last move.
        end: How the game ended, a key of table.ENDS.
        first: The turn at which the history begins.
    """
    said = []
    for colour in range(view.colours):
        height, name = int(view.fireworks[colour]), COLOUR_NAMES[colour].capitalize()
        gone = next(
            (
                rank
                for rank in range(height + 1, view.ranks + 1)
                if not view.alive[0] >> colour * STRIDE + rank - 1 & 1
            ),
            view.ranks + 1,
        )
        if gone > height + 1:
            said.append(
                f"{name} stopped before {_cards(colour, height + 1, gone - 1)}: a copy was alive, "
                f"{WHY_IT_ENDED.get(end, 'the game ended')}."
            )
        if gone <= view.ranks:
            said.append(
                f"{name} lost {_cards(colour, gone, view.ranks)}: "
                f"{_thrown(view, colour * STRIDE + gone - 1, first)}."
            )
    return said


def _cards(colour, low, high):
    first, last = f"{COLOURS[colour]}{low}", f"{COLOURS[colour]}{high}"
    return first if low == high else f"{first} {'and' if high == low + 1 else 'to'} {last}"


def _thrown(view, card, first):
    """Return who discarded the last copy of a card, and when."""
    what = f"{COLOURS[card // STRIDE]}{card % STRIDE + 1}"
    for turn in range(int(view.turn) - 1, first - 1, -1):
        event = int(view.history[turn])
        if event_card(event) == card and not event_fits(event):
            how = "misplayed" if is_play(event_move(event)) else "discarded"
            return f"{NAMES[turn % int(view.players)]} {how} the last {what} at turn {turn}"
    return f"the last {what} was gone before this game began"


def result_lines(view: np.record, end: str, perfect: int, first: int = 0) -> Sequence[str]:
    """Return the score, the grade and the reasons for lost points, a line each."""
    score = int(view.score)
    zero = " (0 where a lost game counts zero)" if end == "lives" else ""
    return [
        f"{score} of {perfect} points{zero}: {grade(score, perfect)}.",
        *lost_points(view, end, first),
    ]


def lost_at(views: Sequence[np.record], perfect: int) -> int | None:
    """Return the place of the move that first made a point unreachable, None if no move did.

    Args:
        views: The view before every move, and after the last one.
        perfect: The points of a perfect game.
    """
    for place, after in enumerate(views[1:]):
        moves = int(after.deck) + int(after.players) if after.deck else max(0, int(after.left))
        if min(int(reachable(after)), int(after.score) + moves) < perfect or after.lives == 0:
            return place
    return None
