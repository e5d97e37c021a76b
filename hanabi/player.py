"""Players: the base class, lists of rules, and errors of players and rules.

A player of your own::

    class Cautious(Player):
        name = "cautious"

        def move(self, view):
            for slot in range(view.hand_size):
                if playable_chance(view, slot) == 1:
                    return play(slot), "it is playable"
            return default_move(view), "otherwise"

``ListPlayer`` is the one kind with a machine form: a table of nothing else plays compiled. See
``table.Table``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

import numpy as np

from hanabi.backend import call_address, compiled, inlined
from hanabi.checked_call import exception_text, illegal_move_text, problem_of, shorten
from hanabi.conditions import holds
from hanabi.game import Choice, is_legal
from hanabi.moves import DISCARD, END, FORFEIT, NOTHING, PLAY, TELL_RANK
from hanabi.positions.position import Position
from hanabi.rulebook import Rule, asks_for_rest, first, program, propose
from hanabi.state import State, View
from hanabi.variant import Variant, check_name
from hanabi.view import oldest

OTHERWISE = "otherwise"  # the reason of a move where no rule applied
LOAD = "hanabi.rules.agents:load"  # by name: agents are built on this package
REASON = 300  # letters of the reason that another process gives for a move; the rest is cut off


class Player:
    """Base class of players: a subclass has a ``name`` and a method ``move``.

    The other members have defaults. Take random numbers from ``random_below``: then a seed gives
    one game.

    Attributes:
        name: Name of the player in games and errors.
        follows: List of rules whose conventions the player shares, or None. The table keeps marks
            for the player as it does for that list.
        only_list_questions: True where ``move`` uses no question about a view that the rules of
            ``follows`` do not use; other questions need not be compiled then.
        sees_own_hand: True where the table shows the player its own hand, an upper bound that no
            legal player reaches.
        sees_state: True where the player sees all hidden cards: ``begin_seeing`` replaces ``join``.
        layout: The layout of the observations from which it decides (many_games), "" for views.
    """

    name: str
    follows: ListPlayer | None = None
    only_list_questions: bool = False
    sees_own_hand: bool = False
    sees_state: bool = False
    layout: str = ""

    def move(self, view: View) -> tuple[int, str]:
        """Return a legal move and the reason for it, in a few words.

        Args:
            view: A copy of the VIEW of the seat to move; the player's own row of ``hands`` is
                blank.
        """
        raise NotImplementedError(f"{type(self).__name__} has no move(view)")

    def begin(self, variant: Variant, seat: int) -> Player:
        """Return the player of one game at a seat; called at each deal.

        A player with a memory returns a new object, so that two seats or two games never share it.
        """
        return self

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> Player:
        """Return the player of one game, knowing the players at all seats (``company``)."""
        return self.begin(variant, seat)

    def begin_seeing(self, state: State) -> Player:
        """Return the player of one game whose hidden cards are in ``state``; see ``sees_state``."""
        return self

    def play_games(
        self, table: Any, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play the games of a table that this player can play faster than move by move.

        Args:
            table: The ``Table``, with this player and others; ``fired`` is counted up.
            seeds: uint64 (games,), one per game.
            seats: int64 (games, seats): the player at each seat.
            results: RESULT (games,), filled in.

        Returns:
            True where the games were played; False leaves them to ``move``.
        """
        return False


class _PlainPlayer(Player):
    """A plain object with a name and a method ``move``; see ``as_player``."""

    def __init__(self, inner: Any, name: str) -> None:
        self.inner, self.name = inner, name
        for member in _MEMBERS:
            if hasattr(inner, member):
                setattr(self, member, getattr(inner, member))


_MEMBERS = [
    member for member in (*vars(Player), *Player.__annotations__) if not member.startswith("_")
]


def as_player(player: object, name: str | None = None) -> Player:
    """Return a player: a Player itself, any other object with ``name`` and ``move`` wrapped.

    The wrapped object may have any of the optional members of Player, too.

    Args:
        player: The object.
        name: Name for an object that has none.

    Raises:
        ValueError: where the object cannot play, in one line.
    """
    if isinstance(player, type):
        raise ValueError(f"{player.__name__} is a class and cannot play: seat {player.__name__}()")
    found = getattr(player, "name", name)
    has_move = hasattr(player, "move") and getattr(player.move, "__func__", None) is not Player.move
    for what, is_there in (("name", found is not None), ("move", has_move)):
        if not is_there:
            raise ValueError(
                f"{type(player).__name__} cannot sit at a table: a player has a name and "
                f"move(view), and it has no {what}"
            )
    wrapped = player if isinstance(player, Player) else _PlainPlayer(player, str(found))
    if str(found) and not wrapped.only_list_questions and not isinstance(player, ListPlayer):
        check_name(str(found), f"{type(player).__name__} cannot sit at a table")
    return wrapped


