"""A stub of hanab.live's server for one table: written from the facts of its protocol, not its code.

The other seats play by a list. ``drops``: the connection is closed after so many of the bot's
moves; ``noise``: messages that make no sense are sent before each action. ``record()`` writes the
messages of a game to tests/golden/live_scripts.json: ``.venv/bin/python tests/support/live_server.py``.
"""

import asyncio
import json
import socket
import threading
import time
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from hanabi.formats.hanab_live import read_action, site_action
from hanabi.game import apply, cards_to_draw, event_card, event_fits, is_over, told_cards
from hanabi.moves import is_play, is_tell, slot_of, target_of
from hanabi.replay_link import SUITS
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import read_variant

SUIT = SUITS["No Variant"][1]
NOISE = ["gameAction", "gameAction {", "gameAction []", "gameAction null", "x y z", "init {}", "chat 7",
         'gameAction {"tableID": 5, "action": {"type": "play", "order": 999}}', "table {}", "__init__ {}",
         'gameAction {"tableID": 5, "action": {"type": "clue", "clue": 3, "target": -1}}',
         "gameAction " + "[" * 20_000, "chat " + "9" * 5_000, 'gameAction {"tableID": 5, "action": 7}',
         'gameAction {"tableID": 6, "action": {"type": "turn", "currentPlayerIndex": 1}}', b"\xff\x00", "", " ",
         'gameAction {"tableID": 5, "action": {"type": "draw", "playerIndex": 0, "order": 99, "suitIndex": 1e400, "rank": NaN}}',
         'gameAction {"tableID": 5, "action": {"type": "play", "order": true, "suitIndex": 0, "rank": 1}}',
         'gameAction {"tableID": 5, "action": {"type": "draw", "playerIndex": 9, "order": 0, "suitIndex": 0, "rank": 1}}',
         'init {"playerNames": [], "ourPlayerIndex": 0}', 'tableList {"id": 5}', 'tableList [{"id": "x"}, 3]',
         'tableStart {"tableID": 6}', 'tableStart {}', 'finishOngoingGame {"tableID": 6}', 'tableGone {"tableID": 6}',
         'chat {"msg": "/join", "who": "Eli", "recipient": "Bot-T"}', 'warning {"warning": {"a": "<b>"}}',
         'table {"id": 7, "name": "x", "players": 7}', "_handle {}", "play {}", "on_init {}"]  # fmt: skip
GOLDEN = Path(__file__).parents[1] / "golden" / "live_scripts.json"


