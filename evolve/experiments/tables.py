"""The tables of an experiment: our results beside the published ones."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from hanabi.evolve.experiments.between_seeds import rows_between
from hanabi.evolve.experiments.plan import Plan
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import read, result
from hanabi.evolve.measure.seed_means import of_pairs, of_seeds
from hanabi.evolve.papers.cig2018 import GAMES, PLAYERS, measure
from hanabi.notation import counted

COLUMNS = [
    "table",
    "run",
    "name",
    "row",
    "seeds",
    "seed",
    "version",
    "games",
    "mean",
    "error",
    "sees",
    "median",
    "lost",
    "without",
    "without_error",
    *map(str, PLAYERS),
    "zero",
    "against",
    "shares",
]
BY_COUNT = [str(players) for players in PLAYERS]


def rows_of(
    plan: Plan, runs: Mapping[str, Sequence[Run]], games: int | None = None, jobs: int = -1
) -> pd.DataFrame:
    """Return a row per number of each run of an experiment.

    The rows of a run are: what was ``published``; what the published list scores here
    (``reproduced``); what is ``to reach``; what we reach on average over the seeds (``ours``) and
    with the best of them (``best``); each of them (``seed``); how much more that is, seed by seed,
    than what the run reaches that it is compared with (``gain``); and, if the experiment asks for
    it, play between the seeds (between_seeds.py).

    Args:
        plan: The experiment.
        runs: The finished runs of each entry.
        games: Games per player count of the published lists.
        jobs: How many tasks run at once.

    Returns:
        ``error`` is, of one agent, the standard error of its mean; of ours over several seeds,
        their standard deviation; of a gain, half its 95 % interval, corrected for the number of
        gains over the same run where the plan is ``simultaneous``. ``sees`` is the gain that so
        many seeds would find with 80 % power. Over several seeds ``median`` is theirs, ``lost`` the
        number of lost starts, runs that end more than LOST points below the best of their entry (of
        a gain: of either entry), ``without`` and ``without_error`` the mean and its error without
        them. ``games`` were played by one agent; ``zero`` is the
        mean with zero scoring; ``against`` is the other run of a gain; ``seed`` and ``version``
        are those of one run, the version with a hash of the sources. All else is kept points.

        Columns: ``table``, ``run``, ``name``, ``row``, ``seeds``, ``seed``, ``version``,
        ``games``, ``mean``, ``error``, ``sees``, ``median``, ``lost``, ``without``,
        ``without_error``, ``2``, ``3``, ``4``, ``5``, ``zero``, ``against``, ``shares``.
    """
    rows: list[dict] = []
    with_agent = [entry for entry in plan.entries if entry.agent]
    wanted = [(entry.agent, next(iter(entry.config.game.pool), None)) for entry in with_agent]
    keys = [entry.key for entry in with_agent]
    arms = Counter(entry.against for entry in plan.entries if plan.simultaneous)
    scores = dict(zip(keys, measure(wanted, games or GAMES, jobs)))
    for entry in plan.entries:
        base = dict(table=entry.table, run=entry.key, name=entry.name, shares=entry.shares)
        if entry.published:
            rows.append(base | dict(row="published") | entry.published)
        if entry.key in scores:
            score = scores[entry.key]
            rows.append(
                base
                | dict(
                    row="reproduced",
                    games=score.games * len(PLAYERS),
                    mean=score.mean,
                    error=score.sem,
                )
                | dict(zip(BY_COUNT, score.means))
            )
        if entry.reach:
            rows.append(base | dict(row="to reach") | entry.reach)
        rows += [base | row for row in _ours(runs.get(entry.key, ()))]
        if entry.against:
            rows += [
                base | row | dict(against=entry.against)
                for row in _gain(
                    runs.get(entry.key, ()), runs.get(entry.against, ()), arms[entry.against] or 1
                )
            ]
        if plan.between and len(done := runs.get(entry.key, ())) > 1:
            between = rows_between([run.agent for run in done], games or plan.between, jobs)
            rows += [base | row for row in between]
    for one in plan.references:
        base = dict(table=plan.entries[0].table, run=one.key, name=one.name, shares=one.shares)
        rows += [base | row for row in one.rows(games or plan.between, jobs)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _ours(runs: Sequence[Run]) -> list[dict]:
    """Return the rows of our runs of an entry: their mean, the best one of several, each one."""
    found = []
    for run in runs:
        *each, total = result(run.folder)["results"]
        record = read(run.folder)[1]
        found.append(
            dict(
                row="best",
                seeds=1,
                seed=run.config.search.seed,
                version=f"{record['versions']['hanabi']} {record['engine']}",
                games=total["games"],
                mean=total["mean_kept"],
                error=total["sem_kept"],
                zero=total["mean_zero"],
            )
            | {row["players"]: row["mean_kept"] for row in each or [total]}
        )
    seeds = [one | dict(row="seed") for one in found]
    if len(found) < 2:
        return [one | dict(row="ours") for one in found] + seeds
    numbers = pd.DataFrame(found)
    means = {
        key: float(numbers[key].mean()) for key in ("mean", "zero", *BY_COUNT) if key in numbers
    }
    return [
        means
        | dict(
            row="ours",
            seeds=len(found),
            games=found[0]["games"],
        )
        | of_seeds([one["mean"] for one in found]),
        max(found, key=lambda one: one["mean"]),
        *seeds,
    ]


def _gain(ours: Sequence[Run], theirs: Sequence[Run], arms: int) -> list[dict]:
    """Return the row of the mean difference of runs with the same seeds, from two pairs on."""
    before = {run.config.search.seed: run for run in theirs}
    pairs = [
        (_mean(run), _mean(before[run.config.search.seed]))
        for run in ours
        if run.config.search.seed in before
    ]
    if len(pairs) < 2:
        return []
    means = [*zip(*pairs, strict=True)]
    return [dict(row="gain", seeds=len(pairs)) | of_pairs(means[0], means[1], arms)]


def _mean(run):
    return result(run.folder)["results"][-1]["mean_kept"]


def lines_of(rows: pd.DataFrame) -> dict[str, list[list[str]]]:
    """Return the rows as text, by table.

    A line is: name (once), what the row is, mean with its error, the mean at each player count.
    Below a row of several seeds are their median and, if a start was lost, the mean without it. The
    rows of single seeds have no line.
    """
    found: dict[str, list[list[str]]] = {}
    last, blank = "", [""] * len(BY_COUNT)
    for row in rows[rows["row"] != "seed"].to_dict("records"):
        lines = found.setdefault(row["table"], [])
        is_gain, several = row["row"] == "gain", row["row"] == "ours" and row["seeds"] > 1
        says = "best of them" if row["row"] == "best" else row["row"]
        if several:
            says = f"ours, {row['seeds']:.0f} seeds"
        form, places = ("+.3f", 3) if is_gain else (".2f", 2 if several else 3)
        mean = _plus_minus(row["mean"], row["error"], form, places)
        if is_gain:
            lines.append(["", "gain", mean, f"(sees {row['sees']:.3f})", *blank[1:]])
        else:
            name = row["name"] if row["run"] != last else ""
            counts = ("" if np.isnan(row[count]) else f"{row[count]:.2f}" for count in BY_COUNT)
            lines.append([name, says, mean, *counts])
            last = row["run"]
        if is_gain or several:
            lines.append(["", "median", f"{row['median']:{form}}", *blank])
        if (is_gain or several) and row["lost"]:
            without = f"without {counted(int(row['lost']), 'lost start')}"
            mean = _plus_minus(row["without"], row["without_error"], form, places)
            lines.append(["", without, mean, *blank])
    return found


def _plus_minus(mean: float, error: float, form: str, places: int) -> str:
    return f"{mean:{form}}" + ("" if np.isnan(error) else f" ± {error:.{places}f}")
