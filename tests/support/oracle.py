"""Records of brute-force epistemic answers, and what is needed to compare with them.

tests/golden/kripke_small.jsonl.gz is a small part of kripke_oracle.jsonl.gz beside it: the first
six records of each variant, number of players, phase, and with or without `common`, among those
with at most 8,000 worlds for any pair of seats, 2,000 for the active one and 6,000 joint ones where
`common` stands; without `deck` and `log`. The variable KRIPKE_ORACLE names another file of the
format. Its card types are colour * ranks + rank - 1.
"""

import gzip
import json
import os
from collections.abc import Iterator

from paths import GOLDEN

from hanabi.logic.logic_state import LogicState, deck
from hanabi.moves import STRIDE

SMALL = GOLDEN / "kripke_small.jsonl.gz"


def records() -> Iterator[dict]:
    """Every record of the file in use."""
    with gzip.open(os.environ.get("KRIPKE_ORACLE") or SMALL, "rt") as file:
        yield from map(json.loads, file)


def types_of(record: dict) -> list[int]:
    """Our number of each of the record's card types."""
    ranks = len(record["copies"])
    return [STRIDE * (c // ranks) + c % ranks for c in range(record["ncol"] * ranks)]


def position_of(record: dict) -> LogicState:
    """A record as a state; its slots, oldest first, are taken as they stand."""
    ours = types_of(record)
    discards = [0] * 30
    for c, count in enumerate(record["discards"]):
        discards[ours[c]] = count
    masks = [
        [sum(1 << card for c, card in enumerate(ours) if mask >> c & 1) for mask in row]
        for row in record["masks"]
    ]
    return LogicState(
        deck(record["ncol"], record["copies"]),
        record["fireworks"],
        discards,
        [[ours[c] for c in row] for row in record["hands"]],
        masks,
        record["active"],
    )
