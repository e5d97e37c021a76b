"""The scripts in examples/ run and print what they promise; each stays short."""

import runpy

import pytest
from paths import ROOT
from typed import own_rules

from hanabi.evolve.measure.move_table import write_moves
from hanabi.rules.agents import load

TRAINING = ROOT / "examples/train_best_response.py"  # needs the extra "train"
SCRIPTS = sorted(set((ROOT / "examples").glob("*.py")) - {TRAINING})
SMALL = {  # what each script's main is called with here, and what it prints
    "own_rule": (
        (100,),
        [
            "bold with 2-5 players: the first rule that applies decides",
            "\n    Otherwise discard",
            "careful ",
            "± ",
        ],
    ),
    "evolve_and_show": (
        ("population=20", "elitism=2", "generations=2", "race_games=50", "final_games=100"),
        [
            "evolution: done, mirror, 3 players, generation 2 of 2",
            "evolution with 3 players: the first rule",
            "points on average; the best game has",
            "moves = [",
        ],
    ),
    "deap_operators": ((6, 2, 1), ["gen\tnevals\tbest", "\n2  \t", " points:\n  "]),
    "learn_from_moves": ((), [" observations, ", "plays, discards, hints: ", " points at the end"]),
    "plain_player": ((3,), ["piers, careful, piers: ", " points over 3 games", "\ncareful "]),
    "what_bob_knows": (
        (),
        [
            "Before the hint",
            "Bob knows: playable and dispensable. This is common knowledge.",
        ],
    ),
}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_runs(script, tmp_path, capsys):
    given, wanted = SMALL[script.stem]
    with own_rules():
        main = runpy.run_path(str(script))["main"]
        if script.stem == "learn_from_moves":
            given = (str(write_moves([load("piers")], str(tmp_path / "m.parquet"), games=3).path),)
        main(*([tmp_path] if script.stem == "evolve_and_show" else []), *given)
    printed = capsys.readouterr().out
    assert all(words in printed for words in wanted), printed
    assert len(script.read_text(encoding="utf-8").splitlines()) < 40
    assert script.read_text(encoding="utf-8").startswith('"""')


def test_each_example_is_run():
    assert {script.stem for script in SCRIPTS} == set(SMALL)


def test_the_training_example_is_short_and_trains_where_torch_is(tmp_path, monkeypatch):
    assert len(TRAINING.read_text(encoding="utf-8").splitlines()) <= 200
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(TRAINING))["main"]("piers", "policy.onnx", 16_384)
    assert load("policy:policy.onnx").plays(2)
    assert (tmp_path / "policy.csv").read_text(encoding="utf-8").startswith("steps,games,points")
