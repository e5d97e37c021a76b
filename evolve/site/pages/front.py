"""The first page: what one can do here, and where one left off."""

from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.site.page_registry import (
    Page,
    Request,
    Response,
    get,
    render_page,
)
from hanabi.evolve.site.run_list import run_row

SHOWN = 5  # games and runs


class FrontPage(Page):
    """The route of the first page."""

    title, path, order = "", "/", 0

    @get("/")
    def page(self, request: Request) -> Response:
        """Three doors, and the newest tables (unfinished first), lists and runs (running first)."""
        # stable: the newest first in each
        games = sorted(self.site.games.newest(), key=lambda game: game["state"] == "over")
        runs = [run_row(name, state) for name, state in self.site.runs.states().items()]
        return render_page(
            "front.html.j2",
            "hanabi",
            (
                "signs.js",
                "workbench-store.js",
                "workbench-server.js",
                "lay-table.js",
                "front.js",
            ),
            partner=DEFAULT,
            games=games[:SHOWN],
            game_count=len(games),
            runs=runs[:SHOWN],
            run_count=len(runs),
        )
