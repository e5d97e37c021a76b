"""The convention pair once more, from its definition: what slow_marks.py has besides."""

from types import SimpleNamespace


class SlowPairs:
    """A hint of a pair, and what its answer tells."""

    def place(self, seat, slot):
        newest_first = sorted(self.hand(seat), key=lambda slot: -self.born[seat, slot])
        return newest_first.index(slot) + 1

    def means_pair(self, told):
        if told.target == self.after(1) or self.wait or self.pair or not self.deck:
            return False
        colour, rank = min(told.cards)
        number, following, size = (
            rank if told.is_rank else colour + 1,
            self.after(1),
            len(self.hand(0)),
        )
        told.pair = SimpleNamespace(
            giver=self.me,
            target=told.target,
            playable=set(self.playable()),
            plays=self.plays(told.target, told.literally),
            goes_with={
                slot: other
                for slot in self.hand(following)
                for other in self.hand(told.target)
                if (self.place(following, slot) + self.place(told.target, other) - number) % size
                == 0
            },
        )
        return True

    def close_pair(self, slot):
        """The seat to move, which is not the giver, played a card that fitted; None: it did not."""
        pair, self.pair = self.pair, None
        if pair is None or slot not in pair.goes_with:
            return
        seat, other = pair.target, pair.goes_with[slot]
        self.narrow_later((seat, other), self.playable())
        self.pledged.add((seat, other))
        for newer in self.hand(seat):
            if self.born[seat, newer] > self.born[seat, other] and newer not in pair.plays:
                self.narrow_later((seat, newer), self.all - pair.playable)

    def narrow_later(self, place, cards):
        self.narrow(place, cards)
        if any(name == "misplay_drops" for name, _, _ in self.conventions):
            self.dated[place] = self.turn
