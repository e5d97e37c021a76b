"""A player in plain Python among agents: anything with a name and a ``move`` may sit at a seat. Run: python examples/plain_player.py
On a command line it is python:examples/plain_player.py:Careful, as in hanabi tournament python:examples/plain_player.py:Careful piers.
"""

from hanabi import Table, default_move, game_seeds, play, playable_chance, read_variant
from hanabi.evolve import tournament
from hanabi.rules import load


class Careful:
    """Plays what it is sure of, and does what lists do where no rule applies."""

    name = "careful"

    def move(self, view):
        """Its move, and why. ``view``: everything but its own hand."""
        sure = [slot for slot in range(view.hand_size) if playable_chance(view, slot) == 1]
        return (play(sure[0]), "it fits") if sure else (default_move(view), "nothing is sure")


def main(games: int = 20) -> None:
    """Careful sits between two copies of Piers."""
    table = Table(read_variant("standard").at(3), [load("piers").at(3), Careful()])
    scores = table.play(game_seeds(1, games), [0, 1, 0])["score"]
    print(f"piers, careful, piers: {scores.mean():.2f} points over {games} games")
    print(tournament([Careful(), "piers"], players=[3], games_each=games))


if __name__ == "__main__":
    main()
