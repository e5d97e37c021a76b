"""The agent that a run ends with: the best individual without the rules that never fired."""

from dataclasses import dataclass

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.race import effective, final_games
from hanabi.evolve.measure.arena import SCORINGS, player_ranges, players_text
from hanabi.evolve.measure.game_sums import FORFEITED
from hanabi.rules import agents
from hanabi.table import RuleError
from hanabi.variant import read_variant


def trimmed(one: Individual, fired: np.ndarray) -> Individual:
    """Return an individual without the rules that never fired; ``fired`` as in FitnessGames."""
    return one.with_rules(effective(one, fired) or one.rules[:1])


def result_rows(config: Config, played: FitnessGames, perfect: int, place: int = 0) -> list[dict]:
    """Return the results of an individual of some games, under both scorings.

    Args:
        config: The config of the run.
        played: The games.
        perfect: The points of a perfect game.
        place: Which of the individuals.

    Returns:
        A row per player count, and one for all of them ("2-5").
    """
    _, counts, partners, games = played.kept.shape
    chosen = [([place], str(config.game.players[place])) for place in range(counts)]
    if counts > 1:
        chosen.append((list(range(counts)), players_text(config.game.players)))
    rows, one = [], slice(place, place + 1)
    for places, players in chosen:
        part = FitnessGames(played.kept[one, places], played.ends[one, places], played.fired[one])
        row = {
            "variant": config.game.variant,
            "mode": config.game.mode,
            "players": players,
            "games": len(places) * partners * games,
        }
        for scoring in SCORINGS:
            mean, sem = part.summary(scoring)
            row[f"mean_{scoring}"] = round(float(mean[0]), 6)
            row[f"sem_{scoring}"] = round(float(sem[0]), 6)
        row["perfect_games"] = int((part.kept == perfect).sum())
        row["forfeited_games"] = int((part.ends == FORFEITED).sum())
        rows.append(row)
    return rows


def stated_results(rows: list[dict]) -> list[dict]:
    """Return results as an agent file states them: without variant and mode."""
    left_out = ("variant", "mode")
    return [{key: value for key, value in row.items() if key not in left_out} for row in rows]


def agent_of(
    name: str,
    individual: Individual,
    config: Config,
    provenance: dict | None = None,
    source: str = "evolved by hanabi",
) -> agents.Agent:
    """Return an individual as an agent, which plays its list at all player counts of a config."""
    player, keys = individual.player(config.genome.otherwise), player_ranges(config.game.players)
    return agents.Agent(
        name,
        {key: player.rules for key in keys},
        config.genome.otherwise,
        source,
        provenance or {},
        {key: player.conventions for key in keys if player.conventions},
        {key: dict(player.weights) for key in keys if player.weights},
    )


@dataclass(frozen=True)
class Winner:
    """The agent that a run ends with.

    Attributes:
        text: The agent's file.
        results: See ``result_rows``.
        shares: The share of the moves that each rule decided, by list, by position.
    """

    agent: agents.Agent
    text: str
    results: list[dict]
    shares: dict[str, list[float]]


def exported(
    evaluator: Evaluator,
    config: Config,
    individual: Individual,
    fresh: FitnessGames,
    provenance: dict,
) -> Winner:
    """Return an individual as an agent, without the rules that never fired in its fresh games.

    Args:
        evaluator: Plays the games.
        config: The config of the run.
        individual: The winner.
        fresh: Its games on the final deals.
        provenance: What the agent's file states about its run.

    Raises:
        RuleError: The shorter list scores differently in some game: a rule that proposed no move
            has changed something.
    """
    short = trimmed(individual, fresh.fired[0])
    again = final_games(evaluator, short, config)
    if not (np.array_equal(again.kept, fresh.kept) and np.array_equal(again.ends, fresh.ends)):
        raise RuleError(
            "dropping the rules that never fired changed the score of a game: a rule keeps state, "
            "or its move depends on what other rules computed (`hanabi check FILE` finds such a "
            "rule)"
        )
    rows = result_rows(config, again, read_variant(config.game.variant).perfect)
    keys, shares = player_ranges(config.game.players), {}
    for key in keys:
        fired = again.fired[0][[n in agents.counts(key) for n in config.game.players]].sum(axis=0)
        shares[key] = [float(times / max(1, fired.sum())) for times in fired[: len(short.rules)]]
    total = rows[-1]
    stated = {
        "score": total[f"mean_{config.game.scoring}"],
        "sem": total[f"sem_{config.game.scoring}"],
        "games": total["games"],
        "scoring": config.game.scoring,
        "results": stated_results(rows),
    }
    agent = agent_of(provenance["run"], short, config, provenance | stated)
    return Winner(agent, agents.dumps(agent, shares), rows, shares)
