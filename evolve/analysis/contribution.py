"""What each part of a winner contributes: its decisions, and the points lost without it.

Without a part means: the same list except for one entry, on the same deals, game by game; nothing
is tuned again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.analysis.loss_causes import CAUSES, watched
from hanabi.evolve.analysis.subjects import Subject
from hanabi.evolve.measure.ablation import as_agent
from hanabi.evolve.measure.arena import SCORINGS, Arena, mean_sem
from hanabi.evolve.measure.game_sums import GameCounter, points
from hanabi.evolve.measure.variations import omissions

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


def _matches(arena, subject, player, count, games):
    return [
        arena.match(count, as_agent(subject.name, player, count), partner, games, place=place)
        for place, partner in enumerate(subject.pool or (None,))
    ]


def games_needed(
    subjects: Sequence[Subject], counts: Sequence[int], games: int, without: bool
) -> int:
    """Return how many games ``watch_all`` plays, and with ``without`` also ``worth_table``."""
    return sum(
        games
        * max(1, len(one.pool))
        * (1 + (len(list(omissions(one.agent.list_at(count)))) if without else 0))
        for one in subjects
        for count in counts
        if count in one.players
    )


@dataclass(frozen=True)
class WatchedGames:
    """The games of a subject at a player count.

    Attributes:
        subject: The subject.
        players: The player count.
        games: WATCHED records (partners, games).
    """

    subject: Subject
    players: int
    games: np.ndarray


def watch_all(
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> list[WatchedGames]:
    """Play the games of every subject at every player count of the arena, with statistics."""
    found = []
    with arena.workers as workers:
        for one in subjects:
            for count in (count for count in arena.players if count in one.players):
                matches = _matches(arena, one, one.agent.list_at(count), count, games)
                played = np.stack(list(workers.play(matches, tally.more(), watched)))
                found.append(WatchedGames(one, count, played))
    return found


def worth_table(
    base: Sequence[WatchedGames], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """Return a row for each rule and each convention of every subject at every player count.

    ``fires`` is how often a rule decides in a game (of a convention: how many hints get its
    meaning; NaN if it gives hints no meaning), ``share`` its share of the moves (of the hints),
    ``worth_*`` the points lost without it, with standard errors.

    Columns: ``run``, ``players``, ``kind``, ``place``, ``entry``, ``fires``, ``share``, ``games``,
    ``worth_kept``, ``sem_kept``, ``worth_zero``, ``sem_zero``.
    """
    rows = []
    with arena.workers as workers:
        for one in base:
            for change in omissions(one.subject.agent.list_at(one.players)):
                kind, place, rest = change.kind, change.place, change.player
                counts = one.games["fired" if kind == "rule" else "meant"].mean(axis=(0, 1))
                fires, total = counts[place], counts.sum()
                has_count = kind == "rule" or CONVENTION_FAMILIES[change.what].stage == "meaning"
                row = [
                    one.subject.name,
                    one.players,
                    kind,
                    place + 1,
                    change.entry,
                    float(fires) if has_count else np.nan,
                    float(fires / total) if has_count and total else np.nan,
                    games * len(one.games),
                ]
                if rest.rules:
                    matches = _matches(arena, one.subject, rest, one.players, games)
                    without = np.stack(list(workers.play(matches, tally.more())))
                    row += [
                        float(value)
                        for scoring in SCORINGS
                        for value in mean_sem(
                            points(one.games["score"], one.games["end"], scoring)
                            - points(without["score"], without["end"], scoring)
                        )
                    ]
                rows.append(dict(zip(WORTH, row)))
    return pd.DataFrame(rows, columns=WORTH)


def loss_table(base: Sequence[WatchedGames]) -> pd.DataFrame:
    """Return the points lost per game by each cause and by all, and counts per game (COUNTS).

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
