"""Zhao's belief search (*AI for a social card game*, 2022): the settings, and the players.

``belief=hints`` sees what any player sees. ``belief=peek`` is what his listing does: one hint about
a card of its own shows it the whole card. It is there for ``hanabi experiment zhao``; its name
always says so. With a list (``zhao:piers``) the partner is taken for one who plays by it, in place
of the weights that his text gives it.

What a list does depends on every card that it sees, so hands are listed then, or drawn where there
are many. Each is a world with an order of the deck, in which my move is made and the list decides;
the value of its answer is as in all_hands.py, for a belief of that one hand.
tests/support/slow_answered.py is the same by an ordinary table.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanabi.agent_kind import AgentKind, Settings, agent_kind
from hanabi.authoring import (
    DISCARD,
    END,
    SLOTS,
    TELL_COLOUR,
    TYPES,
    State,
    View,
    apply,
    cards_to_draw,
    compiled,
    is_legal,
    is_over,
    mix,
    slot_of,
)
from hanabi.lookahead.belief import draw_hand, draw_types, first_hand, has_few_hands, next_hand
from hanabi.lookahead.look_ahead_player import (
    FROM_HINTS,
    LookaheadContext,
    SeatedPlayer,
    SelfModelFollower,
)
from hanabi.lookahead.move_probability import MOST, SURE, decide_with_dice
from hanabi.lookahead.race import prepare
from hanabi.lookahead.rollout import begin_world, imagine
from hanabi.lookahead.workspace import GOLDEN, LITERAL, OF_WORLDS, Workspace, word_for
from hanabi.notation import counted
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.zhao.all_hands import (
    ZHAO,
    Place,
    after_play,
    best_of,
    card_value,
    evaluate,
    fill_belief,
    my_next_value,
    place_after,
    recollect,
    start_values,
)
from hanabi.variant import Variant, shown


@compiled
def value_of_answer(view: View, zhao: np.record, answer: int, place: Place, value: float) -> float:
    """Return the value of a position, for one hand, after an answer that my partner may make."""
    playable, tokens, mine, theirs, colour_told, rank_told = place
    if answer >= TELL_COLOUR:
        tokens -= 1
    elif answer >= DISCARD:
        tokens += 1
        value += zhao.discard
    else:
        bit = 1 << view.hands[1 - view.me, slot_of(answer)]
        if playable & bit == 0:
            return zhao.fault
        playable = after_play(view, playable, bit)
        theirs &= ~(1 << slot_of(answer))
        value += card_value(zhao, bit)
    return my_next_value(
        view, zhao, 1, (playable, tokens, mine, theirs, colour_told, rank_told), value
    )


@compiled
def value_of_answers(
    view: View, zhao: np.record, work: Workspace, place: Place, value: float
) -> float:
    """Return the value of a position, for one hand, in which the partner's list is to move.

    It is the mean over all outcomes of the dice of its rules (move_probability.py). Where the game
    is over, or the list forfeits it, the value is that of the position.
    """
    lists, spare = work.lists, work.records.spare
    if is_over(spare):
        return value
    player = lists.seats[0, spare.me]
    total, tried, number = 0.0, 0.0, 0
    while tried < SURE and number < MOST:
        share, answer = decide_with_dice(
            lists.rows, player, lists.lengths[player], lists.otherwise[player], spare, number
        )
        if share > 0.0:
            answered = value
            if is_legal(spare, answer):
                answered = value_of_answer(view, zhao, answer, place, value)
            tried += share
            total += answered / spare.ways
        number += 1
    spare.asked = spare.dice = 0
    return total / tried


@compiled
def believe_one_hand(work: Workspace, zhao: np.record) -> None:
    """Make Zhao's belief the hand of row 0 alone."""
    zhao.free = zhao.types = 0
    for slot in range(SLOTS):
        is_filled = work.own.filled >> slot & 1
        zhao.open[slot] = (1 << work.belief.hands[0, slot]) if is_filled else 0


