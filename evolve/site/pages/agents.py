"""The list of all agents, and a page for each: its list, its scores, and its uses."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.pools.partner_menu import THINKERS
from hanabi.evolve.reports.page_parts import SCRIPTS as BOARD_SCRIPTS
from hanabi.evolve.site.agent_list import (
    WORDS,
    describe,
    lists_of,
    measure,
    median_game,
    neighbours,
)
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.requests import await_result, read_json, read_number
from hanabi.evolve.site.site_context import SiteContext
from hanabi.rules.agents import dumps, load

SCRIPTS = ("signs.js", "tables.js", "agents-chart.js", "agents.js")


class AgentsPage(Page):
    """The routes that show the agents which may be seated."""

    title, path, order = "Agents", "/agents", 4

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.measured: dict[str, dict[str, Any]] = {}  # by name, scores that this site measured

    @property
    def known(self) -> dict[str, str]:
        """By name, the spec of each agent that may be seated: some think ahead."""
        return self.site.agents | {spec: spec for spec in THINKERS}

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/agents", self.page),
            Route("/agents/state", self.states),
            Route("/agents/{name:path}/file", self.file),
            Route("/agents/{name:path}/lists", self.lists),
            Route("/agents/{name:path}/median", self.median),
            Route("/agents/{name:path}/measure", self.measure, methods=["POST"]),
            Route("/agents/{name:path}", self.agent),
        ]

    async def page(self, request: Request) -> Response:
        """The list, which its script fills."""
        return render_page("agents.html.j2", "Agents", SCRIPTS, families=WORDS)

    async def states(self, request: Request) -> Response:
        """All agents as data, the best first."""
        rows = await self.site.tables.run(self.describe_agents)
        return JSONResponse(sorted(rows, key=lambda row: -(row["mean"] or [-1])[0]))

    def describe_agents(self) -> list[dict[str, Any]]:
        """Return all agents as data; see agent_list.describe."""
        self.site.runs.states()
        return [
            describe(name, spec)
            | self.measured.get(name, {})
            | {"listed": name in self.site.agents}  # the workbench opens it
            for name, spec in self.known.items()
        ]

    async def agent(self, request: Request) -> Response:
        """The page of an agent."""
        name, spec = await self._find(request)

        def found() -> dict[str, Any]:
            agent = load(spec)
            return {
                "agent": describe(name, spec) | self.measured.get(name, {}),
                "lists": lists_of(agent),
                "counts": [count for count in (2, 3, 4, 5) if agent.plays(count)],
                "text": "" if agent.lists else str(agent),
                "neighbours": neighbours(name),
                "listed": name in self.site.agents,
            }

        values = await await_result(self.site.tables.run(found))
        return render_page("agent.html.j2", "Agents", (*BOARD_SCRIPTS, "agent.js"), **values)

    async def lists(self, request: Request) -> Response:
        """The lists of an agent as sentences."""
        name, spec = await self._find(request)

        def found() -> dict[str, Any]:
            return {"lists": lists_of(load(spec))}

        return JSONResponse(await await_result(self.site.tables.run(found)))

    async def median(self, request: Request) -> Response:
        """A game of an agent with copies of itself, of median points: ``?players=3``."""
        name, spec = await self._find(request)
        players = read_number(request.query_params.get("players", "3"))
        game = await await_result(self.site.tables.run(median_game, spec, players, slow=True))
        return JSONResponse([game])

    async def file(self, request: Request) -> Response:
        """The file of an agent, to be kept."""
        name, spec = await self._find(request)
        text = await await_result(self.site.tables.run(lambda: dumps(load(spec))))
        safe = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
        headers = {"content-disposition": f'attachment; filename="{safe}.toml"'}
        return Response(text, media_type="application/toml", headers=headers)

    async def measure(self, request: Request) -> Response:
        """Measure an agent among copies of itself: a second for most."""
        await read_json(request)
        name, spec = await self._find(request)
        scores = await await_result(self.site.tables.run(measure, spec, slow=True))
        self.measured[name] = scores
        return JSONResponse(scores)

    async def _find(self, request: Request) -> tuple[str, str]:
        """Return the name in an address and its spec. Raises HTTPException 404."""
        await self.site.tables.run(self.site.runs.states)
        name = request.path_params["name"]
        if name not in self.known:
            raise HTTPException(404, "There is no such agent.")
        return name, self.known[name]
