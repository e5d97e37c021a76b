"""Measure an exported page: its weight, and the time to the first move in a browser without a cache.

python tests/bench static-page    # without a Chromium or Pyodide's files no rows
"""

from __future__ import annotations

import gzip
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.chromium import find_chromium, window
from bench.page_cost import ROUNDS
from hanabi.evolve.bench.benchmark_registry import Rows, benchmark, entry
from hanabi.evolve.site.page_export import find_pyodide, write_page

AGENTS = ("pairs", "hgroup-5", "piers")
BUILD = Path(__file__).parents[2] / "build"
SERVER = """
import functools, http.server, sys
files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
print(server.server_port, flush=True)
server.serve_forever()
"""
FIRST = "static page to the first move, empty cache"
DEAL = "document.readyState === 'complete' && !document.querySelector('#lay .do').click()"
MY_TURN = "document.querySelector('#line').textContent.startsWith('Your turn') && performance.now()"


@benchmark("static-page")
def static_page() -> Rows:
    """Measure the bytes of a page with three agents, and the time until its first move."""
    path = find_chromium()
    try:
        pyodide = find_pyodide(cache=BUILD)
    except ValueError:
        return []
    with tempfile.TemporaryDirectory() as folder:
        write_page(AGENTS, Path(folder), str(pyodide))
        files = [file.read_bytes() for file in Path(folder).rglob("*") if file.is_file()]
        rows = [
            entry("static-page", None, sum(map(len, files)) / 1e6, "MB", what="static page"),
            entry(
                "static-page",
                None,
                sum(len(gzip.compress(data)) for data in files) / 1e6,
                "MB",
                what="static page, compressed",
            ),
        ]
        if path:
            seconds = statistics.median(_first_move(path, folder) for _ in range(ROUNDS))
            rows.append(entry("static-page", None, seconds, "s", what=FIRST, at_most=10))
        return rows


def _first_move(path: str, folder: str) -> float:
    """Return the seconds from an empty cache until a person can move."""
    command = [sys.executable, "-c", SERVER, folder]
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server,
        window(path) as page,
    ):
        try:
            assert server.stdout is not None
            address = f"http://127.0.0.1:{server.stdout.readline().strip()}/"
            start = time.perf_counter()
            page.open(address)
            page.wait(DEAL)
            page.wait(MY_TURN)
            return time.perf_counter() - start
        finally:
            server.kill()
