"""The conventions pair and means once more, from their definition: what slow_marks.py has besides."""

from types import SimpleNamespace

WORTH = ["new", "critical", "soon", "useless", "soon", "soon"]  # of a card that a number tells


class SlowPairs:
    """What a hint means by its number, and what the answer to a pair tells."""

    def counted(self, seat, cards, among):
        """The slots through which a number counts, the newest first."""
        hand = sorted(self.hand(seat), key=lambda slot: -self.born[seat, slot])
        if not among:
            return hand
        sets = {slot: self.assumed[seat, slot] for slot in hand}
        hand = [slot for slot in hand if sets[slot] & cards and sets[slot] - cards]
        return among == 2 and [s for s in hand if (seat, s) not in self.touched] or hand

    def number_of(self, told, kind):
        if kind == 3:
            return (told.target - self.me) % self.players
        if kind == 2:
            return 1 + self.counted(told.target, None, 0).index(
                self.newest(told.target, told.slots)
            )
        colour, rank = min(told.cards)
        return (rank if told.is_rank else colour + 1) + (len(told.slots) if kind else 0)

    def means_pair(self, told):
        return told.target != self.after(1) and self.is_pair(told, "pair", 0, 0, 0, told.target, 0)

    def is_pair(self, told, name, kind, shift, among, seat, what):
        if self.wait or self.pair and self.pair.name == name or not self.deck:
            return False
        cards, following = self.cards_of_kind(told, what), self.after(1)
        firsts = self.counted(following, self.playable(), among)
        seconds = self.counted(seat, cards, among)
        number = self.number_of(told, kind) + shift
        row = {slot: self.assumed[seat, slot] for slot in self.hand(seat)}
        row = told.literally if seat == told.target else row
        told.pair = SimpleNamespace(
            name=name,
            giver=self.me,
            target=seat,
            what=what,
            cards=set(cards),
            known={slot for slot in row if row[slot] <= cards or slot not in seconds},
            goes_with={
                first: second
                for i, first in enumerate(firsts, 1)
                for j, second in enumerate(seconds, 1)
                if (i + j - number) % self.hand_size == 0
            },
        )
        return True

    def cards_of_kind(self, told, what):
        return [
            self.playable(),
            self.critical(),
            self.one_away(),
            self.useless(),
            self.all - self.useless() - self.playable(),
            told.cards,
        ][what]

    def means_means(self, told, number, shift, among, to, what):
        others = [self.after(steps) for steps in range(1, self.players)]
        following, cards = others[0], self.cards_of_kind(told, what)
        later = [seat for seat in others[1:] if seat != told.target]
        seat = {0: told.target, 1: following, 3: told.target}.get(to, later[0] if later else None)
        if seat is None or to in (1, 3) and told.target == following:
            return False
        if to > 2:
            return self.is_pair(told, "means", number, shift, among, seat, what)
        slots = self.counted(seat, cards, among)
        if not slots:
            return False
        slot = slots[(self.number_of(told, number) + shift - 1) % len(slots)]
        known = told.assumed[slot] if seat == told.target else self.assumed[seat, slot]
        if not known & cards or known <= cards:
            return False
        if seat == told.target:
            self.promise(told, slot, cards, pledge=what == 0)
        else:
            told.single = SimpleNamespace(place=(seat, slot), cards=cards, what=what)
        return True

    def tell_single(self, single):
        """A hint means one card of a player who does not get it."""
        self.narrow_later(single.place, single.cards, self.turn + 1)
        if single.what == 0:
            self.pledged.add(single.place)

    def close_pair(self, slot):
        """The seat to move, which is not the giver, played a card that fitted; None: it did not."""
        pair, self.pair = self.pair, None
        if pair is None or slot not in pair.goes_with:
            return
        seat, other = pair.target, pair.goes_with[slot]
        self.narrow_later((seat, other), pair.cards if pair.what else self.playable())
        if pair.what == 0:
            self.pledged.add((seat, other))
        for newer in self.hand(seat):
            if self.born[seat, newer] > self.born[seat, other] and newer not in pair.known:
                self.narrow_later((seat, newer), self.all - pair.cards)

    def narrow_later(self, place, cards, turn=None):
        self.narrow(place, cards)
        if any(name == "misplay_drops" for name, _, _ in self.conventions):
            self.dated[place] = self.turn if turn is None else turn
