"""Requests that the guard refuses, and bodies that are no requests."""

import json
import re
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from tables import HOST, seated, site

from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.request_guard import LARGEST


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"https://{HOST}"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"origin": f"http://{HOST}"}, 200),
    ],
)
def test_pages_of_others_do_not_get_in(headers, status, tmp_path):
    with site(tmp_path) as (client, found):
        answer = client.post(
            "/tables",
            content='{"seats": ["person", "piers"]}',
            headers={"content-type": "application/json"} | headers,
        )
        assert answer.status_code == status and (status == 200) == bool(
            list(tmp_path.glob("*.toml"))
        )
        assert "default-src 'none'; script-src 'self'" in answer.headers["content-security-policy"]
        assert (
            answer.headers["referrer-policy"] == "no-referrer"
            and answer.headers["x-content-type-options"] == "nosniff"
        )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"null",
        b"[" * 5000,
        b'{"seats": "ab"}',
        b'{"seats": ["person"]}',
        b'{"seats": ["piers", "piers"]}',
        b'{"seats": ["person", "../../etc/passwd"]}',
        b'{"seats": ["person", "agent.toml"]}',
        b'{"seats": ["person", 7]}',
        b'{"seats": ["person", "piers"], "variant": "secret.toml"}',
        b'{"seats": ["person", "piers"], "variant": "/etc/x.toml,hand=4"}',
        b'{"seats": ["person", "piers"], "variant": ["a"]}',
        b'{"seats": ["person", "piers"], "seed": -1}',
        b'{"seats": ["person", "piers"], "seed": 1e99}',
        b'{"seats": ["person", "piers"], "position": 5}',
        b'{"seats": ["person", "piers"], "position": "variant = \\"secret.toml,hand=4\\"\\nhands = {}"}',
    ],
)
def test_what_makes_no_table_makes_no_file(body, tmp_path):
    (tmp_path / "secret.toml").write_text("hand = 3")
    with site(tmp_path / "games") as (client, found):
        answer = client.post("/tables", content=body, headers={"content-type": "application/json"})
        assert (
            answer.status_code in (400, 422)
            and "\n" not in answer.json()["error"]
            and "cannot read" not in answer.text
        )
        assert not list((tmp_path / "games").glob("*.toml"))


@pytest.mark.parametrize(
    "act, body",
    [
        ("advice", {"agent": ["x"]}),
        ("advice", {"agent": {"a": 1}}),
        ("help", {"level": ["none"]}),
        ("why", {"turn": 10**30}),
        ("why", {}),
        ("name", {"name": "\u202eevil"}),
        ("move", {"move": "play " + "9" * 5000, "turn": 0}),
        ("move", {"move": "<b>", "turn": 0}),
        ("move", {"move": ["play 0"], "turn": 0}),
        ("move", {"move": "play 0", "turn": True}),
        ("move", {"move": "play 0", "turn": 1e400}),
    ],
)
def test_what_is_no_act_is_one_line(act, body, tmp_path):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers")[0]
        content = json.dumps(body).replace("Infinity", "1e400")
        answer = client.post(
            f"{link}/{act}", content=content, headers={"content-type": "application/json"}
        )
        assert (
            answer.status_code == 422
            and "\n" not in answer.json()["error"]
            and len(answer.json()["error"]) < 300
        )
        assert client.post(f"{link}/move", json={"move": "play 0", "turn": 0}).status_code == 200


