"""Explanation of a search: values of the candidates, beliefs about cards, and their evidence."""

from dataclasses import dataclass, replace

import numpy as np

from hanabi.lookahead.belief import fill_belief, sample_costs
from hanabi.lookahead.look_ahead_player import SeatedSearcher
from hanabi.lookahead.partners import SeatedRecogniser
from hanabi.lookahead.race import prepare
from hanabi.lookahead.workspace import SAMPLED
from hanabi.moves import SLOTS, card_text, move_text

LEAST = 0.1  # bits of evidence; less may be chance, among SAMPLED hands


@dataclass(frozen=True)
class Candidate:
    """A move that was tried.

    Attributes:
        move: the move.
        gain: points more than the list's move brings.
        error: standard error of the gain, 0 for an exact one.
        worlds: worlds in which it was played out.
    """

    move: int
    gain: float
    error: float
    worlds: int

    def data(self) -> dict:
        """Return it as data that JSON can hold."""
        return dict(
            move=move_text(self.move),
            gain=round(self.gain, 4),
            error=round(self.error, 4),
            worlds=self.worlds,
        )


@dataclass(frozen=True)
class HintEvidence:
    """A partner's move that gives evidence on a card, in bits.

    It counts the hands with which the partner's list would make the move.
    """

    turn: int
    move: int
    bits: float

    def data(self) -> dict:
        """Return it as data that JSON can hold."""
        return dict(turn=self.turn, move=move_text(self.move), bits=round(self.bits, 3))


@dataclass(frozen=True)
class Card:
    """The belief about one of the seat's cards.

    Attributes:
        slot: where the seat holds it.
        chances: (card, chance), the likeliest first.
        told: the move that gave most evidence, if one did.
    """

    slot: int
    chances: tuple[tuple[int, float], ...]
    told: HintEvidence | None

    def data(self) -> dict:
        """Return it as data that JSON can hold."""
        return dict(
            slot=self.slot,
            chances={card_text(card): round(chance, 4) for card, chance in self.chances},
            told=self.told and self.told.data(),
        )


@dataclass(frozen=True)
class SearchExplanation:
    """What a look-ahead seat found in one turn.

    Attributes:
        turn: the turn.
        listed: the list's move.
        rule: the rule that makes it.
        move: the move that the seat makes.
        searched: whether it searched.
        exact: whether every hand that it may hold was tried to the end.
        candidates: the list's move and the others that were tried, the best first.
        rollouts: games that were played to their end.
        cards: the belief about its cards.
        taken: whom a recogniser takes its partners for, such as ``for piers 97%``.
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
        """Return it as data that JSON can hold; slots and seats count from 0."""
        return dict(
            turn=self.turn,
            listed=move_text(self.listed),
            rule=self.rule,
            move=move_text(self.move),
            searched=self.searched,
            exact=self.exact,
            rollouts=self.rollouts,
            **({"taken": self.taken} if self.taken else {}),
            candidates=[candidate.data() for candidate in self.candidates],
            cards=[card.data() for card in self.cards],
        )


def explain_seat(
    seat: SeatedSearcher | SeatedRecogniser, view: np.record
) -> tuple[SearchExplanation, np.record]:
    """Return the explanation of a seat's move in a view, and the view that it decides in.

    For a recogniser that view has the marks of the lists that it takes its partners for.
    """
    if isinstance(seat, SeatedSearcher):
        return explain_search(seat, view), view
    searcher, mine, taken = seat.replying_searcher(view)
    return replace(explain_search(searcher, mine), taken=taken), mine


def explain_search(seat: SeatedSearcher, view: np.record) -> SearchExplanation:
    """Return the explanation of a searcher's move in a view."""
    context, player = seat.context, seat.player
    place, listed = context.listed(view)
    searched, move = seat.searches(view, listed), listed
    candidates: list[Candidate] = []
    is_exact, rollouts = False, 0
    if searched:
        move = context.search(seat.search, view, listed)
        candidates = _candidates(context.work.race, move)
        is_exact = bool(view.deck == 0 and candidates and context.work.belief.is_exact)
        is_exact = is_exact and not any(candidate.error for candidate in candidates)
        rollouts = int(context.work.race.rollouts)
    return SearchExplanation(
        int(view.turn),
        listed,
        player.follows.reason(place),
        move,
        searched,
        is_exact,
        tuple(candidates),
        rollouts,
        _cards(seat, view, listed),
    )


def _candidates(race, move):
    """Return the candidates of a race that was run: first the move, then by gain."""
    if not race.worlds:
        return []
    columns = (race.moves, race.gains, race.errors, race.played)
    rows = zip(*(column[: race.count].tolist() for column in columns))
    return sorted(
        (Candidate(*row) for row in rows),
        key=lambda candidate: (candidate.move != move, -candidate.gain),
    )


def _cards(seat, view, listed):
    """Return what the seat believes of each of its cards, with the best evidence on it."""
    seat.context.configure(seat.search, view)
    work = seat.context.work
    belief, own = work.belief, work.own
    prepare(view, listed, work)
    if fill_belief(work) == 0:
        return ()
    weights = belief.weights[: belief.count] / belief.total
    hands = belief.hands[: belief.count].copy()
    sample_costs(work, SAMPLED)
    costs, drawn = belief.costs[:SAMPLED, : work.partner_moves.count], belief.hands[:SAMPLED]
    likelihoods = np.exp(-work.settings.unit * costs)
    cards = []
    for slot in range(SLOTS):
        if own.filled >> slot & 1:
            chances = [
                (int(card), float(weights[hands[:, slot] == card].sum()))
                for card in np.unique(hands[:, slot])
            ]
            ordered = sorted((row for row in chances if row[1] > 0), key=lambda row: -row[1])
            cards.append(
                Card(slot, tuple(ordered), _evidence(work, slot, likelihoods, drawn[:, slot]))
            )
    return tuple(cards)


def _evidence(work, slot, likelihoods, cards):
    """Return the move that changes the chances of a card most, None where no move does.

    Args:
        work: the workspace with the partners' moves.
        slot: the slot of the card.
        likelihoods: by hand and move, how likely the partner makes it.
        cards: the card of the slot in each hand.
    """
    moves = work.partner_moves
    best, before = None, np.bincount(cards, minlength=32) / len(cards)
    for k in range(moves.count):
        if moves.turns[k] >= work.own.since[slot]:
            likelihood = likelihoods[:, k]
            after = np.bincount(cards, likelihood, minlength=32) / likelihood.sum()
            there = after > 0
            bits = float((after[there] * np.log2(after[there] / before[there])).sum())
            if bits >= LEAST and (best is None or bits > best.bits):
                best = HintEvidence(int(moves.turns[k]), int(moves.moves[k]), bits)
    return best
