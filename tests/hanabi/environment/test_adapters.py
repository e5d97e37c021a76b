"""Gymnasium and PettingZoo: their own checkers, and the same games as a Batch."""

import warnings

import numpy as np
import pytest
from environment_games import any_actions

from hanabi.environment.batch import Batch

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from hanabi.environment import gymnasium_api  # noqa: E402
from hanabi.environment.pettingzoo_api import AECEnvironment, ParallelEnvironment  # noqa: E402


def test_a_vector_environment_plays_the_games_of_a_batch():
    envs = gymnasium.make_vec(gymnasium_api.ID, num_envs=3, partners=["piers", "iggi"], seats=1)
    batch = Batch(2, 3, ["piers", "iggi"], 1, seed=9)
    seen, infos = envs.reset(seed=9)
    wanted, legal = batch.reset()
    rng, ended, kept = np.random.default_rng(1), 0, seen.copy()
    for _ in range(60):
        assert np.array_equal(seen, wanted) and np.array_equal(infos["action_mask"], legal)
        actions = any_actions(legal, rng)
        before, held = seen, seen.copy()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        assert np.array_equal(before, held), "a step overwrites what it returned"
        wanted, *stepped, legal = batch.step(actions)
        assert np.array_equal(rewards, stepped[0]) and np.array_equal(terminated, stepped[1])
        assert not truncated.any() and envs.observation_space.contains(seen)
        for game in np.flatnonzero(terminated):
            assert np.array_equal(infos["final_obs"][game], batch.last_observations[game])
            assert infos["_final_obs"][game] and infos["score"][game] == batch.scores[game]
            ended += 1
    assert ended > 2 and kept.shape == (3, 658)


def test_a_single_environment_passes_gymnasiums_checker():
    from gymnasium.utils.env_checker import check_env

    class Masked(gymnasium.Wrapper):
        """The checker samples any action: an illegal one becomes the first legal one."""

        def reset(self, seed=None, options=None):
            seen, info = self.env.reset(seed=seed, options=options)
            self.mask = info["action_mask"]
            return seen, info

        def step(self, action):
            action = action if self.mask[action] else int(np.argmax(self.mask))
            *found, info = self.env.step(action)
            self.mask = info["action_mask"]
            return *found, info

    assert type(gymnasium.make(gymnasium_api.ID).unwrapped) is gymnasium_api.PartnersEnv
    env = gymnasium_api.PartnersEnv(partners="piers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice on wrappers and render modes
        check_env(Masked(env), skip_render_check=True)


def test_a_single_environment_plays_one_game_after_the_other():
    env, batch = gymnasium_api.PartnersEnv(partners="piers", seats=0), Batch(2, 1, "piers", 0, 5)
    (seen, info), (wanted, _) = env.reset(seed=5), batch.reset()
    for _ in range(3):
        over, total = False, 0.0
        while not over:
            assert np.array_equal(seen, wanted[0])
            action = int(np.argmax(info["action_mask"]))
            seen, reward, over, _, info = env.step(action)
            wanted = batch.step(np.array([action])).observations
            total += reward
        assert np.array_equal(seen, batch.last_observations[0]) and total == info["score"]
        seen, info = env.reset()
    with pytest.raises(ValueError, match="game 0: action 19 is not legal|game 0: action 0 is not"):
        env.step(0)


@pytest.mark.parametrize("given", [(3,), (3, "piers", [0, 2])], ids=str)
def test_pettingzoos_checkers(given):
    from pettingzoo.test import api_test, parallel_api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice on names and render modes
        api_test(AECEnvironment(*given), num_cycles=120, verbose_progress=False)
        env = _MaskedParallel(ParallelEnvironment(*given))
        parallel_api_test(env, num_cycles=60)


class _MaskedParallel:
    """Their test samples any action: each becomes the first legal one."""

    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.env, name)

    def reset(self, **given):
        self.seen, infos = self.env.reset(**given)
        return self.seen, infos

    def step(self, actions):
        made = {agent: int(np.argmax(self.seen[agent]["action_mask"])) for agent in actions}
        self.seen, *rest = self.env.step(made)
        return self.seen, *rest


def test_every_agent_sees_its_own_side():
    env = AECEnvironment(2, seed=3)
    env.reset()
    first = env.observe("player_0")["observation"]
    other = env.observe("player_1")["observation"]
    env.step(15)  # a hint of a rank, if it is legal; else the first legal action
    assert not np.array_equal(first[:125], other[:125])
    assert env.agent_selection == "player_1" and env.observe("player_0")["action_mask"].sum() == 0


def test_only_the_agent_to_move_acts_in_parallel():
    env = ParallelEnvironment(2, seed=3)
    seen, _ = env.reset()
    assert seen["player_1"]["action_mask"].tolist() == [0] * 20 + [1]
    with pytest.raises(ValueError, match="player_1 is not to move: its action should be 20"):
        env.step({"player_0": int(np.argmax(seen["player_0"]["action_mask"])), "player_1": 0})
    with pytest.raises(ValueError, match="with partners say which seats are agents"):
        ParallelEnvironment(2, "piers")
