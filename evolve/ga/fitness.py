"""What orders of rules are worth: many games of many orders, on the same deals for all, on every core.

An *order* is a list of places in the rule set: the first rule that applies moves. A worker gets a Setting (names and
numbers, never an address), some orders and integer seeds, and plays all games of these orders in compiled calls. The
deals, the seats and so the points follow from the seeds alone, whatever the number and the kind of workers.

Compared at 200 orders × 4 counts × 20 games, 72 rules: a Table for each order costs 0.6 ms for its state and rows, half
of what its 80 games cost; one compiled call a game, 25 µs for passing the records. Here a thread keeps one state a
player count, and the kernel fills in the rows of the next order itself.
"""
from __future__ import annotations

import hashlib
import signal
import threading
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path

import joblib
import numpy as np

from evolve.ga.config import Config
from evolve.ga.individual import Makeup, Order
from hanabi.conventions.fields import MAX_WEIGHTS, STAGES
from hanabi.conventions.register import STAGE_OF, plans_of
from hanabi.conventions.weights import read_weights
from hanabi.game import new_state
from hanabi.lazy import set_answers
from hanabi.machine import compiled, unbroken
from hanabi.needs import answers_of
from hanabi.rule import BOOK, FAMILIES, ROW, Rule, find, program
from hanabi.table import ENDS, FAULTED, RESULT, ListPlayer, RuleError, Table, game_seeds, play_games
from hanabi.variant import nearest, read_variant
from rules import SETS, agents, load_file

BATCHES = 32                                 # the fewest tasks a call is cut into: four for each of eight workers
PIECE = 250                                  # games; smaller pieces cost more than they level out
BACKENDS = {"threads": "threading", "processes": "loky"}
LIVES_LOST, FORFEITED = ENDS.index("lives"), ENDS.index("forfeit")
_32 = np.uint64(32)


