"""The tables of docs/results and README, made of committed data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import pandas as pd

from docs.generate.markdown import grid, with_error
from hanabi.evolve.measure.ablation import by_worth
from hanabi.evolve.measure.cross_play import matrix, ordered, strangers
from hanabi.evolve.measure.tournament import summarise
from hanabi.notation import counted

UNITS = {
    "games/s/core": "games/s per core",
    "µs/decision": "µs per decision",
    "s, all cores together": "s of CPU",
}
FOUND = {"paired": "pairs"}  # the changes that gain points, in words, by run of memetic.toml
SPEEDS = {  # benchmark: (what it is, the units shown)
    "piers-mirror": ("Piers' list with copies of itself", ("games/s/core",)),
    "random-order": ("all 72 rules of 2018 in random order", ("games/s/core",)),
    "situational-mirror": ("MirrorSituational, the best evolved agent of 2018", ("games/s/core",)),
    "epistemic-mirror": ("every move from exact knowledge", ("games/s/core",)),
    "convention-mirror": (
        "marks kept, every hint judged",
        ("games/s/core", "times slower than piers-mirror"),
    ),
    "kripke-questions": (
        "all that a player knows, and knows that others know; 2, 3, 4, 5 players",
        ("µs/decision",),
    ),
    "kripke-hints": ("the same after each legal hint", ("µs/decision",)),
    "table-iii": ("Table III of 2018 at 11,200 games per row, all cores", ("s",)),
    "slowest-decision": ("the slowest single decision of five agents", ("ms",)),
    "plain-twin": ("the same code as plain Python", ("times slower",)),
    "all-cores": ("two workers", ("times one worker",)),
    "two-workers": (
        "evolution by conventions on two workers; two tables that share nothing",
        ("times one worker",),
    ),
    "compile-cold": (
        "empty compile cache to the first game with all rules of 2018",
        ("s by the clock", "s, all cores together"),
    ),
    "compile-warm": ("the same, once everything has been compiled", ("s",)),
    "compile-all": (
        "with every rule, convention and question there is",
        ("s by the clock", "s, all cores together"),
    ),
    "help": ("`hanabi --help`; `hanabi rules`", ("s",)),
}


def gains(folder: Path, rule: str) -> str:
    """Return what a rule brings to the lists without it, from its paired comparisons."""
    rows = []
    for law in ("kept", "zero"):
        pairs = pd.read_csv(folder / f"{rule}-{law}.csv", dtype={"players": str})
        for name, some in pairs[pairs["one"] == pairs["other"] + f"-{rule}"].groupby("one"):
            points = (f"+{d:.3f} ± {e:.3f}" for d, e in zip(some["difference"], some["sem"]))
            rows.append([f"`{name}`", law, *points])
    return grid(["agent", "scoring", *some["players"]], rows)


def by_players(counts: Sequence[object]) -> list[str]:
    """Return the headings of columns by player count."""
    return [f"{count} players" if place == 0 else f"{count}" for place, count in enumerate(counts)]


def scores(rows: pd.DataFrame) -> str:
    """Return a tournament as a table: kept points, means by both scorings, perfect games."""
    kept, zero = (summarise(rows, scoring).to_dict() for scoring in ("kept", "zero"))
    whole = rows.groupby("agent", sort=False)[["perfect_games", "games"]].sum()
    perfect = (whole["perfect_games"] / whole["games"]).to_dict()
    counts = rows["players"].unique().tolist()
    games = rows.groupby(["agent", "players"])["games"].sum().to_dict()
    games |= {(agent, "mean"): number for agent, number in whole["games"].items()}

    def cell(table: dict[Any, Any], agent: Any, column: Any, places: int) -> str:
        mean, sem = table["mean", column][agent], table["sem", column][agent]
        return with_error(mean, sem, games[agent, column], f".{places}f")

    return grid(
        ["agent", *by_players(counts), "mean, kept", "mean, zero", "perfect"],
        [
            [
                f"{agent}",
                *(cell(kept, agent, count, 2) for count in counts),
                cell(kept, agent, "mean", 3),
                cell(zero, agent, "mean", 3),
                f"{share:.1%}",
            ]
            for agent, share in perfect.items()
        ],
    )


def company(rows: pd.DataFrame) -> str:
    """Return a cross tournament as a table: mirror play, mean as guest and host, best, worst."""
    found = strangers(rows).loc[ordered(matrix(rows)[0])]
    is_mirror = rows["agent"] == rows["partner"]
    mirror, guest = (
        rows[of].groupby("agent")["games"].sum().to_dict() for of in (is_mirror, ~is_mirror)
    )
    return grid(
        ["agent", "mirror", "guest", "loses", "host", "best among", "worst among"],
        [
            [
                f"{agent}",
                with_error(of["mirror"], of["mirror_sem"], mirror[agent]),
                with_error(of["guest"], of["guest_sem"], guest[agent]),
                f"{of['loses']:+.2f}",
                f"{of['host']:.2f}",
                f"{of['best']} ({of['best_points']:.1f})",
                f"{of['worst']} ({of['worst_points']:.1f})",
            ]
            for agent, of in found.iterrows()
        ],
    )


def worths(rows: pd.DataFrame) -> str:
    """Return a lab as a table: the worth of each part that the agent uses, most first."""
    rows = rows[
        rows["kind"].isin(("rule", "convention", "together")) & (rows["switched"] == "off")
    ].astype({"players": str})
    counts = sorted(count for count in rows["players"].unique() if len(count) == 1)

    def cell(row: dict[str, Any] | None) -> str:
        return f"{row['worth_kept']:.2f} ± {row['sem_kept']:.2f}" if row else ""

    return grid(
        ["part", *by_players(counts)],
        [
            [head["what"], *(cell(by_count.get(count)) for count in counts)]
            for head, by_count in by_worth(rows)
        ],
    )


def _by_run(rows):
    """Return the rows of ``hanabi experiment --json`` by run, and by the kind of row."""
    runs: dict[str, dict[str, dict[str, Any]]] = {row["run"]: {} for row in rows}
    for row in rows:
        runs[row["run"]][row["row"]] = row
    return runs


def reached(rows: list[dict[str, Any]]) -> str:
    """Return an experiment as a table: mean points published, to reach, and reached.

    Args:
        rows: Entries of ``hanabi experiment --json``.
    """

    def points(row: dict[str, Any] | None, key: str = "mean", places: int = 2) -> str:
        return "" if not row or row[key] is None else f"{row[key]:.{places}f}"

    counts = (2, 3, 4, 5)
    lines = []
    for run, of in _by_run(rows).items():
        ours = of.get("ours")
        mean = f"{ours['mean']:.3f} ± {ours['error']:.3f}" if ours else "not made yet"
        lines.append(
            [
                f"`{run}`",
                points(of.get("published")),
                points(of.get("to reach")),
                mean,
                *(points(ours, str(count)) for count in counts),
                points(ours, "zero", 3),
                f"{ours['games']:,.0f}" if ours else "",
            ]
        )
    columns = ["run", "published", "to reach", "reached", *by_players(counts)]
    return grid([*columns, "mean, zero", "games"], lines)


def searched(rows: list[dict[str, Any]]) -> str:
    """Return an experiment with searches as a table: scores, and gains over another search.

    Median, lost starts and the means without them are shown where the data has each seed.
    """
    runs = _by_run(rows)
    has_seeds = any(row["row"] == "seed" for row in rows)
    lines = []
    for run in runs.values():
        if "ours" not in run:
            continue
        ours, gain = run["ours"], run.get("gain")
        cells = [ours["name"], f"{ours['seeds']:.0f}", _plus_minus(ours)]
        if has_seeds:
            cells += [f"{ours['median']:.3f}", *_without(ours)]
        if gain:
            cells += [runs[gain["against"]]["ours"]["name"], _plus_minus(gain, sign="+")]
            if not gain["mean"] and not gain["error"]:
                cells[-1] = "it never acts: the same runs"
            if has_seeds:
                cells += [f"{gain['median']:+.3f}", _without(gain, "+")[1]]
            cells.append(f"{gain['sees']:.3f}" if gain["error"] else "")
        else:
            cells += [""] * (5 if has_seeds else 3)
        lines.append(cells)
    columns = ["search", "seeds", "mean ± s.d."]
    columns += ["median", "lost", "without them"] if has_seeds else []
    columns += [
        "against",
        "gain ± 95 %",
        *(["median", "without them"] if has_seeds else []),
        "sees",
    ]
    return grid(columns, lines)


def _plus_minus(
    row: dict[str, Any], key: str = "mean", error: str = "error", sign: str = ""
) -> str:
    return f"{row[key]:{sign}.3f} ± {row[error]:.3f}"


def _without(row: dict[str, Any], sign: str = "") -> list[str]:
    """Return the number of lost starts and the mean without them; nothing where none is lost."""
    if not row["lost"]:
        return ["", ""]
    return [f"{row['lost']:.0f}", _plus_minus(row, "without", "without_error", sign)]


def discarded(losses: pd.DataFrame) -> str:
    """Return by run the points lost with useful cards that were discarded, one player count."""
    causes = ["untouched", "untouched, no token", "five", "five, no token", "touched"]
    points = losses[losses["cause"].isin(causes)].groupby("run", sort=False)["points"].sum()
    return ", ".join(f"`{run}` {lost:.2f}" for run, lost in points.items())


def seeds_again(row: dict[str, Any]) -> str:
    """Return the mean, deviation and lost starts of the seeds of a row."""
    return f"{_plus_minus(row)}, {counted(int(row['lost']), 'lost start')}"


def findings(folder: Path) -> str:
    """Return what the experiments with the default search found, in one sentence.

    Args:
        folder: The folder of the data, docs/data.
    """
    rows = [
        row
        for name in ("memetic", "memetic-long", "memetic-3m")
        for row in json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        if row["row"] == "gain"
    ]
    gains = {row["run"]: row for row in rows[::-1]}  # those of memetic.json
    better = [key for key, gain in gains.items() if gain["mean"] > gain["error"]]
    words = " and ".join(f"{FOUND[key]} ({_plus_minus(gains[key], sign='+')})" for key in better)
    one = gains["one"]
    is_behind = any(row["run"] in ("one", "climb") and _is_loss(row) for row in rows)
    return (
        f"Experiments with {one['seeds']:.0f} seeds: only {words} gain points over it; one"
        f" individual alone gains {_plus_minus(one, 'without', 'without_error', '+')} without its"
        f" {counted(int(one['lost']), 'lost start')}, so crossover is"
        f" {'' if is_behind else 'not '}shown to pay."
    )


def _is_loss(gain: dict[str, Any]) -> bool:
    """Return whether a search is behind by more than its interval, all starts or the kept ones."""
    return gain["mean"] < -gain["error"] or gain["without"] < -gain["without_error"]


def number(value: float) -> str:
    """Return a measured value with three significant digits, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def speeds(results: list[dict[str, Any]], others: dict[str, str]) -> str:
    """Return the entries of ``hanabi bench --json`` as a table, beside other programs."""
    rows = []
    for name, (what, units) in SPEEDS.items():
        cells = []
        for unit in units:
            values = _values(results, name, unit)
            if values:
                cells.append(f"{' / '.join(map(number, values))} {UNITS.get(unit, unit)}")
        rows.append([f"`{name}`", what, "; ".join(cells), others.get(name, "")])
    return grid(["benchmark", "what", "here", "for comparison"], rows, 2)


