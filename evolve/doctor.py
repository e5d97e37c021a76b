"""What this machine has for hanabi and what it lacks: versions, cores, memory, the place of machine code, each extra.

What is needed stands once, in the package's own metadata (pyproject.toml), and is read from there.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import hanabi
from hanabi.evolve.bridges.bot_process import HLE_BUILD

PACKAGE = "hanabi-evolve"
BROWSER = "chromium", "chromedriver"  # what the tests of pages need
BUILT_WITH = {
    "hanabi-learning-environment": f"{HLE_BUILD} "
}  # package: what has to stand before pip; it comes as source only
LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container


def examine() -> dict[str, Any]:
    """What is there and what is missing, as data. ``problems``: what keeps hanabi from working well, a sentence each."""
    try:
        package: Distribution | None = distribution(PACKAGE)
    except PackageNotFoundError:
        package = None
    needed = [Requirement(line) for line in (package.requires if package else None) or ()]
    packages = {one.name: _installed(one.name) for one in needed if _asked(one)}
    wrong = [one for one in needed if _asked(one) and not _met(one)]
    found = {
        "hanabi": {"version": hanabi.__version__, "folder": str(Path(hanabi.__file__).parents[1])},
        "python": {
            "version": platform.python_version(),
            "program": sys.executable,
            "system": platform.platform(terse=True),
        },
        "packages": packages,
        "compiling": _or_problem(_compiling),
        "cache": _cache(),
        "cores": _or_problem(_cores),
        "memory": _memory(),
        "backends": [],
        "browser": {name: shutil.which(name) for name in BROWSER},
        "extras": {
            name: _extra(name, needed)
            for name in sorted(
                (package.metadata.get_all("Provides-Extra") if package else None) or ()
            )
        },
    }
    found["backends"] = _or_problem(lambda: _backends(found["extras"]))
    found["problems"] = list(_problems(found, package is not None, wrong))
    return found


def _asked(one: Requirement, extra: str = "") -> bool:
    """Is it needed on this machine: by all, or by an extra (and then not by all)?"""
    always = one.marker is None or one.marker.evaluate({"extra": ""})
    return (
        always
        if not extra
        else not always and one.marker is not None and one.marker.evaluate({"extra": extra})
    )


def _installed(name: str) -> str | None:
    """The version of a package, None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _met(one: Requirement) -> bool:
    there = _installed(one.name)
    return there is not None and one.specifier.contains(there, prereleases=True)


def _extra(name: str, needed: list[Requirement]) -> dict[str, Any]:
    """What is there of an extra, and the one command that installs the rest."""
    its = [one for one in needed if _asked(one, name)]
    missing = [one for one in its if not _met(one)]
    return {
        "packages": {one.name: _installed(one.name) for one in its},
        "missing": [_plainly(one) for one in missing],
        "install": _install(missing),
    }


def _plainly(one: Requirement) -> str:
    """A requirement without the condition under which it is one."""
    return (
        f"{one.name}{'[' + ','.join(sorted(one.extras)) + ']' if one.extras else ''}{one.specifier}"
    )


def _install(missing: list[Requirement]) -> str:
    """The command that installs some packages; "" for none."""
    before = "".join(BUILT_WITH.get(one.name, "") for one in missing)
    return (
        before + shlex.join([sys.executable, "-m", "pip", "install", *map(_plainly, missing)])
        if missing
        else ""
    )


def _or_problem(find: Callable[[], Any]) -> Any:
    """What is found, or in one line why it is not: what is broken must not keep the rest from being told."""
    try:
        return find()
    except Exception as error:  # of any package that is looked at
        return {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}


def _compiling() -> str:
    """numba's version, if it can make machine code here."""
    import numba

    if numba.njit(lambda number: number + 1)(1) != 2:
        raise ValueError("numba makes wrong machine code")
    return str(numba.__version__)


