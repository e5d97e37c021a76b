"""Games of hanab.live.

Links and JSON as the site makes them, games that survive both, and everything else refused in one
line.
"""

import dataclasses
import json
import random

import numpy as np
import pytest
from folders import lay_out, refused
from hypothesis import given, settings, strategies as st
from paths import GOLDEN
from sizes import tries
from texts import FUZZ, TEXT, changed, damaged, refuses_well
from typed import typed

from hanabi.formats.hanab_live import from_data, parse_game, to_data, to_json, to_link
from hanabi.game import apply, deal, is_over, legal_moves, new_state, snapshots
from hanabi.game_record import Game
from hanabi.moves import FORFEIT, is_discard, is_play, is_tell, read_move, slot_of
from hanabi.replay_link import SITE, SUITS, compress, expand
from hanabi.variant import NAMED, Variant
from hanabi.view import critical

VECTORS = json.loads((GOLDEN / "hanab_live.json").read_text())  # made by the site's own code
HANDS = {2: (None, 4, 5), 3: (None, 4, 5), 4: (None, 3, 4, 5), 5: (None, 4)}
VARIANTS = [
    Variant(players=players, colours=len(suits), hand=hand, stop_when_hopeless=stop)
    for _, suits in SUITS.values()
    for players, hands in HANDS.items()
    for hand in hands
    for stop in (False, True)
]


def chosen(rng, state, view, wasteful):
    """A random move.

    Of a wasteful player one that ruins what it can, so that soon nothing can be played any more.
    """
    legal = legal_moves(view)
    last = [
        move
        for move in legal
        if wasteful
        and is_discard(move)
        and int(critical(view)) >> int(state.hands[view.me, slot_of(move)]) & 1
    ]
    return rng.choice(last or [move for move in legal if not (wasteful and is_play(move))] or legal)


def game(variant, seed, most=999, forfeits=False, agents=()):
    """A game of random moves, of wasteful ones where the seed is even."""
    rng, moves = random.Random(seed), []
    state, view = new_state(variant)
    deal(state, view, np.uint64(seed))
    while not is_over(view) and len(moves) < most:
        moves.append(chosen(rng, state, view, seed % 2 == 0))
        apply(state, view, moves[-1])
    reasons = tuple(
        rng.choice(["", "otherwise", "it | fits", "cig2018.play_safe_card"]) for _ in moves
    )
    return Game(
        variant,
        seed,
        None,
        (*moves, *[FORFEIT] * (forfeits and not is_over(view))),
        agents,
        (*reasons, *["otherwise"] * (forfeits and not is_over(view))),
    )


@pytest.mark.parametrize("vector", VECTORS, ids=["ended", "one clue", "four moves", "five players"])
def test_what_the_site_makes(vector):
    assert compress(vector["json"]) == vector["compressed"]
    assert expand(SITE + vector["compressed"]) == vector["json"]
    if "url" in vector:
        assert (
            to_link(parse_game(vector["url"]))
            == vector["url"]
            == to_link(from_data(vector["json"]))
        )
    else:
        with pytest.raises(
            ValueError, match="game, action 1: Ann cannot tell Ann 4: that is no legal move there"
        ):
            from_data(vector["json"])


@settings(FUZZ, max_examples=tries(150))
@given(
    st.sampled_from(VARIANTS),
    st.integers(0, 2**64 - 1),
    st.sampled_from([999, 999, 999, 40, 9, 0]),
    st.booleans(),
)
def test_games_survive(variant, seed, most, forfeits):
    """The same variant, deck, moves and players, but for what comes after the end that the site
    sees.
    """
    names = ("piers", 'Bo"b\n', "é (x)", "search:piers", "Ann")[: variant.seats]
    was = game(variant, seed, most, forfeits, names if seed % 3 else ())
    walks = [(was, parse_game(to_json(was)), was.agents)]
    usual = variant.hand_size == dataclasses.replace(variant, hand=None).hand_size
    if usual:
        walks.append((was, parse_game(to_link(was)), ()))
    else:
        with pytest.raises(ValueError, match="a link cannot say that hands have"):
            to_link(was)
    for one, again, agents in walks:
        assert again.agents == agents and again.score == one.score
        assert (again.variant.colours, again.variant.hand_size, again.variant.seats) == (
            variant.colours,
            variant.hand_size,
            variant.seats,
        )
        assert again.moves == one.moves[: len(again.moves)]
        stopped = one.end == "forfeit" and not agents  # the site's words for it name a person
        cut = len(again.moves) + stopped < len(one.moves)
        end = "terminated" if stopped else one.end
        assert again.end == ("hopeless" if cut or one.end == "hopeless" else end)
        views = [[view for _, view in snapshots(it.steps())] for it in (one, again)]
        for before, after in zip(*views, strict=not cut and not stopped):
            assert (before.hands == after.hands).all() and (before.mask == after.mask).all()
            assert before.full[0] & ~before.useless or after is views[1][-1], (
                "the site ends a game where nothing can be played"
            )
        assert Game.read(again.text) == again == parse_game(to_json(again))


