"""HTML of values for notebooks.

Boards and tables are drawn by hanabi.evolve, which this package does not import: the drawing
functions are entry points of the installed package (pyproject.toml).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

GROUP = "hanabi.notebook"  # the group of the entry points


def html_of(kind: str, value: Any) -> str | None:
    """Return the HTML of a value; None if nothing draws it, then a notebook shows its text.

    Args:
        kind: The name of the entry point.
        value: What to draw.
    """
    draw = _drawing(kind)
    return draw and draw(value)


@cache
def _drawing(kind: str) -> Callable[[Any], str] | None:
    """Return the function that draws a kind of value, None if there is none."""
    found = entry_points(group=GROUP, name=kind)
    return next((point.load() for point in found), None)
