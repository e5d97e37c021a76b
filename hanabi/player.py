"""Who may sit at a seat: anything that has a name and, asked with a view, gives a move and its reason.

A player of your own::

    class Cautious:
        name = "cautious"

        def move(self, view):
            for slot in range(view.hand_size):
                if playable_chance(view, slot) == 1:
                    return play(slot), "it is playable"
            return default_move(view), "otherwise"

Lists of rules are the first kind (``ListPlayer``) and the one that has a machine form: a table of nothing else plays
compiled. See ``table.Table``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from hanabi.backend import compiled, inlined
from hanabi.checked_call import illegal, problem_of, raised, short
from hanabi.game import is_legal
from hanabi.moves import DISCARD, END, FORFEIT, NOTHING, PLAY, TELL_RANK
from hanabi.positions.position import Position
from hanabi.rulebook import Rule, first, program
from hanabi.steps import Choice
from hanabi.variant import Variant
from hanabi.view import oldest

OTHERWISE = "otherwise"  # the reason of a move where no rule applied


class Player(Protocol):
    """What sits at a seat. More things are optional.

    ``begin(variant, seat)`` returns who plays this game at this seat and is called at each deal: a new object where
    something is to be remembered between moves (so that two seats, or two games, never share a memory), or ``self``.
    ``join(variant, seat, company)``: the same for one that is told who sits where (players, by seat). ``peek(state)``: the
    same for one that sees hidden cards, as some programs of publications do; its name says so, and ``reproduce`` alone seats it.
    ``plays_by``: a ListPlayer whose conventions the player shares; the table keeps marks for it as it would for the
    list; ``by_lists``: True where it asks a view nothing but what that list asks. ``play_alone(table, seeds, results)``: games
    with copies of itself in machine code, filled in as by ``Table.play``; ``sees_own_hand``: True for one that cheats. Random
    choices should come from ``view.word`` (``view.random_below``): then a seed gives one game.
    """

    @property
    def name(self) -> str:
        """What it is called in games and errors."""

    def move(self, view: np.record) -> tuple[int, str]:
        """(a legal move, why in a few words). The view is a copy, the player's own row of ``hands`` is blank."""


@compiled
def default_move(view):
    """What a list does where no rule applies: discard its oldest card; with all tokens, the first legal hint."""
    move = DISCARD + oldest(view, view.me)
    if is_legal(view, move):
        return move
    for step in range(1, view.players):
        for hint in range(TELL_RANK, END):
            if (hint - TELL_RANK) // 5 == (view.me + step) % view.players and is_legal(view, hint):
                return hint
    return PLAY + oldest(view, view.me)


@inlined
def decide(rows, player, length, otherwise, view):
    """(place, move) of a list: its first rule that applies; place = length where none did and ``otherwise`` decided."""
    place, move = first(rows, player, length, view)
    if move == NOTHING:
        move = default_move(view) if otherwise else FORFEIT
    return place, move


@dataclass(frozen=True)
class ListPlayer:
    """A player that is a list: rules in order, and ``otherwise`` ("default" or "forfeit") where none applies; the
    conventions that it plays by, and its weights, (name, value), where they differ from weights.WEIGHTS. Players that
    differ only in ``name`` are equal."""

    rules: tuple[Rule, ...]
    otherwise: str = "default"
    conventions: tuple[Rule, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    name: str = field(default="", compare=False)

    def move(self, view: np.record) -> tuple[int, str]:
        """(its move, the name of the rule that makes it, or "otherwise"). The view must come from a table where the list
        sits, or from a copy of its view. RuleError where a rule fails."""
        rows = program(list(self.rules)).reshape(1, -1)
        place, move = decide(rows, 0, len(self.rules), int(self.otherwise == "default"), view)
        if place < len(self.rules) and move != FORFEIT and not is_legal(view, move):
            rule, problem = self.rules[place], problem_of(self.rules[place], view, int(move))
            raise RuleError(f"rule {rule.name} {problem}", rule, problem)
        return int(move), self.reason(place)

    def reason(self, place: int) -> str:
        """The name of the rule at a place, "otherwise" behind the last one."""
        return self.rules[place].name if place < len(self.rules) else OTHERWISE


def plays_by(player: Player) -> ListPlayer:
    """The list whose conventions a player shares: itself, its ``plays_by``, or a list of nothing."""
    return player if isinstance(player, ListPlayer) else getattr(player, "plays_by", ListPlayer(()))


def choice_of(
    player: Player, view: np.record, seed: int, state: np.record, variant: Variant
) -> Choice:
    """What a plain Python player chooses. It is asked with a copy of the view, so that nothing it writes there reaches
    the game or the next player. PlayerFailedError where it raises, or returns no legal move; RuleFailedError where a rule of its list does."""
    asked = view.copy()
    if getattr(player, "sees_own_hand", False):
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
        problem, cause = raised(error), error
    if not problem:
        problem = no_answer(answer)
        if not problem and answer[0] != FORFEIT and not is_legal(view, int(answer[0])):
            problem = illegal(int(answer[0]))
        if not problem:
            return Choice(int(answer[0]), answer[1])
    raise PlayerFailedError(
        player, int(seed), int(view.turn), problem, (state.copy(), view.copy()), variant
    ) from cause


def no_answer(answer: object) -> str:
    """What is wrong with what a player returned, "" for a move and its reason."""
    if (
        isinstance(answer, tuple)
        and len(answer) == 2
        and isinstance(answer[0], int | np.integer)
        and isinstance(answer[1], str)
    ):
        return ""
    return f'returned {short(answer)}, not a move and its reason, such as (play(0), "it fits")'


class ExternalPlayerError(Exception):
    """Raised by a player that asks somebody else for its moves, such as a program: the text is what that one did, in one line."""


class PlayError(RuntimeError):
    """Somebody at a table does what nobody may do; the message is one line."""


class RuleError(PlayError):
    """A rule does what no rule may do. ``rule`` and ``problem``: which rule and what is wrong, where one list was asked alone."""

    def __init__(self, line: str, rule: Rule | None = None, problem: str = "") -> None:
        super().__init__(line)
        self.rule, self.problem = rule, problem


class _LocatedPlayError(PlayError):
    """What went wrong in a game: its seed, its turn and the position. Its text is the position, below what went wrong."""

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
        self.file = None  # where its text was written, if it was

    @property
    def position(self) -> Position:
        """The position that was asked in; its text sets it up again."""
        return Position.of(self.state, self.view, self.variant)

    def text(self) -> str:
        """What went wrong, as a comment, and the position. ValueError where there is none: the rule changed the facts."""
        return f"# {self.who} {' '.join(self.problem.split())}\n{self.position}"


class RuleFailedError(_LocatedPlayError, RuleError):
    """A rule raised, or returned a move that is not legal; in a trial, whatever else is wrong with it, or a convention
    (``rule`` too). Holds the rule, the game's seed, its turn and the position."""

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
    """A player that is no list raised, or returned what is no legal move. Holds the player, the game's seed, its turn
    and the position."""

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
        self.player = player
