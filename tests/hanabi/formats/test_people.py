"""Games as people and hanab.live's server leave them; the files are real games, players renamed."""

import gzip
import io
import json
from types import SimpleNamespace

import pytest
from folders import lay_out
from paths import GOLDEN
from typed import typed

from hanabi.formats.hanab_live import from_data, parse_game, to_data, to_json, to_link
from hanabi.game_reader import load, read_games
from hanabi.game_record import Game, Stop
from hanabi.moves import FORFEIT
from hanabi.replay_link import PLAYERS, expand, first_turn, is_link

FOLDER = GOLDEN / "people"
LINKS = (FOLDER / "links_as_pasted.txt").read_text().splitlines()


def data_of(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def game_of(name):
    return load(FOLDER / f"{name}.json")


@pytest.mark.parametrize(
    "name, end, seat, score, zero",
    [
        ("vote", "vote", -1, 0, 0),
        ("terminated_by_player", "terminated", 0, 7, 0),
        ("end_after_strikes", "lives", None, None, 0),
        ("final_round_over", "hopeless", -1, 24, 24),
        ("starting_player_1", "perfect", None, 25, 25),
        ("with_notes", "deck", None, None, None),
    ],
)
def test_how_a_game_ended_is_kept(name, end, seat, score, zero):
    """Through import, game file, reading back and export."""
    game = game_of(name)
    assert game.end == end and (game.stop.seat if game.stop else None) == seat
    assert score in (game.score, None) and zero in (game.score_zero, None)
    assert game.abandoned == (end in ("vote", "terminated"))
    again = Game.read(game.text)
    assert again == game and parse_game(to_json(again)).stop == game.stop
    was, now = data_of(name), to_data(again)
    keys = ("type", "target")
    done = [tuple(action[key] for key in keys) for action in now["actions"]]
    assert done == [tuple(action[key] for key in keys) for action in was["actions"]][: len(done)]
    assert (now["deck"], now["players"]) == (was["deck"], was["players"])


VALUES = {
    **{value: "terminated" for value in (0, 1, 2, 4, 11, -1, "4", None)},
    **{3: "timeout", 5: "speedrun", 6: "idle", 7: "softlock", 8: "all-or-nothing", 10: "vote"},
}


@pytest.mark.parametrize("value, end", VALUES.items())
def test_every_value_of_an_end(value, end):
    data = data_of("terminated_by_player")
    data["actions"][-1] = {"type": 4, "target": 1, "value": value}
    game = from_data(data)
    assert game.end == end and game.score_zero == 0 and game.score == 7
    assert game.stop.seat == (-1 if end in ("idle", "vote") else 1)
    assert game.abandoned == (end in ("terminated", "timeout", "idle", "vote"))
    assert Game.read(game.text) == game == parse_game(to_json(game))
    if end not in ("idle", "vote"):
        assert parse_game(to_link(game)).stop == game.stop
    assert parse_game(to_link(game)).end == end


def test_the_last_round_of_the_site():
    """The needed card is in a hand whose last turn is over; before that it could be played."""
    game = game_of("final_round_over")
    state, view = game.at(len(game.moves))
    needed = int(view.playable) & ~int(view.useless)
    holders = {
        seat
        for seat in range(game.variant.seats)
        for card in state.hands[seat]
        if card >= 0 and needed >> int(card) & 1
    }
    waiting = {(int(view.me) + turn) % game.variant.seats for turn in range(int(view.left))}
    assert needed and holders and waiting and not holders & waiting
    with pytest.raises(ValueError, match="its end is said to be hopeless, but cards can still be"):
        Game(game.variant, 0, game.deck, game.moves[:-3], stop=Stop("hopeless"))


def test_what_comes_after_the_end_is_left_out(tmp_path):
    """An END after the end, and moves after the third strike; import says so."""
    data = data_of("end_after_strikes")
    moves = data["actions"][:3]
    lay_out(tmp_path, {"g.json": json.dumps(data | {"actions": data["actions"] + moves})})
    game = load(tmp_path / "g.json")
    assert game.moves == game_of("end_after_strikes").moves and game.origin.left_out == 4
    code, out, err = typed("import", "g.json", folder=tmp_path)
    assert code == 0 and Game.read(out) == game
    assert err == "1 game goes on after the end, which is left out; the first: g.json, 4 actions\n"


@pytest.mark.parametrize("name", ["deckplays_unused", "emptyclues_unused"])
def test_an_option_without_use_is_no_reason_to_refuse(name):
    assert game_of(name).end
    option = {"deckplays_unused": "deckPlays", "emptyclues_unused": "emptyClues"}[name]
    assert data_of(name)["options"][option] is True


def first_move(action, **more):
    data = data_of("with_notes")
    return data | {"actions": [action]} | more


def test_an_option_is_refused_where_it_is_used():
    data = data_of("with_notes")
    touched = {card["rank"] for card in data["deck"][5:10]}
    missing = next(rank for rank in range(1, 6) if rank not in touched)
    with pytest.raises(
        ValueError, match="action 1: this hint touches no card of Bob; the option e"
    ):
        from_data(first_move({"type": 3, "target": 1, "value": missing}))
    game = from_data(data)
    turn = next(turn for turn in range(len(game.moves)) if game.at(turn)[1].deck == 1)
    data["actions"][turn:] = [{"type": 0, "target": 49}]
    with pytest.raises(ValueError, match=f"action {turn + 1}: .* card 49 .*; the option deckPlays"):
        from_data(data)
    data = data_of("with_notes")
    assert game.end == "deck"
    data |= {"actions": data["actions"] + [data["actions"][0]]}
    assert from_data(data).origin.left_out == 1
    with pytest.raises(ValueError, match=f"action {len(game.moves) + 1}: .* by the option allOrNo"):
        from_data(data | {"options": {"allOrNothing": True}})


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_another_player_begins(players):
    """Seats, dealt cards, targets, names and notes are turned, and turned back by an export."""
    from hanabi.evolve.measure.one_game import play_game

    data = to_data(play_game(["iggi"], players, 3))
    data |= {"players": list("abcde"[:players]), "seed": "p2v0s7", "id": 5}
    data["notes"] = [[f"{seat}-{card}" for card in range(50)] for seat in range(players)]
    plain = from_data(data)
    hand = plain.variant.hand_size
    for first in range(1, players):

        def seat(old, first=first):
            return (old + first) % players

        def card(old):
            return seat(old // hand) * hand + old % hand if old < players * hand else old

        other = json.loads(json.dumps(data)) | {"options": {"startingPlayer": first}}
        for old in range(players):
            other["players"][seat(old)] = data["players"][old]
            for place in range(50):
                other["notes"][seat(old)][card(place)] = data["notes"][old][place]
        for place in range(50):
            other["deck"][card(place)] = data["deck"][place]
        for action in other["actions"]:
            action["target"] = (card if action["type"] < 2 else seat)(action["target"])
        game = from_data(other)
        assert (game.moves, game.deck, game.people) == (plain.moves, plain.deck, plain.people)
        assert game.origin.starting_player == first
        again = to_data(Game.read(game.text))
        same = ("players", "deck", "actions", "notes", "seed", "id")
        assert [again[key] for key in same] == [other[key] for key in same]
        assert again["options"]["startingPlayer"] == first
        assert parse_game(to_link(game)).moves == game.moves


def test_links_as_they_are_pasted(tmp_path):
    whole = LINKS[0].rstrip("/")
    game = parse_game(whole)
    pasted = [
        *LINKS[:7],
        f"  ({whole}).",
        f"`{whole}#33`",
        whole.upper()[: whole.index("json/") + 5] + whole.partition("json/")[2],
        whole.removeprefix("https://"),
        f"{whole[:50]}\n{whole[50:90]}\n  {whole[90:]}",
        f"<{whole[:70]}\n{whole[70:]}>",
    ]
    for text in pasted:
        assert is_link(text) and parse_game(text).moves == game.moves, text
    lay_out(tmp_path, {"l.txt": "\n\n".join(pasted[:-1])})
    found = read_games([str(tmp_path / "l.txt")])
    assert not found.refused and len(found.repeated) == len(pasted) - 2
    assert [first_turn(whole + end) for end in ("#33", "#1", "", "#33>", "/?a=1#2")] == [
        *(32, 0, None, 32, 1)
    ]
    assert first_turn("many.jsonl#2") is None


def test_links_with_any_range_of_types():
    """One of a range to 5, and a range that holds types which do not occur."""
    (text,) = (FOLDER / "link_types_0_to_5.txt").read_text().split()
    assert {action["type"] for action in expand(text)["actions"]} == {0, 1, 2, 3, 4}
    assert parse_game(text).end
    assert expand("215a,09ab,0")["actions"] == [{"type": 0, "target": 1}]
    with pytest.raises(ValueError, match="action 1: .* should have a type from 0 to 5"):
        parse_game(text.replace(",05", ",69"))


def test_a_seed_in_a_link_is_kept():
    game = game_of("with_notes")
    again = parse_game(to_link(game))
    assert again.origin.seed == game.origin.seed == "p2v0s1" and again.moves == game.moves


def test_id_seed_names_and_notes_are_kept():
    """Our notes stand behind those of people."""
    data = data_of("with_notes") | {"players": ["Zoe", "code"]}
    game = Game.read(from_data(data).text)
    assert game.people == ("Zoe", "code") == game.names and game.agents == ()
    again = to_data(game)
    for key in ("id", "seed", "players", "notes"):
        assert again[key] == data[key]
    notes = to_data(game, [{0: "mine", 1: "other"}, {}])["notes"]
    assert notes[0][:3] == ["first note | mine", "other", "second note"]
    assert notes[1][:1] == ["third note"]


def test_only_our_own_files_name_agents():
    """An END is the forfeit of an agent in our files, and the act of a person in others."""
    end = [{"type": 4, "target": 0, "value": 4}]
    ours = from_data(first_move({}, actions=end, players=["Ann (piers)", "Bob (code)"]))
    assert ours.agents == ("piers", "code") and not ours.people
    assert ours.moves == (FORFEIT,) and ours.end == "forfeit"
    mixed = from_data(first_move({}, actions=end, players=["code", "Bob (piers)"]))
    assert (mixed.agents, mixed.people) == (("", "piers"), ("code", ""))
    assert mixed.stop == Stop("terminated", 0) and mixed.names == ("code", "piers")
    assert Game.read(mixed.text) == mixed == parse_game(to_json(mixed))
    for players in (["piers", "code"], ["Bob (piers)", "code"], ["Ann", "Bob"], list(PLAYERS[:2])):
        theirs = from_data(first_move({}, actions=end, players=players))
        assert theirs.agents == () and theirs.stop == Stop("terminated", 0) and not theirs.moves
        assert theirs.people in (tuple(players), ())


def test_several_games_in_one_text(tmp_path, monkeypatch):
    """A JSON array, objects in a row, what gzip packed, and standard input."""
    array = (FOLDER / "array_of_games.json").read_text()
    first, second = json.loads(array)
    row = json.dumps(first, indent=1) + "\n" + json.dumps(second, indent=1)
    lay_out(
        tmp_path,
        {
            "array.json": array,
            "row.json": row,
            "row.json.gz": gzip.compress(row.encode()),
            "bad.json": row + '{"players": 1}' + "{",
            "links.json": json.dumps([LINKS[0], first]),
            "folder/array.json.gz": gzip.compress(array.encode()),
        },
    )
    wanted = [from_data(first).moves, from_data(second).moves]
    for name in ("array.json", "row.json", "row.json.gz", "bad.json"):
        found = read_games([str(tmp_path / name)])
        assert [game.moves for _, game in found.games] == wanted, name
        assert [name.rpartition("#")[2] for name, _ in found.games] == ["1", "2"]
        assert len(found.refused) == (2 if name == "bad.json" else 0)
        assert load(f"{tmp_path / name}#2").moves == wanted[1]
    assert len(read_games([str(tmp_path / "folder")]).games) == 2
    assert len(read_games([str(tmp_path / "links.json")]).games) == 2
    for text in (array, row, to_link(from_data(first)), str(from_data(first))):
        stdin = SimpleNamespace(buffer=io.BytesIO(text.encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        assert read_games(["-"]).games[0][1].moves == wanted[0]


BAD = {
    'end = "lives"': "end should be terminated, vote, timeout, idle",
    'end = "vote"\nended_by = "Zoe"': "ended_by should be Ann, Bob",
    'ended_by = "Ann"': "ended_by should be Ann, Bob, Cal, Dee, Eve, below end, not 'Ann'",
    'end = "idle"\nended_by = "Cal"': "Cal does not sit at this table",
    'end = "hopeless"': "cards can still be played",
    "people = [3, 4]": "people should be names in quotes",
    'people = ["a"]': "2 names of people are needed, not 1",
    "hanab_live = 3": "hanab_live should be a table, not 3",
    "hanab_live.ids = 3": "hanab_live: no key 'ids'",
    "hanab_live.id = -3": "id, starting_player and left_out are numbers from 0",
}


@pytest.mark.parametrize("line, message", BAD.items())
def test_bad_game_files(line, message):
    with pytest.raises(ValueError) as caught:
        Game.read(f"players = 2\nseed = 1\nmoves = []\n{line}\n", "g.toml")
    assert message in str(caught.value) and str(caught.value).startswith("g.toml")


def test_no_end_is_given_to_a_game_that_is_over():
    game = game_of("starting_player_1")
    with pytest.raises(ValueError, match="said to be vote, but its moves end it: perfect"):
        Game(game.variant, 0, game.deck, game.moves, stop=Stop("vote"))


def test_errors_count_slots_from_1_by_age():
    """The engine's slot 0 of a new hand has the oldest card."""
    text = 'players = 2\nseed = 1\nmoves = ["play 4", "tell Ann 9"]'
    with pytest.raises(ValueError):
        Game.read(text)
    with pytest.raises(
        ValueError, match=r"turn 0: Ann cannot discard slot 5; legal are play slot 5"
    ):
        Game.read('players = 2\nseed = 1\nmoves = ["discard 0"]')
