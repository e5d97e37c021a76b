"""Games as the site lists, keeps and shows them."""

import re
import sys
from shutil import copy

import pytest
from paths import GOLDEN
from tables import play_on, seated, settled, site, table

from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.site.game_list import mean_points
from hanabi.evolve.site.play_table import PlayTable
from hanabi.formats.hanab_live import parse_game, to_json, to_link
from hanabi.game_reader import load as load_file
from hanabi.game_record import play_one
from hanabi.moves import move_text
from hanabi.positions.position import Position
from hanabi.rules.agents import load
from hanabi.variant import read_variant

POSITION = 'variant = "mini"\nhands = {Ann = ["R2", "B1 1", "G1"], Bob = ["R1", "B2", "G3"], Cal = ["R1", "G2", "B1"]}'


def test_only_games_that_are_over_are_looked_at(tmp_path):
    with site(tmp_path) as (client, found):
        here = table("person", "piers", variant="mini,players=2", path=tmp_path / "game.toml")
        play_on(here, 3)
        assert (
            client.get("/games/game").status_code
            == client.get("/games/game/data").status_code
            == 404
        )
        play_on(here)
        [data] = client.get("/games/game/data").json()
        assert (
            data["score"] == int(here.view.score)
            and len(data["turns"]) == len(here.moves) + 1
            and data["lists"]
        )
        assert "game" in client.get("/games").text
        title = f"Ann (person), Bob (piers): {data['score']} of {data['perfect']} points, hanabi"
        assert f"<title>{title}</title>" in client.get("/games/game").text
        for path in ("/games/none", "/games/..%2Fgame/data", "/games/none/data"):
            assert client.get(path).status_code == 404


def test_the_seed_of_a_game_is_listed_once_it_is_over(tmp_path):
    """It gives the deck away; a written game without a table has no cards to hide."""
    here = table("person", "piers", variant="mini,players=2", path=tmp_path / "game.toml", seed=72)
    play_on(here, 3)
    (tmp_path / "bare.toml").write_text(here.game.text)
    with site(tmp_path) as (_, found):
        for seed in ("", 72):
            rows = {row["name"]: row["seed"] for row in found.games.newest()}
            assert rows == {"game": seed, "bare": 72}
            play_on(here)


def test_a_game_is_brought_stepped_through_and_played_on(tmp_path):
    game = play_one(read_variant("standard").at(3), [load("piers").at(3)], [0, 0, 0], 3)
    with site(tmp_path) as (client, found):
        for text in (to_json(game), to_link(game), game.text):
            there = client.post("/games", json={"text": text})
            assert there.status_code == 200, there.text
            where = there.json()["link"]
            assert client.get(where).status_code == 200
            [data] = client.get(f"{where}/data").json()
            assert data["score"] == game.score and [
                turn["move"]["text"] for turn in data["turns"][:-1]
            ] == list(map(move_text, game.moves))
            name = where.rpartition("/")[2]
            links = seated(client, "piers", "person", "piers", game=name, turn=7)
            state = settled(client, links[1])
            assert (
                state["game"]["turns"][6]["move"]["text"] == move_text(game.moves[6])
                and "seat" in state["game"]
            )
            assert (
                list(links) == [1]
                and state["to_move"] == 1
                and state["game"]["turns"][-1]["turn"] == 7
            )
            assert load_file(tmp_path / f"{name}.toml").moves == game.moves, (
                "what is played on leaves the game as it is"
            )
        assert client.get("/games").text.count("look at it<") == 3
        assert (
            len(
                {
                    client.post("/games", json={"text": to_link(game)}).json()["link"]
                    for _ in range(3)
                }
            )
            == 3
        )
        table = {"seats": ["person", "piers", "piers"], "game": name}
        for more, says in (
            ({"turn": len(game.moves)}, "The game is over there"),
            ({"turn": 99}, "This game has turns 0 to"),
            ({"turn": "7"}, "A game is sent by its name"),
            ({"turn": 1, "game": "../x"}, "no name of a game"),
        ):
            answer = client.post("/tables", json=table | more)
            assert answer.status_code == 422 and answer.json()["error"].startswith(says), (
                answer.text
            )


