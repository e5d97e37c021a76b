"""Measure what only a browser shows of the workbench: first paint, the list, and a drawn row.

hanabi bench pages-browser    # needs selenium, chromium and chromedriver
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hanabi.evolve.bench.page_cost import apart
from hanabi.evolve.bench.registry import ROUNDS, Rows, benchmark, entry

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
BUDGETS = {  # the most that each row may be
    "ms, first paint": 150,
    "ms, list and library there": 400,
    "ms, edit to row drawn": 16,
}
PAINTED = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
THERE = """
const there = document.querySelector("#rules .row1") && document.querySelector("#shelf .add");
return there ? performance.now() : null;"""
EDIT = """
const row = () => document.querySelector("#rules .row1"), was = row().className;
const start = performance.now();
row().querySelector("[role=switch]").click();
return row().className !== was ? performance.now() - start : null;"""


@benchmark("pages-browser")
def pages_browser() -> Rows:
    """Measure the workbench with an agent in headless Chromium: medians of some loads."""
    times: dict[str, list[float]] = {unit: [] for unit in BUDGETS}
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (host, _):
        window = _start(f"{folder}/profile")
        try:
            for _ in range(ROUNDS + 1):
                window.get("about:blank")
                window.get(f"http://{host}/build?agent=piers")
                for unit, script in zip(BUDGETS, (PAINTED, THERE, EDIT)):
                    times[unit].append(_await(window, script))
        finally:
            window.quit()
    return [  # the first load fills the caches of the browser and of the server
        entry("pages-browser", 3, statistics.median(times[unit][1:]), f"{unit} (at most {most})")
        for unit, most in BUDGETS.items()
    ]


def _start(profile: str) -> Any:
    """Start a headless Chromium and return its driver.

    Raises:
        ValueError: There is none, or selenium is not installed.
    """
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (find_spec("selenium") and chromium and driver):
        raise ValueError("pages-browser needs chromium, chromedriver and pip install selenium")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def _await(window: Any, script: str, patience: float = 60.0) -> float:
    """Return what a script answers once it answers a number.

    Raises:
        ValueError: It does not for some seconds.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = window.execute_script(script)
        if found is not None:
            return float(found)
        time.sleep(0.01)
    raise ValueError(f"the page shows no number for {patience:.0f} s: {script}")
