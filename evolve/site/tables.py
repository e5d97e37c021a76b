"""All tables of a site: which are open, who sits where, agents that think while others play, and who waits for news.

Everything is kept in the files of one folder; what is in memory may be forgotten at any time. A seat's link holds a proof that only
this folder's key can make, so nobody comes from one link to another.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from hanabi.backend import announce
from hanabi.evolve.site.play_table import PERSON, PlayTable, made_folder
from hanabi.evolve.site.requests import log, one_line, without_seed
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.files import FileWriteError
from hanabi.player import PlayError

T = TypeVar("T")
NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,60}")  # of a table: its file's, so no path can be one
KEY_FILE, KEY = ".key", 32  # its name, and how many bytes it has
SHOWN = 0.3  # seconds after which it is shown that an agent thinks
STUCK = 10.0  # seconds after which a user's rule is looked at that has not decided
OPEN = 200  # tables in memory
WAITING = 8  # requests that wait for news at one seat
QUICK, THINKING = (
    16,
    2,
)  # threads for moves, which mostly wait for the disk, and for agents that think ahead


class OpenTable:
    """A table in memory, and those who wait for news of it. ``lock``: held while it is looked at or changed."""

    def __init__(self, hall: OpenTables, eyes: SeatViews) -> None:
        self.hall, self.table, self.eyes, self.lock = hall, eyes.table, eyes, asyncio.Lock()
        self.version, self.news = 1, asyncio.Event()
        self.waiting = [0] * len(eyes.table.specs)
        self.thinking: tuple[int, float] | None = None  # the seat, and since when
        self.problem = ""  # what an agent did that none may
        self.agents: asyncio.Task[None] | None = None
        self.stuck: tuple[tuple[int, int], PlayError] | None = (
            None  # (where the table stood, the rule that does not end)
        )

    async def do(self, act: Callable[[PlayTable], T], changes: bool = True) -> T:
        """Do something at the table, in a thread; then tell those who wait, and let agents move. What it raises is passed on."""
        async with self.lock:
            found = await self.hall.run(act, self.table)
        if changes:
            self.tell()
            self.let_agents_move()
        return found

    async def sent(self, seat: int, known: tuple[int, int] = (0, 0)) -> dict[str, Any]:
        """What a seat is sent now."""
        async with self.lock:
            data = self.eyes.sent(seat, known)
        return data | {
            "version": self.version,
            "problem": self.problem,
            "thinking": None
            if self.thinking is None
            else {
                "seat": self.thinking[0],
                "seconds": round(time.monotonic() - self.thinking[1], 1),
                "compiles": self.hall.compiled >= self.thinking[1],
            },
        }

    async def wait(self, seat: int, version: int, seconds: float) -> None:
        """Wait until there is something newer than a version, or so long. ValueError where too many wait at this seat."""
        if self.waiting[seat] >= WAITING:
            raise ValueError("Too many windows are open at this seat: close some.")
        self.waiting[seat] += 1
        try:
            if self.version == version:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.news.wait(), seconds)
        finally:
            self.waiting[seat] -= 1

    def tell(self) -> None:
        """Wake those who wait."""
        self.version += 1
        self.news.set()
        self.news = asyncio.Event()

    def let_agents_move(self) -> None:
        """Let agents move, as long as it is their turn, without anybody waiting for it."""
        if self.agents is None or self.agents.done():
            self.agents = asyncio.create_task(self._agents_move())

    async def _agents_move(self):
        self.problem = ""
        try:
            while True:
                async with self.lock:
                    agent, stood = self.table.agent_to_move, (self.eyes.begun, self.table.turn)
                    if agent is None:
                        return
                    if (
                        self.stuck and self.stuck[0] == stood
                    ):  # its thread is lost: no other one is given to it
                        raise self.stuck[1]
                    find = self.table.asked()
                since, found = (
                    time.monotonic(),
                    asyncio.ensure_future(self.hall.run(find, slow=agent.is_slow)),
                )
                await asyncio.wait({found}, timeout=SHOWN)
                if not found.done():  # it searches, or its rules are compiled for the first time
                    self.thinking = self.table.to_move, since
                    self.tell()
                choice = await (found if agent.is_slow else self._decided(found, stood))
                async with self.lock:
                    self.thinking = None
                    if stood == (
                        self.eyes.begun,
                        self.table.turn,
                    ):  # else somebody took a move back meanwhile
                        await self.hall.run(self.table.accept, choice)
                self.tell()
        except (
            Exception
        ) as error:  # whatever a user's rule or player may raise: the page would wait for ever
            expected = isinstance(error, PlayError | ValueError | OSError)
            log.warning("hanabi: %s: %s", self.table.path, one_line(error), exc_info=not expected)
            self.problem, self.thinking = f"The agent cannot move: {without_seed(error)}", None
            self.tell()

    async def _decided(self, found, stood):
        """Wait for an agent's choice. Raises RuleFailedError for a user's rule that has not ended after STUCK seconds."""
        while not (await asyncio.wait({found}, timeout=STUCK))[0]:
            compiling = time.monotonic() - self.hall.compiled < STUCK
            fault = None if compiling else await self.hall.run(self.table.table.stuck, slow=True)
            if fault and not found.done():
                self.stuck = stood, fault
                raise fault
        return await found

    @property
    def idle(self) -> bool:
        """May it be forgotten? Its file has all."""
        return (
            not any(self.waiting)
            and not self.lock.locked()
            and (self.agents is None or self.agents.done())
        )


class OpenTables:
    """The tables of a folder. ``close`` it at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = _key(made_folder(folder) / KEY_FILE)
        self.sittings: OrderedDict[str, OpenTable] = OrderedDict()
        self.quick = ThreadPoolExecutor(QUICK, "moves")
        self.slow = ThreadPoolExecutor(THINKING, "thinking")
        self.opening = asyncio.Lock()
        self.compiled = 0.0  # when something was last compiled, which is once on this machine and may take a minute
        announce.append(self._compiles)

    def _compiles(self, name: str) -> None:
        self.compiled = time.monotonic()

    def close(self) -> None:
        """Forget all tables; what thinks is not waited for."""
        announce.remove(self._compiles)
        for pool in (self.quick, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, act: Callable[..., T], *given: Any, slow: bool = False) -> T:
        """Do something in a thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self.slow if slow else self.quick, act, *given
        )

    def proof(self, name: str, seat: int) -> str:
        """What a seat's link ends with."""
        digest = hmac.new(self.key, f"{name}/{seat}".encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest[:18]).decode()

    def link(self, name: str, seat: int) -> str:
        """The path of a seat's page."""
        return f"/seat/{name}/{seat}/{self.proof(name, seat)}"

    def links(self, table: PlayTable) -> dict[int, str]:
        """The link of each seat where a person sits."""
        assert table.path is not None
        return {
            seat: self.link(table.path.stem, seat)
            for seat, spec in enumerate(table.specs)
            if spec == PERSON
        }

    async def enter(self, name: str, seat: int, proof: str) -> OpenTable | None:
        """The table of a seat's link; None where the link is none."""
        if not NAME.fullmatch(name) or not hmac.compare_digest(
            self.proof(name, seat).encode(), proof.encode()
        ):
            return None
        async with self.opening:
            if name not in self.sittings:
                try:
                    eyes = await self.run(
                        lambda: SeatViews(PlayTable.read(self.folder / f"{name}.toml"))
                    )
                except ValueError:
                    return None
                self.add(eyes)
        self.sittings.move_to_end(name)
        sitting = self.sittings[name]
        return (
            sitting
            if 0 <= seat < len(sitting.table.specs) and sitting.table.specs[seat] == PERSON
            else None
        )

    def add(self, eyes: SeatViews) -> OpenTable:
        """Open a table that has a file; the longest unused ones are forgotten where too many are open."""
        assert eyes.table.path is not None
        sitting = self.sittings[eyes.table.path.stem] = OpenTable(self, eyes)
        for name in list(self.sittings)[: max(0, len(self.sittings) - OPEN)]:
            if self.sittings[name].idle:
                del self.sittings[name]
        sitting.let_agents_move()
        return sitting


def _key(path):
    """The key of a folder, made when it is first asked for; nobody else on this machine may read it."""
    try:
        with (
            suppress(FileExistsError),
            open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file,
        ):
            file.write(secrets.token_bytes(KEY))
        key = path.read_bytes()
    except OSError as error:
        raise FileWriteError(path, error) from None
    if len(key) != KEY:
        raise ValueError(f"{path} is no key: remove it, and new links are made")
    return key
