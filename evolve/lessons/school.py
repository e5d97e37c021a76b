"""The school: questions about positions of real games, each with its answer and the reason.

The rules of choice. Every question comes from a mirror game whose seed follows from the seed of the
school; the first turn that fits is taken:

* ``play``: by hints and visible cards alone, exactly one card of the hand is surely playable, and
  two more were touched by hints;
* ``discard``: by these alone, exactly one card is surely useless, and it is not the oldest;
* ``save``: the last move was a hint to the player, and by the conventions of the agents it either
  promises that one card is playable or warns that it is a last copy, neither of which its literal
  content proves; the seed of the game decides which of the two is looked for;
* ``hint``: the last move was a hint to the player, and by the conventions of the agents it promises
  exactly one card to be playable that its literal content does not prove;
* ``choose``: in a reviewed game, the move that was made loses at least half a point against the
  best one, and one of the two is a hint and the other is none.

Knowledge grades the first two kinds, conventions the next two, and look-ahead the last.

A person's costly moves are kept in one file, and asked again by spaced repetition. Every review of
a game of people adds the moves whose cost is beyond its error. When a move is asked again follows
from the answers so far (FSRS, the package ``fsrs``).
"""

import hashlib
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tomlkit
from filelock import FileLock
from fsrs import Card, Rating, Scheduler
from platformdirs import user_data_path
from pydantic import TypeAdapter

from hanabi.evolve.analysis.candidates import Candidate
from hanabi.evolve.lessons.game_review import GameReview, review_game
from hanabi.evolve.measure.one_game import play_game
from hanabi.files import make_folder, read_toml, write_whole
from hanabi.game import snapshots
from hanabi.game_record import Game
from hanabi.knowledge.plain_interface import sight_of
from hanabi.lookahead.move_values import ReviewSettings
from hanabi.moves import NAMES, is_tell, target_of
from hanabi.notation import counted
from hanabi.player import ListPlayer
from hanabi.positions.position import Position
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.text.commentary import loss_text, meaning_of
from hanabi.text.move_facts import BY_AGE, move_in_words, move_words
from hanabi.view import critical

KINDS = ("play", "discard", "play", "discard", "save", "hint", "save", "hint", "choose", "choose")
SAVE_OR_PLAY = ("play it", "keep it, it is a last copy")
TEACHER = "convention-10"  # plays the games of all kinds but the last
PUPIL = "piers"  # plays the games of the last kind: it makes mistakes
LEAST_LOSS = 0.5  # points
TRIES = 60  # games that are searched for a position
SETTINGS = ReviewSettings(rollouts=1_000, worlds=400)


@dataclass(frozen=True)
class Question:
    """A question about a position.

    Attributes:
        kind: which rule of choice chose it.
        game: the game that it comes from.
        turn: the turn of the position.
        asks: the question.
        choices: the possible answers, in words.
        answer: the place of the right one.
        reason: why it is right.
        also: the places of all right ones, where there are several.
    """

    kind: str
    game: Game
    turn: int
    asks: str
    choices: tuple[str, ...]
    answer: int
    reason: str
    also: tuple[int, ...] = ()

    def is_right(self, place: int) -> bool:
        """Return whether an answer is right."""
        return place == self.answer or place in self.also

    @property
    def position(self) -> Position:
        """The position, the hand of the player to move written ``??``."""
        found = self.game.position(self.turn)
        hidden = tuple(card and replace(card, known=False) for card in found.hands[found.me])
        hands = tuple(hidden if seat == found.me else hand for seat, hand in enumerate(found.hands))
        return replace(found, hands=hands)

    def data(self) -> dict[str, Any]:
        """Return it as data that JSON can hold."""
        return dict(
            kind=self.kind,
            seed=self.game.seed,
            players=self.game.variant.seats,
            turn=self.turn,
            position=str(self.position),
            asks=self.asks,
            choices=list(self.choices),
            answer=self.answer + 1,
            reason=self.reason,
        )


def questions(seed: int, count: int = len(KINDS)) -> list[Question]:
    """Return the first questions of the school of a seed, from easy to hard.

    Raises:
        ValueError: There are no so many questions.
    """
    if not 1 <= count <= len(KINDS):
        raise ValueError(f"a school has 1 to {len(KINDS)} questions, not {count}")
    return [question(seed, number) for number in range(count)]


def question(seed: int, number: int) -> Question:
    """Return one question of the school of a seed; it depends on nothing else."""
    kind = KINDS[number]
    find, spec = FINDERS[kind], PUPIL if kind == "choose" else TEACHER
    for place, one in enumerate(game_seeds(seed, TRIES, 1_000 * number)):
        found = next(find(play_game([spec], 2 + (number + place) % 3, int(one) >> 12)), None)
        if found:
            return found
    raise ValueError(f"no position of the kind {kind} in {TRIES} games: take another seed")


def question_of_day(day: date) -> Question:
    """Return the question of a day."""
    seed = day.toordinal()
    return question(seed, seed % len(KINDS))


def _hand(view) -> list[tuple[int, int]]:
    """Return (number, slot) of the cards of the seat to move, the newest first."""
    at = BY_AGE.at(view)
    slots = [slot for slot in range(int(view.hand_size)) if int(view.filled[view.me]) >> slot & 1]
    return sorted((at(int(view.me), slot), slot) for slot in slots)


