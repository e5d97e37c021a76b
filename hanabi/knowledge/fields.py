"""The fields that exact knowledge keeps in a view: a line per lazy answer, with what it fills.

A new question is a line here and its functions in questions.py. Axes are slot; seat and slot; or
seat, hint and slot.
"""

from hanabi.moves import SEATS, SLOTS

HINTS = 11  # a hint as a number: 0–5 a colour, 6–10 the ranks 1–5
WORK = 128  # numbers of scratch that satisfy every kernel
ANSWERS: dict[str, list[tuple]] = {
    "my_cards": [
        ("mine", "i8", SLOTS)
    ],  # the types that my card can be, all my slots taken together
    "my_chances": [
        ("my_ways", "i8"),  # in how many ways physical cards can lie in my slots
        (
            "my_kind_ways",
            "i8",
            (5, SLOTS),
        ),  # of these, with a playable, dead, useless, critical, dispensable one
    ],
    "their_cards": [
        ("my_needs", "i8", 32),
        ("my_need_count", "i8"),  # what my slots need of the pool that I share (matching.my_needs)
        ("they_consider", "i8", (SEATS, SLOTS)),  # the types that another may think possible
    ],
    "their_cards_after_hints": [("they_consider_after_hint", "i8", (SEATS, HINTS, SLOTS))],
    # by what we both see; row HINTS is without any hint; in parts, see questions
    "shared_chances": [
        ("shared_asked", "i8"),
        ("shared_part", "i8"),  # bits of the parts that stand here, the part asked for
        ("shared_playable_ways", "i8", (SEATS, HINTS + 1, SLOTS)),
        ("shared_ways", "i8", (SEATS, HINTS + 1)),
    ],
    "their_duplicates": [
        ("they_know_duplicate", "i8", SEATS)
    ],  # bits of the slots whose holder knows of another copy
    "common_cards": [
        ("common_types", "i8", (SEATS, SLOTS))
    ],  # the types possible by common knowledge
    "their_playables": [
        ("they_know_ways", "i8", (SEATS, SLOTS))
    ],  # of my ways, those in which another knows a play
}
MEMO = [("scratch", "i8", WORK)]  # what the kernels work on
