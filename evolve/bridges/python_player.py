"""A plain Python player in its own process (bot_process.py): it is asked with the view that its seat has at our table.

What arrives of a view are its facts, in which the player's own hand is blank. The memo is empty and the addresses of lazy answers are
those of this process. No marks arrive: a plain player reads none, and the code that keeps them is in the other process.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi import rules  # noqa: F401               its modules define the lazy answers that a player may ask for
from hanabi.backend import announce
from hanabi.checked_call import short
from hanabi.evolve.bridges.bot_process import BotError
from hanabi.lazy import every_answer, set_answers
from hanabi.player import as_player, has_begin, no_answer
from hanabi.state import VIEW
from hanabi.variant import read_variant


class Players:
    """The players of one class, one for each seat and game.

    Args:
        make: the class, or a function that returns a player.
        arguments: its keyword arguments.
        tell: sends a message before the answer: that something is compiled, for which nobody is to blame.

    Raises:
        Wrong: the player has no ``move``.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        arguments: dict[str, Any],
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        announce.append(lambda name: tell({"compiles": name}))
        self.make, self.arguments = make, arguments
        first = make(**arguments)
        if not callable(getattr(first, "move", None)):
            raise BotError(
                f'has no move: a player is a class with move(view), which returns such as (play(0), "it fits"), '
                f"and {type(first).__name__} is not"
            )
        self.first = as_player(first, "")
        self.sitting: dict[int, Any] = {}  # by the number of a seat in a game
        prepared = np.zeros(1, VIEW)[0]
        set_answers(prepared, every_answer())
        self.answer_code = prepared.answer_code.copy()

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the move and the reason that the player at a seat gives. Wrong for an answer that is none."""
        for number in asked["gone"]:
            self.sitting.pop(number, None)
        number = asked["number"]
        if number not in self.sitting:
            self.sitting[number] = self.begin(asked)
        answer = self.sitting[number].move(self.view_of(b64decode(asked["facts"])))
        problem = no_answer(answer)
        if problem:
            raise BotError(problem)
        return {"move": int(answer[0]), "reason": answer[1]}

    def begin(self, asked: dict[str, Any]) -> Any:
        """Return who plays a game at a seat: what ``begin`` returns, or a new player. Wrong where that one has no ``move``."""
        if not has_begin(self.first):
            return self.make(**self.arguments)
        player = self.first.begin(
            read_variant(asked["variant"]).at(asked["players"]), asked["seat"]
        )
        try:
            return as_player(player, "")
        except ValueError:
            raise BotError(
                f"returned {short(player)} from begin, not a player with move(view)"
            ) from None

    def view_of(self, facts: bytes) -> np.record:
        """Return a view with these facts."""
        data = bytearray(VIEW.itemsize)
        data[: len(facts)] = facts
        view = np.frombuffer(data, VIEW)[0]
        view.answer_code[:] = self.answer_code
        view.lists = 0
        return view
