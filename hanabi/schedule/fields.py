"""Fields of a view for the schedule: a world as it is dealt and as it is played, and options."""

import numpy as np

from hanabi.backend.bits import numpy_fields
from hanabi.backend.memory_layout import align_rows
from hanabi.moves import SEATS, SLOTS
from hanabi.records import Record

MAX_UNSEEN = 16  # most cards that a seat may not see: its hand and the deck
MAX_OPTIONS = 54  # plays, discards and hints: 2 SLOTS + conventions.fields.MAX_HINTS
WORLD_FIELDS = [  # a full deal with what its holders take the cards for (turns.py)
    ("cards[seat, slot]", "i8", (SEATS, SLOTS), "The card, or -1 for none."),
    (
        "types[seat, slot]",
        "i8",
        (SEATS, SLOTS),
        "The set of types that its holder takes the card for; 0 for no card.",
    ),
    ("born[seat, slot]", "i8", (SEATS, SLOTS), "The card's place in the order of drawing."),
    ("pile[place]", "i8", MAX_UNSEEN, "The cards to draw, the next one first."),
    ("touched[seat]", "i8", SEATS, "Bits of the slots that a hint pointed at."),
    ("answers[seat]", "i8", SEATS, "The slot that the seat plays next to answer a hint, or -1."),
    ("alive[plane]", "i8", 3, "As in the view."),
    ("playable", "i8", (), "As in the view."),
    ("dead", "i8", (), "As in the view."),
    ("useless", "i8", (), "As in the view."),
    ("tokens", "i8", (), "As in the view."),
    ("lives", "i8", (), "As in the view."),
    ("score", "i8", (), "As in the view."),
    ("deck", "i8", (), "As in the view."),
    ("left", "i8", (), "As in the view."),
    ("drawn", "i8", (), "Cards drawn from the pile."),
    ("turn", "i8", (), "Turns played since the deal."),
    ("word", "i8", (), "A random word of 32 bits."),
]
OPTION_FIELDS = [  # a move that was tried (rules/finish.py)
    ("move", "i8", (), "The move."),
    ("hint", "i8", (), "Its place in view.hints; -1 for a play or a discard."),
    ("points", "f8", (), "The mean score at the end."),
    ("value", "f8", (), "The points with what counts for and against the move."),
]
WORLD, OPTION = (
    np.dtype((Record, align_rows(numpy_fields(fields)))) for fields in (WORLD_FIELDS, OPTION_FIELDS)
)
MEMO = [
    ("dealt", WORLD),
    ("world", WORLD),
    ("options", OPTION, MAX_OPTIONS),
    ("option_count", "i8"),
]