def derive(seed: int, *what: int | str) -> int:
    """A seed of 64 bits for one purpose, out of a seed and what it is for; different purposes are independent."""
    text = repr((int(seed), *what)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def rule_list(names: tuple[str, ...], files: tuple[str, ...] = ()) -> list[Rule]:
    """The rules that sets and single rules name, each once; then those of the files that were not named."""
    for file in files:
        load_file(file)
    own = [find(name) for file in files for name in SETS[Path(file).stem]]
    named = {}
    for name in names:
        if name not in SETS and name not in BOOK and "(" not in name and name not in FAMILIES:
            raise ValueError(f"rules: no set and no rule {name!r}{nearest(name, [*SETS, *FAMILIES])}; the sets are "
                             f"{', '.join(SETS)}, and `hanabi rules` lists the rules")
        entries = agents.rule_set(name) if name in SETS else [find(name)]
        named.update((entry.name, entry) for entry in entries)
    named.update((entry.name, entry) for entry in own)
    return list(named.values())


def pool_agents(names: tuple[str, ...]) -> list[agents.Agent]:
    """The agents of some pools and agent specs, in their order."""
    return [agent for name in names for agent in
            (agents.pool(name) if name in agents.POOLS else [agents.load(name)])]


@dataclass(frozen=True)
class Setting:
    """What games are played, in names and numbers: all that a worker in another process needs to know."""
    variant: str
    players: tuple[int, ...]
    rules: tuple[str, ...]                   # the rule set, in its order
    rule_files: tuple[str, ...]
    pool: tuple[str, ...]                    # the partners' agent files, as text; none: copies of itself
    otherwise: str
    makeup: Makeup = Makeup()                # the genes besides the order
    start: tuple[tuple, ...] = ()            # (order, conventions, weights) that the first generation comes from

    @classmethod
    def of(cls, config: Config) -> Setting:
        """The setting of a config. ValueError, one line, for a rule or an agent that there is not."""
        rules = rule_list(config.rules, config.rule_files)
        start = [_from("start", agents.load, spec).at(config.players[0]) for spec in config.start]
        rules = list({rule.name: rule for some in (rules, *(strategy.rules for strategy in start))
                      for rule in some}.values())
        if len(rules) < 2:
            raise ValueError(f"rules: {rules[0].name} alone cannot be ordered; name two or more")
        if config.length > len(rules):
            raise ValueError(f"length: {config.length} is more than the {len(rules)} rules there are; 0 reads them all")
        names = [entry.name for entry in rules]
        makeup = Makeup.of(config.conventions, config.weights, start)
        seeds = tuple((tuple(dict.fromkeys(names.index(rule.name) for rule in strategy.rules)),
                       *map(tuple, makeup.write(strategy))) for strategy in start)
        pool = pool_agents(config.pool) if config.mode == "mixed" else []
        for agent in pool:
            for players in config.players:
                agent.at(players)
        return cls(config.variant, config.players, tuple(names), config.rule_files,
                   tuple(agents.dumps(agent) for agent in pool), config.otherwise, makeup, seeds)

    @property
    def partners(self) -> int:
        """With how many kinds of partners an order is judged."""
        return max(1, len(self.pool))

    def find_rules(self) -> list[Rule]:
        """The rule set, in its order."""
        for file in self.rule_files:
            load_file(file)
        return [find(name) for name in self.rules]

    def find_pool(self) -> list[agents.Agent]:
        """The partners."""
        return [agents.loads(text, "pool") for text in self.pool]


def _from(key, reader, spec):
    """What a config key names, or a ValueError that says which key it was."""
    try:
        return reader(spec)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


@compiled
def _bring(plan, catalogue, stages, conventions, weights):
    """Write into a plan the conventions and the weights of an individual. conventions: the place in ``catalogue`` of
    each, by stages, -1 where it is off; stages: the stage of each."""
    n = 0
    plan.stages[:] = 0
    for j in range(len(conventions)):
        if conventions[j] >= 0:
            plan.rows[n] = catalogue[conventions[j]]
            n += 1
            for bound in range(stages[j] + 1, STAGES + 1):
                plan.stages[bound] += 1
    for j in range(MAX_WEIGHTS):
        plan.weights[j] = weights[j]


@compiled
def _play_orders(table, view, seeds, catalogue, orders, lengths, makeup, conventions, weights, rows, row_lengths,
                 otherwise, plans, seats, fired, results, kept, ends, shares):
    """Every individual plays a game a seed: agent 0 of ``rows`` and ``plans`` is the individual, the others stay.

    makeup: (the ROW of each convention with each of its values, the stage of each convention); conventions, weights: see
    ``packed``. ``kept``, ``ends`` (individuals, games) and ``shares`` (individuals, longest + 1: how often the rule at
    a place decided) are filled in."""
    for i in range(len(orders)):
        if len(plans) > 0 and len(weights) > 0:
            _bring(plans[0], makeup[0], makeup[1], conventions[i], weights[i])
        n = lengths[i]
        row_lengths[0] = n
        for j in range(n):
            rows[0, j] = catalogue[orders[i, j]]
        fired[0, :] = 0
        play_games(table, view, seeds, (rows, row_lengths, otherwise, plans), seats, fired, results)
        for game in range(len(seeds)):
            kept[i, game] = results[game].score
            ends[i, game] = results[game].end
        for j in range(n + 1):
            shares[i, j] += fired[0, j]


class _Seated:
    """The state and the rows for one player count, of one thread."""

    def __init__(self, kit: _Kit, players: int) -> None:
        self.table, self.view = new_state(kit.variant.at(players))
        set_answers(self.view, kit.answers)
        partners = [agent.at(players) for agent in kit.pool]
        longest = max(len(kit.catalogue), *[len(partner.rules) for partner in partners], 1)
        self.rows = np.zeros((1 + len(partners), longest), ROW)
        self.lengths = np.array([0] + [len(partner.rules) for partner in partners], np.int64)
        self.otherwise = np.array([way == "default" for way in
                                   [kit.otherwise] + [partner.otherwise for partner in partners]], np.int64)
        self.fired = np.zeros((1 + len(partners), longest + 1), np.int64)
        for row, partner in zip(self.rows[1:], partners):
            row[:len(partner.rules)] = program(partner.rules)
        own = ListPlayer(tuple(kit.rules), conventions=tuple(gene.settings()[0] for gene in kit.makeup.conventions))
        self.plans = plans_of([own, *partners], self.view)
        if len(self.plans) and self.plans[0]["marks_list"] >= 0:
            self.plans[0]["marks_list"] = len(self.plans)          # a number that no partner has: marks of its own

    def play(self, kit, genomes, seeds, seats, kept, ends, shares):
        """Let individuals play; see ``_play_orders``."""
        orders, lengths, conventions, weights = genomes
        _play_orders(self.table, self.view, seeds, kit.catalogue, orders, lengths, (kit.meanings, kit.stages),
                     conventions, weights, self.rows, self.lengths, self.otherwise, self.plans, seats, self.fired,
                     np.zeros(len(seeds), RESULT), kept, ends, shares)


class _Kit:
    """A setting in machine form, one a process; what a thread writes into is its own."""

    def __init__(self, setting: Setting) -> None:
        rules, self.pool, self.otherwise = setting.find_rules(), setting.find_pool(), setting.otherwise
        self.variant = read_variant(setting.variant)
        self.rules, self.catalogue, self.makeup = rules, program(rules), setting.makeup
        self.meanings = program([entry for gene in self.makeup.conventions for entry in gene.settings()])
        self.stages = np.array(sorted(STAGE_OF[gene.name] for gene in self.makeup.conventions), np.int64)
        functions = {rule.family.name: rule.family.function for players in setting.players
                     for agent in self.pool for rule in agent.at(players).rules}
        functions |= {rule.family.name: rule.family.function for rule in rules}
        self.answers = set().union(*map(answers_of, functions.values()))
        self.partners = setting.partners
        self.local = threading.local()

    def seated(self, players: int) -> _Seated:
        """This thread's state for a player count."""
        states = self.local.__dict__
        if players not in states:
            states[players] = _Seated(self, players)
        return states[players]


_kit_lock = threading.Lock()


@lru_cache(4)
def _made_kit(setting):
    if parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)     # Ctrl-C goes to all; the parent finishes the generation
    return _Kit(setting)


