"""The best published score of each class and number of players, beside this project's best."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hanabi.evolve.papers.literature import CLASSES, COUNTS, Program, literature, our_programs
from hanabi.evolve.papers.report_tables import grid

SEARCH = "search"
STAR = "\\*"  # a star that Markdown does not take for emphasis
HEADINGS = CLASSES | {SEARCH: "With search"}
OURS_BESIDE = {"learned": "human"}  # the class of ours where we have none: lists without a code
WHY = {  # why ours is behind, by class
    "none": "our list of exact knowledge was evolved once, for all numbers of players.",
    "human": "the bot of these conventions is slow, so that few games are known.",
    "code": "our list was evolved from the recipe of hanabi.rs in a short run.",
    "learned": "a network may tell more by a hint than the conventions of a list can say.",
    SEARCH: "the published search looks at moves of all partners together and takes seconds.",
}


class Comparison(NamedTuple):
    """The best published program of a class and ours, at one number of players."""

    kind: str
    players: int
    published: Program
    ours: Program

    @property
    def difference(self) -> float:
        """Our points less the published ones, under the law of the published program."""
        return self._our_points - self.published.scores[self.players]

    @property
    def error(self) -> float:
        """The standard error of the difference; of ours alone where no other is published."""
        errors = (_error(one, self.players) for one in (self.published, self.ours))
        return sum((error or 0.0) ** 2 for error in errors) ** 0.5

    @property
    def _our_points(self) -> float:
        points = self.ours.zeros if self.published.law == "zero" else self.ours.scores
        return points[self.players]

    def cell(self) -> str:
        """Return both scores and the difference as text."""
        known = _error(self.published, self.players) is not None
        return (
            f"{self.published.name} {self.published.scores[self.players]:.2f}; "
            f"{self.ours.name} {self._our_points:.2f}: **{self.difference:+.2f}** "
            f"± {_shown(self.error)}{'' if known else STAR}"
        )


def _error(program: Program, players: int) -> float | None:
    """Return the standard error of a score; from that of the mean where no other is known."""
    if players in program.errors or program.mean_error is None:
        return program.errors.get(players)
    return program.mean_error * len(COUNTS) ** 0.5


def _shown(error: float) -> str:
    return f"{error:.2f}" if error >= 0.01 else f"{error:.3f}"


def comparisons(folder: Path) -> list[Comparison]:
    """Return the comparisons of all classes and numbers of players for which both are known.

    Args:
        folder: The folder of the data, docs/data.
    """
    published = [one for some in literature().values() for one in some if one.lives == 3]
    ours = our_programs(folder)
    found = []
    for kind in HEADINGS:
        for players in COUNTS:
            theirs = _best(_of_class(published, kind), players)
            beside = _best(_of_class(ours, OURS_BESIDE.get(kind, kind)), players)
            if theirs and beside:
                found.append(Comparison(kind, players, theirs, beside))
    return found


def _of_class(programs: Iterable[Program], kind: str) -> list[Program]:
    if kind == SEARCH:
        return [one for one in programs if one.searches]
    return [one for one in programs if one.kind == kind and not one.searches]


def _best(programs: Iterable[Program], players: int) -> Program | None:
    some = [one for one in programs if players in one.scores]
    return max(some, key=lambda one: one.scores[players], default=None)


def table(folder: Path) -> str:
    """Return the comparisons as Markdown, and a line for each class in which ours is behind."""
    found = {(one.kind, one.players): one for one in comparisons(folder)}
    rows = [
        [words, *(found[kind, n].cell() if (kind, n) in found else "" for n in COUNTS)]
        for kind, words in HEADINGS.items()
    ]
    behind = [one for one in found.values() if one.difference < 0]
    lines = [
        f"* {HEADINGS[one.kind]}, {one.players} players: behind by {-one.difference:.2f} "
        f"± {_shown(one.error)}: {WHY[one.kind]}"
        for one in behind
    ]
    columns = ["class", *(f"{count} players" for count in COUNTS)]
    return "\n".join([grid(columns, rows), "", *(lines or ["Ours is behind nowhere."])])
