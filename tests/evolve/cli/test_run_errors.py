"""Run folders that are damaged or cannot be used are told of in one line that teaches."""
import json

import pytest
from folders import lay_out, refused, tree
from tiny import tiny
from typed import typed

from evolve.ga.run import evolve


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """(A finished tiny run, what its folder holds)."""
    folder = evolve(tiny(generations=2), tmp_path_factory.mktemp("runs") / "runs", name="tiny", jobs=1)
    return folder, tree(folder)


def changed(text, **keys):
    return json.dumps({key: value for key, value in (json.loads(text) | keys).items() if value is not None})


RUNS = [                                     # (words, {file of the run: what it becomes or None}, message)
    ("resume RUN", {"run.json": "{"}, "run.json is not JSON: Expecting property name"),
    ("resume RUN", {"run.json": "[]"}, "are damaged (run.json should be a table): put a copy back, or start a new run"),
    ("resume RUN", {"run.json": lambda text: changed(text, versions=None)}, "are damaged (run.json has no good "
     "'versions')"),
    ("resume RUN", {"run.json": lambda text: changed(text, pool={})}, "are damaged (run.json has no good 'pool')"),
    ("resume RUN", {"run.json": b"\xff"}, "are damaged"),
    ("resume RUN", {"config.toml": None}, "config.toml: no such file or directory"),
    ("resume RUN", {"config.toml": "x"}, "config.toml is not TOML"),
    ("resume RUN", {"config.toml": lambda text: text.replace("population = 8", "population = 9")},
     "config key population was 8 and is 9. Undo this, or start a new run"),
    ("resume RUN", {"run.json": lambda text: text.replace('"numpy": "', '"numpy": "0.')}, "numpy was version 0."),
    ("resume RUN", {"run.json": lambda text: text.replace('"toy.never"', '"toy.ever"')}, "the rule set changed "
     "(gone: toy.ever"),
    ("resume RUN --extend-to 2", {}, "--extend-to 2: RUN goes to generation 2 as it is"),
    ("resume RUN --extend-to 0", {}, "Invalid value for '--extend-to'"),
    ("resume RUN --extend-to 99999999", {}, "generations: 99999999 is out of its range"),
    ("resume RUN", {"result.json": None, "checkpoint-0000002.json": b"", "checkpoint-0000001.json": b"x"},
     "no whole checkpoint is left in RUN"),
    ("resume RUN", {"result.json": None, "checkpoint-0000002.json": None, "checkpoint-0000001.json": None},
     "no checkpoint is left in RUN, though its log has rows. Start a new run"),
    ("resume RUN --jobs 0", {}, "jobs: 0 should be 1 or more"),
    ("resume RUN", {"best.toml": None}, "best.toml: no such file"),
    ("export RUN", {"result.json": None}, "RUN has not finished; go on with: hanabi resume RUN"),
    ("export RUN", {"result.json": "x"}, "result.json is not JSON: Expecting value"),
    ("export RUN", {"best.toml": None}, "best.toml: no such file or directory"),
    ("export RUN", {"best.toml": b"\xff"}, "best.toml was changed after the run; its scores hold no longer"),
    ("export RUN -o no/agent.toml", {}, "cannot write no/agent.toml: no such file or directory"),
    ("runs RUN", {}, "RUN is a run itself: `hanabi runs"),
]


@pytest.mark.parametrize("words, files, message", RUNS)
def test_a_run_that_cannot_be_used_is_told_in_one_line(words, files, message, run, tmp_path):
    folder, whole = run
    copy = tmp_path / "some-run"
    lay_out(copy, {name: data for name, data in whole.items() if files.get(name, "") is not None} | {
        name: data(whole[name].decode()) if callable(data) else data for name, data in files.items() if data is not None})
    (copy / "lock").touch()
    refused(words.replace("RUN", "some-run"), tmp_path, message.replace("RUN", "some-run"))


def test_damaged_runs_are_listed_as_broken(run, tmp_path):
    _, whole = run
    damage = {"a": {"run.json": b"[]"}, "b": {"result.json": b"3"}, "c": {"result.json": b'{"results": []}'},
              "d": {"config.toml": b"\xff"}, "e": {}}
    for name, files in damage.items():
        lay_out(tmp_path / name, whole | files)
    code, out, _ = typed("runs", tmp_path, "--json")
    assert code == 0
    assert [state["state"] for state in json.loads(out)] == ["broken"] * 4 + ["done"]
