"""Adapt to unknown partners over some games: a generalist, the published agent, ours, an oracle.

All know a training pool only and meet partners of another one, 10 games with each. All play the
same deals.

* The *generalist* is the agent of the training pool with the highest mean over it.
* The *published* agent (Canaan et al., "Generating and adapting to diverse ad-hoc partners in
  Hanabi", 2020) has a belief over the training pool. It plays the agent of the pool with the
  highest expected score. After each game it multiplies the belief in partner q by two normal
  densities, of the difference of the partner's communicativeness and of its information per play,
  over all games so far, from those that q has with the agent that was played (deviation 0.1).
* *Ours* has the lists that were evolved against the training pool, and the posterior over its
  lists by every move within a game (hanabi/lookahead/posterior.py), which it keeps for the next
  game. A quarter of the weight stays on the mean over the pool, for partners outside of it.
* Ours with *outside inferred* has each list twice: as it is, and as a partner outside of the pool
  that departs from it more often. The more likely the second is, the more the mean over the pool
  counts.
* With *look-ahead*, the latter plays candidate moves out, with the likeliest list in the partners'
  seats.
* The *oracle* plays the best of our lists for each partner, chosen on other deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.measure.arena import Arena, deals
from hanabi.evolve.measure.behaviour import HINTS, KNOWN, count_games
from hanabi.evolve.pools.pool_report import best_points, cross_scores
from hanabi.lookahead.partners import (
    AMONG_OTHERS,
    Partners,
    Recogniser,
    SeatedRecogniser,
    view_in,
)
from hanabi.lookahead.player import LookAhead, Searcher, SeatedSearcher
from hanabi.lookahead.posterior import log_likelihood, normalise
from hanabi.player import Player
from hanabi.rules.agents import Agent
from hanabi.rules.agents.responses import Responses
from hanabi.table import Table
from hanabi.variant import Variant, read_variant

DEVIATION = 0.1  # of both features of the published agent
FEATURES = [HINTS, KNOWN]
SLIP = 0.001  # share of departures of a list
INFERRED_SLIPS = (0.02, 0.25)  # of a list as it is, and of a partner outside
HANDS = 8  # of mine that each move is averaged over
MEETING = 10  # games with each partner
INFERRED = "ours, outside inferred"
OURS = {"ours": (SLIP, SLIP), INFERRED: INFERRED_SLIPS}  # their shares of departures
WAYS = ("generalist", "evolved generalist", "published", *OURS)
LOOK_AHEAD = "ours, outside inferred, look-ahead"  # a way that takes a hundred times as long


class Knowledge(NamedTuple):
    """What is known of a training pool at one player count.

    Attributes:
        players: The player count.
        partners: Its agents.
        replies: The lists that were evolved against them.
        own: Mean points (agents, partners) of its agents with each other.
        scores: Mean points (replies, partners).
        features: Features of each partner with each agent (agents, partners, 2).
    """

    players: int
    partners: Sequence[Agent]
    replies: Sequence[Agent]
    own: np.ndarray
    scores: np.ndarray
    features: np.ndarray


def partner_features(
    agents: Sequence[Agent], players: int, games: int, seed: int = 0
) -> np.ndarray:
    """Return the features of each partner with each agent, float64 (agents, partners, 2)."""
    variant, found = read_variant("standard").at(players), []
    seeds, seats = deals(seed, players, games, partner=1)
    for agent in agents:
        for partner in agents:
            table = Table(variant, [partner.at(players), agent.at(players)])
            counted = count_games(table, seeds, 1 - seats)
            found.append(_ratios(counted["part"].sum(axis=0), counted["total"].sum(axis=0)))
    return np.array(found).reshape(len(agents), len(agents), 2)


def _ratios(part, total):
    part, total = part[FEATURES], total[FEATURES]
    return np.divide(part, total, out=np.zeros(2), where=total > 0)


def publish_belief(belief: np.ndarray, measured: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return the published agent's belief after a game.

    Args:
        belief: Belief in each partner before.
        measured: The partner's two features over all games so far.
        expected: Those of each partner with the agent that was played, (partners, 2).
    """
    logs = -((measured - expected) ** 2).sum(axis=1) / (2 * DEVIATION**2)
    found = belief * np.exp(logs - logs.max())
    return found / found.sum()


