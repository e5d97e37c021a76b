"""Imitation: how often an agent, a rule or a convention predicts the moves of written games.

Each game is replayed with all seats playing by the agent's list, so that hints mean what its
conventions say. The agent agrees with a decision by the probability that it makes that move (1 or
0 unless a rule is random). A rule is evaluated alone wherever its guard holds. A **convention** is
measured twice: the share of the hints with its meaning for which all that the hint came to say is
true, and how many more decisions the agent agrees with than without it. Errors are standard errors
over games, as the decisions of one game depend on each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hanabi.conventions.hint_plays import FALSE_PLAY, HONEST
from hanabi.conventions.marks import CONSIDER, HINTED, read
from hanabi.conventions.register import sort_by_stage
from hanabi.evolve.measure.human_games import counted_games
from hanabi.evolve.measure.one_game import choices_by_turn
from hanabi.evolve.measure.variations import without
from hanabi.game import legal_moves
from hanabi.game_record import Game
from hanabi.lookahead.move_probability import chance_of
from hanabi.moves import FORFEIT, SLOTS, is_tell, target_of
from hanabi.notation import counted
from hanabi.player import ListPlayer
from hanabi.rules.agents import Agent
from hanabi.table import Table

COLUMNS = [
    *("players", "games", "abandoned", "with_abandoned", "kind", "name", "says"),
    *("asked", "agrees", "sem", "gain", "gain_sem"),
]
CHANCE = "any legal move"  # the baseline: agreement of a random player


@dataclass(frozen=True)
class Agreement:
    """How often an agent and its parts agree with the moves of games.

    Attributes:
        agent: Its name.
        rows: players, games; abandoned (how many games were), with_abandoned (whether they count);
            kind (agent, chance, rule, convention), name, says; asked (decisions
            in which it has an answer; of a convention hints that mean what it says); agrees (the
            share of these, 0 to 1; of a convention those in which all is true), sem; gain (of a
            convention: the agent's agreement less that without it), gain_sem. An error is NaN for
            a single game.
    """

    agent: str
    rows: pd.DataFrame

    def sentences(self) -> list[str]:
        """Return the conclusions: a sentence per player count and one about the conventions."""
        found = []
        for (players, with_abandoned), rows in self.rows.groupby(["players", "with_abandoned"]):
            also = ", abandoned ones too" if with_abandoned else ""
            one, chance = (rows[rows["kind"] == kind].iloc[0] for kind in ("agent", "chance"))
            found.append(
                f"{players} players: {self.agent} makes {share_text(one['agrees'], one['sem'])} "
                f"of {one['asked']:,.0f} moves as they were made, chance {chance['agrees']:.1%} "
                f"({counted(one['games'], 'game')}{also})."
            )
            best = (
                rows[rows["kind"] == "convention"]
                .sort_values("gain", ascending=False, kind="stable")
                .head(1)
            )
            for row in best[best["gain"] > 0].to_dict("records"):
                found.append(
                    f"Of its conventions {row['name']} explains most: with it {self.agent} "
                    f"agrees with {points_text(row)} more of all decisions."
                )
        return found


def share_text(share: float, sem: float) -> str:
    """Return a share as ``51.2 ± 0.9%``; without an error where there is none."""
    return f"{share:.1%}" if np.isnan(sem) else f"{100 * share:.1f} ± {100 * sem:.1f}%"


def points_text(row: dict) -> str:
    """Return what a convention adds, in percent of all decisions."""
    return share_text(row["gain"], row["gain_sem"])


def measure_agreement(
    agent: Agent,
    games: Sequence[Game],
    progress: Callable[..., None] | None = None,
    with_abandoned: bool = False,
) -> Agreement:
    """Measure how often an agent, its rules and its conventions make the moves of games.

    Args:
        agent: The agent. A plain Python player has no rules; it agrees where it makes the move.
        games: Written games, of any player counts. Those that were abandoned do not count.
        progress: Called after each game with the games done and the games in all.
        with_abandoned: Add rows in which they count.

    Raises:
        ValueError: The agent follows no list, or has none for a player count, or nobody moved.
    """
    rows, done = [], 0
    parts = counted_games(games, with_abandoned)
    total = sum(len(part.games) for part in parts)
    for part in parts:
        moved = [game for game in part.games if any(move != FORFEIT for move in game.moves)]
        for count in sorted({game.variant.seats for game in moved}):
            some = [game for game in part.games if game.variant.seats == count]
            player = ListPlayer(()) if agent.is_python else agent.list_at(count)
            names = list(dict.fromkeys(entry.family.name for entry in player.conventions))
            others = [without(player, [name]) for name in names]
            tally = _Tally(player, len(some), len(others))
            for place, game in enumerate(some):
                choices = choices_by_turn(agent.at(count), game) if agent.is_python else None
                tally.watch(place, game, choices)
                for which, less in enumerate(others):
                    tally.compare(place, which, game, less)
                done += 1
                if progress:
                    progress(done, total)
            same = {
                "players": count,
                "games": len(some),
                "abandoned": part.abandoned[count],
                "with_abandoned": part.with_abandoned,
            }
            rows += [same | row for row in tally.rows(agent.name, names)]
    if not rows:
        raise ValueError("nobody moved in these games")
    return Agreement(agent.name, pd.DataFrame(rows, columns=COLUMNS))


class _Tally:
    """Counts by game, of one player count: arrays (games,) or (games, entries)."""

    def __init__(self, player: ListPlayer, games: int, others: int) -> None:
        self.player, self.staged = player, sort_by_stage(player.conventions)
        self.moves, self.agreed, self.chance = (np.zeros(games) for _ in range(3))
        self.asked, self.right = (np.zeros((games, len(player.rules))) for _ in range(2))
        self.hints, self.true = (np.zeros((games, max(1, len(self.staged)))) for _ in range(2))
        self.less = np.zeros((games, others))

    def watch(self, place: int, game: Game, choices: dict[int, int] | None = None) -> None:
        """Count in a game: the decisions of the agent, its rules and its conventions.

        Args:
            place: The number of the game.
            game: The game.
            choices: The moves of a plain Python player, by turn.
        """
        table, moves = _table(game, self.player)
        for step in table.replay(game.seed, [0] * game.variant.seats, moves):
            view = step.view  # rules change nothing in it, and leave its cache empty
            self.moves[place] += 1
            self.chance[place] += 1 / len(legal_moves(view))
            self.agreed[place] += (
                _chance(table, 0, table.lengths[0], table.otherwise[0], view, step.move)
                if choices is None
                else choices[step.turn] == step.move
            )
            for rule in range(len(self.player.rules)):
                self.asked[place, rule] += 1 - _chance(table, rule, 1, 0, view, FORFEIT)
                self.right[place, rule] += _chance(table, rule, 1, 0, view, step.move)
            if self.staged and is_tell(step.move):
                meaning, true = _meant(step.state, view, step.move)
                if meaning >= 0:
                    self.hints[place, meaning] += 1
                    self.true[place, meaning] += true

    def compare(self, place: int, which: int, game: Game, other: ListPlayer) -> None:
        """Count in how many moves of a game the agent makes without a convention."""
        table, moves = _table(game, other)
        for step in table.replay(game.seed, [0] * game.variant.seats, moves):
            self.less[place, which] += _chance(
                table, 0, table.lengths[0], table.otherwise[0], step.view, step.move
            )

    def rows(self, agent: str, names: list[str]) -> list[dict]:
        """Return what was counted, a row per entry."""
        found = [
            _row("agent", agent, "", self.moves, self.agreed),
            _row("chance", CHANCE, "", self.moves, self.chance),
        ]
        found += [
            _row("rule", rule.name, rule.says, self.asked[:, place], self.right[:, place])
            for place, rule in enumerate(self.player.rules)
        ]
        for which, name in enumerate(names):
            mine = [place for place, entry in enumerate(self.staged) if entry.family.name == name]
            gain = _ratio(self.moves, self.agreed - self.less[:, which])
            hints, true = self.hints[:, mine].sum(axis=1), self.true[:, mine].sum(axis=1)
            found.append(
                _row("convention", name, self.staged[mine[0]].says, hints, true)
                | dict(gain=gain[0], gain_sem=gain[1])
            )
        return found


def _table(game, player):
    """Return (a table at which all play by a list, the moves of a game)."""
    return Table(game.variant, [player], game.deck), [
        move for move in game.moves if move != FORFEIT
    ]


def _chance(table, place, length, otherwise, view, move):
    """Return the probability of a move by ``length`` rules from a place on."""
    rows = (
        table.rows[:1]
        if length != 1 or otherwise
        else np.ascontiguousarray(table.rows[0][place : place + 1][None])
    )
    return float(chance_of(rows, 0, length, otherwise, view, move))


def _meant(state, view, move):
    """Return (place of the convention that gives a hint its meaning or -1, whether it is true).

    It is true if all that the hint came to say of cards is.
    """
    read_view = view.copy()
    read(read_view, CONSIDER - move)
    reading, seat = read_view.readings[0], int(target_of(move))
    true = all(
        (
            int(reading.promised[slot] if reading.pledged >> slot & 1 else reading.assumed[slot])
            >> int(state.hands[seat, slot])
        )
        & 1
        for slot in range(SLOTS)
        if view.filled[seat] >> slot & 1
    )
    ordered = int(reading.order_seat)
    if ordered >= 0:  # a seat is ordered to play: is that card playable?
        true = true and bool(
            int(view.playable) >> max(0, int(state.hands[ordered, reading.order_slot])) & 1
        )
    read_view.hint_count, hint = 1, read_view.hints[0]
    hint.move, hint.seat, hint.honest = move, seat, HONEST
    read(read_view, HINTED)  # the hooks of conventions look at cards of others
    return int(reading.meaning), true and bool(hint.honest > FALSE_PLAY)


def _ratio(of, some):
    """Return (ratio of two sums, its standard error over games).

    NaN where there is nothing, or one game.
    """
    total = of.sum()
    if not total:
        return np.nan, np.nan
    share, games = some.sum() / total, np.count_nonzero(of)
    if games == 1:
        return float(share), np.nan
    error = np.sqrt(((some - share * of) ** 2).sum() * games / (games - 1)) / total
    return float(share), float(error)


def _row(kind, name, says, of, some):
    share, error = _ratio(of, some)
    return dict(
        kind=kind,
        name=name,
        says=says,
        asked=float(of.sum()),
        agrees=share,
        sem=error,
        gain=np.nan,
        gain_sem=np.nan,
    )
