"""What each part and each decision of a winner contribute: points with it less points without it.

**Parts.** Without a part means: the same list except for one entry, on the same deals, game by
game; nothing is tuned again.

**Decisions.** In some turns of each game every rule is asked alone, as if it stood first. Where it
would move otherwise, its move is made in a copy of the game, the list plays on in all seats with
the same deck, and the points at the end are compared with those of the game itself. Alternatives
are:

* the other rules of the list, and those of the library that it lacks, with the middle value of each
  parameter;
* ``NEXT``: what the list decides without the rule that decided, and those above it;
* ``DRAWN``: another legal play, discard or hint, drawn.

A position counts one departure, after which all seats follow the list. So an alternative that
beats it is a change to try, and where none does no single exchange of decisions is known to help.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from hanabi.backend import compiled, copy_prefix, copy_record, inlined
from hanabi.conventions.register import CONVENTION_FAMILIES, needs_marks, seat_players
from hanabi.evolve.analysis.loss_causes import CAUSES, watched
from hanabi.evolve.analysis.subjects import Subject
from hanabi.evolve.measure.ablation import as_agent
from hanabi.evolve.measure.arena import SCORINGS, Arena, mean_sem
from hanabi.evolve.measure.game_sums import GameCounter, points
from hanabi.evolve.measure.variations import middle, new_rules, omissions
from hanabi.game import apply, below, is_legal, mix
from hanabi.game_loop import FAULTED, Lists, begin_game, choose_from_list, game_loop, how_it_ended
from hanabi.lookahead.rollout import play_on
from hanabi.moves import DISCARD, END, FORFEIT, NOTHING, PLAY, TELL_COLOUR
from hanabi.player import OTHERWISE, default_move, propose_instead
from hanabi.rulebook import asks_for_rest, propose
from hanabi.state import FACTS_BYTES, State, View
from hanabi.table import ListPlayer, Table

WORTH = [
    "run",
    "players",
    "kind",
    "place",
    "entry",
    "fires",
    "share",
    "games",
    "worth_kept",
    "sem_kept",
    "worth_zero",
    "sem_zero",
]
LOSSES = ["run", "players", "cause", "games", "points", "sem"]
COUNTS = {
    "tokens": "tokens left at the end",
    "bare": "discards with no token there",
    "misplays": "misplays",
}


def _matches(arena, subject, player, count, games):
    return [
        arena.match(count, as_agent(subject.name, player, count), partner, games, place=place)
        for place, partner in enumerate(subject.pool or (None,))
    ]


def games_needed(
    subjects: Sequence[Subject], counts: Sequence[int], games: int, without: bool
) -> int:
    """Return how many games ``watch_all`` plays, and with ``without`` also ``worth_table``."""
    return sum(
        games
        * max(1, len(one.pool))
        * (1 + (len(list(omissions(one.agent.list_at(count)))) if without else 0))
        for one in subjects
        for count in counts
        if count in one.players
    )


@dataclass(frozen=True)
class WatchedGames:
    """The games of a subject at a player count.

    Attributes:
        subject: The subject.
        players: The player count.
        games: WATCHED records (partners, games).
    """

    subject: Subject
    players: int
    games: np.ndarray


def watch_all(
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> list[WatchedGames]:
    """Play the games of every subject at every player count of the arena, with statistics."""
    found = []
    with arena.workers as workers:
        for one in subjects:
            for count in (count for count in arena.players if count in one.players):
                matches = _matches(arena, one, one.agent.list_at(count), count, games)
                played = np.stack(list(workers.play(matches, tally.more(), watched)))
                found.append(WatchedGames(one, count, played))
    return found


def worth_table(
    base: Sequence[WatchedGames], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """Return a row for each rule and each convention of every subject at every player count.

    * ``fires``: how often a rule decides in a game; how many hints get the meaning of a
      convention, NaN if it gives them none.
    * ``share``: its share of the moves, or of the hints.
    * ``worth_*``: the points lost without it, with standard errors.

    Columns: ``run``, ``players``, ``kind``, ``place``, ``entry``, ``fires``, ``share``, ``games``,
    ``worth_kept``, ``sem_kept``, ``worth_zero``, ``sem_zero``.
    """
    rows = []
    with arena.workers as workers:
        for one in base:
            for change in omissions(one.subject.agent.list_at(one.players)):
                kind, place, rest = change.kind, change.place, change.player
                counts = one.games["fired" if kind == "rule" else "meant"].mean(axis=(0, 1))
                fires, total = counts[place], counts.sum()
                has_count = kind == "rule" or CONVENTION_FAMILIES[change.what].stage == "meaning"
                row = [
                    one.subject.name,
                    one.players,
                    kind,
                    place + 1,
                    change.entry,
                    float(fires) if has_count else np.nan,
                    float(fires / total) if has_count and total else np.nan,
                    games * len(one.games),
                ]
                if rest.rules:
                    matches = _matches(arena, one.subject, rest, one.players, games)
                    without = np.stack(list(workers.play(matches, tally.more())))
                    row += [
                        float(value)
                        for scoring in SCORINGS
                        for value in mean_sem(
                            points(one.games["score"], one.games["end"], scoring)
                            - points(without["score"], without["end"], scoring)
                        )
                    ]
                rows.append(dict(zip(WORTH, row)))
    return pd.DataFrame(rows, columns=WORTH)


def loss_table(base: Sequence[WatchedGames]) -> pd.DataFrame:
    """Return the points lost per game by each cause and by all, and counts per game (COUNTS).

    Columns: ``run``, ``players``, ``cause``, ``games``, ``points``, ``sem``.
    """
    rows = []
    for one in base:
        lost = one.games["lost"]
        columns = (
            {cause: lost[..., place] for place, cause in enumerate(CAUSES)}
            | {"all": lost.sum(axis=-1)}
            | {what: one.games[what] for what in COUNTS}
        )
        rows += [
            [one.subject.name, one.players, cause, values.size, *map(float, mean_sem(values))]
            for cause, values in columns.items()
        ]
    return pd.DataFrame(rows, columns=LOSSES)


EVERY = 10  # turns from one position of a game to the next; the first is drawn
NEXT = "the rest of the list"
DRAWN = ("another play", "another discard", "another hint")
KINDS = (PLAY, DISCARD, TELL_COLOUR, END)  # the bounds of the moves of each kind
ERROR = 0.05  # chance that any row of an agent is called better by chance
FEWEST = 20  # games in which an alternative must differ to be judged
_OFFSETS, _DRAWS = np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
DECISIONS = [
    "agent", "players", "entry", "instead", "positions", "moves", "games",
    "advantage_kept", "sem_kept", "advantage_zero", "sem_zero", "judged", "beats",
]  # fmt: skip


class _Branches(NamedTuple):
    """Workspace and results of the branches of games."""

    lists: Lists  # the list, then the alternatives
    copy_state: State
    copy_view: View
    moves: np.ndarray  # int64 (alternatives,): the move of each in this turn
    points: np.ndarray  # int64 (END, 2): kept and zero after each move of this turn; -1: not played
    offset: np.ndarray  # int64 (1,): of the turns of this game
    positions: np.ndarray  # int16 (games, places): positions by place of the rule that decided
    cells: np.ndarray  # int32 (games, places, alternatives, 3): branches, sums of kept and of zero
    played: np.ndarray  # int32 (games,): branches; several alternatives may share one


@inlined
def _draw_other(view, kind, move):
    """Return another legal move of a kind than one; NOTHING if there is none."""
    low, high, count = KINDS[kind], KINDS[kind + 1], 0
    for other in range(low, high):
        count += other != move and is_legal(view, other)
    if count == 0:
        return NOTHING
    left = below(mix(np.uint64(view.word) ^ (_DRAWS * np.uint64(kind + 1))), count)
    for other in range(low, high):
        if other != move and is_legal(view, other):
            if left == 0:
                return other
            left -= 1
    return NOTHING


@inlined
def _find_alternatives(view, lists, place, move, moves):
    """Fill in the move of each alternative, NOTHING where it has none."""
    length, count = lists.lengths[0], lists.lengths[1]
    rest = default_move(view) if lists.otherwise[0] else FORFEIT
    moves[count] = NOTHING
    for rule in range(length - 1, -1, -1):
        if rule == place:
            moves[count] = rest
        row = lists.rows[1, rule]
        moves[rule] = propose_instead(row, rest, view) if asks_for_rest(row) else propose(row, view)
        if moves[rule] != NOTHING:
            rest = moves[rule]
    for rule in range(length, count):
        moves[rule] = propose(lists.rows[1, rule], view)
    for kind in range(len(DRAWN)):
        moves[count + 1 + kind] = _draw_other(view, kind, move)


@compiled
def _play_branch(state, view, branches, game, move):
    """Make a move in a copy of a game and play on; fill in its points, -2 where a rule fails."""
    world, now = branches.copy_state, branches.copy_view
    copy_record(state, world)
    copy_prefix(view, now, FACTS_BYTES)
    apply(world, now, move)
    end = how_it_ended(now)
    if end < 0:
        end, _ = play_on(world, now, branches.lists, 0, game)
    branches.points[move, 0] = now.score if end != FAULTED else -2
    branches.points[move, 1] = now.score if now.lives > 0 else 0


@inlined
def _branch(state, view, branches, game, choice):
    """Play the alternatives of a decision, in the turns that are looked at."""
    place, move, legal = choice
    if not legal or (view.turn + branches.offset[0]) % EVERY != 0:
        return 0
    branches.positions[game, place] += 1
    _find_alternatives(view, branches.lists, place, move, branches.moves)
    branches.points[:, 0] = -1
    for which in range(len(branches.moves)):
        other = branches.moves[which]
        if other == move or other <= NOTHING or not is_legal(view, other):
            continue
        if branches.points[other, 0] == -1:
            _play_branch(state, view, branches, game, other)
            branches.played[game] += 1
        if branches.points[other, 0] >= 0:
            cell = branches.cells[game, place, which]
            cell[0] += 1
            cell[1] += branches.points[other, 0]
            cell[2] += branches.points[other, 1]
    return 0


_play_branching = game_loop(choose_from_list, _branch)


@compiled
def _branch_games(state, view, seeds, branches, ends):
    """Play games, with branches; make the sums of points sums of differences."""
    lists = branches.lists
    for game in range(len(seeds)):
        seat_players(branches.copy_view, lists.plans, lists.seats, game)
        begin_game(state, view, lists, game, seeds[game])
        branches.offset[0] = below(mix(seeds[game] ^ _OFFSETS), EVERY)
        ends[game], _ = _play_branching(state, view, lists, branches, game)
        cells, score = branches.cells[game], view.score
        for place in range(cells.shape[0]):
            for which in range(cells.shape[1]):
                cell = cells[place, which]
                cell[1] -= cell[0] * score
                cell[2] -= cell[0] * (score if view.lives > 0 else 0)


def branched(table: Table, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Play one game of the first player for each seed, with branches.

    Args:
        table: The list, and ``alternatives`` of it as a second player, which gets no seat.
        seeds: uint64 (games,).
        seats: Ignored, but for its shape (games, players): the first player has every seat.

    Returns:
        A record per game: ``positions`` by place of the deciding rule (the last: ``otherwise``),
        ``cells`` by this place and alternative: branches, and the sums of the differences of kept
        points and of zero points; ``played``, how many branches were played.

    Raises:
        RuleFailedError: A rule of the list failed in a game.
    """
    seats = np.zeros_like(seats)
    lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
    places, count = int(table.lengths[0]) + 1, int(table.lengths[1]) + 1 + len(DRAWN)
    positions = np.zeros((len(seeds), places), np.int16)
    cells, ends = np.zeros((len(seeds), places, count, 3), np.int32), np.zeros(len(seeds), np.int64)
    played = np.zeros(len(seeds), np.int32)
    branches = _Branches(
        lists,
        table.state.copy(),
        table.view.copy(),
        np.zeros(count, np.int64),
        np.zeros((END, 2), np.int64),
        np.zeros(1, np.int64),
        positions,
        cells,
        played,
    )
    _branch_games(table.state, table.view, seeds, branches, ends)
    if (ends == FAULTED).any():
        table.play(seeds[ends == FAULTED], seats[ends == FAULTED])  # raises what says all about it
    columns: dict[str, np.ndarray] = {"positions": positions, "cells": cells, "played": played}
    kinds = [(name, values.dtype, values.shape[1:]) for name, values in columns.items()]
    found = np.zeros(len(seeds), kinds)
    for name, values in columns.items():
        found[name] = values
    return found


