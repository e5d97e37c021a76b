"""The behaviours of hanabi.evolve.measure.behaviour once more, with lists of cards, from the steps
of a game.
"""

from collections import Counter
from fractions import Fraction

from hanabi.moves import (
    is_discard,
    is_play,
    is_tell,
    slot_of,
    target_of,
    told_colour_of,
    told_rank_of as rank_told,
)

COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


def colour_rank(card):
    return int(card) // 5, int(card) % 5 + 1


class SlowHand:
    """What a seat holds: for each slot the card, what hints told of it, and when it was drawn."""

    def __init__(self):
        self.cards, self.told, self.drawn = {}, {}, {}


class SlowBehaviour:
    """The moves of some seats of a game of the standard deck: ``part`` and ``total`` by name."""

    def __init__(self, steps, seats):
        self.part, self.total, self.seats = Counter(), Counter(), seats
        self.discarded, self.played = Counter(), Counter()
        self.hands, self.last, self.clock = {}, {}, 0
        for step in steps:
            self.look(step)
            if step.move < 0:
                continue
            if step.seat in seats:
                self.count(step)
            self.make(step)

    def look(self, step):
        """Take note of new cards."""
        for seat in range(step.view.players):
            hand = self.hands.setdefault(seat, SlowHand())
            for slot in range(5):
                card = int(step.state.hands[seat, slot])
                if card >= 0 and slot not in hand.cards:
                    self.clock += 1
                    hand.cards[slot], hand.drawn[slot] = colour_rank(card), self.clock
                    hand.told[slot] = []

    def add(self, name, amount, of=1):
        self.part[name] += Fraction(amount)
        self.total[name] += of

    def count(self, step):
        move, view, mine = step.move, step.view, self.hands[step.seat]
        self.add("plays_per_turn", is_play(move))
        turns_left = int(view.deck) + int(view.players)
        self.add("on_pace", 25 - sum(self.played.values()) <= turns_left)
        if view.tokens > 0:
            self.add("communicativeness", is_tell(move))
        if self.last.get(step.seat):
            obeyed = is_play(move) and slot_of(move) in self.last[step.seat]
            self.add("obeyed_hints", obeyed)
        if is_tell(move):
            self.add("colour_hints", told_colour_of(move) >= 0)
        elif is_play(move):
            could_be = self.could_be(step.seat, slot_of(move))
            kinds = set(could_be)
            told = mine.told[slot_of(move)]
            colours, ranks = self.by_hints(told)
            self.add("information_per_play", (len(colours) == 1) + (len(ranks) == 1), 2)
            fits = sum(could_be[card] for card in kinds if self.played[card[0]] == card[1] - 1)
            self.add("risk_aversion", Fraction(fits, could_be.total()))
        elif is_discard(move) and len(mine.cards) > 1:
            slot = slot_of(move)
            newer = sum(drawn > mine.drawn[slot] for drawn in mine.drawn.values())
            self.add("discard_age", Fraction(newer, len(mine.cards) - 1))

    @staticmethod
    def by_hints(told):
        """The colours and the ranks that hints leave open."""
        colours, ranks = set(range(5)), set(range(1, 6))
        for colour, rank, touched in told:
            if colour >= 0:
                colours = colours & {colour} if touched else colours - {colour}
            else:
                ranks = ranks & {rank} if touched else ranks - {rank}
        return colours, ranks

    def could_be(self, seat, slot):
        """The copies that a seat's card can be, as its owner sees it."""
        unseen = Counter(
            {(colour, rank): COPIES[rank] for colour in range(5) for rank in range(1, 6)}
        )
        unseen -= self.discarded
        for colour, height in self.played.items():
            unseen -= Counter({(colour, rank): 1 for rank in range(1, height + 1)})
        for other, hand in self.hands.items():
            if other != seat:
                unseen -= Counter(hand.cards.values())
        colours, ranks = self.by_hints(self.hands[seat].told[slot])
        return Counter(
            {card: many for card, many in unseen.items() if card[0] in colours and card[1] in ranks}
        )

    def make(self, step):
        move = step.move
        self.last[step.seat] = set()
        if is_tell(move):
            hand, colour, rank = self.hands[target_of(move)], told_colour_of(move), rank_told(move)
            touched = {slot for slot, card in hand.cards.items() if colour == card[0]}
            touched |= {slot for slot, card in hand.cards.items() if rank == card[1]}
            for slot in hand.cards:
                hand.told[slot].append((colour, rank, slot in touched))
            self.last[target_of(move)] = touched
            return
        hand, slot = self.hands[step.seat], slot_of(move)
        card = hand.cards.pop(slot)
        del hand.told[slot], hand.drawn[slot]
        if is_play(move) and self.played[card[0]] == card[1] - 1:
            self.played[card[0]] += 1
        else:
            self.discarded[card] += 1
