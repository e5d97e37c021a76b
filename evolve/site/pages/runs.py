"""The list of runs, the page of a run with its report, and several runs side by side."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.ga.run_folder import RunState
from hanabi.evolve.reports.run_comparison import MOST, page_beside
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.report_writer import answer_with_report
from hanabi.evolve.site.requests import await_result, read_json
from hanabi.evolve.site.run_list import part_data, read_curves, run_row
from hanabi.files import read_bytes

RUN_SCRIPTS = ("signs.js", "curves.js", "tables.js", "runs.js")


class RunsPages(Page):
    """Routes that show runs and their reports."""

    title, path, order = "Runs", "/runs", 1

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/runs", self.runs),
            Route("/runs/state", self.states),
            Route("/runs/{name}", self.run),
            Route("/runs/{name}/curve", self.curve),
            Route("/runs/{name}/report", self.report),
            Route("/runs/{name}/report", self.write_report, methods=["POST"]),
            Route("/compare", self.compare),
        ]

    async def runs(self, request: Request) -> Response:
        """The list of runs, which its script fills and updates."""
        return render_page("runs.html.j2", "Runs", RUN_SCRIPTS, run="")

    async def run(self, request: Request) -> Response:
        """The page of a run, which its script fills and updates."""
        name, _ = await self._find(request)
        return render_page("runs.html.j2", "Runs", RUN_SCRIPTS, run=name)

    async def states(self, request: Request) -> Response:
        """All runs as data, each with a small curve."""

        def rows() -> Any:
            return [self._row(name, state) for name, state in self.site.runs.states().items()]

        return JSONResponse(await self.site.tables.run(rows))

    async def curve(self, request: Request) -> Response:
        """A run as data, with all of its curves."""
        name, state = await self._find(request)

        def row() -> dict[str, Any]:
            curves = {"curves": read_curves(state.run)}
            return self._row(name, state) | curves | part_data(state.run)

        return JSONResponse(await self.site.tables.run(row))

    async def report(self, request: Request) -> Response:
        """The report of a run."""
        name, state = await self._find(request)
        path = await self.site.tables.run(self.site.reports.find, state.run)
        if path is None:
            raise HTTPException(
                404, "There is no report yet: the page of the run offers to write it."
            )
        page = await self.site.tables.run(read_bytes, path)
        return answer_with_report(page.decode("utf-8", "replace"), f"/runs/{name}", name)

    async def write_report(self, request: Request) -> Response:
        """Begin to write the report of a finished run."""
        await read_json(request)
        _, state = await self._find(request)
        if state.state != "done":
            raise HTTPException(409, "This run is not finished: it has no report yet.")
        if await self.site.tables.run(self.site.reports.find, state.run) is None:
            self.site.reports.begin(state.run)
        return JSONResponse({"line": "The report is being written."})

    async def compare(self, request: Request) -> Response:
        """Several finished runs on one page: ``/compare?run=A&run=B``."""
        find, run = self.site.runs.find, self.site.tables.run
        names = request.query_params.getlist("run")[: MOST + 1]
        folders = [(await run(find, name)).run for name in names]
        page, _ = await await_result(run(page_beside, folders, slow=True))
        return answer_with_report(page, "/runs", "Runs")

    async def _find(self, request: Request) -> tuple[str, RunState]:
        """Return the name in an address and its run. Raises HTTPException 404."""
        name = request.path_params["name"]
        return name, await self.site.tables.run(self.site.runs.find, name)

    def _row(self, name: str, state: RunState) -> dict[str, Any]:
        return run_row(name, state) | self.site.reports.state(state.run)
