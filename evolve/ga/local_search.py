"""The memetic step: an individual gets better by single changes, each of which has to prove itself against what it changes.

A change is played on the deals that its parent plays, a few games first. It goes on to the next stage while it looks as if it
might be better, and is made as soon as it is better beyond doubt; most changes are worse, and are out after 40 games. How far
trials may go grows as gains get rare: nobody looks for hundredths of a point where whole points lie about. The games of the
parent are kept, so a trial costs those of the changed one alone. What is found is written back into the individual (Lamarck's
way), which a genetic algorithm crosses with others.

The error rates of this test stand in docs/search.md; tests/evolve/ga/test_local_search.py measures them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from random import Random

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames, Request
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.mutations import Mutation, SearchSpace
from hanabi.evolve.ga.operators import cross, seeded
from hanabi.evolve.measure.arena import derive

# Games, all player counts and partners together, after which a change is judged, as far as ``trial_games`` lets it come.
STAGES = (40, 120, 400, 1000, 2500, 6000, 15_000, 40_000, 100_000, 250_000)
SURE = 2.8  # standard errors above 0 at which a change is made; see ``surer`` …
LIKELY = 1.6  # … and after the last stage
HOPE = 0.3  # standard errors that a change may be below 0 and still go on
PATIENCE = 160  # changes in vain until trials may go a stage further, on other deals
FEW = 6  # deals, below which the games of a deal are taken for games of different deals too


@dataclass
class LocalSearchResult:
    """What a climb came to. ``made``: (changes, gain in points, its standard error, games of the pair) of each step."""

    individual: Individual
    tried: int = 0
    games: int = 0
    made: list[tuple[str, float, float, int]] = field(default_factory=list)


@dataclass
class _Trial:
    """A changed individual; ``gains``: over the parent, (player counts and partners, deals)."""

    individual: Individual
    changes: tuple[Mutation, ...]
    gains: list[np.ndarray] = field(default_factory=list)
    gain: float = 0.0
    sem: float = 0.0

    def judge(self, ahead: int, surer: float) -> str:
        """ "better", "worse" or, where that is open, "open"; see ``verdict``."""
        gains = np.concatenate(self.gains, axis=1)
        self.gain, self.sem = float(gains.mean()), _sem(gains.mean(axis=0))
        if gains.shape[1] < FEW:  # two means agree by chance far too often
            self.sem = max(self.sem, _sem(gains.ravel()))
        return verdict(self.gain, self.sem, ahead, surer)


def _sem(values):
    return float(values.std(ddof=1) / len(values) ** 0.5)


def verdict(gain: float, sem: float, ahead: int, surer: float = 0.0) -> str:
    """What a gain with its standard error says of a change after a stage: "better", "worse" or "open".

    ``ahead``: how many stages it may still go; ``surer``: standard errors that it needs more for each of them but one. Where trials
    may go far, good changes are rare, and what a few games say of thousands of bad ones is chance."""
    if sem == 0 or gain + HOPE * sem < 0:  # no game differs: most likely none ever does
        return "worse"
    if gain >= (SURE + surer * (ahead - 1) if ahead else LIKELY) * sem:
        return "better"
    return "open" if ahead else "worse"


def stages_of(config: Config) -> tuple[int, ...]:
    """The games after which changes are judged in a run: those of STAGES that ``trial_games`` allows, two at least."""
    return tuple(games for games in STAGES if games <= config.trial_games)


def deals_of(games: int, groups: int) -> int:
    """How many deals make so many games: two at least, for one alone has no standard error."""
    return max(2, -(-games // groups))


class _Deals:
    """The games of the parent, played when they are first asked for, and again and again on other deals."""

    def __init__(self, seed: int, groups: int, scoring: str, most: int) -> None:
        self.seed, self.groups, self.scoring, self.round, self.most = seed, groups, scoring, 0, most
        self.fresh()

    def fresh(self) -> None:
        """Other deals from here on."""
        self.round += 1
        self.deals = derive(self.seed, "deals", self.round)
        self.points = np.full((self.groups, self.most), -1, np.int64)
        self.fired: np.ndarray | None = None

    def stretches(self, start: int, count: int) -> list[tuple[int, int]]:
        """(first, count) of deals from a place on, around the end."""
        start, count = start % self.most, min(count, self.most)
        head = min(count, self.most - start)
        return [(start, head), (0, count - head)] if head < count else [(start, head)]

    def missing(self, individual: Individual, stretches: list[tuple[int, int]]) -> list[Request]:
        """What the parent is still to play of some deals."""
        wanted = []
        for first, count in stretches:
            open_ = np.flatnonzero(self.points[0, first : first + count] < 0)
            if len(open_):  # what was played of a stretch is its beginning or its end
                wanted.append(
                    Request(
                        individual, self.deals, first + int(open_[0]), int(open_[-1] - open_[0]) + 1
                    )
                )
        return wanted

    def keep(self, request: Request, played: FitnessGames) -> None:
        """Note games of the parent."""
        self.points[:, request.first : request.first + request.games] = played.points(self.scoring)[
            0
        ]
        fired = played.fired[0].sum(axis=0)
        self.fired = fired if self.fired is None else self.fired + fired


def climb(
    one: Individual,
    language: SearchSpace,
    mates: list[Individual],
    seed: int,
    games: int,
    config: Config,
) -> Generator[list[Request], list[FitnessGames], LocalSearchResult]:
    """Improve an individual for so many games. Yields what it wants to be played, gets it sent, and returns a Climb.

    ``mates``: with whom it may be crossed; ``config``: trials, trial_games, surer, pairs, mating, firing, and how games count.
    """
    groups, scoring = language.groups, config.scoring
    random, found, stages = Random(seed), LocalSearchResult(one), stages_of(config)
    carried: list[tuple[Mutation, ...]] = []
    level = min(max(1, one.level), len(stages) - 1)
    deals, place, in_vain = _Deals(seed, groups, scoring, deals_of(stages[-1], groups)), 0, 0
    while found.games < games:
        trials = _draw(found.individual, language, mates, random, deals.fired, carried, config)
        if not trials:  # nothing else can be said
            break
        found.tried += len(trials)
        running, done = trials, 0
        better: list[_Trial] = []
        for stage, total in enumerate(stages[: level + 1]):
            count = deals_of(total, groups) - done
            if count <= 0:
                continue
            stretches = deals.stretches(place + done, count)
            own = deals.missing(found.individual, stretches)
            asked = own + [
                Request(trial.individual, deals.deals, first, some)
                for trial in running
                for first, some in stretches
            ]
            answers = yield asked
            found.games += groups * sum(request.games for request in asked)
            for request, played in zip(own, answers):
                deals.keep(request, played)
            parent = np.concatenate(
                [deals.points[:, first : first + some] for first, some in stretches], axis=1
            )
            theirs, done = iter(answers[len(own) :]), done + count
            open_: list[_Trial] = []
            for trial in running:
                points = np.concatenate(
                    [next(theirs).points(scoring)[0] for _ in stretches], axis=1
                )
                trial.gains.append(points - parent)
                said = trial.judge(level - stage, config.surer)
                (better if said == "better" else open_ if said == "open" else []).append(trial)
            running = open_
            if better or not running or found.games >= games:
                break
        place, in_vain = place + deals_of(STAGES[0], groups), in_vain + len(trials)
        carried = []
        if better:
            best = max(better, key=lambda trial: trial.gain)
            found.individual = best.individual
            found.made.append(
                (
                    ", then ".join(map(str, best.changes)) or "crossed with another",
                    best.gain,
                    best.sem,
                    done * groups,
                )
            )
            carried = [
                trial.changes
                for trial in [*better, *running]
                if trial is not best and trial.changes
            ]
        if in_vain >= PATIENCE:
            level = min(level + 1, len(stages) - 1)
        if better or in_vain >= PATIENCE:
            place = in_vain = 0
            deals.fresh()
        found.individual.level = level
    return found


def _draw(one, language, mates, random, fired, carried, config):
    """Trials: what looked good beside the change that was made before, then changes drawn at random."""
    trials: dict[tuple, _Trial] = {}
    for changes in carried[: config.trials]:
        changed = _made(one, changes, language.room)
        if changed is not None:
            trials[changed.key()] = _Trial(changed, changes)
    odds = () if fired is None else fired.tolist()
    for _ in range(100 * config.trials):  # a language may have next to nothing to say
        if len(trials) == config.trials:
            break
        if mates and random.random() < config.mating:
            changed, changes = one.clone(), ()
            with seeded(random.getrandbits(62)):
                cross(changed, random.choice(mates).clone(), language)
        else:
            first = language.draw(one, random, odds if random.random() < config.firing else ())
            changed, changes = first and first.of(one, language.room), (first,)
            second = language.companion(one, first, random) if first else None
            if changed is not None and (second or random.random() < config.pairs):
                second = second or language.draw(changed, random)
                changed, changes = second and second.of(changed, language.room), (first, second)
        if changed is not None and changed.rules and changed != one:
            trials.setdefault(changed.key(), _Trial(changed, changes))
    return list(trials.values())


def _made(one, changes, room):
    """An individual with some changes made in turn, or None."""
    for change in changes:
        one = one and change.of(one, room)
    return one


def climb_together(
    evaluator: Evaluator,
    climbs: list[Generator[list[Request], list[FitnessGames], LocalSearchResult]],
) -> list[LocalSearchResult]:
    """What some climbs come to, all of them played side by side. Where threads play, one climb goes on while the others are
    played, so that no core waits for what Python does between two rounds; else all of them make a round together."""
    came_to: list[LocalSearchResult | None] = [None] * len(climbs)
    rounds: deque[tuple[dict[int, list[Request]], Iterator[FitnessGames]]] = deque()
    beside = len(climbs) if evaluator.threads else 1

    def go_on(answers: dict[int, list[FitnessGames] | None]) -> None:
        wanted = {}
        for number, told in answers.items():
            try:
                wanted[number] = next(climbs[number]) if told is None else climbs[number].send(told)
            except StopIteration as end:
                came_to[number] = end.value
        if wanted:
            rounds.append(
                (
                    wanted,
                    evaluator.answer(
                        [request for some in wanted.values() for request in some], beside
                    ),
                )
            )

    for first in range(beside):
        go_on(dict.fromkeys(range(first, len(climbs), beside)))
    while rounds:
        wanted, answers = rounds.popleft()
        go_on({number: [next(answers) for _ in some] for number, some in wanted.items()})
    return [one for one in came_to if one is not None]
