"""What conventions keep in a view: the marks, the reading of a move, judged hints, my cards by the marks."""
import numpy as np

from hanabi.machine import ROW
from hanabi.moves import SEATS, SLOTS

CONVENTIONS = 16                             # the most conventions in one list
STAGES = 4                                   # when a convention speaks: see marks.STAGES
WIDE = 8                                     # slots of a row that machine code takes whole, the last three always empty
HINTS = 44                                   # the most hints to choose from: 4 partners, 6 colours, 5 ranks
MAX_WEIGHTS = 24                             # the most weights of an agent: see weights.py
MARKS = np.dtype((np.record, [               # what hints came to mean under one list of conventions (marks.py)
    # three nested sets of types per slot: what hints say (view.mask), what was promised, what is assumed
    ("promised", "i8", (SEATS, SLOTS)), ("assumed", "i8", (SEATS, SLOTS)),
    ("pledged", "i8", SEATS),                # bits of the slots about which a promise was made
    ("warned", "i8", SEATS),                 # bits of the slots that were warned about
    # a finesse that is not settled yet
    ("giver", "i8"),                         # who hinted, or -1 for no open finesse
    ("target", "i8"), ("focus", "i8"),       # the seat and the slot that the hint is about
    ("offered", "i8"), ("direct", "i8"),     # types that the focus may be; of these, playable without an answer
    ("bluff", "i8"), ("later", "i8"),        # 1: any card may answer; 1: any seat before the target may answer
    ("answers", "i8", SEATS),                # the slot that each seat would answer with, or -1
    # worked out of all this after every move
    ("plays", "i8", SEATS),                  # bits of the slots whose assumed types are all playable
    ("perhaps", "i8", SEATS),                # bits of the slots of which some assumed types are playable, some not
    ("ready", "i8", SEATS),                  # newest slot that perhaps plays, untouched, without a promise; or -1
    ("expected", "i8"),                      # what the next seat is expected to discard, or -1
    ("chop_touched", "f8"), ("chop_critical", "f8"), ("chop_age", "f8"),    # how it is chosen
]))
READING = np.dtype((np.record, [             # what a move means, a real one or one that I consider
    ("giver", "i8"), ("target", "i8"),       # target: -1 for a play or a discard
    ("rank_told", "i8"),                     # 1 for a hint of a rank
    ("cards", "i8"), ("slots", "i8"),        # types told about, bits of the slots pointed at
    ("literal", "i8", WIDE), ("promised", "i8", WIDE), ("assumed", "i8", WIDE),   # the target's row after it
    ("plays", "i8"), ("perhaps", "i8"),      # bits of the slots that the literal hint leaves all playable, perhaps playable
    ("pledged", "i8"), ("warned", "i8"),     # the target's bits after the hint
    ("meaning", "i8"),                       # which convention's meaning it has: its place in the list, or -1
    ("order_seat", "i8"), ("order_slot", "i8"),     # a slot of another seat that is promised playable; seat -1 for none
    ("focus", "i8"), ("offered", "i8"),      # a finesse opens on this slot of the target (or -1) with these types
    ("bluff", "i8"), ("later", "i8"),
    ("safe", "i8"),                          # 1: the next seat's chop is assumed not critical
    ("card", "i8"),                          # a card that was played and fitted
]))
HINT = np.dtype((np.record, [                # a hint that I may give, and what I think of it (judge.py)
    ("move", "i8"), ("seat", "i8"),
    ("honest", "i8"),                        # 2: all it says is true; 1: not all, no false play; 0: a false play
    ("new", "i8"),                           # plays it adds
    # what follows only of a hint that leads to no false play
    ("adds", "i8"), ("safe", "i8"),          # types of its target's cards that it makes new plays; 1: the next seat will not discard
    ("slots", "i8"), ("warned", "i8"), ("assumed", "i8", WIDE),          # as it will be read
    # … and was weighed
    ("dangerous", "i8"),                     # 1: the next seat would then discard a critical card
    ("value", "f8"),
]))
FACTS = [                                    # without any conventions (lists = 0) nothing here is kept
    ("lists", "i8"),                         # how many different lists of conventions the seats play by
    ("list", "i8"),                          # the list that the seat to move plays by
    ("list_of", "i8", SEATS),                # each seat's list, or -1 for a seat that looks at no marks
    ("marks", MARKS, SEATS),                 # what hints came to mean under each list
    ("weights", "f8", (SEATS, MAX_WEIGHTS)),        # each seat's weights
]
ANSWERS: dict[str, list[tuple]] = {                      # lazy answer: the fields that it fills (own.py, judge.py)
    "own_cards": [
        ("own_promised", "i8", SLOTS), ("own_assumed", "i8", SLOTS),
        ("own_play", "i8"),                  # the slot to play, if known, or -1
    ],
    "own_counts": [                          # copies that fit the assumed types; of these, playable, useless, critical
        ("own_copies", "i8", SLOTS), ("own_playables", "i8", SLOTS), ("own_uselesses", "i8", SLOTS), ("own_criticals", "i8", SLOTS),
        ("own_likeliest", "i8"),             # the slot that is most likely playable, or -1
    ],
    "judged_hints": [("hint_count", "i8"), ("hints", HINT, HINTS),
                     ("taken", "i8"),        # types that a touch would only repeat
                     ("endangered", "i8")],  # 1: without a hint the next seat may discard a critical card
    "weighed_hints": [("wanted", "i8"), ("weighed", "i8")],      # bits: places in ``hints``
}
THEIRS = np.dtype((np.record, [              # the target's row before the hint, each a set of types: see marks._aim
    ("cards", "i8", WIDE), ("literal", "i8", WIDE), ("promised", "i8", WIDE), ("assumed", "i8", WIDE),
]))
MEMO = [("reading", READING), ("theirs", THEIRS)]
MACHINE = [
    ("reader", "i8"),                        # where the machine code is that keeps the marks (marks.read)
    ("conventions", ROW, (SEATS, CONVENTIONS)), ("stages", "i8", (SEATS, STAGES + 1)),    # and where stages begin
]
