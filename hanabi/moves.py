"""Cards and moves as numbers and as text; sets of card types as bit boards.

A card type is ``5 * colour + rank - 1`` in every variant (colours 0 to 5, ranks 1 to 5). That is
also its bit in a set of card types, an int64 with up to 30 bits. A *pool* counts copies in three
planes: bit c of plane i says that there are more than i copies of type c.

NOTHING is 0, which is what compiled code returns for a rule that does not apply. FORFEIT is what
the 2018 reference did when a rule crashed or moved illegally (docs/papers/cig2018-rules.md §1).
"""

from functools import cache
from typing import Any

from hanabi.backend import compiled, inlined, lowest, meets, popcount

COLOURS = "RBGYWP"  # red, blue, green, yellow, white, purple: index order
STRIDE = 5  # bits from one colour to the next
TYPES = 30
COLOUR_NAMES = ("red", "blue", "green", "yellow", "white", "purple")
NO_CARD = NO_SEAT = -1
UNKNOWN = "??"  # the text of a hidden card
FEW = 6  # more types than this are not listed
ONES = 0b00001_00001_00001_00001_00001_00001  # rank 1 of every colour
ROW = 0b11111  # every rank of colour 0
ALL = (1 << TYPES) - 1


def card_text(card: int) -> str:
    """Return a card as text, such as ``R3``; ``--`` for no card."""
    return "--" if card < 0 else f"{COLOURS[card // STRIDE]}{card % STRIDE + 1}"


def read_card(text: str) -> int:
    """Return the number of the card written ``R3``, NO_CARD for ``--``.

    Raises:
        ValueError: where the text is no card, in one line.
    """
    if text == "--":
        return NO_CARD
    if len(text) == 2 and text[0] in COLOURS and text[1] in "12345":
        return COLOURS.index(text[0]) * STRIDE + int(text[1]) - 1
    raise ValueError(
        f"no card {text!r}: write a colour of {' '.join(COLOURS)} and a rank of 1 to 5, such as R3"
    )


def set_text(cards: int) -> str:
    """Return a set of card types as text: ``R13 B2`` (red 1, red 3, blue 2)."""
    parts = []
    for colour, letter in enumerate(COLOURS):
        ranks = [str(rank + 1) for rank in range(STRIDE) if cards >> (colour * STRIDE + rank) & 1]
        if ranks:
            parts.append(letter + "".join(ranks))
    return " ".join(parts)


def types_in_brackets(cards: int) -> str:
    """Return `` (R2 B1)`` if a set of types is short enough to print, else nothing."""
    return f" ({set_text(int(cards))})" if 0 < popcount(int(cards)) <= FEW else ""


@compiled
def colour_set(colour: int) -> int:
    """Every type of a colour."""
    return ROW << (STRIDE * colour)


@compiled
def rank_set(rank: int) -> int:
    """Every type of a rank (1–5)."""
    return ONES << (rank - 1)


@compiled
def colour_of(card: int) -> int:
    """Return a card's colour, 0 to 5."""
    return card // STRIDE


@compiled
def rank_of(card: int) -> int:
    """Return a card's rank, 1–5."""
    return card % STRIDE + 1


@compiled
def copies_in(cards: int, one: int, two: int, three: int) -> int:
    """Return how many copies of the types in a set a pool holds, given as its three planes."""
    return popcount(cards & one) + popcount(cards & two) + popcount(cards & three)


@inlined
def pair_planes(one: int, two: int) -> int:
    """Return two planes of a pool side by side in one word.

    With them a count of copies takes two instructions that count bits, not three.
    """
    return one | two << 32


@inlined
def copies_in_pair(cards: int, pair: int, three: int) -> int:
    """Return what ``copies_in`` does, with the first two planes as ``pair_planes`` gives them."""
    return popcount(pair & (cards | cards << 32)) + popcount(three & cards)


@inlined
def with_copy(bit: int, one: int, two: int, three: int) -> tuple[int, int, int]:
    """Return the planes of a pool with one copy more of the type of a bit; no bit, no change."""
    return one | bit, two | one & bit, three | two & bit


@inlined
def without_copy(bit: int, one: int, two: int, three: int) -> tuple[int, int, int]:
    """Return the planes of a pool with one copy less of the type of a bit; it must hold one."""
    return one & (~bit | two), two & (~bit | three), three & ~bit


@compiled
def slots_within(row: Any, possible: int, types: int) -> int:
    """Bits of the slots of a row of sets whose possible types are all in a set of types.

    The empty set (no card, or nothing possible) is not.
    """
    return meets(row, possible) & ~meets(row, possible & ~types)


@compiled
def unpack_pool(planes: Any, out: Any, place: int) -> int:
    """Write the cards of a pool into an array from a place on; return the place after them."""
    for plane in range(3):
        bits = planes[plane]
        while bits:
            out[place] = lowest(bits)
            place += 1
            bits &= bits - 1
    return place


@compiled
def highest(bits: int) -> int:
    """Return the last member of a set, -1 of none."""
    last = -1
    while bits:
        last = lowest(bits)
        bits &= bits - 1
    return last


