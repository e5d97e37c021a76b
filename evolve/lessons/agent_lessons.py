"""Lessons about one agent: each of its conventions with an example from its games, and a quiz.

An agent without conventions is taught by its rules instead. The games are mirror games of its list
on fixed seeds, so the same agent has the same lessons. The rules of choice:

* A convention of hints is shown by a hint that has this meaning; ``chop`` by a discard of the card
  that everybody expected; ``no_warning`` by a move after which a card is taken for no last copy;
  ``played_leaves`` and ``touched_useful`` by a move that narrows what a card is taken for. A rule
  is shown by a move that it decided.
* The first move is taken after which the player concerned did as told at its next turn; where the
  first ``ENOUGH`` games have none, the first move. At most ``GAMES`` games are searched.
* A question takes such a move of games that follow from its seed, and asks by turns what the move
  means and which sentence says so. The wrong answers are what other hints of the same position
  would mean, and other sentences of the agent.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hanabi.backend import lowest
from hanabi.conventions.marks import CONSIDER, prepare_reading, read
from hanabi.conventions.register import sort_by_stage
from hanabi.conventions.slot_sets import agreed_chop, all_useless
from hanabi.evolve.lessons.school import Question
from hanabi.game import event_card, event_fits, legal_moves, snapshots
from hanabi.game_record import Game, play_one
from hanabi.moves import (
    FORFEIT,
    NAMES,
    SLOTS,
    card_text,
    is_discard,
    is_play,
    is_tell,
    slot_of,
    target_of,
)
from hanabi.player import ListPlayer, followed_list
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent
from hanabi.table import Table, game_seeds
from hanabi.text.commentary import meaning_of
from hanabi.text.move_facts import BY_AGE, move_in_words, move_words
from hanabi.variant import read_variant

GAMES = 60  # mirror games that are searched for examples, at most
ENOUGH = 12  # games after which any example does
QUIZ = 10  # questions
QUIZ_GAMES = 25  # games that are searched for questions
PER_SENTENCE = 3  # moves that are kept for a sentence, in a quiz
CHOICES = 4
FIRST_SEED = 1
NO_WARNING = "No warning:"
BY_CHANCE = "by chance"  # in the sentence of a rule whose move nobody can foresee


class Concern(NamedTuple):
    """The card that a move is about.

    Attributes:
        seat: Who holds it.
        born: Its place in the order of drawing; -1 for no single card.
        asks: The move that it asks for: "play", "keep" (no discard), or "" for none.
    """

    seat: int
    born: int
    asks: str


class Moment(NamedTuple):
    """A move that shows an entry of an agent.

    Attributes:
        entry: The place of the convention or rule in ``Subject.entries``.
        turn: The turn of the move.
        meaning: What it means, as sentences.
        concern: The card that it is about; None for no single one.
    """

    entry: int
    turn: int
    meaning: tuple[str, ...]
    concern: Concern | None


@dataclass(frozen=True)
class Example:
    """An example from a game.

    Attributes:
        game: The game.
        turn: The turn of the move; the position is the one before it.
        last: The last turn of what happened.
        move: The move, as a sentence.
        meaning: What it means, as sentences.
        happened: The moves after it, as sentences.
    """

    game: Game
    turn: int
    last: int
    move: str
    meaning: tuple[str, ...]
    happened: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """A convention or a rule: its name in agent files, its sentence, and an example or None."""

    name: str
    says: str
    example: Example | None

    def data(self) -> dict[str, Any]:
        """Return it as data that JSON can hold."""
        one = self.example
        shown = one and dict(
            seed=one.game.seed,
            players=one.game.variant.seats,
            turn=one.turn,
            position=str(one.game.position(one.turn)),
            move=one.move,
            meaning=list(one.meaning),
            happened=list(one.happened),
        )
        return dict(name=self.name, says=self.says, example=shown)


@dataclass(frozen=True)
class Subject:
    """An agent that is taught.

    Attributes:
        name: Its name.
        players: The number of players.
        player: Its list.
        entries: Its conventions by stages, or its rules if it has none.
        by_conventions: Whether the entries are conventions.
        departs: How it departs from its list, as words after its name; "" if it does not. Its
            lessons are about the list alone.
    """

    name: str
    players: int
    player: ListPlayer
    entries: tuple[Rule, ...]
    by_conventions: bool
    departs: str

    @staticmethod
    def of(agent: Agent, players: int) -> "Subject":
        """Return an agent as what is taught.

        Raises:
            ValueError: It does not play with this number of players, or has no list.
        """
        if not agent.plays(players):
            known = ", ".join(str(count) for count in range(2, 6) if agent.plays(count))
            raise ValueError(f"{agent.name} has no list for {players} players: it plays {known}")
        departs = agent.kind.phrase if agent.kind else ""
        if not is_taught(agent):
            raise ValueError(
                f"{agent.name} cannot be taught: it {departs or 'is no list of rules'}"
            )
        player = followed_list(agent.at(players))
        conventions = sort_by_stage(player.conventions)
        entries = conventions or player.rules
        return Subject(agent.name, players, player, entries, bool(conventions), departs)

    @property
    def intro(self) -> str:
        """What its hints are, as sentences."""
        count = len(self.entries)
        said = (
            f"mean more than they say. These {count} sentences say what, in this order: a hint has"
            " the first meaning that applies."
            if self.by_conventions
            else f"mean what they say. Of its {count} rules, the first that applies makes its move."
        )
        otherwise = f" It {self.departs}, so it may move otherwise." if self.departs else ""
        return f"Hints of {self.name} {said}{otherwise}"

    def play(self, seed: int) -> Game:
        """Play a mirror game of the list."""
        variant = read_variant("standard").at(self.players)
        return play_one(variant, [self.player], [0] * self.players, seed)

    def walk(self, game: Game) -> list[np.record]:
        """Return the view before each move of a game, and after the last one."""
        moves = [move for move in game.moves if move != FORFEIT]
        table = Table(game.variant, [self.player], game.deck)
        return [view for _, view in snapshots(table.replay(game.seed, [0] * self.players, moves))]

    def moments(self, game: Game, views: Sequence[np.record]) -> Iterator[Moment]:
        """Yield the moves of a game that show an entry."""
        find = self._conventions if self.by_conventions else self._rules
        for turn, (before, after) in enumerate(zip(views, views[1:])):
            yield from find(game, turn, before, after)

    def _rules(self, game, turn, before, after):
        names, move = [rule.name for rule in self.entries], game.moves[turn]
        if game.rules[turn] in names:
            place = names.index(game.rules[turn])
            concern = Concern(int(target_of(move)), -1, "") if is_tell(move) else None
            yield Moment(place, turn, (f"Rule {place + 1} decides.",), concern)

    def _conventions(self, game, turn, before, after):
        move = game.moves[turn]
        places: dict[str, int] = {}
        for place, entry in enumerate(self.entries):
            places.setdefault(entry.family.name, place)
        reading = _reading_of(before, move)
        if is_tell(move) and reading.meaning >= 0:
            lines = meaning_lines(self, before, move)
            if lines:
                yield Moment(int(reading.meaning), turn, lines, _concern(before, after, move))
        if "no_warning" in places and reading.safe:
            lines = tuple(line for line in _all_lines(self, before, move) if NO_WARNING in line)
            seat = (int(before.me) + 1) % self.players
            if lines:
                yield Moment(places["no_warning"], turn, lines, Concern(seat, -1, ""))
        for name, find in (
            ("chop", _expected_discard),
            ("played_leaves", _left_by_a_play),
            ("touched_useful", _useful_touched),
        ):
            if name in places:
                for line, concern in find(before, after, move):
                    yield Moment(places[name], turn, (line,), concern)


def is_taught(agent: Agent) -> bool:
    """Return whether an agent has lessons: a list that it plays by, or departs from."""
    return bool(agent.lists) and (agent.kind is None or agent.kind.wraps_list)


def _asked(view: np.record) -> np.record:
    """Return a view of which the agent's own conventions can be asked."""
    asked = view.copy()
    asked.list = 0
    return asked


