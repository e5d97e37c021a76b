"""Our agents in OpenSpiel: ``Bot("piers", game, player)``, a pyspiel.Bot of its game ``hanabi``.

A state of OpenSpiel holds all cards; the bot reads only those that its seat sees.
"""

from hanabi.action_ids import number_of
from hanabi.environment.observed_game import ObservedSeat, observe_history
from hanabi.rules.agents import Agent

try:
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install hanabi-evolve[openspiel]") from None

STANDARD = {"colors": 5, "ranks": 5, "max_information_tokens": 8, "max_life_tokens": 3}


class Bot(pyspiel.Bot):
    """A bot that plays one seat of OpenSpiel's ``hanabi`` as one of our agents.

    A move depends only on the state, so games and turns may come in any order.

    Args:
        spec: The agent.
        game: The game.
        player: The seat.
        seed: For rules that choose at random.

    Raises:
        ValueError: There is no such agent, or the game is not the standard one. One line.
    """

    def __init__(self, spec: str | Agent, game: pyspiel.Game, player: int, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        given, name = game.get_parameters(), game.get_type().short_name
        players = game.num_players()
        self.seat, self.player = ObservedSeat(spec, players, seed), player
        wanted = STANDARD | {"hand_size": self.seat.variant.hand_size}
        if name != "hanabi" or any(given.get(key, value) != value for key, value in wanted.items()):
            raise ValueError(
                f"another game than the standard one, {game}: "
                f"our agents play hanabi(players={players})"
            )

    def step(self, state: pyspiel.State) -> int:
        """Return the action of the bot in a state in which it is to move."""
        observe_history(self.seat.begin(self.player), state.history())
        return number_of(self.seat.view, self.seat.move())
