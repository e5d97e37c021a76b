"""What the workbench answers: lists that are seated, saved and read, and all that is refused."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paths import ROOT
from tables import seated, settled, site

from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.files import read_text
from hanabi.rulebook import find
from hanabi.rules.agents import load, loads

PIERS = EditedList.of(load("piers").list_at(3)).data()
SHORT = {**PIERS, "rules": PIERS["rules"][1:4]}
OWN = '''from hanabi import NOTHING, discard, oldest, rule


@rule()
def throw(view):
    """Discard my oldest card."""
    return discard(oldest(view, view.me)) if view.tokens < view.max_tokens else NOTHING


@rule()
def shifts(view):
    """Shift by half."""
    return view.tokens >> 1.5


@rule()
def fails(view):
    """Fail in a rare position."""
    rare = view.score == 22 and view.lives == 2
    return NOTHING if 7 // (0 if rare else 1) >= 0 else NOTHING
'''


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    with site(folder, news=5.0) as (client, found):
        yield client, found, folder


def done(client, kind, **body):
    """The last state of a job."""
    answer = client.post(f"/build/{kind}", json={"page": kind, **body})
    assert answer.status_code == 202, answer.text
    state = {"version": -1, "ended": False}
    while not state["ended"]:
        job = answer.json()["job"]
        state = client.get(f"/build/jobs/{job}", params={"version": state["version"]}).json()
    return state


def test_an_unsaved_list_is_seated(place):
    """At its seat, and at no other one; the file of the table opens again."""
    client, found, folder = place
    lists = [{"list": PIERS, "name": "mine <b>"}, {"list": SHORT, "name": "short"}]
    links = seated(client, lists[1], "person", lists[0], seed=4)
    assert list(links) == [1]
    (table,) = folder.glob("*.toml")
    agents = PlayTable.read(table).agents
    assert [agent and agent.name for agent in agents] == ["short", None, "mine <b>"]
    assert [len(agents[seat].list_at(3).rules) for seat in (0, 2)] == [3, len(PIERS["rules"])]
    assert not (folder / "agents").exists()
    found.tables.open.clear()
    state = settled(client, links[1])
    assert state["game"]["names"][:1] == ["Ann"] and state["people"] == [1]
    name = table.stem
    read = client.post("/build/read", json={"game": name})
    assert read.status_code == 404  # still played, so its agents are not told
    games = client.get("/build", params={"game": name})
    assert games.status_code == 404


@pytest.mark.parametrize(
    "seat",
    [
        {"list": {"rules": []}},
        {"list": {"rules": ["no_such_rule"]}},
        {"list": PIERS, "name": "two\nlines"},
        {"list": PIERS, "name": "x" * 61},
        {"list": PIERS, "name": ""},
        {"list": {**PIERS, "otherwise": "loop"}},
        {"rules": PIERS["rules"]},
        {"list": "piers"},
    ],
)
def test_a_list_that_cannot_sit(seat, tmp_path):
    with site(tmp_path) as (client, _):
        answer = client.post("/tables", json={"seats": ["person", seat]})
        assert answer.status_code == 422 and "\n" not in answer.json()["error"]
        assert not list(tmp_path.glob("*.toml"))


def test_a_file_goes_out_and_comes_back(place):
    """With what is switched off as comments, and the same hash."""
    client, found, _ = place
    off = {"rules": [[0, "play_marked"], [2, "no such rule"]], "conventions": [[0, "nothing"]]}
    body = {"name": "mine", "version": 9, "lists": {"2-5": {**PIERS, "off": off}}}
    answer = client.post("/build/save", json=body).json()
    text = read_text(Path(answer["path"]))
    assert text == answer["text"] and "# off: no such rule" in text
    assert loads(text).hash == loads(client.post("/build/text", json=body).json()["text"]).hash
    assert loads(text).list_at(3).rules == load("piers").list_at(3).rules
    back = client.post("/build/read", json={"text": text}).json()
    assert back["lists"]["2-5"].pop("off") == off and back["lists"]["2-5"] == PIERS
    assert (back["wrong"], back["version"]) == ([], 9)
    assert client.post("/build/read", json={"agent": "mine"}).json()["version"] == 9
    again = client.post("/build/save", json=body)
    assert again.status_code == 409 and "replace" in again.json()["error"]
    assert client.post("/build/save", json={**body, "replace": True}).status_code == 200
    links = seated(client, "person", "mine")  # it may sit down under its name
    assert links and found.agents["mine"] == answer["path"]


def test_what_is_wrong_in_a_file_is_read_beside_the_rest(place):
    client, _, _ = place
    text = '[rules]\n"2-5" = ["play_marked", "play_markd", "save(lax=7)"]\n[conventions]\n'
    text += '"2-5" = ["focus(ranks=0)", "focus(ranks=0)", "<b>"]\n'
    found = client.post("/build/read", json={"text": text}).json()
    assert found["lists"]["2-5"]["rules"] == ["play_marked", "play_markd", "save(lax=7)"]
    wrong = {(one["part"], one["place"], one["text"]): one["error"] for one in found["wrong"]}
    assert "did you mean 'play_marked'" in wrong["rules", 1, "play_markd"]
    assert "0 to 2" in wrong["rules", 2, "save(lax=7)"]
    assert "twice" in wrong["conventions", 1, "focus(ranks=0)"]
    assert ("conventions", 2, "<b>") in wrong


def test_grown_rules_are_read_with_their_sentences_and_no_others(place):
    client, _, _ = place
    grown, off, wrong = (
        "grown.play_newest(told_alone)",
        "grown.discard_oldest(mine)",
        "grown.play()",
    )
    text = f'[rules]\n"2-5" = ["play_marked", "{grown}", "{wrong}"]\n'
    says = client.post("/build/read", json={"text": text}).json()["says"]
    assert says == {grown: find(grown).says} and find(grown).says.startswith("Play my newest card")
    body = {"name": "grown", "lists": {"2-5": {"rules": [grown], "off": {"rules": [[0, off]]}}}}
    saved = client.post("/build/text", json=body).json()["text"]
    assert client.post("/build/read", json={"text": saved}).json()["says"] == {
        off: find(off).says,
        grown: find(grown).says,
    }


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("score", {"list": {"rules": ["play_markd"]}}, 422),
        ("score", {"list": {"rules": ["play_marked when lives >= 4"]}}, 422),
        ("score", {"list": {"rules": ["play_marked"] * 65}}, 422),
        ("score", {"list": {"conventions": ["focus(ranks=0)"] * 41}}, 422),
        ("score", {"list": PIERS, "games": 20_001}, 422),
        ("score", {"list": PIERS, "games": 499}, 422),
        ("score", {"list": PIERS, "players": 6}, 422),
        ("score", {"list": PIERS, "players": True}, 422),
        ("score", {"list": PIERS, "variant": "../x.toml"}, 422),
        ("score", {"list": PIERS, "variant": ["standard"]}, 422),
        ("score", {"list": PIERS, "page": "p" * 41}, 422),
        ("score", {"list": PIERS, "against": 3}, 422),
        ("worth", {"list": PIERS, "off": {"rules": [["0", "x"]]}}, 422),
        ("game", {"list": PIERS, "deal": 20_000}, 422),
        ("improve", {"list": {}}, 422),
        ("improve", {"list": PIERS, "seconds": 61}, 422),
        ("improve", {"list": PIERS, "not": [["AddRule"]]}, 422),
        ("check", {"list": PIERS, "changes": [[]]}, 422),
        ("apply", {"list": PIERS, "change": [["AddRule", "a", "b"]]}, 422),
        ("apply", {"list": PIERS, "change": [["RemoveRule", "play_marked", ""]]}, 422),
        ("save", {"name": "../evil", "lists": {"2-5": PIERS}}, 422),
        ("save", {"name": "a/b", "lists": {"2-5": PIERS}}, 422),
        ("save", {"name": "piers", "lists": {"2-5": PIERS}}, 422),
        ("save", {"name": "mine", "lists": {"7": PIERS}}, 422),
        ("save", {"name": "mine", "lists": {}}, 422),
        ("save", {"name": "m", "lists": {"2-5": {**PIERS, "off": {"rules": [[0, "a\nb"]]}}}}, 422),
        ("read", {"agent": "../../etc/passwd"}, 404),
        ("read", {"run": "../reference"}, 404),
        ("read", {"game": "../secret"}, 404),
        ("read", {"text": "x" * 60_001}, 422),
        ("read", {"text": "rules = 3"}, 422),
        ("jobs/nothing/stop", {}, 200),
    ],
)
def test_what_is_refused_is_one_line(path, body, status, place):
    client, _, folder = place
    answer = client.post(f"/build/{path}", json=body)
    assert answer.status_code == status, answer.text
    if status != 200:
        line = answer.json()["error"]
        assert line and "\n" not in line and len(line) < 400
    assert not list(folder.parent.glob("evil*"))


def test_addresses_are_names(place):
    client, _, _ = place
    for query in ("agent=../x", "run=..", "game=../../x", "agent=%3Ci%3Ex", "variant=/etc/x.toml"):
        answer = client.get(f"/build?{query}")
        assert answer.status_code in (404, 422) and "<i>x" not in answer.text
    page = client.get("/build?agent=piers&variant=colours=3&players=%3Ci%3Ex")
    assert page.status_code == 200 and "<i>x" not in page.text
    assert 'data-perfect="15"' in page.text


def test_an_error_has_its_place(place):
    client, _, _ = place
    body = {"list": {"rules": ["play_marked", "save(lax=7)"]}}
    error = client.post("/build/score", json=body).json()
    assert (error["part"], error["place"]) == ("rules", 1) and "0 to 2" in error["error"]


def test_one_search_at_a_time(place):
    client, _, _ = place
    body = {"list": PIERS, "seconds": 60}
    first = client.post("/build/improve", json={**body, "page": "a", "name": "mine <b>"})
    try:
        refused = client.post("/build/improve", json={**body, "page": "b"})
        assert refused.status_code == 409 and "“mine <b>”" in refused.json()["error"]
        assert done(client, "score", list=SHORT, games=500)["done"] == 500  # goes first
    finally:
        client.post(f"/build/jobs/{first.json()['job']}/stop", json={})


def test_few_requests_of_a_page_wait(place):
    client, found, _ = place
    (page,) = (page for page in found.pages if page.path == "/build")
    job = client.post("/build/score", json={"list": PIERS, "page": "many"}).json()["job"]
    page.waiting["many"] = 6
    assert client.get(f"/build/jobs/{job}").status_code == 429
    page.waiting.pop("many")
    assert client.get(f"/build/jobs/{job}").status_code == 200
    assert client.get("/build/jobs/nothing").status_code == 404


SIZES = """
import sys
from pathlib import Path
from tables import site

