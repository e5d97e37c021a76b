"""The table of a seat's link and of a spectators' link; any other link is refused."""

from starlette.exceptions import HTTPException
from starlette.requests import Request

from hanabi.evolve.site.requests import await_result
from hanabi.evolve.site.tables import OpenTable, OpenTables

SEAT = "/seat/{name}/{seat:int}/{proof}"
WATCH = "/watch/{name}/{proof}"


async def open_seat(tables: OpenTables, request: Request) -> tuple[OpenTable, int]:
    """Return the table and the seat of a link. Raises HTTPException 404 for any other."""
    given = request.path_params
    found = None
    if given["seat"] < 5:
        found = await await_result(tables.enter(given["name"], given["seat"], given["proof"]))
    if found is None:
        raise HTTPException(404, "This link leads to no seat.")
    return found, given["seat"]


async def open_watched(tables: OpenTables, request: Request) -> OpenTable:
    """Return the table of a spectators' link. Raises HTTPException 404 for any other."""
    given = request.path_params
    found = await await_result(tables.watch(given["name"], given["proof"]))
    if found is None:
        raise HTTPException(404, "Nobody may watch here, or no longer: ask for the link again.")
    return found
