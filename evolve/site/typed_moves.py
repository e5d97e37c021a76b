"""A person's move: read from what was typed or clicked, and held to the laws; what is wrong with it is said in one line."""

from __future__ import annotations

import re

import numpy as np

from hanabi.cards import COLOURS
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
from hanabi.text.transcript import COLOUR_NAMES
from hanabi.variant import shown

LETTERS = 60  # that a move may have
HOW = "write play 0, discard 4, tell Bob red or tell Bob 3"
_SLOT = re.compile(r"(play|p|discard|d)\s*([0-9])")
_TELL = re.compile(r"(?:(?:tell|t)\s+)?([a-z]+)[\s:,]+(?:the\s+)?([a-z]+|[0-9])s?")


def read_typed(text: str) -> int:
    """The number of a move as a person types it: ``play 0``, ``p 0``, ``d 4``, ``tell Bob red``, ``bob 3``. ValueError, one
    line, where it is none."""
    words = " ".join(text.lower().split()) if len(text) <= LETTERS else ""
    if found := _SLOT.fullmatch(words):
        slot = int(found[2])
        if slot > 4:
            raise ValueError(
                f"There is no slot {slot}: the number of a slot stands by its card, 0 to 4."
            )
        return int(play(slot) if found[1][0] == "p" else discard(slot))
    if found := _TELL.fullmatch(words):
        name, what = found[1].capitalize(), found[2]
        if name in NAMES:
            seat = NAMES.index(name)
            if what.isdigit() and 1 <= int(what) <= 5:
                return int(tell_rank(seat, int(what)))
            colours = [
                i for i, colour in enumerate(COLOUR_NAMES) if what in (colour, COLOURS[i].lower())
            ]
            if colours:
                return int(tell_colour(seat, colours[0]))
            raise ValueError(
                f"A hint tells a colour ({', '.join(COLOUR_NAMES)}) or a rank (1 to 5), not {shown(what)}."
            )
    raise ValueError(f"{shown(text)} is no move: {HOW}.")


def wrong_with(view: np.record, seat: int, move: int) -> str:
    """What is wrong with a move that a seat wants to make, as a sentence that says what to do instead; "" where it is legal."""
    if is_over(view):
        return "The game is over: no more moves."
    if seat != view.me:
        return f"It is {NAMES[view.me]}'s turn, not yours. Your move waits for it."
    if is_legal(view, move):
        return ""
    if is_play(move) or is_discard(move):
        held = [str(slot) for slot in range(view.hand_size) if view.filled[seat] >> slot & 1]
        if str(slot_of(move)) not in held:
            return f"Slot {slot_of(move)} holds no card: yours are in {_list(held)}."
        return (
            f"You cannot discard with {counted(int(view.tokens), 'hint token')}, which are all there are: play a card, or tell "
            "somebody about theirs."
        )
    others = [NAMES[other] for other in range(view.players) if other != seat]
    target = int(target_of(move))
    if target >= view.players or target == seat:
        who = (
            "You cannot tell yourself"
            if target == seat
            else f"Nobody called {NAMES[target]} sits here"
        )
        return f"{who}: tell {_list(others, 'or')}."
    if view.tokens == 0:
        return "No hint token is left: play a card, or discard one, which brings a token back."
    colour = told_colour_of(move)
    what = COLOUR_NAMES[colour] if colour >= 0 else f"a {told_rank_of(move)}"
    return f"No card of {NAMES[target]}'s is {what}, and a hint must touch a card."


def did(move: int, you: bool = False) -> str:
    """A move as a verb: ``plays slot 2``, ``tells Cal green``, ``tells Cal 3s``; with ``you``: ``play slot 2``."""
    s = "" if you else "s"
    if is_play(move) or is_discard(move):
        return f"{'play' if is_play(move) else 'discard'}{s} slot {slot_of(move)}"
    colour = told_colour_of(move)
    return f"tell{s} {NAMES[target_of(move)]} {COLOUR_NAMES[colour] if colour >= 0 else f'{told_rank_of(move)}s'}"


def _list(words, last="and"):
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
