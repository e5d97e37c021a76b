"""The text forms of cards, hints and moves in games and positions; checks of TOML data."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hanabi.game import event_card, event_move, event_slots
from hanabi.moves import (
    COLOURS,
    SLOTS,
    STRIDE,
    TYPES,
    card_text,
    is_discard,
    is_play,
    is_tell,
    move_text,
    read_card,
    read_move,
)
from hanabi.state import CARDS
from hanabi.variant import Variant, errors_named, read_variant, shown

SEEDS = 1 << 64


def mask_text(mask: int, variant: Variant) -> str:
    """Return what hints leave possible, in short: ``R``, ``3``, ``RB3``, ``G1245``.

    Nothing where every type is possible.
    """
    colours, ranks = sides_of(mask)
    return ("" if len(colours) == variant.colours else colours) + (
        "" if len(ranks) == variant.ranks else ranks
    )


def read_mask(text: str, variant: Variant) -> int:
    """Return the set of types written by ``mask_text``.

    ValueError, one line, for colours or ranks the variant has not.
    """
    colours = [letter for letter in text if letter in COLOURS[: variant.colours]] or COLOURS[
        : variant.colours
    ]
    ranks = [letter for letter in text if letter in "12345"[: variant.ranks]] or "12345"[
        : variant.ranks
    ]
    mask = 0
    for letter in colours:
        for rank in ranks:
            mask |= 1 << read_card(letter + rank)
    if any(letter not in COLOURS[: variant.colours] + "12345"[: variant.ranks] for letter in text):
        raise ValueError(
            f"{text!r} does not say what hints leave possible: write colours of "
            f"{COLOURS[: variant.colours]}, ranks of {'12345'[: variant.ranks]} or both, such as R1"
        )
    return mask


def sides_of(mask: int) -> tuple[str, str]:
    """Return (the colours, the ranks) of the types in a set."""
    types = [card for card in range(TYPES) if mask >> card & 1]
    return (
        "".join(
            letter for i, letter in enumerate(COLOURS) if any(card // STRIDE == i for card in types)
        ),
        "".join(
            str(rank)
            for rank in range(1, STRIDE + 1)
            if any(card % STRIDE == rank - 1 for card in types)
        ),
    )


def pile_text(cards: Sequence[int]) -> str:
    """Return cards by colour, each as often as it is there: ``R113 B2``."""
    return " ".join(
        letter + "".join(str(card % STRIDE + 1) for card in sorted(cards) if card // STRIDE == i)
        for i, letter in enumerate(COLOURS)
        if any(card // STRIDE == i for card in cards)
    )


def read_pile(text: str, what: str = "cards") -> list[int]:
    """Return the cards written ``R113 B2``, in the order of the text (so a deck, too)."""
    cards: list[int] = []
    for word in text.split():
        if len(cards) + len(word) > CARDS + 1:
            raise ValueError(f"{what}: more cards than any deck has, {CARDS}")
        if len(word) < 2 or word[0] not in COLOURS or any(rank not in "12345" for rank in word[1:]):
            raise ValueError(
                f"{what}: no cards {word!r}; write a colour of {' '.join(COLOURS)} and ranks, "
                "such as R3 or R113"
            )
        cards += [read_card(word[0] + rank) for rank in word[1:]]
    return cards


def fireworks_text(fireworks: Iterable[int]) -> str:
    """Return the highest card of each firework that was begun: ``R2 Y5``."""
    return " ".join(
        f"{COLOURS[colour]}{int(rank)}" for colour, rank in enumerate(fireworks) if rank
    )


def event_text(event: int) -> str:
    """Return an event as text: ``play 0: R1``, or ``tell Bob R: 1 3`` with the slots it touched."""
    event = int(event)
    card, slots = event_card(event), event_slots(event)
    what = (
        card_text(card)
        if card >= 0
        else " ".join(str(slot) for slot in range(SLOTS) if slots >> slot & 1)
    )
    return f"{move_text(event_move(event))}: {what}"


def read_event(text: str) -> int:
    """Return the event written by ``event_text``, without the bit for a play that fitted.

    That bit follows from the rules of the game (history.py).

    Raises:
        ValueError: where the text is none, with a predicate such as "should be …".
    """
    if type(text) is not str:
        raise ValueError('should be text such as "play 0: R1" or "tell Bob R: 1 3"')
    written, _, rest = text.partition(":")
    move, what = read_move(written.strip()), rest.split()
    if is_tell(move):
        slots = sum({1 << int(slot) for slot in what if slot in list("01234")})
        if not slots or len(what) != slots.bit_count():
            raise ValueError(
                f'should name the slots it pointed at, such as "{move_text(move)}: 1 3"'
            )
        return move | slots << 8
    if not (is_play(move) or is_discard(move)) or len(what) != 1:
        raise ValueError('should be a move and what it showed, such as "play 0: R1"')
    return move | read_card(what[0]) + 1 << 16


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 life`` or ``1,000 games``; ``many`` is the plural if it is not ``one`` + s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def percent(share: float) -> str:
    """Return a share in percent, such as ``39 %``; 0 and 100 only where it is none or all."""
    if share in (0, 1) or 0.01 <= share <= 0.99:
        return f"{100 * share:.0f} %"
    return "<1 %" if share < 0.5 else ">99 %"


def all_of(parts: Sequence[object]) -> str:
    """Return ``1``, ``1 and 2`` or ``1, 2 and 3``; "" for nothing."""
    words = [str(part) for part in parts]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def quote(text: str) -> str:
    """Return a TOML string, in which what a terminal could obey is escaped."""
    return "".join(
        one if one.isprintable() else f"\\U{ord(one):08x}"
        for one in json.dumps(text, ensure_ascii=False)
    )


def read_value(data: dict, key: str, kind: type, default: Any, where: str) -> Any:
    """Return the value of a key, if it is of this kind; ``default`` where the key is left out."""
    value = data.get(key, default)
    names = {int: "a whole number", str: "text in quotes", list: "a list", dict: "a table"}
    if value is not default and type(value) is not kind:
        raise ValueError(f"{where}: {key} should be {names[kind]}, not {shown(value)}")
    return value


def read_texts(data: dict, key: str, where: str) -> list[str]:
    """Return the list of texts of a key; none where the key is left out."""
    found = read_value(data, key, list, [], where)
    if any(type(text) is not str for text in found):
        raise ValueError(f"{where}: {key} should be a list of texts in quotes")
    return found


def read_seated_variant(data: dict, where: str) -> Variant:
    """Return the variant of a game or position, with its players.

    It must stand in the text itself, so no file is meant.
    """
    name = read_value(data, "variant", str, "standard", where)
    if ".toml" in name:  # also mini.toml,hand=4
        raise ValueError(
            f"{where}: a game holds its variant itself: write the settings, not the file {name!r}"
        )
    with errors_named(where):
        return read_variant(name).at(read_value(data, "players", int, None, where))


def check_seed(seed: int, where: str) -> int:
    """Return the seed, if it is one (0 to 2⁶⁴ − 1)."""
    if not 0 <= seed < SEEDS:
        raise ValueError(f"{where}: a seed is a number from 0 to {SEEDS - 1}, not {shown(seed)}")
    return seed
