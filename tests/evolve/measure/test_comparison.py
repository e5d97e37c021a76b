"""Comparisons find the better agent, soon if it is plain, within their error rate."""

import numpy as np
import pytest
from tiny import tiny

from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.comparison import (
    FIRST,
    GROWTH,
    TUNED,
    TYPICAL,
    PairedSums,
    compare,
    distinct_names,
    interval,
    looks,
    radius,
    tuned_for,
    verdict_of,
    verdicts_of,
)
from hanabi.rules.agents import Agent
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


@pytest.fixture(scope="module")
def agents():
    rules = {rule.name.removeprefix("toy."): rule for rule in Problem.of(tiny()).find_rules()}

    def agent(name, *names):
        return Agent(name, {"2-5": tuple(rules[key] for key in names)})

    return dict(
        good=agent("good", "safe", "useful", "useless", "old", "anything"),
        bold=agent("bold", "likely(chance=0.8, lives=0)", "useful", "useless", "old", "anything"),
        poor=agent("poor", "safe", "old", "anything"),
        same=agent("same", "never", "safe", "useful", "useless", "old", "anything"),
    )


def test_the_better_one_is_found_soon(agents):
    seen = []
    found = compare(agents["poor"], agents["good"], players=[2, 3], seed=1, progress=seen.append)
    assert [verdict.better for verdict in found.verdicts] == ["good"] * 3
    assert [verdict.players for verdict in found.verdicts] == ["2", "3", "2-3"]
    assert [verdict.games for verdict in found.verdicts] == [FIRST, FIRST, 2 * FIRST] and len(
        seen
    ) == 1
    for verdict in found.verdicts:
        assert verdict.low < verdict.difference < verdict.high < 0
        assert verdict.mean_one - verdict.mean_other == pytest.approx(verdict.difference)
    assert "2-3 players: good is better; poor " in str(found) and "after 1,000 games each" in str(
        found
    )


def test_it_plays_what_a_table_plays(agents):
    how = dict(players=[3], games=700, width=0.01, seed=5)  # a width that makes it play all rounds
    found = compare(agents["good"], agents["bold"], jobs=2, **how)
    assert found == compare(agents["good"], agents["bold"], jobs=1, **how)
    table = Table(read_variant("standard").at(3), [agents["bold"].at(3)])
    score = table.play(*deals(5, 3, 700))["score"]
    verdict = found.verdicts[-1]
    assert verdict.games == 700 and verdict.mean_other == score.mean(), (
        "every round has fresh deals"
    )


def test_the_same_is_the_same_and_the_undecided_open(agents):
    found = compare(agents["good"], agents["same"], players=[2])
    assert found.verdicts[0].better == "same" and found.verdicts[0].difference == 0
    assert "the same within 0.05 points" in str(found)
    found = compare(agents["good"], agents["good"], players=[2], margin=0, games=600)
    assert (
        found.verdicts[0].better == "open"
        and found.verdicts[0].games == 600
        and found.agents == ("good (1)", "good (2)")
    )
    assert "not decided" in str(found)


def test_all_pairs_are_what_two_agents_are_on_the_same_deals(agents):
    three = ["good", "bold", "poor"]
    found = compare(*(agents[name] for name in three), players=[2, 3], games=FIRST, seed=4)
    assert [(v.one, v.other, v.players) for v in found.verdicts] == [
        (one, other, players)
        for one, other in (("good", "bold"), ("good", "poor"), ("bold", "poor"))
        for players in ("2", "3", "2-3")
    ]
    for verdict in found.verdicts:
        (alone,) = [
            one
            for one in compare(
                agents[verdict.one], agents[verdict.other], players=[2, 3], games=FIRST, seed=4
            ).verdicts
            if one.players == verdict.players
        ]
        for what in ("difference", "sem", "games", "mean_one", "mean_other"):
            assert getattr(verdict, what) == getattr(alone, what)
        assert verdict.low < alone.low < alone.high < verdict.high, "three pairs share the error"
    bold = found.rows.set_index(["one", "other", "players"]).loc[("good", "bold", "3")]
    good, other = (
        Table(read_variant("standard").at(3), [agents[name].at(3)]).play(*deals(4, 3, FIRST))[
            "score"
        ]
        for name in ("good", "bold")
    )
    assert bold["sem"] == pytest.approx((good - other).std(ddof=1) / FIRST**0.5)


