"""The end of a run: the finalists race, the winner plays the final deals, and the agent is written down."""

from __future__ import annotations

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
    candidates: tuple[list[list[Individual]], dict],
    tell: Callable[[str, str], None],
) -> Winner:
    """Race the best of each list of candidates (best first) and write race.csv, best.toml, finals.csv and result.json. With the lists
    comes [generation, number there] of each candidate, by key.

    ``tell(stage, text)`` is called before each step; it may raise to stop.
    """
    seed = derive(config.search.seed, "finals", config.search.generations)
    taken: set = set()
    lists, born = candidates
    finalists = [
        one
        for some in lists
        for one in distinct(evaluator, some, config.final.finalists, seed, taken)
    ]
    entrants = race(
        evaluator,
        finalists,
        seed,
        config.final.race_games,
        config.game.scoring,
        lambda done, rounds: tell(
            "race", f"race of {counted(len(finalists), 'finalist')}, round {done + 1} of {rounds}"
        ),
    )
    _write_race(folder, evaluator, entrants)
    winner = entrants[0].individual
    if config.final.prune_games:
        winner = pruned(
            evaluator,
            winner,
            derive(seed, "prune"),
            config.final.prune_games,
            config.game.scoring,
            lambda done, parts: (
                None
                if done % 10
                else tell("race", f"what the winner does not need: part {done + 1} of {parts}")
            ),
        )
    tell(
        "final",
        f"the winner plays {counted(config.final.final_games, 'fresh deal')} per player count",
    )
    found = exported(
        evaluator,
        config,
        winner,
        final_games(evaluator, winner, config.final.final_games),
        _provenance(folder, config, evaluator),
    )
    write_whole(folder / "best.toml", found.text)
    note_final(folder / "finals.csv", found.agent, found.results)
    write_whole(
        folder / "result.json",
        sealed(
            {
                "results": found.results,
                "shares": found.shares,
                "born": born[entrants[0].individual.key()],
                "rules": winner.rules,
                "conventions": winner.conventions,
                "weights": winner.weights,
                "best_toml": hashlib.sha256(found.text.encode()).hexdigest(),
                "log_csv": hashlib.sha256((folder / "log.csv").read_bytes()).hexdigest(),
            }
        ),
    )
    return found


def _write_race(folder: Path, evaluator: Evaluator, entrants: list[Entrant]) -> None:
    task = evaluator.task
    rows = [["place", "rounds", "games", "mean", "sem", *columns(task)]] + [
        [
            place,
            one.rounds,
            one.games,
            f"{one.mean:.6f}",
            cell(one.sem),
            *cells(task, one.individual),
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
            {"pool": [agent.name for agent in evaluator.task.find_pool()]}
            if config.game.pool
            else {}
        ),
        **({"start": list(config.genome.start)} if config.genome.start else {}),
    }
