"""Measure our agents in other engines, beside the engines' own random bots.

The values are by CPU time of one core, the engine's part included. An engine that is not installed
is reported as such.
"""

from __future__ import annotations

import importlib
import random
import statistics
from collections.abc import Callable

from hanabi.evolve.bench.benchmark_registry import (
    PLAYERS,
    ROUNDS,
    Rows,
    benchmark,
    entry,
    seconds_of,
)
from hanabi.rules.agents import load

SPECS = "piers", "convention-2026"


def _openspiel(spec: str | None) -> Callable[[int], int]:
    """Return what plays a game in OpenSpiel and returns its turns."""
    import pyspiel

    from hanabi.evolve.bridges.openspiel import Bot

    agent, tables = load(spec) if spec else None, {}

    def game(players: int) -> int:
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
    """Return what plays a game in the Hanabi Learning Environment and returns its turns."""
    from hanabi_learning_environment import rl_env
    from hanabi_learning_environment.agents.random_agent import RandomAgent

    from hanabi.evolve.bridges.hle import Agent

    agent, tables = load(spec) if spec else None, {}

    def game(players: int) -> int:
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


@benchmark("bridges")
def bridges() -> Rows:
    """Measure decisions per second of an engine's random bot and of our agents in it."""
    rows = []
    for engine, (module, game_of) in ENGINES.items():
        try:
            importlib.import_module(module)
        except ImportError:
            missing = f"not installed: pip install hanabi-evolve[{engine}]"
            rows.append(entry(engine, None, 0.0, missing))
            continue
        for spec in (None, *SPECS):
            name = f"{engine} {spec or 'its random bot'}"
            game, speeds = game_of(spec), []
            for players in PLAYERS:
                game(players)  # the first may compile
                speeds.append(statistics.median(_speed(game, players) for _ in range(ROUNDS)))
                rows.append(entry(name, players, round(speeds[-1], 1), "decisions/s"))
            rows.append(entry(name, "2-5", round(statistics.mean(speeds), 1), "decisions/s"))
    return rows


def _speed(game, players):
    """Return the decisions per second of a game."""
    turns = []
    spent = seconds_of(lambda: turns.append(game(players)))
    return turns[0] / spent
