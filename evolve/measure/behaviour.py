"""Behaviour: how a player plays, as shares that any game of any player shows.

A behaviour is a ratio of two sums over the moves of the measured player, such as hints over turns
with a hint token. The same compiled function counts for rule lists, for other players and for
recorded games. Communicativeness and information per play are those of Canaan et al. ("Diverse
agents for ad-hoc cooperation in Hanabi", 2019 and 2020); risk aversion is that of 2019.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np
import pandas as pd

from hanabi.backend import compiled, inlined, popcount
from hanabi.evolve.measure.arena import Arena, GameWorkers, Match, Options
from hanabi.evolve.measure.game_sums import Moments
from hanabi.evolve.measure.human_games import counted_games
from hanabi.game import told_cards, touched_by
from hanabi.game_loop import FAULTED, Lists, begin_game, choose_from_list, game_loop
from hanabi.game_record import Game
from hanabi.many_individuals import Genomes, place_individual
from hanabi.moves import (
    FORFEIT,
    SEATS,
    TELL_RANK,
    is_play,
    is_tell,
    slot_of,
    target_of,
)
from hanabi.rules.agents import Spec, load
from hanabi.state import View
from hanabi.table import Table
from hanabi.view import holds, knows_colour, knows_rank, playable_chance, spare_turns


class Behaviour(NamedTuple):
    """A behaviour.

    Attributes:
        name: Its name.
        title: Its name in tables and charts.
        says: What it measures, as a sentence.
    """

    name: str
    title: str
    says: str


BEHAVIOURS = (
    Behaviour("communicativeness", "hints", "Hints over own turns with a hint token."),
    Behaviour(
        "information_per_play",
        "known",
        "Share of colour and rank that hints had told about a card when it was played.",
    ),
    Behaviour(
        "risk_aversion",
        "sure",
        "Mean chance of a played card to be playable, as the player saw it.",
    ),
    Behaviour("colour_hints", "colour", "Colour hints over hints."),
    Behaviour("plays_per_turn", "plays", "Plays over own turns."),
    Behaviour(
        "discard_age",
        "age",
        "Place of a discarded card in its hand: 0 for the newest, 1 for the oldest.",
    ),
    Behaviour(
        "obeyed_hints",
        "obeyed",
        "Share of turns after a hint to the player at which it plays a card of the last one.",
    ),
    Behaviour(
        "on_pace",
        "pace",
        "Share of own turns at which enough turns are left for a perfect score.",
    ),
)
NAMES = tuple(one.name for one in BEHAVIOURS)
HINTS, KNOWN, SURE, COLOUR, PLAYS, AGE, OBEYED, PACE = range(len(BEHAVIOURS))
COUNTED = np.dtype(  # of a game, the moves of the measured player; ratios are of over `total`
    [
        ("score", "i8"),
        ("end", "i8"),  # as in game_loop.RESULT
        ("part", "f8", len(BEHAVIOURS)),
        ("total", "f8", len(BEHAVIOURS)),
    ]
)


@inlined
def _share(part, total, which, amount, of):
    part[which] += amount
    total[which] += of


@compiled
def count_move(
    view: View, move: int, hinted: np.ndarray, part: np.ndarray, total: np.ndarray
) -> None:
    """Count a legal move of the measured player.

    Args:
        view: VIEW before the move.
        move: The move.
        hinted: int64 (seats,): bits of the slots that the last hint since a seat's last move
            touched.
        part: float64 (behaviours,), added to.
        total: float64 (behaviours,), added to.
    """
    me = view.me
    _share(part, total, PLAYS, is_play(move), 1)
    full = popcount(view.full[0])
    _share(part, total, PACE, spare_turns(view, full) >= 0, 1)
    if view.tokens > 0:
        _share(part, total, HINTS, is_tell(move), 1)
    if hinted[me] != 0:
        _share(part, total, OBEYED, is_play(move) and hinted[me] >> slot_of(move) & 1 == 1, 1)
    if is_tell(move):
        _share(part, total, COLOUR, move < TELL_RANK, 1)
    elif is_play(move):
        slot = slot_of(move)
        told = knows_colour(view, me, slot) + knows_rank(view, me, slot)
        _share(part, total, KNOWN, told, 2)
        _share(part, total, SURE, playable_chance(view, slot), 1)
    else:
        _count_age(view, slot_of(move), part, total)


@compiled
def _count_age(view, slot, part, total):
    """Count the age of a card that is discarded from a hand of at least two cards."""
    newer = others = 0
    for other in range(view.hand_size):
        if other != slot and holds(view, view.me, other):
            others += 1
            newer += view.born[view.me, other] > view.born[view.me, slot]
    if others > 0:
        _share(part, total, AGE, newer / others, 1)


@compiled
def note_hint(view: View, move: int, hinted: np.ndarray) -> None:
    """Keep in ``hinted`` what a legal move of any seat changes; see ``count_move``."""
    hinted[view.me] = 0
    if is_tell(move):
        hinted[target_of(move)] = touched_by(view, target_of(move), told_cards(move))


class _Counts(NamedTuple):
    """What is counted in compiled games."""

    seats: np.ndarray  # int64 (games, players): the player at each seat; 0 is measured
    hinted: np.ndarray  # int64 (seats,)
    games: np.ndarray  # COUNTED (games,)


@inlined
def _observe(state, view, counts, game, choice):
    _, move, legal = choice
    if legal:
        if counts.seats[game, view.me] == 0:
            here = counts.games[game]
            count_move(view, move, counts.hinted, here.part, here.total)
        note_hint(view, move, counts.hinted)
    return 0


_play_observed = game_loop(choose_from_list, _observe)


@compiled
def _count_games(state, view, seeds, lists, counts):
    for game in range(len(seeds)):
        begin_game(state, view, lists, game, seeds[game])
        counts.hinted[:] = 0
        end, _ = _play_observed(state, view, lists, counts, game)
        counts.games[game].score, counts.games[game].end = view.score, end


def count_games(table: Table, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Play one game for each seed, as ``Table.play``, and count the moves of the first player.

    Returns:
        COUNTED (games,).

    Raises:
        RuleFailedError: where a rule raised or moved illegally.
        PlayerFailedError: the same for a player that is no list.
    """
    games = np.zeros(len(seeds), np.dtype((np.record, COUNTED)))
    hinted = np.zeros(SEATS, np.int64)
    if table.compiled:
        lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
        _count_games(table.state, table.view, seeds, lists, _Counts(seats, hinted, games))
        faulted = games["end"] == FAULTED
        if faulted.any():
            table.play(seeds[faulted], seats[faulted])  # raises the RuleFailedError
        return games.view(COUNTED)
    for seed, row, game in zip(seeds, seats, games, strict=True):
        _count_steps(table.steps(int(seed), [int(place) for place in row]), row == 0, game)
        game["score"] = table.view.score
    return games.view(COUNTED)


