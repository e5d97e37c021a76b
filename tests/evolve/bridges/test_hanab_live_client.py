"""The client of hanab.live against a stub of its protocol: whole games, drops, nonsense, consent."""

import asyncio
import json

import pytest
from live_server import LiveServer
from typed import typed

from hanabi.game import is_over

pytest.importorskip("websockets")
from hanabi.evolve.bridges import hanab_live_client as live


@pytest.fixture(autouse=True)
def no_waits(monkeypatch):
    monkeypatch.setattr(live, "INTERVAL", 0.0)


def play(server, spec="piers", name="Bot-T", password="secret", **options):
    options = {"table": "friends"} | options
    said = []
    client = live.LiveClient(
        name, password, spec, server=server.address, say=said.append, waits=(0.0,) * 3, **options
    )
    asyncio.run(asyncio.wait_for(client.play(), 60))
    return said


def served(**options):
    return LiveServer(**options)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_to_its_end_is_the_game_that_the_agent_plays(players):
    """The bot's moves are those of the agent at a table that knows all cards."""
    server = served(players=players, me=players - 1, seed=players)
    try:
        play(server)
        view, made = server.table.view, server.made
        assert is_over(view) and made >= 5 and server.left
        sent = [message.partition(" ")[0] for message in server.log]
        assert sent[:3] == ["tableJoin", "getGameInfo1", "getGameInfo2"]
        assert sent[-1] == "tableLeave" and sent.count("action") == made
        notes = [json.loads(one.partition(" ")[2]) for one in server.log if one[:4] == "note"]
        assert notes and all(note["note"] and note["tableID"] == 5 for note in notes)
    finally:
        server.close()


def test_after_drops_it_comes_back_to_its_game():
    server = served(seed=4, drops=(2, 5))
    try:
        said = play(server)
        assert is_over(server.table.view) and len(server.logins) == 3
        assert [one for one in server.log if one.startswith("tableReattend")]
        assert any("Connecting again" in line for line in said)
    finally:
        server.close()


def test_messages_without_sense_are_skipped():
    server = served(seed=5, noise=True)
    try:
        said = play(server)
        assert is_over(server.table.view)
        assert any("not understood" in line for line in said)
    finally:
        server.close()


def test_it_joins_by_invitation_and_no_other_table():
    server = served(seed=6)
    try:
        play(server, table="")
        joins = [one for one in server.log if one.startswith("tableJoin")]
        assert joins == ['tableJoin {"tableID": 5}']
    finally:
        server.close()


def test_a_wrong_password_is_said_in_one_line():
    server = served()
    try:
        with pytest.raises(live.LiveError, match="refuses the login: wrong password"):
            play(server, password="no")
    finally:
        server.close()


def test_unknown_cards_become_cards_that_hints_allow():
    game = live.LiveGame(1, ["A", "B"], 0, {"variant": "No Variant"})
    for order in range(10):
        face = (-1, -1) if order < 5 else (0, order - 4)
        game.read(
            dict(
                type="draw",
                playerIndex=int(order >= 5),
                order=order,
                suitIndex=face[0],
                rank=face[1],
            )
        )
    game.read(dict(type="clue", clue=dict(type=1, value=5), giver=1, list=[0, 2, 4, 1], target=0))
    deck = game.deal()
    assert [deck[order][1] == 5 for order in range(5)] == [True, True, True, False, True]
    assert all(deck[order][0] != 0 for order in (0, 1, 2, 4))  # red 5 is in Bob's hand
    assert len(deck) == 50
    game.read(dict(type="clue", clue=dict(type=0, value=0), giver=1, list=[0], target=0))
    with pytest.raises(ValueError, match="fit no deck"):
        game.deal()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--as Bot-T --agent piers", "--table NAME, --create NAME or --invited"),
        ("--as Piers --agent piers --table x", "begin with Bot-"),
        ("--as Bot-T --agent nobody --table x", "nobody"),
        ("--as Bot-T --agent osawa-self --table x", "lists of rules"),
        ("--as Bot-T --agent piers --table x --server ftp://x", "write an address"),
    ],
)
def test_wrong_words_are_one_line(words, said):
    code, out, err = typed("live", *words.split(), "--password", "x")
    assert code == 2 and said in err and err.count("\n") == 1
