"""A played game as text that reads back.

The text is TOML and names the deal (its seed, or the deck in the order of drawing) and the moves,
each with the rule that made it where that is known; everything else follows::

    variant = "standard"
    players = 3
    seed = 7
    score = 17
    agents = ["piers", "piers", "iggi"]
    moves = [
      ["tell Bob 1", "tell_playable"],
      "play 0",
    ]
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hanabi.drawings import draw
from hanabi.files import parse_toml, write_whole
from hanabi.game import (
    HISTORY,
    Choice,
    Step,
    deal,
    finish,
    is_legal,
    is_over,
    legal_moves,
    new_state,
    steps,
)
from hanabi.game_loop import ENDS, FORFEITED, how_it_ended, is_hopeless
from hanabi.game_origin import ORIGIN, Origin
from hanabi.game_play import PlayableGame
from hanabi.moves import (
    FORFEIT,
    NAMES,
    card_text,
    is_discard,
    is_play,
    move_text,
    read_move,
    slot_of,
)
from hanabi.notation import (
    check_seed,
    counted,
    quote,
    read_pile,
    read_seated_variant,
    read_value,
)
from hanabi.player import Player
from hanabi.positions.position import Position
from hanabi.table import Table
from hanabi.variant import Variant, check_keys, errors_named, shown

SPEC = 1000  # letters of an agent's name in a game: it may be numbers of a set of rules
# how people, their clock or the site end a game before its rules do; the site scores it 0
ABANDONED = ("terminated", "vote", "timeout", "idle")
PERSON = "person"  # who sits at a seat of a table, beside agents
HOPELESS = "hopeless"  # no needed card can be played any more; hanab.live ends a game there
STOPPED = (*ABANDONED, "speedrun", "all-or-nothing", "softlock")  # the last three: its options


class Stop(NamedTuple):
    """The end of a game that the rules of its variant did not end.

    Attributes:
        end: Why it ended: a member of STOPPED, or HOPELESS.
        seat: The seat that ended it, -1 for none.
    """

    end: str
    seat: int = -1


@dataclass
class Game(PlayableGame):
    """A game of a variant with its players, whole or so far.

    ``Game.new`` deals one, ``push`` makes a move, ``board`` shows it; its text reads back.

    Attributes:
        variant: The variant, its players seated.
        seed: Seed of the deal, and of the words of random rules.
        deck: Cards in the order of drawing; None where they follow from the seed.
        moves: Numbers of the moves; only the last can be a forfeit.
        agents: The agent of each seat, "" for none, or empty.
        rules: Why each move was made, or empty: the name of a rule, "" unknown, "otherwise" where
            none applied, or a player's own words.
        people: The name of the person at each seat, "" for none, or empty. No name of a person
            means an agent.
        stop: How it ended where the rules of the variant did not end it.
        origin: What hanab.live also knows of it.
        score: Points on the fireworks, kept when the last life is lost (worked out).
        end: Why it ended, one of game_loop.ENDS or STOPPED, "" for a game that is not over (worked
            out).

    Raises:
        ValueError: for an illegal game, in one line.
    """

    variant: Variant
    seed: int = 0
    deck: tuple[int, ...] | None = None
    moves: tuple[int, ...] = ()
    agents: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    stop: Stop | None = None
    origin: Origin | None = None
    score: int = field(init=False, repr=False, compare=False)
    end: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        wanted_names = {
            "agents": (self.agents, self.variant.seats),
            "people": (self.people, self.variant.seats),
            "rules": (self.rules, len(self.moves)),
        }
        for what, (given, wanted) in wanted_names.items():
            if given and len(given) != wanted:
                raise ValueError(
                    f"game: {counted(wanted, 'name')} of {what} {'is' if wanted == 1 else 'are'} "
                    f"needed, not {len(given)}"
                )
        self._finish(*self._at(len(self.moves)))

    def _finish(self, state: np.record, view: np.record) -> None:
        """Work out the score, and how the game ended."""
        forfeited = bool(self.moves) and self.moves[-1] == FORFEIT
        place = FORFEITED if forfeited else how_it_ended(view)
        end = ENDS[place] if place >= 0 else ""
        if self.stop:
            _check_stop(self.stop, end, state, view)
        self.score, self.end = int(view.score), self.stop.end if self.stop else end

    def steps(self) -> Iterator[Step]:
        """Return its turns, each before its move is made."""
        return self._until(len(self.moves))[2]

    def _until(self, turn):
        """Return (state, view) as dealt, and the walk through the first moves."""
        state, view = new_state(self.variant, None if self.deck is None else list(self.deck))
        deal(state, view, np.uint64(self.seed))
        return state, view, steps(state, view, partial(self._choose, turn))

    def _choose(self, turn, view):
        made = int(view.turn)
        if made >= turn:
            return None
        move = self.moves[made]
        if not is_legal(view, move) and (move != FORFEIT or made + 1 < len(self.moves)):
            legal = ", ".join(_spoken(view, other) for other in legal_moves(view))
            raise ValueError(
                f"game, turn {made}: {NAMES[view.me]} cannot {_spoken(view, move)}; "
                f"legal are {legal}"
            )
        return Choice(move, self.rules[made] if self.rules else "")

    def _at(self, turn):
        state, view, walk = self._until(turn)
        made = sum(1 for _ in walk)
        if made < turn:
            raise ValueError(
                f"game, turn {made}: {move_text(self.moves[made])} is made, but the game is over"
            )
        return state, view

    def at(self, turn: int) -> tuple[np.record, np.record]:
        """Return (state, view) after some moves, as copies; ``game.at(game.turn)`` is now.

        Raises:
            ValueError: where the game has fewer moves.
        """
        if not 0 <= turn <= len(self.moves):
            raise ValueError(f"this game has turns 0 to {len(self.moves)}, not {turn}")
        return self._at(turn)

    def position(self, turn: int) -> Position:
        """Return the position after some moves, as plain data with a text form."""
        return Position.of(*self.at(turn), self.variant)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text to a file, which ``load_game`` reads.

        Raises:
            FileWriteError: It cannot be written; an old file stays.
        """
        write_whole(path, self.text)

    @property
    def score_zero(self) -> int:
        """Score of the variant in which a game counts 0 once the last life is lost.

        As on hanab.live, a game that was stopped before its end counts 0, too.
        """
        return 0 if self.end == "lives" or self.end in STOPPED else self.score

    @property
    def abandoned(self) -> bool:
        """Whether people, their clock or the site ended it before its rules did."""
        return self.end in ABANDONED

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the person or the agent at each seat, "" where none is known."""
        nobody = ("",) * self.variant.seats
        return tuple(
            person or agent for person, agent in zip(self.people or nobody, self.agents or nobody)
        )

    def _repr_html_(self) -> str:
        """Return a board to step through, for notebooks."""
        return draw("game cell", self)

    def __str__(self) -> str:
        """Return the text that reads back."""
        return self.text

    @property
    def text(self) -> str:
        """The text that reads back: what ``save`` writes."""
        text = game_text(
            (self.variant, self.seed, self.deck), self.score, self.agents, self.moves, self.rules
        )
        before, moves, after = text.partition("moves = [\n")
        if self.people:
            before += f"people = [{', '.join(map(quote, self.people))}]\n"
        if self.stop:
            before += f"end = {quote(self.stop.end)}\n"
            before += f"ended_by = {quote(NAMES[self.stop.seat])}\n" * (self.stop.seat >= 0)
        return before + moves + after + (str(self.origin) if self.origin else "")

    @staticmethod
    def read(text: str, where: str = "game") -> "Game":
        """Read the game that a text holds; errors call it ``where``.

        Raises:
            ValueError: where it holds none, in one line.
        """
        return Game.from_data(parse_toml(text, where), where)

    @staticmethod
    def from_data(data: dict, where: str = "game") -> "Game":
        """Return the game that the data of a TOML file hold (``files.read_toml``)."""
        check_keys(data, KEYS, where)
        variant = read_seated_variant(data, where)
        if "seed" not in data and "deck" not in data:
            raise ValueError(
                f"{where}: give the seed of the deal, or the deck in the order of drawing"
            )
        seed = check_seed(read_value(data, "seed", int, 0, where), where)
        deck = read_value(data, "deck", str, None, where)
        agents, people = (_read_names(data, key, where) for key in ("agents", "people"))
        if "table" in data and not people:
            agents, people = _split_table(agents, data["table"])
        made = read_value(data, "moves", list, [], where)
        if len(made) >= HISTORY:
            raise ValueError(f"{where}: {len(made)} moves are more than any game can have")
        moves, rules = [], []
        for turn, entry in enumerate(made):
            entry = entry if type(entry) is list else [entry]
            if not 1 <= len(entry) <= 2 or any(type(word) is not str for word in entry):
                raise ValueError(
                    f'{where}, turn {turn}: write a move as "play 0" or as '
                    '["play 0", "name of the rule"]'
                )
            with errors_named(f"{where}, turn {turn}"):
                moves.append(read_move(entry[0]))
            rules.append(entry[1] if len(entry) == 2 else "")
        try:
            game = Game(
                variant,
                seed,
                None if deck is None else tuple(read_pile(deck, "deck")),
                tuple(moves),
                agents,
                tuple(rules) if any(rules) else (),
                people,
                _read_stop(data, where),
                Origin.from_data(data[ORIGIN], where) if ORIGIN in data else None,
            )
        except ValueError as error:
            text = str(error)
            text = text.removeprefix("game") if text.startswith("game") else f": {text}"
            raise ValueError(where + text) from None
        score = read_value(data, "score", int, game.score, where)
        if score != game.score:
            raise ValueError(
                f"{where}: the score is said to be {score}, but these moves make {game.score}"
            )
        return game


KEYS = (
    *("variant", "players", "seed", "deck", "score", "agents", "moves", "table"),
    *("people", "end", "ended_by", ORIGIN),
)


def _read_names(data, key, where):
    names = read_value(data, key, list, [], where)
    if any(type(name) is not str or len(name) > SPEC for name in names):
        raise ValueError(f"{where}: {key} should be names in quotes, each of up to {SPEC} letters")
    return tuple(names)


def _split_table(names, table):
    """Return (agents, people) of a table's file, whose ``agents`` also name the people."""
    seats = table.get("seats") if isinstance(table, dict) else None
    if not isinstance(seats, list) or PERSON not in seats or len(seats) != len(names):
        return names, ()
    return split_names(names, seats)


