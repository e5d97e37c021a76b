"""Tables of the guides and explanations, made of the committed data in docs/data.

A page has ``<!-- table: NAME -->`` where a table of TABLES belongs; the site fills it in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from docs.generate.adaptation_results import adaptation, choices, searches
from docs.generate.book_results import book_calibration, books, books_named
from docs.generate.literature_tables import ALONE, FIRST, THOROUGH
from docs.generate.map_results import maps
from docs.generate.markdown import grid, with_error
from docs.generate.results_tables import by_players, number, worths
from docs.generate.simplified_tables import simplified, simplified_steps
from hanabi.evolve.ga.preset_files import PRESETS, description
from hanabi.files import read_toml
from hanabi.observations.encoding import parts_of
from hanabi.rules.agents import POOLS, read_pool, read_scores
from hanabi.variant import read_variant

COUNTS = (2, 3, 4, 5)
MS = "ms of one core/searched move"


def _bench(folder: Path, *files: str) -> list[dict[str, Any]]:
    """Return the rows of some files of ``hanabi bench --json``."""
    return [
        row
        for file in files
        for row in json.loads((folder / file).read_text(encoding="utf-8"))["results"]
    ]


def _value(rows: list[dict[str, Any]], name: str, players: object, unit: str) -> float | None:
    for row in rows:
        if (row["name"], row["players"], row["unit"]) == (name, players, unit):
            return float(row["value"])
    return None


def _plus_minus(rows: list[dict[str, Any]], name: str, players: object, unit: str) -> str:
    value, error, games = (_value(rows, name, players, of) for of in (unit, f"± {unit}", "games"))
    if value is None or error is None or games is None:
        return ""
    sign = "+" if unit == "points gained" else ""
    return with_error(round(value, 2) + 0.0, error, games, f"{sign}.2f")  # no -0.00


def lookahead_gain(folder: Path) -> str:
    """Return the scores of a list and of the same list with look-ahead, from a tournament."""
    return _with_and_without(folder, ("lookahead.csv",), "convention")


def lookahead_code(folder: Path) -> str:
    """Return the same of a list with a code."""
    return _with_and_without(folder, ("lookahead-code-3.csv", "lookahead-codes.csv"), "code")


def lookahead_pairs(folder: Path) -> str:
    """Return the same of a list with pairs."""
    files = ("lookahead-pairs.csv", "lookahead-lead.csv", "lookahead-one.csv")
    return _with_and_without(folder, files, "pairs", THOROUGH, FIRST, ALONE)


def _short(spec: str) -> str:
    """Return a spec; of three or more settings the first, so that a table has room for numbers."""
    first, *rest = spec.split(",")
    return spec if len(rest) < 3 else f"{first},{rest[0]},…"


def _with_and_without(folder: Path, files: Sequence[str], listed: str, *others: str) -> str:
    """Return the scores of a list and of look-ahead over it, with the time of a searched move.

    An agent that was not measured at all numbers of players has no mean.
    """
    rows = pd.concat([pd.read_csv(folder / file) for file in files])
    counts = sorted(set(rows["players"]))
    times = {
        (row["name"], row["players"]): row["value"]
        for row in _bench(folder, "lookahead-times.json")
    }
    lines = []
    for agent in (listed, f"search:{listed}", *others):
        mine = rows[rows["agent"] == agent].set_index("players")
        points, errors, games = mine["mean_kept"], mine["sem_kept"], mine["games"]
        cells = [with_error(points[n], errors[n], games[n]) if n in points else "" for n in counts]
        error = (errors**2).sum() ** 0.5 / len(errors)
        mean = with_error(points.mean(), error, games.sum())
        is_whole = len(points) == len(counts)
        perfect = mine["perfect_games"].sum() / mine["games"].sum()
        lines.append([f"`{_short(agent)}`", *cells, mean if is_whole else "", f"{perfect:.0%}"])
        if agent != listed:
            costs = [times.get((f"search-move {agent}", n), np.nan) for n in counts]
            if np.isnan(costs).all():
                continue
            costs.append(np.mean(costs))
            cells = ["" if np.isnan(cost) else f"{cost:.0f} ms" for cost in costs]
            lines.append(["of one core, per searched move", *cells, ""])
    return grid(["agent", *by_players(counts), "mean", "perfect"], lines)


def lookahead_rollouts(folder: Path) -> str:
    """Return scores, gain and time of look-ahead by the number of rollouts."""
    rows = _bench(folder, "lookahead.json")
    names = dict.fromkeys(row["name"] for row in rows if row["name"].startswith("search-curve "))
    lines = []
    for name in names:
        scores = [_value(rows, name, n, "points, kept") for n in COUNTS]
        gain = _plus_minus(rows, name, "2-5", "points gained")
        ms = _value(rows, name, "2-5", MS)
        rollouts = name.split()[1]
        lines.append(
            [
                f"{int(rollouts):,}",
                *("" if score is None else f"{score:.2f}" for score in scores),
                _plus_minus(rows, name, "2-5", "points, kept"),
                "" if rollouts == "0" else gain,
                "" if ms is None else f"{ms:.1f}",
            ]
        )
    columns = ["rollouts", *by_players(COUNTS), "mean", "gain", "ms per searched move"]
    return grid(columns, lines, 0)


def lookahead_parts(folder: Path) -> str:
    """Return the gain of look-ahead in one seat, and with the last cards alone."""
    rows = _bench(folder, "lookahead.json", "lookahead-late.json")
    lines = []
    for name, what in (
        ("search-one", "one seat (`rollouts=4000,z=2`), the others follow the list"),
        ("search-late", "all seats, with at most five cards in the deck (`late=5`)"),
    ):
        gains = [_plus_minus(rows, name, n, "points gained") for n in (*COUNTS, "2-5")]
        lines.append([what, *gains])
    return grid(["look-ahead", *by_players(COUNTS), "mean"], lines)


def lookahead_choice(folder: Path) -> str:
    """Return what settings of one searching seat gain, as it claims and in other worlds."""
    rows = _bench(folder, "lookahead-choice.json")
    lines = []
    for name in dict.fromkeys(row["name"] for row in rows):
        settings = name.split()[1]
        is_default = settings == "default"
        departs = _value(rows, name, 2, "departures/game")
        claimed = _value(rows, name, 2, "points claimed/game")
        less = _plus_minus(rows, name, 2, "points less than by default/game")
        lines.append(
            [
                "by default" if is_default else f"`{settings}`",
                "" if departs is None else f"{departs:.1f}",
                "" if claimed is None else f"{claimed:.2f}",
                _plus_minus(rows, name, 2, "points gained/game"),
                "" if is_default else less,
            ]
        )
    columns = ["settings", "departures", "claimed", "gained", "less than by default"]
    return grid(columns, lines)


def knowledge_speed(folder: Path) -> str:
    """Return what the exact questions of knowledge cost per decision."""
    rows = _bench(folder, "bench.json")
    lines = []
    for name, what in (
        ("kripke-questions", "all that a player knows, and knows that others know"),
        ("kripke-hints", "the same after each legal hint"),
    ):
        values = [_value(rows, name, n, "µs/decision") for n in COUNTS]
        lines.append([what, *("" if one is None else f"{number(one)} µs" for one in values)])
    return grid(["per decision", *by_players(COUNTS)], lines)


def convention_worth(folder: Path) -> str:
    """Return the points that each convention of ``convention`` is worth, without its variants."""
    rows = pd.read_csv(folder / "lab.csv", dtype={"players": str})
    rows = rows[rows["kind"].isin(("convention", "together"))]
    return worths(rows[~rows["what"].str.contains(r"\(\d+\)$")])


def asking_worth(folder: Path) -> str:
    """Return how often each rule of docs/data/asks.toml decides, and the points it is worth."""
    rows = pd.read_csv(folder / "asking.csv")
    lines = []
    for (place, entry), of in rows[rows["kind"] == "rule"].groupby(["place", "entry"], sort=False):
        worth = of.set_index("players")
        name = str(entry).partition("(")[0].rpartition(".")[2]
        cells = [f"{worth['worth_kept'][n]:.2f} ± {worth['sem_kept'][n]:.2f}" for n in COUNTS]
        lines.append([f"{place} `{name}`", f"{of['fires'].mean():.2f}", *cells])
    return grid(["rule", "per game", "lost at 2 players", *map(str, COUNTS[1:])], lines)


def orders(folder: Path) -> str:
    """Return what orders of the rules of 2018 reach, and lists with values and conditions."""
    rows = json.loads((folder / "reference.json").read_text(encoding="utf-8"))
    runs = {(row["run"], row["row"]): row for row in rows}

    def ours(run: str) -> str:
        row = runs[run, "ours"]
        return f"{row['mean']:.3f} ± {row['error']:.3f}"

    lines = [
        [f"`{run}`", f"{row['mean']:.2f}", ours(f"{run}-orders"), ours(run)]
        for (run, what), row in runs.items()
        if what == "published" and (f"{run}-orders", "ours") in runs
    ]
    return grid(["run", "published", "as orders", "with values and conditions"], lines)


def engine_speed(folder: Path) -> str:
    """Return decisions per second of our agents in another engine, and of its random bot."""
    rows = [row for row in _bench(folder, "bridges.json") if row["players"] == "2-5"]
    lines = [
        [engine, bot if bot.startswith("its") else f"`{bot}`", f"{row['value']:,.0f}"]
        for row in rows
        for engine, _, bot in [row["name"].partition(" ")]
    ]
    return grid(["engine", "bot", "decisions per second"], lines, 2)


PARTNERS = {  # the agents of the page for benchmarks, with what they are
    "iggi": "Walton-Rivers et al. 2017",
    "outer": "Osawa 2015, as in the framework of 2017",
    "piers": "Walton-Rivers et al. 2017, extended",
    "van-den-bergh": "van den Bergh et al. 2016",
    "flawed": "Walton-Rivers et al. 2017: plays at random risk",
    "hgroup-5": "conventions of people on hanab.live",
    "pairs": "the strongest list here without a code",
}


def benchmark_partners(_: Path) -> str:
    """Return the scores of agents that benchmarks use as partners, in both scorings."""
    scores = read_scores()
    lines = [
        [
            f"`{name}`",
            what,
            *(f"{kept:.2f} / {zero:.2f}" for kept, _, zero, _ in _cells(scores[name])),
        ]
        for name, what in PARTNERS.items()
    ]
    return grid(["agent", "from", *(f"{count} players" for count in COUNTS)], lines, 2)


def _cells(entry: dict[str, Any]) -> list[list[float]]:
    return [entry[str(count)] for count in COUNTS]


def benchmark_pools(_: Path) -> str:
    """Return the pools with their sizes and player counts."""
    found = [(name, read_pool(name)) for name in POOLS]
    lines = []
    for name, pool in found:
        parts = [sum(member.part == part for member in pool.members) for part in ("train", "test")]
        split = f"{parts[0]} / {parts[1]}" if any(parts) else ""
        players = ", ".join(map(str, pool.players))
        lines.append([f"`{name}`", str(len(pool.members)), split, players, pool.says])
    return grid(["pool", "agents", "train / test", "players", "what"], lines, 4)


def observation_layout(_: Path) -> str:
    """Return the parts of an observation, with their offsets by number of players."""
    variants = [read_variant("standard").at(count) for count in COUNTS]
    rows = zip(*(parts_of(variant) for variant in variants))
    lines = [
        [f"`{parts[0].name}`", *(f"{p.start} + {p.length}" for p in parts), parts[0].meaning]
        for parts in rows
    ]
    return grid(["part", *(f"{count} players" for count in COUNTS), "meaning"], lines, 5)


def environment_speed(folder: Path) -> str:
    """Return the steps per second of batches, beside OpenSpiel's, and the bytes per game."""
    lines = [
        [row["name"], str(row["players"]), f"{row['value']:,.3g}", row["unit"]]
        if row["value"] < 10
        else [row["name"], str(row["players"]), f"{row['value']:,.0f}", row["unit"]]
        for row in _bench(folder, "environment.json")
    ]
    return grid(["what", "players", "value", "unit"], lines, 1)


