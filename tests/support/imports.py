"""Which of our modules a file imports, read from its text."""
import ast

from paths import ROOT

PACKAGES = ("hanabi", "rules", "evolve")
FILES = {path: path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def module_of(path):
    """``hanabi.logic.kripke`` of a path below the root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(below): path for path, below in FILES.items()}


def imported(path):
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{name.name}" for name in node.names]
            yield from (name if name in MODULES else node.module for name in inside)
