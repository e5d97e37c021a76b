"""The site by its messages: whole games, two people, what a seat is sent, hostile requests, kill and reload."""

import asyncio
import gc
import json
import socket
import threading
import time
import tracemalloc
from contextlib import suppress
from types import SimpleNamespace

import httpx2
import pytest
from paths import PATIENCE
from served import serving
from tables import HOST, obvious, seated, settled, site, table

import hanabi.evolve.site.serving
from hanabi.backend import announce
from hanabi.cards import card_text
from hanabi.evolve.bench.page_cost import Guest, apart
from hanabi.evolve.site.known_deal import deal_of
from hanabi.evolve.site.play_table import LEVELS, PlayTable
from hanabi.evolve.site.request_guard import LARGEST
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.serving import addresses, listen, own
from hanabi.evolve.site.tables import OpenTable, OpenTables
from hanabi.game_reader import load
from hanabi.game_record import Game
from hanabi.moves import move_text


@pytest.mark.parametrize(
    "spec", ["piers", "convention", "search:piers,rollouts=10", "partners:cig2018-paper"]
)
def test_a_person_plays_a_whole_game(spec, tmp_path):
    with site(tmp_path, {"it": spec}) as (client, found):
        [link] = seated(client, "person", "it", variant="mini,players=2", seed=4).values()
        while not (state := settled(client, link))["over"]:
            turn = state["game"]["turns"][-1]["turn"]
            answer = client.post(f"{link}/move", json={"move": obvious(state), "turn": turn})
            assert answer.status_code == 200, answer.text
        assert not state["problem"] and state["game"]["result"].startswith(
            f"{state['game']['score']} of 9 points"
        )
        assert all(
            card is None or card["card"] is not None
            for turn in state["game"]["turns"]
            for hand in turn["hands"]
            for card in hand
        )
        [file] = tmp_path.glob("*.toml")
        assert load(file).end and load(file).score == state["game"]["score"]
        assert (
            client.post(
                f"{link}/move", json={"move": "play 0", "turn": len(load(file).moves)}
            ).status_code
            == 422
        )


def test_two_people_at_one_table_see_each_other_move(tmp_path):
    with site(tmp_path, news=60) as (client, found):
        links = seated(client, "person", "person", "piers", seed=5)
        states = [client.get(f"{links[seat]}/state").json() for seat in (0, 1)]
        waited = []
        waiter = threading.Thread(
            target=lambda: waited.append(
                client.get(
                    f"{links[1]}/state?version={states[1]['version']}&begun={states[1]['begun']}&turns=1"
                ).json()
            )
        )
        waiter.start()
        assert client.post(f"{links[1]}/move", json={"move": "play 0", "turn": 0}).json() == {
            "error": "It is Ann's turn, not yours. Your move waits for it."
        }
        assert (
            client.post(f"{links[0]}/move", json={"move": "play 0", "turn": 0}).status_code == 200
        )
        waiter.join(60)
        assert (
            waited[0]["to_move"] == 1
            and waited[0]["first"] == 0
            and len(waited[0]["game"]["turns"]) == 2
        )
        assert (
            client.post(f"{links[0]}/move", json={"move": "play 0", "turn": 0})
            .json()["error"]
            .startswith("The table has moved on")
        )
        for seat, state in ((0, states[0]), (1, waited[0])):
            hands = state["game"]["turns"][-1]["hands"]
            assert all(card["card"] is None for card in hands[seat])
            assert all(
                card["card"] is not None
                for other, hand in enumerate(hands)
                if other != seat
                for card in hand
            )