def split_names(names: Sequence[str], seats: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return (agents, people) of names, given who sits at each seat: PERSON or an agent."""
    people = [seat == PERSON for seat in seats]
    return (
        tuple("" if person else name for name, person in zip(names, people)),
        tuple(name if person else "" for name, person in zip(names, people)),
    )


def _read_stop(data, where):
    end, name = (read_value(data, key, str, "", where) for key in ("end", "ended_by"))
    if name and (name not in NAMES or not end):
        raise ValueError(
            f"{where}: ended_by should be {', '.join(NAMES)}, below end, not {shown(name)}"
        )
    return Stop(end, NAMES.index(name) if name else -1) if end else None


def _check_stop(stop: Stop, end: str, state: np.record, view: np.record) -> None:
    """Raise ValueError, one line, if a game cannot have been stopped so at its last position."""
    if stop.end not in (*STOPPED, HOPELESS):
        raise ValueError(
            f"game: end should be {', '.join((*STOPPED, HOPELESS))}, not {shown(stop.end)}; "
            "any other end follows from the moves"
        )
    if stop.seat >= view.players:
        raise ValueError(f"game: {NAMES[stop.seat]} does not sit at this table")
    if end:
        raise ValueError(f"game: its end is said to be {stop.end}, but its moves end it: {end}")
    if stop.end == HOPELESS and not is_hopeless(state, view):
        raise ValueError(f"game: its end is said to be {HOPELESS}, but cards can still be played")


def _spoken(view: np.record, move: int) -> str:
    """Return a move as people say it, with slots from 1, the newest card first: ``play slot 2``."""
    if not is_play(move) and not is_discard(move):
        return move_text(move)
    what, slot = move_text(move).split()[0], int(slot_of(move))
    born = view.born[view.me].tolist()
    if born[slot] < 0:
        return f"{what} a card from an empty slot ({move_text(move)} in a game file)"
    return f"{what} slot {1 + sum(other > born[slot] for other in born)}"


def game_text(
    dealt: tuple[Variant, int, Sequence[int] | None],
    score: int,
    agents: Sequence[str],
    moves: Sequence[int],
    rules: Sequence[str],
) -> str:
    """Return the text of a Game whose moves are known to be legal and to make this score.

    ``dealt``: variant, seed, deck.
    """
    variant, seed, deck = dealt
    lines = [f"variant = {quote(str(variant))}", f"players = {variant.seats}"]
    if seed or deck is None:
        lines.append(f"seed = {seed}")
    if deck is not None:
        lines.append(f'deck = "{" ".join(map(card_text, deck))}"')
    lines.append(f"score = {score}")
    if agents:
        lines.append(f"agents = [{', '.join(map(quote, agents))}]")
    lines.append("moves = [")
    for move, rule in zip(moves, rules or ("",) * len(moves)):
        lines.append(
            f'  ["{move_text(move)}", {quote(rule)}],' if rule else f'  "{move_text(move)}",'
        )
    return "\n".join([*lines, "]"]) + "\n"


def play_one(
    variant: Variant,
    players: Sequence[Player | Any],
    seats: Sequence[int],
    seed: int,
    deck: Sequence[int] | None = None,
    agents: Sequence[str] = (),
) -> Game:
    """Play one game and write down the reason of each move.

    Args:
        variant: Variant with its players.
        players: The players, as ``Table`` takes them: also names of agents, and agents.
        seats: The player at each seat, by its place in ``players``.
        seed: Seed of the game.
        deck: Cards in the order of drawing; without it they follow from the seed.
        agents: Names of the players in the game; without them their own.

    Raises:
        RuleFailedError: where a rule raises or moves illegally.
        PlayerFailedError: the same for a player that is no list.
    """
    check_seed(seed, "game")
    table = Table(variant, players, deck)
    made = list(table.steps(seed, seats))
    names = agents or [player.name for player in table.players]
    return Game(
        variant,
        int(seed),
        None if deck is None else tuple(deck),
        tuple(step.move for step in made),
        tuple(names[place] for place in seats) if all(names) else (),
        tuple(step.reason for step in made),
    )


class Followed(NamedTuple):
    """What some actions do.

    Attributes:
        moves: The moves.
        stop: How the game ended where the rules of the variant did not end it.
        rest: The actions after its end.
    """

    moves: tuple[int, ...]
    stop: Stop | None
    rest: Sequence[Any]


def follow_actions(
    variant: Variant,
    deck: Sequence[int],
    actions: Sequence[Any],
    move_of: Callable[[np.record, Any, str], int | Stop],
    where: str,
) -> Followed:
    """Return what some actions do, as far as hanab.live plays on.

    ``move_of`` returns what an action is, a move or the end of the game, given the view of the seat
    to move, the action and what errors call the source. A Stop without an ``end`` is an end for
    which the source gives no reason.

    Raises:
        ValueError: where an action cannot be made, in one line.
    """
    if len(actions) >= HISTORY:
        raise ValueError(f"{where}: {len(actions)} actions are more than any game can have")
    state, view = new_state(variant, list(deck))
    deal(state, view, np.uint64(0))
    made: list[int] = []
    stops: list[Stop] = []

    def choose(view):
        if len(made) == len(actions):
            return None
        here = f"{where}, action {len(made) + 1}"
        move = move_of(view, actions[len(made)], here)
        if isinstance(move, Stop):
            stops.append(move)
            return None
        if not is_legal(view, move):
            raise ValueError(
                f"{here}: {NAMES[view.me]} cannot {_spoken(view, move)}: that is no legal move "
                "there"
            )
        made.append(move)
        return Choice(move)

    finish(steps(state, view, choose))
    stop = next(iter(stops), None)
    if not is_over(view) and not (stop and stop.end):
        if is_hopeless(state, view):
            stop = Stop(HOPELESS)
        elif stop:
            stop = stop._replace(end="terminated")
    return Followed(tuple(made), stop, actions[len(made) + len(stops) :])
