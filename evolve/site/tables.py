"""The open tables of a site: links of seats, agents that move meanwhile, pages that wait for news.

All state is in the files of one folder, so a table may leave memory at any time. The link of a
seat ends with a proof that only the key of the folder makes, so no link leads to another one.

A table is created from agents and a deal, a position, a game file, or the table of a past game.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from hanabi.backend import announce
from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.site.play_table import PERSON, WATCHING, PlayTable, new_game, seats_of
from hanabi.evolve.site.requests import HTTPException, log, one_line, without_seed
from hanabi.evolve.site.seat_view import SPECTATOR, SeatViews
from hanabi.files import make_folder, read_bytes, read_toml, write_whole
from hanabi.game_reader import load, names_game, turn_to_begin
from hanabi.game_record import Game, Position
from hanabi.player import PlayError
from hanabi.rules.agents.python_player import PLAYERS
from hanabi.variant import read_variant

T = TypeVar("T")
NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,60}")  # of a table: the stem of its file, no path
KEY_FILE, KEY = ".key", 32  # the name of the file, and its size in bytes
SHOWN = 0.3  # seconds after which pages show that an agent thinks
STUCK = 10.0  # seconds without a decision after which a user rule is checked
OPEN = 200  # tables in memory
WAITING = 8  # requests that wait for news at one seat
WATCHERS = 100  # spectators that wait for news at one table
SEAT, WATCH = "/seat/{name}/{seat:int}/{proof}", "/watch/{name}/{proof}"  # paths of links
OVER = "over"  # what the link of a game that is over is a proof of
QUICK = 16  # threads for moves, which mostly wait for the disk
THINKING = 2  # threads for agents that think ahead


class OpenTable:
    """A table in memory, and the pages that wait for its news.

    ``lock`` is held while the table is read or changed.
    """

    def __init__(self, tables: "OpenTables", views: SeatViews) -> None:
        self.tables, self.views, self.table = tables, views, views.table
        self.lock = asyncio.Lock()
        self.version, self.news = 1, asyncio.Event()
        self.waiting: Counter[int] = Counter()  # requests, by seat
        self.thinking: tuple[int, float] | None = None  # the seat, and since when
        self.problem = ""  # why the agent to move cannot
        self.agents: asyncio.Task[None] | None = None
        # the position (replays, turn) at which a rule does not end, and its error
        self.stuck: tuple[tuple[int, int], PlayError] | None = None

    async def do(self, action: Callable[[PlayTable], T], changes: bool = True) -> T:
        """Run an action at the table in a thread and pass on what it raises.

        If the action changes the table, wake the waiting pages and let agents move.
        """
        async with self.lock:
            result = await self.tables.run(action, self.table)
        if changes:
            self.publish()
            self.let_agents_move()
        return result

    async def state_for(self, seat: int, known: Sequence[int] = (0, 0)) -> dict[str, Any]:
        """Return what the page of a seat, or of SPECTATOR, is sent now.

        ``known``: see ``SeatViews.state_for``.
        """
        async with self.lock:
            data = self.views.state_for(seat, known)
        thinking = None
        if self.thinking is not None:
            mover, since = self.thinking
            thinking = {
                "seat": mover,
                "seconds": round(time.monotonic() - since, 1),
                "compiles": self.tables.compiled >= since,
            }
        return data | {"version": self.version, "problem": self.problem, "thinking": thinking}

    async def wait(self, seat: int, version: int, seconds: float) -> None:
        """Wait until the table is newer than a version, at most some seconds.

        Raises:
            HTTPException: 429, if too many requests wait at this seat.
        """
        if self.waiting[seat] >= (WATCHERS if seat == SPECTATOR else WAITING):
            raise HTTPException(429, "Too many windows are open at this seat: close some.")
        self.waiting[seat] += 1
        try:
            if self.version == version:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), seconds)
        finally:
            self.waiting[seat] -= 1

    def publish(self) -> None:
        """Wake the pages that wait."""
        self.version += 1
        self.news.set()
        self.news = asyncio.Event()

    def let_agents_move(self) -> None:
        """Start a task in which agents move until a person is to move."""
        if self.agents is None or self.agents.done():
            self.agents = asyncio.create_task(self._agents_move())

    async def _agents_move(self):
        self.problem = ""
        try:
            while await self._agent_moves():
                self.publish()
        except Exception as error:  # a user's rule or player may raise anything
            expected = isinstance(error, PlayError | ValueError | OSError)
            log.warning("hanabi: %s: %s", self.table.path, one_line(error), exc_info=not expected)
            self.problem, self.thinking = f"The agent cannot move: {without_seed(error)}", None
            self.publish()

    async def _agent_moves(self):
        """Let the agent to move make its move; return False if a person is to move."""
        async with self.lock:
            agent, position = self.table.agent_to_move, self._position
            if agent is None:
                return False
            if self.stuck and self.stuck[0] == position:
                raise self.stuck[1]  # its thread is lost, so the rule gets no second one
            find = self.table.move_finder()
        since = time.monotonic()
        choice = asyncio.ensure_future(self.tables.run(find, slow=agent.is_slow))
        await asyncio.wait({choice}, timeout=SHOWN)
        if not choice.done():  # it searches, or its rules are compiled for the first time
            self.thinking = self.table.to_move, since
            self.publish()
        found = await (choice if agent.is_slow else self._wait_for_rules(choice, position))
        async with self.lock:
            self.thinking = None
            if position == self._position:  # else a person took a move back meanwhile
                await self.tables.run(self.table.accept, found)
        return True

    @property
    def _position(self):
        """(replays, turn): tells whether the table has changed."""
        return self.views.begun, self.table.turn

    async def _wait_for_rules(self, choice, position):
        """Wait for a choice of rules. Raises RuleFailedError if a user rule does not end."""
        while not (await asyncio.wait({choice}, timeout=STUCK))[0]:
            if time.monotonic() - self.tables.compiled < STUCK:
                continue
            fault = await self.tables.run(self.table.table.stuck, slow=True)
            if fault and not choice.done():
                self.stuck = position, fault
                raise fault
        return await choice

    @property
    def is_idle(self) -> bool:
        """Whether nothing uses the table, so that it may leave memory."""
        moving = self.agents is not None and not self.agents.done()
        return not any(self.waiting.values()) and not self.lock.locked() and not moving


class OpenTables:
    """The tables of a folder, and the threads that work for them. Call ``close`` at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = _read_key(make_folder(folder) / KEY_FILE)
        self.open: OrderedDict[str, OpenTable] = OrderedDict()
        self.quick = ThreadPoolExecutor(QUICK, "moves")
        self.slow = ThreadPoolExecutor(THINKING, "thinking")
        self.opening = asyncio.Lock()
        self.running = 0  # functions in the threads; background work waits while there are any
        self.compiled = 0.0  # when a function was last compiled, in seconds of time.monotonic
        announce.append(self._note_compiling)

    def _note_compiling(self, name: str) -> None:
        self.compiled = time.monotonic()

    def close(self) -> None:
        """Stop the threads; agents that think are not waited for."""
        announce.remove(self._note_compiling)
        for pool in (self.quick, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, action: Callable[..., T], *args: Any, slow: bool = False) -> T:
        """Run a function in a thread; ``slow`` for one that computes for long."""
        pool = self.slow if slow else self.quick
        self.running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, action, *args)
        finally:
            self.running -= 1

    def proof(self, name: str, of: int | str) -> str:
        """Return the secret end of a link: of a seat, of spectators, or of a game that is over."""
        digest = hmac.new(self.key, f"{name}/{of}".encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest[:18]).decode()

    @property
    def token(self) -> str:
        """The secret that opens all pages: the same after a restart, so that open pages go on."""
        return self.proof("", "token")

    def link(self, name: str, seat: int) -> str:
        """Return the path of a seat's page."""
        return f"/seat/{name}/{seat}/{self.proof(name, seat)}"

    def watch_link(self, table: PlayTable) -> str:
        """Return the path at which a table may be watched; "" if nobody may.

        What spectators see is part of the proof: whoever got the link while the hands of people
        were hidden cannot see them later.
        """
        if not table.name or table.watching == WATCHING[0]:
            return ""
        return f"/watch/{table.name}/{self.proof(table.name, table.watching)}"

    def game_link(self, table: PlayTable) -> str:
        """Return the path that shows a whole game once it is over."""
        return f"/watch/{table.name}/{self.proof(table.name, OVER)}"

    def links(self, table: PlayTable) -> dict[int, str]:
        """Return the link of each seat of a person."""
        return {seat: self.link(table.name, seat) for seat in table.people}

    async def enter(self, given: Mapping[str, Any]) -> tuple[OpenTable, int]:
        """Return the table and the seat of a link, by the values of the path SEAT.

        Raises:
            HTTPException: 404 for any other link.
        """
        name, seat = given["name"], given["seat"]
        found = await self._find(name) if self._proves(name, seat, given["proof"]) else None
        if found is None or found.table.specs[seat : seat + 1] != (PERSON,):
            raise HTTPException(404, "This link leads to no seat.")
        return found, seat

    async def watch(self, given: Mapping[str, Any]) -> OpenTable:
        """Return the table of a spectators' link, by the values of the path WATCH.

        Raises:
            HTTPException: 404 for any other link.
        """
        name, proof = given["name"], given["proof"]
        proven = [of for of in (*WATCHING[1:], OVER) if self._proves(name, of, proof)]
        found = await self._find(name) if proven else None
        if found and (found.table.watching in proven or OVER in proven and found.table.over):
            return found
        raise HTTPException(404, "Nobody may watch here, or no longer: ask for the link again.")

    def _proves(self, name, of, proof):
        """Return whether a proof is that of a table."""
        return NAME.fullmatch(name) is not None and hmac.compare_digest(
            self.proof(name, of).encode(), proof.encode()
        )

    async def _find(self, name):
        """Return the table of a name, opened if it was not; None if there is none."""
        path = self.folder / f"{name}.toml"
        async with self.opening:
            if name not in self.open:
                try:
                    self.add(await self.run(lambda: SeatViews(PlayTable.read(path))))
                except ValueError:
                    return None
        self.open.move_to_end(name)
        return self.open[name]

    def add(self, views: SeatViews) -> OpenTable:
        """Open a table that has a file; forget those that were unused longest if too many are."""
        added = self.open[views.table.name] = OpenTable(self, views)
        for name in list(self.open)[: max(0, len(self.open) - OPEN)]:
            if self.open[name].is_idle:
                del self.open[name]
        added.let_agents_move()
        return added


