"""Improvement: a short search for single changes of a list that are proved on fresh deals.

1. Random mutations of the list, as evolution draws them, are played against the list on the same
   deals, in the stages of the local search. Most are rejected after 40 games.
2. A mutation that is accepted is played on fresh deals. It is offered if its gain there is at least
   3 standard errors and 0.02 points. The first gain is too large, because the best of many was
   chosen; only the fresh gain is shown.
3. Mutations with equal points on all deals of the proof are one offer, with the shortest text.
4. A mutation with the points of one that was rejected on all deals of the proof is not offered.
5. Of each family and part, the best offer is kept.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from hanabi.conventions.register import families_for
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.individual import Individual, Problem, convention_of, rule_of
from hanabi.evolve.ga.mutations import MUTATIONS, Mutation, companion, draw
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.game_sums import pieces
from hanabi.evolve.measure.paired import Estimate, StagedGain, stages_until
from hanabi.evolve.measure.variations import middle
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.job_queue import Job, job_steps
from hanabi.evolve.workbench.list_scores import BLOCK, ListGames, play_block
from hanabi.rules import SETS
from hanabi.table import ListPlayer
from hanabi.variant import Variant

MOST_GAMES = 6_000  # of a trial
EARLY_MARGIN = 0.3  # see paired.verdict
BESIDE = 16  # trials that play at a time
PROOF_GAMES = 10_000
PROOF_SEM, PROOF_GAIN = 3.0, 0.02  # what an offer needs on fresh deals: standard errors, points
CLEAR_GAMES, CLEAR_SEM = 4_000, 5.0  # after which an offer that is clear is checked no longer
OFFERS = 6
MOST_REJECTED = 100
SECONDS = (5, 60)


class Change(NamedTuple):
    """One or two mutations that belong together."""

    mutations: tuple[Mutation, ...]

    def __str__(self) -> str:
        return ", then ".join(map(str, self.mutations))

    def apply_to(self, one: Individual) -> Individual | None:
        """Return the individual after the mutations; None if one of them changes nothing."""
        changed: Individual | None = one
        for mutation in self.mutations:
            changed = changed and mutation.apply_to(changed)
        return changed

    def data(self) -> list[list[str]]:
        """Return the change as data: [kind, entry, other] of each mutation."""
        return [[type(one).__name__, one.entry, one.other] for one in self.mutations]

    @property
    def family(self) -> tuple[str, str]:
        """(part, family of the entry) of the first mutation."""
        first = self.mutations[0]
        if first.part == "weights":
            return first.part, first.entry
        read = rule_of if first.part == "rules" else convention_of
        return first.part, read(first.entry).family.name


def read_change(data: Any) -> Change:
    """Return the change that a page sends back.

    Args:
        data: ``Change.data()``.

    Raises:
        ValueError: One line, if it is none.
    """
    kinds = {kind.__name__: kind for kind in MUTATIONS}
    try:
        mutations = tuple(kinds[kind](str(entry), str(other)) for kind, entry, other in data)
    except (KeyError, TypeError, ValueError):
        raise ValueError("A change is a list of [kind, entry, other].") from None
    if not 0 < len(mutations) <= 2:
        raise ValueError("A change has one mutation or two.")
    return Change(mutations)


class _Trial(NamedTuple):
    change: Change
    games: ListGames
    gain: StagedGain


@dataclass
class _Offer:
    spellings: list[Change]
    points: np.ndarray  # on the deals of the proof
    gain: Estimate
    differing: int

    @property
    def change(self) -> Change:
        """The shortest spelling."""
        return min(self.spellings, key=lambda one: len(str(one)))

    def data(self) -> dict[str, Any]:
        first = self.change.mutations[0]
        return {
            "change": self.change.data(),
            "part": first.part,
            "what": type(first).__name__,
            "entry": first.entry,
            "other": first.other,
            "says": str(self.change),
            "gain": self.gain.mean,
            "gain_sem": self.gain.sem,
            "differ": self.differing,
            "spellings": [one.data() for one in self.spellings],
        }


def space_of(listed: EditedList, variant: Variant) -> SearchSpace:
    """Return what the changes of a list may be made of: the library and the rules of the list."""
    rules = dict.fromkeys([*SETS["living"], *(rule.name for rule in listed.rules)])
    families = families_for(listed.conventions)
    problem = Problem(
        variant=str(variant),
        players=(variant.seats,),
        rules=tuple(rules),
        rule_files=(),
        pool=(),
        otherwise=listed.otherwise,
        has_variable_length=True,
        families=tuple(families),
        conventions=tuple(middle(family).name for family in families.values()),
        weights=tuple(WEIGHTS) if listed.has_marks or listed.conventions else (),
    )
    return SearchSpace(problem, meaning_bias=True)


class Improvement:
    """A search for changes of a list, in steps of at most a block of games.

    Args:
        listed: The list.
        variant: The variant with its player count.
        seconds: Seconds of the clock after which no new change is tried; what was accepted is
            still proved.
        rejected: Changes that are not offered again in any spelling, as ``Change.data``.
        seed: The seed of all random choices.
    """

    def __init__(
        self,
        listed: EditedList,
        variant: Variant,
        seconds: float,
        rejected: Sequence[Any] = (),
        seed: int = 0,
    ) -> None:
        self.one = listed.individual
        self.otherwise, self.variant, self.seconds = listed.otherwise, variant, seconds
        self.random, self.space = Random(seed), space_of(listed, variant)
        self.tried = self.games = 0
        self.offers: list[_Offer] = []
        self.outdone = 0  # accepted changes that did not hold on fresh deals
        self.usage: list[int] = []
        others = [read_change(one).apply_to(self.one) for one in rejected]
        unwanted = {one.key(): one for one in others if one is not None}
        self.seen: set[tuple] = set(unwanted)
        self.rejected = [
            ListGames(one.player(self.otherwise), variant, "prove") for one in unwanted.values()
        ]
        self.on_trial = ListGames(listed.player, variant, "improve")
        self.on_proof = ListGames(listed.player, variant, "prove")
        self.stages = stages_until(MOST_GAMES)

    def steps(self, job: Job) -> Generator[None]:
        """Search, and update the state of a job: ``tried``, ``games``, ``left``, ``offers``."""
        end = time.monotonic() + self.seconds
        block = play_block(self.on_trial.player, self.variant, "improve", 0, BLOCK)
        self.on_trial.points = block["score"].astype(np.int64)
        # how often each rule decides: places with more decisions are drawn more often
        self.usage = block["fired"].sum(axis=0).tolist()
        self.games += len(block)
        yield
        first = 0
        while time.monotonic() < end and not job.is_stopping:
            trials = self._draw()
            if not trials:
                break
            self.tried += len(trials)
            better: list[_Trial] = []
            for running in self._play_stages(trials, first, better):
                self._report(job, end, running)
                yield
                if time.monotonic() > end or job.is_stopping:
                    break
            first += self.stages[0]
            for trial in better:
                for _ in self._prove(trial.change, trial.games.player):
                    self._report(job, end, "prove")
                    yield
        self._report(job, time.monotonic(), "")
        yield

    def _report(self, job: Job, end: float, doing: str) -> None:
        job.update(
            tried=self.tried,
            games=self.games,
            left=max(0.0, round(end - time.monotonic(), 1)),
            doing=doing,
            outdone=self.outdone,
            offers=[offer.data() for offer in self.best_offers()],
        )

    def best_offers(self) -> list[_Offer]:
        """Return the best offer of each family and part, most gain first, at most six."""
        best: dict[tuple[str, str], _Offer] = {}
        for offer in sorted(self.offers, key=lambda one: -(one.gain.mean or 0.0)):
            best.setdefault(offer.change.family, offer)
        return list(best.values())[:OFFERS]

    def _draw(self) -> list[_Trial]:
        """Draw changes that have not been tried."""
        trials: list[_Trial] = []
        for _ in range(100 * BESIDE):
            by_usage = self.usage if self.random.random() < 0.5 else []
            mutation = draw(self.space, self.one, self.random, by_usage)
            if mutation is None or mutation.apply_to(self.one, self.space.max_rules) is None:
                continue
            second = companion(self.space, self.one, mutation, self.random)
            change = Change((mutation, second) if second else (mutation,))
            changed = change.apply_to(self.one)
            if changed is None or changed.key() in self.seen:
                continue
            self.seen.add(changed.key())
            player = changed.player(self.otherwise)
            trials.append(_Trial(change, ListGames(player, self.variant, "improve"), StagedGain()))
            if len(trials) == BESIDE:
                break
        return trials

    def _play_stages(self, trials: list[_Trial], first: int, better: list[_Trial]) -> Iterator[str]:
        """Play trials in stages; append the accepted ones to ``better``."""
        running, done = trials, 0
        for stage, total in enumerate(self.stages):
            for deals in pieces(first + done, first + total, BLOCK):
                start, count = deals.start, len(deals)
                for _ in self.on_trial.extend(start + count):
                    yield "list"
                parent = self.on_trial.points[start : start + count]
                for trial in running:
                    trial.gain.add((trial.games.play(start, count) - parent)[np.newaxis])
                    self.games += count
                    yield "trials"
            done = total
            left = len(self.stages) - 1 - stage
            verdicts = [trial.gain.judge(left, EARLY_MARGIN) for trial in running]
            better += [trial for trial, found in zip(running, verdicts) if found == "better"]
            running = [trial for trial, found in zip(running, verdicts) if found == "open"]
            if not running:
                return

    def _prove(self, change: Change, player: ListPlayer) -> Generator[None]:
        """Play a change on fresh deals, and keep it as an offer if it holds there."""
        yield from self.on_proof.extend(PROOF_GAMES)
        changed = ListGames(player, self.variant, "prove")
        for _ in changed.extend(PROOF_GAMES):
            self.games += BLOCK
            yield
        points = changed.points
        for offer in self.offers:
            if (offer.points == points).all():
                offer.spellings.append(change)
                return
        gains = points - self.on_proof.points
        gain = Estimate.of(gains)
        if not _holds(gain):
            self.outdone += 1
        elif not (yield from self._plays_as_rejected(points)):
            self.offers.append(_Offer([change], points, gain, int((gains != 0).sum())))

    def _plays_as_rejected(self, points: np.ndarray) -> Generator[None, None, bool]:
        """Return whether a rejected change has the same points on all deals of the proof."""
        for other in self.rejected:
            for games in range(BLOCK, len(points) + BLOCK, BLOCK):
                yield from other.extend(min(games, len(points)))
                if (other.points[:games] != points[:games]).any():
                    break
            else:
                return True
        return False


@job_steps
def check_offers(
    listed: EditedList, variant: Variant, changes: Sequence[Change], *, job: Job
) -> Generator[None]:
    """Return a job that measures offers over another list, on the deals of the proof.

    After 4,000 games an offer is kept if its gain is five standard errors, and dropped if it has no
    gain; otherwise all deals decide. The job's state at the end: ``gains``, for each change
    {``gain``, ``gain_sem``, ``differ``, ``over`` (games)}, or None if it does not fit the list any
    more or does not hold.
    """
    parent = ListGames(listed.player, variant, "prove")
    found: list[dict[str, Any] | None] = []
    for change in changes:
        one = change.apply_to(listed.individual)
        found.append(None)
        if one is None:
            continue
        changed = ListGames(one.player(listed.otherwise), variant, "prove")
        for games in (CLEAR_GAMES, PROOF_GAMES):
            yield from parent.extend(games)
            yield from changed.extend(games)
            gains = changed.points - parent.points[: len(changed.points)]
            gain = Estimate.of(gains)
            if _holds(gain, CLEAR_SEM) or gains.sum() <= 0:
                break
        if _holds(gain):
            found[-1] = {
                "gain": gain.mean,
                "gain_sem": gain.sem,
                "differ": int((gains != 0).sum()),
                "over": len(gains),
            }
    job.update(gains=found)
    yield


def _holds(gain: Estimate, errors: float = PROOF_SEM) -> bool:
    """Whether a gain on fresh deals is enough for an offer: in points, and in standard errors."""
    assert gain.mean is not None and gain.sem is not None
    return gain.mean >= max(PROOF_GAIN, errors * gain.sem)
