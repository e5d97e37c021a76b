"""The page of spectators: a table without controls, and a game that is over with all its cards."""

from typing import Any

from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.game_list import page_data
from hanabi.evolve.site.page_registry import Page, get, render_page
from hanabi.evolve.site.requests import Request, Response, read_number
from hanabi.evolve.site.seat_view import SPECTATOR
from hanabi.evolve.site.tables import WATCH, open_watched


class WatchPages(Page):
    """Routes of spectators; nothing that is sent here changes a table."""

    @get(WATCH)
    async def page(self, request: Request) -> Response:
        """The page; it holds nothing of the game, which its script fetches."""
        await open_watched(self.site.tables, request)
        place = "Games" if request.state.inside else ""
        return render_page("watch.html.j2", place, (*SCRIPTS, "table-motion.js", "watch.js"))

    @get(f"{WATCH}/state")
    async def state(self, request: Request) -> dict[str, Any]:
        """The table as spectators see it: at once, or when it is newer than ``?version=``."""
        open_table = await open_watched(self.site.tables, request)
        version, begun, turns = (
            read_number(request.query_params.get(key, "0")) for key in ("version", "begun", "turns")
        )
        await open_table.wait(SPECTATOR, version, self.site.news)
        await open_watched(self.site.tables, request)  # the link may have ended meanwhile
        return await open_table.state_for(SPECTATOR, (begun, turns))

    @get(f"{WATCH}/data")
    async def data(self, request: Request) -> list[dict[str, Any]]:
        """A game that is over, as data of the viewer."""
        await open_watched(self.site.tables, request)
        name, run = request.path_params["name"], self.site.tables.run
        # raises ValueError while the game is played
        return [await run(page_data, await run(self.site.games.open, name))]
