"""Adapt to unknown partners over some games: a generalist, the published agent, ours, an oracle.

All know some pools only and meet partners of another one, 10 games with each. All play the same
deals. ``try_trusts`` chooses the settings of ours with the partners of one known pool after the
other, of which nothing is known then: no likelihoods, and no reply to the partner itself.

* The *generalist* is the agent of the known pools with the highest mean over them.
* The *published* agent (Canaan et al., "Generating and adapting to diverse ad-hoc partners in
  Hanabi", 2020) has a belief over the known partners. It plays the agent among them with
  the highest expected score. After each game it multiplies the belief in partner q by two normal
  densities, of the difference of the partner's communicativeness and of its information per play,
  over all games so far, from those that q has with the agent that was played (deviation 0.1).
* The *best fixed list* is the one of the lists that were evolved against the first known pool with
  the highest mean over all known partners.
* *Ours* has all of these lists, and the posterior over the known partners by every move of all
  games so far (hanabi/lookahead/partners.py). The logarithms of the likelihood count ``temper``
  times, and the weight ``outside`` stays on the mean over the known partners, for others. In its
  first game with a partner it plays the best fixed list. *Untempered*, the logarithms count once,
  and a quarter of the weight is outside.
* *Ours, look-ahead* also searches, from the second game on, with the likeliest known partner at the
  other seats. The settings of its search are chosen as those of the posterior, with games.
* The *best fixed list, look-ahead* searches in all games and takes the others for copies of itself.
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
from hanabi.lookahead.look_ahead_player import NO_SEARCH, LookAhead, Searcher, SeatedSearcher
from hanabi.lookahead.partners import (
    Partners,
    Recogniser,
    SeatedRecogniser,
    log_likelihood,
    normalise,
    view_in,
)
from hanabi.player import Player
from hanabi.rules.agents import Agent
from hanabi.rules.agents.responses import Responses
from hanabi.table import Table
from hanabi.variant import Variant, read_variant

DEVIATION = 0.1  # of both features of the published agent
FEATURES = [HINTS, KNOWN]
SLIP = 0.001  # share of departures of a list
HANDS = 8  # of mine that each move is averaged over
MEETING = 10  # games with each partner
FIXED = "best fixed list"
FIXED_AHEAD = "best fixed list, look-ahead"
UNTEMPERED = "ours, untempered"
AHEAD = "ours, look-ahead"
WAYS = ("generalist", FIXED, FIXED_AHEAD, "published", UNTEMPERED, "ours", AHEAD)


class Trust(NamedTuple):
    """How far ours trusts its posterior.

    Attributes:
        outside: Weight of the mean over the pool.
        temper: Factor of the log likelihood: moves of one player are no independent evidence.
    """

    outside: float
    temper: float


# To choose from, and the choice, made by `python -m docs.generate.adaptation_results choose …`
TRUSTS = [
    Trust(outside, temper)
    for outside in (0.0, 0.1, 0.25, 0.5)
    for temper in (1.0, 0.2, 0.1, 0.05, 0.0125)
]
TRUST = Trust(0.0, 0.1)
WITHOUT_TEMPER = Trust(0.25, 1.0)
SEARCHES = [LookAhead(rollouts=300), LookAhead(rollouts=1_000)]
SEARCH = SEARCHES[1]


class Knowledge(NamedTuple):
    """What is known of some pools at one player count.

    Attributes:
        players: The player count.
        partners: Their agents.
        pools: By partner, the place of its pool.
        replies: The list that was evolved against all agents of the first pool, then those against
            each of them, in their order.
        own: Mean points (agents, partners) of their agents with each other.
        scores: Mean points (replies, partners).
        features: Features of each partner with each agent (agents, partners, 2).
        prior: Probability of each partner, before any move.
    """

    players: int
    partners: Sequence[Agent]
    pools: np.ndarray
    replies: Sequence[Agent]
    own: np.ndarray
    scores: np.ndarray
    features: np.ndarray
    prior: np.ndarray

    @property
    def best_fixed(self) -> int:
        """The reply with the highest mean score."""
        return int(np.argmax(self.scores @ self.prior))


def leave_out(knowledge: Knowledge, place: int) -> Knowledge:
    """Return what is known without the pool of a partner and without the reply to the partner.

    The replies to others of the first pool stay: without them there would be none.
    """
    others = knowledge.pools != knowledge.pools[place]
    replies = [i for i in range(len(knowledge.replies)) if i != place + 1]
    return knowledge._replace(
        replies=[knowledge.replies[i] for i in replies],
        scores=knowledge.scores[replies],
        prior=others / others.sum(),
    )


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
    """The posterior over the lists of a pool, over the games with one partner.

    Attributes:
        prior: Probability of each list, before any move.
        trust: How far it is trusted.
        search: How ours searches with it.
        games: Number of games begun.
        logs: Log likelihood of the moves of all games, by list.
    """

    prior: np.ndarray
    trust: Trust = TRUST
    search: LookAhead = NO_SEARCH
    games: int = 0

    def __post_init__(self) -> None:
        self.logs = np.zeros(len(self.prior))

    def add(self, chances: Sequence[float]) -> None:
        """Count in a move of a partner; ``chances``: of this move by each list."""
        self.logs += [log_likelihood(chance, SLIP) for chance in chances]

    def probabilities(self) -> np.ndarray:
        """Return probabilities by list; in the first game those of before any move."""
        if self.games <= 1:
            return self.prior
        found = self.prior * normalise(self.trust.temper * self.logs)
        return found / found.sum()

    def best_reply(self, scores: np.ndarray) -> int:
        """Return the reply with the highest expected score; ``scores``: (replies, lists)."""
        outside = self.trust.outside
        return int(
            np.argmax(scores @ ((1 - outside) * self.probabilities() + outside * self.prior))
        )


def meet(
    knowledge: Knowledge,
    player: Recogniser,
    partner: Agent,
    seeds: np.ndarray,
    seats: np.ndarray,
) -> dict[str, list[int]]:
    """Play the games with one partner in every way; return the points of each game.

    Args:
        knowledge: What is known.
        player: The acquaintance.
        partner: The partner.
        seeds: The seeds of the games.
        seats: The seats of the games.
    """
    players, alone = knowledge.players, int(np.argmax(knowledge.own.mean(axis=1)))
    return {
        "generalist": _play(knowledge.partners[alone].at(players), partner, players, seeds, seats),
        FIXED: meet_fixed(knowledge, partner, seeds, seats),
        FIXED_AHEAD: meet_fixed(knowledge, partner, seeds, seats, SEARCH),
        "published": _meet_published(knowledge, partner, seeds, seats),
        UNTEMPERED: meet_ours(knowledge, player, partner, seeds, seats, WITHOUT_TEMPER),
        "ours": meet_ours(knowledge, player, partner, seeds, seats),
        AHEAD: meet_ours(knowledge, player, partner, seeds, seats, search=SEARCH),
    }


def _play(player, partner, players, seeds, seats):
    """Return the points of games of a player with a partner."""
    table = Table(read_variant("standard").at(players), [player, partner.at(players)])
    return table.play(seeds, seats)["score"].tolist()


def meet_fixed(
    knowledge: Knowledge,
    partner: Agent,
    seeds: np.ndarray,
    seats: np.ndarray,
    search: LookAhead = NO_SEARCH,
) -> list[int]:
    """Play as the best fixed list; see ``meet``."""
    fixed: Player = knowledge.replies[knowledge.best_fixed].list_at(knowledge.players)
    if search.search_deck >= 0:
        fixed = _AmongCopies(fixed, search, FIXED_AHEAD)
    return _play(fixed, partner, knowledge.players, seeds, seats)


class _AmongCopies(Searcher):
    """A searcher that assumes that all players follow its own list."""

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedSearcher:
        """Return its object for a game; see ``Searcher.join``."""
        return super().join(variant, seat, (self.follows,) * len(company))


def _meet_published(knowledge, partner, seeds, seats):
    """Play as the published agent."""
    variant, count = read_variant("standard").at(knowledge.players), len(knowledge.partners)
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
    """A recogniser that keeps its posterior from game to game."""

    beliefs: list[Posterior] = field(default_factory=list, compare=False)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> _SeatedAcquaintance:
        """Return its object for a game; see ``Recogniser.join``."""
        self.beliefs[-1].games += 1
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
        search, company = posterior.search, [reply] * int(view.players)
        if posterior.games <= 1:
            search = NO_SEARCH
        if search.search_deck >= 0:
            company = [player.pool[int(np.argmax(posterior.probabilities()))]] * len(company)
            company[int(view.me)] = reply
        context = player.context(self.variant, company)
        searcher = SeatedSearcher(Searcher(reply, search, player.name), context, search)
        return searcher.move(view_in(context, view))


def meet_ours(
    knowledge: Knowledge,
    player: Recogniser,
    partner: Agent,
    seeds: np.ndarray,
    seats: np.ndarray,
    trust: Trust = TRUST,
    search: LookAhead = NO_SEARCH,
) -> list[int]:
    """Play as ours; see ``meet``."""
    player.beliefs[:] = [Posterior(knowledge.prior, trust, search)]
    return _play(player, partner, knowledge.players, seeds, seats)


def acquaintance(knowledge: Knowledge) -> _Acquaintance:
    """Return the player of what is known; one can meet one partner after the other."""
    count = knowledge.players
    return _Acquaintance(
        tuple(agent.list_at(count) for agent in knowledge.partners),
        tuple(agent.list_at(count) for agent in knowledge.replies),
        tuple(map(tuple, knowledge.scores.tolist())),
        Partners(hands=HANDS),
        "ours",
    )


def learn(
    table: Responses,
    players: int,
    games: int,
    seed: int = 0,
    jobs: int = -1,
    further: Sequence[Sequence[Agent]] = (),
) -> Knowledge:
    """Return what is known of the pool of a response table, and of further pools.

    Args:
        table: The response table.
        players: The player count.
        games: Games of each reply with each partner of a further pool; pairs of agents of the pools
            play a quarter.
        seed: The seed of their deals.
        jobs: Number of workers.
        further: The agents of the further pools.
    """
    pools, replies = [list(table.partners.values()), *further], list(table.replies.values())
    partners, others = (
        [one for pool in pools for one in pool],
        [one for pool in further for one in pool],
    )
    scores = np.array(
        [[table.scores[r][p][str(players)] for p in table.partners] for r in table.replies]
    )
    if others:
        scores = np.hstack([scores, reply_scores(replies, others, players, games, seed, jobs)])
    own = cross_scores(partners, [players], games // 4, seed=seed, jobs=jobs).points
    features = partner_features(partners, players, games // 4, seed)
    places = np.repeat(range(len(pools)), [len(pool) for pool in pools])
    prior = np.full(len(partners), 1 / len(partners))
    return Knowledge(players, partners, places, replies, own, scores, features, prior)


def reply_scores(
    replies: Sequence[Agent],
    partners: Sequence[Agent],
    players: int,
    games: int,
    seed: int,
    jobs: int = -1,
    first: int = 0,
) -> np.ndarray:
    """Return mean kept points float64 (replies, partners) in deals from ``first`` on."""
    arena = Arena([players], seed=seed, jobs=jobs)
    matches = [
        arena.match(players, reply, partner, games, first, place)
        for reply in replies
        for place, partner in enumerate(partners)
    ]
    with arena.workers as workers:
        means = [one.kept.mean for one in workers.sums(matches)]
    return np.array(means).reshape(len(replies), len(partners))


def oracle(
    knowledge: Knowledge, partners: Sequence[Agent], games: int, seed: int, jobs: int = -1
) -> list[float]:
    """Return the points of the best reply to each partner, chosen on other deals."""
    halves = [
        reply_scores(knowledge.replies, partners, knowledge.players, games, seed, jobs, first)
        for first in (0, games)
    ]
    return best_points(np.array(halves))


def adapt(
    knowledge: Knowledge,
    partners: Sequence[Agent],
    repetitions: int,
    seed: int,
    progress: Callable[[int, int], Any] = lambda done, of: None,
) -> dict[str, np.ndarray]:
    """Meet every partner for MEETING games, and that ``repetitions`` times.

    Returns:
        By way to play, points int64 (partners, repetitions, games).
    """
    player = acquaintance(knowledge)

    def meet_one(place, partner, met):
        return meet(knowledge, player, partner, *met)

    return _meet_all(partners, knowledge.players, repetitions, seed, progress, meet_one)


def try_trusts(
    knowledge: Knowledge, seed: int, progress: Callable[[int, int], Any] = lambda done, of: None
) -> dict[Trust, np.ndarray]:
    """Meet every known partner as one of a pool that is not known, with each of TRUSTS.

    The likelihoods are those of MEETING games that the best fixed list plays with the partner; in
    place of the points of a game stand the mean points of the reply that would be chosen before it.

    Returns:
        By setting, the mean gain over the best fixed list, float64 (partners,).
    """
    player, found = acquaintance(knowledge), {trust: np.zeros(0) for trust in TRUSTS}
    for place, partner in enumerate(knowledge.partners):
        known, met = (
            leave_out(knowledge, place),
            deals(seed, knowledge.players, MEETING, 0, place, 1),
        )
        logs = record_logs(knowledge, player, partner, *met)
        for trust in TRUSTS:
            found[trust] = np.append(found[trust], expected_gain(known, place, logs, trust))
        progress(place + 1, len(knowledge.partners))
    return found


def try_searches(
    knowledge: Knowledge, seed: int, progress: Callable[[int, int], Any] = lambda done, of: None
) -> dict[str, np.ndarray]:
    """Meet every known partner as one of a pool that is not known, with each of SEARCHES.

    Returns:
        By settings, "" for no search, the mean gain over the best fixed list in MEETING games,
        float64 (partners,).
    """
    found: dict[str, list[float]] = {}
    for place, partner in enumerate(knowledge.partners):
        known = leave_out(knowledge, place)
        player, met = acquaintance(known), deals(seed, knowledge.players, MEETING, 0, place, 1)
        fixed = np.mean(meet_fixed(known, partner, *met))
        for search in NO_SEARCH, *SEARCHES:
            points = meet_ours(known, player, partner, *met, search=search)
            name = "" if search is NO_SEARCH else str(search)
            found.setdefault(name, []).append(float(np.mean(points) - fixed))
        progress(place + 1, len(knowledge.partners))
    return {name: np.array(gains) for name, gains in found.items()}


def record_logs(
    knowledge: Knowledge, player: Recogniser, partner: Agent, seeds: np.ndarray, seats: np.ndarray
) -> np.ndarray:
    """Return the log likelihoods (games, partners) of a partner's moves up to each game's end.

    The games are those of the best fixed list with the partner.
    """
    player.beliefs[:] = [Posterior(knowledge.prior, Trust(1.0, 1.0))]
    logs = []
    for i in range(len(seeds)):
        _play(player, partner, knowledge.players, seeds[i : i + 1], seats[i : i + 1])
        logs.append(player.beliefs[-1].logs.copy())
    return np.array(logs)


def expected_gain(known: Knowledge, place: int, logs: np.ndarray, trust: Trust) -> float:
    """Return the mean over games of what the chosen reply makes more than the best fixed list.

    Args:
        known: What is known.
        place: The partner.
        logs: The log likelihoods of its moves up to the end of each game; the last counts for none.
        trust: How far ours trusts its posterior.
    """
    posterior, points = Posterior(known.prior, trust), []
    for game, before in enumerate([np.zeros(len(known.prior)), *logs[:-1]], 1):
        posterior.games, posterior.logs = game, before
        points.append(known.scores[posterior.best_reply(known.scores), place])
    return float(np.mean(points) - known.scores[known.best_fixed, place])


def _meet_all(partners, players, repetitions, seed, progress, meet_one):
    """Return the points of all meetings by way to play; see ``adapt``."""
    found = {}
    for place, partner in enumerate(partners):
        for repetition in range(repetitions):
            met = deals(seed, players, MEETING, repetition * MEETING, place, 1)
            for way, points in meet_one(place, partner, met).items():
                found.setdefault(way, []).append(points)
        progress(place + 1, len(partners))
    shape = len(partners), repetitions, MEETING
    return {way: np.array(points).reshape(shape) for way, points in found.items()}
