"""PettingZoo: each seat that the learner plays is an agent, ``player_0`` and so on.

``AECEnvironment(3)`` is a game of three learners. ``ParallelEnvironment(3)`` is the same with an
action of every agent per step; agents that are not to move make the no-op, the last action. With
partners the agents are the learner's seats. All agents get the same rewards.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hanabi.environment.batch import Batch
from hanabi.rules.agents import Spec
from hanabi.variant import Variant

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install hanabi-evolve[gym]") from None


class _Game:
    """One game of some learners.

    Args:
        players: The number of players, or a variant with its players.
        partners: Agent specs and pools; None: all seats are agents.
        seats: With partners, the seats that are agents.
        extra: Further actions: 1 with the no-op.
        settings: Further arguments of Batch: seed, scoring, layout.
    """

    def __init__(
        self,
        players: int | Variant,
        partners: Spec | Sequence[Spec] | None,
        seats: Sequence[int] | None,
        extra: int,
        settings: dict[str, Any],
    ) -> None:
        if partners is not None and seats is None:
            raise ValueError("with partners say which seats are agents, such as seats=[0]")
        self.batch = Batch(players, 1, partners, seats, **settings)
        self.batch.restarts = False
        numbers = range(self.batch.variant.seats) if seats is None else sorted(seats)
        self.names = {f"player_{seat}": int(seat) for seat in numbers}
        count, observations = self.batch.actions + extra, self.batch.observations
        self.actions = Discrete(count)
        self.space = Dict(
            {
                "observation": Box(0, 1, observations.shape[1:], observations.dtype.type),
                "action_mask": Box(0, 1, (count,), np.int8),
            }
        )
        self.is_over = False

    def begin(self, seed: int | None) -> None:
        """Deal the next game; with a seed, the first of that seed."""
        self.batch.begin(seed)
        self.is_over = False

    @property
    def mover(self) -> str:
        """The agent to move."""
        return f"player_{int(self.batch.seats[0])}"

    def step(self, action: int) -> float:
        """Make the action of the agent to move and return the reward."""
        found = self.batch.step(np.array([action]))
        self.is_over = bool(found.terminated[0])
        return float(found.rewards[0])

    def seen(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent sees and which actions are legal for it; none after the end."""
        mask = np.zeros(self.actions.n, np.int8)
        if agent == self.mover and not self.is_over:
            mask[: self.batch.actions] = self.batch.legal[0]
        else:
            mask[self.batch.actions :] = 1
        return {"observation": self.batch.observe(0, self.names[agent]), "action_mask": mask}


class _Spaces:
    """What both kinds of environment tell of their agents."""

    game: _Game
    render_mode = None

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.game.space

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.game.actions


class AECEnvironment(_Spaces, AECEnv):
    """The game as an AEC environment. An observation is a dict with ``action_mask``.

    Args:
        players: The number of players, or a variant with its players.
        partners: Agent specs and pools; None: all seats are agents.
        seats: With partners, the seats that are agents.
        settings: Further arguments of Batch: seed, scoring, layout.
    """

    metadata = {"name": "hanabi_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(
        self,
        players: int | Variant = 2,
        partners: Spec | Sequence[Spec] | None = None,
        seats: Sequence[int] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = _Game(players, partners, seats, 0, settings)
        self.possible_agents = list(self.game.names)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game; with a seed, the first of that seed."""
        self.game.begin(seed)
        self.agents = list(self.possible_agents)
        self._set_rewards(0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.mover

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent sees, and its legal actions."""
        return self.game.seen(agent)

    def step(self, action: int | None) -> None:
        """Make the action of the selected agent; None for one whose game is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._set_rewards(self.game.step(int(action or 0)))
        self._accumulate_rewards()
        if self.game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.game.mover

    def _set_rewards(self, reward):
        self.rewards = dict.fromkeys(self.agents, reward)


class ParallelEnvironment(_Spaces, ParallelEnv):
    """The game with an action of every agent per step; the last action is the no-op.

    Args:
        players: The number of players, or a variant with its players.
        partners: Agent specs and pools; None: all seats are agents.
        seats: With partners, the seats that are agents.
        settings: Further arguments of Batch: seed, scoring, layout.
    """

    metadata = {"name": "hanabi_v0", "render_modes": []}

    def __init__(
        self,
        players: int | Variant = 2,
        partners: Spec | Sequence[Spec] | None = None,
        seats: Sequence[int] | None = None,
        **settings: Any,
    ) -> None:
        self.game = _Game(players, partners, seats, 1, settings)
        self.possible_agents = list(self.game.names)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next game; with a seed, the first of that seed."""
        self.game.begin(seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        """Make the action of the agent to move.

        Raises:
            ValueError: It is not legal, or another agent does not make the no-op. One line.
        """
        mover, no_op = self.game.mover, self.game.batch.actions
        for agent in self.agents:
            if agent != mover and actions[agent] != no_op:
                raise ValueError(f"{agent} is not to move: its action should be {no_op}, the no-op")
        reward, agents = self.game.step(int(actions[mover])), self.agents
        over = self.game.is_over
        shown = self._seen()
        self.agents = [] if over else agents
        each = [dict.fromkeys(agents, value) for value in (reward, over, False)]
        return shown, *each, {agent: {} for agent in agents}

    def _seen(self):
        return {agent: self.game.seen(agent) for agent in self.agents}
