"""Codes once more, from their definition: what one player works out, who does not see the own hand.

``SlowCode`` is the marks of ``slow_marks.py`` as one observer keeps them: it sees the cards of the
other players, subtracts their answers from the number that a move tells, and reads the own answer.
"""

from slow_marks import SlowMarks

FAULTS = ("modulus", "seat", "own hand", "later")  # readings that are wrong on purpose


class SlowCode(SlowMarks):
    def __init__(self, variant, conventions, observer, see, fault=""):
        super().__init__(variant, conventions)
        self.observer, self.see, self.fault = observer, see, fault
        self.code = next(values for name, values, _ in conventions if name == "code")

    # ---- what moves tell

    def hint(self, target, cards, is_rank, slots):
        if self.fault != "later":
            self.read_hint(target, is_rank, slots)
            return super().hint(target, cards, is_rank, slots)
        me, meaning = self.me, super().hint(target, cards, is_rank, slots)
        self.me, after = me, self.me
        self.read_hint(target, is_rank, slots)
        self.me = after
        return meaning

    def read_hint(self, target, is_rank, slots):
        first, modulus, number = 0, 0, None
        for steps in range(1, self.players):
            seat = (self.me + steps + (self.fault == "seat")) % self.players
            count = self.count(seat)
            if seat == target:
                if self.index(seat) in slots:
                    number = modulus + (0 if is_rank else 1)
                else:
                    number = modulus + (2 if is_rank or count == 3 else 3)
            modulus += count
        number = first if number is None else number
        self.tell(number, modulus + (self.fault == "modulus"))

    def card(self, slot, card, is_play):
        silent = not is_play and self.code["silent"] and self.tokens > 0
        for seat in range(self.players) if silent else ():
            if seat != self.me and not self.plays(seat):
                for held in self.hand(seat):
                    rest = self.assumed[seat, held] - self.playable()
                    self.assumed[seat, held] = rest or self.assumed[seat, held]
        slots = sorted(self.telling(is_play))
        if slot in slots and len(slots) > 1:
            self.tell(slots.index(slot), len(slots))
        super().card(slot, card, is_play)

    def telling(self, is_play):
        hand = self.hand(self.me)
        if is_play:
            playable = self.playable()
            known = {slot for slot in hand if self.promised[self.me, slot] <= playable}
            return known if self.code["plays"] else set()
        row = {slot: self.assumed[self.me, slot] for slot in hand}
        twice = {
            slot for slot in hand if len(row[slot]) == 1 and list(row.values()).count(row[slot]) > 1
        }
        useless = {slot for slot in hand if row[slot] <= self.useless()}
        return useless | twice if self.code["discards"] else set()

    def count(self, seat):
        rows = [self.assumed[seat, slot] for slot in self.hand(seat)]
        colours = set.intersection(*({colour for colour, _ in row} for row in rows))
        ranks = set.intersection(*({rank for _, rank in row} for row in rows))
        return 4 if self.code["kinds"] and not colours and not ranks else 3

    def index(self, seat):
        unknown = self.open(seat)

        def score(slot):
            row = self.assumed[seat, slot]
            return (
                1 + (len({c for c, _ in row}) > 1) + (len({r for _, r in row}) > 1)
                if slot in unknown
                else 0
            )

        hand = sorted(self.hand(seat), key=lambda slot: self.born[seat, slot])
        if self.code["index"] == 0 or not unknown:
            return max(hand, key=score)
        return [slot for slot in hand if slot in unknown][-1 if self.code["index"] == 1 else 0]

    # ---- answers

    def tell(self, number, modulus):
        """The seat to move tells a number of so many."""
        rest = number
        for steps in range(1, self.players):
            seat = self.after(steps)
            if seat != self.observer:
                rest -= self.encode(seat, modulus)
        if self.observer != self.me:
            self.decode(self.observer, rest % modulus, modulus)
        else:
            assert rest % modulus == 0 or self.fault, "the giver tells the right number"

    def encode(self, seat, modulus):
        value, scale = 0, 1
        if self.fault == "own hand":  # of the seat that is asked: what it must not look at
            modulus += self.see(seat, self.hand(seat)[0])[1] == 1
        while (modulus - value - 1) // scale + 1 > 1:
            entries = self.ask(seat, (modulus - value - 1) // scale)
            if not entries:
                break
            yes = [self.see(seat, slot) in cards for slot, cards in entries]
            answer = yes.index(True) + 1 if True in yes else 0
            self.narrow_by(seat, entries, answer)
            value += scale * answer
            scale = min(modulus, scale * (len(entries) + 1))
        return value

    def decode(self, seat, value, modulus):
        while modulus > 1:
            entries = self.ask(seat, modulus - 1)
            if not entries:
                break
            value, answer = divmod(value, len(entries) + 1)
            self.narrow_by(seat, entries, answer)
            modulus = (modulus - answer - 1) // (len(entries) + 1) + 1

    def narrow_by(self, seat, entries, answer):
        for place, (slot, cards) in enumerate(entries, 1):
            if place == answer:
                self.narrow((seat, slot), cards)
                break
            self.narrow((seat, slot), self.all - cards)

    # ---- questions

    def ask(self, seat, room):
        """The first question that has entries: [(slot, set of types)]."""
        for name, values, guard in self.conventions:
            asked = getattr(self, name, None) if name.startswith("ask_") else None
            entries = asked(seat, room, **values) if asked and self.holds(guard) else []
            if entries:
                return entries
        return []

    def chance(self, seat, slot, types):
        row = self.assumed[seat, slot]
        return sum(self.pool[card] for card in row & types) / max(
            1, sum(self.pool[card] for card in row)
        )

    def open(self, seat):
        return {
            slot
            for slot in self.hand(seat)
            if len(self.assumed[seat, slot]) > 1 and self.assumed[seat, slot] - self.useless()
        }

    def types(self, what):
        return [self.playable(), self.useless(), self.critical(), self.one_away()][int(what)]

    def ordered(self, seat, slots, types, order):
        def key(slot):
            born, row = self.born[seat, slot], self.assumed[seat, slot]
            by = {
                0: self.chance(seat, slot, types),
                1: -self.chance(seat, slot, types),
                2: -born,
                3: born,
                4: -sum(self.pool[card] for card in row),
            }
            return by[int(order)], born

        return sorted(slots, key=key)

    def in_order(self, seat, slots, types, order, room):
        slots = set(slots)
        kept = set(self.ordered(seat, slots, types, 0)[max(0, len(slots) - room) :])
        return [(slot, types) for slot in self.ordered(seat, kept, types, order)]

    def likely(self, seat, types, least):
        return {slot for slot in self.open(seat) if self.chance(seat, slot, types) > least}

    def ask_first_playable(self, seat, room, order, useless, always, least):
        if not always and self.plays(seat):
            return []
        playable = self.playable()
        found = self.in_order(seat, self.likely(seat, playable, least), playable, order, room)
        known = any(self.assumed[seat, slot] <= self.useless() for slot in self.hand(seat))
        if useless and not known:
            rest = self.likely(seat, self.useless(), 0)
            found += self.in_order(seat, rest, self.useless(), order, room - len(found))
        return found

    def ask_first(self, seat, room, what, order, least):
        types = self.types(what)
        if any(self.assumed[seat, slot] <= types for slot in self.hand(seat)):
            return []
        return self.in_order(seat, self.likely(seat, types, least), types, order, room)

    def ask_whether(self, seat, room, what, chance, near):
        types = self.types(what)
        away = {slot: abs(self.chance(seat, slot, types) - chance) for slot in self.open(seat)}
        slots = [slot for slot in away if away[slot] < near]
        slots.sort(key=lambda slot: (away[slot], self.born[seat, slot]))
        return [(slot, types) for slot in slots[:1]]

    def ask_type(self, seat, room, card, deal, alone):
        types = self.playable() if card else self.useless()
        slots = self.ordered(seat, self.open(seat), types, card)
        if not slots:
            return []
        row = {one for one in self.assumed[seat, slots[0]] if self.pool[one]}
        useless = row & self.useless()
        heights = {
            colour: max([rank for c, rank in self.played if c == colour], default=0)
            for colour in self.colours
        }
        keys = {
            0: lambda one: one,
            1: lambda one: one[::-1],
            2: lambda one: (one[1] - heights[one[0]], one[0]),
        }
        live = sorted(row - useless, key=keys[int(deal)])
        most = room + 1 - bool(useless)
        classes = [set() for _ in range(most)]
        for place, one in enumerate(live):
            number = place % most if not alone else min(place + 1, most) % most
            classes[number].add(one)
        used = max((number + 1 for number in range(most) if classes[number]), default=0)
        classes = classes[1:used] + ([useless] if useless else [])
        return [(slots[0], some) for some in classes]
