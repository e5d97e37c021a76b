"""Read and check the moves of persons; faults are explained in one line."""

import re
from collections.abc import Sequence

from hanabi.cards import COLOUR_NAMES, COLOURS
from hanabi.game import is_legal, is_over
from hanabi.moves import (
    NAMES,
    discard,
    is_discard,
    is_play,
    play,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
)
from hanabi.notation import counted
from hanabi.state import View
from hanabi.text.slot_numbering import BY_AGE, Numbering
from hanabi.variant import shown

LETTERS = 60  # that a move may have
HOW = "write play 1, discard 5, tell Bob red or tell Bob 3"
_SLOT = re.compile(r"(play|p|discard|d)\s*([0-9])")
_TELL = re.compile(r"(?:(?:tell|t|hint|clue)\s+)?([a-z]+)[\s:,]+(?:the\s+)?([a-z]+|[0-9])s?")


def read_typed(text: str, born: Sequence[int], numbering: Numbering) -> int:
    """Return the number of a move as a person types it.

    Examples: ``play 1``, ``p 1``, ``d 5``, ``tell Bob red``, ``bob 3``.

    Args:
        text: The move.
        born: When each card of the person was drawn (``view.born``), -1 for an empty slot.
        numbering: How the slots of a typed move are numbered.

    Raises:
        ValueError: The text is no move. One line.
    """
    words = " ".join(text.lower().split()) if len(text) <= LETTERS else ""
    if found := _SLOT.fullmatch(words):
        slot = numbering.slot(born, int(found[2]))
        if slot < 0:
            held = [str(number) for number in numbering.held(born)]
            raise ValueError(f"Slot {found[2]} holds no card: yours are in {_list(held)}.")
        return int(play(slot) if found[1][0] == "p" else discard(slot))
    if found := _TELL.fullmatch(words):
        name, what = found[1].capitalize(), found[2]
        if name in NAMES:
            seat = NAMES.index(name)
            if what.isdigit() and 1 <= int(what) <= 5:
                return int(tell_rank(seat, int(what)))
            for colour, name in enumerate(COLOUR_NAMES):
                if what in (name, COLOURS[colour].lower()):
                    return int(tell_colour(seat, colour))
            raise ValueError(
                f"A hint tells a colour ({', '.join(COLOUR_NAMES)}) or a rank (1 to 5), "
                f"not {shown(what)}."
            )
    raise ValueError(f"{shown(text)} is no move: {HOW}.")


def fault_of(view: View, seat: int, move: int) -> str:
    """Return why a seat cannot make a move and what it can do instead; "" for a legal move."""
    if is_over(view):
        return "The game is over: no more moves."
    if seat != view.me:
        return f"It is {NAMES[view.me]}'s turn, not yours. Your move waits for it."
    if is_legal(view, move):
        return ""
    if is_play(move) or is_discard(move):
        if not view.filled[seat] >> slot_of(move) & 1:
            held = [str(number) for number in BY_AGE.held(view.born[seat].tolist())]
            return f"There is no card in this slot: yours are in {_list(held)}."
        return (
            f"You cannot discard with {counted(int(view.tokens), 'hint token')}, which are all "
            "there are: play a card, or tell somebody about theirs."
        )
    others = [NAMES[other] for other in range(view.players) if other != seat]
    target = int(target_of(move))
    if target == seat:
        return f"You cannot tell yourself: tell {_list(others, 'or')}."
    if target >= view.players:
        return f"Nobody called {NAMES[target]} sits here: tell {_list(others, 'or')}."
    if view.tokens == 0:
        return "No hint token is left: play a card, or discard one, which brings a token back."
    colour = told_colour_of(move)
    what = COLOUR_NAMES[colour] if colour >= 0 else f"a {told_rank_of(move)}"
    return f"No card of {NAMES[target]}'s is {what}, and a hint must touch a card."


def move_verb(
    move: int, born: Sequence[int], you: bool = False, numbering: Numbering = BY_AGE
) -> str:
    """Return a move as a verb: ``plays slot 2``, ``tells Cal 3s``; ``you`` gives ``play``.

    ``born`` are the cards of the hand that it is made from (``view.born``).
    """
    s = "" if you else "s"
    if is_play(move) or is_discard(move):
        kind = "play" if is_play(move) else "discard"
        return f"{kind}{s} slot {numbering.number(born, int(slot_of(move)))}"
    colour = told_colour_of(move)
    what = COLOUR_NAMES[colour] if colour >= 0 else f"{told_rank_of(move)}s"
    return f"tell{s} {NAMES[target_of(move)]} {what}"


def _list(words, last="and"):
    """Words as a list in a sentence."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
