"""Charts and tables as HTML that a notebook shows.

It is one piece without network or script; dark on white in any theme.
"""

from collections.abc import Iterable
from html import escape

from hanabi.evolve.charts.chart import PAPER, Chart

CLASS = "hanabi-cell"
# notebooks colour the rows of tables for their theme
TABLES = f"""<style>
.{CLASS} tr, .{CLASS} tr:hover {{ background: none !important; color: inherit }}
.{CLASS} th, .{CLASS} td {{ border-bottom: 1px solid {PAPER["line"]} }}
.{CLASS} code {{ background: none !important; color: {PAPER["muted"]} !important }}
</style>"""
STYLE = f"background:{PAPER['panel']};color:{PAPER['ink']};padding:12px;max-width:900px"


def cell(headline: str, charts: Iterable[Chart], table: str) -> str:
    """Return the HTML of a notebook's cell: a headline, charts with their captions, a table."""
    figures = (drawing(chart.svg(chart.wide, PAPER), chart.says, chart.caption) for chart in charts)
    content = f"<p><b>{escape(headline)}</b></p>{''.join(figures)}{table}"
    return f'<div class="{CLASS}" style="{STYLE}">{TABLES}{content}</div>'


def drawing(svg: str, says: str, caption: str = "") -> str:
    """Return an SVG with its sentence for readers who cannot see it, and its caption."""
    below = f'<p style="color:{PAPER["muted"]}">{escape(caption)}</p>' if caption else ""
    return f'<div role="img" aria-label="{escape(says)}">{svg}</div>{below}'