class GenomeCounts(NamedTuple):
    """What individuals do in their games, summed over games."""

    points: np.ndarray  # int64 (individuals,)
    faults: np.ndarray  # int64 (individuals,): games in which a rule failed
    part: np.ndarray  # float64 (individuals, behaviours)
    total: np.ndarray  # float64 (individuals, behaviours)


@compiled
def _count_each(state, view, seeds, lists, genomes, counts, out):
    for i in range(len(genomes.lengths)):
        place_individual(lists, genomes, i)
        for game in range(len(seeds)):
            counts.games[game].part[:] = 0
            counts.games[game].total[:] = 0
        _count_games(state, view, seeds, lists, counts)
        for game in range(len(seeds)):
            here = counts.games[game]
            out.points[i] += here.score
            out.faults[i] += here.end == FAULTED
            for which in range(out.part.shape[1]):
                out.part[i, which] += here.part[which]
                out.total[i, which] += here.total[which]


def count_each(
    table: Table, genomes: Genomes, seeds: np.ndarray, seats: np.ndarray
) -> GenomeCounts:
    """Count the moves of each individual in a game per seed, as ``play_each`` plays them.

    Args:
        table: Table whose first list has room for every individual.
        genomes: The individuals.
        seeds: uint64 (games,).
        seats: int64 (games, players): the player at each seat; 0 is the individual.
    """
    count, shape = len(genomes.lengths), (len(genomes.lengths), len(BEHAVIOURS))
    out = GenomeCounts(
        np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(shape), np.zeros(shape)
    )
    games = np.zeros(len(seeds), np.dtype((np.record, COUNTED)))
    _count_each(
        table.state,
        table.view,
        seeds,
        Lists(table.rows, table.lengths, table.otherwise, table.plans, seats),
        genomes,
        _Counts(seats, np.zeros(SEATS, np.int64), games),
        out,
    )
    return out


def _count_steps(steps, measured, counted):
    """Count the moves of the measured seats of a game that is walked step by step."""
    hinted = np.zeros(SEATS, np.int64)
    for step in steps:
        if step.move == FORFEIT:
            continue
        if measured[step.seat]:
            # a copy: questions keep their answers in the view
            count_move(step.view.copy(), step.move, hinted, counted["part"], counted["total"])
        note_hint(step.view, step.move, hinted)


def count_game(game: Game, seats: Iterable[int] | None = None) -> np.ndarray:
    """Return what some seats do in a recorded game, all of them by default: COUNTED ()."""
    chosen = range(game.variant.seats) if seats is None else seats
    counted = np.zeros(1, COUNTED)
    _count_steps(game.steps(), np.isin(np.arange(game.variant.seats), list(chosen)), counted[0])
    counted[0]["score"] = game.score
    return counted[0]


