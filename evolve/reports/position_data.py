"""A position as the data of a page: a game of one turn (see game_data.py)."""

from __future__ import annotations

from typing import Any

from hanabi.evolve.reports.game_data import law_data, turn_data
from hanabi.positions.position import Position
from hanabi.table import how_it_ended


def position_data(position: Position) -> dict[str, Any]:
    """Return a position as the data of a page, without names of agents and without a move.

    Cards that the position leaves open (``??``) are hidden.
    """
    state, view = position.state()
    over = how_it_ended(view) >= 0
    turn = turn_data((state, view), over, lambda seat: True)
    for slot in position.unknown:
        turn["hands"][position.me][slot]["card"] = None
    turn["discards"] = [[card, position.turn] for card in position.discards]
    return law_data(position.variant) | {
        "id": str(position.seed),
        "agents": [""] * position.variant.seats,
        "score": sum(position.fireworks),
        "end": "",
        "result": "",
        "lost": [],
        "lost_at": None,
        "lists": [],
        "list_of": [-1] * position.variant.seats,
        "live": "",
        "head": "",
        "turns": [turn],
    }
