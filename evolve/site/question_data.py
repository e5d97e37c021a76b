"""The board of a question: its position as the player to move sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hanabi.evolve.analysis.school import Question
from hanabi.evolve.reports.game_data import game_data, seen_by
from hanabi.player import Player


def question_data(one: Question, players: Sequence[Player] = ()) -> dict[str, Any]:
    """Return the position of a question, and the move before it, without any hidden card.

    Args:
        one: The question.
        players: The player of each seat, for what hints have come to mean; () without that.
    """
    position = one.game.position(one.turn)
    turns = range(max(0, one.turn - 1), one.turn + 1)
    shown = seen_by(game_data(one.game, players, turns=turns), position.me)
    shown["turns"][-1]["move"] = None
    return shown | {
        "start": len(shown["turns"]) - 1,
        "result": "",
        "lost": [],
        "lost_at": None,
        "live": "",
        "score": 0,
        "end": "",
        "lists": [],
    }
