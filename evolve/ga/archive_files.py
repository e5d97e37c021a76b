"""Files of a finished run of MAP-Elites: the archive as a table, and an agent file per elite."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from hanabi.evolve.ga.archive import Archive, Elite
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.log_writer import cells, columns, line
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.ga.run_folder import sealed
from hanabi.evolve.measure.arena import player_ranges
from hanabi.files import write_whole
from hanabi.rules import agents
from hanabi.variant import NAME

ARCHIVE, SUMMARY, ELITES = "archive.csv", "map.json", "elites"


def write_archive(
    folder: Path,
    problem: Problem,
    config: Config,
    archive: Archive,
    fresh: list[Elite],
    corrected: Archive,
) -> dict[str, Any]:
    """Write archive.csv, map.json and an agent file for each elite.

    ``archive.csv`` has a row per elite: ``index`` (number of its cell), ``cell`` (its name),
    ``objective`` and ``measures_0`` … as the search stored them (column names as in
    pyribs), ``corrected_index``, ``corrected_objective``, ``corrected_measures_0`` … and the points
    by player count on fresh deals, ``stays`` (whether it is in its cell on fresh deals), the
    ``generation`` that made it, and its genes.

    Args:
        folder: The run folder.
        problem: What was evolved.
        config: The config of the run.
        archive: The archive as found.
        fresh: Its elites in the order of cells, as they play fresh deals.
        corrected: The archive of these.

    Returns:
        ``cells``, the number of elites, and ``mean``, their mean points on fresh deals.
    """
    filled = archive.filled()
    rows = [_header(problem, config)]
    stays = 0
    with_agents = folder / f".{ELITES}"
    shutil.rmtree(with_agents, ignore_errors=True)
    with_agents.mkdir()
    for cell, now in zip(filled, fresh):
        stored, place = archive.elites[cell], archive.cells.cell(now.behaviour)
        stays += place == cell
        shown = now.individual.as_read(config.genome.order_length)
        rows.append(
            [
                cell,
                archive.cells.name(cell),
                *_numbers(stored),
                place,
                *_numbers(now),
                *(f"{points:.6f}" for points in now.points),
                int(place == cell),
                now.generation,
                *cells(problem, shown),
            ]
        )
        name = archive.cells.name(cell)
        called = f"{folder.name[: NAME - 1 - len(name)]}-{name}"
        text = _agent_text(called, config, now, shown)
        write_whole(with_agents / f"{name}.toml", text)
    shutil.rmtree(folder / ELITES, ignore_errors=True)
    with_agents.rename(folder / ELITES)
    write_whole(folder / ARCHIVE, b"".join(map(line, rows)))
    of_elites = sum(one.score for one in fresh) / len(fresh)
    found = {
        "behaviours": list(config.map.behaviours),
        "size": archive.cells.size,
        "found": archive.summary(),
        "corrected": corrected.summary(),
        "mean_of_elites": of_elites,
        "stays": stays / len(fresh),
        "elite_games": config.map.elite_games,
    }
    write_whole(folder / SUMMARY, sealed(found))
    return {"cells": len(filled), "mean": of_elites}


def _header(problem, config):
    count = len(config.map.behaviours)
    numbers = ["objective", *(f"measures_{place}" for place in range(count))]
    return [
        "index",
        "cell",
        *numbers,
        *(f"corrected_{name}" for name in ["index", *numbers]),
        *(f"points_{players}" for players in config.game.players),
        "stays",
        "generation",
        *columns(problem),
    ]


def _numbers(one):
    return [f"{one.score:.6f}", *(f"{value:.6f}" for value in one.behaviour)]


def _agent_text(name: str, config: Config, elite: Elite, shown: Individual) -> str:
    """Return the agent file of an elite."""
    player = shown.player(config.genome.otherwise)
    keys = player_ranges(config.game.players)
    behaviour = dict(zip(config.map.behaviours, elite.behaviour))
    return agents.dumps(
        agents.Agent(
            name,
            {key: player.rules for key in keys},
            config.genome.otherwise,
            "an elite of MAP-Elites, evolved by hanabi",
            {
                "score": elite.score,
                "games": config.map.elite_games * len(config.game.players),
                **behaviour,
            },
            {key: player.conventions for key in keys if player.conventions},
            {key: dict(player.weights) for key in keys if player.weights},
        )
    )
