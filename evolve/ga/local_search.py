"""Local search: an individual improves by single mutations, each judged by paired games.

1. A mutation is played on the deals of its parent, a few games first.
2. After each stage it is accepted if it is clearly better, rejected if it looks worse, and else
   plays the next stage. Most mutations are worse, and are rejected after 40 games.
3. Trials may play more stages the rarer gains become: early in a run, small gains are not worth
   measuring.

The games of the parent are kept, so a trial costs the games of the mutated individual alone. What
is found is written back into the individual (Lamarckian), which the genetic algorithm then crosses.

docs/explanations/search.md has the error rates of this test; tests/evolve/ga/test_local_search.py
measures them.

A graft is a mutation that takes a rule, a weight, or a convention together with its rules over from
another individual. A crossover takes half of all that differs, and most children of two good lists
are worse than both.

The games of a generation are shared out among its individuals (``Budget``):

1. The children of two parents share a few games first (``child_share``).
2. Each then plays paired games with the better one of its parents. One that wins takes the place
   before that parent.
3. The other games are for the best in this order, in equal shares: all at first, half of them after
   each halving, in the end one. The others are donors: they may be parents and mates.
"""

from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames, Request
from hanabi.evolve.ga.individual import Individual, convention_of
from hanabi.evolve.ga.mutations import (
    AddConvention,
    AddRule,
    ChangeWeight,
    Mutation,
    ReplaceConvention,
    ReplaceRule,
    companion,
    draw,
    fixed_odds,
)
from hanabi.evolve.ga.operators import operators_of, seeded
from hanabi.evolve.ga.search_space import Draws, SearchSpace
from hanabi.evolve.ga.success import Counts, add, note_trial, odds_by_success
from hanabi.evolve.ga.toolbox import cross, halved_size, keyed, parents_of
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.paired import STAGES, StagedGain, deals_of, stages_until

MORE = 0.4  # the chance of each further part


def graft(
    space: SearchSpace, one: Individual, mate: Individual, random: Draws
) -> tuple[Mutation, ...]:
    """Return the mutations that take some random parts of a mate over; none if nothing differs."""
    parts, count = differences(space, one, mate), 1
    while random.random() < MORE:
        count += 1
    taken = random.sample(parts, min(count, len(parts)))
    return tuple(dict.fromkeys(change for part in taken for change in part))


def differences(
    space: SearchSpace, one: Individual, mate: Individual
) -> list[tuple[Mutation, ...]]:
    """Return what a mate has and an individual lacks, as mutations of the individual.

    Each part is an entry or a weight; a convention brings the rules that go with it.
    """
    rules = _taken(one.rules, mate.rules, AddRule, ReplaceRule)
    parts: list[tuple[Mutation, ...]] = [(change,) for change in rules.values()]
    conventions = _taken(one.conventions, mate.conventions, AddConvention, ReplaceConvention)
    for (name, _), change in conventions.items():
        if name in space.families:
            answer = convention_of(change.entry).family.goes_with
            fitting = [rule for (family, _), rule in rules.items() if family == answer]
            parts.append((change, *fitting))
    parts += [
        (ChangeWeight(name, repr(value)),)
        for name, value in mate.weights.items()
        if name in space.weights and one.weights.get(name) != value
    ]
    return parts


def _taken(mine, theirs, add, replace):
    """Mutations that bring each entry of ``theirs`` into ``mine``, by family and number.

    An entry of the same family is replaced. Else it is added behind its neighbour in ``theirs``.
    """
    own, found, before = keyed(mine, True), {}, mine[0] if mine else ""
    for key, entry in keyed(theirs, True).items():
        if key in own:
            place = mine.index(own[key]) + 1
            before = mine[place] if place < len(mine) else ""
            if entry not in mine:
                found[key] = replace(own[key], entry)
        elif entry not in mine:
            found[key] = add(entry, before)
    return found


PATIENCE = 160  # rejected trials after which trials may play one more stage, on new deals


