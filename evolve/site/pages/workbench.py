"""The workbench: a page on which a person puts rules in order and sees what the list is worth."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from hanabi.evolve.ga.run_folder import read as read_run
from hanabi.evolve.reports.reference_points import REFERENCES
from hanabi.evolve.site.game_list import LISTS
from hanabi.evolve.site.page_registry import (
    SCRIPTS,
    HTTPException,
    Page,
    Request,
    Response,
    SiteContext,
    check_this_machine,
    found_or_404,
    get,
    packed,
    post,
    render_page,
    wait_for_news,
)
from hanabi.evolve.workbench.service import NAME, WorkbenchService, read_page_variant
from hanabi.files import make_folder, write_whole
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rules.agents import NAMED, load, read_scores
from hanabi.variant import read_variant

FILE_NAME = f"[A-Za-z][A-Za-z0-9-]{{0,{NAME - 1}}}"
WAIT = 20.0  # seconds that a request waits for news of a job, at most
LOOK = 0.02  # seconds between two looks at a job
WAITING = 6  # requests of a page that wait at a time: as many as a browser sends at a time
WORKBENCH_SCRIPTS = (
    *SCRIPTS,
    "what-if.js",
    "workbench-entries.js",
    "workbench-store.js",
    "workbench-draw.js",
    "workbench-server.js",
    "workbench-rows.js",
    "workbench-actions.js",
    "workbench.js",
)
VARIANTS = {  # that the page offers, with their words
    "standard": "5 colours",
    "colours=3": "3 colours",
    "colours=4": "4 colours",
    "colours=6": "6 colours",
}
MEASURED = (
    "score",
    "worth",
    "sweep",
    "games",
    "game",
    "moves",
    "improve",
    "check",
)  # kinds of jobs


class WorkbenchPage(Page):
    """Routes of the workbench: its page, its library, and jobs that measure lists."""

    title, path, order = "Build", "/build", 2

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.bench = site.bench
        self.waiting: Counter[str] = Counter()  # requests of each page

    @get("/build")
    def page(self, request: Request) -> Response:
        """The page; ``?agent=``, ``?run=`` or ``?game=`` opens a list by its name on the site."""
        self.site.runs.states()
        query = request.query_params
        variant = query.get("variant", "standard")
        perfect = read_page_variant(variant).at(3).perfect
        wanted = {key: query[key] for key in ("agent", "run", "game") if query.get(key)}
        for key, name in wanted.items():
            self._find_spec(key, name)  # raises, if there is none
        return render_page(
            "workbench.html.j2",
            "Build",
            WORKBENCH_SCRIPTS,
            wanted=wanted,
            players=query.get("players", "3"),
            variant=variant,
            variants=VARIANTS if variant in VARIANTS else {**VARIANTS, variant: variant},
            perfect=perfect,
            words=_words(),
            references=_references() if read_variant(variant) == read_variant("standard") else [],
        )

    @get("/build/library")
    def library(self, request: Request) -> Response:
        """The rules and conventions as data; a browser keeps it until it changes.

        The rules of papers are sent for ``?papers=1``, and are not in the rest.
        """
        found = self.bench.call(
            "library",
            request.headers.get("if-none-match", "").strip('"'),
            "papers" in request.query_params,
        )
        headers = {"etag": f'"{found["digest"]}"', "cache-control": "no-cache"}
        if found["data"] is None:
            return Response(status_code=304, headers=headers)
        text = json.dumps(found["data"], ensure_ascii=False, separators=(",", ":"))
        return packed(request, text.encode(), "application/json", **headers)

    @post("/build/read")
    def read(self, request: Request, data: dict[str, Any]) -> Any:
        """The lists of an agent, a run or a game, of an agent file, or of a page, with errors.

        Takes one of ``{"agent": name}``, ``{"run": name}``, ``{"game": name}``, ``{"text": text}``
        and ``{"lists": lists}``. Answers as ``edited_list.read_text``; for a run also ``start``,
        {``name``, ``version``} of the list from which it began, or None.
        """
        for key in ("agent", "run", "game"):
            if isinstance(name := data.get(key), str):
                found = self.bench.call("read", {"spec": self._find_spec(key, name)})
                if key == "run":
                    found |= {"name": name, "start": self._find_start(name)}
                return found
        return self.bench.call("read", {key: data.get(key) for key in ("text", "lists")})

    def _find_spec(self, key: str, name: str) -> str:
        """Return the spec of a named agent, of the winner of a run, or of an agent of a game.

        Raises:
            HTTPException: 404, if there is none.
        """
        if key == "agent":
            return found_or_404(self.site.agents.get(name), "There is no such agent.")
        if key == "run":
            path = self.site.runs.find(name).run / "best.toml"
            found_or_404(path.is_file(), "This run has no best list yet.")
            return str(path)
        try:
            seats = self.site.games.seats(name)
        except ValueError as error:
            raise HTTPException(404, f"There is no such game: {error}") from None
        lists = self.site.tables.folder / LISTS
        for seat in seats:
            if seat in self.site.agents:
                return self.site.agents[seat]
            if seat in self.site.agents.values() or Path(seat).parent == lists:
                return seat
        raise HTTPException(404, "No agent of this game has a list here.")

    def _find_start(self, name: str) -> dict[str, Any] | None:
        """Return name and version of the list of the workbench from which a run began."""
        starts = read_run(self.site.runs.find(name).run)[0].genome.start
        try:
            agent = load(starts[0])
            found = self.bench.call("read", {"spec": starts[0]})
        except (IndexError, ValueError):
            return None
        return {"name": agent.name, "version": found["version"]}

    @post(*(f"/build/{kind}" for kind in MEASURED), status=202)
    def begin(self, request: Request, data: dict[str, Any]) -> Any:
        """Begin a job of MEASURED; see the methods of ``WorkbenchService``."""
        kind = request.url.path.rpartition("/")[2]
        client = {"client": request.client.host if request.client else ""}
        return self.bench.call("begin", kind, data | client)

    @post("/build/apply")
    def apply(self, request: Request, data: dict[str, Any]) -> Any:
        """The list after a change that was offered."""
        return self.bench.call("apply", data)

    @get("/build/jobs/{name}")
    async def job(self, request: Request) -> dict[str, Any]:
        """The state of a job once it is newer than ``?version=``, after 20 seconds as it is."""
        name = request.path_params["name"]
        text = request.query_params.get("version", "-1")
        known = int(text) if text.lstrip("-").isdigit() and len(text) < 10 else -1
        page = (await self._look(name))["page"]
        if self.waiting[page] >= WAITING:
            raise HTTPException(429, "Too many requests of this page wait.")
        self.waiting[page] += 1
        try:
            return await wait_for_news(
                request,
                lambda: self._look(name),
                lambda found: found["version"] > known or found["ended"],
                min(WAIT, self.site.news),
                LOOK,
            )
        finally:
            self.waiting -= Counter([page])  # a page of which none waits is forgotten

    async def _look(self, name: str) -> dict[str, Any]:
        if isinstance(self.bench, WorkbenchService):
            found = self.bench.job(name)  # at once: no thread is needed
        else:
            found = await self.site.tables.run(self.bench.call, "job", name)
        return found_or_404(found, "This measurement is over: begin it again.")

    @post("/build/jobs/{name}/stop")
    def stop(self, request: Request, data: dict[str, Any]) -> Any:
        """Ask a job to end; it reports what it has found."""
        return self.bench.call("stop", request.path_params["name"])

    @post("/build/text")
    def text(self, request: Request, data: dict[str, Any]) -> Any:
        """The text of an agent file that ``save`` would write."""
        name = data.get("name")
        if not isinstance(name, str) or not re.fullmatch(FILE_NAME, name):
            problem = (
                f"A name has up to {NAME} letters, digits and hyphens, and begins with a letter."
            )
            raise HTTPException(422, problem)
        if name in NAMED:
            raise HTTPException(422, f"{name} is a named agent: choose another name.")
        return self.bench.call("text", name, data.get("lists"), data.get("version", 0))

    @post("/build/save")
    def save(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Write an agent file: ``{"name", "lists": {"2-5": list}, "version", "replace"}``.

        Answers its ``path``, its ``text`` and the ``spec`` by which commands find it.
        """
        check_this_machine(request)
        text, name = self.text(request, data)["text"], data["name"]
        folder = self.site.agents_folder
        path = folder / f"{name}.toml"
        if path.exists() and data.get("replace") is not True:
            raise HTTPException(409, f"There is an agent {name} already: replace it?")
        make_folder(folder)
        write_whole(path, text)
        self.site.agents[name] = str(path)
        return {"path": str(path), "text": text, "spec": str(path)}


def _references() -> list[dict[str, Any]]:
    """The points of known agents by player count, drawn as lines beside those of a list."""
    scores = read_scores()
    return [
        {"name": shown_as, "players": int(key), "points": row[0]}
        for name, shown_as in REFERENCES.items()
        for key, row in scores.get(name, {}).items()
        if key.isdigit()
    ]


def _words() -> list[str]:
    """Return what an expression is completed with: moves with their families, and other words."""
    words = []
    for one in PRIMITIVES.values():
        families = ("grown_marks.",) if one.of_marks else ("grown.", "grown_marks.")
        written = one.infix or (f"{one.name}(" if one.takes else one.name)
        words += [family + written for family in families] if one.makes == "move" else [written]
    return list(dict.fromkeys(words))
