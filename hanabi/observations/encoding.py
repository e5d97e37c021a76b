"""Write what a seat sees as a row of numbers, by a layout that says what each of them means.

The layout has a row per part, with its offset, its length and its meaning. The parts and their
order are those of the canonical encoder of the Hanabi Learning Environment (Bard et al. 2020),
which OpenSpiel and JaxMARL share. Seats count from the observer, 0; cards of a hand from the
oldest; colours go R Y G W B, the order in which ``action_ids`` numbers them. JaxMARL differs in the
knowledge of cards alone: its numbers there are shares of copies.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hanabi.action_ids import their_colours
from hanabi.backend import BITS_AT_ONCE, compiled, inlined, lowest, popcount, write_bits
from hanabi.backend.memory_layout import new_record
from hanabi.game import event_card, event_fits, event_move, event_slots
from hanabi.moves import (
    COLOURS,
    DISCARD,
    ROW,
    STRIDE,
    TELL_COLOUR,
    TELL_RANK,
    colour_of,
    copies_in,
    rank_of,
    target_of,
    told_colour_of,
    told_rank_of,
)
from hanabi.observations.past import PAST, begin_past, follow, place_of
from hanabi.state import State, View
from hanabi.variant import Variant, check_known

LAYOUTS: dict[str, np.dtype] = {
    "canonical": np.dtype(np.uint8),
    "canonical-float32": np.dtype(np.float32),
    "jaxmarl": np.dtype(np.float32),
}
"""The layouts by name, and the type of their numbers."""
# part: length, meaning
_PARTS: dict[str, tuple[Callable[[Variant], int], str]] = {
    "hands": (
        lambda v: (v.seats - 1) * v.hand_size * v.perfect,
        "the other hands, by seat and card: which of the {types} types",
    ),
    "missing": (lambda v: v.seats, "by seat: 1 where the hand has fewer cards than at the start"),
    "deck": (lambda v: v.cards - v.seats * v.hand_size, "as many ones as the deck has cards"),
    "fireworks": (lambda v: v.perfect, "by colour: which rank is on top; zeros without one"),
    "tokens": (lambda v: v.tokens, "as many ones as there are hint tokens"),
    "lives": (lambda v: v.lives, "as many ones as there are lives"),
    "discards": (
        lambda v: v.cards,
        "by type: as many ones as copies were discarded or misplayed, in as many places as it has "
        "copies",
    ),
    "mover": (lambda v: v.seats, "last move: which seat made it; zeros before the first move"),
    "kind": (lambda v: 4, "last move: play, discard, hint of a colour or hint of a rank"),
    "target": (lambda v: v.seats, "last move, a hint: which seat got it"),
    "colour told": (lambda v: v.colours, "last move, a hint: which colour"),
    "rank told": (lambda v: v.ranks, "last move, a hint: which rank"),
    "touched": (lambda v: v.hand_size, "last move, a hint: which cards it touched"),
    "place": (lambda v: v.hand_size, "last move, a play or discard: which card of the hand"),
    "card": (lambda v: v.perfect, "last move, a play or discard: which type"),
    "success": (lambda v: 1, "last move, a play: 1 where the card fitted"),
    "token": (lambda v: 1, "last move, a play: 1 where it brought a hint token back"),
    "knowledge": (
        lambda v: v.seats * v.hand_size * (v.perfect + v.colours + v.ranks),
        "by seat, the observer first, and card: the {types} types that hints leave possible, the "
        "colour that was told, the rank that was told",
    ),
}
PARTS = tuple(_PARTS)
"""The names of the parts, in their order."""


class Part(NamedTuple):
    """A part of an observation.

    Attributes:
        name: One of PARTS.
        start: Index of its first number.
        length: How many numbers it has.
        meaning: What its numbers mean.
    """

    name: str
    start: int
    length: int
    meaning: str


PLANES = 3  # of a pool, see hanabi/state.py

Format: TypeAlias = Any
"""A layout as kernels read it: a record of the data type ``FORMAT``."""
FORMAT = np.dtype(
    (
        np.record,
        [
            ("starts", "i8", len(PARTS) + 1),  # where each part starts; the length of them all
            ("colours", "i8", len(COLOURS)),  # our colour of each of their colours
            ("theirs", "i8", len(COLOURS)),  # their colour of each of ours
            ("shares", "i8"),  # 1: the knowledge of cards is shares of copies (JaxMARL)
            ("copies", "i8"),  # numbers of the discards of a colour, one for each copy
            ("discards", "i8", (PLANES, 1 << STRIDE)),  # their bits, by plane and the ranks in it
        ],
    )
)


@cache
def parts_of(variant: Variant) -> tuple[Part, ...]:
    """Return the parts of an observation of a variant with its players, in their order."""
    found, start = [], 0
    for name, (length, meaning) in _PARTS.items():
        found.append(Part(name, start, length(variant), meaning.format(types=variant.perfect)))
        start += found[-1].length
    return tuple(found)


def variant_of(view: View) -> Variant:
    """Return the variant of a game from a view of it."""
    copies = tuple(
        sum(int(plane) >> rank & 1 for plane in view.full) for rank in range(int(view.ranks))
    )
    return Variant(
        int(view.players),
        int(view.colours),
        int(view.ranks),
        copies,
        int(view.hand_size),
        int(view.max_tokens),
        int(view.max_lives),
        bool(view.colour_token),
        bool(view.last_round),
        bool(view.stop_when_hopeless),
    )


def observation_size(variant: Variant) -> int:
    """Return how many numbers an observation of a variant with its players has."""
    last = parts_of(variant)[-1]
    return last.start + last.length


@cache
def format_of(variant: Variant, name: str = "canonical") -> Format:
    """Return a layout for kernels.

    Args:
        variant: Variant with its players.
        name: One of LAYOUTS.

    Raises:
        ValueError: There is no such layout. One line.
    """
    check_known(name, LAYOUTS, "no layout")
    starts = [part.start for part in parts_of(variant)]
    colours = np.array(their_colours(variant.colours), np.int64)
    # the first discard of a type leaves the plane of the types with the most copies
    copies = [
        (plane, rank)
        for rank in range(variant.ranks)
        for plane in reversed(range(variant.copies[rank]))
    ]
    form = new_record(FORMAT)
    form.starts[:] = [*starts, observation_size(variant)]
    form.colours[: variant.colours] = colours
    form.theirs[: variant.colours] = np.argsort(colours)
    form.shares, form.copies = name == "jaxmarl", len(copies)
    for place, (plane, rank) in enumerate(copies):
        form.discards[plane] |= (np.arange(1 << STRIDE) >> rank & 1) << place
    return form


(
    HANDS,
    MISSING,
    DECK,
    FIREWORKS,
    TOKENS,
    LIVES,
    DISCARDS,
    MOVER,
    KIND,
    TARGET,
    COLOUR_TOLD,
    RANK_TOLD,
    TOUCHED,
    PLACE,
    CARD,
    SUCCESS,
    TOKEN,
    KNOWLEDGE,
    SIZE,
) = range(len(PARTS) + 1)
WIDE_COLOURS = 5  # from here on a card has BITS_AT_ONCE numbers or more: types, colours, ranks


@inlined
def _type_of(form, ranks, card):
    """Return their number of a card."""
    return form.theirs[colour_of(card)] * ranks + rank_of(card) - 1


@inlined
def _offset_of(view, me, seat):
    """Return how many seats after the observer a seat is."""
    return seat - me if seat >= me else seat - me + view.players


@inlined
def _is_wide(view):
    """Return whether BITS_AT_ONCE numbers fit from the deck on, and from each card on."""
    return view.ranks == STRIDE and view.colours >= WIDE_COLOURS


@inlined
def _write_types(view, form, mask, out, at):
    """Write the types that a set of types leaves for a card."""
    colours, ranks = view.colours, view.ranks
    if _is_wide(view):
        types = 0
        for theirs in range(colours):
            types |= (mask >> STRIDE * form.colours[theirs] & ROW) << STRIDE * theirs
        write_bits(types, out, at)
        return
    for theirs in range(colours):
        for rank in range(ranks):
            out[at + rank] = mask >> STRIDE * form.colours[theirs] + rank & 1
        at += ranks


@inlined
def _write_shares(view, form, mask, out, at):
    """Write for each type its share of the copies that a set of types leaves for a card."""
    copies = copies_in(mask, view.pool[0], view.pool[1], view.pool[2])
    for theirs in range(view.colours):
        for rank in range(view.ranks):
            bit = mask & 1 << STRIDE * form.colours[theirs] + rank
            out[at + rank] = copies_in(bit, view.pool[0], view.pool[1], view.pool[2]) / copies
        at += view.ranks


@inlined
def _write_cards(view, hands, me, past, form, out):
    """Write the hands and what each seat knows of its own."""
    # what is read again and again is in local variables: a write to ``out`` may be one to the view
    players, size, colours, ranks = view.players, view.hand_size, view.colours, view.ranks
    types, is_shares = colours * ranks, form.shares != 0
    width = types + colours + ranks
    row, known, missing = form.starts[HANDS], form.starts[KNOWLEDGE], form.starts[MISSING]
    for offset in range(players):
        seat = me + offset if me + offset < players else me + offset - players
        filled = view.filled[seat]
        told_colour, told_rank = past.told_colour[seat], past.told_rank[seat]
        if popcount(filled) < size:
            out[missing + offset] = 1
        for slot in range(size):
            if filled >> slot & 1 == 0:
                continue
            place, mask = place_of(past, seat, slot), view.mask[seat, slot]
            if offset > 0:
                out[row + place * types + _type_of(form, ranks, hands[seat, slot])] = 1
            at = known + place * width
            if is_shares:
                _write_shares(view, form, mask, out, at)
            else:
                _write_types(view, form, mask, out, at)
            # one that was told is the same of all types that are left
            one = lowest(mask)
            out[at + types + form.theirs[colour_of(one)]] = told_colour >> slot & 1
            out[at + types + colours + rank_of(one) - 1] = told_rank >> slot & 1
        row += size * types if offset > 0 else 0
        known += size * width


@inlined
def _write_ones(view, out, at, count, length):
    """Write some ones, and zeros up to a length, or beyond: what lies there is written later."""
    if _is_wide(view):
        for first in range(0, length, BITS_AT_ONCE):
            left = min(max(count - first, 0), BITS_AT_ONCE)
            write_bits((1 << left) - 1, out, at + first)
    else:
        for place in range(at, at + count):
            out[place] = 1


@inlined
def _write_bits(view, bits, length, out, at):
    """Write the lowest bits of a number, and zeros behind them, where more is written later."""
    if _is_wide(view):
        write_bits(bits, out, at)
    else:
        for place in range(length):
            out[at + place] = bits >> place & 1


@inlined
def _write_board(view, form, out):
    """Write the deck, the fireworks, tokens, lives and discards."""
    # few branches: the processor cannot predict them, since each game is another one
    deck, fireworks, ranks = form.starts[DECK], form.starts[FIREWORKS], view.ranks
    _write_ones(view, out, deck, view.deck, fireworks - deck)
    _write_ones(view, out, form.starts[TOKENS], view.tokens, view.max_tokens)
    _write_ones(view, out, form.starts[LIVES], view.lives, view.max_lives)
    for theirs in range(view.colours):
        height = view.fireworks[form.colours[theirs]]
        out[fireworks + theirs * ranks + max(height, 1) - 1] = 1 if height > 0 else 0
    gone = (
        view.full[0] & ~view.alive[0],
        view.full[1] & ~view.alive[1],
        view.full[2] & ~view.alive[2],
    )
    at = form.starts[DISCARDS]
    for theirs in range(view.colours):
        shift, copies = STRIDE * form.colours[theirs], 0
        for plane in range(PLANES):
            copies |= form.discards[plane, gone[plane] >> shift & ROW]
        _write_bits(view, copies, form.copies, out, at)
        at += form.copies


@inlined
def _write_last_move(view, me, past, form, out):
    """Write the last move, if there is one."""
    if view.turn == 0:
        return
    event = view.history[view.turn - 1]
    move = event_move(event)
    mover = view.me - 1 if view.me > 0 else view.players - 1
    out[form.starts[MOVER] + _offset_of(view, me, mover)] = 1
    if move < TELL_COLOUR:
        is_discard = 1 if move >= DISCARD else 0
        out[form.starts[KIND] + is_discard] = 1
        out[form.starts[PLACE] + past.place] = 1
        out[form.starts[CARD] + _type_of(form, view.ranks, event_card(event))] = 1
        if is_discard == 0 and event_fits(event):
            out[form.starts[SUCCESS]] = 1
            out[form.starts[TOKEN]] = past.regained
        return
    target = target_of(move)
    out[form.starts[TARGET] + _offset_of(view, me, target)] = 1
    if move < TELL_RANK:
        out[form.starts[KIND] + 2] = 1
        told = form.theirs[told_colour_of(move)]
        out[form.starts[COLOUR_TOLD] + told] = 1
    else:
        out[form.starts[KIND] + 3] = 1
        out[form.starts[RANK_TOLD] + told_rank_of(move) - 1] = 1
    for slot in range(view.hand_size):
        at = form.starts[TOUCHED] + place_of(past, target, slot)
        out[at] = event_slots(event) >> slot & 1


@compiled
def write_observation(
    view: View, hands: np.ndarray, me: int, past: np.record, form: Format, out: np.ndarray
) -> None:
    """Write the observation of a seat.

    Args:
        view: VIEW, of any seat.
        hands: int64 (seats, slots): all hands; the row of ``me`` is not read.
        me: The seat that observes.
        past: PAST that has followed every move of the view.
        form: The layout.
        out: uint8 or float32 (form.starts[-1],), filled in.
    """
    for i in range(len(out)):
        out[i] = 0
    _write_cards(view, hands, me, past, form, out)
    _write_board(view, form, out)
    _write_last_move(view, me, past, form, out)


def new_past(view: View) -> np.record:
    """Return a PAST that has followed every move of a view."""
    past = new_record(PAST)
    begin_past(past, view)
    follow(past, view)
    return past


def encode(
    view: View,
    out: np.ndarray | None = None,
    layout: str = "canonical",
    state: State | None = None,
    seat: int | None = None,
) -> np.ndarray:
    """Return the observation of the seat to move, or of another seat.

    Args:
        view: VIEW of a game from its deal on, with all its moves.
        out: Array that is filled in and returned; a new one by default.
        layout: One of LAYOUTS.
        state: State of the game, for another seat than the one to move.
        seat: The other seat.

    Raises:
        ValueError: The layout or the array does not fit. One line.
    """
    form = format_of(variant_of(view), layout)
    size, dtype = int(form.starts[SIZE]), LAYOUTS[layout]
    if out is None:
        out = np.zeros(size, dtype)
    if out.shape != (size,) or out.dtype != dtype:
        raise ValueError(
            f"an observation in the layout {layout} needs {size} numbers of type {dtype}, not "
            f"an array of shape {out.shape} and type {out.dtype}"
        )
    if seat is not None and seat != view.me and state is None:
        raise ValueError("the observation of a seat that is not to move needs the state: state=…")
    me = int(view.me) if seat is None else seat
    hands = view.hands if me == view.me or state is None else state.hands
    write_observation(view, hands, me, new_past(view), form, out)
    return out