@dataclass
class Posterior:
    """The posterior over the lists of a pool and partners outside, over some games.

    Attributes:
        lists: Number of lists.
        slips: Share of departures of each kind of partner: as the list is, outside of the pool.
            With equal shares both kinds stay equally likely.
        logs: Log likelihood (lists, kinds) of the moves of all games.
    """

    lists: int
    slips: tuple[float, float] = (SLIP, SLIP)

    def __post_init__(self) -> None:
        self.logs = np.zeros((self.lists, len(self.slips)))

    def add(self, chances: Sequence[float]) -> None:
        """Count in a move of a partner; ``chances``: of this move by each list."""
        self.logs += [[log_likelihood(chance, slip) for slip in self.slips] for chance in chances]

    def probabilities(self) -> np.ndarray:
        """Return probabilities (lists, kinds)."""
        return normalise(self.logs.ravel()).reshape(self.logs.shape)

    def best_reply(self, scores: np.ndarray) -> int:
        """Return the reply with the highest expected score; ``scores``: (replies, lists).

        A partner outside counts half as the list it resembles and half as any of the pool.
        """
        as_it_is, outside = self.probabilities().T
        weights = as_it_is + outside / 2 + outside.sum() / 2 / self.lists
        return int(np.argmax(scores @ weights))


def meet(
    knowledge: Knowledge,
    player: Recogniser,
    partner: Agent,
    seeds: np.ndarray,
    seats: np.ndarray,
    searching: Recogniser | None = None,
) -> dict[str, list[int]]:
    """Play the games with one partner in every way; return the points of each game.

    Args:
        knowledge: What is known.
        player: The acquaintance, without look-ahead.
        partner: The partner.
        seeds: The seeds of the games.
        seats: The seats of the games.
        searching: The acquaintance with look-ahead; None: this way is left out.
    """
    players = knowledge.players
    variant = read_variant("standard").at(players)
    found = {}
    alone = int(np.argmax(knowledge.own.mean(axis=1)))
    evolved = int(np.argmax(knowledge.scores.mean(axis=1)))
    for name, agent in (
        ("generalist", knowledge.partners[alone]),
        ("evolved generalist", knowledge.replies[evolved]),
    ):
        table = Table(variant, [agent.at(players), partner.at(players)])
        found[name] = table.play(seeds, seats)["score"].tolist()
    found["published"] = _meet_published(knowledge, partner, variant, seeds, seats)
    for name, slips in OURS.items():
        found[name] = _meet_ours(knowledge, player, partner, variant, seeds, seats, slips)
    if searching:
        slips = OURS[INFERRED]
        found[LOOK_AHEAD] = _meet_ours(knowledge, searching, partner, variant, seeds, seats, slips)
    return found


def _meet_published(knowledge, partner, variant, seeds, seats):
    """Play as the published agent."""
    count = len(knowledge.partners)
    belief, points = np.full(count, 1 / count), []
    part, total = np.zeros((2, 8))
    for i in range(len(seeds)):
        chosen = int(np.argmax(knowledge.own @ belief))
        players = [partner.at(variant.players), knowledge.partners[chosen].at(variant.players)]
        [counted] = count_games(Table(variant, players), seeds[i : i + 1], 1 - seats[i : i + 1])
        points.append(int(counted["score"]))
        part, total = part + counted["part"], total + counted["total"]
        belief = publish_belief(belief, _ratios(part, total), knowledge.features[chosen])
    return points


@dataclass(frozen=True)
class _Acquaintance(Recogniser):
    """A recogniser that keeps its posterior from game to game; with ``rollouts`` it looks ahead."""

    rollouts: int = 0
    beliefs: list[Posterior] = field(default_factory=list, compare=False)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> _SeatedAcquaintance:
        """Return its object for a game; see ``Recogniser.join``."""
        seated = super().join(variant, seat, company)
        return _SeatedAcquaintance(self, variant, seated.tracker)


