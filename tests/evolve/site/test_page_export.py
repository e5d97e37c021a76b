"""The Python of an exported page plays and answers as the site does."""

import json
import random
import subprocess
import sys

import pytest

from hanabi.evolve.site.page_export import python_files
from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.table_actions import ACTIONS, QUESTIONS
from hanabi.game import legal_moves
from hanabi.moves import move_text
from hanabi.player import choice_of
from hanabi.rules.agents import load
from hanabi.variant import read_variant

AGENTS = "pairs", "piers", "convention"
ASK = """import json, sys, page_table
print(json.dumps([json.loads(page_table.answer(*call)) for call in json.load(sys.stdin)]))"""
TABLES = [  # who sits where, the seed, and the help level
    (("pairs", PERSON, "pairs"), 7, "what they mean"),
    ((PERSON, "pairs", "piers"), 3, "what hints say"),
    (("convention", PERSON), 5, "what X would do and why"),
    ((PERSON, "pairs", "pairs"), 7, "what I can know"),  # with the moves of pairs: 25 points
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    for path, text in python_files([load(name) for name in AGENTS]).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def answers(page, calls):
    """What the Python of the page answers to (action, data), in a process with nothing but it."""
    made = subprocess.run(
        [sys.executable, "-S", "-c", ASK],
        cwd=page,
        input=json.dumps([(act, json.dumps(data)) for act, data in calls]),
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(page)},
        check=True,
    )
    return json.loads(made.stdout)


def play_on(table):
    while table.agent_to_move:
        table.agent_moves()


@pytest.mark.parametrize("specs, seed, level", TABLES)
def test_a_page_answers_as_the_site(page, specs, seed, level):
    """A game with one move taken back: every preview, reason and state."""
    table = PlayTable(specs, new_game(read_variant("standard"), len(specs), seed))
    views, seat, chance = SeatViews(table), specs.index(PERSON), random.Random(seed)
    copy = load("pairs").at(3) if seed == 7 and seat == 0 else None
    calls, expected = [("open", {"specs": specs, "seed": seed})], [None]

    def ask(act, data):
        """Ask the site, and note what the page is to answer."""
        calls.append((act, data))
        expected.append((ACTIONS | QUESTIONS)[act](seat, data, table))
        play_on(table)
        calls.append(("state", {}))
        expected.append(json.loads(json.dumps(views.state_for(seat))))

    play_on(table)
    ask("help", {"level": level})
    while not table.over:
        hints = [move_text(move) for move in legal_moves(table.view)]
        move = chance.choice([one for one in hints if one.startswith("tell")] or hints)
        if copy:
            move = move_text(
                choice_of(copy, table.view, seed, table.table.state, table.variant).move
            )
        ask("preview", {"move": move, "turn": table.turn})
        ask("move", {"move": move, "turn": table.turn})
        if len(table.moves) > 3 and not table.side_lines:
            ask("back", {})
        by_agents = [turn for turn in range(table.turn) if specs[turn % len(specs)] != PERSON]
        ask("why", {"turn": by_agents[-1]})
    found = [one.get("answer", one) for one in answers(page, calls)]
    for (act, _), is_so, should in zip(calls[1:], found[1:], expected[1:], strict=True):
        if act == "state":
            is_so = {key: value for key, value in is_so.items() if key in should}
            is_so["card_notes"] = should["card_notes"]
        elif not isinstance(should, dict):
            should = {"line": should or ""}
        assert is_so == should
    assert found[-1]["game"]["live"] == table.live != ""
    assert views.begun > 1 and (table.view.score == 25 or not copy)
