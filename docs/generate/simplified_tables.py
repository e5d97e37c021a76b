"""The cost of making agents short: tables from docs/data/simplified.csv and -finals.csv."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from docs.generate.markdown import grid, with_error
from hanabi.evolve.measure.variations import other_weights, words_of
from hanabi.rules.agents import load
from hanabi.table import ListPlayer

KINDS = {
    "rule": "a rule goes",
    "convention": "a convention goes",
    "guard": "a guard or a bound of it goes",
    "merged": "the same sentence under several guards is merged",
    "plainer": "a convention becomes plainer",
    "default": "a weight becomes its default",
    "rounded": "a value is rounded to two digits",
}


def simplified(folder: Path) -> str:
    """Return the size and the points of each list before and after its simplification."""
    finals = pd.read_csv(folder / "simplified-finals.csv").set_index(["agent", "players"])
    rows = []
    for name in ("convention", "pairs"):
        for players in range(2, 6):
            for agent in (name, f"{name}-10"):
                row = finals.loc[(agent, players)]
                points = with_error(row["mean_kept"], row["sem_kept"], row["games"])
                rows.append([f"`{agent}`", f"{players}", *_size(load(agent).at(players)), points])
    columns = "agent,players,rules,conventions,weights,words,points".split(",")
    return grid(columns, rows)


def _size(listed: ListPlayer) -> list[str]:
    """Return the numbers of rules, conventions, weights and words of a list."""
    parts = (listed.rules, listed.conventions, other_weights(listed))
    return [*(str(len(part)) for part in parts), str(words_of(listed))]


def simplified_steps(folder: Path) -> str:
    """Return what the changes of each kind saved and cost, summed over the four lists."""
    steps = pd.read_csv(folder / "simplified.csv")
    rows = []
    for kind, says in KINDS.items():
        row = [says]
        for agent in ("convention-10", "pairs-10"):
            some = steps[(steps["agent"] == agent) & (steps["kind"] == kind)]
            row += [str(len(some)), str(some["words"].sum()), f"{some['cost'].sum():.2f}"]
        if len(steps[steps["kind"] == kind]):
            rows.append(row)
    each = ["times", "words saved", "points"]
    columns = [f"{agent}: {what}" for agent in ("convention", "pairs") for what in each]
    return grid(["change", *columns], rows)
