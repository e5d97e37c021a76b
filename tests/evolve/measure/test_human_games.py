"""Written games of others: what is read, what is left out and reported."""

import json

import numpy as np
import pytest
from datasets import dataset, safetensors
from folders import lay_out, refused
from hypothesis import given, settings, strategies as st
from sizes import tries
from texts import FUZZ, refuses_well
from typed import typed

from hanabi.action_ids import move_of
from hanabi.evolve.measure.human_games import table_of
from hanabi.evolve.measure.one_game import play_game
from hanabi.files import LIMIT
from hanabi.formats.hanab_live import to_json, to_link
from hanabi.game_reader import read_games
from hanabi.moves import move_text


@pytest.fixture(scope="module")
def games():
    return [play_game(["iggi"], 2, seed) for seed in range(4)]


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_the_dataset_of_ah2ac2(players, tmp_path):
    """Every move, slot and deck at each player count, against tests/support/datasets.py."""
    made = [play_game(["iggi"], players, seed) for seed in range(3)]
    (tmp_path / "d.safetensors").write_bytes(safetensors(dataset(made)))
    found, left_out, _ = read_games([str(tmp_path)])
    assert not left_out and [name for name, _ in found] == [
        f"{tmp_path}/d.safetensors#{place}" for place in range(3)
    ]
    for (_, game), was in zip(found, made):
        assert (game.moves, game.score, game.end) == (was.moves, was.score, was.end)
        assert (
            game.position(0).hands == was.position(0).hands
            and game.position(0).deck == was.position(0).deck
        )


def test_their_numbers():
    """2h + 5 (offset - 1) + colour; ranks: 2h + 5 (players - 1) + 5 (offset - 1) + rank."""
    _, view = play_game(["iggi"], 3, 0).at(0)
    numbers = (0, 4, 5, 9, 10, 14, 15, 19, 20, 24, 25, 29)
    assert [move_text(move_of(view, number, "x")) for number in numbers] == [
        "discard 0",
        "discard 4",
        "play 0",
        "play 4",
        "tell Bob R",
        "tell Bob B",
        "tell Cal R",
        "tell Cal B",
        "tell Bob 1",
        "tell Bob 5",
        "tell Cal 1",
        "tell Cal 5",
    ]


def test_many_at_once(games, tmp_path):
    """A folder, JSON lines, links, files: all are read; what is no game is told and left out."""
    lay_out(
        tmp_path,
        {
            "f/a.json": to_json(games[0]),
            "f/b.toml": str(games[1]),
            "f/c.txt": to_link(games[2]),
            "f/no.json": "{}",
            "f/x.py": "1",
            "many.jsonl": to_json(games[3]) + "\n" + to_json(games[0]) + "{}\n",
        },
    )
    code, out, err = typed(
        "import",
        "f",
        "many.jsonl",
        to_link(games[3]),
        "-o",
        "t.csv",
        "--folder",
        "all",
        folder=tmp_path,
    )
    assert code == 0 and err.startswith(
        "2 games of 8 left out:\n  2: is no game of hanab.live: it should have players, a deck and "
        "actions, each a list; the first: f/no.json\n"
    )
    assert err.endswith(
        "\n2 games not counted again; the first: many.jsonl#3 is the same game as f/a.json\n"
    )
    assert out.startswith("4 games; points")
    assert [row.split(",")[0] for row in (tmp_path / "t.csv").read_text().splitlines()] == [
        "game",
        "f/a.json",
        "f/b.toml",
        "f/c.txt",
        "many.jsonl#1",
    ]
    (tmp_path / "large.jsonl").write_text(
        "{\n" + " " * LIMIT + to_json(games[0]) + "{" + " " * LIMIT + "}\n"
    )
    found, left_out, _ = read_games([str(tmp_path / "large.jsonl")])
    assert [game.moves[:20] for _, game in found] == [games[0].moves[:20]]
    assert (
        "large.jsonl#1 is not JSON" in left_out[0].message
        and "large.jsonl#3 is larger than 16 MB" in left_out[1].message
    )
    found, left_out, _ = read_games([str(tmp_path / "all")])
    assert (
        len(found) == 4
        and not left_out
        and {game.moves[:20] for _, game in found} == {game.moves[:20] for game in games}
    )
    rows = table_of(found)
    for row, (_, game) in zip(rows.to_dict("records"), found):
        assert (row["score_kept"], row["score_zero"], row["end"], row["moves"]) == (
            game.score,
            game.score_zero,
            game.end,
            len(game.moves),
        )
        assert (
            row["plays"] + row["discards"] + row["hints"] == row["moves"]
            and row["plays"] - row["misplays"] == row["score_kept"]
        )


