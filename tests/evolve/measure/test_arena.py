"""The same seed gives every command the same games; points, errors, player counts."""

import numpy as np
import pytest
from tiny import RULES, tiny

from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.measure import arena
from hanabi.evolve.measure.ablation import lab
from hanabi.evolve.measure.arena import (
    Arena,
    deals,
    mean_sem,
    player_ranges,
    players_text,
    pooled,
    read_players,
)
from hanabi.evolve.measure.comparison import compare
from hanabi.evolve.measure.game_sums import FORFEITED, LIVES_LOST, points
from hanabi.evolve.measure.tournament import play_games, tournament
from hanabi.evolve.measure.workers import BACKENDS
from hanabi.rulebook import find
from hanabi.rules import load_rules
from hanabi.rules.agents import Agent, load
from hanabi.table import RuleFailedError


def agent(name, *rules):
    load_rules(RULES)
    return Agent(name, {"2-5": tuple(find(f"toy.{rule}") for rule in rules)})


@pytest.fixture
def toy():
    return agent("toy", "safe", "useful", "useless", "old", "anything")


@pytest.fixture
def games_played(monkeypatch):
    """The scores of every match that workers play, by (agent, players, place of the partner)."""
    seen, real = {}, arena.GameWorkers.pieces

    def pieces(self, matches, *progress, **how):
        of = {}
        for place, results in real(self, matches, *progress, **how):
            of.setdefault(place, []).append(results["score"])
            yield place, results
        for match, parts in zip(matches, of.values()):
            seen.setdefault((match.agent.name, match.players, match.place), []).append(
                np.concatenate(parts)
            )

    monkeypatch.setattr(arena.GameWorkers, "pieces", pieces)
    return seen


def test_the_same_seed_is_the_same_games_for_everybody(toy, games_played):
    task = Problem.of(tiny(players=[2, 4]))
    with Evaluator(task, 1) as evaluator:
        kept = evaluator.evaluate([Individual(rule.name for rule in toy.rules(2))], 6, 500).kept[0]
    other = agent("other", "old", "anything")
    for measure in (
        lambda: tournament([toy], players=[2, 4], games_each=500, seed=6),
        lambda: tournament([other, toy], players=[4, 2], games_each=500, seed=6),
        lambda: compare(toy, other, players=[2, 4], games=500, seed=6),
        lambda: lab(toy, [2, 4], 500, seed=6),
        lambda: [play_games(toy, n, 500, seed=6) for n in (2, 4)],
    ):
        games_played.clear()
        measure()
        for place, players in enumerate((2, 4)):
            assert np.array_equal(games_played["toy", players, 0][0], kept[place, 0])


def test_a_tournament_over_the_pool_of_a_run_is_the_games_of_that_run(toy, games_played, tmp_path):
    partners = [agent("one", "safe", "old", "anything"), agent("two", "useful", "old", "anything")]
    from hanabi.rules.agents import dumps

    for partner in partners:
        (tmp_path / f"{partner.name}.toml").write_text(dumps(partner))
    task = Problem.of(
        tiny(
            players=[3], mode="mixed", pool=[str(tmp_path / "one.toml"), str(tmp_path / "two.toml")]
        )
    )
    with Evaluator(task, 1) as evaluator:
        kept = evaluator.evaluate([Individual(rule.name for rule in toy.rules(3))], 6, 90).kept[
            0, 0
        ]
    tournament([toy], "mixed", partners, [3], 90, seed=6)
    for place in (0, 1):
        assert np.array_equal(games_played["toy", 3, place][0], kept[place])
    games_played.clear()
    tournament([*partners, toy], "cross", players=[3], games_each=90, seed=6)
    assert np.array_equal(games_played["toy", 3, 0][0], kept[0]), (
        "in cross play, the partner's place among the agents"
    )
    games_played.clear()
    lab(toy, [3], 90, beside=partners[0], seed=6)
    assert np.array_equal(games_played["toy", 3, 0][0], kept[0])


def test_every_backend_gives_the_same(toy):
    found = [
        tournament(
            [toy], "mixed", ["piers", "convention-simple"], [2, 3], 600, jobs=2, backend=backend
        ).rows.to_csv()
        for backend in BACKENDS
    ]
    found += [
        tournament(
            [toy], "mixed", ["piers", "convention-simple"], [2, 3], 600, jobs=1
        ).rows.to_csv()
    ]
    assert len(set(found)) == 1
    how = dict(players=[3], games=600, width=0.1, jobs=2)
    assert (
        len({str(compare(toy, "piers", "iggi", backend=backend, **how)) for backend in BACKENDS})
        == 1
    )


