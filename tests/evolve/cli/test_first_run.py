"""The first run climbs from chance: the recorded one (docs/data/first-run.txt), and a new one."""

import re

import pytest
from paths import ROOT
from typed import typed

from hanabi.evolve.ga.config import preset

RECORDED = (ROOT / "docs/data/first-run.txt").read_text(encoding="utf-8")


def test_the_recorded_run_climbs_from_chance_to_a_short_list_without_forfeits():
    [(curve, first, last)] = re.findall(
        r"^Best by generation: (\S+) (\S+) to (\S+)$", RECORDED, re.M
    )
    assert float(first) < 8 and float(last) >= 19 and len(curve) == 51
    assert curve[0] == "▁" and curve[-1] == "▇" and len(set(curve)) >= 5, "it climbs in steps"
    [score] = re.findall(r"^Score on fresh deals \(kept\): (\S+) ±", RECORDED, re.M)
    assert float(score) >= 19 and "Forfeits" not in RECORDED
    [number] = re.findall(r"^The (\d+) rules: ", RECORDED, re.M)
    worths = re.findall(r"^ +[\d.]+% +\+([\d.]+) ± ([\d.]+)  ", RECORDED, re.M)
    assert len(worths) == int(number) <= 12
    assert all(float(worth) > 2 * float(error) for worth, error in worths)
    assert RECORDED.splitlines()[-1].split()[1] == "report"


def test_the_preset_starts_from_one_rule_of_chance_and_forfeits_nothing():
    config = preset("quick")
    assert config.genome.start == ("legal-random",) and config.genome.otherwise == "default"
    assert config.game.players == (3,) and not config.genome.conventions
    assert config.search.word_price > 0 and config.final.prune_games > 0


@pytest.mark.slow
def test_a_first_run_prints_what_is_recorded(tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    code, out, _ = typed("evolve", "--preset", "quick", "--seed", 1, "--quiet", folder=tmp_path)
    assert code == 0

    def numbers(text):
        return re.sub(r"\d{4}-\d\d-\d\d-quick", "RUN", text).split("Files in")[0]

    assert numbers(out) == numbers(RECORDED)
