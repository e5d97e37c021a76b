"""Result tables of README and the docs are made of committed data, not typed by hand.

A page has ``<!-- table: NAME -->`` alone where the site puts a table (docs/generate). Where a command
of this project writes one, it is between that line and ``<!-- end -->``.
"""

import re
from typing import NamedTuple

import pytest
from paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKED = re.compile(r"<!-- table: ([\w -]+) -->\n(.*?)<!-- end -->", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
TABLE = re.compile(r"^(\|.*\|)\n\|[-:| ]+\|\n((?:\|.*\n?)+)", re.M)
NUMBER = r"[+−-]?\d[\d,]*(?:\.\d+)?"
UNIT = "(?: ?%| (?:ns|µs|ms|s|min|h|MB|GB|M))?"
MEASURED = re.compile(rf"\**{NUMBER}\**(?: ± [\d.]+)?{UNIT}(?: ?[–/] ?{NUMBER}{UNIT})*\**")
FRACTION = re.compile(r"\d\.\d|\d,\d\d\d|±|%|ms|µs| s$|MB|GB")
SETTINGS = {"default", "value", "values"}  # columns of settings are chosen, not measured


class Table(NamedTuple):
    """A table of a page.

    Attributes:
        columns: Its headings.
        rows: Its cells.
    """

    columns: list[str]
    rows: list[list[str]]


def tables(text):
    """The tables of a text."""

    def cells(line):
        return [cell.strip() for cell in line.strip().strip("|").split("|")]

    return [
        Table(cells(head), [cells(line) for line in body.splitlines()])
        for head, body in TABLE.findall(text)
    ]


def shows_results(table):
    """Whether a column of a table holds measured numbers: in half of its cells or more, and some of
    them with a fraction, an error or a unit.
    """
    if SETTINGS & set(table.columns):
        return False
    for column in list(zip(*table.rows, strict=False))[1:]:
        found = [cell for cell in column if MEASURED.fullmatch(cell)]
        if 2 * len(found) >= len(column) and any(map(FRACTION.search, found)):
            return True
    return False


def typed_tables(text):
    """The headings of the result tables that no command wrote."""
    text = FENCED.sub("", MARKED.sub("", text))
    return [" | ".join(table.columns) for table in tables(text) if shows_results(table)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_result_table_is_typed(path):
    assert not typed_tables(path.read_text(encoding="utf-8"))


def test_every_marked_table_has_a_command():
    """Its name stands in the code that writes it."""
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("evolve/papers", "evolve/bench", "tests/support")
        for path in sorted((ROOT / folder).rglob("*.py"))
    )
    for path in PAGES:
        for name, _ in MARKED.findall(path.read_text(encoding="utf-8")):
            assert re.search(rf"\"{name}\"|table: {name}|\b{name}=", code), f"{path.name}: {name}"


@pytest.mark.parametrize(
    "rows, results",
    [
        ("| a | 24.16 |\n| b | 23.9 |", True),
        ("| a | 24.16 ± 0.01 |\n| b | |", True),
        ("| a | **+0.45** |\n| b | none |", True),
        ("| a | 12 ms |\n| b | 7 |", True),
        ("| a | 53% |", True),
        ("| a | 41,400 |", True),
        ("| a | 0.19–6.1 s |", True),
        ("| a | 327 M / 2.2 G |\n| b | 8.2 / 55 GB |", True),
        ("| 1 | a rule |\n| 2 | another |", False),
        ("| a | 3 |\n| b | 5 |", False),  # counts, such as the cards of a hand
        ("| a | at most 0.3 |\n| b | two |", False),
        ("| 0.5 | the first column names the row |", False),
    ],
)
def test_the_check_sees_typed_results(rows, results):
    text = f"words\n\n| what | here |\n|---|--:|\n{rows}\n"
    assert bool(typed_tables(text)) is results
    assert not typed_tables(text.replace("| here |", "| default |"))
    assert not typed_tables(f"```\n{text}```\n")
    marked = text.replace("| what", "<!-- table: t -->\n| what") + "<!-- end -->\n"
    assert not typed_tables(marked)
    assert bool(typed_tables(marked.replace("<!-- end -->", ""))) is results
