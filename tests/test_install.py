"""The package as it is given away: sdist and wheel hold all of it, and a fresh environment with the
wheel alone plays.

Nothing is fetched: both are built by the setuptools of the tests, and the fresh environment sees
the other packages that are here.
"""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from paths import PATIENCE, ROOT

import hanabi
from hanabi.rules.agents import load

PACKAGES = ("hanabi", "rules", "evolve")
BUILD = (
    "import setuptools.build_meta as backend\nfor kind in {kinds}:\n    getattr(backend,"
    " f'build_{{kind}}')({into!r})"
)


def run(*words, folder, **more):
    """What a command prints that has to succeed."""
    done = subprocess.run(
        [*map(str, words)], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder, into, *kinds):
    """Build what a folder holds, in a process of its own, by the hooks that pip calls."""
    run(sys.executable, "-c", BUILD.format(kinds=kinds, into=str(into)), folder=folder)


def whole(wheel):
    """Every file of a wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(the sdist, the wheel), built from a copy of this folder: of what the Dockerfile copies,
    which therefore is enough.
    """
    folder, passed = tmp_path_factory.mktemp("build"), (ROOT / ".dockerignore").read_text().split()
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        for name in line.split()[1:-1] if line.startswith("COPY ") else ():
            assert f"!{name}" in passed, f".dockerignore keeps {name} out"
            if (ROOT / name).is_dir():
                copytree(ROOT / name, folder / "tree" / name, ignore=ignore_patterns("__pycache__"))
            else:
                (folder / "tree").mkdir(exist_ok=True)
                copy(ROOT / name, folder / "tree")
    build(folder / "tree", folder, "sdist", "wheel")
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


def test_every_file_goes_along(made):
    """Also agents, presets, templates, scripts of pages and tables: whatever lies in the
    packages.
    """
    there = {
        (
            path.relative_to(ROOT) if name == "hanabi" else "hanabi" / path.relative_to(ROOT)
        ).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    held = {name for name in whole(made[1]) if ".dist-info/" not in name}
    assert held == there and made[1].name.endswith("-py3-none-any.whl")


def test_the_sdist_builds_the_same_wheel(made, tmp_path):
    with tarfile.open(made[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    build(tree, tmp_path, "wheel")
    assert whole(next(tmp_path.glob("*.whl"))) == whole(made[1])


def test_the_wheel_plays_in_a_fresh_environment(made, tmp_path):
    place = tmp_path / "fresh"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "HANABI_PLAIN": "1"
    }
    venv.create(place, symlinks=True)
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        place / "bin/python",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-compile",
        "--disable-pip-version-check",
        made[1],
        folder=tmp_path,
        env=environment,
    )
    (site,) = place.glob("lib/python*/site-packages")
    assert not {"rules", "evolve"} & {path.name for path in site.iterdir()}, (
        "other packages have these names"
    )
    (site / "others.pth").write_text(
        "\n".join(path for path in sys.path if Path(path).name.endswith("-packages"))
    )
    command, elsewhere = place / "bin/hanabi", tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(command, "--help", folder=elsewhere, env=environment).startswith("hanabi: ")
    shown = run(
        command, "show", "piers", "--players", 3, "--seed", 7, folder=elsewhere, env=environment
    )
    assert shown.startswith("standard, 3 players, seed 7: Ann (piers)") and "Game over: " in shown
    where = run(
        place / "bin/python",
        "-c",
        "import hanabi; print(hanabi.__path__[0])",
        folder=elsewhere,
        env=environment,
    )
    assert where.strip() == str(site / "hanabi") and not list(elsewhere.iterdir())


def test_the_first_command_of_readme_installs_a_checkout(made, tmp_path):
    """In a folder that has the checkout alone; the packages that it needs are here already."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    program, *words = re.search(r"`(pip install [^`]*)` in a clone", readme)[1].split()
    with tarfile.open(made[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (checkout,) = tmp_path.iterdir()
    fresh = tmp_path / "fresh"
    venv.create(fresh, symlinks=True)
    (site,) = fresh.glob("lib/python*/site-packages")
    packages = [path for path in sys.path if Path(path).name.endswith("-packages")]
    (site / "others.pth").write_text("\n".join(packages))
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--no-compile")
    pip = (sys.executable, "-m", program, "--python", fresh / "bin/python")
    run(*pip, *words, "-q", "--disable-pip-version-check", *offline, folder=checkout)
    plain = os.environ | {"HANABI_PLAIN": "1"}
    shown = run(fresh / "bin/hanabi", "agents", "convention-10", folder=tmp_path, env=plain)
    assert load("convention-10").at(2).rules[0].says in " ".join(shown.split())


def test_a_release_has_whole_links_and_addresses(tmp_path, monkeypatch):
    """.ci/release_text.py on a copy: an index shows README without the repository around it."""
    for name in ("README.md", "pyproject.toml", "hanabi/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    release = runpy.run_path(str(ROOT / ".ci/release_text.py"))["main"]
    monkeypatch.setitem(release.__globals__, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="the tag v9 is not v"):
        release("https://code.example/a/b", "v9")
    release("https://code.example/a/b", f"v{hanabi.__version__}")
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)|src=\"([^\"]+)", text)
    assert links and all(re.match("https?:|#", one or other) for one, other in links)
    assert f"https://code.example/a/b/blob/v{hanabi.__version__}/CONTRIBUTING.md" in text
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "urls"
    ]
    assert urls["Issues"] == "https://code.example/a/b/issues"
