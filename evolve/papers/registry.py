"""The papers that modules of this folder register (``hanabi experiment``)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from hanabi.registry import LateModules, Registry

Progress = Callable[..., None] | None  # called with (done, of, what)


class Paper(NamedTuple):
    """A publication that is set beside what this program finds.

    Attributes:
        name: Name for ``hanabi experiment``.
        title: What it is, in a line.
        report: Called as report(games, progress); returns data for JSON. Its ``tables`` have a
            name, a title, columns, rows and a note each.
        has_people: Whether human games can stand in it: ``report`` takes ``people``, too.
    """

    name: str
    title: str
    report: Callable[..., dict[str, Any]]
    has_people: bool = False


PAPERS: Registry[Paper] = Registry("paper", LateModules("hanabi.evolve.papers.*"))


def register_paper(
    name: str, title: str, report: Callable[..., dict[str, Any]], has_people: bool = False
) -> None:
    """Register a paper; see ``Paper``. Raises ValueError if its name is taken."""
    PAPERS.add(name, Paper(name, title, report, has_people))


def find_paper(name: str, people: str = "") -> Paper:
    """Return a paper by its name.

    Args:
        name: One of ``PAPERS``.
        people: Human games, if they are to be reported too.

    Raises:
        ValueError: If there is no such paper, or it has no human games.
    """
    paper = PAPERS.find(name)
    if people and not paper.has_people:
        named = ", ".join(one.name for one in PAPERS.values() if one.has_people)
        raise ValueError(f"games of people belong to {named}, not to {name}: leave --people out")
    return paper


def reproduce(
    name: str, games: int | None = None, progress: Progress = None, people: str = ""
) -> dict[str, Any]:
    """Play a paper's games again and return its report as data.

    Args:
        name: One of ``PAPERS``.
        games: Games per row and player count; by default those of the paper's module.
        progress: Called with (done, of, what).
        people: A file or folder of games that people played, for a paper that has some.

    Raises:
        ValueError: Before anything is played, if the paper cannot be reported so.
    """
    paper = find_paper(name, people)
    more = {"people": people} if people else {}
    return paper.report(games, progress=progress, **more)
