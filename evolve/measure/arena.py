"""Play matches and collect their results, for evolution, race, tournament, compare and lab.

The deals follow from a seed, a player count and the place of the partner in its pool (0 in mirror
play) alone: the same seed gives all agents the same deals and seats, so games of different
commands pair. Workers change only the time. Those in other processes get names and numbers, never
addresses.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import NoReturn, TypedDict

import numpy as np

from hanabi.evolve.measure.game_sums import GameSums
from hanabi.evolve.measure.workers import Workers
from hanabi.game_record import Game, play_one
from hanabi.player import Player, PlayerFailedError, PlayError
from hanabi.rules import agents
from hanabi.rules.agents import Agent, counts
from hanabi.rules.user_rules import LOADED, load_rules
from hanabi.table import AGAIN, RuleError, RuleFailedError, Table, game_seeds
from hanabi.variant import Variant, read_variant

SCORINGS = ("kept", "zero")
PIECE = 2_000  # games per task: long enough to hide its cost, short enough to share out
SEARCHED_PIECE = 4  # the same with look-ahead players, which take about a second per game …
SEARCH_COST = 10_000  # … and so about this many times as long as lists
AHEAD = 1_000  # tasks queued at once, at least 32 per worker; bounds the memory of the queue
_32 = np.uint64(32)


def derive(seed: int, *what: int | str) -> int:
    """Return a 64-bit seed for one purpose; seeds of different purposes are independent.

    Args:
        seed: The seed it is derived from.
        what: What it is for.
    """
    text = repr((int(seed), *what)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def deals(
    seed: int, players: int, games: int, first: int = 0, place: int = 0, partner: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return (seeds, seats) of consecutive deals.

    Args:
        seed: The seed of all deals.
        players: The player count.
        games: How many deals.
        first: The number of the first one.
        place: The place of the partner in its pool.
        partner: What stands in ``seats`` for the partner; 0 for copies of the measured agent.

    Returns:
        seeds (games,) and seats (games, players); seat 0 is the agent that is measured.
    """
    seeds = game_seeds(derive(seed, "deals", players, place), games, first)
    seats = np.full((games, players), partner, np.int64)
    if partner:
        words = game_seeds(derive(seed, "seats", players, place), games, first)
        seats[np.arange(games), ((words >> _32) * np.uint64(players) >> _32).astype(np.int64)] = 0
    return seeds, seats


