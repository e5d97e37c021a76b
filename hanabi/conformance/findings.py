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

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hanabi.checked_call import find_fault
from hanabi.conformance.sample_states import StateOrigin
from hanabi.rule_dependencies import has_loop, is_own
from hanabi.rulebook import Rule

RULE_FAULTS = (
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
)
CONVENTION_FAULTS = (
    "does not compile",
    "raised",
    "neither 0 nor 1",
    "changes facts",
    "not repeatable",
    "keeps state",
    "depends on the memo",
    "peeks",
    "machine code differs",
)
BIT = {
    name: 1 << place
    for place, name in enumerate(
        (*RULE_FAULTS, "moves otherwise after all others", "neither 0 nor 1")
    )
}


@dataclass(frozen=True)
class Finding:
    """A fault: a name of RULE_FAULTS or CONVENTION_FAULTS, what was seen, and where first."""

    fault: str
    seen: str
    place: StateOrigin | None = None

    def __str__(self) -> str:
        return f"{self.fault}: {self.seen}"


def keep_compilable(entries: Sequence[Rule], found: dict[str, list[Finding]]) -> list[Rule]:
    """Return the entries that compile; add a finding for each of the others."""
    good = []
    for entry in entries:
        try:
            entry.family.address()
            good.append(entry)
        except Exception as error:  # numba raises many kinds
            found[entry.name].append(
                Finding("does not compile", str(error).strip().splitlines()[0])
            )
    return good


def keep_terminating(
    entries: Sequence[Rule],
    views: np.ndarray,
    places: Sequence[StateOrigin],
    found: dict[str, list[Finding]],
) -> list[Rule]:
    """Return the entries that end in all states; add a finding for each of the others.

    Only user-defined entries that loop are called, uncompiled: machine code that does not end
    cannot be stopped.
    """
    good = []
    for entry in entries:
        has_user_loop = is_own(entry.family.function) and has_loop(entry.family.function)
        for view, place in zip(views, places) if has_user_loop else ():
            fault = find_fault(entry, view.copy())
            if fault.is_endless:
                found[entry.name].append(
                    Finding("raised", f"{fault.problem}, first in {place}", place)
                )
                break
        else:
            good.append(entry)
    return good


def first_fault(faults: np.ndarray, fault: str) -> int | None:
    """Return the first place in a row of fault bits that has this one."""
    hits = np.flatnonzero(faults & BIT[fault])
    return int(hits[0]) if len(hits) else None