def _reading_of(view: np.record, move: int) -> np.record:
    """Return the reading of a move that is only considered."""
    asked = _asked(view)
    read(asked, CONSIDER - move)
    return asked.readings[0]


def _all_lines(subject, view, move):
    """Return all sentences on what a considered move means."""
    return meaning_of(view, view, move, [subject.player] * subject.players, BY_AGE)


def meaning_lines(subject: Subject, view: np.record, move: int) -> tuple[str, ...]:
    """Return what a considered hint says beyond its literal content, without names of conventions.

    The name would give the answer of a question away.
    """
    names = "|".join(re.escape(entry.family.name) for entry in subject.entries)
    return tuple(
        re.sub(rf" \((?:{names})\)", "", line)
        for line in _all_lines(subject, view, move)
        if NO_WARNING not in line and line != "It means what it says."
    )


def _concern(before, after, move):
    """Return the card that a hint is about: one newly promised, ordered or warned about."""
    old, new = before.marks[0], after.marks[0]
    target = int(target_of(move))
    for seat in (target, *(seat for seat in range(before.players) if seat != target)):
        for names, asks in (("pledged", "play"), ("warned", "keep")):
            fresh = int(getattr(new, names)[seat]) & ~int(getattr(old, names)[seat])
            if fresh:
                return Concern(seat, int(before.born[seat, lowest(fresh)]), asks)
    return Concern(target, -1, "")


