"""Every evolved agent of the library says what made it: a kept run, or per list a config, a seed and
a commit; a simplified one, by which command; and on which fresh deals it was scored.
"""

import subprocess

import pandas as pd
import pytest
from paths import ROOT

from hanabi.evolve.ga.config import override, read
from hanabi.evolve.measure.ablation import rounded, simplify
from hanabi.evolve.measure.variations import words_of
from hanabi.rules.agents import NAMED, load
from hanabi.rules.agents.agent import entry_for

COUNTS = (2, 3, 4, 5)
UNGROWN = str(ROOT / "docs/data/pairs-ungrown.toml")  # `pairs` with 5 players, as it was simplified
SIMPLIFIED = {"convention-10": "convention", "pairs-10": "pairs"}
EVOLVED = {"convention", "from-both", "from-nothing", "pairs", "code", *SIMPLIFIED}
RUNS = {"convention", "from-both", "from-nothing"}
KEYS = {"config", "set", "seed", "commit", "reproduces"}


def parts():
    """(agent, player count, what made the list) where no run was kept."""
    return [
        (name, key, entry)
        for name in sorted(EVOLVED - RUNS - {*SIMPLIFIED})
        for key, entry in load(name).provenance["lists"].items()
    ]


def alike(one, other, key):
    """Whether two agents have the same list, conventions and weights for a player count."""
    return all(
        entry_for(int(key), getattr(one, table)) == entry_for(int(key), getattr(other, table))
        for table in ("lists", "conventions", "weights")
    )


def test_these_are_the_evolved_agents():
    """Those whose family or source says so: a new one is listed here and says what made it."""
    agents = {name: load(name) for name in NAMED}
    ours = {
        name
        for name, agent in agents.items()
        if agent.family == "evolved" or agent.family == "code" and "evolved" in agent.source
    }
    assert ours == EVOLVED
    assert {name for name, agent in agents.items() if agent.provenance} == EVOLVED


@pytest.mark.parametrize("name", sorted(EVOLVED))
def test_its_final_deals_are_kept(name):
    agent = load(name)
    rows = pd.read_csv(ROOT / agent.provenance["finals"], dtype={"players": str})
    is_mine = rows["hash"] == agent.hash if "run" in agent.provenance else rows["agent"] == name
    rows = rows[is_mine]
    games = rows.groupby("players")["games"].min()
    assert all(games[str(count)] >= 20_000 for count in COUNTS)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_its_kept_run_made_the_same_lists(name):
    agent = load(name)
    run = ROOT / agent.provenance["run"]
    assert run.parent == ROOT / "runs/reference" and (run / "result.json").exists()
    assert load(str(run / "best.toml")).hash == agent.hash


def test_without_a_kept_run_each_list_has_what_made_it():
    found = parts()
    assert {(name, key) for name, key, _ in found} == {
        (name, str(count)) for name in EVOLVED - RUNS - {*SIMPLIFIED} for count in COUNTS
    }
    for name, key, entry in found:
        if "agent" in entry:
            assert set(entry) == {"agent"} and alike(load(name), load(entry["agent"]), key)
        else:
            assert {"config", "seed", "commit", "reproduces"} <= set(entry) <= KEYS


@pytest.mark.parametrize(
    "name, key, entry",
    [part for part in parts() if "agent" not in part[2]],
    ids=lambda value: str(value)[:9],
)
def test_its_config_evolves_that_list(name, key, entry):
    """With its settings and seed: for this number of players, with the code or the pairs of it."""
    config = override(read(ROOT / entry["config"]), list(entry.get("set", [])))
    assert config.game.mode == "mirror" and int(key) in config.game.players
    assert len(config.game.players) == 1 or key in config.parts.lists
    words = (ROOT / entry["config"]).read_text(encoding="utf-8").split("[game]")[0]
    assert entry["commit"] in words
    if entry.get("set"):  # by a command that the config file names
        command = f"--set {entry['set'][0]}"
        if config.search.seed != entry["seed"]:
            command += f" --seed {entry['seed']}"
        assert f"`{command}`" in words
    else:
        assert config.search.seed == entry["seed"]
    group = {"pairs": "pairs", "code": "numbers" if key == "2" else "codes"}[name]
    assert group in config.genome.conventions


def test_its_commits_are_in_the_history():
    """Where the tests run in a clone with its history (elsewhere git knows none of them)."""
    commits = {entry["commit"] for _, _, entry in parts() if "commit" in entry}
    assert commits == {"e0c9fda8", "a1e5f7d0", "124d5d57", "ab4d42be"}
    log = subprocess.run(
        ["git", "log", "--format=%h", "--abbrev=8"], cwd=ROOT, capture_output=True, text=True
    )
    known = set(log.stdout.split())
    if len(known) < 1_000:
        pytest.skip("a copy without the history")
    assert commits <= known


@pytest.mark.parametrize("name, first", SIMPLIFIED.items())
def test_a_simplified_agent_is_short(name, first):
    """At most ten rules, and no value of a weight with more than two digits."""
    agent, whole = load(name), load(first)
    for count in COUNTS:
        short, long = agent.at(count), whole.at(count)
        assert len(short.rules) <= 10 and len(short.conventions) < len(long.conventions)
        assert words_of(short) < words_of(long) / 1.4
        assert all(value == rounded(value) for _, value in short.weights)


@pytest.mark.parametrize("name, first", SIMPLIFIED.items())
def test_what_each_simplification_cost_is_kept(name, first):
    """Each step saves words, in all those that the lists have lost; the loss stays in its bound."""
    made = load(name).provenance
    assert made["agent"] == first and made["command"].startswith(f"hanabi simplify {first} ")
    steps = pd.read_csv(ROOT / "docs/data/simplified.csv")
    for count in COUNTS:
        rows = steps[(steps["agent"] == name) & (steps["players"] == count)]
        last = rows.iloc[-1]
        assert last["loss"] + last["loss_sem"] <= made["loss"] and (rows["games"] == 4000).all()
        whole = load(UNGROWN if (first, count) == ("pairs", 5) else first)
        saved = words_of(whole.at(count)) - words_of(load(name).at(count))
        assert rows["words"].sum() == saved > 0


@pytest.mark.slow
def test_the_command_makes_the_same_list():
    made = load("convention-10").provenance
    found = simplify("convention", made["loss"], [3], made["games"], seed=made["seed"]).agent
    assert alike(found, load("convention-10"), "3")
