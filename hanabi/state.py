"""The state of a game in two flat records, each wing's part laid down in the wing.

TABLE holds what nobody, or not everybody, sees. VIEW holds the public part and all hands; while a seat is asked for its
move its own row of hands is blank, so a rule is blind by construction and nothing is copied per turn. VIEW begins with
the **facts**, which a rule never changes; the **memo** behind them holds answers worked out at the first question of a
turn (lazy.py); behind it stand addresses of machine code. Everything a rule touches is int64: NumPy scalars keep a
narrow type where numba widens it.

Each wing lists its fields in its own ``fields.py``, next to its kernels; here they are only put together, flat. Records
within the record (``view.knowledge.mine``) were not measured: the machine was shared when this was built, and flat ones
cost nothing for certain.
"""
import numpy as np

import hanabi.conventions.fields as conventions
import hanabi.knowledge.fields as knowledge
from hanabi.moves import SEATS, SLOTS

CARDS = 90                                   # the most cards a variant may have: 6 colours of 5 ranks, 3 copies each
HISTORY = 256                                # more moves than any game can have: 90 + 5 plays and discards, 109 hints
OWN_ANSWERS = 32                             # places for the lazy answers of users' rule files

GAME = [
    # the variant
    ("players", "i8"), ("colours", "i8"), ("ranks", "i8"), ("hand_size", "i8"), ("max_tokens", "i8"), ("max_lives", "i8"),
    ("last_round", "i8"), ("stop_when_hopeless", "i8"),
    ("full", "i8", 3),                       # pool of the whole deck: types with more than 0, 1, 2 copies
    # the position
    ("me", "i8"),                            # the seat that is to move
    ("turn", "i8"),                          # moves made so far
    ("tokens", "i8"), ("lives", "i8"), ("score", "i8"),
    ("deck", "i8"),                          # cards left to draw
    ("left", "i8"),                          # moves left once the deck is empty; -1 before
    ("word", "i8"),                          # a random word for this turn, which tells nothing about the deal
    ("fireworks", "i8", 6),                  # highest rank on each firework, 0 for none
    ("playable", "i8"),                      # set of types that would fit now
    ("dead", "i8"),                          # set of types that were played already
    ("useless", "i8"),                       # set of types that can never be played any more: dead or unreachable
    ("alive", "i8", 3),                      # pool of copies that were not discarded or misplayed
    ("pool", "i8", 3),                       # pool of copies that do not lie face up: all hands and the deck
    ("unseen", "i8", 3),                     # pool of copies that I do not see: my hand and the deck
    # the hands, by seat and slot; a card keeps its slot, the new card takes the free one
    ("hands", "i8", (SEATS, SLOTS)),         # the card, or -1 for none; my own row is all -1
    ("held", "i8", SEATS),                   # the set of types in a hand; mine is empty
    ("mask", "i8", (SEATS, SLOTS)),          # the types a card can be by the hints it got, positive and negative
    ("filled", "i8", SEATS),                 # bits of the slots that hold a card
    ("knows_colour", "i8", SEATS),           # bits of the slots whose colour follows from the hints they got
    ("knows_rank", "i8", SEATS),             # bits of the slots whose rank follows from the hints they got
    ("touched", "i8", SEATS),                # bits of the slots that a hint ever pointed at
    ("born", "i8", (SEATS, SLOTS)),          # the card's place in the order of drawing: smaller is older
    # the moves so far, one word each (see game.event_*); the mover of event t is seat t % players
    ("history", "i8", HISTORY),
]
FACTS = [*GAME, *conventions.FACTS]
COUNTS: dict[str, list[tuple]] = {           # answers that view.py works out by itself: they cost less than a call
    "counts": [("possible", "i8", SLOTS), ("playables", "i8", SLOTS)],      # copies that my slots can be; of these, playable
    "useless_counts": [("uselesses", "i8", SLOTS)],                         # of these, useless
}
# the place of a lazy answer here is the place of its bit in view.asked
ANSWERS: dict[str, list[tuple]] = {**COUNTS, **conventions.ANSWERS, **knowledge.ANSWERS}
MEMO = [
    ("asked", "i8"),                         # bits of the questions answered this turn
    *(field for fields in ANSWERS.values() for field in fields), *conventions.MEMO, *knowledge.MEMO,
]
MACHINE = [
    ("answer_code", "i8", len(ANSWERS) + OWN_ANSWERS),      # where the machine code of each lazy answer is, or 0
    *conventions.MACHINE,
]
VIEW = np.dtype((np.record, FACTS + MEMO + MACHINE))
FACTS_BYTES = np.dtype(FACTS).itemsize       # the memo begins here
TABLE = np.dtype((np.record, [
    ("seed", "u8"),
    ("forced", "i8"),                        # 1: the deck is drawn in the order it stands in; 0: shuffled as it is drawn
    ("cards", "i8"),                         # how many cards the deck had
    ("sorted", "i1", CARDS),                 # every card, sorted: what a shuffle starts from
    ("deck", "i1", CARDS),                   # drawn cards in the order of drawing, then the rest
    ("hands", "i8", (SEATS, SLOTS)),         # the true hands
    ("unseen", "i8", (3, SEATS)),            # for every seat the pool it does not see, plane by plane
]))
