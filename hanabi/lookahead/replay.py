"""Replay of the game as a seat saw it: what each partner saw before each of its moves.

A view holds all moves and all cards that came to light; the cards that I still hold are hidden, so
a hand that the hints allow takes their place. That changes nothing that is not patched before a
partner's move is evaluated (``belief.cost_of_move``): hints point at the same slots whichever of
these hands I hold, and marks follow from public information alone. A number of a code that does
not fit the hand is one that I read otherwise, and no partner (``told.guessed``).
"""

import numpy as np

from hanabi.backend import compiled, copy_record
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, event_card, event_move
from hanabi.lookahead.workspace import ASSUMED, LITERAL, MISFIT, PAST, PROMISED, Planes, Workspace
from hanabi.moves import (
    SEATS,
    SLOTS,
    TELL_COLOUR,
    slot_of,
    unpack_pool,
    with_copy,
    without_copy,
)
from hanabi.records import Record
from hanabi.state import FACTS, State, View

FACTS_DTYPE = np.dtype((Record, FACTS))  # the part of a view that rules may not change
OWN_HAND = np.dtype(
    (
        np.record,
        [
            ("me", "i8"),
            ("filled", "i8"),  # bits of my slots that hold a card
            ("pool", "i8", 3),  # the cards that I do not see, as planes
            ("masks", "i8", (3, SLOTS)),  # by level: the types that each card may be
            ("since", "i8", SLOTS),  # the first turn at which I held each card
            ("places", "i8", (SEATS, SLOTS)),  # of each held card in the order of drawing
        ],
    )
)
PARTNER_MOVES = np.dtype(
    (
        np.record,
        [
            ("count", "i8"),
            ("turns", "i8", PAST),  # the oldest first
            ("moves", "i8", PAST),
            (
                "soft_costs",
                "i8",
                PAST,
            ),  # most that a hand costs with which the list moves otherwise
            ("hard_costs", "i8", PAST),  # the same where just one of the two moves is a play
        ],
    )
)


@compiled
def pool_of(work: Workspace) -> Planes:
    """Return the planes of the cards that I do not see."""
    pool = work.own.pool
    return pool[0], pool[1], pool[2]


@compiled
def read_own_hand(view: View, work: Workspace) -> None:
    """Copy from a view what the seat to move knows of its cards, by hints and by marks."""
    own = work.own
    work.partner_moves.count = 0
    own.me, own.filled = view.me, view.filled[view.me]
    for plane in range(3):
        own.pool[plane] = view.unseen[plane]
    for slot in range(SLOTS):
        literal = promised = assumed = view.mask[view.me, slot] & view.unseen[0]
        if view.lists > 0 and view.list_of[view.me] >= 0:
            marks = view.marks[view.list_of[view.me]]
            promised = marks.promised[view.me, slot] & literal
            if promised == 0:
                promised = literal
            assumed = marks.assumed[view.me, slot] & literal
            if assumed == 0:
                assumed = promised
        own.masks[LITERAL, slot] = literal
        own.masks[PROMISED, slot] = promised
        own.masks[ASSUMED, slot] = assumed


@compiled
def read_own_hand_during_replay(now: View, state: State, work: Workspace) -> None:
    """Copy from a replayed position what I know by hints, though another seat is to move there."""
    own = work.own
    for plane in range(3):
        own.pool[plane] = state.unseen[plane, own.me]
    own.filled = now.filled[own.me]
    for slot in range(SLOTS):
        own.masks[LITERAL, slot] = now.mask[own.me, slot] & own.pool[0]
        own.since[slot] = 0


@compiled
def trace_draws(view: View, work: Workspace) -> None:
    """Write the known order of drawing into ``state.sorted``, and find the held cards in it."""
    own, state = work.own, work.records.state
    drawn = view.players * view.hand_size
    for seat in range(SEATS):
        for slot in range(SLOTS):
            own.places[seat, slot] = seat * view.hand_size + slot
    for slot in range(SLOTS):
        own.since[slot] = 0
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if move < TELL_COLOUR:
            seat, slot = turn % view.players, slot_of(move)
            state.sorted[own.places[seat, slot]] = event_card(view.history[turn])
            own.places[seat, slot] = drawn
            drawn += 1
            if seat == view.me:
                own.since[slot] = turn + 1


@compiled
def complete_deck(view: View, work: Workspace) -> None:
    """Complete the order of drawing: partners' hands, row 0 of the belief as mine, and the rest."""
    own, state = work.own, work.records.state
    unseen = pool_of(work)
    for seat in range(view.players):
        for slot in range(SLOTS):
            if view.filled[seat] >> slot & 1:
                card = view.hands[seat, slot]
                if seat == view.me:
                    card = work.belief.hands[0, slot]
                    unseen = without_copy(1 << card, unseen[0], unseen[1], unseen[2])
                state.sorted[own.places[seat, slot]] = card
    unpack_pool(unseen, state.sorted, state.cards - view.deck)


@compiled
def remember(work: Workspace, now: View, move: int) -> None:
    """Keep what the seat to move sees before its move.

    My cards that came to light later are shown as known to it; those that I still hold are not.
    """
    own, moves, settings = work.own, work.partner_moves, work.settings
    k, me, held = moves.count, own.me, 0
    seen = work.partner_views[k]
    copy_record(now, seen)
    unseen = now.unseen[0], now.unseen[1], now.unseen[2]
    for slot in range(SLOTS):
        card = now.hands[me, slot]
        bit = (1 << card) if card >= 0 else 0
        if own.filled >> slot & 1 and own.since[slot] <= now.turn:
            unseen = with_copy(bit, unseen[0], unseen[1], unseen[2])
        else:
            held |= bit
    for plane in range(3):
        seen.unseen[plane] = unseen[plane]
    seen.held[me] = held
    searches = now.deck <= settings.search_deck[now.me]
    searches_plays = searches and now.deck <= settings.play_deck[now.me]
    moves.turns[k], moves.moves[k] = now.turn, move
    moves.soft_costs[k] = MISFIT if searches else 2 * MISFIT
    moves.hard_costs[k] = MISFIT if searches_plays else 2 * MISFIT
    moves.count = k + 1


@compiled
def start_replay(view: View, work: Workspace) -> None:
    """Deal the game of a view again, with row 0 of the belief as my hand."""
    state, now, _ = work.records
    trace_draws(view, work)
    complete_deck(view, work)
    seat_players(now, work.lists.plans, work.lists.seats, 0)
    deal(state, now, np.uint64(0))
    now.told.guessed = 1 + work.own.me


@compiled
def replay(view: View, work: Workspace) -> None:
    """Replay the game of a view, and remember partners' moves since I held one of my cards.

    Leaves in ``partner_views`` what partners saw, and in ``records.now`` the current position.
    """
    own = work.own
    state, now, _ = work.records
    start_replay(view, work)
    first = view.turn
    for slot in range(SLOTS):
        if own.filled >> slot & 1:
            first = min(first, own.since[slot])
    first = max(first, view.turn - PAST)
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if now.me != own.me and turn >= first:
            remember(work, now, move)
        apply(state, now, move)
    now.told.guessed = 0
    now.word = view.word
