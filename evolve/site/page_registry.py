"""The pages of the site: their base class, their templates, and the list of them all.

A page is one module in `evolve/site/pages/` with a subclass of `Page`, and its template in
`evolve/site/templates/`, which escapes all that is inserted. The modules of that folder are
imported by `serving.py`; routes and navigation follow from their classes.
"""

from collections.abc import Callable, Sequence
from functools import partial
from inspect import iscoroutinefunction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar

from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from hanabi.evolve.pools.partner_menu import THINKERS
from hanabi.evolve.reports.page_parts import (  # for the modules of pages, too
    FAVICON,
    REVIEW_SCRIPTS as REVIEW_SCRIPTS,
    SCRIPTS as SCRIPTS,
    STYLES,
    data_text as data_text,
    templates,
)
from hanabi.evolve.site.game_list import GameList, GameReviews
from hanabi.evolve.site.requests import (  # for the modules of pages, too
    HTTPException as HTTPException,
    Request as Request,
    Response as Response,
    check_this_machine as check_this_machine,
    found_or_404 as found_or_404,
    packed as packed,
    read_json,
    read_number as read_number,
    wait_for_news as wait_for_news,
)
from hanabi.evolve.site.run_list import ReportWriter, RunList
from hanabi.evolve.site.run_starter import RunStarter
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.workbench.service import WorkbenchService, WorkerProcess
from hanabi.registry import LateModules
from hanabi.rules.agents import NAMED

NEWS = 20.0  # seconds that a page waits for news, at most


class SiteContext:
    """What all pages of the site share. Call ``close`` at the end.

    Args:
        tables: The tables of a folder; their threads run what takes time.
        agents: By the name that pages show, the spec of each agent that may be seated.
        news: Seconds that a page waits for news.
        runs: The folder of runs.
        agents_folder: Where agents are saved; ``agents`` in the folder of the tables by default.
        rule_files: Files of user rules. With some, lists are measured in another process, so that
            a file that is saved is read again.
    """

    def __init__(
        self,
        tables: OpenTables,
        agents: dict[str, str] | None = None,
        news: float = NEWS,
        runs: Path = Path("runs"),
        agents_folder: Path | None = None,
        rule_files: Sequence[Path] = (),
    ) -> None:
        self.tables, self.news = tables, news
        self.agents = {name: name for name in NAMED} if agents is None else agents
        self.rule_files = list(rule_files)
        self.agents_folder = agents_folder or tables.folder / "agents"
        self.bench: WorkbenchService | WorkerProcess = (
            WorkerProcess(rule_files) if rule_files else WorkbenchService()
        )
        self.runs = RunList(runs, self.agents)
        self.games = GameList(tables)
        self.reviews = GameReviews(tables)
        self.reports = ReportWriter()
        self.starter = RunStarter(runs)

    @property
    def seated(self) -> dict[str, str]:
        """By name, the spec of each agent that may be seated: some think ahead."""
        return self.agents | {spec: spec for spec in THINKERS}

    def find_agent(self, name: str) -> str:
        """Return the spec of an agent that may be seated. Raises HTTPException 404."""
        self.runs.states()  # adds the winners of runs
        return found_or_404(self.seated.get(name), "There is no such agent.")

    def close(self) -> None:
        """Stop all work and forget all tables."""
        self.bench.close()
        self.reports.close()
        self.reviews.close()
        self.tables.close()


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
        handler.served = SimpleNamespace(method=method, paths=paths, slow=slow, status=status)
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
        return [
            Route(path, self._endpoint(handler), methods=[handler.served.method])
            for handler in vars(type(self)).values()
            if hasattr(handler, "served")
            for path in handler.served.paths
        ]

    def _endpoint(self, handler: Any) -> Callable[[Request], Any]:
        """Return the coroutine that answers a request by a handler."""
        served = handler.served

        async def answer(request: Request) -> Response:
            given = [self, request]
            if served.method == "POST":
                given.append(await read_json(request))
            run = partial(self.site.tables.run, handler, slow=served.slow)
            found = await (handler if iscoroutinefunction(handler) else run)(*given)
            return found if isinstance(found, Response) else JSONResponse(found, served.status)

        return answer

    def close(self) -> None:
        """Stop the work of the page when the site ends."""


class ListPage(Page):
    """A list at ``path``, and a page for each of its items: runs, agents, games, results.

    A subclass says what the templates show; it finds an item by the name in an address.

    Attributes:
        item_path: The path of an item, with ``{name}``; the list is at its folder, too.
        template: The file of the list.
        scripts: Its script files.
        item_template: The file of the page of an item.
        item_scripts: Its script files.
    """

    item_path: ClassVar[str]
    template: ClassVar[str]
    scripts: ClassVar[tuple[str, ...]]
    item_template: ClassVar[str]
    item_scripts: ClassVar[tuple[str, ...]]

    def routes(self) -> list[Route]:
        """Return the routes of the list, those of the methods, and that of an item."""
        paths = {self.path, self.item_path.rpartition("/")[0]}
        return [
            *(Route(path, self._endpoint(ListPage.show_list)) for path in paths),
            *super().routes(),
            Route(self.item_path, self._endpoint(ListPage.show_item)),
        ]

    def list_values(self, request: Request) -> dict[str, Any]:
        """Return what the template of the list shows."""
        raise NotImplementedError

    def item_values(self, request: Request) -> dict[str, Any]:
        """Return what the template of an item shows. Raises HTTPException 404."""
        raise NotImplementedError

    @get()
    def show_list(self, request: Request) -> Response:
        """Return the page of the list."""
        return render_page(self.template, self.title, self.scripts, **self.list_values(request))

    @get()
    def show_item(self, request: Request) -> Response:
        """Return the page of the item that an address names."""
        values = {"name": request.path_params["name"]} | self.item_values(request)
        return render_page(self.item_template, self.title, self.item_scripts, **values)


def load_pages() -> list[type[Page]]:
    """Import all modules of `pages/` and return the classes of all pages."""
    LateModules("hanabi.evolve.site.pages.*").load()
    return [page for page in PAGES if page is not ListPage]


def navigation() -> dict[str, str]:
    """Return the path of each page that the navigation shows, by title."""
    return {
        page.title: page.path for page in sorted(PAGES, key=lambda page: page.order) if page.title
    }


def template_text(template: str, /, **values: Any) -> str:
    """Return the text of a file in templates/, with values inserted."""
    return templates("hanabi.evolve.site").get_template(template).render(**values)


def answer_with_file(text: str, name: str, media_type: str) -> Response:
    """Return a text as a file that a browser keeps under a name without quotes."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media_type, headers=headers)


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
