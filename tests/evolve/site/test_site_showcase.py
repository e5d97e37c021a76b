"""Runs, agents, games and tournaments as the site shows them."""

import csv
import io
import re
import shutil
import sys
import time
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import pytest
from paths import ROOT
from tables import play_on, seated, settled, site, table
from tiny import tiny

from hanabi.evolve import evolve
from hanabi.evolve.charts.number_format import plus_minus
from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.run_folder import RunState
from hanabi.evolve.measure.cross_play import matrix, ordered
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.reports import report_games
from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.runs_pages import curves_of, left_of, lists_of
from hanabi.evolve.site.tournament_page import TournamentPage
from hanabi.formats.hanab_live import to_json, to_link
from hanabi.game_reader import load as load_file
from hanabi.game_record import play_one
from hanabi.moves import move_text
from hanabi.positions.position import Position
from hanabi.rules.agents import load
from hanabi.variant import read_variant

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


def written(client, name):
    """The state of a run's report, once nothing is written any more."""
    while (state := client.get(f"/runs/{name}/curve").json())["writing"] is not None:
        time.sleep(0.02)
    return state


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_report_is_written_when_it_is_asked_for_and_the_run_stays_as_it_was(
    runs, tmp_path, monkeypatch
):
    monkeypatch.setattr(report_games, "GAMES", 2)
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    before = files_in(runs)
    with site(tmp_path / "games", runs=runs) as (client, found):
        missing = client.get("/runs/one/report")
        assert missing.status_code == 404 and str(tmp_path) not in missing.text
        assert client.post("/runs/one/report", data={"x": "y"}).status_code == 415, (
            "only scripts of the site's own pages may send this"
        )
        assert client.post("/runs/none/report", json={}).status_code == 404
        assert (
            client.post("/runs/one/report", json={}).status_code
            == client.post("/runs/one/report", json={}).status_code
            == 200
        )
        state = written(client, "one")
        assert state["report"] and not state["problem"], state["problem"]
        answer = client.get("/runs/one/report")
        assert "points over" in answer.text and answer.headers.get_list("content-security-policy")[
            0
        ].startswith("sandbox allow-scripts")
        assert not written(client, "parts")["report"], "of this run only"
        assert files_in(runs) == before, "the folder of a run stays as it was committed"
    with site(tmp_path / "games", runs=runs) as (client, found):
        assert client.get("/runs/one/report").text == answer.text, "it is kept"
        (runs / "one" / "report.html").write_text("<p>mine")
        assert client.get("/runs/one/report").text == "<p>mine", (
            "the one that hanabi report wrote comes first"
        )


def test_a_report_that_cannot_be_written_says_why(runs, tmp_path, monkeypatch):
    monkeypatch.setattr(report_games, "GAMES", 2)
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    (runs / "one" / "best.toml").write_text("x = 1")
    config = runs / "parts" / "config.toml"
    config.write_text(
        config.read_text().replace("rule_files = []", f'rule_files = ["{tmp_path / "mine.py"}"]')
    )
    (tmp_path / "mine.py").write_text("raise SystemExit('run')")
    with site(tmp_path / "games", runs=runs) as (client, found):
        for name, says in (
            ("one", "best.toml was changed after the run"),
            ("parts", "rules of its own, and the site loads none"),
        ):
            assert client.post(f"/runs/{name}/report", json={}).status_code == 200
            state = written(client, name)
            assert (
                says in state["problem"] and "\n" not in state["problem"] and not state["report"]
            ), state["problem"]
        (runs / "<b>&" / "result.json").unlink()
        assert client.post("/runs/%3Cb%3E&/report", json={}).status_code == 409


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
        for text in (to_json(game), to_link(game), str(game)):
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


@pytest.mark.parametrize("lists", [[], ["2", "3"]])
def test_the_time_left_is_the_terminals(tmp_path, lists):
    """After each generation, also of a run of several lists, and after it was resumed."""
    steps = []
    folder = evolve(
        tiny(generations=2, lists=lists), tmp_path / "runs", progress=steps.append, jobs=1
    ).folder
    steps = [step for step in steps if step.stage == "evolve"]
    parts = [folder / part for part in lists] or [folder]
    rows = [
        (part, line)
        for part in parts
        for line in (part / "timing.csv").read_text().splitlines()[1:]
    ]
    assert len(rows) == len(steps) == 3 * len(parts)
    for part in parts:
        (part / "timing.csv").write_text("generation,seconds,games,games_per_second,jobs\n")
    for (part, row), step in zip(rows, steps):
        with open(part / "timing.csv", "a") as file:
            file.write(f"{row}\n")
        state = RunState(folder, "running", step.generation, step.generations)
        assert left_of(state) == pytest.approx(step.left, abs=0.06)
        assert left_of(replace(state, state="done")) is None
    assert steps[0].left > 0 == steps[-1].left
    assert lists_of(folder) == {"lists": lists, "each": 2}


def test_the_time_left_follows_the_newest_generations():
    assert (
        seconds_left([], 5) != seconds_left([], 5)
        and seconds_left([2.0], 5) == 10.0
        and seconds_left([2.0], 0) == 0.0
    )
    assert seconds_left([100.0] + [1.0] * 20, 3) == 3.0, (
        "the first one, in which everything was compiled, counts no more"
    )


def test_how_long_a_tournament_goes_on(monkeypatch, tmp_path):
    """At the pace since it was first heard of."""
    now = [100.0]
    monkeypatch.setattr(
        "hanabi.evolve.site.tournament_page.time", SimpleNamespace(monotonic=lambda: now[0])
    )
    contest = TournamentPage(SimpleNamespace(folder=tmp_path), {})
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


