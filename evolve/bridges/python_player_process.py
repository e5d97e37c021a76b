"""A plain Python player in its own process (bot_process.py), with the view of its seat.

The process receives the facts of a view, in which the player's own hand is blank. The memo is
empty, and the addresses of lazy answers are those of this process. Marks are not sent: a plain
player does not read them, and the code that keeps them runs in the other process.
"""

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi import rules  # noqa: F401  (its modules define lazy answers for players)
from hanabi.checked_call import shorten
from hanabi.evolve.bridges.engine_bots import BotError
from hanabi.game import legal_moves, new_state
from hanabi.player import REASON, as_player, default_move, has_begin, no_answer
from hanabi.state import VIEW, View, every_answer, set_answers
from hanabi.variant import NAMED, read_variant
from hanabi.view import may_discard, newest, oldest, playable_chance, random_below, useless_chance


class PythonPlayers:
    """The players of one class, one for each seat and game.

    Args:
        make: The class, or a function that returns a player.
        arguments: Its keyword arguments.

    Raises:
        BotError: The player has no ``move``.
    """

    def __init__(self, make: Callable[..., Any], arguments: dict[str, Any]) -> None:
        self.make, self.arguments = make, arguments
        first = make(**arguments)
        if not callable(getattr(first, "move", None)):
            raise BotError(
                "has no move: a player is a class with move(view), which returns such as "
                f'(play(0), "it fits"), and {type(first).__name__} is not'
            )
        self.first = as_player(first, "")
        self.seated: dict[int, Any] = {}  # by the number of a seat in a game
        self.answer_code = compile_questions().answer_code.copy()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the move and the reason of the player at a seat. Raises BotError for others."""
        for number in request["gone"]:
            self.seated.pop(number, None)
        number = request["number"]
        if number not in self.seated:
            self.seated[number] = self.begin(request)
        answer = self.seated[number].move(self.view_of(b64decode(request["facts"])))
        problem = no_answer(answer)
        if problem:
            raise BotError(problem)
        return {"move": int(answer[0]), "reason": answer[1][:REASON]}

    def begin(self, request: dict[str, Any]) -> Any:
        """Return the player of a game at a seat: what its ``begin`` returns, or a new one.

        Raises:
            BotError: That player has no ``move``.
        """
        if not has_begin(self.first):
            return self.make(**self.arguments)
        variant = read_variant(request["variant"]).at(request["players"])
        player = self.first.begin(variant, request["seat"])
        try:
            return as_player(player, "")
        except ValueError:
            problem = f"returned {shorten(player)} from begin, not a player with move(view)"
            raise BotError(problem) from None

    def view_of(self, facts: bytes) -> View:
        """Return a view with these facts."""
        data = bytearray(VIEW.itemsize)
        data[: len(facts)] = facts
        view = np.frombuffer(data, VIEW)[0]
        view.answer_code[:] = self.answer_code
        view.lists = 0
        return view


def compile_questions() -> View:
    """Return a view with the answers of this process, after compiling what players ask most.

    The caller does this first, once on a machine: compiling takes long, and what a player does has
    a deadline.
    """
    _, view = new_state(NAMED["standard"].at(2))
    set_answers(view, every_answer())
    for question in (playable_chance, useless_chance, oldest, newest):
        question(view, 0)
    for question in (may_discard, legal_moves, default_move):
        question(view)
    random_below(view, 0, 1)
    return view
