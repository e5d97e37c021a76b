"""What the experiment recombination found, as a table and in words."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from docs.generate.markdown import grid
from hanabi.evolve.experiments.plan import read
from hanabi.notation import all_of

FILE, CHOICES = "recombination.csv", "ablation.csv"
KINDS = {
    "orders": "orders of the rules of 2018",
    "lists": "lists of modern rules with values",
    "grown": "grown rules",
    "default": "the default",
}
BASE, UNCROSSED, RANDOM_MATES = "with crossover", "without crossover", "with random mates"


def rows(folder: Path) -> pd.DataFrame:
    """Return the rows of the experiment, with the kind and the player count of each."""
    found = pd.read_csv(folder / FILE)
    found[["kind", "players"]] = found["run"].str.split("-", expand=True)[[0, 1]]
    return found


def table(folder: Path) -> str:
    """Return the table: a row per kind and arm, with both player counts."""
    found = rows(folder)
    by_row = {key: one.iloc[0] for key, one in found.groupby(["kind", "players", "name", "row"])}
    counts, lines = sorted(found["players"].unique()), []
    for kind, words in KINDS.items():
        for arm in found["name"].unique():
            cells = [words if arm == BASE else "", arm]
            for players in counts:
                ours = by_row[kind, players, arm, "ours"]
                gain = by_row.get((kind, players, arm, "gain"))
                cells += [
                    f"{ours['mean']:.2f} ± {ours['error']:.2f}",
                    f"{ours['median']:.2f}",
                    f"{ours['lost']:.0f}",
                    "" if gain is None else f"{gain['mean']:+.2f} ± {gain['error']:.2f}",
                ]
            lines.append(cells)
    columns = [
        f"{column}, {players} players"
        for players in counts
        for column in ("mean ± s.d.", "median", "lost", "gain")
    ]
    return grid(["kind", "arm", *columns], lines, left=2)


def choices(folder: Path) -> str:
    """Return the table of the experiment ablation: a row per arm, with all player counts."""
    found = pd.read_csv(folder / CHOICES)
    found[["arm", "players"]] = found["run"].str.split("-", expand=True)
    counts, lines = sorted(found["players"].unique()), []
    for name, arm in found.groupby("name", sort=False):
        by_row = {key: one.iloc[0] for key, one in arm.groupby(["players", "row"])}
        cells = [name]
        for players in counts:
            ours, gain = by_row[players, "ours"], by_row.get((players, "gain"))
            gains = "" if gain is None else f"{gain['mean']:+.2f} ± {gain['error']:.2f}"
            cells += [f"{ours['median']:.2f}; {ours['zero']:.2f}", f"{ours['lost']:.0f}", gains]
        lines.append(cells)
    columns = [
        f"{column}, {players} players"
        for players in counts
        for column in ("median; mean of zero", "lost", "gain")
    ]
    return grid(["arm", *columns], lines, left=1)


def sentences(folder: Path) -> str:
    """Return in which cases each arm differs from crossover, and where recombination pays."""
    gains = rows(folder).query("row == 'gain'")
    better = {arm: _cases(some[some["mean"] > some["error"]]) for arm, some in _by_arm(gains)}
    worse = {arm: _cases(some[some["mean"] < -some["error"]]) for arm, some in _by_arm(gains)}
    lines = []
    for arm in better:
        parts = [
            f"{word} {all_of(cases)}"
            for word, cases in (("better for", better[arm]), ("worse for", worse[arm]))
            if cases
        ]
        lines.append(f"* *{arm}*: {'; '.join(parts) or 'no difference is shown'}.")
    cases = _cases(gains[gains["name"] == UNCROSSED])
    paid = [case for case in cases if case in worse[UNCROSSED] and case in worse[RANDOM_MATES]]
    where = f"for {all_of(paid)}" if paid else f"in none of the {len(cases)} cases"
    return "\n".join(
        [
            "Beyond the interval, compared with crossover:\n",
            *lines,
            "\nRecombination is shown to pay where crossover is ahead of both the arm without"
            f" it and random mates: {where}.",
        ]
    )


def _by_arm(gains):
    return gains.groupby("name", sort=False)


def _cases(some):
    return [f"{KINDS[one.kind]} ({one.players} players)" for one in some.itertuples()]


def seeds(folder: Path, file: str = FILE) -> int:
    """Return the seeds of each run."""
    return int(pd.read_csv(folder / file).query("row == 'ours'")["seeds"].min())


def games() -> int:
    """Return the games of the generations of the genetic algorithm."""
    config = read("recombination").entries[0].config
    return config.games_per_generation(1) * (config.search.generations + 1)
