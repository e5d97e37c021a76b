"""A position as text: everything that a seat's decision depends on, and the deck behind it.

The text is TOML, to be read and written by hand. What is left out has a sensible value: no hint was given, no card lies
face up, all tokens and lives are there, the deck holds the cards that are seen nowhere::

    variant = "standard"
    players = 3
    to_move = "Bob"
    tokens = 3
    fireworks = "R2 B1"
    discards = "R113 B4"
    [hands]
    Ann = ["R4 R", "B2", "G1 1", "W5", "Y3"]
    Bob = ["R3 RB3 #21", "??", "??", "??", "??"]
    Cal = ["G2", "G3", "W1 12345R", "Y4", "P1"]

In a hand each slot is a card (``--`` for none; the seat to move may write ``??``, any card that fits), then what the
hints it got leave possible (colours, ranks or both: ``RB3`` is red or blue 3, ``R`` red of any rank, nothing anything),
``#21`` for its place in the order of drawing, and ``touched`` or ``untouched`` where that does not follow.
"""
from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import numpy as np

from hanabi import moves
from hanabi.cards import COLOURS, STRIDE, TYPES, card_text, only_colour, only_rank, read_card
from hanabi.game import HISTORY, blank, cards_to_draw, event_card, event_move, event_slots, new_state
from hanabi.moves import NAMES, move_text, read_move
from hanabi.variant import Variant, nearest, parse_toml, read_variant

SEEDS = 1 << 64


def told_text(mask: int, variant: Variant) -> str:
    """What hints leave possible, in short: ``R``, ``3``, ``RB3``, ``G1245``; nothing where every type is possible."""
    colours, ranks = _sides(mask)
    return ("" if len(colours) == variant.colours else colours) + ("" if len(ranks) == variant.ranks else ranks)


def read_told(text: str, variant: Variant) -> int:
    """The set of types written by ``told_text``. ValueError, one line, for colours or ranks the variant has not."""
    colours = [letter for letter in text if letter in COLOURS[:variant.colours]] or COLOURS[:variant.colours]
    ranks = [letter for letter in text if letter in "12345"[:variant.ranks]] or "12345"[:variant.ranks]
    mask = 0
    for letter in colours:
        for rank in ranks:
            mask |= 1 << read_card(letter + rank)
    if any(letter not in COLOURS[:variant.colours] + "12345"[:variant.ranks] for letter in text):
        raise ValueError(f"{text!r} does not say what hints leave possible: write colours of "
                         f"{COLOURS[:variant.colours]}, ranks of {'12345'[:variant.ranks]} or both, such as R1")
    return mask


