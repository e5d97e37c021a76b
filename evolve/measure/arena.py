"""Games played and what they were worth: once for evolution, race, tournament, compare and lab.

The deals follow from a seed, a player count and the place of the partner in its pool (0 in mirror play) alone: the same
seed gives everybody the same deals and seats, so games of different commands pair. Workers change nothing but the time;
those in other processes get names and numbers, never addresses.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, islice
from operator import itemgetter
from time import perf_counter
from typing import NoReturn, TypedDict

import numpy as np

from hanabi.evolve.measure.forecast import Forecast
from hanabi.evolve.measure.game_sums import GameSums
from hanabi.evolve.measure.workers import Workers
from hanabi.player import Player
from hanabi.rules import agents
from hanabi.rules.agents import Agent, counts
from hanabi.rules.user_rules import LOADED, load_rules
from hanabi.table import (
    AGAIN,
    PlayerFailedError,
    PlayError,
    RuleError,
    RuleFailedError,
    Table,
    game_seeds,
)
from hanabi.variant import Variant, read_variant

SCORINGS = ("kept", "zero")
PIECE = 2_000  # games per task: long enough to hide its cost, short enough to share out
SEARCHED = 4  # the same where somebody thinks ahead: about a second a game
AHEAD = 1_000  # tasks that are handed out at once, at least 32 per worker: what waits stays small
_32 = np.uint64(32)


def derive(seed: int, *what: int | str) -> int:
    """A seed of 64 bits for one purpose, out of a seed and what it is for; different purposes are independent."""
    text = repr((int(seed), *what)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def deals(
    seed: int, players: int, games: int, first: int = 0, place: int = 0, partner: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """(seeds, seats) of the deals number first, first + 1, … of a seed for a player count, beside the partner at a
    place of its pool.

    seats (games, players): 0 is the one who is measured, all others are ``partner`` (0: copies of itself).
    """
    seeds = game_seeds(derive(seed, "deals", players, place), games, first)
    seats = np.full((games, players), partner, np.int64)
    if partner:
        words = game_seeds(derive(seed, "seats", players, place), games, first)
        seats[np.arange(games), ((words >> _32) * np.uint64(players) >> _32).astype(np.int64)] = 0
    return seeds, seats


def mean_sem(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(mean, standard error) of points (…, groups, games), over groups that all weigh the same; 1-D points are one
    group. A single game has no error: it is given as NaN.

    From whole sums, so that the digits are the same however the games were cut into tasks.
    """
    whole = np.atleast_2d(points)
    whole = whole.astype(np.int64) if whole.dtype.kind in "biu" else whole
    groups, games = whole.shape[-2:]
    sums, squares = whole.sum(axis=-1), (whole * whole).sum(axis=-1)
    variance = np.maximum(squares - sums * sums / games, 0) / (games - 1 or np.nan)
    return sums.sum(axis=-1) / (games * groups), np.sqrt((variance / games).sum(axis=-1)) / groups


def error_text(sem: float, places: int = 3) -> str:
    """A standard error behind its mean, `` ± 0.012``; nothing where there is none to state."""
    return "" if np.isnan(sem) else f" ± {sem:.{places}f}"


def pooled(means: Iterable[float], sems: Iterable[float]) -> tuple[float, float]:
    """(mean, standard error) over groups that all weigh the same, from those of each."""
    errors = np.asarray(list(sems), float)
    return float(np.mean(list(means))), float((errors**2).sum() ** 0.5 / len(errors))


def player_ranges(players: Iterable[int]) -> list[str]:
    """Ascending player counts as keys of an agent's lists: (2, 3, 5) gives ["2-3", "5"]."""
    keys: list[str] = []
    for n in players:
        if keys and int(keys[-1][-1]) == n - 1:
            keys[-1] = f"{keys[-1][0]}-{n}"
        else:
            keys.append(str(n))
    return keys


def players_text(players: Iterable[int]) -> str:
    """Ascending player counts as text: ``3``, ``2-5`` or ``2,4-5``; reads back with ``read_players``."""
    return ",".join(player_ranges(players))


def read_players(text: str) -> list[int]:
    """The player counts that a text names, in its order. Raises ValueError, one line, for other text."""
    try:
        return [count for part in text.split(",") for count in counts(part.strip())]
    except ValueError:
        raise ValueError(
            f"players {text!r}: write player counts from 2 to 5 such as 3, 2-5 or 2,4"
        ) from None


