"""How fast our agents are in other engines, beside the engines' own random bots: ``hanabi bench bridges``. CPU time of one core,
the engine's share included; an engine that is not installed is left out, which is said.
"""

from __future__ import annotations

import importlib
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from hanabi.rules.agents import load

ROUNDS = 5
PLAYERS = (2, 3, 4, 5)
SPECS = "piers", "convention-2026"


def _openspiel(spec: str | None) -> Callable[[int], int]:
    import pyspiel

    from hanabi.evolve.bridges.openspiel import Bot

    agent, tables = load(spec) if spec else None, {}

    def game(players):
        if players not in tables:
            played = pyspiel.load_game("hanabi", {"players": players})
            tables[players] = (
                played,
                [
                    (
                        Bot(agent, played, seat)
                        if agent
                        else pyspiel.make_uniform_random_bot(seat, seat)
                    )
                    for seat in range(players)
                ],
                random.Random(players),
            )
        played, bots, dice = tables[players]
        state, turns = played.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dice.choices(*zip(*state.chance_outcomes()))[0])
                continue
            state.apply_action(bots[state.current_player()].step(state))
            turns += 1
        return turns

    return game


def _hle(spec: str | None) -> Callable[[int], int]:
    from hanabi_learning_environment import rl_env
    from hanabi_learning_environment.agents.random_agent import RandomAgent

    from hanabi.evolve.bridges.hle import Agent

    agent, tables = load(spec) if spec else None, {}

    def game(players):
        if players not in tables:
            tables[players] = (
                rl_env.make("Hanabi-Full", num_players=players),
                [
                    Agent({"agent": agent}) if agent else RandomAgent({"players": players})
                    for _ in range(players)
                ],
            )
        environment, agents = tables[players]
        seen, done, turns = environment.reset(), False, 0
        while not done:
            moves = [one.act(view) for one, view in zip(agents, seen["player_observations"])]
            seen, _, done, _ = environment.step(next(move for move in moves if move is not None))
            turns += 1
        return turns

    return game


ENGINES: dict[str, tuple[str, Callable[[str | None], Callable[[int], int]]]] = {
    "openspiel": ("pyspiel", _openspiel),
    "hle": ("hanabi_learning_environment.rl_env", _hle),
}


def bridges() -> list[dict[str, Any]]:
    """Decisions per second of each engine's own random bot, and of our agents there; by player count and over all."""
    rows = []
    for engine, (module, player_of) in ENGINES.items():
        try:
            importlib.import_module(module)
        except ImportError:
            rows.append(
                dict(
                    name=engine,
                    players=None,
                    value=0.0,
                    unit=f"not installed: pip install hanabi-evolve[{engine}]",
                )
            )
            continue
        for spec in (None, *SPECS):
            game, speeds = player_of(spec), []
            for players in PLAYERS:
                game(players)
                times = []
                for _ in range(ROUNDS):
                    start = time.thread_time()
                    times.append(game(players) / (time.thread_time() - start))
                speeds.append(statistics.median(times))
                rows.append(_entry(engine, spec, players, speeds[-1]))
            rows.append(_entry(engine, spec, "2-5", statistics.mean(speeds)))
    return rows


def _entry(engine, spec, players, value):
    return dict(
        name=f"{engine} {spec or 'its random bot'}",
        players=players,
        value=round(value, 1),
        unit="decisions/s",
    )
