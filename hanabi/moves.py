"""Moves as numbers and as text.

NOTHING is 0, which is what compiled code returns for a rule that does not apply. FORFEIT is what
the 2018 reference did when a rule crashed or moved illegally (docs/papers/cig2018-rules.md §1).
"""

from functools import cache

from hanabi.backend import compiled
from hanabi.cards import COLOUR_NAMES, COLOURS

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
