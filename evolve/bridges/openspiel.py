"""Our agents in OpenSpiel: ``Bot("piers", game, player)``, a pyspiel.Bot of its game ``hanabi``. A state of OpenSpiel holds everything;
of the cards that it dealt, the bot looks at those that its seat sees."""

from __future__ import annotations

from hanabi import moves as m
from hanabi.action_ids import card_of, hint_of, number_of
from hanabi.evolve.bridges.observed_game import ObservedGame, ObservedSeat
from hanabi.game import told_cards
from hanabi.rules.agents import Agent

try:
    import pyspiel
except ImportError:
    raise ImportError("OpenSpiel is not installed: pip install hanabi-evolve[openspiel]") from None

STANDARD = {"colors": 5, "ranks": 5, "max_information_tokens": 8, "max_life_tokens": 3}


class Bot(pyspiel.Bot):
    """A bot of the agent of any spec, for a seat of OpenSpiel's ``hanabi``. ``seed``: for rules that choose by chance. A move depends on
    the state alone, so a bot may be asked in any order of games and turns. ValueError, one line, for what is no agent and for another
    game."""

    def __init__(self, spec: str | Agent, game: pyspiel.Game, player: int, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        given, name = game.get_parameters(), game.get_type().short_name
        players = game.num_players()
        self.chair, self.player = ObservedSeat(spec, players, seed), player
        wanted = STANDARD | {"hand_size": self.chair.variant.hand_size}
        if name != "hanabi" or any(given.get(key, value) != value for key, value in wanted.items()):
            raise ValueError(
                f"another game than the standard one, {game}: our agents play hanabi(players={players})"
            )

    def step(self, state: pyspiel.State) -> int:
        """Its action in a state in which it is to move."""
        look(self.chair.begin(self.player), state)
        move = self.chair.move()
        return number_of(self.chair.view, move)


def look(seen: ObservedGame, state: pyspiel.State) -> None:
    """Tell what a seat saw of a state: all moves, the cards that came to light and those that others hold."""
    hand, players = seen.variant.hand_size, seen.variant.seats
    steps = state.full_history()
    dealt = [
        card_of(*divmod(step.action, 5)) for step in steps if step.player < 0
    ]  # read only where they are in sight
    for step in steps:
        if step.player < 0:
            continue
        seat, number = seen.mover, step.action
        if number < 2 * hand:
            slot = seen.ages[seat][number % hand]
            seen.laid(
                int(m.discard(slot) if number < hand else m.play(slot)),
                dealt[seen.places[seat][slot]],
            )
            continue
        move = hint_of(number - 2 * hand, seat, players)
        target, cards = int(m.target_of(move)), int(told_cards(move))
        seen.told(
            move,
            [slot for slot in seen.ages[target] if cards >> dealt[seen.places[target][slot]] & 1],
        )
    for seat in range(players):
        if seat != seen.me:
            seen.holds(seat, [dealt[seen.places[seat][slot]] for slot in seen.ages[seat]])
