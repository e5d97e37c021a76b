"""How often the paired test of a change (evolve/ga/local_search.py) is wrong, by simulation:

python tests/support/error_rates.py

writes the table of docs/explanations/search.md anew. A pair of games that differ at all differs by a whole
number of points, drawn from a normal distribution; most pairs are equal, as in games.
"""

import re
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from hanabi.evolve.ga.local_search import STAGES, verdict  # noqa: E402 - a script beside the tests

PAGE = ROOT / "docs/explanations/search.md"
BETWEEN = re.compile(r"(?<=<!-- table: error rates -->\n).*?(?=<!-- end -->)", re.S)
SPREADS = {
    1.9: 0.4,
    0.5: 0.1,
}  # s.d. of a pair's difference, points: the share of pairs that differ
GAINS = (-0.1, 0, 0.02, 0.05, 0.1, 0.3)  # true ones, points per game
COUNT = 20_000  # changes in each row
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


def table() -> str:
    """The table of the page."""
    rows = [
        "| true gain | s.d. of a pair |"
        + "".join(f" up to {stage:,} games |" for stage in STAGES[1:]),
        "|--:" * (len(STAGES) + 1) + "|",
    ]
    for spread in SPREADS:
        for gain in GAINS:
            rows.append(
                f"| {gain:g} | {spread} |"
                + "".join(
                    f" {share:.2%} in {games:,.0f} |"
                    for share, games in tested(gain, spread, COUNT, 1)
                )
            )
    return "\n".join(rows) + "\n"


def documented() -> dict[tuple[float, float], list[tuple[float, float]]]:
    """By (gain, s.d.) what the page says, as ``tested`` gives it."""
    found = BETWEEN.search(PAGE.read_text(encoding="utf-8"))
    rows = (
        [[cell.strip() for cell in row.strip("|").split("|")] for row in found[0].splitlines()[2:]]
        if found
        else []
    )
    return {
        (float(gain), float(spread)): [
            (float(share.rstrip("%")) / 100, float(games.replace(",", "")))
            for share, _, games in (cell.split() for cell in cells)
        ]
        for gain, spread, *cells in rows
    }


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BETWEEN.sub(lambda _: table(), page), encoding="utf-8")
