"""By which book of conventions a player of a game plays, as far as its moves show."""

from collections.abc import Sequence
from functools import cache

from hanabi.game_record import Game
from hanabi.lookahead.book_reader import BookReader, BookSettings
from hanabi.lookahead.partners import NO_LIST
from hanabi.moves import NAMES
from hanabi.rules.agents.any_book import BookRecognition
from hanabi.rules.agents.books import BOOKS
from hanabi.rules.agents.named import load

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
