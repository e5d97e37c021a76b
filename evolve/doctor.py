"""Examine this machine for hanabi: versions, cores, memory, the compile cache, each extra.

Requirements are read from the package's metadata (pyproject.toml).
"""

import os
import platform
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
from hanabi.evolve.bridges.engine_bots import HLE_BUILD
from hanabi.shell_command import command

PACKAGE = "hanabi-evolve"
# Environment for pip by package: this one comes as source only.
BUILT_WITH = {"hanabi-learning-environment": f"{HLE_BUILD} "}
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container; "max" where there is none


def examine() -> dict[str, Any]:
    """Return what is installed and what is missing, as data.

    ``problems`` has a sentence for each thing that keeps hanabi from working well.
    """
    try:
        package: Distribution | None = distribution(PACKAGE)
    except PackageNotFoundError:
        package = None
    needed = [Requirement(line) for line in (package.requires if package else None) or ()]
    core = _extra("", needed)
    found = {
        "hanabi": {"version": hanabi.__version__, "folder": str(Path(hanabi.__file__).parents[1])},
        "python": {
            "version": platform.python_version(),
            "program": sys.executable,
            "system": platform.platform(terse=True),
        },
        "packages": core["packages"],
        "compiling": _or_error(_compiling),
        "cache": _cache(),
        "cores": _or_error(_cores),
        "memory": _or_error(_memory),
        "backends": [],
        "extras": {
            name: _extra(name, needed)
            for name in sorted(
                (package.metadata.get_all("Provides-Extra") if package else None) or ()
            )
        },
    }
    found["backends"] = _or_error(lambda: _backends(found["extras"]))
    found["problems"] = list(_problems(found, package is not None, core))
    return found


def _is_required(one: Requirement, extra: str) -> bool:
    """Return whether a requirement is that of an extra only; with "", that of the package."""
    always = one.marker is None or one.marker.evaluate({"extra": ""})
    if always or not extra or one.marker is None:
        return always and not extra
    return one.marker.evaluate({"extra": extra})


def _installed(name: str) -> str | None:
    """Return the version of a package, None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _is_met(one: Requirement) -> bool:
    installed = _installed(one.name)
    return installed is not None and one.specifier.contains(installed, prereleases=True)


def _extra(name: str, needed: list[Requirement]) -> dict[str, Any]:
    """Return what is installed of an extra ("": of all others), and what installs the rest."""
    its = [one for one in needed if _is_required(one, name)]
    missing = [one for one in its if not _is_met(one)]
    words = [_without_marker(one) for one in missing]
    environment = "".join(BUILT_WITH.get(one.name, "") for one in missing)
    return {
        "packages": {one.name: _installed(one.name) for one in its},
        "missing": words,
        "install": environment + _pip_install(*words) if missing else "",
    }


def _without_marker(one: Requirement) -> str:
    """Return a requirement as text, without its marker."""
    extras = f"[{','.join(sorted(one.extras))}]" if one.extras else ""
    return f"{one.name}{extras}{one.specifier}"


def _pip_install(*words):
    return command(sys.executable, "-m", "pip", "install", *words)


def _or_error(find: Callable[[], Any]) -> Any:
    """Return the result of a function, or its error in one line: the rest is still reported."""
    try:
        return find()
    except Exception as error:  # of any package
        return {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}


def _compiling() -> str:
    """Return the version of numba, if it can compile here."""
    import numba

    if numba.njit(lambda number: number + 1)(1) != 2:
        raise ValueError("numba makes wrong machine code")
    return str(numba.__version__)


def _cache() -> dict[str, Any]:
    """Return the folder of the compile cache, its size, and whether it can be written."""
    from hanabi.backend.code_cache import ROOM, cache_root

    folder = cache_root()
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    size = (
        sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
        if folder.is_dir()
        else 0
    )
    problem = ""
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        problem = (error.strerror or "an error").lower()
    return {
        "folder": str(folder),
        "bytes": size,
        "free": shutil.disk_usage(existing).free,
        "problem": problem,
    }


def _cores() -> dict[str, int]:
    from hanabi.backend.warmup import usable_cores

    return {"usable": usable_cores(), "all": os.cpu_count() or 1}


def _memory() -> dict[str, int]:
    """Return how many bytes of memory this process may use, and how many are free."""
    import psutil

    memory = psutil.virtual_memory()
    usable = memory.total
    with suppress(OSError, ValueError):
        usable = min(usable, int(MEMORY_LIMIT.read_text(encoding="ascii")))
    return {"bytes": usable, "free": min(usable, memory.available)}


def _backends(extras):
    """Return the backends for which all packages are installed."""
    from hanabi.evolve.measure.clusters import ADDRESS_OPTIONS
    from hanabi.evolve.measure.workers import BACKENDS

    return [
        name
        for name in (*BACKENDS, *ADDRESS_OPTIONS)
        if name not in extras or not extras[name]["missing"]
    ]


def _problems(found, packaged, core):
    if not packaged:
        yield f"{PACKAGE} is not installed for this Python: in its folder, {_pip_install('.')}"
    if core["missing"]:
        missing = ", ".join(core["missing"])
        yield f"needed and not installed in this version: {missing}: {core['install']}"
    if isinstance(found["compiling"], dict):
        yield (
            f"numba cannot compile ({found['compiling']['error']}); HANABI_PLAIN=1 plays without, "
            "a thousand times slower"
        )
    cache = found["cache"]
    if cache["problem"]:
        yield (
            f"the compile cache {cache['folder']} cannot be written ({cache['problem']}): set "
            "HANABI_CACHE to another folder; without a cache, each start compiles"
        )


def lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was found as (name, text) lines."""
    python, cache = found["python"], found["cache"]
    writable = f"cannot be written: {cache['problem']}" if cache["problem"] else "can be written"
    space = f"{_size(cache['bytes'])}, {_size(cache['free'])} free"
    rows = [
        ("hanabi", f"{found['hanabi']['version']} in {found['hanabi']['folder']}"),
        ("Python", f"{python['version']}, {python['program']}, on {python['system']}"),
        ("packages", _listed(found["packages"]) or "unknown"),
        ("compiling", _text(found["compiling"], lambda numba: f"numba {numba} makes machine code")),
        ("cache", f"{cache['folder']}: {space}, {writable}"),
        ("cores", _text(found["cores"], lambda some: f"{some['usable']} usable of {some['all']}")),
        (
            "memory",
            _text(
                found["memory"],
                lambda some: f"{_size(some['bytes'])}, {_size(some['free'])} free",
            ),
        ),
        ("backends", _text(found["backends"], ", ".join)),
    ]
    for name, extra in found["extras"].items():
        installed = {one: version for one, version in extra["packages"].items() if version}
        text = _listed(installed) or "nothing of it is installed"
        rows.append((f"[{name}]", f"{text}; {extra['install']}" if extra["missing"] else text))
    return rows + [("problem", text) for text in found["problems"]]


def _listed(packages):
    return ", ".join(f"{name} {version or 'MISSING'}" for name, version in packages.items())


def _text(found, words):
    return found["error"] if isinstance(found, dict) and "error" in found else words(found)


def _size(number):
    """Bytes as text."""
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"
