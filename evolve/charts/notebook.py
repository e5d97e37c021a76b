"""Charts and a table as HTML that a notebook shows.

It is one piece without network, script or style sheet; dark on white in any theme.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from hanabi.evolve.charts.chart import PAPER, Chart

STYLE = f"background:{PAPER['panel']};color:{PAPER['ink']};padding:12px;max-width:900px"


def cell(headline: str, charts: Iterable[Chart], table: str) -> str:
    """Return the HTML of a notebook's cell: a headline, charts with their captions, a table."""
    figures = (drawing(chart.svg(chart.wide, PAPER), chart.says, chart.caption) for chart in charts)
    return f'<div style="{STYLE}"><p><b>{escape(headline)}</b></p>{"".join(figures)}{table}</div>'


def drawing(svg: str, says: str, caption: str = "") -> str:
    """Return an SVG with its sentence for readers who cannot see it, and its caption."""
    below = f'<p style="color:{PAPER["muted"]}">{escape(caption)}</p>' if caption else ""
    return f'<div role="img" aria-label="{escape(says)}">{svg}</div>{below}'
