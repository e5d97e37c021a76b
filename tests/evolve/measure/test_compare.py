"""Comparisons say who is better, soon where it is plain, and are wrong no more often than they say."""
import numpy as np
import pytest
from tiny import tiny

from evolve.ga.task import Task
from evolve.measure.arena import deals
from evolve.measure.compare import FIRST, compare, interval, looks, radius, verdict_of
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from rules.agents import Agent


@pytest.fixture(scope="module")
def agents():
    rules = {rule.name.removeprefix("toy."): rule for rule in Task.of(tiny()).find_rules()}

    def agent(name, *names):
        return Agent(name, {"2-5": tuple(rules[key] for key in names)})
    return dict(good=agent("good", "safe", "useful", "useless", "old", "anything"),
                bold=agent("bold", "likely(chance=0.8, lives=0)", "useful", "useless", "old", "anything"),
                poor=agent("poor", "safe", "old", "anything"),
                same=agent("same", "never", "safe", "useful", "useless", "old", "anything"))


def test_the_better_one_is_found_soon(agents):
    seen = []
    found = compare(agents["poor"], agents["good"], [2, 3], seed=1, progress=seen.append)
    assert [verdict.better for verdict in found.verdicts] == ["good"] * 3
    assert [verdict.players for verdict in found.verdicts] == ["2", "3", "2-3"]
    assert [verdict.games for verdict in found.verdicts] == [FIRST, FIRST, 2 * FIRST] and len(seen) == 1
    for verdict in found.verdicts:
        assert verdict.low < verdict.difference < verdict.high < 0
        assert verdict.mean_one - verdict.mean_other == pytest.approx(verdict.difference)
    assert "2-3 players: good is better; poor " in found.text() and "after 1,000 games each" in found.text()


def test_it_plays_what_a_table_plays(agents):
    found = compare(agents["good"], agents["bold"], [3], games=700, margin=0, seed=5, jobs=2)
    assert found == compare(agents["good"], agents["bold"], [3], games=700, margin=0, seed=5, jobs=1)
    table = Table(read_variant("standard").at(3), [agents["bold"].at(3)])
    score = table.play(*deals(5, 3, 700))["score"]
    verdict = found.verdicts[-1]
    assert verdict.games in (500, 700) and verdict.mean_other == score[:verdict.games].mean()


def test_the_same_is_the_same_and_the_undecided_open(agents):
    found = compare(agents["good"], agents["same"], [2])
    assert found.verdicts[0].better == "same" and found.verdicts[0].difference == 0
    assert "the same within 0.05 points" in found.text()
    found = compare(agents["good"], agents["good"], [2], margin=0, games=600)
    assert found.verdicts[0].better == "open" and found.verdicts[0].games == 600 and found.one == "good (first)"
    assert "not decided" in found.text()


@pytest.mark.parametrize("change, message", [
    (dict(error=0.7), "error 0.7 should be a chance"), (dict(margin=-1), "margin -1 should be points"),
    (dict(scoring="both"), "scoring 'both' should be kept or zero"), (dict(games=1), "games 1 should be 2 or more"),
    (dict(players=[7]), "players"), (dict(variant="mini", players=[2]), "for 3 players, not 2")])
def test_bad_input_is_told(agents, change, message):
    with pytest.raises(ValueError, match=message):
        compare(agents["good"], agents["poor"], **change)


def test_intervals_have_the_width_that_the_formula_gives():
    assert list(looks(1000)) == [500, 750, 1000] and list(looks(2)) == [2] and list(looks(500)) == [500]
    assert radius(1000, 4.0, 0.05) == pytest.approx(2 * radius(1000, 1.0, 0.05))
    fixed = 1.96 / 5000 ** .5
    assert fixed < radius(5000, 1.0, 0.05) < 1.7 * fixed, "the price of looking at any time"
    mean, low, high = interval(np.zeros(1000), 0.05)
    assert low < 0 == mean < high
    assert [verdict_of(*pair, 0.1) for pair in [(.01, .2), (-.2, -.01), (-.05, .05), (-.2, .05)]] == [
        "one", "other", "same", "open"]


def wrong_share(draw, error, runs, limit, margin=0.05):
    """How often anything false is said at any look, where the truth is no difference."""
    wrong = 0
    steps = list(looks(limit))
    for _ in range(runs):
        differences = draw(limit)
        for n in steps:
            _, low, high = interval(differences[:n], error)
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
        rare=lambda n: rng.choice([-3., 0, 3], n, p=[.005, .99, .005]),
        skewed=lambda n: rng.choice([-9., 1], n, p=[.1, .9]),
        skewed_and_rare=lambda n: rng.choice([-9., 0, 1], n, p=[.001, .99, .009]))


@pytest.mark.parametrize("kind", null_draws(None))
def test_error_rate_quickly(kind):
    assert wrong_share(null_draws(np.random.default_rng(1))[kind], 0.2, 150, 5_000, 0) < 0.2 + 3 * (.16 / 150) ** .5


@pytest.mark.slow
@pytest.mark.parametrize("kind", null_draws(None))
@pytest.mark.parametrize("error", [0.05, 0.2])
def test_the_error_rate_is_what_it_claims(kind, error):
    runs = 2_000
    share = wrong_share(null_draws(np.random.default_rng(7))[kind], error, runs, 50_000, 0)
    assert share < error + 2.5 * (error * (1 - error) / runs) ** .5


@pytest.mark.slow
def test_the_error_rate_with_played_games(agents):
    """Real differences of two agents, each with a random sign: no difference in truth, the true spread and ties."""
    table = {}
    for name in ("good", "bold"):
        seat = Table(read_variant("standard").at(3), [agents[name].at(3)])
        table[name] = seat.play(game_seeds(1, 30_000), [0] * 3)["score"].astype(float)
    real, rng = table["good"] - table["bold"], np.random.default_rng(3)
    share = wrong_share(lambda n: rng.permutation(real)[:n] * rng.choice([-1, 1], n), 0.05, 1_000, 30_000, 0)
    assert share < 0.05 + 2.5 * (.05 * .95 / 1_000) ** .5


@pytest.mark.slow
def test_the_claimed_error_is_that_of_all_that_is_said(agents):
    """Two agents that differ only in what they draw at random (other deals): no comparison should find a winner."""
    rng, wrong, runs = np.random.default_rng(5), 0, 400
    games = {}
    for count in (2, 3, 4, 5):
        seat = Table(read_variant("standard").at(count), [agents["bold"].at(count)])
        games[count] = seat.play(game_seeds(2, 40_000), [0] * count)["score"].astype(float)
    for _ in range(runs):
        parts = {count: rng.permutation(points)[:10_000].reshape(2, 5_000) for count, points in games.items()}
        every = [one - other for one, other in parts.values()]
        every.append(np.mean(every, axis=0))
        wrong += any(verdict_of(*interval(part[:n], 0.05 / 5)[1:], 0) != "open" for part in every for n in looks(5_000))
    assert wrong / runs < 0.05 + 2.5 * (.05 * .95 / runs) ** .5