def training(folder: Path) -> str:
    """Return how a learner's points grew, by steps, for each of its partners."""
    lines = []
    for partners, rows in pd.read_csv(folder / "training.csv").groupby("partners", sort=False):
        chosen = rows.iloc[np.unique(np.linspace(0, len(rows) - 1, 6).astype(int))]
        for row in chosen.itertuples():
            lines.append(
                [f"`{partners}`", f"{row.steps:,}", f"{row.points:.2f}", f"{row.cpu_seconds:,}"]
            )
    return grid(["partners", "steps", "points", "seconds of CPU"], lines, 1)


def training_test(folder: Path) -> str:
    """Return the points of learned players and of lists beside partners of a test part."""
    rows = pd.read_csv(folder / "training-test.csv")
    lines = []
    for agent, of in rows.groupby("agent", sort=False):
        error = float((of["sem_kept"] ** 2).sum() ** 0.5 / len(of))
        lines.append([f"`{agent}`", with_error(of["mean_kept"].mean(), error, of["games"].sum())])
    return grid(["agent", "points with the partners of `map-2p:test`"], lines, 1)


def presets(_: Path) -> str:
    """Return the presets of evolution, each with the first line of its file."""
    rows = [[f"`{name}`", description(name)] for name in PRESETS]
    return grid(["preset", "what it does"], rows, 2)


