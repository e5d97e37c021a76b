"""Finals remove parts that a winner does not need, and add a rule that helps it."""

from types import SimpleNamespace

import numpy as np
import pytest
from tiny import tiny

from hanabi.evolve.ga.finals import pruned, with_best_added
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem

NEEDED = [
    "toy.safe",
    "toy.useful",
    "toy.old",
    "toy.anything",
]  # where no rule applies, the game is forfeited


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator(
        Problem.of(tiny(variable_length=True, players=[2, 4], otherwise="forfeit")), 1
    ) as one:
        yield one


def left(evaluator, rules, games=800):
    Problem.of(tiny())  # enters the toy rules
    return pruned(evaluator, Individual(rules), 7, games, "kept").rules


def test_what_never_fires_goes_and_what_matters_stays(evaluator):
    assert (
        left(evaluator, ["toy.never", *NEEDED, "toy.useless", "toy.safe when deck == 90"]) == NEEDED
    )


def test_what_harms_goes_and_what_is_needed_beside_it_stays():
    with Evaluator(Problem.of(tiny(variable_length=True, players=[2, 4])), 1) as evaluator:
        one = Individual(
            ["toy.safe", "toy.useful", "toy.likely(chance=0, lives=0)"]
        )  # soon loses all lives
        assert pruned(evaluator, one, 7, 800, "zero").rules == ["toy.safe", "toy.useful"], (
            "each part beside what is left"
        )


@pytest.mark.parametrize(
    "rule, kept",
    [
        ("toy.old when -20 <= spare <= 80", "toy.old"),
        ("toy.old when 0 <= deck <= 50 and -20 <= spare <= 80", "toy.old"),
        ("toy.safe when lives >= 2 and deck <= 80", "toy.safe"),
    ],
)
def test_a_guard_that_always_held_goes(evaluator, rule, kept):
    rules = [rule if name == kept else name for name in NEEDED]
    assert left(evaluator, rules) == [kept if name == kept else name for name in NEEDED]


def test_a_bound_that_matters_stays_without_one_that_does_not(evaluator):
    # whoever discards at once with many tokens tells nothing
    assert left(
        evaluator,
        ["toy.safe", "toy.old when tokens <= 3 and spare <= 60", "toy.useful", "toy.anything"],
    ) == ["toy.safe", "toy.old when tokens <= 3", "toy.useful", "toy.anything"]


def test_conventions_and_weights_that_do_nothing_go_and_held_ones_stay():
    task = Problem.of(
        tiny(
            rules=["conventional"],
            rule_files=[],
            variable_length=True,
            conventions=["says", "focus"],
            weights=["low", "new"],
            start=["convention-simple"],
            players=[3],
        )
    )
    (one,) = task.initial_individuals()
    useless = "says(slot=7, what=2, promised=0) when 0 <= deck <= 1 and touches == 5"
    one.conventions.append(useless)
    one.weights |= {"low": 0.01}
    held = [entry for entry in one.conventions if not entry.startswith(("says", "focus"))]
    with Evaluator(task, 1) as evaluator:
        found = pruned(evaluator, one, 3, 120, "kept")
        before, after = evaluator.evaluate([one, found], 5, 150).points("kept").mean(axis=(1, 2))
    assert useless not in found.conventions and set(held) <= set(found.conventions)
    assert after > before - 0.7 and len(found.rules) < len(one.rules)