class BehaviourSums:
    """Sums over games from which ratios and their standard errors follow.

    Games are the independent units: the standard error of a ratio of sums is that of the mean of
    ``part - ratio * total`` (the delta method).

    Attributes:
        points: The kept points of the games.
    """

    def __init__(self) -> None:
        self.points = Moments()
        self._sums = np.zeros((5, len(BEHAVIOURS)))

    def add(self, counted: np.ndarray) -> None:
        """Add COUNTED records (games,)."""
        part, total = counted["part"], counted["total"]
        products = (part, total, part * part, total * total, part * total)
        self._sums += [one.sum(axis=0) for one in products]
        self.points.add(counted["score"])

    @property
    def ratios(self) -> np.ndarray:
        """Float64 (behaviours,): the value of each; NaN where it never applied."""
        part, total = self._sums[:2]
        return np.divide(part, total, out=np.full(len(part), np.nan), where=total > 0)

    @property
    def errors(self) -> np.ndarray:
        """Float64 (behaviours,): the standard error of each; NaN for a single game."""
        _, total, parts, totals, both = self._sums
        ratio, games = self.ratios, self.points.count
        spread = np.maximum(parts - 2 * ratio * both + ratio**2 * totals, 0)
        return np.sqrt(spread * games / (games - 1 or np.nan)) / np.where(total > 0, total, np.nan)


def behaviour_columns(sums: BehaviourSums) -> dict[str, float]:
    """Return each behaviour by name, and its standard error by its name after ``sem_``."""
    return {
        f"{prefix}{name}": float(value)
        for name, *values in zip(NAMES, sums.ratios, sums.errors)
        for prefix, value in zip(("", "sem_"), values)
    }


def behaviour_row(who: str, partner: str, players: int, sums: BehaviourSums) -> dict[str, Any]:
    """Return a row of a table of behaviours: who, with whom, games, points and each behaviour."""
    return dict(
        agent=who,
        partner=partner,
        players=players,
        games=sums.points.count,
        mean_kept=sums.points.mean,
        sem_kept=sums.points.sem,
        **behaviour_columns(sums),
    )


def sum_behaviour(
    workers: GameWorkers, matches: Sequence[Match], progress: Callable[..., None]
) -> list[BehaviourSums]:
    """Play matches and return the summed behaviours of the measured agent of each."""
    found = [BehaviourSums() for _ in matches]
    for place, part in workers.pieces(matches, progress, count_games):
        found[place].add(part)
    return found


def measure_behaviour(
    agents: Sequence[Spec],
    partner: Spec | None = None,
    players: Iterable[int] | None = None,
    games: int = 1_000,
    **options: Unpack[Options],
) -> pd.DataFrame:
    """Play agents on common deals and measure how each plays.

    Args:
        agents: The agents: specs, agents or players.
        partner: Who sits in all other seats. Default: copies of the agent.
        players: The player counts. Default: those of the variant, or 2 to 5.
        games: Games per agent and player count.
        **options: Options of the Arena.

    Returns:
        A row per agent and player count: ``agent``, ``partner``, ``players``, ``games``,
        ``mean_kept``, ``sem_kept``, and a column per behaviour with its standard error
        (``sem_…``).

    Raises:
        ValueError: An agent cannot be played.
    """
    arena = Arena(players, **options)
    found = [load(agent) for agent in agents]
    host = None if partner is None else load(partner)
    arena.check(*found, host)
    matches = [arena.match(count, agent, host, games) for agent in found for count in arena.players]
    with arena.workers as workers:
        counted = sum_behaviour(workers, matches, arena.progress)
    return pd.DataFrame(
        behaviour_row(match.agent.name, (match.partner or match.agent).name, match.players, sums)
        for match, sums in zip(matches, counted)
    )


def behaviour_of_games(
    games: Iterable[Game], who: str = "recorded games", with_abandoned: bool = False
) -> pd.DataFrame:
    """Return how the players of recorded games play, all seats together, by player count.

    Args:
        games: The games. Those that were abandoned do not count.
        who: What to call them.
        with_abandoned: Add rows in which they count.

    Returns:
        Rows as those of ``measure_behaviour``, with ``abandoned``, how many games were abandoned,
        and ``with_abandoned``, whether they count in the row.

    Raises:
        ValueError: All games were abandoned, and none is to be counted.
    """
    rows = []
    for part in counted_games(games, with_abandoned):
        found: dict[int, BehaviourSums] = {}
        for game in part.games:
            sums = found.setdefault(game.variant.seats, BehaviourSums())
            sums.add(count_game(game).reshape(1))
        for players, sums in sorted(found.items()):
            more = {
                "abandoned": part.abandoned[players],
                "with_abandoned": part.with_abandoned,
            }
            rows.append(behaviour_row(who, "", players, sums) | more)
    return pd.DataFrame(rows)
