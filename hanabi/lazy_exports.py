"""What a package hands out under its own name, each thing imported when it is first asked for (PEP 562).

So ``from hanabi import Position`` works, and ``import hanabi`` stays as fast as an empty package. A package says what it
hands out twice: here for Python, and below ``if TYPE_CHECKING`` for editors and mypy; tests/test_exports.py compares.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def exports(
    package: str, homes: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package. ``homes``: by module the names that stand there,
    with blanks between."""
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return find, names, sorted(home_of)
