"""Which of our modules a file imports, read from its text."""

import ast
from functools import cache

from paths import ROOT, SUPPORT

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


@cache
def followed(path):
    """The names that a test file imports, by itself or through files of tests/support; with a module its packages."""
    found, left = set(), [path]
    while left:
        for name in imported(left.pop()):
            parts = name.split(".")
            helper = SUPPORT / f"{name}.py"
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
