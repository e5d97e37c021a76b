"""The exported agent is the order without what never fired, and scores exactly the same."""
import numpy as np
import pytest
from tiny import tiny

from evolve.ga.fitness import Evaluator, Setting, deals
from evolve.ga.individual import Order
from evolve.ga.race import FINAL_SEED, final_games
from evolve.publish.export import exported, list_keys, result_rows, trimmed
from hanabi.conventions.register import in_stages
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from rules import agents


def test_keys_cover_the_counts():
    assert list_keys((2, 3, 4, 5)) == ["2-5"] and list_keys((2, 4, 5)) == ["2", "4-5"] and list_keys((3,)) == ["3"]


def test_the_agent_is_shorter_and_plays_the_same():
    config = tiny(players=[2, 4])
    setting = Setting.of(config)
    order = [setting.rules.index(f"toy.{name}")
             for name in ("never", "safe", "useful", "useless", "never", "old", "anything")]
    with Evaluator(setting, 2) as play:
        fresh = final_games(play, order, config.final_games)
        agent, text, rows = exported(play, config, order, fresh, 25, {"run": "some-run", "seed": 1})
        assert agent == agents.loads(text)
        names = [rule.name for rule in agent.lists["2"]]
        assert names == ["toy.safe", "toy.useful", "toy.useless", "toy.old", "toy.anything"]
        assert list(agent.lists) == ["2", "4"] and agent.name == "some-run"
        assert text.count("Play a card that must be playable.") == 2 and "% of moves" in text
        total = rows[-1]
        assert total["players"] == "2,4" and total["games"] == 160 == agent.provenance["games"]
        assert agent.provenance["score"] == total["mean_kept"] == round(float(fresh.kept.mean()), 6)
        assert total["mean_kept"] == pytest.approx((rows[0]["mean_kept"] + rows[1]["mean_kept"]) / 2, abs=1e-6)
        full, short = (play.play([genes], 5, 50) for genes in (order, trimmed(order, fresh.fired[0])))
        assert np.array_equal(full.kept, short.kept)
    for players in (2, 4):                       # and at a plain table, read back from its file
        seeds = game_seeds(3, 40)
        variant = read_variant("standard").at(players)
        one = Table(variant, [agents.loads(text).at(players)]).play(seeds, [0] * players)
        untrimmed = agents.Agent("full", {"2-5": tuple(setting.find_rules()[i] for i in order)})
        other = Table(variant, [untrimmed.at(players)])
        assert np.array_equal(one, other.play(seeds, [0] * players))


def test_zero_scoring_and_counts_of_games():
    config = tiny(scoring="zero", players=[3])
    setting = Setting.of(config)
    with Evaluator(setting, 1) as play:
        order = [setting.rules.index("toy.likely(chance=0.4, lives=0)"), setting.rules.index("toy.useful"),
                 setting.rules.index("toy.old")]
        fresh = final_games(play, order, 80)
        (row,) = result_rows(config, fresh, 25)
        assert row["players"] == "3" and row["mean_zero"] < row["mean_kept"]
        assert row["mean_zero"] == round(float(fresh.points("zero").mean()), 6)
        agent, _, _ = exported(play, config, order, fresh, 25, {"run": "r"})
        assert agent.provenance["score"] == row["mean_zero"] and agent.provenance["scoring"] == "zero"


STATEFUL = '''
from hanabi.rule import rule

@rule(prefix="stateful.")
def grudge(view):
    """Do nothing, and disturb others."""
    view.lives = 1
    return 0
'''


def test_a_rule_that_disturbs_without_moving_is_caught(tmp_path):
    file = tmp_path / "stateful_rules.py"
    file.write_text(STATEFUL)
    config = tiny(rule_files=[*tiny().rule_files, str(file)])
    setting = Setting.of(config)
    order = [setting.rules.index(name) for name in ("stateful.grudge", "toy.likely(chance=0, lives=0)")]
    with Evaluator(setting, 1) as play:
        fresh = final_games(play, order, 40)
        with pytest.raises(RuntimeError, match="changed the score of a game"):
            exported(play, config, order, fresh, 25, {"run": "r"})


def test_an_agent_that_only_forfeits_can_be_exported():
    config = tiny(otherwise="forfeit")
    setting = Setting.of(config)
    with Evaluator(setting, 1) as play:
        order = [setting.rules.index("toy.never")]
        agent, _, rows = exported(play, config, order, final_games(play, order, 20), 25, {"run": "r"})
    assert len(agent.lists["2-3"]) == 1 and rows[-1]["forfeits"] == 40 and rows[-1]["mean_kept"] == 0


def test_conventions_and_weights_go_into_the_agent_file():
    config = tiny(rules=["conventional"], rule_files=[], players=[3], start=["convention"],
                  conventions=["all"], weights=["new"])
    setting = Setting.of(config)
    order = Order(*setting.start[0])
    order.weights[0] = 12.25
    with Evaluator(setting, 1) as play:
        fresh = final_games(play, order, 60)
        agent, text, _ = exported(play, config, order, fresh, 25, {"run": "r"})
    assert agent == agents.loads(text) and list(agent.lists) == list(agent.conventions) == list(agent.weights) == ["3"]
    start = agents.load("convention").at(3)
    assert agent.conventions["3"] == in_stages(start.conventions)
    assert agent.weights["3"] == dict(start.weights) | {"new": 12.25}
    assert len(agent.lists["3"]) <= len(start.rules)
    seeds = deals(setting, 3, FINAL_SEED, 0, 60)[0]
    played = Table(read_variant("standard").at(3), [agent.at(3)]).play(seeds, [0] * 3)
    assert np.array_equal(played["score"], fresh.kept.ravel())
