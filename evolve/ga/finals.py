"""The finals of a run: race the finalists, prune the winner, score it on fresh deals, write it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.log_writer import cell, cells, columns, line
from hanabi.evolve.ga.pruning import pruned
from hanabi.evolve.ga.race import Entrant, distinct, final_games, note_final, race
from hanabi.evolve.ga.run_folder import sealed, unsealed
from hanabi.evolve.ga.winner import Winner, exported
from hanabi.evolve.measure.arena import derive, players_text
from hanabi.files import write_whole
from hanabi.notation import counted


def finals(
    folder: Path,
    config: Config,
    evaluator: Evaluator,
    candidates: list[list[Individual]],
    born: dict[tuple, list],
    tell: Callable[[str, str], None],
    time_limit: dict | None = None,
) -> Winner:
    """Find the winner and write race.csv, best.toml, finals.csv and result.json.

    Args:
        folder: The run folder.
        config: The config of the run, without a time limit.
        evaluator: Plays the games.
        candidates: Lists of individuals, best first; ``finalists`` of each are raced.
        born: [generation, number in it] of each candidate, by key.
        tell: Called with (stage, text) before each step; it may raise to stop.
        time_limit: ``minutes`` and ``generations`` of a run that its time limit ended.

    Returns:
        The agent and its results.
    """
    seed = derive(config.search.seed, "finals", config.search.generations)
    final, scoring = config.final, config.game.scoring
    taken: set = set()
    finalists = [
        one
        for some in candidates
        for one in distinct(evaluator, some, final.finalists, seed, taken)
    ]

    def tell_race(done, rounds):
        number = counted(len(finalists), "finalist")
        tell("race", f"race of {number}, round {done + 1} of {rounds}")

    def tell_pruning(done, parts):
        if done % 10 == 0:
            tell("race", f"what the winner does not need: part {done + 1} of {parts}")

    entrants = race(
        evaluator, finalists, seed, final.race_games, scoring, tell_race, config.search.words_cost
    )
    _write_race(folder, evaluator, entrants)
    winner = entrants[0].individual
    if final.prune_games:
        deals = derive(seed, "prune")
        winner = pruned(
            evaluator,
            winner,
            deals,
            final.prune_games,
            scoring,
            tell_pruning,
            config.search.words_cost,
        )
    tell("final", f"the winner plays {counted(final.final_games, 'fresh deal')} per player count")
    played = final_games(evaluator, winner, config)
    provenance = _provenance(folder, config, evaluator)
    found = exported(evaluator, config, winner, played, provenance)
    write_whole(folder / "best.toml", found.text)
    note_final(folder / "finals.csv", found.agent, found.results)
    result = {
        "results": found.results,
        "shares": found.shares,
        "born": born[entrants[0].individual.key()],
        "rules": winner.rules,
        "conventions": winner.conventions,
        "weights": winner.weights,
        "best_toml": hashlib.sha256(found.text.encode()).hexdigest(),
        "log_csv": hashlib.sha256((folder / "log.csv").read_bytes()).hexdigest(),
    }
    if time_limit:
        result["time_limit"] = time_limit
    steps = unsealed(folder / "run.json")["extended"]
    if steps:
        ends = ", ".join(str(step["from"]) for step in steps)
        result["extended"] = f"after generation {ends}; scored on fresh deals"
    write_whole(folder / "result.json", sealed(result))
    return found


def _write_race(folder: Path, evaluator: Evaluator, entrants: list[Entrant]) -> None:
    problem = evaluator.problem
    rows = [["place", "rounds", "games", "mean", "sem", *columns(problem)]] + [
        [
            place,
            one.rounds,
            one.games,
            f"{one.mean:.6f}",
            cell(one.sem),
            *cells(problem, one.individual),
        ]
        for place, one in enumerate(entrants, 1)
    ]
    write_whole(folder / "race.csv", b"".join(map(line, rows)))


def _provenance(folder: Path, config: Config, evaluator: Evaluator) -> dict:
    record = unsealed(folder / "run.json")
    return {
        "run": folder.name,
        "config": config.hash(),
        "rule_set": record["rules_hash"],
        "seed": config.search.seed,
        "version": record["versions"]["hanabi"],
        "generations": config.search.generations,
        "variant": config.game.variant,
        "mode": config.game.mode,
        "players": players_text(config.game.players),
        **(
            {"pool": [agent.name for agent in evaluator.problem.find_pool()]}
            if config.game.pool
            else {}
        ),
        **({"start": list(config.genome.start)} if config.genome.start else {}),
    }
