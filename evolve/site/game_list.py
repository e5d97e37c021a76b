"""The games of the site: tables that are over, and files of any format that `hanabi show` reads.

A game in an address is named by its file in one folder, never by a path: `game` means
`game.toml`, `game.json` a file of another format, `games.json#12` a game of several.

Reviews of games are computed in the background and kept in the folder of the tables. One thread
computes, a move of a game at a time. It waits while tables or pages compute.
"""

import hashlib
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, make_dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from hanabi.evolve.analysis.candidates import OtherMove, play_other_moves
from hanabi.evolve.lessons.game_review import GameReview, model_of, players_text, review_steps
from hanabi.evolve.lessons.school import keep_mistakes
from hanabi.evolve.reports.game_data import game_data, named_player
from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.evolve.site.seat_view import whole_game
from hanabi.evolve.site.tables import (
    NAME as TABLE_NAME,
    OpenTables,
    check_turn,
    creation_time,
    game_until,
    new_file,
)
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.job_queue import Job, JobQueue, Steps, row_steps
from hanabi.files import make_folder, read_text, read_toml, write_whole
from hanabi.game import is_over
from hanabi.game_reader import ENDINGS, list_entries, load as load_game, parse_game, turn_to_begin
from hanabi.game_record import Game
from hanabi.game_source import ending_of, split_number
from hanabi.lookahead.move_values import ReviewSettings
from hanabi.positions.position import Position
from hanabi.text.move_facts import ending_text

LISTED, FILES = 50, 200  # games that are listed, and files that are read for them
LENGTH = 100  # letters of the name of a game
LETTERS = 60_000  # of a text that is pasted
PASTED = "the game"  # what errors call that text
LISTS = "lists"  # the folder of lists that were seated unsaved, in that of the tables
TABLES = ".toml"  # the ending of the files of tables, which names leave out


class GameList:
    """The games in the folder of the tables."""

    def __init__(self, tables: OpenTables) -> None:
        self.tables = tables

    def newest(self) -> list[dict[str, Any]]:
        """Describe the newest games, newest first; files that hold no game are left out."""
        found: list[dict[str, Any]] = []
        files = [path for path in self.tables.folder.iterdir() if ending_of(path) in ENDINGS]
        for path in sorted(files, key=creation_time, reverse=True)[:FILES]:
            with suppress(ValueError, TypeError, KeyError):
                seats = _seats_of(path)
                for spec, read in list_entries(path)[: LISTED - len(found)]:
                    with suppress(ValueError):  # one game of several that cannot be read
                        found += self._describe(path, Path(spec).name, read(), seats)
        return found

    def _describe(self, path, name, game, seats):
        """Return the row of a game; none for a position without a table.

        The row of a game that is still played at a table has no seed: it gives the deck away.
        """
        name = name.removesuffix(TABLES)
        if not _is_name(name) or not seats and isinstance(game, Position):
            return []
        when, is_table = creation_time(path), TABLE_NAME.fullmatch(path.stem)
        if isinstance(game, Game):
            over, score, turn = bool(game.end), game.score, len(game.moves)
            names, abandoned, has_seed = game.names, game.abandoned, game.deck is None
            how = f"over: {ending_text(game)}" if game.stop else "over"
        else:
            view = game.state()[1]
            over, score, turn, how = bool(is_over(view)), int(view.score), game.turn, "over"
            names, abandoned, has_seed = (), False, False
        row = {
            "name": name,
            "when": when.isoformat(" ", "minutes"),
            "date": f"{when.day} {when:%B %Y, %H:%M}",
            "players": game.variant.seats,
            "agents": [str(agent) for agent in (names if any(names) else seats)],
            "score": score,
            "perfect": game.variant.perfect,
            "seed": game.seed if has_seed and (over or not seats) else "",
            "variant": str(game.variant),
            "over": over,
            "abandoned": abandoned,
            "state": how if over else f"at turn {turn}",
            "open": over or not seats,
            "links": [
                (seat, self.tables.link(path.stem, seat))
                for seat, spec in enumerate(seats)
                if spec == PERSON and is_table
            ],
        }
        return [row]

    def keep(self, text: Any) -> str:
        """Write a pasted game of any format to a file; return its name, and the turn of a link.

        The turn is written behind the name as an address has it: ``20260101-1200#turn=32``.

        Raises:
            ValueError: The text holds no game. One line, as `hanabi import` prints it.
        """
        if not isinstance(text, str) or not text.strip():
            raise ValueError(
                "Paste hanab.live's JSON or link, or the text of a game file, or choose a file."
            )
        if len(text) > LETTERS:
            raise ValueError(f"The text has {len(text):,} letters; a game has at most {LETTERS:,}.")
        game = parse_game(text, PASTED)
        path = new_file(make_folder(self.tables.folder))
        write_whole(path, game.text)
        turn = turn_to_begin(text.strip(), len(game.moves))
        return path.stem + ("" if turn is None else f"#turn={turn}")

    def open(self, name: str) -> Game | PlayTable:
        """Return the game of a name.

        Raises:
            ValueError: There is no such game, or it is still played at a table, so that the cards
                must stay hidden. One line.
        """
        if not _is_name(name):
            raise ValueError("no name of a game")
        spec = self.tables.folder / name
        path = Path(split_number(str(spec))[0])
        if ending_of(path) not in ENDINGS:
            spec = path = spec.with_name(name + TABLES)
        if not _seats_of(path):
            found = load_game(spec)
            if isinstance(found, Position):
                raise ValueError(f"{name} is a position, which has no moves to step through")
            return found
        table = PlayTable.read(path)
        if not table.over:
            raise ValueError(f"{name} is still played")
        table.path = None  # never written
        return table

    def seats(self, name: str) -> list[str]:
        """Return the specs, or else the names, of the players of a game.

        Raises:
            ValueError: There is no such game. One line.
        """
        found = self.open(name)
        return list(found.specs if isinstance(found, PlayTable) else found.agents)

    def start_at(self, name: Any, turn: Any) -> Game | Position:
        """Return where to play on: a game up to a turn, or the position there.

        Raises:
            ValueError: There is no such game or turn. One line.
        """
        if not isinstance(name, str) or type(turn) is not int:
            raise ValueError("A game is sent by its name, with the turn from which to play on.")
        found = self.open(name)
        if isinstance(found, PlayTable) and isinstance(found.start, Position):
            check_turn(turn, found.first_turn, found.turn, True)
            found.take_back(0, turn)
            return found.position()
        return game_until(found if isinstance(found, Game) else found.game, turn)


