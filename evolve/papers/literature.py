"""Scores of other programs, from literature.toml, and this project's agents beside them.

``literature_chart`` draws them; the table is on the page of results.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hanabi.evolve.measure.tournament import summarise
from hanabi.evolve.papers.report_tables import grid

FILE = Path(__file__).with_suffix(".toml")
COUNTS = (2, 3, 4, 5)
CLASSES = {
    "none": "No convention",
    "human": "Human-like convention",
    "code": "Code",
    "learned": "Learned",
}
LAWS = {
    "kept": "kept",
    "zero": "zero",
    "same": "kept = zero",
    "unknown": "not stated",
}
LAW_SENTENCE = (
    "Kept: points stay when the last life is lost; zero: such a game counts 0; three lives unless"
    " said otherwise."
)
THOROUGH = "search:pairs,rollouts=4000,gain=0.15,particles=128"  # as usual with two players
ALONE = "search:pairs,seats=one"  # one of two players; the other follows the list
SHOWN = {THOROUGH: "search:pairs, thorough", ALONE: "search:pairs, one seat"}
OURS = {  # agents of OUR_FILES: (class, description)
    "epistemic": ("none", "exact knowledge, evolved"),
    "convention-simple": ("human", "the first list by hand"),
    "hgroup-1": ("human", "H-Group, level 1"),
    "hgroup-5": ("human", "H-Group, most of level 5"),
    "sieve": ("human", "Referential Sieve, by hand"),
    "reactor": ("human", "pairs of Reactor, by hand"),
    "convention-2026": ("human", "tuned by hand"),
    "from-nothing": ("human", "evolved from random lists"),
    "convention": ("human", "evolved"),
    "pairs": ("human", "evolved, with pairs"),
    "search:convention": ("human", "convention with look-ahead"),
    "search:pairs": ("human", "pairs with look-ahead"),
    THOROUGH: ("human", "pairs with look-ahead, as much as with 2 players"),
    ALONE: ("human", "pairs, look-ahead of one player, the other follows the list"),
    "code-information": ("code", "the recipe of hanabi.rs"),
    "code": ("code", "evolved from the recipe for 3 to 5 players"),
}
OUR_FILES = (
    "tournament.csv",
    "lookahead.csv",
    "codes.csv",
    "hgroup.csv",
    "pairs.csv",
    "lookahead-pairs.csv",
    "lookahead-one.csv",
)  # of docs/data
RUNS = {  # runs of reference.json: (class, what they are)
    "mirror-cig2018-situational": ("none", "the rules of 2018, evolved here"),
}


class Program(NamedTuple):
    """A program and its scores in mirror play, standard game.

    Attributes:
        name: Its name.
        kind: A key of CLASSES.
        scores: Mean points by number of players.
        errors: Standard errors by number of players, where known.
        mean: Mean over 2 to 5 players; None where some of these were not played.
        mean_error: Standard error of the mean, where known.
        lives: Misplays that end the game.
        law: A key of LAWS.
        games: Games per number of players; None where unknown.
        source: Where the numbers are from.
        note: What else the source says.
        ours: Whether it is an agent of this project.
        searches: Whether it looks ahead at each move.
        zeros: Of ours, mean points by number of players where a lost game counts 0.
    """

    name: str
    kind: str
    scores: Mapping[int, float]
    errors: Mapping[int, float]
    mean: float | None
    mean_error: float | None
    lives: int
    law: str
    games: int | None
    source: str
    note: str = ""
    ours: bool = False
    searches: bool = False
    zeros: Mapping[int, float] = MappingProxyType({})


def _program(entry: dict[str, Any]) -> Program:
    scores, errors = (
        {int(players): float(value) for players, value in entry.get(key, {}).items()}
        for key in ("scores", "errors")
    )
    mean = entry.get("mean")
    if tuple(scores) == COUNTS:
        mean = fmean(scores.values())
    return Program(
        entry["name"],
        entry["class"],
        scores,
        errors,
        mean,
        entry.get("mean_error", _mean_error(errors)),
        entry["lives"],
        entry["law"],
        entry.get("games"),
        entry["source"],
        entry.get("note", ""),
        searches=entry.get("searches", False),
    )


def _mean_error(errors: Mapping[int, float]) -> float | None:
    """Return the standard error of the mean over 2 to 5 players, None if one is unknown."""
    if tuple(errors) != COUNTS:
        return None
    return sum(error**2 for error in errors.values()) ** 0.5 / len(COUNTS)


def literature() -> dict[str, list[Program]]:
    """Return what is published of other programs, by class (the keys of CLASSES).

    The programs of a class are in order of their mean, or of their best score.

    Returns:
        The programs of each class.
    """
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["program"]
    return _by_class([_program(entry) for entry in entries])


def _by_class(programs: list[Program]) -> dict[str, list[Program]]:
    programs = sorted(programs, key=_points)
    return {kind: [one for one in programs if one.kind == kind] for kind in CLASSES}


def _points(program: Program) -> float:
    return program.mean if program.mean is not None else max(program.scores.values())


def our_programs(folder: Path) -> list[Program]:
    """Return this project's agents, from the committed data in a folder (docs/data)."""
    rows = pd.concat([pd.read_csv(folder / name) for name in OUR_FILES])
    rows = rows.drop_duplicates(["agent", "players"])  # convention is in both
    rows = rows[rows["agent"].isin(OURS)]
    kept, zero = (summarise(rows, scoring) for scoring in ("kept", "zero"))
    games = rows.groupby("agent")["games"].first()
    found = []
    for name, (kind, what) in OURS.items():
        played = [n for n in COUNTS if not np.isnan(kept["mean", n][name])]
        scores, errors = (
            {players: float(kept[key, players][name]) for players in played}
            for key in ("mean", "sem")
        )
        mean, zeroed = (float(table["mean", "mean"][name]) for table in (kept, zero))
        law = "same" if abs(mean - zeroed) < 0.0005 else "kept"
        note = "" if law == "same" else f"mean, zero: {zeroed:.2f}"
        is_whole = tuple(played) == COUNTS
        found.append(
            Program(
                SHOWN.get(name, name),
                kind,
                scores,
                errors,
                mean if is_whole else None,
                float(kept["sem", "mean"][name]) if is_whole else None,
                3,
                law,
                int(games[name]),
                f"this project: {what}",
                note,
                True,
                name.startswith("search:"),
                {players: float(zero["mean", players][name]) for players in played},
            )
        )
    return found + _our_runs(folder)


