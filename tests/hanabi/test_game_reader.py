"""One function reads every format of games: its content decides, whatever the file is called; and
each command takes each of them.
"""

import os
from dataclasses import replace
from inspect import isfunction

import numpy as np
import pytest
from datasets import dataset, safetensors
from folders import lay_out, refused
from typed import typed

from hanabi.evolve.measure.one_game import play_game
from hanabi.formats.hanab_live import to_json, to_link
from hanabi.game_reader import FORMATS, load, names_game, parse_game, read_games
from hanabi.game_record import Game, Position
from hanabi.moves import play
from hanabi.variant import NAMED

HANDS = '[hands]\nAnn = ["R1", "R1", "B2", "B3", "W5"]\nBob = ["R2", "G1", "Y2", "Y4", "W4"]\n'


@pytest.fixture(scope="module")
def games():
    return [play_game(["iggi"], 2, seed) for seed in range(3)]


@pytest.fixture
def folder(games, tmp_path):
    """Game 1 in every format."""
    lines = "".join(map(to_json, games))
    lay_out(
        tmp_path,
        {
            "g.toml": str(games[1]),
            "g.json": to_json(games[1]),
            "g.txt": to_link(games[1]),
            "many.jsonl": lines,
            "many": lines,
            "d.safetensors": safetensors(dataset(games)),
            "download": to_json(games[1]),
            "odd.toml": "\ufeff\n" + to_json(games[1]),
            "odd.json": str(games[1]),
            "odd.bin": safetensors(dataset(games[:1])),
            "position.toml": HANDS,
        },
    )
    return tmp_path


def test_a_file_whose_name_ends_in_a_number_is_that_file(tmp_path, games):
    (tmp_path / "g.json#2").write_text(to_json(games[0]))
    (tmp_path / "g.json").write_text("".join(map(to_json, games)))
    first, _, third = (parse_game(to_json(game), "x").moves for game in games)
    assert load(tmp_path / "g.json#2").moves == first
    assert load(f"{tmp_path}/g.json#3").moves == third


def test_one_deal_played_alike_by_other_agents_is_another_game(tmp_path, games):
    """Without names it is the same, as one of two copies may lack them."""
    texts = {
        "a": replace(games[0], agents=("piers", "iggi")),
        "b": replace(games[0], agents=("iggi", "piers")),
        "c": replace(games[0], agents=()),
        "d": replace(games[0], agents=("piers", "iggi")),
    }
    for name, game in texts.items():
        (tmp_path / f"{name}.toml").write_text(game.text)
    found = read_games(str(tmp_path / f"{name}.toml") for name in texts)
    assert [name[-6] for name, _ in found.games] == ["a", "b"]
    assert [(name[-6], before[-6]) for name, before in found.repeated] == [("c", "a"), ("d", "a")]


SPECS = [
    "g.toml",
    "g.json",
    "g.txt",
    "many.jsonl#2",
    "many#2",
    "d.safetensors#1",
    "download",
    "odd.toml",
    "odd.json",
]


def test_every_format_is_read_whatever_the_file_is_called(folder, games):
    before = games[1].position(4)
    for spec in [
        *(str(folder / spec) for spec in SPECS),
        to_link(games[1]),
        to_link(games[1]).removeprefix("https://"),
    ]:
        game = load(spec)
        assert names_game(spec) and isinstance(game, Game), spec
        assert (game.moves, game.score) == (games[1].moves[: len(game.moves)], games[1].score), spec
        assert (load(spec, 4).hands, load(spec, 4).deck) == (before.hands, before.deck)
    assert load(str(folder / "odd.bin")).moves == games[0].moves
    assert isinstance(load(str(folder / "position.toml")), Position) and names_game(
        str(folder / "position.toml")
    )
    assert parse_game(f"\n {to_json(games[1])} \n", "x").moves == load(str(folder / "g.json")).moves


