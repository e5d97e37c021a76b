"""Runs, agents, games and tournaments as the site shows them."""
import csv
import io
import shutil
import time

import pytest
from paths import ROOT
from tables import play_on, seated, site, table

from evolve.site.showcase import curves_of

REFERENCE = ROOT / "runs" / "reference"


@pytest.fixture
def runs(tmp_path):
    """A folder of one finished run, one with four parts, and one whose name is markup."""
    folder = tmp_path / "runs"
    for name, called in (("mirror-cig2018", "one"), ("mirror-living-per-count", "parts"), ("mixed-cig2018", "<b>&")):
        shutil.copytree(REFERENCE / name, folder / called)
    return folder


def test_runs_as_their_files_have_them(runs, tmp_path):
    with site(tmp_path / "games", runs=runs) as (client, found):
        assert client.get("/").url.path == "/runs" and client.get("/runs").status_code == 200
        rows = {row["name"]: row for row in client.get("/runs/state").json()}
        assert set(rows) == {"one", "parts", "<b>&"} and rows["one"]["state"] == "done" and not rows["one"]["report"]
        written = list(csv.DictReader(io.StringIO((runs / "one" / "log.csv").read_text())))
        run = client.get("/runs/one/curve").json()
        assert [row[1] for row in run["curves"][0]["rows"]] == [float(row["best"]) for row in written]
        assert [curve["list"] for curve in client.get("/runs/parts/curve").json()["curves"]] == ["2", "3", "4", "5"]
        page = client.get("/runs/%3Cb%3E&")
        assert page.status_code == 200 and "<b>&" not in page.text and "&lt;b&gt;&amp;" in page.text
        assert client.get("/runs/one/report").json()["error"].startswith("There is no report yet")
        (runs / "one" / "report.html").write_text("<script>1</script>")
        answer = client.get("/runs/one/report")
        assert answer.text == "<script>1</script>"
        assert answer.headers.get_list("content-security-policy")[0].startswith("sandbox allow-scripts; default-src 'none'")
        for path in ("/runs/none", "/runs/none/curve", "/runs/..%2Fone", "/runs/..%2F..%2Fetc/report", "/runs/none/report"):
            assert client.get(path).status_code == 404, path


def test_a_curve_moves_while_a_run_evolves(runs):
    log = runs / "one" / "log.csv"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:4]) + lines[4][:20])       # its last line is being written
    [curve] = curves_of(runs / "one")
    assert len(curve["rows"]) in (3, 4)
    log.write_text("".join(lines[:6]))
    assert len(curves_of(runs / "one")[0]["rows"]) == 5
    log.write_text("generation,best\n0,nan\n1,inf\n2,1e999\n3,x\n")
    assert curves_of(runs / "one") == []


def test_winners_may_be_seated_and_agents_say_what_they_do(runs, tmp_path):
    with site(tmp_path / "games", {"piers": "piers"}, runs=runs) as (client, found):
        text = client.get("/agents").text
        assert "Play my first card that can only be playable" in text or "the first rule that applies decides" in text
        assert "<b>&</b>" not in text and "&lt;b&gt;&amp;" in text and "Play with it" in text
        assert seated(client, "person", "one")
        assert f'value="{"person"}" selected' in client.get("/play").text and "<option selected>one" in client.get("/play?with=one").text


def test_only_games_that_are_over_are_looked_at(tmp_path):
    with site(tmp_path) as (client, found):
        here = table("person", "piers", variant="mini,players=2", path=tmp_path / "game.toml")
        play_on(here, 3)
        assert client.get("/games/game").status_code == client.get("/games/game/data").status_code == 404
        play_on(here)
        [data] = client.get("/games/game/data").json()
        assert data["score"] == int(here.view.score) and len(data["turns"]) == len(here.moves) + 1 and data["lists"]
        assert client.get("/games/game").status_code == 200 and "game" in client.get("/games").text
        for path in ("/games/none", "/games/..%2Fgame/data", "/games/none/data"):
            assert client.get(path).status_code == 404


def over(client):
    """The state of the tournament, once it is over."""
    while (state := client.get("/tournament/state").json())["running"]:
        time.sleep(0.02)
    return state


def test_a_tournament_from_a_form(tmp_path):
    with site(tmp_path) as (client, found):
        assert "checked" in client.get("/tournament?with=piers").text and client.get("/tournament/rows.csv").status_code == 404
        assert client.post("/tournament", json={"agents": ["piers", "iggi"], "games": 4, "seed": 1}).json()["line"] == (
            "hanabi tournament piers iggi --mode mirror --games 4 --seed 1")
        state = over(client)
        assert not state["error"] and [row[0] for row in state["rows"]] == ["piers", "iggi"]
        rows = list(csv.DictReader(io.StringIO(client.get("/tournament/rows.csv").text)))
        assert len(rows) == 8 and {row["games"] for row in rows} == {"4"}
        assert client.post("/tournament", json={"agents": ["piers", "iggi"], "mode": "compare", "games": 4}).status_code == 200
        assert "piers" in over(client)["text"]
        assert client.post("/tournament", json={"agents": ["piers"], "mode": "cross", "games": 4}).status_code == 200
        assert over(client)["error"] and "\n" not in over(client)["error"]
        for body in ({"agents": []}, {"agents": ["x.toml"]}, {"agents": "piers"}, {"agents": ["piers"], "games": 10**9},
                     {"agents": ["piers"], "games": "4"}, {"agents": ["piers"], "seed": -1}, {"agents": ["piers"], "mode": "x"}):
            assert client.post("/tournament", json=body).status_code == 422, body


def test_a_tournament_is_stopped_and_only_one_is_played(tmp_path):
    with site(tmp_path) as (client, found):
        client.post("/tournament", json={"agents": ["piers"], "games": 20_000})
        if client.get("/tournament/state").json()["running"]:
            answer = client.post("/tournament", json={"agents": ["piers"], "games": 1})
            assert answer.status_code in (200, 409)
        client.post("/tournament/stop", json={})
        assert over(client)["error"] in ("Stopped.", "")
