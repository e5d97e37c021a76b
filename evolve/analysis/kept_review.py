"""Reviews as files that read back: a folder with one file per game, model and settings.

The name of a file follows from all that the review depends on, so a review is never taken for that
of another game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from hanabi.evolve.analysis.game_review import GameReview, model_of
from hanabi.files import FileWriteError, read_text, write_whole
from hanabi.game_record import Game
from hanabi.lookahead.move_values import MoveValue, ReviewSettings
from hanabi.player import ListPlayer
from hanabi.text.review_notes import MoveNotes

VERSION = 3  # of what a review computes; other versions are computed again
KEPT = 200  # files in a folder; the oldest ones are removed


@dataclass(frozen=True)
class _KeptReview:
    """What a file holds: a review without its game, and the digest of what it depends on."""

    digest: str
    by: tuple[str, ...]
    moves: tuple[MoveValue, ...]
    notes: dict[int, MoveNotes]
    people: tuple[int, ...]
    peers: dict[str, tuple[int, ...]]


_FORMAT = TypeAdapter(_KeptReview)


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
        return GameReview(game, kept.by, kept.moves, kept.notes, kept.people, kept.peers)

    def keep(self, review: GameReview, digest: str) -> None:
        """Write a review, and remove the oldest ones beyond ``KEPT``.

        Raises:
            FileWriteError: The file cannot be written.
        """
        kept = _KeptReview(
            digest, review.by, review.moves, review.notes, review.people, review.peers
        )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileWriteError(self.folder, error) from None
        write_whole(self._path(digest), _FORMAT.dump_json(kept))
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - KEPT)]:
            path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"