def with_(name, **change):
    return {"d.safetensors": safetensors(SMALL, **{name: change})}


COUNTS = "num_actions"
SMALL = {
    "num_actions": np.array([0]),
    "decks": np.array(
        [[[c, r] for r in range(5) for c in range(5) for _ in range((3, 2, 2, 2, 1)[r])]]
    ),
    "actions": np.full((1, 89, 2), 20, np.uint8),
}
FEW = "d.safetensors is no .safetensors file: it should begin with the length of its header"
TABLE = [  # (words, files, what the line says)
    ("import d.safetensors", {"d.safetensors": b"abc"}, FEW),
    ("import d.safetensors", {"d.safetensors": b"\xff" * 99}, FEW),
    (
        "import d.safetensors",
        {"d.safetensors": (2).to_bytes(8, "little") + b"\xff\xfe"},
        "its header is not text",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": (2).to_bytes(8, "little") + b"[]"},
        "its header should name arrays",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": (2).to_bytes(8, "little") + b"{}"},
        "it has no decks, only nothing",
    ),
    (
        "import d.safetensors",
        with_("decks", dtype="F32"),
        "'decks': an array of 'F32'; integers are read, BOOL, U8",
    ),
    ("import d.safetensors", with_("decks", shape=[10**12]), "cannot be at bytes"),
    (
        "import d.safetensors",
        with_("decks", data_offsets=[-1, 3]),
        "shape and data_offsets should be lists of numbers",
    ),
    (
        "import d.safetensors",
        with_("decks", shape=[1, 2, 50]),
        "decks should be (games, 50, 2), actions (games, turns, players)",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": safetensors(SMALL | {COUNTS: np.array([90])})},
        "90 actions are said",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": safetensors(SMALL | {COUNTS: np.array([1])})},
        "20 is no move; they are",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": safetensors(SMALL | {"scores": np.array([7])})},
        "the score is given as 7",
    ),
    (
        "import d.safetensors",
        {"d.safetensors": safetensors(SMALL | {"decks": SMALL["decks"] * 0})},
        "is not that of the standard game",
    ),
    ("import empty.json", {"empty.json": "\n"}, "empty.json is empty"),
    ("import empty", {"empty/x.py": "1"}, "no games in empty: it has no files .safetensors, .toml"),
    ("import p.toml", {"p.toml": '[hands]\nAnn = ["R1"]\n'}, "p.toml"),
    (
        "import m.jsonl -o g.toml",
        {"m.jsonl": "LINES"},
        "g.toml: there are 2 games; write a table, -o games.csv",
    ),
    (
        "import m.jsonl -o g.xls",
        {"m.jsonl": "LINES"},
        "cannot write g.xls: name it .csv, .parquet or .json",
    ),
    ("behave --agree piers none.json", {}, "cannot read none.json: no such file or directory"),
    (
        "behave --agree pierz m.jsonl",
        {"m.jsonl": "LINES"},
        "no agent 'pierz' (did you mean 'piers'?)",
    ),
    (
        "behave --agree search:piers m.jsonl",
        {"m.jsonl": "LINES"},
        "thinks ahead, and this takes lists apart: name its list",
    ),
    (
        "behave --agree piers d.safetensors",
        {"d.safetensors": safetensors(SMALL)},
        "nobody moved in these games",
    ),
]


@pytest.mark.parametrize(
    "words, given, message",
    TABLE,
    ids=[f"{words[:24]} {message[:24]}" for words, _, message in TABLE],
)
def test_what_is_wrong_is_told(words, given, message, tmp_path, games):
    lines = "".join(map(to_json, games[:2]))
    lay_out(tmp_path, {name: lines if data == "LINES" else data for name, data in given.items()})
    refused(words, tmp_path, message)


@settings(FUZZ, max_examples=tries(150))
@given(data=st.data())
def test_damaged_datasets(data, tmp_path_factory):
    whole = bytearray(safetensors(SMALL))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, min(len(whole) - 1, 400)))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.safetensors"
    path.write_bytes(whole[: data.draw(st.sampled_from([len(whole), 9, 200, 700]))])
    refuses_well(lambda some: read_games([str(some)]), path)


def test_json_says_what_is_missing(games, tmp_path):
    lay_out(tmp_path, {"a.json": to_json(games[0])})
    code, out, _ = typed(
        "behave", "--agree", "iggi", "a.json", "--json", "-o", "rows.csv", folder=tmp_path
    )
    rows = json.loads(out)
    assert (
        code == 0
        and rows[0]["agrees"] > 0.9
        and rows[0]["sem"] is None
        and (tmp_path / "rows.csv").exists()
    )
