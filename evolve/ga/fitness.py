"""Fitness: many games of many individuals, on the same deals for all, on every core.

A worker gets a Problem (names and numbers, never an address), some individuals and integer seeds,
and plays all games of these individuals in compiled calls (hanabi/many_individuals.py). Deals,
seats and points follow from the seeds alone, whatever the number and kind of workers.

The GIL serialises Python, so it is kept negligible next to compiled play: tasks are few and even,
and the machine form of lists is cached.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby

import numpy as np

from hanabi.backend import ROW, defer_sigint
from hanabi.conventions.register import PLAN, add_hooks, sort_by_stage, write_plan
from hanabi.evolve.ga.individual import Individual, Problem, convention_of, rule_of
from hanabi.evolve.measure import arena, game_sums
from hanabi.evolve.measure.arena import mean_sem, raise_fault
from hanabi.evolve.measure.workers import Workers
from hanabi.game_loop import FAULTED
from hanabi.many_individuals import Genomes, play_each
from hanabi.rulebook import program
from hanabi.table import ListPlayer, Table
from hanabi.variant import read_variant

TASKS = 8  # into which the games of a call are cut, per worker
MIN_TASKS = 32  # the same for all workers, at least
MIN_GAMES = 250  # of a task; smaller tasks cost more than they balance
ALONE_TASKS = 4  # the same for a single worker
BESIDE_TASKS = 2  # per worker, of all calls that run at a time: others leave no worker idle
# The same on a cluster, where sending a task costs some ms (docs/guides/many-machines.md):
FAR_TASKS = 2
FAR_MIN_GAMES = 2_500
CONVENTION_COST = 10  # how much longer a game with conventions takes: its tasks may be smaller
PLANS = 4096  # lists, and conventions with weights, whose machine form is cached
DEALS = 64  # stretches of deals that are cached


@dataclass(frozen=True)
class Request:
    """A request for games: an individual on the deals first … first + games - 1 of a seed."""

    individual: Individual
    seed: int
    first: int
    games: int

    @property
    def deals(self) -> tuple[int, int, int]:
        """(seed, first, games), equal for requests of the same deals."""
        return self.seed, self.first, self.games


class _Tables:
    """The tables of a problem in machine form: one set per process, separate tables per thread."""

    def __init__(self, problem: Problem) -> None:
        problem.load()  # the pool may use a user's rules
        self.problem, self.pool = problem, problem.find_pool()
        rules = tuple(map(rule_of, problem.rules))
        repeats = -(-problem.max_rules // len(rules))
        self.longest = ListPlayer(
            (rules * repeats)[: problem.max_rules],
            problem.otherwise,
            tuple(map(convention_of, problem.conventions)),
        )
        self.local = threading.local()
        self._rows: dict[tuple[str, str], bytes] = {}
        self._plan = lru_cache(PLANS)(self._plan_of)
        self._list = lru_cache(PLANS)(self._rows_of)
        # all tasks of a round play the same deals
        self.deals = lru_cache(DEALS)(partial(deals, problem))

    def at(self, players: int) -> Table:
        """Return this thread's table for a player count.

        Its first player has the longest list, so that any individual fits in there.
        """
        tables: dict = self.local.__dict__
        if players not in tables:
            table = Table(
                read_variant(self.problem.variant).at(players),
                [self.longest, *(agent.list_at(players) for agent in self.pool)],
            )
            if len(table.plans) and table.plans[0]["marks_list"] >= 0:
                # a number that no partner has: marks of the individual alone
                table.plans[0]["marks_list"] = len(table.plans)
            tables[players] = table
        return tables[players]

    def genomes(self, individuals: list[Individual]) -> Genomes:
        """Return individuals in machine form."""
        lengths = np.array([len(one.rules) for one in individuals], np.int64)
        longest = max(1, int(lengths.max(initial=1)))
        size = longest * ROW.itemsize
        rows = b"".join([self._list(tuple(one.rules)).ljust(size, b"\0") for one in individuals])
        plans = b"".join(
            [self._plan(tuple(one.conventions), tuple(one.weights.items())) for one in individuals]
        )
        return Genomes(
            np.frombuffer(bytearray(rows), ROW).reshape(len(individuals), longest),
            lengths,
            np.frombuffer(bytearray(plans), PLAN),
        )

    def _rows_of(self, names):
        """Return a list of rules in machine form."""
        return b"".join(map(self._row, map(rule_of, names)))

    def _plan_of(self, names, weights):
        """Return conventions and weights in machine form."""
        plan = np.zeros(1, PLAN)
        conventions = sort_by_stage(map(convention_of, names))
        rows = np.frombuffer(b"".join(map(self._row, add_hooks(conventions))), ROW)
        write_plan(plan[0], conventions, dict(weights), rows)
        return plan.tobytes()

    def _row(self, entry):
        """Return a rule or a convention in machine form."""
        key = entry.family.what, entry.name
        if key not in self._rows:
            self._rows[key] = program([entry]).tobytes()
        return self._rows[key]


_lock = threading.Lock()
_make_tables = lru_cache(4)(_Tables)


def tables_of(problem: Problem) -> _Tables:
    """Return the tables of a problem; each thread gets separate ones."""
    with _lock:
        return _make_tables(problem)


def deals(
    problem: Problem, players: int, seed: int, first: int, games: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the deals number first, first + 1, … of a player count.

    Returns:
        (seeds, seats): ``games`` with each partner in turn; seats (partners × games, players): 0
        is the individual that is judged, 1 + k the k-th partner.
    """
    parts = [
        arena.deals(seed, players, games, first, place, 1 + place if problem.pool else 0)
        for place in range(problem.partners)
    ]
    if len(parts) == 1:
        return parts[0]
    seeds, seats = zip(*parts)
    return np.concatenate(seeds), np.concatenate(seats)


