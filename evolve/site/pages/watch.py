"""The page of spectators: a table without controls, and a game that is over with all its cards."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.game_list import page_data
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.requests import await_result, read_number
from hanabi.evolve.site.seat_links import WATCH, open_watched
from hanabi.evolve.site.seat_view import SPECTATOR


class WatchPages(Page):
    """Routes of spectators; nothing that is sent here changes a table."""

    def routes(self) -> list[Route]:
        """Return the routes, which begin with the secret link."""
        return [
            Route(WATCH, self.page),
            Route(f"{WATCH}/state", self.state),
            Route(f"{WATCH}/data", self.data),
        ]

    async def page(self, request: Request) -> Response:
        """The page; it holds nothing of the game, which its script fetches."""
        await open_watched(self.site.tables, request)
        place = "Games" if request.state.inside else ""
        return render_page("watch.html.j2", place, (*SCRIPTS, "table-motion.js", "watch.js"))

    async def state(self, request: Request) -> Response:
        """The table as spectators see it: at once, or when it is newer than ``?version=``."""
        open_table = await open_watched(self.site.tables, request)
        version, begun, turns = (
            read_number(request.query_params.get(key, "0")) for key in ("version", "begun", "turns")
        )
        try:
            await open_table.wait(SPECTATOR, version, self.site.news)
        except ValueError as error:
            raise HTTPException(429, str(error)) from None
        await open_watched(self.site.tables, request)  # the link may have ended meanwhile
        return JSONResponse(await open_table.state_for(SPECTATOR, (begun, turns)))

    async def data(self, request: Request) -> Response:
        """A game that is over, as data of the viewer."""
        await open_watched(self.site.tables, request)
        name = request.path_params["name"]
        tables, games = self.site.tables, self.site.games
        # raises ValueError while the game is played
        found = await await_result(tables.run(games.open, name))
        return JSONResponse([await tables.run(page_data, found)])
