"""Agents for partners whose book of conventions is unknown: ``any_book``, and of some books only.

``any_book:convention,pairs`` recognises which of these books each partner plays by, and follows the
list of the likeliest: that of the named agent of this name, else the book's own. So is found by
which book a person plays, as far as the moves of a game show.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np

from hanabi.agent_kind import AgentKind, agent_kind, read_pairs
from hanabi.game_record import Game
from hanabi.lookahead.book_reader import BookReader, BookSettings
from hanabi.lookahead.partners import NO_LIST
from hanabi.moves import NAMES
from hanabi.player import ListPlayer
from hanabi.rules.agents.agent import BOOKS, Agent
from hanabi.rules.agents.named import NAMED, load
from hanabi.variant import check_known, shown

SURE = 0.5  # probability from which on a book is named


@cache
def _reader(seats: int) -> BookReader:
    """Return the player of any_book that knows all books for a number of players."""
    books = tuple(book for book in BOOKS if load(f"book:{book}").plays(seats))
    return BookRecognition(books, BookSettings()).make_player(seats, "any_book", None)


def book_chances(game: Game, seat: int) -> dict[str, float]:
    """Return by book how likely a player plays by it; ``NO_LIST``: by none of them.

    It is the posterior that any_book has of this partner alone, from all books of the library.

    Args:
        game: The game, whole or so far.
        seat: The seat of the player.

    Raises:
        ValueError: The player has not moved. One line.
    """
    if len(game.moves) <= seat:
        raise ValueError(f"{NAMES[seat]} has not moved yet: nothing shows a book.")
    views = (game.at(turn)[1] for turn in range(len(game.moves), -1, -1))
    view = next(view for view in views if view.me != seat)
    reader = _reader(game.variant.seats)
    tracker = reader.join(game.variant, int(view.me), ()).tracker
    tracker.update(view)
    names = (one.name.removeprefix("book:") for one in reader.known)
    return dict(zip(names, tracker.posterior()[seat].tolist()))


def book_sentences(game: Game, seats: Sequence[int]) -> list[str]:
    """Return ``book_sentence`` of each of some players who has moved; a single one is "you"."""
    return [
        book_sentence(game, seat, game.names[seat] if len(seats) > 1 else "")
        for seat in seats
        if seat < len(game.moves)
    ]


def book_sentence(game: Game, seat: int, name: str = "") -> str:
    """Return in a sentence by which book a player seems to play; to the player without a name."""
    chances = book_chances(game, seat)
    book = max(chances, key=lambda one: chances[one])
    by = "none of the books" if book == NO_LIST else f"the book of {book}"
    if chances[book] < SURE:
        whose, they = (f"{name}'s", f"{name} plays") if name else ("Your", "you play")
        return f"{whose} moves do not show by which book {they}; {by} is likeliest."
    return f"{f'{name} seems' if name else 'You seem'} to play by {by} ({chances[book]:.0%})."


USUAL = ("convention", "pairs", "hgroup-5", "reactor", "sieve")
FOR_OTHERS = "convention-simple"  # plays with partners that play by none of the books


@agent_kind("any_book")
@dataclass(frozen=True)
class BookRecognition(AgentKind):
    """The agent finds out by which of some books each of its partners plays.

    Attributes:
        books: the names of the books, at least two.
        settings: how it finds out.
    """

    books: tuple[str, ...]
    settings: BookSettings

    phrase = "recognises its partners' books"
    spec_help = "any_book (any_book:BOOK,BOOK) recognises by which book its partners play"
    needs_list = False
    spec_alone = True
    source = "books of conventions"

    @classmethod
    def split_spec(cls, text: str) -> tuple[str, dict[str, Any]]:
        """Split ``BOOK,BOOK,key=value`` into no list and the data of its table."""
        items = list(filter(None, text.split(",")))
        settings = ",".join(item for item in items if "=" in item)
        books = [item for item in items if "=" not in item] or list(USUAL)
        return "", {"books": books} | read_pairs(settings, cls.key, "hands=8")

    @classmethod
    def from_table(cls, data: dict, read_agent: Callable[[dict, str], Any]) -> Self:
        """Return the kind in a table [any_book]. Raises ValueError, one line, for other data."""
        books = data.get("books", USUAL)
        for book in books:
            check_known(book, BOOKS, "any_book: no book", "the books are")
        if len(set(books)) < max(2, len(books)):
            raise ValueError(f"any_book: {shown(books)} should be two or more books, each once")
        settings = {key: value for key, value in data.items() if key != "books"}
        return cls(tuple(books), BookSettings.from_data(settings))

    @property
    def lists(self) -> tuple[Agent, ...]:
        """The shortest list of each book, by which it is recognised."""
        return tuple(load(f"book:{book}") for book in self.books)

    @property
    def replies(self) -> tuple[Agent, ...]:
        """The agent of each book, and last the one for partners without a book."""
        names = [book if book in NAMED else f"book:{book}" for book in self.books]
        return tuple(map(load, [*names, FOR_OTHERS]))

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return (
            f"It finds out by which book each partner plays ({', '.join(self.books)}), "
            f"and follows its list; with other partners that of {FOR_OTHERS}."
        )

    def can_play(self, players: int, has_list: bool) -> bool:
        """Return whether each of its agents plays at a table of this size."""
        return all(agent.plays(players) for agent in (*self.lists, *self.replies))

    def make_player(self, players: int, name: str, listed: ListPlayer | None) -> BookReader:
        """Return the player."""
        lists, replies = (
            tuple(agent.list_at(players) for agent in agents)
            for agents in (self.lists, self.replies)
        )
        likeliest = np.eye(len(replies)).tolist()  # the reply to a list is that of its book
        return BookReader(lists, replies, tuple(map(tuple, likeliest)), self.settings, name)

    @property
    def usual(self) -> Agent:
        """The agent for partners without a book."""
        return self.replies[-1]

    @property
    def identity(self) -> Any:
        """The settings, and the hash of each agent."""
        return self.key, str(self.settings), *(agent.hash for agent in (*self.lists, *self.replies))

    def __str__(self) -> str:
        """Return what follows the key in a spec; ``split_spec`` reads it back."""
        books = () if self.books == USUAL else self.books
        return ",".join(filter(None, [*books, str(self.settings)]))

    def data(self) -> dict[str, Any]:
        """Return its table in an agent file; ``from_table`` reads it back."""
        return {"books": list(self.books)} | self.settings.data()
