"""What commands print: tables and texts as wide as there is room, games in colour, data."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NARROW, PIPED, READABLE = (
    60,
    110,
    100,
)  # columns: the fewest, those of a pipe without COLUMNS, the most for a game's text
PROSE = 24  # columns that a column of sentences has at least


def width() -> int:
    """How many columns there are: those of COLUMNS, else of the terminal, else 110; at least 60."""
    return max(
        NARROW,
        (
            shutil.get_terminal_size((PIPED, 24)).columns
            if sys.stdout.isatty() or "COLUMNS" in os.environ
            else PIPED
        ),
    )


def console() -> Console:
    """Standard output as rich knows it: colours on a terminal, or with FORCE_COLOR; none with NO_COLOR."""
    from rich.console import Console

    return Console(
        highlight=False, width=width(), color_system=None if os.environ.get("NO_COLOR") else "auto"
    )


def say(text: str, indent: int = 2) -> None:
    """Print a text; a line that is too long goes on in the next one, so much further in than it began."""
    print("\n".join(folded(text, indent)))


def folded(text: str, indent: int = 2) -> list[str]:
    """The lines of a text, too long ones folded; nothing is cut off, and no line ends in blanks."""
    lines = []
    for line in map(str.rstrip, text.split("\n")):
        start = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line[len(start) :],
            width(),
            initial_indent=start,
            subsequent_indent=start + " " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return lines


@dataclass
class Grid:
    """A table to be printed by ``put``; ``columns``: (what it is called, "" for sentences, > for a right-aligned column that
    is never broken, < for a left-aligned one). The first one names the row; ``groups``: the others by place, those together that
    belong together."""

    title: str
    columns: list[tuple[str, str]]
    groups: list[list[int]]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        """One more row, a text for each column."""
        self.rows.append(cells)

    def blocks(self, room: int) -> list[dict[int, int]]:
        """The columns that stand side by side, with their widths; what finds no room stands below, with the first again."""
        from rich.cells import cell_len

        wide = [
            max(map(cell_len, (name, *(row[i] for row in self.rows))))
            for i, (name, _) in enumerate(self.columns)
        ]
        least = [
            size if kind else min(size, PROSE)
            for size, (_, kind) in zip(wide, self.columns, strict=True)
        ]

        def fits(columns):
            return sum(least[i] + 2 for i in columns) - 2 <= room

        if not fits(range(len(wide))):  # then the first takes at most half of the room
            least[0] = min(wide[0], room // 2)
        found = [[0]]
        for part in (
            part
            for group in self.groups
            for part in ([group] if fits([0, *group]) else [[i] for i in group])
        ):
            if len(found[-1]) > 1 and not fits([*found[-1], *part]):
                found.append([0])
            found[-1] += part
        return [_shared({i: min(least[i], room) for i in some}, wide, room) for some in found]


def _shared(sizes, wide, room):
    """The widths of a block, what is left given to the columns that could use it, the last one first."""
    left = room - sum(sizes.values()) - 2 * (len(sizes) - 1)
    for i in reversed(sizes):
        more = max(0, min(left, wide[i] - sizes[i]))
        sizes[i] += more
        left -= more
    return sizes


def table(title: str, *columns: str) -> Grid:
    """An empty table. A column whose name begins with > is right-aligned and never broken, one that begins with < never
    broken; others hold sentences. Where there is no room for all of them, those behind a | move below together.
    """
    groups: list[list[int]] = [[]]
    for i, column in enumerate(columns[1:], 1):
        if column.startswith("|"):
            groups.append([])
        groups[-1].append(i)
    kinds = [
        (name.lstrip("<>"), name[:1] if name[:1] in ("<", ">") else "")
        for name in (column.lstrip("|") for column in columns)
    ]
    return Grid(title, kinds, groups)


def put(grid: Grid) -> None:
    """Print a table below its title: as wide as there is room, and with too many columns as several tables, one below the
    other. Nothing is cut off, and no line ends in blanks."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    say(grid.title, 0)
    out = console()
    for place, block in enumerate(grid.blocks(out.width)):
        drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
        for i, size in block.items():
            name, kind = grid.columns[i]
            drawn.add_column(
                escape(name),
                width=size,
                overflow="fold",
                justify="right" if kind == ">" else "left",
            )
        for row in grid.rows:
            if place == 0 or any(row[i] for i in list(block)[1:]):
                drawn.add_row(*(escape(row[i]) for i in block))
        print()
        for line in out.render_lines(drawn, pad=False):
            text = Text.assemble(*((part.text, part.style or "") for part in line))
            text.rstrip()
            out.print(text, soft_wrap=True)


