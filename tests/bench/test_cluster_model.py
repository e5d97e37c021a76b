"""The model of large clusters says what a hand can work out, and docs/guides/many-machines.md shows what it says
of the data.
"""

import json

import pytest
from paths import ROOT

from bench import cluster_cost, thread_model
from bench.cluster_cost import Costs, cut, limit, simulated, tables
from bench.thread_model import Round, Task

FREE = Costs(0, 0, 0, 0)
CALL = [(10_000, 1.0, 100)] * 4  # four individuals, a second each


def test_without_costs_two_workers_are_twice_as_fast():
    for workers in (1, 2, 4):
        row = simulated([CALL, CALL], workers, FREE, 1, False)
        assert row["seconds"] == pytest.approx(8 / workers) and row["speed"] == pytest.approx(
            workers
        )
        assert row["idle"] == pytest.approx(0) and row["came"] == pytest.approx(800)
        assert limit(row, workers) == "nothing"


def test_each_batch_costs_its_sending_its_taking_and_each_call_its_answer():
    row = simulated([CALL, CALL], 2, Costs(0.1, 0.2, 0.5, 1_000), 1, False)
    # of each call four batches of a second and 0.2: they begin at 0.1, 0.2, 1.3 and 1.4; the last
    # ends at 2.6, and 0.5 later it is known
    assert row["batches"] == 8 and row["seconds"] == pytest.approx(2 * (1.4 + 1.2 + 0.5))
    assert row["sent"] == 8_000 and row["sending"] == pytest.approx(0.8 / row["seconds"])
    assert row["idle"] == pytest.approx(1 - 8 * 1.2 / (2 * row["seconds"]))


def test_what_limits_is_said():
    dear, late = Costs(0.5, 0, 0, 0), Costs(0.001, 0, 100, 0)
    assert limit(simulated([CALL], 64, dear, 1, False), 64) == "sending batches"
    assert (
        limit(simulated([CALL], 64, late, 1, False), 64)
        == "waiting for the last answer of each call"
    )


def test_a_cluster_gets_fewer_and_larger_batches():
    requests = [
        cluster_cost.Request(cluster_cost.Individual((str(place),)), 0, 0, 560)
        for place in range(200)
    ]
    near, far = (cut(requests, 8, 1, False, far=kind)[0] for kind in (False, True))
    assert (len(near), len(far)) == (64, 16)
    assert all(
        sum(piece.games for some in tasks for piece in some) == 112_000 for tasks in (near, far)
    )
    assert len(cut(requests, 1_000, 1, False)[0]) <= 112_000 // 2_500 + 1


@pytest.mark.skipif(
    not (ROOT / cluster_cost.DATA).exists(),
    reason=f"no {cluster_cost.DATA}: {cluster_cost.COMMAND}",
)
def test_the_tables_show_the_data():
    rows = json.loads((ROOT / cluster_cost.DATA).read_text(encoding="utf-8"))["results"]
    assert tables(rows) != tables([row | {"value": row["value"] * 2} for row in rows])


ROUND = Round(-1, 0.0, [Task(0.0, 1.0)] * 4)


@pytest.mark.parametrize(
    ("rounds", "end", "workers", "seconds"),
    [
        ([ROUND], 0.0, 2, 2.0),
        ([ROUND], 0.5, 4, 1.5),
        ([ROUND._replace(python=0.25)], 0.0, 4, 0.25 + 4 * 0.125 + 1),  # it gives out each task
        ([Round(-1, 0.0, [Task(1.0, 0.0)] * 2)], 0.0, 2, 2.0),  # Python runs one part at a time
        ([ROUND, ROUND._replace(after=0)], 0.0, 8, 2.0),
        ([ROUND, ROUND], 0.0, 8, 1.0),  # a search that needs no answer of the other
    ],
)
def test_threads_share_cores_and_run_python_one_at_a_time(rounds, end, workers, seconds):
    sent = 0.125 if rounds[0].python else 0.0
    assert thread_model.simulated(rounds, end, workers, sent) == pytest.approx(seconds)


def test_the_table_of_threads_shows_the_data():
    rows = json.loads((ROOT / thread_model.DATA).read_text(encoding="utf-8"))["results"]
    for row in rows:
        if row["unit"] == "times one core":
            assert f"{row['value']:.2f}" in thread_model.table(rows)
