"""The list of games, and a game in the viewer, from any turn of which one may play on.

Reviews, too: that of a game that is over is begun in the background, then shown; also from a seat.
"""

from contextlib import suppress
from typing import Any, NamedTuple

from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.reports.page_parts import REVIEW_SCRIPTS, SCRIPTS, data_text
from hanabi.evolve.reports.review_page import review_parts
from hanabi.evolve.site.game_list import LETTERS, mean_points, page_data, page_title
from hanabi.evolve.site.page_registry import Page, get, post, render_page
from hanabi.evolve.site.pages.play import SEAT
from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.requests import (
    HTTPException,
    Request,
    Response,
    await_result,
    wait_for_news,
)
from hanabi.game_record import Game
from hanabi.moves import NAMES
from hanabi.variant import shown


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
            (*SCRIPTS, *ON_SCRIPTS),
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


PATHS = ("/games/{name}/review", f"{SEAT}/review")
ON_SCRIPTS = ("lay-table.js", "game.js")  # of the form that plays on
LOOK = 0.05  # seconds between two looks at a job


class Asked(NamedTuple):
    """What a request asks for.

    Attributes:
        game: The game.
        by: The agent of ``?by=``, or "".
        name: The name of the game.
        people: The seats of people at a table; None for a game from elsewhere.
    """

    game: Game
    by: str
    name: str
    people: list[int] | None


class ReviewPages(Page):
    """Routes of reviews: of a game by its name, and of the game at a seat by its link."""

    @get(*PATHS)
    async def review(self, request: Request) -> Response:
        """The review, or the page that waits for it; ``?by=AGENT``: all seats follow that agent."""
        asked = await self._asked(request)
        game, by = asked.game, asked.by
        run = self.site.tables.run
        review = await run(self.site.reviews.find, game, self._spec(by), asked.people)
        parts = await run(review_parts, review) if review else None
        inside = request.state.inside
        return render_page(
            "review.html.j2",
            "Games" if inside else "",
            (*REVIEW_SCRIPTS, "review.js", *(ON_SCRIPTS if parts and inside else ())),
            name=asked.name,
            title=page_title(game),
            by=by,
            review=parts,
            games=data_text(parts.games) if parts else "",
            inside=inside,
            seats=list(enumerate(NAMES[: game.variant.seats])),
            agents=list(self.site.agents),
            usual=next((agent for agent in game.agents if agent in self.site.agents), DEFAULT),
        )

    @post(*(f"{path}/begin" for path in PATHS), status=202)
    async def begin(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Begin the review, unless it has begun or is kept; the answer holds its state."""
        by = data.get("by") or ""
        asked = await self._asked(request, by if isinstance(by, str) else "?")
        found = self.site.reviews

        def begin() -> dict[str, Any]:
            wanted = asked.game, self._spec(asked.by), asked.people
            if found.find(*wanted):
                return {"ended": True, "kept": True}
            return found.begin(*wanted).data()

        return await self.site.tables.run(begin)

    @get(*(f"{path}/state" for path in PATHS))
    async def state(self, request: Request) -> dict[str, Any]:
        """The state of the review ``?job=`` once it is newer than ``?version=``."""
        await self._asked(request)
        job = self.site.reviews.queue.find(request.query_params.get("job", ""))
        if job is None:
            raise HTTPException(404, "This review has stopped: open the page again.")
        known = request.query_params.get("version", "")

        async def look() -> dict[str, Any]:
            return job.data()

        return await wait_for_news(
            request,
            look,
            lambda found: str(found["version"]) != known or found["ended"],
            self.site.news,
            LOOK,
        )

    def _spec(self, by: str) -> str | None:
        return self.site.agents[by] if by else None

    async def _asked(self, request: Request, by: str | None = None) -> Asked:
        """Return what a request asks for.

        Raises:
            HTTPException: 404 for a game that is not over, or that has no deal; 422 for an agent.
        """
        given, found = request.path_params, None
        by = request.query_params.get("by", "") if by is None else by
        if by and by not in self.site.agents:
            raise HTTPException(422, f"No agent {shown(by)} is here: choose one of the list.")
        tables = self.site.tables
        if (
            "proof" not in given
            or given["seat"] < 5
            and await await_result(tables.enter(given["name"], given["seat"], given["proof"]))
        ):
            with suppress(ValueError):
                found = await tables.run(self.site.games.open, given["name"])
        if found is None:
            raise HTTPException(404, "There is no such game that is over.")
        people = None
        if isinstance(found, PlayTable):
            people = found.people
            try:
                found = found.game
            except ValueError:
                raise HTTPException(
                    404, "This game began from a position without its moves: it has no review."
                ) from None
        return Asked(found, by, given["name"], people)
