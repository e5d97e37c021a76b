"""Our agents in the Hanabi Learning Environment: ``Agent(config).act(observation)``.

Of an observation they use the last moves and the hands of the other players.
"""

from pathlib import Path
from typing import Any

from hanabi import moves as m
from hanabi.action_ids import THEIRS, card_of, number_of
from hanabi.environment.observed_game import ObservedSeat
from hanabi.evolve.bridges.engine_bots import to_action
from hanabi.moves import COLOURS, STRIDE
from hanabi.rules.user_rules import load_rules

KEYS = "agent, seed, rules"


class Agent:
    """A player of the environment. One object plays one game after another.

    Args:
        config: ``agent``, an agent spec or an Agent; ``seed`` (0), for rules that choose at
            random; ``rules``, Python files of user rules. Other keys are ignored.

    Raises:
        ValueError: There is no such agent, or the game is not the standard one. One line.
    """

    def __init__(self, config: dict[str, Any] | None = None, *_: Any, **__: Any) -> None:
        self.reset(config)

    def reset(self, config: dict[str, Any] | None = None) -> None:
        """Forget the game; take other settings if they are given."""
        self.config = config if config is not None else getattr(self, "config", {})
        if "agent" not in self.config:
            raise ValueError(
                'config should name an agent, such as Agent({"agent": "piers"}); '
                f"its keys are {KEYS}"
            )
        files = self.config.get("rules") or []
        for file in [files] if isinstance(files, str | Path) else files:
            load_rules(file)
        self.seat: ObservedSeat | None = None

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        """Return the agent's move, None when it is not its turn.

        A move is a dict of the environment, such as {"action_type": "PLAY", "card_index": 0}.
        """
        if observation["current_player_offset"] != 0:
            return None
        seat = self._observe(observation)
        return to_action(number_of(seat.view, seat.move()), seat.variant.seats)

    def _observe(self, observation):
        """Add an observation to the game of the seat; return the seat."""
        players, hands = observation["num_players"], observation["observed_hands"]
        news = [
            item
            for item in reversed(observation["pyhanabi"].last_moves())
            if item.move().type().name != "DEAL"
        ]
        if self.seat is None or self.seat.variant.seats != players:
            self.seat = ObservedSeat(
                self.config["agent"], players, int(self.config.get("seed") or 0)
            )
        seat, seen = self.seat, self.seat.seen
        if len(observation["fireworks"]) != 5 or max(map(len, hands)) > seat.variant.hand_size:
            raise ValueError("another game than the standard one: our agents play Hanabi-Full")
        if all(item.player() != 0 for item in news):
            seen = seat.begin(len(news))
        if seen is None or seen.me != (len(seen.moves) + len(news)) % players:
            raise ValueError(
                "this game did not begin with this agent: "
                "ask it at each of its turns, from the first one on"
            )
        for item in news:
            _add_move(seen, item)
        for offset in range(1, players):
            cards = [STRIDE * COLOURS.index(card["color"]) + card["rank"] for card in hands[offset]]
            seen.set_hand((seen.me + offset) % players, cards)
        return seat


def _add_move(seen, item):
    """Add a move of the environment's history to a game."""
    move, seat, kind = item.move(), seen.mover, item.move().type().name
    if kind in ("PLAY", "DISCARD"):
        slot = seen.ages[seat][move.card_index()]
        made = m.play(slot) if kind == "PLAY" else m.discard(slot)
        seen.add_card_move(int(made), card_of(item.color(), item.rank()))
        return
    other = (seat + move.target_offset()) % seen.variant.seats
    if kind == "REVEAL_COLOR":
        made = m.tell_colour(other, COLOURS.index(THEIRS[move.color()]))
    else:
        made = m.tell_rank(other, move.rank() + 1)
    seen.add_hint(int(made), [seen.ages[other][place] for place in item.card_info_revealed()])
