"""What goes wrong at a table, and what a seat must not be told: rules that fail, advice out of
turn, requests that are not for us.
"""

import asyncio
import threading

import pytest
from tables import HOST, obvious, seated, settled, site
from typed import own_rules

from hanabi.evolve.site import play_table as site_table, tables
from hanabi.evolve.site.request_guard import RequestGuard
from hanabi.game import Choice
from hanabi.moves import FORFEIT
from hanabi.rules import load_rules

RULES = '''
from hanabi import NOTHING, discard, oldest
from hanabi.rulebook import rule


@rule()
def raises(view):
    """Raise an exception."""
    if view.turn > 0:
        raise ValueError("no good")
    return NOTHING


@rule()
def illegal(view):
    """Discard with all tokens."""
    return discard(oldest(view, view.me)) if view.tokens == 8 else NOTHING


@rule()
def endless(view):
    """Never end."""
    turns = 0
    while view.turn > 0:
        turns += 1
    return NOTHING
'''
FAULTS = {
    "raises": "rule raises raised ValueError: no good",
    "illegal": "rule illegal made the illegal move 6 (discard 0)",
    "endless": "rule endless needed more than ",
}
SEED = 987654321


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The folder of games, and the agent files of failing rules by name."""
    monkeypatch.setattr("hanabi.checked_call.PATIENCE", 0.5)
    monkeypatch.setattr("hanabi.checked_call.MACHINE_PATIENCE", 1)
    (tmp_path / "own.py").write_text(RULES)
    agents = {}
    for name in FAULTS:
        agents[name] = str(tmp_path / f"{name}.toml")
        (tmp_path / f"{name}.toml").write_text(
            f'name = "{name}"\notherwise = "default"\n[rules]\n"2-5" = ["{name}"]\n'
        )
    with own_rules():
        load_rules(tmp_path / "own.py")
        yield tmp_path / "games", agents


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_fails_its_trial_is_reported_as_the_command_does(name, own, caplog):
    folder, agents = own
    with site(folder, agents) as (client, _):
        answer = client.post("/tables", json={"seats": ["person", name], "variant": "standard"})
    line = answer.json()["error"]
    assert (
        answer.status_code == 422
        and line.startswith(FAULTS[name])
        and line.endswith(" of a trial game for 2 players)")
    )
    assert [record.getMessage() for record in caplog.records] == [f"hanabi: {line}"]
    assert not list(folder.glob("*.toml"))


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_fails_in_the_game_is_reported_without_the_seed(name, own, caplog, monkeypatch):
    """The trial does not come to every position.

    The page shows the line without the seed, which gives the deck away; the log has it.
    """
    folder, agents = own
    monkeypatch.setattr("hanabi.table.try_out", lambda *given: None)
    goes_on = threading.Event()
    if name == "endless":  # machine code without an end would keep this process from ending
        monkeypatch.setattr(tables, "STUCK", 0.05)
        monkeypatch.setattr(
            site_table, "choice_of", lambda *given: goes_on.wait(60) and Choice(FORFEIT)
        )
    with site(folder, agents) as (client, found):
        link = seated(client, "person", name, seed=SEED)[0]
        found.tables.compiled = -1e9  # long ago
        assert client.post(f"{link}/move", json={"move": "play 0", "turn": 0}).status_code == 200
        state = settled(client, link)
        assert state["problem"].startswith(f"The agent cannot move: {FAULTS[name]}") and state[
            "problem"
        ].endswith(" (turn 1 of this game)")
        assert str(SEED) not in str(state) and state["to_move"] == 1
        [logged] = [record.getMessage() for record in caplog.records]
        assert FAULTS[name] in logged and f"(turn 1 of the game with seed {SEED})" in logged
        if name == "endless":  # a second thread is not given to it
            threads = threading.active_count()
            client.post(f"{link}/note", json={"note": "x"})
            assert (
                settled(client, link)["problem"] == state["problem"]
                and threading.active_count() <= threads + 1
            )
        goes_on.set()
        assert client.post(f"{link}/back", json={}).status_code == 200, "the game is kept"


def test_a_table_whose_rule_fails_is_opened_again_with_its_line(own, monkeypatch):
    folder, agents = own
    with monkeypatch.context() as patch, site(folder, agents) as (client, _):
        patch.setattr("hanabi.table.try_out", lambda *given: None)
        link = seated(client, "person", "raises")[0]
    with site(folder, agents) as (client, _):
        assert client.get(f"{link}/state").status_code == 422
        assert client.get(f"{link}/state").json()["error"].startswith(FAULTS["raises"])


def test_advice_is_for_the_seat_to_move_alone(tmp_path):
    """Advice looks at all hands but the mover's: at a table of two people another seat would read
    its own cards off it.
    """
    with site(tmp_path) as (client, _):
        links = seated(client, "person", "person", seed=3)
        for body in ({}, {"agent": "convention"}, {"agent": "piers"}):
            answer = client.post(f"{links[1]}/advice", json=body)
            assert answer.status_code == 422 and answer.json() == {"error": "It is not your turn."}
        assert client.post(f"{links[0]}/advice", json={}).json()["line"].startswith("piers would ")
        assert (
            client.post(f"{links[0]}/move", json={"move": "play 0", "turn": 0}).status_code == 200
        )
        assert client.post(f"{links[0]}/advice", json={}).status_code == 422
        assert client.post(f"{links[1]}/advice", json={}).status_code == 200


@pytest.mark.parametrize(
    "act, body",
    [
        ("move", {"move": "play 0", "turn": 2}),
        ("back", {}),
        ("note", {"note": "x"}),
        ("help", {"level": "none"}),
    ],
)
def test_after_a_failed_write_the_table_is_as_before(act, body, tmp_path, monkeypatch):
    """Moves, reasons, side lines and what a seat is sent: all as in the file, for people and for
    the agents that move then.
    """
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "convention", seed=2)[0]
        assert client.post(f"{link}/move", json={"move": "play 4", "turn": 0}).status_code == 200
        settled(client, link)
        [file] = tmp_path.glob("*.toml")
        before, [open_table] = file.read_text(), found.tables.open.values()
        whys = client.post(f"{link}/why", json={"turn": 1}).json()
        with monkeypatch.context() as patch:
            patch.setattr(
                site_table,
                "write_whole",
                lambda path, text, *more: (_ for _ in ()).throw(
                    OSError(28, "No space left on device")
                ),
            )
            assert client.post(f"{link}/{act}", json=body).status_code == 507
            assert client.get(f"{link}/state").status_code == 200
        assert str(open_table.table) == before == file.read_text()
        assert (
            len(open_table.table.reasons)
            == len(open_table.table.moves)
            == len(open_table.table.words)
            == 2
        )
        assert client.post(f"{link}/why", json={"turn": 1}).json() == whys
        move = {"move": "play 0", "turn": 2}
        assert client.post(f"{link}/move", json=move).status_code == 200
        assert settled(client, link)["game"]["turns"][-1]["turn"] == 4


def test_an_agents_move_that_cannot_be_kept_is_not_made(tmp_path, monkeypatch):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers", variant="mini,players=2,colours=2", seed=4)[0]
        [open_table] = found.tables.open.values()
        kept, write = [], site_table.write_whole

        def one_more(path, text, *more):
            if kept:
                raise OSError(28, "No space left on device")
            kept.append(write(path, text, *more))

        with monkeypatch.context() as patch:
            patch.setattr(site_table, "write_whole", one_more)
            client.post(f"{link}/move", json={"move": "play 0", "turn": 0})
            assert "No space left" in settled(client, link)["problem"]
        assert len(open_table.table.reasons) == len(open_table.table.moves) == 1
        client.post(f"{link}/note", json={"note": "there is room again"})
        state = settled(client, link)
        assert state["to_move"] == 0 and len(open_table.table.reasons) == 2 and not state["problem"]


def test_an_open_page_is_sent_all_cards_at_the_end(tmp_path):
    """A page that knows all turns but the last is sent every turn once more, for its own cards
    were hidden in them.
    """
    with site(tmp_path) as (client, _):
        link = seated(client, "person", "piers", variant="mini,players=2,colours=2", seed=4)[0]
        state = settled(client, link)
        while not state["over"]:
            assert all(
                card is None or card["card"] is None
                for turn in state["game"]["turns"]
                for card in turn["hands"][0]
            )
            assert (
                client.post(
                    f"{link}/move",
                    json={"move": obvious(state), "turn": state["game"]["turns"][-1]["turn"]},
                ).status_code
                == 200
            )
            known = f"begun={state['begun']}&turns={state['first'] + len(state['game']['turns'])}"
            settled(client, link)
            state = client.get(f"{link}/state?{known}").json()
        turns = state["game"]["turns"]
        assert (
            state["first"] == 0
            and [turn["turn"] for turn in turns] == list(range(len(turns)))
            and len(turns) > 5
        )
        assert all(
            card is None or card["card"] is not None
            for turn in turns
            for hand in turn["hands"]
            for card in hand
        )


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"host", b"")],
        [(b"host", b"evil.example"), (b"host", HOST.encode())],
        [(b"x-host", HOST.encode())],
    ],
    ids=["none", "empty", "two", "another header"],
)
def test_a_request_without_our_host_does_not_pass(headers):
    """A client that sends no Host is no browser that opened the printed address."""
    sent = []

    async def app(scope, receive, send):
        raise AssertionError("the request came through")

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(RequestGuard(app, [HOST], "secret")(scope, None, send))
    assert sent[0]["status"] == 421