def mean_sem(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (mean, standard error) of points (…, groups, games), all groups weighing the same.

    1-D points are one group. The standard error of a single game is NaN. Sums are whole numbers,
    so the digits do not depend on how the games were cut into tasks.
    """
    whole = np.atleast_2d(points)
    whole = whole.astype(np.int64) if whole.dtype.kind in "biu" else whole
    groups, games = whole.shape[-2:]
    sums, squares = whole.sum(axis=-1), (whole * whole).sum(axis=-1)
    variance = np.maximum(squares - sums * sums / games, 0) / (games - 1 or np.nan)
    return sums.sum(axis=-1) / (games * groups), np.sqrt((variance / games).sum(axis=-1)) / groups


def error_text(sem: float, places: int = 3) -> str:
    """Return a standard error to follow its mean, `` ± 0.012``; "" for NaN."""
    return "" if np.isnan(sem) else f" ± {sem:.{places}f}"


def pooled(means: Iterable[float], sems: Iterable[float]) -> tuple[float, float]:
    """Return (mean, standard error) over groups that weigh the same, from those of each."""
    errors = np.asarray(list(sems), float)
    return float(np.mean(list(means))), float((errors**2).sum() ** 0.5 / len(errors))


def player_ranges(players: Iterable[int]) -> list[str]:
    """Return ascending player counts as keys of an agent's lists: (2, 3, 5) gives ["2-3", "5"]."""
    keys: list[str] = []
    for n in players:
        if keys and int(keys[-1][-1]) == n - 1:
            keys[-1] = f"{keys[-1][0]}-{n}"
        else:
            keys.append(str(n))
    return keys


def players_text(players: Iterable[int]) -> str:
    """Return ascending player counts as text that ``read_players`` reads: ``3``, ``2,4-5``."""
    return ",".join(player_ranges(players))


def read_players(text: str) -> list[int]:
    """Return the player counts that a text names, in its order.

    Raises:
        ValueError: It names none.
    """
    try:
        return [count for part in text.split(",") for count in counts(part.strip())]
    except ValueError:
        raise ValueError(
            f"players {text!r}: write player counts from 2 to 5 such as 3, 2-5 or 2,4"
        ) from None


def raise_fault(table: Table, seed: int, seats: np.ndarray) -> NoReturn:
    """Play a faulty game again, which raises the RuleFailedError with all details."""
    table.play(np.array([seed], np.uint64), seats)
    raise RuleError(AGAIN)


class _SentAgent:
    """An agent to be sent to a worker: itself in this process, its file's text to another one."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    @cached_property
    def text(self) -> str:
        """The agent's file."""
        return agents.dumps(replace(self.agent, provenance={}))

    @cached_property
    def files(self) -> tuple[tuple[str, str], ...]:
        """The users' files that define its rules and conventions, with their hashes."""
        entries = [
            entry
            for lists in (self.agent.lists, self.agent.conventions)
            for some in lists.values()
            for entry in some
        ]
        sources = {entry.family.function.__code__.co_filename for entry in entries}
        return tuple((file, digest) for file, digest in LOADED.items() if file in sources)

    def __reduce__(self) -> tuple:
        if not self.agent.lists:  # nothing in it is compiled; a bot of another engine has no file
            return _SentAgent, (self.agent,)
        return _ReceivedAgent, (self.text, self.files)


@dataclass(frozen=True)
class _ReceivedAgent:
    """An agent in another process: read in a task, where errors can be reported."""

    text: str
    files: tuple[tuple[str, str], ...]

    @property
    def agent(self) -> Agent:
        """The agent."""
        return _read_agent(self.text, self.files)


@lru_cache(1_000)
def _read_agent(text, files):
    for file, digest in files:
        if load_rules(file) != digest:
            raise ValueError(f"the rule file {file} was edited since it was loaded: restart Python")
    return agents.loads(text)


@dataclass(frozen=True)
class Match:
    """Games of an agent with copies of itself, or in one seat among copies of a partner.

    Attributes:
        players: The player count.
        variant: What is dealt, for this player count.
        agent: The agent that is measured.
        partner: Its partner; None for copies of itself.
        seed: The seed of the deals.
        games: The number of games.
        first: The number of the first deal.
        place: The place of the partner in its pool.
    """

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
        """The players: the one that is measured, then its partner."""
        return [someone.at(self.players) for someone in (self.agent, self.partner) if someone]

    @property
    def searched(self) -> bool:
        """Whether a look-ahead player takes part."""
        return any(someone.is_slow for someone in (self.agent, self.partner) if someone)

    def deals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (seeds, seats) of its games."""
        return deals(
            self.seed,
            self.players,
            self.games,
            self.first,
            self.place,
            int(self.partner is not None),
        )

    def replay(self, number: int) -> tuple[Game, list[Player]]:
        """Return one of its games, move by move, and the player of each seat.

        Args:
            number: The game, from 0 for its first one.
        """
        seeds, seats = self.deals()
        row, seated = seats[number].tolist(), self.seated
        names = [someone.name for someone in (self.agent, self.partner) if someone]
        game = play_one(self.variant, seated, row, int(seeds[number]), agents=names)
        return game, [seated[seat] for seat in row]


def _ready(matches: Sequence[Match]) -> dict[int, _SentAgent]:
    """Return all agents by id, compiled here, so that two workers do not compile the same."""
    sent: dict[int, _SentAgent] = {}
    seated = set()
    for match in matches:
        for someone in (match.agent, match.partner):
            if someone is not None and (id(someone), match.variant) not in seated:
                seated.add((id(someone), match.variant))
                sent[id(someone)] = sent.get(id(someone)) or _SentAgent(someone)
                Table(match.variant, [someone.at(match.players)])
    return sent


def _task(match, sent, how, start, size):
    """Return the arguments of ``_play`` for at most ``size`` games of a match from ``start`` on."""
    return (
        sent[id(match.agent)],
        match.partner and sent[id(match.partner)],
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


def _play(agent, partner, how, rest):
    """Play one task; return a record per game, or a _Fault."""
    match = Match(agent=agent.agent, partner=partner and partner.agent, **rest)
    seeds, seats = match.deals()
    try:
        return how(Table(match.variant, match.seated), seeds, seats)
    except RuleFailedError as fault:
        return _Fault(fault.seed, seats[int(np.argmax(seeds == fault.seed))])
    except PlayerFailedError as fault:  # a bot may not do it again: its words are all there is
        raise PlayError(str(fault)) from None


class GameWorkers(Workers):
    """Workers that play matches."""

    def pieces(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
        how: Callable[[Table, np.ndarray, np.ndarray], np.ndarray] = Table.play,
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Play matches in pieces; memory does not grow with the number of games.

        Args:
            matches: What is played.
            progress: Called after each piece with the games done and the games in all. Where some
                games take longer, those done are the share of the time of all.
            how: Plays seeds and seats at a table and returns a record per game.

        Yields:
            (place of the match, RESULT records of some of its games), match by match and in the
            order of the games.

        Raises:
            RuleFailedError: A rule raised or moved illegally.
            WorkerDiedError: A worker ended, or its cluster is gone.
        """
        sent = _ready(matches)
        total, spent = sum(match.games for match in matches), 0
        costs = [SEARCH_COST if match.searched else 1 for match in matches]
        whole = sum(cost * match.games for cost, match in zip(costs, matches))
        size = max(250, min(PIECE, -(-total // (4 * self.jobs))))
        sizes = [SEARCHED_PIECE if match.searched else size for match in matches]
        waiting = (
            (place, _task(match, sent, how, start, each))
            for place, (match, each) in enumerate(zip(matches, sizes))
            for start in range(0, match.games, each)
        )
        while some := list(islice(waiting, max(AHEAD, 32 * self.jobs))):
            for (place, _), part in zip(some, self.do(_play, (task for _, task in some))):
                if isinstance(part, _Fault):
                    match = matches[place]
                    raise_fault(Table(match.variant, match.seated), part.seed, part.seats)
                spent += len(part) * costs[place]
                progress(total * spent // whole, total)
                yield place, part

    def play(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
        how: Callable[[Table, np.ndarray, np.ndarray], np.ndarray] = Table.play,
    ) -> Iterator[np.ndarray]:
        """Yield all records of every match, in order; see ``pieces``.

        It takes 40 bytes of memory per game.
        """
        for _, parts in groupby(self.pieces(matches, progress, how), key=itemgetter(0)):
            yield np.concatenate([part for _, part in parts])

    def sums(
        self,
        matches: Sequence[Match],
        progress: Callable[..., None] = lambda done, of: None,
    ) -> list[GameSums]:
        """Return the summed results of every match, in order; see ``pieces``."""
        found = [GameSums(match.variant) for match in matches]
        for place, part in self.pieces(matches, progress):
            found[place].add(part)
        return found


class Options(TypedDict, total=False):
    """The options of commands that measure, passed on to Arena."""

    seed: int
    variant: str | Variant
    jobs: int
    backend: str
    progress: Callable[..., None] | None


class Arena:
    """Where games are measured: player counts, deals, variant and workers.

    Args:
        players: The player counts. Default: those of the variant, or 2 to 5.
        seed: The seed of the deals.
        variant: What is dealt.
        jobs: How many tasks run at once; -1 for all cores.
        backend: "threads", "processes", "dask:ADDRESS" or "ray:ADDRESS".
        progress: Called after each step of a command.

    Raises:
        ValueError: This cannot be played.
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
        self.seed = seed
        self.workers = GameWorkers(jobs, backend)
        self.progress = progress or (lambda *step: None)
        self.players = sorted(set(players or ([whole.players] if whole.players else [2, 3, 4, 5])))
        self.variants = {count: whole.at(count) for count in self.players}

    def check(self, *everyone: Agent | None) -> None:
        """Check, before the first game, that all agents have lists for all player counts.

        Raises:
            ValueError: One has none.
        """
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
        """Return games of this arena; see Match."""
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
