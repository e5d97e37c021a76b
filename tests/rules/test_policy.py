"""Learned players: batched play is move-by-move play, and what is no policy is said in one line.

tests/golden/policy.onnx adds a number per action to observations 303 to 322.
"""

import numpy as np
import pytest
from paths import GOLDEN

from hanabi.environment.batch import Batch
from hanabi.evolve.measure.one_game import play_game
from hanabi.many_games.table_games import ObservationPlayer
from hanabi.rules.agents import dumps, load, loads
from hanabi.table import Table, game_seeds
from hanabi.variant import NAMED

pytest.importorskip("onnxruntime")
SPEC = f"policy:{GOLDEN / 'policy.onnx'}"
WEIGHTS = np.array([7 * action % 20 / 40 for action in range(20)], np.float32)


class Twin(ObservationPlayer):
    """What the network computes, in numpy."""

    name = "twin"

    def choose_actions(self, observations, legal):
        return np.argmax(np.where(legal, observations[:, 303:323] + WEIGHTS, -1), axis=1)


def test_a_policy_plays_as_its_twin_and_together_as_move_by_move():
    variant, seeds = NAMED["standard"].at(2), game_seeds(1, 12)
    seats = np.array([[0, 1], [1, 0], [0, 0], [1, 1]] * 3)
    for partner in ("piers", "convention-2026"):
        tables = [
            Table(variant, [player, load(partner).at(2)]) for player in (load(SPEC).at(2), Twin())
        ]
        results = [table.play(seeds, seats) for table in tables]
        assert np.array_equal(*results)
        assert np.array_equal(tables[0].fired, tables[1].fired)
        for seed, row, result in zip(seeds, seats, results[0]):
            *_, last = tables[0].steps(int(seed), row)
            assert last.turn + 1 == result["turns"]
            assert int(tables[0].view.score) == result["score"]
        assert results[0]["score"].std() > 0


def test_a_policy_is_an_agent_wherever_agents_are_named(tmp_path):
    agent = load(SPEC)
    assert agent.plays(2) and not agent.plays(3) and len(agent.hash) == 12
    assert loads(dumps(agent), "agent").hash == agent.hash
    assert play_game([SPEC, "piers"], 2, 4).moves
    batch = Batch(2, 5, [SPEC, "iggi"], seed=2)
    _, legal = batch.reset()
    for _ in range(12):
        legal = batch.step(np.argmax(legal, axis=1)).legal
    with pytest.raises(ValueError, match="does not play with 3 players"):
        Batch(3, 5, SPEC)


def test_what_is_no_policy_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    for spec, message in [
        ("policy:none.onnx", "policy:none.onnx: No such file"),
        ("policy:bad.onnx", "bad.onnx: onnxruntime cannot read this network"),
        ("policy:net.pt", "write policy:FILE.onnx, not policy:'net.pt'"),
        ("policy:", "write policy:FILE.onnx"),
        (f"search:{SPEC}", "plays by a network"),
    ]:
        with pytest.raises(ValueError) as raised:
            load(spec)
        assert message in str(raised.value) and "\n" not in str(raised.value)
