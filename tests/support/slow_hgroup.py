"""The conventions of rules/hgroup.py once more, from their definitions, over sets of cards."""

from types import SimpleNamespace


class SlowHGroup:
    """What slow_marks.py has besides: the meanings, what a misplay drops."""

    def new(self, told):
        seat = told.target
        return {s for s in told.slots if (seat, s) not in self.touched | self.warned}

    def new_chop(self, told):
        """The chop, if the hint touches it for the first time."""
        new = self.new(told)
        slot = self.chop(told.target) if new else None
        return slot if slot in new else None

    def hgroup_focus(self, told):
        if self.new_chop(told) is not None:
            return self.new_chop(told)
        fresh = {s for s in told.slots if (told.target, s) not in self.touched}
        if fresh:
            return self.newest(told.target, self.new(told) or fresh)
        return self.focus_slot(told)

    def fives(self):
        return {card for card in self.all if card[1] == max(self.ranks)}

    def later_plays(self, through):
        if not through:
            return set(self.playable())
        sure = {card for cards in self.assumed.values() if len(cards) == 1 for card in cards}
        known = set(sure)
        for seat in range(self.players) if through == 2 else ():
            for slot in self.plays(seat):
                known |= self.assumed[seat, slot]
        found = set(self.playable())
        for _ in range(len(self.ranks)):
            found |= {(colour, rank + 1) for colour, rank in found & known} & self.all
        return found - self.useless() - sure

    def means_fix(self, told):
        mistaken = self.plays(told.target) - self.plays(told.target, told.literally)
        return any(not told.assumed[slot] & self.playable() for slot in mistaken)

    def assume_unlike(self, told):
        """Touched cards are no copies of cards that everybody knows."""
        sure = set()
        for place, cards in self.assumed.items():
            sure |= cards if place[0] != told.target and len(cards) == 1 else set()
        for cards in told.assumed.values():
            sure |= cards if len(cards) == 1 else set()
        for slot in told.slots:
            if len(told.assumed[slot]) > 1:
                told.assumed[slot] = self.keep(told.assumed[slot] - sure, told.promised[slot])

    def means_five_save(self, told, stall):
        if not told.is_rank or told.cards != self.fives() or not self.new(told):
            return False
        early = sum(self.alive.values()) == self.full_count
        return stall == 2 or bool(stall and early) or self.new_chop(told) is not None

    def means_five_keeps(self, told):
        seat, new = told.target, self.new(told)
        if not told.is_rank or told.cards != self.fives() or not new:
            return False
        chop = self.chop(seat)
        free = [s for s in self.hand(seat) if (seat, s) not in self.touched | self.warned]
        free.sort(key=lambda slot: self.born[seat, slot])
        if chop not in free or chop in new:
            return False
        free.remove(chop)
        if not free or free[0] not in new:
            return False
        told.warned.add(chop)
        return True

    def means_useless_keeps(self, told):
        seat, new = told.target, self.new(told)
        if not new or self.new_chop(told) is not None:
            return False
        if any(not told.assumed[slot] <= self.useless() for slot in new):
            return False
        edge = min(self.born[seat, slot] for slot in new)
        told.warned |= {
            slot
            for slot in self.hand(seat)
            if self.born[seat, slot] < edge
            and (seat, slot) not in self.touched
            and slot not in told.slots
        }
        return True

    def means_play_or_save(self, told, through, twos):
        slot = self.new_chop(told)
        if slot is None:
            return False
        plays, saves = self.later_plays(through), set(self.critical())
        if not told.is_rank:
            saves -= self.fives()
        elif twos:
            saves |= {card for card in told.cards if card[1] == 2} - self.useless()
        if not told.assumed[slot] & (plays | saves):
            return False
        self.promise(told, slot, plays | saves, pledge=False)
        if told.assumed[slot] <= plays:
            told.pledged.add(slot)
        if told.is_rank and twos:
            if {card for card in told.assumed[slot] if card[1] == 2} - self.playable():
                told.saved = {slot}
        return True

    def prompted(self, seat, offered):
        below = {(colour, rank - 1) for colour, rank in offered} & self.playable()
        return self.newest(
            seat,
            {
                slot
                for slot in self.hand(seat)
                if (seat, slot) in self.touched
                and slot not in self.plays(seat)
                and self.assumed[seat, slot] & below
            },
        )

    def means_prompt_or_finesse(self, told, later):
        following = self.after(1)
        if (
            told.target == following
            or self.wait
            or not self.deck
            or self.new_chop(told) is not None
        ):
            return False
        slot = self.hgroup_focus(told)
        if slot is None or not told.assumed[slot] & self.one_away():
            return False
        cards = told.assumed[slot]
        if cards & self.later_plays(1) - self.playable():
            return False
        offered = cards & (self.playable() | self.one_away())
        answers = {}
        for seat in range(self.players):
            prompted = self.prompted(seat, offered)
            answers[seat] = self.ready(seat) if prompted is None else prompted
        if answers[following] is None:
            return False
        told.assumed[slot] = offered
        told.pledged.add(slot)
        told.wait = SimpleNamespace(
            giver=self.me,
            place=(told.target, slot),
            offered=offered,
            direct=offered & self.playable(),
            bluff=0,
            later=later,
            answers=answers,
        )
        return True

    def means_new_focus(self, told, through, ones):
        slot, plays = self.hgroup_focus(told), self.later_plays(through)
        if slot is None or not told.assumed[slot] & plays:
            return False
        self.promise(told, slot, plays)
        if ones and told.is_rank and told.cards <= {card for card in self.all if card[1] == 1}:
            for other in self.new(told):
                if told.assumed[other] & plays:
                    self.promise(told, other, plays)
        return True

    # ---- sarcastic discards

    def note_discard(self, card):
        """The seat to move discarded a card that everybody knew."""
        if not self.on("discards_tell") or card in self.useless():
            return
        for steps in range(1, self.players):
            seat = self.after(steps)
            if any(self.assumed[seat, slot] == {card} for slot in self.hand(seat)):
                return
            some = {s for s in self.hand(seat) if card in self.assumed[seat, s]}
            slot = self.newest(seat, {s for s in some if (seat, s) in self.touched})
            if slot is not None:
                self.narrow((seat, slot), {card})
                self.pledged.add((seat, slot))
                if self.on("misplay_drops"):
                    self.dated[seat, slot] = self.turn + 1
                return

    # ---- the order of 1s

    def ones_of(self, seat):
        """The slots of cards that are taken for 1s that fit, the first in order first."""
        ones = {card for card in self.all if card[1] == 1}
        slots = [s for s in self.plays(seat) if self.assumed[seat, s] <= ones]
        slots = [s for s in slots if len(self.assumed[seat, s]) > 1]
        dealt = self.players * self.hand_size

        def turn(slot):
            age = self.born[seat, slot]
            if (seat, slot) in self.chop_ones:
                return 0, -age
            return (1, -age) if age >= dealt else (2, age)

        return sorted(slots, key=turn)

    def note_order(self, slot):
        """The seat to move is about to play a slot."""
        slots = self.ones_of(self.me) if self.on("ones_in_order") else []
        skipped = slots.index(slot) if slot in slots else 0
        if 0 < skipped < self.players:
            chop = self.chop(self.after(skipped))
            if chop is not None:
                self.warned.add((self.after(skipped), chop))

    def note_ones(self, told):
        """The seat to move is about to give a hint."""
        if self.on("ones_in_order") and told.is_rank and {card[1] for card in told.cards} == {1}:
            place = told.target, self.chop(told.target)
            if place[1] in told.slots and place not in self.touched:
                self.chop_ones.add(place)

    # ---- misplays

    def date(self, told):
        """Note when a hint said more of a card than its words, where a misplay drops that."""
        if not self.on("misplay_drops"):
            return
        promised, assumed = told.words
        for slot in told.literal:
            if (told.promised[slot], told.assumed[slot]) != (promised[slot], assumed[slot]):
                self.dated[told.target, slot] = self.turn + 1
        if told.order:
            self.dated[told.order] = self.turn + 1

    def drop(self, place):
        """A card was misplayed: what hints said since the one on it is dropped."""
        since = self.dated.get(place, 0)
        if not since:
            return
        if self.wait and self.dated.get(self.wait.place, 0) >= since:
            self.wait = None
        if self.chain and self.dated.get(self.chain.place, 0) >= since:
            self.chain = None
        for other in [other for other, turn in self.dated.items() if turn >= since]:
            self.promised[other] = set(self.literal[other])
            self.assumed[other] = set(self.literal[other])
            self.pledged.discard(other)
            del self.dated[other]