def alternatives(player: ListPlayer) -> ListPlayer:
    """Return the rules that are asked, as a list: its own, then those of the library it lacks."""
    has_marks = bool(player.conventions) or any(map(needs_marks, player.rules))
    others = [middle(family) for family in new_rules(player.rules) if not family.asks_rest]
    fit = (rule for rule in others if has_marks or not needs_marks(rule))
    return replace(player, rules=(*player.rules, *fit))


def _sums(records: np.ndarray) -> list[np.ndarray]:
    """Return sums over games, as whole numbers: the same for any workers.

    They are the positions by place, the first place that of all rules together; and by place and
    alternative the games with branches, the sums of ``cells``, and those of their products.
    """
    cells = records["cells"].astype(np.int64)
    cells = np.concatenate([cells.sum(axis=1, keepdims=True), cells], axis=1)
    positions = records["positions"].sum(axis=0, dtype=np.int64)
    return [
        np.append(positions.sum(), positions),
        (cells[..., 0] > 0).sum(axis=0),
        cells.sum(axis=0),
        np.einsum("gpai,gpaj->paij", cells, cells),
    ]


def _estimate(
    games: int, total: np.ndarray, products: np.ndarray, scoring: int
) -> tuple[float, float]:
    """Return the mean difference of a branch, and its standard error over games.

    The branches of a game share its deal, so the error is that of their sums. A point² is added to
    the sum of squares: in a few games all differences are equal by chance.
    """
    mean = float(total[scoring] / total[0])
    squares = products[scoring, scoring] - 2 * mean * products[0, scoring]
    squares = max(0.0, float(squares + mean * mean * products[0, 0]))
    return mean, float((squares * games / max(1, games - 1) + 1) ** 0.5 / total[0])


