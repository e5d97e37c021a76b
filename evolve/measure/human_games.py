"""Written games of any players as a table."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from hanabi.game import event_fits
from hanabi.game_record import Game
from hanabi.moves import is_discard, is_play, is_tell

KINDS_OF_MOVES = {"plays": is_play, "discards": is_discard, "hints": is_tell}


def table_of(games: Iterable[tuple[str, Game]]) -> pd.DataFrame:
    """Return one row per game.

    Args:
        games: (name, game) of each.

    Returns:
        Its name, variant, players, names, how it ended, both scores, and how many moves there were
        of each kind; ``misplays`` are plays that did not fit.
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
                names=", ".join(game.agents),
                moves=len(game.moves),
                **kinds,
                misplays=kinds["plays"] - fits,
                end=game.end,
                score_kept=game.score,
                score_zero=game.score_zero,
                perfect=game.variant.perfect,
            )
        )
    return pd.DataFrame(rows)
