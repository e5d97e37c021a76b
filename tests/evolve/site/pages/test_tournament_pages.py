"""Tournaments from a form, and their results."""

import csv
import io
import re
import time
from html import unescape
from types import SimpleNamespace

import pytest
from tables import site

from hanabi.evolve.charts.number_format import plus_minus
from hanabi.evolve.measure.cross_play import matrix, ordered
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.site.pages.tournament import TournamentPages


def test_how_long_a_tournament_goes_on(monkeypatch, tmp_path):
    """At the pace since it was first heard of."""
    now = [100.0]
    monkeypatch.setattr(
        "hanabi.evolve.site.pages.tournament.time", SimpleNamespace(monotonic=lambda: now[0])
    )
    contest = TournamentPages(SimpleNamespace(tables=SimpleNamespace(folder=tmp_path)))
    for seconds, done, left in (
        (0, 10, None),
        (5, 10, None),
        (5, 20, 80.0),
        (20, 60, 24.0),
        (10, 100, 0.0),
    ):
        now[0] += seconds
        contest._show_games(done, 100)
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
