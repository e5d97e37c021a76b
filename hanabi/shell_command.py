"""Commands for a person to copy: written so that a shell takes every word as it is."""

import os
import re
import shlex
import subprocess
from pathlib import Path

WINDOWS = os.name == "nt"  # cmd and PowerShell take "…" and no '…'


def command(*words: str | Path) -> str:
    """Return a command line of some words, on one line.

    A file is given as a Path: its name may begin with a dash.
    """
    return " ".join(map(_quoted, words))


def _quoted(word):
    text = f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)
    if WINDOWS:
        return subprocess.list2cmdline([text])
    if text.isprintable() and "  " not in text:
        return shlex.quote(text)
    # $'…' of bash, zsh and POSIX 2024: a line break or a tab as a word for it; a second space too,
    # since messages lose it
    return "$'" + re.sub(r"[\\']|  |[^ -~]", _escaped, text) + "'"


def _escaped(found):
    text = found[0]
    if text == "  ":
        return r" \x20"
    if text.isprintable():
        return text if text not in "\\'" else "\\" + text
    return "".join(f"\\x{byte:02x}" for byte in text.encode(errors="surrogateescape"))