def _expected_discard(before, after, move):
    """Yield the discard of the card that everybody expects to be discarded."""
    me, marks = int(before.me), before.marks[0]
    is_busy = int(marks.plays[me]) or int(all_useless(before, marks.assumed[me]))
    if not is_discard(move) or is_busy:
        return
    born, slot = before.born[me].tolist(), int(slot_of(move))
    if slot == int(agreed_chop(_asked(before), me)):
        number = BY_AGE.number(born, slot)
        where = "" if number == BY_AGE.held(born)[-1] else ", though it is not the oldest"
        yield f"Everybody expects {NAMES[me]} to discard slot {number}{where}.", None


def _left_by_a_play(before, after, move):
    """Yield what a held card is no longer taken for, after a play."""
    event = int(after.history[before.turn])
    if not is_play(move) or not event_fits(event):
        return
    card = int(event_card(event))
    for seat in range(before.players):
        for slot in range(SLOTS):
            born = int(before.born[seat, slot])
            lost = int(before.marks[0].assumed[seat, slot] & ~after.marks[0].assumed[seat, slot])
            possible = int(after.mask[seat, slot])
            if born == after.born[seat, slot] >= 0 and (lost & possible) >> card & 1:
                number = BY_AGE.number(before.born[seat].tolist(), slot)
                yield (
                    f"Slot {number} of {NAMES[seat]} is taken for no second {card_text(card)}.",
                    Concern(seat, born, ""),
                )
                return


def _useful_touched(before, after, move):
    """Yield a touched card that is taken for one that can still be played."""
    if not is_tell(move):
        return
    asked = _asked(before)
    prepare_reading(asked, move)
    plain, said = asked.readings[0].copy(), _reading_of(before, move)
    target = int(said.target)
    for slot in range(SLOTS):
        lost = int(plain.assumed[slot]) & ~int(said.assumed[slot])
        if int(said.slots) >> slot & 1 and lost & int(before.useless):
            number = BY_AGE.number(before.born[target].tolist(), slot)
            yield (
                f"Slot {number} of {NAMES[target]} is taken for a card that can still be played.",
                Concern(target, int(before.born[target, slot]), ""),
            )
            return


# ---- examples


def lessons(subject: Subject, games: int = GAMES) -> list[Lesson]:
    """Return each convention or rule of an agent with an example from its games."""
    first: dict[int, Example] = {}
    best: dict[int, Example] = {}
    for seed in range(FIRST_SEED, FIRST_SEED + games):
        shown = best if seed < FIRST_SEED + ENOUGH else best | first
        if len(shown) == len(subject.entries):
            break
        game = subject.play(seed)
        views = subject.walk(game)
        for moment in subject.moments(game, views):
            last, obeyed = follow_up(moment, game, views)
            kept = best if obeyed else first
            if moment.entry not in kept:
                kept[moment.entry] = _example(moment, last, game, views)
    return [
        Lesson(entry.name, entry.says, best.get(place) or first.get(place))
        for place, entry in enumerate(subject.entries)
    ]


def follow_up(moment: Moment, game: Game, views: Sequence[np.record]) -> tuple[int, bool]:
    """Return (the last turn of what happened, whether the player concerned did as told)."""
    turn, concern = moment.turn, moment.concern
    last = len(views) - 2  # of a move that was made
    if concern is None:
        return min(turn + 1, last), True
    players = int(views[0].players)
    reply = turn + ((concern.seat - turn - 1) % players) + 1
    if reply > last or concern.seat == turn % players:
        return last if reply > last else min(reply, last), False
    move = game.moves[reply]
    slot = int(slot_of(move)) if not is_tell(move) else -1
    is_card = slot >= 0 and int(views[reply].born[concern.seat, slot]) == concern.born
    obeyed = {
        "play": is_card and bool(is_play(move)),
        "keep": not (is_card and bool(is_discard(move))),
        "": True,
    }[concern.asks]
    return reply, obeyed


