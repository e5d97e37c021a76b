"""How often the paired test of a mutation (evolve/ga/local_search.py) is wrong, by simulation:

python tests/support/error_rates.py

writes docs/data/error-rates.csv, the table of docs/explanations/search.md. A pair of games that
differ at all differs by a whole number of points, drawn from a normal distribution; most pairs are
equal, as in games.
"""

import csv
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from hanabi.evolve.measure.paired import STAGES, verdict  # noqa: E402 - a script beside the tests

DATA = ROOT / "docs/data/error-rates.csv"
COLUMNS = ("gain", "sd", "games_at_most", "accepted", "games")
SPREADS = {
    1.9: 0.4,
    0.5: 0.1,
}  # s.d. of a pair's difference, points: the share of pairs that differ
GAINS = (-0.1, 0, 0.02, 0.05, 0.1, 0.3)  # true ones, points per game
COUNT = 20_000  # mutations in each row
EARLY_MARGIN = 0.3  # as in the preset best


def tested(gain: float, spread: float, count: int, seed: int) -> list[tuple[float, float]]:
    """For each level, which is how many stages trials may go beyond the first: (share of ``count``
    changes of a true gain that are made, games of a change on average). All levels judge the
    same games.
    """
    rng, share = np.random.default_rng(seed), SPREADS[spread]
    levels = range(1, len(STAGES))
    totals, squares, before = np.zeros(count), np.zeros(count), 0
    open_ = {level: np.ones(count, bool) for level in levels}
    made, games = dict.fromkeys(levels, 0), dict.fromkeys(levels, 0)
    for place, stage in enumerate(STAGES):
        wanted, running = stage - before, np.flatnonzero(np.any([*open_.values()], axis=0))
        for some in np.array_split(running, 1 + len(running) * wanted // 10**6):
            size = len(some), wanted
            differences = np.rint(rng.normal(gain / share, spread / share**0.5, size)) * (
                rng.random(size) < share
            )
            totals[some] += differences.sum(axis=1)
            squares[some] += (differences**2).sum(axis=1)
        before, means = stage, totals / stage
        sems = np.sqrt((squares / stage - means**2) / (stage - 1))
        for level in range(max(1, place), len(STAGES)):
            judged = np.flatnonzero(open_[level])
            games[level] += len(judged) * wanted
            said = np.array(
                [
                    verdict(means[one], sems[one], level - place, EARLY_MARGIN)
                    for one in judged.tolist()
                ],
                str,
            )
            made[level] += int((said == "better").sum())
            open_[level][judged[said != "open"]] = False
    return [(made[level] / count, games[level] / count) for level in levels]


def simulated() -> list[list[object]]:
    """The rows of the file, without the heads of the columns."""
    return [
        [gain, spread, stage, round(share, 4), round(games)]
        for spread in SPREADS
        for gain in GAINS
        for stage, (share, games) in zip(STAGES[1:], tested(gain, spread, COUNT, 1), strict=True)
    ]


def documented() -> dict[tuple[float, float], list[tuple[float, float]]]:
    """By (gain, s.d.) what the file says, as ``tested`` gives it."""
    found: dict[tuple[float, float], list[tuple[float, float]]] = {}
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = float(row["gain"]), float(row["sd"])
            found.setdefault(key, []).append((float(row["accepted"]), float(row["games"])))
    return found


if __name__ == "__main__":
    with DATA.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *simulated()])
