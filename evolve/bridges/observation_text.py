"""An agent as a policy for the observation string of OpenSpiel's ``hanabi``.

``TextPolicy("iggi").act(state.observation_string(player))`` is the number of an action. The string
holds lives, tokens, fireworks, discards, the size of the deck, the other hands, and what hints told
of each card. It lacks:

* the moves so far: which hint was the last, who gave it, what was played wrongly;
* the number of the turn, and when the deck is empty how many moves are left;
* the slots: hands are listed by age.

An agent with conventions or look-ahead reads the moves: it needs the history beside the string,
``act(state.observation_string(player), state.history())``, and with it makes the moves of our
games. The policy needs no OpenSpiel.
"""

import re
from collections.abc import Sequence
from functools import cache

from hanabi import moves as m
from hanabi.action_ids import number_of
from hanabi.environment.observed_game import ObservedGame, ObservedSeat, observe_history
from hanabi.game import blank
from hanabi.moves import NAMES
from hanabi.player import ListPlayer, default_move
from hanabi.positions.position import Position
from hanabi.rule_dependencies import fields_named, reads_marks
from hanabi.rules.agents import Agent, load
from hanabi.state import GAME
from hanabi.table import Table
from hanabi.variant import NAMED, shown

NOT_TOLD = ("history", "turn", "left")  # fields of a view that the string does not determine
_OBSERVATION = re.compile(
    r"Life tokens: (\d+)\nInfo tokens: (\d+)\nFireworks: ((?:[RYGWB]\d ?)+)\n"
    r"Hands:\n(.*)Deck size: (\d+)\nDiscards: ?((?:[RYGWB]\d ?)*)\n?\Z",
    re.S,
)
_CARD = re.compile(r"(XX|[RYGWB][1-5]) \|\| ([RYGWBX][1-5X])\|([RYGWB]+[1-5]+)")
_CURRENT = "Cur player\n"
_EXPECTED = "observation: it should be observation_string(player) of the standard hanabi"


def read_observation(text: str) -> Position:
    """Return the position of an observation string of the player to move, who sits at seat 0.

    Cards are in slots by age, the oldest in slot 0. Hidden cards are any that fit. There is no
    history. The turn and the moves left once the deck is empty are the lowest that fit.

    Raises:
        ValueError: The text is no such string, or it is that of another player. One line.
    """
    found = _OBSERVATION.match(text)
    if not found:
        raise ValueError(f"{_EXPECTED}, not {shown(text)}")
    lives, tokens, fireworks, hands, deck, discards = found.groups()
    if not hands.startswith(_CURRENT):
        raise ValueError("observation: this player is not to move; ask the player whose turn it is")
    rows = hands.removeprefix(_CURRENT).split("-----\n")
    if not 2 <= len(rows) <= 5:
        raise ValueError(f"{_EXPECTED}, with 2 to 5 hands, not {len(rows)}")
    variant = NAMED["standard"].at(len(rows))
    position = Position.from_data(
        {
            "variant": "standard",
            "players": len(rows),
            "to_move": NAMES[0],
            "tokens": int(tokens),
            "lives": int(lives),
            "fireworks": " ".join(card for card in fireworks.split() if card[1] != "0"),
            "discards": discards.strip(),
            "hands": {
                name: _slots(row, variant.hand_size, seat == 0)
                for seat, (name, row) in enumerate(zip(NAMES, rows))
            },
        },
        "observation",
    )
    if len(position.deck) != int(deck):
        raise ValueError(
            f"observation: {len(position.deck)} cards are nowhere to be seen, and the deck is said "
            f"to have {deck}"
        )
    return position


def _slots(row, size, mine):
    """Return the slots of a hand as a position writes them."""
    lines = row.splitlines()
    found = [_CARD.fullmatch(line) for line in lines]
    if len(lines) > size or not all(one and (one[1] == "XX") == mine for one in found):
        raise ValueError(f"{_EXPECTED}, not a hand of {shown(row)}")
    slots = []
    for card, told, possible in (one.groups() for one in found if one):
        touched = "untouched" if told == "XX" else "touched"
        slots.append(f"{'??' if mine else card} {possible} {touched}")
    return slots + ["--"] * (size - len(slots))


class TextPolicy:
    """An agent that chooses actions from OpenSpiel's observation string, and the history if given.

    Args:
        spec: The agent.
        seed: For rules that choose at random; a seat without hints or draws in between chooses
            the same again.

    Attributes:
        not_told: By rule of the agent, the fields that it may read and that the string does not
            determine. Without such rules it moves as in our games, as far as it breaks ties by
            age and not by slot. With the history it moves as in our games.
        needs_history: Whether the agent reads the moves so far, which the string does not hold.

    Raises:
        ValueError: There is no such agent. One line.
    """

    def __init__(self, spec: str | Agent, seed: int = 0) -> None:
        self.agent, self.seed = load(spec), seed
        self._table = cache(self._make_table)
        self._seat = cache(lambda players: ObservedSeat(self.agent, players, seed))
        self.needs_history = False
        counts = [count for count in (2, 3, 4, 5) if self.agent.plays(count)]
        self.not_told: dict[str, set[str]] = {}
        for count in counts:
            player = self.agent.at(count)
            if (
                not isinstance(player, ListPlayer)
                or player.conventions
                or any(reads_marks(one.family.function) for one in player.rules)
            ):
                self.needs_history = True
                continue
            for rule in player.rules:
                fields = fields_named(rule.family.function, NOT_TOLD)
                if fields:
                    self.not_told[str(rule)] = fields

    def act(self, observation: str, history: Sequence[int] | None = None) -> int:
        """Return the number of the agent's action.

        Args:
            observation: The string of the player to move.
            history: All actions so far, deals included, as ``state.history()`` gives them. Cards
                that the player does not see are not read.

        Raises:
            ValueError: The text is no observation string of the player to move, the history is not
                that of its game, or it is missing and the agent needs it. One line.
        """
        position = read_observation(observation)
        if history is not None:
            return self._act_by_history(position.variant.seats, history)
        if self.needs_history:
            raise ValueError(
                f"{self.agent.name} reads the moves so far, which the string does not hold: give "
                "state.history() as the second argument"
            )
        table = self._table(position.variant.seats)
        seats = [0] * position.variant.seats
        table.deal(self.seed, seats)
        state, view = position.state()
        for name in state.dtype.names or ():
            if name != "seed":
                table.state[name] = state[name]
        for field in GAME:
            name = field[0].partition("[")[0]
            table.view[name] = view[name]
        blank(table.state, table.view)
        move = table.ask(self.seed, seats, [table.players[0]] * len(seats)).move
        if move == m.FORFEIT:
            move = int(default_move(table.view))
        return number_of(table.view, move)

    def _act_by_history(self, players, history):
        seat, public = self._seat(players), ObservedGame(players, 0)
        observe_history(public, history)
        observe_history(seat.begin(public.mover), history)
        return number_of(seat.view, seat.move())

    def _make_table(self, players):
        variant = NAMED["standard"].at(players)
        return Table(variant, [self.agent.at(players)], variant.deck())