def test_half_letters_and_what_cannot_be_kept_change_nothing(tmp_path, monkeypatch):
    """A lone surrogate, which JSON may hold and no file can, is refused; and where a file cannot
    be written nothing has changed.
    """
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers")[0]
        half = {"headers": {"content-type": "application/json"}}
        for act, body in (
            ("note", '{"note": "\\ud800"}'),
            ("name", '{"name": "\\ud800"}'),
            ("move", '{"move": "play \\ud800", "turn": 0}'),
            ("help", '{"level": "\\ud800"}'),
            ("advice", '{"agent": "\\udfff"}'),
            ("note", '{"\\ud800": 1}'),
        ):
            assert client.post(f"{link}/{act}", content=body, **half).status_code == 400, body
        assert (
            client.post("/tables", content='{"seats": ["person", "\\ud800"]}', **half).status_code
            == 400
        )
        before = client.get(f"{link}/state").json()
        with monkeypatch.context() as patch:
            patch.setattr(
                PlayTable,
                "save",
                lambda self: (_ for _ in ()).throw(OSError(28, "No space left on device")),
            )
            for act, body in (
                ("note", {"note": "x"}),
                ("name", {"name": "x"}),
                ("help", {"level": "none"}),
                ("move", {"move": "play 0", "turn": 0}),
            ):
                answer = client.post(f"{link}/{act}", json=body)
                assert (
                    answer.status_code == 507
                    and "nothing was done: No space" in answer.json()["error"]
                )
        after = client.get(f"{link}/state").json()
        assert {key: after[key] for key in ("note", "level", "game")} == {
            key: before[key] for key in ("note", "level", "game")
        }
        assert client.post(f"{link}/move", json={"move": "play 0", "turn": 0}).status_code == 200
        for size in ("9" * 30, "-1", "x", "\xb2"):
            headers = {"content-type": "application/json", "content-length": size.encode("latin-1")}
            assert client.post(f"{link}/note", content=b"{}", headers=headers).status_code == 413, (
                size
            )


def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "secret.toml").write_text(
        "moves = []\nseed = 1\n[table]\nseats = ['person', 'piers']"
    )
    with site(tmp_path / "games") as (client, found):
        links = seated(client, "person", "piers", "person")
        name, proof = links[0].split("/")[2], links[0].split("/")[4]
        bad = [
            f"/seat/{name}/2/{proof}",
            f"/seat/{name}/1/{proof}",
            f"/seat/{name}/0/{proof}x",
            f"/seat/{name}/0/x",
            f"/seat/other/0/{proof}",
            f"/seat/..%2Fsecret/0/{found.tables.proof('../secret', 0)}",
            f"/seat/{name}/99999999999999999999/{proof}",
            "/parts/..%2Fserving.py",
            "/parts/../serving.py",
            "/parts/serving.py",
            "/parts/board.js+serving.py",
            "/parts/board.js+board.js",
            "/parts/board.js+page.css",
            "/parts/board.js+",
            "/.key",
            "/games/.key",
            f"/seat/{name}/1/{found.tables.proof(name, 1)}",
            f"/seat/gone/0/{found.tables.proof('gone', 0)}",
            f"/seat/{name}/0/é",
        ]
        for path in bad:
            assert client.get(path).status_code == 404, path
            assert client.get(f"{path}/state").status_code == 404, path
        path = {"name": "../secret", "seat": 0, "proof": found.tables.proof("../secret", 0)}
        with pytest.raises(HTTPException):
            client.portal.call(found.tables.enter, path)
        assert client.post(f"{links[0]}/save", json={}).status_code == 404
        assert client.get("/parts/board.js").headers["content-type"].startswith("text/javascript")
        some = [client.get(f"/parts/{name}").text for name in ("page.css", "site.css")]
        assert client.get("/parts/page.css+site.css").text == "\n".join(some)
        assert client.request("DELETE", links[0]).status_code == 405
        assert (tmp_path / "games" / ".key").stat().st_mode & 0o077 == 0


