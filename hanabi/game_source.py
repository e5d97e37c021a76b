"""A file, a link or a text that a user named: its name and its content, before its format is known."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.files import MEGABYTE, decode, read_bytes

if TYPE_CHECKING:
    from hanabi.game_record import Game, Position

LARGEST = 256 * MEGABYTE  # of a file with many games; those of AH2AC2 have 3 MB
HEAD = 1000  # letters that tell what a text is
LINK = re.compile(r"\w*://|(www\.)?hanab\.live/", re.ASCII)

Entries = dict[
    "int | None", "Callable[[str], Game | Position]"
]  # a format's games, see hanabi/formats/__init__.py


def is_link(text: str) -> bool:
    """Return whether a text is the address of a game and not a file."""
    return LINK.match(text) is not None


@dataclass(frozen=True)
class Source:
    """What a user named. ``name``: what errors call it; ``number``: which of its games is meant, as in ``FILE#12``, or None."""

    name: str
    data: bytes
    number: int | None = None

    @staticmethod
    def of(spec: str | os.PathLike[str]) -> Source:
        """Read the file ``FILE`` or ``FILE#12``, or take the link. Raises ValueError, one line, for a file that cannot be read."""
        spec = os.fspath(spec)
        if is_link(spec):
            return Source.of_text(spec, "link")
        path, number = split_number(spec)
        return Source(printable(path), read_bytes(path, LARGEST), number)

    @staticmethod
    def of_text(text: str, name: str) -> Source:
        """Take a text that no file holds."""
        return Source(name, text.encode("utf-8", "replace"))

    @property
    def ending(self) -> str:
        """The ending of the file's name, such as ``.json``."""
        return Path(self.name).suffix

    @cached_property
    def head(self) -> str:
        """The first letters of the content; what is no UTF-8 is replaced."""
        return self.data[:HEAD].decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def text(self) -> str:
        """The content as text. Raises ValueError, one line, where it is not UTF-8."""
        return decode(self.data, self.name)


def split_number(spec: str) -> tuple[str, int | None]:
    """Split ``FILE#12`` into path and number; an existing file of that name has none."""
    found = re.fullmatch(r"(.+)#(\d{1,9})", spec, re.ASCII | re.DOTALL)
    if not found or os.path.lexists(spec):
        return spec, None
    return found[1], int(found[2])


def printable(path: str) -> str:
    """Return a path as text that UTF-8 can write: bytes of the name that are not UTF-8 become ``\\xe9``."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
