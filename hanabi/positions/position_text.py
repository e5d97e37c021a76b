"""A position as text: everything that a decision depends on, and the rest of the deck.

The text is TOML, to be read and written by hand. What is left out has a default: no hint was
given, no card is face up, all tokens and lives are there, the deck holds the cards that are not
visible anywhere::

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

In a hand each slot is a card (``--`` for none; the seat to move may write ``??``, any card that
fits), then what the hints it got leave possible (colours, ranks or both: ``RB3`` is red or blue 3,
``R`` red of any rank, nothing anything), ``#21`` for its place in the order of drawing, and
``touched`` or ``untouched`` where that does not follow.
"""

from collections import Counter

from hanabi.moves import (
    COLOURS,
    NAMES,
    STRIDE,
    UNKNOWN,
    card_text,
    only_colour,
    only_rank,
    read_card,
)
from hanabi.notation import (
    check_seed,
    counted,
    event_text,
    fireworks_text,
    mask_text,
    pile_text,
    quote,
    read_mask,
    read_pile,
    read_seated_variant,
    read_value,
)
from hanabi.positions.history import discarded, read_history
from hanabi.variant import check_keys, check_known, shown


def text_of(p) -> str:
    """Return the text of a position that reads back."""
    lines = [
        f"variant = {quote(str(p.variant))}",
        f"players = {p.variant.seats}",
        f'to_move = "{NAMES[p.me]}"',
        f"turn = {p.turn}",
        f"tokens = {p.tokens}",
        f"lives = {p.lives}",
        f'fireworks = "{fireworks_text(p.fireworks)}"',
        f'discards = "{pile_text(p.discards)}"',
    ]
    lines += [f"left = {p.left}"] if p.left >= 0 else []
    lines += [f"seed = {p.seed}"] if p.seed else []
    if not p.unknown or p.deck != _left_over(
        p
    ):  # else it says no more than which cards were filled in
        lines += [f'deck = "{" ".join(map(card_text, p.deck))}"']
    if p.history:
        lines += ["history = [", *(f'  "{event_text(event)}",' for event in p.history), "]"]
    lines.append("[hands]")
    for name, hand in zip(NAMES, p.hands):
        lines.append(f"{name} = [{', '.join(quote(_held_text(card, p.variant)) for card in hand)}]")
    return "\n".join(lines) + "\n"


def fields_of(data: dict, where: str) -> dict:
    """Return the fields of the Position that the data of a TOML file describe.

    In ``hands`` each slot is None or the arguments of a HeldCard.

    Raises:
        ValueError: In one line, for bad data.
    """
    check_keys(
        data,
        (
            "variant",
            "players",
            "to_move",
            "turn",
            "tokens",
            "lives",
            "fireworks",
            "discards",
            "left",
            "seed",
            "deck",
            "history",
            "hands",
            "table",
        ),
        where,
    )
    hands = read_value(data, "hands", dict, {}, where)
    for name in hands:
        check_known(name, NAMES, f"{where}: no player", "players are")
    players = 1 + max(map(NAMES.index, hands), default=0)  # the seat to move may leave its hand out
    variant = read_seated_variant({"players": max(2, players), **data} if hands else data, where)
    try:
        return _read(data, hands, variant, where)
    except ValueError as error:
        text = str(error)
        raise ValueError(text if text.startswith(where) else f"{where}: {text}") from None


def _default_touched(mask, variant):
    """Return whether a card with these possible types was probably touched by a hint.

    It was if it shows one colour or one rank, of several.
    """
    return (variant.colours > 1 and only_colour(mask) >= 0) or (
        variant.ranks > 1 and only_rank(mask) >= 0
    )


def _held_text(held, variant):
    if held is None:
        return "--"
    words = [str(held), mask_text(held.mask, variant), f"#{held.born}"]
    if held.touched != _default_touched(held.mask, variant):
        words.append("touched" if held.touched else "untouched")
    return " ".join(filter(None, words))


def _read_held(text, variant, place, where):
    """Return (card or None for ``??``, mask, touched, born, known) of one slot; None if empty."""
    if type(text) is not str or not text.split():
        raise ValueError(
            f'{where}: a slot is written "R3", "R3 RB3 #21" or "--", not {shown(text)}'
        )
    first, *rest = text.split()
    if first == "--":
        if rest:
            raise ValueError(f'{where}: an empty slot is just "--", not {shown(text)}')
        return None
    card = None if first == UNKNOWN else read_card(first)
    mask = touched = born = None
    for word in rest:
        if word in ("touched", "untouched") and touched is None:
            touched = word == "touched"
        elif (
            word[0] == "#"
            and word[1:].isascii()
            and word[1:].isdigit()
            and len(word) < 9
            and born is None
        ):
            born = int(word[1:])
        elif mask is None and word[0] != "#" and word not in ("touched", "untouched"):
            mask = read_mask(word, variant)
        else:
            raise ValueError(
                f"{where}: cannot read {word!r} in {shown(text)}; after the card come what hints "
                "leave "
                "possible, #place in the deck, touched or untouched, each once"
            )
    mask = read_mask("", variant) if mask is None else mask
    touched = _default_touched(mask, variant) if touched is None else touched
    return card, mask, touched, place if born is None else born, card is not None


