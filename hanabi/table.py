"""Seats agents at a table: one game, or many thousands compiled."""
from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np

from hanabi.conventions.register import CONVENTION_FAMILIES, plans_of, sit_down
from hanabi.game import apply, deal, is_legal, is_over, mix, new_state
from hanabi.lazy import set_answers
from hanabi.machine import FAULT, compiled, first_here, inlined
from hanabi.machine.warmup import call_helpers, take_turns
from hanabi.moves import DISCARD, END, FORFEIT, NOTHING, PLAY, TELL_RANK, move_text
from hanabi.needs import answers_of
from hanabi.position import Position
from hanabi.rule import FAMILIES, ROW, Rule, first, program
from hanabi.variant import Variant, read_variant
from hanabi.view import oldest

ENDS = ("deck", "lives", "perfect", "hopeless", "forfeit", "fault")   # why a game ended, by number
FORFEITED, FAULTED = 4, 5
RESULT = np.dtype((np.record, [
    ("score", "i8"),                         # points on the fireworks (kept scoring)
    ("lives", "i8"), ("turns", "i8"),
    ("end", "i8"),                           # place in ENDS
    ("place", "i8"),                         # for a fault: the place of the rule in its agent's list
]))
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def default_move(view):
    """What an agent does where no rule applies: discard its oldest card; with all tokens, the first legal hint."""
    move = DISCARD + oldest(view, view.me)
    if is_legal(view, move):
        return move
    for step in range(1, view.players):
        for hint in range(TELL_RANK, END):
            if (hint - TELL_RANK) // 5 == (view.me + step) % view.players and is_legal(view, hint):
                return hint
    return PLAY + oldest(view, view.me)


@inlined
def decide(rows, agent, length, otherwise, view):
    """(place, move) of an agent: its first rule that applies; place = length where none did and ``otherwise`` decided."""
    place, move = first(rows, agent, length, view)
    if move == NOTHING:
        move = default_move(view) if otherwise else FORFEIT
    return place, move


@inlined
def play_game(table, view, seed, rows, lengths, otherwise, plans, seats, game, fired, results):
    """Play one game. rows: ROW (agents, longest list); plans: a PLAN an agent, or none where nobody needs marks; seats
    (games, players): the agent at each seat; fired counts decisions by (agent, place), place = length for
    ``otherwise``; results: RESULT records, filled in at ``game``.

    Inlined: as a call it counts references of its arrays in and out, a game (12 % slower)."""
    sit_down(view, plans, seats, game)
    deal(table, view, seed)
    end, last = -1, -1
    while end < 0:
        agent = seats[game, view.me]
        place, move = decide(rows, agent, lengths[agent], otherwise[agent], view)
        fired[agent, place] += 1
        if is_legal(view, move):
            apply(table, view, move)
            end = how_it_ended(view)
        else:
            end, last = FORFEITED if move == FORFEIT else FAULTED, place
    result = results[game]
    result.score, result.lives, result.turns, result.end, result.place = view.score, view.lives, view.turn, end, last


@inlined
def how_it_ended(view):
    """The place in ENDS of how the game ended, -1 while it goes on."""
    if not is_over(view):
        return -1
    if view.lives == 0:
        return 1
    if view.full[0] & ~view.dead == 0:
        return 2
    return 0 if view.left == 0 else 3


@compiled
def play_games(table, view, seeds, rows, lengths, otherwise, plans, seats, fired, results):
    """Play a game a seed. Everything is a function of the variant, the seeds and the agents."""
    for game in range(len(seeds)):
        play_game(table, view, seeds[game], rows, lengths, otherwise, plans, seats, game, fired, results)


@compiled
def _seeds(seed, out):
    for i in range(len(out)):
        out[i] = mix(mix(np.uint64(seed)) + np.uint64(i) * _GOLDEN)


def game_seeds(seed: int, games: int) -> np.ndarray:
    """The seeds of so many games that belong to one seed; the first n are the same however many are asked for."""
    out = np.empty(games, np.uint64)
    _seeds(np.uint64(seed), out)
    return out