def _by_knowledge(game: Game, kind: str) -> Iterator[Question]:
    """Yield the questions on the one card that is surely of a kind."""
    asks = {
        "play": "Which of your cards can you play for certain?",
        "discard": "Which of your cards may go for certain?",
    }[kind]
    for turn, (state, view) in enumerate(snapshots(game.steps())[:-1]):
        hand, me = _hand(view), int(view.me)
        types = int(view.playable if kind == "play" else view.useless)
        possible = sight_of(state, view, me).possible()
        sure = [slot for _, slot in hand if possible[slot] and possible[slot] & ~types == 0]
        touched = int(view.touched[me]).bit_count()
        is_plain = touched < 3 if kind == "play" else sure == [hand[-1][1]]
        if len(sure) == 1 and not is_plain:
            what = "playable" if kind == "play" else "useless"
            answer = [slot for _, slot in hand].index(sure[0])
            yield Question(
                kind,
                game,
                turn,
                asks,
                tuple(f"slot {number}" for number, _ in hand),
                answer,
                f"Every card that slot {hand[answer][0]} can be, by its hints and the cards that "
                f"you see, is {what}. No other card of yours is that for certain.",
            )


class _Told(NamedTuple):
    """A hint to the player to move: its turn, what it means, and what the player sees after it."""

    turn: int
    words: str
    means: list[str]
    hand: list[tuple[int, int]]
    possible: list[int]
    view: np.record


def _told(game: Game) -> Iterator[_Told]:
    """Yield the hints of a game that promise or warn the player who moves next."""
    players = game.variant.seats
    player = load(TEACHER).at(players)
    assert isinstance(player, ListPlayer)
    company = [player] * players
    table = Table(game.variant, company, game.deck)
    walk = snapshots(table.replay(game.seed, range(players), game.moves))
    for turn, ((_, before), (state, view)) in enumerate(zip(walk, walk[1:-1]), 1):
        move, me = game.moves[turn - 1], int(view.me)
        if is_tell(move) and int(target_of(move)) == me:
            means = meaning_of(before, view, move, company)
            if means and means[0].startswith(("Promise", "Warning")):
                possible = sight_of(state, view, me).possible()
                words = move_words(before, view, move)
                yield _Told(turn, words, means, _hand(view), possible, view)


def _by_promise(game: Game) -> Iterator[Question]:
    """Yield the questions on which card the last hint promises to be playable."""
    for told in _told(game):
        promised = [
            place
            for place, (number, slot) in enumerate(told.hand)
            if f"slot {number} is playable" in " ".join(told.means)
            and told.possible[slot] & ~int(told.view.playable)
        ]
        if len(promised) == 1 and told.means[0].startswith("Promise"):
            yield Question(
                "hint",
                game,
                told.turn,
                f"{told.words}. By the conventions of {TEACHER}, "
                "which card does this hint tell you to play?",
                tuple(f"slot {number}" for number, _ in told.hand),
                promised[0],
                " ".join(told.means),
            )


def _by_warning(game: Game) -> Iterator[Question]:
    """Yield the questions whether the last hint says to play a card or to keep it."""
    wanted = "is a last copy" if game.seed % 2 else "is playable"
    for told in _told(game):
        kinds = int(critical(told.view) if game.seed % 2 else told.view.playable)
        for number, slot in told.hand:
            if f"slot {number} {wanted}" in told.means[0] and told.possible[slot] & ~kinds:
                yield Question(
                    "save",
                    game,
                    told.turn,
                    f"{told.words}. Save or play? By the conventions of {TEACHER}, "
                    f"what does this hint tell you about slot {number}?",
                    SAVE_OR_PLAY,
                    game.seed % 2,
                    " ".join(told.means),
                )


def _by_lookahead(game: Game) -> Iterator[Question]:
    """Yield the questions on a costly move: the move that was made, or the best one."""
    for value in sorted(review_game(game, settings=SETTINGS).mistakes, key=lambda v: -v.loss):
        if value.loss >= LEAST_LOSS and is_tell(value.move) != is_tell(value.best):
            view = game.at(value.turn)[1]
            moves = [value.best, value.move]
            random.Random(value.turn).shuffle(moves)
            yield Question(
                "choose",
                game,
                value.turn,
                f"Hint or not? All play on as {PUPIL} does. Which move scores more on average?",
                tuple(move_in_words(view, move, BY_AGE) for move in moves),
                moves.index(value.best),
                f"It scores {loss_text(value)} points more, played out in {SETTINGS.worlds} worlds "
                "that fit what you see.",
            )


FINDERS: dict[str, Callable[[Game], Iterator[Question]]] = {
    "play": lambda game: _by_knowledge(game, "play"),
    "discard": lambda game: _by_knowledge(game, "discard"),
    "save": _by_warning,
    "hint": _by_promise,
    "choose": _by_lookahead,
}


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
        write_mistakes([after if one == mistake else one for one in read_mistakes()])
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
        rows.append(
            dict(
                number=number,
                seat=NAMES[one.turn % Game.read(one.game).variant.seats],
                turn=one.turn,
                made=made.words,
                cost=made.cost,
                error=made.error,
                better=better.words,
                due=one.card["due"][:10],
            )
        )
    return rows
