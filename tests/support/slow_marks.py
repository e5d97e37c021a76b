"""The marks once more, from their definition: plain Python over sets of cards, as slow as it likes.

A card is (colour, rank). Nothing here knows a card that does not lie face up: ``hint`` is told the
slots that were pointed at, ``card`` the card that was played or discarded. Conventions are a list
of (name, {value: …}, guard or None) in their order.
"""

from collections import Counter
from functools import wraps
from types import SimpleNamespace

from slow_chains import SlowChains
from slow_hgroup import SlowHGroup
from slow_meanings import SlowMeanings
from slow_pairs import SlowPairs

from hanabi.conventions import chains, finesses
from hanabi.conventions.marks import agreed_chop
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.moves import SEATS
from hanabi.rules.pair_rules import GIVER, MEANS, PAIR

SAVES = memory_key("play_or_save")


def kept(method):
    """Keep a set that follows from the cards played and the copies left alone, until one of these
    changes.
    """

    @wraps(method)
    def ask(self):
        key = (
            len(self.played),
            self.alive.total(),
        )  # cards are played and copies lost, never the other way
        if self.kept.get(method.__name__, (None,))[0] != key:
            self.kept[method.__name__] = key, frozenset(method(self))
        return self.kept[method.__name__][1]

    return ask


def opened(name):
    """An attribute: None, or what is open and has a place, whose card is awaited until it closes."""

    def put(self, new):
        old = getattr(self, name, None)
        if new is not old:
            self.awaited -= {old.place} if old else set()
            self.awaited |= {new.place} if new else set()
        setattr(self, name, new)

    return property(lambda self: getattr(self, name), put)


