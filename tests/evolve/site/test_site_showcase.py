"""Runs, agents, games and tournaments as the site shows them."""

import csv
import io
import shutil
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from paths import ROOT
from tables import play_on, seated, settled, site, table

from evolve.ga.folder import RunState
from evolve.site.contest import Contest
from evolve.site.showcase import curves_of, left_of
from evolve.site.table import PlayTable
from hanabi.hanab_live import link, to_json
from hanabi.moves import move_text
from hanabi.position import Position
from hanabi.record import load as load_file
from hanabi.record import play_one
from hanabi.variant import read_variant
from rules.agents import load

POSITION = 'variant = "mini"\nhands = {Ann = ["R2", "B1 1", "G1"], Bob = ["R1", "B2", "G3"], Cal = ["R1", "G2", "B1"]}'
REFERENCE = ROOT / "runs" / "reference"


@pytest.fixture
def runs(tmp_path):
    """A folder of one finished run, one with four parts, and one whose name is markup."""
    folder = tmp_path / "runs"
    for name, called in (
        ("mirror-cig2018", "one"),
        ("mirror-living-per-count", "parts"),
        ("mixed-cig2018", "<b>&"),
    ):
        shutil.copytree(REFERENCE / name, folder / called)
    return folder


def test_runs_as_their_files_have_them(runs, tmp_path):
    with site(tmp_path / "games", runs=runs) as (client, found):
        assert client.get("/").url.path == "/runs" and client.get("/runs").status_code == 200
        rows = {row["name"]: row for row in client.get("/runs/state").json()}
        assert (
            set(rows) == {"one", "parts", "<b>&"}
            and rows["one"]["state"] == "done"
            and not rows["one"]["report"]
        )
        written = list(csv.DictReader(io.StringIO((runs / "one" / "log.csv").read_text())))
        run = client.get("/runs/one/curve").json()
        assert [row[1] for row in run["curves"][0]["rows"]] == [
            float(row["best"]) for row in written
        ]
        assert [curve["list"] for curve in client.get("/runs/parts/curve").json()["curves"]] == [
            "2",
            "3",
            "4",
            "5",
        ]
        page = client.get("/runs/%3Cb%3E&")
        assert page.status_code == 200 and "<b>&" not in page.text and "&lt;b&gt;&amp;" in page.text
        assert client.get("/runs/one/report").json()["error"].startswith("There is no report yet")
        (runs / "one" / "report.html").write_text("<script>1</script>")
        answer = client.get("/runs/one/report")
        assert answer.text == "<script>1</script>"
        assert answer.headers.get_list("content-security-policy")[0].startswith(
            "sandbox allow-scripts; default-src 'none'"
        )
        for path in (
            "/runs/none",
            "/runs/none/curve",
            "/runs/..%2Fone",
            "/runs/..%2F..%2Fetc/report",
            "/runs/none/report",
        ):
            assert client.get(path).status_code == 404, path


def test_a_curve_moves_while_a_run_evolves(runs):
    log = runs / "one" / "log.csv"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:4]) + lines[4][:20])  # its last line is being written
    [curve] = curves_of(runs / "one")
    assert len(curve["rows"]) in (3, 4)
    log.write_text("".join(lines[:6]))
    assert len(curves_of(runs / "one")[0]["rows"]) == 5
    log.write_text("generation,best\n0,nan\n1,inf\n2,1e999\n3,x\n")
    assert curves_of(runs / "one") == []


def test_winners_may_be_seated_and_agents_say_what_they_do(runs, tmp_path):
    with site(tmp_path / "games", {"piers": "piers"}, runs=runs) as (client, found):
        text = client.get("/agents").text
        assert (
            "Play my first card that can only be playable" in text
            or "the first rule that applies decides" in text
        )
        assert "<b>&</b>" not in text and "&lt;b&gt;&amp;" in text and "Play with it" in text
        assert seated(client, "person", "one")
        assert (
            f'value="{"person"}" selected' in client.get("/play").text
            and "<option selected>one" in client.get("/play?with=one").text
        )


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
        assert client.get("/games/game").status_code == 200 and "game" in client.get("/games").text
        for path in ("/games/none", "/games/..%2Fgame/data", "/games/none/data"):
            assert client.get(path).status_code == 404