def _read(data, hands, variant, where):
    told = read_history(read_value(data, "history", list, [], where), variant)
    history = tuple(int(event) for event in told.history[: told.turn])
    seat = read_value(data, "to_move", str, NAMES[len(history) % variant.seats], where)
    if seat not in NAMES[: variant.seats]:
        raise ValueError(
            f"nobody called {seat!r} sits here; to_move is one of "
            f"{', '.join(NAMES[: variant.seats])}"
        )
    me = NAMES.index(seat)
    fireworks = [0] * variant.colours
    heights = read_value(data, "fireworks", str, fireworks_text(told.fireworks), where)
    for card in read_pile(heights, "fireworks"):
        if card // STRIDE >= variant.colours or fireworks[card // STRIDE]:
            raise ValueError(
                f"fireworks {heights!r}: write the highest card of each colour "
                f"({COLOURS[: variant.colours]}), once"
            )
        fireworks[card // STRIDE] = card % STRIDE + 1
    discards = sorted(
        read_pile(read_value(data, "discards", str, pile_text(discarded(told)), where), "discards")
    )
    tokens = read_value(data, "tokens", int, int(told.tokens), where)
    lives = read_value(data, "lives", int, int(told.lives), where)
    rows, unknown = _read_hands(hands, variant, me)
    deck = _fill_in(data, rows, unknown, variant, fireworks, discards, where)
    missing = [seat for seat, row in enumerate(rows) if None in row]
    moved = max([(me - seat - 1) % variant.seats + 1 for seat in missing], default=0)
    left = -1 if deck else variant.seats - moved if variant.last_round else 0
    up = sum(fireworks) + len(discards)
    spent = max(0, variant.tokens - tokens + len(discards) - (variant.lives - lives))
    turn = read_value(
        data, "turn", int, len(history) or up + spent + (me - up - spent) % variant.seats, where
    )
    return dict(
        variant=variant,
        me=me,
        turn=turn,
        tokens=tokens,
        lives=lives,
        fireworks=tuple(fireworks),
        discards=tuple(discards),
        hands=rows,
        deck=tuple(deck),
        left=read_value(data, "left", int, left, where),
        history=history,
        seed=check_seed(read_value(data, "seed", int, 0, where), where),
    )


def _read_hands(hands, variant, me):
    """Return the slots of every seat as written, and the places of those that are ``??``."""
    rows, unknown, size = [], [], variant.hand_size
    for seat, name in enumerate(NAMES[: variant.seats]):
        hand = hands.get(name, [UNKNOWN] * size if seat == me else None)
        if type(hand) is not list or len(hand) != size:
            raise ValueError(
                f"{name}'s hand should be a list of {counted(size, 'slot')}, "
                '"--" where one is empty'
            )
        rows.append(
            [
                _read_held(text, variant, seat * size + slot, f"{name}'s hand")
                for slot, text in enumerate(hand)
            ]
        )
        unknown += [(seat, slot) for slot, card in enumerate(rows[-1]) if card and card[0] is None]
        if unknown and unknown[-1][0] != me:
            raise ValueError(
                f"{name} is not to move: everybody sees that hand, so ?? cannot stand in it"
            )
    for name in hands:
        if name not in NAMES[: variant.seats]:
            raise ValueError(f"{name} has a hand, but only {variant.seats} players sit here")
    return rows, unknown


def _left_over(p):
    """Return the deck of a position in which none is written."""
    rows = [
        [
            card
            and (
                (card.card if card.known else None),
                card.mask,
                card.touched,
                card.born,
                card.known,
            )
            for card in hand
        ]
        for hand in p.hands
    ]
    return tuple(
        _fill_in(
            {}, rows, [(p.me, slot) for slot in p.unknown], p.variant, p.fireworks, p.discards, ""
        )
    )


def _fill_in(data, rows, unknown, variant, fireworks, discards, where):
    """Give each ``??`` a card that fits, in place; return the deck.

    The deck is the one written, or the rest of the cards, sorted.
    """
    rest = Counter(variant.deck())
    rest.subtract(discards)
    rest.subtract(
        colour * STRIDE + rank for colour, height in enumerate(fireworks) for rank in range(height)
    )
    rest.subtract(card[0] for row in rows for card in row if card and card[0] is not None)
    written = read_value(data, "deck", str, None, where)
    if written is not None:
        rest.subtract(read_pile(written, "deck"))

    def fill(slots):
        if not slots:
            return True
        (seat, slot), *others = slots
        _, mask, *held = rows[seat][slot]
        for card in sorted(rest):
            if rest[card] > 0 and mask >> card & 1:
                rest[card] -= 1
                rows[seat][slot] = card, mask, *held
                if fill(others):
                    return True
                rest[card] += 1
        return False

    if not fill(
        sorted(unknown, key=lambda place: rows[place[0]][place[1]][1].bit_count())
    ):  # fewest dead ends
        raise ValueError(f"no cards are left that fit every ?? of {NAMES[unknown[0][0]]}'s hand")
    return read_pile(written, "deck") if written is not None else sorted((+rest).elements())
