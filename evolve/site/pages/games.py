"""The list of games, and a game in the viewer, from any turn of which one may play on."""

from contextlib import suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.game_list import LETTERS, mean_points, page_data, page_title
from hanabi.evolve.site.page_registry import Page, get, post, render_page
from hanabi.evolve.site.play_table import PlayTable
from hanabi.game_record import Game
from hanabi.moves import NAMES


class GamesPages(Page):
    """Routes that list, keep and show games."""

    title, path, order = "Games", "/games", 6

    @get("/games")
    def games(self, request: Request) -> Response:
        """The list of games, and the form that takes one from elsewhere."""
        games = self.site.games.newest()
        return render_page(
            "games.html.j2",
            "Games",
            ("signs.js", "tables.js", "bring.js"),
            games=games,
            means=mean_points(games),
            names=NAMES,
            letters=LETTERS,
        )

    @post("/games")
    def keep(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Keep the game that a text holds; the answer holds its link."""
        return {"link": f"/games/{self.site.games.keep(data.get('text'))}"}

    @get("/games/{name}")
    def game(self, request: Request) -> Response:
        """A game in the viewer, and the form that plays on."""
        name = request.path_params["name"]
        found = self._open(name)
        players = [
            agent if isinstance(agent, str) else agent.name for agent in found.agents if agent
        ]
        return render_page(
            "game.html.j2",
            "Games",
            (*SCRIPTS, "lay-table.js", "game.js"),
            name=name,
            title=page_title(found),
            seats=list(enumerate(NAMES[: found.variant.seats])),
            agents=list(self.site.agents),
            usual=next((agent for agent in players if agent in self.site.agents), DEFAULT),
        )

    @get("/games/{name}/data")
    def data(self, request: Request) -> list[dict[str, Any]]:
        """A game as data."""
        return [page_data(self._open(request.path_params["name"]))]

    def _open(self, name: str) -> Game | PlayTable:
        """Return the game of a name. Raises HTTPException 404 if it may not be seen."""
        with suppress(ValueError):
            return self.site.games.open(name)
        raise HTTPException(404, "There is no such game that is over.")
