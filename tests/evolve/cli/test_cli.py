"""The commands as a user types them. (In processes of their own: test_processes.py.)"""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest
from command import hanabi
from paths import ROOT
from typed import typed

from hanabi.game_record import Game
from hanabi.rules.agents import NAMED, POOLS, load, loads, member_specs


def test_help_and_version():
    assert "tournament" in hanabi("--help") and "tournament" in hanabi("-h")
    assert "--games" in hanabi("tournament", "--help")
    assert hanabi("--version").startswith("hanabi ")


def test_rules_and_agents():
    assert "Play my first card that can only be playable." in hanabi("rules", "cig2018")
    listed = json.loads(hanabi("rules", "cig2018", "--json"))
    assert len(
        json.loads(hanabi("rules", "--conventions", "says", "--json"))
    ) == 80 and "order_other(seat=1, slot=0)" in hanabi("rules", "--conventions")
    assert [entry["number"] for entry in listed] == list(range(72))
    assert listed[6]["values"] == {"chance": 0.6}
    assert loads(hanabi("export", "convention-simple")) == load("convention-simple")
    named = {agent["name"]: agent for agent in json.loads(hanabi("agents", "--json"))}
    assert named["pairs"]["book"] == "convention (2), pairs (3-5)"
    assert named["piers"]["rules"]["2-5"][1] == "cig2018.play_safe_card" and "piers" in hanabi(
        "agents"
    )


def test_pools_are_listed_and_described():
    shown, listed = hanabi("pool", "list"), json.loads(hanabi("pool", "list", "--json"))
    assert [entry["name"] for entry in listed] == [*POOLS]
    assert all(entry["says"] and entry["agents"] == member_specs(entry["name"]) for entry in listed)
    assert shown.startswith("9 pools") and all(name in shown for name in POOLS)


def test_where_an_agent_differs_from_its_source_is_shown_as_text(tmp_path, monkeypatch):
    hostile = "[red]no[/red] [/bold] | `x` {y} [link=http://e.org]"
    (tmp_path / "odd.toml").write_text(
        f"differs = '{hostile}'\nrules.'2-5' = ['cig2018.play_safe_card']\n"
    )
    monkeypatch.setitem(NAMED, "odd", tmp_path / "odd.toml")
    monkeypatch.setenv("COLUMNS", "110")
    assert f"{hostile}\n" in hanabi("agents")
    assert {agent["name"]: agent["differs"] for agent in json.loads(hanabi("agents", "--json"))}[
        "odd"
    ] == hostile
    assert hanabi("export", "odd").splitlines()[1] == f'differs = "{hostile}"'
    assert "in no recorded move of the 2018 program" in hanabi("export", "piers").splitlines()[2]


def test_show_prints_a_game_and_writes_one_that_reads_back(tmp_path):
    text = hanabi("show", "piers", "--players", 3, "--seed", 7)
    assert "Cal" in text and "cig2018.play_safe_card" in text
    data = json.loads(
        hanabi("show", "piers", "--players", 3, "--seed", 7, "--json", "-o", tmp_path / "game.toml")
    )
    assert data["players"] == 3 and data["turns"][0]["seat"] == "Ann"
    assert Game.read((tmp_path / "game.toml").read_text()).score == data["score_kept"]
    assert hanabi("show", tmp_path / "game.toml") == text
    assert "Ann (piers), Bob (iggi)" in hanabi("show", "piers", "iggi")


def test_tournament_prints_writes_and_says_the_same(tmp_path):
    words = ("tournament", "piers", "iggi", "--players", "2,4", "--games", 200, "--seed", 3)
    rows = pd.DataFrame(json.loads(hanabi(*words, "--json", "-o", tmp_path / "rows.csv")))
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "rows.csv"), rows, check_dtype=False)
    shown = hanabi(*words)
    assert "± " in shown and f"{rows['mean_kept'][0]:.2f}" in shown