def error_rates(folder: Path) -> str:
    """Return how often the paired test of a mutation accepts it, and in how many games."""
    rows = pd.read_csv(folder / "error-rates.csv")
    rows = rows[rows["games_at_most"].isin((120, 1_000, 6_000, 40_000, 250_000))]
    lines = []
    for (_sd, _gain), of in rows.groupby(["sd", "gain"], sort=False):
        cells = [f"{row.accepted:.2%} in {row.games:,}" for row in of.itertuples()]
        lines.append([f"{_gain:g}", f"{_sd:g}", *cells])
    limits = [f"up to {most:,} games" for most in rows["games_at_most"].unique()]
    return grid(["true gain", "s.d.", *limits], lines, 0)


def review_check(folder: Path) -> str:
    """Return the checks of reviews against games of known quality."""
    lines = []
    for row in _bench(folder, "review.json"):
        value = number(row["value"])
        if "error" in row:
            value = (
                f"{row['value']:.3f} ± {row['error']:.3f}"  # over moves, of which there are many
            )
        elif row["unit"] == "points":
            value = f"{row['value']:.2f}"
        what = f"{row['what']}, {row['players']} players" if row["players"] else row["what"]
        lines.append([what, f"{value} {row['unit']}", str(row["games"])])
    return grid(["checked", "result", "games"], lines, 2)


