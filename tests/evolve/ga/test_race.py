"""The race keeps what it played, spends more on the better, and finds a good one; the final deals are written down."""
import numpy as np
from tiny import tiny

from evolve.ga.fitness import Evaluator, Setting, derive, summary
from evolve.ga.race import FINAL_COLUMNS, distinct, effective, note_final, race
from rules.agents import Agent


def orders_of(setting, count, seed=1):
    rng = np.random.default_rng(seed)
    return [list(map(int, rng.permutation(len(setting.rules)))) for _ in range(count)]


def test_sequential_halving_with_all_samples_kept():
    setting, rounds = Setting.of(tiny()), []
    orders = orders_of(setting, 11)
    with Evaluator(setting, 2) as play:
        entrants = race(play, orders, 4, 300, "kept", lambda done, of: rounds.append((done, of)))
        assert rounds == [(0, 4), (1, 4), (2, 4), (3, 4)]
        assert sorted(one.order for one in entrants) == sorted(map(tuple, orders))
        assert [one.rounds for one in entrants] == [4, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1] and len(
            [one for one in entrants if one.rounds == 4]) == 2, "11, 6, 3, 2 play the rounds"
        budget = sum(one.games for one in entrants)
        assert 11 * 300 <= budget < 1.1 * 11 * 300 and entrants[0].games == entrants[1].games >= 300
        assert entrants[0].mean >= entrants[1].mean
        for one in entrants:                     # the same deals from the first, for everybody
            points = play.play([list(one.order)], derive(4, "race"), one.games // 2).points("kept")
            mean, sem = summary(points)
            assert (one.mean, one.sem) == (mean[0], sem[0])
        assert race(play, orders, 4, 300, "kept") == entrants
        (alone,) = race(play, orders[:1], 4, 300, "kept")
        assert alone.games == 300


def test_the_race_finds_a_good_one():
    setting = Setting.of(tiny())
    orders = orders_of(setting, 40)
    with Evaluator(setting, 2) as play:
        truth, _ = summary(play.play(orders, 99, 1000).points("kept"))
        lost = [truth.max() - truth[orders.index(list(race(play, orders, seed, 200, "kept")[0].order))]
                for seed in range(10)]
    assert np.mean(lost) < 0.15 and max(lost) < 0.6


def test_finalists_differ_in_what_fires():
    setting = Setting.of(tiny())
    never, old, useful, safe = (setting.rules.index(f"toy.{name}") for name in ("never", "old", "useful", "safe"))
    orders = [[never, safe, useful, old], [safe, never, useful, old], [safe, useful, old, never],
              [old, safe, useful, never], [useful, safe, old, never]]
    with Evaluator(setting, 1) as play:
        taken = set()
        assert distinct(play, orders, 2, 1, taken) == [orders[0], orders[3]]
        assert distinct(play, orders, 5, 1, taken) == [orders[4]], "none that was taken before"
        fired = play.play(orders[:1], 1, 50).fired[0]
    assert effective(orders[0], fired) == (safe, useful, old)


def test_each_use_of_the_final_deals_is_written_down(tmp_path):
    setting = Setting.of(tiny())
    agent = Agent("ann", {"2": tuple(setting.find_rules()[:2])})
    for _ in range(2):
        note_final(tmp_path / "reference" / "finals.csv", agent, [{"players": "2", "games": 5, "mean_kept": 1.5}])
    lines = (tmp_path / "reference" / "finals.csv").read_text().splitlines()
    assert lines[0] == ",".join(FINAL_COLUMNS) and len(lines) == 3 and agent.hash in lines[1]
