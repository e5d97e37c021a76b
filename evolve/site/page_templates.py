"""Pages of the site from its templates; nothing of what is put in is taken for markup."""

from __future__ import annotations

from functools import cache
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from hanabi.evolve.charts.number_format import plus_minus
from hanabi.evolve.reports.page_parts import FAVICON, STYLES

SHEETS = {
    "Runs": "/runs",
    "Agents": "/agents",
    "Tournament": "/tournament",
    "Games": "/games",
    "Play": "/play",
}


@cache
def _templates():
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("hanabi.evolve.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["plus_minus"] = plus_minus
    return found


def refusal(status: int, sentence: str, accept: str, place: str = "") -> Response:
    """What is wrong, in one line: as a page for who opens an address in a browser, as data for scripts. ``accept``: what is asked for."""
    if "text/html" not in accept:
        return JSONResponse({"error": sentence}, status)
    found = sheet("wrong.html.j2", place, (), sentence=sentence)
    found.status_code = status
    return found


def sheet(template: str, place: str, scripts: tuple[str, ...], **values: Any) -> HTMLResponse:
    """A page of a template; ``place``: which of SHEETS it belongs to, "" for a seat's, whose guest sees no other."""
    return HTMLResponse(
        _templates()
        .get_template(template)
        .render(
            styles=(*STYLES, "site.css"),
            favicon=FAVICON,
            scripts=scripts,
            place=place,
            sheets=SHEETS if place else {},
            **values,
        )
    )
