"""Canaan et al. 2018, future work: weights that decide which rule plays (``hanabi experiment``).

A controller scores each rule of 2018 by features of the view; the first rule by score that applies
makes the move. Scores are linear in the features, or in the units of one hidden layer.

DEAP's ``cma.Strategy`` has a full covariance matrix, decomposed in every generation: 1 s for 1,152
weights, where the games of a generation take 0.2 s. ``SeparableStrategy`` keeps its parameters and
replaces what uses the matrix by its diagonal (Ros and Hansen 2008).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from deap import cma

from hanabi.backend import compiled, inlined
from hanabi.evolve.ga.config import Config, preset
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.toolbox import ranked
from hanabi.evolve.ga.winner import agent_of
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.seed_means import of_pairs, of_seeds
from hanabi.evolve.papers.report import register_paper
from hanabi.game_loop import Lists, begin_game, game_loop, ignore_move
from hanabi.moves import FORFEIT, NOTHING
from hanabi.notation import all_of
from hanabi.player import ListPlayer
from hanabi.rulebook import find, propose
from hanabi.rules import SETS
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from hanabi.view import (
    chop,
    critical,
    known,
    my_slots_within,
    playable_chance,
    possible_copies,
    reachable,
    seat_after,
    slots_of,
    spare_turns,
)

PLAYERS = (2, 3, 4, 5)
SEEDS = range(1, 9)
GAMES = 300_000  # of each search
FRESH = 10_000  # games on deals that no search plays
EVALUATION = 100  # games of a controller in a generation
CANDIDATES = 40  # of a generation
SIGMA = 0.5  # the first standard deviation of a weight
HIDDEN = 8  # units
FEATURES = 16
COMPARISONS = 4  # per player count: two controllers with two lists
BASELINES = ("less the order", "less the list")
NOTE = (
    f"Rules of 2018, weights by separable CMA-ES, {GAMES:,} games per search, kept points of"
    f" {FRESH:,} fresh games; ±: the standard deviation of one seed, of a difference the 95 %"
    " interval, corrected for four comparisons."
)


class Controllers(NamedTuple):
    """Weights in machine form, and space for the numbers of a turn."""

    first: np.ndarray  # float64 (controllers, units, FEATURES); no units: linear
    second: np.ndarray  # float64 (controllers, rules, inputs)
    features: np.ndarray  # float64 (FEATURES,)
    inputs: np.ndarray  # float64 (units + 1,): the units, and 1
    scores: np.ndarray  # float64 (rules,)


@compiled
def write_features(view: Any, features: np.ndarray) -> None:
    """Fill in what a controller sees of a view, about 0 to 1 each."""
    features[0] = 1.0
    features[1] = view.tokens / 8
    features[2] = 1.0 if view.tokens <= 1 else 0.0
    features[3] = 1.0 if view.tokens >= 7 else 0.0
    features[4] = view.deck / 40
    features[5] = 1.0 if view.deck == 0 else 0.0
    features[6] = 1.0 if view.lives == 1 else 0.0
    features[7] = 1.0 if view.lives == 3 else 0.0
    features[8] = view.score / 25
    features[9] = min(10, spare_turns(view, reachable(view))) / 10
    features[10] = 1.0 if my_slots_within(view, view.playable) else 0.0
    features[11] = 0.0
    for slot in range(view.hand_size):
        if possible_copies(view, slot) > 0:  # no empty slot
            features[11] = max(features[11], playable_chance(view, slot))
    features[12] = features[13] = features[14] = features[15] = 0.0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        playable, told = slots_of(view, seat, view.playable), known(view, seat)
        slot = chop(view, seat)
        if steps == 1:
            features[12] = 1.0 if playable & told else 0.0
            features[13] = 1.0 if playable & ~told else 0.0
            if slot >= 0 and critical(view) >> view.hands[seat, slot] & 1:
                features[14] = 1.0
        if playable & ~told:
            features[15] += 1 / 4


@inlined
def _weighted(numbers, weights):
    total = 0.0
    for k in range(len(weights)):
        total += weights[k] * numbers[k]
    return total


@inlined
def choose_by_score(state: Any, view: Any, chooser: Any, game: int) -> tuple[int, int]:
    """Return (place, move) of the applying rule with the highest score; forfeit without one."""
    rows, one, number = chooser
    features, inputs, scores = one.features, one.inputs, one.scores
    write_features(view, features)
    units = one.first.shape[1]
    for j in range(units):
        inputs[j] = math.tanh(_weighted(features, one.first[number, j]))
    for rule in range(len(scores)):
        scores[rule] = _weighted(inputs if units else features, one.second[number, rule])
    move, best = NOTHING, -1
    for _ in range(len(scores)):
        best = 0
        for rule in range(1, len(scores)):
            if scores[rule] > scores[best]:
                best = rule
        scores[best] = -math.inf
        move = propose(rows[0, best], view)
        if move != NOTHING:
            break
    return best, move if move != NOTHING else FORFEIT


_play = game_loop(choose_by_score, ignore_move)


@compiled
def _play_controllers(state, view, lists, seeds, controllers, points):
    for number in range(len(points)):
        for game in range(len(seeds)):
            begin_game(state, view, lists, game, seeds[game])
            _play(state, view, (lists.rows, controllers, number), 0, game)
            points[number, game] = view.score


class Network:
    """The shape of controllers: rules, and the units of a hidden layer, 0 for linear ones.

    Attributes:
        size: The number of weights.
    """

    def __init__(self, rules: tuple[str, ...], units: int, players: int) -> None:
        self.rules, self.units, self.players = len(rules), units, players
        self.inputs = units + 1 if units else FEATURES
        self.size = units * FEATURES + self.rules * self.inputs
        player = ListPlayer(tuple(map(find, rules)), "forfeit")
        self.table = Table(read_variant("standard").at(players), [player])

    def play(self, weights: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """Return kept points, (controllers, games).

        Args:
            weights: float64 (controllers, size): those of the units, then those of the rules.
            seeds: uint64 (games,): the deals, which all controllers play.
        """
        cut, table = self.units * FEATURES, self.table
        controllers = Controllers(
            np.ascontiguousarray(weights[:, :cut]).reshape(len(weights), self.units, FEATURES),
            np.ascontiguousarray(weights[:, cut:]).reshape(len(weights), self.rules, self.inputs),
            np.zeros(FEATURES),
            np.ones(self.units + 1),
            np.zeros(self.rules),
        )
        points = np.zeros((len(weights), len(seeds)), np.int64)
        seats = np.zeros((len(seeds), self.players), np.int64)
        lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
        _play_controllers(table.state, table.view, lists, seeds, controllers, points)
        return points


class Candidate(np.ndarray):
    """The weights of a controller, with their fitness."""

    fitness: float


class SeparableStrategy(cma.Strategy):
    """CMA-ES of DEAP with a diagonal covariance matrix (``diagD``), in linear time and memory."""

    ccovmu: float
    update_count: int

    def __init__(self, centroid: np.ndarray, sigma: float, lambda_: int, seed: int) -> None:
        """Start at a centroid.

        Args:
            centroid: The first mean.
            sigma: The first standard deviation.
            lambda_: Candidates of a generation.
            seed: The seed of all draws.
        """
        super().__init__(centroid[:1], sigma, lambda_=lambda_)  # decomposes a matrix of one number
        n = self.dim = len(centroid)
        self.centroid, self.diagD = centroid, np.ones(n)
        self.pc, self.ps = np.zeros((2, n))
        self.chiN = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.computeParams(self.params)
        self.random = np.random.default_rng(seed)

    def computeParams(self, params: dict[str, Any]) -> None:  # noqa: N802 (DEAP's name)
        """Set DEAP's parameters; a diagonal has fewer numbers, which are learned faster."""
        super().computeParams(params)
        faster = (self.dim + 2) / 3
        self.ccov1 *= faster
        self.ccovmu = min(1 - self.ccov1, self.ccovmu * faster)

    def generate(self, ind_init: Callable[[np.ndarray], Any]) -> list:
        """Return ``lambda_`` candidates, made by ``ind_init``."""
        draws = self.random.standard_normal((self.lambda_, self.dim))
        return [*map(ind_init, self.centroid + self.sigma * self.diagD * draws)]

    def update(self, population: list) -> None:
        """Sort candidates by their fitness, and move the distribution to the best."""
        population.sort(key=lambda one: one.fitness, reverse=True)
        steps = (np.array(population[: self.mu]) - self.centroid) / self.sigma
        step, self.update_count = self.weights @ steps, self.update_count + 1
        self.centroid = self.centroid + self.sigma * step
        share = math.sqrt(self.cs * (2 - self.cs) * self.mueff)
        self.ps = (1 - self.cs) * self.ps + share * step / self.diagD
        length = float(np.linalg.norm(self.ps)) / self.chiN
        expected = math.sqrt(1 - (1 - self.cs) ** (2 * self.update_count))
        is_short = length / expected < 1.4 + 2 / (self.dim + 1)
        spread = self.cc * (2 - self.cc)
        self.pc = (1 - self.cc) * self.pc + is_short * math.sqrt(spread * self.mueff) * step
        kept = 1 - self.ccov1 - self.ccovmu + (not is_short) * self.ccov1 * spread
        variances = kept * self.diagD**2 + self.ccov1 * self.pc**2
        self.diagD = np.sqrt(variances + self.ccovmu * (self.weights @ steps**2))
        self.sigma *= math.exp((length - 1) * self.cs / self.damps)


