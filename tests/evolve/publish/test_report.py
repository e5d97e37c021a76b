"""The page of a run holds its curve, its agent and its scores, and is the same whenever it is made."""
import json
from types import SimpleNamespace

import pandas as pd
import pytest
from tiny import tiny

from evolve.ga.config import override, preset
from evolve.ga.run import evolve
from evolve.publish.report import page_of, report
from hanabi.rule import find
from rules.agents import Agent, dumps, load

SMALL = ["population=10", "elitism=2", "generations=2", "games=2", "race_games=20", "final_games=50", "players=[3]"]


def test_a_page_holds_the_run(tmp_path):
    run = evolve(override(preset("quick"), SMALL), tmp_path, jobs=1)
    path = report(run)
    page = path.read_text()
    agent = load(str(run / "best.toml"))
    assert "<svg" in page and f"{agent.provenance['score']:.3f} ±" in page
    for rule in agent.rules(3):
        assert rule.name in page
    assert page.count("%</td>") == sum(map(len, shares_of(run).values())), "a share per rule, where the run wrote them"
    assert report(run).read_text() == page, "made again, the same"


def shares_of(run):
    return json.loads((run / "result.json").read_text()).get("shares", {})


LOG = pd.DataFrame(dict(generation=[0, 1], best=[3.0, 4.0], best_sem=[0.1, 0.1], mean=[1.0, 2.0], mean_sem=[0.1, 0.1]))
RESULT = dict(results=[dict(players="2", games=9, mean_kept=1.5), dict(players="2-3", games=None, mean_kept=2.25)])


def test_shares_come_from_the_result_and_text_is_escaped(tmp_path):
    file = tmp_path / "agent.toml"
    agent = Agent("a <b> & c", {"2-3": (find("cig2018.play_safe_card"), find("cig2018.osawa_discard"))}, "default", "",
                  dict(score=1.5, sem=0.25, games=1000, scoring="kept", pool=["<i>", "piers"]))
    file.write_text(dumps(agent, {"2-3": [0.5, 0.25]}))
    page = page_of(str(file), RESULT, {"": LOG})
    assert "<b>" not in page and "a &lt;b&gt; &amp; c" in page and "&lt;i&gt;, piers" in page
    assert "%</td>" not in page and "of moves" not in page, "comments of the file are not read"
    assert "over\n1,000 games" in page and "<td>2.250</td>" in page and "None" not in page
    page = page_of(str(file), RESULT | {"shares": {"2-3": [0.125, 0.875]}}, {"": LOG})
    assert page.index("12.5%") < page.index("87.5%") and page.count("%</td>") == 2


def test_a_page_that_cannot_be_written_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr("evolve.publish.export.export", lambda folder: "")
    monkeypatch.setattr("evolve.publish.report.page_of", lambda *_: "page")
    monkeypatch.setattr("evolve.ga.result.Run", lambda folder: SimpleNamespace(config=tiny(), parts=[]))
    row = dict(mean_kept=1, sem_kept=0, mean_zero=1, sem_zero=0)
    (tmp_path / "result.json").write_text(json.dumps(dict(best_toml="", results=[row])))
    (tmp_path / "log.csv").write_text("generation\n")
    (tmp_path / "report.html").mkdir()
    with pytest.raises(ValueError, match="^cannot write .*report.html: it is a folder$"):
        report(tmp_path)


def test_a_folder_that_is_no_finished_run_is_one_line(tmp_path):
    with pytest.raises(ValueError, match="is not a run folder"):
        report(tmp_path)
