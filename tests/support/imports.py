"""Which of our modules a file imports, read from its text."""

import ast
from functools import cache

from paths import ROOT

PACKAGES = ("hanabi", "rules", "evolve")
FILES = {
    path: path.relative_to(ROOT)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def module_of(path):
    """``hanabi.logic.kripke`` of a path below the root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(below): path for path, below in FILES.items()}


def handed_out(node):
    """Is it the part of a package that says to type checkers what the package hands out? tests/test_exports.py looks at it."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


@cache
def imported(path):
    """The modules that a file imports, anywhere in it; a package does not import what it hands out when it is asked."""
    return [*_imported(path)]


def _imported(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.name == "__init__.py":
        tree.body = [node for node in tree.body if not handed_out(node)] + [
            inside for node in tree.body if handed_out(node) for inside in node.orelse
        ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{name.name}" for name in node.names]
            yield from (name if name in MODULES else node.module for name in inside)