with site(Path(sys.argv[1])) as (client, _):
    for address in ("/build/library", "/build/library?papers=1"):
        answer = client.get(address, headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        print(answer.headers["content-length"], len(answer.content))
"""


def test_the_library_is_small(tmp_path):
    """Measured in a new process, because other tests of this process load more rules."""
    sizes = subprocess.run(
        [sys.executable, "-c", SIZES, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests/support")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    packed, unpacked, papers, _ = map(int, sizes)
    assert packed < 7_200 and unpacked < 45_000 and papers < 7_000


def test_the_library_is_sent_once(place):
    client, _, _ = place
    first, papers = (client.get(f"/build/library{of}") for of in ("", "?papers=1"))
    names = [
        {name for *_, some in answer.json()["groups"] for name, *_ in some}
        for answer in (first, papers)
    ]
    assert "cig2018.play_safe_card" in names[1] and not names[0] & names[1]
    again = client.get("/build/library", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_what_only_this_machine_may_do(tmp_path):
    """With the token others score; they neither save nor start runs. Without it they do nothing."""
    save = ("/build/save", {"name": "mine", "lists": {"2-5": PIERS}})
    for address, statuses in (("192.0.2.7", (202, 403, 403)), ("127.0.0.1", (202, 200, 422))):
        with site(tmp_path / address, inside=False, address=address) as (client, found):
            score = ("/build/score", {"list": PIERS, "page": "one"})
            for path, body in (score, save):
                assert client.post(path, json=body).status_code == 403
            assert client.get("/build/library").status_code == 403
            moved = client.get(
                f"/build?agent=piers&token={found.tables.token}", follow_redirects=False
            )
            assert moved.headers["location"] == "/build?agent=piers"
            posts = [score, save, ("/runs", {"preset": "nothing"})]
            found = [client.post(path, json=body).status_code for path, body in posts]
            assert tuple(found) == statuses


def test_pages_of_others_measure_nothing(place):
    client, _, _ = place
    for headers, status in (
        ({"origin": "http://evil.example"}, 403),
        ({"host": "evil.example"}, 421),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
    ):
        answer = client.post(
            "/build/score", content="{}", headers={"content-type": "application/json"} | headers
        )
        assert answer.status_code == status
    large = client.post("/build/score", json={"list": {"rules": ["x" * 70_000]}})
    assert large.status_code in (400, 413)


@pytest.mark.slow
def test_own_rules_are_measured_in_another_process_and_read_again(tmp_path):
    file = tmp_path / "my_rules.py"
    file.write_text(OWN)
    with site(tmp_path / "games", rule_files=[file], news=5.0) as (client, _):

        def library():
            data = client.get("/build/library").json()
            return data, {
                name: {"sentence": sentence, "source": source} | facts
                for _, _, source, some in data["groups"]
                for name, sentence, facts in some
                if facts.get("file")
            }

        _, own = library()
        assert sorted(own) == ["fails", "shifts", "throw"]
        assert own["throw"]["source"] == "own file" and own["throw"]["file"] == "my_rules.py"
        rest = ["play_marked", "tell_new(tokens=1, new=1)", "discard_known_useless"]
        state = done(client, "score", list={"rules": ["throw"]}, games=500)
        assert state["mean"] is not None
        state = done(client, "score", list={"rules": ["shifts"]}, games=500)
        assert "machine code cannot use rshift" in state["error"]
        body = {"list": {"rules": [*rest, "fails"], "conventions": ["focus(ranks=0)"]}}
        state = done(client, "score", **body, games=4000)
        failed = state["failed"]
        assert failed["rule"] == "fails" and f"seed {failed['seed']}" in state["error"]
        assert failed["deal"] < 4000
        game = done(client, "game", **body, deal=failed["deal"])["new"]
        assert len(game["turns"]) == failed["turn"] + 1 and game["turns"][-1]["move"] is None
        while not library()[0]["checked"]:
            time.sleep(0.1)
        data, own = library()
        assert "rshift" in own["shifts"]["error"] and "error" not in own["throw"]

        file.write_text(OWN.replace("Discard my oldest card.", "Throw my oldest card away."))
        os.utime(file, (1, 1))  # a coarse clock may show the old time
        data, own = library()
        assert own["throw"]["sentence"] == "Throw my oldest card away."

        file.write_text("from hanabi import rule\n\n\n@rule(")
        os.utime(file, (2, 2))
        data, own = library()
        assert own == {} and "SyntaxError" in data["files"]["my_rules.py"]
        assert done(client, "score", list=PIERS, games=500)["done"] == 500
