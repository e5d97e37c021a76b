"""The site as an app: what all pages share, its scripts and styles, and the answers to errors."""

from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from hanabi.evolve.reports.page_parts import FOLDER, SCRIPTS, STYLES
from hanabi.evolve.site.page_registry import load_pages, render_error
from hanabi.evolve.site.request_guard import PER_SECOND, RequestGuard
from hanabi.evolve.site.requests import log, packed
from hanabi.evolve.site.site_context import SiteContext
from hanabi.files import read_bytes

PARTS = Path(__file__).with_name("parts")
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css"}


class Site(SiteContext):
    """The site: what its pages share, its pages, and the app made of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of ``SiteContext``."""
        super().__init__(*args, **kwargs)
        self.pages = [page(self) for page in load_pages()]
        self.parts = {name: read_bytes(FOLDER / name) for name in (*STYLES, *SCRIPTS)}
        for path in sorted(PARTS.iterdir()):
            if path.suffix in MEDIA_TYPES:
                self.parts[path.name] = read_bytes(path)

    def app(self, hosts: list[str], per_second: float = PER_SECOND) -> ASGIApp:
        """Return the app of the site behind its guard (the arguments of ``RequestGuard``)."""
        routes = [Route("/parts/{name}", self.part)]
        self.titles: dict[str, str] = {}  # by first segment of a path, the title of its page
        for page in self.pages:
            for route in page.routes():
                routes.append(route)
                if page.title:
                    self.titles[_segment(route.path)] = page.title
        handlers = {HTTPException: self.refuse, Exception: self.report_failure}
        app = Starlette(routes=routes, exception_handlers=handlers)
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
        if not self.parts.keys() >= set(names) or len(kinds) > 1 or len(set(names)) < len(names):
            raise HTTPException(404, "There is no such part.")
        text = b"\n".join(self.parts[name] for name in names)
        return packed(request, text, MEDIA_TYPES[kinds.pop()])

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Answer a request that a handler refused with an HTTPException."""
        assert isinstance(error, HTTPException)
        more = getattr(error, "more", {})  # the place of a wrong entry
        return self._answer_error(request, error.status_code, str(error.detail), more)

    async def report_failure(self, request: Request, error: Exception) -> Response:
        """Answer a request whose handler failed, and log the failure."""
        # only the first segment: the rest of a seat's path is secret
        log.error("hanabi: a page of /%s failed", _segment(request.url.path), exc_info=error)
        return self._answer_error(request, 500, "Something went wrong here; your game is kept.")

    def _answer_error(self, request, status, sentence, more=None):
        place = ""
        if request.state.inside:
            place = self.titles.get(_segment(request.url.path)) or "elsewhere"
        return render_error(status, sentence, request.headers.get("accept", ""), place, more)


def _segment(path):
    """The first segment of a path."""
    return path.split("/")[1]
