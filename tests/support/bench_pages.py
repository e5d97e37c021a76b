"""Measure when pages are painted in a browser on this machine: python tests/support/bench_pages.py.
Milliseconds, median of 5 loads.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from browser import started  # noqa: E402 - a script beside the tests

from hanabi.evolve.bench.page_cost import Guest, apart  # noqa: E402
from hanabi.evolve.bench.registry import ROUNDS  # noqa: E402
from hanabi.evolve.reports.run_report import page_of  # noqa: E402

TIMES = """return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
 performance.getEntriesByType('navigation')[0].loadEventEnd]"""


def loaded(window, address):
    """Return (first paint, everything loaded) of a page, in milliseconds."""
    window.get("about:blank")
    window.get(address)
    while not all(found := window.execute_script(TIMES)):
        time.sleep(0.05)
    return found


EDIT = """
const row = () => document.querySelector("#rules .row1"), was = row().className, start = performance.now();
row().querySelector("[role=switch]").click();
const drawn = row().className !== was;
return [drawn, performance.now() - start];"""


def workbench(window, address):
    """Milliseconds at the workbench until the list and the library are there, and from an edit
    until its row is drawn.
    """
    there, drawn = [], []
    for _ in range(ROUNDS):
        window.get("about:blank")
        window.get(address)
        while not window.execute_script(
            "return document.querySelectorAll('#rules .row1, #shelf .add').length > 20"
        ):
            time.sleep(0.01)
        there.append(window.execute_script("return performance.now()"))
        is_drawn, spent = window.execute_script(EDIT)
        assert is_drawn
        drawn.append(spent)
    return statistics.median(there), statistics.median(drawn)


def main():
    reference = ROOT / "runs" / "reference"
    with (
        tempfile.TemporaryDirectory() as profile,
        tempfile.TemporaryDirectory() as folder,
        apart(Path(folder), reference) as (host, _),
    ):
        window = started(profile)
        try:
            report = Path(folder) / "report.html"
            report.write_text(page_of(reference / "mirror-cig2018", jobs=1)[0], encoding="utf-8")
            print(f"report.html: {report.stat().st_size / 1e6:.1f} MB")
            places = {
                "report.html": report.as_uri(),
                "a table": f"http://{host}{Guest(host).sit(1)}",
                **{
                    name: f"http://{host}/{name}"
                    for name in ("runs", "agents", "tournament", "play", "build?agent=piers")
                },
            }
            for name, address in places.items():
                paint, whole = map(
                    statistics.median, zip(*(loaded(window, address) for _ in range(ROUNDS)))
                )
                print(f"{name:18} first paint {paint:6.0f} ms, all loaded {whole:6.0f} ms")
            there, drawn = workbench(window, places["build?agent=piers"])
            print(f"workbench: list and library there after {there:.0f} ms (at most 400)")
            print(f"workbench: {drawn:.1f} ms from an edit until its row is drawn (at most 16)")
        finally:
            window.quit()


if __name__ == "__main__":
    main()
