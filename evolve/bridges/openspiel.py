"""Our agents in OpenSpiel: ``Bot("piers", game, player)``, a pyspiel.Bot of its game ``hanabi``.

A state of OpenSpiel holds all cards; the bot reads only those that its seat sees.
"""

from __future__ import annotations

from hanabi import moves as m
from hanabi.action_ids import card_of, hint_of, number_of
from hanabi.environment.observed_game import ObservedGame, ObservedSeat
from hanabi.game import told_cards
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
        observe_state(self.seat.begin(self.player), state)
        move = self.seat.move()
        return number_of(self.seat.view, move)


def observe_state(seen: ObservedGame, state: pyspiel.State) -> None:
    """Add what a seat saw of a state: all moves, the played and discarded cards, others' hands."""
    hand, players = seen.variant.hand_size, seen.variant.seats
    steps = state.full_history()
    # by place in the order of drawing; read below only where the seat sees the card
    dealt = [card_of(*divmod(step.action, 5)) for step in steps if step.player < 0]
    for step in steps:
        if step.player < 0:
            continue
        seat, number = seen.mover, step.action
        if number < 2 * hand:
            slot = seen.ages[seat][number % hand]
            move = m.discard(slot) if number < hand else m.play(slot)
            seen.add_card_move(int(move), dealt[seen.places[seat][slot]])
            continue
        move = hint_of(number - 2 * hand, seat, players)
        target, cards = int(m.target_of(move)), int(told_cards(move))
        touched = [
            slot for slot in seen.ages[target] if cards >> dealt[seen.places[target][slot]] & 1
        ]
        seen.add_hint(move, touched)
    for seat in range(players):
        if seat != seen.me:
            seen.set_hand(seat, [dealt[seen.places[seat][slot]] for slot in seen.ages[seat]])
