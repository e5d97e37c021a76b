"""Drawings: values as pages, pictures and cells of notebooks, made by parts that are not imported.

Charts and pages are outer parts of the program. Each folder of hanabi.evolve that draws something
registers it in its module ``drawings``, by a name such as ``game page``.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from hanabi.registry import LateModules, Registry

DRAWINGS: Registry[Callable[..., Any]] = Registry(
    "drawing", LateModules("hanabi.evolve.*.drawings")
)
Function = TypeVar("Function", bound=Callable[..., Any])


def drawing(name: str) -> Callable[[Function], Function]:
    """Return a decorator that registers a function as the drawing of a name."""

    def register(function: Function) -> Function:
        DRAWINGS.add(name, function)
        return function

    return register


def draw(name: str, *values: Any, **settings: Any) -> Any:
    """Return what the drawing of a name makes of some values.

    Raises:
        ValueError: If there is none.
    """
    return DRAWINGS.find(name)(*values, **settings)