DEEP = (
    "nested too deeply" if sys.version_info < (3, 14) else "Expecting value"
)  # which reads deeper than a game may be long


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "Paste hanab.live's JSON or link"),
        ("hello", "the game is not in a format that is read; formats of games are"),
        ("{", "the game is not JSON"),
        ('{"players": []}', "the game is no game of hanab.live"),
        ("[" * 50_000, "the game is not in a format"),
        ('{"a":' * 5_000, f"the game is not JSON: {DEEP}"),
        ("https://hanab.live/replay/123", "the game: such a link names a game"),
        ("x = 1", "the game is not in a format"),
        ("x" * 60_001, "The text has 60,001 letters"),
        (7, "Paste hanab.live's JSON or link"),
    ],
)
def test_what_is_no_game_is_one_line_and_leaves_nothing(tmp_path, text, says):
    with site(tmp_path) as (client, found):
        answer = client.post("/games", json={"text": text})
        assert (
            answer.status_code == 422
            and answer.json()["error"].startswith(says)
            and "\n" not in answer.json()["error"]
        ), answer.text
        assert client.post("/games", json={"text": "y" * 70_000}).status_code == 413
        assert not list(tmp_path.glob("*.toml"))


def test_the_games_of_all_formats_are_listed_and_opened(tmp_path):
    """A file of hanab.live with one game, and one with a game in each line; not other files."""
    games = [
        play_one(read_variant("standard").at(2), [load("piers").at(2)], [0, 0], seed)
        for seed in (4, 5)
    ]
    (tmp_path / "my game_1.json").write_text(to_json(games[0]))
    (tmp_path / "both.jsonl").write_text("\n".join(to_json(game) for game in games))
    (tmp_path / "notes.txt").write_text("Buy milk.")
    (tmp_path / ".hidden.json").write_text(to_json(games[0]))
    with site(tmp_path) as (client, found):
        rows = {row["name"]: row for row in found.games.newest()}
        assert set(rows) == {"my game_1.json", "both.jsonl#1", "both.jsonl#3"}
        assert [row["score"] for row in rows.values()].count(games[1].score) >= 1
        page = client.get("/games").text
        links = re.findall(r'href="(/games/[^"]+)">look at it', page)
        assert len(links) == 3
        for link_ in links:
            assert client.get(link_).status_code == 200, link_
        for name, game in (("my%20game_1.json", games[0]), ("both.jsonl%233", games[1])):
            [data] = client.get(f"/games/{name}/data").json()
            assert data["score"] == game.score and len(data["turns"]) == len(game.moves) + 1
        links = seated(client, "piers", "person", game="both.jsonl#3", turn=3)
        assert settled(client, links[1])["game"]["turns"][-1]["turn"] == 3
        for name in ("both.jsonl%232", "both.jsonl", "notes.txt", ".hidden.json", "..%2Fx.json"):
            assert client.get(f"/games/{name}").status_code == 404, name


def test_a_table_is_not_seen_by_the_name_of_its_file(tmp_path):
    play_on(table("person", "piers", variant="mini,players=2", path=tmp_path / "game.toml"), 3)
    with site(tmp_path) as (client, found):
        for name in ("game.toml", "game.toml%230", "game%230", "./game"):
            assert client.get(f"/games/{name}/data").status_code == 404, name