def raise_fault(table: Table, seed: int, seats: np.ndarray) -> NoReturn:
    """Play one faulty game again, which raises the RuleFailedError that says all about it."""
    table.play(np.array([seed], np.uint64), seats)
    raise RuleError(AGAIN)


class _Guest:
    """An agent on its way to a worker: itself inside this process, its file's text on the way to another."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    @cached_property
    def text(self) -> str:
        """The agent's file."""
        return agents.dumps(replace(self.agent, provenance={}))

    @cached_property
    def files(self) -> tuple[tuple[str, str], ...]:
        """The users' files that its rules and conventions stand in, with their hashes."""
        entries = [
            entry
            for lists in (self.agent.lists, self.agent.conventions)
            for some in lists.values()
            for entry in some
        ]
        sources = {entry.family.function.__code__.co_filename for entry in entries}
        return tuple((file, digest) for file, digest in LOADED.items() if file in sources)

    def __reduce__(self) -> tuple:
        if (
            not self.agent.lists
        ):  # nothing in it is compiled, and a bot of another engine has no file
            return _Guest, (self.agent,)
        return _Arrival, (self.text, self.files)


@dataclass(frozen=True)
class _Arrival:
    """An agent in another process: read when it is first asked for, in a task, where what is wrong can be told."""

    text: str
    files: tuple[tuple[str, str], ...]

    @property
    def agent(self) -> Agent:
        """The agent."""
        return _arrive(self.text, self.files)


@lru_cache(1_000)
def _arrive(text, files):
    for file, digest in files:
        if load_rules(file) != digest:
            raise ValueError(
                f"the rule file {file} was edited since it was loaded: start Python anew"
            )
    return agents.loads(text)


@dataclass(frozen=True)
class Match:
    """Games of an agent with copies of itself, or in one seat among copies of a partner (``place``: its place in the
    pool): the deals number first … first + games - 1 of a seed for a player count, for which ``variant`` is seated."""

    players: int
    variant: Variant
    agent: Agent
    partner: Agent | None
    seed: int
    games: int
    first: int = 0
    place: int = 0

    @property
    def seated(self) -> list[Player]:
        """Who plays: the one who is measured, then the partner."""
        return [someone.at(self.players) for someone in (self.agent, self.partner) if someone]

    @property
    def searched(self) -> bool:
        """Does anybody think ahead?"""
        return any(someone.is_slow for someone in (self.agent, self.partner) if someone)

    def deals(self) -> tuple[np.ndarray, np.ndarray]:
        """(seeds, seats) of its games."""
        return deals(
            self.seed,
            self.players,
            self.games,
            self.first,
            self.place,
            int(self.partner is not None),
        )


def _ready(matches: Sequence[Match]) -> dict[int, _Guest]:
    """Everybody who plays, by id. Compiles what is not compiled yet here, not in two workers at once."""
    guests: dict[int, _Guest] = {}
    seated = set()
    for match in matches:
        for someone in (match.agent, match.partner):
            if someone is not None and (id(someone), match.variant) not in seated:
                seated.add((id(someone), match.variant))
                guests[id(someone)] = guests.get(id(someone)) or _Guest(someone)
                Table(match.variant, [someone.at(match.players)])
    return guests


def _task(match, guests, how, start, size):
    """What ``_play`` takes for at most ``size`` games of a match, from number ``start`` on."""
    return (
        guests[id(match.agent)],
        match.partner and guests[id(match.partner)],
        how,
        dict(
            players=match.players,
            variant=match.variant,
            seed=match.seed,
            games=min(size, match.games - start),
            first=match.first + start,
            place=match.place,
        ),
    )


@dataclass(frozen=True)
class _Fault:
    """A game in which a rule failed. The error itself holds what another process cannot read."""

    seed: int
    seats: np.ndarray


_worker = threading.local()  # kinds: the classes of players that this worker has played


def _play(agent, partner, how, rest):
    """Play one task.

    Returns:
        (a record per game, or a _Fault; seconds; whether nothing was left to compile).
    """
    begun = perf_counter()
    match = Match(agent=agent.agent, partner=partner and partner.agent, **rest)
    seeds, seats = match.deals()
    seated = match.seated
    known = getattr(_worker, "kinds", set())
    _worker.kinds = known | {type(player) for player in seated}
    try:
        records = how(Table(match.variant, seated), seeds, seats)
    except RuleFailedError as fault:
        records = _Fault(fault.seed, seats[int(np.argmax(seeds == fault.seed))])
    except PlayerFailedError as fault:  # a bot may not do it again: its words are all there is
        raise PlayError(str(fault)) from None
    return records, perf_counter() - begun, known == _worker.kinds


