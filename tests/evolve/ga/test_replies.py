"""A run that evolves replies: for the whole pool, for each partner, and the response table."""

import pytest
from tiny import tiny

from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.measure.tournament import tournament
from hanabi.rules.agents import load

MIXED = dict(
    mode="mixed",
    pool=["piers", "cig2018:8,22"],
    replies=True,
    population=3,
    elitism=1,
    generations=1,
    games=2,
    race_games=4,
    final_games=6,
)


@pytest.mark.parametrize("lists", [[], ["2", "3"]])
def test_a_run_of_replies_writes_a_response_table(tmp_path, lists):
    run = evolve(tiny(**MIXED, lists=lists), tmp_path, jobs=1)
    names = ["anybody", "piers", "cig2018:8,22"]
    assert [part.name for part in run.parts] == [
        f"{name} {text}".strip() for name in names for text in lists or [""]
    ]
    agent = load(f"partners:{run / 'replies.toml'}")
    table = agent.kind.responses
    assert list(table.partners) == names[1:] and list(table.replies) == names == list(table.scores)
    assert (
        table.replies["anybody"].lists == run.agent.lists
        and table.partners["piers"].lists == load("piers").lists
    )
    for part in run.parts:
        name, _, text = part.name.partition(" ")
        assert all(
            table.replies[name].at(players) == part.agent.at(players)
            for players in ([int(text)] if text else [2, 3])
        )
    before = (run / "replies.toml").read_bytes()
    (run / "result.json").unlink()
    (run / "replies.toml").unlink()
    assert (resume(run.folder, jobs=1) / "replies.toml").read_bytes() == before
    assert len(tournament([agent], "mixed", ["piers"], [3], 2, jobs=1).rows) == 1


@pytest.mark.parametrize(
    "changes, says",
    [
        (dict(mode="mirror", pool=[]), "replies: true is for mode"),
        (dict(lists=["2", "3"], inherit=["3"]), "leave inherit out"),
        (dict(pool=["piers", "piers"]), "pool: piers, piers should be different names"),
    ],
)
def test_a_config_for_replies_teaches(changes, says):
    with pytest.raises(ValueError, match=says):
        tiny(**MIXED | changes)
