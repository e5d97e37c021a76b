"""A headless Chromium that is driven through a pipe, for benchmarks of pages.

Commands are those of the Chrome DevTools Protocol, each a line of JSON that ends with a zero byte.
The tests drive their browser by Selenium, which users need not have.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
# the browser reads from file descriptor 3 and writes to 4
LAUNCHER = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]
for end, wanted in zip(ends, (3, 4)):
    os.dup2(end, wanted)
os.execv(sys.argv[3], sys.argv[3:])
"""
LOOK = 0.02  # seconds between two looks at a page


class Window:
    """A page of the browser.

    Args:
        write: File descriptor of the pipe to the browser.
        read: File descriptor of the pipe from it.
    """

    def __init__(self, write: int, read: int) -> None:
        self._write, self._answers = write, os.fdopen(read, "rb", buffering=0)
        self._numbers, self._rest = itertools.count(1), b""
        self._session = ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]

    def open(self, address: str) -> None:
        """Go to an address; the page is not waited for."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=address)

    def ask(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript.

        Raises:
            RuntimeError: It throws.
        """
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["text"])
        return found["result"].get("value")

    def wait(self, expression: str, seconds: float = 60.0) -> Any:
        """Return the value of an expression once it is true.

        Raises:
            TimeoutError: It does not become true in time.
        """
        end = time.monotonic() + seconds
        while not (found := self.ask(expression)):
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds:.0f} s for {expression}")
            time.sleep(LOOK)
        return found

    def close(self) -> None:
        """Close the pipes."""
        os.close(self._write)
        self._answers.close()

    def _call(self, method: str, **values: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._next())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self) -> bytes:
        """Return the next message of the browser."""
        while b"\0" not in self._rest:
            data = self._answers.read(1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return message


def find_chromium() -> str | None:
    """Return the path of a Chromium; None if there is none, or no POSIX system, which it needs."""
    found = (shutil.which(name) for name in NAMES)
    return next(filter(None, found), None) if os.name == "posix" else None


@contextmanager
def window(path: str) -> Iterator[Window]:
    """Start a browser with an empty profile and yield its page."""
    to_browser, from_browser = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        ends = to_browser[0], from_browser[1]
        words = [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, *map(str, ends), *words],
            pass_fds=ends,
            stderr=subprocess.DEVNULL,
        )
        for end in ends:
            os.close(end)
        page = Window(to_browser[1], from_browser[0])
        try:
            yield page
        finally:
            process.kill()
            process.wait()
            page.close()
