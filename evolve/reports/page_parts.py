"""The parts that every page is made of: the board, its colours, and a page around them that needs nothing from outside.

A static page holds them inlined (``page``); a server hands out the files of FOLDER as they are and inserts their names.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hanabi.files import read_text

FOLDER = Path(__file__).with_name("parts")
STYLES = ("page.css", "board.css", "board-sizes.css")
SCRIPTS = (
    "signs.js",
    "cards.js",
    "panels.js",
    "board.js",
    "tables.js",
)  # in this order: each needs what stands before it
FAVICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'%3E"
    "%3Cpath d='M6 .4 11.6 6 6 11.6.4 6Z' fill='%23C4351C'/%3E%3C/svg%3E"
)


def style() -> str:
    """The style sheets as one text."""
    return "".join(read_text(FOLDER / name) for name in STYLES)


def script() -> str:
    """The scripts as one text."""
    return "".join(read_text(FOLDER / name) for name in SCRIPTS)


def data_text(values: Any) -> str:
    """Values as JSON that may stand in a page between ``<script type="application/json">`` and its end, whatever texts they hold."""
    text = json.dumps(values, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def policy(script: str) -> str:
    """A content security policy: this script and no other, styles of the page's own, nothing from the network."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


FIGURE = re.compile(r"[<>]?[+\-−]?[\d.,]+( ± [\d.,]+)?(\s?%)?")  # a number as tables hold it


def text_columns(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bool]:
    """Say of each column of a table whether it holds text, which is aligned left, or numbers; the first column counts as text."""
    return [
        place == 0
        or any(
            row[place] not in ("", None) and not FIGURE.fullmatch(str(row[place])) for row in rows
        )
        for place in range(len(columns))
    ]


def page(template: str, **values: Any) -> str:
    """A page of a template (templates/) with all parts inlined; values are escaped. ``games``: what the board shows, as data."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    code = script()
    found = Environment(
        loader=PackageLoader("hanabi.evolve.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["text_columns"] = text_columns
    return found.get_template(template).render(
        style=Markup(style()),
        script=Markup(code),
        policy=policy(code),
        favicon=FAVICON,
        games=Markup(data_text(values.pop("games", []))),
        **values,
    )
