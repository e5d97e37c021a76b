"""What commands print: tables as wide as the terminal, lists of sentences, data."""
from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> Console:
    """Where tables go: as wide as the terminal, 110 columns where there is none."""
    from rich.console import Console
    return Console(highlight=False, width=None if sys.stdout.isatty() else 110, soft_wrap=False)


def table(title: str, *columns: str) -> Table:
    """A plain rich table; a column whose name begins with > is right-aligned, one that begins with < never broken."""
    from rich import box
    from rich.table import Table
    grid = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        grid.add_column(column.lstrip("<>"), justify="right" if column.startswith(">") else "left",
                        overflow="fold", no_wrap=column[:1] in ("<", ">"))
    return grid


def put(grid: Table) -> None:
    """Print a table below its title; rich would break the title where the table ends."""
    title, grid.title = grid.title, None
    out = console()
    out.print(f"{title}\n", markup=False)
    out.print(grid)


def listing(title: str, *columns: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """Rows of (number, text, text), names and sentences, as a table where it is wide enough, else one below the other."""
    from textwrap import wrap

    from rich.markup import escape
    out, names = console(), min((1, 2), key=lambda i: max((len(row[i]) for row in rows), default=0))
    if out.width >= 48 + max((len(row[names]) for row in rows), default=0):
        grid = table(title, ">" + columns[0], *(f"{'<' * (i == names)}{column}" for i, column in enumerate(columns[1:], 1)))
        for row in rows:
            grid.add_row(*map(escape, row))
        put(grid)
        return
    out.print(f"{title}\n", markup=False)
    wide = max(len(row[0]) for row in rows) if rows else 0
    for number, *texts in rows:
        for i, text in enumerate(texts):
            lines = wrap(text, max(20, out.width - wide - 3 - 2 * i), break_long_words=False, break_on_hyphens=False)
            for j, line in enumerate(lines):
                out.print(f"{number if i + j == 0 else '':>{wide}} {'  ' * i}{line}", markup=False, soft_wrap=True)


def counted(number: int, one: str, more: str = "") -> str:
    """``1 rule``, ``2 rules``, ``1,000 games``; ``more`` where it is not ``one`` with an s."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def print_json(data: Any) -> None:
    """Data on standard output."""
    print(json.dumps(data, indent=1))
