"""Gymnasium: ``gymnasium.make_vec("hanabi/Partners-v0", num_envs=1024, partners="piers")``.

Gymnasium finds the environment once this module is imported, or by
``hanabi.environment.gymnasium_api:hanabi/Partners-v0``. The
learner's action is one of the numbers of hanabi/action_ids.py, and ``info["action_mask"]`` holds
the legal ones. An illegal action raises ValueError.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hanabi.environment.batch import Batch
from hanabi.rules.agents import Spec
from hanabi.variant import Variant

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install hanabi-evolve[gym]") from None

ID = "hanabi/Partners-v0"


class PartnersVectorEnv(VectorEnv):
    """A Batch as a vector environment, with autoreset in the same step.

    ``infos`` holds ``action_mask``; after a step also ``score`` and ``final_obs`` of the games that
    ended, with the masks ``_score`` and ``_final_obs``.

    Args:
        num_envs: How many games at a time.
        players: The number of players, or a variant with its players.
        partners: Agent specs and pools; None: the learner plays all seats.
        settings: Further arguments of Batch: seats, seed, scoring, layout, threads.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        players: int | Variant = 2,
        partners: Spec | Sequence[Spec] | None = "piers",
        **settings: Any,
    ) -> None:
        self.batch, self.num_envs = Batch(players, num_envs, partners, **settings), num_envs
        self.single_observation_space, self.single_action_space = spaces_of(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal the next games; with a seed, the first of that seed."""
        super().reset(seed=seed)
        observations, legal = self.batch.begin(seed)
        return observations.copy(), {"action_mask": legal.copy()}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Make an action in each game; arrays are copies."""
        observations, rewards, terminated, legal = self.batch.step(actions)
        infos: dict[str, Any] = {"action_mask": legal.copy()}
        if terminated.any():
            infos |= {"score": self.batch.scores.copy(), "_score": terminated.copy()}
            last = np.full(self.num_envs, None, object)
            for game in np.flatnonzero(terminated):
                last[game] = self.batch.last_observations[game].copy()
            infos |= {"final_obs": last, "_final_obs": terminated.copy()}
        truncated = np.zeros(self.num_envs, np.bool_)
        return observations.copy(), rewards.astype(np.float64), terminated.copy(), truncated, infos


class PartnersEnv(gymnasium.Env):
    """One game at a time, as a Gymnasium environment.

    Args:
        players: The number of players, or a variant with its players.
        partners: Agent specs and pools; None: the learner plays all seats.
        settings: Further arguments of Batch: seats, seed, scoring, layout.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        players: int | Variant = 2,
        partners: Spec | Sequence[Spec] | None = "piers",
        render_mode: None = None,
        **settings: Any,
    ) -> None:
        self.batch, self.render_mode = Batch(players, 1, partners, **settings), render_mode
        self.observation_space, self.action_space = spaces_of(self.batch)
        self._is_next_dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin the next game; with a seed, the first of that seed."""
        super().reset(seed=seed)
        if seed is not None or not self._is_next_dealt:
            self.batch.begin(seed)
        self._is_next_dealt = False
        return self.batch.observations[0].copy(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make an action; at the end of a game the last observation is returned."""
        found = self.batch.step(np.array([action]))
        over = self._is_next_dealt = bool(found.terminated[0])
        seen = self.batch.last_observations if over else found.observations
        info = self._info() | ({"score": int(self.batch.scores[0])} if over else {})
        return seen[0].copy(), float(found.rewards[0]), over, False, info

    def _info(self):
        return {"action_mask": self.batch.legal[0].astype(np.int8)}


def spaces_of(batch: Batch) -> tuple[Box, Discrete]:
    """Return the spaces of one observation and one action of a batch."""
    size, dtype = batch.observations.shape[1], batch.observations.dtype
    return Box(0, 1, (size,), dtype.type), Discrete(batch.actions)


def register() -> None:
    """Register the environment with Gymnasium."""
    if ID not in gymnasium.registry:
        place = f"{__name__}:"
        gymnasium.register(
            ID,
            entry_point=f"{place}PartnersEnv",
            vector_entry_point=f"{place}PartnersVectorEnv",
        )


register()
