"""The winner of a run: the best of many individuals that look good, without rules that never fired.

The best of many noisy values is inflated, so a fitness is never a result. Finalists are raced by
sequential halving (Karnin, Koren & Somekh 2013): each round spends the same number of games on
those still in it, all on the same deals, keeps every game played before, and drops the worse half.
Choosing among 200 with 16,000 games it loses 0.037 points on the true best; the two-stage choice of
2018 lost 0.062, equal shares 0.121. The winner is then scored once, on deals that nothing was tuned
on.
"""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.measure.arena import SCORINGS, derive, mean_sem, player_ranges, players_text
from hanabi.evolve.measure.game_sums import FORFEITED
from hanabi.files import read_bytes, write_whole
from hanabi.rules import agents
from hanabi.table import RuleError
from hanabi.variant import read_variant

SIEVE_GAMES = 200  # that show which rules of an individual fire
REFERENCE = Path("runs/reference/finals.csv")
FINAL_COLUMNS = (
    "date agent hash variant mode players games mean_kept sem_kept mean_zero sem_zero "
    "perfect_games forfeited_games"
).split()


@dataclass(frozen=True)
class Entrant:
    """An individual in a race.

    Attributes:
        rounds: How many rounds it played (the winner one more).
        games: Its games, all groups together.
        mean: Its mean points per game, with their standard error ``sem``.
    """

    individual: Individual
    rounds: int
    games: int
    mean: float
    sem: float


def effective(one: Individual, fired: np.ndarray) -> tuple[str, ...]:
    """Return the rules of an individual that fired; ``fired`` as in FitnessGames."""
    return tuple(rule for rule, times in zip(one.rules, fired.sum(axis=0)) if times > 0)


def distinct(
    evaluator: Evaluator, individuals: list[Individual], wanted: int, seed: int, taken: set
) -> list[Individual]:
    """Return the first individuals whose lists without silent rules differ.

    Args:
        evaluator: Plays the games that show which rules fire.
        individuals: The candidates, best first.
        wanted: How many to return, at most.
        seed: The seed of the deals.
        taken: Keys of effective lists that were chosen before; those chosen are added.
    """
    found: list[Individual] = []
    groups = len(evaluator.problem.players) * evaluator.problem.partners
    step = 2 * wanted  # most are distinct, so that one step is enough
    for start in range(0, len(individuals), step):
        some = individuals[start : start + step]
        played = evaluator.evaluate(some, derive(seed, "sieve"), -(-SIEVE_GAMES // groups))
        for one, fired in zip(some, played.fired):
            key = one.with_rules(effective(one, fired)).key()
            if key not in taken and len(found) < wanted:
                taken.add(key)
                found.append(one)
        if len(found) == wanted:
            break
    return found


def race(
    evaluator: Evaluator,
    individuals: list[Individual],
    seed: int,
    games: int,
    scoring: str,
    progress: Callable[[int, int], None] = lambda done, rounds: None,
    cost: Callable[[Individual], float] = lambda one: 0.0,
) -> list[Entrant]:
    """Race individuals.

    Args:
        evaluator: Plays the games.
        individuals: The finalists.
        seed: The seed of the deals.
        games: Games for each on average over the race. Sequential halving spends more of them on
            the better ones, so those of the last round have played at least this many.
        scoring: How games are scored.
        progress: Called with (done, rounds) before each round.
        cost: Points that are subtracted from the mean of an individual to rank it.

    Returns:
        All of them, best first.
    """
    groups = len(evaluator.problem.players) * evaluator.problem.partners
    rounds = max(1, (len(individuals) - 1).bit_length())
    running = list(range(len(individuals)))
    points: list[list[np.ndarray]] = [[] for _ in individuals]
    leaving: list[Entrant] = []
    deals, out = 0, leaving
    for done in range(rounds):
        progress(done, rounds)
        more = max(1, -(-games * len(individuals) // (rounds * len(running) * groups)))
        played = evaluator.evaluate(
            [individuals[i] for i in running], derive(seed, "race"), more, deals
        )
        deals += more
        for i, some in zip(running, played.points(scoring)):
            points[i].append(some)
        values = {i: mean_sem(np.concatenate(points[i], axis=1)) for i in running}
        # equals keep their order
        running.sort(key=lambda i: cost(individuals[i]) - values[i][0])
        stay = len(running) if done == rounds - 1 else -(-len(running) // 2)
        leaving = []
        for i in running:
            mean, sem = map(float, values[i])
            leaving.append(Entrant(individuals[i], done + 1, deals * groups, mean, sem))
        out = leaving[stay:] + out
        running = running[:stay]
    return leaving + out


def final_seed(config: Config) -> int:
    """Return the seed of a run's final deals, which are used for its final score only.

    It follows from the config, so that the same config gives the same result in any folder, and a
    run that is extended after its score gets other deals.
    """
    return derive(config.search.seed, "final deals", config.hash())


def final_games(evaluator: Evaluator, individual: Individual, config: Config) -> FitnessGames:
    """Play an individual on a run's final deals, ``final_games`` per player count and partner."""
    return evaluator.evaluate([individual], final_seed(config), config.final.final_games)


def note_final(file: str | Path, agent: agents.Agent, rows: list[dict]) -> None:
    """Append a use of the final deals to a table.

    Every look at these deals is written down, as nothing may be tuned on them.

    Args:
        file: finals.csv of a run folder, or ``REFERENCE`` for published results.
        agent: The agent.
        rows: Its results, the values of FINAL_COLUMNS behind ``hash``.
    """
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = read_bytes(file) if file.exists() else (",".join(FINAL_COLUMNS) + "\n").encode()
    out = io.StringIO()
    who = {"date": date.today().isoformat(), "agent": agent.name, "hash": agent.hash}
    csv.DictWriter(out, FINAL_COLUMNS, lineterminator="\n").writerows(who | row for row in rows)
    write_whole(file, before + out.getvalue().encode())


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
        rows.append(
            {
                "variant": config.game.variant,
                "mode": config.game.mode,
                "players": players,
                "games": len(places) * partners * games,
                **{
                    f"{what}_{scoring}": round(float(value), 6)
                    for scoring in SCORINGS
                    for what, [value] in zip(("mean", "sem"), part.summary(scoring))
                },
                "perfect_games": int((part.kept == perfect).sum()),
                "forfeited_games": int((part.ends == FORFEITED).sum()),
            }
        )
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