@compiled
def add_hand(view: View, zhao: np.record, work: Workspace, weight: float) -> None:
    """Add the weighted value of each move with the hand of row 0 as mine."""
    state, now, spare = work.records
    word = word_for(view.word, OF_WORLDS) + np.uint64(zhao.hands) * GOLDEN
    believe_one_hand(work, zhao)
    imagine(view, work, 0, mix(word))
    for move in range(END):
        if zhao.tried[move] == 0:
            continue
        bit = zhao.open[slot_of(move)] if move < DISCARD else 0
        if move < DISCARD and view.playable & bit == 0:
            zhao.worths[move] += weight * zhao.fault
            continue
        place, value = place_after(view, zhao, move, bit)
        begin_world(state, now, work.world, spare)
        apply(state, spare, move)
        zhao.worths[move] += weight * value_of_answers(view, zhao, work, place, value)
    zhao.hands += 1


@compiled
def evaluate_with_list(view: View, zhao: np.record, work: Workspace, most: int) -> int:
    """Leave the mean value of each move that may be made in ``zhao.worths``.

    The mean is over all hands of mine that hints allow, if there are at most ``most``, else over
    that many drawn ones. The workspace is prepared (race.py), the flags are recollected.

    Returns:
        The number of hands.
    """
    start_values(view, zhao)
    zhao.hands, total = 0, 0.0
    if has_few_hands(work, LITERAL, most):
        ways = first_hand(work, LITERAL, 0)
        while ways > 0:
            weight = float(ways) if zhao.copies else 1.0
            add_hand(view, zhao, work, weight)
            total += weight
            ways = next_hand(work, LITERAL, 0)
    else:
        for _ in range(most):
            is_drawn = draw_hand(work, LITERAL, 0) if zhao.copies else draw_types(work, LITERAL, 0)
            if is_drawn:
                add_hand(view, zhao, work, 1.0)
                total += 1.0
    for move in range(END):
        zhao.worths[move] /= max(1.0, total)
    return zhao.hands


PEEK, NUMBERS = "peek", "numbers"
WITHOUT_LIST = ("divisor", "normalise", "negative")  # settings of an agent without a list
WITH_LIST = ("hands",)
DIFFERS = (
    "the prose and not the listing: one hint never shows a whole card (belief=peek does), all "
    "hands that fit are counted and none is listed, and a hint that his game refuses is never "
    "tried, so it is never stuck"
)
DIFFERS_LIST = (
    "the partner is taken for a list in place of his weights, and asked in hands that fit all "
    "hints, what they did not touch included; a hint that his game refuses is never tried"
)
DIFFERS_PEEK = (
    "his listing: one hint about a card of its own shows it the whole card; a hint that his game "
    "refuses is never tried"
)


