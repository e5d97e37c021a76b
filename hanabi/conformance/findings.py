"""What can be wrong with a rule or a convention, and how it is reported.

    does not compile          numba's first line of complaint is given
    raised, illegal           an exception; a move that is not legal (NOTHING always is)
    forfeits                  FORFEIT from a rule whose name does not begin with ``cig2018.``
    changes facts             the facts of the view are not the same bytes afterwards
    not repeatable            another answer from the same bytes
    keeps state               another answer when it has already run in this turn
    depends on the memo       another answer when old answers lie in a memo where nothing is asked
    spoils the memo           another rule, itself in order, moves otherwise after this one
    peeks                     another answer where only hidden cards are different
    machine code differs      plain Python gives another answer
    neither 0 nor 1           what a convention returns says whether it applied, and nothing else

The answer of a rule is its move; that of a convention is what it returns and what it writes into
the reading and the marks. From a rule the cards are hidden that its seat does not see; from a
convention all that are in a hand or in the deck, as all players should understand a hint alike.
"""

from dataclasses import dataclass

from hanabi.conformance.sample_states import StateOrigin

FAULTS = (
    "does not compile",
    "raised",
    "illegal",
    "forfeits",
    "changes facts",
    "not repeatable",
    "keeps state",
    "depends on the memo",
    "spoils the memo",
    "peeks",
    "machine code differs",
    "neither 0 nor 1",
)
BIT = {name: 1 << place for place, name in enumerate(FAULTS)}
AFTER_ALL = 1 << len(FAULTS)  # moves otherwise after all other rules


@dataclass(frozen=True)
class Finding:
    """A fault: a name of FAULTS, what was seen, and where first."""

    fault: str
    seen: str
    place: StateOrigin | None = None

    def __str__(self) -> str:
        return f"{self.fault}: {self.seen}"