def _our_runs(folder: Path) -> list[Program]:
    rows = json.loads((folder / "reference.json").read_text(encoding="utf-8"))
    found = []
    for name, (kind, what) in RUNS.items():
        row = next(row for row in rows if row["run"] == name and row["row"] == "ours")
        found.append(
            Program(
                name,
                kind,
                {players: row[str(players)] for players in COUNTS},
                {},
                row["mean"],
                row["error"],
                3,
                "kept",
                int(row["games"]) // len(COUNTS),
                f"this project: {what}",
                f"mean, zero: {row['zero']:.2f}",
                True,
            )
        )
    return found


def beside(program: Program) -> list[dict[str, Any]]:
    """Return the published programs, by class, with a program of this project among them.

    Returns:
        For each class ``kind``, ``title``, ``columns``, ``rows`` of text (the best first) and
        ``ours``, the place of the program in them (-1: it is of another class).
    """
    counts = [count for count in COUNTS if count in program.scores]
    found = []
    for kind, programs in literature().items():
        some = [*programs, program] if kind == program.kind else programs
        some = [one for one in some if one.mean is not None or set(counts) & set(one.scores)]
        some = sorted(some, key=_points, reverse=True)
        rows = [
            [
                one.name,
                *(_cell(one.scores.get(n), one.errors.get(n)) for n in counts),
                _cell(one.mean, one.mean_error),
                f"{LAWS[one.law]}, {one.lives} lives",
                one.source + (f". {one.note}" if one.note else ""),
            ]
            for one in some
        ]
        columns = ["program", *(f"{n} players" for n in counts), "mean of 2 to 5", "law", "source"]
        ours = some.index(program) if program in some else -1
        title = CLASSES[kind]
        found.append(dict(kind=kind, title=title, columns=columns, rows=rows, ours=ours))
    return found


def field(folder: Path) -> dict[str, list[Program]]:
    """Return the programs of the literature and this project's agents, by class."""
    programs = [one for kind in literature().values() for one in kind]
    return _by_class(programs + our_programs(folder))


def table(folder: Path) -> str:
    """Return all programs as Markdown: a table per class, this project's agents in bold."""
    parts = []
    for kind, programs in field(folder).items():
        rows = [
            [
                f"**{one.name}**" if one.ours else one.name,
                *(_cell(one.scores.get(n), one.errors.get(n)) for n in COUNTS),
                _cell(one.mean, one.mean_error),
                f"{LAWS[one.law]}, {one.lives} lives",
                one.source + (f". {one.note}" if one.note else ""),
            ]
            for one in reversed(programs)
        ]
        columns = ["program", "2 players", "3", "4", "5", "mean", "law", "source"]
        parts += [f"**{CLASSES[kind]}**\n", _grid(columns, rows), ""]
    return "\n".join(parts)


def _grid(columns: list[str], rows: list[list[str]]) -> str:
    lines = grid(columns, rows).splitlines()
    lines[1] = "|---|--:|--:|--:|--:|--:|---|---|"
    return "\n".join(lines)


def _cell(value: float | None, error: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" + (f" ± {error:.2f}" if error and error >= 0.005 else "")
