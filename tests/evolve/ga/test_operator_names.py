"""Genetic operators by name: of DEAP, registered, or from a user's file."""

import random

import pytest
from tiny import tiny
from typed import typed

from hanabi.evolve.ga import operators
from hanabi.evolve.ga.config import read
from hanabi.evolve.ga.run import evolve, resume

MINE = """
from random import randrange

def reverse_part(rules):
    start = randrange(len(rules))
    rules[start:] = rules[start:][::-1]
    return (rules,)

def shorten(rules):
    rules.pop()

def fail(rules):
    raise KeyError("no such thing")

def needy(rules, alpha):
    pass
"""


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def small(**changes):
    return tiny(generations=2, population=6, final_games=4, race_games=4, **changes)


def test_operators_of_deap_change_the_run(tmp_path):
    logs = set()
    for number, changes in enumerate(
        [
            dict(),
            dict(select="selBest"),
            dict(mate="cxPartialyMatched"),
            dict(mutate="mutInversion"),
        ]
    ):
        run = evolve(small(**changes), tmp_path, f"run-{number}", jobs=1)
        logs.add((run / "log.csv").read_bytes())
    assert len(logs) == 4


def test_defaults_by_name_are_the_defaults(tmp_path):
    named = small(select="selTournament", mate="cxOrdered", mutate="mutShuffleIndexes")
    assert named == small() and named.hash() == small().hash()


def test_a_registered_operator(monkeypatch):
    monkeypatch.setitem(operators.OPERATORS, "select", dict(operators.OPERATORS["select"]))

    @operators.operator("select")
    def first_only(individuals, k):
        return [individuals[0]] * k

    found = operators.operators_of(small(select="first_only").search)
    assert found.select([3, 2, 1], 2) == [3, 3]


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(mate="cxOrderd"), "mate: no operator 'cxOrderd' .did you mean 'cxOrdered'"),
        (dict(select="cxOrdered"), "select: no operator 'cxOrdered'"),
        (dict(mate="cxBlend"), "mate: cxBlend needs alpha"),
        (dict(mate="cxOnePoint"), "mate: cxOnePoint should .* permutations"),
        (dict(mutate="{mine}:shorten"), "mutate: .*shorten should .* keep each entry"),
        (dict(mutate="{mine}:fail"), "mutate: .*fail raised KeyError: 'no such thing'"),
        (dict(mutate="{mine}:needy"), "mutate: .*needy needs alpha"),
        (dict(mutate="{mine}:reverse"), "no function 'reverse' .did you mean 'reverse_part'"),
        (dict(mutate="nowhere.py:f"), "cannot read .*nowhere.py"),
    ],
)
def test_a_bad_operator_is_named(change, message, mine, tmp_path):
    change = {key: value.format(mine=mine) for key, value in change.items()}
    before = random.getstate()
    with pytest.raises(ValueError, match=message) as caught:
        evolve(small(**change), tmp_path, jobs=1)
    assert "\n" not in str(caught.value) and random.getstate() == before
    assert not list(tmp_path.glob("*-evolution"))


def test_operators_of_a_file_run_and_resume_only_where_named(mine, tmp_path, monkeypatch):
    (tmp_path / "c.toml").write_text('base = "quick"\n[search]\nmutate = "mine.py:reverse_part"\n')
    assert read(tmp_path / "c.toml").search.mutate == f"{mine}:reverse_part"
    config = small(mutate=f"{mine}:reverse_part")
    run = evolve(config, tmp_path, jobs=1)
    log = (run / "log.csv").read_bytes()
    (run / "result.json").unlink()
    monkeypatch.delitem(operators.OPERATORS["mutate"], f"{mine}:reverse_part")
    with pytest.raises(ValueError, match="--operators"):
        resume(run, jobs=1)
    assert f"{mine}:reverse_part" not in operators.OPERATORS["mutate"]
    code, _, error = typed("evolve", "--resume", run.folder, "--jobs", 1)
    assert code == 2 and "--operators" in error
    resume(run, jobs=1, operators=[mine])
    assert (run / "log.csv").read_bytes() == log
    (run / "result.json").unlink()
    mine.write_text(MINE + "# edited")
    with pytest.raises(ValueError, match="the file of operators .* was edited"):
        resume(run, jobs=1, operators=[mine])