def mean_points(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return mean points of listed games that are over, by variant and player count.

    Each row has the mean of the games that were not abandoned, and that of all games, in which an
    abandoned game counts 0, as on hanab.live. A mean without games is None.
    """
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        if row["over"]:
            groups.setdefault((row["variant"], row["players"]), []).append(row)
    found = []
    for (variant, players), some in sorted(groups.items()):
        points = [row["score"] for row in some if not row["abandoned"]]
        found.append(
            {
                "variant": variant,
                "players": players,
                "games": len(points),
                "abandoned": len(some) - len(points),
                "mean": sum(points) / len(points) if points else None,
                "mean_of_all": sum(points) / len(some),
            }
        )
    return found


def page_data(found: Game | PlayTable) -> dict[str, Any]:
    """Return a game as the data of a page."""
    if isinstance(found, Game):
        return game_data(found, [named_player(name, found.variant.seats) for name in found.agents])
    if isinstance(found.start, Position):
        return whole_game(found)
    return game_data(found.game, found.players)


def page_title(found: Game | PlayTable) -> str:
    """Return a game in words, for the tab of a browser: its players and its score."""
    score = found.score if isinstance(found, Game) else int(found.view.score)
    return f"{players_text(found.names, found.variant)}: {score} of {found.variant.perfect} points"


def _seats_of(path):
    """The specs of the seats of a table's file, [] for another file."""
    if path.suffix != TABLES:
        return []
    data = read_toml(path)
    return data["table"]["seats"] if "table" in data else []


def _is_name(name):
    """Whether a text is the name of a visible file in the folder, and no path."""
    visible = name.isprintable() and 0 < len(name) <= LENGTH and name[0] not in ".~"
    return visible and "/" not in name and "\\" not in name


FOLDER = ".reviews"  # below the folder of the tables
SETTINGS = ReviewSettings()
GIVES_WAY = 10.0  # seconds that a step waits for the tables, at most
LOOK = 0.01  # seconds between two looks at them


class GameReviews:
    """Kept reviews, and the queue of those that are computed. Call ``close`` at the end."""

    def __init__(self, tables: OpenTables) -> None:
        self.tables = tables
        self.queue = JobQueue()
        self.folder = ReviewFolder(tables.folder / FOLDER)

    def close(self) -> None:
        """End the thread after its step."""
        self.queue.close()

    def find(
        self, game: Game, by: str | None, people: Sequence[int] | None = None
    ) -> GameReview | None:
        """Return the kept review of a game by the lists of ``by``; None if there is none.

        Raises:
            ValueError: ``by`` is no agent with a list. One line.
        """
        return self.folder.find(game, review_digest(game, by, SETTINGS, people))

    def begin(self, game: Game, by: str | None, people: Sequence[int] | None = None) -> Job:
        """Return the job that reviews a game: the one that runs already, or a new one.

        Its state: ``done`` and ``of``, moves; ``error``, a line. When it has ended without an
        error, ``find`` returns the review.

        Raises:
            ValueError: ``by`` is no agent with a list, or too many reviews wait. One line.
        """
        digest = review_digest(game, by, SETTINGS, people)

        def steps(job: Job) -> Generator[None]:
            def report(done: int, of: int) -> None:
                self._give_way()
                job.update(done=done, of=of)

            review = yield from review_steps(game, by, SETTINGS, report, people=people)
            self.folder.keep(review, digest)
            keep_mistakes(review)

        return self._running_or_begun("review", digest, steps)

    def begin_other_moves(
        self, game: Game, turn: int, by: str | None, people: Sequence[int] | None = None
    ) -> Job:
        """Return the job that plays each legal move of a turn on; ``rows`` of its state are these.

        Raises:
            ValueError: As for ``begin``.
        """
        model = model_of(game, by, people)

        def rows() -> Iterator[OtherMove]:
            half = replace(SETTINGS, worlds=SETTINGS.worlds // 2)
            evaluator = model.evaluator(game.variant, half)
            yield from play_other_moves(game, turn, model.lists, evaluator)

        page = f"{review_digest(game, by, SETTINGS, people)} {turn}"
        return self._running_or_begun("moves", page, row_steps(rows()))

    def _running_or_begun(self, kind: str, page: str, steps: Steps) -> Job:
        return self.queue.running(kind, page) or self.queue.begin(Job(kind, page, steps))

    def _give_way(self):
        """Wait while the site computes a move or a page, at most ``GIVES_WAY`` seconds."""
        end = time.monotonic() + GIVES_WAY
        while self.tables.running and time.monotonic() < end:
            time.sleep(LOOK)


VERSION = 4  # of what a review computes; other versions are computed again
KEPT = 200  # files in a folder; the oldest ones are removed


# the content of a file: a review without its game, and a digest of all that it depends on
REVIEW_FIELDS = fields(GameReview)[1:]
KeptReview: Any = make_dataclass(
    "KeptReview", [("digest", str), *((one.name, one.type) for one in REVIEW_FIELDS)]
)
_FORMAT = TypeAdapter(KeptReview)


def review_digest(
    game: Game, by: str | None, settings: ReviewSettings, people: Sequence[int] | None = None
) -> str:
    """Return 32 hexadecimal digits of a game, its people, the lists of its seats, and settings.

    Raises:
        ValueError: ``by`` is no agent with a list. One line.
    """
    names, company, *others = model_of(game, by, people)
    deal = str(game.variant), game.seed, game.deck, game.moves
    parts = VERSION, deal, names, [EditedList.of(one).hash for one in company], others, settings
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


class ReviewFolder:
    """Kept reviews. Reading and writing are safe from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, game: Game, digest: str) -> GameReview | None:
        """Return the review of a game, None where none is kept or its file is damaged."""
        try:
            kept = _FORMAT.validate_json(read_text(self._path(digest)))
        except (ValueError, ValidationError):
            return None
        moves = [value.move for value in kept.moves]
        if kept.digest != digest or moves != list(game.moves[: len(moves)]):
            return None
        return GameReview(game, *(getattr(kept, one.name) for one in REVIEW_FIELDS))

    def keep(self, review: GameReview, digest: str) -> None:
        """Write a review, and remove the oldest ones beyond ``KEPT``.

        Raises:
            FileWriteError: The file cannot be written.
        """
        kept = KeptReview(digest, *(getattr(review, one.name) for one in REVIEW_FIELDS))
        make_folder(self.folder)
        write_whole(self._path(digest), _FORMAT.dump_json(kept))
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - KEPT)]:
            path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"
