"""The pages of the site: the base class of a page, the list of all pages, and their templates.

A page is one module in `evolve/site/pages/` with a subclass of `Page`, and its template in
`evolve/site/templates/`, which escapes all that is inserted. The modules of that folder are
imported by `serving.py`; routes and navigation follow from their classes.
"""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, ClassVar, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.reports.page_parts import FAVICON, STYLES, templates
from hanabi.evolve.site.requests import await_result, read_json
from hanabi.evolve.site.site_context import SiteContext
from hanabi.registry import LateModules

PAGES: "list[type[Page]]" = []  # filled as the modules of pages/ are imported
TABLE_SCRIPTS = (  # of a page where one plays, after SCRIPTS
    "table-link.js",
    "table-preview.js",
    "table-motion.js",
    "table-settings.js",
    "table-watching.js",
    "play.js",
)
Handler = TypeVar("Handler", bound=Callable[..., Any])


class Served(NamedTuple):
    """How a method of a page is served; see ``get`` and ``post``."""

    method: str
    paths: tuple[str, ...]
    slow: bool
    status: int


def get(*paths: str, slow: bool = False) -> Callable[[Handler], Handler]:
    """Let the method below answer GET requests of some paths.

    The method takes the request. It returns a response, or data, which are sent as JSON. It runs in
    a thread, as it may read files or play games; a coroutine, which waits for news, does not.

    Args:
        *paths: The paths, as in ``starlette.routing.Route``.
        slow: Whether it computes for long.
    """
    return _serve("GET", paths, slow, 200)


def post(*paths: str, slow: bool = False, status: int = 200) -> Callable[[Handler], Handler]:
    """Let the method below answer POST requests: as ``get``; it also takes what was sent.

    Args:
        *paths: The paths.
        slow: Whether it computes for long.
        status: The HTTP status of the answer.
    """
    return _serve("POST", paths, slow, status)


def _serve(method: str, paths: tuple[str, ...], slow: bool, status: int) -> Any:
    def mark(handler: Any) -> Any:
        handler.served = Served(method, paths, slow, status)
        return handler

    return mark


class Page:
    """Base class of a page, or of some pages that belong together.

    Attributes:
        title: Its name in the navigation; "" if the navigation does not show it.
        path: Where the navigation leads.
        order: Its place in the navigation, lowest first.
        site: The tables, agents, runs and games that all pages share.
    """

    title: ClassVar[str] = ""
    path: ClassVar[str] = ""
    order: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        PAGES.append(cls)

    def __init__(self, site: SiteContext) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return the routes of the methods below ``get`` and ``post``, in their order."""
        handlers = [handler for handler in vars(type(self)).values() if hasattr(handler, "served")]
        return [
            Route(path, self._endpoint(handler), methods=[handler.served.method])
            for handler in handlers
            for path in handler.served.paths
        ]

    def _endpoint(self, handler: Any) -> Callable[[Request], Any]:
        """Return the coroutine that answers a request by a handler."""
        served = handler.served

        async def answer(request: Request) -> Response:
            given = [self, request]
            if served.method == "POST":
                given.append(await read_json(request))
            if iscoroutinefunction(handler):
                found = await await_result(handler(*given))
            else:
                found = await await_result(self.site.tables.run(handler, *given, slow=served.slow))
            return found if isinstance(found, Response) else JSONResponse(found, served.status)

        return answer

    def close(self) -> None:
        """Stop the work of the page when the site ends."""


def load_pages() -> list[type[Page]]:
    """Import all modules of `pages/` and return the classes of all pages."""
    LateModules("hanabi.evolve.site.pages.*").load()
    return PAGES


def navigation() -> dict[str, str]:
    """Return the path of each page that the navigation shows, by title."""
    pages = sorted(PAGES, key=lambda page: page.order)
    return {page.title: page.path for page in pages if page.title}


def template_text(template: str, /, **values: Any) -> str:
    """Return the text of a file in templates/, with values inserted."""
    return templates("hanabi.evolve.site").get_template(template).render(**values)


def render_error(
    status: int, sentence: str, accept: str, place: str = "", more: dict[str, Any] | None = None
) -> Response:
    """Return an error of one line: as a page for a browser, as JSON for a script.

    Args:
        status: The HTTP status.
        sentence: What is wrong.
        accept: The request's Accept header.
        place: The title of the page in the navigation; "" shows no navigation.
        more: What JSON tells besides the sentence.
    """
    if "text/html" not in accept:
        return JSONResponse({"error": sentence, **(more or {})}, status)
    response = render_page("wrong.html.j2", place, (), sentence=sentence)
    response.status_code = status
    return response


def render_page(template: str, place: str, scripts: tuple[str, ...], **values: Any) -> HTMLResponse:
    """Return the page of a template.

    Args:
        template: A file in templates/.
        place: The title of the page in the navigation; "" for a guest at a seat, who gets none.
        scripts: Names of script files, in the order in which they run.
        **values: What the template inserts.
    """
    text = template_text(
        template,
        styles=(*STYLES, "site.css"),
        favicon=FAVICON,
        scripts=scripts,
        place=place,
        sheets=navigation() if place else {},
        **values,
    )
    return HTMLResponse(text)
