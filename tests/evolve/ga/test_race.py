"""The race keeps games, spends more on better ones; uses of the final deals are noted."""

import numpy as np
import pytest
from tiny import orders, tiny

from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.run import resume
from hanabi.evolve.ga.winner import FINAL_COLUMNS, distinct, effective, note_final, race
from hanabi.evolve.measure.arena import derive, mean_sem
from hanabi.rules.agents import Agent


def test_sequential_halving_with_all_samples_kept():
    task, rounds = Problem.of(tiny()), []
    individuals = orders(task, 11)
    with Evaluator(task, 2) as evaluator:
        entrants = race(
            evaluator, individuals, 4, 300, "kept", lambda done, of: rounds.append((done, of))
        )
        assert rounds == [(0, 4), (1, 4), (2, 4), (3, 4)]
        assert {one.individual for one in entrants} == set(individuals) and len(entrants) == 11
        assert [one.rounds for one in entrants] == [4, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1] and len(
            [one for one in entrants if one.rounds == 4]
        ) == 2, "11, 6, 3, 2 play the rounds"
        budget = sum(one.games for one in entrants)
        assert 11 * 300 <= budget < 1.1 * 11 * 300 and entrants[0].games == entrants[1].games >= 300
        assert entrants[0].mean >= entrants[1].mean
        for one in entrants:  # the same deals from the first, for everybody
            points = evaluator.evaluate([one.individual], derive(4, "race"), one.games // 2).points(
                "kept"
            )
            mean, sem = mean_sem(points)
            assert (one.mean, one.sem) == (mean[0], sem[0])
        assert race(evaluator, individuals, 4, 300, "kept") == entrants
        (alone,) = race(evaluator, individuals[:1], 4, 300, "kept")
        assert alone.games == 300


def test_the_race_finds_a_good_one():
    task = Problem.of(tiny())
    individuals = orders(task, 40)
    with Evaluator(task, 2) as evaluator:
        truth, _ = mean_sem(evaluator.evaluate(individuals, 99, 1000).points("kept"))
        lost = [
            truth.max()
            - truth[
                individuals.index(race(evaluator, individuals, seed, 200, "kept")[0].individual)
            ]
            for seed in range(10)
        ]
    assert np.mean(lost) < 0.15 and max(lost) < 0.6


def test_finalists_differ_in_what_fires():
    task = Problem.of(tiny())
    never, old, useful, safe = (f"toy.{name}" for name in ("never", "old", "useful", "safe"))
    individuals = [
        Individual(rules)
        for rules in (
            [never, safe, useful, old],
            [safe, never, useful, old],
            [safe, useful, old, never],
            [old, safe, useful, never],
            [useful, safe, old, never],
        )
    ]
    with Evaluator(task, 1) as evaluator:
        taken = set()
        assert distinct(evaluator, individuals, 2, 1, taken) == [individuals[0], individuals[3]]
        assert distinct(evaluator, individuals, 5, 1, taken) == [individuals[4]], (
            "none that was taken before"
        )
        fired = evaluator.evaluate(individuals[:1], 1, 50).fired[0]
    assert effective(individuals[0], fired) == (safe, useful, old)


def test_each_use_of_the_final_deals_is_written_down(tmp_path):
    task = Problem.of(tiny())
    agent = Agent("ann", {"2": tuple(task.find_rules()[:2])})
    for _ in range(2):
        note_final(
            tmp_path / "reference" / "finals.csv",
            agent,
            [{"players": "2", "games": 5, "mean_kept": 1.5}],
        )
    lines = (tmp_path / "reference" / "finals.csv").read_text().splitlines()
    assert lines[0] == ",".join(FINAL_COLUMNS) and len(lines) == 3 and agent.hash in lines[1]


def test_a_kept_run_may_count_lost_games_zero_from_a_generation_on(tmp_path):
    """In fitness, trials, hall of fame and race; log.csv has kept points."""
    found = {}
    for zero_from in (0, 2, 99):
        evolution, means = Evolution(tiny(zero_from=zero_from, generations=3), jobs=1), []
        for _ in evolution:
            fitness = [one.fitness.values[0] for one in evolution.population]
            means.append(sum(fitness) / len(fitness))
        assert all(entry[1] >= 2 for entry in evolution.state["hall"]) == (zero_from == 2)
        run = resume(evolution.save(tmp_path / str(zero_from)), jobs=1)
        assert run.config.game.scoring == "kept"
        found[zero_from] = np.array(means), run.log["mean"].to_numpy(), run.race["mean"].mean()
    kept, zero, never = found.values()
    assert kept[0] == pytest.approx(kept[1], abs=1e-5) and (kept[0] == never[0]).all()
    assert zero[0][:2] == pytest.approx(kept[0][:2]) and kept[2] == never[2]
    assert (zero[0][2:] < zero[1][2:] - 0.1).all() and zero[2] < kept[2], "some games are lost"


def test_a_run_that_counts_lost_games_zero_keeps_its_hall_of_fame():
    """Its scoring does not change at ``zero_from``: fitness before and after can be compared."""
    evolution = Evolution(tiny(scoring="zero", zero_from=2, generations=2), jobs=1)
    for _ in evolution:
        pass
    assert {entry[1] for entry in evolution.state["hall"]} & {0, 1}
