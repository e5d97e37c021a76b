"""The jobs of the workbench, except improvements: what a list is worth, and what each entry is.

Each job is a generator function of a ``Job``; ``Measurements`` makes them and has what they share.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from hanabi.conventions.register import CONVENTION_FAMILIES, sort_by_stage
from hanabi.evolve.analysis.loss_causes import CAUSES
from hanabi.evolve.measure.ablation import middle
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.job_queue import Job, Steps
from hanabi.evolve.workbench.list_scores import (
    BLOCK,
    PURPOSES,
    Estimate,
    ListScore,
    ListScores,
    PairedGain,
    play_block,
)
from hanabi.game_record import play_one
from hanabi.rulebook import FAMILIES, Family, Rule
from hanabi.rules import SETS
from hanabi.table import ListPlayer
from hanabi.variant import Variant

GAMES = (500, 20_000)  # the fewest and the most of a score
WORTH_GAMES = 2_000  # of a list without an entry
SWEEP_GAMES = (600, 4_000)  # of a list with a family of the library; of the best ten
SWEEP_BEST = 10  # families whose place and gain are measured again
NEAR_PLACES = 2  # places up and down that are tried for these
KINDS = ("play", "tell", "discard")
LISTED = 20  # games that changed most


class Order(NamedTuple):
    """A list at a player count: what most jobs are about."""

    listed: EditedList
    variant: Variant

    @property
    def key(self) -> str:
        """The name under which a page finds the points of the list again."""
        return self.listed.hash


@dataclass
class Measurements:
    """Makes the jobs of the workbench; ``scores`` has the points of all measured lists."""

    scores: ListScores

    def score(self, order: Order, games: int, against: str) -> Steps:
        """Return a job that scores a list, and pairs it with a list that was scored before.

        Its state: ``done``, ``of``, ``mean``, ``sem``, ``perfect``, ``shares`` (of decisions by
        place of the rule; the last: ``otherwise``), ``lost`` ([cause, points, standard error, the
        deal that lost most by it]), and with ``against``: ``gain``, ``gain_sem``, ``worse``,
        ``same``, ``better``, ``over`` (games of both).

        Args:
            order: The list.
            games: How many games, from 500 to 20,000.
            against: The key of the other list; "" for none.
        """

        def steps(job: Job) -> Generator[None]:
            other = self.scores.find(against, order.variant)
            job.update(done=0, of=games, key=order.key)
            player = order.listed.player
            for score in self.scores.play(player, order.key, order.variant, games):
                job.update(**score_data(score, games, order.variant.perfect))
                if other is not None:
                    job.update(**gain_data(PairedGain.of(score.points[:games], other.points)))
                yield

        return steps

    def _points(self, order: Order, games: int) -> Generator[None, None, ListScore]:
        """Play a list until it has some games, and return its score."""
        played = self.scores.play(order.listed.player, order.key, order.variant, games)
        score = next(played)
        for score in played:  # noqa: B007
            yield
        return score

    def worth(self, order: Order, games: int = WORTH_GAMES) -> Steps:
        """Return a job that measures each entry: points with it less points without it.

        Its state: ``rules`` and ``conventions``, [worth, standard error] by place or None while it
        is not measured; ``done`` and ``of``, games.
        """

        def steps(job: Job) -> Generator[None]:
            listed = order.listed
            found: dict[str, list[list[float | None] | None]] = {
                "rules": [None] * len(listed.rules),
                "conventions": [None] * len(listed.conventions),
            }
            total = (len(listed.rules) + len(listed.conventions) + 1) * games
            job.update(**found, done=0, of=total)
            score = yield from self._points(order, games)
            done = games
            for part, entries in found.items():
                for place in range(len(entries)):
                    points = []
                    for block in _blocks(_without(listed, part, place), order.variant, games):
                        points.append(block)
                        done += len(block)
                        job.update(done=done)
                        yield
                    gain = PairedGain.of(score.points[:games], np.concatenate(points)).gain
                    entries[place] = list(gain)
                    job.update(**{part: list(entries)})

        return steps

    def sweep(self, order: Order, museum: bool = False) -> Steps:
        """Return a job that measures what each family of the library would add to a list.

        Each family is tried at one place with the middle of its values: a rule before the first
        rule that comes later in its set. The best ten are then tried at the places around, with
        more games. A convention that comes with a rule is added together with it.

        Its state: ``rules`` and ``conventions``, by family [entry, place, gain, standard error,
        entry of the rule that comes with it]; ``done`` and ``of``, families.

        Args:
            order: The list.
            museum: The rules of papers instead of the living ones and those of users.
        """

        def steps(job: Job) -> Generator[None]:
            trials = list(_library_trials(order.listed, museum))
            found: dict[str, dict[str, list]] = {"rules": {}, "conventions": {}}
            job.update(**found, done=0, of=len(trials))
            few, many = SWEEP_GAMES
            score = yield from self._points(order, many)
            measured: list[tuple[float, _Trial]] = []
            for done, trial in enumerate(trials, 1):
                points: list[np.ndarray] = []
                yield from _collect(trial.listed, order.variant, few, points)
                gain = PairedGain.of(np.concatenate(points), score.points).gain
                measured.append((gain.mean or 0.0, trial))
                found[trial.part][trial.entry.family.name] = trial.row(gain)
                job.update(**_copied(found), done=done)
            best = sorted(measured, key=lambda pair: -pair[0])[:SWEEP_BEST]
            for _, trial in best:
                gains: list[tuple[Estimate, _Trial]] = []
                for moved in trial.places(order.listed):
                    points = []
                    yield from _collect(moved.listed, order.variant, few, points)
                    gains.append((PairedGain.of(np.concatenate(points), score.points).gain, moved))
                chosen = max(gains, key=lambda pair: pair[0].mean or 0.0)[1]
                points = []
                yield from _collect(chosen.listed, order.variant, many, points)
                gain = PairedGain.of(np.concatenate(points), score.points).gain
                found[trial.part][trial.entry.family.name] = chosen.row(gain)
                job.update(**_copied(found))

        return steps

    def changed_games(self, order: Order, against: Order) -> Steps:
        """Return a job that lists the games in which two scored lists differ most.

        Its state: ``changed`` ([deal, points of the first, points of the second], most changed
        first), ``histogram`` ([difference, games]), ``lowest`` and ``now_perfect`` (a deal or
        None: of the lowest score of the second, the first that became perfect).
        """

        def steps(job: Job) -> Generator[None]:
            old = self.scores.find(against.key, against.variant)
            new = self.scores.find(order.key, order.variant)
            if old is None or new is None:
                raise ValueError("These lists were not scored here: score both first.")
            games = min(len(old.points), len(new.points))
            before, after = (one.points[:games].astype(np.int64) for one in (old, new))
            change = after - before
            most = np.argsort(-np.abs(change), kind="stable")[:LISTED]
            values, counts = np.unique(change, return_counts=True)
            perfect = np.flatnonzero((after == order.variant.perfect) & (before < after))
            job.update(
                changed=[[int(i), int(before[i]), int(after[i])] for i in most if change[i]],
                histogram=[[int(value), int(count)] for value, count in zip(values, counts)],
                lowest=int(after.argmin()),
                now_perfect=int(perfect[0]) if len(perfect) else None,
                games=games,
            )
            yield

        return steps

    def game(self, order: Order, against: Order | None, deal: int) -> Steps:
        """Return a job that plays a deal with a list, and with another one.

        Its state: ``turn`` (the first turn at which the moves differ, or the last), ``new`` and
        ``old``: the games as data of the board (``old`` only with ``against``).
        """

        def steps(job: Job) -> Generator[None]:
            new = _play_deal(order, deal)
            yield
            old = _play_deal(against, deal) if against else None
            yield
            turn = _parting_turn(new["moves"], old["moves"]) if old else _first_loss(new["data"])
            job.update(turn=turn, deal=deal, new=new["data"], old=old and old["data"])
            yield

        return steps


def score_data(score: ListScore, games: int, perfect: int) -> dict[str, Any]:
    """Return a score over the first games as the state of a job."""
    points = score.points[:games]
    estimate = Estimate.of(points)
    decisions = max(1, int(score.fired.sum()))
    by_cause = zip(CAUSES.values(), score.lost_estimates(), score.worst)
    causes = sorted(by_cause, key=lambda row: -(row[1].mean or 0.0))
    lost = [[says, mean, sem, deal] for says, (mean, sem), (deal, _) in causes if mean]
    return {
        "done": len(points),
        "mean": estimate.mean,
        "sem": estimate.sem,
        "perfect": float((points == perfect).mean()) if len(points) else None,
        "shares": [round(int(times) / decisions, 6) for times in score.fired],
        "lost": lost,
    }


def gain_data(paired: PairedGain) -> dict[str, Any]:
    """Return a paired gain as the state of a job."""
    return {
        "gain": paired.gain.mean,
        "gain_sem": paired.gain.sem,
        "worse": paired.worse,
        "same": paired.same,
        "better": paired.better,
        "over": paired.worse + paired.same + paired.better,
    }


def _blocks(player: ListPlayer, variant: Variant, games: int) -> Iterator[np.ndarray]:
    """The points of the first games of a player on the deals of scores, block by block."""
    for first in range(0, games, BLOCK):
        block = play_block(player, variant, "score", first, min(BLOCK, games - first))
        yield block["score"]


def _collect(
    listed: EditedList, variant: Variant, games: int, points: list[np.ndarray]
) -> Iterator[None]:
    """Play games of a list; append their points, one block per step."""
    for block in _blocks(listed.player, variant, games):
        points.append(block)
        yield


def _without(listed: EditedList, part: str, place: int) -> ListPlayer:
    entries = getattr(listed, part)
    return listed.with_entries(part, entries[:place] + entries[place + 1 :]).player


class _Trial(NamedTuple):
    """A list with one more entry, and perhaps the rule that goes with it."""

    part: str
    entry: Rule
    place: int
    listed: EditedList
    companion: Rule | None = None

    def row(self, gain: Estimate) -> list[Any]:
        """The trial as data: entry, place, gain, standard error, entry of its companion."""
        return [self.entry.name, self.place, *gain, self.companion and self.companion.name]

    def places(self, base: EditedList) -> Iterator[_Trial]:
        """The same entry at the places around."""
        count = len(getattr(base, self.part))
        first, last = max(0, self.place - NEAR_PLACES), min(count, self.place + NEAR_PLACES)
        if self.part == "conventions":
            first = last = self.place
        for place in range(first, last + 1):
            yield _make_trial(base, self.part, self.entry, place, self.companion)


def _make_trial(
    base: EditedList, part: str, entry: Rule, place: int, companion: Rule | None
) -> _Trial:
    entries = getattr(base, part)
    changed = base.with_entries(part, (*entries[:place], entry, *entries[place:]))
    if companion:
        at = place_in_set(changed.rules, companion)
        rules = (*changed.rules[:at], companion, *changed.rules[at:])
        changed = replace(changed, rules=rules)
    return _Trial(part, entry, place, changed, companion)


def place_in_set(rules: Sequence[Rule], new: Rule) -> int:
    """Return the place at which a new rule is tried first.

    That is before the first rule whose family comes later in the smallest set that has the new
    one. If the list has no rule of that set, it is before the first rule of the same kind or of a
    later kind: plays, hints, discards.
    """
    name = new.family.name
    orders = [
        list(dict.fromkeys(entry.partition("(")[0] for entry in entries))
        for entries in SETS.values()
    ]
    order = min((one for one in orders if name in one), key=len, default=[])
    if order and any(rule.family.name in order for rule in rules):
        later = set(order[order.index(name) + 1 :])
        places = [i for i, rule in enumerate(rules) if rule.family.name in later]
    else:
        kind = KINDS.index(kind_of(new.family))
        places = [i for i, rule in enumerate(rules) if KINDS.index(kind_of(rule.family)) >= kind]
    return places[0] if places else len(rules)


def kind_of(family: Family) -> str:
    """Return "play", "tell" or "discard": the move that the rules of a family make.

    It is the first of these words in the family's name; without one, that of its module.
    """
    words = family.name.rpartition(".")[2].split("_")
    module = family.function.__module__.rpartition(".")[2]
    named = [word for word in words if word in KINDS]
    named += [kind for kind in KINDS if kind in module]
    return named[0] if named else "tell"


def is_of_museum(family: Family) -> bool:
    """Whether a rule comes from a paper."""
    return ".museum." in family.function.__module__


def _library_trials(base: EditedList, museum: bool) -> Iterator[_Trial]:
    """The list with each family of the library that it lacks."""
    held = {entry.family.name for entry in base.rules}
    for name, family in FAMILIES.items():
        if name not in held and is_of_museum(family) == museum:
            entry = middle(family)
            yield _make_trial(base, "rules", entry, place_in_set(base.rules, entry), None)
    spoken = {entry.family.name for entry in base.conventions}
    for name, family in CONVENTION_FAMILIES.items():
        if name in spoken or museum:
            continue
        answer = family.goes_with
        companion = middle(FAMILIES[answer]) if answer in FAMILIES and answer not in held else None
        trial = _make_trial(base, "conventions", middle(family), len(base.conventions), companion)
        if _fits(trial.listed):
            yield trial


def _fits(listed: EditedList) -> bool:
    try:
        sort_by_stage(listed.conventions)
    except ValueError:
        return False
    return True


def _copied(found: dict[str, dict[str, list]]) -> dict[str, dict[str, list]]:
    return {part: dict(rows) for part, rows in found.items()}


def _play_deal(order: Order, deal: int) -> dict[str, Any]:
    """Play one deal of the scores with copies of a list."""
    seeds, seats = deals(PURPOSES["score"], order.variant.seats, 1, deal)
    player = order.listed.player
    game = play_one(order.variant, [player], list(seats[0]), int(seeds[0]), agents=["list"])
    sitting = [player] * order.variant.seats
    return {"moves": list(game.moves), "data": game_data(game, sitting)}


def _parting_turn(new: list[int], old: list[int]) -> int:
    """The first turn at which two games differ, or the last turn of equal games."""
    for turn, (one, other) in enumerate(zip(new, old)):
        if one != other:
            return turn
    return min(len(new), len(old)) - (len(new) == len(old))


def _first_loss(data: dict[str, Any]) -> int:
    """The turn at which a game first lost a point, or 0."""
    return data["lost_at"] or 0
