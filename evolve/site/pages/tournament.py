"""Tournaments and comparisons from a form, one at a time, and their results."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.reports.page_parts import SCRIPTS as BOARD_SCRIPTS
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.requests import await_result, one_line, read_json, read_number
from hanabi.evolve.site.site_context import SiteContext
from hanabi.evolve.site.tournament_results import (
    COUNTS,
    LETTERS,
    Results,
    cost,
    is_slow,
    make_frame,
    make_sections,
    matchup_game,
    seated_agents,
    summary_sentence,
)
from hanabi.notation import SEEDS
from hanabi.shell_command import command

MODES = ("mirror", "mixed", "cross", "compare")
MOST, GAMES = 12, 20_000  # agents, and games for each player count, that a form may ask for


class TournamentStoppedError(Exception):
    """A person stopped the tournament."""


class TournamentOrder(NamedTuple):
    """What a form asks for. ``agents`` are specs; ``games`` count for each player count."""

    agents: list[str]
    mode: str
    games: int
    seed: int
    title: str

    @property
    def command(self) -> str:
        """The command that plays the same games."""
        words = ["compare", *self.agents]
        if self.mode != "compare":
            words = ["tournament", *self.agents, "--mode", self.mode]
        return command("hanabi", *words, "--games", str(self.games), "--seed", str(self.seed))


class TournamentPages(Page):
    """Routes for one tournament or comparison at a time, and for all results.

    The results are kept in ``tournaments`` in the folder of the tables.
    """

    title, path, order = "Tournament", "/tournament", 5

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.results = Results(site.tables.folder / "tournaments")
        self.pool = ThreadPoolExecutor(1, "tournament")
        self.state: dict[str, Any] = {
            "running": False,
            "done": 0.0,
            "command": "",
            "error": "",
            "text": "",
            "kept": "",
            "left": None,
        }
        # share of the games that were played at the first progress call, and its time in seconds
        self.first: tuple[float, float] | None = None
        self.stopping = False

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/tournament", self.form),
            Route("/tournament", self.begin, methods=["POST"]),
            Route("/tournament/state", self.progress),
            Route("/tournament/stop", self.stop, methods=["POST"]),
            Route("/tournament/cost", self.cost, methods=["POST"]),
            Route("/tournament/{name}/game", self.game),
            Route("/tournament/{name}/game/data", self.game_data),
            Route("/tournament/{name}", self.result),
            Route("/tournament/{name}/rows.csv", self.rows),
        ]

    def close(self) -> None:
        """Stop the games."""
        self.stopping = True
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def form(self, request: Request) -> Response:
        """The form, and the list of results."""
        return render_page(
            "tournament.html.j2",
            "Tournament",
            ("signs.js", "tables.js", "tournament.js"),
            agents=seated_agents(self.site.agents),
            is_slow=is_slow,
            modes=MODES,
            chosen=request.query_params.getlist("with"),
            letters=LETTERS,
            results=await self.site.tables.run(self.results.newest),
        )

    async def result(self, request: Request) -> Response:
        """One result: a sentence, the picture of a matrix, the tables with their errors."""
        found = await self._find(request)

        def shown() -> dict[str, Any]:
            return {"sentence": summary_sentence(found), "sections": make_sections(found)}

        return render_page(
            "result.html.j2",
            "Tournament",
            ("signs.js", "tables.js"),
            name=request.path_params["name"],
            result=found,
            **await self.site.tables.run(shown),
        )

    async def game(self, request: Request) -> Response:
        """A game of a guest and a host: ``?guest=A&host=B&players=3&deal=0``."""
        found, asked = await self._find(request), _asked_game(request)
        return render_page(
            "matchup.html.j2",
            "Tournament",
            (*BOARD_SCRIPTS, "matchup.js"),
            name=request.path_params["name"],
            result=found,
            counts=COUNTS,
            query=request.url.query,
            **asked,
        )

    async def game_data(self, request: Request) -> Response:
        """That game as data: it is played again on the deal of the tournament."""
        found, asked = await self._find(request), _asked_game(request)

        def played() -> dict[str, Any]:
            return matchup_game(found, seated_agents(self.site.agents), asked)

        return JSONResponse([await await_result(self.site.tables.run(played, slow=True))])

    async def cost(self, request: Request) -> Response:
        """How long agents that think ahead need for what a form asks; each is timed once."""
        order = self._read_order(await read_json(request))

        def found() -> dict[str, Any]:
            return cost(order.agents, order.mode, order.games)

        return JSONResponse(await await_result(self.site.tables.run(found, slow=True)))

    async def rows(self, request: Request) -> Response:
        """The rows of a tournament as CSV."""
        found = await self._find(request)
        if not found["rows"]:
            raise HTTPException(404, "A comparison has no rows: its text says all.")
        text = make_frame(found["rows"]).to_csv(index=False)
        file = f"tournament-{request.path_params['name']}.csv"
        headers = {"content-disposition": f"attachment; filename={file}"}
        return Response(text, media_type="text/csv", headers=headers)

    async def _find(self, request: Request) -> dict[str, Any]:
        """Return the result of a name. Raises HTTPException 404."""
        try:
            return await self.site.tables.run(self.results.read, request.path_params["name"])
        except ValueError:
            raise HTTPException(404, "There is no such result.") from None

    async def progress(self, request: Request) -> Response:
        """How far the tournament is, and the name of its result at the end."""
        return JSONResponse(self.state)

    async def stop(self, request: Request) -> Response:
        """Stop the tournament at its next progress call."""
        self.stopping = True
        return JSONResponse({"line": "Stopping."})

    async def begin(self, request: Request) -> Response:
        """Begin the tournament that a form asks for."""
        data = await read_json(request)
        if self.state["running"]:
            raise HTTPException(409, "One is being played: wait for it, or stop it.")
        order = self._read_order(data)
        self.stopping, self.first = False, None
        self.state = {
            "running": True,
            "mode": order.mode,
            "done": 0.0,
            "left": None,
            "error": "",
            "kept": "",
            "text": "",
            "command": order.command,
        }
        self.pool.submit(self.play, order)
        return JSONResponse({"line": order.command})

    def _read_order(self, data: dict[str, Any]) -> TournamentOrder:
        """Check what a form sent. Raises HTTPException 422."""
        names, mode = data.get("agents"), data.get("mode", "mirror")
        games, seed = data.get("games", 1000), data.get("seed", 0)
        title, agents = data.get("title", ""), seated_agents(self.site.agents)
        if (
            not isinstance(names, list)
            or not 1 <= len(names) <= MOST
            or any(name not in agents for name in map(str, names))
        ):
            raise HTTPException(422, f"Choose 1 to {MOST} agents of the list.")
        if (
            mode not in MODES
            or type(games) is not int
            or not 1 <= games <= GAMES
            or type(seed) is not int
            or not 0 <= seed < SEEDS
        ):
            raise HTTPException(
                422, f"Games go from 1 to {GAMES:,}, and a seed is a whole number from 0."
            )
        if not isinstance(title, str) or len(title) > LETTERS:
            raise HTTPException(422, f"A name has at most {LETTERS} letters.")
        specs = [agents[name] for name in names]
        return TournamentOrder(specs, mode, games, seed, " ".join(title.split()))

    def play(self, order: TournamentOrder) -> None:
        """Play the games with one worker, so that tables stay responsive; keep the result."""
        found: dict[str, Any] = {}
        common: dict[str, Any] = {"seed": order.seed, "jobs": 1}
        values = order._asdict() | {"command": order.command}
        title = values.pop("title")
        try:
            if order.mode == "compare":
                from hanabi.evolve.measure.comparison import compare

                progress = partial(self._show_comparison, order.games)
                comparison = compare(
                    *order.agents, games=max(2, order.games), progress=progress, **common
                )
                found["text"] = values["text"] = str(comparison)
            else:
                from hanabi.evolve.measure.tournament import records, tournament

                result = tournament(
                    [*order.agents],
                    order.mode,
                    games_each=order.games,
                    progress=self._show_games,
                    **common,
                )
                values["rows"] = records(result.rows)
            found["kept"] = self.results.keep(title, values)
        except TournamentStoppedError:
            found["error"] = "Stopped."
        except (ValueError, RuntimeError, OSError) as error:
            found["error"] = one_line(error)
        self.state = self.state | found | {"running": False, "done": 1.0, "left": None}

    def _show_games(self, done: float, of: float) -> None:
        """Show the progress of a tournament."""
        self._show(done / of if of else 0.0)

    def _show_comparison(self, most: int, comparison: Any) -> None:
        """Show the verdicts so far of a comparison that plays up to ``most`` games."""
        played = min(verdict.games for verdict in comparison.verdicts)
        self._show(played / max(2, most), {"text": str(comparison)})

    def _show(self, done: float, more: dict[str, Any] | None = None) -> None:
        """Show the share of the games that are played, and the seconds that are left.

        The pace counts from the first call on, since rules are compiled before it.
        """
        if self.stopping:
            raise TournamentStoppedError
        now = time.monotonic()
        begun, since = self.first = self.first or (done, now)
        left = None
        if done > begun:
            left = round((now - since) / (done - begun) * max(0.0, 1 - done), 1)
        self.state = self.state | {"done": done, "left": left, **(more or {})}


def _asked_game(request: Request) -> dict[str, Any]:
    """The game that an address names: ``guest``, ``host``, ``players`` and ``deal``."""
    asked = request.query_params
    numbers = {"players": read_number(asked.get("players", "3"))}
    numbers["deal"] = read_number(asked.get("deal", "0"))
    return {"guest": asked.get("guest", ""), "host": asked.get("host", ""), **numbers}
