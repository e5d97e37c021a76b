"""Scores of other programs, from literature.toml, and this project's agents beside them.

``literature_chart`` draws them; the table is on the page of results.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hanabi.conventions.register import is_of_code
from hanabi.evolve.measure.tournament import summarise
from hanabi.evolve.papers.report_tables import LEAST, grid
from hanabi.rules.agents import Agent, load
from hanabi.rules.agents.named import NAMED

FILE = Path(__file__).with_suffix(".toml")
COUNTS = (2, 3, 4, 5)
CLASSES = {
    "none": "No convention",
    "human": "Human-like convention",
    "pair": "Pair code",
    "code": "Code",
    "learned": "Learned",
}
WITHOUT_CODE = ("none", "human")
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
OURS = {  # agents of OUR_FILES: what they are
    "epistemic": "exact knowledge, by hand",
    "convention-simple": "the first list by hand",
    "hgroup-1": "H-Group, level 1",
    "hgroup-5": "H-Group, most of level 5",
    "sieve": "Referential Sieve, by hand",
    "reactor": "pairs of Reactor, by hand",
    "convention-2026": "tuned by hand",
    "from-nothing": "evolved from random lists",
    "from-both": "evolved from these two",
    "convention": "evolved",
    "pairs": "evolved, with pairs",
    "search:convention": "convention with look-ahead",
    "search:pairs": "pairs with look-ahead",
    THOROUGH: "pairs with look-ahead, as much as with 2 players",
    ALONE: "pairs, look-ahead of one player, the other follows the list",
    "code-information": "the recipe of hanabi.rs",
    "code": "evolved from the recipe for 3 to 5 players",
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
RUNS = Path("runs/reference")  # beside docs
ALSO = {"mirror-cig2018-situational": "the rules of 2018, evolved here"}  # of RUNS, in any case


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
        games: Games per number of players, the fewest; None where unknown.
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

    def points(self, players: int, law: str = "kept") -> float:
        """Return the mean points at a number of players; of ours under a law."""
        return (self.zeros if self.ours and law == "zero" else self.scores)[players]

    def error(self, players: int) -> float | None:
        """Return the standard error at a number of players, from the mean where it has no other.

        None: it is not known, or of too few games.
        """
        if self.has_few_games:
            return None
        if players in self.errors or self.mean_error is None:
            return self.errors.get(players)
        return self.mean_error * len(COUNTS) ** 0.5

    @property
    def has_few_games(self) -> bool:
        """Whether a number of players has too few games for a standard error."""
        return self.games is not None and self.games < LEAST

    def cells(self, counts: Sequence[int]) -> list[str]:
        """Return the cells of a table: points at numbers of players, mean, law, source."""
        numbers = [(self.scores.get(n), self.errors.get(n)) for n in counts]
        return [
            *(self._cell(*number) for number in (*numbers, (self.mean, self.mean_error))),
            f"{LAWS[self.law]}, {self.lives} lives",
            self.source + (f". {self.note}" if self.note else ""),
        ]

    def _cell(self, value: float | None, error: float | None) -> str:
        if value is None:
            return ""
        is_shown = error and error >= 0.005 and not self.has_few_games
        return f"{value:.2f}" + (f" ± {error:.2f}" if is_shown else "")


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


def class_of(agent: Agent) -> str:
    """Return the class of an agent, a key of CLASSES, by the conventions that its lists use."""
    used = [one.family for some in agent.conventions.values() for one in some]
    if any(map(is_of_code, used)):
        return "code"
    if any(family.group == "pairs" for family in used):
        return "pair"
    return "human" if used else "none"


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
    """Return this project's agents, and the kept runs that are the best of their class.

    Args:
        folder: The folder of the data, docs/data.
    """
    agents = _our_agents(folder)
    runs = kept_runs(folder)
    lists = [one for one in (*agents, *runs) if not one.searches]
    best = {
        program.name
        for kind in CLASSES
        for players in COUNTS
        if (program := best_at(players, [one for one in lists if one.kind == kind]))
    }
    return agents + [run for run in runs if run.name in best | ALSO.keys()]


def best_at(players: int, programs: Iterable[Program], law: str = "kept") -> Program | None:
    """Return the program with the most points at a number of players, under a law."""
    some = [one for one in programs if players in one.scores]
    return max(some, key=lambda one: one.points(players, law), default=None)


def _our_agents(folder: Path) -> list[Program]:
    rows = pd.concat([pd.read_csv(folder / name) for name in OUR_FILES])
    rows = rows.drop_duplicates(["agent", "players"])  # convention is in both
    rows = rows[rows["agent"].isin(OURS)]
    games = rows.groupby("agent")["games"].first()
    tables = [summarise(rows, scoring) for scoring in ("kept", "zero")]
    found = []
    for name, what in OURS.items():
        kept, zero = (dict(table.loc[name].items()) for table in tables)
        shown = SHOWN.get(name, name)
        found.append(_ours(shown, load(name), what, kept, zero, int(games[name])))
    return found


def kept_runs(folder: Path) -> list[Program]:
    """Return the best agent of each kept run of mirror play, without those that have a name.

    Args:
        folder: The folder of the data, docs/data.
    """
    found, named = [], {load(name).hash for name in NAMED}
    for place in sorted((folder.parents[1] / RUNS).iterdir()):
        result = json.loads((place / "result.json").read_text(encoding="utf-8"))["results"]
        if {(row["variant"], row["mode"]) for row in result} == {("standard", "mirror")}:
            keys = [int(row["players"]) if len(row["players"]) == 1 else "mean" for row in result]
            kept, zero = (
                {
                    (what, key): row[f"{what}_{law}"]
                    for key, row in zip(keys, result, strict=True)
                    for what in ("mean", "sem")
                }
                for law in ("kept", "zero")
            )
            agent = load(str(place / "best.toml"))
            if agent.hash in named:
                continue
            what = ALSO.get(place.name, "a kept run")
            found.append(_ours(place.name, agent, what, kept, zero, result[0]["games"]))
    return found


Points = Mapping[Any, float]  # by ("mean" or "sem", players or "mean")


def _ours(name: str, agent: Agent, what: str, kept: Points, zero: Points, games: int) -> Program:
    """Return a program of ours from its points under both laws."""
    played = [n for n in COUNTS if not np.isnan(kept["mean", n])]
    scores, errors = ({n: float(kept[key, n]) for n in played} for key in ("mean", "sem"))
    is_whole = tuple(played) == COUNTS
    mean, zeroed = float(kept["mean", "mean"]), float(zero["mean", "mean"])
    law = "same" if abs(mean - zeroed) < 0.0005 else "kept"
    return Program(
        name,
        class_of(agent),
        scores,
        errors,
        mean if is_whole else None,
        float(kept["sem", "mean"]) if is_whole else None,
        3,
        law,
        games,
        f"this project: {what}",
        "" if law == "same" else f"mean, zero: {zeroed:.2f}",
        True,
        name.startswith("search:"),
        {n: float(zero["mean", n]) for n in played},
    )


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
        rows = [[one.name, *one.cells(counts)] for one in some]
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
            [f"**{one.name}**" if one.ours else one.name, *one.cells(COUNTS)]
            for one in reversed(programs)
        ]
        columns = ["program", "2 players", "3", "4", "5", "mean", "law", "source"]
        parts += [f"**{CLASSES[kind]}**\n", _grid(columns, rows), ""]
    return "\n".join(parts)


def _grid(columns: list[str], rows: list[list[str]]) -> str:
    lines = grid(columns, rows).splitlines()
    lines[1] = "|---|--:|--:|--:|--:|--:|---|---|"
    return "\n".join(lines)