def test_the_order_of_agents_does_not_matter(agents):
    first, turned = (
        [agents[name] for name in names]
        for names in (("good", "bold", "poor"), ("poor", "good", "bold"))
    )
    how = dict(players=[2, 3], games=FIRST, seed=4)
    found = {
        frozenset((verdict.one, verdict.other, verdict.players)): verdict
        for verdict in compare(*first, **how).verdicts
    }
    for again in compare(*turned, **how).verdicts:
        verdict = found.pop(frozenset((again.one, again.other, again.players)))
        other_way = verdict.one != again.one
        assert again.better == verdict.better and again.sem == verdict.sem
        assert (again.difference, again.low, again.high) == (
            (-verdict.difference, -verdict.high, -verdict.low)
            if other_way
            else (verdict.difference, verdict.low, verdict.high)
        )
    assert not found


def test_the_same_agent_twice_is_the_same_and_told_apart(agents):
    assert distinct_names(["a", "b", "a"]) == ("a (1)", "b", "a (3)")
    found = compare(agents["good"], agents["poor"], agents["good"], players=[2], margin=0.5)
    (twins,) = [
        verdict
        for verdict in found.verdicts
        if verdict.one == "good (1)" and verdict.other == "good (3)"
    ]
    assert (twins.better, twins.difference, twins.sem) == ("same", 0, 0)
    assert "good (1) is better" in str(found) and "good (3) is better" in str(found)


def test_a_wished_width_is_reached_or_it_is_said(agents):
    seen = []
    found = compare(
        agents["good"],
        agents["bold"],
        agents["poor"],
        players=[3],
        width=0.4,
        seed=2,
        progress=seen.append,
    )
    assert found.narrow and not found.wanting and found.widest <= 0.4
    assert [step.narrow for step in seen] == [False] * (len(seen) - 1) + [True] and 2 < len(
        seen
    ) < 9, "decided long before, it plays on"
    assert all(
        verdict.better != "open"
        for verdict in seen[0].verdicts
        if "poor" in (verdict.one, verdict.other)
    )
    short = compare(
        agents["good"], agents["bold"], agents["poor"], players=[3], width=0.4, seed=2, games=600
    )
    assert (
        not short.narrow
        and "width of 0.4 was not reached" in str(short)
        and "after 600 games" in short.wanting
    )
    needed = int(short.wanting.split("about ")[1].split()[0].replace(",", ""))
    assert 0.5 < needed / found.verdicts[0].games < GROWTH, (
        "what it says may do is about what it takes"
    )


def test_intervals_are_narrowest_where_the_wished_width_is_reached():
    for error in (0.05, 0.001):
        tuned = tuned_for(0.05, error)
        assert tuned > TUNED == tuned_for(None, error) == tuned_for(2, error)
        assert 2 * radius(int(tuned), TYPICAL, error, tuned) == pytest.approx(0.05, rel=0.01)
        assert all(
            radius(int(tuned), 1, error, tuned) < radius(int(tuned), 1, error, other)
            for other in (tuned / 3, tuned * 3)
        )


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(error=0.7), "error 0.7 should be a chance"),
        (dict(margin=-1), "margin -1 should be points"),
        (dict(scoring="both"), "scoring 'both' should be kept or zero"),
        (dict(games=1), "games must be at least 2, not 1"),
        (dict(width=0.0), "width 0.0 should be points above 0"),
        (dict(width=float("nan")), "width nan should be points"),
        (dict(players=[7]), "players"),
        (dict(variant="mini", players=[2]), "for 3 players, not 2"),
    ],
)
def test_bad_input_is_told(agents, change, message):
    with pytest.raises(ValueError, match=message):
        compare(agents["good"], agents["poor"], **change)


def test_intervals_have_the_width_that_the_formula_gives():
    assert (
        list(looks(1000)) == [500, 750, 1000]
        and list(looks(2)) == [2]
        and list(looks(500)) == [500]
    )
    assert radius(1000, 4.0, 0.05) == pytest.approx(2 * radius(1000, 1.0, 0.05))
    fixed = 1.96 / 5000**0.5
    assert fixed < radius(5000, 1.0, 0.05) < 1.7 * fixed, "the price of looking at any time"
    low, high = interval(1000, 0.0, 0.0, 0.05)
    assert low < 0 < high
    assert interval(1000, 3.0, 4.0, 0.05) == (
        pytest.approx(3 - radius(1000, 4.625, 0.05)),
        pytest.approx(3 + radius(1000, 4.625, 0.05)),
    )
    assert [
        verdict_of(*pair, 0.1) for pair in [(0.01, 0.2), (-0.2, -0.01), (-0.05, 0.05), (-0.2, 0.05)]
    ] == ["one", "other", "same", "open"]


def interval_of(differences, error):
    return interval(len(differences), float(differences.mean()), float(differences.var()), error)


