"""Written games of any players as a table."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from hanabi.game import event_fits
from hanabi.game_record import Game
from hanabi.moves import is_discard, is_play, is_tell

KINDS_OF_MOVES = {"plays": is_play, "discards": is_discard, "hints": is_tell}


class Counted(NamedTuple):
    """The games that a mean is over.

    Attributes:
        games: These games.
        abandoned: By player count, how many abandoned games there were, in ``games`` or not.
        with_abandoned: Whether ``games`` has them.
    """

    games: list[Game]
    abandoned: Counter[int]
    with_abandoned: bool


def counted_games(games: Iterable[Game], with_abandoned: bool = False) -> list[Counted]:
    """Return the games that were not abandoned, and with ``with_abandoned`` also all games.

    Raises:
        ValueError: All of them were abandoned, and none is to be counted.
    """
    every = list(games)
    finished = [game for game in every if not game.abandoned]
    if every and not finished and not with_abandoned:
        raise ValueError(
            f"{'this game was' if len(every) == 1 else 'all of these games were'} abandoned: "
            "--abandoned counts such games, too"
        )
    abandoned = Counter(game.variant.seats for game in every if game.abandoned)
    parts = [(finished, False)] * bool(finished) + [(every, True)] * with_abandoned
    return [Counted(some, abandoned, with_them) for some, with_them in parts]


def table_of(games: Iterable[tuple[str, Game]]) -> pd.DataFrame:
    """Return one row per game.

    Args:
        games: (name, game) of each.

    Returns:
        Its name, variant, players, names, how it ended, whether it was abandoned, both scores, and
        how many moves there were of each kind; ``misplays`` are plays that did not fit.
    """
    rows = []
    for where, game in games:
        _, view = game.at(len(game.moves))
        kinds = {name: sum(map(kind, game.moves)) for name, kind in KINDS_OF_MOVES.items()}
        fits = sum(bool(event_fits(int(event))) for event in view.history[: view.turn])
        rows.append(
            dict(
                game=where,
                variant=str(game.variant),
                players=game.variant.seats,
                names=", ".join(filter(None, game.names)),
                moves=len(game.moves),
                **kinds,
                misplays=kinds["plays"] - fits,
                end=game.end,
                abandoned=game.abandoned,
                score_kept=game.score,
                score_zero=game.score_zero,
                perfect=game.variant.perfect,
            )
        )
    return pd.DataFrame(rows)
