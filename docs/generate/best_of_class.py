"""The best published score of each class and number of players, beside this project's best."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from docs.generate.literature_tables import best_at, our_programs
from docs.generate.markdown import grid
from hanabi.evolve.papers.literature import CLASSES, COUNTS, Program, literature

SEARCH = "search"
STAR, DAGGER = "\\*", "†"  # a star that Markdown does not take for emphasis
HEADINGS = CLASSES | {SEARCH: "With search"}
OURS_BESIDE = {"learned": "human"}  # the class of ours where we have none: lists without a code
WHY = {  # why ours is behind, by class
    "none": "our lists were evolved in one run.",
    "human": "the bot of these conventions is slow, so that few games are known.",
    "code": "our list was evolved in a short run.",
    "learned": "a network may tell more by a hint than the conventions of a list can say.",
    SEARCH: "the published search looks at moves of all partners together and takes seconds.",
}


class Comparison(NamedTuple):
    """The best published program of a class and ours, at one number of players.

    ``published`` is None where no program of the class was published.
    """

    kind: str
    players: int
    published: Program | None
    ours: Program

    @property
    def difference(self) -> float:
        """Our points less the published ones, under the law of the published program."""
        if self.published is None:
            return float("nan")
        return self.our_points - self.published.scores[self.players]

    @property
    def error_text(self) -> str:
        """The standard error of the difference; of ours alone where no other is published.

        A dagger in its place: one of the two played too few games.
        """
        programs = [one for one in (self.published, self.ours) if one]
        if any(one.has_few_games for one in programs):
            return DAGGER
        errors = [one.error(self.players) for one in programs]
        error = sum((one or 0.0) ** 2 for one in errors) ** 0.5
        known = f"± {error:.2f}" if error >= 0.01 else f"± {error:.3f}"
        return known + STAR * (errors[0] is None)

    @property
    def our_points(self) -> float:
        """Our points under the law of the published program."""
        return self.ours.points(self.players, self.published.law if self.published else "kept")

    def cell(self) -> str:
        """Return both scores and the difference as text."""
        ours = f"{self.ours.name} {self.our_points:.2f}"
        if self.published is None:
            return f"none; {ours} {self.error_text}"
        theirs = f"{self.published.name} {self.published.scores[self.players]:.2f}"
        return f"{theirs}; {ours}: **{self.difference:+.2f}** {self.error_text}"


def comparisons(folder: Path) -> list[Comparison]:
    """Return the comparisons of all classes and numbers of players for which ours are known.

    Args:
        folder: The folder of the data, docs/data.
    """
    published = [one for some in literature().values() for one in some if one.lives == 3]
    ours = our_programs(folder)
    found = []
    for kind in HEADINGS:
        theirs = _of_class(published, kind)
        beside = _of_class(ours, OURS_BESIDE.get(kind, kind))
        for players in COUNTS[kind == "pair" :]:  # a pair needs a third player
            best = best_at(players, theirs)
            mine = best_at(players, beside, best.law if best else "kept")
            if mine and (best or not theirs):
                found.append(Comparison(kind, players, best, mine))
    return found


def _of_class(programs: Iterable[Program], kind: str) -> list[Program]:
    if kind == SEARCH:
        return [one for one in programs if one.searches]
    return [one for one in programs if one.kind == kind and not one.searches]


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
        f"{one.error_text}: {WHY[one.kind]}"
        for one in behind
    ]
    columns = ["class", *(f"{count} players" for count in COUNTS)]
    return "\n".join([grid(columns, rows), "", *(lines or ["Ours is behind nowhere."])])
