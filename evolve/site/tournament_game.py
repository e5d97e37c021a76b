"""Games behind a result of a tournament, and what a tournament of agents that think costs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hanabi.evolve.measure.arena import Arena
from hanabi.evolve.measure.tournament import play_games
from hanabi.evolve.pools.partner_menu import THINKERS
from hanabi.evolve.reports.game_data import game_data
from hanabi.game_record import play_one
from hanabi.rules.agents import load, partner_agents

COUNTS = (2, 3, 4, 5)
TIMED_PLAYERS = 3  # in the game that is timed
POOL = "cig2018-paper"  # of mixed play, as in measure/tournament.py


def seated_agents(agents: Mapping[str, str]) -> dict[str, str]:
    """Return the agents of a site, and those that think ahead: specs by name."""
    return {**agents, **{name: name for name in THINKERS if name not in agents}}


@cache
def is_slow(spec: str) -> bool:
    """Return whether an agent thinks ahead; False for one that cannot be read."""
    try:
        return bool(load(spec).is_slow)
    except ValueError:
        return False


@cache
def seconds_per_game(spec: str) -> float:
    """Return how long a game of an agent with copies of itself takes on this machine.

    A first game, which may compile, is not counted.
    """
    play_games(spec, TIMED_PLAYERS, 1, jobs=1)
    begun = time.perf_counter()
    play_games(spec, TIMED_PLAYERS, 1, jobs=1, seed=1)
    return time.perf_counter() - begun


def cost(specs: Sequence[str], mode: str, games: int) -> dict[str, Any]:
    """Return how long a tournament takes that agents which think ahead play in.

    Returns:
        ``seconds``, in all, of those agents alone; ``each``: [name, seconds per game] of each;
        ``seconds`` is 0 where there are none.
    """
    slow = [spec for spec in specs if is_slow(spec)]
    each = [(str(load(spec).name), seconds_per_game(spec)) for spec in slow]
    own = sum(seconds for _, seconds in each)  # of one game in which all seats think
    # with a stranger it thinks in one seat as guest, in the others as host: a game of both together
    tables = {"cross": len(specs), "mixed": len(partner_agents([POOL])) / TIMED_PLAYERS}
    total = own * tables.get(mode, 1) * games * len(COUNTS)
    return {"seconds": total, "each": each}


def matchup_game(
    result: Mapping[str, Any], agents: Mapping[str, str], asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a game that a cross tournament played, as data of a page.

    Args:
        result: The result.
        agents: Specs by name: no others are played, since a result may come from anywhere.
        asked: ``guest`` and ``host``, names of agents; ``players``; ``deal``, from 0.

    Raises:
        ValueError: There is no such game. One line.
    """
    guest, host, players, deal = (asked[key] for key in ("guest", "host", "players", "deal"))
    known = [spec for spec in result["agents"] if spec in agents.values()]
    found = {agent.name: agent for agent in map(load, known)}
    if result["mode"] != "cross" or guest not in found or host not in found:
        raise ValueError("This tournament has no game of these two, or they are not here any more.")
    if players not in COUNTS or not 0 <= deal < result["games"]:
        raise ValueError(f"Its deals have 2 to 5 players and the numbers 1 to {result['games']:,}.")
    mirror = guest == host
    names = [load(spec).name if spec in agents.values() else "" for spec in result["agents"]]
    arena = Arena([players], seed=result["seed"])
    match = arena.match(
        players,
        found[guest],
        None if mirror else found[host],
        1,
        first=deal,
        place=0 if mirror else names.index(host),
    )
    seeds, seats = match.deals()
    seated = match.seated
    labels = [guest, (match.partner or match.agent).name]
    game = play_one(match.variant, seated, seats[0].tolist(), int(seeds[0]), agents=labels)
    data = game_data(game, [seated[seat] for seat in seats[0]])
    data["title"] = f"{guest} with {host}, deal {deal + 1}: {game.score} of 25 points"
    return data