def test_reasons_are_notes():
    """On the card that is moved, or on those that a hint points at, among the notes of the player
    who moves.
    """
    one = game(NAMED["standard"].at(3), 3)
    turn = next(
        turn
        for turn, move in enumerate(one.moves)
        if turn % 3 and is_tell(move) and one.rules[turn] == "cig2018.play_safe_card"
    )
    notes = to_data(one)["notes"]
    where = [
        place
        for place, note in enumerate(notes[turn % 3])
        if f"turn {turn + 1}, cig2018.play_safe_card: Play my first card" in note
    ]
    (_, view), (_, after) = snapshots(one.steps())[turn : turn + 2]
    slots = int(after.history[turn]) >> 8 & 255
    seat = next(
        seat
        for seat in range(3)
        if seat != turn % 3 and (after.mask[seat] != view.mask[seat]).any()
    )
    assert where == sorted(int(view.born[seat, slot]) for slot in range(5) if slots >> slot & 1)
    assert (
        len(notes) == 3
        and all(len(row) == 50 for row in notes)
        and "otherwise: No rule applied." in json.dumps(notes)
    )
    assert to_data(Game(one.variant, 3, None, one.moves))["notes"] == []


def test_the_sites_names_of_colours():
    """Its fifth suit is purple, our fifth colour white.

    The others have the same names there and here.
    """
    one = Game(
        NAMED["standard"].at(2),
        0,
        tuple(sorted(NAMED["standard"].deck(), key=lambda card: card % 5)),
        (read_move("tell Bob Y"),),
    )
    data = to_data(one)
    assert [card["suitIndex"] for card in data["deck"][:15:3]] == [0, 3, 2, 1, 4]
    assert data["actions"] == [{"type": 2, "target": 1, "value": 1}] and data["options"] == {
        "variant": "No Variant"
    }


LINK = VECTORS[2]["url"]
JSON = VECTORS[2]["json"]


@settings(FUZZ, max_examples=tries(300))
@given(
    st.one_of(
        TEXT,
        damaged(LINK),
        damaged(json.dumps(JSON)),
        changed(JSON).map(lambda data: json.dumps(data, default=str)),
    )
)
def test_what_is_damaged(text):
    for some in (text, SITE + text, json.dumps(JSON)[:-1] + "," + text):
        found = refuses_well(parse_game, some)
        assert found is None or parse_game(to_json(found)).moves == found.moves


def with_(**changes):
    return {"g.json": json.dumps(JSON | changes)}