def test_the_bytes_of_a_seat_hang_on_nothing_that_it_does_not_see(tmp_path):
    """In two deals that a seat cannot tell apart it is sent the same, at every help level; and never seed, deck or another's link."""
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "convention", "person", seed=987654321)
        for _ in range(8):
            for seat in (0, 2):
                state = settled(client, links[0])
                if state["to_move"] == seat:
                    state = client.get(f"{links[seat]}/state").json()
                    client.post(
                        f"{links[seat]}/move",
                        json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                    )
        settled(client, links[0])
        [file] = tmp_path.glob("*.toml")
        game, compared = load(file), 0
        proofs = [link.rsplit("/", 1)[1] for link in links.values()]
        for turn in range(2, len(game.moves), 4):
            for seat in (0, 2):
                position = game.position(turn)
                deck, moves = deal_of(position)
                for card in position.hands[seat]:
                    place = next(
                        (
                            place
                            for place in range(len(deck) - len(position.deck), len(deck))
                            if card and deck[place] != card.card and card.mask >> deck[place] & 1
                        ),
                        None,
                    )
                    if place is None:
                        continue
                    other = list(deck)
                    other[card.born], other[place] = other[place], other[card.born]
                    tables = [
                        PlayTable(
                            ["person", "convention", "person"],
                            Game(game.variant, game.seed, tuple(cards), moves),
                        )
                        for cards in (deck, other)
                    ]
                    for level in range(len(LEVELS)):
                        sent = []
                        for table in tables:
                            table.help[seat] = level
                            sent.append(json.dumps(SeatViews(table).sent(seat)))
                        assert sent[0] == sent[1]
                        assert "987654321" not in sent[0] and not any(
                            proof in sent[0] for proof in proofs
                        )
                    compared += 1
                    break
        assert compared >= 6
        for seat in (0, 2):
            state = client.get(f"{links[seat]}/state")
            text = state.text + client.get(links[seat]).text
            assert state.json()["over"], "only then the seed is sent"
            assert (
                state.json().pop("seed") == 987654321
                and text.count("987654321") == 1
                and not any(proof in text for proof in proofs)
            )
            hand = game.position(len(game.moves)).hands[seat]
            assert " ".join(map(str, hand)) not in text and all(
                card_text(card.card) for card in hand if card
            )


def test_levels_of_help(tmp_path):
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "convention", seed=2)
        link = links[0]
        client.post(f"{link}/move", json={"move": "play 4", "turn": 0})
        settled(client, link)
        keys = {}
        for level in LEVELS:
            assert client.post(f"{link}/help", json={"level": level}).status_code == 200
            state = client.get(f"{link}/state?begun=1&turns=3").json()
            assert state["first"] == 0  # all is told anew
            cards = [
                card for turn in state["game"]["turns"] for hand in turn["hands"] for card in hand
            ]
            keys[level] = (
                set().union(*cards),
                len({card["hinted"] for card in cards}),
                state["game"]["turns"][1]["move"]["means"],
            )
        assert (
            keys["none"][1] == 1 < keys["what hints say"][1]
            and keys["what hints say"][0] == keys["none"][0]
        )
        assert (
            not keys["what hints say"][2]
            and keys["what they mean"][2]
            and "tag" in keys["what they mean"][0]
        )
        assert (
            "chances" in keys["what I can know"][0] and "chances" not in keys["what they mean"][0]
        )
        assert client.post(f"{link}/advice", json={}).json()["line"].startswith("convention would ")
        assert (
            client.post(f"{link}/advice", json={"agent": "piers"})
            .json()["line"]
            .startswith("piers would ")
        )
        assert "by its rule" in client.post(f"{link}/why", json={"turn": 1}).json()["line"]
        assert (
            client.post(f"{link}/back", json={}).json()["line"]
            == "Back to turn 0. The moves since are kept as a side line."
        )
        assert client.get(f"{link}/state").json()["to_move"] == 0


def test_names_and_notes_are_text_and_a_note_is_ones_own(tmp_path):
    with site(tmp_path) as (client, found):
        links = seated(client, "person", "person")
        name = "<b>&\"'" + "x" * 70
        assert client.post(f"{links[0]}/name", json={"name": name}).status_code == 200
        assert client.post(f"{links[0]}/note", json={"note": "</script><b>"}).status_code == 200
        other = client.get(f"{links[1]}/state").json()
        assert other["game"]["agents"][0] == name and other["note"] == ""
        page = client.get("/games")
        assert "<b>&\"'" not in page.text and "&lt;b&gt;&amp;" in page.text
        for act, body in (
            ("name", {"name": "x" * 81}),
            ("name", {"name": "a\0b"}),
            ("note", {"note": "x" * 2001}),
        ):
            assert client.post(f"{links[0]}/{act}", json=body).status_code == 422
        assert client.get(f"{links[0]}/state").json()["note"] == "</script><b>"


