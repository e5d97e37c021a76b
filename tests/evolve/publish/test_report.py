"""The page of a run holds its curve, its agent and its scores, and is the same whenever it is made."""
import pytest

from evolve.ga.config import override, preset
from evolve.ga.run import evolve
from evolve.publish.report import report
from rules.agents import load

SMALL = ["population=10", "elitism=2", "generations=2", "games=2", "race_games=20", "final_games=50", "players=[3]"]


def test_a_page_holds_the_run(tmp_path):
    run = evolve(override(preset("quick"), SMALL), tmp_path, jobs=1)
    path = report(run)
    page = path.read_text()
    agent = load(str(run / "best.toml"))
    assert "<svg" in page and f"{agent.provenance['score']:.3f} ±" in page
    for rule in agent.rules(3):
        assert rule.name in page
    assert page.count("%</td>") >= len(agent.rules(3))
    assert report(run).read_text() == page, "made again, the same"


def test_a_folder_that_is_no_finished_run_is_one_line(tmp_path):
    with pytest.raises(ValueError, match="is not a run folder"):
        report(tmp_path)
