"""Games and logs are those of the golden hashes; see support/same_games.py."""

import json

import pandas as pd
import pytest
import same_games
from paths import ROOT

from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.run import evolve

GOLDEN = json.loads(same_games.FILE.read_text(encoding="utf-8"))


def test_games_and_logs_are_what_they_were():
    found = same_games.small()
    assert found == {name: GOLDEN[name] for name in found}


def test_playthroughs_are_what_they_were():
    """A readable diff: which move of which agent changed, and the rule behind it."""
    played = same_games.playthroughs()
    assert {path.name for path in same_games.PLAYTHROUGHS.iterdir()} == set(played)
    for file, text in played.items():
        assert text == (same_games.PLAYTHROUGHS / file).read_text(encoding="utf-8"), file


@pytest.mark.slow
def test_many_games_are_what_they_were():
    found = same_games.many()
    assert found == {name: GOLDEN[name] for name in found}


@pytest.mark.slow
def test_the_reference_run_is_what_it_was(tmp_path):
    """In each column of the committed log; a log of today has columns of diversity, too."""
    run = evolve(preset("paper-mirror"), tmp_path, "paper-mirror")
    found, known = (
        pd.read_csv(folder / "log.csv", dtype=str)
        for folder in (run, ROOT / "runs/reference/paper-mirror")
    )
    assert found[list(known)].equals(known)
