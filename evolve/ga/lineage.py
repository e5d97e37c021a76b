"""The winner's line of descent: its ancestors, and what changed in each of them.

lineage.csv has how each individual came from the generation before, changes.csv what it changed in
its local search, result.json the generation and the number of the winner.

In lineage.csv an individual is the number of its parent, then ``x`` and the number of another with
which it was crossed (that of its parent again: with a random one), then ``m`` if it was mutated:
``12`` was kept unchanged, ``12x30m`` is both.
The first generation has no parents.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from hanabi.evolve.ga.log_writer import CHANGES, LINEAGE
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import result
from hanabi.evolve.ga.toolbox import BORN

HOW = {2: "crossed with another", 3: "changed at random"}  # by group of BORN


@dataclass(frozen=True)
class Step:
    """What changed in the winner's line in a generation.

    Attributes:
        how: How the individual came from its parent, in words.
        changes: (mutation, gain in points, its standard error, games that decided) of its local
            search.
    """

    generation: int
    how: str
    changes: list[tuple[str, float, float, int]]


def lineage(run: Run) -> list[Step]:
    """Return the generations in which the winner's line changed, from its first ancestor on.

    Returns:
        The steps; empty for runs that have no lineage: older ones, and those of several parts, each
        of which has a lineage.

    Raises:
        ValueError: A file is damaged.
    """
    born = result(run.folder).get("born", [])
    if not (run / LINEAGE).exists() or len(born) != 2:
        return []
    climbs: dict[Any, list[Any]] = {}
    if (run / CHANGES).exists():
        climbs = {
            place: [*zip(rows["change"], rows["gain"], rows["sem"], rows["games"])]
            for place, rows in run.changes.groupby(["generation", "individual"])
        }
    found, (generation, number) = [], born
    try:
        rows = pd.read_csv(run / LINEAGE, index_col="generation", dtype={"parents": str})
        parents = rows["parents"].fillna("")
        while generation >= 0:
            born_of = parents[generation].split()
            came = BORN.fullmatch(born_of[number]) if born_of else None
            how = ", then ".join(HOW[group] for group in HOW if came[group]) if came else "begun"
            if how or (generation, number) in climbs:
                found.append(Step(generation, how, climbs.get((generation, number), [])))
            if came is None:
                break
            generation, number = generation - 1, int(came[1])
    except (LookupError, ValueError):
        raise ValueError(f"{run / LINEAGE} is damaged: it does not lead to the winner") from None
    return found[::-1]
