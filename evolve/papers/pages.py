"""Write the tables of the pages in docs/papers from the reports in docs/data.

A page names a table of its report where it stands: ``<!-- table: zhao-weights -->``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hanabi.evolve.papers.report_tables import markdown, refreshed

FOLDER = Path("docs/papers")
PAGES = {  # file in docs/data, made by `hanabi reproduce PAPER --json`: its page
    "cig2018.json": "cig2018.md",
    "osawa.json": "osawa.md",
    "irvall.json": "irvall.md",
    "mas.json": "student-report.md",
    "zhao.json": "zhao.md",
}
MARKER = re.compile(r"<!-- table: (\S+) -->")


def page(text: str, report: Mapping[str, Any]) -> str:
    """Return a page with new tables of a report in the places that name them.

    Raises:
        ValueError: If the page names a table that the report does not have.
    """
    tables = {table["name"]: table for table in report["tables"]}
    for name in MARKER.findall(text):
        if name not in tables:
            raise ValueError(f"no table {name!r} in the report; there are {', '.join(tables)}")
        text = refreshed(text, name, markdown(tables[name]))
    return text