@dataclass(frozen=True)
class FitnessGames:
    """The games of some individuals.

    Attributes:
        kept: Points kept, (individuals, player counts, partners, games).
        ends: How each game ended, of the same shape.
        fired: Decisions by position, (individuals, player counts, longest + 1); the position behind
            a list's last rule is ``otherwise``.
    """

    kept: np.ndarray
    ends: np.ndarray
    fired: np.ndarray

    def points(self, scoring: str) -> np.ndarray:
        """Return the points of each game, (individuals, groups, games).

        A group is a player count and a partner.
        """
        points = game_sums.points(self.kept, self.ends, scoring)
        return points.reshape(len(points), -1, points.shape[3])

    def summary(self, scoring: str) -> tuple[np.ndarray, np.ndarray]:
        """Return (mean, standard error) of each individual; all groups have the same weight."""
        return mean_sem(self.points(scoring))


def _work(problem, requests):
    """The task of a worker. Neighbouring requests of the same deals share a compiled call."""
    return [
        played
        for of, some in groupby(requests, lambda request: request.deals)
        for played in _play(problem, [request.individual for request in some], *of)
    ]


def _play(problem, individuals, seed, first, games):
    """The games of each of some individuals on the same deals, at all player counts."""
    tables = tables_of(problem)
    genomes = tables.genomes(individuals)
    outcomes = [
        play_each(tables.at(players), genomes, *tables.deals(players, seed, first, games))
        for players in problem.players
    ]
    shape = len(individuals), len(problem.players), problem.partners, games
    kept, ends, fired = (np.stack(parts, axis=1) for parts in zip(*outcomes, strict=True))
    kept, ends = kept.reshape(shape), ends.reshape(shape)
    return [
        FitnessGames(kept[i : i + 1], ends[i : i + 1], fired[i : i + 1, :, : max(1, n) + 1])
        for i, n in enumerate(genomes.lengths)
    ]


