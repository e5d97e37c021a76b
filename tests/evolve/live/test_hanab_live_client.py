"""The client of hanab.live against a stub of its protocol: whole games, drops, nonsense, consent."""

import asyncio
import json
import time
from types import SimpleNamespace

import pytest
from live_server import GOLDEN, LiveServer
from typed import typed

from hanabi.environment.observed_game import ObservedSeat
from hanabi.game import is_over
from hanabi.player import default_move
from hanabi.replay_link import SUITS
from hanabi.rules.agents.python_player import PLAYERS, agent_of

pytest.importorskip("websockets")
from hanabi.evolve.live import hanab_live_client as live


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
        said = play(server)
        view, made = server.table.view, server.made
        assert said == ["Joining table 5.", "The game is over."]
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
    """The game is the one that is played without them, and no other table is joined."""
    moves = []
    for noise in (False, True):
        server = served(seed=5, noise=noise)
        try:
            said = play(server)
            assert is_over(server.table.view)
            moves.append([one for one in server.log if one.startswith("action")])
            joins = [one for one in server.log if one.startswith("tableJoin")]
            assert joins == ['tableJoin {"tableID": 5}']
        finally:
            server.close()
    assert moves[0] == moves[1] and len(moves[0]) >= 5
    assert any("not understood" in line for line in said)
    assert all("\n" not in line and len(line) < 250 for line in said)


@pytest.mark.parametrize("players", [2, 4])
def test_a_table_that_it_lays_starts_when_it_is_full(players):
    server = served(players=players, me=0, seed=9)
    try:
        play(server, table="", create="evening", players=players)
        sent = [message.partition(" ") for message in server.log]
        assert is_over(server.table.view) and server.left
        assert [one[0] for one in sent[:3]] == ["tableCreate", "tableStart", "getGameInfo1"]
        assert [one[0] for one in sent].count("tableStart") == 1
        assert json.loads(sent[0][2])["maxPlayers"] == players
        assert json.loads(sent[1][2]) == {"tableID": 7}, "not the one of somebody else"
        assert not any(one[0] == "tableJoin" for one in sent)
    finally:
        server.close()


class Counting:
    """A plain Python player with a memory: each reason counts its moves; some fail at one."""

    name = "counting"

    def __init__(self, stops=0):
        self.turns, self.stops = 0, stops

    def move(self, view):
        self.turns += 1
        if self.turns == self.stops:
            raise ValueError("no idea")
        return default_move(view), f"my move {self.turns}"


@pytest.mark.parametrize("stops", [0, 3])
def test_a_plain_python_player_keeps_its_memory_for_the_game(stops):
    """Also over a drop; one that fails gives its seat back. `typed` tests how a file is loaded."""
    spec = "python:bot.py:Counting"
    PLAYERS[spec] = agent_of(Counting(stops))
    server = served(seed=4, drops=() if stops else (2,))
    try:
        if stops:
            with pytest.raises(live.LiveError, match="counting raised ValueError: no idea"):
                play(server, spec=spec)
        else:
            play(server, spec=spec)
        noted = [json.loads(m.partition(" ")[2])["note"] for m in server.log if m[:4] == "note"]
        numbers = [int(note.rpartition(" ")[2]) for note in noted]
        assert numbers == list(range(1, len(numbers) + 1)), "one note for each move"
        assert len(numbers) == 2 if stops else len(numbers) > 5 and is_over(server.table.view)
        assert server.log[-1].startswith("tableLeave")
    finally:
        server.close()


def test_an_agent_that_finds_out_who_its_partners_are():
    server = served(seed=2)
    try:
        play(server, spec="partners:cig2018-paper")
        assert is_over(server.table.view) and server.left
    finally:
        server.close()


def test_actions_of_another_table_are_left_out():
    client, read = live.LiveClient("Bot-T", "x", "piers", "friends", say=lambda line: None), []
    client.joined = 5
    client.game = SimpleNamespace(read=read.append, to_move=False, over=False)

    async def move():
        read.append("moved")

    client._move = move
    for table in (6, None, 5):
        data = {"action": {"type": "turn", "currentPlayerIndex": 0}}
        asyncio.run(client.on_gameAction(data | ({} if table is None else {"tableID": table})))
    assert read == [{"type": "turn", "currentPlayerIndex": 0}, "moved"], "only those of table 5"


class Script:
    """The server's part of a recorded game; the client's part is compared as it is sent."""

    def __init__(self, messages):
        self.messages, self.sent = messages, []

    async def send(self, text):
        self.sent.append(text)

    async def __aiter__(self):
        for direction, text in self.messages:
            if direction == "in":
                yield text
            else:
                assert self.sent and self.sent.pop(0) == text


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_recorded_scripts(players):
    """Message by message what it said when the scripts were recorded (live_server.record)."""
    script = Script(json.loads(GOLDEN.read_text())[str(players)])
    client = live.LiveClient("Bot-T", "x", "convention-simple", "friends", say=lambda line: None)
    client.socket = script
    asyncio.run(client._handle(script))
    assert client.finished and not script.sent[1:] and script.sent[0].startswith("tableLeave")


