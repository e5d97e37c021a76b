"""The slow twin of Zhao's belief search: every hand listed, every position searched, as his thesis
states it (docs/papers/zhao.md).
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, permutations, product
from math import prod
from typing import NamedTuple

from hanabi.game import cards_to_draw
from hanabi.moves import move_text, read_move

LETTERS = "RBGYWP"
ENGLISH = dict(R="red", B="blue", G="green", Y="yellow", W="white", P="purple")


class Card(NamedTuple):
    """A card in a hand and its two flags."""

    colour: int
    rank: int
    colour_told: bool = False
    rank_told: bool = False


class State(NamedTuple):
    """A hypothetical position; a slot that was played from is None."""

    fireworks: tuple
    tokens: int
    penalties: int
    discards: int
    mine: tuple
    theirs: tuple
    made: int = 0
    penalised: bool = False
    possible: bool = True


def flags(view, seat):
    """By slot: (colour told, rank told)."""
    found = {slot: (False, False) for slot in range(5)}
    for turn in range(int(view.turn)):
        event, mover = int(view.history[turn]), turn % int(view.players)
        words = move_text(event & 255).split()
        if words[0] != "tell" and mover == seat:
            found[int(words[1])] = (False, False)
        elif words[0] == "tell" and mover != seat:
            for slot in range(5):
                if event >> 8 & 1 << slot:
                    found[slot] = (
                        found[slot][0] or words[2] in LETTERS,
                        found[slot][1] or words[2] not in LETTERS,
                    )
    return found


def told(view, seat, negative=False):
    """By slot the types that the hints which pointed at it leave, or with ``negative`` all hints:
    (colours, ranks).
    """
    found = {slot: (set(range(6)), set(range(1, 6))) for slot in range(5)}
    for turn in range(int(view.turn)):
        event, mover = int(view.history[turn]), turn % int(view.players)
        words = move_text(event & 255).split()
        if words[0] != "tell" and mover == seat:
            found[int(words[1])] = (set(range(6)), set(range(1, 6)))
        elif words[0] == "tell" and mover != seat:
            for slot in range(5):
                if event >> 8 & 1 << slot:
                    colours, ranks = found[slot]
                    found[slot] = (
                        ({LETTERS.index(words[2])}, ranks)
                        if words[2] in LETTERS
                        else (colours, {int(words[2])})
                    )
                elif negative:
                    colours, ranks = found[slot]
                    found[slot] = colours - {LETTERS.find(words[2])}, ranks - {ord(words[2]) - 48}
    return found


def unseen(view):
    """What the seat to move does not see: (colour, rank), each as often as it is there."""
    return [
        (card // 5, card % 5 + 1)
        for plane in view.unseen
        for card in range(30)
        if int(plane) >> card & 1
    ]


def hands_by_hints(view, copies=False, negative=False):
    """Every ordered hand that the flags allow (physical ones, where copies count), each a tuple by
    filled slot.
    """
    me, pool, masks = int(view.me), unseen(view), told(view, int(view.me), negative)
    slots = [slot for slot in range(5) if int(view.filled[me]) >> slot & 1]
    if copies:
        return slots, [
            hand
            for hand in permutations(pool, len(slots))
            if all(
                card[0] in masks[slot][0] and card[1] in masks[slot][1]
                for slot, card in zip(slots, hand)
            )
        ]
    have = Counter(pool)
    fits = [
        [card for card in have if card[0] in masks[slot][0] and card[1] in masks[slot][1]]
        for slot in slots
    ]
    return slots, [
        hand
        for hand in product(*fits)
        if all(number <= have[card] for card, number in Counter(hand).items())
    ]


def hands_by_peeking(view, state):
    """The hands of his listing."""
    me, marks = int(view.me), flags(view, int(view.me))
    slots = [slot for slot in range(5) if int(view.filled[me]) >> slot & 1]
    true = {
        slot: (int(state.hands[me, slot]) // 5, int(state.hands[me, slot]) % 5 + 1)
        for slot in slots
    }
    known = {slot: true[slot] for slot in slots if any(marks[slot])}
    unknown = [(card // 5, card % 5 + 1) for card in cards_to_draw(state, view)]
    unknown += [
        true[slot] for slot in slots if slot not in known and true[slot] not in known.values()
    ]
    first = {card: place for place, card in reversed(list(enumerate(unknown)))}
    listed = sorted(unknown, key=first.get)
    rest = [slot for slot in slots if slot not in known]
    chosen = dict.fromkeys(combinations(listed, len(rest)))
    return slots, [
        tuple((known | dict(zip(rest, choice)))[slot] for slot in slots) for choice in chosen
    ]


class Search:
    """His search from a view."""

    def __init__(self, way, view, state=None):
        self.kind, self.view = way, view
        self.slots, self.hands = (
            hands_by_peeking(view, state)
            if way.belief == "peek"
            else hands_by_hints(view, way.copies == 1, way.negative == 1)
        )
        self.max_value, self.weight_value = (
            lru_cache(None)(self._max_value),
            lru_cache(None)(self._weight_value),
        )

    def root(self, hand):
        view, me = self.view, int(self.view.me)
        mine, theirs = flags(view, me), flags(view, 1 - me)
        own = dict(zip(self.slots, hand))
        full, alive = (
            sum(int(plane).bit_count() for plane in planes) for planes in (view.full, view.alive)
        )
        return State(
            tuple(int(top) for top in view.fireworks),
            int(view.tokens),
            int(view.max_lives - view.lives),
            full - alive,
            tuple(Card(*own[slot], *mine[slot]) if slot in own else None for slot in range(5)),
            tuple(
                Card(int(card) // 5, int(card) % 5 + 1, *theirs[slot]) if card >= 0 else None
                for slot, card in enumerate(view.hands[1 - me])
            ),
        )

    def actions(self, state):
        """My actions as text, in the order in which equals are preferred."""
        held = [card for card in state.theirs if card]
        hints = [(str(rank), f"tell x {rank}") for rank in {card.rank for card in held}]
        hints += [
            (ENGLISH[LETTERS[colour]], f"tell x {LETTERS[colour]}")
            for colour in {card.colour for card in held}
        ]
        slots = [slot for slot, card in enumerate(state.mine) if card]
        return (
            [f"discard {slot}" for slot in slots]
            + [text for _, text in sorted(hints)]
            + [f"play {slot}" for slot in slots]
        )

    def act(self, state, action):
        word, *rest = action.split()
        state = state._replace(made=state.made + 1, penalised=False)
        if word == "discard":
            if state.tokens == self.view.max_tokens:
                return state._replace(possible=False)
            return state._replace(tokens=state.tokens + 1, discards=state.discards + 1)
        if word == "play":
            return self.play(state, "mine", int(rest[0]))
        touched = [
            card is not None and (LETTERS[card.colour] == rest[1] or str(card.rank) == rest[1])
            for card in state.theirs
        ]
        flag = "colour_told" if rest[1] in LETTERS else "rank_told"
        if state.tokens == 0 or all(
            getattr(card, flag) for card, here in zip(state.theirs, touched) if here
        ):
            return state._replace(possible=False)
        return state._replace(
            tokens=state.tokens - 1,
            theirs=tuple(
                card._replace(**{flag: True}) if here else card
                for card, here in zip(state.theirs, touched)
            ),
        )

    def play(self, state, whose, slot):
        hand = getattr(state, whose)
        card, tops = hand[slot], list(state.fireworks)
        if tops[card.colour] != card.rank - 1:
            return state._replace(
                penalties=state.penalties + 1, discards=state.discards + 1, penalised=True
            )
        tops[card.colour] += 1
        return state._replace(
            fireworks=tuple(tops), **{whose: hand[:slot] + (None,) + hand[slot + 1 :]}
        )

    def utility(self, state):
        points = sum(state.fireworks)
        if self.kind.utility == "numbers":
            points = sum(sum(range(1, height + 1)) for height in state.fireworks)
        return (
            self.kind.stack * points
            + self.kind.penalty * state.penalties
            + self.kind.discard * state.discards
        )

    def _max_value(self, state):
        if not state.possible:
            return 0.0
        if state.penalised:
            return self.kind.fault
        if state.made == self.kind.depth:
            return self.utility(state)
        values = [self.weight_value(self.act(state, action)) for action in self.actions(state)]
        return max(values) if values else self.kind.fault

    def _weight_value(self, state):
        if not state.possible or state.penalised:
            return self.kind.fault
        if state.made == self.kind.depth:
            return self.utility(state)
        weights = [card.colour_told + card.rank_told if card else 0 for card in state.theirs]
        whole = sum(weights)
        hint = (
            1
            if whole == 0
            else 1 - 2 / self.kind.divisor
            if self.kind.normalise
            else 1 / (self.kind.divisor * whole)
        )
        idle = state._replace(
            tokens=state.tokens - 1,
            made=state.made + 1,
            possible=state.tokens > 0
            and not all(card.colour_told and card.rank_told for card in state.mine if card),
        )
        value = hint * self.max_value(idle)
        for slot, weight in enumerate(weights):
            if weight:
                after = self.play(state._replace(made=state.made + 1), "theirs", slot)
                value += weight * 2 / (self.kind.divisor * whole) * self.max_value(after)
        return value

    def worths(self):
        """The mean worth by move, of the moves that may be made, in the order in which equals are
        preferred.
        """
        found = {}
        for hand in self.hands:
            root = self.root(hand)
            for action in self.actions(root):
                after = self.act(root, action)
                if after.possible:
                    move = read_move(
                        action.replace("x", "AnnBob"[3 * (1 - int(self.view.me)) :][:3])
                    )
                    found[move] = found.get(move, 0) + self.weight_value(after)
        return {move: total / len(self.hands) for move, total in found.items()}


def size(view):
    """How many hands of the hints belief there would be at most, before any is listed."""
    masks, have = told(view, int(view.me)), set(unseen(view))
    return prod(
        sum(card[0] in masks[slot][0] and card[1] in masks[slot][1] for card in have)
        for slot in range(5)
        if int(view.filled[view.me]) >> slot & 1
    )