def test_sizes_and_rates(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "hanabi.evolve.site.request_guard.time", SimpleNamespace(monotonic=lambda: now[0])
    )
    now = [0.0]
    with site(tmp_path, per_second=10) as (client, found):
        big = {"content-type": "application/json"}
        assert client.post("/tables", content=b" " * (LARGEST + 1), headers=big).status_code == 413
        table = b'{"seats": ["person", "piers"]}'  # JSON, whatever number of blanks follows
        for blanks, status in ((LARGEST - len(table) + 1, 400), (LARGEST - len(table), 200)):
            parts = [table] + [b" " * 1000] * (blanks // 1000) + [b" " * (blanks % 1000)]
            streamed = client.post("/tables", content=iter(parts), headers=big)
            assert streamed.status_code == status, "the bytes of all parts are counted"
            assert len(list(tmp_path.glob("*.toml"))) == (status == 200)
        assert client.get("/?" + "x" * 3000).status_code == 414
        assert [client.get("/parts/board.js").status_code for _ in range(30)] == [200] * 28 + [
            429
        ] * 2  # and two before
        now[0] += 0.15
        assert [client.get("/parts/board.js").status_code for _ in range(2)] == [200, 429]


def test_a_token_opens_all_but_seats(tmp_path):
    with site(tmp_path, inside=False) as (client, found):
        token = found.tables.token
        wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
        assert client.get("/").status_code == client.get(f"/?token={wrong}").status_code == 403
        assert client.post("/tables", json={"seats": ["person", "piers"]}).status_code == 403
        assert client.get("/", headers={"cookie": 'hanabi-8765="'}).status_code == 403
        other_port = {"cookie": f"hanabi-8766={token}"}
        assert client.get("/", headers=other_port).status_code == 403, "the cookie of another site"
        opened = client.get(f"/?token={token}")
        assert opened.status_code == 200 and not opened.url.query, "with the cookie"
        cookie = opened.history[0].headers["set-cookie"].lower()
        assert cookie.startswith("hanabi-8765=") and "httponly" in cookie
        link = seated(client, "person", "piers")[0]
        client.cookies.clear()
        assert client.get("/").status_code == 403 and client.get(f"{link}/state").status_code == 200
        assert client.get(f"{link}?token={token}").url.path == link
        assert client.get("/").status_code == 200, "the link of a seat takes the token, too"
    with site(tmp_path, inside=False) as (client, found):
        assert found.tables.token == token, "a page that is open goes on after a restart"
    with site(tmp_path / "other", inside=False) as (client, found):
        assert found.tables.token != token


def test_every_address_of_every_page_is_guarded(tmp_path):
    """Each route, also one that comes later: other origins, hosts, sizes, tokens, names as paths."""
    proofs = ("/seat/", "/watch/")  # open with a proof, and without the token
    json_type = {"content-type": "application/json"}
    refused = [
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"content-length": "70000"}, 413),
    ]
    seen = set()
    with (
        site(tmp_path / "open") as (client, found),
        site(tmp_path / "closed", inside=False) as (stranger, _),
    ):
        for route in [route for page in found.pages for route in page.routes()]:
            method = "POST" if "POST" in route.methods else "GET"
            address = re.sub(r"\{(\w+)(:\w+)?\}", "x", route.path)
            seen.add((method, address))
            for headers, status in refused:
                answer = client.request(method, address, headers=json_type | headers, content=b"{}")
                assert answer.status_code == status, (method, address, headers)
            for headers in ({"sec-fetch-site": "cross-site"}, {"content-type": "text/plain"}):
                if method == "POST":
                    answer = client.post(address, headers=json_type | headers, content=b"{}")
                    assert answer.status_code in (403, 415), address
            if not address.startswith(proofs):
                asked = stranger.request(method, address, headers=json_type, content=b"{}")
                assert asked.status_code == 403, (method, address)
            if "{" in route.path:
                evil = re.sub(r"\{(\w+)(:\w+)?\}", "..%2F..%2Fetc%2Fpasswd%3Cb%3E", route.path)
                answer = client.request(method, evil, headers=json_type, content=b"{}")
                # to stop what is not there does nothing
                assert answer.status_code in (404, 409) or evil.endswith("/stop"), (evil, answer)
                assert "<b>" not in answer.text and "root:" not in answer.text
    wanted = {("POST", f"/build/{kind}") for kind in ("score", "save", "improve", "read", "text")}
    wanted |= {("POST", "/runs"), ("POST", "/runs/x/report"), ("GET", "/build/library")}
    assert wanted | {("POST", "/agents/x/measure"), ("POST", "/tournament")} <= seen
