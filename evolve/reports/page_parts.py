"""The parts of every page: the board, style sheets and scripts; and self-contained pages.

A self-contained page has all parts inlined (``page``). A server sends the files of FOLDER as they
are, and its pages name them.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from hanabi.evolve.charts.chart import plus_minus
from hanabi.files import read_text

FOLDER = Path(__file__).with_name("parts")
STYLES = ("identity.css", "page.css", "board.css", "board-sizes.css")
# in this order: each needs those before it
SCRIPTS = ("signs.js", "cards.js", "panels.js", "board.js", "tables.js")
REVIEW_SCRIPTS = (*SCRIPTS, "retry.js")
FAVICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'%3E"
    "%3Cpath d='M6 .4 11.6 6 6 11.6.4 6Z' fill='%23C4351C'/%3E%3C/svg%3E"
)


def joined(names: Sequence[str]) -> str:
    """Return style sheets, or scripts, as one text."""
    return "".join(read_text(FOLDER / name) for name in names)


def data_text(values: Any) -> str:
    """Return values as JSON that is safe within ``<script type="application/json">``."""
    text = json.dumps(values, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def policy(script: str) -> str:
    """Return a content security policy: one script, inlined styles, nothing from the network."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


FIGURE = re.compile(r"[<>]?[+\-−]?[\d.,]+( ± [\d.,]+)?(\s?%)?")  # a number in a table


def text_columns(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bool]:
    """Return for each column of a table whether it holds text, which is aligned left.

    The first column counts as text.
    """
    return [
        place == 0
        or any(
            row[place] not in ("", None) and not FIGURE.fullmatch(str(row[place])) for row in rows
        )
        for place in range(len(columns))
    ]


def page(
    template: str,
    scripts: Sequence[str] = SCRIPTS,
    styles: Sequence[str] = STYLES,
    **values: Any,
) -> str:
    """Return the page of a template in templates/ with all parts inlined; values are escaped.

    Args:
        template: The name of its file.
        scripts: The scripts, in their order.
        styles: The style sheets.
        **values: What the template inserts; ``games`` is what the scripts show, as data.
    """
    code = joined(scripts)
    return (
        templates("hanabi.evolve.reports")
        .get_template(template)
        .render(
            style=Markup(joined(styles)),
            script=Markup(code),
            policy=policy(code),
            favicon=FAVICON,
            games=Markup(data_text(values.pop("games", []))),
            **values,
        )
    )


def fragment(template: str, **values: Any) -> Markup:
    """Return the text of a template in templates/, as a part of a page; values are escaped."""
    return Markup(templates("hanabi.evolve.reports").get_template(template).render(**values))


@cache
def templates(package: str, escape: bool = True) -> Environment:
    """Return the files in templates/ of a package.

    Args:
        package: The package.
        escape: Whether all that is inserted is escaped: no for files that are no pages.
    """
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not escape,
    )
    environment.globals |= {"text_columns": text_columns, "plus_minus": plus_minus}
    return environment
