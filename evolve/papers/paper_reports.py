"""What publications report, set beside what this program finds: ``hanabi reproduce WHAT``.

Each entry of REPORTS returns (data that JSON can hold, the same as text for a terminal). Where the data has ``tables``
(name, title, columns, rows, note), they can be written to a folder as CSV and Markdown, and into a README.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from hanabi.files import FileWriteError, read_text, write_whole
from hanabi.variant import nearest

Report = tuple[dict[str, Any], str]
Progress = Callable[..., None] | None  # called with (done, of, what is at hand)


def cig2018(games: int | None = None, progress: Progress = None) -> Report:
    """Canaan et al. 2018: Tables III to VI, and the mirror scores of their agents."""
    from hanabi.evolve.papers.cig2018 import GAMES, report

    data = report(games or GAMES, progress=progress)
    return data, "\n".join(map(markdown, data["tables"]))


def irvall(games: int | None = None, progress: Progress = None) -> Report:
    """Irvall's thesis of 2023: the sizes of its models, its times, its agent."""
    from hanabi.evolve.papers.irvall import report

    return report(games, progress)


def mas(games: int | None = None, progress: Progress = None) -> Report:
    """A student report on multi-agent systems: its game of 18 cards, its model of three classes, its strategy."""
    from hanabi.evolve.papers.student_report import GAMES, report

    data = report(games or GAMES, progress)
    return data, "\n".join(map(markdown, data["tables"]))


def zhao(games: int | None = None, progress: Progress = None, people: str = "") -> Report:
    """Zhao's dissertation of 2022: scores, times and moves of its belief search; ``people``: games of `hanabi play` beside them."""
    from hanabi.evolve.papers.zhao import GAMES, report

    data = report(games or GAMES, progress, people)
    return data, "\n".join(map(markdown, data["tables"]))


def osawa(games: int | None = None, progress: Progress = None) -> Report:
    """Osawa 2015: his five strategies with five and with two cards, the readings of the one that simulates its partner."""
    from hanabi.evolve.papers.osawa import report

    data = report(games, progress=progress)
    return data, "\n".join(map(markdown, data["tables"]))


WITH_TABLES = {"cig2018", "mas", "osawa", "zhao"}
REPORTS: dict[str, Callable[..., Report]] = {
    "cig2018": cig2018,
    "irvall": irvall,
    "mas": mas,
    "osawa": osawa,
    "zhao": zhao,
}


def reproduce(
    what: str,
    games: int | None = None,
    tables: bool = False,
    progress: Progress = None,
    people: str = "",
) -> Report:
    """A report by its name. ``games`` per row and player count; ``tables``: is asked for only if the report has tables to write;
    ``progress``: called with (done, of, what is at hand); ``people``: for zhao, a file or folder of games that people played.
    ValueError, one line, before anything is played.
    """
    if what not in REPORTS:
        raise ValueError(
            f"nothing to reproduce is called {what!r}{nearest(what, REPORTS)}; there are"
            f" {', '.join(REPORTS)}"
        )
    if tables and what not in WITH_TABLES:
        raise ValueError(f"reproduce {what} has no tables to write: use --json")
    if people and what != "zhao":
        raise ValueError(
            f"games of people stand beside those of zhao, not of {what}: leave --people out"
        )
    return REPORTS[what](games, progress=progress, **({"people": people} if people else {}))


def cell(column: str, value: object) -> str:
    """A table's cell as text: ours to three places, differences in standard errors to one, others' as printed."""
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return "" if value is None else str(value)
    return (
        f"{value:+.1f}"
        if "in s.e." in column
        else (
            f"{value:+.3f}"
            if "difference" in column
            else (f"{value:.3f}" if "ours" in column or "s.e." in column else f"{value:.2f}")
        )
    )


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table in Markdown; the first columns (``left``) are set left, the others right."""
    sides = "|".join(["---"] * left + ["--:"] * (len(columns) - left))
    return "\n".join(
        [f"| {' | '.join(columns)} |", f"|{sides}|", *(f"| {' | '.join(row)} |" for row in rows)]
    )


def markdown(table: dict) -> str:
    """A table in Markdown: its title, its rows and its note."""
    right = [
        all(isinstance(value, (int, float, type(None))) for value in column)
        for column in zip(*table["rows"], strict=True)
    ]
    lines = [
        f"**{table['title']}**",
        "",
        f"| {' | '.join(table['columns'])} |",
        f"|{'|'.join('--:' if number else '---' for number in right)}|",
        *(f"| {' | '.join(map(cell, table['columns'], row))} |" for row in table["rows"]),
        "",
    ]
    return "\n".join(lines + ([table["note"], ""] if table["note"] else []))


def write_folder(folder: Path, what: str, data: dict) -> list[Path]:
    """Write a CSV per table and one Markdown text of all; the files written. ValueError where that cannot be done."""
    files = {f"{what}.md": "\n".join(map(markdown, data["tables"]))}
    for table in data["tables"]:
        rows = io.StringIO()
        csv.writer(rows, lineterminator="\n").writerows([table["columns"], *table["rows"]])
        files[f"{table['name']}.csv"] = rows.getvalue()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileWriteError(folder, error) from None
    for name, content in files.items():
        write_whole(folder / name, content)
    return [folder / name for name in files]


def refreshed(text: str, what: str, tables: str) -> str:
    """A README's text with what stands between ``<!-- table: what -->`` and ``<!-- end -->`` made new."""
    begin, end = f"<!-- table: {what} -->", "<!-- end -->"
    if not re.search(f"{re.escape(begin)}.*?{re.escape(end)}", text, re.DOTALL):
        raise ValueError(f"there is no place for the tables: write the lines {begin} and {end}")
    return re.sub(
        f"{re.escape(begin)}.*?{re.escape(end)}",
        lambda _: f"{begin}\n{tables.rstrip()}\n{end}",
        text,
        count=1,
        flags=re.DOTALL,
    )


class Page:
    """A README whose tables are renewed: read, and asked for the place of the tables, before anything is played."""

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what
        self.before = read_text(path)
        refreshed(self.before, what, "")

    def write(self, tables: str) -> None:
        """Write the page with these tables."""
        write_whole(self.path, refreshed(self.before, self.what, tables))
