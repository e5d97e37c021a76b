"""Tournament and compare from a form: one at a time, in a thread of its own, with progress and a stop; their results are kept in files."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.site.page_templates import sheet
from hanabi.evolve.site.requests import json_of
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.site.tournament_results import (
    LETTERS,
    Results,
    frame,
    picture,
    sections,
    sentence,
)
from hanabi.notation import SEEDS
from hanabi.shell_command import command

MODES = ("mirror", "mixed", "cross", "compare")
MOST, GAMES = 12, 20_000  # agents, and games for each player count, that a form may ask for


class TournamentStoppedError(Exception):
    """Somebody stopped it."""


class TournamentPage:
    """Routes for one tournament or comparison at a time, and for the results of all.

    Args:
        hall: Runs what takes time in its threads; results are kept in ``tournaments`` below its folder.
        agents: By name the spec of those that may play.
    """

    def __init__(self, hall: OpenTables, agents: dict[str, str]) -> None:
        self.hall, self.agents, self.results = hall, agents, Results(hall.folder / "tournaments")
        self.pool = ThreadPoolExecutor(1, "contest")
        self.state: dict[str, Any] = {
            "running": False,
            "done": 0.0,
            "command": "",
            "error": "",
            "text": "",
            "kept": "",
            "left": None,
        }
        self.first: tuple[float, float] | None = (
            None  # how far it was when it was first heard of, and when that was
        )
        self.stopping = False
        self.routes = [
            Route("/tournament", self.page),
            Route("/tournament", self.begin, methods=["POST"]),
            Route("/tournament/state", self.news),
            Route("/tournament/stop", self.stop, methods=["POST"]),
            Route("/tournament/{name}", self.result),
            Route("/tournament/{name}/rows.csv", self.rows),
        ]

    def close(self) -> None:
        """Stop what is played."""
        self.stopping = True
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def page(self, request: Request) -> Response:
        """The form, and the results that are kept."""
        chosen = request.query_params.getlist("with")
        return sheet(
            "tournament.html.j2",
            "Tournament",
            ("signs.js", "tables.js", "tournament.js"),
            agents=list(self.agents),
            modes=MODES,
            chosen=chosen,
            letters=LETTERS,
            results=await self.hall.run(self.results.listed),
        )

    async def result(self, request: Request) -> Response:
        """One result: a sentence, the picture of a matrix, the tables with their errors."""
        found = await self._found(request)

        def shown() -> dict[str, Any]:
            svg, caption = picture(found)
            return {
                "sentence": sentence(found),
                "sections": sections(found),
                "picture": svg,
                "caption": caption,
            }

        return sheet(
            "result.html.j2",
            "Tournament",
            ("signs.js", "tables.js"),
            name=request.path_params["name"],
            result=found,
            **await self.hall.run(shown),
        )

    async def _found(self, request: Request) -> dict[str, Any]:
        try:
            return await self.hall.run(self.results.read, request.path_params["name"])
        except ValueError:
            raise HTTPException(404, "There is no such result.") from None

    async def news(self, request: Request) -> Response:
        """How far it is, and the result."""
        return JSONResponse(self.state)

    async def stop(self, request: Request) -> Response:
        """Stop it at the next chance."""
        self.stopping = True
        return JSONResponse({"line": "Stopping."})

    async def rows(self, request: Request) -> Response:
        """The rows of a tournament as CSV."""
        found = await self._found(request)
        if not found["rows"]:
            raise HTTPException(404, "A comparison has no rows: its text says all.")
        text = frame(found["rows"]).to_csv(index=False)
        return Response(
            text,
            media_type="text/csv",
            headers={
                "content-disposition": f"attachment; filename=tournament-{request.path_params['name']}.csv"
            },
        )

    async def begin(self, request: Request) -> Response:
        """Begin what a form asks for."""
        data = await json_of(request)
        if self.state["running"]:
            raise HTTPException(409, "One is being played: wait for it, or stop it.")
        names, mode, games, seed = (
            data.get("agents"),
            data.get("mode", "mirror"),
            data.get("games", 1000),
            data.get("seed", 0),
        )
        if (
            not isinstance(names, list)
            or not 1 <= len(names) <= MOST
            or any(name not in self.agents for name in map(str, names))
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
        title = data.get("title", "")
        if not isinstance(title, str) or len(title) > LETTERS:
            raise HTTPException(422, f"A name has at most {LETTERS} letters.")
        specs = [self.agents[name] for name in names]
        words = ["compare", *specs] if mode == "compare" else ["tournament", *specs, "--mode", mode]
        self.stopping, self.first = False, None
        self.state = self.state | {
            "running": True,
            "mode": mode,
            "done": 0.0,
            "left": None,
            "error": "",
            "kept": "",
            "text": "",
            "command": command("hanabi", *words, "--games", str(games), "--seed", str(seed)),
        }
        asyncio.get_running_loop().run_in_executor(
            self.pool, self.play, specs, mode, games, seed, " ".join(title.split())
        )
        return JSONResponse({"line": self.state["command"]})

    def play(self, specs: list[str], mode: str, games: int, seed: int, title: str) -> None:
        """Play it, with one worker, so that tables stay quick, and keep the result."""
        found: dict[str, Any] = {}
        values: dict[str, Any] = {
            "mode": mode,
            "agents": specs,
            "games": games,
            "seed": seed,
            "command": self.state["command"],
        }
        try:
            if mode == "compare":
                from hanabi.evolve.measure.comparison import compare

                found["text"] = str(
                    compare(
                        *specs,
                        games=max(2, games),
                        seed=seed,
                        jobs=1,
                        progress=partial(self._looked, games),
                    )
                )
            else:
                from hanabi.evolve.measure.tournament import records, tournament

                result = tournament(
                    [*specs], mode, games_each=games, seed=seed, jobs=1, progress=self._heard
                )
                values["rows"] = records(result.rows)
            found["kept"] = self.results.keep(title, values | found)
        except TournamentStoppedError:
            found["error"] = "Stopped."
        except (ValueError, RuntimeError, OSError) as error:
            found["error"] = " ".join(str(error).split())
        self.state = self.state | found | {"running": False, "done": 1.0, "left": None}

    def _heard(self, done: float, of: float) -> None:
        self._reached(done / of if of else 0.0)

    def _looked(self, most: int, comparison: Any) -> None:
        """Hear of a look: what is known so far, and how many of the most games that may be needed were played."""
        self._reached(
            min(verdict.games for verdict in comparison.verdicts) / max(2, most),
            {"text": str(comparison)},
        )

    def _reached(self, part: float, more: dict[str, Any] | None = None) -> None:
        """Say how far it is, and how many seconds are left at the pace since it was first heard of: before, rules are compiled."""
        if self.stopping:
            raise TournamentStoppedError
        now = time.monotonic()
        begun, since = self.first = self.first or (part, now)
        left = (
            round((now - since) / (part - begun) * max(0.0, 1 - part), 1) if part > begun else None
        )
        self.state = self.state | {"done": part, "left": left, **(more or {})}