def listing(title: str, *columns: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """Rows of (number, text, text), names and sentences, as a table where it is wide enough, else one below the other."""
    names = min((1, 2), key=lambda i: max((len(row[i]) for row in rows), default=0))
    if width() >= 48 + max((len(row[names]) for row in rows), default=0):
        grid = table(
            title,
            ">" + columns[0],
            *(f"{'<' * (i == names)}{column}" for i, column in enumerate(columns[1:], 1)),
        )
        for row in rows:
            grid.add_row(*row)
        put(grid)
        return
    say(f"{title}\n", 0)
    wide = max(len(row[0]) for row in rows) if rows else 0
    for number, *texts in rows:
        for i, text in enumerate(texts):
            lines = textwrap.wrap(
                text, width() - wide - 3 - 2 * i, break_long_words=False, break_on_hyphens=False
            )
            for j, line in enumerate(lines):
                print(f"{number if i + j == 0 else '':>{wide}} {'  ' * i}{line}".rstrip())


SUITS = {
    "red": "red",
    "blue": "bright_blue",
    "green": "green",
    "yellow": "yellow",
    "white": "bold",
    "purple": "magenta",
}


def coloured(text: str) -> Text:
    """The text of a game or a position with its colours: cards by suit, who moves, marks, and what is good or bad."""
    from rich.text import Text

    shown = Text(text)
    for pattern, style in (
        (r"(?m)^Turn \d+", "bold"),
        (r"(?m)^> \w+", "bold reverse"),
        (r"(?m)^  = .*(\n    .*)*", "italic cyan"),
        (r"(?m)^    (?! )[\w.]+(\([^)]*\))?(?=:)", "dim"),
        (r"\btokens 0\b|\blives [01]\b|\b(a|the last) life( is lost)?\b", "bold red"),
        (r"\bit does not fit\b", "red"),
        (r"\bit fits\b", "green"),
        (r"(?m)^(Game over|So far)\b|\b\d+ of \d+ points?\b", "bold"),
    ):
        shown.highlight_regex(pattern, style)
    for word, style in SUITS.items():  # R3, R in RBG12, red
        letter = word[0].upper()
        shown.highlight_regex(rf"\b{letter}\d*\b|{letter}(?=[RBGYWP]*\d*\b)|\b{word}\b", style)
    return shown


def put_game(text: str, pager: bool = False) -> None:
    """Print the text of a game or a position, in colour on a terminal; ``pager``: by $PAGER where it is longer than that."""
    out = console()
    if not out.is_terminal:  # the bytes as they are
        print(text, end="")
    elif pager and sys.stdout.isatty() and sys.stdin.isatty() and text.count("\n") >= out.height:
        os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R"  # less shows colours only so
        os.environ.pop("MANPAGER", None)  # Python would take it before PAGER
        with out.pager(styles=True):
            out.print(coloured(text), soft_wrap=True, end="")
    else:
        out.print(coloured(text), soft_wrap=True, end="")


def counted(number: int, one: str, more: str = "") -> str:
    """``1 rule``, ``2 rules``, ``1,000 games``; ``more`` where it is not ``one`` with an s."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def print_json(data: Any) -> None:
    """Data on standard output."""
    print(json.dumps(data, indent=1))
