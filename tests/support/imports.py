"""Which of our modules a file imports, read from its text."""

import ast
from functools import cache
from pathlib import Path

from paths import BENCH, ROOT, SUPPORT

PACKAGES = ("hanabi", "rules", "evolve")
FILES = {
    path: path.relative_to(ROOT)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def module_of(path):
    """``hanabi.rules.play`` of the path rules/play.py below the root."""
    parts = path.with_suffix("").parts
    parts = parts if parts[0] == "hanabi" else ("hanabi", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(below): path for path, below in FILES.items()}


def is_export_block(node):
    """Is a statement the ``if TYPE_CHECKING`` of a package that lists its exports?"""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


@cache
def exports_of(package):
    """Return the module of each name that a package exports."""
    path = MODULES.get(package)
    tree = ast.parse(path.read_text(encoding="utf-8") if path else "")
    blocks = [node for node in tree.body if is_export_block(node) and path.name == "__init__.py"]
    return {
        alias.name: node.module for block in blocks for node in block.body for alias in node.names
    }


def home_of(package, name):
    """Return the module that defines what a package exports, else the submodule of this name."""
    return exports_of(package).get(name, f"{package}.{name}")


@cache
def imported(path):
    """Return the modules that a file imports, anywhere in it, without the exports of a package."""
    return [*_imported(path)]


def _imported(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.name == "__init__.py":
        tree.body = [node for node in tree.body if not is_export_block(node)] + [
            inside for node in tree.body if is_export_block(node) for inside in node.orelse
        ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [home_of(node.module, name.name) for name in node.names]
            yield from (
                name if name in MODULES or helper_file(name).exists() else node.module
                for name in inside
            )


def helper_file(name):
    """Return where a module of tests/support, or ``bench.NAME`` of tests/bench, would be."""
    return Path((SUPPORT, BENCH.parent)[name.startswith("bench.")], *name.split(".")).with_suffix(
        ".py"
    )


@cache
def followed(path):
    """The names that a test file imports, by itself or through files of tests/support and
    tests/bench; with a module its packages.
    """
    found, left = set(), [path]
    while left:
        for name in imported(left.pop()):
            parts = name.split(".")
            helper = helper_file(name)
            if name not in found and helper.exists():
                left.append(helper)
            found.update(".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return found


@cache
def importers():
    """By module, those of our modules that import it."""
    users = {name: set() for name in MODULES}
    for name, path in MODULES.items():
        for other in MODULES.keys() & imported(path):
            users[other].add(name)
    return users