def test_the_rate_limit_and_the_seat_that_is_given_back(monkeypatch):
    """The site allows 200 messages in 2 seconds; Ctrl-C at a table leaves it."""
    monkeypatch.undo()
    assert live.INTERVAL >= 2 / 200
    client = live.LiveClient("Bot-T", "x", "piers", "friends", say=lambda line: None)
    sent = []

    class Socket:
        async def send(self, text):
            sent.append((time.monotonic(), text))

    async def waiting():
        yield 'tableList [{"id": 5, "name": "friends", "players": ["Dana"]}]'
        yield 'tableStart {"tableID": 5}'
        await asyncio.sleep(60)

    async def leave():
        client.socket = Socket()
        task = asyncio.create_task(client._handle_or_leave(waiting()))
        while len(sent) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(leave())
    times = [when for when, _ in sent]
    assert all(after - before >= live.INTERVAL for before, after in zip(times, times[1:]))
    assert [text.partition(" ")[0] for _, text in sent] == [
        "tableJoin",
        "getGameInfo1",
        "tableLeave",
    ]


def test_a_table_that_is_gone():
    said = []
    client = live.LiveClient("Bot-T", "x", "piers", create="evening", say=said.append)
    client.joined = 7

    async def gone():
        yield 'tableGone {"tableID": 6}'
        yield 'tableGone {"tableID": 7}'

    with pytest.raises(live.LiveError, match="evening is gone"):
        asyncio.run(client._handle(gone()))


def game_of(me):
    seat = ObservedSeat("piers", 2)
    return live.LiveGame(seat, SUITS["No Variant"][1], seat.begin(me))


def drawn(order, suit=-1, rank=-1, player=None):
    player = order // 5 if player is None else player
    return dict(type="draw", playerIndex=player, order=order, suitIndex=suit, rank=rank)


def test_more_unknown_cards_than_a_hand_are_no_game():
    """A hostile server could else make the search for a fitting deck endless."""
    game = game_of(0)
    with pytest.raises(ValueError, match="out of order"):
        game.read(drawn(5, player=0))
    with pytest.raises(ValueError, match="do not belong to one game"):
        game.seat.choose()
    for action in (dict(type="play", order=True), drawn(5, True, 1), drawn(5), drawn(50, 0, 1)):
        with pytest.raises(ValueError):
            game.read(action)
    assert not game.seen.moves and set(game.seen.deck) == {-1}


def test_moves_that_the_laws_forbid_are_no_game():
    game = game_of(1)
    for order in range(5):
        game.read(drawn(order, 0, order + 1))
    game.read(dict(type="clue", clue=dict(type=0, value=1), list=[5], target=0))
    with pytest.raises(ValueError, match="do not belong to one game"):
        game.seat.choose()


def test_it_joins_by_invitation_and_no_other_table():
    server = served(seed=6)
    try:
        play(server, table="")
        joins = [one for one in server.log if one.startswith("tableJoin")]
        assert joins == ['tableJoin {"tableID": 5}']
    finally:
        server.close()


def test_a_wrong_password_is_said_in_one_line():
    """Of an answer of a gigabyte 200 bytes are read."""
    server = served()
    try:
        with pytest.raises(live.LiveError, match="refuses the login: wrong password") as error:
            play(server, password="no")
        assert len(str(error.value)) < 300 and server.refused < 1_000
    finally:
        server.close()


def test_unknown_cards_become_cards_that_hints_allow():
    game = game_of(1)
    for order in range(10):
        game.read(drawn(order, 0, order + 1) if order < 5 else drawn(order))
    game.read(dict(type="clue", clue=dict(type=1, value=5), list=[5, 7, 9, 6], target=1))
    deck = game.seen.complete_deck()
    assert [card % 5 == 4 for card in deck[5:10]] == [True, True, True, False, True]
    assert all(deck[order] != 4 for order in range(5, 10))  # red 5 is in Ann's hand
    assert len(deck) == 50
    game.seen.moves.clear()
    game.read(dict(type="clue", clue=dict(type=0, value=0), list=[5], target=1))
    with pytest.raises(ValueError, match="do not belong to one game"):
        game.seen.complete_deck()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--as Bot-T --agent piers", "--table NAME, --create NAME or --invited"),
        ("--as Piers --agent piers --table x", "begin with Bot-"),
        ("--as Bot-T --agent nobody --table x", "nobody"),
        ("--as Bot-T --agent osawa-ideal --table x", "sees hidden cards"),
        ("--as Bot-T --agent zhao --create x --players 3", "plays with [2]"),
        ("--as Bot-T --agent python:gone.py:Bot --table x", "gone.py"),
        ("--as Bot-T --agent piers --table x --server ftp://x", "write an address"),
    ],
)
def test_wrong_words_are_one_line(words, said):
    code, out, err = typed("live", *words.split(), "--password", "x")
    assert code == 2 and said in err and err.count("\n") == 1