def decision_table(
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """Return a row for each alternative of the decisions of each agent, and of each of its rules.

    ``entry`` is the rule that decided, "" for all; ``positions`` are those that it decided, in
    ``moves`` of them, of ``games`` games, the alternative makes another move. ``advantage_*`` are
    the points at the end with that move less those without it, per such position, with standard
    errors. ``judged`` rows differ in at least 20 games; ``beats`` ones are above 0 in both
    scorings by more than chance explains: 5 % over all judged rows of an agent.

    Columns: ``agent``, ``players``, ``entry``, ``instead``, ``positions``, ``moves``,
    ``games``, ``advantage_kept``, ``sem_kept``, ``advantage_zero``, ``sem_zero``, ``judged``,
    ``beats``.
    """
    frames = []
    with arena.workers as workers:
        for one in subjects:
            rows: list[list[Any]] = []
            for count in (count for count in arena.players if count in one.players):
                player = one.agent.list_at(count)
                asked = alternatives(player)
                agent, beside = (as_agent(one.name, some, count) for some in (player, asked))
                match = arena.match(count, agent, beside, games)
                pieces = workers.pieces([match], tally.more(), branched)
                sums = reduce(
                    lambda sums, more: [*map(np.add, sums, more)],
                    map(_sums, (part for _, part in pieces)),
                )
                names = ["", *(rule.name for rule in player.rules), OTHERWISE]
                others = [rule.name for rule in asked.rules] + [NEXT, *DRAWN]
                rows += [[one.name, count, *row] for row in _rows(sums, names, others)]
            frames.append(_judge(pd.DataFrame(rows, columns=DECISIONS[:-2])))
    return pd.concat(frames, ignore_index=True)


def _rows(sums: list[np.ndarray], names: list[str], others: list[str]) -> Iterator[list[Any]]:
    """Yield the rows of a list, without its name and player count."""
    positions, games, total, products = sums
    for place, which in np.argwhere(total[..., 0]).tolist():
        at, count = (place, which), int(games[place, which])
        row = [names[place], others[which], int(positions[place]), int(total[at][0]), count]
        for scoring in range(len(SCORINGS)):
            row += _estimate(count, total[at], products[at], 1 + scoring)
        yield row


def _judge(rows: pd.DataFrame) -> pd.DataFrame:
    """Add ``judged`` and ``beats``; the chance of any error is shared by all judged rows."""
    judged = rows["games"] >= FEWEST
    bound = student.isf(ERROR / max(1, judged.sum()), rows["games"] - 1)
    above = [rows[f"advantage_{one}"] > bound * rows[f"sem_{one}"] for one in SCORINGS]
    return rows.assign(judged=judged, beats=judged & above[0] & above[1])
