"""Why a seat makes its move: what it tried and what each move would bring, how sure it is of its cards, and who told it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hanabi.cards import card_text
from hanabi.lookahead.belief import ask_about, believe
from hanabi.lookahead.partners import SeatedRecogniser
from hanabi.lookahead.player import SeatedSearcher
from hanabi.lookahead.race import prepare
from hanabi.lookahead.workspace import SAMPLED
from hanabi.moves import SLOTS, move_text

LEAST = 0.1  # bits that a move tells; less may be chance, among SAMPLED hands


@dataclass(frozen=True)
class Candidate:
    """A move that was tried: what it brings more than the list's, ± ``error`` (0: exact), in so many ``worlds``."""

    move: int
    gain: float
    error: float
    worlds: int


@dataclass(frozen=True)
class HintEvidence:
    """A partner's move that told of a card: so many bits, by the hands with which the partner's list would make it."""

    turn: int
    move: int
    bits: float


@dataclass(frozen=True)
class Card:
    """What a seat believes of a card of its own: (card, chance), the likeliest first; and the move that told it most."""

    slot: int
    chances: tuple[tuple[int, float], ...]
    told: HintEvidence | None


@dataclass(frozen=True)
class SearchExplanation:
    """What a seat thought of in a turn. ``listed``: the list's move, by a ``rule``; ``move``: what it makes. ``candidates``: the list's
    move and what was tried beside it, the best first, or nothing (``searched``: whether it was to think at all). ``exact``: every hand
    that it may hold was tried to the end. ``taken``: whom it takes its partners for, such as ``for piers 97%``, where it finds that
    out.
    """

    turn: int
    listed: int
    rule: str
    move: int
    searched: bool
    exact: bool
    candidates: tuple[Candidate, ...]
    rollouts: int
    cards: tuple[Card, ...]
    taken: str = ""

    def data(self) -> dict:
        """As data that JSON can hold; slots and seats count from 0."""
        return dict(
            turn=self.turn,
            listed=move_text(self.listed),
            rule=self.rule,
            move=move_text(self.move),
            searched=self.searched,
            exact=self.exact,
            rollouts=self.rollouts,
            **({"taken": self.taken} if self.taken else {}),
            candidates=[
                dict(
                    move=move_text(one.move),
                    gain=round(one.gain, 4),
                    error=round(one.error, 4),
                    worlds=one.worlds,
                )
                for one in self.candidates
            ],
            cards=[
                dict(
                    slot=card.slot,
                    chances={card_text(one): round(chance, 4) for one, chance in card.chances},
                    told=card.told
                    and dict(
                        turn=card.told.turn,
                        move=move_text(card.told.move),
                        bits=round(card.told.bits, 3),
                    ),
                )
                for card in self.cards
            ],
        )


def thought_of(
    sitting: SeatedSearcher | SeatedRecogniser, view: np.record
) -> tuple[SearchExplanation, np.record]:
    """What one who thinks ahead thinks in a view that it is asked with, and what it sees there: of one who finds out who its partners are,
    with the marks of those whom it takes them for.
    """
    if isinstance(sitting, SeatedSearcher):
        return thought(sitting, view), view
    seat, mine, taken = sitting.seat(view)
    return replace(thought(seat, mine), taken=taken), mine


def thought(seat: SeatedSearcher, view: np.record) -> SearchExplanation:
    """What a seat thinks in a view that it is asked with."""
    room, player, mind = seat.room, seat.player, seat.room.mind
    place, listed = room.listed(view)
    searched, move = player.searches(view, listed), listed
    mind.candidates = 0
    if searched:
        move = room.think(player.search, view, listed)
    tried = (
        [
            Candidate(
                int(mind.moves[c]), float(mind.gains[c]), float(mind.errors[c]), int(mind.seen[c])
            )
            for c in range(mind.candidates)
        ]
        if searched and mind.worlds
        else []
    )
    tried.sort(key=lambda one: (one.move != move, -one.gain))
    exact, rollouts = (
        bool(view.deck == 0 and tried and mind.exact and not any(one.error for one in tried)),
        int(mind.used),
    )
    return SearchExplanation(
        int(view.turn),
        listed,
        player.follows.reason(place),
        move,
        searched,
        exact,
        tuple(tried),
        rollouts if searched else 0,
        _cards(seat, view, listed),
    )


def _cards(seat, view, listed):
    """What the seat believes of each of its cards, and which move of a partner told it most."""
    room, mind = seat.room, seat.room.mind
    room.settle(seat.player.search, view)
    prepare(view, listed, mind, room.records, room.past, room.lists)
    if believe(mind, room.past, room.records[2], room.lists) == 0:
        return ()
    weights, hands = mind.weights[: mind.count] / mind.total, mind.hands[: mind.count].copy()
    ask_about(mind, room.past, room.records[2], room.lists, SAMPLED)
    said, drawn = np.exp(-mind.unit * mind.costs[:SAMPLED, : mind.past]), mind.hands[:SAMPLED]
    found = []
    for slot in range(SLOTS):
        if mind.filled >> slot & 1:
            chances = {
                int(card): float(weights[hands[:, slot] == card].sum())
                for card in np.unique(hands[:, slot])
            }
            ordered = sorted(
                ((card, chance) for card, chance in chances.items() if chance > 0),
                key=lambda item: -item[1],
            )
            found.append(Card(slot, tuple(ordered), _told(mind, slot, said, drawn[:, slot])))
    return tuple(found)


def _told(mind, slot, said, cards):
    """The move after which the chances of a card differ most from what hints alone say; None where none says anything. ``said``: by
    hand and move, how likely the partner makes it.
    """
    best, before = None, np.bincount(cards, minlength=32) / len(cards)
    for k in range(mind.past):
        if mind.turns[k] >= mind.since[slot]:
            after = np.bincount(cards, said[:, k], minlength=32) / said[:, k].sum()
            there = after > 0
            bits = float((after[there] * np.log2(after[there] / before[there])).sum())
            if bits >= LEAST and (best is None or bits > best.bits):
                best = HintEvidence(int(mind.turns[k]), int(mind.made[k]), bits)
    return best
