"""The workbench: its routes refuse what is wrong with the place of it, and its page measures each
edit.
"""

import time

import pytest
from tables import site

from hanabi.evolve.site.pages.workbench import MEASURED
from hanabi.evolve.workbench import job_queue
from hanabi.rules.agents import load

LIST = {"rules": ["cig2018.play_safe_card", "cig2018.discard_oldest_first"]}


def state_of(client, path, **body):
    """The state of a job at its end."""
    answer = client.post(path, json={"page": "test", "players": 3, **body})
    assert answer.status_code == 202, answer.text
    job, version = answer.json()["job"], -1
    while True:
        state = client.get(f"/build/jobs/{job}?version={version}").json()
        version = state["version"]
        if state["ended"]:
            return state
        time.sleep(0.005)


def test_a_list_is_scored_and_paired(tmp_path):
    with site(tmp_path) as (client, _):
        first = state_of(client, "/build/score", list=LIST, games=500)
        other = {"rules": LIST["rules"][::-1]}
        second = state_of(client, "/build/score", list=other, games=500, against=first["key"])
        assert first["done"] == second["over"] == 500
        assert second["gain"] == pytest.approx(second["mean"] - first["mean"])
        assert len(first["shares"]) == 3
        empty = state_of(client, "/build/score", list={}, games=500)
        assert empty["mean"] == 0 and empty["shares"] == [1.0]


def test_other_moves_of_a_turn_of_a_deal(tmp_path):
    with site(tmp_path) as (client, _):
        game = state_of(client, "/build/game", list=LIST, deal=3)["new"]
        rows = state_of(client, "/build/moves", list=LIST, deal=3, turn=6)["rows"]
        assert [one["is_made"] for one in rows] == [True, *[False] * (len(rows) - 1)]
        assert rows[0]["points"] == (game["score"] if game["turns"][-1]["lives"] else 0)
        assert all(one["error"] > 0 for one in rows[1:])
        ended = state_of(client, "/build/moves", list=LIST, deal=3, turn=200)
        assert ended["error"] == "No move was made at turn 200."


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("score", {"list": {"rules": ["play_markd"]}}, "play_marked"),
        ("score", {"list": LIST, "games": 499}, "500"),
        ("score", {"list": LIST, "players": 6}, "players"),
        ("score", {"list": LIST, "variant": "../x.toml"}, "variant"),
        ("score", {"list": LIST, "page": "x" * 41}, "page"),
        *((kind, {"list": LIST, "changes": [], "page": ""}, "page") for kind in MEASURED),
        ("score", {"list": LIST}, "page"),
        ("improve", {"list": {}}, "rule"),
        ("improve", {"list": LIST, "seconds": 61}, "seconds"),
        ("improve", {"list": LIST, "not": [["AddRule"]]}, "change"),
        ("check", {"list": LIST, "changes": [1] * 7}, "changes"),
        ("apply", {"list": LIST, "change": [["RemoveRule", "save(lax=0)", ""]]}, "fit"),
        ("game", {"list": LIST, "deal": -1}, "deal"),
        ("moves", {"list": LIST, "turn": -1}, "turn"),
        ("read", {"text": "rules = 1"}, "rules"),
        ("read", {"text": "x" * 60_001}, "bytes"),
        ("save", {"name": "../mine", "lists": {"2-5": LIST}}, "name"),
        ("save", {"name": "piers", "lists": {"2-5": LIST}}, "named"),
        ("save", {"name": "mine", "lists": {}}, "list"),
        ("save", {"name": "mine", "lists": {"2-9": LIST}}, "2-9"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path, path, body, words):
    with site(tmp_path) as (client, _):
        answer = client.post(f"/build/{path}", json=body)
        assert answer.status_code == 422 and words in answer.json()["error"], answer.text


def test_a_wrong_entry_is_answered_with_its_place(tmp_path):
    with site(tmp_path) as (client, _):
        body = {"list": {"rules": [*LIST["rules"], "save(lax=7)"]}}
        answer = client.post("/build/score", json=body).json()
        assert (answer["part"], answer["place"]) == ("rules", 2)


def test_a_file_with_unknown_rules_opens_and_names_them(tmp_path):
    text = 'name = "old"\n[rules]\n2-5 = ["play_marked", "play_markd"]\n'
    with site(tmp_path) as (client, _):
        found = client.post("/build/read", json={"text": text}).json()
        assert found["lists"]["2-5"]["rules"] == ["play_marked", "play_markd"]  # kept, in red
        [wrong] = found["wrong"]
        assert (wrong["place"], wrong["text"]) == (1, "play_markd")


def test_jobs_are_counted_by_client(tmp_path, monkeypatch):
    """64 requests of one address, each with another page, do not shut the workbench."""
    monkeypatch.setattr(job_queue, "CLIENT_JOBS", 4)
    with site(tmp_path, address="192.0.2.7") as (client, found):
        for number in range(job_queue.JOBS):
            body = {"list": LIST, "page": f"p{number}", "client": f"c{number}"}
            assert client.post("/build/improve", json=body).status_code in (202, 409)
            assert client.post("/build/sweep", json=body).status_code == 202
        waiting = [job for job in found.bench.queue.jobs.values() if not job.ended]
        assert {job.client for job in waiting} == {"192.0.2.7"}
        assert state_of(client, "/build/score", list=LIST, games=500)["done"] == 500


def test_a_saved_list_is_an_agent(tmp_path):
    with site(tmp_path) as (client, found):
        lists = client.post("/build/read", json={"agent": "convention-simple"}).json()["lists"]
        body = {"name": "mine", "lists": lists}
        saved = client.post("/build/save", json=body).json()
        mine, old = load(saved["spec"]), load("convention-simple")
        assert mine.list_at(3).rules == old.list_at(3).rules
        assert found.agents["mine"] == saved["path"]
        assert client.post("/build/save", json=body).status_code == 409
        assert client.post("/build/save", json=body | {"replace": True}).status_code == 200
        assert client.get("/agents/mine").status_code == 200
        assert client.get("/agents/mine/file").text == saved["text"]
        rows = {row["name"]: row for row in client.get("/agents/state").json()}
        assert rows["mine"]["family"] == "mine" and rows["piers"]["family"] == "2018"
        assert rows["osawa-ideal"]["sees_own_hand"] and not rows["piers"]["sees_own_hand"]
        score = client.post("/agents/mine/measure", json={}).json()
        assert (
            score["mean"] == client.get("/agents/state").json()[0]["mean"] or score["mean"][0] > 21
        )


def test_others_may_not_save_without_the_token(tmp_path):
    with site(tmp_path, inside=False) as (client, _):
        answer = client.post("/build/save", json={"name": "mine", "lists": {"2-5": LIST}})
        assert answer.status_code == 403


def test_the_library_is_sent_once(tmp_path):
    with site(tmp_path) as (client, _):
        answer = client.get("/build/library")
        tag = answer.headers["etag"]
        families = {
            f"{part}/{name}": facts | {"kind": kind}
            for part, kind, _, some in answer.json()["groups"]
            for name, _, facts in some
        }
        assert families["rules/play_marked"]["kind"] == "play"
        assert families["conventions/finesse"]["goes_with"] == "answer_finesse"
        assert len(answer.content) < 100_000
        again = client.get("/build/library", headers={"if-none-match": tag})
        assert again.status_code == 304 and not again.content
