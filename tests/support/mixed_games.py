"""Decisions out of mixed games, and the same position in slow plain Python, for properties of
rules.
"""

from functools import cached_property, wraps

import numpy as np

from hanabi.backend import compiled
from hanabi.game import (
    apply,
    deal,
    event_card,
    event_fits,
    event_move,
    event_slots,
    is_legal,
    is_over,
    new_state,
)
from hanabi.moves import (
    STRIDE,
    is_tell,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
)
from hanabi.rulebook import find, program, propose
from hanabi.rules import SETS
from hanabi.variant import Variant

PLAYERS = {  # who plays the games: from certain to careless, so that all states come up
    "careful": "2,8,13,38,10,48,27,39",
    "piers": "8,46,13,48,38,27,22,34",
    "evolved": "46,8,2,13,25,38,36,27,26,12,17",
    "by chance": "39",
    "hasty": "8,49,20,22,27,39",
    "singling out": "63,50,7,67,29,39",
    "telling": "8,23,22,34,39",
}


@compiled
def answers(rows, view, out):
    """What each rule alone proposes."""
    for i in range(len(rows)):
        out[i] = propose(rows[i], view)


def kept(method):
    """Keep what a method of a Position returned, by its arguments."""

    @wraps(method)
    def ask(self, *key):
        answers = self.kept.setdefault(method.__name__, {})
        if key not in answers:
            answers[key] = method(self, *key)
        return answers[key]

    return ask


def mixed_games(games, seed=1, variant=None):
    """(view, position) before every move of so many games over 2–5 players, a player of PLAYERS
    drawn for each seat.
    """
    rng = np.random.default_rng(seed)
    lists = [
        program([find(SETS["cig2018"][int(number)]) for number in text.split(",")])
        for text in PLAYERS.values()
    ]
    chance = find("cig2018.legal_random")
    for game in range(games):
        table, view = new_state(
            (variant or Variant()).at(None if variant and variant.players else 2 + game % 4)
        )
        seated = rng.integers(len(lists), size=view.players)
        deal(table, view, int(rng.integers(2**62)))
        while not is_over(view):
            yield view, Position(view)
            rows = lists[seated[view.me]]
            out = np.zeros(len(rows), np.int64)
            answers(rows, view, out)
            move = next((move for move in out if is_legal(view, move)), None)
            apply(table, view, chance(view) if move is None else move)


