"""A file, link or text that a user named: its name and content, before its format is known."""

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.files import MEGABYTE, decode, read_bytes
from hanabi.replay_link import is_link

if TYPE_CHECKING:
    from hanabi.game_record import Game, Position

LARGEST = 256 * MEGABYTE  # of a file with many games; those of AH2AC2 have 3 MB
HEAD = 1000  # letters that tell what a text is
STANDARD_INPUT = "-"  # as a name
PACKED = ".gz"

Entries = dict[
    "int | None", "Callable[[str], Game | Position]"
]  # a format's games, see hanabi/formats/__init__.py


@dataclass(frozen=True)
class Source:
    """What a user named.

    ``name``: what errors call it; ``number``: which of its games is meant, as in ``FILE#12``, or
    None.
    """

    name: str
    data: bytes
    number: int | None = None

    @staticmethod
    def of(spec: str | os.PathLike[str]) -> "Source":
        """Read the file ``FILE`` or ``FILE#12``, or standard input for ``-``, or take the link.

        Raises ValueError, one line, for a file that cannot be read.
        """
        spec = os.fspath(spec)
        if is_link(spec):
            return Source.of_text(spec, "link")
        path, number = split_number(spec)
        if path == STANDARD_INPUT:
            return Source("standard input", _unpacked(_standard_input(), "standard input"), number)
        name = printable(path)
        return Source(name, _unpacked(read_bytes(path, LARGEST), name), number)

    @staticmethod
    def of_text(text: str, name: str) -> "Source":
        """Take a text that no file holds."""
        return Source(name, text.encode("utf-8", "replace"))

    @property
    def ending(self) -> str:
        """The ending of the file's name, such as ``.json``."""
        return ending_of(self.name)

    @cached_property
    def head(self) -> str:
        """The first letters of the content; what is no UTF-8 is replaced."""
        return self.data[:HEAD].decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def text(self) -> str:
        """The content as text. Raises ValueError, one line, where it is not UTF-8."""
        return decode(self.data, self.name)


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name: ``.json`` for ``game.json`` and ``game.json.gz``."""
    return Path(os.fspath(path).removesuffix(PACKED)).suffix


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(LARGEST + 1) if sys.stdin else b""
    if len(data) > LARGEST:
        raise ValueError(f"standard input is larger than {LARGEST // MEGABYTE} MB")
    return data


def _unpacked(data: bytes, name: str) -> bytes:
    """Return the content of a file that gzip packed, and that of others as it is."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        found = gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST + 1)
    except (OSError, EOFError, zlib.error):
        raise ValueError(f"{name} is no whole .gz file: it is damaged") from None
    if len(found) > LARGEST:
        raise ValueError(f"{name} is larger than {LARGEST // MEGABYTE} MB, unpacked")
    return found


def split_number(spec: str) -> tuple[str, int | None]:
    """Split ``FILE#12`` into path and number; an existing file of that name has none."""
    found = re.fullmatch(r"(.+)#(\d{1,9})", spec, re.ASCII | re.DOTALL)
    if not found or os.path.lexists(spec):
        return spec, None
    return found[1], int(found[2])


def printable(path: str) -> str:
    r"""Return a path as text that UTF-8 can write: other bytes of the name become ``\xe9``."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