class GameWorkers(Workers):
    """Workers that play matches."""

    def pieces(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
        how: Callable[[Table, np.ndarray, np.ndarray], np.ndarray] = Table.play,
        forecast: Forecast | None = None,
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Play matches in pieces; memory does not grow with the number of games.

        Args:
            matches: What is played.
            progress: Called after each piece with the games done and the games in all; with a
                forecast with seconds, once there is one.
            how: Plays seeds and seats at a table and returns a record per game.
            forecast: Counts in every piece. It also changes their order.

        Yields:
            (place of the match, RESULT records of some of its games), match by match and in the
            order of the games.

        Raises:
            RuleFailedError: A rule raised or moved illegally.
            WorkerDiedError: A worker ended, or its cluster is gone.
        """
        guests = _ready(matches)
        total, done = sum(match.games for match in matches), 0
        size = max(250, min(PIECE, -(-total // (4 * self.jobs))))
        sizes = [SEARCHED if match.searched else size for match in matches]
        starts = [range(0, match.games, each) for match, each in zip(matches, sizes)]
        if forecast:
            order = forecast.in_order(starts)
        else:
            order = ((place, start) for place, some in enumerate(starts) for start in some)
        waiting = (
            (place, _task(matches[place], guests, how, start, sizes[place]))
            for place, start in order
        )
        while some := list(islice(waiting, max(AHEAD, 32 * self.jobs))):
            for (place, _), (part, seconds, warm) in zip(
                some, self.do(_play, (task for _, task in some))
            ):
                if isinstance(part, _Fault):
                    match = matches[place]
                    raise_fault(Table(match.variant, match.seated), part.seed, part.seats)
                done += len(part)
                if not forecast:
                    progress(done, total)
                else:
                    forecast.add(place, len(part), seconds, warm)
                    if forecast.is_ready:
                        progress(forecast.spent, forecast.spent + forecast.seconds_left())
                yield place, part

    def play(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
        how: Callable[[Table, np.ndarray, np.ndarray], np.ndarray] = Table.play,
    ) -> Iterator[np.ndarray]:
        """Yield all records of every match, in order: 5 bytes of memory per game; see ``pieces``."""
        for _, parts in groupby(self.pieces(matches, progress, how), key=itemgetter(0)):
            yield np.concatenate([part for _, part in parts])

    def sums(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
        forecast: Forecast | None = None,
    ) -> list[GameSums]:
        """Return the summed results of every match, in order; see ``pieces``."""
        found = [GameSums(match.variant) for match in matches]
        for place, part in self.pieces(matches, progress, forecast=forecast):
            found[place].add(part)
        return found


class Options(TypedDict, total=False):
    """Where games are measured; see Arena. Every command that measures takes these by name."""

    seed: int
    variant: str | Variant
    jobs: int
    backend: str
    progress: Callable[..., None] | None


class Arena:
    """Where games are measured: the player counts, the seed of the deals, what is dealt, and who does the work.

    ``players``: counts (without: those of the variant, or 2 to 5); ``progress`` is called after each step of a command.
    Raises ValueError, one line, for what cannot be played.
    """

    def __init__(
        self,
        players: Iterable[int] | None = None,
        *,
        seed: int = 0,
        variant: str | Variant = "standard",
        jobs: int = -1,
        backend: str = "threads",
        progress: Callable[..., None] | None = None,
    ) -> None:
        if not 0 <= seed < 1 << 63:
            raise ValueError(f"a seed is a number from 0 to {(1 << 63) - 1}, not {seed}")
        whole = read_variant(variant)
        self.seed, self.workers, self.progress = (
            seed,
            GameWorkers(jobs, backend),
            progress or (lambda *step: None),
        )
        self.players = sorted(set(players or ([whole.players] if whole.players else [2, 3, 4, 5])))
        self.variants = {count: whole.at(count) for count in self.players}

    def check(self, *everyone: Agent | None) -> None:
        """Raise ValueError where somebody has no list for a player count: before the first game."""
        for someone in everyone:
            for count in self.players:
                if someone:
                    someone.at(count)

    def match(
        self,
        players: int,
        agent: Agent,
        partner: Agent | None,
        games: int,
        first: int = 0,
        place: int = 0,
    ) -> Match:
        """Games here; see Match."""
        return Match(
            players,
            self.variants[players],
            agent,
            partner or agent.mirror_partner,
            self.seed,
            games,
            first,
            place,
        )
