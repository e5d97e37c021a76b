"""Run the site: make the app of its pages, find a port, print the links, serve until stopped."""

import errno
import os
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from hanabi.evolve.reports.page_parts import FOLDER, REVIEW_SCRIPTS, STYLES
from hanabi.evolve.site.page_registry import SiteContext, load_pages, render_error
from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.request_guard import (
    PER_SECOND,
    RequestGuard,
    SlowClients,
    WatchedConnection,
)
from hanabi.evolve.site.requests import (
    REFUSALS,
    Request,
    Response,
    found_or_404,
    is_loopback,
    list_addresses,
    log,
    packed,
    refusal_of,
)
from hanabi.evolve.site.tables import OpenTables
from hanabi.files import read_bytes
from hanabi.moves import NAMES
from hanabi.rules.agents import NAMED, load

PARTS = Path(__file__).with_name("parts")
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css"}


class Site(SiteContext):
    """The site: what its pages share, its pages, and the app made of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of ``SiteContext``."""
        super().__init__(*args, **kwargs)
        self.pages = [page(self) for page in load_pages()]
        files = [FOLDER / name for name in (*STYLES, *REVIEW_SCRIPTS)]
        files += [path for path in PARTS.iterdir() if path.suffix in MEDIA_TYPES]
        self.parts = {path.name: read_bytes(path) for path in files}

    def app(self, hosts: list[str], per_second: float = PER_SECOND) -> ASGIApp:
        """Return the app of the site behind its guard (the arguments of ``RequestGuard``)."""
        routes = [(page.title, route) for page in self.pages for route in page.routes()]
        # by first segment of a path, the title of its page
        self.titles = {_segment(route.path): title for title, route in routes if title}
        app = Starlette(
            routes=[Route("/parts/{name}", self.part), *(route for _, route in routes)],
            exception_handlers=dict.fromkeys(REFUSALS, self.refuse)
            | {Exception: self.report_failure},
        )
        return RequestGuard(app, hosts, self.tables.token, per_second)

    def close(self) -> None:
        """Stop all work and forget all tables."""
        for page in self.pages:
            page.close()
        super().close()

    async def part(self, request: Request) -> Response:
        """Return style sheets or scripts, which were read at the start: ``a.js+b.js`` as one."""
        names = request.path_params["name"].split("+")
        kinds = {Path(name).suffix for name in names}
        are_parts = self.parts.keys() >= set(names) and len(kinds) == 1
        found_or_404(are_parts and len(set(names)) == len(names), "There is no such part.")
        return packed(
            request, b"\n".join(self.parts[name] for name in names), MEDIA_TYPES[kinds.pop()]
        )

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Answer a request that a handler refused; ``more`` of its error is in the answer."""
        return self._answer_error(request, *refusal_of(error), getattr(error, "more", {}))

    async def report_failure(self, request: Request, error: Exception) -> Response:
        """Answer a request whose handler failed, and log the failure."""
        # only the first segment: the rest of a seat's path is secret
        log.error("hanabi: a page of /%s failed", _segment(request.url.path), exc_info=error)
        return self._answer_error(request, 500, "Something went wrong here; your game is kept.")

    def _answer_error(self, request, status, sentence, more=None):
        place = self.titles.get(_segment(request.url.path), "elsewhere")
        place = place if request.state.inside else ""
        return render_error(status, sentence, request.headers.get("accept", ""), place, more)


def _segment(path):
    """The first segment of a path."""
    return path.split("/")[1]


PORT, PORTS = 8484, 40  # the first port that is tried, and how many
TAKEN = errno.EADDRINUSE, errno.EACCES  # the second for ports that Windows reserves
CONNECTIONS = 1_000  # at once; others are refused with status 503


def run(
    folder: Path,
    place: tuple[str, int | None],
    say: Callable[[Sequence[str]], None],
    browser: bool = False,
    table: PlayTable | None = None,
    first_page: str = "/",
    more: Sequence[str] = (),
    agents_folder: Path = Path("agents"),
    **parts: Any,
) -> None:
    """Serve the site until Ctrl-C.

    Args:
        folder: The folder of game files.
        place: Host and port; None takes PORT or the next free one.
        say: Called once with the lines that name the links.
        browser: Open a browser.
        table: Open this table in the browser instead of the first page.
        first_page: The page that is opened where there is no table; a path with a query.
        more: Specs of agents to offer beside the named ones.
        agents_folder: Where the workbench saves agents; those that are there are offered, too.
        **parts: The other arguments of ``SiteContext``.

    Raises:
        ValueError: The host and port cannot be listened on. One line.
    """
    host, _ = place
    listening = listen(*place)
    port = listening.getsockname()[1]
    tables = OpenTables(folder)
    agents = {name: name for name in NAMED} | saved_agents(agents_folder)
    agents |= {load(spec).name: spec for spec in more}
    site = Site(tables, agents, agents_folder=agents_folder, **parts)
    try:
        names = [*list_addresses(), "127.0.0.1"] if host in ("0.0.0.0", "::") else [host]
        names += ["localhost"] if is_loopback(host) else []
        hosts = [f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names]
        start = f"http://{hosts[0]}"
        links = tables.links(table) if table else {}
        proof = f"{'&' if '?' in first_page else '?'}token={tables.token}"
        first = start + next(iter(links.values()), first_page) + proof
        kept = table.path if table else folder
        say(
            [
                *(f"{NAMES[seat]} plays at {start}{link}" for seat, link in links.items()),
                f"The site is at {start}{first_page}{proof}",
                f"Every move is kept in {kept}. Ctrl-C stops the site.",
            ]
        )
        if browser:
            opener = Timer(0.5, webbrowser.open, [first])
            opener.daemon = True
            opener.start()
        make_server(site, hosts).run(sockets=[listening])
    finally:
        listening.close()
        site.close()


def saved_agents(folder: Path) -> dict[str, str]:
    """Return the specs of the agent files of a folder by name; files that are none are left out."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        with suppress(ValueError):
            name = load(str(path)).name
            if name not in NAMED:
                found[name] = str(path)
    return found