def _cache() -> dict[str, Any]:
    """Where machine code is kept, how large it is, and whether more can be written there."""
    from hanabi.backend.code_cache import ROOM, kept_in

    folder = kept_in()
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    size = (
        sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
        if folder.is_dir()
        else 0
    )
    problem = ""
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        problem = (error.strerror or "an error").lower()
    return {
        "folder": str(folder),
        "bytes": size,
        "free": shutil.disk_usage(there).free,
        "problem": problem,
    }


def _cores() -> dict[str, int]:
    from hanabi.backend.warmup import usable_cores

    return {"usable": usable_cores(), "all": os.cpu_count() or 1}


def _memory() -> dict[str, int | None]:
    """Bytes of memory that this process may use, and that are free now; None where the system does not tell."""
    most = free = None
    with suppress(OSError, ValueError):
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = min(most, int(LIMIT.read_text()))  # "max" where there is no limit
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = 1024 * int(
            next(line for line in lines if line.startswith("MemAvailable:")).split()[1]
        )
    return {"bytes": most, "free": free}


def _backends(extras):
    """The backends that workers may have here: one that is named like an extra needs its packages."""
    from hanabi.evolve.measure.clusters import ADDRESS_OPTIONS
    from hanabi.evolve.measure.workers import BACKENDS

    return [
        name
        for name in (*BACKENDS, *ADDRESS_OPTIONS)
        if name not in extras or not extras[name]["missing"]
    ]


def _problems(found, packaged, wrong):
    if not packaged:
        yield f"{PACKAGE} is not installed for this Python: in its folder, {shlex.join([sys.executable, '-m', 'pip', 'install', '.'])}"
    if wrong:
        yield f"needed and not there in this version: {', '.join(map(_plainly, wrong))}: {_install(wrong)}"
    if isinstance(found["compiling"], dict):
        yield f"numba makes no machine code ({found['compiling']['error']}); HANABI_PLAIN=1 plays without, a thousand times slower"
    if found["cache"]["problem"]:
        yield (
            f"machine code cannot be kept in {found['cache']['folder']} ({found['cache']['problem']}): HANABI_CACHE names another "
            "folder; without, each start compiles"
        )


def lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    """What was found, as (what, text) lines."""
    python, cache, cores, memory = (found[name] for name in ("python", "cache", "cores", "memory"))
    size = f"{_size(memory['bytes'])}, {_size(memory['free'])} free"
    rows = [
        ("hanabi", f"{found['hanabi']['version']} in {found['hanabi']['folder']}"),
        ("Python", f"{python['version']}, {python['program']}, on {python['system']}"),
        ("packages", _listed(found["packages"]) or "unknown"),
        ("compiling", _text(found["compiling"], lambda numba: f"numba {numba} makes machine code")),
        (
            "cache",
            f"{cache['folder']}: {_size(cache['bytes'])}, {_size(cache['free'])} free, "
            + (f"cannot be written: {cache['problem']}" if cache["problem"] else "can be written"),
        ),
        ("cores", _text(cores, lambda some: f"{some['usable']} usable of {some['all']}")),
        ("memory", size),
        ("backends", _text(found["backends"], ", ".join)),
        (
            "browser",
            ", ".join(path or f"no {name}" for name, path in found["browser"].items())
            + " (for tests of pages)",
        ),
    ]
    for name, extra in found["extras"].items():
        there = (
            _listed({one: its for one, its in extra["packages"].items() if its})
            or "nothing of it is there"
        )
        rows.append((f"[{name}]", f"{there}; {extra['install']}" if extra["missing"] else there))
    return rows + [("problem", text) for text in found["problems"]]


def _listed(packages):
    return ", ".join(f"{name} {its or 'MISSING'}" for name, its in packages.items())


def _text(found, words):
    return found["error"] if isinstance(found, dict) and "error" in found else words(found)


def _size(number):
    """Bytes as text."""
    if number is None:
        return "unknown"
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"