def compile_apart(number: int, needs: dict) -> None:
    """What a helper of a Table does (helpers.py): compile its rules, lazy answers and conventions, and the game."""
    for module in needs["modules"]:
        with suppress(ImportError):          # a user's file, which only the process that read it can compile
            import_module(module)
    rules = [FAMILIES[name] for name in needs["rules"] if name in FAMILIES]
    conventions = [CONVENTION_FAMILIES[name] for name in needs["conventions"] if name in CONVENTION_FAMILIES]
    table = Table(read_variant("standard").at(2), [Strategy(())])
    take_turns(number, [
        *(family.address for family in rules),
        *(partial(set_answers, table.view, {found}) for found in sorted(_answers(rules))),
        *(family.address for family in conventions),
        *([partial(plans_of, table.strategies, table.view, always=True)] if conventions else []),
        partial(table.play, [0], [0, 0])])


def _families(lists):
    """The families of some lists of rules or conventions, by name."""
    return {entry.family.name: entry.family for entries in lists for entry in entries}


def _answers(families):
    """All lazy answers that some rules need."""
    return set().union(*(answers_of(family.function) for family in families))


@dataclass(frozen=True)
class Strategy:
    """What one seat does: rules in order, and ``otherwise`` ("default" or "forfeit") where none applies; the
    conventions that it plays by, and its weights, (name, value), where they differ from weights.WEIGHTS."""
    rules: tuple[Rule, ...]
    otherwise: str = "default"
    conventions: tuple[Rule, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()


class Table:
    """Seats some strategies for a variant (its players seated) and plays many games in machine code.

    Everything here is good in this process only; two threads need two tables. ``fired`` (strategies, longest list + 1)
    counts the decisions of each rule over all games played so far, the place after a strategy's last rule those of
    ``otherwise``.
    """

    def __init__(self, variant: Variant, strategies: list[Strategy], deck: list[int] | None = None) -> None:
        self.variant, self.strategies = variant, list(strategies)
        self.state, self.view = new_state(variant, deck)
        self.lengths = np.array([len(s.rules) for s in self.strategies], np.int64)
        self.otherwise = np.array([s.otherwise == "default" for s in self.strategies], np.int64)
        self.rows = np.zeros((len(self.strategies), max(1, *self.lengths)), ROW)
        self.fired = np.zeros((len(self.strategies), self.rows.shape[1] + 1), np.int64)
        rules = _families(strategy.rules for strategy in self.strategies)
        if first_here():
            conventions = _families(strategy.conventions for strategy in self.strategies)
            call_helpers("hanabi.table:compile_apart", {
                "modules": sorted({family.function.__module__ for family in (rules | conventions).values()}),
                "rules": list(rules), "conventions": list(conventions)})
        for rows, strategy in zip(self.rows, self.strategies):
            rows[:len(strategy.rules)] = program(strategy.rules)
        set_answers(self.view, _answers(rules.values()))
        self.plans = plans_of(self.strategies, self.view)

    def deal(self, seed: int, seats: list[int]) -> None:
        """Deal a game to the strategies at some seats: into ``state`` and ``view``."""
        sit_down(self.view, self.plans, np.asarray(seats, np.int64).reshape(1, -1), 0)
        deal(self.state, self.view, np.uint64(seed))

    def play(self, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Play a game a seed; ``seats`` (games, players), or (players,) for all games, names the strategy at each seat by
        its place. Returns RESULT records. Raises RuleFault where a rule raised or moved illegally."""
        # a copy: one that cannot be written would be another type, and the kernel compiled once more for it
        seats = np.array(np.broadcast_to(np.asarray(seats, np.int64), (len(seeds), self.variant.players)), order="C")
        results = np.zeros(len(seeds), RESULT)
        play_games(self.state, self.view, np.asarray(seeds, np.uint64), self.rows, self.lengths, self.otherwise,
                   self.plans, seats, self.fired, results)
        if (results["end"] == FAULTED).any():
            game = int(np.argmax(results["end"] == FAULTED))
            raise self._fault(seeds[game], seats[game], results[game])
        return results

    def _fault(self, seed, seats, result):
        """Play the faulty game again up to the fault, and ask the rule in plain Python what went wrong."""
        self.deal(seed, seats)
        for _ in range(result["turns"]):
            agent = seats[self.view.me]
            _, move = decide(self.rows, agent, self.lengths[agent], self.otherwise[agent], self.view)
            apply(self.state, self.view, move)
        rule = self.strategies[seats[self.view.me]].rules[result["place"]]
        agent = seats[self.view.me]
        _, move = decide(self.rows, agent, self.lengths[agent], self.otherwise[agent], self.view)
        return RuleFault(rule, int(seed), int(result["turns"]), _problem(rule, self.view, int(move)), self.state.copy(),
                         self.view.copy(), self.variant)


class RuleError(RuntimeError):
    """A rule does what no rule may do; the message is one line."""


class RuleFault(RuleError):
    """A rule raised, or returned a move that is not legal. Holds the rule, the game's seed, its turn and the position."""

    def __init__(self, rule: Rule, seed: int, turn: int, problem: str, state: np.record, view: np.record,
                 variant: Variant) -> None:
        super().__init__(f"rule {rule.name} {problem} (turn {turn} of the game with seed {seed})")
        self.rule, self.seed, self.turn, self.problem, self.state, self.view = rule, seed, turn, problem, state, view
        self.variant, self.file = variant, None      # file: where its text was written, if it was

    @property
    def position(self) -> Position:
        """The position that the rule was asked in; its text sets it up again."""
        return Position.of(self.state, self.view, self.variant)

    def text(self) -> str:
        """What went wrong, as a comment, and the position. ValueError where there is none: the rule changed the facts."""
        return f"# rule {self.rule.name} {' '.join(self.problem.split())}\n{self.position}"


@dataclass(frozen=True)
class Answer:
    """What a rule answers in a position: its move, NOTHING where it does not apply; ``problem`` says how it failed."""
    rule: Rule
    move: int
    problem: str = ""


def answers(strategy: Strategy, position: Position, played: tuple | None = None) -> list[Answer]:
    """What each rule of a strategy answers in a position, in machine code, each as if it were asked alone.

    ``played``: (seed, deck or None, moves) of the game that led there. Strategies with conventions need it, as a position
    does not hold what hints came to mean; all seats are taken to play by them. ValueError without it, and for a
    position in which the game is over.
    """
    needs = ValueError("what hints came to mean does not stand in a position: ask an agent with conventions in a written "
                       "game (hanabi show … -o game.toml, then ask at a turn)")
    if strategy.conventions and not played:
        raise needs
    table = Table(position.variant, [strategy], played and played[1])
    if played:
        table.deal(played[0], [0] * position.variant.players)
        for move in played[2]:
            apply(table.state, table.view, move)
        view = table.view
    elif len(table.plans) and table.plans[0]["marks_list"] >= 0:
        raise needs
    else:
        view = position.state()[1]
    if is_over(view):
        raise ValueError("the game is over in this position: nobody is asked any more")
    rows, found = np.ascontiguousarray(table.rows[0][:, None]), []
    for place, rule in enumerate(strategy.rules):
        asked = view.copy()
        asked.answer_code = table.view.answer_code
        _, move = first(rows, place, 1, asked)
        legal = move in (NOTHING, FORFEIT) or is_legal(view, move)
        found.append(Answer(rule, int(move), "" if legal else _problem(rule, asked, int(move))))
    return found


def decision(strategy: Strategy, position: Position, found: list[Answer]) -> tuple[Rule | None, int, str]:
    """(the rule that decides or None, the move, what is wrong with it) that follow from what the rules answer."""
    for answer in found:
        if answer.move != NOTHING or answer.problem:
            return answer.rule, answer.move, answer.problem
    return None, int(default_move(position.state()[1])) if strategy.otherwise == "default" else FORFEIT, ""


def _problem(rule, view, move):
    """What goes wrong when a rule is asked; machine code only says that it raised, so plain Python says what."""
    if move != FAULT:
        return f"made the illegal move {move}" + (f" ({move_text(move)})" if 0 < move < END else "")
    try:
        plain = rule(view)
    except Exception as error:               # whatever a user's rule may raise
        return f"raised {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
    return f"raised an exception in machine code, though plain Python answers {move_text(plain)}"
