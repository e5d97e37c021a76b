"""An agent as one file: the same moves as here, by Python alone, and by what the Hanabi Learning
Environment lets it see.
"""

import ast
import os
import random
import subprocess
import sys
from itertools import product

import pytest
from folders import FILES, GOOD, lay_out, refused
from paths import PATIENCE, ROOT
from random_guards import random_guard
from small_hle import Watcher
from typed import typed

from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.reports.standalone import standalone
from hanabi.game import snapshots
from hanabi.positions.history import discarded
from hanabi.rulebook import BOOK, SETS, Rule, find
from hanabi.rules.agents import NAMED as AGENTS, Agent, load
from hanabi.table import Table
from hanabi.variant import NAMED

FAST = (
    ("piers", 6),
    ("irvall", 2),
    ("epistemic", 1),
    ("convention-2026", 2),
)  # (agent, games per number of players)
ALL = [agent for agent in map(load, AGENTS) if not agent.kind]
MARKS = (
    "promised",
    "assumed",
    "pledged",
    "warned",
    "memory",
    "may_answer",
    "plays",
    "perhaps",
    "ready",
    "expected",
)
HLE = {"PLAY": 1, "DISCARD": 6, "REVEAL_COLOR": 11, "REVEAL_RANK": 41}


def alone(agent):
    """The file of an agent, as a module."""
    around = {"__name__": "agent"}
    exec(compile(standalone(agent), "agent.py", "exec"), around)
    return around


def some_rules(seed, most=12):
    """An agent of rules and conventions from the whole book, guards here and there: what a file
    may have to hold.
    """
    rng = random.Random(seed)
    rules = rng.sample([*BOOK.values()], most)
    rules[0] = find(rules[0].name + " when 2 <= tokens <= 6 and deck <= 30 and spare <= 20")
    agreed = tuple(
        Rule(family, rng.choice([*product(*family.grid.values())]), random_guard(rng, family))
        for family in rng.sample([*CONVENTION_FAMILIES.values()], 6)
    )
    return Agent(
        f"book-{seed}",
        {"2-3": tuple(rules), "4": tuple(rules[::-1]), "5": tuple(rules[2:])},
        rng.choice(["default", "forfeit"]),
        conventions={"3-4": agreed, "5": agreed[::-1]} if seed % 2 else {},
        weights={"4": {"low": 2, "bluff": 3.5}},
    )


def same_moves(agent, games):
    """Games of copies, here and there."""
    there, played = alone(agent), 0
    there["test"]()
    for players in there["PLAYERS"]:
        table = Table(NAMED["standard"].at(players), [agent.list_at(players)])
        for seed in range(100, 100 + games):
            steps = [(step.move, step.reason) for step in table.steps(seed, [0] * players)]
            moves, points = there["play_game"](seed, players)
            assert moves == [move for move, _ in steps], (
                f"{agent.name}, {players} players, seed {seed}"
            )
            assert points == table.view.score
            played += 1
    return played


@pytest.mark.parametrize("name, games", FAST)
def test_the_same_moves(name, games):
    assert same_moves(load(name), games) == 4 * games


def test_guards_lists_by_players_and_forfeits_go_along():
    guards = (
        " when tokens <= 4",
        " when deck >= 20 and lives >= 3",
        " when spare >= 8",
        " when 2 <= tokens",
        "",
    )
    names = (
        "play_safe_card",
        "play_probably_safe(chance=0.4)",
        "tell_anyone_about_useful",
        "discard_oldest_first",
        "play_safe_card",
    )
    rules = tuple(find(f"cig2018.{name}{guard}") for name, guard in zip(names, guards))
    for otherwise in ("default", "forfeit"):
        same_moves(Agent("guarded", {"2": rules, "3-4": rules[::-1]}, otherwise), 3)


def test_grown_rules_become_python():
    """Each as one expression of the words that it has, which are functions of the file."""
    names = ["grown.tell_teaching(others, playable)", *SETS["grown"]]
    entries = (
        *map(find, names),
        find("grown.discard_last(first_of(mine) or junk_60) when tokens <= 6"),
    )
    text = standalone(Agent("grown", {"2-5": entries}))
    assert "lambda view: play_chosen(view, places_by_hand(view, lambda seat, distance:" in text
    assert "first_of(view, seat, mine(view) >> 5 * distance & 31)" in text
    around = {"__name__": "agent"}
    exec(compile(text, "agent.py", "exec"), around)
    around["test"]()


