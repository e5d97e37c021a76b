"""The site: pages and what their scripts ask for, on top of a hall of tables. Everything that comes in passes request_guard.py first."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from hanabi.evolve.reports.page_parts import FOLDER, SCRIPTS, STYLES
from hanabi.evolve.site.assistance import advice, adviser, why
from hanabi.evolve.site.games_pages import GamesPages
from hanabi.evolve.site.new_table import again, new_file
from hanabi.evolve.site.page_templates import refusal, sheet
from hanabi.evolve.site.play_table import LEVELS, PERSON, PlayTable, new_game
from hanabi.evolve.site.request_guard import PER_SECOND, RequestGuard
from hanabi.evolve.site.requests import json_of, log, number_of, told
from hanabi.evolve.site.runs_pages import RunsPages
from hanabi.evolve.site.seat_view import SeatViews
from hanabi.evolve.site.tables import OpenTable, OpenTables
from hanabi.evolve.site.tournament_page import TournamentPage
from hanabi.files import read_bytes
from hanabi.game_record import Game
from hanabi.positions.position import Position
from hanabi.rules.agents import NAMED
from hanabi.variant import NAMED as VARIANTS
from hanabi.variant import read_variant, shown

OWN = Path(__file__).with_name("parts")
KINDS = {".js": "text/javascript", ".css": "text/css"}
NEWS = 20.0  # seconds that a page waits for news, at most
TABLE_SCRIPTS = (*SCRIPTS, "play.js")
HOME_SCRIPTS = ("signs.js", "home.js")


class Site:
    """The answers to all requests. ``agents``: by the name that pages show, the spec that is meant; nothing else can be seated.
    ``news``: seconds that a page waits for news; ``runs``: the folder of runs. ``close`` it at the end."""

    def __init__(
        self,
        hall: OpenTables,
        agents: dict[str, str] | None = None,
        news: float = NEWS,
        runs: Path = Path("runs"),
    ) -> None:
        self.hall, self.news = hall, news
        self.agents = {name: name for name in NAMED} if agents is None else agents
        self.shows, self.shelf, self.contest = (
            RunsPages(hall, runs, self.agents),
            GamesPages(hall, self.agents),
            TournamentPage(hall, self.agents),
        )
        self.parts = {name: read_bytes(FOLDER / name) for name in (*STYLES, *SCRIPTS)}
        self.parts |= {
            path.name: read_bytes(path) for path in sorted(OWN.iterdir()) if path.suffix in KINDS
        }

    def app(
        self, hosts: list[str], token: str | None = None, per_second: float = PER_SECOND
    ) -> ASGIApp:
        """What a server runs."""
        seat = "/seat/{name}/{seat:int}/{proof}"
        routes = [
            Route("/", self.front),
            Route("/play", self.home),
            Route("/tables", self.open_table, methods=["POST"]),
            Route("/parts/{name}", self.part),
            Route(seat, self.page),
            Route(f"{seat}/state", self.state),
            Route(f"{seat}/again", self.again, methods=["POST"]),
            Route(seat + "/{act}", self.act, methods=["POST"]),
            *self.shows.routes,
            *self.shelf.routes,
            *self.contest.routes,
        ]
        return RequestGuard(
            Starlette(
                routes=routes, exception_handlers={HTTPException: _refused, Exception: _broken}
            ),
            hosts,
            token,
            per_second,
        )

    def close(self) -> None:
        """The end of it."""
        self.contest.close()
        self.shows.close()
        self.hall.close()

    async def front(self, request: Request) -> Response:
        """The runs, where there are any; else where one sits down."""
        return RedirectResponse("/runs" if await self.hall.run(self.shows.states) else "/play", 303)

    async def part(self, request: Request) -> Response:
        """A style sheet or a script: one of those that there are."""
        name = request.path_params["name"]
        if name not in self.parts:
            raise HTTPException(404, "There is no such part.")
        return Response(self.parts[name], media_type=KINDS[Path(name).suffix])

    async def home(self, request: Request) -> Response:
        """Where one sits down."""
        await self.hall.run(self.shows.states)
        return sheet(
            "home.html.j2",
            "Play",
            HOME_SCRIPTS,
            agents=list(self.agents),
            variants=list(VARIANTS),
            partner=request.query_params.get("with", "convention"),
        )

    async def open_table(self, request: Request) -> Response:
        """A new table; the answer holds the links of its seats."""
        data = await json_of(request)
        sitting = self.hall.add(
            await told(self.hall.run(lambda: SeatViews(self.lay(data))))
        )  # in a thread: it may have to be compiled
        return JSONResponse({"links": self.hall.links(sitting.table)})

    def lay(self, data: dict[str, Any]) -> PlayTable:
        """The table that a page asks for: seats (names of agents that there are, or person), variant (no file) and seed; or
        the text of a position; or a game that may be looked at and the turn from which to play on."""
        seats, variant, seed = data.get("seats"), data.get("variant", "standard"), data.get("seed")
        if (
            not isinstance(seats, list)
            or not 2 <= len(seats) <= 5
            or not all(isinstance(seat, str) for seat in seats)
        ):
            raise ValueError("Two to five seats are needed, each a name.")
        for seat in seats:
            if seat != PERSON and seat not in self.agents:
                raise ValueError(f"No agent {shown(seat)} sits here: choose one of the list.")
        if PERSON not in seats:
            raise ValueError("Nobody plays: seat a person.")
        if (
            not isinstance(variant, str)
            or not variant.replace("=", "")
            .replace(",", "")
            .replace("-", "")
            .replace("_", "")
            .isalnum()
        ):
            raise ValueError("A variant is a name, or settings such as colours=3,hand=4.")
        if seed is not None and (type(seed) is not int or not 0 <= seed < 1 << 53):
            raise ValueError("A seed is a whole number.")
        position = data.get("position") or ""
        if not isinstance(position, str):
            raise ValueError("A position is sent as its text.")
        if "game" in data:
            game: Game | Position = self.shelf.at(data["game"], data.get("turn"))
        else:
            game = (
                Position.read(position)
                if position
                else new_game(
                    read_variant(variant),
                    len(seats),
                    secrets.randbelow(1 << 32) if seed is None else seed,
                )
            )
        table = PlayTable(
            [PERSON if seat == PERSON else self.agents[seat] for seat in seats],
            game,
            new_file(self.hall.folder),
        )
        table.save()
        return table

    async def page(self, request: Request) -> Response:
        """A seat's page: it holds nothing of the game, which its script asks for."""
        await self._sitting(request)
        place = "Play" if request.state.inside else ""
        return sheet(
            "play.html.j2",
            place,
            TABLE_SCRIPTS,
            levels=list(enumerate(LEVELS)),
            agents=list(self.agents),
        )

    async def state(self, request: Request) -> Response:
        """The table as a seat sees it: at once, or when there is something newer than ?version=…"""
        sitting, seat = await self._sitting(request)
        version, begun, turns = (
            number_of(request.query_params.get(key, "0")) for key in ("version", "begun", "turns")
        )
        try:
            await sitting.wait(seat, version, self.news)
        except ValueError as error:
            raise HTTPException(429, str(error)) from None
        page = {
            "inside": request.state.inside,
            "game_page": f"/games/{request.path_params['name']}",
        }
        return JSONResponse(await sitting.sent(seat, (begun, turns)) | page)

    async def again(self, request: Request) -> Response:
        """Lay another table for the same players once a game is over; the answer holds the links of its seats."""
        if not request.state.inside:
            raise HTTPException(403, "This needs the link with the token that was printed.")
        sitting, _ = await self._sitting(request)
        deal = (await json_of(request)).get("deal")
        laid = self.hall.add(
            await told(
                self.hall.run(lambda: SeatViews(again(sitting.table, deal, self.hall.folder)))
            )
        )
        return JSONResponse({"links": self.hall.links(laid.table)})

    async def act(self, request: Request) -> Response:
        """What a person does at its seat."""
        sitting, seat = await self._sitting(request)
        acts = {
            "move": _move,
            "back": _back,
            "help": _help,
            "note": _note,
            "name": _name,
            "why": _why,
            "advice": self._advice,
        }
        act = acts.get(request.path_params["act"])
        if act is None:
            raise HTTPException(404, "There is nothing of this kind to do.")
        data = await json_of(request)
        answers = act in (_why, acts["advice"])
        line = await told(sitting.do(partial(act, seat, data), changes=not answers))
        return JSONResponse({"line": line or ""})

    def _advice(self, seat: int, data: dict[str, Any], table: PlayTable) -> str:
        spec = str(data.get("agent") or "")
        if table.to_move != seat:
            raise ValueError("It is not your turn.")
        if spec and spec not in self.agents:
            raise ValueError(f"No agent {shown(spec)} is here: choose one of the list.")
        return advice(table, self.agents[spec] if spec else adviser(table))

    async def _sitting(self, request: Request) -> tuple[OpenTable, int]:
        """(the table, the seat) of a link; 404 for any that is none."""
        given = request.path_params
        sitting = (
            await told(self.hall.enter(given["name"], given["seat"], given["proof"]))
            if given["seat"] < 5
            else None
        )
        if sitting is None:
            raise HTTPException(404, "This link leads to no seat.")
        return sitting, given["seat"]


