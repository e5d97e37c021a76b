"""Observations and legal moves of JaxMARL itself, for tests/golden/jaxmarl.npz.

python tests/support/jaxmarl_vectors.py GAMES.npz OUT.npz, where jaxmarl 0.2.0 is installed. GAMES
holds ``deckN`` and ``actionsN`` for N players, as ``action_ids.actions_of`` gives them; OUT holds
them too, and what every player is shown at every fifth turn.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jaxmarl.environments.hanabi.hanabi import HanabiEnv

EVERY = 5  # turns from one vector to the next


def vectors(deck, actions):
    """(turns, observations (turns, players, size), legal moves) of a game."""
    env, key = HanabiEnv(num_agents=actions.shape[1]), jax.random.PRNGKey(0)
    shown, state = env.reset_from_deck_of_pairs(jnp.array(deck))
    found = []
    for turn, row in enumerate(actions):
        if turn % EVERY == 0:
            legal = env.get_legal_moves(state)
            found.append(
                (
                    turn,
                    np.array([shown[agent] for agent in env.agents], np.float32),
                    np.array([legal[agent] for agent in env.agents], np.uint8),
                )
            )
        made = {agent: jnp.int32(action) for agent, action in zip(env.agents, row)}
        shown, state, *_ = env.step_env(key, state, made)
    return map(np.array, zip(*found))


if __name__ == "__main__":
    games, found = np.load(sys.argv[1]), {}
    for players in (2, 3, 4, 5):
        deck, actions = games[f"deck{players}"], games[f"actions{players}"]
        names = [f"{name}{players}" for name in ("deck", "actions", "turns", "shown", "legal")]
        found |= zip(names, (deck, actions, *vectors(deck, actions)))
    np.savez_compressed(sys.argv[2], **found)
