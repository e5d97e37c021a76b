"""The memory of conventions: numbers that a convention keeps in the marks from move to move.

A list of conventions has up to MAX_MEMORIES of them, one row of marks.memory for each convention
that declares a memory or hooks. A row is found by a number that follows from the convention's name,
so machine code on disk does not depend on the list. All numbers are -1 when a game begins.
"""

from zlib import crc32

from hanabi.backend import inlined
from hanabi.conventions.fields import MAX_MEMORIES
from hanabi.state import View


def memory_key(name: str) -> int:
    """Return the number by which the memory of a convention is found, a constant for rules."""
    return 1 + crc32(name.encode())


@inlined
def memory_place(view: View, key: int) -> int:
    """Return the place of a memory in the current list; MAX_MEMORIES if the list has none."""
    place = 0
    while place < MAX_MEMORIES and view.memories[view.list, place] != key:
        place += 1
    return place


@inlined
def memory_of(view: View, key: int) -> View:
    """Return the memory of a convention in the current list; all -1 if the list has none.

    Args:
        view: The view.
        key: The convention, as memory_key returns it.
    """
    return view.marks[view.list].memory[memory_place(view, key)]


@inlined
def has_convention(view: View, key: int) -> bool:
    """Return whether a convention with a memory or hooks is in the current list."""
    return memory_place(view, key) < MAX_MEMORIES
