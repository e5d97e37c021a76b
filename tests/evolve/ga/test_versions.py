"""What was edited on resume: every file of ours that a run imports, and no other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from tiny import tiny

from docs.generate.module_map import is_outer
from hanabi.evolve.ga import versions
from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.ga.run import RunError, evolve, resume
from hanabi.evolve.ga.versions import changes, made_of, sources
from hanabi.files import source_files

LOADED = """
import json, sys
from hanabi.evolve.ga.config import loads
from hanabi.evolve.ga.run import evolve
evolve(loads(open(sys.argv[1]).read()), sys.argv[2], jobs=1)
assert not {"starlette", "uvicorn", "vl_convert"} & set(sys.modules)
print(json.dumps([module.__file__ for name, module in sorted(sys.modules.items())
                  if name.partition(".")[0] == "hanabi" and getattr(module, "__file__", None)]))
"""


def test_every_module_that_a_run_loads_is_in_the_list(tmp_path):
    library = tiny(
        generations=1, rules=["cig2018"], rule_files=[]
    )  # a file of rules loads them all
    (tmp_path / "tiny.toml").write_text(library.text())
    said = subprocess.run(
        [sys.executable, "-c", LOADED, str(tmp_path / "tiny.toml"), str(tmp_path / "runs")],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stdout
    places = {path: place for place, path in source_files().items()}
    loaded = {places[Path(file)] for file in json.loads(said.splitlines()[-1])}
    assert {
        "hanabi/evolve/ga/run.py",
        "hanabi/evolve/ga/finals.py",
        "hanabi/evolve/measure/arena.py",
        "hanabi/many_individuals.py",
        "hanabi/rules/play.py",
        "hanabi/rules/museum/cig2018/play_rules.py",
        "hanabi/rules/agents/__init__.py",
    } <= loaded
    outer = {file for file in loaded if is_outer(Path(file.removeprefix("hanabi/")))}
    assert not outer and "hanabi/lookahead/__init__.py" not in loaded, "a run loads the core alone"
    assert loaded <= set(sources()), "the folders of a run"


def test_what_a_run_does_not_use_is_not_in_the_list():
    others = ("hanabi/evolve/cli", "hanabi/evolve/reports", "hanabi/evolve/bench")
    assert not [name for name in sources() if name.startswith(others)]


def test_rules_that_a_config_may_name_are_in_the_list():
    """Also those of the museum, which are imported when one of them is named."""
    assert {"hanabi/rules/museum/irvall/irvall_rules.py", "hanabi/rules/museum/zhao/uct.py"} <= set(
        sources()
    )


def edit(monkeypatch, *names):
    """As if some files had been edited."""
    monkeypatch.setattr(versions, "sources", lambda: sources() | dict.fromkeys(names, "0" * 12))


@pytest.mark.parametrize(
    "names, message",
    [
        (["evolve/ga/run.py"], r"evolve/ga/run\.py was edited"),
        (["hanabi/table.py"], r"hanabi/table\.py was edited"),
        (
            [f"rules/{name}.py" for name in "abcd"],
            r"rules/a\.py, rules/b\.py, rules/c\.py and 1 more were edited",
        ),
    ],
)
def test_an_edited_source_stops_a_resume(monkeypatch, tmp_path, names, message):
    run = evolve(tiny(generations=0), tmp_path, jobs=1)
    (run / "result.json").unlink()
    assert resume(run, jobs=1) == run
    (run / "result.json").unlink()
    edit(monkeypatch, *names)
    with pytest.raises(RunError, match=message):
        resume(run)


def test_an_edited_partner_stops_a_resume(tmp_path):
    Problem.of(tiny())  # enters the toy rules
    file = tmp_path / "partner.toml"
    file.write_text('name = "partner"\n[rules]\n2-5 = ["toy.safe", "toy.old"]\n')
    config = tiny(mode="mixed", pool=[str(file)])
    then = made_of(config, Problem.of(config))
    file.write_text("# a comment changes nothing\n" + file.read_text())
    assert changes(then, made_of(config, Problem.of(config))) == []
    file.write_text('name = "partner"\n[rules]\n2-5 = ["toy.old"]\n')
    assert changes(then, made_of(config, Problem.of(config))) == ["the pool's agents changed"]


def test_a_record_without_a_list_of_files_is_compared_as_a_whole():
    now = made_of(tiny(), Problem.of(tiny()))
    then = {key: value for key, value in now.items() if key != "files"}
    assert changes(then, now) == []
    assert changes(then | {"engine": "0" * 12}, now) == [
        "the source of hanabi, rules or evolve was edited"
    ]