def test_it_tells_how_far_it_is_and_may_be_stopped(evaluator):
    Problem.of(tiny())
    heard = []
    pruned(
        evaluator, Individual([*NEEDED, "toy.never"]), 7, 60, "kept", lambda *at: heard.append(at)
    )
    assert heard == [(place, 4) for place in range(4)]

    def stop(done, parts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pruned(evaluator, Individual(NEEDED), 7, 60, "kept", stop)


def test_more_games_than_it_may_are_not_played(evaluator, monkeypatch):
    Problem.of(tiny())
    asked, evaluate = [], evaluator.evaluate
    monkeypatch.setattr(
        evaluator,
        "evaluate",
        lambda some, seed, games, first=0: (
            asked.append((some[0], first, games)) or evaluate(some, seed, games, first)
        ),
    )
    one = Individual(NEEDED)
    pruned(evaluator, one, 7, 500, "kept")
    assert max(first + games for _, first, games in asked) == 250, "with two player counts"
    assert len([1 for individual, first, _ in asked if individual == one and first == 0]) == 2, (
        "the whole is played once for all parts"
    )
    assert np.all([games > 0 for _, _, games in asked])


def gains_of(count, errors):
    """Gains per deal whose mean is some standard errors from 0."""
    noise = np.where(np.arange(count) % 2, 1.0, -1.0)
    return noise + errors * noise.std(ddof=1) / count**0.5


@pytest.mark.parametrize(
    "first, last, left",
    [
        (
            -1.0,
            -0.3,
            ["toy.safe"],
        ),  # goes on after the first stage, and is not needed after the last
        (-1.0, -1.0, ["toy.safe", "toy.old"]),  # after the last stage less is enough to be needed
        (-1.7, 9.0, ["toy.safe", "toy.old"]),  # needed after the first stage already
        (9.0, 9.0, ["toy.safe"]),
    ],
)
def test_how_sure_one_is_that_a_part_is_needed(first, last, left):
    """In standard errors below 0: 1.5 after a stage, 0.5 after the last; invented gains."""
    task = Problem.of(tiny(variable_length=True, players=[2]))
    early, late = gains_of(40, first), gains_of(120, last)
    late[:40], late[40:] = (
        early,
        np.where(np.arange(80) % 2, 1.0, -1.0) + (late.sum() - early.sum()) / 80,
    )

    def evaluate(some, seed, games, start=0):
        """Invented games: without its last rule it scores the gains, less without its first."""
        (one,), points = some, np.zeros(120)
        points = (
            late if one.rules == ["toy.safe"] else points if len(one.rules) == 2 else points - 9
        )
        return SimpleNamespace(
            fired=np.ones((1, 1, 3), np.int64),
            points=lambda scoring: points[None, None, start : start + games],
        )

    stub = SimpleNamespace(problem=task, evaluate=evaluate)
    assert pruned(stub, Individual(["toy.safe", "toy.old"]), 7, 120, "kept").rules == left


def test_the_best_of_some_rules_is_put_first_where_it_helps(evaluator):
    one = Individual(NEEDED[1:])
    worse, same, better = "toy.likely(chance=0, lives=0)", "toy.never", "toy.safe"

    def best(*rules):
        return with_best_added(evaluator, one, rules, 7, 800, "zero").rules

    assert best(worse, same, better) == [better, *one.rules] == best(better, worse)
    assert best(worse, same, one.rules[0]) == one.rules == best()


def test_a_rule_that_is_added_has_to_be_worth_its_words(evaluator):
    one, rules = Individual(NEEDED[1:]), ["toy.safe"]

    def best(price):
        def cost(some):
            return price * len(some.rules)

        return with_best_added(evaluator, one, rules, 7, 800, "zero", cost).rules

    assert best(0.1) == [*rules, *one.rules] and best(25) == one.rules


@pytest.mark.parametrize("errors, is_better", [(1.9, False), (2.1, True)])
def test_how_sure_one_is_that_a_rule_helps(errors, is_better):
    points = {"toy.never": gains_of(60, errors - 0.3), "toy.safe": gains_of(60, errors)}
    stub = SimpleNamespace(
        problem=Problem.of(tiny(variable_length=True, players=[2, 3])),
        evaluate=lambda some, seed, games: SimpleNamespace(
            points=lambda scoring: np.stack(
                [[points.get(one.rules[0], np.zeros(60))[:games]] * 2 for one in some]
            )
        ),
    )
    one = Individual(["toy.old"])
    found = with_best_added(stub, one, ["toy.never", "toy.safe"], 7, 120, "kept")
    assert found.rules == (["toy.safe", "toy.old"] if is_better else ["toy.old"])
