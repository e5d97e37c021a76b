"""Median, lost starts and the mean without them, of seeds and of gains seed by seed."""

import numpy as np
import pandas as pd
import pytest

from hanabi.evolve.experiments.experiment import COLUMNS, lines_of
from hanabi.evolve.measure.seed_means import LOST, of_pairs, of_seeds


def test_a_lost_start_is_told_apart():
    """One seed far below the best of its entry: the median and the mean without it are told."""
    means = [19.3, 23.7, 24.0, 24.2]
    found = of_seeds(means)
    assert (found["median"], found["lost"]) == (23.85, 1)
    assert found["without"] == pytest.approx(np.mean(means[1:]))
    assert found["without_error"] == pytest.approx(np.std(means[1:], ddof=1))
    assert of_seeds([22.0, 20.1])["lost"] == 0 and of_seeds([22.0, 19.9])["lost"] == 1 and LOST == 2
    before = [23.5, 23.6, 23.7, 23.8]
    gain = of_pairs(means, before)
    assert gain["mean"] == pytest.approx(-0.85) and gain["median"] == pytest.approx(0.2)
    assert (gain["lost"], gain["without"]) == (1, pytest.approx(0.8 / 3))
    assert of_pairs(before, means)["lost"] == 1, "a start that the other entry lost"
    assert gain["without_error"] < gain["error"] / 9
    rows = pd.DataFrame(
        [
            dict(table="t", run="a", name="A", row="ours", seeds=4, mean=22.8) | found,
            dict(table="t", run="b", name="B", row="gain", seeds=4) | gain,
        ],
        columns=COLUMNS,
    )
    shown = [(line[1], line[2]) for line in lines_of(rows)["t"]]
    assert shown == [
        ("ours, 4 seeds", "22.80 ± 2.34"),
        ("median", "23.85"),
        ("without 1 lost start", "23.97 ± 0.25"),
        ("gain", "-0.850 ± 3.559"),
        ("median", "+0.200"),
        ("without 1 lost start", "+0.267 ± 0.379"),
    ]


def test_intervals_that_hold_together_are_wider():
    """Bonferroni: an error of 5 % is shared by the arms."""
    ours, theirs = [20.1, 20.4, 19.9, 20.8, 20.2], [19.8, 19.9, 20.0, 20.1, 20.0]
    gains = np.array(ours) - theirs
    sem = gains.std(ddof=1) / 5**0.5
    for arms, quantile in ((1, 2.776), (4, 4.315)):  # Student's, 4 degrees: 0.025, 0.00625
        found = of_pairs(ours, theirs, arms)
        assert found["error"] == pytest.approx(quantile * sem, rel=1e-3)
        assert found["sees"] > found["error"] and found["mean"] == pytest.approx(gains.mean())
