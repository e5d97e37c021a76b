"""The convention chain once more, from its definition: what slow_marks.py and slow_hints.py have
besides.
"""

from types import SimpleNamespace


class SlowChains:
    """A hint of a chain, and what its answers tell."""

    def away(self, plays):
        return {
            (colour, rank)
            for colour, rank in self.all - self.useless()
            if any((colour, rank - k) in self.playable() for k in range(1, plays + 1))
        }

    def means_chain(self, told, cards):
        is_paired = self.pair and self.pair.name == "pair"
        if self.wait or self.chain or is_paired or not self.deck:
            return False
        slot = self.hgroup_focus(told)
        if slot is None or self.new_chop(told) is not None:
            return False
        types, away = told.assumed[slot], self.away(cards)
        known = {card for cards in self.assumed.values() if len(cards) == 1 for card in cards}
        needs = {
            (colour, low)
            for colour, rank in types & away
            for low in range(1, rank)
            if (colour, low) not in self.played
        }
        if not types & away or (types - self.playable() | needs) & known:
            return False
        offered = types & (self.playable() | away)
        told.assumed[slot] = offered
        told.pledged.add(slot)
        told.chain = SimpleNamespace(
            giver=self.me,
            place=(told.target, slot),
            offered=set(offered),
            passed=set(),
            touched={},
            untouched={},
        )
        for seat in range(self.players):
            touched = {s for s in self.hand(seat) if (seat, s) in self.touched}
            pledged = {s for s in self.hand(seat) if (seat, s) in self.pledged}
            here = told.slots if seat == told.target else set()
            told.chain.touched[seat] = touched - here - self.plays(seat)
            told.chain.untouched[seat] = set(self.hand(seat)) - touched - here - pledged
        return True

    def answering_slot(self, chain, seat, offered, playable, gone=frozenset()):
        """The slot with which a seat answers; gone: slots that it has played."""
        connecting = {
            card for card in playable if any(card[0] == c and card[1] < r for c, r in offered)
        }
        prompted = {s for s in chain.touched[seat] - gone if self.assumed[seat, s] & connecting}
        free = {s for s in chain.untouched[seat] - gone if self.assumed[seat, s] & playable}
        return self.newest(seat, prompted or free)

    def all_passed(self, chain):
        others = set(range(self.players)) - {chain.giver, chain.place[0]}
        return others <= chain.passed

    def before_move(self):
        """What follow_chain has to know of the time before a move: (slot of the answer, slots that
        play, was the target due).
        """
        chain = self.chain
        if chain is None:
            return None, set(), False
        answer = self.answering_slot(chain, self.me, chain.offered, self.playable())
        return answer, self.plays(self.me), self.all_passed(chain)

    def follow_chain(self, before, slot=None, card=None, is_play=False, fits=False):
        """The seat to move hinted, or played or discarded a card, which is face up now."""
        chain, (answer, plays, was_due) = self.chain, before
        if chain is None:
            return
        if (self.me, slot) == chain.place or is_play and not fits and slot == answer:
            self.chain = None
            return
        passes = True
        if fits:
            connected = {(c, r) for c, r in chain.offered if c == card[0] and r > card[1]}
            answered = self.me != chain.giver and slot == answer and slot not in plays
            passes = not answered and not connected
            chain.passed = chain.passed if passes else set()
            if answered and connected:
                chain.offered = connected
                self.narrow(chain.place, connected)
        if passes:
            chain.passed.add(self.me)
        chain.touched[self.me].discard(slot)
        chain.untouched[self.me].discard(slot)
        rest = chain.offered - self.useless()
        if rest <= self.playable() or self.all_passed(chain) and rest & self.playable():
            self.chain = None
            if chain.offered & (self.playable() | self.useless()):
                self.narrow(chain.place, chain.offered & (self.playable() | self.useless()))
        elif self.me == chain.place[0] and was_due and passes:
            self.chain = None


class SlowChainHints:
    """What a giver sees of a chain."""

    def chained(self, told):
        """The cards that answer a chain, in the order in which they are played turn by turn, and
        the first seat to answer; None if the chain fails. The focus is of the types left then.
        """
        chain, slow = told.chain, self.slow
        target, focus = chain.place[0], self.hands[chain.place]
        offered, playable, passed = set(chain.offered), set(self.playable), set()
        if focus not in offered:
            return None
        gone, plays, first, ends = {seat: set() for seat in self.partners}, [], None, False

        def path(seat, need):
            return self.path(chain, seat, need, offered, playable, gone[seat])

        for turn in range(1, 60):
            if focus in playable:
                ends = True
                break
            seat, need = slow.after(turn), min(self.needs(focus, playable))
            if seat == self.me:
                continue
            holders = {
                other
                for other in self.partners
                if (other not in passed if other != target else not offered & playable)
                and path(other, need)
            }
            if seat == target:
                acts = not offered & playable and passed >= set(self.partners) - {target}
            else:
                acts = not holders - {seat}
            if not acts:
                passed.add(seat)
                continue
            if not path(seat, need):
                break
            slot = path(seat, need)[0]
            card = self.hands[seat, slot]
            plays.append(card)
            gone[seat].add(slot)
            playable = playable - {card} | {(card[0], card[1] + 1)} & slow.all
            if card == need:
                offered = {(c, r) for c, r in offered if c == card[0] and r > card[1]}
            passed, first = set(), seat if first is None else first
        left = chain.offered & self.playable if focus in self.playable else {focus}
        slot = chain.place[1]
        told.promised[slot] = told.promised[slot] & left
        told.assumed[slot] = told.assumed[slot] & left
        return (plays, first) if ends else None

    def answers_due(self):
        """The cards with which others answer the open chain."""
        chain, due = self.slow.chain, set()
        if chain is None:
            return due
        target, direct = chain.place[0], chain.offered & self.playable
        types = chain.offered
        if target != self.me:
            types = types & {self.hands[chain.place]}
        needs = {card for focus in types for card in self.needs(focus, self.playable)}
        for seat in set(self.partners) - {chain.giver}:
            if seat in chain.passed if seat != target else direct:
                continue
            for need in needs:
                due |= {self.hands[seat, slot] for slot in self.path(chain, seat, need)}
        return due

    def path(self, chain, seat, need, offered=None, playable=None, gone=frozenset()):
        """The slots that a seat plays until the needed card; none if it lacks it."""
        offered = chain.offered if offered is None else offered
        fits = set(self.playable if playable is None else playable)
        slots = []
        while True:
            slot = self.slow.answering_slot(chain, seat, offered, fits, gone | set(slots))
            if slot is None:
                return []
            card = self.hands[seat, slot]
            slots.append(slot)
            if card == need:
                return slots
            if card not in fits or any(c == card[0] and r > card[1] for c, r in offered):
                return []
            fits = fits - {card} | {(card[0], card[1] + 1)} & self.slow.all

    @staticmethod
    def needs(focus, playable):
        """The playable card of the colour of the focus."""
        return {card for card in playable if card[0] == focus[0] and card[1] < focus[1]}
