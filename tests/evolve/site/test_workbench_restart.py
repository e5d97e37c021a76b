"""The site is killed while the workbench improves a list, and begun again: the page goes on."""

import subprocess
from contextlib import contextmanager

import pytest
from browser import TOKENS
from folders import ENVIRONMENT, HANABI
from workbench_window import RULES, Workbench

from hanabi.evolve.site.serving import listen

pytest.importorskip("selenium")


@contextmanager
def served(folder, port):
    """`hanabi serve` in a process of its own, from the line with its address on; then killed."""
    process = subprocess.Popen(
        [*HANABI, "serve", "--port", str(port)],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        link = process.stdout.readline()
        assert f":{port}" in link
        TOKENS[f"http://127.0.0.1:{port}"] = link.strip().rpartition("token=")[2]
        yield
    finally:
        process.kill()  # SIGKILL: it can keep nothing and say nothing
        process.communicate()


@pytest.mark.slow
def test_the_site_is_killed_while_it_improves_and_started_again(browser, tmp_path):
    """What is edited meanwhile is measured by itself, and the next search finds offers."""
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    bench = Workbench(browser, f"http://127.0.0.1:{port}")
    stubs = {"build/sweep": ["wait"]}
    with served(tmp_path, port):
        bench.open_list(RULES, ["focus(ranks=0)"], stubs=stubs)
        before, _ = bench.measured()
        bench.click("#go")
        bench.wait_text("#budget", "s left")
    assert "what you build is kept in this browser" in bench.wait_text("#lost", "not heard from")
    assert bench.text("#go") == "Stop"
    bench.click(bench.row(0, "[role=switch]"))
    bench.browser.wait(lambda _: len(bench.versions()) == 2)
    with served(tmp_path, port):
        bench.browser.wait(lambda _: bench.text("#lost") == "")
        assert "press Improve again" in bench.wait_text("#wrong", "started again")
        assert bench.text("#go") == "Improve for 20 s"
        after, error = bench.measured()
        assert after < before - 10 * error, "without its first rule"
        assert "over version 1" in bench.wait_text("#gain", "version 1")
        bench.click("#undo")
        assert bench.measured()[0] == before
        bench.click("#go")
        bench.browser.wait(lambda _: bench.all("#offers .take"))
        bench.click("#go")
        bench.browser.wait(lambda _: bench.text("#go") == "Improve for 20 s")
    browser.errors()  # requests that were not answered