def page_costs(results: list[dict[str, Any]]) -> str:
    """Return what pages cost, after the mean of a benchmark that tells the machine's speed."""
    values = {
        entry.get("what", f"`{entry['name']}`"): entry
        for entry in results
        if ("what" in entry or entry["players"] == "2-5") and not entry["unit"].endswith("CPU")
    }
    cpu = {row["what"]: number(row["value"]) for row in results if row["unit"].endswith("CPU")}
    rows = [
        [
            what,
            f"{number(entry['value'])} {entry['unit']}",
            cpu.get(what, ""),
            number(entry["at_most"]) if "at_most" in entry else "",
        ]
        for what, entry in values.items()
    ]
    return grid(["page", "here", "CPU of the server", "at most"], rows, 1)


def memory_of_hour(results: list[dict[str, Any]]) -> str:
    """Return the rows of benchmark ``pages-hour`` that tell memory, as a table."""
    rows = [
        [entry["what"], f"{number(entry['value'])} {entry['unit']}"]
        for entry in results
        if entry["unit"] == "MB"
    ]
    return grid(["edits", "memory"], rows, 1)


def _values(results, name, unit):
    """Return the values of a benchmark in a unit that the table shows."""
    entries = []
    for entry in results:
        first_word = entry["name"].partition(" ")[0]
        if entry["unit"] == unit and first_word == ("hanabi" if name == "help" else name):
            entries.append(entry)
    means = [entry for entry in entries if entry["players"] == "2-5"]
    values = [entry["value"] for entry in means or entries]
    if name == "slowest-decision":
        return sorted(values)[-1:]
    return values[-1:] if name == "all-cores" else values  # one worker is 1 by definition


def faster(results: list[dict[str, Any]]) -> str:
    """Return ``bench --against`` as a table: before, now, ratio, equality of the results."""
    lines = []
    for row in results:
        values = [number(row["before"]), number(row["after"]), f"{row['ratio']:.3f}"]
        same = "yes" if row["same_games"] else "no"
        players = str(row["players"] or "")
        lines.append([f"`{row['name']}`", players, row["unit"], *values, same])
    columns = ["benchmark", "players", "unit", "before", "now", "times faster", "same results"]
    return grid(columns, lines)


def speedup_sentence(results: list[dict[str, Any]]) -> str:
    """Return the geometric mean ratios of ``python tests/bench --against`` in a sentence."""
    games = [row for row in results if row["unit"] == "games/s"]
    lists, searches = (
        [row["ratio"] for row in games if (row["name"] == "search-mirror") == is_search]
        for is_search in (False, True)
    )
    return (
        f"Geometric means: {len(lists)} tables of lists {geometric_mean(lists):.3f},"
        f" look-ahead {geometric_mean(searches):.3f}."
    )
