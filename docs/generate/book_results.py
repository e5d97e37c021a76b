"""Playing with partners whose book is unknown, as data of the documentation.

``python -m docs.generate.book_results`` writes docs/data/books.json. Its partners were used for no
choice: those of docs/data/book-partners.toml are agents of eight books, by a seed that nothing else
used (``hanabi evolve --preset book`` with ``EVOLVED``); those of ``conventions-3p:test`` are the
test part of a map. The defaults of ``any_book`` were chosen with other seeds and parts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from docs.generate.markdown import grid
from hanabi.evolve.charts.chart import PAPER, finish, label, layer, number, render
from hanabi.files import write_whole
from hanabi.lookahead.book_reader import BookReader
from hanabi.lookahead.partners import PosteriorTracker, SeatedRecogniser
from hanabi.player import Player
from hanabi.rules.agents import load, partner_agents
from hanabi.rules.agents.any_book import FOR_OTHERS, USUAL
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant, read_variant

FILE = Path("docs/data/books.json")
PARTNERS = "docs/data/book-partners.toml"
COMMAND = "python -m docs.generate.book_results"
EVOLVED = (
    "start=book:BOOK seed=201 players=3 generations=6 guards_from=3 local_search_games=8000 "
    "finalists=1 race_games=500 prune_games=1000 final_games=1000"
)
SEED, PLAYERS = 54_004, 3
READER, LIKELIEST = "any_book", "any_book:agreed_hints=0"
ADAPTIVE = "partners:cig2018-paper,hands=8"
FOREIGN = ("evolved-best", "piers", "convention", "pairs", "hgroup-5")
WITHOUT_BOOK = 9  # the first of these agents; the other three are lists of any_book itself
GAMES, FEW = 120, 25  # of an agent among copies of a partner; where partners are many
MOVES = 10  # of a partner, after which its book is named
BINS = (0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 1)


class Statement(NamedTuple):
    """What a reader of books says of a partner after one of its moves.

    Attributes:
        move: the number of the partner's move, from 1.
        book: the place of its book in ``USUAL``, ``len(USUAL)`` for none.
        stated: the posterior.
    """

    move: int
    book: int
    stated: np.ndarray


@dataclass(frozen=True)
class _Recorded(BookReader):
    """A reader of books that keeps its posteriors."""

    trackers: list[PosteriorTracker] = field(default_factory=list, compare=False)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedRecogniser:
        """Return its object for a game; see ``Recogniser.join``."""
        seated = super().join(variant, seat, company)
        self.trackers.append(seated.tracker)
        return seated


def play(guest: str | Player, partners: Sequence[str], games: int, first: int = 0) -> np.ndarray:
    """Return the points of a guest in one seat, by zero scoring.

    Args:
        guest: the guest.
        partners: one for all other seats, or one per seat.
        games: number of games.
        first: the number of the first deal.
    """
    seats = np.ones((games, PLAYERS), np.int64)
    for game, row in enumerate(seats):
        row[:] = np.roll([0, 1, len(partners)], game)
    table = Table(
        read_variant("standard").at(PLAYERS),
        [load(one).at(PLAYERS) if isinstance(one, str) else one for one in (guest, *partners)],
    )
    found = table.play(game_seeds(SEED, first + games)[first:], seats)
    return np.where(found["lives"] > 0, found["score"], 0)


def statements(tracker: PosteriorTracker, book: int, alike: float) -> list[Statement]:
    """Return what a posterior says after each judged move, from the evidence that it kept."""
    found, again = [], PosteriorTracker(tracker.contexts, tracker.hands, tracker.slip)
    again.outside, again.logs = tracker.outside, np.zeros_like(tracker.logs)
    for turn, evidence in sorted(tracker.evidence.items()):
        seat = turn % PLAYERS
        again.logs[seat] += evidence
        found.append(Statement(turn // PLAYERS + 1, book, again.posterior(alike)[seat]))
    return found


def _mean(points: Sequence[np.ndarray]) -> list[float]:
    """Return the mean over partners of the means over their games, and its standard error."""
    errors = [row.std(ddof=1) / len(row) ** 0.5 for row in points]
    mean, error = np.mean([row.mean() for row in points]), np.linalg.norm(errors) / len(points)
    return [round(float(mean), 3), round(float(error), 3)]


def _row(points: dict[str, list[np.ndarray]], base: str) -> dict[str, Any]:
    """Return by guest its points, and their difference from those of another one."""
    return {
        guest: {
            "points": _mean(rows),
            "over": _mean([row - other for row, other in zip(rows, points[base])]),
            "by": [round(float(row.mean()), 2) for row in rows],
        }
        for guest, rows in points.items()
    }


def among_books(said: list[Statement]) -> dict[str, Any]:
    """Return the points among copies of an agent of each book, and keep what is said of them."""
    points: dict[str, list[np.ndarray]] = {guest: [] for guest in (READER, LIKELIEST, "known")}
    points |= {guest: [] for guest in (*USUAL, FOR_OTHERS)}
    for place, book in enumerate(USUAL):
        partner = f"{PARTNERS}/{book}"
        for guest in points:
            if guest == READER:
                points[guest].append(_said_of([partner], place, GAMES, said))
            else:
                points[guest].append(play(book if guest == "known" else guest, [partner], GAMES))
    best = max(USUAL, key=lambda guest: _mean(points[guest])[0])
    return {"best": best, "rows": _row(points, best), "known": _row(points, "known")[READER]}


def _said_of(partners, place, games, said):
    """Return the points of the reader among some partners; append its statements to ``said``."""
    player = load(READER).at(PLAYERS)
    recorded = _Recorded(player.pool, player.replies, player.scores, player.settings, player.name)
    points = play(recorded, partners, games)
    for tracker in recorded.trackers:
        said += statements(tracker, place, player.settings.alike)
    return points


def with_two_books() -> dict[str, Any]:
    """Return the points between agents of two different books."""
    guests = (READER, LIKELIEST, *USUAL, FOR_OTHERS)
    points: dict[str, list[np.ndarray]] = {guest: [] for guest in guests}
    for place, pair in enumerate(permutations(USUAL, 2)):
        for guest in guests:
            specs = [f"{PARTNERS}/{book}" for book in pair]
            points[guest].append(play(guest, specs, 10, 10 * place))
    best = max((*USUAL, FOR_OTHERS), key=lambda guest: _mean(points[guest])[0])
    return {"best": best, "rows": _row(points, best)}


def among_strangers(
    partners: Sequence[str], guests: Sequence[str], said: list[Statement] | None = None
) -> dict[str, Any]:
    """Return the points among copies of each of some partners."""
    points: dict[str, list[np.ndarray]] = {guest: [] for guest in guests}
    for agent in partner_agents(partners):
        for guest in guests:
            if guest == READER and said is not None:
                points[guest].append(_said_of([agent.at(PLAYERS)], len(USUAL), FEW, said))
            else:
                points[guest].append(play(guest, [agent.at(PLAYERS)], FEW))
    return _row(points, FOR_OTHERS)


def calibration(said: Sequence[Statement]) -> list[list[float]]:
    """Return rows (low, high, mean stated probability, share that is true, statements)."""
    stated = np.array([one.stated for one in said])
    true = np.arange(stated.shape[1]) == np.array([[one.book] for one in said])
    rows = []
    for low, high in zip(BINS, BINS[1:]):
        inside = (stated >= low) & ((stated < high) | (high == 1))
        if not inside.any():
            continue
        means = stated[inside].mean(), true[inside].mean()
        rows.append([low, high, *(round(float(mean), 4) for mean in means), int(inside.sum())])
    return rows


def named(said: Sequence[Statement]) -> dict[str, list[float]]:
    """Return by book how often it is the likeliest after ``MOVES`` moves, and of how many."""
    found = {}
    for place, book in enumerate((*USUAL, "none of them")):
        hits = [
            int(one.stated.argmax()) == place
            for one in said
            if one.move == MOVES and one.book == place
        ]
        if hits:
            found[book] = [round(float(np.mean(hits)), 3), len(hits)]
    return found


def books(folder: Path) -> str:
    """Return the table of points by guest and partners."""
    found = json.loads((folder / FILE.name).read_text(encoding="utf-8"))
    tables = {
        "five books": found["books"]["rows"],
        "two books": found["two"]["rows"],
        "twelve foreign agents": found["foreign"],
        "`conventions-3p:test`": found["map"],
    }
    guests = dict.fromkeys(guest for rows in tables.values() for guest in rows)
    lines = []
    for guest in guests:
        name = "the agent of the partner's book" if guest == "known" else f"`{guest}`"
        cells = [rows[guest]["points"] if guest in rows else None for rows in tables.values()]
        strange = found["foreign"].get(guest)
        lines.append(
            [
                name,
                *("{:.2f} ± {:.2f}".format(*cell) if cell else "" for cell in cells),
                f"{np.mean(strange['by'][:WITHOUT_BOOK]):.2f}" if strange else "",
            ]
        )
    return grid(["guest", *tables, "nine of the twelve, without a book"], lines)


def book_calibration(folder: Path) -> str:
    """Return the table of stated and true probabilities."""
    rows = json.loads((folder / FILE.name).read_text(encoding="utf-8"))["calibration"]
    lines = [
        [f"{low:.0%} to {high:.0%}", f"{stated:.1%}", f"{true:.1%}", f"{count:,}"]
        for low, high, stated, true, count in rows
    ]
    return grid(["stated", "mean", "true", "statements"], lines)


def calibration_picture(folder: Path) -> bytes:
    """Draw the stated probability of a book against how often it is the right one, as SVG."""
    rows = json.loads((folder / FILE.name).read_text(encoding="utf-8"))["calibration"]
    data = [{"x": stated, "y": true, "t": f"{count:,}"} for _, _, stated, true, count in rows]
    x, y = (
        number(field, {"domain": [0, 1]}, title=title, format=".0%", tickCount=5)
        for field, title in (("x", "stated probability of a book"), ("y", "share that is true"))
    )
    diagonal = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    drawing = {
        "title": {
            "text": "Books of partners: stated and true",
            "subtitle": ["Beside each point: how many statements. Dashed: stated is true."],
        },
        "width": 460,
        "height": 380,
        "layer": [
            layer("line", diagonal, {"x": x, "y": y}, color=PAPER["edge"], strokeDash=[4, 4]),
            layer(
                "point",
                data,
                {"x": x, "y": y},
                filled=True,
                opacity=1,
                size=70,
                color=PAPER["accent"],
            ),
            label(data[:4], {"x": x, "y": y}, align="left", dx=9, dy=7),
            label(data[4:], {"x": x, "y": y}, align="right", dx=-9, dy=-5),
        ],
    }
    return render(finish(drawing, PAPER), ".svg")


def books_named(folder: Path) -> str:
    """Return the table of how often the right book is the likeliest."""
    found = json.loads((folder / FILE.name).read_text(encoding="utf-8"))["named"]
    lines = [[book, f"{share:.0%}", f"{count:,}"] for book, (share, count) in found.items()]
    return grid(["partner's book", f"likeliest after {MOVES} moves", "partners"], lines)


def main() -> None:
    """Measure everything, and write the file."""
    said: list[Statement] = []
    found = {"command": COMMAND, "evolved": EVOLVED, "games": GAMES, "few": FEW}
    found |= {"books": among_books(said), "two": with_two_books()}
    found["map"] = among_strangers(["conventions-3p:test"], (FOR_OTHERS, READER, LIKELIEST), said)
    found["foreign"] = among_strangers(FOREIGN, (FOR_OTHERS, READER, LIKELIEST, ADAPTIVE))
    found |= {"calibration": calibration(said), "named": named(said)}
    write_whole(FILE, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
