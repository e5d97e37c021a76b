"""The exported agent is the order without what never fired, and scores exactly the same."""

import numpy as np
import pytest
from tiny import tiny

from hanabi.conventions.register import sort_by_stage
from hanabi.evolve.ga.fitness import Evaluator, deals
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.winner import exported, final_games, final_seed, result_rows, trimmed
from hanabi.rules import agents
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


def test_the_agent_is_shorter_and_plays_the_same():
    config = tiny(players=[2, 4])
    task = Problem.of(config)
    order = Individual(
        f"toy.{name}" for name in ("never", "safe", "useful", "useless", "never", "old", "anything")
    )
    with Evaluator(task, 2) as evaluator:
        fresh = final_games(evaluator, order, config)
        found = exported(evaluator, config, order, fresh, {"run": "some-run", "seed": 1})
        agent, text, rows = found.agent, found.text, found.results
        assert agent == agents.loads(text)
        names = [rule.name for rule in agent.lists["2"]]
        assert names == ["toy.safe", "toy.useful", "toy.useless", "toy.old", "toy.anything"]
        assert list(agent.lists) == ["2", "4"] and agent.name == "some-run"
        assert text.count("Play a card that must be playable.") == 2 and "% of moves" in text
        assert all(
            f"({share:.1%} of moves)" in text
            for shares in found.shares.values()
            for share in shares
        )
        total = rows[-1]
        assert total["players"] == "2,4" and total["games"] == 160 == agent.provenance["games"]
        assert agent.provenance["score"] == total["mean_kept"] == round(float(fresh.kept.mean()), 6)
        assert total["mean_kept"] == pytest.approx(
            (rows[0]["mean_kept"] + rows[1]["mean_kept"]) / 2, abs=1e-6
        )
        full, short = (
            evaluator.evaluate([one], 5, 50) for one in (order, trimmed(order, fresh.fired[0]))
        )
        assert np.array_equal(full.kept, short.kept)
    for players in (2, 4):  # and at a plain table, read back from its file
        seeds = game_seeds(3, 40)
        variant = read_variant("standard").at(players)
        one = Table(variant, [agents.loads(text).at(players)]).play(seeds, [0] * players)
        untrimmed = agents.Agent("full", {"2-5": order.player().rules})
        other = Table(variant, [untrimmed.at(players)])
        assert np.array_equal(one, other.play(seeds, [0] * players))


def test_zero_scoring_and_counts_of_games():
    config = tiny(scoring="zero", players=[3])
    task = Problem.of(config)
    with Evaluator(task, 1) as evaluator:
        order = Individual(["toy.likely(chance=0.4, lives=0)", "toy.useful", "toy.old"])
        config = config.changed(final_games=80)
        fresh = final_games(evaluator, order, config)
        (row,) = result_rows(config, fresh, 25)
        assert row["players"] == "3" and row["mean_zero"] < row["mean_kept"]
        assert row["mean_zero"] == round(float(fresh.points("zero").mean()), 6)
        agent = exported(evaluator, config, order, fresh, {"run": "r"}).agent
        assert (
            agent.provenance["score"] == row["mean_zero"] and agent.provenance["scoring"] == "zero"
        )


STATEFUL = '''
from hanabi.rulebook import rule

@rule(prefix="stateful.")
def grudge(view):
    """Do nothing, and disturb others, where nobody sees it in the text."""
    told = view.mask.ravel()
    for place in range(len(told)):
        told[place] = 1
    return 0
'''


def test_a_rule_that_disturbs_without_moving_is_caught(tmp_path, untried):
    file = tmp_path / "stateful_rules.py"
    untried(file, STATEFUL)
    config = tiny(rule_files=[*tiny().genome.rule_files, str(file)])
    task = Problem.of(config)
    order = Individual(["stateful.grudge", "toy.likely(chance=0, lives=0)"])
    with Evaluator(task, 1) as evaluator:
        config = config.changed(final_games=400)
        fresh = final_games(evaluator, order, config)
        with pytest.raises(RuntimeError, match="changed the score of a game"):
            exported(evaluator, config, order, fresh, {"run": "r"})


def test_an_agent_that_only_forfeits_can_be_exported():
    config = tiny(otherwise="forfeit")
    task = Problem.of(config)
    with Evaluator(task, 1) as evaluator:
        order = Individual(["toy.never"])
        config = config.changed(final_games=20)
        fresh = final_games(evaluator, order, config)
        found = exported(evaluator, config, order, fresh, {"run": "r"})
    agent, rows = found.agent, found.results
    assert found.shares == {"2-3": [0.0]} and len(agent.lists["2-3"]) == 1
    assert rows[-1]["forfeited_games"] == 40 and rows[-1]["mean_kept"] == 0


def test_conventions_and_weights_go_into_the_agent_file():
    config = tiny(
        rules=["conventional"],
        rule_files=[],
        players=[3],
        start=["convention-2026"],
        conventions=["all"],
        weights=["new"],
    )
    task = Problem.of(config)
    (order,) = task.initial_individuals()
    order.weights["new"] = 12.25
    with Evaluator(task, 1) as evaluator:
        config = config.changed(final_games=60)
        fresh = final_games(evaluator, order, config)
        found = exported(evaluator, config, order, fresh, {"run": "r"})
    agent, text = found.agent, found.text
    assert agent == agents.loads(text) and list(agent.lists) == list(agent.conventions) == list(
        agent.weights
    ) == ["3"]
    start = agents.load("convention-2026").at(3)
    assert agent.conventions["3"] == sort_by_stage(start.conventions)
    assert agent.weights["3"] == dict(start.weights) | {"new": 12.25}
    assert len(agent.lists["3"]) <= len(start.rules)
    seeds = deals(task, 3, final_seed(config), 0, 60)[0]
    played = Table(read_variant("standard").at(3), [agent.at(3)]).play(seeds, [0] * 3)
    assert np.array_equal(played["score"], fresh.kept.ravel())
