"""Where a run's winner came from: lineage.csv has how each individual came from the generation before, changes.csv what it then changed
of itself, result.json the generation and the number of the winner.

In lineage.csv an individual is the number of its parent, then ``x`` and the number of another with whom it was crossed, then ``m``
where it was changed at random: ``12`` is kept as it was, ``12x30m`` both. The first generation has no parents.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.evolve.ga.log_writer import CHANGES, LINEAGE
from hanabi.evolve.ga.run_folder import result
from hanabi.files import OWN, read_text

if TYPE_CHECKING:
    from hanabi.evolve.ga.result import Run

BORN = re.compile(r"(\d+)(x\d+)?(m)?")


@dataclass(frozen=True)
class Step:
    """What came to the winner's line in a generation: ``how`` (from its parent: words), and the single changes that it then made of
    itself, each with its gain in points, the standard error, and the games that decided."""

    generation: int
    how: str
    changes: list[tuple[str, float, float, int]]


def lineage(run: Run) -> list[Step]:
    """The winner's line from its first ancestor on, parent by parent: the generations in which something changed. Empty where the run's
    files do not hold it: older runs, and those of several parts, each of which has its own. ValueError for damaged files."""
    born = result(run.folder).get("born", [])
    if not (run / LINEAGE).exists() or len(born) != 2:
        return []
    rows = {int(row["generation"]): row["parents"].split() for row in _rows(run / LINEAGE)}
    climbs: dict[tuple[int, int], list[tuple[str, float, float, int]]] = {}
    for row in _rows(run / CHANGES) if (run / CHANGES).exists() else []:
        climbs.setdefault((int(row["generation"]), int(row["individual"])), []).append(
            (row["change"], float(row["gain"]), float(row["sem"] or "nan"), int(row["games"]))
        )
    found, (generation, number) = [], born
    try:
        while generation >= 0:
            came = BORN.fullmatch(rows[generation][number]) if rows[generation] else None
            how = _words(came) if came else "begun"
            if how or (generation, number) in climbs:
                found.append(Step(generation, how, climbs.get((generation, number), [])))
            if came is None:
                break
            generation, number = generation - 1, int(came[1])
    except (LookupError, ValueError):
        raise ValueError(f"{run / LINEAGE} is damaged: it does not lead to the winner") from None
    return found[::-1]


def _words(came):
    """How an individual differs from its parent; "" for one that was kept."""
    words = ["crossed with another"] * bool(came[2]) + ["changed at random"] * bool(came[3])
    return ", then ".join(words)


def _rows(path):
    return csv.DictReader(io.StringIO(read_text(path, OWN)))