class SlowMarks(SlowMeanings, SlowHGroup, SlowPairs, SlowChains):
    wait, chain = opened("_wait"), opened("_chain")

    def __init__(self, variant, conventions):
        self.awaited = set()
        self.conventions = conventions
        self.players, self.slots = variant.players, range(5)
        self.ranks, self.colours = range(1, variant.ranks + 1), range(variant.colours)
        self.all = {(c, r) for c in self.colours for r in self.ranks}
        self.pool = Counter(
            {(c, r): variant.copies[r - 1] for c, r in self.all}
        )  # copies not face up
        self.alive = Counter(self.pool)  # copies not discarded
        self.full_count = self.alive.total()
        self.played, self.kept = set(), {}
        self.tokens = self.most_tokens = variant.tokens
        self.lives = variant.lives
        self.deck, self.drawn, self.me = variant.cards, 0, 0
        self.literal, self.promised, self.assumed, self.born = {}, {}, {}, {}
        self.touched, self.pledged, self.warned, self.wait = set(), set(), set(), None
        self.turn, self.dated, self.saved, self.pair, self.chain = 0, {}, {}, None, None
        self.hand_size, self.chop_ones = variant.hand_size, set()
        for seat in range(self.players):
            for slot in range(variant.hand_size):
                self.draw(seat, slot)

    def draw(self, seat, slot):
        for marks in (self.literal, self.promised, self.assumed):
            marks[seat, slot] = set(self.all)
        self.born[seat, slot] = self.drawn
        self.drawn, self.deck = self.drawn + 1, self.deck - 1

    # ---- what everybody can work out

    @kept
    def playable(self):
        return {
            (c, r)
            for c, r in self.all - self.played
            if all((c, low) in self.played for low in range(1, r))
        }

    @kept
    def useless(self):
        return {
            (c, r)
            for c, r in self.all
            if (c, r) in self.played
            or any(
                self.alive[c, low] == 0 and (c, low) not in self.played for low in range(1, r + 1)
            )
        }

    @kept
    def critical(self):
        return {card for card in self.all - self.useless() if self.alive[card] == 1}

    @kept
    def one_away(self):
        return {(c, r + 1) for c, r in self.playable()} & self.all - self.useless()

    def hand(self, seat):
        return [slot for slot in self.slots if (seat, slot) in self.literal]

    def plays(self, seat, row=None):
        row = row or {slot: self.assumed[seat, slot] for slot in self.hand(seat)}
        return {slot for slot, cards in row.items() if cards <= self.playable()}

    def perhaps(self, seat, row=None):
        row = row or {slot: self.assumed[seat, slot] for slot in self.hand(seat)}
        return {
            slot
            for slot, cards in row.items()
            if cards & self.playable() and cards - self.playable()
        }

    def newest(self, seat, slots):
        return max(slots, key=lambda slot: self.born[seat, slot], default=None)

    def busy(self, seat):
        return bool(self.plays(seat)) or any(
            self.assumed[seat, slot] <= self.useless() for slot in self.hand(seat)
        )

    def ready(self, seat):
        return self.newest(
            seat,
            {
                slot
                for slot in self.perhaps(seat)
                if (seat, slot) not in self.touched and (seat, slot) not in self.pledged
            },
        )

    def chop(self, seat, row=None, warned=None):
        """What a seat would discard, as agreed; if other sets were assumed, and other slots of it
        warned about.
        """
        row = row or {slot: self.assumed[seat, slot] for slot in self.hand(seat)}
        warned = {slot for s, slot in self.warned if s == seat} if warned is None else warned
        how = {"touched": 0, "critical": 0, "age": 0}
        for name, values, _ in self.conventions:
            if name in ("chop", "chop_oldest"):
                how = values or {"touched": 20, "critical": 0, "age": 2}
        worths = {}
        for slot in self.hand(seat):
            cards = row[slot]
            if cards <= self.critical():
                continue
            copies = sum(self.pool[card] for card in cards)
            useless = sum(self.pool[card] for card in cards & self.useless())
            critical = sum(self.pool[card] for card in cards & self.critical())
            worth = (useless - how["critical"] * critical) / copies
            worth -= how["touched"] if (seat, slot) in self.touched else 0
            worth -= 10 if slot in warned else 0
            for other in self.hand(seat):
                worth += how["age"] if self.born[seat, other] > self.born[seat, slot] else 0
            worths[slot] = worth
        return max(worths, key=lambda slot: (worths[slot], -self.born[seat, slot]), default=None)

    def expected_discard(self, seat):
        return None if self.busy(seat) else self.chop(seat)

    def after(self, steps):
        return (self.me + steps) % self.players

    # ---- guards

    def on(self, name):
        """The values of the conventions of a name that are asked now."""
        return [
            values
            for other, values, guard in self.conventions
            if other == name and self.holds(guard)
        ]

    def holds(self, guard, told=None):
        """Do the bounds hold, for a hint if it is about one?"""
        alive = self.all - (self.useless() - self.played)
        now = {
            "tokens": self.tokens,
            "deck": self.deck,
            "lives": self.lives,
            "spare": len(self.played) + self.deck + self.players - len(alive),
            "next_plays": bool(self.plays(self.after(1))),
        }
        if told is not None:
            new = {slot for slot in told.slots if (told.target, slot) not in self.touched}
            now |= {
                "rank": told.is_rank,
                "distance": (told.target - self.me) % self.players,
                "touches": len(new),
            }
        return guard is None or all(low <= now[name] <= high for name, low, high in guard.bounds)

    # ---- events

    def read(self, target, cards, is_rank, slots):
        """What it would mean if the seat to move told the target that these slots, and no others,
        are among some cards.
        """
        told = SimpleNamespace(
            target=target,
            cards=cards,
            is_rank=is_rank,
            slots=slots,
            order=None,
            wait=None,
            pair=None,
            single=None,
            chain=None,
        )
        told.before = self.perhaps(target)
        told.literal = {
            s: self.literal[target, s] & cards if s in slots else self.literal[target, s] - cards
            for s in self.hand(target)
        }
        hand = self.hand(target)
        told.promised = {
            s: self.keep(self.promised[target, s] & told.literal[s], told.literal[s]) for s in hand
        }
        told.assumed = {
            s: self.keep(self.assumed[target, s] & told.literal[s], told.promised[s]) for s in hand
        }
        told.pledged, told.warned, told.saved = set(), set(), set()
        told.words = dict(told.promised), dict(told.assumed)
        told.literally = told.words[1]
        told.meaning = next(
            (
                name
                for name, values, guard in self.conventions
                if hasattr(self, "means_" + name)
                and self.holds(guard, told)
                and getattr(self, "means_" + name)(told, **values)
            ),
            None,
        )
        for name, _, guard in self.conventions:
            if name == "touched_unlike" and self.holds(guard):
                self.assume_unlike(told)
            for slot in slots if name == "touched_useful" and self.holds(guard) else ():
                told.assumed[slot] = self.keep(
                    told.assumed[slot] - self.useless(), told.promised[slot]
                )
        told.safe = self.no_warning_slot(target)
        return told

    def hint(self, target, cards, is_rank, slots):
        """The seat to move told that. The name of what it means is returned."""
        told = self.read(target, cards, is_rank, slots)
        playable, before = self.playable(), self.before_move()
        self.tokens -= 1
        self.date(told)
        self.note_ones(told)
        for slot in told.literal:
            self.literal[target, slot] = told.literal[slot]
            self.promised[target, slot], self.assumed[target, slot] = (
                told.promised[slot],
                told.assumed[slot],
            )
        if told.wait:
            self.wait, between = told.wait, (target - self.me) % self.players
            self.wait.asked = {
                self.after(1 + i) for i in range(between - 1 if told.wait.later else 1)
            }
        self.pair, self.chain = told.pair, told.chain or self.chain
        self.touched |= {(target, slot) for slot in slots}
        self.pledged |= {(target, slot) for slot in told.pledged}
        self.warned |= {(target, slot) for slot in told.warned}
        if told.saved:
            drawn = max(self.born.values()) + 1
            self.saved[target] = SimpleNamespace(slots=told.saved, giver=self.me, drawn=drawn)
        if told.single:
            self.tell_single(told.single)
        if told.order:
            self.narrow(told.order, playable)
            self.pledged.add(told.order)
        self.assume_safe(told.safe)
        self.settle(None, None)
        self.follow_chain(before)
        self.finish()
        return told.meaning

    def card(self, slot, card, is_play):
        """The seat to move played or discarded a card, which lies face up now."""
        self.assume_safe(self.no_warning_slot(None))
        before, was_known = self.before_move(), self.assumed[self.me, slot] == {card}
        if is_play:
            self.note_order(slot)
        fits = is_play and card in self.playable()
        if is_play:
            self.settle(slot if fits else None, card)
        place = self.me, slot
        if is_play and not fits:
            self.drop(place)
        self.dated.pop(place, None)
        if self.me in self.saved:
            self.saved[self.me].slots.discard(slot)
        self.pool[card] -= 1
        if fits:
            self.played.add(card)
            self.tokens += card[1] == max(self.ranks) and self.tokens < self.most_tokens
        else:
            self.alive[card] -= 1
            self.tokens += not is_play
            self.lives -= is_play
        for marks in (self.literal, self.promised, self.assumed, self.born):
            del marks[place]
        self.touched.discard(place)
        self.pledged.discard(place)
        self.awaited.discard(place)
        self.warned.discard(place)
        self.chop_ones.discard(place)
        if self.deck:
            self.draw(*place)
        if was_known and not is_play:
            self.note_discard(card)
        if not is_play:  # hooks run in the order of the list, and discards_tell is earlier
            self.settle(None, card)
        self.close_pair(slot if fits else None)
        self.follow_chain(before, slot, card, is_play, fits)
        for values in self.on("played_leaves") if fits else ():
            for other in self.pledged | (self.touched if values["all"] else set()):
                self.assumed[other] = self.keep(self.assumed[other] - {card}, self.promised[other])
        self.finish()

    def finish(self):
        """Located cards leave all other sets; then the next seat's turn."""
        gone_before = None
        for _ in range(3):
            gone = [
                {
                    card
                    for card in self.all
                    if sum(marks[place] == {card} for place in marks) >= self.pool[card]
                }
                for marks in (self.promised, self.assumed)
            ]
            if gone == gone_before:
                break
            gone_before = gone
            face_up = {card for card in self.all if self.pool[card] == 0}
            for place in self.literal:
                promised, assumed = self.promised[place], self.assumed[place]
                promised = promised - (gone[0] if len(promised) > 1 else face_up)
                self.promised[place] = self.keep(promised, self.literal[place] - face_up)
                assumed = assumed - (gone[1] if len(assumed) > 1 else face_up)
                self.assumed[place] = self.keep(
                    assumed & self.promised[place], self.promised[place]
                )
        if self.wait:
            self.wait.asked.discard(self.me)
        self.me = self.after(1)
        self.turn += 1

    @staticmethod
    def keep(cards, otherwise):
        return cards or otherwise

    def narrow(self, place, cards):
        self.promised[place] = self.keep(self.promised[place] & cards, self.literal[place])
        self.assumed[place] = self.keep(self.assumed[place] & cards, self.promised[place])

    def settle(self, slot, card):
        """Does the move just made (the slot and the card of a play that fitted) end an open
        finesse?
        """
        wait = self.wait
        if wait is None or wait.giver == self.me:
            return
        cards = set()
        if slot is not None:
            connected = wait.offered & {(card[0], card[1] + 1)}
            if slot != wait.answers[self.me] or slot in self.plays(self.me):
                wait.direct = wait.direct | connected
            elif connected:
                cards = connected
            elif self.me == (wait.giver + 1) % self.players:
                cards = wait.offered - wait.direct
        if not cards and (not wait.later or self.after(1) == wait.place[0]):
            cards = wait.direct
        if cards:
            self.narrow(wait.place, cards)
            self.wait = None

    def no_warning_slot(self, target):
        seat = self.after(1)
        if not self.on("no_warning") or target == seat or self.tokens == 0 or self.deck == 0:
            return None
        slot = self.expected_discard(seat)
        return None if slot is None else ((seat, slot), self.critical())

    def assume_safe(self, what):
        if what is not None:
            place, critical = what
            self.assumed[place] = self.keep(self.assumed[place] - critical, self.promised[place])