def _sides(mask):
    types = [card for card in range(TYPES) if mask >> card & 1]
    return ("".join(letter for i, letter in enumerate(COLOURS) if any(card // STRIDE == i for card in types)),
            "".join(str(rank) for rank in range(1, STRIDE + 1) if any(card % STRIDE == rank - 1 for card in types)))


def pile_text(cards) -> str:
    """Cards by colour, each as often as it is there: ``R113 B2``."""
    return " ".join(letter + "".join(str(card % STRIDE + 1) for card in sorted(cards) if card // STRIDE == i)
                    for i, letter in enumerate(COLOURS) if any(card // STRIDE == i for card in cards))


def read_pile(text: str, what: str = "cards") -> list[int]:
    """The cards written ``R113 B2``, in the order they stand in (so also ``R1 B3 …``, a deck)."""
    cards = []
    for word in text.split():
        if len(word) < 2 or word[0] not in COLOURS or any(rank not in "12345" for rank in word[1:]):
            raise ValueError(f"{what}: no cards {word!r}; write a colour of {' '.join(COLOURS)} and ranks, "
                             "such as R3 or R113")
        cards += [read_card(word[0] + rank) for rank in word[1:]]
    return cards


def fireworks_text(fireworks) -> str:
    """The highest card of each firework that was begun: ``R2 Y5``."""
    return " ".join(f"{COLOURS[colour]}{int(rank)}" for colour, rank in enumerate(fireworks) if rank)


def event_text(event: int) -> str:
    """An event of the history: ``play 0: R1``, ``tell Bob R: 1 3`` (the slots it pointed at)."""
    event = int(event)
    card, slots = event_card(event), event_slots(event)
    shown = card_text(card) if card >= 0 else " ".join(str(slot) for slot in range(moves.SLOTS) if slots >> slot & 1)
    return f"{move_text(event_move(event))}: {shown}"


def quote(text: str) -> str:
    """A TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def taken(data: dict, key: str, kind: type, default, where: str):
    """The value of a key, if it is of this kind; ``default`` where the key is left out."""
    value = data.get(key, default)
    names = {int: "a whole number", str: "text in quotes", list: "a list", dict: "a table"}
    if value is not default and type(value) is not kind:
        raise ValueError(f"{where}: {key} should be {names[kind]}, not {_shown(value)}")
    return value


def _shown(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def known_keys(data: dict, keys, where: str) -> None:
    """Raises ValueError for a key that is none of these."""
    for key in data:
        if key not in keys:
            raise ValueError(f"{where}: no key {key!r}{nearest(key, keys)}; the keys are {', '.join(keys)}")


def seated(data: dict, where: str) -> Variant:
    """The variant of a game or position, with its players. It must stand in the text itself, so no file is meant."""
    name = taken(data, "variant", str, "standard", where)
    if name.endswith(".toml"):
        raise ValueError(f"{where}: a game holds its variant itself: write the settings, not the file {name!r}")
    try:
        return read_variant(name).at(taken(data, "players", int, None, where))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def good_seed(seed: int, where: str) -> int:
    """The seed, if it is one (0 to 2⁶⁴ − 1)."""
    if not 0 <= seed < SEEDS:
        raise ValueError(f"{where}: a seed is a number from 0 to {SEEDS - 1}, not {_shown(seed)}")
    return seed


@dataclass(frozen=True)
class Held:
    """A card in a hand: its number, the types its hints leave possible, was it pointed at, its place in the deck."""
    card: int
    mask: int
    touched: bool
    born: int


@dataclass(frozen=True)
class Position:
    """A position of a variant (its players seated) as plain data. ValueError, in one line, for an impossible one.

    ``hands``: a tuple a seat of a Held a slot, None where a slot is empty. ``fireworks``: the highest rank of each
    colour. ``deck``: what is left, in the order of drawing. ``left``: moves left once the deck is empty, -1 before.
    ``history``: the events so far (game.py), all or none of them; with none, rules that read it see no event. ``seed``
    is where the words of random rules come from.
    """
    variant: Variant
    me: int
    turn: int
    tokens: int
    lives: int
    fireworks: tuple[int, ...]
    discards: tuple[int, ...]
    hands: tuple[tuple[Held | None, ...], ...]
    deck: tuple[int, ...]
    left: int = -1
    history: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        _check(self)

    @staticmethod
    def of(table: np.record, view: np.record, variant: Variant) -> Position:
        """The position that two records stand in. ``variant``: theirs, with its players."""
        deck = cards_to_draw(table, view)
        gone = [int(full) & ~int(alive) for full, alive in zip(view.full, view.alive, strict=True)]
        discards = [card for card in range(TYPES) for plane in gone if plane >> card & 1]
        hands = tuple(tuple(Held(int(table.hands[seat, slot]), int(view.mask[seat, slot]),
                                 bool(view.touched[seat] >> slot & 1), int(view.born[seat, slot]))
                            if view.filled[seat] >> slot & 1 else None for slot in range(variant.hand_size))
                      for seat in range(variant.players))
        history = tuple(int(event) for event in view.history[:view.turn])
        return Position(variant, int(view.me), int(view.turn), int(view.tokens), int(view.lives),
                        tuple(int(rank) for rank in view.fireworks[:variant.colours]), tuple(discards), hands,
                        tuple(deck), int(view.left), history if all(history) else (), int(table.seed))

    def state(self) -> tuple[np.record, np.record]:
        """(table, view) of the position; the deck is drawn in the order it stands in here."""
        variant, held = self.variant, [card for hand in self.hands for card in hand if card]
        drawn = variant.cards - len(self.deck)
        places = {card.born: card.card for card in held}
        up = iter([*self.face_up, *self.discards])
        table, view = new_state(variant, [places[i] if i in places else next(up) for i in range(drawn)] + [*self.deck])
        table.deck[:] = table.sorted
        table.seed = np.uint64(self.seed)
        view.me, view.turn, view.tokens, view.lives, view.left = self.me, self.turn, self.tokens, self.lives, self.left
        view.score, view.deck = sum(self.fireworks), len(self.deck)
        view.fireworks[:variant.colours] = self.fireworks
        view.history[:len(self.history)] = self.history
        alive = Counter(variant.deck()) - Counter(self.discards)
        hidden = alive - Counter(self.face_up)
        every = Counter(card.card for card in held)
        _write_pool(view.alive, alive)
        _write_pool(view.pool, hidden)
        for seat in range(moves.SEATS):
            own = [card.card for card in self.hands[seat] if card] if seat < variant.players else []
            planes = [0, 0, 0]
            _write_pool(planes, hidden - every + Counter(own))
            table.unseen[:, seat] = planes
        for colour, height in enumerate(self.fireworks):
            reachable = True
            for rank in range(1, variant.ranks + 1):
                card = colour * STRIDE + rank - 1
                reachable &= rank <= height or alive[card] > 0
                view.dead |= (rank <= height) << card
                view.useless |= (rank <= height or not reachable) << card
                view.playable |= (rank == height + 1) << card
        table.hands[:] = view.hands[:] = view.born[:] = -1
        for seat, hand in enumerate(self.hands):
            for slot, card in enumerate(hand):
                if card:
                    table.hands[seat, slot] = view.hands[seat, slot] = card.card
                    view.mask[seat, slot], view.born[seat, slot] = card.mask, card.born
                    view.held[seat] |= 1 << card.card
                    view.filled[seat] |= 1 << slot
                    view.touched[seat] |= card.touched << slot
                    view.knows_colour[seat] |= (only_colour(card.mask) >= 0) << slot
                    view.knows_rank[seat] |= (only_rank(card.mask) >= 0) << slot
        blank(table, view)
        return table, view

    @property
    def face_up(self) -> list[int]:
        """The cards on the fireworks."""
        return [colour * STRIDE + rank for colour, height in enumerate(self.fireworks) for rank in range(height)]

    def __str__(self) -> str:
        """The text that reads back."""
        lines = [f"variant = {quote(str(self.variant))}", f"players = {self.variant.players}",
                 f'to_move = "{NAMES[self.me]}"', f"turn = {self.turn}", f"tokens = {self.tokens}",
                 f"lives = {self.lives}", f'fireworks = "{fireworks_text(self.fireworks)}"',
                 f'discards = "{pile_text(self.discards)}"']
        lines += [f"left = {self.left}"] if self.left >= 0 else []
        lines += [f"seed = {self.seed}"] if self.seed else []
        lines += [f'deck = "{" ".join(map(card_text, self.deck))}"']
        if self.history:
            lines += ["history = [", *(f'  "{event_text(event)}",' for event in self.history), "]"]
        lines.append("[hands]")
        for name, hand in zip(NAMES, self.hands):
            lines.append(f"{name} = [{', '.join(quote(_held_text(card, self.variant)) for card in hand)}]")
        return "\n".join(lines) + "\n"

    @staticmethod
    def read(text: str, where: str = "position") -> Position:
        """The position that a text describes; ``where`` is what errors call it."""
        return Position.from_data(parse_toml(text, where), where)

    @staticmethod
    def from_data(data: dict, where: str = "position") -> Position:
        """The position that the data of a TOML file describe (``variant.read_toml``)."""
        known_keys(data, ("variant", "players", "to_move", "turn", "tokens", "lives", "fireworks", "discards", "left",
                          "seed", "deck", "history", "hands"), where)
        hands = taken(data, "hands", dict, {}, where)
        for name in hands:
            if name not in NAMES:
                raise ValueError(f"{where}: nobody is called {name!r}{nearest(name, NAMES)}; "
                                 f"seats are {', '.join(NAMES)}")
        players = 1 + max(map(NAMES.index, hands), default=0)       # the seat to move may leave its hand out
        variant = seated({"players": max(2, players), **data} if hands else data, where)
        try:
            return _read(data, hands, variant, where)
        except ValueError as error:
            text = str(error)
            raise ValueError(text if text.startswith(where) else f"{where}: {text}") from None


def _write_pool(planes, cards):
    for plane in range(3):
        planes[plane] = sum(1 << card for card, copies in cards.items() if copies > plane)


def _default_touched(mask, variant):
    """A card that shows one colour or one rank, of several, was most likely pointed at."""
    return (variant.colours > 1 and only_colour(mask) >= 0) or (variant.ranks > 1 and only_rank(mask) >= 0)


def _held_text(held, variant):
    if held is None:
        return "--"
    words = [card_text(held.card), told_text(held.mask, variant), f"#{held.born}"]
    if held.touched != _default_touched(held.mask, variant):
        words.append("touched" if held.touched else "untouched")
    return " ".join(filter(None, words))


def _read_held(text, variant, place, where):
    """(card or None for ``??``, mask, touched, born) of one slot; None for an empty one."""
    if type(text) is not str or not text.split():
        raise ValueError(f"{where}: a slot is written \"R3\", \"R3 RB3 #21\" or \"--\", not {_shown(text)}")
    first, *rest = text.split()
    if first == "--":
        if rest:
            raise ValueError(f"{where}: an empty slot is just \"--\", not {_shown(text)}")
        return None
    card = None if first == "??" else read_card(first)
    mask = touched = born = None
    for word in rest:
        if word in ("touched", "untouched") and touched is None:
            touched = word == "touched"
        elif word[0] == "#" and word[1:].isascii() and word[1:].isdigit() and len(word) < 9 and born is None:
            born = int(word[1:])
        elif mask is None and word[0] != "#" and word not in ("touched", "untouched"):
            mask = read_told(word, variant)
        else:
            raise ValueError(f"{where}: cannot read {word!r} in {_shown(text)}; after the card come what hints leave "
                             "possible, #place in the deck, touched or untouched, each once")
    mask = read_told("", variant) if mask is None else mask
    touched = _default_touched(mask, variant) if touched is None else touched
    return card, mask, touched, place if born is None else born


def _read(data, hands, variant, where):
    walk = _Walk(variant)
    history = tuple(walk.step(text) for text in taken(data, "history", list, [], where))
    seat = taken(data, "to_move", str, NAMES[len(history) % variant.players], where)
    if seat not in NAMES[:variant.players]:
        raise ValueError(f"nobody called {seat!r} sits here; to_move is one of {', '.join(NAMES[:variant.players])}")
    me = NAMES.index(seat)
    fireworks = [0] * variant.colours
    told = taken(data, "fireworks", str, fireworks_text(walk.fireworks), where)
    for card in read_pile(told, "fireworks"):
        if card // STRIDE >= variant.colours or fireworks[card // STRIDE]:
            raise ValueError(f"fireworks {told!r}: write the highest card of each of the {variant.colours} colours, "
                             "once")
        fireworks[card // STRIDE] = card % STRIDE + 1
    discards = sorted(read_pile(taken(data, "discards", str, pile_text(walk.discards), where), "discards"))
    tokens = taken(data, "tokens", int, walk.tokens, where)
    lives = taken(data, "lives", int, walk.lives, where)
    rows, unknown = _read_hands(hands, variant, me)
    deck = _fill_in(data, rows, unknown, variant, fireworks, discards, where)
    missing = [seat for seat, row in enumerate(rows) if None in row]
    moved = max([(me - seat - 1) % variant.players + 1 for seat in missing], default=0)
    left = -1 if deck else variant.players - moved if variant.last_round else 0
    up = sum(fireworks) + len(discards)
    spent = max(0, variant.tokens - tokens + len(discards) - (variant.lives - lives))
    turn = taken(data, "turn", int, len(history) or up + spent + (me - up - spent) % variant.players, where)
    return Position(variant, me, turn, tokens, lives, tuple(fireworks), tuple(discards),
                    tuple(tuple(card and Held(*card) for card in row) for row in rows), tuple(deck),
                    taken(data, "left", int, left, where), history,
                    good_seed(taken(data, "seed", int, 0, where), where))


def _read_hands(hands, variant, me):
    """The slots of every seat as written, and the places of those that are ``??``."""
    rows, unknown, size = [], [], variant.hand_size
    for seat, name in enumerate(NAMES[:variant.players]):
        hand = hands.get(name, ["??"] * size if seat == me else None)
        if type(hand) is not list or len(hand) != size:
            raise ValueError(f"{name}'s hand should be a list of {size} slots, \"--\" where one is empty")
        rows.append([_read_held(text, variant, seat * size + slot, f"{name}'s hand") for slot, text in enumerate(hand)])
        unknown += [(seat, slot) for slot, card in enumerate(rows[-1]) if card and card[0] is None]
        if unknown and unknown[-1][0] != me:
            raise ValueError(f"{name} is not to move: everybody sees that hand, so ?? cannot stand in it")
    for name in hands:
        if name not in NAMES[:variant.players]:
            raise ValueError(f"{name} has a hand, but only {variant.players} players sit here")
    return rows, unknown


def _fill_in(data, rows, unknown, variant, fireworks, discards, where):
    """Give each ``??`` a card that fits, in place, and return the deck: the one written, or the rest, sorted."""
    rest = Counter(variant.deck())
    rest.subtract(discards)
    rest.subtract(colour * STRIDE + rank for colour, height in enumerate(fireworks) for rank in range(height))
    rest.subtract(card[0] for row in rows for card in row if card and card[0] is not None)
    written = taken(data, "deck", str, None, where)
    if written is not None:
        rest.subtract(read_pile(written, "deck"))

    def fill(slots):
        if not slots:
            return True
        (seat, slot), *others = slots
        _, mask, touched, born = rows[seat][slot]
        for card in sorted(rest):
            if rest[card] > 0 and mask >> card & 1:
                rest[card] -= 1
                rows[seat][slot] = card, mask, touched, born
                if fill(others):
                    return True
                rest[card] += 1
        return False

    if not fill(unknown):
        raise ValueError(f"no cards are left that fit every ?? of {NAMES[unknown[0][0]]}'s hand")
    return read_pile(written, "deck") if written is not None else sorted((+rest).elements())


class _Walk:
    """What a history makes of fireworks, discards, tokens and lives, event by event."""

    def __init__(self, variant):
        self.variant, self.turn, self.tokens, self.lives = variant, 0, variant.tokens, variant.lives
        self.fireworks, self.discards = [0] * variant.colours, []

    def step(self, text):
        """The event written as ``event_text`` writes it. ValueError where it cannot have happened here."""
        variant, seat = self.variant, self.turn % self.variant.players
        here = f"history, turn {self.turn} ({NAMES[seat]}): {_shown(text)}"
        if type(text) is not str:
            raise ValueError(f"{here} should be text such as \"play 0: R1\" or \"tell Bob R: 1 3\"")
        written, colon, shown = text.partition(":")
        move, shown = read_move(written.strip()), shown.split()
        if self.turn + 1 >= HISTORY:
            raise ValueError(f"the history has more than the {HISTORY} moves that any game can have")
        self.turn += 1
        if moves.is_tell(move):
            slots = sum({1 << int(slot) for slot in shown if slot in list("01234"[:variant.hand_size])})
            if not slots or len(shown) != slots.bit_count():
                raise ValueError(f"{here} should name the slots it pointed at, such as \"{move_text(move)}: 1 3\"")
            if moves.target_of(move) in (seat, *range(variant.players, moves.SEATS)) or self.tokens == 0:
                raise ValueError(f"{here} is no hint that could be given: " + ("no token was left" if self.tokens == 0
                                 else "it must be for somebody else who sits here"))
            self.tokens -= 1
            return move | slots << 8
        if not (moves.is_play(move) or moves.is_discard(move)) or len(shown) != 1:
            raise ValueError(f"{here} should be a move and what it showed, such as \"play 0: R1\"")
        card = read_card(shown[0])
        if card not in variant.deck() or moves.slot_of(move) >= variant.hand_size:
            raise ValueError(f"{here}: there is no such card or slot in this variant")
        colour, rank = card // STRIDE, card % STRIDE + 1
        fits = moves.is_play(move) and self.fireworks[colour] == rank - 1
        if fits:
            self.fireworks[colour] = rank
            self.tokens += rank == variant.ranks and self.tokens < variant.tokens
        else:
            self.discards.append(card)
            if moves.is_play(move):
                self.lives -= 1
            elif self.tokens == variant.tokens:
                raise ValueError(f"{here} could not be done: all tokens were there")
            else:
                self.tokens += 1
        return move | (card + 1 + 256 * fits) << 16


def _check(p):
    """Raise ValueError for what cannot be."""
    variant, full, held = p.variant, 0, []
    for card in variant.deck():
        full |= 1 << card
    for what, value, high in (("tokens", p.tokens, variant.tokens), ("lives", p.lives, variant.lives)):
        if not 0 <= value <= high:
            raise ValueError(f"{what} must be from 0 to {high}, not {_shown(value)}")
    if p.turn % variant.players != p.me or not 0 <= p.turn < HISTORY:
        raise ValueError(f"turn {_shown(p.turn)} is not {NAMES[p.me]}'s: turns count from 0, where Ann moves, "
                         f"to {HISTORY - 1}")
    if variant.lives - p.lives > len(p.discards):
        raise ValueError(f"{variant.lives - p.lives} lives are lost, but only {len(p.discards)} cards are discarded: "
                         "a card that was played wrongly lies there too")
    for colour, height in enumerate(p.fireworks):
        if height > variant.ranks:
            raise ValueError(f"no card {COLOURS[colour]}{height} in this variant, so no such firework")
    for name, hand in zip(NAMES, p.hands):
        for card in filter(None, hand):
            shown = f"{name}'s {card_text(card.card)}"
            colours, ranks = _sides(card.mask)
            if card.mask & ~full or len(colours) * len(ranks) != card.mask.bit_count():
                raise ValueError(f"{shown}: hints leave some colours and some ranks possible, not these types")
            if not card.mask >> card.card & 1:
                raise ValueError(f"{shown} cannot be: its hints say {told_text(card.mask, variant)}")
            if card.touched and only_colour(card.mask) < 0 and only_rank(card.mask) < 0:
                raise ValueError(f"{shown} is touched, but then its colour or its rank would be known")
            held.append((name, card))
    _check_cards(p, held)
    _check_end(p, held)
    _check_ages(p, held)
    _check_history(p)


def _check_cards(p, held):
    there = Counter(p.variant.deck())
    counted = Counter([*p.face_up, *p.discards, *p.deck, *(card.card for _, card in held)])
    for card in sorted(counted):
        if counted[card] > there[card]:
            piles = {"the fireworks": p.face_up, "the discards": p.discards, "the deck": p.deck}
            where = [what for what, cards in piles.items() if card in cards]
            where += [f"{name}'s hand" for name, one in held if one.card == card]
            raise ValueError(f"{card_text(card)} stands {counted[card]} times in {', '.join(dict.fromkeys(where))}; "
                             f"this variant has {there[card] or 'none'}")
    missing = there - counted
    if missing:
        raise ValueError(f"the deck is written, but {pile_text(list(missing.elements()))} is neither there nor "
                         "anywhere else")


def _check_ages(p, held):
    drawn = p.variant.cards - len(p.deck)
    places = Counter(card.born for _, card in held)
    for name, card in held:
        if places[card.born] > 1 or not 0 <= card.born < drawn:
            raise ValueError(f"{name}'s {card_text(card.card)} has place #{card.born} in the order of drawing: places "
                             f"go from 0 to {drawn - 1}, and two cards cannot share one (give all of them, or none)")


def _check_end(p, held):
    variant, size = p.variant, p.variant.hand_size
    if p.deck:
        if len(held) < variant.players * size:
            raise ValueError(f"a slot is empty while {len(p.deck)} cards are left to draw: fill it, or "
                             "set hand= in the variant")
        if p.left != -1:
            raise ValueError(f"left counts moves once the deck is empty; {len(p.deck)} cards are left to draw, so "
                             "leave it out")
        return
    low, high = (0, variant.players) if variant.last_round else (0, 0)
    if not low <= p.left <= high:
        raise ValueError(f"the deck is empty, so the moves left are from {low} to {high}, not {_shown(p.left)}")
    for seat, hand in enumerate(p.hands):
        moved = variant.last_round and (p.me - seat - 1) % variant.players < variant.players - p.left
        if hand.count(None) > moved:
            raise ValueError(f"{NAMES[seat]} has {hand.count(None)} empty slots, but moved "
                             f"{'once' if moved else 'not'} since the deck ran out (left = {p.left})")


def _check_history(p):
    if not p.history:
        return
    if len(p.history) != p.turn:
        raise ValueError(f"the history has {len(p.history)} moves and the turn is {p.turn}: give all moves, or none")
    walk = _Walk(p.variant)
    for event in p.history:
        walk.step(event_text(event))
    for what, here, there in (("fireworks", p.fireworks, tuple(walk.fireworks)), ("tokens", p.tokens, walk.tokens),
                              ("discards", p.discards, tuple(sorted(walk.discards))), ("lives", p.lives, walk.lives)):
        if here != there:
            text = {"fireworks": fireworks_text, "discards": pile_text}.get(what, str)
            raise ValueError(f"{what} {text(here) or 'none'} and the history disagree: it makes "
                             f"{text(there) or 'none'}")
