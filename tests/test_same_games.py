"""Games and logs are those of the golden hashes; see support/same_games.py."""

import json

import pytest
import same_games
from paths import ROOT

from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.run import evolve

GOLDEN = json.loads(same_games.FILE.read_text(encoding="utf-8"))


def test_games_and_logs_are_what_they_were():
    found = same_games.small()
    assert found == {name: GOLDEN[name] for name in found}


@pytest.mark.slow
def test_many_games_are_what_they_were():
    found = same_games.many()
    assert found == {name: GOLDEN[name] for name in found}


@pytest.mark.slow
def test_the_reference_run_is_what_it_was(tmp_path):
    run = evolve(preset("paper-mirror"), tmp_path, "paper-mirror")
    assert (run / "log.csv").read_bytes() == (
        ROOT / "runs/reference/paper-mirror/log.csv"
    ).read_bytes()
