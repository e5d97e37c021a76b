"""Our agents in the Hanabi Learning Environment: ``Agent(config).act(observation)``. It needs nothing of the environment but what an
observation tells: the last moves, the hands of the others, the cards that were played and discarded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hanabi import moves as m
from hanabi.action_ids import THEIRS, card_of, number_of
from hanabi.cards import COLOURS, STRIDE
from hanabi.evolve.bridges.bot_process import as_action
from hanabi.evolve.bridges.observed_game import ObservedSeat
from hanabi.rules.user_rules import load_rules

KEYS = "agent, seed, rules"


class Agent:
    """A player of the environment. ``config``: ``{"agent": SPEC}``, any agent spec or an Agent; ``seed`` (0) for rules that choose by
    chance; ``rules``: Python files of own rules. Other keys, such as those of the environment, are passed over. One object plays game
    after game; where a new one begins it sees by itself. ValueError, one line, for what is no agent, and for another game than the
    standard one."""

    def __init__(self, config: dict[str, Any] | None = None, *_: Any, **__: Any) -> None:
        self.reset(config)

    def reset(self, config: dict[str, Any] | None = None) -> None:
        """Begin anew, with other settings where they are given."""
        self.config = config if config is not None else getattr(self, "config", {})
        if "agent" not in self.config:
            raise ValueError(
                f'config should name an agent, such as Agent({{"agent": "piers"}}); its keys are {KEYS}'
            )
        files = self.config.get("rules") or []
        for file in [files] if isinstance(files, str | Path) else files:
            load_rules(file)
        self.chair: ObservedSeat | None = None

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        """Its move as the environment writes it, such as {"action_type": "PLAY", "card_index": 0}; None when it is not its turn."""
        if observation["current_player_offset"] != 0:
            return None
        chair = self._look(observation)
        move = chair.move()
        return as_action(number_of(chair.view, move), chair.variant.seats)

    def _look(self, observation):
        """Take in what an observation tells; the chair that it belongs to."""
        players, hands = observation["num_players"], observation["observed_hands"]
        news = [
            item
            for item in reversed(observation["pyhanabi"].last_moves())
            if item.move().type().name != "DEAL"
        ]
        if self.chair is None or self.chair.variant.seats != players:
            self.chair = ObservedSeat(
                self.config["agent"], players, int(self.config.get("seed") or 0)
            )
        chair, seen = self.chair, self.chair.seen
        if len(observation["fireworks"]) != 5 or max(map(len, hands)) > chair.variant.hand_size:
            raise ValueError("another game than the standard one: our agents play Hanabi-Full")
        if all(item.player() != 0 for item in news):
            seen = chair.begin(len(news))
        if seen is None or seen.me != (len(seen.moves) + len(news)) % players:
            raise ValueError(
                "this game did not begin with this agent: ask it at each of its turns, from the first one on"
            )
        for item in news:
            _hear(seen, item)
        for offset in range(1, players):
            seen.holds(
                (seen.me + offset) % players,
                [STRIDE * COLOURS.index(card["color"]) + card["rank"] for card in hands[offset]],
            )
        return chair


def _hear(seen, item):
    """A move that was made, with all that it showed."""
    move, seat, kind = item.move(), seen.mover, item.move().type().name
    if kind in ("PLAY", "DISCARD"):
        slot = seen.ages[seat][move.card_index()]
        seen.laid(
            int(m.play(slot) if kind == "PLAY" else m.discard(slot)),
            card_of(item.color(), item.rank()),
        )
        return
    other = (seat + move.target_offset()) % seen.variant.seats
    made = (
        m.tell_colour(other, COLOURS.index(THEIRS[move.color()]))
        if kind == "REVEAL_COLOR"
        else m.tell_rank(other, move.rank() + 1)
    )
    seen.told(int(made), [seen.ages[other][place] for place in item.card_info_revealed()])
