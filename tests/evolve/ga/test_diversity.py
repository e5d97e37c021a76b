"""How much two lists of a generation have in common, against a slow twin."""

import math
from random import Random

import pytest
from paths import ROOT
from tiny import tiny

from hanabi.evolve.ga.individual import Individual, common_share
from hanabi.evolve.ga.run import evolve


def slow_common_share(individuals):
    """Pair by pair, entry by entry."""
    shares = []
    for place, one in enumerate(individuals):
        for other in individuals[:place]:
            both = either = 0
            for part in ("rules", "conventions"):
                mine, theirs = getattr(one, part), getattr(other, part)
                for entry in dict.fromkeys([*mine, *theirs]):
                    either += 1
                    both += entry in mine and entry in theirs
            shares.append(both / either if either else 1.0)
    return sum(shares) / len(shares)


def test_it_is_that_of_the_slow_twin():
    random, names = Random(5), [f"rule {number}" for number in range(12)]
    for size in (2, 3, 17):
        some = [
            Individual(
                random.sample(names, random.randint(0, 6)),
                random.sample(names, random.randint(0, 3)),
            )
            for _ in range(size)
        ]
        assert common_share(some) == pytest.approx(slow_common_share(some), abs=1e-12)


def test_it_counts_entries_of_both_among_entries_of_either():
    one, other = Individual(["a", "b"], ["c"]), Individual(["b", "a", "c"], ["c"])
    assert common_share([one, other]) == 3 / 4, "a rule and a convention of a name differ"
    assert common_share([one, Individual(["b", "a"], ["c"])]) == 1, "order does not count"
    assert common_share([one, Individual(["x"])]) == 0
    assert common_share([Individual([]), Individual([])]) == 1
    assert math.isnan(common_share([one]))


def test_a_run_writes_it_for_the_lists_as_they_play(tmp_path):
    """Of an order of which three rules are read, three count."""
    log = evolve(tiny(order_length=3, generations=3), tmp_path, jobs=1).log
    assert log["individuals"].tolist() == [8] * 4
    assert (log["common"] < 1).all() and (log["common"] > 0).all()
    assert log["common"].iloc[-1] > log["common"].iloc[0], "selection makes them alike"


def test_an_old_log_has_no_such_columns():
    old = (ROOT / "tests/golden/run_of_542d5d9/finished/log.csv").read_text()
    assert "common" not in old.partition("\n")[0]