def make_server(site: Site, hosts: list[str], per_second: float = PER_SECOND) -> uvicorn.Server:
    """Return a server for a site, which is run on a socket that is already listening.

    Args:
        site: What to serve.
        hosts: The names of this machine, ``name:port``, that requests may use.
        per_second: Requests per second of one address.
    """
    app = SlowClients(site.app(hosts, per_second))
    # "error" would also log each page that waits for news at Ctrl-C
    level = "error" if os.environ.get("HANABI_TRACEBACK") == "1" else "critical"
    config = uvicorn.Config(
        app,
        log_level=level,
        access_log=False,
        limit_concurrency=CONNECTIONS,
        ws="none",
        lifespan="off",
        http="h11",  # the only one with a limit for the size of a request's head
        proxy_headers=False,  # a client could name another address, and SlowClients needs its own
        server_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
    )
    config.load()
    watched = partial(WatchedConnection, app, config.http_protocol_class)
    config.http_protocol_class = watched  # type: ignore[assignment]
    return uvicorn.Server(config)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket.

    Args:
        host: The address to listen on.
        port: The port; None takes the first free one of PORTS from PORT on.

    Raises:
        ValueError: It is not possible to listen there. One line.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # a server may listen at the port of one that has just ended, never at that of another one: the
    # option for the first on Linux and macOS would allow the second on Windows
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    for tried in range(PORT, PORT + PORTS) if port is None else [port]:
        # with the protocol named, asyncio turns Nagle's delay off; else answers come 40 ms late
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, option, 1)
            listening.bind((host, tried))
            listening.listen(128)
            return listening
        except OSError as error:
            listening.close()
            problem = error
            if error.errno not in TAKEN:
                break
    reason = (problem.strerror or str(problem)).lower()
    raise ValueError(
        f"cannot listen at {host}, port {tried}: {reason}; name another --host or --port"
    )
