"""Runs of older versions: a run folder made by commit 542d5d9, with today's names of keys."""

import json
import shutil

import pytest
from paths import ROOT

from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import RunError, resume
from hanabi.rules import agents

OLD = ROOT / "tests/golden/run_of_542d5d9"


def sealed(record):
    """A record as older versions wrote it, without a checksum."""
    return json.dumps({key: value for key, value in record.items() if key != "checksum"})


@pytest.fixture
def stopped(tmp_path):
    """The old run, stopped after generation 2 of 4, as if made with the present packages."""
    folder = shutil.copytree(OLD / "stopped", tmp_path / "finished")
    record = json.loads((folder / "run.json").read_text())
    from hanabi.evolve.ga.individual import Problem
    from hanabi.evolve.ga.run_folder import read
    from hanabi.evolve.ga.versions import made_of

    config, _ = read(folder)
    record["versions"] = made_of(config, Problem.of(config))["versions"]
    (folder / "run.json").write_text(sealed(record))
    return folder


def test_an_old_run_is_shown_and_resumed(stopped):
    """It keeps its rows. Those that follow are of this version: families have separate streams."""
    run, before = Run(stopped), (stopped / "log.csv").read_bytes()
    assert run.config.local_search.early_margin == 0.3 and run.config.genome.variable_length
    assert (run.state.state, run.state.generation) == ("stopped", 2)
    resume(run, jobs=1)
    assert (run / "log.csv").read_bytes().startswith(before)
    for name in ("log.csv", "changes.csv", "race.csv"):
        assert (run / name).read_bytes() == (OLD / "finished" / name).read_bytes(), name
    lists = [agents.load(str(file / "best.toml")).lists for file in (run, OLD / "finished")]
    assert lists[0] == lists[1] != {}


def test_an_edited_old_config_is_noticed(stopped):
    file = stopped / "config.toml"
    file.write_text(
        file.read_text().replace("local_search_games = 1500", "local_search_games = 1501")
    )
    with pytest.raises(RunError, match="local_search_games was 1500 and is 1501"):
        resume(stopped)
