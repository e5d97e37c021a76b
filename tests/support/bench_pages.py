"""Measure when pages are painted in a browser on this machine: python tests/support/bench_pages.py.
Milliseconds, median of 5 loads. The workbench: `hanabi bench pages-browser`.
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
        finally:
            window.quit()


if __name__ == "__main__":
    main()
