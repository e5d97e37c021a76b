"""The meanings of a hint once more, from their definitions: what slow_marks.py has besides its
sets.
"""

from types import SimpleNamespace


class SlowMeanings:
    """``means_…`` of a convention: does it apply to a hint, as ``SlowMarks.read`` takes it? Then it
    is written into it.
    """

    def promise(self, told, slot, cards, pledge=True):
        told.promised[slot] = self.keep(told.promised[slot] & cards, told.literal[slot])
        told.assumed[slot] = self.keep(told.assumed[slot] & cards, told.promised[slot])
        if pledge:
            told.pledged.add(slot)

    def focus_slot(self, told):
        return self.newest(
            told.target, told.slots & told.before & self.perhaps(told.target, told.assumed)
        )

    def means_warning(self, told, colours):
        slot = self.expected_discard(told.target)
        if (
            told.target == self.after(1)
            and slot in told.slots
            and (told.is_rank or colours)
            and told.assumed[slot] & self.critical()
        ):
            self.promise(told, slot, self.critical(), pledge=False)
            told.warned.add(slot)
            return True
        return False

    def means_stall(self, told):
        oldest = min(self.hand(told.target), key=lambda slot: self.born[told.target, slot])
        return (
            self.tokens == self.most_tokens
            and told.is_rank
            and told.target == self.after(self.players - 1)
            and oldest in told.slots
        )

    def means_identify(self, told):
        return bool(told.before & self.plays(told.target, told.assumed))

    def means_finesse(self, told, bluff, later):
        slot, following = self.focus_slot(told), self.after(1)
        if (
            told.target == following
            or slot is None
            or self.wait
            or not self.deck
            or self.ready(following) is None
            or not told.assumed[slot] & self.one_away()
        ):
            return False
        told.assumed[slot] = offered = told.assumed[slot] & (self.playable() | self.one_away())
        told.pledged.add(slot)
        told.wait = SimpleNamespace(
            giver=self.me,
            place=(told.target, slot),
            offered=offered,
            direct=offered & self.playable(),
            bluff=bluff,
            later=later,
            answers={seat: self.ready(seat) for seat in range(self.players)},
        )
        return True

    def means_focus(self, told, ranks):
        slot = self.focus_slot(told)
        if slot is None:
            return False
        if told.is_rank and ranks:
            for other in told.slots & told.before & self.perhaps(told.target, told.assumed):
                self.promise(told, other, self.playable())
        self.promise(told, slot, self.playable())
        return True

    def means_order_own(self, told):
        seat = told.target
        taken = {
            slot for _, slot in {place for place in self.touched | self.pledged if place[0] == seat}
        }
        slot = self.newest(seat, self.perhaps(seat, told.assumed) - told.slots - taken)
        if slot is not None:
            self.promise(told, slot, self.playable())
        return slot is not None

    def says_slot(self, told, slot):
        """The slot that ``says`` is about, or None."""
        seat, touched = told.target, {slot for s, slot in self.touched if s == told.target}
        perhaps = self.perhaps(seat, told.assumed)
        pointed = told.slots & told.before & perhaps
        untouched = set(self.hand(seat)) - told.slots - touched
        born = {slot: self.born[seat, slot] for slot in self.hand(seat)}
        pledged = {slot for s, slot in self.pledged if s == seat}
        if slot == 7:
            return self.expected_discard(seat) if seat == self.after(1) else None
        wanted, which = {
            0: (pointed, max),
            1: (pointed, min),
            2: (pointed - touched, max),
            3: (perhaps & untouched - pledged, max),
            4: (untouched, min),
            5: ({s for s in untouched if born[s] > max(born[s] for s in told.slots)}, min),
            6: ({s for s in untouched if born[s] < min(born[s] for s in told.slots)}, max),
        }[slot]
        return which(wanted, key=lambda slot: born[slot], default=None)

    def means_says(self, told, slot, what, promised):
        place = self.says_slot(told, slot)
        cards = [
            self.playable(),
            self.critical(),
            self.one_away(),
            self.useless(),
            self.all - self.useless() - self.playable(),
        ][what]
        if place is None or not told.assumed[place] & cards or told.assumed[place] <= cards:
            return False
        if promised:
            self.promise(told, place, cards, pledge=what == 0)
        else:
            told.assumed[place] = told.assumed[place] & cards
        return True

    def means_number_says(self, told, touched, shift, among, what, promised):
        cards = [self.playable(), self.useless(), self.critical(), self.one_away()][what]
        hand = self.counted(told.target, cards, among)
        if not hand:
            return False
        number = self.number_of(told, touched) - 1 + shift
        slot = hand[number % len(hand)]
        if not told.assumed[slot] & cards or told.assumed[slot] <= cards:
            return False
        if promised:
            self.promise(told, slot, cards, pledge=what == 0)
        else:
            told.assumed[slot] = told.assumed[slot] & cards
        return True

    def means_order_other(self, told, seat, slot):
        if seat >= self.players or self.after(seat) == told.target:
            return False
        seat = self.after(seat)
        wanted = {s for s in self.perhaps(seat) if (seat, s) not in self.touched | self.pledged}
        if wanted:
            told.order = seat, (min if slot else max)(wanted, key=lambda s: self.born[seat, s])
        return bool(wanted)

    def means_order_next(self, told):
        seat = self.after(2 if told.target == self.after(1) else 1)
        if seat == self.me or self.ready(seat) is None:
            return False
        told.order = seat, self.ready(seat)
        return True
