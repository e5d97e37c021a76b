"""A winner taken apart: how often each rule and each convention decides, what the score loses without it, and what it lost anyway.

Without a part means: the same list but for that one entry, on the same deals, game by game; nothing is tuned anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from hanabi.conventions.marks import MEANING
from hanabi.conventions.register import STAGE_OF, sort_by_stage
from hanabi.evolve.analysis.loss_causes import CAUSES, watched
from hanabi.evolve.analysis.subjects import Subject
from hanabi.evolve.measure.ablation import as_agent
from hanabi.evolve.measure.arena import SCORINGS, Arena, mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.rulebook import Rule
from hanabi.table import ListPlayer

WORTH = [
    "run",
    "players",
    "kind",
    "place",
    "entry",
    "fires",
    "share",
    "games",
    "worth_kept",
    "sem_kept",
    "worth_zero",
    "sem_zero",
]
LOSSES = ["run", "players", "cause", "games", "points", "sem"]
COUNTS = {
    "tokens": "tokens left at the end",
    "bare": "discards with no token there",
    "misplays": "misplays",
}


def parts(player: ListPlayer) -> Iterator[tuple[str, int, Rule, ListPlayer]]:
    """(kind, place, entry, the player without it) for each rule and each convention, these in the order in which they speak."""
    for place, entry in enumerate(player.rules):
        yield (
            "rule",
            place,
            entry,
            replace(player, rules=player.rules[:place] + player.rules[place + 1 :]),
        )
    spoken = sort_by_stage(player.conventions)
    for place, entry in enumerate(spoken):
        yield (
            "convention",
            place,
            entry,
            replace(player, conventions=spoken[:place] + spoken[place + 1 :]),
        )


def _matches(arena, subject, player, count, games):
    return [
        arena.match(count, as_agent(subject.name, player, count), partner, games, place=place)
        for place, partner in enumerate(subject.pool or (None,))
    ]


def games_needed(
    subjects: Sequence[Subject], counts: Sequence[int], games: int, without: bool
) -> int:
    """How many games ``watch_all`` plays, and with ``without`` how many in all where each part is taken out, too."""
    return sum(
        games
        * max(1, len(one.pool))
        * (1 + (len(list(parts(one.agent.list_at(count)))) if without else 0))
        for one in subjects
        for count in counts
        if count in one.players
    )


@dataclass(frozen=True)
class WatchedGames:
    """The games of a subject at a player count: WATCHED records (partners, games)."""

    subject: Subject
    players: int
    games: np.ndarray


class GameCounter:
    """Counts the games of several calls that play, of a number that is known beforehand: ``tell(done, of)`` hears of them."""

    def __init__(self, tell: Callable[[int, int], None], of: int) -> None:
        self.tell, self.of, self.done = tell, of, 0

    def more(self) -> Callable[[int, int], None]:
        """What to hand to the next call as its progress."""
        before = self.done

        def tell(now: int, total: int) -> None:
            self.done = before + now
            self.tell(self.done, self.of)

        return tell


def watch_all(
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> list[WatchedGames]:
    """Every subject at every player count of the arena at which it is judged, watched."""
    found = []
    with arena.workers as workers:
        for one in subjects:
            for count in (count for count in arena.players if count in one.players):
                matches = _matches(arena, one, one.agent.list_at(count), count, games)
                found.append(
                    WatchedGames(
                        one, count, np.stack(list(workers.play(matches, tally.more(), watched)))
                    )
                )
    return found


def worth_table(
    base: Sequence[WatchedGames], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """A row for each rule and each convention of every subject at every player count: how often it decides in a game (of a
    convention: how many hints get its meaning; NaN of one that gives hints no meaning), its share of the moves (of the hints), and
    the points that are lost without it, with their standard errors.

    Columns: ``run``, ``players``, ``kind``, ``place``, ``entry``, ``fires``, ``share``, ``games``, ``worth_kept``, ``sem_kept``,
    ``worth_zero``, ``sem_zero``.
    """
    rows = []
    with arena.workers as workers:
        for one in base:
            player = one.subject.agent.list_at(one.players)
            for kind, place, entry, rest in parts(player):
                counts = one.games["fired" if kind == "rule" else "meant"].mean(axis=(0, 1))
                fires, total = counts[place], counts.sum()
                speaks = kind == "rule" or STAGE_OF[entry.family.name] == MEANING
                row = [
                    one.subject.name,
                    one.players,
                    kind,
                    place + 1,
                    entry.name,
                    float(fires) if speaks else np.nan,
                    float(fires / total) if speaks and total else np.nan,
                    games * len(one.games),
                ]
                if not rest.rules:
                    rows.append([*row, *[np.nan] * 4])
                    continue
                matches = _matches(arena, one.subject, rest, one.players, games)
                without = np.stack(list(workers.play(matches, tally.more())))
                rows.append(
                    row
                    + [
                        float(value)
                        for scoring in SCORINGS
                        for value in mean_sem(
                            points(one.games["score"], one.games["end"], scoring)
                            - points(without["score"], without["end"], scoring)
                        )
                    ]
                )
    return pd.DataFrame(rows, columns=WORTH)


def loss_table(base: Sequence[WatchedGames]) -> pd.DataFrame:
    """A row for each cause of lost points (watch.CAUSES), for all of them, and for how often in a game something happens (COUNTS):
    points (times) per game with their standard error.

    Columns: ``run``, ``players``, ``cause``, ``games``, ``points``, ``sem``.
    """
    rows = []
    for one in base:
        lost = one.games["lost"]
        columns = (
            {cause: lost[..., place] for place, cause in enumerate(CAUSES)}
            | {"all": lost.sum(axis=-1)}
            | {what: one.games[what] for what in COUNTS}
        )
        rows += [
            [one.subject.name, one.players, cause, values.size, *map(float, mean_sem(values))]
            for cause, values in columns.items()
        ]
    return pd.DataFrame(rows, columns=LOSSES)
