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
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.analysis.game_review import review_game
from hanabi.evolve.measure.one_game import play_game
from hanabi.game_record import Game
from hanabi.knowledge.plain_interface import sight_of
from hanabi.lookahead.move_values import ReviewSettings
from hanabi.moves import is_tell, target_of
from hanabi.player import ListPlayer
from hanabi.positions.position import Position
from hanabi.rules.agents import load
from hanabi.steps import snapshots
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
        game = play_game([spec], 2 + (number + place) % 3, int(one) >> 12)
        found = next(find(game), None)
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