def test_a_killed_server_loses_no_move(tmp_path):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers", seed=3)[0]
        client.post(f"{link}/move", json={"move": "play 0", "turn": 0})
        before = settled(client, link)
    with site(tmp_path) as (client, found):  # another server, which has nothing but the folder
        after = settled(client, link)
        for state in (before, after):
            del state["version"]
        assert after == before
        found.hall.sittings.clear()  # and one that forgot the table
        assert client.get(f"{link}/state").json()["game"] == after["game"]


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


def test_a_server_that_is_killed_loses_no_move(tmp_path):
    """Not told to end, but killed, right after it has answered; another one goes on from the folder."""
    with apart(tmp_path) as (host, process):
        guest = Guest(host)
        link = guest.sit(3)
        guest.ask(f"{link}/move", move="play 0", turn=0)
        process.kill()
        process.wait()
        guest.connection.close()
    [file] = tmp_path.glob("*.toml")
    assert move_text(load(file).moves[0]) == "play 0"
    with site(tmp_path) as (client, found):
        assert settled(client, link)["game"]["turns"][0]["move"]["words"].startswith("Ann plays ")


def test_half_letters_and_what_cannot_be_kept_change_nothing(tmp_path, monkeypatch):
    """A lone surrogate, which JSON may hold and no file can, is refused; and where a file cannot be written nothing has changed."""
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