FAULTY = """
from hanabi.rulebook import rule

@rule(prefix="{name}.")
def raising(view):
    \"\"\"Raise late in the game.\"\"\"
    if view.turn > 9:
        raise IndexError("no such thing")
    return 0
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_fault_comes_from_any_worker(backend, tmp_path, untried):
    file = tmp_path / f"arena_{backend}.py"
    untried(file, FAULTY.format(name=file.stem))
    load_rules(file)
    load_rules(RULES)
    bad = Agent("bad", {"2": (find(f"{file.stem}.raising"), find("toy.old"))})
    with pytest.raises(RuleFailedError, match="raised IndexError: no such thing") as caught:
        tournament([bad], players=[2], games_each=20, jobs=2, backend=backend)
    assert caught.value.view.turn == 10


def test_deals_are_common_and_go_on():
    seeds, seats = deals(5, 3, 400, partner=1)
    later, later_seats = deals(5, 3, 300, first=100, partner=1)
    assert np.array_equal(later, seeds[100:]) and np.array_equal(later_seats, seats[100:])
    assert (
        len({*seeds, *deals(5, 2, 400)[0], *deals(6, 3, 400)[0], *deals(5, 3, 400, place=1)[0]})
        == 1600
    )
    assert (deals(5, 3, 9)[1] == 0).all() and (np.sort(seats) == [0, 1, 1]).all()


def test_seats_are_uniform():
    """30,000 seats of 5: each a fifth, within 4.5 standard errors."""
    share = (deals(1, 5, 30_000, partner=1)[1] == 0).mean(axis=0)
    assert np.abs(share - 0.2).max() < 4.5 * (0.16 / 30_000) ** 0.5


def test_points():
    scores, ends = np.array([7, 8, 9]), np.array([0, LIVES_LOST, FORFEITED])
    assert points(scores, ends, "kept").tolist() == [7, 8, 9]
    assert points(scores, ends, "zero").tolist() == [7, 0, 9], "a forfeited game keeps its points"


def test_mean_and_error():
    some = np.random.default_rng(1).integers(0, 26, (4, 3, 50)).astype(np.int8)
    mean, sem = mean_sem(some)
    assert np.allclose(mean, some.mean(axis=(1, 2)))
    assert np.allclose(sem, np.sqrt((some.var(axis=2, ddof=1) / 50).sum(axis=1)) / 3)
    for each in (some[0, 0], some[0, 0] / 7):
        assert np.allclose(mean_sem(each), (each.mean(), each.std(ddof=1) / 50**0.5))
    assert np.isnan(mean_sem(some[:, :, :1])[1]).all(), "a single game has no error"
    groups = [mean_sem(group) for group in some[0]]
    assert pooled(*zip(*groups)) == pytest.approx((mean[0], sem[0]))


def test_player_counts_read_back():
    for counts, text in [((2, 3, 4, 5), "2-5"), ((2, 4, 5), "2,4-5"), ((3,), "3"), ((2, 5), "2,5")]:
        assert players_text(counts) == text and tuple(read_players(text)) == counts
    assert player_ranges((2, 4, 5)) == ["2", "4-5"] and read_players("4,2-3") == [4, 2, 3]
    for text in ("", "6", "5-2", "two", "2-", "2;3"):
        with pytest.raises(ValueError, match="players .*: write player counts from 2 to 5"):
            read_players(text)


def test_an_arena_knows_what_can_be_played():
    assert (
        Arena().players == [2, 3, 4, 5]
        and Arena(variant="mini").players == [3]
        and Arena([4, 2]).players == [2, 4]
    )
    with pytest.raises(ValueError, match="no list for 2 players"):
        Arena([2]).check(load("piers"), None, Agent("three", {"3": load("piers").rules(3)}))
    for jobs in (0, -2):
        with pytest.raises(ValueError, match="jobs: .* should be 1 or more, or -1 for all cores"):
            Arena(jobs=jobs)


def test_a_file_that_nobody_plays_by_does_not_matter(toy, tmp_path, untried):
    """Workers read only the files of the agents that play, and report their errors."""
    file = tmp_path / "gone_since.py"
    untried(file, FAULTY.format(name="gone_since"))
    load_rules(file)
    file.unlink()
    first = tournament([toy], players=[2], games_each=300, jobs=2, backend="processes").rows
    assert first.to_csv() == tournament([toy], players=[2], games_each=300, jobs=1).rows.to_csv()
    with pytest.raises(ValueError, match="cannot read .*gone_since.py"):
        agent = Agent("gone", {"2-5": (find("gone_since.raising"),)})
        tournament([agent], players=[2], games_each=300, jobs=2, backend="processes")
