"""What a move did, in words and with numbers of slots, and the result of a game in words.

Data of pages and actions of hanab.live are made of it, too. Sentences for people number the cards
of a hand by age. Files and JSON have the engine's slots.

A page without a server plays with a copy of this module, which is plain Python.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hanabi.game import event_card, event_fits, event_move, told_cards
from hanabi.game_record import Game
from hanabi.moves import (
    COLOUR_NAMES,
    COLOURS,
    FORFEIT,
    NAMES,
    NO_CARD,
    STRIDE,
    card_text,
    is_discard,
    is_play,
    is_tell,
    move_text,
    read_move,
    slot_of,
    target_of,
    told_colour_of,
    told_rank_of,
)
from hanabi.notation import all_of
from hanabi.player import OTHERWISE
from hanabi.rulebook import find
from hanabi.variant import check_known
from hanabi.view import reachable


@dataclass(frozen=True)
class Numbering:
    """How the slots of a hand are ordered and numbered in text; `says` explains it to a reader."""

    name: str
    says: str
    by_age: bool = False

    def order(self, born: Sequence[int]) -> list[int]:
        """Return the slots of a hand from left to right.

        `born` has each card's place in the order of drawing, -1 for an empty slot.
        """
        return (
            sorted(range(len(born)), key=lambda slot: -born[slot])
            if self.by_age
            else list(range(len(born)))
        )

    def number(self, born: Sequence[int], slot: int) -> int:
        """Return the number of a slot of such a hand."""
        return self.order(born).index(slot) + self.by_age

    def slot(self, born: Sequence[int], number: int) -> int:
        """Return the slot that has a number; -1 if no card has it."""
        place, order = number - self.by_age, self.order(born)
        return order[place] if 0 <= place < len(order) and born[order[place]] >= 0 else -1

    def held(self, born: Sequence[int]) -> list[int]:
        """Return the numbers of the cards of a hand, in order."""
        return sorted(self.number(born, slot) for slot, drawn in enumerate(born) if drawn >= 0)

    def at(self, view: np.record) -> Callable[[int, int], int]:
        """Return the function that numbers (seat, slot) as the cards lie in a view."""
        return lambda seat, slot: self.number(view.born[seat].tolist(), int(slot))

    def move(self, move: str, born: Sequence[int]) -> str:
        """Return a move's text (moves.move_text) with its slot renumbered, for this hand."""
        number = read_move(move)
        if not (is_play(number) or is_discard(number)):
            return move
        return f"{move_text(number).split()[0]} {self.number(born, int(slot_of(number)))}"


BY_AGE = Numbering(
    "age",
    "Slots count from 1, left to right, from the newest card to the oldest.",
    True,
)
ENGINE = Numbering(
    "engine",
    "Slots count from 0, left to right; a card keeps its slot, and a new card takes the free one.",
)
NUMBERINGS = {numbering.name: numbering for numbering in (BY_AGE, ENGINE)}


def numbering(name: str) -> Numbering:
    """Return the numbering of a name; ValueError for an unknown name."""
    check_known(name, NUMBERINGS, "no numbering of slots")
    return NUMBERINGS[name]


class MoveFacts(NamedTuple):
    """A move, and the cards that it is about.

    Attributes:
        kind: "play", "discard", "tell" or "forfeit".
        owner: The seat whose cards it is about.
        born: By slot of that seat, when the card was drawn.
        slots: The engine's slots of these cards.
        colour: The colour that a hint tells, else -1.
        rank: The rank that a hint tells, else 0.
        card: The card that was played or discarded; NO_CARD while it is hidden.
        fits: Whether it was played and fits.
    """

    kind: str
    owner: int
    born: Sequence[int]
    slots: Sequence[int] = ()
    colour: int = -1
    rank: int = 0
    card: int = NO_CARD
    fits: bool = False

    @property
    def told(self) -> str:
        """What a hint tells, such as ``red`` or ``3``."""
        return COLOUR_NAMES[self.colour] if self.colour >= 0 else str(self.rank)

    def numbers(self, numbering: Numbering) -> list[int]:
        """Return the numbers of the slots, in order."""
        return sorted(numbering.number(self.born, slot) for slot in self.slots)


