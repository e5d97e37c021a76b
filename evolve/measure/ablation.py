"""Ablation: the worth of each part of an agent, by switching it off (or on).

Switched are, one at a time and for each player count separately: every rule, every convention,
every guard, values of conventions that have one other choice, every weight (to 0), some groups of
these, and what the agent does not use: the other conventions and the other rules of its set. The
**worth** of a switch is the mean of (points with it - points without it), game by game on the same
deals, with the standard error of that difference; what changes no game is worth 0 ± 0.

Nothing is tuned again after a switch: a part can be worth little because another one replaces it,
and a new part may be worth more in an agent that was tuned with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, players_text, pooled
from hanabi.evolve.measure.game_sums import Moments, check_games, pieces, points
from hanabi.evolve.measure.variations import Variation, switches
from hanabi.rules.agents import Agent, load
from hanabi.table import ListPlayer

COLUMNS = [
    "agent",
    "partner",
    "players",
    "kind",
    "what",
    "entry",
    "switched",
    "games",
    "differ",
    "worth_kept",
    "sem_kept",
    "worth_zero",
    "sem_zero",
]


def as_agent(name: str, player: ListPlayer, players: int) -> Agent:
    """Return a player as an agent that has a list for one player count."""
    key = str(players)
    return Agent(
        name,
        {key: player.rules},
        player.otherwise,
        conventions={key: player.conventions},
        weights={key: dict(player.weights)},
    )


def lab(
    spec: str | Agent,
    players: list[int] | None = None,
    games_each: int = 5_000,
    beside: str | Agent | None = None,
    off: Iterable[Iterable[str]] = (),
    **options: Unpack[Options],
) -> pd.DataFrame:
    """Measure what each part of an agent is worth.

    Args:
        spec: The agent: a name, a path or an object.
        players: The player counts. Default: those of the variant, or 2 to 5.
        games_each: Games per switch and player count.
        beside: If given, the agent sits in one random seat among copies of this one, which does
            not change with the switch.
        off: Names of rules and conventions that are switched off together.
        **options: See Arena; ``progress(done, of)`` counts games.

    Returns:
        A row per switch and player count, and one over all counts ("2-5") for parts that are there
        at each. ``kind``, ``what`` and ``entry`` are the part, see Switch; ``switched`` is "off" or
        "on"; ``differ`` is the share of games in which the points differ; ``worth_*`` are points
        with the part less points without it, ``sem_*`` their standard error.

        Columns: ``agent``, ``partner``, ``players``, ``kind``, ``what``, ``entry``, ``switched``,
        ``games``, ``differ``, ``worth_kept``, ``sem_kept``, ``worth_zero``, ``sem_zero``.

    Raises:
        ValueError: What was named cannot be played.
    """
    agent, partner = load(spec), load(beside) if beside else None
    check_games(games_each, 2)
    arena = Arena(players, **options)
    arena.check(agent, partner)
    tasks = {}
    for count in arena.players:
        listed = agent.list_at(count)
        tasks[count] = [Variation("agent", agent.name, "", listed), *switches(listed, off)]
    total, done = sum(map(len, tasks.values())) * games_each, 0
    rows = []
    with arena.workers as workers:
        for count, some in tasks.items():
            worths = [_Worth(switch.on) for switch in some]
            agents = [as_agent(agent.name, switch.player, count) for switch in some]
            for deals in pieces(0, games_each):
                base = None  # the points of the agent as it is, which comes first
                played = workers.play(
                    [arena.match(count, one, partner, len(deals), deals.start) for one in agents]
                )
                for worth, results in zip(worths, played):
                    scores = np.stack(
                        [points(results["score"], results["end"], scoring) for scoring in SCORINGS]
                    )
                    base = scores if base is None else base
                    worth.add(base, scores)
                    done += len(deals)
                    arena.progress(done, total)
            rows += [
                _row(agent.name, (partner or agent).name, count, switch, worth)
                for switch, worth in zip(some[1:], worths[1:])
            ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    if len(arena.players) == 1:
        return table
    return pd.concat([table, _over_all(table, arena.players)], ignore_index=True)


class _Worth:
    """Sums of points with a part less points without it, game by game.

    Args:
        on: Whether the switch adds the part.
    """

    def __init__(self, on: bool) -> None:
        self.on = on
        self.kept = Moments()
        self.zero = Moments()
        self.differing = 0

    def add(self, base: np.ndarray, switched: np.ndarray) -> None:
        """Count in more games.

        Args:
            base: Points (scorings, games) of the agent as it is.
            switched: The same after the switch.
        """
        worth = switched - base if self.on else base - switched
        for moments, values in zip((self.kept, self.zero), worth):
            moments.add(values)
        self.differing += int(worth.any(axis=0).sum())


def _row(agent, partner, players, switch, worth):
    games = worth.kept.count
    return dict(
        agent=agent,
        partner=partner,
        players=str(players),
        kind=switch.kind,
        what=switch.what,
        entry=switch.entry,
        switched="on" if switch.on else "off",
        games=games,
        differ=worth.differing / games,
        worth_kept=worth.kept.mean,
        sem_kept=worth.kept.sem,
        worth_zero=worth.zero.mean,
        sem_zero=worth.zero.sem,
    )


def _over_all(table, counts):
    rows = []
    for _, group in table.groupby(["kind", "what", "switched"], sort=False):
        if len(group) == len(counts):
            row = group.iloc[0].to_dict() | dict(
                players=players_text(counts),
                entry="",
                games=int(group["games"].sum()),
                differ=float(group["differ"].mean()),
            )
            for scoring in SCORINGS:
                row[f"worth_{scoring}"], row[f"sem_{scoring}"] = pooled(
                    group[f"worth_{scoring}"], group[f"sem_{scoring}"]
                )
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def by_worth(table: pd.DataFrame) -> list[tuple[dict, dict[str, dict]]]:
    """Return the rows for a page, most worth first.

    Returns:
        (a row with the means over its player counts, its rows by player count), by part.
    """
    found = []
    for _, group in table.groupby(["kind", "what", "switched"], sort=False):
        rows = {row["players"]: row for row in group.to_dict("records")}
        whole = next((row for players, row in rows.items() if len(players) > 1), None)
        single = [row for players, row in rows.items() if len(players) == 1]
        head = whole or single[0] | {
            f"worth_{scoring}": float(np.mean([row[f"worth_{scoring}"] for row in single]))
            for scoring in SCORINGS
        }
        found.append((head, rows))
    return sorted(found, key=lambda entry: -entry[0]["worth_kept"])
