"""Lazy exports of a package: each name is imported at its first use (PEP 562).

So ``from hanabi import Position`` works, and ``import hanabi`` stays as fast as an empty package.
A package lists its exports once, as imports below ``if TYPE_CHECKING``, where editors and mypy find
them, and names them in ``__all__``; tests/test_exports.py compares the two.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def exports(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    Args:
        package: Name of the package.
        file: Path of its ``__init__.py``, whose imports below ``if TYPE_CHECKING`` are exported.
    """
    tree = ast.parse(Path(file).read_bytes())
    homes = {
        alias.name: str(node.module)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, names