@dataclass
class LocalSearchResult:
    """The result of a local search.

    Attributes:
        individual: The improved individual.
        tried: How many trials were played.
        games: How many games were played.
        made: (mutations, gain in points, its standard error, games of the pair) of each step.
        counts: The trials of each kind (success.py): a kind of mutation, "graft", "crossing".
    """

    individual: Individual
    tried: int = 0
    games: int = 0
    made: list[tuple[str, float, float, int]] = field(default_factory=list)
    counts: Counts = field(default_factory=dict)

    def then(self, other: "LocalSearchResult") -> "LocalSearchResult":
        """Return the result of this search, followed by another one."""
        return LocalSearchResult(
            other.individual,
            self.tried + other.tried,
            self.games + other.games,
            self.made + other.made,
            add(self.counts, other.counts),
        )


class _Trial(NamedTuple):
    """A mutated individual, and its gain over the parent."""

    individual: Individual
    changes: tuple[Mutation, ...]
    gain: StagedGain
    kinds: tuple[str, ...]


def is_better(
    evaluator: Evaluator, one: Individual, other: Individual, seed: int, config: Config
) -> tuple[bool, int]:
    """Compare two individuals on common deals, as a trial is compared with its parent.

    Returns:
        (whether the first is better, games played).
    """
    groups = len(evaluator.problem.players) * evaluator.problem.partners
    gain = StagedGain(config.search.words_cost(other) - config.search.words_cost(one))
    stages, word = stages_until(config.local_search.trial_games), "open"
    for left, games in zip(reversed(range(len(stages))), stages):
        count = deals_of(games, groups) - gain.deals
        if count > 0 and word == "open":
            played = evaluator.evaluate([one, other], seed, count, gain.deals)
            first, second = played.points(config.game.scoring)
            gain.add(first - second)
            word = gain.judge(left, config.local_search.early_margin)
    return word == "better", 2 * gain.deals * groups