def test_who_never_reads_and_who_never_ends_a_request_harm_nobody(tmp_path):
    """Connections that are left half open, and some that ask without reading, beside somebody who plays."""
    with serving(tmp_path) as served:
        links, _ = served.lay("person", "piers", variant="mini,players=2")
        host, port = served.address.removeprefix("http://").split(":")
        path = links[0].removeprefix(served.address)
        asked = f"GET {path}/state HTTP/1.1\r\nhost: {host}:{port}\r\n"
        idle = [socket.create_connection((host, int(port))) for _ in range(40)]
        try:
            for place, one in enumerate(idle):
                one.sendall((asked if place % 2 else f"{asked}\r\n" * 50).encode())
            with httpx2.Client(base_url=served.address, timeout=60) as guest:
                assert (
                    guest.post(f"{path}/move", json={"move": "play 0", "turn": 0}).status_code
                    == 200
                )
                while (state := guest.get(f"{path}/state").json())["to_move"] != 0 and not state[
                    "over"
                ]:
                    pass
                assert len(state["game"]["turns"]) >= 3
        finally:
            for one in idle:
                one.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: ",
        b"POST /tables HTTP/1.1\r\nhost: HOST\r\n"
        b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_who_never_asks_is_left(sent, tmp_path, monkeypatch):
    """A connection over which nothing whole is asked is closed; one that waits for news is not."""
    monkeypatch.setattr(hanabi.evolve.site.serving, "PATIENCE", 0.1)
    with serving(tmp_path, news=0.5) as served:
        host, port = served.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as one:
            one.sendall(sent.replace(b"HOST", f"{host}:{port}".encode()))
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""
        links, _ = served.lay("person", "person", variant="mini,players=2")
        with httpx2.Client(timeout=PATIENCE) as guest:
            state = guest.get(f"{links[0]}/state").json()
            assert (
                guest.get(f"{links[0]}/state?version={state['version']}").json()["version"]
                == state["version"]
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
            f"/seat/..%2Fsecret/0/{found.hall.proof('../secret', 0)}",
            f"/seat/{name}/99999999999999999999/{proof}",
            "/parts/..%2Fserver.py",
            "/parts/../server.py",
            "/parts/server.py",
            "/.key",
            "/games/.key",
            f"/seat/{name}/1/{found.hall.proof(name, 1)}",
            f"/seat/gone/0/{found.hall.proof('gone', 0)}",
            f"/seat/{name}/0/é",
        ]
        for path in bad:
            assert client.get(path).status_code == 404, path
            assert client.get(f"{path}/state").status_code == 404, path
        assert (
            client.portal.call(found.hall.enter, "../secret", 0, found.hall.proof("../secret", 0))
            is None
        )
        assert client.post(f"{links[0]}/save", json={}).status_code == 404
        assert client.get("/parts/board.js").headers["content-type"].startswith("text/javascript")
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
        assert (
            client.post(
                "/tables", content=(b" " * 1000 for _ in range(LARGEST // 1000 + 2)), headers=big
            ).status_code
            == 400
        )
        assert client.get("/?" + "x" * 3000).status_code == 414
        assert [client.get("/parts/board.js").status_code for _ in range(30)] == [200] * 29 + [
            429
        ]  # and one before
        now[0] += 0.15
        assert [client.get("/parts/board.js").status_code for _ in range(2)] == [200, 429]


def test_where_it_listens_and_who_needs_a_token():
    assert (
        own("127.0.0.1")
        and own("::1")
        and own("localhost")
        and not own("0.0.0.0")
        and not own("192.168.0.7")
        and not own("example.org")
    )
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ValueError,
            match=f"^cannot listen at 127.0.0.1, port {port}: address already in use; name another",
        ):
            listen("127.0.0.1", port)
    with pytest.raises(ValueError, match="^cannot listen at 203.0.113.1, port 1"):
        listen("203.0.113.1", 1)
    assert "127.0.0.1" not in addresses() or len(addresses()) == 1


def test_a_token_opens_all_but_seats(tmp_path):
    with site(tmp_path, token="abc") as (client, found):
        assert client.get("/").status_code == 403 and client.get("/?token=abd").status_code == 403
        assert client.post("/tables", json={"seats": ["person", "piers"]}).status_code == 403
        assert client.get("/", headers={"cookie": 'hanabi="'}).status_code == 403
        assert client.get("/?token=abc").status_code == 200  # follows to / with the cookie
        link = seated(client, "person", "piers")[0]
        client.cookies.clear()
        assert client.get("/").status_code == 403 and client.get(f"{link}/state").status_code == 200


def test_an_agent_that_fails_is_told_and_the_table_stays(tmp_path, monkeypatch):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers")[0]
        monkeypatch.setattr(
            PlayTable,
            "accept",
            lambda self, choice: (_ for _ in ()).throw(ValueError("no such\nthing")),
        )
        client.post(f"{link}/move", json={"move": "play 0", "turn": 0})
        assert settled(client, link)["problem"] == "The agent cannot move: no such thing"


def test_many_tables_are_forgotten_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setattr("hanabi.evolve.site.tables.OPEN", 3)
    with site(tmp_path) as (client, found):
        links = [seated(client, "person", "piers", seed=seed)[0] for seed in range(8)]
        for link in links:
            assert settled(client, link)["to_move"] == 0
        assert len(found.hall.sittings) <= 4 and len(list(tmp_path.glob("*.toml"))) == 8


@pytest.mark.slow
def test_many_games_leave_nothing_in_memory(tmp_path, monkeypatch):
    """Of games that are over, and forgotten, less stays than a tenth of a table."""
    monkeypatch.setattr("hanabi.evolve.site.tables.OPEN", 5)
    with site(tmp_path) as (client, found):

        def play(games):
            for seed in range(games):
                link = seated(
                    client, "person", "piers", variant="mini,players=2,colours=2", seed=seed
                )[0]
                while not (state := settled(client, link))["over"]:
                    client.post(
                        f"{link}/move",
                        json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                    )
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        play(10)  # what is remembered once and for all
        tracemalloc.start()
        try:
            before, after = play(10), play(40)
        finally:
            tracemalloc.stop()
        assert (after - before) / 40 < 4_000, "bytes per game"


def test_it_says_when_an_agent_waits_for_machine_code(tmp_path):
    async def look():
        hall = OpenTables(tmp_path)
        sitting = OpenTable(hall, SeatViews(table("person", "piers", variant="mini,players=2")))
        told = []
        for compiling in (False, True):
            sitting.thinking = 1, time.monotonic()
            if compiling:
                for tell in announce:
                    tell("some.function")
            told.append((await sitting.sent(0))["thinking"]["compiles"])
        hall.close()
        return told

    before = list(announce)
    assert asyncio.run(look()) == [False, True] and announce == before