@pytest.mark.parametrize(
    "words",
    [
        "show {} --no-pager",
        "ask {} --turn 3",
        "ask iggi {} --turn 3",
        "logic holds playable(Ann,1)|~playable(Ann,1) {} --turn 3",
        "behave --who {} --pool iggi",
        "import {}",
        "behave --agree iggi {}",
    ],
)
def test_every_command_takes_every_format(words, folder, games):
    """They say the same of a game, whichever format it is in."""
    said = {}
    for spec in ("g.json", "d.safetensors#1", "many.jsonl#2", to_link(games[1])):
        code, out, err = typed(*words.format(spec).split(), folder=folder)
        assert not code, err
        said[spec] = out
    assert said["g.json"] == said["many.jsonl#2"] and said["g.json"]
    if words.split()[0] in (
        "ask",
        "logic",
    ):  # the first line has the variant, which says how hanab.live ends a game
        assert (
            len({one.partition("\n")[2] if "to move" in one else one for one in said.values()}) == 1
        )


def test_what_names_an_agent(folder):
    lay_out(
        folder,
        {
            "agent.toml": 'name = "x"',
            "bad.toml": "moves = [",
            "mine.py": "import os",
            "a#1": "x",
            "a.json#1": "{}",
        },
    )
    words = [
        "piers",
        "cig2018:46,8,2",
        "search:piers",
        "python:x.py:Class,file=x.json",
        "agent.toml",
        "bad.toml",
        "mine.py",
        "a#1",
        "#3",
    ]
    place = os.getcwd()
    os.chdir(folder)
    try:
        assert not any(map(names_game, words))
        assert all(
            map(
                names_game,
                ["none.json", "none.safetensors#3", "g.json", "a.json#1", "hanab.live/replay/3"],
            )
        )
    finally:
        os.chdir(place)


FORMATS_READ = "is not in a format that is read; formats of games are AH2AC2's dataset, .safetensors; a game or position file, .toml;"
TABLE = [  # (words, what the line says)
    ("ask notes", "notes " + FORMATS_READ),
    ("import notes", "notes " + FORMATS_READ),
    (
        "show d.safetensors",
        "d.safetensors holds 3 games: name one of them, d.safetensors#0 to d.safetensors#2",
    ),
    (
        "behave --who many.jsonl",
        "many.jsonl holds 3 games: name one of them, many.jsonl#1 to many.jsonl#3",
    ),
    (
        "show d.safetensors#3",
        "there is no d.safetensors#3: d.safetensors holds 3 games, d.safetensors#0 to "
        "d.safetensors#2",
    ),
    ("import many#0", "there is no many#0: many holds 3 games, many#1 to many#3"),
    ("show g.json#1", "there is no g.json#1: g.json holds one game; leave #1 out"),
    ("show none.json", "cannot read none.json: no such file or directory"),
    ("play none.json", "cannot read none.json: no such file or directory"),
    ("ask none.json#2", "cannot read none.json: no such file or directory"),
    ("ask .", "cannot read .: is a directory"),
    (
        "behave --who position.toml",
        "position.toml is a position, and this is about the moves of a game",
    ),
    (
        "show https://hanab.live/replay/12",
        "save https://hanab.live/export/12 as a file, and import that",
    ),
]


@pytest.mark.parametrize("words, message", TABLE)
def test_what_is_wrong_is_told(words, message, folder):
    lay_out(folder, {"notes": "Dear diary"})
    refused(words, folder, message)


def test_play_goes_on_from_any_format(folder, games):
    from hanabi.evolve.site.tables import create_table

    for spec in ("g.json", "d.safetensors#1", "many.jsonl#2"):
        assert (
            create_table([str(folder / spec), "iggi"], folder).game.moves
            == load(str(folder / spec)).moves
        )


def test_a_format_is_one_file():
    assert len(FORMATS) == 3
    for one in FORMATS:
        assert (
            isinstance(one.NAME, str)
            and all(ending[0] == "." for ending in one.ENDINGS)
            and isfunction(one.matches)
        )


