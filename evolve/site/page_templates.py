"""Render the pages of the site from their templates; all inserted text is escaped."""

from functools import cache
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from hanabi.evolve.charts.number_format import plus_minus
from hanabi.evolve.reports.page_parts import FAVICON, STYLES
from hanabi.evolve.site.page_registry import navigation

TABLE_SCRIPTS = (  # of a page where one plays, after SCRIPTS
    "table-link.js",
    "table-preview.js",
    "table-motion.js",
    "table-settings.js",
    "table-watching.js",
    "play.js",
)


@cache
def _environment():
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("hanabi.evolve.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["plus_minus"] = plus_minus
    return environment


def template_text(template: str, /, **values: Any) -> str:
    """Return the text of a file in templates/, with values inserted."""
    return _environment().get_template(template).render(**values)


def render_error(
    status: int, sentence: str, accept: str, place: str = "", more: dict[str, Any] | None = None
) -> Response:
    """Return an error of one line: as a page for a browser, as JSON for a script.

    Args:
        status: The HTTP status.
        sentence: What is wrong.
        accept: The request's Accept header.
        place: The title of the page in the navigation; "" shows no navigation.
        more: What JSON tells besides the sentence.
    """
    if "text/html" not in accept:
        return JSONResponse({"error": sentence, **(more or {})}, status)
    response = render_page("wrong.html.j2", place, (), sentence=sentence)
    response.status_code = status
    return response


def render_page(template: str, place: str, scripts: tuple[str, ...], **values: Any) -> HTMLResponse:
    """Return the page of a template.

    Args:
        template: A file in templates/.
        place: The title of the page in the navigation; "" for a guest at a seat, who gets none.
        scripts: Names of script files, in the order in which they run.
        **values: What the template inserts.
    """
    text = template_text(
        template,
        styles=(*STYLES, "site.css"),
        favicon=FAVICON,
        scripts=scripts,
        place=place,
        sheets=navigation() if place else {},
        **values,
    )
    return HTMLResponse(text)
