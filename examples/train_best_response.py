"""Train a player for unknown partners by masked PPO on the CPU, and write it as ONNX.

python examples/train_best_response.py piers policy.onnx --steps 2000000
hanabi tournament policy:policy.onnx piers --players 2

The partners are agents or pools, such as ``map-2p:train``. It needs the extra ``train``.
The curve, mean points of the games that ended between two lines, goes to policy.csv. Both files
are written at each line that is printed, so Ctrl-C keeps them.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hanabi.environment import Batch

GAMES, LENGTH = 512, 32  # games at a time; steps of each between two updates
EPOCHS, MINIBATCH = 2, 4096
DISCOUNT, TRACE, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.01
RATE = 1e-3


class Policy(nn.Module):
    """Two hidden layers; a number per action, and how many points are still expected."""

    def __init__(self, size, actions, width=256):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, observation):
        return self.actor(self.body(observation))

    def both(self, observation, legal):
        body = self.body(observation)
        numbers = self.actor(body).masked_fill(legal == 0, -1e9)
        return torch.distributions.Categorical(logits=numbers), self.critic(body).squeeze(-1)


class Rollout:
    """What happened in LENGTH steps of all games."""

    def __init__(self, batch):
        size, actions = batch.observations.shape[1], batch.actions
        self.seen = torch.zeros(LENGTH, GAMES, size, dtype=torch.uint8)
        self.legal = torch.zeros(LENGTH, GAMES, actions, dtype=torch.uint8)
        self.action = torch.zeros(LENGTH, GAMES, dtype=torch.int64)
        self.chance, self.value, self.reward, self.over = torch.zeros(4, LENGTH, GAMES)

    @torch.no_grad()
    def play(self, policy, batch):
        """Play on, and return the scores of the games that ended."""
        scores = []
        for step in range(LENGTH):
            self.seen[step] = torch.from_numpy(batch.observations)
            self.legal[step] = torch.from_numpy(batch.legal)
            choice, self.value[step] = policy.both(self.seen[step].float(), self.legal[step])
            self.action[step] = choice.sample()
            self.chance[step] = choice.log_prob(self.action[step])
            found = batch.step(self.action[step].numpy())
            self.reward[step] = torch.from_numpy(found.rewards)
            self.over[step] = torch.from_numpy(found.terminated)
            scores += batch.scores[found.terminated].tolist()
        return scores

    @torch.no_grad()
    def advantages(self, policy, batch):
        """Generalised advantage estimation (Schulman et al. 2016)."""
        seen = torch.from_numpy(batch.observations).float()
        following = policy.both(seen, torch.from_numpy(batch.legal))[1]
        found, trace = torch.zeros_like(self.value), torch.zeros(GAMES)
        for step in reversed(range(LENGTH)):
            goes_on = 1 - self.over[step]
            surprise = self.reward[step] + DISCOUNT * following * goes_on - self.value[step]
            trace = surprise + DISCOUNT * TRACE * goes_on * trace
            found[step], following = trace, self.value[step]
        return found


def update(policy, optimiser, rollout, advantages):
    """Improve the policy by proximal policy optimisation (Schulman et al. 2017)."""
    returns = (advantages + rollout.value).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    seen, legal = rollout.seen.flatten(0, 1), rollout.legal.flatten(0, 1)
    action, chance = rollout.action.flatten(), rollout.chance.flatten()
    for _ in range(EPOCHS):
        for part in torch.randperm(len(action)).split(MINIBATCH):
            choice, value = policy.both(seen[part].float(), legal[part])
            ratio = (choice.log_prob(action[part]) - chance[part]).exp()
            gain = advantages[part]
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            loss = (
                -torch.min(ratio * gain, clipped * gain).mean()
                + 0.5 * (value - returns[part]).pow(2).mean()
                - ENTROPY * choice.entropy().mean()
            )
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def write_onnx(policy, size, file):
    """Write the policy as ONNX, for ``policy:FILE.onnx``."""
    torch.onnx.export(
        policy,
        (torch.zeros(1, size),),
        file,
        input_names=["observation"],
        output_names=["actions"],
        dynamic_axes={"observation": {0: "games"}, "actions": {0: "games"}},
        dynamo=False,
    )


def main(partners, file, steps, seed=0, players=2):
    """Train for some steps of the learner; print and write the curve."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    batch = Batch(players, GAMES, partners.split("+"), seed=seed)
    size = batch.observations.shape[1]
    policy = Policy(size, batch.actions)
    optimiser = torch.optim.Adam(policy.parameters(), RATE)
    rollout, rows, scores = Rollout(batch), [], []
    batch.reset()
    updates = max(1, steps // (GAMES * LENGTH))
    for number in range(1, updates + 1):
        optimiser.param_groups[0]["lr"] = RATE * (1 - 0.9 * number / updates)
        scores += rollout.play(policy, batch)
        update(policy, optimiser, rollout, rollout.advantages(policy, batch))
        if number % max(1, updates // 40) == 0 or number == updates:
            points = float(np.mean(scores)) if scores else float("nan")
            seconds = time.process_time()
            rows.append((number * GAMES * LENGTH, len(scores), f"{points:.3f}", f"{seconds:.0f}"))
            print(f"{rows[-1][0]:,} steps, {points:.2f} points, {seconds:.0f} s of CPU", flush=True)
            scores = []
            write_onnx(policy, size, file)
            with Path(file).with_suffix(".csv").open("w", newline="", encoding="utf-8") as curve:
                csv.writer(curve).writerows([("steps", "games", "points", "cpu_seconds"), *rows])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("partners", help="agent specs and pools, with + between")
    parser.add_argument("file", help="the ONNX file that is written")
    parser.add_argument("--steps", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    main(given.partners, given.file, given.steps, given.seed)
