"""The map of a run of MAP-Elites, and the way from a cell to the page of its agent."""

from __future__ import annotations

import re
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hanabi.evolve.ga.archive_files import ELITES
from hanabi.evolve.reports.map_page import has_map, map_page
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.report_writer import answer_with_report
from hanabi.evolve.site.requests import await_result

CELL = re.compile(r"\d{2,4}(-\d{2}){0,2}")  # the name of a cell (archive.py)
WAYS = {"play": "/play?with=", "build": "/build?agent=", "": "/agents/"}


class RunMapPage(Page):
    """Routes to the map of a run and to its elites."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/runs/{name}/map", self.map),
            Route("/runs/{name}/elites/{cell}", self.elite),
        ]

    async def map(self, request: Request) -> Response:
        """The map of a finished run."""
        name = request.path_params["name"]
        folder = (await self.site.tables.run(self.site.runs.find, name)).run
        if not has_map(folder):
            raise HTTPException(404, "This run has no map: hanabi evolve --preset map makes one.")
        links = f"/runs/{quote(name)}/elites/"
        page = await await_result(self.site.tables.run(map_page, folder, links, slow=True))
        return answer_with_report(page, f"/runs/{name}", name)

    async def elite(self, request: Request) -> Response:
        """Make the elite of a cell an agent of the site, and lead to its page.

        ``?then=play`` leads to the form of a table with it, ``?then=build`` to the workbench.
        """
        name, cell = request.path_params["name"], request.path_params["cell"]
        folder = (await self.site.tables.run(self.site.runs.find, name)).run
        file = folder / ELITES / f"{cell}.toml"
        if not CELL.fullmatch(cell) or not file.is_file():
            raise HTTPException(404, "There is no elite of this cell.")
        agent = f"{name} {cell}"
        self.site.agents[agent] = str(file)
        way = WAYS.get(request.query_params.get("then", ""), WAYS[""])
        return RedirectResponse(way + quote(agent), 303)
