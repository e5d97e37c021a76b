"""What is played for the page of a run: a few hundred games of its winner, on deals of the page's own, and each of its parts taken out.

From these come the histogram, what points are lost by, what each entry is worth, and the games to step through. The numbers of the final
deals stay apart: nothing here is tuned on, and nothing there is played again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hanabi.backend import PLAIN
from hanabi.evolve.analysis.contribution import (
    WORTH,
    GameCounter,
    WatchedGames,
    games_needed,
    loss_table,
    watch_all,
    worth_table,
)
from hanabi.evolve.analysis.loss_causes import CAUSES
from hanabi.evolve.analysis.subjects import Subject, subjects
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.arena import Arena, deals, derive, mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.evolve.reports.game_data import game_data
from hanabi.game_record import play_one
from hanabi.table import ENDS

GAMES = (
    2 if PLAIN else 200
)  # per player count and part, with all pool agents together: the page is made in seconds


@dataclass(frozen=True)
class ReportGames:
    """Games of a run's winner: ``games`` per player count (and pool agent), WATCHED records by player count, and the tables ``worth``
    and ``losses`` of them (analysis/worth.py)."""

    subject: Subject
    arena: Arena
    games: int
    watched: list[WatchedGames]
    worth: pd.DataFrame
    losses: pd.DataFrame
    scoring: str

    @property
    def said(self) -> str:
        """How many games that are, in words."""
        whole = sum(one.games.size for one in self.watched)
        return f"{whole:,} games" + (
            f" ({whole // len(self.watched):,} per player count)" if len(self.watched) > 1 else ""
        )

    def points(self) -> tuple[list[int], tuple[float, float]]:
        """(games by points, (mean, standard error)): all player counts together, each with the same weight."""
        some = [points(one.games["score"], one.games["end"], self.scoring) for one in self.watched]
        perfect = max(one.perfect for one in self.arena.variants.values())
        mean, sem = mean_sem(np.concatenate([one.reshape(-1, one.shape[-1]) for one in some]))
        return np.bincount(
            np.concatenate([one.ravel() for one in some]), minlength=perfect + 1
        ).tolist(), (float(mean), float(sem))

    def ends(self) -> list[tuple[str, int]]:
        """(how games ended, a member of table.ENDS, how many), most first."""
        counts = np.bincount(
            np.concatenate([one.games["end"].ravel() for one in self.watched]), minlength=len(ENDS)
        )
        return sorted(
            ((end, int(count)) for end, count in zip(ENDS, counts) if count),
            key=lambda pair: -pair[1],
        )

    def lost(self) -> list[tuple[str, float, float]]:
        """(cause, points per game, standard error) over all player counts, most first; the causes that there are."""
        found = []
        for cause, says in CAUSES.items():
            mine = self.losses[self.losses["cause"] == cause]
            if mine["points"].sum():
                found.append(
                    (
                        says,
                        float(mine["points"].mean()),
                        float((mine["sem"] ** 2).sum() ** 0.5 / len(mine)),
                    )
                )
        return sorted(found, key=lambda row: -row[1])

    def entries(self, kind: str, players: list[int]) -> list[dict[str, Any]]:
        """Of each rule (or convention) of the list for these player counts, in order: ``share`` of the moves (or None), ``worth``
        (points lost without it, standard error), or None where it was not told."""
        mine = self.worth[(self.worth["kind"] == kind) & self.worth["players"].isin(players)]
        found = []
        for _, rows in mine.groupby("place", sort=True):
            value, sem = (
                rows["worth_" + self.scoring].mean(),
                (rows["sem_" + self.scoring] ** 2).sum() ** 0.5 / len(rows),
            )
            share = rows["share"].mean()
            found.append(
                {
                    "name": rows["entry"].iloc[0],
                    "share": None if np.isnan(share) else float(share),
                    "worth": None
                    if np.isnan(value)
                    else [round(float(value), 5), round(float(sem), 5)],
                }
            )
        return found

    def shown(self) -> list[dict[str, Any]]:
        """The games to step through, as data of a page: the worst first, the median and the best at one player count, and the median
        at each other one."""
        counts = [one.players for one in self.watched]
        main = 3 if 3 in counts else counts[0]
        found = []
        for one in sorted(self.watched, key=lambda one: (one.players != main, one.players)):
            scores = one.games["score"].ravel()
            order = np.argsort(scores, kind="stable")
            picked = (
                {"worst": order[0], "median": order[(len(order) - 1) // 2], "best": order[-1]}
                if one.players == main
                else {"median": order[(len(order) - 1) // 2]}
            )
            found += [self._game(one, int(place), word) for word, place in picked.items()]
        return found

    def _game(self, one, number, word):
        place, number = divmod(number, self.games)
        partner = self.subject.pool[place] if self.subject.pool else None
        seeds, seats = deals(
            self.arena.seed, one.players, self.games, place=place, partner=int(partner is not None)
        )
        agents = [self.subject.agent, *([partner] if partner else [])]
        players = [agent.at(one.players) for agent in agents]
        game = play_one(
            self.arena.variants[one.players],
            players,
            seats[number].tolist(),
            int(seeds[number]),
            agents=[agent.name for agent in agents],
        )
        data = game_data(game, [players[seat] for seat in seats[number]], others=word == "worst")
        data["title"] = f"{word}, {one.players} players: {game.score}"
        data["id"] = f"{word}-{one.players}"
        counts = [
            count for count in range(2, 6) if _same_list(self.subject.agent, count, one.players)
        ]
        told = {entry["name"]: entry for entry in self.entries("rule", counts)}
        data["lists"][0]["rules"] = [
            rule
            | {key: value for key, value in told.get(rule["name"], {}).items() if key != "name"}
            if seats[number][0] == 0 or not partner
            else rule
            for rule in data["lists"][0]["rules"]
        ]
        data["lists"][0]["note"] = (
            f"Bar: share of the moves; worth: points lost per game without the rule, ± one standard error; "
            f"{self.watched[0].games.size:,} games per player count, the same deals with and without."
        )
        return data


def _same_list(agent, one, other):
    return agent.plays(one) and agent.rules(one) == agent.rules(other)


def play_for(
    run: Run, jobs: int = -1, progress: Callable[..., None] | None = None
) -> ReportGames | None:
    """Play what the page of a finished run needs; None for an agent that is no list at all (it finds out who its partners are). The
    same run, the same games."""
    config = run.config
    [subject] = subjects([run])
    if subject.agent.kind:
        return None
    arena = Arena(
        config.game.players,
        seed=derive(config.search.seed, "page") >> 1,
        variant=config.game.variant,
        jobs=jobs,
        progress=progress,
    )
    games = max(2, min(-(-GAMES // max(1, len(subject.pool))), config.final.final_games))
    tally = GameCounter(arena.progress, games_needed([subject], arena.players, games, not PLAIN))
    base = watch_all([subject], arena, games, tally)
    worth = (
        pd.DataFrame(columns=WORTH) if PLAIN else worth_table(base, arena, games, tally)
    )  # a game takes a second there
    return ReportGames(subject, arena, games, base, worth, loss_table(base), config.game.scoring)
