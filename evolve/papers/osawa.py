"""Osawa 2015: five strategies for two players, and readings of self-recognition.

The paper is "Solving Hanabi: Estimating Hands by Opponent's Actions in Cooperative Game with
Incomplete Information".

The paper has means and standard deviations over 100 games with five cards; with two cards a claim
without a number. All scores are kept scores, in the variant ``osawa``.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.measure.arena import GameWorkers, Match, mean_sem
from hanabi.evolve.papers import osawa_tests
from hanabi.evolve.papers.cig2018 import apart
from hanabi.evolve.papers.osawa_tests import PUBLISHED_GAMES, Sample, depth_table
from hanabi.evolve.papers.report import differences, register_paper
from hanabi.game import finish
from hanabi.moves import is_play, slot_of
from hanabi.player import Player
from hanabi.rules.agents import NAMED, Agent, find, load
from hanabi.rules.museum.osawa.estimating_player import Estimator, SeatedEstimator
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant, read_variant

GAMES = 2_000  # per row of lists
SLOWER = 4  # one in so many of them for agents that simulate
SWEPT = 10  # the same for each value of the sweep
TRACED = 50  # the same for what is traced move by move
SEED = 2015
FIVE, TWO, FOUR_LIVES = "osawa", "osawa,hand=2", "osawa,lives=4"
STANDARD = ("standard,players=2", "standard,players=3")
PLAYABLE_SPEC = "self:osawa-outer,test=playable"
HELD = "osawa-ideal, held"  # the ideal strategy with another reading of a multiple card
STRATEGIES: tuple[
    tuple[str, str, float | None, float | None], ...
] = (  # in the paper; agent; published mean and standard deviation
    ("ideal", "osawa-ideal", 24.6, 1.10),
    ("ideal, multiple: two are held", HELD, 24.6, 1.10),
    ("self-recognition", "osawa-self", 15.85, 2.26),
    ("self-recognition, by chance", "self:osawa-outer-random", 15.85, 2.26),
    ("outer state", "osawa-outer", 14.53, 2.24),
    ("outer state, by chance", "osawa-outer-random", 14.53, 2.24),
    ("outer state, as in 2018", "outer", 14.53, 2.24),
    ("internal state", "osawa-internal", 10.97, 1.94),
    ("internal state, as in 2018", "internal", 10.97, 1.94),
    ("random", "osawa-random", 2.20, 1.60),
    ("(ours) plays what is likely playable", PLAYABLE_SPEC, None, None),
)
READINGS = (  # of self-recognition: agent settings, and in words
    ("osawa-outer", "", "after a hint for it"),
    ("osawa-outer", "when=turn", "at every turn"),
    ("osawa-outer", "when=last", "before a random discard"),
    ("osawa-outer", "weight=copies", "hands by physical copies"),
    ("osawa-outer", "hands=3000", "3,000 hands"),
    ("osawa-outer-random", "", "hints by chance"),
    ("osawa-outer-random", "weight=copies", "hints by chance, hands by physical copies"),
    ("osawa-outer-random", "weight=chance", "hints by chance, hands by copies and chance"),
    ("osawa-outer", "test=playable,chance=0.7", "plays at 70 %"),
    ("osawa-outer", "test=playable", "plays at 80 %"),
    ("osawa-outer", "test=playable,chance=0.9", "plays at 90 %"),
    ("osawa-outer-random", "test=playable", "hints by chance, plays at 80 %"),
)
LISTS = ("iggi", "piers", "van-den-bergh", "outer")  # whose followers simulate each other too
SWEEP = tuple(round(1 + place / 10, 1) for place in range(41))  # of the quotient a
BARS = 20  # characters of the longest bar of the sweep


class Score(NamedTuple):
    """Mean, standard error and standard deviation of the points, and errors per game."""

    mean: float
    sem: float
    spread: float
    errors: float

    def sample(self, games: int) -> Sample:
        """Return what a test of the difference of two means takes of this number of games."""
        return Sample(self.mean, self.spread, games)


def spec_of(follows: str, settings: str) -> str:
    """Return the spec of an agent that simulates followers of a list."""
    return f"self:{follows}" + (f",{settings}" if settings else "")


def agent_of(spec: str) -> Agent:
    """Return the agent of a row."""
    if spec.startswith("osawa.act_randomly"):
        return replace(load("osawa-random"), name=spec, lists={"2": (find(spec),)})
    if spec != HELD:
        return load(spec)
    agent = load("osawa-ideal")
    return replace(
        agent, name=HELD, lists={"2": (*agent.rules(2)[:-1], find("osawa.discard_seen(held=1)"))}
    )


def measure(
    rows: Sequence[tuple[str, str, int]],
    jobs: int = -1,
    progress: Callable[..., None] | None = None,
) -> list[Score]:
    """Return the scores of (agent, variant, games) with copies of itself, on the same deals."""
    seated = [(spec, read_variant(variant), games) for spec, variant, games in rows]
    matches = [
        Match(variant.seats, variant, agent_of(spec), None, SEED, games)
        for spec, variant, games in seated
    ]
    found = []
    with GameWorkers(jobs, "threads") as workers:
        for match, results in zip(matches, workers.play(matches, progress or (lambda *step: None))):
            mean, sem = map(float, mean_sem(results["score"]))
            errors = match.variant.lives - float(results["lives"].mean())
            found.append(Score(mean, sem, float(results["score"].std(ddof=1)), errors))
    return found


def estimates(spec: str, games: int, variant: str = FIVE) -> dict[str, float]:
    """Trace the hand estimates of an agent that simulates its partner, move by move.

    Returns:
        ``moves``; the shares of moves with an estimate (``estimated``), with a card identified
        beyond the hints (``taking``), and that play such a card (``played``); the share of these
        identifications that is ``right``; milliseconds per decision (``ms``).
    """
    player = load(spec).at(2)
    assert isinstance(player, Estimator)
    traced = _TracedPlayer(player)
    table, seats = Table(read_variant(variant).at(2), [traced]), [0, 0]
    moves = estimated = taking = played = 0
    right: list[bool] = []
    finish(table.steps(1, seats))  # the first time it may have to be compiled
    traced.seconds = 0.0
    for seed in game_seeds(SEED, games):
        for step in table.steps(int(seed), seats):
            seat = traced.seats[step.seat]
            moves += 1
            estimated += int(seat.estimate.fitting) >= 0
            taking += bool(seat.taken)
            played += is_play(step.move) and slot_of(step.move) in seat.taken
            right += [
                int(types) >> int(step.state.hands[step.seat, slot]) & 1 == 1
                for slot, types in seat.taken.items()
            ]
    return dict(
        moves=moves,
        estimated=estimated / moves,
        taking=taking / moves,
        played=played / moves,
        right=float(np.mean(right)) if right else float("nan"),
        ms=traced.seconds / moves * 1e3,
    )


class _TracedPlayer(Player):
    """An estimator that exposes its seats and times their decisions."""

    only_list_questions = True

    def __init__(self, player: Estimator) -> None:
        self.player, self.name, self.follows = player, player.name, player.follows
        self.seats: dict[int, SeatedEstimator] = {}
        self.seconds = 0.0

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move of its list."""
        return self.player.move(view)

    def join(self, variant: Variant, seat: int, company: tuple[Any, ...]) -> "_TimedSeat":
        """Return the player of one game at a seat."""
        self.seats[seat] = self.player.join(variant, seat, company)
        return _TimedSeat(self, self.seats[seat])


