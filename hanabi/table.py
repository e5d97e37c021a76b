"""Seats agents at a table: one game, or many thousands compiled."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hanabi.convention import PLAN, in_stages, set_reader, sit_down, write_plan
from hanabi.game import apply, deal, is_legal, is_over, mix, new_state
from hanabi.machine import compiled
from hanabi.moves import DISCARD, END, FORFEIT, PLAY, TELL_RANK
from hanabi.rule import ROW, Rule, first, program
from hanabi.taste import read_taste
from hanabi.variant import Variant
from hanabi.view import fillers_of, looks_at_marks, oldest, set_fillers

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


@compiled
def decide(rows, length, otherwise, view):
    """(place, move) of an agent: its first rule that applies; place = length where none did and ``otherwise`` decided."""
    place, move = first(rows[:length], view)
    if place >= 0:
        return place, move
    return length, default_move(view) if otherwise else FORFEIT


@compiled
def play_game(table, view, seed, rows, lengths, otherwise, plans, seats, fired, result):
    """Play one game. rows: ROW (agents, longest list); plans: a PLAN an agent, or none where nobody needs marks; seats:
    the agent at each seat; fired counts decisions by (agent, place), place = length for ``otherwise``; result: one
    RESULT record, filled in."""
    sit_down(view, plans, seats)
    deal(table, view, seed)
    result.end, result.place = 0, -1
    while not is_over(view):
        agent = seats[view.me]
        place, move = decide(rows[agent], lengths[agent], otherwise[agent], view)
        fired[agent, place] += 1
        if not is_legal(view, move):
            result.end = FORFEITED if move == FORFEIT else FAULTED
            result.place = place
            break
        apply(table, view, move)
    else:
        if view.lives == 0:
            result.end = 1
        elif view.full[0] & ~view.dead == 0:
            result.end = 2
        elif view.left != 0:
            result.end = 3
    result.score, result.lives, result.turns = view.score, view.lives, view.turn


@compiled
def play_games(table, view, seeds, rows, lengths, otherwise, plans, seats, fired, results):
    """Play a game a seed; seats: (games, players) agents. Everything is a function of the variant, the seeds, the agents."""
    for game in range(len(seeds)):
        play_game(table, view, seeds[game], rows, lengths, otherwise, plans, seats[game], fired, results[game])


@compiled
def _seeds(seed, out):
    for i in range(len(out)):
        out[i] = mix(mix(np.uint64(seed)) + np.uint64(i) * _GOLDEN)


def game_seeds(seed: int, games: int) -> np.ndarray:
    """The seeds of so many games that belong to one seed; the first n are the same however many are asked for."""
    out = np.empty(games, np.uint64)
    _seeds(np.uint64(seed), out)
    return out


@dataclass(frozen=True)
class Strategy:
    """What one seat does: rules in order, and ``otherwise`` ("default" or "forfeit") where none applies; the
    conventions that it plays by (convention.py), and its taste: (weight, value) of taste.TASTE, where it differs."""
    rules: tuple[Rule, ...]
    otherwise: str = "default"
    conventions: tuple[Rule, ...] = ()
    taste: tuple[tuple[str, float], ...] = ()


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
        needed = set()
        plans, lists = np.zeros(len(self.strategies), PLAN), []
        for rows, plan, strategy in zip(self.rows, plans, self.strategies):
            rows[:len(strategy.rules)] = program(strategy.rules)
            kept = bool(strategy.conventions)
            for family in {rule.family.name: rule.family for rule in strategy.rules}.values():
                needed |= fillers_of(family.function)
                kept |= looks_at_marks(family.function)
            conventions = in_stages(strategy.conventions)
            if kept and conventions not in lists:
                lists.append(conventions)
            write_plan(plan, lists.index(conventions) if kept else -1, conventions, read_taste(dict(strategy.taste)))
        set_fillers(self.view, needed)
        self.plans = plans if lists else plans[:0]
        if lists:
            set_reader(self.view)

    def play(self, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Play a game a seed; ``seats`` (games, players), or (players,) for all games, names the strategy at each seat by
        its place. Returns RESULT records. Raises RuleFault where a rule raised or moved illegally."""
        seats = np.broadcast_to(np.asarray(seats, np.int64), (len(seeds), self.variant.players))
        results = np.zeros(len(seeds), RESULT)
        play_games(self.state, self.view, np.asarray(seeds, np.uint64), self.rows, self.lengths, self.otherwise,
                   self.plans, np.ascontiguousarray(seats), self.fired, results)
        if (results["end"] == FAULTED).any():
            game = int(np.argmax(results["end"] == FAULTED))
            raise self._fault(seeds[game], seats[game], results[game])
        return results

    def _fault(self, seed, seats, result):
        """Play the faulty game again up to the fault, and ask the rule in plain Python what went wrong."""
        sit_down(self.view, self.plans, seats)
        deal(self.state, self.view, seed)
        for _ in range(result["turns"]):
            agent = seats[self.view.me]
            _, move = decide(self.rows[agent], self.lengths[agent], self.otherwise[agent], self.view)
            apply(self.state, self.view, move)
        rule = self.strategies[seats[self.view.me]].rules[result["place"]]
        try:
            problem = f"made the illegal move {rule(self.view)}"
        except Exception as error:           # whatever a user's rule may raise
            problem = f"raised {type(error).__name__}: {error}"
        return RuleFault(rule, int(seed), int(result["turns"]), problem, self.state.copy(), self.view.copy())


class RuleFault(RuntimeError):
    """A rule raised, or returned a move that is not legal. Holds the rule, the game's seed, its turn and the position."""

    def __init__(self, rule: Rule, seed: int, turn: int, problem: str, state: np.record, view: np.record) -> None:
        super().__init__(f"rule {rule.name} {problem} (turn {turn} of the game with seed {seed})")
        self.rule, self.seed, self.turn, self.problem, self.state, self.view = rule, seed, turn, problem, state, view
