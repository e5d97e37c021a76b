"""Games for the page of a run: some of its winner, and as many without each of its entries.

They give the histogram, the causes of lost points, the worth of each entry, and the games to step
through. Their deals differ from those of the final evaluation, whose numbers the page only quotes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hanabi.backend import PLAIN
from hanabi.evolve.analysis.contribution import (
    WORTH,
    WatchedGames,
    games_needed,
    loss_table,
    watch_all,
    worth_table,
)
from hanabi.evolve.analysis.loss_causes import CAUSES
from hanabi.evolve.analysis.subjects import Subject, subjects
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.arena import Arena, derive, mean_sem, pooled
from hanabi.evolve.measure.game_sums import GameCounter, points
from hanabi.evolve.reports.game_data import game_data
from hanabi.game_loop import ENDS

# per player count and entry, with all pool agents together: the page takes some seconds
GAMES = 2 if PLAIN else 200
FASTER = (
    1 if PLAIN else 20
)  # times as many for lists without conventions, which play as much faster


@dataclass(frozen=True)
class ReportGames:
    """Games of a run's winner.

    Attributes:
        subject: The winner.
        arena: The deals.
        games: How many per player count and pool agent.
        watched: The games by player count.
        worth: The table of what each entry is worth (analysis/contribution.py).
        losses: The table of causes of lost points.
        scoring: "kept" or "zero".
    """

    subject: Subject
    arena: Arena
    games: int
    watched: list[WatchedGames]
    worth: pd.DataFrame
    losses: pd.DataFrame
    scoring: str

    @property
    def said(self) -> str:
        """The number of games, in words."""
        whole = sum(one.games.size for one in self.watched)
        return f"{whole:,} games" + (
            f" ({whole // len(self.watched):,} per player count)" if len(self.watched) > 1 else ""
        )

    def points(self) -> tuple[list[int], tuple[float, float]]:
        """Return the number of games by points, and (mean, standard error) over player counts."""
        some = [points(one.games["score"], one.games["end"], self.scoring) for one in self.watched]
        perfect = max(one.perfect for one in self.arena.variants.values())
        mean, sem = mean_sem(np.concatenate([one.reshape(-1, one.shape[-1]) for one in some]))
        return np.bincount(
            np.concatenate([one.ravel() for one in some]), minlength=perfect + 1
        ).tolist(), (float(mean), float(sem))

    def ends(self) -> list[tuple[str, int]]:
        """Return (a member of game_loop.ENDS, how many games ended so), most first."""
        counts = np.bincount(
            np.concatenate([one.games["end"].ravel() for one in self.watched]), minlength=len(ENDS)
        )
        return sorted(
            ((end, int(count)) for end, count in zip(ENDS, counts) if count),
            key=lambda pair: -pair[1],
        )

    def lost(self) -> list[tuple[str, float, float]]:
        """Return (cause, points per game, standard error) over all player counts, most first."""
        by_cause = self.losses.groupby("cause", sort=False)
        found = [(str(name), *pooled(some["points"], some["sem"])) for name, some in by_cause]
        lost = sorted((row for row in found if row[1] > 0), key=lambda row: -row[1])
        return [(CAUSES[name], mean, sem) for name, mean, sem in lost if name in CAUSES]

    def entries(self, kind: str, players: list[int]) -> list[dict[str, Any]]:
        """Return the entries of the list for some player counts, in order.

        Args:
            kind: "rule" or "convention".
            players: The player counts.

        Returns:
            For each entry its ``name``, its ``share`` of the moves or None, and its ``worth``:
            [points lost per game without it, standard error], None if not measured.
        """
        mine = self.worth[(self.worth["kind"] == kind) & self.worth["players"].isin(players)]
        found = []
        for _, rows in mine.groupby("place", sort=True):
            share = rows["share"].mean()
            value, sem = pooled(rows[f"worth_{self.scoring}"], rows[f"sem_{self.scoring}"])
            found.append(
                {
                    "name": rows["entry"].iloc[0],
                    "share": None if np.isnan(share) else float(share),
                    "worth": None if np.isnan(value) else [round(value, 5), round(sem, 5)],
                }
            )
        return found

    def shown(self) -> list[dict[str, Any]]:
        """Return the games to step through, as data of a page.

        These are the worst, the median and the best at one player count, then the median at each
        other one.
        """
        counts = [one.players for one in self.watched]
        main = 3 if 3 in counts else counts[0]
        found = []
        for one in sorted(self.watched, key=lambda one: (one.players != main, one.players)):
            order = np.argsort(one.games["score"].ravel(), kind="stable")
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
        match = self.arena.match(one.players, self.subject.agent, partner, self.games, place=place)
        game, seated = match.replay(number)
        data = game_data(game, seated, others=word == "worst")
        data["title"] = f"{word}, {one.players} players: {game.score}"
        data["id"] = f"{word}-{one.players}"
        agent = self.subject.agent
        same = agent.rules(one.players)
        counts = [n for n in range(2, 6) if agent.plays(n) and agent.rules(n) == same]
        told = {entry["name"]: entry for entry in self.entries("rule", counts)}
        if seated[0] == match.seated[0]:
            for rule in data["lists"][0]["rules"]:
                rule |= told.get(rule["name"], {})
        data["lists"][0]["note"] = (
            "Bar: share of the moves; worth: points lost per game without the rule, ± one standard "
            f"error; {self.watched[0].games.size:,} games per player count, the same deals with "
            "and without."
        )
        return data


def play_for(
    run: Run, jobs: int = -1, progress: Callable[..., None] | None = None
) -> ReportGames | None:
    """Play the games for the page of a finished run; the same run gives the same games.

    Args:
        run: The run.
        jobs: How many workers play; -1 for one per core.
        progress: Called with (games done, games in all).

    Returns:
        None for an agent that does more than follow a list.
    """
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
    games = -(-GAMES // max(1, len(subject.pool)))
    if not subject.pool and not any(subject.agent.conventions.values()):
        games *= FASTER
    games = max(2, min(games, config.final.final_games))
    tally = GameCounter(arena.progress, games_needed([subject], arena.players, games, not PLAIN))
    base = watch_all([subject], arena, games, tally)
    # uncompiled, a game takes a second: too long for the games without each entry
    worth = pd.DataFrame(columns=WORTH) if PLAIN else worth_table(base, arena, games, tally)
    return ReportGames(subject, arena, games, base, worth, loss_table(base), config.game.scoring)