class _TimedSeat(Player):
    def __init__(self, player: _TracedPlayer, seat: SeatedEstimator) -> None:
        self.player, self.seat, self.name = player, seat, player.name

    def move(self, view):
        begin = time.thread_time()
        made = self.seat.move(view)
        self.player.seconds += time.thread_time() - begin
        return made


def best_of(sweep: Sequence[Score]) -> tuple[float, float, float]:
    """Return the best value of the quotient a, and the lowest and highest value that is as good.

    As good means within two standard errors, which is wide, since the deals are the same.
    """
    best = max(range(len(SWEEP)), key=lambda place: sweep[place].mean)
    near = [
        value
        for value, score in zip(SWEEP, sweep)
        if score.mean >= sweep[best].mean - 2 * sweep[best].sem
    ]
    return SWEEP[best], near[0], near[-1]


def report(
    games: int | None = None, jobs: int = -1, progress: Callable[..., None] | None = None
) -> dict[str, Any]:
    """Return every table as data; see ``hanabi.evolve.papers.report.Paper``."""
    games = games or GAMES
    slow, few, traced = (max(2, games // part) for part in (SLOWER, SWEPT, TRACED))
    wanted = (
        [(agent, variant) for variant in (FIVE, TWO) for _, agent, *_ in STRATEGIES]
        + [("osawa-random", FOUR_LIVES)]
        + [(spec_of(*reading[:2]), FIVE) for reading in READINGS]
    )
    shares = osawa_tests.all_shares()
    rows = [
        *(
            (spec, variant, slow if "self" in spec else games)
            for spec, variant in dict.fromkeys(wanted)
        ),
        *((spec, variant, few) for name in LISTS for variant in STANDARD for spec in _ways(name)),
        *((osawa_tests.share_spec(*share), FIVE, games) for share in shares),
        *((spec_of("osawa-outer", f"a={value}"), FIVE, few) for value in SWEEP),
    ]
    scores = measure(rows, jobs, progress)
    found, swept = {row[:2]: score for row, score in zip(rows, scores)}, scores[-len(SWEEP) :]
    if progress:
        progress(what="estimates move by move")
    made = {
        spec: estimates(spec, traced)
        for spec in ("osawa-self", "self:osawa-outer-random", PLAYABLE_SPEC)
    }
    best, low, high = best_of(swept)
    gain = found["osawa-self", FIVE].mean - found["osawa-outer", FIVE].mean
    by_chance = "osawa-outer-random"
    gain_by_chance = found[f"self:{by_chance}", FIVE].mean - found[by_chance, FIVE].mean
    strategies = [_line(*strategy, found[strategy[1], FIVE]) for strategy in STRATEGIES]
    more_errors = _line(
        "random, four errors", "osawa-random", 2.20, 1.60, found["osawa-random", FOUR_LIVES]
    )
    samples = [
        {
            agent: found[agent, variant].sample(slow if "self" in agent else games)
            for _, agent, *_ in osawa_tests.FIVE_STRATEGIES
        }
        for variant in (FIVE, TWO)
    ]
    missed = osawa_tests.not_reproduced(
        [(*row[:3], row[4], row[7]) for row in (*strategies, more_errors)]
    )
    tables = [
        dict(
            name="osawa",
            title="Five cards",
            columns=[
                "in the paper",
                "agent",
                "published",
                "s.d.",
                "ours",
                "s.e.",
                "its s.d.",
                "in s.e.",
            ],
            rows=[*strategies, more_errors],
            note=(
                f"Published: {PUBLISHED_GAMES} games per row. Ours: {games:,}; agents that simulate"
                f" a partner {slow:,}. Not reproduced by any reading: {missed}; the mean and the"
                " spread of the ideal strategy together (the first reading has the mean, the"
                " second the spread); pairs of people, which came second and have no number in the"
                " text. The published program may have ended the random strategy's games after"
                " more than three errors."
            ),
        ),
        osawa_tests.pairs_table(*samples),
        osawa_tests.shares_table(
            {share: found[osawa_tests.share_spec(*share), FIVE].sample(games) for share in shares}
        ),
        dict(
            name="osawa-two",
            title="Two cards",
            columns=["in the paper", "agent", "ours", "s.e.", "its s.d.", "over outer state"],
            rows=[_two(name, agent, found) for name, agent, *_ in STRATEGIES],
            note=(
                "The paper claims, without a number, that self-recognition gains more with two"
                " cards. The last column is the gain over outer state of the same reading; with"
                f" five cards it is {gain:.2f} (by chance {gain_by_chance:.2f})."
            ),
        ),
        dict(
            name="osawa-readings",
            title="How self-recognition is read, five cards",
            columns=["estimate", "agent", "ours", "s.e.", "its s.d.", "errors per game"],
            rows=[_reading(says, spec_of(*how), found) for *how, says in READINGS],
            note=(
                "The first row is osawa-self. The paper states a = 2.5. The tests of 70 to 90 % are"
                " ours: a card is taken for playable if it is playable in that share of the hands"
                " that fit."
            ),
        ),
        dict(
            name="osawa-sweep",
            title=f"The quotient a, {few:,} games each",
            columns=["a", "ours", "s.e.", "errors per game", ""],
            rows=[
                [
                    f"{value:.1f}",
                    round(score.mean, 3),
                    round(score.sem, 3),
                    round(score.errors, 2),
                    bar,
                ]
                for value, score, bar in zip(SWEEP, swept, bars([score.mean for score in swept]))
            ],
            note=(
                f"Best: {best:.1f}; within two standard errors of it: {low:.1f} to {high:.1f}. He:"
                " 2.5."
            ),
        ),
        dict(
            name="osawa-lists",
            title=(
                f"Followers of other lists simulate each other, standard game, {few:,} games each"
            ),
            columns=[
                "list",
                "players",
                "ours",
                "estimating, ours",
                "at 80 %, ours",
                "greatest s.e.",
            ],
            rows=[_listed(name, variant, found) for name in LISTS for variant in STANDARD],
            note=("Ours: the list alone. Estimating: self:LIST. At 80 %: self:LIST,test=playable."),
        ),
        dict(
            name="osawa-estimates",
            title="What the estimates are worth",
            columns=[
                "agent",
                "moves",
                "estimated",
                "taken",
                "right",
                "played on",
                "ms per decision",
            ],
            rows=[
                [
                    spec,
                    one["moves"],
                    *(f"{one[key]:.1%}" for key in ("estimated", "taking", "right", "played")),
                    round(one["ms"], 3),
                ]
                for spec, one in made.items()
            ],
            note=(
                "Shares of all moves: an estimate was made; a card was taken for more than it was"
                " told; such a card was played. Right: the share of these cards that were what"
                " they were taken for. Milliseconds of one core."
            ),
        ),
        depth_table(few, progress),
        differences(name for _, name, *_ in STRATEGIES if name in NAMED),
    ]
    return dict(what="osawa", seed=SEED, games=games, scoring="kept", tables=tables)


def _line(name, agent, published, spread, score):
    error = (spread or 0.0) / PUBLISHED_GAMES**0.5
    return [
        name,
        agent,
        published,
        spread,
        *_rounded(score),
        apart(score.mean, score.sem, published, error)[1],
    ]


def _rounded(score):
    """Return mean, standard error and standard deviation for a table."""
    return [round(score.mean, 3), round(score.sem, 3), round(score.spread, 2)]


def _two(name, agent, found):
    score = found[agent, TWO]
    outer = found["osawa-outer-random" if "random" in agent else "osawa-outer", TWO].mean
    return [
        name,
        agent,
        *_rounded(score),
        round(score.mean - outer, 2) if "self" in agent else None,
    ]


def _reading(says, spec, found):
    score = found[spec, FIVE]
    return [says, spec, *_rounded(score), round(score.errors, 2)]


def _ways(name):
    """Return a list, and the two agents that simulate its followers."""
    return name, spec_of(name, ""), spec_of(name, "test=playable")


def _listed(name, variant, found):
    scores = [found[spec, variant] for spec in _ways(name)]
    return [
        name,
        read_variant(variant).seats,
        *(round(score.mean, 3) for score in scores),
        round(max(score.sem for score in scores), 3),
    ]


def bars(values: Sequence[float]) -> list[str]:
    """Return values as bars of text, from the least, which has none, to the most."""
    low, high = min(values), max(values)
    return [
        "▪" * round(BARS * (value - low) / (high - low)) if high > low else "" for value in values
    ]


register_paper("osawa", "Osawa 2015: five strategies with five and with two cards", report)
