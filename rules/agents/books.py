"""Books of conventions: what hints mean, with the weights and the rules that answer them.

A book is an agent file in ``rules/books``. Its list is the shortest that plays by the book: the
rules that answer its hints, and few more. ``book:NAME`` is the spec of this agent. An agent file
that says ``book = "NAME"`` and has no conventions and weights has those of the book.
"""

from functools import cache
from pathlib import Path
from typing import Any

from hanabi.files import read_toml
from hanabi.variant import check_known

BOOKS: dict[str, Path] = {
    path.stem: path for path in sorted((Path(__file__).parents[1] / "books").glob("*.toml"))
}
"""The files of the books, by name."""
PARTS = ("conventions", "weights")  # the tables of an agent file that a book stands for


@cache
def read_book(name: str) -> dict[str, Any]:
    """Return the data of a book's file. Raises ValueError, one line, if there is no such book."""
    check_known(name, BOOKS, "no book", "the books are")
    return read_toml(BOOKS[name])


def tables_of(name: str) -> dict[str, Any]:
    """Return the conventions and weights of a book, as an agent file holds them."""
    return {part: read_book(name).get(part, {}) for part in PARTS}
