"""Seat a player written in plain Python among agents.

Run: python examples/plain_player.py

Any class with a ``name`` and a method ``move`` may play. Commands take it, too:
``hanabi tournament python:examples/plain_player.py:Careful piers``.
"""

from hanabi import Table, View, default_move, game_seeds, play, playable_chance, read_variant
from hanabi.evolve import tournament
from hanabi.rules import load


class Careful:
    """Plays cards that are certainly playable, else makes the default move."""

    name = "careful"

    def move(self, view: View) -> tuple[int, str]:
        """Return the move and the reason for it; the view has everything except its own hand."""
        for slot in range(view.hand_size):
            if playable_chance(view, slot) == 1:
                return play(slot), "it fits"
        return default_move(view), "nothing is sure"


def main(games: int = 20) -> None:
    """Play games of Careful between two copies of Piers, then a tournament."""
    table = Table(read_variant("standard").at(3), [load("piers").at(3), Careful()])
    scores = table.play(game_seeds(1, games), [0, 1, 0])["score"]
    print(f"piers, careful, piers: {scores.mean():.2f} points over {games} games")
    print(tournament([Careful(), "piers"], players=[3], games_each=games))


if __name__ == "__main__":
    main()