TABLE = [  # (words, files, what the line says)
    ("import none.json", {}, "cannot read none.json: no such file or directory"),
    ("import g.json", {"g.json": "{"}, "g.json is not JSON: "),
    (
        "import g.json",
        {"g.json": "3"},
        "g.json is no game of hanab.live: it should have players, a deck and actions, each a list",
    ),
    ("import g.json", {"g.json": "[" * 99_999}, "g.json is not JSON: nested too deeply"),
    (
        "import g.json",
        {"g.json": f"[{'1,' * 30_000}1]"},
        "g.json is not JSON that is read here: it holds more than 20,000 values",
    ),
    (
        "import https://hanab.live/replay/12#3",
        {},
        "save https://hanab.live/export/12 as a file, and import that",
    ),
    ("import " + SITE + "x" * 3000, {}, "a link to a game has up to 2,000 letters, not 3,038"),
    (
        "import " + SITE + "215a,00,0",
        {},
        "link: the deck is not that of the game: it should have 50 cards, each as often as in",
    ),
    (
        "import " + SITE + "251a,00,0",
        {},
        "link: this is no link to a game of hanab.live; one begins with " + SITE,
    ),
    (
        "import " + LINK[:-1] + "13",
        {},
        "variant 'number 13' is not played here; there are No Variant, 6 Suits, 4 Suits",
    ),
    (
        "import g.json",
        with_(options={"variant": "Rainbow (5 Suits)"}),
        "g.json: the variant 'Rainbow (5 Suits)' is not played here",
    ),
    *(
        (
            "import g.json",
            with_(options={option: True}),
            f"g.json: the option {option} makes a game that is not played here; of the options",
        )
        for option in (
            "detrimentalCharacters",
            "a new one",
            "variantName",
        )
    ),
    *(
        (
            "import g.json",
            with_(options={"startingPlayer": first}),
            f"g.json: the option startingPlayer should be a player from 0 to 1, not {first}",
        )
        for first in (2, -1, True)
    ),
    (
        "import g.json",
        with_(options={"oneLessCard": "false"}),
        "g.json: the option oneLessCard should be true or false, not 'false'",
    ),
    (
        "import g.json",
        with_(players=["A", "\ud800"]),
        "g.json: the name '\\ud800' has half of a surrogate pair",
    ),
    ("import g.json", with_(options=3), "g.json: options should be named, not 3"),
    (
        "import g.json",
        with_(options={"oneExtraCard": True}),
        "g.json: the option oneExtraCard makes hands of 6 cards; hands of up to 5",
    ),
    (
        "import g.json",
        with_(players=["A"] * 6),
        "g.json: it has 6 players",
    ),
    (
        "import g.json",
        with_(players=["A", 3]),
        "g.json: players should be names, each of up to 1000 letters",
    ),
    (
        "import g.json",
        with_(deck=[{"suitIndex": 5, "rank": 1}]),
        "g.json, card 0 of the deck: {'suitIndex': 5, 'rank': 1} should have a "
        "suitIndex from 0 to 4 and a rank from 1 to 5",
    ),
    (
        "import g.json",
        with_(actions=[{"type": 0, "target": 5}]),
        "g.json, action 1: Ann does not hold card 5 of the deck",
    ),
    (
        "import g.json",
        with_(actions=[{"type": 1, "target": 0}]),
        "g.json, action 1: Ann cannot discard slot 5: that is no legal move there",
    ),
    (
        "import g.json",
        with_(actions=[{"type": 2, "target": 1, "value": 5}]),
        "should be a hint for player 0 to 1, its value 0 to 4",
    ),
    (
        "import g.json",
        with_(actions=[{"type": 9}]),
        "should have a type from 0 to 5, a target and, for a hint, a value",
    ),
    (
        "import g.json",
        with_(notes=[["a"], "b"]),
        "g.json: notes should be a list of texts for each",
    ),
    ("import g.json", with_(notes=[["a" * 50_001]]), "the notes have more than 50,000 letters"),
    ("import g.json", with_(notes=[["\ud800"]]), "g.json: '\\ud800' has half of a surrogate pair"),
    ("import g.json", with_(id="7"), "g.json: id should be a whole number, not '7'"),
    (
        "import https://hanabi.live/game/12",
        {},
        "link: such a link names a table, and its game has a number only when it is over",
    ),
    ("import https://hanab.live/export/12/", {}, "save https://hanab.live/export/12 as a file"),
    ("import g.json.gz", {"g.json.gz": b"\x1f\x8b\x08"}, "g.json.gz is no whole .gz file"),
    (
        "import g.json",
        with_(actions=[{"type": 0, "target": 0}] * 256),
        "g.json: 256 actions are more than any game can have",
    ),
    ("import g.json -o no/g.toml", with_(), "cannot write no/g.toml: no such file or directory"),
    (
        "show piers --hanab-live link --variant mini",
        {},
        "hanab.live has no game 'mini': it plays the standard game",
    ),
    (
        "show piers --hanab-live g.json --players 4 --variant standard,hand=2",
        {},
        "hanab.live has no game 'players=4,hand=2': it plays the",
    ),
    (
        "show piers --hanab-live g.json --players 2 --variant standard,hand=3",
        {},
        "hanab.live has no game 'players=2,hand=3': it plays the",
    ),
    (
        "show p.toml --hanab-live link",
        {"p.toml": '[hands]\nAnn = ["R1"]\n'},
        "Ann's hand should be a list of 5 slots",
    ),
]


@pytest.mark.parametrize(
    "words, given, message",
    TABLE,
    ids=[f"{words[:30]} {message[:30]}" for words, _, message in TABLE],
)
def test_what_is_wrong_is_told(words, given, message, tmp_path):
    lay_out(tmp_path, given)
    refused(words, tmp_path, message)


def test_by_command(tmp_path):
    """What show writes, import reads, and show again."""
    code, out, err = typed(
        "show", "piers", "--seed", "7", "--hanab-live", "link", "-o", "was.toml", folder=tmp_path
    )
    assert code == 0 and not err and out.startswith(SITE) and out.count("\n") == 1
    code, game_file, _ = typed("import", out.strip(), folder=tmp_path)
    was = Game.read((tmp_path / "was.toml").read_text())
    assert code == 0 and Game.read(game_file).moves == was.moves[: len(Game.read(game_file).moves)]
    code, out, err = typed("show", "was.toml", "--hanab-live", "g.json", folder=tmp_path)
    assert code == 0 and out.startswith("standard, 2 players, seed 7") and not err
    code, out, err = typed("import", "g.json", "-o", "again.toml", folder=tmp_path)
    assert (code, err) == (0, "") and out.startswith("again.toml: a game of 2 players, 1")
    assert Game.read((tmp_path / "again.toml").read_text()).agents == was.agents
    code, out, _ = typed("show", "again.toml", folder=tmp_path)
    assert code == 0 and "a given deck: Ann (piers), Bob (piers)" in out.replace("\n", " ")
