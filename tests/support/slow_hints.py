"""What a seat makes of the marks once more, from the definitions: its own cards, and what each hint
would be worth.

Plain Python over sets of cards, as slow as it likes; a card is (colour, rank). Beside the slow
marks it is told what the seat to move sees: the others' hands.
"""

from collections import Counter
from math import log2, prod

from slow_chains import SlowChainHints
from slow_pairs import WORTH

FALSE_PLAY, NOT_ALL_TRUE, HONEST = range(3)


class SlowHints(SlowChainHints):
    """``slow``: the marks by the list of conventions of the seat to move. ``hands``: {(seat, slot):
    card} of the others.
    """

    def __init__(self, slow, hands, lives, weights):
        self.slow, self.hands, self.lives, self.weights, self.me = (
            slow,
            hands,
            lives,
            weights,
            slow.me,
        )
        self.playable, self.useless, self.critical = (
            slow.playable(),
            slow.useless(),
            slow.critical(),
        )
        self.unseen = Counter(slow.pool) - Counter(hands.values())  # copies that I do not see
        self.pools = {}
        self.partners = [slow.after(steps) for steps in range(1, slow.players)]
        self.following = slow.after(1)
        self.own()

    # ---- my own cards

    def copies(self, cards, pool=None):
        pool = self.unseen if pool is None else pool
        return sum(pool[card] for card in cards)

    def own(self):
        slow, may_be = self.slow, {card for card in self.slow.all if self.unseen[card]}
        self.mine = slow.hand(self.me)
        self.promised, self.assumed = {}, {}
        for slot in self.mine:
            self.promised[slot] = (
                slow.promised[self.me, slot] & may_be or slow.literal[self.me, slot] & may_be
            )
            self.assumed[slot] = slow.assumed[self.me, slot] & may_be or self.promised[slot]
            saved = slow.saved.get(self.me)
            if saved and slot in saved.slots:
                seen = {
                    card
                    for place, card in self.hands.items()
                    if place[0] != saved.giver and slow.born[place] < saved.drawn
                }
                seen = {card for card in seen if card[1] == 2} - self.playable
                self.assumed[slot] = self.assumed[slot] - seen or self.assumed[slot]
        located = Counter(
            card for cards in self.assumed.values() if len(cards) == 1 for card in cards
        )
        gone = {card for card in slow.all if located[card] and located[card] >= self.unseen[card]}
        for slot, cards in self.assumed.items():
            if len(cards) > 1:
                self.assumed[slot] = cards - gone or cards
        chances = {slot: self.chance(slot, self.playable) for slot in self.mine}
        self.likeliest = self.best(chances)
        self.play = self.best({slot: self.worth(slot) for slot in self.mine if self.trusts(slot)})

    def best(self, worths):
        """The slot worth most; of equals the oldest."""
        return max(
            worths, key=lambda slot: (worths[slot], -self.slow.born[self.me, slot]), default=None
        )

    def chance(self, slot, cards):
        return self.copies(self.assumed[slot] & cards) / self.copies(self.assumed[slot])

    def trusts(self, slot):
        """Do I take the card for playable?"""
        if not self.assumed[slot] <= self.playable:
            return False
        promised, enough = self.promised[slot], self.weights["trust_chance"]
        return promised <= self.playable or (
            self.lives > self.weights["trust_lives"]
            and self.copies(promised & self.playable) >= enough * self.copies(promised)
        )

    def worth(self, slot):
        """What playing a card that I know to be playable is worth."""
        cards, weights = self.assumed[slot], self.weights
        follow = {(colour, rank + 1) for colour, rank in cards} & set(self.hands.values())
        worth = (
            weights["unlock"] * len(follow) - weights["lowest"] * sum(rank - 1 for _, rank in cards)
        ) / len(cards)
        worth += weights["private"] if slot not in self.slow.plays(self.me) else 0
        return worth + (weights["fives"] if all(rank == 5 for _, rank in cards) else 0)

    # ---- what partners know

    def pool_of(self, seat):
        """The copies that a partner does not see, as far as I can tell."""
        if seat not in self.pools:
            self.pools[seat] = self.unseen + Counter(
                card for (s, _), card in self.hands.items() if s == seat
            )
        return self.pools[seat]

    def seen_as(self, seat, cards):
        """A set less the types that a partner sees all copies of."""
        pool = self.pool_of(seat)
        return {card for card in cards if pool[card]}

    def knows_play(self, seat, cards):
        return bool(self.seen_as(seat, cards)) and self.seen_as(seat, cards) <= self.playable

    def partner_plays(self, seat):
        return {
            slot
            for slot in self.slow.hand(seat)
            if self.knows_play(seat, self.slow.assumed[seat, slot])
        }

    def in_danger(self):
        slot = self.slow.expected_discard(self.following)
        return (
            slot is not None
            and self.hands[self.following, slot] in self.critical
            and not self.partner_plays(self.following)
        )

    def taken(self):
        """Types that a touch would only repeat."""
        slow = self.slow
        return (
            self.answers_due()
            | {card for place, card in self.hands.items() if place in slow.touched | slow.pledged}
            | {card for cards in self.assumed.values() if len(cards) == 1 for card in cards}
        )

    def due(self):
        """Types that will be played by those who know."""
        known = {
            (seat, slot) for seat in self.partners for slot in self.partner_plays(seat)
        } | self.slow.pledged
        return self.playable & (
            self.answers_due()
            | {card for place, card in self.hands.items() if place in known}
            | {card for cards in self.assumed.values() if len(cards) == 1 for card in cards}
        )

    # ---- hints

    def hints(self):
        """Every hint that I may give, in order: (target, "colour" or "rank", which, honest, new,
        dangerous, value).
        """
        found = []
        for target in self.partners if self.slow.tokens else ():
            held = {slot: self.hands[target, slot] for slot in self.slow.hand(target)}
            for kind, whichs in (("colour", self.slow.colours), ("rank", self.slow.ranks)):
                for which in whichs:
                    cards = {card for card in self.slow.all if card[kind == "rank"] == which}
                    slots = {slot for slot, card in held.items() if card in cards}
                    if slots:
                        found.append(
                            (
                                target,
                                kind,
                                which,
                                *self.judge(self.slow.read(target, cards, kind == "rank", slots)),
                            )
                        )
        return found

    def judge(self, told):
        """(honest, new, dangerous, value) of a hint that was read as its target will read it."""
        weights, due, plays = self.weights, set(self.due()), []
        honest, safe, value = HONEST, False, 0.0

        def add(card):  # a play that the hint brings about
            if card in due:
                return False
            due.add(card)
            plays.append(card)
            return True

        if told.wait:
            told, answer = self.answered(told)
            if answer:
                seat, card, connected, fine = answer
                honest, safe = honest if fine else FALSE_PLAY, seat == self.following
                add(card)
                value += weights["finesse" if connected else "bluff"]
        else:
            answer = None
        if told.order:
            card = self.hands[told.order]
            if card in self.playable:
                add(card)
            else:
                honest = FALSE_PLAY
            safe = safe or told.order[0] == self.following
        chained = None
        if told.chain:
            chained = self.chained(told)
            cards, first = chained or ((), None)
            honest = FALSE_PLAY if chained is None else honest
            safe = safe or first == self.following
            for card in cards:
                add(card)
            value += weights["finesse"] if cards else 0
        if told.pair:
            pair = self.paired(told.pair)
            honest, safe = honest if pair else FALSE_PLAY, bool(pair)
            for card in pair if told.pair.what == 0 else pair[:1]:
                add(card)
            value += weights[WORTH[told.pair.what]] if pair and told.pair.what else 0
        if told.single:
            single, card = told.single, self.hands[told.single.place]
            if card not in single.cards:
                honest = FALSE_PLAY
            elif single.what:
                value += weights[WORTH[single.what]]
            else:
                add(card)
                safe = safe or single.place[0] == self.following
        if told.safe and self.hands[told.safe[0]] in self.critical:
            honest = min(honest, NOT_ALL_TRUE)
        for slot in told.saved:
            card = self.hands[told.target, slot]
            others = {c for (seat, _), c in self.hands.items() if seat != told.target}
            if card[1] == 2 and card not in self.playable and card in others:
                honest = min(honest, NOT_ALL_TRUE)
        honest, idle, gained = self.changes(told, honest, add)
        danger = (
            False
            if safe
            else self.leaves_danger(told)
            if told.target == self.following
            else self.in_danger()
        )
        new = len(plays) + (1 if answer and answer[2] or chained and chained[0] else 0)
        value += (
            gained
            + weights["new"] * new
            + weights["low"] * sum(3 - rank for _, rank in plays)
            + self.touches(told)
        )
        value -= weights["distance"] * ((told.target - self.me) % self.slow.players - 1)
        if danger:
            honest, value = min(honest, NOT_ALL_TRUE), value - weights["danger"]
        return honest, new, danger, value + (weights["idle"] if idle else 0)

    def answered(self, told):
        """A finesse as I see it: its focus is of the types that the answer leaves, and (seat, card,
        connected, fine).
        """
        wait, (target, slot) = told.wait, told.wait.place
        focus, answer = self.hands[target, slot], None
        if focus in self.playable:
            cards = wait.offered & self.playable
        else:
            below = (focus[0], focus[1] - 1)
            between = (
                [
                    self.slow.after(steps)
                    for steps in range(2, (target - self.me) % self.slow.players)
                ]
                if wait.later
                else []
            )
            seat = next(
                (
                    seat
                    for seat in between
                    if wait.answers[seat] is not None
                    and self.hands[seat, wait.answers[seat]] == below
                ),
                self.following,
            )
            card = self.hands[seat, wait.answers[seat]]
            connected = wait.offered & {(card[0], card[1] + 1)}
            cards = connected or wait.offered - self.playable
            fine = card in self.playable and (bool(connected) or bool(told.wait.bluff))
            answer = seat, card, bool(connected), fine
        told.promised[slot], told.assumed[slot] = (
            told.promised[slot] & cards,
            told.assumed[slot] & cards,
        )
        return told, answer

    def paired(self, pair):
        """The two cards of a pair in the order in which they are played; none if one is not."""
        held = {
            slot: self.hands[pair.target, slot]
            for slot in self.slow.hand(pair.target)
            if slot not in pair.known
        }
        after_one = {(colour, rank + 1) for colour, rank in self.playable}
        some = [slot for slot, card in held.items() if card in pair.cards]
        if pair.what == 0:
            some = some or [slot for slot, card in held.items() if card in after_one]
        meant = self.slow.newest(pair.target, some)
        first = [slot for slot, other in pair.goes_with.items() if other == meant]
        if meant is None or not first:
            return ()
        card, then = self.hands[self.following, first[0]], held[meant]
        fits = then in self.playable - {card} or then == (card[0], card[1] + 1)
        fits = then in pair.cards if pair.what else fits
        return (card, then) if card in self.playable and fits else ()

    def changes(self, told, honest, add):
        """What becomes known of each card: (how honest it is then, does it give a play to one who
        had none, its worth).
        """
        target, weights, value, adds = told.target, self.weights, 0.0, False
        soon, slow, pool, ratios = self.slow.one_away(), self.slow, self.pool_of(target), []
        for slot in slow.hand(target):
            card = self.hands[target, slot]
            for now, was in ((told.assumed, slow.assumed), (told.promised, slow.promised)):
                if now[slot] != was[target, slot] and card not in now[slot]:
                    honest = min(honest, NOT_ALL_TRUE)
            was, now = (
                self.seen_as(target, slow.assumed[target, slot]),
                self.seen_as(target, told.assumed[slot]),
            )
            if was == now:
                continue
            ratios.append((self.copies(was, pool) + 1) / (self.copies(now, pool) + 1))

            def becomes(kind, was=was, now=now):
                return now <= kind and not was <= kind

            if now <= self.playable:
                if becomes(self.playable) and card not in self.playable:
                    honest = FALSE_PLAY
                elif becomes(self.playable):
                    adds = add(card) or adds
            elif now <= self.useless:
                value += weights["useless"] if becomes(self.useless) and card in self.useless else 0
            else:
                value += (
                    weights["critical"] if becomes(self.critical) and card in self.critical else 0
                )
                value += weights["soon"] if becomes(self.playable | soon) and card in soon else 0
        return (
            honest,
            adds and not self.partner_plays(target),
            value + weights["information"] * log2(prod(ratios)),
        )

    def touches(self, told):
        """What cards are worth that a hint points at for the first time."""
        value, taken = 0.0, self.taken()
        for slot in sorted(told.slots):
            card = self.hands[told.target, slot]
            if (told.target, slot) in self.slow.touched:
                continue
            value += self.weights["five"] if card[1] == 5 else 0
            if card in self.useless:
                value -= (
                    0
                    if self.seen_as(told.target, told.assumed[slot]) <= self.useless
                    else self.weights["waste"]
                )
            else:
                value -= self.weights["copy"] if card in taken else 0
                taken.add(card)
        return value

    def leaves_danger(self, told):
        """Would the target, who moves next, discard a last copy?"""
        if any(
            self.knows_play(told.target, cards) or cards and cards <= self.useless
            for cards in told.assumed.values()
        ):
            return False
        warned = {slot for seat, slot in self.slow.warned if seat == told.target} | told.warned
        slot = self.slow.chop(told.target, told.assumed, warned)
        return slot is not None and self.hands[told.target, slot] in self.critical

    def best_hint(self, seat, new, honest):
        """The place among the hints of the best one; see judge.best_hint."""
        found = self.hints()
        able = [
            place
            for place, hint in enumerate(found)
            if hint[4] >= new and hint[3] >= honest and seat in (-1, hint[0])
        ]
        return max(able, key=lambda place: (found[place][6], -place), default=-1)
