"""Canaan et al. 2018: what our runs of its six evolutions reach, and how their lists begin.

The runs are made by ``hanabi experiment paper --seeds 5``. Two small files of them are kept here:
the scores of each seed, and how the best lists of each run begin.
"""

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hanabi.evolve.analysis.subjects import BEST, GROUPS, group_of
from hanabi.evolve.measure.arena import read_players

COUNTS = ("2", "3", "4", "5")
SCORES = Path(__file__).with_name("runs_2018.csv")
BEGINNINGS = Path(__file__).with_name("first_rules_2018.csv")
# (mode, column, rule): the paper's counts, of ten each, one per group; None: not known to us
TABLE_VII: dict[tuple[str, str, str], tuple[int | None, ...]] = {
    ("mirror", "first", "cig2018.play_just_hinted"): (5, 10, 9),
    ("mixed", "first", "cig2018.play_just_hinted"): (4, 4, 5),
    ("mirror", "first_tell", "cig2018.tell_unambiguous"): (7, 10, 2),
    ("mixed", "first_tell", "cig2018.tell_unambiguous"): (6, 1, 0),
    ("mixed", "first_tell", "cig2018.complete_tell_useful_card"): (None, None, None),
}
TABLE_VIII = {"mirror": (7, 10, None), "mixed": (5, 9, None)}
SEEDS = 5
MADE = (
    f"hanabi experiment paper --seeds {SEEDS} -o evolve/papers/{SCORES.name}",
    (
        "hanabi analyse runs/paper/*-new* runs/paper/*-situational* --only best -o"
        f" evolve/papers/{BEGINNINGS.name}"
    ),
)


class Evolved(NamedTuple):
    """The scores of our runs of an experiment.

    Attributes:
        seeds: Mean points of each seed.
        error: The standard error of one run's mean, from its final games.
        games: Final games of one run, per player count.
        means: Mean points over the seeds, by player count; NaN if only the mean was kept.
        spreads: Their standard deviations over the seeds; NaN for one seed.
    """

    seeds: tuple[float, ...]
    error: float
    games: int
    means: tuple[float, ...]
    spreads: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return float(np.mean(self.seeds))

    @property
    def spread(self) -> float:
        """The standard deviation over the seeds; NaN for one seed."""
        return float(np.std(self.seeds, ddof=1)) if len(self.seeds) > 1 else float("nan")

    @property
    def sem(self) -> float:
        """The standard error of the mean over the seeds; of one seed that of its games."""
        return self.spread / len(self.seeds) ** 0.5 if len(self.seeds) > 1 else self.error


def evolved(file: Path = SCORES) -> dict[str, Evolved]:
    """Return the scores of our runs by the experiment's name in the paper; none without a file."""
    if not file.exists():
        return {}
    rows = pd.read_csv(file)
    found = {}
    for name, some in rows[rows["row"] == "seed"].groupby("name", sort=False):
        by_count = some[[*COUNTS]]
        spreads = by_count.std(ddof=1) if len(some) > 1 else by_count.iloc[0] * float("nan")
        found[str(name)] = Evolved(
            tuple(map(float, some["mean"])),
            float(some["error"].mean()),
            round(float(some["games"].iloc[0]) / len(COUNTS)),
            tuple(map(float, by_count.mean())),
            tuple(map(float, spreads)),
        )
    return found


def evolutions_table(
    published: Mapping[str, tuple[float, Sequence[float]]],
    found: Mapping[str, Evolved],
    off_by: Mapping[str, float | None],
) -> dict[str, Any]:
    """Return the six evolutions: published scores, and those of our runs seed by seed.

    Args:
        published: By experiment: mean points, and points by player count.
        found: Our runs.
        off_by: Our mean less the published one, in standard errors of a single run; None of one.
    """
    rows: list[list[Any]] = []
    for name, (mean, by_count) in published.items():
        ours = found.get(name)
        rows.append([name, "published", "", f"{mean:.2f}", "", "", *(f"{n:.2f}" for n in by_count)])
        if ours is None:
            rows.append(["", "our runs", "none yet", *[""] * 7])
            continue
        count = len(ours.seeds)
        error = f"{ours.mean:.3f}" + (f" ± {ours.spread:.3f}" if count > 1 else "")
        apart = off_by.get(name)
        each = ", ".join(f"{one:.2f}" for one in ours.seeds)
        cells = ("" if isnan(one) else f"{one:.2f}" for one in ours.means)
        off = "" if apart is None else f"{apart:+.1f}"
        rows.append(["", "our runs", count, error, off, each, *cells])
    means_only = ", ".join(name for name, runs in found.items() if any(map(isnan, runs.means)))
    return dict(
        name="evolutions",
        title="The six evolutions, run by the paper's algorithm",
        columns=["experiment", "", "seeds", "mean ± s.d.", "off by", "each seed", *COUNTS],
        rows=rows,
        note=(
            "Ours: the mean over the seeds and the standard deviation of one, kept points on fresh"
            " deals; by player count the means. Off by: our mean less the published one, which is"
            " of one run, in standard errors of a single run, s.d. × √(1 + 1/n). The runs are made"
            f" by `{MADE[0]}`."
            + (f" Of {means_only} the mean and its error alone were kept." if means_only else "")
        ),
    )


def beginnings_tables(file: Path = BEGINNINGS) -> list[dict[str, Any]]:
    """Return Tables VII and VIII: the first rules of the best list of each of our runs.

    The paper counts the ten best lists of one population. The ten best of one of our populations
    are nearly copies of one list, so ours counts runs, each by its best list.

    Args:
        file: A row for each of our individuals, from
            ``hanabi.evolve.analysis.subjects.best_table``; none for a run that is missing.
    """
    rows = (
        pd.read_csv(file, dtype={"players": str}) if file.exists() else pd.DataFrame(columns=BEST)
    )
    rows = rows[rows["place"] == 1]
    groups = rows["players"].map(read_players).map(group_of)

    def lines(mode, says, paper, begins):
        for published, group in zip(paper, GROUPS, strict=True):
            of = (rows["mode"] == mode) & (groups == group)
            yield [
                mode,
                group,
                says,
                "" if published is None else f"{published} of 10 lists",
                f"{(of & begins).sum()} of {of.sum()} runs" if of.any() else "no runs yet",
            ]

    says = {"first": "the first rule", "first_tell": "the first rule that tells"}
    sevens = [
        line
        for (mode, where, name), paper in TABLE_VII.items()
        for line in lines(
            mode, f"{says[where]} is {name.removeprefix('cig2018.')}", paper, rows[where] == name
        )
    ]
    eights = [
        line
        for mode, paper in TABLE_VIII.items()
        for line in lines(
            mode,
            "a rule that plays comes before the first that tells",
            paper,
            rows["play_first"].astype(bool),
        )
    ]
    note = (
        "Whole lists, with rules that never decide. Published, where the count is known to us: the"
        " ten best lists of one population. Ours: the best list of each run, since the ten best of"
        f" a population are nearly copies of one. Made by `{MADE[1]}`."
    )
    columns = ["evolved for", "players", "how the lists begin", "published", "ours"]
    return [
        dict(
            name="table-vii",
            title="Table VII: how the best lists of each experiment begin",
            columns=columns,
            rows=sevens,
            note=note,
        ),
        dict(
            name="table-viii",
            title="Table VIII: whether the best lists of each experiment play first",
            columns=columns,
            rows=eights,
            note="",
        ),
    ]