def lost():
    """A game that scored a point and then lost every life."""
    game = Game(
        NAMED["standard"].at(2), 0, tuple(NAMED["standard"].at(2).deck()), (play(0),)
    )  # R1 is dealt first
    while not game.end:
        game = next(
            more
            for slot in range(5)
            if (more := replace(game, moves=(*game.moves, play(slot)))).score == 1
        )
    return game


def test_games_that_lost_all_lives_are_read(tmp_path):
    """Datasets write their score as 0 or with the points kept; any other score is wrong."""
    for score, read in ((0, True), (1, True), (2, False)):
        game = lost()
        assert (game.score, game.score_zero, game.end) == (1, 0, "lives")
        data = safetensors(dataset([game]) | {"scores": np.array([score])})
        lay_out(tmp_path, {"d.safetensors": data})
        if read:
            assert load(tmp_path / "d.safetensors").moves == game.moves
        else:
            with pytest.raises(ValueError, match="#0: the score is given as 2"):
                load(tmp_path / "d.safetensors")


def test_the_same_game_counts_once(tmp_path, games):
    """In any format, whole or up to where hanab.live ends it; not where other agents played alike,
    or the deal is another.
    """
    one = games[1]
    other = Game(one.variant, one.seed, one.deck, one.moves, ("piers", "piers"))
    lay_out(
        tmp_path,
        {
            "a.toml": one.text,
            "b.json": to_json(one),
            "c.txt": to_link(one),
            "d.toml": str(other),
            "e.toml": str(games[2]),
            "f.toml": Game(one.variant, one.seed + 9, None, one.moves[:1]).text,
            "g.toml": Game(one.variant, one.seed, None, one.moves[:1]).text,
        },
    )
    found = read_games([str(tmp_path), str(tmp_path / "e.toml")])
    assert [name[-6:] for name, _ in found.games] == [
        "a.toml",
        "d.toml",
        "e.toml",
        "f.toml",
        "g.toml",
    ] and not found.refused
    assert [(name[-6:], as_before[-6:]) for name, as_before in found.repeated] == [
        ("b.json", "a.toml"),
        ("/c.txt", "a.toml"),
        ("e.toml", "e.toml"),
    ]
    code, _, err = typed("behave", "--agree", "iggi", "a.toml", "b.json", folder=tmp_path)
    assert (
        code == 0
        and err == "1 game not counted again; the first: b.json is the same game as a.toml\n"
    )
    code, alone, _ = typed("behave", "--agree", "iggi", "a.toml", folder=tmp_path)
    assert typed("behave", "--agree", "iggi", "a.toml", "b.json", folder=tmp_path)[1] == alone


def test_file_names_that_are_not_utf_8(tmp_path, games):
    """Every table is written, and tells the name with its bytes escaped; so does an error."""
    name = os.fsdecode(b"caf\xe9.json")
    lay_out(
        tmp_path,
        {name: to_json(games[0]), os.fsdecode(b"no\xe9.json"): "{}", "b.json": to_json(games[1])},
    )
    for table in ("t.csv", "t.json", "t.parquet"):
        code, out, err = typed("import", ".", "-o", table, "--folder", "all", folder=tmp_path)
        assert code == 0 and r"the first: no\xe9.json" in err, err
        if table != "t.parquet":
            assert r"caf\xe9.json" in (tmp_path / table).read_text().replace("\\\\", "\\")
        (tmp_path / table).unlink()
    code, out, err = typed("import", name, "-o", os.fsdecode(b"t\xe9.toml"), folder=tmp_path)
    assert code == 0 and (tmp_path / os.fsdecode(b"t\xe9.toml")).exists(), err
    code, out, err = typed(
        "import", name, "b.json", "-o", os.fsdecode(b"t\xe9.csv"), folder=tmp_path
    )
    assert code == 0 and (tmp_path / os.fsdecode(b"t\xe9.csv")).exists(), err
