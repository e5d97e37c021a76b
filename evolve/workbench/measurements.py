"""The jobs of the workbench, except improvements: what a list is worth, and what each entry is.

Each job is a generator function of a ``Job``; ``Measurements`` makes them and has what they share.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hanabi.conventions.register import find_convention
from hanabi.evolve.analysis.candidates import OtherMove, play_other_moves
from hanabi.evolve.analysis.loss_causes import CAUSES
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.paired import Estimate, PairedGain
from hanabi.evolve.measure.variations import edited, inserted
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.job_queue import Job, job_steps
from hanabi.evolve.workbench.library_sweep import MORE_GAMES, sweep_steps
from hanabi.evolve.workbench.list_scores import (
    PURPOSES,
    ListGames,
    ListScore,
    ListScores,
    find_deal,
)
from hanabi.game_record import Game
from hanabi.lookahead.move_values import NEVER, MoveEvaluator, ReviewSettings
from hanabi.player import RuleFailedError
from hanabi.rulebook import find
from hanabi.table import ListPlayer, Table
from hanabi.variant import Variant

PARTS = ("rules", "conventions")
Worth = list[float | None] | None  # [worth, standard error]; None while it is not measured
OffEntries = Mapping[str, Sequence[tuple[int, str]]]  # by part (place before which it stands, text)
GAMES = (500, 20_000)  # the fewest and the most of a score
WORTH_GAMES = 2_000  # of a list without an entry
WORLDS = 400  # deals in which each other move of a turn is played on
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

    @job_steps
    def score(self, order: Order, games: int, against: str, *, job: Job) -> Generator[None]:
        """Return a job that scores a list, and pairs it with a list that was scored before.

        Its state: ``done``, ``of``, ``mean``, ``sem``, ``perfect``, ``shares`` (of decisions by
        place of the rule; the last: ``otherwise``), ``lost`` ([cause, points, standard error, the
        deal that lost most by it]), and with ``against``: ``gain``, ``gain_sem``, ``worse``,
        ``same``, ``better``, ``over`` (games of both). Where a user rule fails: ``error``, and
        ``failed`` with ``rule``, ``seed``, ``turn``, and ``deal`` (None in a trial game).

        Args:
            order: The list.
            games: How many games, from 500 to 20,000.
            against: The key of the other list; "" for none.
            job: The job.
        """
        other = self.scores.find(against, order.variant)
        job.update(done=0, of=games, key=order.key)
        try:
            for score in self.scores.play(order.listed.player, order.key, order.variant, games):
                job.update(**score_data(score, games, order.variant.perfect))
                if other is not None:
                    paired = PairedGain.of(score.points[:games], other.points)
                    job.update(
                        gain=paired.gain.mean,
                        gain_sem=paired.gain.sem,
                        worse=paired.worse,
                        same=paired.same,
                        better=paired.better,
                        over=paired.worse + paired.same + paired.better,
                    )
                yield
        except RuleFailedError as error:
            deal = None if error.trial else find_deal(order.variant, error.seed, GAMES[1])
            job.update(
                failed=dict(rule=error.rule.name, seed=str(error.seed), turn=error.turn, deal=deal)
            )
            raise

    def _points(self, order: Order, games: int) -> Generator[None, None, ListScore]:
        """Play a list until it has some games, and return its score."""
        played = self.scores.play(order.listed.player, order.key, order.variant, games)
        score = next(played)
        for score in played:  # noqa: B007
            yield
        return score

    @job_steps
    def worth(
        self, order: Order, games: int = WORTH_GAMES, off: OffEntries | None = None, *, job: Job
    ) -> Generator[None]:
        """Return a job that measures each entry: points with it less points without it.

        Its state: ``rules`` and ``conventions``, [worth, standard error] by place or None while it
        is not measured; ``off``, by part the same of entries that are switched off; ``done`` and
        ``of``, games.

        Args:
            order: The list.
            games: The games of each entry.
            off: Entries that are switched off, by part (place before which it stands, entry).
            job: The job.
        """
        listed, switched = order.listed, {part: (off or {}).get(part, ()) for part in PARTS}
        found: dict[str, list[Worth]] = {
            part: [None] * len(getattr(listed, part)) for part in PARTS
        }
        added: dict[str, list[Worth]] = {part: [None] * len(switched[part]) for part in PARTS}
        changes = [
            (worths, place, edited(listed, part, place).player, 1)
            for part, worths in found.items()
            for place in range(len(worths))
        ] + [
            (added[part], i, player, -1)
            for part in PARTS
            for i, (place, text) in enumerate(switched[part])
            if (player := _with(listed, part, place, text))
        ]
        job.update(**deepcopy(found), off=deepcopy(added), done=0, of=(1 + len(changes)) * games)
        score = yield from self._points(order, games)
        for number, (worths, place, player, sign) in enumerate(changes, 1):
            other = ListGames(player, order.variant, "score")
            for _ in other.extend(games):
                job.update(done=number * games + len(other.points))
                yield
            gain = PairedGain.of(score.points[:games], other.points).gain
            worths[place] = [sign * (gain.mean or 0.0), gain.sem]
            job.update(**deepcopy(found), off=deepcopy(added))

    @job_steps
    def sweep(self, order: Order, museum: bool = False, *, job: Job) -> Generator[None]:
        """Return a job that measures what each family of the library would add to a list.

        See ``library_sweep.sweep_steps``.

        Args:
            order: The list.
            museum: The rules of papers instead of the living ones and those of users.
            job: The job.
        """
        score = yield from self._points(order, MORE_GAMES[-1][0])
        yield from sweep_steps(job, order.listed, order.variant, museum, score.points)

    @job_steps
    def changed_games(self, order: Order, against: Order, *, job: Job) -> Generator[None]:
        """Return a job that lists the games in which two scored lists differ most.

        Its state: ``changed`` ([deal, points of the first, points of the second], most changed
        first), ``largest_loss`` and ``now_perfect`` (such a row or None: of the most points lost,
        of the first deal that became perfect), ``histogram`` ([difference, games]), ``lowest`` (the
        deal of the lowest score of the second).
        """
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
        least = int(change.argmin())

        def row(deal: int) -> list[int]:
            return [int(deal), int(before[deal]), int(after[deal])]

        job.update(
            changed=[row(deal) for deal in most if change[deal]],
            largest_loss=row(least) if change[least] < 0 else None,
            histogram=[[int(value), int(count)] for value, count in zip(values, counts)],
            lowest=int(after.argmin()),
            now_perfect=row(perfect[0]) if len(perfect) else None,
            games=games,
        )
        yield

    @job_steps
    def game(self, order: Order, against: Order | None, deal: int, *, job: Job) -> Generator[None]:
        """Return a job that plays a deal with a list, and with another one.

        Its state: ``turn`` (the first turn at which the moves differ, or the last), ``new`` and
        ``old``: the games as data of the board (``old`` only with ``against``). A game in which a
        user rule fails ends at that turn.
        """
        new = _deal_data(order, deal)
        yield
        old = _deal_data(against, deal) if against else None
        yield
        turn = _parting_turn(new["moves"], old["moves"]) if old else new["data"]["lost_at"] or 0
        job.update(turn=turn, deal=deal, new=new["data"], old=old and old["data"])
        yield


def other_moves(order: Order, deal: int, turn: int) -> Iterator[OtherMove]:
    """Yield each legal move of a turn of a deal of a list, which plays on after it."""
    company = [order.listed.player] * order.variant.seats
    settings, departures = ReviewSettings(worlds=WORLDS), [NEVER] * order.variant.seats
    evaluator = MoveEvaluator(order.variant, company, settings, departures)
    yield from play_other_moves(_play_deal(order, deal), turn, company, evaluator)


def score_data(score: ListScore, games: int, perfect: int) -> dict[str, Any]:
    """Return a score over the first games as the state of a job."""
    points = score.points[:games]
    estimate = Estimate.of(points)
    decisions = max(1, int(score.fired.sum()))
    by_cause = zip(CAUSES.values(), score.lost_estimates(), score.worst)
    causes = sorted(by_cause, key=lambda row: -(row[1].mean or 0.0))
    lost = [[says, mean, sem, int(deal)] for says, (mean, sem), (deal, _) in causes if mean]
    return {
        "done": len(points),
        "mean": estimate.mean,
        "sem": estimate.sem,
        "perfect": float((points == perfect).mean()) if len(points) else None,
        "shares": [round(int(times) / decisions, 6) for times in score.fired],
        "lost": lost,
    }


def _with(listed: EditedList, part: str, place: int, text: str) -> ListPlayer | None:
    """The list with one more entry; None if that entry is wrong."""
    try:
        entry = (find if part == "rules" else find_convention)(text)
        return inserted(listed, part, place, entry).player
    except ValueError:
        return None


def _play_deal(order: Order, deal: int) -> Game:
    """Play one deal of the scores with copies of a list, up to the turn at which a rule fails."""
    seeds, seats = deals(PURPOSES["score"], order.variant.seats, 1, deal)
    seed, made = int(seeds[0]), []
    table = Table(order.variant, [order.listed.player])
    with suppress(RuleFailedError):
        for step in table.steps(seed, list(seats[0])):
            made.append(step)
    return Game(
        order.variant,
        seed,
        None,
        tuple(step.move for step in made),
        ("list",) * order.variant.seats,
        tuple(step.reason for step in made),
    )


def _deal_data(order: Order, deal: int) -> dict[str, Any]:
    """Return the moves of a deal, and its data for the board."""
    game = _play_deal(order, deal)
    # at the position where a rule fails, what the list answers cannot be asked
    sitting = [order.listed.player] * order.variant.seats if game.end else []
    return {"moves": list(game.moves), "data": game_data(game, sitting)}


def _parting_turn(new: list[int], old: list[int]) -> int:
    """The first turn at which two games differ, or the last turn of equal games."""
    differing = (turn for turn, (one, other) in enumerate(zip(new, old)) if one != other)
    return next(differing, min(len(new), len(old)) - (len(new) == len(old)))
