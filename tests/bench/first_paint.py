"""Measure when pages of the site are painted in a Chromium on this machine.

python tests/bench paints    # milliseconds, the median of five loads; without a Chromium no rows
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from bench.chromium import Window, find_chromium, window
from bench.page_cost import Address, Guest, apart
from hanabi.evolve.bench.benchmark_registry import ROUNDS, Rows, benchmark, entry
from hanabi.evolve.reports.run_report import page_of

PAGES = ("/", "/play", "/build?agent=piers", "/evolve", "/agents", "/tournament", "/games")
RUNS = Path("runs/reference")  # that the pages list, where one is in a checkout
REPORT = "mirror-cig2018"  # of these runs
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
THERE = (
    "document.querySelectorAll('#rules .row1').length"
    " && document.querySelectorAll('#shelf .add').length > 20 && performance.now()"
)
EMPTY = "data:text/html,Hello"  # what the browser itself takes
EDIT = """(() => {
  const row = () => document.querySelector("#rules .row1"), was = row().className;
  const start = performance.now();
  row().querySelector("[role=switch]").click();
  return row().className === was ? null : performance.now() - start;
})()"""


def workbench_times(site: Address) -> dict[str, float]:
    """Return the milliseconds of the workbench in a browser; nothing without one.

    Returns:
        ``first paint``; ``list and library there``; ``edit to row drawn``; ``first paint of an
        empty page``.
    """
    path = find_chromium()
    if path is None:
        return {}
    times: dict[str, list[float]] = {}
    with window(path) as page:
        page.open(site.link)
        for _ in range(ROUNDS):
            page.open(EMPTY)
            times.setdefault("first paint of an empty page", []).append(page.wait(PAINT))
            page.open(f"http://{site.host}/build?agent=piers")
            times.setdefault("list and library there", []).append(page.wait(THERE))
            times.setdefault("first paint", []).append(page.wait(PAINT))
            times.setdefault("edit to row drawn", []).append(page.wait(EDIT))
    return {what: statistics.median(values) for what, values in times.items()}


@benchmark("paints")
def paints() -> Rows:
    """Measure the first paint of each page, of a table, and of the report of a reference run."""
    path = find_chromium()
    if path is None:
        return []
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder), RUNS) as (site, _):
        places = {page: f"http://{site.host}{page}" for page in PAGES}
        places["a table"] = f"http://{site.host}{Guest(site).sit(1)}"
        if (RUNS / REPORT).is_dir():
            report = Path(folder) / "report.html"
            report.write_text(page_of(RUNS / REPORT, jobs=1)[0], encoding="utf-8")
            places["report.html"] = report.as_uri()
        with window(path) as page:
            page.open(site.link)
            return [
                entry("paints", None, _first_paint(page, place), "ms, first paint", what=name)
                for name, place in places.items()
            ]


def _first_paint(page: Window, address: str) -> float:
    """Return the median milliseconds until a page is painted first."""
    times = []
    for _ in range(ROUNDS):
        page.open(address)
        times.append(page.wait(PAINT))
    return statistics.median(times)