def _example(moment, last, game, views):
    def words(turn: int) -> str:
        return move_words(views[turn], views[turn + 1], game.moves[turn], BY_AGE) + "."

    happened = tuple(words(turn) for turn in range(moment.turn + 1, last + 1))
    return Example(game, moment.turn, last, words(moment.turn), moment.meaning, happened)


# ---- the quiz


def quiz(subject: Subject, seed: int, count: int = QUIZ) -> list[Question]:
    """Return questions about an agent.

    Raises:
        ValueError: The games give no so many.
    """
    chance = random.Random(f"{subject.name} {seed}")
    by_entry: dict[int, list[tuple[Moment, Game, list[np.record]]]] = {}
    for one in game_seeds(seed, QUIZ_GAMES, 0):
        if sum(map(len, by_entry.values())) >= 3 * count and len(by_entry) >= count:
            break
        game = subject.play(int(one) >> 12)
        views = subject.walk(game)
        for moment in subject.moments(game, views):
            kept = by_entry.setdefault(moment.entry, [])
            if len(kept) < PER_SENTENCE:
                kept.append((moment, game, views))
    asked: list[Question] = []
    for place in range(PER_SENTENCE * 2):
        entries = [entry for entry in sorted(by_entry) if len(by_entry[entry]) > place % 3]
        chance.shuffle(entries)
        for entry in entries:
            moment, game, views = by_entry[entry][place % PER_SENTENCE]
            means = (len(asked) + place // PER_SENTENCE) % 2 == 0
            make = _ask_meaning if means else _ask_sentence
            question = make(subject, moment, game, views, chance) or _ask_sentence(
                subject, moment, game, views, chance
            )
            if question and len(asked) < count and question not in asked:
                asked.append(question)
    if len(asked) < count:
        raise ValueError(f"games of {subject.name} give {len(asked)} questions, not {count}")
    return asked


def _ask_meaning(subject, moment, game, views, chance):
    """Ask what a hint means, or which move the rules make; None if there is one answer only."""
    view, move = views[moment.turn], game.moves[moment.turn]
    me = NAMES[view.me]
    if not subject.by_conventions:
        if BY_CHANCE in subject.entries[moment.entry].says:
            return None
        right, asks = move_in_words(view, move, BY_AGE), f"What does {subject.name} do as {me}?"
        others = [move_in_words(view, one, BY_AGE) for one in legal_moves(view) if one != move]
        reason = f"By its rule {moment.entry + 1}: {subject.entries[moment.entry].says}"
    elif is_tell(move) and subject.entries[moment.entry].family.stage == "meaning":
        right = " ".join(moment.meaning)
        hint = move_in_words(view, move, BY_AGE)
        asks = f"You are {me}, and consider to {hint}. What does that say to {subject.name}?"
        hints = [one for one in legal_moves(view) if is_tell(one) and one != move]
        hints.sort(key=lambda one: target_of(one) != target_of(move))
        others = [" ".join(meaning_lines(subject, view, one)) for one in hints]
        reason = f"By this sentence: {subject.entries[moment.entry].says}"
    else:
        return None
    wrong = [text for text in dict.fromkeys(others) if text and text != right]
    if not subject.by_conventions:
        chance.shuffle(wrong)
    return _question(moment, game, asks, right, wrong[: CHOICES - 1], reason, chance)


def _ask_sentence(subject, moment, game, views, chance):
    """Ask which sentence of the agent gives a move its meaning."""
    before, after = views[moment.turn], views[moment.turn + 1]
    words = move_words(before, after, game.moves[moment.turn], BY_AGE)
    said = f"{words}. {' '.join(moment.meaning)}" if subject.by_conventions else f"{words}."
    asks = f"{said} Which sentence of {subject.name} is behind it?"
    right = subject.entries[moment.entry].says
    wrong = list(dict.fromkeys(entry.says for entry in subject.entries if entry.says != right))
    chance.shuffle(wrong)
    reason = "It is the first of its sentences that applies."
    return _question(moment, game, asks, right, wrong[: CHOICES - 1], reason, chance)


def _question(moment, game, asks, right, wrong, reason, chance):
    if not wrong:
        return None
    choices = [right, *wrong]
    chance.shuffle(choices)
    return Question("agent", game, moment.turn, asks, tuple(choices), choices.index(right), reason)