def _read_key(path):
    """Return the key of a folder, made at first use; other users of the machine cannot read it."""
    if not path.exists():
        write_whole(path, secrets.token_bytes(KEY), 0o600)
    key = read_bytes(path)
    if len(key) != KEY:
        raise ValueError(f"{path} is no key: remove it, and new links are made")
    return key


STAMP = "%Y-%m-%d-%H%M%S"  # the time in the name of a table's file


def create_table(
    specs: Sequence[str],
    folder: Path,
    players: int | None = None,
    seed: int | None = None,
    variant: str = "standard",
    turn: int | None = None,
) -> PlayTable:
    """Return the table that the words of a command mean; its file is not yet written.

    Args:
        specs: Agents; or a file of a table; or a game or position and the agents that play on.
        folder: Where the file of a new table will be.
        players: The number of players, None if the specs or the variant give it.
        seed: The seed of the deal, None for a random one.
        variant: The variant of the deal.
        turn: Play on from this turn of a game.

    Raises:
        ValueError: The words mean no table. One line.
    """
    first, *rest = specs
    if not names_game(first):
        if turn is not None:
            raise ValueError(f"--turn is for a game to play on, and {first} is none: leave it out")
        chosen = read_variant(variant)
        seats = seats_of(specs, players, chosen)
        deal = new_game(chosen, len(seats), secrets.randbelow(1 << 32) if seed is None else seed)
        return PlayTable(seats, deal, new_file(folder))
    if turn is None and _is_table(first):
        # a table of a Python player is continued with the spec of that player: it loads the player
        if set(rest) - PLAYERS.keys():
            raise ValueError(f"{first} says who sits where: leave {' '.join(rest)} out")
        return PlayTable.read(Path(first))
    start = load(first)
    if turn is None and isinstance(start, Game):
        turn = turn_to_begin(first, len(start.moves))
    if turn is not None:
        start = game_until(start, turn)
    count = start.variant.seats
    if isinstance(start, Position) and not rest:  # the person sits at the seat to move
        rest = [PERSON if seat == start.me else DEFAULT for seat in range(count)]
    return PlayTable(seats_of(rest or [DEFAULT], count, start.variant), start, new_file(folder))


