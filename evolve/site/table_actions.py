"""What a person at a table may ask for, checked: the same on the site and in a page by itself."""

from collections.abc import Callable
from typing import Any

from hanabi.evolve.site.move_preview import NOTHING_SAID, at_level, preview_move, why
from hanabi.evolve.site.table_game import TableGame, fault_of, read_typed
from hanabi.text.move_facts import ENGINE

Action = Callable[[int, dict[str, Any], Any], "str | dict[str, Any] | None"]


def _sent_move(data: dict[str, Any]) -> tuple[str, int]:
    """Return the move that was sent and its turn. Raises ValueError if one is missing."""
    move, turn = data.get("move"), data.get("turn")
    if not isinstance(move, str) or type(turn) is not int:
        raise ValueError("Send `move` and `turn`.")
    return move, turn


def _move(seat: int, data: dict[str, Any], table: TableGame) -> None:
    move, turn = _sent_move(data)
    if turn != table.turn:
        raise ValueError("The table has moved on: look again.")
    table.make(seat, move)


def _setter(method: str, key: str) -> Action:
    """Return the action that sets a text of a seat."""
    return lambda seat, data, table: getattr(table, method)(seat, str(data.get(key, "")))


def _set_card_note(seat: int, data: dict[str, Any], table: TableGame) -> None:
    card = data.get("card")
    if type(card) is not int:
        raise ValueError("Say of which card.")
    table.set_card_note(seat, card, str(data.get("note", "")))


def _explain(seat: int, data: dict[str, Any], table: TableGame) -> str:
    turn = data.get("turn")
    if type(turn) is not int:
        raise ValueError("Say of which turn.")
    return why(table, turn)


def _preview(seat: int, data: dict[str, Any], table: TableGame) -> dict[str, Any]:
    move, turn = _sent_move(data)
    if table.to_move != seat or turn != table.turn:
        # the meaning depends on the hands that the seat to move sees
        raise ValueError("It is not your turn.")
    number = read_typed(move, table.view.born[seat].tolist(), ENGINE)
    if fault := fault_of(table.view, seat, number):
        return NOTHING_SAID.data() | {"fault": fault}
    return at_level(preview_move(table, seat, number), table.help[seat]).data()


ACTIONS: dict[str, Action] = {  # they change the table
    "move": _move,
    "back": lambda seat, data, table: (
        f"Back to turn {table.take_back(seat)}. The moves since are kept as a side line."
    ),
    "help": _setter("set_help", "level"),
    "note": _setter("set_note", "note"),
    "card-note": _set_card_note,
    "name": _setter("set_name", "name"),
}
QUESTIONS: dict[str, Action] = {"why": _explain, "preview": _preview}