def test_every_rule_answers_the_same():
    """Each rule of the book, asked by itself there and here, among every convention, in plain
    Python, as machine code of all of them would take minutes.
    """
    environment = os.environ | {
        "HANABI_PLAIN": "1",
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests/support'}",
    }
    done = subprocess.run(
        [sys.executable, "-m", "every_rule"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    rules, asked, narrowed, different = done.stdout.split(maxsplit=3)
    assert int(rules) > 100 and int(asked) > 1000 and int(narrowed) > 100 and different == "[]\n"


@pytest.mark.slow
def test_the_same_moves_in_thousands_of_games():
    assert sum(same_moves(agent, 250 if agent.conventions else 34) for agent in ALL) >= 4000


@pytest.mark.slow
def test_the_same_moves_by_any_rules():
    for seed in range(8):
        same_moves(some_rules(seed, 20), 5)


@pytest.mark.parametrize(
    "name, players", [*product(("mirror-situational-2018", "convention-2026"), (2, 5))]
)
def test_by_what_an_observation_tells(name, players):
    """``act`` sees no record of the game: only the hands and last moves as the environment tells
    them.

    It keeps the marks, too.
    """
    agent = load(name)
    there, watcher = alone(agent), Watcher(players)
    seated = [there["Agent"]({"seed": 9}) for _ in range(players)]
    table = Table(NAMED["standard"].at(players), [agent.list_at(players)])
    walk = [*snapshots(table.steps(9, [0] * players))]
    for (state, view), (_, after) in zip(walk, walk[1:]):
        seen = watcher.observation(state, view, discarded(view))
        assert all(one.act(seen | {"current_player_offset": 1}) is None for one in seated)
        move, offset = seated[view.me].act(seen), 0
        number = HLE[move["action_type"]]
        if "card_index" in move:
            number += seated[view.me].ages[view.me][move["card_index"]]
        else:
            offset = (int(view.me) + move["target_offset"]) % players
            number += (
                6 * offset + "RBGYWP".index(move["color"])
                if "color" in move
                else 5 * offset + move["rank"]
            )
        assert number == int(after.history[view.turn]) & 255, f"turn {view.turn}"
        for name in (
            "hands",
            "held",
            "mask",
            "born",
            "filled",
            "touched",
            "knows_colour",
            "knows_rank",
            "alive",
            "pool",
            "unseen",
        ):
            mine, row = getattr(seated[view.me].view, name), view[name].tolist()
            assert (
                [list(one) if isinstance(one, list) else one for one in mine] == row
                or name == "born"
                and _same_ages(mine, row)
            ), name
        for name in (
            "playable",
            "dead",
            "useless",
            "score",
            "tokens",
            "lives",
            "deck",
            "left",
            "turn",
        ):
            assert getattr(seated[view.me].view, name) == view[name], name
        for name in MARKS if view.lists else ():
            assert getattr(seated[view.me].view.marks[0], name) == view.marks[0][name].tolist(), (
                name
            )
        watcher.saw(view, after)


def _same_ages(mine, row):
    return all(one == other for some, others in zip(mine, row) for one, other in zip(some, others))


def test_in_the_learning_environment():
    """The real one, where it is installed: a game at each number of players ends as it does there
    by our laws.
    """
    environment = pytest.importorskip(
        "hanabi_learning_environment.rl_env",
        reason="HLE is not installed: see docs/guides/other-engines.md",
    )
    for name, players in zip(("piers", "convention-2026") * 2, (2, 3, 4, 5)):
        there = alone(load(name))
        env = environment.HanabiEnv(
            {
                "players": players,
                "colors": 5,
                "ranks": 5,
                "hand_size": 5 if players <= 3 else 4,
                "seed": 1,
                "max_information_tokens": 8,
                "max_life_tokens": 3,
                "observation_type": 1,
            }
        )
        seen, done, seated = env.reset(), False, [there["Agent"]({}) for _ in range(players)]
        while not done:
            moves = [one.act(view) for one, view in zip(seated, seen["player_observations"])]
            assert [move is not None for move in moves] == [
                seat == seen["current_player"] for seat in range(players)
            ]
            seen, _, done, _ = env.step(moves[seen["current_player"]])
        assert sum(env.state.fireworks()) > (18 if name == "convention-2026" else 5)


def test_by_python_alone(tmp_path):
    """In a process without site packages, and written in Python of years ago; its test finds
    another agent.
    """
    code, out, err = typed("export", "iggi", "--standalone", "course", folder=tmp_path)
    assert (code, err) == (
        0,
        "",
    ) and out == "course/agent.py: it needs nothing but Python. Try: python3 course/agent.py\n"
    file = tmp_path / "course" / "agent.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", file, "3", "7"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={},
    )
    assert (
        done.returncode == 0
        and not done.stderr
        and done.stdout.startswith("The test is passed: 8 games, move by move.\n 0 Ann: ")
    )
    assert done.stdout.endswith(" points\n")
    assert (
        (tmp_path / "course" / "README.md").read_text().startswith("# iggi, a Hanabi agent to read")
    )
    assert (
        (tmp_path / "course" / "game.txt")
        .read_text()
        .startswith("standard, 3 players, seed 1: Ann (iggi), ")
    )
    text = file.read_text()
    assert "bit_count" not in text, "Python 3.9 has none"
    assert ast.parse(text, feature_version=(3, 9)) and max(map(len, text.splitlines())) <= 150
    assert all(rule.says in " ".join(text.split()) for rule in load("iggi").rules(2))
    around = {"__name__": "agent"}
    exec(text, around)
    around["LISTS"][2, 3, 4, 5].reverse()
    with pytest.raises(ValueError, match="2 players, seed 1: this is no longer iggi"):
        around["test"]()
    changed = tmp_path / "changed.py"
    changed.write_text(
        text.replace("\nif __name__ ==", "\nLISTS[2, 3, 4, 5].reverse()\nif __name__ ==")
    )
    for without_asserts in ([], ["-O"]):
        done = subprocess.run(
            [sys.executable, *without_asserts, "-I", "-S", changed],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={},
        )
        assert (
            done.returncode
            and "2 players, seed 1: this is no longer iggi" in done.stderr
            and not done.stdout
        )


def test_lists_that_differ_in_a_weight_are_two():
    """Same rules, same conventions: each number of players keeps its own weights."""
    player = load("convention-simple").list_at(3)
    agent = Agent(
        "weighed",
        {"2-4": player.rules},
        conventions={"2-4": player.conventions},
        weights={"2": {"low": 1}, "3": {"low": 2}, "4": {"low": 2}},
    )
    there = alone(agent)
    assert {counts: weights["low"] for counts, weights in there["WEIGHTS"].items()} == {
        (2,): 1,
        (3, 4): 2,
    }
    there["test"]()


HOSTILE = (
    '"""\nraise SystemExit(1)\n"""',
    '{__import__("os")._exit(1)}',
    "\\",
    '"; raise SystemExit(1) #',
    "'+exit()+'",
    "{% raise %}{{ 1/0 }}",
    '"' * 7,
    "a\u2028raise SystemExit(1)\x00\x0c\r\nraise SystemExit(1)",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_do_not_become_code(text):
    """What an agent is called, and where it says it is from, stand in the file as text."""
    around = {"__name__": "agent"}
    rules = tuple(load("iggi").rules(2))
    exec(
        compile(
            standalone(Agent(text, {"2": rules}, source=text), f"{text[:9]}.py"), "agent.py", "exec"
        ),
        around,
    )
    around["test"]()
    assert ": an agent for the card game Hanabi" in around["__doc__"].splitlines()[0]
    around["LISTS"][2,].reverse()
    with pytest.raises(ValueError, match="this is no longer "):
        around["test"]()


USES_NUMPY = (
    "import numpy as np\n\nfrom hanabi.moves import NOTHING\nfrom hanabi.rulebook import "
    "rule\n\n\n@rule()\ndef odd(view):\n"
    '    """Do nothing."""\n    return NOTHING if np.sqrt(view.turn) >= 0 else 1\n'
)
TABLE = [  # (words, files, what the line says)
    (
        "export search:piers --standalone a.py",
        {},
        "thinks ahead, and this takes lists apart: name its list",
    ),
    ("export pierz --standalone a.py", {}, "no agent 'pierz' (did you mean 'piers'?)"),
    (
        "export piers --standalone a.py -o b.toml",
        {},
        "-o writes an agent file, --standalone plain Python, --page a web page: give one of them",
    ),
    ("export piers --standalone no/a.py", {}, "cannot write no/a.py: no such file or directory"),
    ("export . --standalone a.py", {}, "."),
    (
        "export odd.toml --rules odd.py --standalone a.py",
        {"odd.py": USES_NUMPY, "odd.toml": '[rules]\n"2-5" = ["odd"]\n'},
        "odd does not play the same from a file alone, so none was written: NameError: name 'np' "
        "is not defined",
    ),
]


@pytest.mark.parametrize("words, given, message", TABLE, ids=[words for words, _, _ in TABLE])
def test_what_is_wrong_is_told(words, given, message, tmp_path):
    lay_out(tmp_path, given)
    refused(words, tmp_path, message)


AGREED = (
    GOOD
    + '''
import math

from hanabi.conventions import marks
from hanabi.conventions.register import convention


@convention("also")
def useful(view, reading):
    """Touched cards are of use: \\"\\"\\" says nothing more."""
    if reading.target >= 0 and math.floor(2.5) == 2:
        marks.assume_all(reading, reading.slots, ~view.useless)
    return 1
'''
)


def test_own_rules_and_conventions_go_along(tmp_path):
    """Also what they take from a module; the file is tried before it is written."""
    lay_out(
        tmp_path,
        FILES
        | {
            "mine.py": AGREED,
            "own.toml": 'name = "own"\n[rules]\n"2" = ["mine.old", "play_marked"]\n'
            '[conventions]\n"2" = ["useful"]\n',
        },
    )
    code, out, err = typed(
        "export", "own.toml", "--rules", "mine.py", "--standalone", "own.py", folder=tmp_path
    )
    text = (tmp_path / "own.py").read_text()
    assert (code, err) == (0, "") and all(
        part in text
        for part in ("import math", "def old(view):", "  assume_all(reading, reading.slots")
    )
