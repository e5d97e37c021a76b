"""Runs the site: finds a port, says the links, serves until it is told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.request_guard import PER_SECOND
from hanabi.evolve.site.server import Site
from hanabi.evolve.site.tables import OpenTables
from hanabi.moves import NAMES
from hanabi.rules.agents import NAMED, load

PORT, PORTS = 8484, 40  # the first port that is tried, and how many
CONNECTIONS = 1_000
PATIENCE = 15.0  # seconds between two looks at a connection


def run(
    folder: Path,
    place: tuple[str, int | None],
    say: Callable[[Sequence[str]], None],
    browser: bool = False,
    table: PlayTable | None = None,
    more: Sequence[str] = (),
    runs: Path = Path("runs"),
) -> None:
    """Serve the tables of a folder until Ctrl-C. ``place``: host and port (None: PORT or the next free one); ``say`` gets the lines that
    tell where; ``table``: sit down at this one; ``more``: agents that may be seated beside the named ones;
    ``runs``: the folder of runs. ValueError, one line, where it cannot listen there."""
    host, _ = place
    listening = listen(*place)
    port = listening.getsockname()[1]
    token = None if own(host) else secrets.token_urlsafe(16)
    hall = OpenTables(folder)
    site = Site(
        hall, {name: name for name in NAMED} | {load(spec).name: spec for spec in more}, runs=runs
    )
    try:
        names = [host] if host not in ("0.0.0.0", "::") else [*addresses(), "127.0.0.1"]
        hosts = [
            f"{f'[{name}]' if ':' in name else name}:{port}"
            for name in (*names, *(["localhost"] if own(host) else []))
        ]
        start = f"http://{hosts[0]}"
        home = start + "/" + (f"?token={token}" if token else "")
        if table is None:
            lines, first = [f"The site is at {home}"], home
        else:
            links = {seat: start + link for seat, link in hall.links(table).items()}
            lines, first = (
                [f"{NAMES[seat]} plays at {link}" for seat, link in links.items()],
                next(iter(links.values())),
            )
        say(
            [
                *lines,
                f"Every move is kept in {table.path if table else folder}. Ctrl-C stops the site.",
            ]
        )
        if browser:
            opener = Timer(0.5, webbrowser.open, [first])
            opener.daemon = True
            opener.start()
        server = server_of(site, hosts, token)
        server.run(sockets=[listening])
    finally:
        listening.close()
        site.close()


class Patient(H11Protocol):
    """Speaks HTTP, and leaves who keeps it waiting: a connection over which nothing is asked, a request that is not ended, an answer
    that is not read, each the same at two looks PATIENCE seconds apart. uvicorn itself waits for all of them for ever."""

    seen: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self.clock = self.loop.call_later(PATIENCE, self.look)

    def connection_lost(self, problem: Exception | None) -> None:
        """Look no more."""
        self.clock.cancel()
        super().connection_lost(problem)

    def look(self) -> None:
        """Is it they who are waited for, as at the last look?"""
        unread = self.transport.get_write_buffer_size()
        now = self.cycle, self.conn.their_state, unread
        if now == self.seen and (unread or self.conn.their_state in (h11.IDLE, h11.SEND_BODY)):
            self.transport.abort()
        else:
            self.seen, self.clock = now, self.loop.call_later(PATIENCE, self.look)


def server_of(
    site: Site, hosts: list[str], token: str | None = None, per_second: float = PER_SECOND
) -> uvicorn.Server:
    """What serves a site, on a socket that it is given; ``per_second``: requests of one address."""
    said = (
        "error" if os.environ.get("HANABI_TRACEBACK") == "1" else "critical"
    )  # else pages that wait complain at Ctrl-C
    return uvicorn.Server(
        uvicorn.Config(
            site.app(hosts, token, per_second),
            log_level=said,
            access_log=False,
            limit_concurrency=CONNECTIONS,
            ws="none",
            lifespan="off",
            http=Patient,
            server_header=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16_384,
        )
    )


def own(host: str) -> bool:
    """Does a host's name mean this machine alone?"""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def addresses() -> list[str]:
    """The addresses by which others may call this machine."""
    found = {
        str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    }
    return sorted(found - {"127.0.0.1", "127.0.1.1"}) or ["127.0.0.1"]


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; without a port the first free one of PORTS. ValueError, one line, where it cannot."""
    for one in range(PORT, PORT + PORTS) if port is None else [port]:
        # that it is TCP is said aloud: else asyncio leaves Nagle's delay on, and answers come 40 ms late
        listening = socket.socket(
            socket.AF_INET6 if ":" in host else socket.AF_INET,
            socket.SOCK_STREAM,
            socket.IPPROTO_TCP,
        )
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, one))
            listening.listen(128)
            return listening
        except OSError as error:
            listening.close()
            problem = error
            if port is not None or not isinstance(error, OSError) or error.errno != 98:
                break
    raise ValueError(
        f"cannot listen at {host}, port {one}: {(problem.strerror or str(problem)).lower()}; name another --host or --port"
    )
