"""``word_price``: a word costs the same points everywhere in the search, and none in a score."""

import numpy as np
import pytest
from tiny import tiny

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.finals import pruned
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem, rule_of
from hanabi.evolve.ga.local_search import is_better
from hanabi.evolve.ga.toolbox import FitnessFunction
from hanabi.evolve.ga.winner import race
from hanabi.evolve.measure.paired import StagedGain, verdict

RULES = ["toy.safe", "toy.useful", "toy.old", "toy.anything"]
GUARDED = ["toy.safe when deck <= 80", *RULES[1:]]  # plays the same games, with more words


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator(Problem.of(tiny(variable_length=True)), 1) as one:
        yield one


def config(price) -> Config:
    return tiny(variable_length=True, word_price=price)


def test_words_are_those_of_the_sentences_and_two_for_each_weight_that_is_set(evaluator):
    one = Individual(RULES, ["stall"], {"new": 12.5, "bluff": 7.0})
    plain = Individual(RULES)
    assert plain.words() == sum(len(rule_of(name).says.split()) for name in RULES)
    default = Individual([*RULES], [], {"new": 10.0})
    said = "With all tokens there, a hint of a rank to the player before me that touches their "
    assert one.words() > plain.words() + len(said.split())
    assert one.words() - Individual(RULES, ["stall"]).words() == 4
    assert default.words() - plain.words() in (0, 2)


def test_the_fitness_is_less_by_the_words_and_the_points_are_not(evaluator):
    free, priced = Individual(RULES), Individual(RULES)
    FitnessFunction(evaluator, config(0.0)).judge([free], 5, 20)
    played = FitnessFunction(evaluator, config(0.01)).judge([priced], 5, 20)
    assert priced.fitness.values[0] == pytest.approx(free.fitness.values[0] - 0.01 * priced.words())
    assert priced.cases == pytest.approx([case - 0.01 * priced.words() for case in free.cases])
    assert free.fitness.values[0] == played.summary("kept")[0][0]


def test_shorter_is_better_where_both_play_the_same(evaluator):
    short, long = Individual(RULES), Individual(GUARDED)
    assert not is_better(evaluator, short, long, 3, config(0.0))[0]
    assert is_better(evaluator, short, long, 3, config(0.001))[0]
    assert not is_better(evaluator, long, short, 3, config(0.001))[0]
    # no game differs: open until the last stage, as a rule may decide in rare games only
    assert [verdict(0.01, 0.0, left, 0.0, 0.01) for left in (2, 1, 0)] == ["open", "open", "better"]
    assert verdict(-0.01, 0.0, 0, 0.0, -0.01) == "worse"
    gain = StagedGain(saved=0.5)
    gain.add(np.array([[0, -1, 0, 1, 0, 0, -1, 0]]))
    assert gain.gain == pytest.approx(0.5 - 1 / 8)


def test_the_race_ranks_by_points_less_words(evaluator):
    short, long = Individual(RULES), Individual(GUARDED)
    same = race(evaluator, [long, short], 4, 60, "kept")
    assert [one.individual for one in same] == [long, short], "equals keep their order"
    priced = race(evaluator, [long, short], 4, 60, "kept", cost=config(0.001).search.words_cost)
    assert [one.individual for one in priced] == [short, long]
    assert priced[0].mean == priced[1].mean, "the points of both are those played"


def test_pruning_removes_what_is_worth_less_than_its_words(evaluator):
    """Free, the rules of plays and of hints stay; at five points per word, one rule is enough."""

    def left(price):
        def cost(one):
            return price * one.words()

        return pruned(evaluator, Individual(RULES), 7, 400, "kept", cost=cost)

    assert left(0.0).rules == left(0.05).rules == ["toy.safe", "toy.useful"]
    assert len(left(5.0).rules) == 1


def test_a_run_with_a_price_ends_with_fewer_words():
    def last(price):
        changes = dict(
            variable_length=True,
            population=12,
            generations=8,
            games=10,
            mutate="edit",
            mutation_probability=1,
            mate="aligned",
        )
        evolution = Evolution(tiny(word_price=price, **changes), jobs=1)
        generations = [*evolution]
        words = [one.words() for one in evolution.population]
        return sum(words) / len(words), generations[-1].best, evolution.logbook

    free, _, _ = last(0.0)
    dear, best, log = last(0.2)
    assert dear < 0.75 * free
    points = best.fitness.values[0] + 0.2 * best.words()
    assert log[-1]["best"] == pytest.approx(points, abs=1e-6), "the log has points"


def test_maps_have_no_price():
    behaviours = ["communicativeness", "information_per_play"]
    with pytest.raises(ValueError, match="word_price = 0"):
        tiny(behaviours=behaviours, elitism=0, word_price=0.1)