@agent_kind("zhao")
@dataclass(frozen=True)
class Zhao(Settings, AgentKind):
    """Settings of Zhao's belief search.

    Attributes:
        depth: moves that are searched, mine included (2 or 3).
        stack: value of a card on the fireworks; with utility=numbers, times its number.
        utility: cards (his program): each card on the fireworks counts 1; numbers (his text): it
            counts its number.
        penalty: value of a lost life.
        discard: value of a discarded card.
        belief: hints, or peek (his listing).
        copies: 1: a hand counts as often as there are copies for it, not once.
        fault: value of a move that loses a life.
        divisor: with W flags in its hand, the partner's idle hint weighs 1/(divisor W).
        normalise: 1: an idle hint weighs 1 - 2/divisor, all plays together 2/divisor.
        negative: 1: a card that a hint did not touch is known for that.
        hands: with a list for the partner, hands that are drawn, if there are more; else all.
    """

    depth: int = 2
    stack: float = 10
    penalty: float = -5
    discard: float = -1
    belief: str = "hints"
    copies: int = 0
    fault: float = -10
    divisor: float = 3
    normalise: int = 0
    negative: int = 0
    hands: int = 500
    utility: str = "cards"

    phrase = "searches for its moves"
    spec_help = (
        "zhao (for two) is Zhao's belief search, zhao:SPEC the same with a list for its partner"
    )
    example = "depth=3"
    needs_list = False
    spec_alone = True
    source = "Zhao 2022, AI for a social card game"

    choices = {"belief": ("hints", PEEK), "utility": ("cards", NUMBERS)}
    ranges = {
        "depth": (2, 3),
        "stack": (0, 1000),
        "penalty": (-1000, 0),
        "discard": (-1000, 0),
        "fault": (-1000, 0),
        "divisor": (2, 100),
        "copies": (0, 1),
        "normalise": (0, 1),
        "negative": (0, 1),
        "hands": (1, 1_000_000),
    }
    real = ("stack", "penalty", "discard", "fault", "divisor")

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        sees = "its hints" if self.belief != PEEK else "its hints, which show it whole cards,"
        partner = ", with this list for its partner" if has_list else ""
        card = "each number of a card" if self.utility == NUMBERS else "a card"
        return (
            f"It takes the move worth most over all hands that {sees} allow, {self.depth} moves "
            f"deep ({card} on the fireworks {self.stack:g}, a lost life {self.penalty:g}, a "
            f"discard {self.discard:g}){partner}."
        )

    def differs(self, has_list: bool) -> str:
        """Return where it differs from its source, in one line."""
        if has_list:
            return DIFFERS_LIST
        return DIFFERS_PEEK if self.belief == PEEK else DIFFERS

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Raise ValueError for a setting without effect or a name that hides that it peeks."""
        if lists and self.belief == PEEK:
            raise ValueError(
                "zhao: belief=peek is his listing, which asks no list: leave one of them out"
            )
        for key in WITHOUT_LIST if lists else WITH_LIST:
            if getattr(self, key) != getattr(Zhao, key):
                whom = "no list" if lists else "a list, such as zhao:piers"
                raise ValueError(f"zhao: {key}= is for a partner who is {whom}: leave it out")
        if self.belief == PEEK and PEEK not in name:
            raise ValueError(
                "zhao: belief=peek sees hidden cards and has to say so in its name: call it "
                f"{shown('zhao:' + str(self))}"
            )

    def can_play(self, players: int, has_list: bool) -> bool:
        """Return whether it can sit at a table of this size: only at one of two."""
        return players == 2 and has_list

    def make_player(
        self, players: int, name: str, listed: ListPlayer | None = None
    ) -> "BeliefSearcher | ListPartnerSearcher":
        """Return the player. Raises ValueError for any table except one of two."""
        if players != 2:
            raise ValueError(
                f"{name} plays with one partner: --players 2, or a variant for two such as zhao-2"
            )
        return ListPartnerSearcher(listed, self, name) if listed else BeliefSearcher(self, name)

    def record(self) -> np.record:
        """Return a ZHAO record with these settings."""
        zhao = np.zeros(1, ZHAO)[0]
        for key in self.ranges:
            if key not in WITH_LIST:
                zhao[key] = getattr(self, key)
        zhao.by_number = self.utility == NUMBERS
        return zhao


@dataclass(frozen=True)
class BeliefSearcher(Player):
    """The player without a list, for two. Good for one thread.

    It works on one record, of which nothing outlasts a decision.
    """

    kind: Zhao
    name: str = field(default="zhao", compare=False)
    zhao: np.record = field(init=False, compare=False, repr=False)
    only_list_questions = True  # reads nothing of a view except facts

    def __post_init__(self) -> None:
        object.__setattr__(self, "zhao", self.kind.record())
        object.__setattr__(self, "sees_state", self.kind.belief == PEEK)

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move worth most, and its value.

        Raises:
            PermissionError: where it would have to see hidden cards.
        """
        if self.kind.belief == PEEK:
            raise PermissionError(
                "it plays only where it sees hidden cards: write zhao for the one that does not"
            )
        recollect(view, self.zhao)
        fill_belief(view, self.zhao)
        return self.best_move(view)

    def begin_seeing(self, state: State) -> "SeatedPeeker":
        """Return its object for a game, which sees the game's hidden cards."""
        return SeatedPeeker(self, state)

    def tried(self) -> list[tuple[int, str]]:
        """Return every move that the last decision evaluated, the best first, and its value."""
        return evaluated(self.zhao)

    def best_move(self, view: np.record) -> tuple[int, str]:
        """Return the move worth most over the belief, and its value."""
        evaluate(view, self.zhao)
        return best(view, self.zhao)