def seat_one(player: Player | Any, variant: Variant) -> Player:
    """Return a player for a variant.

    Args:
        player: A Player; another object with ``name`` and ``move``, which ``as_player`` wraps; an
            agent, or its spec such as ``"piers"``.
        variant: Variant with its players.

    Raises:
        ValueError: where it cannot play there, in one line.
    """
    if isinstance(player, str):
        player = resolve_name(LOAD)(player)
    if hasattr(player, "at") and hasattr(player, "plays"):  # an agent, for several player counts
        player = player.at(variant.seats)
    return as_player(player)


def has_begin(player: Player) -> bool:
    """Return whether a player has a ``begin`` of its own, and so keeps games apart itself."""
    return getattr(player.begin, "__func__", None) is not Player.begin


@compiled
def default_move(view: View) -> int:
    """Return the move where no rule applies: discard my oldest card, else the first legal hint.

    Hints are tried by seat, then by rank. If none is legal either, it plays my oldest card.
    """
    move = DISCARD + oldest(view, view.me)
    if is_legal(view, move):
        return move
    for step in range(1, view.players):
        for hint in range(TELL_RANK, END):
            if (hint - TELL_RANK) // 5 == (view.me + step) % view.players and is_legal(view, hint):
                return hint
    return PLAY + oldest(view, view.me)


@compiled
def propose_instead(row: np.record, rest: int, view: View) -> int:
    """Return what a rule that asks for the rest of its list proposes instead of that move."""
    if rest <= NOTHING or not holds(row.guard, view):
        return NOTHING
    v = row.values
    return call_address(row.address, view, float(rest), v[1], v[2], v[3], v[4], v[5])


@inlined
def reconsider(
    rows: np.ndarray, player: int, asker: int, place: int, move: int, view: View
) -> tuple[int, int]:
    """Return (place, move) after the rules up to ``asker`` that ask for the rest, the last first.

    Args:
        rows: The machine forms of all lists.
        player: Whose list.
        asker: Place of the last of these rules before ``place``; -1: there is none.
        place: Where the move comes from.
        move: The move of the rest of the list.
        view: The view.
    """
    for before in range(asker, -1, -1):
        if asks_for_rest(rows[player, before]):
            answer = propose_instead(rows[player, before], move, view)
            if answer != NOTHING:
                place, move = before, answer
    return place, move


@inlined
def decide(
    rows: np.ndarray, player: int, length: int, otherwise: int, view: View
) -> tuple[int, int]:
    """Return (place, move) of the first rule of a list that applies.

    Where none applies, place is ``length`` and ``otherwise`` decides: 1 for default_move, 0 for
    FORFEIT. A rule that asks for the rest of the list may then replace that move.
    """
    place, move, asker = first(rows, player, length, view)
    if move == NOTHING:
        move = default_move(view) if otherwise else FORFEIT
    return reconsider(rows, player, asker, place, move, view)