@dataclass
class _SeatedAcquaintance(SeatedRecogniser):
    """An acquaintance in a game."""

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move of the best reply by the posterior of all games so far."""
        player: Any = self.player
        posterior = player.beliefs[-1]
        for _, chances in self.tracker.update(view):
            posterior.add(chances)
        reply = player.replies[posterior.best_reply(np.array(player.scores))]
        company, search = [reply] * int(view.players), LookAhead(rollouts=0)
        if player.rollouts:
            likeliest = posterior.probabilities().sum(axis=1).argmax()
            company = [player.pool[likeliest]] * len(company)
            company[int(view.me)] = reply
            search = LookAhead(**AMONG_OTHERS | {"rollouts": player.rollouts})
        context = player.context(self.variant, company)
        searcher = SeatedSearcher(Searcher(reply, search, player.name), context)
        return searcher.move(view_in(context, view))


def _meet_ours(knowledge, player, partner, variant, seeds, seats, slips):
    """Play as ours."""
    player.beliefs[:] = [Posterior(len(knowledge.partners), slips)]
    table = Table(variant, [player, partner.at(variant.players)])
    return table.play(seeds, seats)["score"].tolist()


def acquaintance(knowledge: Knowledge, rollouts: int = 0) -> _Acquaintance:
    """Return the player of what is known; one can meet one partner after the other.

    Args:
        knowledge: What is known.
        rollouts: Games played out per searched move; 0: no look-ahead.
    """
    count = knowledge.players
    return _Acquaintance(
        tuple(agent.list_at(count) for agent in knowledge.partners),
        tuple(agent.list_at(count) for agent in knowledge.replies),
        tuple(map(tuple, knowledge.scores.tolist())),
        Partners(hands=HANDS),
        "ours",
        rollouts,
    )


def learn(table: Responses, players: int, games: int, seed: int = 0, jobs: int = -1) -> Knowledge:
    """Return what is known of the training pool of a response table.

    Args:
        table: The response table.
        players: The player count.
        games: Games of each pair of agents of the pool.
        seed: The seed of their deals.
        jobs: Number of workers.
    """
    partners, replies = list(table.partners.values()), list(table.replies.values())
    scores = [[table.scores[r][p][str(players)] for p in table.partners] for r in table.replies]
    own = cross_scores(partners, [players], games, seed=seed, jobs=jobs).points
    features = partner_features(partners, players, games // 4, seed)
    return Knowledge(players, partners, replies, own, np.array(scores), features)


def oracle(
    knowledge: Knowledge, partners: Sequence[Agent], games: int, seed: int, jobs: int = -1
) -> list[float]:
    """Return the points of the best reply to each partner, chosen on other deals."""
    count = knowledge.players
    arena = Arena([count], seed=seed, jobs=jobs)
    matches = [
        arena.match(count, reply, partner, games, first, place)
        for first in (0, games)
        for reply in knowledge.replies
        for place, partner in enumerate(partners)
    ]
    with arena.workers as workers:
        found = [one.kept.mean for one in workers.sums(matches)]
    return best_points(np.array(found).reshape(2, len(knowledge.replies), len(partners)))


def adapt(
    knowledge: Knowledge,
    partners: Sequence[Agent],
    repetitions: int,
    seed: int,
    progress: Callable[[int, int], Any] = lambda done, of: None,
    rollouts: int = 0,
) -> dict[str, np.ndarray]:
    """Meet every partner for MEETING games, and that ``repetitions`` times.

    With ``rollouts`` it also meets them with look-ahead.

    Returns:
        By way to play, points int64 (partners, repetitions, games).
    """
    player = acquaintance(knowledge)
    searching = acquaintance(knowledge, rollouts) if rollouts else None
    ways = (*WAYS, LOOK_AHEAD) if searching else WAYS
    found: dict[str, list[list[int]]] = {way: [] for way in ways}
    for place, partner in enumerate(partners):
        for repetition in range(repetitions):
            met = deals(seed, knowledge.players, MEETING, repetition * MEETING, place, 1)
            for way, points in meet(knowledge, player, partner, *met, searching).items():
                found[way].append(points)
        progress(place + 1, len(partners))
    shape = len(partners), repetitions, MEETING
    return {way: np.array(points).reshape(shape) for way, points in found.items()}
