"""Reviews of the site's games, computed in the background and kept in the folder of the tables.

One thread computes, a move of a game at a time. It waits while tables or pages compute.
"""

import hashlib
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from hanabi.evolve.analysis.candidates import Candidate
from hanabi.evolve.analysis.game_review import GameReview, model_of, review_steps
from hanabi.evolve.analysis.mistakes import keep_mistakes
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.workbench.job_queue import Job, JobQueue
from hanabi.files import make_folder, read_text, write_whole
from hanabi.game_record import Game
from hanabi.lookahead.move_values import MoveValue, ReviewSettings
from hanabi.player import ListPlayer
from hanabi.text.review_notes import MoveNotes

FOLDER = ".reviews"  # below the folder of the tables
SETTINGS = ReviewSettings()
GIVES_WAY = 10.0  # seconds that a step waits for the tables, at most
LOOK = 0.01  # seconds between two looks at them
KIND = "review"


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

        running = self.queue.running(KIND, digest)
        return running or self.queue.begin(Job(KIND, digest, steps))

    def _give_way(self):
        """Wait while the site computes a move or a page, at most ``GIVES_WAY`` seconds."""
        end = time.monotonic() + GIVES_WAY
        while self.tables.running and time.monotonic() < end:
            time.sleep(LOOK)


VERSION = 4  # of what a review computes; other versions are computed again
KEPT = 200  # files in a folder; the oldest ones are removed


@dataclass(frozen=True)
class _KeptReview:
    """The content of a file: a review without its game, and a digest of all that it depends on."""

    digest: str
    by: tuple[str, ...]
    moves: tuple[MoveValue, ...]
    notes: dict[int, MoveNotes]
    people: tuple[int, ...]
    peers: dict[str, tuple[int, ...]]
    choices: dict[int, tuple[Candidate, ...]]
    par: str


_FORMAT = TypeAdapter(_KeptReview)
KEPT_FIELDS = [one.name for one in fields(_KeptReview)[1:]]  # those of GameReview, in its order


def review_digest(
    game: Game, by: str | None, settings: ReviewSettings, people: Sequence[int] | None = None
) -> str:
    """Return 32 hexadecimal digits of a game, its people, the lists of its seats, and settings.

    Raises:
        ValueError: ``by`` is no agent with a list. One line.
    """
    names, company, *others = model_of(game, by, people)
    deal = str(game.variant), game.seed, game.deck, game.moves
    parts = VERSION, deal, names, [_content(one) for one in company], others, settings
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _content(player: ListPlayer) -> tuple[object, ...]:
    rules: Sequence[str] = [rule.name for rule in player.rules]
    conventions = [entry.name for entry in player.conventions]
    return rules, conventions, sorted(player.weights), player.otherwise


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
        return GameReview(game, *(getattr(kept, name) for name in KEPT_FIELDS))

    def keep(self, review: GameReview, digest: str) -> None:
        """Write a review, and remove the oldest ones beyond ``KEPT``.

        Raises:
            FileWriteError: The file cannot be written.
        """
        kept = _KeptReview(digest, *(getattr(review, name) for name in KEPT_FIELDS))
        make_folder(self.folder)
        write_whole(self._path(digest), _FORMAT.dump_json(kept))
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - KEPT)]:
            path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"
