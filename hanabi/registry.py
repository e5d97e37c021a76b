"""Registries: what modules register by name, such as rules, agent kinds, pages and benchmarks.

Modules that extend the program are found by their place and imported at first need: when a name is
missing, or when all entries are wanted. No module that uses a registry imports them by name.
"""

from collections import UserDict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")


class LateModules:
    """Modules that are imported at first need.

    Attributes:
        patterns: Their names. ``hanabi.formats.*`` names each module and folder of a package,
            ``hanabi.evolve.*.commands`` the module ``commands`` of each folder that has one.
    """

    def __init__(self, *patterns: str) -> None:
        self.patterns = list(patterns)

    def load(self) -> None:
        """Import the modules that are not imported yet, in alphabetical order per pattern."""
        patterns, self.patterns = self.patterns, []  # a module may ask while it registers
        for pattern in patterns:
            for name in modules_like(pattern):
                import_module(name)


def modules_like(pattern: str) -> list[str]:
    """Return the names of the modules that a pattern of ``LateModules`` stands for."""
    package, star, module = pattern.partition(".*")
    if not star:
        return [pattern]
    folders = [Path(folder) for folder in import_module(package).__path__]
    if module:
        found = {path.parent.name for path in _files(folders, f"*/{module.removeprefix('.')}.py")}
    else:
        found = {path.stem for path in _files(folders, "[!_]*.py")}
        found |= {path.parent.name for path in _files(folders, "*/__init__.py")}
    return [f"{package}.{name}{module}" for name in sorted(found)]


def _files(folders: list[Path], pattern: str) -> Iterator[Path]:
    return (path for folder in folders for path in folder.glob(pattern))


class Registry(UserDict[str, Value]):
    """Registered things of one kind by name.

    A missing name, and a look at all names, first imports the late modules.

    Args:
        what: What an entry is, for errors: ``agent kind``.
        late: The modules that register more entries.
    """

    def __init__(self, what: str, late: LateModules | None = None) -> None:
        self.what = what
        self.late = late or LateModules()
        super().__init__()

    def add(self, name: str, value: Value) -> None:
        """Register a value.

        Raises:
            ValueError: If the name is taken.
        """
        if name in self.data:
            raise ValueError(f"there is a {self.what} {name!r} already: choose another name")
        self.data[name] = value

    def find(self, name: str) -> Value:
        """Return the value of a name.

        Raises:
            ValueError: If there is none; the line names the nearest one and lists all.
        """
        if name not in self:
            raise ValueError(
                f"no {self.what} {name!r}{self.nearest(name)}; there are {', '.join(self)}"
            )
        return self.data[name]

    def nearest(self, name: str) -> str:
        """Return `` (did you mean …?)`` with the nearest name, or an empty text."""
        from hanabi.variant import nearest  # at first need: the command line starts without numpy

        return nearest(name, self)

    def __contains__(self, name: object) -> bool:
        if name not in self.data:
            self.late.load()
        return name in self.data

    def __missing__(self, name: str) -> Value:
        self.late.load()
        return self.data[name]

    def __iter__(self) -> Iterator[str]:
        self.late.load()
        return iter(self.data)

    def __len__(self) -> int:
        self.late.load()
        return len(self.data)
