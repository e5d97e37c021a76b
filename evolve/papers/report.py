"""Reports of papers: the papers that modules of this folder register, and tables in files.

``hanabi experiment`` makes them. Tables are written as Markdown and as CSV.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hanabi.files import make_folder, write_whole
from hanabi.registry import LateModules, Registry
from hanabi.rules.agents import load


class Paper(NamedTuple):
    """A publication that is set beside what this program finds.

    Attributes:
        name: Name for ``hanabi experiment``.
        title: What it is, in a line.
        report: Called as report(games, progress=progress), and progress with (done, of, what);
            returns data for JSON. Its ``tables`` have a name, a title, columns, rows and a note
            each.
        has_people: Whether ``report`` takes ``people``, a file or a folder of recorded games, and
            adds a row for each of their partners to its tables.
    """

    name: str
    title: str
    report: Callable[..., dict[str, Any]]
    has_people: bool = False


PAPERS: Registry[Paper] = Registry("paper", LateModules("hanabi.evolve.papers.*"))


def register_paper(
    name: str, title: str, report: Callable[..., dict[str, Any]], has_people: bool = False
) -> None:
    """Register a paper; see ``Paper``. Raises ValueError if its name is taken."""
    PAPERS.add(name, Paper(name, title, report, has_people))


LEAST = 200  # games below which no standard error is printed: scores near 25 are skewed


def cell(column: str, value: object) -> str:
    """Return a table's cell as text.

    Our own numbers have three digits after the point, published ones two, differences in standard
    errors one.
    """
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return "" if value is None else str(value)
    for part, form in (
        ("in s.e.", "+.1f"),
        ("difference", "+.3f"),
        ("ours", ".3f"),
        ("s.e.", ".3f"),
    ):
        if part in column:
            return f"{value:{form}}"
    return f"{value:.2f}"


def markdown(table: dict[str, Any]) -> str:
    """Return a report's table in Markdown: title, rows and note; numbers are right-aligned."""
    right = [
        all(isinstance(value, (int, float, type(None))) for value in column)
        for column in zip(*table["rows"], strict=True)
    ]
    rows = (list(map(cell, table["columns"], row)) for row in table["rows"])
    parts = [f"**{table['title']}**\n", aligned_table(table["columns"], right, rows), ""]
    return "\n".join(parts + ([table["note"], ""] if table["note"] else []))


def aligned_table(
    columns: Sequence[str], right: Sequence[bool], rows: Iterable[Sequence[str]]
) -> str:
    """Return a Markdown table; ``right`` are the columns that are right-aligned."""
    sides = "|".join("--:" if side else "---" for side in right)
    lines = [f"| {' | '.join(columns)} |", f"|{sides}|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def differences(names: Iterable[str]) -> dict[str, Any]:
    """Return a table of how named agents differ from their source, without those that do not."""
    rows = [[name, found] for name in dict.fromkeys(names) if (found := load(name).differs)]
    return dict(
        name="differences",
        title="Where our agents differ from their source",
        columns=["agent", "differs"],
        rows=rows,
        note="",
    )


def write_folder(folder: Path, name: str, data: dict[str, Any]) -> list[Path]:
    """Write a CSV file per table of a report, and one Markdown file of all; return the files.

    Raises:
        ValueError: If the folder cannot be written.
    """
    files = {f"{name}.md": "\n".join(map(markdown, data["tables"]))}
    for table in data["tables"]:
        rows = io.StringIO()
        csv.writer(rows, lineterminator="\n").writerows([table["columns"], *table["rows"]])
        files[f"{table['name']}.csv"] = rows.getvalue()
    make_folder(folder)
    for file, content in files.items():
        write_whole(folder / file, content)
    return [folder / file for file in files]