def best(view: np.record, zhao: np.record) -> tuple[int, str]:
    """Return the move worth most of those that were evaluated, and its value."""
    move = int(best_of(view, zhao))
    return move, f"worth {zhao.worths[move]:+.2f}, the mean of {counted(int(zhao.hands), 'hand')}"


def evaluated(zhao: np.record) -> list[tuple[int, str]]:
    """Return every move that was evaluated, the best first, and its value."""
    moves = sorted(np.flatnonzero(zhao.tried).tolist(), key=lambda move: -zhao.worths[move])
    return [(move, f"worth {zhao.worths[move]:+.2f}") for move in moves]


@dataclass(frozen=True)
class ListPartnerSearcher(SelfModelFollower):
    """The player with a list, for two, which takes its partner to play by that list."""

    kind: Zhao = field(default_factory=Zhao)

    def join(
        self, variant: Variant, seat: int, company: tuple[Player, ...]
    ) -> "SeatedListPartnerSearcher":
        """Return its object for a game."""
        return SeatedListPartnerSearcher(self, self.context(variant), self.kind.record())


@dataclass(frozen=True)
class SeatedListPartnerSearcher(SeatedPlayer):
    """A ListPartnerSearcher at a table."""

    player: ListPartnerSearcher
    context: LookaheadContext
    zhao: np.record

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move worth most, and its value."""
        context = self.context
        place, listed = context.listed(view)
        recollect(view, self.zhao)
        context.configure(FROM_HINTS, view)
        prepare(view, listed, context.work)
        hands = self.player.kind.hands
        is_empty = context.work.own.filled == 0
        if is_empty or evaluate_with_list(view, self.zhao, context.work, hands) == 0:
            return listed, self.player.follows.reason(place)
        return best(view, self.zhao)

    def tried(self) -> list[tuple[int, str]]:
        """Return every move that the last decision evaluated, the best first, and its value."""
        return evaluated(self.zhao)


@dataclass(frozen=True)
class SeatedPeeker(SeatedPlayer):
    """A player in a game whose hidden cards it sees: those of its cards that have a flag."""

    player: BeliefSearcher
    state: np.record

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move worth most, and its value."""
        zhao = self.player.zhao
        recollect(view, zhao)
        peek(view, zhao, self.state.hands[view.me], cards_to_draw(self.state, view))
        return self.player.best_move(view)

    def tried(self) -> list[tuple[int, str]]:
        """Return every move that the last decision evaluated, the best first, and its value."""
        return self.player.tried()


def peek(view: np.record, zhao: np.record, hand: np.ndarray, deck: list[int]) -> None:
    """Fill the belief as his listing does, from my true ``hand`` and the deck.

    A slot with a flag holds its true card. The others are filled from a list: the deck and my cards
    without a flag, except those that equal one with a flag. Each choice of types counts once, in
    the order in which the types first occur in the list.
    """
    me, cards, full = int(view.me), hand.tolist(), int(view.full[0])
    flags, filled = int(zhao.colour_told[me] | zhao.rank_told[me]), int(view.filled[me])
    seen = {cards[slot] for slot in range(SLOTS) if flags >> slot & 1}
    free = [slot for slot in range(SLOTS) if filled & ~flags & 1 << slot]
    unknown = deck + [cards[slot] for slot in free if cards[slot] not in seen]
    order = list(dict.fromkeys(unknown))
    zhao.free, zhao.in_order, zhao.types = sum(1 << slot for slot in free), 1, len(order)
    zhao.order[: len(order)] = order
    zhao.most[:] = np.bincount(unknown, minlength=TYPES)
    zhao.open[:] = [
        1 << cards[slot] if filled & flags & 1 << slot else full for slot in range(SLOTS)
    ]