@compiled
def nth_of(bits: int, n: int) -> int:
    """Return the n-th member of a set, from 0."""
    while n > 0:
        bits &= bits - 1
        n -= 1
    return lowest(bits)


@compiled
def colours_in(cards: int) -> int:
    """Return the colours of a set of types, as the bits of their ones."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3 | cards >> 4) & ONES


@compiled
def ranks_in(cards: int) -> int:
    """Return the ranks of a set of types, as bits 0 to 4."""
    half = cards | cards >> 15
    return (half | half >> 5 | half >> 10) & ROW


@compiled
def only_colour(cards: int) -> int:
    """Return the colour that all types of a set share, or -1. An empty set shares none."""
    if cards == 0:
        return -1
    colour = lowest(cards) // STRIDE
    return colour if cards & ~colour_set(colour) == 0 else -1


@compiled
def only_rank(cards: int) -> int:
    """Return the rank (1–5) that all types of a set share, or -1. An empty set shares none."""
    if cards == 0:
        return -1
    rank = lowest(cards) % STRIDE + 1
    return rank if cards & ~rank_set(rank) == 0 else -1


NOTHING = 0
"""What a rule returns where it does not apply."""
FORFEIT = -1
"""The move that ends the game at once."""
SLOTS = 5
"""The most cards in a hand."""
SEATS = 5
"""The most players."""
PLAY, DISCARD, TELL_COLOUR, TELL_RANK, END = (
    1,
    6,
    11,
    41,
    66,
)  # the first number of each kind, and one past the last
NAMES = ("Ann", "Bob", "Cal", "Dee", "Eve")


@compiled
def play(slot: int) -> int:
    """Play my card in this slot."""
    return PLAY + slot


@compiled
def discard(slot: int) -> int:
    """Discard my card in this slot."""
    return DISCARD + slot


@compiled
def tell_colour(seat: int, colour: int) -> int:
    """Tell a seat which of its cards have a colour (0–5)."""
    return TELL_COLOUR + 6 * seat + colour


@compiled
def tell_rank(seat: int, rank: int) -> int:
    """Tell a seat which of its cards have a rank (1–5)."""
    return TELL_RANK + 5 * seat + rank - 1


@compiled
def is_play(move: int) -> bool:
    """Return whether a move is a play."""
    return PLAY <= move < DISCARD


@compiled
def is_discard(move: int) -> bool:
    """Return whether a move is a discard."""
    return DISCARD <= move < TELL_COLOUR


@compiled
def is_tell(move: int) -> bool:
    """Return whether a move is a hint."""
    return TELL_COLOUR <= move < END


@compiled
def slot_of(move: int) -> int:
    """Return the slot that a play or a discard is from."""
    return move - (PLAY if move < DISCARD else DISCARD)


@compiled
def target_of(move: int) -> int:
    """Return the seat that a hint is for."""
    return (move - TELL_COLOUR) // 6 if move < TELL_RANK else (move - TELL_RANK) // 5


@compiled
def told_colour_of(move: int) -> int:
    """Return the colour that a hint tells, or -1."""
    return (move - TELL_COLOUR) % 6 if move < TELL_RANK else -1


@compiled
def told_rank_of(move: int) -> int:
    """Return the rank (1–5) that a hint tells, or -1."""
    return -1 if move < TELL_RANK else (move - TELL_RANK) % 5 + 1


def move_text(move: int) -> str:
    """Return a move as text: ``play 0``, ``discard 4``, ``tell Bob R``, ``tell Bob 3``.

    Slots and seats count from 0.
    """
    move = int(move)
    if move == FORFEIT:
        return "forfeit"
    if is_play(move):
        return f"play {slot_of(move)}"
    if is_discard(move):
        return f"discard {slot_of(move)}"
    if is_tell(move):
        colour = told_colour_of(move)
        clue = COLOURS[colour] if colour >= 0 else told_rank_of(move)
        return f"tell {NAMES[target_of(move)]} {clue}"
    return "nothing"


@cache
def _moves():
    """Return every move by its text, made at first use: Python's first compiled calls are slow."""
    return {move_text(move): move for move in [FORFEIT, NOTHING, *range(PLAY, END)]}


def read_move(text: str) -> int:
    """Return the number of a move written as ``move_text`` writes it.

    ``hint`` and ``clue`` mean ``tell``; a colour may be a word, such as ``tell Bob red``.

    Raises:
        ValueError: where the text is no move, in one line.
    """
    verb, _, what = text.partition(" ")
    known = f"tell {what}" if verb in ("hint", "clue") else text
    start, _, colour = known.rpartition(" ")
    if colour in COLOUR_NAMES:
        known = f"{start} {COLOURS[COLOUR_NAMES.index(colour)]}"
    if known in _moves():
        return _moves()[known]
    raise ValueError(
        f"no move {text!r}: write play 0, discard 4, tell Bob R or tell Bob 3 "
        f"(slots from 0; names {', '.join(NAMES)}; colours {COLOURS})"
    )
