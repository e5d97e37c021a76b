"""Reviews of the site's games, computed in the background and kept in the folder of the tables.

One thread computes, a move of a game at a time. It waits while tables or pages compute.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence

from hanabi.evolve.analysis.game_review import GameReview, review_steps
from hanabi.evolve.analysis.kept_review import ReviewFolder, review_digest
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.workbench.job_queue import Job, JobQueue
from hanabi.game_record import Game
from hanabi.lookahead.move_values import ReviewSettings

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
            moves = review_steps(game, by, SETTINGS, people=people)
            while True:
                self._give_way()
                try:
                    done, wanted = next(moves)
                except StopIteration as end:
                    self.folder.keep(end.value, digest)
                    return
                job.update(done=done, of=wanted)
                yield

        running = self.queue.running(KIND, digest)
        return running or self.queue.begin(Job(KIND, digest, steps))

    def _give_way(self):
        """Wait while the site computes a move or a page, at most ``GIVES_WAY`` seconds."""
        end = time.monotonic() + GIVES_WAY
        while self.tables.running and time.monotonic() < end:
            time.sleep(LOOK)
