"""Make the pictures of README from the product: ``python tests/support/pictures.py``.

A headless Chromium shows the pages. ``table`` or ``run`` after the command makes one picture only.

docs/pictures/table.webp: a game at the table of ``hanabi play``. A person at Ann's seat gives two
hints, Bob plays a card that no hint touched, and is asked why. The seed and the agents are fixed,
so the same version makes the same moves.

docs/pictures/run.webp: the beginning of the page that ``hanabi report`` writes of the first run of the
docs, a list in which each rule matters.

The chart is made by ``python -m docs.generate.literature_chart``.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from browser import Browser, started
from paths import ROOT
from PIL import Image

FOLDER = ROOT / "docs/pictures"
PROGRAM = str(Path(sys.executable).with_name("hanabi"))
SEED, PLAYERS = 1, 3
SIZE = (1180, 860)  # pixels of the page
WIDTH = 1000  # pixels of the picture
MOST_BYTES = 1_000_000
FIRST, SECOND = (";", "1"), (";", ";", "r")  # keys: tell Bob his 1s; tell Cal her yellow cards
BLIND = 4  # the turn of Bob's play
READ, LOOK, BLINK = 4200, 1500, 700  # milliseconds that a frame stays


class Frame(NamedTuple):
    """A picture of the page, and the milliseconds that it stays."""

    image: Image.Image
    stays: int


@contextmanager
def table(folder: Path) -> Iterator[str]:
    """Run ``hanabi play`` and yield the address of Ann's seat."""
    command = ["play", "convention", "--players", str(PLAYERS), "--seed", str(SEED)]
    words = [*command, "--no-browser", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield next(
                found[0]
                for line in process.stdout
                for found in [re.search(r"http://\S+/seat/\S+", line)]
                if found
            )
        finally:
            process.terminate()


def look(window: Browser, stays: int) -> Frame:
    """Return what the window shows now."""
    image = Image.open(io.BytesIO(window.driver.get_screenshot_as_png())).convert("RGB")
    height = round(image.height * WIDTH / image.width)
    return Frame(image.resize((WIDTH, height), Image.Resampling.LANCZOS), stays)


def my_turn(window: Browser) -> None:
    """Wait until the agents have moved."""
    window.wait(lambda b: b.text("#line").startswith("Your turn"))


def hint(window: Browser, keys: tuple[str, ...]) -> Iterator[Frame]:
    """Choose a hint by keys, give it, and wait until the agents have moved."""
    made = len(window.all("#moves .n"))
    window.keys(*keys)
    yield look(window, LOOK)
    window.keys("ENTER")
    window.wait(lambda b: len(b.all("#moves .n")) >= made + PLAYERS)
    my_turn(window)
    yield look(window, LOOK)


def play(window: Browser, address: str) -> Iterator[Frame]:
    """Play the scene and yield its frames."""
    window.theme("light", motion="reduce")  # no card is caught in motion
    window.open(address, *SIZE)
    my_turn(window)
    yield look(window, LOOK)
    yield from hint(window, FIRST)
    yield from hint(window, SECOND)
    why = f"#moves [data-why='{BLIND}']"
    window.driver.execute_script(
        "document.querySelector(arguments[0]).focus({focusVisible: true})", why
    )
    yield look(window, BLINK)
    window.find(why).click()
    window.wait(lambda b: b.all("#moves .because"))
    yield look(window, READ)


def save(frames: list[Frame], path: Path) -> None:
    """Write one frame, or several as an animation.

    Raises:
        SystemExit: The picture would be larger than MOST_BYTES.
    """
    images = [frame.image for frame in frames]
    data = io.BytesIO()
    images[0].save(
        data,
        "WEBP",
        save_all=True,
        append_images=images[1:],
        duration=[frame.stays for frame in frames],
        loop=0,
        lossless=True,
        method=6,
    )
    size = len(data.getvalue())
    if size > MOST_BYTES:
        sys.exit(f"{path} would have {size:,} bytes, more than {MOST_BYTES:,}")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.getvalue())
    print(f"{path}: {size:,} bytes")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser, which ends with this context."""
    driver = started()
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def make_table(folder: Path) -> None:
    """Make the picture of the table."""
    with table(folder / "games") as address, chromium() as window:
        save(list(play(window, address)), FOLDER / "table.webp")


def make_run(folder: Path) -> None:
    """Make the picture of a run."""
    evolve = [
        "evolve",
        "--preset",
        "quick",
        "--seed",
        "1",
        "--runs",
        str(folder),
        "--name",
        "quick",
    ]
    subprocess.run([PROGRAM, *evolve], check=True, stdout=subprocess.DEVNULL)
    (run,) = folder.glob("*-quick")
    subprocess.run([PROGRAM, "report", str(run)], check=True)
    with chromium() as window:
        window.theme("light", motion="reduce")
        window.open(run / "report.html", *SIZE)
        save([look(window, READ)], FOLDER / "run.webp")


MAKE = {"table": make_table, "run": make_run}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKE:
        with tempfile.TemporaryDirectory() as temporary:
            MAKE[name](Path(temporary))
