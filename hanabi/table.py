"""Seats agents at a table: one game, or many thousands compiled."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hanabi.game import apply, deal, is_legal, is_over, mix, new_state
from hanabi.machine import compiled, inlined
from hanabi.moves import DISCARD, END, FORFEIT, NOTHING, PLAY, TELL_RANK
from hanabi.rule import ROW, Rule, first, program
from hanabi.variant import Variant
from hanabi.view import fillers_of, oldest, set_fillers

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
def play_game(table, view, seed, rows, lengths, otherwise, seats, game, fired, results):
    """Play one game. rows: ROW (agents, longest list); seats (games, players): the agent at each seat; fired counts
    decisions by (agent, place), place = length for ``otherwise``; results: RESULT records, filled in at ``game``.

    Inlined: as a call it counts references of seven arrays in and out, a game (12 % slower)."""
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
def play_games(table, view, seeds, rows, lengths, otherwise, seats, fired, results):
    """Play a game a seed. Everything is a function of the variant, the seeds and the agents."""
    for game in range(len(seeds)):
        play_game(table, view, seeds[game], rows, lengths, otherwise, seats, game, fired, results)


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
    """What one seat does: rules in order, and ``otherwise`` ("default" or "forfeit") where none applies."""
    rules: tuple[Rule, ...]
    otherwise: str = "default"


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
        for rows, strategy in zip(self.rows, self.strategies):
            rows[:len(strategy.rules)] = program(strategy.rules)
            for family in {rule.family.name: rule.family for rule in strategy.rules}.values():
                needed |= fillers_of(family.function)
        set_fillers(self.view, needed)

    def play(self, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Play a game a seed; ``seats`` (games, players), or (players,) for all games, names the strategy at each seat by
        its place. Returns RESULT records. Raises RuleFault where a rule raised or moved illegally."""
        seats = np.broadcast_to(np.asarray(seats, np.int64), (len(seeds), self.variant.players))
        results = np.zeros(len(seeds), RESULT)
        play_games(self.state, self.view, np.asarray(seeds, np.uint64), self.rows, self.lengths, self.otherwise,
                   np.ascontiguousarray(seats), self.fired, results)
        if (results["end"] == FAULTED).any():
            game = int(np.argmax(results["end"] == FAULTED))
            raise self._fault(seeds[game], seats[game], results[game])
        return results

    def _fault(self, seed, seats, result):
        """Play the faulty game again up to the fault, and ask the rule in plain Python what went wrong."""
        deal(self.state, self.view, seed)
        for _ in range(result["turns"]):
            agent = seats[self.view.me]
            _, move = decide(self.rows, agent, self.lengths[agent], self.otherwise[agent], self.view)
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