class Evaluator(Workers):
    """Plays individuals on workers, which it keeps as a context manager.

    Attributes:
        far: The workers are those of a cluster.
        threads: The workers are threads.
    """

    def __init__(self, problem: Problem, jobs: int = -1, backend: str = "threads") -> None:
        """Compile what the problem needs, before games are waited for.

        Args:
            problem: What is played.
            jobs: How many workers; -1: all cores.
            backend: See Workers.
        """
        super().__init__(jobs, backend)
        self.problem = problem
        with defer_sigint():
            _work(problem, [Request(Individual(()), 0, 0, 0)])

    def evaluate(
        self, individuals: list[Individual], seed: int, games: int, first: int = 0
    ) -> FitnessGames:
        """Play the deals first … first + games - 1 of a seed with every individual.

        Each plays them at each player count and with each partner.

        Raises:
            RuleFailedError: A rule raised or moved illegally.
        """
        answers = list(self.answer([Request(one, seed, first, games) for one in individuals]))
        fired = np.zeros(
            (len(answers), len(self.problem.players), max(one.fired.shape[2] for one in answers)),
            np.int64,
        )
        for row, one in zip(fired, answers):
            row[:, : one.fired.shape[2]] = one.fired[0]
        return FitnessGames(
            np.concatenate([one.kept for one in answers]),
            np.concatenate([one.ends for one in answers]),
            fired,
        )

    def answer(self, requests: list[Request], beside: int = 1) -> Iterator[FitnessGames]:
        """Yield the games of each request, in turn; see ``evaluate``.

        Several workers begin at once.

        Args:
            requests: What to play.
            beside: How many calls run at a time; each then gets fewer tasks.
        """
        tasks, pieces = in_tasks(requests, self.problem, self.jobs, self.far, beside)
        played = self.do(_work, ((self.problem, task) for task in tasks))
        return self._joined(requests, pieces, played)

    def _joined(self, requests, pieces, coming):
        """The answer to each request, joined from its pieces."""
        found = (played for some in coming for played in some)
        for request, count in zip(requests, pieces):
            parts = [next(found) for _ in range(count)]
            answer = (
                parts[0]
                if count == 1
                else FitnessGames(
                    np.concatenate([one.kept for one in parts], axis=3),
                    np.concatenate([one.ends for one in parts], axis=3),
                    sum(one.fired for one in parts),
                )
            )
            self._check(request, answer)
            yield answer

    def _check(self, request, played):
        """Play the first faulty game again at a separate table, which raises RuleFailedError."""
        if not (played.ends == FAULTED).any():
            return
        _, count, partner, game = (int(axis[0]) for axis in np.nonzero(played.ends == FAULTED))
        problem, players = self.problem, self.problem.players[count]
        seeds, seats = deals(problem, players, *request.deals)
        game += partner * request.games
        partners = [agent.list_at(players) for agent in problem.find_pool()]
        table = Table(
            read_variant(problem.variant).at(players),
            [request.individual.player(problem.otherwise), *partners],
        )
        raise_fault(table, seeds[game], seats[game])


def in_tasks(
    requests: list[Request], problem: Problem, jobs: int, far: bool, beside: int = 1
) -> tuple[list[list[Request]], list[int]]:
    """Cut requests into tasks of about the same number of games.

    Args:
        requests: What to play.
        problem: What is played.
        jobs: How many workers there are.
        far: They are those of a cluster.
        beside: How many calls run at a time: there are fewer tasks for each.

    Returns:
        The tasks, and the number of pieces of each request: in turn, the pieces fill the tasks.
    """
    groups = len(problem.players) * problem.partners
    games = sum(request.games for request in requests)
    count, least = max(MIN_TASKS, TASKS * jobs), MIN_GAMES
    if beside > 1 or jobs == 1:
        count = ALONE_TASKS if jobs == 1 else BESIDE_TASKS * jobs
    if far:
        count, least = FAR_TASKS * jobs, FAR_MIN_GAMES
    if problem.conventions:
        least //= CONVENTION_COST
    size = max(games * beside / count, least / groups)
    tasks: list[list[Request]] = []
    pieces, room = [], 0.0
    for request in requests:
        pieces.append(max(1, min(request.games, round(request.games / size))))
        for piece in _pieces(request, pieces[-1]):
            if room < piece.games / 2:  # less than half of it would fit
                tasks.append([])
                room += size
            tasks[-1].append(piece)
            room -= piece.games
    return tasks, pieces


def _pieces(request: Request, count: int) -> Iterator[Request]:
    """A request cut by its games into pieces of about the same size."""
    if count == 1:
        return iter([request])
    edges = [request.first + request.games * i // count for i in range(count + 1)]
    return (
        replace(request, first=start, games=end - start) for start, end in zip(edges, edges[1:])
    )
