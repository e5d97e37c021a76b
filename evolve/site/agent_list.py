"""The agents of the site as data: family, length, scores, and what a page of one agent shows."""

from functools import lru_cache
from typing import Any

import numpy as np

from hanabi.evolve.lessons.agent_lessons import is_taught
from hanabi.evolve.measure.arena import Arena
from hanabi.evolve.measure.game_sums import points
from hanabi.evolve.pools.partner_menu import partner
from hanabi.evolve.reports.game_data import game_data
from hanabi.files import file_mark
from hanabi.rules.agents import (
    NAMED,
    Agent,
    counts,
    entry_for,
    load,
    mean_score,
    read_guests,
    read_scores,
)
from hanabi.rules.agents.agent import FAMILIES_OF_AGENTS, OTHERWISE

WORDS = FAMILIES_OF_AGENTS | {"search": "searching", "mine": "mine"}
MEASURED_GAMES = 1_000  # per player count: a second for a list with conventions
MEDIAN_OF = 101  # games, the one of median points is shown
KEPT = 500  # agents that were read last
NEIGHBOURS = 3  # best and worst partners that are shown


def describe(name: str, spec: str) -> dict[str, Any]:
    """Return an agent as data for the list of agents.

    Returns:
        ``name``, ``family`` (a key of WORDS), ``family_words``, ``source``, ``rules`` and
        ``conventions`` (the most at a player count; None for a player without a list),
        ``players`` ({count: [mean, standard error]}), ``mean`` and ``guest`` ([mean, standard
        error] or None), ``sees_own_hand``, ``slow``, ``file`` (it is no named agent), ``error``;
        ``expects`` (what the menu of a table says of it as a partner) and ``taught`` (it has
        lessons).
    """
    row: dict[str, Any] = {
        "name": name,
        "family": "mine",
        "family_words": WORDS["mine"],
        "source": "",
        "rules": None,
        "conventions": None,
        "players": {},
        "mean": None,
        "guest": None,
        "sees_own_hand": False,
        "slow": False,
        "file": name not in NAMED,
        "error": "",
        "expects": partner(name).line,
        "taught": False,
    }
    try:
        agent = load_kept(spec)
    except ValueError as error:
        return row | {"error": str(error)}
    family = family_of(agent)
    row |= {"family": family, "family_words": WORDS[family], "source": agent.source}
    row |= {"slow": agent.is_slow, "taught": is_taught(agent)}
    counted = [count for count in range(2, 6) if agent.plays(count)]
    row["sees_own_hand"] = bool(counted and getattr(agent.at(counted[0]), "sees_own_hand", False))
    if agent.lists:
        row["rules"] = max(map(len, agent.lists.values()))
        row["conventions"] = max(map(len, agent.conventions.values()), default=0)
    return row | known_scores(agent, name)


def load_kept(spec: str) -> Agent:
    """Return the agent of a spec; an agent file is read again only if it has changed.

    Raises:
        ValueError: There is none. One line.
    """
    return _load_marked(spec, file_mark(spec))


@lru_cache(KEPT)
def _load_marked(spec: str, mark: tuple[int, int]) -> Agent:
    return load(spec)


def family_of(agent: Agent) -> str:
    """Return the family of an agent: a key of WORDS."""
    if agent.kind is not None and agent.is_slow:
        return "search"
    if agent.family:
        return agent.family
    return "evolved" if agent.provenance.get("run") or "score" in agent.provenance else "mine"


def known_scores(agent: Agent, name: str) -> dict[str, Any]:
    """Return ``players``, ``mean`` and ``guest`` of an agent as far as they were measured."""
    found: dict[str, Any] = {}
    entry = read_scores().get(name, {})
    if name in NAMED and entry.get("hash") == agent.hash:
        found["players"] = {key: list(row[:2]) for key, row in entry.items() if key.isdigit()}
        found["mean"] = list(mean_score(entry)[:2])
    elif "score" in agent.provenance:
        try:
            found["mean"] = [float(agent.provenance[key]) for key in ("score", "sem")]
        except (KeyError, TypeError, ValueError):
            pass
    guests = read_guests().get(name) if name in NAMED else None
    if guests:
        found["guest"] = list(guests["guest"])
    return found


def measure(spec: str, games: int = MEASURED_GAMES) -> dict[str, Any]:
    """Play some games at each player count; return ``players`` and ``mean``.

    Raises:
        ValueError: The agent takes too long for this, or cannot play.
    """
    agent = load(spec)
    if agent.is_slow:
        raise ValueError("It takes long to move: measure it in a tournament, which tells how long.")
    arena = Arena([count for count in range(2, 6) if agent.plays(count)])
    players = {}
    with arena.workers as workers:
        matches = [arena.match(count, agent, None, games) for count in arena.players]
        for count, results in zip(arena.players, workers.play(matches)):
            kept = points(results["score"], results["end"], "kept")
            players[str(count)] = [float(kept.mean()), float(kept.std(ddof=1) / len(kept) ** 0.5)]
    mean = sum(row[0] for row in players.values()) / len(players)
    sem = sum(row[1] ** 2 for row in players.values()) ** 0.5 / len(players)
    return {"players": players, "mean": [mean, sem], "games": games}


def median_game(spec: str, players: int) -> dict[str, Any]:
    """Return the game of median points among some games of an agent with copies of itself.

    Of an agent that thinks ahead it is a single game.

    Raises:
        ValueError: The agent does not play with so many players.
    """
    agent = load(spec)
    if players not in range(2, 6) or not agent.plays(players):
        raise ValueError(f"{agent.name} does not play with {players} players.")
    arena = Arena([players])
    match = arena.match(players, agent, None, 1 if agent.is_slow else MEDIAN_OF)
    with arena.workers as workers:
        (results,) = workers.play([match])
    order = np.argsort(results["score"], kind="stable")
    number = int(order[(len(order) - 1) // 2])
    game, seated = match.replay(number)
    data = game_data(game, seated)
    of = f"the median of {len(order)} games" if len(order) > 1 else "a game"
    data["title"] = f"{of} with {players} players: {game.score} points"
    return data


def lists_of(agent: Agent) -> list[dict[str, Any]]:
    """Return the lists of an agent as sentences.

    Returns:
        For each list ``key``, ``rules``, ``otherwise``, ``conventions`` and ``weights``.
    """
    return [
        {
            "key": key,
            "rules": [rule.says for rule in rules],
            "otherwise": OTHERWISE[agent.otherwise],
            "conventions": [
                entry.says for entry in entry_for(counts(key)[0], agent.conventions, ())
            ],
            "weights": dict(entry_for(counts(key)[0], agent.weights, {})),
        }
        for key, rules in agent.lists.items()
    ]


def neighbours(name: str) -> dict[str, list[tuple[str, float, float]]]:
    """Return the hosts among which a named agent scores best and worst: (host, mean, s.e.)."""
    among = read_guests().get(name, {}).get("among", {})
    rows = sorted(((host, *row) for host, row in among.items()), key=lambda row: -row[1])
    half = min(NEIGHBOURS, len(rows) // 2)
    return {"best": rows[:half], "worst": rows[len(rows) - half :]} if half else {}