def evolve_weights(network: Network, seed: int, games: int) -> np.ndarray:
    """Return the weights of the mean controller after a search of some games."""
    start = np.zeros(network.size)
    first = network.units * FEATURES  # with zeros there no weight of a rule would matter
    start[:first] = np.random.default_rng(seed).normal(0, 0.3, first)
    strategy = SeparableStrategy(start, SIGMA, CANDIDATES, derive(seed, "weights"))
    for generation in range(games // (CANDIDATES * EVALUATION)):
        candidates = strategy.generate(lambda weights: weights.view(Candidate))
        deals = game_seeds(derive(seed, "generation", generation), EVALUATION)
        for one, points in zip(candidates, network.play(np.array(candidates), deals)):
            one.fitness = float(points.mean())
        strategy.update(candidates)
    return strategy.centroid


def fresh_deals(seed: int) -> np.ndarray:
    """Return the seeds of the games that score the result of a search."""
    return game_seeds(derive(seed, "fresh"), FRESH)


def controlled(players: int, seed: int, games: int, units: int) -> float:
    """Return the mean points of an evolved controller."""
    network = Network(tuple(SETS["cig2018"]), units, players)
    return float(network.play(evolve_weights(network, seed, games)[None], fresh_deals(seed)).mean())


def list_config(players: int, seed: int, games: int, has_values: bool) -> Config:
    """Return the config of a search for an order, or for a list with values and guards."""
    base = preset("climb").changed(
        rules=("cig2018",),
        variable_length=has_values,
        guards_from=6 if has_values else 0,
        meaning_bias=False,
        conventions=(),
        weights=(),
        otherwise="forfeit",
        players=(players,),
        lists=(),
        inherit=(),
        seed=seed,
        initial_pool=10,
        games=max(2, games // 2000),
    )
    search, sizes = base.search, (6, 6, 3, 3, *[1] * 8)  # of the generations: halved twice
    used = 40 * search.population * base.schedule.initial_pool + search.games * sum(sizes)
    return base.changed(local_search_games=max(1, (games - used) // len(sizes)))


def listed(players: int, seed: int, games: int, has_values: bool) -> float:
    """Return the mean points of an evolved list."""
    evolution = Evolution(list_config(players, seed, games, has_values), jobs=1)
    for _ in evolution:
        pass
    best = evolution.as_read(ranked(evolution.population)[0])
    player = agent_of("best", best, evolution.config).list_at(players)
    table = Table(read_variant("standard").at(players), [player])
    return float(table.play(fresh_deals(seed), [0] * players)["score"].mean())


ARMS: dict[str, Callable[[int, int, int], float]] = {  # of (players, seed, games)
    "order of the rules": partial(listed, has_values=False),
    "list with values and guards": partial(listed, has_values=True),
    "linear controller": partial(controlled, units=0),
    "controller with a hidden layer": partial(controlled, units=HIDDEN),
}


def tables(means: Mapping[tuple[int, str], Sequence[float]]) -> list[dict[str, Any]]:
    """Return the table of the mean points of each seed, by player count and arm."""
    order, values, *controllers = ARMS
    ahead: dict[str, list[str]] = {arm: [] for arm in controllers}
    rows = []
    for (players, arm), found in means.items():
        summary, gains, is_ahead = of_seeds(found), ["", ""], arm in controllers
        for place, other in enumerate((order, values) if is_ahead else ()):
            gain = of_pairs(found, means[players, other], COMPARISONS)
            gains[place] = f"{gain['mean']:+.3f} ± {gain['error']:.3f}"
            is_ahead = is_ahead and gain["mean"] > gain["error"]
        if is_ahead:
            ahead[arm].append(str(players))
        mean = f"{np.mean(found):.3f} ± {summary['error']:.3f}"
        rows.append([players, arm, len(found), mean, f"{summary['median']:.3f}", *gains])
    where = "; ".join(
        f"{arm}: {f'with {all_of(counts)} players' if counts else 'at no player count'}"
        for arm, counts in ahead.items()
    )
    return [
        dict(
            name="controller",
            title="Future work: rules, or weights that choose among them",
            columns=["players", "arm", "seeds", "mean ± s.d.", "median", *BASELINES],
            rows=rows,
            note=f"{NOTE} Ahead of both lists by more than the interval: {where}.",
        )
    ]


def report(games: int | None = None, progress: Callable[..., None] | None = None) -> dict[str, Any]:
    """Return what each search reaches; see ``registry.Paper``.

    Args:
        games: Games of each search.
        progress: Called with (done, of, what).
    """
    games, means = games or GAMES, {}
    wanted = [(players, arm) for players in PLAYERS for arm in ARMS]
    for done, (players, arm) in enumerate(wanted):
        if progress:
            progress(done, len(wanted), f"{arm}, {players} players")
        means[players, arm] = [ARMS[arm](players, seed, games) for seed in SEEDS]
    seeds = [dict(players=key[0], arm=key[1], means=found) for key, found in means.items()]
    return dict(what="controller", games=games, scoring="kept", tables=tables(means), seeds=seeds)


register_paper("controller", "Canaan et al. 2018, future work: weights choose the rule", report)