class LiveServer:
    """A server with table 5, ``friends``; ``log``: the bot's messages; ``game``: what was played."""

    def __init__(
        self, players=2, me=1, seed=3, drops=(), noise=False, password="secret", spec="piers"
    ):
        self.players, self.me, self.drops, self.noise = players, me, set(drops), noise
        self.password, self.log, self.logins, self.made, self.left = password, [], [], 0, False
        self.refused = 0  # parts of a long refusal that were sent
        self.id, self.script = 5, []  # the table, and all messages as [direction, text]
        self.player = load(spec).at(players)
        self.table = Table(read_variant("standard").at(players), [self.player])
        self.table.deal(seed, [0] * players)
        state, view = self.table.state, self.table.view
        hands = state.hands[:players, : view.hand_size].ravel().tolist()
        self.deck = hands + [int(card) for card in cards_to_draw(state, view)]
        self.drawn, self.sent, self.running = 0, [], False
        for seat in range(players):
            for _ in range(int(view.hand_size)):
                self.draw(seat)
        self.turn()
        app = Starlette(
            routes=[
                Route("/login", self.login, methods=["POST"]),
                WebSocketRoute("/ws", self.socket),
            ]
        )
        self.listening = socket.socket()
        self.listening.bind(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", lifespan="off")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def close(self):
        self.server.should_exit = True
        self.thread.join()
        self.listening.close()

    async def login(self, request):
        body = (await request.body()).decode()
        self.logins.append(body)
        if f"password={self.password}" not in body or "version=bot" not in body:
            return StreamingResponse(self._refuse(), 401)
        answer = PlainTextResponse("")
        answer.set_cookie("hanabi.sid", "1")
        return answer

    async def _refuse(self):
        """Yield the text of a refusal: without end, where the client goes on reading."""
        yield b"wrong password\x1b[2J"
        for _ in range(10_000):
            await asyncio.sleep(0)  # a client that has left is noticed here
            self.refused += 1
            yield b"x" * 100_000

    # --- the game, as actions of the site
    def draw(self, seat):
        if self.drawn < len(self.deck):
            card = self.deck[self.drawn]
            self.sent.append(
                dict(type="draw", playerIndex=seat, order=self.drawn, **self.face(card))
            )
            self.drawn += 1

    def face(self, card):
        return {"suitIndex": SUIT.index("RBGYWP"[card // 5]), "rank": card % 5 + 1}

    def turn(self):
        view = self.table.view
        over = bool(is_over(view))
        index = -1 if over else int(view.me)
        self.sent.append(dict(type="turn", num=int(view.turn), currentPlayerIndex=index))
        if over:
            self.sent.append(dict(type="gameOver", endCondition=1, playerIndex=0))

    def make(self, move):
        state, view = self.table.state, self.table.view
        before, seat = view.copy(), int(view.me)
        apply(state, view, move)
        if is_tell(move):
            action, orders = site_action(before, move, SUIT)
            clue = dict(type=action["type"] - 2, value=action["value"])
            target = int(target_of(move))
            told = int(told_cards(move))
            listed = [
                int(before.born[target, slot])
                for slot in range(int(view.hand_size))
                if before.filled[target] >> slot & 1 and told >> int(state.hands[target, slot]) & 1
            ]
            assert sorted(listed) == sorted(orders)
            self.sent.append(dict(type="clue", clue=clue, giver=seat, list=listed, target=target))
        else:
            event = int(view.history[before.turn])
            order = int(before.born[seat, slot_of(move)])
            fits = bool(event_fits(event))
            kind = "play" if is_play(move) and fits else "discard"
            failed = bool(is_play(move)) and not fits
            card = self.face(int(event_card(event)))
            self.sent.append(dict(type=kind, playerIndex=seat, order=order, failed=failed, **card))
            self.draw(seat)
        self.turn()

    def others(self):
        view = self.table.view
        while not is_over(view) and int(view.me) != self.me:
            self.make(self.player.move(view)[0])

    def seen(self, action):
        if action["type"] == "draw" and action["playerIndex"] == self.me:
            return action | {"suitIndex": -1, "rank": -1}
        return action

    # --- the protocol
    async def socket(self, ws):
        assert "hanabi.sid=1" in ws.headers["cookie"]
        await ws.accept()
        self.ws, self.known = ws, None
        row = dict(id=5, name="friends", players=["Dana"], running=self.running)
        await self.say("welcome", {})
        await self.say("tableList", [row, dict(id=6, name="other", players=["Eli"], running=False)])
        await self.say("chat", dict(msg="/join", who="Dana", recipient="Bot-T", room="lobby"))
        try:
            while True:
                text = await ws.receive_text()
                self.log.append(text)
                self.script.append(["out", text])
                command, _, rest = text.partition(" ")
                await self.answer(command, json.loads(rest))
        except (WebSocketDisconnect, RuntimeError):
            pass

    async def say(self, command, data):
        text = f"{command} {json.dumps(data)}"
        self.script.append(["in", text])
        await self.ws.send_text(text)

    def row(self, count):
        names = ["Bot-T", *(f"P{seat}" for seat in range(1, self.players))]
        return dict(id=self.id, name=self.created, players=names[:count], running=self.running)

    async def answer(self, command, data):
        if command in ("tableJoin", "tableReattend", "tableStart"):
            assert data["tableID"] == self.id
            self.running = True
            await self.say("tableStart", dict(tableID=self.id))
        elif command == "tableCreate":  # others come in one by one; somebody has the same idea
            self.id, self.created = 7, data["name"]
            await self.say("table", dict(id=8, name=self.created, players=["Eli"], running=False))
            for count in range(1, self.players + 1):
                await self.say("table", self.row(count))
            await self.say("table", self.row(self.players))
        elif command == "getGameInfo1":
            names = [f"P{seat}" for seat in range(self.players)]
            options = dict(variantName="No Variant")
            await self.say("init", dict(playerNames=names, ourPlayerIndex=self.me, options=options))
        elif command == "getGameInfo2":
            self.others()
            self.known = len(self.sent)
            listed = [self.seen(action) for action in self.sent]
            await self.say("gameActionList", dict(tableID=self.id, list=listed))
        elif command == "loaded":
            await self.news()
        elif command == "tableLeave":
            self.left = True
        elif command == "action":
            assert int(self.table.view.me) == self.me
            self.make(read_action(SUIT, self.table.view, data, "action"))
            self.made += 1
            self.others()
            if self.made in self.drops:
                self.drops.remove(self.made)
                await self.ws.close()
                return
            await self.news()

    async def news(self):
        for noise in NOISE if self.noise else ():
            await (self.ws.send_bytes if isinstance(noise, bytes) else self.ws.send_text)(noise)
        for action in self.sent[self.known :]:
            await self.say("gameAction", dict(tableID=self.id, action=self.seen(action)))
        self.known = len(self.sent)
        if is_over(self.table.view):
            await self.say("databaseID", dict(tableID=self.id, databaseID=1))
            await self.say("finishOngoingGame", dict(tableID=self.id))


def record():
    """Play a game at each number of players, and write what both sides said."""
    import asyncio

    from hanabi.evolve.live import hanab_live_client as live

    live.INTERVAL, scripts = 0.0, {}
    for players in (2, 3, 4, 5):
        server = LiveServer(players, players - 1, seed=players + 40, spec="convention-simple")
        client = live.LiveClient(
            "Bot-T", "secret", "convention-simple", "friends", server=server.address
        )
        asyncio.run(client.play())
        server.close()
        scripts[players] = server.script
    lines = [
        f"{json.dumps(str(players))}: [\n" + ",\n".join(map(json.dumps, script)) + "\n]"
        for players, script in scripts.items()
    ]
    GOLDEN.write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    record()