def test_a_small_evolution_from_config_to_tournament(tmp_path):
    (tmp_path / "small.toml").write_text("""
variant = "mini"
players = [3]
rules = ["cig2018"]
mode = "mirror"
population = 12
generations = 3
games = 5
crossover_probability = 0.9
mutation_probability = 0.1
tournament_size = 3
elitism = 2
seed = 1
scoring = "kept"
otherwise = "forfeit"
finalists = 2
race_games = 50
final_games = 200
""")
    out = hanabi(
        "evolve",
        "small.toml",
        "--name",
        "try",
        "--set",
        "population=14",
        "--seed",
        5,
        "--jobs",
        2,
        folder=tmp_path,
    )
    (run,) = (tmp_path / "runs").iterdir()
    assert "Score on fresh deals (kept)" in out and "the first rule that applies decides" not in out
    assert "the first rule that applies decides" in hanabi("show", run)
    assert (
        "population = 14" in (run / "config.toml").read_text()
        and "seed = 5" in (run / "config.toml").read_text()
    )
    again = hanabi(
        "evolve",
        "small.toml",
        "--name",
        "try",
        "--set",
        "population=14",
        "--seed",
        5,
        "--jobs",
        1,
        "--quiet",
        "--backend",
        "processes",
        folder=tmp_path,
    )
    assert again.splitlines()[-1] != out.splitlines()[-1], "another folder"
    other = max((tmp_path / "runs").iterdir(), key=lambda path: len(path.name))
    assert other != run and (other / "log.csv").read_bytes() == (run / "log.csv").read_bytes()
    assert hanabi("export", run, "-o", "agent.toml", folder=tmp_path).startswith("agent.toml")
    assert load(str(tmp_path / "agent.toml")).plays(3)
    assert "agent" in hanabi(
        "tournament",
        "agent.toml",
        "legal-random",
        "--variant",
        "mini",
        "--games",
        50,
        folder=tmp_path,
    )
    states = json.loads(hanabi("runs", "--json", folder=tmp_path))
    assert [state["state"] for state in states] == ["done", "done"] and states[0]["result"] > 0


OWN = '''
from hanabi.moves import NOTHING, discard
from hanabi.rulebook import rule
from hanabi.view import oldest


@rule()
def throw_oldest(view):
    """Discard my oldest card."""
    return discard(oldest(view, view.me)) if view.tokens < view.max_tokens else NOTHING
'''


def test_rules_of_ones_own_are_listed_evolved_and_played(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    assert "Discard my oldest card." in hanabi("rules", "mine", "--rules", tmp_path / "mine.py")
    assert "mine:0" in hanabi(
        "tournament", "mine:0", "--rules", tmp_path / "mine.py", "--games", 20
    )
    hanabi(
        "evolve",
        "--preset",
        "quick",
        "--rules",
        "mine.py",
        "--set",
        "population=10",
        "--set",
        "elitism=2",
        "--set",
        "generations=2",
        "--set",
        "race_games=40",
        "--set",
        "final_games=40",
        "--backend",
        "processes",
        "--jobs",
        2,
        "--name",
        "own",
        folder=tmp_path,
    )
    (run,) = (tmp_path / "runs").iterdir()
    assert "mine.py" in (run / "run.json").read_text()


def test_a_cache_that_cannot_be_written_is_said_and_survived(tmp_path):
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [sys.executable, "-c", "import hanabi.moves"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "HANABI_CACHE": str(tmp_path / "file" / "x")},
    )
    assert (
        done.returncode == 0
        and "cannot keep machine code in" in done.stderr
        and len(done.stderr.splitlines()) == 1
    )


@pytest.mark.parametrize("command", ["tournament", "show", "evolve", "bench"])
def test_a_pipe_that_closes_early_is_no_error(command):
    done = subprocess.run(
        f"{sys.executable} -m hanabi.evolve.cli.app {command} --help | head -1",
        shell=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert "Traceback" not in done.stderr


def test_the_rules_of_the_game_are_printed():
    code, out, err = typed("play", "--how-to")
    assert (code, err) == (0, "") and "pay a token" in out and "third lost life" in out
    assert typed("play", "--rules") == (code, out, err), "without a file of rules"