def test_a_game_from_a_position_is_looked_at_and_played_on(tmp_path):
    here = PlayTable(["person", "piers", "piers"], Position.read(POSITION), tmp_path / "game.toml")
    first = here.turn
    play_on(here)
    with site(tmp_path) as (client, found):
        before = (tmp_path / "game.toml").read_bytes()
        assert client.get("/games/game").status_code == 200
        [data] = client.get("/games/game/data").json()
        assert data["score"] == int(here.view.score) and len(data["turns"]) == len(here.moves) + 1
        assert [turn["turn"] for turn in data["turns"]] == list(
            range(first, here.turn + 1)
        ) and data["turns"][-1]["me"] == -1
        assert all(
            card["card"] is not None
            for turn in data["turns"]
            for hand in turn["hands"]
            for card in hand
            if card
        )
        assert [turn["move"]["text"] for turn in data["turns"][:-1]] == list(
            map(move_text, here.moves)
        )
        links = seated(client, "person", "person", "person", game="game", turn=first + 1)
        state = client.get(f"{links[0]}/state").json()
        assert state["game"]["turns"][-1]["turn"] == first + 1
        assert state["game"]["turns"][-1]["hands"][0][0]["card"] is None, (
            "a seat sees no more than a seat"
        )
        for turn, says in ((here.turn, "The game is over there"), (-1, "This game has turns")):
            answer = client.post(
                "/tables", json={"seats": ["person"] * 3, "game": "game", "turn": turn}
            )
            assert answer.status_code == 422 and answer.json()["error"].startswith(says)
        assert (tmp_path / "game.toml").read_bytes() == before


def test_abandoned_games_are_marked_and_count_in_no_mean(tmp_path):
    """Two finished games of people and an abandoned one; all means are there on request."""
    for name in ("array_of_games", "terminated_by_player"):
        copy(GOLDEN / "people" / f"{name}.json", tmp_path)
    with site(tmp_path) as (client, found):
        rows = {row["name"]: row for row in found.games.newest()}
        ended = rows["terminated_by_player.json"]
        assert ended["abandoned"] and ended["state"] == "over: Ann ended the game"
        points = [rows[f"array_of_games.json#{place}"]["score"] for place in (1, 2)]
        (means,) = mean_points(list(rows.values()))
        assert (means["games"], means["abandoned"]) == (2, 1)
        assert means["mean"] == sum(points) / 2 and means["mean_of_all"] == sum(points) / 3
        assert ended["score"] == 7, "which counts 0 in the mean of all"
        page = client.get("/games").text
        assert f"<td>{sum(points) / 2:.2f}</td><td>1</td><td>{sum(points) / 3:.2f}</td>" in page
        assert page.count('<td class="t">yes</td>') == 1


def test_a_link_says_at_which_turn_its_game_begins(tmp_path):
    game = play_one(read_variant("standard").at(3), [load("piers").at(3)], [0, 0, 0], 4)
    with site(tmp_path) as (client, found):
        link = client.post("/games", json={"text": f"<{to_link(game)}#33>"}).json()["link"]
        assert link.endswith("#turn=32") and client.get(link).status_code == 200


def test_a_person_named_as_an_agent_is_a_person(tmp_path):
    """On the page of a game of people, and at a table where a person took the name."""
    (tmp_path / "people.json").write_bytes(
        (GOLDEN / "people" / "person_named_code.json").read_bytes()
    )
    usual = re.compile(r"<option selected>([^<]*)<")
    with site(tmp_path) as (client, found):
        assert "code" in found.agents
        assert found.games.seats("people.json") == []
        assert usual.search(client.get("/games/people.json").text)[1] == DEFAULT
        here = table("person", "piers", variant="standard,players=2", path=tmp_path / "game.toml")
        here.set_name(0, "code")
        play_on(here)
        assert usual.search(client.get("/games/game").text)[1] == "piers"
        game = load_file(tmp_path / "game.toml")
        assert (game.agents, game.people) == (("", "piers"), ("code", ""))
        assert here.game.agents == game.agents and here.game.people == game.people
        assert load_file(tmp_path / "game.toml").names == ("code", "piers")
        again = parse_game(to_json(here.game))
        assert (again.agents, again.people) == (game.agents, game.people)
