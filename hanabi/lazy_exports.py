"""Lazy exports of a package or module: each name is imported at its first use (PEP 562).

So ``from hanabi import Position`` works, and ``import hanabi`` stays as fast as an empty package.
A package lists its exports once, as imports below ``if TYPE_CHECKING``, where editors and mypy find
them, and names them in ``__all__``; tests/test_exports.py compares the two. Exports may be modules.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def exports(
    package: str, file: str, modules: bool = False
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package or module.

    Args:
        package: Its name.
        file: Path of its file, whose imports below ``if TYPE_CHECKING`` are exported.
        modules: Each of these imports is of a module, and not of what a module defines.
    """
    tree = ast.parse(Path(file).read_bytes())
    homes = {
        alias.asname or alias.name: (getattr(node, "module", ""), alias.name)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, own_name = homes[name]
        found = (
            import_module(f"{home}.{own_name}".lstrip("."))
            if modules
            else getattr(import_module(home), own_name)
        )
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, names
