"""By which book people play, and how often the book of an agent is named, as data of the docs.

``python -m docs.generate.people_books`` writes docs/data/people-books.csv from real games of
hanab.live (tests/golden/people, with other names), and from games of the agents of
docs/data/book-partners.toml with copies.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from docs.generate.book_results import MOVES, PARTNERS
from docs.generate.markdown import grid
from hanabi.evolve.measure.one_game import play_game
from hanabi.game_reader import read_games
from hanabi.game_record import Game
from hanabi.lookahead.partners import NO_LIST
from hanabi.rules.agents.agent import BOOKS
from hanabi.rules.agents.any_book import book_chances

FILE = Path("docs/data/people-books.csv")
COMMAND = "python -m docs.generate.people_books"
GAMES = "tests/golden/people"
PEOPLE = "people"
CONTROL_GAMES, CONTROL_PLAYERS, SEED = 20, 3, 5400


def judged(games: Iterable[Game], who: str) -> list[dict[str, Any]]:
    """Return by player count the share of players of each likeliest book, and the mean chances.

    Args:
        games: The games. A player with fewer than ``MOVES`` moves is left out.
        who: Who plays.
    """
    found: dict[int, list[dict[str, float]]] = {}
    counts: dict[int, int] = {}
    for game in games:
        seats = game.variant.seats
        some = [seat for seat in range(seats) if len(game.moves[seat::seats]) >= MOVES]
        found.setdefault(seats, []).extend(book_chances(game, seat) for seat in some)
        counts[seats] = counts.get(seats, 0) + bool(some)
    rows = []
    for seats, chances in sorted(item for item in found.items() if item[1]):
        likeliest = [max(one, key=lambda book: one[book]) for one in chances]
        rows += [
            {
                "who": who,
                "players": seats,
                "games": counts[seats],
                "judged": len(chances),
                "book": book,
                "likeliest": likeliest.count(book),
                "mean": round(sum(one.get(book, 0) for one in chances) / len(chances), 4),
            }
            for book in (*BOOKS, NO_LIST)
        ]
    return rows


def control() -> list[dict[str, Any]]:
    """Return the same of agents whose book is known."""
    rows = []
    for book in BOOKS:
        specs = [f"{PARTNERS}/{book}"]
        games = [play_game(specs, CONTROL_PLAYERS, SEED + deal) for deal in range(CONTROL_GAMES)]
        rows += judged(games, book)
    return rows


def table(folder: Path) -> str:
    """Return the table: who played, and how many players each book is the likeliest of."""
    rows = pd.read_csv(folder / FILE.name)
    lines = []
    for (who, players), some in rows.groupby(["who", "players"], sort=False):
        name = who if who == PEOPLE else f"agent of `{who}`"
        shown = [f"{row.likeliest}" if row.likeliest else "" for row in some.itertuples()]
        lines.append(
            [name, f"{players}", *(f"{some[n].iloc[0]}" for n in ("games", "judged"))] + shown
        )
    return grid(["who", "players", "games", "judged", *BOOKS, NO_LIST], lines)


def sentence(folder: Path) -> str:
    """Return in words by which book most people play, and how often that of agents is named."""
    rows = pd.read_csv(folder / FILE.name)
    people, known = rows[rows["who"] == PEOPLE], rows[rows["who"] != PEOPLE]
    counts = people.groupby("book")["likeliest"].sum().drop(NO_LIST).sort_values(ascending=False)
    judged, named = people["likeliest"].sum(), counts[counts > 0]
    books = ", ".join(f"`{book}` ({count})" for book, count in named.items())
    right = known[known["who"] == known["book"]]["likeliest"].sum()
    return (
        f"Of {judged} people {named.sum()} seem to play by a book: {books}. Of"
        f" {known['likeliest'].sum()} agents the right book is named for {right}."
    )


def main() -> None:
    """Write the file."""
    games = [game for _, game in read_games(GAMES).games]
    pd.DataFrame(judged(games, PEOPLE) + control()).to_csv(FILE, index=False)


if __name__ == "__main__":
    main()