def facts_of(view: np.record, move: int, after: np.record | None = None) -> MoveFacts:
    """Return what a move of the seat to move did, or would do.

    Args:
        view: The view before it.
        move: The move.
        after: The view after it (the same after a forfeit); None for a move that is not made.
    """
    owner = int(target_of(move)) if is_tell(move) else int(view.me)
    born = view.born[owner].tolist()
    if move == FORFEIT:
        return MoveFacts("forfeit", owner, born)
    if is_tell(move):
        cards, colour = int(told_cards(move)), int(told_colour_of(move))
        slots = [
            slot
            for slot in range(view.hand_size)
            if view.filled[owner] >> slot & 1 and cards >> int(view.hands[owner, slot]) & 1
        ]
        rank = 0 if colour >= 0 else int(told_rank_of(move))
        return MoveFacts("tell", owner, born, slots, colour, rank)
    made = MoveFacts("play" if is_play(move) else "discard", owner, born, [int(slot_of(move))])
    if after is None:
        return made
    event = int(after.history[view.turn])
    return made._replace(card=int(event_card(event)), fits=bool(event_fits(event)))


def slots_text(numbers: Sequence[int]) -> str:
    """Return numbers of slots in words, such as ``slots 1 and 3``."""
    return f"slot{'s' * (len(numbers) > 1)} {all_of(numbers)}"


def verb_of(made: MoveFacts, you: bool = False, numbering: Numbering = BY_AGE) -> str:
    """Return a move as a verb: ``plays slot 2``, ``tells Cal 3s``; ``you`` gives ``play``."""
    verb = made.kind + "s" * (not you)
    if made.kind == "tell":
        return f"{verb} {NAMES[made.owner]} {made.told}{'s' * (made.rank > 0)}"
    return f"{verb} {slots_text(made.numbers(numbering))}"


def move_in_words(view: np.record, move: int, numbering: Numbering) -> str:
    """Return a move that the seat to move may make, such as ``tell Bob red (slots 1 and 3)``."""
    made = facts_of(view, move)
    slots = slots_text(made.numbers(numbering))
    if made.kind == "tell":
        return f"tell {NAMES[made.owner]} {made.told} ({slots})"
    return f"{made.kind} {slots}"


def move_words(
    before: np.record, after: np.record, move: int, numbering: Numbering = BY_AGE
) -> str:
    """Return a move in plain words, from the views before and after it.

    For a forfeit both are the same view.
    """
    made, name = facts_of(before, move, after), NAMES[before.me]
    slots = slots_text(made.numbers(numbering))
    if made.kind == "forfeit":
        return f"{name} forfeits the game"
    if made.kind == "tell":
        is_one = len(made.slots) == 1
        what = f"a {made.told}" if is_one and made.rank else made.told + "s" * (made.rank > 0)
        return f"{name} tells {NAMES[made.owner]}: {slots} {'is' if is_one else 'are'} {what}"
    did = f"{name} {made.kind}s {card_text(made.card)} from {slots}"
    if made.kind == "discard":
        return did
    if made.fits:
        return f"{did}: it fits" + (", a token comes back" if after.tokens > before.tokens else "")
    return f"{did}: it does not fit, {'a life' if after.lives else 'the last life'} is lost"


def rule_says(rule: str) -> str:
    """Return the sentence of a rule named in a recorded game; "" for an unknown rule."""
    if rule == OTHERWISE:
        return "No rule applied."
    try:
        return find(rule).says if rule else ""
    except ValueError:  # of a user's file that is not loaded now
        return ""


def rule_text(rule: str) -> str:
    """Return the name of a rule in a recorded game, with its sentence where that is known."""
    says = rule_says(rule)
    return f"{rule}: {says}" if says else rule


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
        end: How the game ended, a key of game_loop.ENDS.
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
