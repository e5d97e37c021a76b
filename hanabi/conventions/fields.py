"""Fields of a view for conventions: marks, readings of moves, evaluated hints, my cards."""

import numpy as np

from hanabi.backend.bits import ROW, numpy_fields
from hanabi.backend.memory_layout import align_rows
from hanabi.moves import SEATS, SLOTS
from hanabi.records import Record

MAX_CONVENTIONS = 24  # the most conventions in one list
STAGE_COUNT = 15  # when a convention speaks: see marks.STAGES and marks.HOOKS
MAX_MEMORIES = 7  # the most conventions of one list that have a memory or hooks: see memory.py
MEMORY_SIZE = 16  # the most numbers in the memory of one
NOTES = 24  # the most numbers that hooks keep for each other while a move is read
MAX_ROWS = MAX_CONVENTIONS + 5 * MAX_MEMORIES  # of a list: its conventions and their hooks
ROW_WIDTH = 8  # slots of a row that machine code takes whole, the last three always empty
MAX_HINTS = 44  # the most hints to choose from: 4 partners, 6 colours, 5 ranks
MAX_WEIGHTS = 24  # the most weights of an agent: see weights.py
MAX_ENTRIES = 31  # the most entries of a question of a code; 4 partners make 16 numbers at most
MARKS_FIELDS = [  # of one list of conventions (marks.py)
    # two sets of types per slot within that of the hints, view.mask
    (
        "promised[seat, slot]",
        "i8",
        (SEATS, ROW_WIDTH),
        "The set of types that a card was promised to be; it lies within view.mask.",
    ),
    (
        "assumed[seat, slot]",
        "i8",
        (SEATS, ROW_WIDTH),
        "The set of types that a card is assumed to be; it lies within promised.",
    ),
    ("pledged[seat]", "i8", SEATS, "Bits of the slots about which a promise was made."),
    ("warned[seat]", "i8", SEATS, "Bits of the slots that were warned about."),
    (
        "awaited[seat]",
        "i8",
        SEATS,
        "Bits of the slots whose card fits once others played theirs; a convention may set them.",
    ),
    (
        "may_answer[seat]",
        "i8",
        SEATS,
        "Bits of the slots with which a seat may answer at its next turn; "
        "a convention may set them.",
    ),
    # derived from these after every move
    ("stale", "i8", (), "Bits of the seats for which the next three are outdated."),
    ("plays[seat]", "i8", SEATS, "Bits of the slots whose assumed types are all playable."),
    (
        "perhaps[seat]",
        "i8",
        SEATS,
        "Bits of the slots of which some assumed types are playable, some not.",
    ),
    (
        "ready[seat]",
        "i8",
        SEATS,
        "The newest slot that is perhaps playable, untouched and without a promise; or -1.",
    ),
    ("expected", "i8", (), "The slot that the next seat is expected to discard, or -1."),
    (
        "chop_touched",
        "f8",
        (),
        "The share by which a touched card is the less likely discard; "
        "a convention of the game sets it.",
    ),
    (
        "chop_critical",
        "f8",
        (),
        "The share of its chance to be critical by which a card is the less likely discard.",
    ),
    ("chop_age", "f8", (), "The share by which a card is the likelier discard for each newer one."),
    ("tells", "i8", (), "How many conventions have the hook tells: moves then fill view.told."),
    # what a misplay drops
    (
        "drops",
        "i8",
        (),
        "1: a misplay drops what hints said since the hint on the card; "
        "a convention of the game sets it.",
    ),
    (
        "dated[seat, slot]",
        "i8",
        (SEATS, SLOTS),
        "With drops: 1 + the turn of the last hint that said more of a card than its words; or 0.",
    ),
    (
        "memory[place, number]",
        "i8",
        (MAX_MEMORIES + 1, MEMORY_SIZE),
        "What conventions keep from move to move: ask memory_of. The last row is always -1.",
    ),
]
READING_FIELDS = [  # the meaning of a move, made or considered
    # rows first, where machine code copies them at once
    (
        "literal[slot]",
        "i8",
        ROW_WIDTH,
        "The types that the target's card can be by hints alone, after this one.",
    ),
    (
        "promised[slot]",
        "i8",
        ROW_WIDTH,
        "The types that it is then promised to be: write it by promise, order.",
    ),
    (
        "assumed[slot]",
        "i8",
        ROW_WIDTH,
        "The types that it is then assumed to be: write it by assume.",
    ),
    ("giver", "i8", (), "The seat that makes the move."),
    ("move", "i8", (), "The move."),
    ("target", "i8", (), "The seat that a hint is for; -1 for a play or a discard."),
    ("rank_told", "i8", (), "1 for a hint of a rank, 0 for one of a colour."),
    ("cards", "i8", (), "The set of types that a hint tells about."),
    ("slots", "i8", (), "Bits of the target's slots that the hint points at."),
    ("plays", "i8", (), "Bits of the slots that the literal hint leaves all playable."),
    (
        "perhaps",
        "i8",
        (),
        "Bits of the slots that the literal hint leaves perhaps playable: "
        "some types of them are, some not.",
    ),
    (
        "pledged",
        "i8",
        (),
        "Bits of the target's slots about which a promise was made, after the hint.",
    ),
    (
        "warned",
        "i8",
        (),
        "Bits of the target's slots that were warned about, after the hint; "
        "a convention may set them.",
    ),
    (
        "meaning",
        "i8",
        (),
        "Which convention's meaning the hint has, its place in the list; -1 for none.",
    ),
    ("order_seat", "i8", (), "A seat that is ordered to play, -1 for none: write it by order."),
    ("order_slot", "i8", (), "The slot that it is ordered to play."),
    ("note", "i8", (), "A number that the convention of the meaning keeps for its hooks; or -1."),
    ("offered", "i8", (), "A set of types that it keeps for them."),
    ("mode", "i8", (), "Another number that it keeps for them."),
    (
        "safe",
        "i8",
        (),
        "1: the next seat's expected discard is assumed not critical; a convention may set it.",
    ),
    ("card", "i8", (), "The card of a play that fitted, in the stage fits; -1 before."),
]
HINT_FIELDS = [  # a hint that I may give, evaluated (hint_evaluation.py)
    ("move", "i8", (), "The move that gives the hint."),
    ("seat", "i8", (), "The seat that it is for."),
    ("honest", "i8", (), "2: all it says is true; 1: not all, but no false play; 0: a false play."),
    ("new", "i8", (), "Plays it adds."),
    ("due", "i8", (), "The types that are due to be played, with those of these plays."),
    ("lasting", "i8", (), "1: more than one turn answers it; hints of a chain."),
    # of hints without a false play only
    ("adds", "i8", (), "The types of its target's cards that it makes new plays."),
    ("safe", "i8", (), "1: the next seat will not discard after it."),
    ("slot", "i8", (), "The target's slot that fits once others played their answers, or -1."),
    ("leaves", "i8", (), "The types that the card there can be by then."),
    # of those that were weighed only
    ("dangerous", "i8", (), "1: the next seat would then discard a critical card."),
    ("value", "f8", (), "Its value by my weights."),
]
MARKS, READING, HINT = (
    np.dtype((Record, align_rows(numpy_fields(fields))))
    for fields in (MARKS_FIELDS, READING_FIELDS, HINT_FIELDS)
)
FACTS = [  # kept only if a seat plays by conventions (lists > 0)
    (
        "lists",
        "i8",
        (),
        "How many different lists of conventions the seats play by; 0: no marks are kept.",
    ),
    ("list", "i8", (), "The list that I play by: view.marks[view.list] are its marks."),
    ("list_of[seat]", "i8", SEATS, "Each seat's list, or -1 for a seat that looks at no marks."),
    ("marks[list]", MARKS, SEATS, "What hints came to mean under each list of conventions."),
    (
        "weights[seat, weight]",
        "f8",
        (SEATS, MAX_WEIGHTS),
        "Each seat's weights, by the numbers in hanabi/conventions/weights.py.",
    ),
]
# By lazy answer: the fields that it fills (own_hand.py, hint_evaluation.py).
ANSWERS: dict[str, list[tuple]] = {
    "own_cards": [
        ("own_promised", "i8", SLOTS),
        ("own_assumed", "i8", SLOTS),
        ("own_play", "i8"),  # the slot to play, if known, or -1
    ],
    "own_counts": [  # copies that fit the assumed types; of these, playable, useless, critical
        ("own_copies", "i8", SLOTS),
        ("own_playables", "i8", SLOTS),
        ("own_uselesses", "i8", SLOTS),
        ("own_criticals", "i8", SLOTS),
        ("own_likeliest", "i8"),  # the slot that is most likely playable, or -1
    ],
    "judged_hints": [
        ("hint_count", "i8"),
        ("hints", HINT, MAX_HINTS),
        ("taken", "i8"),  # types that are touched or known already
        ("due", "i8"),  # types that will be played by players who know that they can
        ("endangered", "i8"),  # 1: without a hint the next seat may discard a critical card
    ],
    "chosen_hint": [  # what best_hint looks for, its place, and bits of the weighed hints
        ("sought_seat", "i8"),
        ("sought_new", "i8"),
        ("sought_honest", "i8"),
        ("chosen", "i8"),
        ("weighed", "i8"),
    ],
}
ROWS = np.dtype((Record, numpy_fields(READING_FIELDS[:3])))  # the first fields of a reading
_ROW_SETS = ("cards", "literal", "promised", "assumed")  # of the target, before the hint
QUESTION_FIELDS = [  # of a code: asked about the hand of one seat (codes.py)
    ("room", "i8", (), "The most entries that the question may have."),
    ("count", "i8", (), "The entries that it has: write them by add_entry."),
    ("slots[entry]", "i8", MAX_ENTRIES, "The slot of each entry."),
    ("cards[entry]", "i8", MAX_ENTRIES, "The set of types of each entry."),
]
QUESTION = np.dtype((Record, align_rows(numpy_fields(QUESTION_FIELDS))))
TOLD_FIELDS = [  # what a move tells of all hands besides its words: the hook tells fills it
    ("promised[seat, slot]", "i8", (SEATS, ROW_WIDTH), "The types that a card is then promised."),
    ("assumed[seat, slot]", "i8", (SEATS, ROW_WIDTH), "The types that it is then assumed to be."),
    ("narrows", "i8", (), "1: the move tells something of others: their marks become these."),
    ("wrong", "i8", (), "1: the move tells something false."),
    ("guessed", "i8", (), "1 + the seat whose hand is a guess, in a replay; 0: none."),
    ("notes[number]", "i8", NOTES, "What the convention's hooks keep for each other until then."),
]
TOLD = np.dtype((Record, align_rows(numpy_fields(TOLD_FIELDS))))
THEIRS = np.dtype((Record, [(name, "i8", ROW_WIDTH) for name in _ROW_SETS]))
MAX_READINGS = 1 + MAX_HINTS
MEMO = [  # see marks.read
    # first the reading of the move that is made or considered, then those of view.hints
    ("readings", READING, MAX_READINGS),
    ("open", "i8"),  # bits of the readings to which a convention is applied
    ("meant", "i8", MAX_MEMORIES + 1),  # by owner, bits of the readings to which it gave a meaning
    # Work space. It is in the record so that the compiler knows that the rows do not overlap,
    # and computes all slots at once.
    ("draft", ROWS),
    ("theirs", THEIRS),
    ("told", TOLD),
    ("question", QUESTION),
]
MACHINE = [
    ("reader", "i8"),  # address of the machine code that keeps the marks (marks.read)
    # 0, or 1 + list * MAX_ROWS + place there, of a convention or a hook that raised
    ("failed", "i8"),
    ("conventions", ROW, (SEATS, MAX_ROWS)),
    ("memories", "i8", (SEATS, MAX_MEMORIES)),  # by list and place, the key of a memory; 0: none
    ("owners", "i8", (SEATS, MAX_ROWS)),  # the place of the memory of each of conventions
    ("stages", "i8", (SEATS, STAGE_COUNT + 1)),  # where each stage begins in conventions
]
