"""Find the papers: each module of this folder with ``THIS_PAPER`` (``hanabi experiment``)."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from hanabi.evolve import papers
from hanabi.variant import check_known

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


def all_papers() -> dict[str, Paper]:
    """Return the papers by name."""
    found = {}
    for module in pkgutil.iter_modules(papers.__path__):
        paper = getattr(import_module(f"{papers.__name__}.{module.name}"), "THIS_PAPER", None)
        if paper:
            found[paper.name] = paper
    return found


def find_paper(name: str, people: str = "") -> Paper:
    """Return a paper by its name.

    Args:
        name: One of ``all_papers``.
        people: Human games, if they are to be reported too.

    Raises:
        ValueError: If there is no such paper, or it has no human games.
    """
    known = all_papers()
    check_known(name, known, "nothing to reproduce is called")
    if people and not known[name].has_people:
        named = ", ".join(one.name for one in known.values() if one.has_people)
        raise ValueError(f"games of people belong to {named}, not to {name}: leave --people out")
    return known[name]


def reproduce(
    name: str, games: int | None = None, progress: Progress = None, people: str = ""
) -> dict[str, Any]:
    """Play a paper's games again and return its report as data.

    Args:
        name: One of ``all_papers``.
        games: Games per row and player count; by default those of the paper's module.
        progress: Called with (done, of, what).
        people: A file or folder of games that people played, for a paper that has some.

    Raises:
        ValueError: Before anything is played, if the paper cannot be reported so.
    """
    paper = find_paper(name, people)
    more = {"people": people} if people else {}
    return paper.report(games, progress=progress, **more)
