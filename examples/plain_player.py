"""A player in plain Python, between two copies of Piers: anything with a name and a ``move`` may sit at a seat.

    python examples/plain_player.py
"""
from hanabi import Table, default_move, game_seeds, play, playable_chance, read_variant
from rules import load


class Careful:
    """Plays what it is sure of, and does what lists do where no rule applies."""
    name = "careful"

    def move(self, view):
        """Its move, and why. ``view``: everything but its own hand."""
        sure = [slot for slot in range(view.hand_size) if playable_chance(view, slot) == 1]
        return (play(sure[0]), "it fits") if sure else (default_move(view), "nothing is sure")


if __name__ == "__main__":
    table = Table(read_variant("standard").at(3), [load("piers").at(3), Careful()])
    print(table.play(game_seeds(1, 20), [0, 1, 0])["score"].mean())
