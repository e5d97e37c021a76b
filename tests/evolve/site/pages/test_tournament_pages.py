"""Tournaments from a form, and their results."""

import csv
import io
import re
import time
from html import unescape

import pytest
from tables import site

from hanabi.evolve.charts.chart import plus_minus
from hanabi.evolve.measure.cross_play import matrix, ordered, strangers
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.site import tournament_results


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
    """And a page of cross play says who is guest, and has each cell with its error under both
    scorings.
    """
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
        assert "<b>before" not in page
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


def test_a_cell_opens_the_games_that_it_counts(tmp_path):
    """The guest sits in one seat, the host in all others; the deals are those of the tournament."""
    with site(tmp_path) as (client, found):
        where = played_as(client, mode="cross", games=3, seed=2)
        page = client.get(where).text
        rows = list(csv.DictReader(io.StringIO(client.get(f"{where}/rows.csv").text)))
        for guest, host in (("piers", "iggi"), ("iggi", "piers"), ("iggi", "iggi")):
            assert f'href="{where}/game?guest={guest}&amp;host={host}"' in page
            scores = []
            for deal in range(3):
                query = f"guest={guest}&host={host}&players=4&deal={deal}"
                assert client.get(f"{where}/game?{query}").status_code == 200
                [game] = client.get(f"{where}/game/data?{query}").json()
                assert sorted(game["agents"]).count(host) == (4 if guest == host else 3)
                assert guest in game["agents"] and game["players"] == 4
                scores.append(game["score"])
            [row] = [
                row
                for row in rows
                if (row["agent"], row["partner"], row["players"]) == (guest, host, "4")
            ]
            assert sum(scores) / 3 == pytest.approx(float(row["mean_kept"]), abs=1e-6)
        for query in (
            "guest=piers&host=nobody",
            "guest=%3Cb%3E&host=iggi",
            "guest=piers&host=iggi&players=7",
            "guest=piers&host=iggi&deal=3",
        ):
            assert client.get(f"{where}/game/data?{query}").status_code == 422, query
            assert "<b>" not in client.get(f"{where}/game?{query}").text
        assert client.get("/tournament/none/game?guest=piers&host=iggi").status_code == 404


def test_a_result_from_elsewhere_makes_no_agent_play(tmp_path):
    """It may name a file: only agents of the site are loaded."""
    with site(tmp_path) as (client, found):
        where = played_as(client, mode="cross", games=2)
        file = tmp_path / "tournaments" / f"{where.rpartition('/')[2]}.json"
        evil = tmp_path / "evil.py"
        evil.write_text("raise SystemExit('loaded')")
        file.write_text(file.read_text().replace('"piers"', f'"python:{evil}:Player"'))
        name = f"python:{evil}:Player"
        answer = client.get(f"{where}/game/data", params={"guest": name, "host": "iggi"})
        assert answer.status_code == 422 and "not here any more" in answer.json()["error"]


def test_guests_and_hosts_have_errors(tmp_path):
    with site(tmp_path) as (client, found):
        where = played_as(client, mode="cross", games=30, agents=["piers", "iggi", "internal"])
        page = client.get(where).text
        rows, heat = cells(page), [int(one) for one in re.findall(r"--heat:(\d+)%", page)]
        points = [float(one) for one in re.findall(r'class="heat"[^>]*><a[^>]*>([\d.]+) ±', page)]
        assert len(heat) == len(points) == 2 * 9 and {0, 100} <= set(heat)
        for some in (slice(0, 9), slice(9, 18)):
            darkest = max(zip(heat[some], points[some]))
            assert darkest[1] == max(points[some]), "the darker, the more points"
        worth = strangers(
            tournament(["piers", "iggi", "internal"], "cross", games_each=30, seed=1, jobs=1).rows
        )
        head = next(
            row for row in rows if row[:4] == ["agent", "mirror play", "as guest", "as host"]
        )
        for row in rows[rows.index(head) + 1 :][:3]:
            own = worth.loc[row[0]]
            for column, key in ((1, "mirror"), (2, "guest"), (3, "host")):
                assert row[column] == plus_minus(own[key], own[f"{key}_sem"]), (row[0], key)
            assert all("±" in cell for cell in row[1:])


def test_what_thinking_costs_is_told_before(tmp_path, monkeypatch):
    monkeypatch.setattr(tournament_results, "seconds_per_game", lambda spec: 0.5)
    with site(tmp_path) as (client, found):
        form = client.get("/tournament").text
        assert 'value="search:convention" data-slow' in form and 'value="piers">' in form
        for mode, agents, seconds in (
            ("mirror", ["piers", "search:piers"], 0.5 * 4 * 10),
            ("cross", ["piers", "iggi", "search:piers"], 3 * 0.5 * 4 * 10),
            ("cross", ["search:convention", "search:piers"], 2 * 2 * 0.5 * 4 * 10),
            ("mirror", ["piers"], 0),
        ):
            told = client.post(
                "/tournament/cost", json={"agents": agents, "mode": mode, "games": 10}
            ).json()
            assert told["seconds"] == pytest.approx(seconds), (mode, agents)
            assert [name for name, _ in told["each"]] == [a for a in agents if "search" in a]
        assert client.post("/tournament/cost", json={"agents": ["x"]}).status_code == 422


def test_the_time_of_a_game_is_measured():
    assert 0 < tournament_results.seconds_per_game("piers") < 5
