"""Players that decide from observations: a table asks them for all their games together."""

from typing import Any

import numpy as np

from hanabi.action_ids import action_count, legal_bits, move_numbered, write_legal
from hanabi.many_games.games import play_together
from hanabi.observations.encoding import encode, format_of, variant_of
from hanabi.player import ListPlayer, Player
from hanabi.state import View


class ObservationPlayer(Player):
    """Base class: a subclass has a ``name`` and ``choose_actions``.

    Attributes:
        layout: The layout of its observations, one of LAYOUTS.
    """

    layout = "canonical"
    only_list_questions = True

    def choose_actions(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return a legal action for each observation.

        Args:
            observations: (games, size), of the type that LAYOUTS says.
            legal: uint8 (games, actions): 1 for a legal action.
        """
        raise NotImplementedError(f"{type(self).__name__} has no choose_actions")

    def move(self, view: View) -> tuple[int, str]:
        """Return its move in one game, and as the reason its name."""
        variant = variant_of(view)
        legal = np.zeros((1, action_count(variant)), np.uint8)
        colours = format_of(variant, self.layout).colours
        write_legal(legal_bits(view, colours), legal[0])
        number = self.choose_actions(encode(view, layout=self.layout)[None], legal)[0]
        return int(move_numbered(view, colours, int(number))), self.name

    def play_games(
        self, table: Any, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play games together if all other players are lists or decide from observations, too."""
        if not all(isinstance(one, ListPlayer) or one.layout for one in table.players):
            return False
        play_together(table, seeds, seats, results)
        return True