class _Deals:
    """The parent's games, played when they are needed first and reused until ``renew``."""

    def __init__(self, seed: int, groups: int, scoring: str, size: int) -> None:
        self.seed, self.groups, self.scoring, self.size = seed, groups, scoring, size
        self.round = 0
        self.renew()

    def renew(self) -> None:
        """Use other deals from here on."""
        self.round += 1
        self.deals = derive(self.seed, "deals", self.round)
        self.points = np.full((self.groups, self.size), -1, np.int64)
        self.usage: np.ndarray | None = None

    def stretches(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return (first, count) of deals from a place on, around the end."""
        start, count = start % self.size, min(count, self.size)
        head = min(count, self.size - start)
        return [(start, head), (0, count - head)] if head < count else [(start, head)]

    def missing(self, individual: Individual, stretches: list[tuple[int, int]]) -> list[Request]:
        """Return requests for the deals that the parent has not played."""
        wanted = []
        for first, count in stretches:
            unplayed = np.flatnonzero(self.points[0, first : first + count] < 0)
            if len(unplayed):  # what was played of a stretch is its beginning or its end
                start = first + int(unplayed[0])
                games = int(unplayed[-1] - unplayed[0]) + 1
                wanted.append(Request(individual, self.deals, start, games))
        return wanted

    def points_of(self, stretches: list[tuple[int, int]]) -> np.ndarray:
        """Return the parent's points, (groups, deals)."""
        return np.concatenate(
            [self.points[:, first : first + count] for first, count in stretches], axis=1
        )

    def keep(self, request: Request, played: FitnessGames) -> None:
        """Keep games of the parent."""
        end = request.first + request.games
        self.points[:, request.first : end] = played.points(self.scoring)[0]
        usage = played.fired[0].sum(axis=0)
        self.usage = usage if self.usage is None else self.usage + usage


def climb(
    one: Individual,
    space: SearchSpace,
    mates: list[Individual],
    seed: int,
    games: int,
    config: Config,
    counts: Counts | None = None,
) -> Generator[list[Request], list[FitnessGames], LocalSearchResult]:
    """Improve an individual; yield requests for games and get them sent.

    Args:
        one: The individual.
        space: What it may be made of.
        mates: Individuals with which it may be crossed.
        seed: The seed of all random choices.
        games: About how many games to spend.
        config: The section ``local_search``, and how games are scored.
        counts: The trials of the generations before (success.py).

    Returns:
        What was found.
    """
    groups, scoring = space.groups, config.game.scoring
    random, found = Random(seed), LocalSearchResult(one)
    stages = stages_until(config.local_search.trial_games)
    carried: list[tuple[tuple[Mutation, ...], tuple[str, ...]]] = []
    level = min(max(1, one.level), len(stages) - 1)
    deals = _Deals(seed, groups, scoring, deals_of(stages[-1], groups))
    place = rejected = 0
    while found.games < games:
        so_far = add(counts or {}, found.counts)
        odds = odds_by_success(fixed_odds(space), so_far, config.local_search.fixed_odds)
        trials = _draw(found.individual, space, mates, random, deals.usage, carried, config, odds)
        if not trials:  # nothing else can be made of this space
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
            requests = own + [
                Request(trial.individual, deals.deals, first, some)
                for trial in running
                for first, some in stretches
            ]
            answers = yield requests
            found.games += groups * sum(request.games for request in requests)
            for request, played in zip(own, answers):
                deals.keep(request, played)
            parent = deals.points_of(stretches)
            theirs, done = iter(answers[len(own) :]), done + count
            judged: dict[str, list[_Trial]] = {"better": better, "worse": [], "open": []}
            for trial in running:
                points = [next(theirs).points(scoring)[0] for _ in stretches]
                trial.gain.add(np.concatenate(points, axis=1) - parent)
                word = trial.gain.judge(level - stage, config.local_search.early_margin)
                judged[word].append(trial)
            running = judged["open"]
            if better or not running or found.games >= games:
                break
        for trial in trials:
            note_trial(found.counts, trial.kinds, trial in better, trial.gain.deals * groups)
        place, rejected = place + deals_of(STAGES[0], groups), rejected + len(trials)
        carried = []
        if better:
            best = max(better, key=lambda trial: trial.gain.gain)
            found.individual = best.individual
            text = ", then ".join(map(str, best.changes)) or "crossed with another"
            found.made.append((text, best.gain.gain, best.gain.sem, done * groups))
            others = [trial for trial in [*better, *running] if trial is not best]
            carried = [(trial.changes, trial.kinds) for trial in others if trial.changes]
        if rejected >= PATIENCE:
            level = min(level + 1, len(stages) - 1)
        if better or rejected >= PATIENCE:
            place = rejected = 0
            deals.renew()
        found.individual.level = level
    return found


def _draw(one, space, mates, random, usage, carried, config, odds):
    """Trials: mutations that looked good beside the accepted one, then random ones."""
    search, cost = config.local_search, config.search.words_cost(one)
    crossover = operators_of(config.search).mate
    trials: dict[tuple, _Trial] = {}

    def trial(changed, changes, kinds):
        return _Trial(changed, changes, StagedGain(cost - config.search.words_cost(changed)), kinds)

    for changes, kinds in carried[: search.trials]:
        changed = _applied(one, changes, space.max_rules)
        if changed is not None:
            trials[changed.key()] = trial(changed, changes, kinds)
    by_position = () if usage is None else usage.tolist()
    for _ in range(100 * search.trials):  # a space may have few mutations
        if len(trials) == search.trials:
            break
        chance = random.random() if mates else 1.0
        if chance < search.crossing_share:
            changed, changes, kinds = one.clone(), (), ("crossing",)
            with seeded(random.getrandbits(62)):
                cross(changed, random.choice(mates).clone(), space, crossover)
        elif chance < search.crossing_share + search.graft_share:
            changes, kinds = graft(space, one, random.choice(mates), random), ("graft",)
            changed = _applied(one, changes, space.max_rules) if changes else None
        else:
            by_usage = random.random() < search.position_by_usage
            changes = (draw(space, one, random, by_position if by_usage else (), odds),)
            changed = _applied(one, changes, space.max_rules)
            second = changes[0] and companion(space, one, changes[0], random)
            if changed is not None and (second or random.random() < search.pair_share):
                changes = (*changes, second or draw(space, changed, random, (), odds))
                changed = _applied(changed, changes[1:], space.max_rules)
            kinds = tuple(type(change).__name__ for change in changes)
        if changed is not None and changed.rules and changed != one:
            trials.setdefault(changed.key(), trial(changed, changes, kinds))
    return list(trials.values())


def _applied(one, changes, max_rules):
    """An individual after some mutations in turn, or None."""
    for change in changes:
        one = one and change and change.apply_to(one, max_rules)
    return one


def climb_together(
    evaluator: Evaluator,
    climbs: list[Generator[list[Request], list[FitnessGames], LocalSearchResult]],
) -> list[LocalSearchResult]:
    """Run several local searches side by side and return their results.

    With threads, one search continues while the games of others are played, so that no core waits
    for Python between two rounds; otherwise all searches play a round together.
    """
    results: list[LocalSearchResult | None] = [None] * len(climbs)
    rounds: deque[tuple[dict[int, list[Request]], Iterator[FitnessGames]]] = deque()
    at_once = len(climbs) if evaluator.threads else 1

    def advance(answers: dict[int, list[FitnessGames] | None]) -> None:
        wanted = {}
        for number, played in answers.items():
            try:
                search = climbs[number]
                wanted[number] = next(search) if played is None else search.send(played)
            except StopIteration as end:
                results[number] = end.value
        if wanted:
            requests = [request for some in wanted.values() for request in some]
            # the last searches are cut into more tasks
            beside = max(2, results.count(None)) if evaluator.threads else 1
            rounds.append((wanted, evaluator.answer(requests, beside)))

    for first in range(at_once):
        advance(dict.fromkeys(range(first, len(climbs), at_once)))
    while rounds:
        wanted, answers = rounds.popleft()
        advance({number: [next(answers) for _ in some] for number, some in wanted.items()})
    return [one for one in results if one is not None]


@dataclass(frozen=True)
class Budget:
    """Shares the games of a generation's local search out.

    Attributes:
        evaluator: Plays the games.
        config: Its section ``local_search`` says how many games there are.
        space: What individuals may be made of.
        generation: The number of the generation.
        counts: The trials of the generations before (success.py).
    """

    evaluator: Evaluator
    config: Config
    space: SearchSpace
    generation: int
    counts: Counts = field(default_factory=dict)

    def spend(
        self, population: list[Individual], before: list[Individual]
    ) -> list[LocalSearchResult]:
        """Return the result of the local search of each individual.

        Args:
            population: The individuals. Those that were kept come first, best first.
            before: The generation that they were made of, evaluated.
        """
        found = [LocalSearchResult(one) for one in population]
        order = [*range(len(found))]
        if self.config.schedule.crossed_share:
            parents = {
                place: max((before[number] for number in numbers), key=lambda one: one.fitness)
                for place, numbers in enumerate(parents_of(one.born) for one in population)
                if len(numbers) == 2
            }
            kept = [place for place in order if place not in parents]
            order = self._with_winners(found, population, parents, kept)
        left = self.config.local_search.local_search_games - sum(one.games for one in found)
        if self.generation:  # at first each kind of rules has its best
            order = order[: halved_size(self.config, self.generation)]
        self._climb("climb", found, order, left)
        return found

    def _with_winners(self, found, population, parents, order):
        """Improve the children a little. Return the places of ``order`` and of those that win.

        Args:
            found: The results for all individuals; those of the children change.
            population: The individuals before any local search.
            parents: The better parent of each child, by the child's place.
            order: The places of all others, best first.
        """
        search, order = self.config.local_search, list(order)
        if parents:
            games = int(search.child_share * search.local_search_games)
            self._climb("child", found, [*parents], games)
        for place, parent in parents.items():
            seed = derive(self.config.search.seed, "proof", self.generation, place)
            child = found[place].individual
            wins, games = is_better(self.evaluator, child, parent, seed, self.config)
            found[place].games += games
            if wins:
                behind = [at for at, other in enumerate(order) if population[other] == parent]
                order.insert(behind[0] if behind else len(order), place)
        return order

    def _climb(self, what, found, places, games):
        """Add local searches of the individuals at some places to their results."""
        now = [one.individual for one in found]
        mates = self._random_mates(what, len(now)) if self.config.search.random_mates else now
        climbs = [
            climb(
                now[place],
                self.space,
                [mate for mate in mates if mate is not now[place]],
                derive(self.config.search.seed, what, self.generation, place),
                games // len(places),
                self.config,
                self.counts,
            )
            for place in places
        ]
        for place, one in zip(places, climb_together(self.evaluator, climbs)):
            found[place] = found[place].then(one)

    def _random_mates(self, what, count):
        """Random individuals in place of those of the generation."""
        random = Random(derive(self.config.search.seed, "mates", what, self.generation))
        return [self.space.random_mate(random) for _ in range(count)]