def wrong_share(draw, error, runs, limit, margin=0.05):
    """How often anything false is said at any look, where the truth is no difference."""
    wrong = 0
    steps = list(looks(limit))
    for _ in range(runs):
        differences = draw(limit)
        for n in steps:
            low, high = interval_of(differences[:n], error)
            verdict = verdict_of(low, high, margin)
            if verdict != "open":
                wrong += verdict != "same"
                break
    return wrong / runs


def null_draws(rng):
    """Differences of true mean 0: normal, discrete, one game in a hundred, skewed and rare."""
    return dict(
        normal=lambda n: rng.normal(0, 2, n),
        discrete=lambda n: rng.integers(-1, 2, n).astype(float),
        rare=lambda n: rng.choice([-3.0, 0, 3], n, p=[0.005, 0.99, 0.005]),
        skewed=lambda n: rng.choice([-9.0, 1], n, p=[0.1, 0.9]),
        skewed_and_rare=lambda n: rng.choice([-9.0, 0, 1], n, p=[0.001, 0.99, 0.009]),
    )


@pytest.mark.parametrize("kind", null_draws(None))
def test_error_rate_quickly(kind):
    assert (
        wrong_share(null_draws(np.random.default_rng(1))[kind], 0.2, 150, 5_000, 0)
        < 0.2 + 3 * (0.16 / 150) ** 0.5
    )


def test_all_intervals_hold_together_wherever_the_width_stops():
    """Of three agents with differences 0.5, 0.5 and 1 intervals seldom miss, at any look."""
    rng, runs, error, missed, width = np.random.default_rng(8), 150, 0.2, 0, 0.5
    for _ in range(runs):
        deal, places = rng.integers(0, 4, 5_000), range(3)
        points = {
            place: [deal + rng.choice([0, 10], 5_000, p=[0.95 - 0.05 * place, 0.05 + 0.05 * place])]
            for place in places
        }
        paired, done = PairedSums(3, [3]), 0
        for n in looks(5_000):
            paired.add([[points[place][0][done:n] for place in places]])
            found, done = verdicts_of("abc", paired, error, 0, width), n
            truth = {"ab": -0.5, "bc": -0.5, "ac": -1.0}
            wrong = any(
                not verdict.low < truth[verdict.one + verdict.other] < verdict.high
                for verdict in found
            )
            if wrong or all(verdict.high - verdict.low <= width for verdict in found):
                break
        else:
            raise AssertionError("no look is narrow enough: make the width larger")
        missed += wrong
    assert missed / runs < error + 3 * (error * (1 - error) / runs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", null_draws(None))
@pytest.mark.parametrize("error", [0.05, 0.2])
def test_the_error_rate_is_what_it_claims(kind, error):
    runs = 2_000
    share = wrong_share(null_draws(np.random.default_rng(7))[kind], error, runs, 50_000, 0)
    assert share < error + 2.5 * (error * (1 - error) / runs) ** 0.5


@pytest.mark.slow
def test_the_error_rate_with_played_games(agents):
    """Real differences of two agents with random signs: the true spread, no difference."""
    table = {}
    for name in ("good", "bold"):
        seat = Table(read_variant("standard").at(3), [agents[name].at(3)])
        table[name] = seat.play(game_seeds(1, 30_000), [0] * 3)["score"].astype(float)
    real, rng = table["good"] - table["bold"], np.random.default_rng(3)
    share = wrong_share(
        lambda n: rng.permutation(real)[:n] * rng.choice([-1, 1], n), 0.05, 1_000, 30_000, 0
    )
    assert share < 0.05 + 2.5 * (0.05 * 0.95 / 1_000) ** 0.5


@pytest.mark.slow
def test_the_claimed_error_is_that_of_all_that_is_said(agents):
    """Two agents that differ only in their deals: no comparison should find a winner."""
    rng, wrong, runs = np.random.default_rng(5), 0, 400
    games = {}
    for count in (2, 3, 4, 5):
        seat = Table(read_variant("standard").at(count), [agents["bold"].at(count)])
        games[count] = seat.play(game_seeds(2, 40_000), [0] * count)["score"].astype(float)
    for _ in range(runs):
        parts = {
            count: rng.permutation(points)[:10_000].reshape(2, 5_000)
            for count, points in games.items()
        }
        every = [one - other for one, other in parts.values()]
        every.append(np.mean(every, axis=0))
        wrong += any(
            verdict_of(*interval_of(part[:n], 0.05 / 5), 0) != "open"
            for part in every
            for n in looks(5_000)
        )
    assert wrong / runs < 0.05 + 2.5 * (0.05 * 0.95 / runs) ** 0.5