def _move(seat: int, data: dict[str, Any], table: PlayTable) -> None:
    move, turn = data.get("move"), data.get("turn")
    if not isinstance(move, str) or type(turn) is not int:
        raise ValueError("A move is sent as its text, with the turn.")
    if turn != table.turn:
        raise ValueError("The table has moved on: look again.")
    table.make(seat, move)


def _back(seat: int, data: dict[str, Any], table: PlayTable) -> str:
    return f"Back to turn {table.take_back(seat)}. The moves since are kept as a side line."


def _help(seat: int, data: dict[str, Any], table: PlayTable) -> None:
    table.set_help(seat, str(data.get("level", "")))


def _note(seat: int, data: dict[str, Any], table: PlayTable) -> None:
    table.set_note(seat, str(data.get("note", "")))


def _name(seat: int, data: dict[str, Any], table: PlayTable) -> None:
    table.set_name(seat, str(data.get("name", "")))


def _why(seat: int, data: dict[str, Any], table: PlayTable) -> str:
    turn = data.get("turn")
    if type(turn) is not int:
        raise ValueError("Say of which turn.")
    return why(table, turn)


async def _refused(request, error):
    return _said(request, error.status_code, str(error.detail))


async def _broken(request, error):
    # the rest of a seat's path is secret
    log.error("hanabi: a page of /%s failed", request.url.path.split("/")[1], exc_info=error)
    return _said(request, 500, "Something went wrong here; your game is kept.")


def _said(request, status, sentence):
    first = (
        "Play"
        if request.url.path.startswith("/seat/")
        else "Runs"
        if request.url.path == "/compare"
        else "elsewhere"
    )
    first = first if request.state.inside else ""
    return refusal(status, sentence, request.headers.get("accept", ""), first)