def game_until(found: Game | Position, turn: int) -> Game:
    """Return a game up to a turn from which one can play on.

    Raises:
        ValueError: There is no such turn, or the game is over there. One line.
    """
    if isinstance(found, Position):
        raise ValueError("a position has no turns: leave the turn out, or give a game")
    check_turn(turn, 0, len(found.moves), bool(found.end))
    return Game(found.variant, found.seed, found.deck, found.moves[:turn], (), found.rules[:turn])


def check_turn(turn: int, first: int, last: int, ended: bool) -> None:
    """Raise ValueError, one line, for a turn from which nobody can play on."""
    if not first <= turn <= last:
        raise ValueError(f"This game has turns {first} to {last}.")
    if turn == last and ended:
        raise ValueError("The game is over there: go back a turn, and play on from there.")


def deal_again(table: PlayTable, deal: object, folder: Path) -> PlayTable:
    """Return a new table for the players of a game that is over, with its file.

    Args:
        table: The table of the game.
        deal: "new", "same", or "next" for the deal of the next seed.
        folder: Where the file is written.

    Raises:
        ValueError: The game goes on, or there is no such deal. One line.
    """
    if not table.over:
        raise ValueError("The game goes on: another one begins when it is over.")
    if deal not in ("new", "same", "next"):
        raise ValueError("A deal is new, same or next.")
    if deal == "next" and table.seed is None:
        raise ValueError("This game has no seed: choose a new deal, or the same one.")
    start = table.start
    if isinstance(start, Game):
        start = Game(table.variant, start.seed, start.deck)
    if deal != "same":
        seed = (table.seed or 0) + 1 if deal == "next" else secrets.randbelow(1 << 32)
        start = new_game(table.variant, len(table.specs), seed)
    created = PlayTable(table.specs, start, new_file(folder))
    created.names, created.help = list(table.names), list(table.help)
    created.save()
    return created


def _is_table(path: str) -> bool:
    """Whether a file is that of a table."""
    with suppress(ValueError):  # another format
        return "table" in read_toml(path)
    return False


def compile_for(table: PlayTable) -> None:
    """Compile what a table needs, before a person waits for it: each list chooses one move."""
    SeatViews(table)
    for agent, player in zip(table.agents, table.players):
        if agent and not agent.is_slow and not table.over:
            player.move(table.view.copy())


def new_file(folder: Path) -> Path:
    """Return the path of a new file: the time, and random letters for tables of one second."""
    return folder / f"{datetime.now():{STAMP}}-{secrets.token_hex(4)}.toml"


def creation_time(path: Path) -> datetime:
    """Return the time in the name of a table's file; for another name, when it was last written."""
    with suppress(ValueError):
        return datetime.strptime(path.stem.rpartition("-")[0], STAMP)
    return datetime.fromtimestamp(path.stat().st_mtime)
