"""A stub of hanab.live's server for one table: written from the facts of its protocol, not its code.

The other seats play by a list. ``drops``: the connection is closed after so many of the bot's
moves; ``noise``: messages that make no sense are sent before each action.
"""

import json
import socket
import threading
import time

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from hanabi.formats.hanab_live import SUITS, _move, site_action
from hanabi.game import apply, cards_to_draw, event_card, event_fits, is_over, told_cards
from hanabi.moves import is_play, is_tell, slot_of, target_of
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import read_variant

SUIT = SUITS["No Variant"][1]
NOISE = ["gameAction", "gameAction {", "gameAction []", "gameAction null", "x y z", "init {}", "chat 7",
         'gameAction {"tableID": 5, "action": {"type": "play", "order": 999}}', "table {}", "__init__ {}",
         'gameAction {"tableID": 5, "action": {"type": "clue", "clue": 3, "target": -1}}']  # fmt: skip


class LiveServer:
    """A server with table 5, ``friends``; ``log``: the bot's messages; ``game``: what was played."""

    def __init__(self, players=2, me=1, seed=3, drops=(), noise=False, password="secret"):
        self.players, self.me, self.drops, self.noise = players, me, set(drops), noise
        self.password, self.log, self.logins, self.made, self.left = password, [], [], 0, False
        self.player = load("piers").at(players)
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
            return PlainTextResponse("wrong password", 401)
        answer = PlainTextResponse("")
        answer.set_cookie("hanabi.sid", "1")
        return answer

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
                command, _, rest = text.partition(" ")
                await self.answer(command, json.loads(rest))
        except (WebSocketDisconnect, RuntimeError):
            pass

    async def say(self, command, data):
        await self.ws.send_text(f"{command} {json.dumps(data)}")

    async def answer(self, command, data):
        if command in ("tableJoin", "tableReattend"):
            self.running = True
            await self.say("tableStart", dict(tableID=5))
        elif command == "getGameInfo1":
            names = [f"P{seat}" for seat in range(self.players)]
            options = dict(variantName="No Variant")
            await self.say("init", dict(playerNames=names, ourPlayerIndex=self.me, options=options))
        elif command == "getGameInfo2":
            self.others()
            self.known = len(self.sent)
            listed = [self.seen(action) for action in self.sent]
            await self.say("gameActionList", dict(tableID=5, list=listed))
        elif command == "loaded":
            await self.news()
        elif command == "tableLeave":
            self.left = True
        elif command == "action":
            assert int(self.table.view.me) == self.me
            self.make(_move(SUIT, self.table.view, data, "action"))
            self.made += 1
            self.others()
            if self.made in self.drops:
                self.drops.remove(self.made)
                await self.ws.close()
                return
            await self.news()

    async def news(self):
        for noise in NOISE if self.noise else ():
            await self.ws.send_text(noise)
        for action in self.sent[self.known :]:
            await self.say("gameAction", dict(tableID=5, action=self.seen(action)))
        self.known = len(self.sent)
        if is_over(self.table.view):
            await self.say("databaseID", dict(tableID=5, databaseID=1))
            await self.say("finishOngoingGame", dict(tableID=5))
