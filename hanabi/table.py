"""Tables: lists of rules play compiled games, other players step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hanabi.backend import FAULT, compiled, first_here
from hanabi.backend.warmup import call_helpers, take_turns
from hanabi.checked_call import (
    RAISED,
    check_call,
    find_fault,
    problem_of,
    problem_of_convention,
)
from hanabi.conventions.fields import MAX_ROWS
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    add_hooks,
    make_plans,
    seat_players,
    sort_by_stage,
)
from hanabi.game import (
    Choice,
    Step,
    choose_given_moves,
    deal,
    finish,
    is_legal,
    is_over,
    mix,
    new_state,
    steps,
)
from hanabi.game_loop import (
    FAULTED,
    FORFEITED,
    RESULT,
    Lists,
    how_it_ended,
    play_games,
)
from hanabi.moves import FORFEIT, NOTHING
from hanabi.player import (
    ListPlayer,
    Player,
    RuleError,
    RuleFailedError,
    answer_in_list,
    as_player,
    choice_of,
    decide,
    followed_list,
    move_otherwise,
    seat_one,
)
from hanabi.positions.position import Position
from hanabi.rule_dependencies import answers_of, is_own
from hanabi.rulebook import FAMILIES, ROW, Rule, program
from hanabi.state import View, every_answer, set_answers
from hanabi.trial import TABLES, try_out
from hanabi.variant import Variant, read_variant

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def _seeds(seed, first, out):
    for i in range(len(out)):
        out[i] = mix(mix(np.uint64(seed)) + (np.uint64(first) + np.uint64(i)) * _GOLDEN)


def game_seeds(seed: int, games: int, first: int = 0) -> np.ndarray:
    """Return the seeds of the games that belong to one seed.

    Args:
        seed: The seed.
        games: How many game seeds.
        first: Number of the first game. The seed of a game depends on its number alone.
    """
    out = np.empty(games, np.uint64)
    _seeds(np.uint64(seed), np.uint64(first), out)
    return out


def compile_apart(number: int, needs: dict) -> None:
    """Compile rules, lazy answers, conventions and the game, as a helper process of a Table."""
    for module in needs["modules"]:
        with suppress(
            ImportError
        ):  # a user's file, which only the process that read it can compile
            import_module(module)
    rules = [FAMILIES[name] for name in needs["rules"] if name in FAMILIES]
    conventions = [
        CONVENTION_FAMILIES[name] for name in needs["conventions"] if name in CONVENTION_FAMILIES
    ]
    table = Table(read_variant("standard").at(2), [ListPlayer(())])
    take_turns(
        number,
        [
            *(family.address for family in rules),
            *(partial(set_answers, table.view, {found}) for found in sorted(_answers(rules))),
            *(family.address for family in conventions),
            *([partial(make_plans, table.players, table.view, always=True)] if conventions else []),
            partial(table.play, [0], [0, 0]),
        ],
    )


def _families(lists):
    """Return the families of some lists of rules or conventions, by name."""
    return {entry.family.name: entry.family for entries in lists for entry in entries}


def _answers(families):
    """Return all lazy answers that some rules need."""
    return set().union(*(answers_of(family.function) for family in families))


class Table:
    """Players at a table of a variant, who play games.

    If every player is a list of rules, ``play`` runs in machine code; any other mix plays the same
    games step by step. A table is for one thread, and for one walk at a time.

    Attributes:
        players: The players, by place.
        state: TABLE record of the game that is played.
        view: VIEW record of the game that is played.
        fired: int64 (players, longest list + 1): decisions of each rule over all games of ``play``;
            the place after a list's last rule counts those of ``otherwise``. All moves of a player
            that is no list are at place 0.
    """

    def __init__(
        self,
        variant: Variant,
        players: Sequence[Player | Any],
        deck: Sequence[int] | None = None,
        trial: bool = True,
    ) -> None:
        """Seat players.

        Args:
            variant: Variant with its players.
            players: The players, as ``seat_one`` takes them.
            deck: Cards in the order of drawing; without it they follow from each game's seed.
            trial: Whether user-defined rules and conventions play trial games first.

        Raises:
            ValueError: where an object is no player, in one line.
            RuleFailedError: where a user-defined rule or convention fails its trial.
        """
        self.variant, self.players = variant, [seat_one(player, variant) for player in players]
        self.state, self.view = new_state(variant, None if deck is None else list(deck))
        self.compiled = all(isinstance(player, ListPlayer) for player in self.players)
        known = [followed_list(player) for player in self.players]  # whose marks are kept
        for guard in (entry.guard for some in known for entry in (*some.rules, *some.conventions)):
            if guard:
                guard.check_variant(variant)
        lists = [
            player if isinstance(player, ListPlayer) else ListPlayer(()) for player in self.players
        ]
        self.lengths = np.array([len(player.rules) for player in lists], np.int64)
        self.otherwise = np.array([player.otherwise == "default" for player in lists], np.int64)
        self.rows = np.zeros((len(lists), max(1, *self.lengths)), ROW)
        self.fired = np.zeros((len(lists), self.rows.shape[1] + 1), np.int64)
        rules = _families(player.rules for player in known)
        if first_here():
            conventions = _families(player.conventions for player in known)
            call_helpers(
                "hanabi.table:compile_apart",
                {
                    "modules": sorted(
                        {family.function.__module__ for family in (rules | conventions).values()}
                    ),
                    "rules": list(rules),
                    "conventions": list(conventions),
                },
            )
        for rows, entry in zip(self.rows, lists):
            rows[: len(entry.rules)] = program(list(entry.rules))
        # plain Python may ask anything that was imported: what its code names does not say what it
        # calls
        set_answers(
            self.view,
            _answers(rules.values())
            if all(isinstance(one, ListPlayer) or one.only_list_questions for one in self.players)
            else every_answer(),
        )
        self.plans = make_plans(known, self.view)
        self.known = known
        if trial:
            try_out(known, (self.state, self.view), self.plans, variant)
        if any(is_own(family.function) for family in rules.values()):
            TABLES.add(self)

    def deal(self, seed: int, seats: ArrayLike) -> None:
        """Deal a game into ``state`` and ``view``.

        Args:
            seed: Seed of the game.
            seats: The player at each seat, by its place in ``players``.
        """
        seat_players(self.view, self.plans, np.asarray(seats, np.int64).reshape(1, -1), 0)
        deal(self.state, self.view, np.uint64(seed))

    def steps(self, seed: int, seats: Sequence[int]) -> Iterator[Step]:
        """Deal a game at once and return its turns, each before its move is made.

        Args:
            seed: Seed of the game.
            seats: The player at each seat, by its place in ``players``.

        Raises:
            RuleFailedError: where a rule raises or moves illegally, when its turn is reached.
            PlayerFailedError: the same for a player that is no list.
        """
        self.deal(seed, seats)
        company = tuple(self.players[int(place)] for place in seats)
        sitting = [self.begin(company, seat) for seat in range(len(seats))]
        walk = steps(
            self.state,
            self.view,
            partial(self._choose, int(seed), [int(place) for place in seats], sitting),
        )
        own = any(
            is_own(entry.family.function) for player in self.known for entry in player.conventions
        )
        return self._with_conventions_checked(walk, seats) if own else walk

    def _with_conventions_checked(self, walk, seats):
        """Pass on the steps of a walk.

        Raises:
            RuleFailedError: A user-defined convention raised before a step or after the last.
        """
        before, move = None, NOTHING
        for step in walk:
            self._check_conventions(seats, before, move)
            before, move = (self.state.copy(), self.view.copy()), step.move
            yield step
        self._check_conventions(seats, before, move)

    def _check_conventions(self, seats, before, move):
        """Raise RuleFailedError if a convention raised at a move or in the next seat's rules.

        Args:
            seats: The player at each seat.
            before: (state, view) in which the move was made; None at the deal.
            move: The move.
        """
        if self.view.failed == 0:
            return
        which, place = divmod(int(self.view.failed) - 1, MAX_ROWS)
        player = self.known[seats[list(self.view.list_of).index(which)]]
        convention = add_hooks(sort_by_stage(player.conventions))[place]
        records = self.state.copy(), self.view.copy()
        problem = problem_of_convention(convention, before, move) if before else ""
        if problem:
            records = before
        else:
            rules = self.known[seats[self.view.me]].rules
            problem = problem_of_convention(convention, records, NOTHING, rules)
        raise RuleFailedError(
            convention,
            int(self.state.seed),
            int(records[1].turn),
            problem or RAISED,
            records,
            self.variant,
        )

    def replay(self, seed: int, seats: Sequence[int], moves: Sequence[int]) -> Iterator[Step]:
        """Deal a game at once and return the turns of given legal moves, with marks."""
        self.deal(seed, seats)
        return steps(self.state, self.view, choose_given_moves(moves))

    def begin(self, company: tuple[Player, ...], seat: int) -> Player:
        """Return the player of the dealt game at a seat, given the players by seat."""
        player = company[seat]
        if player.sees_state:
            return as_player(player.begin_seeing(self.state), player.name)
        return as_player(player.join(self.variant, seat, company), player.name)

    def ask(self, seed: int, seats: Sequence[int], sitting: Sequence[Player]) -> Choice:
        """Return the choice of the seat to move in ``state`` and ``view``.

        Args:
            seed: Seed of the game, for errors.
            seats: The player at each seat, by its place in ``players``.
            sitting: The player of this game at each seat, from ``begin``.

        Raises:
            RuleFailedError: where a rule raises or moves illegally.
            PlayerFailedError: the same for a player that is no list.
        """
        return self._choose(seed, seats, sitting, self.view)

    def _choose(self, seed, seats, sitting, view):
        row = seats[view.me]
        player = self.players[row]
        if not isinstance(player, ListPlayer):
            return choice_of(sitting[view.me], view, seed, self.state, self.variant)
        place, move = decide(self.rows, row, self.lengths[row], self.otherwise[row], view)
        if move != FORFEIT and not is_legal(view, move):
            rule = player.rules[place]
            raise RuleFailedError(
                rule,
                seed,
                int(view.turn),
                problem_of(rule, view, int(move)),
                (self.state.copy(), view.copy()),
                self.variant,
            )
        return Choice(int(move), player.reason(place), int(place))

    def play(self, seeds: ArrayLike, seats: ArrayLike) -> np.ndarray:
        """Play one game for each seed.

        Args:
            seeds: Seeds (games,).
            seats: The player at each seat by its place in ``players``: (games, seats), or (seats,)
                for all games.

        Returns:
            RESULT records (games,).

        Raises:
            RuleFailedError: where a rule raised or moved illegally.
            PlayerFailedError: the same for a player that is no list.
        """
        seeds = np.asarray(seeds, np.uint64)
        # a copy: one that cannot be written would be another type, and the kernel compiled once
        # more for it
        seats = np.array(
            np.broadcast_to(np.asarray(seats, np.int64), (len(seeds), self.variant.seats)),
            order="C",
        )
        results = np.zeros(len(seeds), RESULT)
        if self.compiled:
            play_games(
                self.state,
                self.view,
                seeds,
                Lists(self.rows, self.lengths, self.otherwise, self.plans, seats),
                self.fired,
                results,
            )
        elif not any(one.play_games(self, seeds, seats, results) for one in self.players):
            for result, seed, row in zip(results, seeds, seats, strict=True):
                self._play_slowly(int(seed), row, result)
        for game in np.flatnonzero(results["end"] == FAULTED):
            finish(self.steps(seeds[game], seats[game]))  # raises a RuleFailedError that says all
            raise RuleError(AGAIN)
        return results

    def stuck(self) -> RuleFailedError | None:
        """Find the user-defined rule that does not end here: 0.2 s for each, uncompiled."""
        rules = {entry.family.name: entry for player in self.known for entry in player.rules}
        for rule in rules.values():
            if is_own(rule.family.function):
                fault = find_fault(rule, self.view.copy(), 0.2)
                if fault.is_endless:
                    records = self.state.copy(), self.view.copy()
                    seed, turn = int(self.state.seed), int(self.view.turn)
                    return RuleFailedError(rule, seed, turn, fault.problem, records, self.variant)
        return None

    def _play_slowly(self, seed, seats, result):
        """Play one game step by step, with what play_game counts and fills in."""
        end, last = -1, -1
        for step in self.steps(seed, seats):
            self.fired[seats[step.seat], step.place] += 1
            if step.move == FORFEIT:
                end, last = FORFEITED, step.place
        view = self.view
        result["score"], result["lives"], result["turns"] = view.score, view.lives, view.turn
        result["end"], result["place"] = end if end >= 0 else how_it_ended(view), last


AGAIN = (
    "a rule failed in a game, but not on replay: it keeps state, or changes "
    "the view "
    "(hanabi check FILE finds such a rule in a file of yours)"
)


@dataclass(frozen=True)
class Answer:
    """The answer of a rule in a position.

    Attributes:
        rule: The rule.
        move: Its move, NOTHING where it does not apply.
        problem: How it failed, "" where it did not.
        unasked: Why its guard does not hold, "" where it holds.
    """

    rule: Rule
    move: int
    problem: str = ""
    unasked: str = ""


def answers(player: ListPlayer, position: Position, played: tuple | None = None) -> list[Answer]:
    """Return the answer of each rule of a list in a position, each rule called alone.

    The rules run in machine code; a user-defined rule is first called in plain Python.

    Args:
        player: The list.
        position: The position.
        played: (seed, deck or None, moves) of the game that led to the position. A list with
            conventions needs it, as a position does not hold what hints came to mean; all seats
            are taken to play by these conventions.

    Raises:
        ValueError: where ``played`` is needed and missing, or the game is over.
    """
    needs = ValueError(
        "what hints came to mean does not stand in a position: ask an agent with conventions in a "
        "written "
        "game (hanabi show … -o game.toml, then ask at a turn)"
    )
    if player.conventions and not played:
        raise needs
    deck = played[1] if played else None
    if player.conventions:
        Table(position.variant, [replace(player, rules=())], deck)  # a trial of the conventions
    table = Table(position.variant, [player], deck, trial=False)
    if played:
        finish(table.replay(played[0], [0] * position.variant.seats, played[2]))
        view = table.view
    elif len(table.plans) and table.plans[0]["marks_list"] >= 0:
        raise needs
    else:
        view = position.state()[1]
    if is_over(view):
        raise ValueError("the game is over in this position: nobody is asked any more")
    view.answer_code = table.view.answer_code
    return ask_each(player, table.rows[0], view)


def ask_each(player: ListPlayer, rows: np.ndarray, view: View) -> list[Answer]:
    """Return the answer of each rule of a list in a view, with its ROW records."""
    found: list[Answer] = []
    rest, asked = move_otherwise(player, view), view.copy()
    for rule, row in reversed([*zip(player.rules, rows)]):
        problem = check_call(rule, asked)[1] if is_own(rule.family.function) else ""
        move = FAULT if problem else answer_in_list(row, rest, asked)
        problem = problem or problem_of(rule, asked, move)
        unasked = rule.guard.why_not(view) if rule.guard else ""
        found.insert(0, Answer(rule, move, problem, unasked))
        rest = move if move != NOTHING else rest
    return found


def decision(
    player: ListPlayer, position: Position, found: list[Answer]
) -> tuple[Rule | None, int, str]:
    """Return (the rule that decides or None, its move, what is wrong with it), given answers."""
    for answer in found:
        if answer.move != NOTHING or answer.problem:
            return answer.rule, answer.move, answer.problem
    return None, move_otherwise(player, position.state()[1]), ""