def played_as(client, **body):
    """The address of the result of a tournament that is played."""
    answer = client.post(
        "/tournament", json={"agents": ["piers", "iggi"], "games": 4, "seed": 1} | body
    )
    assert answer.status_code == 200, answer.text
    state = over(client)
    assert state["kept"] and not state["error"], state["error"]
    return f"/tournament/{state['kept']}"


def test_a_tournament_from_a_form(tmp_path):
    with site(tmp_path) as (client, found):
        assert (
            "checked" in client.get("/tournament?with=piers").text
            and "No tournament yet" in client.get("/tournament").text
        )
        where = played_as(client)
        assert (
            "hanabi tournament piers iggi --mode mirror --games 4 --seed 1"
            in client.get(where).text
        )
        rows = list(csv.DictReader(io.StringIO(client.get(f"{where}/rows.csv").text)))
        assert len(rows) == 8 and {row["games"] for row in rows} == {"4"}
        compared = played_as(client, mode="compare")
        assert (
            "piers" in client.get(compared).text
            and client.get(f"{compared}/rows.csv").status_code == 404
        )
        assert (
            client.post(
                "/tournament", json={"agents": ["piers"], "mode": "cross", "games": 4}
            ).status_code
            == 200
        )
        assert (
            over(client)["error"] and "\n" not in over(client)["error"] and not over(client)["kept"]
        )
        for body in (
            {"agents": []},
            {"agents": ["x.toml"]},
            {"agents": "piers"},
            {"agents": ["piers"], "games": 10**9},
            {"agents": ["piers"], "games": "4"},
            {"agents": ["piers"], "seed": -1},
            {"agents": ["piers"], "mode": "x"},
            {"agents": ["piers"], "title": "x" * 61},
            {"agents": ["piers"], "title": 7},
        ):
            assert client.post("/tournament", json=body).status_code == 422, body


def cells(page):
    """The rows of all tables of a page, as text."""
    return [
        [
            unescape(re.sub(r"<[^>]+>", "", cell))
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", page)
    ]


def test_results_have_a_name_and_outlive_the_server(tmp_path):
    """And a page of cross play says who is guest, and has each cell with its error under both scorings."""
    with site(tmp_path) as (client, found):
        where = played_as(client, mode="cross", games=30, title="<b>before</b> the new rule")
        mirror = played_as(client, games=30)
        single = played_as(client, games=1, mode="cross")
    with site(tmp_path) as (client, found):
        listing = client.get("/tournament").text
        assert listing.count('href="/tournament/') == 3 and "<b>before" not in listing
        assert "&lt;b&gt;before&lt;/b&gt; the new rule</a>" in listing
        assert "mirror, 2 agents, 30 games, seed 1" in listing, (
            "without a name it has one that says what it is"
        )
        page = client.get(where).text
        assert (
            "<b>before" not in page
            and page.count("<svg") == 1
            and ">host</text>" in page
            and ">guest</text>" in page
        )
        rows, wanted = (
            cells(page),
            tournament(["piers", "iggi"], "cross", games_each=30, seed=1, jobs=1).rows,
        )
        assert ["guest ↓ host →", *ordered(matrix(wanted)[0])] in rows
        for scoring in ("kept", "zero"):
            means, sems = matrix(wanted, scoring=scoring)
            for guest in means.index:
                assert [
                    guest,
                    *(
                        plus_minus(means.at[guest, host], sems.at[guest, host])
                        for host in ordered(matrix(wanted)[0])
                    ),
                ] in rows
        assert "one agent in one seat" in page and "whose copies sit in all other seats" in page
        assert page.count("± is one standard error") == 3
        rows = cells(client.get(mirror).text)
        assert rows[0] == [
            "agent",
            "2 players",
            "3 players",
            "4 players",
            "5 players",
            "kept",
            "zero",
            "perfect",
            "forfeits",
        ]
        assert all("±" in cell for row in rows[1:3] for cell in row[1:7]) and [
            row[0] for row in rows[1:3]
        ] == ["piers", "iggi"]
        assert client.get(single).status_code == 200, "a single game has no error"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"rows": [1]}',
        '{"title": "x", "made": "", "mode": "cross", "agents": [], "games": 1, '
        '"seed": 0, "command": "", "text": "", "rows": [{"agent": "a"}]}',
    ],
)
def test_a_file_that_holds_no_result_is_left_out(tmp_path, text):
    folder, name = tmp_path / "tournaments", "2026-11-23-201500-0123abcd"
    folder.mkdir()
    (folder / f"{name}.json").write_text(text)
    (tmp_path / "secret.json").write_text("{}")
    with site(tmp_path) as (client, found):
        assert "No tournament yet" in client.get("/tournament").text
        for path in (
            f"/tournament/{name}",
            f"/tournament/{name}/rows.csv",
            "/tournament/none",
            "/tournament/..%2Fsecret",
        ):
            answer = client.get(path)
            assert answer.status_code == 404 and str(tmp_path) not in answer.text, path


def test_a_tournament_is_stopped_and_only_one_is_played(tmp_path):
    with site(tmp_path) as (client, found):
        client.post("/tournament", json={"agents": ["piers"], "games": 20_000})
        if client.get("/tournament/state").json()["running"]:
            answer = client.post("/tournament", json={"agents": ["piers"], "games": 1})
            assert answer.status_code in (200, 409)
        client.post("/tournament/stop", json={})
        assert over(client)["error"] in ("Stopped.", "")
