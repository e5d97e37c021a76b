"""The workbench: a page on which a person puts rules in order and sees what the list is worth."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.agent_list import REFERENCES
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.requests import await_result, read_json
from hanabi.evolve.site.site_context import SiteContext
from hanabi.evolve.workbench.edited_list import EditedList, EntryError
from hanabi.evolve.workbench.improvement import (
    OFFERS,
    SECONDS,
    Improvement,
    check_offers,
    read_change,
)
from hanabi.evolve.workbench.job_queue import Job, JobQueue, Steps, TooManyJobsError
from hanabi.evolve.workbench.library_data import library_data, library_digest
from hanabi.evolve.workbench.list_scores import ListScores
from hanabi.evolve.workbench.measurements import GAMES, WORTH_GAMES, Measurements, Order
from hanabi.files import FileWriteError, parse_toml, write_whole
from hanabi.rules.agents import NAMED, Agent, counts, dumps, load, loads, read_scores
from hanabi.variant import read_variant, shown

WAIT = 20.0  # seconds that a request waits for news of a job, at most
LOOK = 0.02  # seconds between two looks at a job
WAITING = 4  # requests of a page that wait at a time
FILE = 60_000  # bytes of an agent file that is read
NAME = 60  # letters of the name of a saved agent
DEALS = 20_000  # a deal of the scores has a number below this
WORKBENCH_SCRIPTS = (
    *SCRIPTS,
    "workbench-entries.js",
    "workbench-store.js",
    "workbench-draw.js",
    "workbench-actions.js",
    "workbench.js",
)


class WorkbenchPage(Page):
    """Routes of the workbench: its page, its library, and jobs that measure lists."""

    title, path, order = "Build", "/build", 2

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.queue = JobQueue()
        self.measurements = Measurements(ListScores())
        self.waiting: dict[str, int] = {}

    def routes(self) -> list[Route]:
        """Return the routes."""
        post = ["POST"]
        return [
            Route("/build", self.page),
            Route("/build/library", self.library),
            Route("/build/read", self.read, methods=post),
            Route("/build/score", self.score, methods=post),
            Route("/build/worth", self.worth, methods=post),
            Route("/build/sweep", self.sweep, methods=post),
            Route("/build/games", self.games, methods=post),
            Route("/build/game", self.game, methods=post),
            Route("/build/improve", self.improve, methods=post),
            Route("/build/check", self.check, methods=post),
            Route("/build/apply", self.apply, methods=post),
            Route("/build/text", self.text, methods=post),
            Route("/build/jobs/{name}", self.job),
            Route("/build/jobs/{name}/stop", self.stop, methods=post),
            Route("/build/save", self.save, methods=post),
        ]

    def close(self) -> None:
        """End the thread that measures."""
        self.queue.close()

    async def page(self, request: Request) -> Response:
        """The page; ``?agent=NAME`` opens an agent of the site."""
        await self.site.tables.run(self.site.runs.states)
        name = request.query_params.get("agent", "")
        if name and name not in self.site.agents:
            raise HTTPException(404, "There is no such agent.")
        return render_page(
            "workbench.html.j2",
            "Build",
            WORKBENCH_SCRIPTS,
            agents=list(self.site.agents),
            agent=name,
            players=request.query_params.get("players", "3"),
            references=_references(),
        )

    async def library(self, request: Request) -> Response:
        """The rules and conventions as data; a browser keeps it until it changes."""
        tag = f'"{library_digest()}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        data = await self.site.tables.run(library_data)
        return JSONResponse(data, headers={"etag": tag, "cache-control": "no-cache"})

    async def read(self, request: Request) -> Response:
        """The lists of an agent, or of the text of an agent file, with the errors of entries.

        Takes ``{"agent": name}`` or ``{"text": text}``. Answers ``name``, ``source``, ``lists`` (by
        player counts, as EditedList.data) and ``wrong`` (``key``, ``part``, ``place``, ``error``,
        ``text``).
        """
        data = await read_json(request)
        if isinstance(data.get("agent"), str):
            spec = self.site.agents.get(data["agent"])
            if spec is None:
                raise HTTPException(404, "There is no such agent.")
            return JSONResponse(await await_result(self.site.tables.run(_agent_lists, spec)))
        text = data.get("text")
        if not isinstance(text, str) or len(text.encode()) > FILE:
            raise HTTPException(422, f"An agent file is text of at most {FILE:,} bytes.")
        return JSONResponse(await await_result(self.site.tables.run(_file_lists, text)))

    async def score(self, request: Request) -> Response:
        """Begin to score a list; see ``Measurements.score``."""
        data = await read_json(request)
        games = _read_whole(data, "games", *GAMES, default=4_000)
        against = data.get("against") or ""
        if not isinstance(against, str):
            raise HTTPException(422, "against should be the key of a list.")
        kind = "score" if data.get("shown", True) else "count"
        order = self._order(data)
        return self._begin(data, kind, self.measurements.score(order, games, against))

    async def worth(self, request: Request) -> Response:
        """Begin to measure each entry of a list; see ``Measurements.worth``."""
        data = await read_json(request)
        games = _read_whole(data, "games", 100, WORTH_GAMES, default=WORTH_GAMES)
        return self._begin(data, "worth", self.measurements.worth(self._order(data), games))

    async def sweep(self, request: Request) -> Response:
        """Begin to measure what each rule of the library would add; see ``Measurements.sweep``."""
        data = await read_json(request)
        museum = data.get("museum") is True
        return self._begin(data, "sweep", self.measurements.sweep(self._order(data), museum))

    async def games(self, request: Request) -> Response:
        """Begin to list the games that changed; see ``Measurements.changed_games``."""
        data = await read_json(request)
        order, other = self._order(data), self._order(data, "against")
        return self._begin(data, "games", self.measurements.changed_games(order, other))

    async def game(self, request: Request) -> Response:
        """Begin to play a deal with a list, and with another; see ``Measurements.game``."""
        data = await read_json(request)
        order = self._order(data)
        other = self._order(data, "against") if data.get("against") else None
        deal = _read_whole(data, "deal", 0, DEALS - 1, default=0)
        return self._begin(data, "game", self.measurements.game(order, other, deal))

    async def improve(self, request: Request) -> Response:
        """Begin a search for changes; see ``Improvement``. One at a time on this site."""
        data = await read_json(request)
        seconds = _read_whole(data, "seconds", *SECONDS, default=20)
        order = self._order(data)
        if not order.listed.rules:
            raise HTTPException(422, "Improve needs a rule to change: add one first.")
        running = self.queue.running("improve")
        if running and running.page != _page_of(data):
            raise HTTPException(409, "Another page improves a list now: wait for it, or stop it.")
        rejected = data.get("not", [])

        def search() -> Improvement:
            seed = int(time.time())
            return Improvement(order.listed, order.variant, seconds, rejected, seed)

        made = await await_result(self.site.tables.run(search, slow=True))
        return self._begin(data, "improve", made.steps)

    async def check(self, request: Request) -> Response:
        """Begin to measure offers over a new list; see ``check_offers``."""
        data = await read_json(request)
        order = self._order(data)
        changes = data.get("changes")
        if not isinstance(changes, list) or len(changes) > OFFERS:
            raise HTTPException(422, f"changes should be a list of at most {OFFERS} changes.")
        try:
            read = [read_change(one) for one in changes]
        except ValueError as error:
            raise HTTPException(422, str(error)) from None
        return self._begin(data, "improve", check_offers(order.listed, order.variant, read))

    async def apply(self, request: Request) -> Response:
        """The list after a change that was offered: ``{"list", "change"}``."""
        data = await read_json(request)
        order = self._order(data)

        def changed() -> dict[str, Any]:
            change = read_change(data.get("change"))
            one = change.apply_to(order.listed.individual)
            if one is None:
                raise ValueError("This change does not fit the list any more.")
            return EditedList.of(one.player(order.listed.otherwise)).data()

        return JSONResponse({"list": await await_result(self.site.tables.run(changed))})

    async def job(self, request: Request) -> Response:
        """The state of a job once it is newer than ``?version=``, after 20 seconds as it is."""
        job = self.queue.find(request.path_params["name"])
        if job is None:
            raise HTTPException(404, "This measurement is over: begin it again.")
        text = request.query_params.get("version", "-1")
        known = int(text) if text.lstrip("-").isdigit() and len(text) < 10 else -1
        if self.waiting.get(job.page, 0) >= WAITING:
            raise HTTPException(429, "Too many requests of this page wait.")
        self.waiting[job.page] = self.waiting.get(job.page, 0) + 1
        try:
            end = time.monotonic() + min(WAIT, self.site.news)
            while job.version <= known and not job.ended and time.monotonic() < end:
                await asyncio.sleep(LOOK)
        finally:
            self.waiting[job.page] -= 1
            if not self.waiting[job.page]:
                del self.waiting[job.page]
        return JSONResponse(job.data())

    async def stop(self, request: Request) -> Response:
        """Ask a job to end; it reports what it has found."""
        await read_json(request)
        job = self.queue.find(request.path_params["name"])
        if job:
            job.stop()
        return JSONResponse({"line": "Stopping."})

    async def text(self, request: Request) -> Response:
        """The text of an agent file that ``save`` would write."""
        data = await read_json(request)
        return JSONResponse({"text": dumps(_read_agent(data.get("name"), data.get("lists")))})

    async def save(self, request: Request) -> Response:
        """Write an agent file: ``{"name", "lists": {"2-5": list}, "replace"}``.

        Answers its ``path``, its ``text`` and the ``spec`` by which commands find it.
        """
        if not request.state.inside:
            raise HTTPException(403, "This needs the link with the token that was printed.")
        data = await read_json(request)
        agent = _read_agent(data.get("name"), data.get("lists"))
        folder = self.site.tables.folder / "agents"
        path = folder / f"{agent.name}.toml"
        if path.exists() and data.get("replace") is not True:
            raise HTTPException(409, f"There is an agent {agent.name} already: replace it?")
        text = dumps(agent)

        def write() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)

        try:
            await self.site.tables.run(write)
        except (FileWriteError, OSError) as error:
            raise HTTPException(507, f"The agent could not be written: {error}") from None
        self.site.agents[agent.name] = str(path)
        return JSONResponse({"path": str(path), "text": text, "spec": str(path)})

    def _order(self, data: dict[str, Any], key: str = "list") -> Order:
        """Read a list, with the player count and the variant. Raises HTTPException 422."""
        try:
            players = _read_whole(data, "players", 2, 5, default=3)
            variant = data.get("variant", "standard")
            if not isinstance(variant, str) or len(variant) > 200 or _is_path(variant):
                raise ValueError(f"no variant {shown(variant)}")
            seated = read_variant(variant).at(players)
            listed = EditedList.read(data.get(key, {}))
            listed.check_variant(seated)
        except EntryError as error:
            raise _EntryRefusedError(error) from None
        except ValueError as error:
            raise HTTPException(422, str(error)) from None
        return Order(listed, seated)

    def _begin(self, data: dict[str, Any], kind: str, steps: Steps) -> Response:
        """Queue a job and answer its name."""
        try:
            job = self.queue.begin(Job(kind, _page_of(data), steps))
        except TooManyJobsError as error:
            raise HTTPException(429, str(error)) from None
        return JSONResponse({"job": job.name}, 202)


class _EntryRefusedError(HTTPException):
    """An entry of a list is wrong: the answer has its part and its place."""

    def __init__(self, error: EntryError) -> None:
        super().__init__(422, str(error))
        self.more = {"part": error.part, "place": error.place}


def _references() -> list[dict[str, Any]]:
    """The points of known agents by player count, drawn as lines beside those of a list."""
    scores = read_scores()
    return [
        {"name": shown_as, "players": int(key), "points": row[0]}
        for name, shown_as in REFERENCES.items()
        for key, row in scores.get(name, {}).items()
        if key.isdigit()
    ]


def _page_of(data: dict[str, Any]) -> str:
    """The name that a page gives to itself."""
    page = data.get("page", "")
    if not isinstance(page, str) or len(page) > 40:
        raise HTTPException(422, "page should be a text of at most 40 letters.")
    return page


def _read_whole(data: dict[str, Any], key: str, low: int, high: int, default: int) -> int:
    """Return a whole number within bounds. Raises HTTPException 422."""
    value = data.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise HTTPException(422, f"{key} should be a number from {low:,} to {high:,}.")
    return value


def _is_path(variant: str) -> bool:
    """Whether a variant names a file, which a page may not."""
    return variant.endswith(".toml") or "/" in variant or "\\" in variant


def _read_agent(name: Any, lists: Any) -> Agent:
    """Return the agent that a page saves. Raises HTTPException 422."""
    if not isinstance(name, str) or not name.isascii() or not _is_file_name(name):
        problem = f"A name has up to {NAME} letters, digits and hyphens, and begins with a letter."
        raise HTTPException(422, problem)
    if name in NAMED:
        raise HTTPException(422, f"{name} is a named agent: choose another name.")
    try:
        if not isinstance(lists, dict) or not lists:
            raise ValueError("An agent has a list for some player counts.")
        parts = []
        for key, data in lists.items():
            counts(key)
            parts.append(EditedList.read(data).agent(name, key))
        return Agent(
            name,
            {key: one.lists[key] for key, one in zip(lists, parts)},
            parts[0].otherwise,
            source="built in the workbench",
            conventions={key: one.conventions[key] for key, one in zip(lists, parts)},
            weights={key: one.weights[key] for key, one in zip(lists, parts)},
        )
    except EntryError as error:
        raise _EntryRefusedError(error) from None
    except ValueError as error:
        raise HTTPException(422, str(error)) from None


def _is_file_name(name: str) -> bool:
    return (
        0 < len(name) <= NAME and name[0].isalpha() and all(c.isalnum() or c == "-" for c in name)
    )


def _agent_lists(spec: str) -> dict[str, Any]:
    """The lists of an agent as data."""
    agent = load(spec)
    lists = {}
    for key in agent.lists:
        lists[key] = EditedList.of(agent.list_at(counts(key)[0])).data()
    return {"name": agent.name, "source": agent.source, "lists": lists, "wrong": []}


def _file_lists(text: str) -> dict[str, Any]:
    """The lists of an agent file; entries that are wrong are reported, and the others read."""
    data = parse_toml(text, "file")
    rules = data.get("rules")
    if not isinstance(rules, dict) or not rules:
        loads(text, "file")  # raises, if it is no agent file at all
        raise ValueError("file: this agent has no list of rules, so there is nothing to edit")
    lists, wrong = {}, []
    for key in rules:
        first = counts(str(key))[0]
        found = {
            "rules": rules[key],
            "conventions": _at(data.get("conventions"), first, []),
            "weights": _at(data.get("weights"), first, {}),
            "otherwise": data.get("otherwise", "default"),
        }
        listed, errors = EditedList.read_valid(found)
        lists[key] = listed.data()
        for error in errors:
            entries = found.get(error.part)
            text_of = ""
            if isinstance(entries, list) and error.place is not None:
                text_of = str(entries[error.place])
            wrong.append({"key": key, **error.data(), "text": text_of})
    name = data.get("name", "")
    return {
        "name": name if isinstance(name, str) else "",
        "source": str(data.get("source", "")),
        "lists": lists,
        "wrong": wrong,
    }


def _at(table: Any, players: int, default: Any) -> Any:
    """The entry of a table by player counts for one player count."""
    if not isinstance(table, dict):
        return default
    return next((value for key, value in table.items() if players in counts(str(key))), default)
