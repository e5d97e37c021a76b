"""Decide a language: which conventions a list has, before its rules are searched.

Runs that choose conventions during the search end in different languages, and their lists lose up
to ten points with each other. Runs with ``language = "ordered"`` choose the same conventions,
because each decision compares the same two lists, in enough games:

1. All runs begin with the same list, which has no conventions.
2. Families of conventions are decided one after the other, in the order of the config. All settings
   of a family are played on common deals. The first setting is taken, or the first one within
   ``setting_gain`` of the best, if it brings ``convention_gain`` points per game.
3. More games are played as long as other deals might turn the decision.
4. A second pass decides the other families again if the list has changed since. Nothing is dropped.
5. Meanings of hints apply in the order of the config.

Then the search goes on with these conventions held.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.config_sections import Genome
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, convention_of, settings_to_decide
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.paired import standard_error

PASSES = 2
FIRST_SHARE = 0.1  # of a decision's games, after which weak settings leave
WEAK = 0.25  # points below the best setting at which a setting leaves
MOST_SETTINGS = 4  # that stay after the first games
SURE = 0.01  # the chance that other deals turn a decision, at which it needs no more games


class Decision(NamedTuple):
    """A decision about a family of conventions, a row of language.csv.

    Attributes:
        turn: The pass, from 1.
        family: The family of conventions.
        convention: The setting that was taken, or would have been.
        gain: Points per game that it brings.
        sem: The standard error of that.
        games: How many games the setting played.
        distance: The gain above ``convention_gain``.
        taken: Whether it was taken: 1 or 0.
        chance: The chance that another run with the same list decides otherwise, as far as it
            follows from the games of this one.
        other: The setting that it would then take; "": it would reverse ``taken``.
    """

    turn: int
    family: str
    convention: str
    gain: float
    sem: float
    games: int
    distance: float
    taken: int
    chance: float
    other: str


def decision_text(decision: Mapping[str, Any]) -> str:
    """Return a row of language.csv in words, with what another run might decide otherwise."""
    name, taken, chance = decision["convention"], int(decision["taken"]), float(decision["chance"])
    said = f"take {name}" if taken else f"do without {name}"
    if chance < SURE:
        return said
    turned = f"take {decision['other'] or 'it'}" if decision["other"] or not taken else "not"
    return f"{said}; another run would {turned} with {chance:.0%} chance"


class Language(NamedTuple):
    """A list whose conventions were decided.

    Attributes:
        individual: The list.
        decisions: The decisions, in their order.
        games: How many games they took.
    """

    individual: Individual
    decisions: list[Decision]
    games: int


def decide_language(evaluator: Evaluator, one: Individual, config: Config) -> Language:
    """Decide the conventions of a list.

    Args:
        evaluator: Plays the games.
        one: The list to begin with.
        config: The section ``genome`` names the conventions and the limits.
    """
    decisions: list[Decision] = []
    games = 0
    decided: dict[str, Individual] = {}  # by family: the list at its last decision
    settings = settings_to_decide(config.genome.conventions)
    for turn in range(1, PASSES + 1):
        for place, (family, names) in enumerate(settings.items()):
            if decided.get(family) == one or any(
                convention_of(name).family.name == family for name in one.conventions
            ):
                continue
            decided[family] = one
            options = [with_convention(one, name, config.genome.meaning_order) for name in names]
            seed = derive(config.search.seed, "language", turn, place)
            gains, played = _gains(evaluator, one, options, seed, config)
            decision, chosen = _decision(gains, names, turn, family, config.genome)
            games += played
            decisions.append(decision)
            if decision.taken:
                one = options[chosen]
    return Language(one, decisions, games)


def with_convention(one: Individual, name: str, order: tuple[str, ...]) -> Individual:
    """Return a list with one more convention, in the order in which meanings apply."""

    def place(entry):
        family = convention_of(entry).family.name
        return order.index(family) if family in order else len(order)

    return Individual(one.rules, sorted([*one.conventions, name], key=place), one.weights)


def _gains(evaluator, one, options, seed, config):
    """Play some lists and ``one`` on common deals, as long as the decision is open.

    Returns:
        The gains over ``one`` in each game, by the number of the list; those of weak lists are
        left out. And the number of games played.
    """
    genome, groups = config.genome, len(evaluator.problem.players) * evaluator.problem.partners
    gains = {number: np.zeros(0) for number in range(len(options))}
    done, total, played = 0, max(2, int(FIRST_SHARE * genome.decision_games)), 0
    while True:
        lists = [one, *(options[number] for number in gains)]
        found = evaluator.evaluate(lists, seed, total - done, done)
        points = found.points(config.game.scoring).mean(axis=1)
        played += len(lists) * (total - done) * groups
        for number, row in zip(gains, points[1:]):
            gains[number] = np.append(gains[number], row - points[0])
        best = sorted(gains, key=lambda number: -gains[number].mean())[:MOST_SETTINGS]
        least = gains[best[0]].mean() - WEAK
        gains = {n: gains[n] for n in sorted(best) if gains[n].mean() >= least}
        decision, _ = _decision(gains, [""] * len(options), 0, "", genome)
        is_full = total >= genome.decision_games
        if decision.chance < SURE and (is_full or not decision.taken):
            return gains, played
        if is_full and total >= genome.close_games:
            return gains, played
        done = total
        total = min(2 * total, genome.close_games) if is_full else genome.decision_games


def _decision(gains, names, turn, family, genome: Genome) -> tuple[Decision, int]:
    """Return the decision that follows from some gains, and the number of the chosen setting."""
    means = {number: float(one.mean()) for number, one in gains.items()}
    best = max(means.values())
    chosen = next(number for number in gains if means[number] >= best - genome.setting_gain)
    sem, distance = standard_error(gains[chosen]), means[chosen] - genome.convention_gain
    turns = [(_chance_of_other(distance, sem), "")]  # (chance, setting then)
    for number in gains if distance >= 0 else ():
        ahead = (means[number] - means[chosen]) * (1 if number > chosen else -1)
        error = standard_error(gains[number] - gains[chosen])
        if number != chosen:
            turns.append((_chance_of_other(genome.setting_gain - ahead, error), names[number]))
    decision = Decision(
        turn,
        family,
        names[chosen],
        means[chosen],
        sem,
        len(gains[chosen]),
        distance,
        int(distance >= 0),
        *max(turns),
    )
    return decision, chosen


def _chance_of_other(distance, sem):
    """The chance that other deals, as many, put a mean on the other side of a limit."""
    if sem == 0:
        return 0.0 if distance else 0.5
    return 0.5 * math.erfc(abs(distance) / (2 * sem))  # both means have this error
