"""Play between the seeds of an experiment."""

from types import SimpleNamespace

import pandas as pd
import pytest

from hanabi.evolve.experiments import between_seeds
from hanabi.evolve.experiments.between_seeds import rows_between
from hanabi.evolve.experiments.plan import read
from hanabi.rules.agents import load

POINTS = {  # by agent and partner
    (1, 1): 20, (1, 2): 10, (1, 3): 14,
    (2, 1): 12, (2, 2): 21, (2, 3): 2,
    (3, 1): 16, (3, 2): 4, (3, 3): 23.5,
}  # fmt: skip
PLAN = """
says = "s"
between = 30
[runs.one]
config = { base = "quick" }
shares = "a config"
[references.free]
name = "free"
shares = "nothing"
pool = "evolved-best"
[references.other]
published = { 2 = 24.5 }
"""


@pytest.fixture
def played(monkeypatch):
    """What the games are asked for; they score POINTS, a point less with 3 players, kept 1 more."""
    asked = []

    def tournament(specs, mode, pool, counts, games_each, seed, jobs):
        asked.append((len(specs), mode, games_each, counts))
        rows = [
            dict(
                agent=specs[agent - 1].name,
                partner=specs[partner - 1].name,
                players=players,
                mean_zero=points - (players == 3),
                mean_kept=points - (players == 3) + 1,
                sem_zero=0.1,
                sem_kept=0.1,
            )
            for players in (2, 3)
            if players in counts
            for (agent, partner), points in POINTS.items()
        ]
        return SimpleNamespace(rows=pd.DataFrame(rows))

    monkeypatch.setattr(between_seeds, "tournament", tournament)
    return asked


def test_only_play_between_runs_counts(played):
    """Pairs: (10 + 12) / 2 = 11, (14 + 16) / 2 = 15 and (2 + 4) / 2 = 3 with 2 players."""
    agents = [load("convention"), load("pairs"), load("convention-simple")]
    rows = {row["row"]: row for row in rows_between(agents, 30, 1)}
    assert played == [(3, "cross", 30, [2, 3, 4, 5])]
    assert (rows["between"]["2"], rows["between"]["3"]) == (pytest.approx(29 / 3), 26 / 3)
    assert rows["between"]["mean"] == pytest.approx(55 / 6)
    assert (rows["worst pair"]["2"], rows["worst pair"]["3"]) == (3, 2)
    assert rows["mirror"]["2"] == 21.5 and rows["mirror, kept"]["2"] == 22.5
    assert rows["between, kept"]["3"] == pytest.approx(29 / 3)
    # 11, 15, 3 around 9.667: squares 1.78, 28.44, 44.44; / 2 = 37.33; / 3 = 12.44; root 3.528
    assert rows["pair error"]["2"] == pytest.approx(3.528, abs=0.001)
    assert rows["between"]["error"] == pytest.approx(3.528, abs=0.001)
    same = rows["same language"]
    assert (same["2"], same["3"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3)), (
        "pairs speaks as convention with 2 players only"
    )
    assert rows["rules"]["3"] == pytest.approx((14 + 14 + 9) / 3)
    simple = agents[2].list_at(2)
    sentences = [entry.says for entry in (*simple.rules, *simple.conventions)]
    [words] = {row["2"] for row in rows_between([agents[2]] * 3, 30, 1) if row["row"] == "words"}
    assert words == len(" ".join(sentences).split())
    assert {row["seeds"] for row in rows.values()} == {3}


def test_lists_play_at_the_counts_that_all_of_them_have(played):
    rows_between([load("conventions-3p/07-15"), load("convention"), load("pairs")], 30, 1)
    assert played == [(3, "cross", 30, [3])]


def test_what_the_runs_are_compared_with(played, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(PLAN)
    plan = read(str(file))
    free, other = plan.references
    assert (plan.between, plan.entries[0].shares, free.shares) == (30, "a config", "nothing")
    assert other.rows(30, 1) == [{"row": "published", "2": 24.5}]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("pool =", "pol =", "references.free: no key 'pol'.*pool"),
        ("2 = 24.5", "7 = 24.5", "references.other.published: no key '7'"),
        ("between = 30", "between = 1", "between: 1 should be 2 games or more"),
        ("between = 30", 'between = "x"', "between: 'x' should be 2 games or more"),
        ('pool = "evolved-best"', 'pool = "nowhere"', "no pool or agent 'nowhere'"),
    ],
)
def test_a_plan_that_makes_no_sense_is_said(tmp_path, old, new, words):
    file = tmp_path / "mine.toml"
    file.write_text(PLAN.replace(old, new))
    with pytest.raises(ValueError, match=words):
        read(str(file))
