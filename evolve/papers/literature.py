"""Scores of other programs, from literature.toml, and this project's agents beside them.

``literature_chart`` draws them; the table is on the page of results.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from hanabi.evolve.papers.report import LEAST
from hanabi.rules.agents import Agent

FILE = Path(__file__).with_suffix(".toml")
COUNTS = (2, 3, 4, 5)
CLASSES = {
    "none": "No convention",
    "human": "Human-like convention",
    "pair": "Pair code",
    "code": "Code",
    "learned": "Learned",
}
NUMBER_RULES = "cox."  # begins the names of rules whose hints are numbers, without a convention
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
    root_of_squares = sum(error**2 for error in errors.values()) ** 0.5
    return Program(
        entry["name"],
        entry["class"],
        scores,
        errors,
        fmean(scores.values()) if tuple(scores) == COUNTS else entry.get("mean"),
        root_of_squares / len(COUNTS) if tuple(errors) == COUNTS else entry.get("mean_error"),
        entry["lives"],
        entry["law"],
        entry.get("games"),
        entry["source"],
        entry.get("note", ""),
        searches=entry.get("searches", False),
    )


def class_of(agent: Agent) -> str:
    """Return the class of an agent, a key of CLASSES, by its conventions and rules."""
    used = [one for some in agent.conventions.values() for one in some]
    rules = [one.name for some in agent.lists.values() for one in some]
    kinds = {_class_of_convention(one) for one in used}
    if "code" in kinds or any(name.startswith(NUMBER_RULES) for name in rules):
        return "code"
    return "pair" if "pair" in kinds else "human" if used else "none"


def _class_of_convention(one):
    """Return the class of a convention; that of one made of parts follows from its parts."""
    family, parts = one.family, one.settings
    if family.group == "meanings":
        is_pair, is_arithmetic = parts["to"] > 2, parts["number"] < 2
        return "pair" if is_pair else "code" if is_arithmetic else "human"
    if family.group in ("codes", "numbers"):
        return "code"
    return "pair" if family.group == "pairs" else "human"


def literature() -> dict[str, list[Program]]:
    """Return what is published of other programs, by class (the keys of CLASSES).

    The programs of a class are in order of their mean, or of their best score.

    Returns:
        The programs of each class.
    """
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["program"]
    return by_class([_program(entry) for entry in entries])


def by_class(programs: list[Program]) -> dict[str, list[Program]]:
    """Return programs by class, those of a class in order of their mean or best score."""
    programs = sorted(programs, key=_points)
    return {kind: [one for one in programs if one.kind == kind] for kind in CLASSES}


def _points(program: Program) -> float:
    return program.mean if program.mean is not None else max(program.scores.values())


def tables_with(program: Program) -> list[dict[str, Any]]:
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