# ---- beside the real thing


def cards_of(bits):
    """A set of card types, as bits, as a set of (colour, rank)."""
    return {(card // 5, card % 5 + 1) for card in range(30) if int(bits) >> card & 1}


def slots_of(bits):
    return {slot for slot in range(5) if int(bits) >> slot & 1}


def follow(slow, event):
    """Tell the slow marks an event of the history; returns the meaning of a hint, by name."""
    move, slots, card = event & 255, event >> 8 & 255, (event >> 16 & 255) - 1
    if move < 11:
        return slow.card((move - 1) % 5, (card // 5, card % 5 + 1), move < 6)
    if move < 41:
        target, cards = (
            (move - 11) // 6,
            {(colour, rank) for colour, rank in slow.all if colour == (move - 11) % 6},
        )
    else:
        target, cards = (
            (move - 41) // 5,
            {(colour, rank) for colour, rank in slow.all if rank == (move - 41) % 5 + 1},
        )
    return slow.hint(target, cards, move >= 41, slots_of(slots))


def difference(view, number, slow):
    """What the real marks of a list, by its number, and the slow ones disagree on, in words; empty
    if nothing.
    """
    mine, view.list = view.list, number
    wrong = _differences(view, view.marks[number], slow)
    view.list = mine
    return wrong


def _differences(view, marks, slow):
    wrong, saved_twos, chained = [], memory_of(view, SAVES), memory_of(view, chains.CHAIN)

    def same(what, real, expected):
        if real != expected:
            wrong.append(f"{what}: {real} should be {expected}")

    for seat in range(slow.players):
        for slot in slow.hand(seat):
            same(
                f"promised {seat, slot}",
                cards_of(marks.promised[seat, slot]),
                slow.promised[seat, slot],
            )
            same(
                f"dated {seat, slot}", int(marks.dated[seat, slot]), slow.dated.get((seat, slot), 0)
            )
            same(
                f"assumed {seat, slot}",
                cards_of(marks.assumed[seat, slot]),
                slow.assumed[seat, slot],
            )
        same(
            f"pledged {seat}",
            slots_of(marks.pledged[seat]),
            {slot for s, slot in slow.pledged if s == seat},
        )
        same(
            f"warned {seat}",
            slots_of(marks.warned[seat]),
            {slot for s, slot in slow.warned if s == seat},
        )
        saved = slow.saved.get(seat)
        kept = saved_twos[seat : 3 * SEATS : SEATS]
        same(f"saved {seat}", {int(kept[0])} - {-1}, saved.slots if saved else set())
        if saved and saved.slots:
            same(f"saver {seat}", tuple(map(int, kept[1:])), (saved.giver, saved.drawn))
        same(f"plays {seat}", slots_of(marks.plays[seat]), slow.plays(seat))
        same(f"perhaps {seat}", slots_of(marks.perhaps[seat]), slow.perhaps(seat))
        same(
            f"ready {seat}",
            int(marks.ready[seat]),
            -1 if slow.ready(seat) is None else slow.ready(seat),
        )
        same(
            f"chop {seat}",
            int(agreed_chop(view, seat)),
            -1 if slow.chop(seat) is None else slow.chop(seat),
        )
    for name, key in (("pair", PAIR), ("means", MEANS)):
        is_open = slow.pair and slow.pair.name == name
        same(name, int(memory_of(view, key)[GIVER]), slow.pair.giver if is_open else -1)
    expected = slow.expected_discard(slow.after(1))
    same("expected discard", int(marks.expected), -1 if expected is None else expected)
    finesse, wait = memory_of(view, finesses.FINESSE), slow.wait
    same("finesse", int(finesse[finesses.GIVER]), -1 if wait is None else wait.giver)
    if wait:
        same("finesse offered", cards_of(finesse[finesses.OFFERED]), wait.offered)
        same("finesse direct", cards_of(finesse[finesses.DIRECT]), wait.direct)
    for seat in range(slow.players):
        awaited = {slot for owner, slot in slow.awaited if owner == seat}
        same(f"awaited {seat}", slots_of(marks.awaited[seat]), awaited)
        asked = {wait.answers[seat]} - {None} if wait and seat in wait.asked else set()
        same(f"may answer {seat}", slots_of(marks.may_answer[seat]), asked)
    same("chain", int(chained[chains.GIVER]), -1 if slow.chain is None else slow.chain.giver)
    if slow.chain:
        chain = slow.chain
        same("chain offered", cards_of(chained[chains.OFFERED]), chain.offered)
        for seat in range(slow.players):
            answer = slow.answering_slot(chain, seat, chain.offered, slow.playable())
            slot = int(chains.open_slot(view, chained, seat))
            same(f"answer {seat}", slot, -1 if answer is None else answer)
            passed = bool(int(chained[chains.PASSED]) >> seat & 1)
            same(f"passed {seat}", passed, seat in chain.passed)
    return wrong