def full_searches(folder: Path) -> str:
    """Return the scores of whole runs over 2 to 5 players, seed by seed, and their means."""
    text = (folder / "full-searches.jsonl").read_text(encoding="utf-8")
    lines = []
    runs = [json.loads(line) for line in text.splitlines()]
    for preset, group in groupby(runs, key=lambda run: run["preset"]):
        of = list(group)
        lines += [
            [
                f"`{preset}`",
                f"{run['seed']}",
                *(f"{one:.2f}" for one in run["means"][:-1]),
                f"{run['means'][-1]:.3f} ± {run['sem']:.3f}",
                f"{run['zero']:.3f}" if "zero" in run else "",
                f"{run['games']:,}",
                f"{run['seconds']:.0f}" if run["seconds"] else "",
            ]
            for run in of
        ]
        if len(of) > 1:
            means = np.array([run["means"] for run in of])
            *counts, mean = means.mean(axis=0)
            cells = [f"{mean:.3f}, s.d. {means[:, -1].std(ddof=1):.3f}"]
            for key, form in (("zero", "{:.3f}"), ("games", "{:,.0f}"), ("seconds", "{:.0f}")):
                known = [run[key] for run in of if run.get(key)]
                cells.append(form.format(np.mean(known)) if known else "")
            lines.append([f"`{preset}`", "mean", *(f"{one:.2f}" for one in counts), *cells])
    columns = ["preset", "seed", *by_players(COUNTS), "mean", "zero", "games", "seconds of CPU"]
    return grid(columns, lines)


