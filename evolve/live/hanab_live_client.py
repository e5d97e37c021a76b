"""A client of hanab.live's server: an agent plays at a table of the site, or of another server.

It joins only the table that is named, or that of a person who invites it with a private ``/join``.
What its seat sees of a running game is an ``ObservedGame``; the agent chooses by it alone.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from hanabi import moves as m
from hanabi.environment.observed_game import ObservedGame, ObservedSeat
from hanabi.formats.hanab_live import read_card, site_action, variant_of
from hanabi.player import PlayError
from hanabi.rules.agents import load
from hanabi.text.move_facts import rule_says
from hanabi.variant import shown

SERVER = "https://hanab.live"
BOT = re.compile(r"Bot-[\w-]{1,11}", re.ASCII)  # the site asks bots to mark themselves
INTERVAL = 0.05  # seconds between messages; the site allows 200 in 2 seconds
LONGEST = 1_000_000  # bytes of a message that is read
REFUSAL = 200  # bytes of the answer to a refused login
WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before each new connection
NOTE = 300  # letters
TABLES = 10_000  # that are remembered
NONSENSE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


class LiveError(ValueError):
    """The server refuses the client, or cannot be reached; the message is one line."""


@dataclass
class LiveGame:
    """A running game, as the agent at our seat sees it.

    Attributes:
        seat: The agent, which may have a memory.
        suits: The colours of the site's suits as our letters.
        seen: What our seat saw.
        to_move: The seat to move, -1 if unknown or after the end.
        answered: How many moves there were when we moved last.
    """

    seat: ObservedSeat
    suits: str
    seen: ObservedGame
    to_move: int = -1
    answered: int = -1

    def read(self, action: dict[str, Any]) -> None:
        """Take one action of the server. Raises ValueError for one that makes no sense."""
        kind = action.get("type")
        if kind in ("play", "discard", "clue"):
            self.to_move = -1  # until the server says whose turn it is
        if kind == "draw":
            self._draw(action)
        elif kind in ("play", "discard"):
            order = _number(action.get("order"), len(self.seen.deck))
            slot = self.seen.places[self.seen.mover].index(order)
            is_play = kind == "play" or action.get("failed") is True
            card = read_card(action, self.suits, "a card that is shown")
            self.seen.add_card_move(m.play(slot) if is_play else m.discard(slot), card)
        elif kind == "clue":
            self._read_clue(action)
        elif kind == "turn":
            index = action.get("currentPlayerIndex")
            self.to_move = index if type(index) is int else -1
        elif kind == "gameOver":
            self.to_move = -1

    def _draw(self, action):
        seat = _number(action.get("playerIndex"), len(self.seen.places))
        order = _number(action.get("order"), len(self.seen.deck))
        if order not in self.seen.places[seat]:
            raise ValueError("a card is drawn out of order")
        if seat != self.seen.me:
            self.seen.deck[order] = read_card(action, self.suits, "a card that is drawn")

    def _read_clue(self, action):
        clue = action.get("clue") if isinstance(action.get("clue"), dict) else {}
        target = _number(action.get("target"), len(self.seen.places))
        if _number(clue.get("type"), 2):
            hint = m.tell_rank(target, 1 + _number(clue.get("value", 0) - 1, m.STRIDE))
        else:
            suit = self.suits[_number(clue.get("value"), len(self.suits))]
            hint = m.tell_colour(target, m.COLOURS.index(suit))
        places = self.seen.places[target]
        self.seen.add_hint(
            hint, [slot for slot in self.seen.ages[target] if places[slot] in action["list"]]
        )


def _number(value, limit):
    if type(value) is not int or not 0 <= value < limit:
        raise ValueError(f"{shown(value)} is no number below {limit}")
    return value


async def _first_bytes(parts: AsyncIterator[bytes], most: int) -> bytes:
    """Return the first bytes of what comes in parts; the rest is not received."""
    found = b""
    async for part in parts:
        found += part
        if len(found) >= most:
            break
    return found[:most]


def choose_action(game: LiveGame) -> tuple[dict[str, int], list[int], str]:
    """Return (the action of the site, the orders of its cards, the sentence of the move).

    Raises:
        ValueError: The server's game makes no sense, or it is not our turn.
    """
    if game.seen.mover != game.seen.me:
        raise ValueError("it is not our turn")
    choice = game.seat.choose()
    action, orders = site_action(game.seat.view, choice.move, game.suits)
    sentence = rule_says(choice.reason) or choice.reason
    return action, orders, sentence[:NOTE]


@dataclass
class LiveClient:
    """An agent at a server of hanab.live's protocol.

    Attributes:
        name: the name of the account, which begins with ``Bot-``.
        password: its password.
        spec: the agent.
        table: name or number of the table to join; "" to wait for an invitation.
        create: name of a table to lay instead.
        players: at a table that we lay: start with this many players.
        server: address of the server.
        say: is called with lines about what happens.
        waits: seconds before each new connection after a drop.
    """

    name: str
    password: str
    spec: str
    table: str = ""
    create: str = ""
    players: int = 2
    server: str = SERVER
    say: Callable[[str], None] = print
    waits: tuple[float, ...] = WAITS
    game: LiveGame | None = None
    joined: int = -1
    started: int = -1
    finished: bool = False
    tables: dict[int, dict[str, Any]] = field(default_factory=dict)
    socket: Any = None

    def __post_init__(self) -> None:
        if not BOT.fullmatch(self.name):
            raise ValueError(
                f"--as {self.name}: names of bots begin with Bot- and have up to 15 letters, "
                "such as Bot-Piers"
            )
        agent = load(self.spec)
        counts = [count for count in range(2, 6) if agent.plays(count)]
        if self.create and self.players not in counts:
            raise ValueError(f"--players {self.players}: {self.spec} plays with {counts}")
        ObservedSeat(self.spec, counts[0])  # which may not see hidden cards
        if not re.fullmatch(r"https?://[^\s/]+", self.server):
            raise ValueError(f"--server {self.server}: write an address such as {SERVER}")

    async def play(self) -> None:
        """Log in and play one game; connect again after a drop.

        Raises:
            LiveError: The server refuses us, or stays away.
        """
        import httpx

        for wait in (*self.waits, None):
            try:
                await self._session()
            except (OSError, httpx.HTTPError) as error:
                self.say(f"The connection failed: {type(error).__name__}.")
            if self.finished:
                return
            if wait is None:
                break
            self.say(f"Connecting again in {wait:g} s.")
            await asyncio.sleep(wait)
        raise LiveError(f"{self.server} does not answer")

    async def _session(self):
        """Log in, connect, and handle messages until the connection or the game ends."""
        import httpx
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        async with httpx.AsyncClient(base_url=self.server, timeout=30) as client:
            form = dict(username=self.name, password=self.password, version="bot")
            async with client.stream(
                "POST", "/login", data=form, headers={"Accept-Encoding": "identity"}
            ) as answer:
                if answer.status_code not in (200, 204):
                    said = await _first_bytes(answer.aiter_raw(), REFUSAL)
                    raise LiveError(
                        f"{self.server} refuses the login: {said.decode(errors='replace').strip()}"
                    )
            cookie = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
        address = self.server.replace("http", "ws", 1) + "/ws"
        try:
            async with connect(
                address, additional_headers={"Cookie": cookie}, max_size=LONGEST
            ) as self.socket:
                if self.joined >= 0:
                    await self._send("tableReattend", tableID=self.joined)
                await self._handle_or_leave(self.socket)
        except (ConnectionClosed, InvalidHandshake):
            self.say("The connection was lost.")

    async def _handle_or_leave(self, messages: AsyncIterator[str | bytes]) -> None:
        """Handle messages; where that ends before the game does, give our seat back.

        Raises:
            LiveError: Our agent cannot move.
        """
        try:
            await self._handle(messages)
        except asyncio.CancelledError:  # Ctrl-C
            if self.joined >= 0:
                await self._send("tableLeave", tableID=self.joined)
            raise
        except PlayError as error:
            await self._send("tableLeave", tableID=self.joined)
            raise LiveError(f"--agent {self.spec} {' '.join(str(error).split())}") from None

    async def _handle(self, messages: AsyncIterator[str | bytes]) -> None:
        """Answer messages; those that make no sense are skipped and reported."""
        async for message in messages:
            try:
                if not isinstance(message, str):
                    raise ValueError("bytes")
                command, _, text = message.partition(" ")
                data = json.loads(text or "{}")
                handler = getattr(self, f"on_{command}", None) if command.isalnum() else None
                if handler:
                    await handler(data)
            except (LiveError, PlayError):
                raise
            except NONSENSE as error:
                self.say(f"A message was not understood: {' '.join(str(error).split())[:100]}.")
            if self.finished:
                return

    async def _send(self, command: str, **data: Any) -> None:
        await asyncio.sleep(INTERVAL)
        await self.socket.send(f"{command} {json.dumps(data)}")

    async def on_tableList(self, data: list) -> None:  # noqa: N802  the site's names
        """Take the list of tables, then lay or join one if that was asked for."""
        for table in data:
            self._remember(table)
        await self._sit_down()
        if self.create and self.joined < 0:
            options = {"variantName": "No Variant"}
            await self._send(
                "tableCreate",
                name=self.create,
                options=options,
                password="",
                maxPlayers=self.players,
            )

    async def on_table(self, data: dict) -> None:
        """Take news of a table."""
        self._remember(data)
        await self._sit_down()

    def _remember(self, table):
        if len(self.tables) < TABLES:
            self.tables[int(table["id"])] = dict(table)

    async def on_tableGone(self, data: dict) -> None:  # noqa: N802
        """Forget a table; where it was ours and no game runs, wait for another one."""
        number = int(data["tableID"])
        self.tables.pop(number, None)
        if number == self.joined and self.game is None:
            self.joined = self.started = -1
            self.say("The table is gone.")
            if self.create:
                raise LiveError(f"the table {self.create} is gone")

    async def on_chat(self, data: dict) -> None:
        """Follow a private ``/join`` to the table of who sent it, if no table was named."""
        is_invitation = data.get("recipient") == self.name and data.get("msg") == "/join"
        if is_invitation and not (self.table or self.create) and self.joined < 0:
            for number, table in self.tables.items():
                if data.get("who") in (table.get("players") or []):
                    await self._join(number)
                    return

    async def _sit_down(self):
        """Join the table that is named; start the one that we laid once it is full."""
        for number, table in list(self.tables.items()):
            players = table.get("players") or []
            if self.table and self.joined < 0 and self.table in (table.get("name"), str(number)):
                await self._join(number)
            elif self.create == table.get("name") and players[:1] == [self.name]:
                self.joined = number
                is_full = len(players) == self.players and not table.get("running")
                if is_full and self.started != number:
                    self.started = number
                    await self._send("tableStart", tableID=number)

    async def _join(self, number):
        self.joined = number
        self.say(f"Joining table {number}.")
        await self._send("tableJoin", tableID=number)

    async def on_tableStart(self, data: dict) -> None:  # noqa: N802
        """Ask for the game of our table."""
        if int(data["tableID"]) == self.joined:
            await self._send("getGameInfo1", tableID=self.joined)

    async def on_init(self, data: dict) -> None:
        """Begin a game."""
        options = dict(data.get("options") or {})
        kept = {"variant": options.get("variantName", "No Variant")}
        kept |= {k: options[k] for k in ("oneExtraCard", "oneLessCard") if options.get(k)}
        players = len(data["playerNames"])
        variant, suits = variant_of(kept, players, "the table")
        me = _number(data["ourPlayerIndex"], players)
        seat = self.game.seat if self.game else None  # after a drop: with its memory
        if seat is None:
            seat = await asyncio.to_thread(ObservedSeat, self.spec, players, 0, variant)
            seat.begin(me)
        seat.seen = ObservedGame(players, me, variant)
        self.game = LiveGame(seat, suits, seat.seen)
        await self._send("getGameInfo2", tableID=self.joined)

    async def on_gameActionList(self, data: dict) -> None:  # noqa: N802
        """Take the actions so far."""
        if self.game:
            for action in data["list"]:
                self.game.read(action)
            self.game.answered = -1
            await self._send("loaded", tableID=self.joined)
            await self._move()

    async def on_gameAction(self, data: dict) -> None:  # noqa: N802
        """Take one action, and move if it is our turn."""
        if self.game and data.get("tableID") == self.joined:
            self.game.read(data["action"])
            await self._move()

    async def on_finishOngoingGame(self, data: dict) -> None:  # noqa: N802
        """Leave the table after the game."""
        if data.get("tableID") == self.joined:
            await self._send("tableLeave", tableID=self.joined)
            self.say("The game is over.")
            self.finished = True

    async def on_warning(self, data: dict) -> None:
        """Report what the server says."""
        self.say(f"The server: {str(data.get('warning', ''))[:200]}")

    on_error = on_warning

    async def _move(self):
        """Make our move, with its sentence as a note, once per turn."""
        game = self.game
        assert game
        if game.to_move != game.seen.me or game.answered == len(game.seen.moves):
            return
        game.answered = len(game.seen.moves)
        action, orders, sentence = await asyncio.to_thread(choose_action, game)
        for order in orders[:1]:
            if sentence:
                await self._send("note", tableID=self.joined, order=order, note=sentence)
        await self._send("action", tableID=self.joined, **{"value": 0, **action})