@dataclass(frozen=True)
class ListPlayer(Player):
    """A list of rules as a player: the first rule that applies decides.

    Players that differ only in ``name`` are equal.

    Attributes:
        rules: The rules in their order.
        otherwise: What decides where no rule applies: "default" (default_move) or "forfeit".
        conventions: The conventions that it plays by.
        weights: (name, value) of the weights that differ from weights.WEIGHTS.
        name: Name of the player in games and errors.
    """

    rules: tuple[Rule, ...]
    otherwise: str = "default"
    conventions: tuple[Rule, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    name: str = field(default="", compare=False)

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and the name of the rule that makes it, or "otherwise".

        Args:
            view: The view of a table at which this list plays, or a copy of it.

        Raises:
            RuleError: where a rule raises or proposes an illegal move.
        """
        rows = program(list(self.rules)).reshape(1, -1)
        place, move = decide(rows, 0, len(self.rules), int(self.otherwise == "default"), view)
        if place < len(self.rules) and move != FORFEIT and not is_legal(view, move):
            rule, problem = self.rules[place], problem_of(self.rules[place], view, int(move))
            raise RuleError(f"rule {rule.name} {problem}", rule, problem)
        return int(move), self.reason(place)

    def reason(self, place: int) -> str:
        """Return the name of the rule at a place, "otherwise" after the last one."""
        return self.rules[place].name if place < len(self.rules) else OTHERWISE


def move_otherwise(player: ListPlayer, view: View) -> int:
    """Return the move of a list where no rule applies."""
    return int(default_move(view)) if player.otherwise == "default" else FORFEIT


def answer_in_list(row: np.record, rest: int, view: View) -> int:
    """Return the answer of a rule (its ROW) in a list whose next rules make the move ``rest``."""
    return int(propose_instead(row, rest, view) if asks_for_rest(row) else propose(row, view))


NO_LIST = ListPlayer(())


def followed_list(player: Player) -> ListPlayer:
    """Return the list whose conventions a player shares: itself, ``follows``, or an empty one."""
    return player if isinstance(player, ListPlayer) else player.follows or NO_LIST


def choice_of(
    player: Player, view: np.record, seed: int, state: np.record, variant: Variant
) -> Choice:
    """Return what a player in Python chooses.

    It gets a copy of the view, so that nothing it writes there reaches the game.

    Args:
        player: The player of this game at the seat to move.
        view: VIEW of the seat to move.
        seed: Seed of the game, for errors.
        state: TABLE of the game.
        variant: Variant of the game.

    Raises:
        PlayerFailedError: where it raises or returns no legal move.
        RuleFailedError: where a rule of a ListPlayer does.
    """
    asked = view.copy()
    if player.sees_own_hand:
        for slot, card in enumerate(state.hands[view.me]):
            asked.hands[view.me, slot] = card
            asked.held[view.me] |= (1 << int(card)) if card >= 0 else 0
    problem, cause = "", None
    try:
        answer = player.move(asked)
    except ExternalPlayerError as error:
        problem = str(error)
    except Exception as error:  # whatever a user's player may raise
        if isinstance(player, ListPlayer) and isinstance(error, RuleError) and error.rule:
            raise RuleFailedError(
                error.rule,
                int(seed),
                int(view.turn),
                error.problem,
                (state.copy(), view.copy()),
                variant,
            ) from None
        problem, cause = exception_text(error), error
    if not problem:
        problem = no_answer(answer)
        if not problem and answer[0] != FORFEIT and not is_legal(view, int(answer[0])):
            problem = illegal_move_text(int(answer[0]))
        if not problem:
            return Choice(int(answer[0]), answer[1])
    raise PlayerFailedError(
        player, int(seed), int(view.turn), problem, (state.copy(), view.copy()), variant
    ) from cause


def no_answer(answer: object) -> str:
    """Return what is wrong with the answer of a player, "" for a move and its reason."""
    if (
        isinstance(answer, tuple)
        and len(answer) == 2
        and isinstance(answer[0], int | np.integer)
        and isinstance(answer[1], str)
    ):
        if answer[0] == FORFEIT or NOTHING <= answer[0] < END:
            return ""
        return f"returned {shorten(answer[0])}, which is no move: moves are 1 to {END - 1}"
    return f'returned {shorten(answer)}, not a move and its reason, such as (play(0), "it fits")'


class ExternalPlayerError(Exception):
    """An external program that chooses moves for a player failed; the message is one line."""


class PlayError(RuntimeError):
    """A player or a rule failed in a game; the message is one line."""


class RuleError(PlayError):
    """A rule raised or proposed an illegal move.

    Attributes:
        rule: The rule, None where it is not known.
        problem: What is wrong, "" where it is not known.
    """

    def __init__(self, line: str, rule: Rule | None = None, problem: str = "") -> None:
        super().__init__(line)
        self.rule, self.problem = rule, problem


class _LocatedPlayError(PlayError):
    """A failure at a known turn of a game: its seed, turn and position."""

    def __init__(
        self,
        who: str,
        seed: int,
        turn: int,
        problem: str,
        records: tuple[np.record, np.record],
        variant: Variant,
        trial: bool = False,
    ) -> None:
        game = (
            f"a trial game for {variant.players} players" if trial else f"the game with seed {seed}"
        )
        super().__init__(f"{who} {problem} (turn {turn} of {game})")
        self.who, self.seed, self.turn, self.problem, self.variant, self.trial = (
            who,
            seed,
            turn,
            problem,
            variant,
            trial,
        )
        self.state, self.view = records
        self.file = None  # the file to which its text was written

    @property
    def position(self) -> Position:
        """Position in which it failed; its text sets it up again."""
        return Position.of(self.state, self.view, self.variant)

    def text(self) -> str:
        """Return what went wrong, as a comment, and the position.

        Raises:
            ValueError: where the rule changed facts of the view, so that it is no position.
        """
        return f"# {self.who} {' '.join(self.problem.split())}\n{self.position}"


class RuleFailedError(_LocatedPlayError, RuleError):
    """A rule or a convention failed in a game or in a trial, with the turn and the position."""

    def __init__(
        self,
        rule: Rule,
        seed: int,
        turn: int,
        problem: str,
        records: tuple[np.record, np.record],
        variant: Variant,
        trial: bool = False,
    ) -> None:
        super().__init__(
            f"{rule.family.what} {rule.name}", seed, turn, problem, records, variant, trial
        )
        self.rule: Rule = rule


class PlayerFailedError(_LocatedPlayError):
    """A player that is no list raised or returned no legal move, with the turn and the position."""

    def __init__(
        self,
        player: Player,
        seed: int,
        turn: int,
        problem: str,
        records: tuple[np.record, np.record],
        variant: Variant,
    ) -> None:
        super().__init__(
            f"player {' '.join(str(player.name).split())}", seed, turn, problem, records, variant
        )
        self.player = player.inner if isinstance(player, _PlainPlayer) else player
