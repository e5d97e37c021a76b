"""A person's costly moves: kept in one file, and asked again by spaced repetition.

Every review of a game of people adds the moves whose cost is beyond its error. When a move is asked
again follows from the answers so far (FSRS, the package ``fsrs``).
"""

import hashlib
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomlkit
from filelock import FileLock
from fsrs import Card, Rating, Scheduler
from platformdirs import user_data_path
from pydantic import TypeAdapter

from hanabi.evolve.analysis.candidates import Candidate
from hanabi.evolve.analysis.game_review import GameReview
from hanabi.evolve.analysis.school import Question
from hanabi.files import make_folder, read_toml, write_whole
from hanabi.game_record import Game
from hanabi.moves import NAMES
from hanabi.notation import counted

KEPT = 500  # moves at most: of more, those that were added first leave
_SCHEDULER = Scheduler(enable_fuzzing=False)
_NOTHING_YET = dict(step=None, stability=None, difficulty=None, last_review=None)


def new_card() -> dict[str, Any]:
    """Return what FSRS knows of a move that was never asked."""
    return _data(Card(card_id=1))


def _card(data):
    """Return the card of some data, from which what is unknown is left out."""
    return Card.from_dict(_NOTHING_YET | data)


def _data(card):
    return {key: value for key, value in card.to_dict().items() if value is not None}


@dataclass(frozen=True)
class Mistake:
    """A costly move of a person.

    Attributes:
        game: The text of the game.
        turn: The turn of the move.
        candidates: Moves with what each costs, the best first, then the one that was made.
        reason: Sentences on the move and the better one.
        card: What FSRS knows of it.
    """

    game: str
    turn: int
    candidates: tuple[Candidate, ...]
    reason: str
    card: dict[str, Any] = field(default_factory=new_card)

    @property
    def due(self) -> datetime:
        """When it is asked again."""
        return datetime.fromisoformat(self.card["due"])

    @property
    def key(self) -> str:
        """Sixteen hexadecimal digits of the deal, the turn and the move."""
        game = Game.read(self.game)
        what = str(game.variant), game.deck, self.turn, self.candidates[1].words
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    @property
    def question(self) -> Question:
        """The position as a question; the answers are in random order."""
        game, order = Game.read(self.game), list(range(len(self.candidates)))
        random.Random(self.turn).shuffle(order)
        best = order.index(0)
        costs = "; ".join(str(one) for one in self.candidates)
        return Question(
            "mistake",
            game,
            self.turn,
            f"You are {NAMES[self.turn % game.variant.seats]}. Which move costs nothing?",
            tuple(self.candidates[place].words for place in order),
            best,
            f"Costs in points: {costs}. {self.reason}",
            tuple(at for at, place in enumerate(order) if not self.candidates[place].is_costly),
        )

    def answered(self, right: bool, now: datetime | None = None) -> "Mistake":
        """Return it after an answer: a right one puts it off for longer."""
        card = _card(self.card)
        rating = Rating.Good if right else Rating.Again
        return replace(self, card=_data(_SCHEDULER.review_card(card, rating, now)[0]))


_FILE = TypeAdapter(list[Mistake])


def mistakes_file() -> Path:
    """Return the file of the collection: in HANABI_DATA or the user's data folder."""
    return Path(os.environ.get("HANABI_DATA") or user_data_path("hanabi")) / "mistakes.toml"


def _writing():
    """Return a lock on the collection, for other threads and processes."""
    return FileLock(make_folder(mistakes_file().parent) / "mistakes.lock")


def read_mistakes() -> list[Mistake]:
    """Return the collection, those that were added first at the beginning.

    Raises:
        ValueError: The file cannot be read, or holds something else. One line.
    """
    path = mistakes_file()
    if not path.exists():
        return []
    try:
        found = _FILE.validate_python(read_toml(path).get("mistakes", []))
        for one in found:
            _card(one.card)
            Game.read(one.game).position(one.turn)
            one.candidates[1]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path} is no collection of mistakes ({reason}): move it away") from None
    return found


def write_mistakes(mistakes: Sequence[Mistake]) -> None:
    """Write the collection.

    Raises:
        FileWriteError: The file cannot be written.
    """
    data = {"mistakes": _FILE.dump_python(list(mistakes)[-KEPT:], mode="json")}
    make_folder(mistakes_file().parent)
    write_whole(mistakes_file(), tomlkit.dumps(data))


def due_mistakes(now: datetime | None = None) -> list[Mistake]:
    """Return the moves that are to be asked now, the longest overdue first."""
    found = [one for one in read_mistakes() if one.due <= (now or datetime.now(UTC))]
    return sorted(found, key=lambda one: one.due)


def add_mistakes(review: GameReview) -> int:
    """Add the costly moves of the people of a reviewed game; return how many are new."""
    text = review.game.text
    said = {value.turn: review.sentences(value) for value in review.mistakes}
    found = [
        Mistake(text, turn, candidates, " ".join(said[turn]))
        for turn, candidates in review.choices.items()
    ]
    if not found:
        return 0
    with _writing():
        kept = read_mistakes()
        known = {one.key for one in kept}
        fresh = [one for one in found if one.key not in known]
        if fresh:
            write_mistakes([*kept, *fresh])
    return len(fresh)


def keep_mistakes(review: GameReview) -> str:
    """Add the costly moves of a review; return in a sentence what was added, or why nothing was.

    A review is of use without the collection, so what is wrong with that is said and not raised.
    """
    try:
        added = add_mistakes(review)
    except (OSError, ValueError) as error:
        return f"The costly moves were not added to your mistakes: {error}"
    return f"{counted(added, 'costly move')} added to your mistakes." if added else ""


def note_answer(mistake: Mistake, right: bool) -> Mistake:
    """Keep that a move was asked; return it with the time of the next question."""
    with _writing():
        after = mistake.answered(right)
        kept = [after if one == mistake else one for one in read_mistakes()]
        write_mistakes(kept)
    return after


def forget_mistakes(numbers: Sequence[str]) -> None:
    """Remove moves of the collection: their numbers from 1, or "all".

    Raises:
        ValueError: There is no such number. One line.
    """
    if not numbers:
        return
    with _writing():
        kept = read_mistakes()
        known = {str(number): one for number, one in enumerate(kept, 1)}
        for number in numbers:
            if number != "all" and number not in known:
                raise ValueError(f"--forget {number}: write all, or a number from 1 to {len(kept)}")
        gone = kept if "all" in numbers else [known[number] for number in numbers]
        write_mistakes([one for one in kept if one not in gone])


def mistake_rows(mistakes: Sequence[Mistake]) -> list[dict[str, Any]]:
    """Return the moves as rows of a table."""
    rows = []
    for number, one in enumerate(mistakes, 1):
        better, made = one.candidates[:2]
        game = Game.read(one.game)
        rows.append(
            dict(
                number=number,
                seat=NAMES[one.turn % game.variant.seats],
                turn=one.turn,
                made=made.words,
                cost=made.cost,
                error=made.error,
                better=better.words,
                due=one.card["due"][:10],
            )
        )
    return rows
