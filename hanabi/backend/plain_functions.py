"""Uncompiled copies of functions in a process that has machine code.

They find the line of a fault: numpy checks every index, and Python can trace them.
"""

from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from hanabi.backend.compilation import call_address, function_at

FOREIGN = frozenset({"numpy", "numba", "llvmlite", "math", "builtins"})  # what needs no twin


class Twins:
    """Make uncompiled twins of functions, of all they call, and of what is called by address."""

    def __init__(self) -> None:
        # by id: what a twin is made from, so that the id stays in use, and the twin
        self._made: dict[int, tuple[Any, Any]] = {}

    def call_address(self, where: int, record: Any, *values: float) -> Any:
        """Do what backend.call_address does in machine code; an exception passes through."""
        function = function_at(where)
        # a function that takes fewer values takes the first ones
        return self.of(function)(record, *values[: function.__code__.co_argcount - 1])

    def of(self, value: Any) -> Any:
        """Return the twin of a function, a module or a tuple of these; any other value itself."""
        if value is call_address:
            return self.call_address
        function = getattr(value, "py_func", value)
        if isinstance(value, tuple) and type(value) is tuple:
            return tuple(map(self.of, value))
        if not isinstance(function, FunctionType | ModuleType) or _top(function) in FOREIGN:
            return value
        if id(function) not in self._made:
            if isinstance(function, FunctionType):
                self._function(function)
            else:
                self._made[id(function)] = function, _Module(self, function)
        return self._made[id(function)][1]

    def _function(self, function: FunctionType) -> None:
        around: dict[str, Any] = {
            "__builtins__": function.__globals__["__builtins__"],
            "__name__": function.__module__,
        }
        closure = function.__closure__ and tuple(CellType() for _ in function.__closure__)
        twin = FunctionType(
            function.__code__, around, function.__name__, function.__defaults__, closure
        )
        twin.__kwdefaults__ = function.__kwdefaults__
        self._made[id(function)] = function, twin  # before its names: a function may call itself
        around.update(
            (name, self.of(function.__globals__[name]))
            for name in names_in(function.__code__)
            if name in function.__globals__
        )
        for cell, before in zip(closure or (), function.__closure__ or ()):
            try:
                cell.cell_contents = self.of(before.cell_contents)
            except ValueError:  # a variable that got no value yet
                pass


class _Module:
    """A module whose functions are twins."""

    def __init__(self, twins: Twins, module: ModuleType) -> None:
        self._twins, self._of = twins, module

    def __getattr__(self, name: str) -> Any:
        return self._twins.of(getattr(self._of, name))


def names_in(code: CodeType) -> set[str]:
    """Return the names in a function's code and in that of functions inside it."""
    return set(code.co_names).union(
        *(names_in(inner) for inner in code.co_consts if isinstance(inner, CodeType))
    )


def _top(value):
    """Return the name of the package that a function or a module is from."""
    name = value.__name__ if isinstance(value, ModuleType) else value.__module__ or ""
    return name.partition(".")[0]
