"""Best responses: a list evolved for each partner of a pool, as a response table.

The search for a response begins with the agents of the pool that score most with the partner. In
each generation the survivors and their mutations play the same fresh deals; those with most points
per game over all their games survive.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.operators import seeded
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import make_toolbox
from hanabi.evolve.measure.arena import Arena, derive
from hanabi.rules.agents import Agent, member_specs, pool as agents_of
from hanabi.rules.agents.responses import Responses

ANYBODY = "anybody"  # the reply to the whole pool
SURVIVORS = 6
CHILDREN = 24
GAMES = 60  # of each individual in a generation, divided among the partners
GENERATIONS = 60


class _Tried(NamedTuple):
    """An individual with the points and the number of all its games."""

    individual: Individual
    points: float
    games: int

    @property
    def mean(self) -> float:
        return self.points / self.games


def evolve_response(
    partners: Sequence[str],
    players: int,
    start: Sequence[str],
    name: str,
    seed: int = 0,
    generations: int = GENERATIONS,
    jobs: int = -1,
) -> Agent:
    """Return a list that was evolved for some partners.

    Args:
        partners: Their specs.
        players: The player count. All seats but one are copies of one partner.
        start: Specs of the agents to begin with.
        name: The name of the response.
        seed: The seed of its random choices and deals.
        generations: Generations; 0 returns the best of ``start``.
        jobs: Number of workers; they do not change the result.
    """
    config = preset("response").changed(
        players=[players],
        pool=list(partners),
        start=list(start),
        replies=False,
        mutate="edit",
        elitism=0,
        halving_interval=0,
        mutation_probability=1.0,
        mate="aligned",
        local_search_games=0,
    )
    problem = Problem.of(config)
    space, evaluator = SearchSpace(problem), Evaluator(problem, jobs, "threads")
    toolbox = make_toolbox(config, space)
    games = max(1, GAMES // len(partners))
    survivors: list[_Tried] = []
    with evaluator:
        for generation in range(generations + 1):
            alive = [one.individual for one in survivors]
            if not alive:
                tried = problem.initial_individuals()
            else:
                with seeded(derive(seed, name, "mutate", generation)):
                    parents = (alive[i % len(alive)].clone() for i in range(CHILDREN))
                    tried = [toolbox.mutate(parent)[0] for parent in parents]
            known = {one.individual.key(): one for one in survivors}
            all_of_them = list({one.key(): one for one in [*alive, *tried]}.values())
            played = evaluator.evaluate(all_of_them, derive(seed, name, generation), games)
            means = played.summary("kept")[0]
            found = []
            for one, mean in zip(all_of_them, means):
                before = known.get(one.key(), _Tried(one, 0.0, 0))
                found.append(_Tried(one, before.points + float(mean) * games, before.games + games))
            survivors = sorted(found, key=lambda one: -one.mean)[:SURVIVORS]
    player = max(survivors, key=lambda one: (one.games > games, one.mean)).individual.player()
    return Agent(
        name,
        {str(players): player.rules},
        conventions={str(players): player.conventions} if player.conventions else {},
        weights={str(players): dict(player.weights)} if player.weights else {},
    )


class ResponseTable(NamedTuple):
    """Responses with the table of their scores.

    Attributes:
        responses: The response table, which ``partners:FILE`` reads.
        points: Mean points (replies, partners), on fresh deals.
        errors: Their standard errors.
    """

    responses: Responses
    points: np.ndarray
    errors: np.ndarray


def respond(
    pool: str,
    points: np.ndarray,
    players: int,
    games: int,
    seed: int = 0,
    generations: int = GENERATIONS,
    jobs: int = -1,
    progress: Callable[..., Any] = lambda done, of: None,
) -> ResponseTable:
    """Evolve a response to the whole pool and one to each partner, and score all with all.

    Args:
        pool: The pool, a part of one, or a pool file.
        points: Mean points of each agent of the pool with each partner (agents, partners): where
            the search begins.
        players: The player count.
        games: Fresh deals of each response with each partner.
        seed: The seed.
        generations: Generations of each search.
        jobs: Number of workers.
        progress: Called with the searches done and all searches.
    """
    specs, agents, replies = member_specs(pool), agents_of(pool), {}
    for i, name in enumerate([ANYBODY, *(agent.name for agent in agents)]):
        column = points.mean(axis=1) if i == 0 else points[:, i - 1]
        start = [specs[place] for place in np.argsort(-column)[:SURVIVORS]]
        replies[name] = evolve_response(
            specs if i == 0 else [specs[i - 1]], players, start, name, seed, generations, jobs
        )
        progress(i + 1, len(agents) + 1)
    arena = Arena([players], seed=derive(seed, "responses") >> 1, jobs=jobs)
    matches = [
        arena.match(players, reply, partner, games, place=place)
        for reply in replies.values()
        for place, partner in enumerate(agents)
    ]
    with arena.workers as workers:
        sums = workers.sums(matches)
    shape = len(replies), len(agents)
    means = np.array([one.kept.mean for one in sums]).reshape(shape)
    errors = np.array([one.kept.sem for one in sums]).reshape(shape)
    scores = {
        reply: {
            agent.name: {str(players): round(float(value), 3)} for agent, value in zip(agents, row)
        }
        for reply, row in zip(replies, means)
    }
    partners = {agent.name: agent for agent in agents}
    return ResponseTable(Responses(pool, partners, replies, scores), means, errors)
