"""The rules of the game: dealing, legality, and what a move does to the records of state.py.

Conventions get every deal and every move by one address in the view (``view.reader``).

``steps`` walks through a game in Python, for all that plays, replays, checks or describes it.
Compiled play has its own loop (``game_loop``); tests compare the two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from hanabi.backend import call_address, compiled, inlined, memory_layout
from hanabi.moves import (
    ALL,
    DISCARD,
    END,
    FORFEIT,
    NAMES,
    NO_CARD,
    PLAY,
    SEATS,
    SLOTS,
    STRIDE,
    TELL_COLOUR,
    TELL_RANK,
    card_text,
    colour_set,
    colours_in,
    is_tell,
    move_text,
    rank_set,
    ranks_in,
    slot_of,
    target_of,
    without_copy,
)
from hanabi.state import CARDS, HISTORY, TABLE, VIEW, State, View
from hanabi.variant import Variant

_GOLDEN, _MIX1, _MIX2 = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
_OTHER_STREAM = np.uint64(0xD1B54A32D192ED03)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@inlined
def mix(x: np.uint64) -> np.uint64:
    """Return a random word from a counter: the finaliser of splitmix64 (Steele et al. 2014)."""
    x = (x ^ (x >> _30)) * _MIX1
    x = (x ^ (x >> _27)) * _MIX2
    return x ^ (x >> _31)


@inlined
def random_word(seed: np.uint64, turn: int) -> int:
    """Return the random word of a turn, from another stream than the shuffle.

    It is a permutation xor its argument, so that the seed does not follow from it.
    """
    x = mix(seed ^ _OTHER_STREAM) + np.uint64(turn) * _GOLDEN
    return int(np.int64(mix(x) ^ x))


@compiled
def below(word: int | np.uint64, n: int) -> int:
    """Return a number from 0 to n-1 out of a random word; uneven by less than n / 2³²."""
    return int(np.int64(((np.uint64(word) >> _32) * np.uint64(n)) >> _32))


@compiled
def _forget(planes, seat, card):
    """Take a copy of a card that a seat has seen out of its unseen pool."""
    planes[0, seat], planes[1, seat], planes[2, seat] = without_copy(
        1 << card, planes[0, seat], planes[1, seat], planes[2, seat]
    )


@compiled
def _take(pool, card):
    """Take one copy of a card out of a pool of three planes."""
    pool[0], pool[1], pool[2] = without_copy(1 << card, pool[0], pool[1], pool[2])


@compiled
def _draw(table, view, seat, slot):
    place = table.cards - view.deck
    if table.forced == 0:
        other = place + below(mix(table.seed + np.uint64(place) * _GOLDEN), view.deck)
        card = np.int64(table.deck[other])
        table.deck[other] = table.deck[place]
        table.deck[place] = card
    else:
        card = np.int64(table.deck[place])
    view.deck -= 1
    bit = 1 << card
    for other in range(
        SEATS
    ):  # all five, seated or not: the compiler makes one wide instruction of it
        b = 0 if other == seat else bit
        table.unseen[0, other], table.unseen[1, other], table.unseen[2, other] = without_copy(
            b, table.unseen[0, other], table.unseen[1, other], table.unseen[2, other]
        )
    here = 1 << slot
    table.hands[seat, slot] = card
    view.mask[seat, slot] = view.full[0]
    view.born[seat, slot] = place
    view.filled[seat] |= here
    view.touched[seat] &= ~here
    view.knows_colour[seat] = view.knows_colour[seat] & ~here | (here if view.colours == 1 else 0)
    view.knows_rank[seat] = view.knows_rank[seat] & ~here | (here if view.ranks == 1 else 0)


@inlined
def _show(table, view, seat):
    held = 0
    for slot in range(SLOTS):
        card = table.hands[seat, slot]
        view.hands[seat, slot] = card
        held |= (1 << card) if card >= 0 else 0
    view.held[seat] = held


@inlined
def blank(table: State, view: View) -> None:
    """Make the view that of the seat to move: its own hand blank, other hands shown, memo empty."""
    me = view.me
    for slot in range(SLOTS):
        view.hands[me, slot] = NO_CARD
    view.held[me] = 0
    for plane in range(3):
        view.unseen[plane] = table.unseen[plane, me]
    view.word = random_word(table.seed, view.turn)
    view.asked = 0


@compiled
def deal(table: State, view: View, seed: int | np.uint64) -> None:
    """Deal a new game.

    The first hand_size cards go to seat 0, slot 0 first, then to seat 1, and so on. With
    ``table.forced`` the deck is drawn in the order of ``table.sorted``.
    """
    table.seed = np.uint64(seed)
    # loops: numba compiles two seconds of text formatting into the first ``a[:] = b``
    for place in range(table.cards):
        table.deck[place] = table.sorted[place]
    view.turn = view.score = 0
    view.tokens, view.lives, view.deck, view.left, view.me = (
        view.max_tokens,
        view.max_lives,
        table.cards,
        -1,
        0,
    )
    view.dead = view.useless = 0
    view.playable = view.full[0] & rank_set(1)
    for colour in range(len(view.fireworks)):
        view.fireworks[colour] = 0
    for plane in range(3):
        view.alive[plane] = view.pool[plane] = view.full[plane]
        for seat in range(SEATS):
            table.unseen[plane, seat] = view.full[plane]
    for seat in range(SEATS):
        view.held[seat] = view.filled[seat] = view.touched[seat] = view.knows_colour[
            seat
        ] = view.knows_rank[seat] = 0
        for slot in range(SLOTS):
            view.hands[seat, slot] = table.hands[seat, slot] = NO_CARD
            view.mask[seat, slot], view.born[seat, slot] = 0, -1
    for turn in range(HISTORY):
        view.history[turn] = 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            _draw(table, view, seat, slot)
        _show(table, view, seat)
    if view.lists != 0:
        call_address(view.reader, view, 0.0)
    blank(table, view)


@compiled
def touched_by(view: View, seat: int, cards: int) -> int:
    """Bits of the slots of a seat whose cards are in a set of types: what a hint would point at."""
    slots, cards = 0, cards & ALL  # an empty slot's -1 asks for bit 63, which is 0: no branch
    for slot in range(SLOTS):
        slots |= (cards >> (view.hands[seat, slot] & 63) & 1) << slot
    return slots


@compiled
def told_cards(move: int) -> int:
    """Return the set of types that a hint tells about."""
    return (
        colour_set((move - TELL_COLOUR) % 6)
        if move < TELL_RANK
        else rank_set((move - TELL_RANK) % 5 + 1)
    )


@inlined
def is_legal(view: View, move: int) -> bool:
    """Return whether the seat to move may make this move; FORFEIT and NOTHING are not legal."""
    me = view.me
    if move < PLAY or move >= END:
        return False
    if move < TELL_COLOUR:
        slot = slot_of(move)
        return view.filled[me] >> slot & 1 == 1 and (
            move < DISCARD or view.tokens < view.max_tokens
        )
    seat = target_of(move)
    return (
        view.tokens > 0
        and seat != me
        and seat < view.players
        and view.held[seat] & told_cards(move) != 0
    )


@inlined
def is_over(view: View) -> bool:
    """Return whether the game has ended."""
    return (
        view.lives == 0
        or view.left == 0
        or view.full[0] & ~view.dead == 0
        or (view.stop_when_hopeless != 0 and view.full[0] & ~view.useless == 0)
    )


@inlined
def _hint(view, move):
    """Make a hint, positive and negative; return the bits of the slots it points at."""
    seat, cards = target_of(move), told_cards(move)
    slots = touched_by(view, seat, cards)
    colour_told = move < TELL_RANK
    known = view.knows_colour[seat] if colour_told else view.knows_rank[seat]
    for slot in range(
        SLOTS
    ):  # without a branch, so that all slots go at once (6 % of a game's time)
        mask = view.mask[seat, slot] & (
            cards ^ ((slots >> slot & 1) - 1)
        )  # cards, or ~cards where not touched
        view.mask[seat, slot] = mask
        kinds = colours_in(mask) if colour_told else ranks_in(mask)
        known |= ((1 if kinds != 0 else 0) & (1 if kinds & (kinds - 1) == 0 else 0)) << slot
    if colour_told:
        view.knows_colour[seat] = known
    else:
        view.knows_rank[seat] = known
    view.touched[seat] |= slots
    view.tokens -= 1
    return slots


@inlined
def _reveal(table, view, move):
    """Play or discard a card. Returns the card plus 1, and 256 more where a play fitted."""
    me, slot = view.me, slot_of(move)
    card = table.hands[me, slot]
    bit = 1 << card
    _forget(table.unseen, me, card)
    _take(view.pool, card)
    fits = move < DISCARD and view.playable & bit != 0
    if fits:
        colour, rank = card // STRIDE, card % STRIDE + 1
        view.fireworks[colour] = rank
        view.score += 1
        view.dead |= bit
        view.useless |= bit
        view.playable ^= bit
        if rank < view.ranks:
            view.playable |= bit << 1
        elif view.colour_token != 0 and view.tokens < view.max_tokens:
            view.tokens += 1
    else:
        if move < DISCARD:
            view.lives -= 1
        else:
            view.tokens += 1
        _take(view.alive, card)
        if (
            view.alive[0] & bit == 0 and view.dead & bit == 0
        ):  # the last copy: nothing above it can be played
            view.useless |= colour_set(card // STRIDE) & ~(bit - 1) & view.full[0]
    table.hands[me, slot] = NO_CARD
    view.filled[me] &= ~(1 << slot)
    view.mask[me, slot] = 0
    view.born[me, slot] = -1
    here = ~(1 << slot)
    view.touched[me] &= here
    view.knows_colour[me] &= here
    view.knows_rank[me] &= here
    if view.deck > 0:
        _draw(table, view, me, slot)
    return card + 1 + (256 if fits else 0)


@inlined
def apply(table: State, view: View, move: int) -> None:
    """Make a legal move, and turn the view to the next seat."""
    # tried, all within 2 % of this: a table of told_cards and target_of by move; drawing and
    # forgetting in one pass over the planes; showing the mover's row before the move, so that no
    # wide load follows a narrow store
    me = view.me
    last = view.left
    if view.lists != 0:
        call_address(view.reader, view, float(move))
    if move < TELL_COLOUR:
        view.history[view.turn] = move | _reveal(table, view, move) << 16
        if view.deck == 0 and last < 0:
            view.left = view.players if view.last_round else 0
    else:
        view.history[view.turn] = move | _hint(view, move) << 8
    if last > 0:
        view.left = last - 1
    _show(table, view, me)
    view.turn += 1
    view.me = me + 1 if me + 1 < view.players else 0
    if view.lists != 0:
        call_address(view.reader, view, -1.0)
    blank(table, view)


@compiled
def event_move(event: int) -> int:
    """Return the move of an event of the history."""
    return event & 255


@compiled
def event_slots(event: int) -> int:
    """Bits of the slots that a hint pointed at."""
    return event >> 8 & 255


@compiled
def event_card(event: int) -> int:
    """Return the card that was played or discarded, or -1 for a hint."""
    return (event >> 16 & 255) - 1


@compiled
def event_fits(event: int) -> bool:
    """Was it a play that fitted?"""
    return event >> 24 & 1 == 1


def new_state(variant: Variant, deck: list[int] | None = None) -> tuple[np.record, np.record]:
    """Return (state, view) for a variant with its players; call ``deal`` next.

    Args:
        variant: The variant.
        deck: Cards in the order of drawing; without it they follow from the seed.

    Raises:
        ValueError: where the cards of ``deck`` are not those of the variant.
    """
    table = memory_layout.new_record(TABLE, memory_layout.PAGE // 2)  # beside a view's history
    view = memory_layout.new_record(VIEW)
    cards = variant.deck()
    if deck is not None and sorted(deck) != cards:
        raise ValueError(
            f"a deck of this variant has the {len(cards)} cards of {variant}, each as often as it "
            "stands there"
        )
    table.cards, table.forced = len(cards), deck is not None
    table.sorted[: len(cards)] = cards if deck is None else deck
    view.players, view.colours, view.ranks = variant.players, variant.colours, variant.ranks
    view.hand_size, view.max_tokens, view.max_lives = (
        variant.hand_size,
        variant.tokens,
        variant.lives,
    )
    view.colour_token, view.last_round, view.stop_when_hopeless = (
        variant.colour_token,
        variant.last_round,
        variant.stop_when_hopeless,
    )
    for plane in range(3):
        view.full[plane] = sum(1 << card for card in set(cards) if cards.count(card) > plane)
    return table, view


@compiled
def _settle(table, place, out):
    for here in range(len(out)):
        out[here] = table.deck[here]
    if table.forced == 0:  # the shuffle of _draw, without drawing
        for here in range(place, table.cards):
            other = here + below(mix(table.seed + np.uint64(here) * _GOLDEN), table.cards - here)
            out[here], out[other] = out[other], out[here]


def cards_to_draw(table: np.record, view: np.record) -> list[int]:
    """Return the cards of the deck in the order of drawing; they are shuffled only then."""
    place, out = int(table.cards - view.deck), np.zeros(CARDS, np.int64)
    _settle(table, place, out)
    return [int(card) for card in out[place : table.cards]]


def legal_moves(view: np.record) -> list[int]:
    """Every legal move of the seat to move, by number."""
    return [move for move in range(PLAY, END) if is_legal(view, move)]


class Choice(NamedTuple):
    """A move, the reason for it, and the place of the rule in its list (0 without a list)."""

    move: int
    reason: str = ""
    place: int = 0


class Step(NamedTuple):
    """A turn before its move is made.

    ``state`` and ``view`` are the records that the game is played on: they change at the next step.
    """

    turn: int
    seat: int
    state: np.record
    view: np.record
    move: int
    reason: str
    place: int

    def __repr__(self) -> str:
        """Return such as ``Step(turn 12, Bob plays Y1)``."""
        return f"Step(turn {self.turn}, {NAMES[self.seat]} {self._said()})"

    def _said(self):
        if self.move == FORFEIT:
            return "forfeits"
        verb, _, what = move_text(self.move).partition(" ")
        if is_tell(self.move):
            return f"tells {what}"
        card = self.state.hands[self.seat, slot_of(self.move)]
        if self.view.turn > self.turn:  # another card may be there by now
            card = event_card(self.view.history[self.turn])
        return f"{verb}s {card_text(int(card))}"


def steps(
    state: np.record, view: np.record, choose: Callable[[np.record], Choice | None]
) -> Iterator[Step]:
    """Yield every turn before its move, from the position in two records to the end.

    The walk ends when the game is over, after a forfeit, or when ``choose`` returns None. The
    records are played on.

    Args:
        state: TABLE of the game.
        view: VIEW of the seat to move.
        choose: Function of the view that returns a legal move or FORFEIT, or None.
    """
    while not is_over(view):
        choice = choose(view)
        if choice is None:
            return
        yield Step(int(view.turn), int(view.me), state, view, *choice)
        if choice.move == FORFEIT:
            return
        apply(state, view, choice.move)


def finish(turns: Iterable[Step]) -> None:
    """Play a walk of ``steps`` to its end."""
    deque(turns, maxlen=0)


def choose_given_moves(moves: Iterable[int]) -> Callable[[np.record], Choice | None]:
    """Return a ``choose`` for ``steps`` that makes given moves, then None."""
    left = iter(moves)

    def choose(view):
        move = next(left, None)
        return None if move is None else Choice(move)

    return choose


def snapshots(walk: Iterable[Step]) -> list[tuple[np.record, np.record]]:
    """Return copies of (state, view) before every move of a walk, and after the last one."""
    found, step = [], None
    for step in walk:
        found.append((step.state.copy(), step.view.copy()))
    return [*found, (step.state, step.view)] if step else []