def _kit(setting):
    with _kit_lock:
        return _made_kit(setting)


def deals(setting: Setting, players: int, seed: int, first: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """(seeds, seats) of the deals number first, first + 1, … of a player count: ``games`` with each partner in turn.

    seats (partners × games, players): 0 is the order that is judged, 1 + k the k-th partner.
    """
    seeds, seats = [], []
    for partner in range(setting.partners):
        seeds.append(game_seeds(derive(seed, "deals", players, partner), first + games)[first:])
        seating = np.zeros((games, players), np.int64)
        if setting.pool:
            words = game_seeds(derive(seed, "seats", players, partner), first + games)[first:]
            seating[:] = 1 + partner
            seating[np.arange(games), ((words >> _32) * np.uint64(players) >> _32).astype(np.int64)] = 0
        seats.append(seating)
    return np.concatenate(seeds), np.concatenate(seats)


def _work(setting, genomes, seed, first, games):
    """One task: (kept, ends, shares) of some individuals (``packed``) on all player counts; shapes as in Played."""
    kit = _kit(setting)
    orders = genomes[0]
    shape = len(orders), len(setting.players), setting.partners, games
    kept, ends = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
    flat = [array.reshape(*shape[:2], setting.partners * games) for array in (kept, ends)]
    shares = np.zeros((*shape[:2], orders.shape[1] + 1), np.int64)
    for place, players in enumerate(setting.players):
        seeds, seats = deals(setting, players, seed, first, games)
        kit.seated(players).play(kit, genomes, seeds, seats, flat[0][:, place], flat[1][:, place],
                                 shares[:, place])
    return kept, ends, shares


@dataclass(frozen=True)
class Played:
    """What some orders did. ``kept`` and ``ends`` (orders, player counts, partners, games), ``fired`` (orders, player
    counts, longest + 1): decisions by place, that after an order's last rule is ``otherwise``."""
    kept: np.ndarray
    ends: np.ndarray
    fired: np.ndarray

    def points(self, scoring: str) -> np.ndarray:
        """The points of each game under a scoring, (orders, groups, games): a group is a player count and a partner.
        A forfeited game keeps its points in both scorings."""
        points = self.kept if scoring == "kept" else np.where(self.ends == LIVES_LOST, 0, self.kept).astype(np.int8)
        return points.reshape(len(points), -1, points.shape[3])


def summary(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(mean, standard error) along the first axis of points (orders, groups, games): all groups weigh the same.

    From whole sums, so that the digits are the same however the games were cut into tasks.
    """
    whole = points.astype(np.int64)
    _, groups, games = points.shape
    sums, squares = whole.sum(axis=2), (whole * whole).sum(axis=2)
    variance = np.maximum(squares - sums * sums / games, 0) / max(games - 1, 1)
    return sums.sum(axis=1) / (games * groups), np.sqrt((variance / games).sum(axis=1)) / groups


def padded(orders: list) -> tuple[np.ndarray, np.ndarray]:
    """(orders as rows of one array, their lengths)."""
    lengths = np.array([len(order) for order in orders], np.int64)
    table = np.zeros((len(orders), max(1, lengths.max(initial=1))), np.int64)
    for row, order in zip(table, orders):
        row[:len(order)] = order
    return table, lengths


def packed(setting: Setting, orders: list[Order]) -> tuple[np.ndarray, ...]:
    """Individuals as arrays: (orders, their lengths, conventions, weights); ``weights`` is empty where all have the same.

    conventions (individuals, conventions by stages): the place among all settings of all conventions, -1 for off;
    weights (individuals, MAX_WEIGHTS): every weight.
    """
    makeup = setting.makeup
    count = len(orders) if makeup != Makeup() else 0
    conventions, weights = np.full((count, len(makeup.conventions)), -1, np.int64), np.zeros((count, MAX_WEIGHTS))
    by_stage = sorted(range(len(makeup.conventions)), key=lambda i: STAGE_OF[makeup.conventions[i].name])
    starts = np.cumsum([0, *(len(gene.settings()) for gene in makeup.conventions)])
    for row, given, order in zip(conventions, weights, orders):
        for column, i in enumerate(by_stage):
            if order.conventions[i][0]:
                row[column] = starts[i] + makeup.conventions[i].place(order.conventions[i])
        mine = read_weights(makeup.weights_of(order))
        given[:len(mine)] = mine
    return *padded(orders), conventions, weights


def workers(jobs: int) -> int:
    """How many workers ``jobs`` means: -1 for all cores. ValueError, one line, for what is no number of workers."""
    if jobs < 1 and jobs != -1:
        raise ValueError(f"jobs: {jobs} should be 1 or more, or -1 for all cores")
    return joblib.cpu_count() if jobs == -1 else jobs


class Evaluator:
    """Plays orders on ``jobs`` workers (-1: all cores), "threads" or "processes". A context manager that keeps them."""

    def __init__(self, setting: Setting, jobs: int = -1, backend: str = "threads") -> None:
        if backend not in BACKENDS:
            raise ValueError(f"backend {backend!r} should be threads or processes")
        self.setting, self.jobs = setting, workers(jobs)
        with unbroken():
            _work(setting, packed(setting, []), 0, 0, 1)     # compile here, before anybody else needs it
        self._pool = joblib.Parallel(self.jobs, backend=BACKENDS[backend], batch_size=1, pre_dispatch="all",
                                     max_nbytes=None)

    def __enter__(self) -> Evaluator:
        self._pool.__enter__()
        return self

    def __exit__(self, *problem) -> None:
        self._pool.__exit__(*problem)

    def play(self, orders: list, seed: int, games: int, first: int = 0) -> Played:
        """Every order plays the deals first … first + games - 1 of a seed, at each player count and with each partner.

        Raises RuleFault where a rule raised or moved illegally.
        """
        setting = self.setting
        orders = [setting.makeup.whole(order) for order in orders]
        genomes = packed(setting, orders)
        tasks = max(BATCHES, 4 * self.jobs)
        cuts = np.array_split(np.arange(len(orders)), min(len(orders), tasks))
        pieces = min(-(-tasks // len(cuts)), -(-games // PIECE))          # few orders: cut their games as well
        edges = [first + games * i // pieces for i in range(pieces + 1)]
        parts = iter(self._pool(joblib.delayed(_work)(
            setting, tuple(array[cut] if len(array) else array for array in genomes), seed, start, end - start)
            for cut in cuts for start, end in zip(edges, edges[1:])))
        rows = []
        for _ in cuts:
            kept, ends, fired = zip(*[next(parts) for _ in range(pieces)])
            rows.append((np.concatenate(kept, axis=3), np.concatenate(ends, axis=3), sum(fired)))
        played = Played(*(np.concatenate(column) for column in zip(*rows)))
        if (played.ends == FAULTED).any():
            self._fault(orders, seed, first, games, played)
        return played

    def _fault(self, orders, seed, first, games, played):
        """Play the first faulty game again at a table of its own, which raises the RuleFault that says all about it."""
        place, count, partner, game = (int(axis[0]) for axis in np.nonzero(played.ends == FAULTED))
        players, rules = self.setting.players[count], self.setting.find_rules()
        seeds, seats = deals(self.setting, players, seed, first, games)
        order, makeup = orders[place], self.setting.makeup
        chosen = tuple(rules[gene] for gene in order)
        strategies = [ListPlayer(chosen, self.setting.otherwise, makeup.conventions_of(order),
                               tuple(makeup.weights_of(order).items())),
                      *(agent.at(players) for agent in self.setting.find_pool())]
        game += partner * games
        Table(read_variant(self.setting.variant).at(players), strategies).play(seeds[game:game + 1], seats[game])
        raise RuleError("a rule failed in a game, and not when this game was played again: it keeps state, or changes the "
                        "view (run the conformance tests)")