def test_finished_runs_side_by_side(runs, tmp_path):
    with site(tmp_path / "games", runs=runs) as (client, found):
        answer = client.get("/compare?run=one&run=%3Cb%3E%26")
        assert (
            answer.status_code == 200
            and answer.text.startswith("<!doctype html>")
            and "<b>&" not in answer.text
        )
        assert answer.headers.get_list("content-security-policy")[0].startswith(
            "sandbox allow-scripts; default-src 'none'"
        )
        assert client.get("/compare?run=one").json()["error"] == "1 run side by side: name 2 to 8"
        assert client.get("/compare?run=one&run=none").status_code == 404
        (runs / "parts" / "result.json").unlink()
        answer = client.get("/compare?run=one&run=parts")
        assert answer.status_code == 422 and "has not finished" in answer.json()["error"]
        page = client.get("/compare?run=one&run=parts", headers={"accept": "text/html,*/*"})
        assert (
            page.status_code == 422
            and "has not finished" in page.text
            and page.text.startswith("<!doctype html>")
        )
        assert 'role="alert"' in page.text and 'href="/runs" aria-current="page"' in page.text


def test_a_game_is_brought_stepped_through_and_played_on(tmp_path):
    game = play_one(read_variant("standard").at(3), [load("piers").at(3)], [0, 0, 0], 4)
    with site(tmp_path) as (client, found):
        for text in (to_json(game), link(game), str(game)):
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
            len({client.post("/games", json={"text": link(game)}).json()["link"] for _ in range(3)})
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
        ("hello", "the game: this is neither hanab.live's JSON or link nor a game file"),
        ("{", "the game is not JSON"),
        ('{"players": []}', "the game is no game of hanab.live"),
        ("[" * 50_000, "the game: this is neither"),
        ('{"a":' * 5_000, f"the game is not JSON: {DEEP}"),
        ("https://hanab.live/replay/123", "the game: such a link names a game"),
        ("x = 1", "the game: "),
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


def test_how_long_a_run_goes_on(runs):
    state = RunState(runs / "one", "running", generation=9, generations=49, seconds=20.0)
    assert (
        left_of(state) == 80.0
        and left_of(replace(state, state="done")) is left_of(replace(state, seconds=None)) is None
    )


def test_how_long_a_tournament_goes_on(monkeypatch):
    """At the pace since it was first heard of."""
    now = [100.0]
    monkeypatch.setattr("evolve.site.contest.time", SimpleNamespace(monotonic=lambda: now[0]))
    contest = Contest({})
    for seconds, done, left in (
        (0, 10, None),
        (5, 10, None),
        (5, 20, 80.0),
        (20, 60, 24.0),
        (10, 100, 0.0),
    ):
        now[0] += seconds
        contest._heard(done, 100)
        assert (contest.state["done"], contest.state["left"]) == (done / 100, left)


def over(client):
    """The state of the tournament, once it is over."""
    while (state := client.get("/tournament/state").json())["running"]:
        time.sleep(0.02)
    return state


def test_a_tournament_from_a_form(tmp_path):
    with site(tmp_path) as (client, found):
        assert (
            "checked" in client.get("/tournament?with=piers").text
            and client.get("/tournament/rows.csv").status_code == 404
        )
        assert client.post(
            "/tournament", json={"agents": ["piers", "iggi"], "games": 4, "seed": 1}
        ).json()["line"] == ("hanabi tournament piers iggi --mode mirror --games 4 --seed 1")
        state = over(client)
        assert not state["error"] and [row[0] for row in state["rows"]] == ["piers", "iggi"]
        rows = list(csv.DictReader(io.StringIO(client.get("/tournament/rows.csv").text)))
        assert len(rows) == 8 and {row["games"] for row in rows} == {"4"}
        assert (
            client.post(
                "/tournament", json={"agents": ["piers", "iggi"], "mode": "compare", "games": 4}
            ).status_code
            == 200
        )
        assert "piers" in over(client)["text"]
        assert (
            client.post(
                "/tournament", json={"agents": ["piers"], "mode": "cross", "games": 4}
            ).status_code
            == 200
        )
        assert over(client)["error"] and "\n" not in over(client)["error"]
        for body in (
            {"agents": []},
            {"agents": ["x.toml"]},
            {"agents": "piers"},
            {"agents": ["piers"], "games": 10**9},
            {"agents": ["piers"], "games": "4"},
            {"agents": ["piers"], "seed": -1},
            {"agents": ["piers"], "mode": "x"},
        ):
            assert client.post("/tournament", json=body).status_code == 422, body


def test_a_tournament_is_stopped_and_only_one_is_played(tmp_path):
    with site(tmp_path) as (client, found):
        client.post("/tournament", json={"agents": ["piers"], "games": 20_000})
        if client.get("/tournament/state").json()["running"]:
            answer = client.post("/tournament", json={"agents": ["piers"], "games": 1})
            assert answer.status_code in (200, 409)
        client.post("/tournament/stop", json={})
        assert over(client)["error"] in ("Stopped.", "")
