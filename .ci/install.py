"""Build the package, install it as a user does, and use it outside of the checkout.

Takes some minutes and needs a package index. Packages come as wheels only, without a compiler.

    python .ci/install.py                    # builds, checks, installs and uses the wheel
    python .ci/install.py FILE.whl           # the same with a wheel that was built before
    python .ci/install.py --wheels FOLDER    # also keeps what was built in a folder
    python .ci/install.py --sizes docs/data/sizes.json    # also measures the extras
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WINDOWS = os.name == "nt"
STARTING = 600  # seconds in which a site starts, compiling included
EXTRAS = "parquet", "dask", "ray"  # those whose size the documentation has
LINK = re.compile(r"http://\S+")


def main() -> None:
    """Run every step; the first that fails ends the process."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel", nargs="?", type=Path)
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--sizes", type=Path)
    options = parser.parse_args()
    sizes = options.sizes and options.sizes.resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name).resolve()
        wheel = options.wheel and options.wheel.resolve()
        wheel = wheel or build(place, options.wheels)
        check_names(wheel)
        scripts = install(place / "fresh", "--only-binary", ":all:", str(wheel))
        base = megabytes(scripts.parent)
        print("size:", base, "MB")
        use(place, scripts)
        if sizes:
            write_sizes(sizes, scripts, wheel, base)
    print("hanabi installs and works with", sys.version.split()[0], "on", sys.platform)


def build(place: Path, keep: Path | None) -> Path:
    """Build the sdist, and the wheel from it; check what an index would show."""
    scripts = install(place / "build", "build", "twine")
    run(scripts / "python", "-m", "build", "-o", place / "dist", ROOT)
    made = sorted((place / "dist").iterdir())
    run(scripts / "python", "-m", "twine", "check", "--strict", *made)
    if keep:
        shutil.copytree(place / "dist", keep, dirs_exist_ok=True)
    return next(file for file in made if file.suffix == ".whl")


def check_names(wheel: Path) -> None:
    """Check that nothing but ``hanabi`` comes to the folder of all packages."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    ours = {"hanabi", *(name for name in tops if name.endswith(".dist-info"))}
    assert tops == ours and len(ours) == 2, f"other packages may have these names: {tops}"


def install(place: Path, *words: str) -> Path:
    """Install packages into a new venv; return the folder of its programs."""
    venv.create(place, with_pip=True)
    scripts = place / ("Scripts" if WINDOWS else "bin")
    run(scripts / "python", "-m", "pip", "install", "-q", *words)
    return scripts


def megabytes(folder: Path) -> int:
    """Return the size of all files below a folder in MB."""
    return round(sum(file.lstat().st_size for file in folder.rglob("*")) / 1e6)


def write_sizes(file: Path, scripts: Path, wheel: Path, base: int) -> None:
    """Install the extras, and write the sizes of all in MB."""
    found, before = {"installed": base}, megabytes(scripts.parent)
    for extra in EXTRAS:
        run(scripts / "python", "-m", "pip", "install", "-q", f"{wheel}[{extra}]")
        after = megabytes(scripts.parent)
        found[extra], before = after - before, after
    system = f"Python {sys.version.split()[0]} on {sys.platform}"
    command = "python .ci/install.py --sizes docs/data/sizes.json"
    data = {"command": command, "system": system, "MB": found}
    file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def use(place: Path, scripts: Path) -> None:
    """Play, evolve, measure, report and serve in an empty folder."""
    folder = place / "work"
    folder.mkdir()
    os.chdir(folder)
    hanabi = scripts / "hanabi"
    run(hanabi, "--version")
    run(hanabi, "show", "piers", "--players", "3", "--seed", "7", "-o", "game.toml")
    run(hanabi, "tournament", "piers", "iggi", "--games", "200", "-o", "scores.json")
    rows = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert {row["agent"] for row in rows} == {"piers", "iggi"}, rows
    small = "players=3", "population=20", "generations=3", "race_games=100", "final_games=200"
    run(hanabi, "evolve", "--preset", "quick", *(f"--set={key}" for key in small))
    (found,) = (folder / "runs").iterdir()
    run(hanabi, "report", found)
    assert "<hanabi-board" in (found / "report.html").read_text(encoding="utf-8")
    run(scripts / "python", "-c", NOTEBOOK)
    serve([hanabi, "play", "--no-browser", "--port", "0"], "hanabi-board")
    serve([hanabi, "serve", "--no-browser", "--port", "0"], "<h1")
    run(hanabi, "doctor")


NOTEBOOK = """
from hanabi import load_game
game = load_game("game.toml")
assert game._repr_html_().startswith("<iframe") and game.position(3)._repr_html_()
"""


def serve(words: list, wanted: str) -> None:
    """Start a site, load its first page, and stop it."""
    print("$", *map(str, words), flush=True)
    new_group = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    site = subprocess.Popen(
        list(map(str, words)), stdout=subprocess.PIPE, text=True, encoding="utf-8", **new_group
    )
    try:
        assert site.stdout is not None
        link = next(found[0] for line in site.stdout if (found := LINK.search(line)))
        print("  ", link)
        with_cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with with_cookies.open(link, timeout=STARTING) as answer:
            page = answer.read().decode("utf-8")
        assert answer.status == 200 and wanted in page, page[:500]
        if WINDOWS:
            site.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            site.send_signal(signal.SIGINT)
        site.wait(30)
    finally:
        site.kill()
        site.wait()


def run(*words: object) -> None:
    """Run a command that has to succeed, and print it."""
    print("$", *words, flush=True)
    start = time.monotonic()
    subprocess.run(list(map(str, words)), check=True)
    print(f"   {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    # no compiler may be used, and machine code is kept apart from that of the user
    cache = tempfile.mkdtemp(prefix="hanabi-install-")
    os.environ |= {"CC": "false", "CXX": "false", "HANABI_CACHE": cache}
    os.environ |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUTF8": "1"}
    try:
        main()
    finally:
        shutil.rmtree(cache, ignore_errors=True)
