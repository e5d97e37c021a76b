"""What commands print: tables and texts as wide as there is room, games in colour, data; and what takes so long at first."""
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

SAID: set[str] = set()                       # what is said once in a process
NARROW, PIPED, READABLE = 60, 110, 100       # columns: the fewest, those of a pipe without COLUMNS, the most for a game's text
PROSE = 24                                   # columns that a column of sentences has at least


def width() -> int:
    """How many columns there are: those of COLUMNS, else of the terminal, else 110; at least 60."""
    return max(NARROW, shutil.get_terminal_size((PIPED, 24)).columns if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED)


def console() -> Console:
    """Standard output as rich knows it: colours on a terminal, or with FORCE_COLOR; none with NO_COLOR."""
    from rich.console import Console
    return Console(highlight=False, width=width(), color_system=None if os.environ.get("NO_COLOR") else "auto")


def say(text: str, indent: int = 2) -> None:
    """Print a text; a line that is too long goes on in the next one, so much further in than it began."""
    print("\n".join(folded(text, indent)))


def folded(text: str, indent: int = 2) -> list[str]:
    """The lines of a text, too long ones folded; nothing is cut off, and no line ends in blanks."""
    lines = []
    for line in map(str.rstrip, text.split("\n")):
        start = line[:len(line) - len(line.lstrip())]
        lines += textwrap.wrap(line[len(start):], width(), initial_indent=start, subsequent_indent=start + " " * indent,
                               break_long_words=False, break_on_hyphens=False) or [""]
    return lines


@dataclass
class Grid:
    """A table to be printed by ``put``. A column whose name begins with > is right-aligned and never broken, one that
    begins with < never broken; others hold sentences. ``keys``: so many columns name the row."""
    title: str
    columns: tuple[str, ...]
    keys: int = 1
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        """One more row, a text for each column."""
        self.rows.append(cells)

    def wide(self) -> list[int]:
        """How wide each column is where nothing is folded."""
        from rich.cells import cell_len
        return [max(map(cell_len, (column.lstrip("<>"), *(row[i] for row in self.rows)))) for i, column in enumerate(self.columns)]

    def blocks(self, room: int) -> list[dict[int, int]]:
        """The columns that stand side by side, with their widths; what finds no room stands below, with the keys again."""
        wide, key = self.wide(), range(self.keys)
        least = [size if column[:1] in (">", "<") else min(size, PROSE) for size, column in zip(wide, self.columns, strict=True)]
        if self.keys and sum(wide) + 2 * len(wide) - 2 > room:       # then keys take at most half of the room
            most = room // 2 - sum(wide[:self.keys - 1]) - 2 * (self.keys - 1)
            least[self.keys - 1] = min(wide[self.keys - 1], most)
        found: list[list[int]] = [[]]
        for i in range(self.keys, len(wide)):
            if found[-1] and sum(least[j] + 2 for j in (*key, *found[-1], i)) - 2 > room:
                found.append([])
            found[-1].append(i)
        return [self._shared({j: min(least[j], room) for j in (*key, *some)}, wide, room) for some in found]

    @staticmethod
    def _shared(sizes: dict[int, int], wide: list[int], room: int) -> dict[int, int]:
        """The widths of a block, what is left given to the columns that could use it, the last one first."""
        left = room - sum(sizes.values()) - 2 * (len(sizes) - 1)
        for i in reversed(sizes):
            more = max(0, min(left, wide[i] - sizes[i]))
            sizes[i] += more
            left -= more
        return sizes


def table(title: str, *columns: str, keys: int = 1) -> Grid:
    """An empty table: see Grid."""
    return Grid(title, columns, keys)


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
            drawn.add_column(escape(grid.columns[i].lstrip("<>")), width=size, overflow="fold",
                             justify="right" if grid.columns[i].startswith(">") else "left")
        for row in grid.rows:
            if place == 0 or any(row[i] for i in list(block)[grid.keys:]):
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
        grid = table(title, ">" + columns[0], *(f"{'<' * (i == names)}{column}" for i, column in enumerate(columns[1:], 1)), keys=0)
        for row in rows:
            grid.add_row(*row)
        put(grid)
        return
    say(f"{title}\n", 0)
    wide = max(len(row[0]) for row in rows) if rows else 0
    for number, *texts in rows:
        for i, text in enumerate(texts):
            lines = textwrap.wrap(text, width() - wide - 3 - 2 * i, break_long_words=False, break_on_hyphens=False)
            for j, line in enumerate(lines):
                print(f"{number if i + j == 0 else '':>{wide}} {'  ' * i}{line}".rstrip())


SUITS = {"red": "red", "blue": "bright_blue", "green": "green", "yellow": "yellow", "white": "bold", "purple": "magenta"}


def coloured(text: str) -> Text:
    """The text of a game or a position with its colours: cards by suit, who moves, marks, and what is good or bad."""
    from rich.text import Text
    shown = Text(text)
    for word, style in SUITS.items():
        shown.highlight_regex(rf"\b({word[0].upper()}\d*|{word})\b", style)
    for pattern, style in (
            (r"(?m)^Turn \d+", "bold"), (r"(?m)^> \w+", "bold reverse"), (r"(?m)^  = .*(\n    .*)*", "italic cyan"),
            (r"(?m)^    (?! )[\w.]+(\([^)]*\))?(?=:)", "dim"), (r"\btokens 0\b|\blives [01]\b|\b(a|the last) life( is lost)?\b", "bold red"),
            (r"\bit does not fit\b", "red"), (r"\bit fits\b", "green"), (r"(?m)^(Game over|So far)\b|\b\d+ of \d+ points?\b", "bold")):
        shown.highlight_regex(pattern, style)
    return shown


def put_game(text: str, pager: bool = False) -> None:
    """Print the text of a game or a position, in colour on a terminal; by a pager, if wanted and if it is longer than that."""
    out = console()
    if not out.is_terminal:                  # the bytes as they are
        print(text, end="")
    elif pager and sys.stdout.isatty() and sys.stdin.isatty() and text.count("\n") >= out.height:
        os.environ.setdefault("LESS", "-R")  # less shows colours only so
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


def say_first_compile() -> None:
    """Once for each version on a machine, should it come to that: what takes so long before the first game."""
    from hanabi import machine
    if "compile" not in SAID:
        SAID.add("compile")
        machine.announce[:] = [lambda: print("Compiling the game and its rules for this machine, about 10 s, once …",
                                             file=sys.stderr, flush=True)]