def grown(folder: Path) -> str:
    """Return the scores of ``grow`` by seed and their means, of longer runs, and in mixed play."""

    def line(what: str, of: pd.DataFrame) -> list[str]:
        seeds = ", ".join(f"{mean:.2f}" for mean in of["mean_kept"])
        return [what, seeds, *(f"{of[name].mean():.2f}" for name in ("mean_kept", "mean_zero"))]

    lines = [
        line(f"{players}{words}", of)
        for file, words in (("grow.csv", ""), ("grow-long.csv", ", 24 million games"))
        for players, of in pd.read_csv(folder / file).groupby("players")
    ]
    mixed = (
        pd.read_csv(folder / "grow-mixed.csv").groupby("agent")[["mean_kept", "mean_zero"]].mean()
    )
    lines.append(line("2 to 5, one list in the 2018 pool, eight times the games", mixed))
    return grid(["players", "points of seeds 1, 2, …", "mean", "mean, zero"], lines, 2)


def front(folder: Path) -> str:
    """Return the best list of each number of sentences of a run of the preset ``front``."""
    lines = []
    for _, row in pd.read_csv(folder / "front.csv").groupby("sentences").tail(1).iterrows():
        points = [f"{row[f'mean_{law}']:.2f} ± {row[f'sem_{law}']:.2f}" for law in ("kept", "zero")]
        rules = "; ".join(f"`{rule}`" for rule in row["rules"].split("; "))
        lines.append([f"{row['sentences']}", f"{row['words']}", *points, rules])
    return grid(["sentences", "words", "points", "points, zero", "rules"], lines, 5)


def grown_over_books(folder: Path) -> str:
    """Return the scores of ``grow-book`` by book, and of rules written by hand as expressions."""
    rows, by_hand = (pd.read_csv(folder / f"grow-{name}.csv") for name in ("book", "by-hand"))
    texts = (folder / "grow-book.txt").read_text().split("== ")[1:]
    counts = {text.split()[0]: text.count('"grown_marks.') for text in texts}
    labels = {
        3: "all rules of `convention` as expressions",
        5: "`pairs` without `save(lax=2)`, one expression added",
    }
    lines = []
    for players, of in rows.groupby("players"):
        own = by_hand[by_hand["players"] == players].iloc[0]
        rules = ", ".join(f"{counts[name]}" for name in of["agent"])
        hand = f"{own['mean_kept']:.2f}"
        lines.append([f"`{own['agent']}`", f"{players}", rules, *_points(of), hand])
        made = read_toml(folder / f"{own['agent']}-grown.toml")["rules"][f"{players}"]
        row = _points(by_hand[by_hand["agent"] == f"{own['agent']}-grown"])
        lines.append([labels[players], f"{players}", f"{len(made)}", *row, hand])
    columns = ["start", "players", "rules", "points ± s.e.", "mean", "mean, zero", "by hand"]
    return grid(columns, lines, 4)


def _points(rows: pd.DataFrame) -> list[str]:
    """Return the points of some runs, then their means by both scorings."""
    points = [f"{mean:.2f} ± {sem:.2f}" for mean, sem in zip(rows["mean_kept"], rows["sem_kept"])]
    means = [f"{rows[column].mean():.2f}" for column in ("mean_kept", "mean_zero")]
    return [", ".join(points), *means]


TABLES: dict[str, Callable[[Path], str]] = {
    "asking worth": asking_worth,
    "convention worth": convention_worth,
    "engine speed": engine_speed,
    "benchmark partners": benchmark_partners,
    "benchmark pools": benchmark_pools,
    "observation layout": observation_layout,
    "environment speed": environment_speed,
    "training": training,
    "training test": training_test,
    "full searches": full_searches,
    "grown": grown,
    "front": front,
    "grown over books": grown_over_books,
    "error rates": error_rates,
    "knowledge speed": knowledge_speed,
    "lookahead gain": lookahead_gain,
    "lookahead code": lookahead_code,
    "lookahead pairs": lookahead_pairs,
    "lookahead parts": lookahead_parts,
    "lookahead choice": lookahead_choice,
    "lookahead rollouts": lookahead_rollouts,
    "maps": maps,
    "adaptation": adaptation,
    "adaptation choice": choices,
    "adaptation search": searches,
    "books": books,
    "book calibration": book_calibration,
    "books named": books_named,
    "orders": orders,
    "review check": review_check,
    "presets": presets,
    "simplified": simplified,
    "simplified steps": simplified_steps,
}