class Position:
    """What the seat to move sees, in Python numbers and lists. Cards are (colour, rank); nothing
    here asks view.py.
    """

    def __init__(self, view):
        for key in (
            "me",
            "players",
            "tokens",
            "max_tokens",
            "lives",
            "deck",
            "turn",
            "colours",
            "ranks",
        ):
            setattr(self, key, int(view[key]))
        self.fireworks = view.fireworks.tolist()
        self.masks, self.filled, self.born = (
            view.mask.tolist(),
            view.filled.tolist(),
            view.born.tolist(),
        )
        self.hands, self._alive, self._unseen = (
            view.hands.tolist(),
            view.alive.tolist(),
            view.unseen.tolist(),
        )
        self.touched = view.touched.tolist()
        self._history, self.kept = view.history[: self.turn].tolist(), {}

    @cached_property
    def events(self):
        """(seat, move, slots, card, fits) of every move so far."""
        return [
            (
                turn % self.players,
                event_move(event),
                (
                    [s for s in range(5) if event_slots(event) >> s & 1]
                    if is_tell(event_move(event))
                    else []
                ),
                self.card(event_card(event)),
                event_fits(event),
            )
            for turn, event in enumerate(self._history)
        ]

    @cached_property
    def hints_to_me(self):
        """(turn, slots) of every hint to me."""
        return [
            (turn, slots)
            for turn, (_, move, slots, _, _) in enumerate(self.events)
            if is_tell(move) and target_of(move) == self.me
        ]

    @cached_property
    def my_last(self):
        """The turn of my last move; -1 before the first."""
        return max(
            (turn for turn, event in enumerate(self.events) if event[0] == self.me), default=-1
        )

    @staticmethod
    def card(number):
        """A card's number as (colour, rank)."""
        return (number // STRIDE, number % STRIDE + 1) if number >= 0 else None

    @kept
    def slots(self, seat):
        """A seat's slots that hold a card, from the oldest to the newest."""
        return sorted(
            (s for s in range(5) if self.filled[seat] >> s & 1), key=lambda s: self.born[seat][s]
        )

    @kept
    def hand(self, seat):
        """(slot, card) of another seat, from the oldest to the newest."""
        return [(slot, self.card(self.hands[seat][slot])) for slot in self.slots(seat)]

    def others(self, first=1):
        """The other seats in turn order."""
        return [(self.me + steps) % self.players for steps in range(first, self.players)]

    @cached_property
    def held(self):
        """Every card in another hand."""
        return {card for seat in self.others() for _, card in self.hand(seat)}

    def playable(self, card):
        """Is it the next of its firework?"""
        return self.fireworks[card[0]] == card[1] - 1

    def copies(self, card):
        """How many copies were not discarded or misplayed."""
        return sum(plane >> (card[0] * STRIDE + card[1] - 1) & 1 for plane in self._alive)

    def dead(self, card):
        """Was it played already?"""
        return card[1] <= self.fireworks[card[0]]

    @cached_property
    def _useless(self):
        return {
            (colour, rank)
            for colour in range(self.colours)
            for rank in range(1, self.ranks + 1)
            if rank <= self.fireworks[colour]
            or any(
                self.copies((colour, below)) == 0
                for below in range(self.fireworks[colour] + 1, rank + 1)
            )
        }

    @cached_property
    def _critical(self):
        return {
            (colour, rank)
            for colour in range(self.colours)
            for rank in range(1, self.ranks + 1)
            if (colour, rank) not in self._useless and self.copies((colour, rank)) == 1
        }

    def useless(self, card):
        """Can it never be played any more?"""
        return card in self._useless

    def critical(self, card):
        """Is it still needed, and the last copy?"""
        return card in self._critical

    @kept
    def told(self, seat, slot):
        """The cards that a slot can be by its hints."""
        return {self.card(number) for number in range(30) if self.masks[seat][slot] >> number & 1}

    @kept
    def colours_told(self, seat, slot):
        """The colours that a slot can have by its hints."""
        return {card[0] for card in self.told(seat, slot)}

    @kept
    def ranks_told(self, seat, slot):
        """The ranks that a slot can have by its hints."""
        return {card[1] for card in self.told(seat, slot)}

    @cached_property
    def unseen(self):
        """Every copy that I do not see."""
        return [
            self.card(number)
            for number in range(30)
            for plane in self._unseen
            if plane >> number & 1
        ]

    @cached_property
    def possible(self):
        """For each of my slots every copy that it can be."""
        me = self.me
        return {
            slot: [card for card in self.unseen if card in self.told(me, slot)]
            for slot in self.slots(me)
        }

    @kept
    def chance(self, slot, what):
        """The share of a slot's possible copies of which something is true."""
        return sum(map(what, self.possible[slot])) / len(self.possible[slot])

    def only(self, what):
        """My slots, oldest first, of whose possible copies something is always true."""
        return [slot for slot, cards in self.possible.items() if all(map(what, cards))]

    @kept
    def known(self, seat, slot):
        """Do hints tell colour and rank of a slot?"""
        return len(self.colours_told(seat, slot)) == 1 and len(self.ranks_told(seat, slot)) == 1

    @kept
    def seen_by(self, seat):
        """Every copy that another seat does not see, as far as I know: what I do not see and its
        own hand.
        """
        return self.unseen + [card for _, card in self.hand(seat)]

    @kept
    def tells(self, seat, move):
        """The slots of a seat that a hint touches."""
        colour, rank = told_colour_of(move), told_rank_of(move)
        return [slot for slot, card in self.hand(seat) if colour == card[0] or rank == card[1]]

    @kept
    def told_after(self, seat, slot, move):
        """The cards that a slot can be after a hint."""
        touched, colour, rank = (
            slot in self.tells(seat, move),
            told_colour_of(move),
            told_rank_of(move),
        )
        return {
            card
            for card in self.told(seat, slot)
            if (colour == card[0] or rank == card[1]) == touched
        }

    @kept
    def hints(self, seat):
        """Every legal hint to a seat, ranks before colours, tokens aside."""
        every = [tell_rank(seat, rank) for rank in range(1, self.ranks + 1)]
        every += [tell_colour(seat, colour) for colour in range(self.colours)]
        return [move for move in every if self.tells(seat, move)]

    def news(self, move):
        """The slots of which a hint tells something new."""
        seat = target_of(move)
        return [
            slot
            for slot in self.slots(seat)
            if self.told_after(seat, slot, move) != self.told(seat, slot)
        ]

    def missing(self, seat, slot, colour_first):
        """The hint of what a seat does not know of a card, or 0."""
        card = self.card(self.hands[seat][slot])
        rank = tell_rank(seat, card[1]) if len(self.ranks_told(seat, slot)) > 1 else 0
        colour = tell_colour(seat, card[0]) if len(self.colours_told(seat, slot)) > 1 else 0
        return (colour or rank) if colour_first else (rank or colour)


def check(names, properties, games, seed=1):
    """Ask rules alone in every decision of mixed games: their move is legal or nothing, and it is
    what the property of their family says (a function of position and values that returns the
    moves it allows, the likeliest first). Returns how often each rule fired.
    """
    rules = [find(name) for name in names]
    rows, out, fired = program(rules), np.zeros(len(rules), np.int64), dict.fromkeys(names, 0)
    for view, position in mixed_games(games, seed):
        answers(rows, view, out)
        for name, rule, move in zip(names, rules, out.tolist(), strict=True):
            assert move == 0 or is_legal(view, move), (name, move)
            allowed = properties[rule.family.name](position, *rule.values)
            wanted = allowed if isinstance(allowed, (list, set, tuple)) else [allowed]
            assert move in (wanted or [0]), (name, move, wanted, position.__dict__)
            fired[name] += move != 0
    return fired
