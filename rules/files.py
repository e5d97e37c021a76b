"""Rule files of one's own: read once a process, every way that can fail told in one line."""
from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path

from hanabi.rule import BOOK, FAMILIES, Rule

_read: dict[str, tuple[str, list[Rule]]] = {}    # by whole path: (hash of the text, its rules)


def file_hash(path: str | Path) -> str:
    """Twelve hex digits of what a file holds."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ValueError(f"cannot read the rule file {path}: {(error.strerror or 'not a path').lower()}") from None


def read_rules(path: str | Path) -> list[Rule]:
    """The rules that a Python file enters into the book, in their order there. ValueError, one line, for a bad file.

    A file is run once a process; reading it again gives the same rules. A file that fails leaves nothing in the book.
    """
    path = Path(path).resolve()
    key, digest = str(path), file_hash(path)
    if key in _read:
        if _read[key][0] != digest:
            raise ValueError(f"the rule file {path} was changed while it was in use: start anew")
        return _read[key][1]
    name = f"user_rules_{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ValueError(f"the rule file {path} should be a Python file, its name ending in .py")
    families, book = dict(FAMILIES), dict(BOOK)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        rules = [rule for text, rule in BOOK.items() if text not in book]
        if not rules:
            raise ValueError("it enters no rule; put @rule() over a function of a view")
    except Exception as error:               # whatever a user's file may raise
        del sys.modules[name]
        for registry, before in ((FAMILIES, families), (BOOK, book)):
            registry.clear()
            registry.update(before)
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else _line_in(key, error)
        kind = "" if isinstance(error, (ValueError, TypeError)) and not isinstance(error, UnicodeError) else (
            f"{type(error).__name__}: ")
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ValueError(f"the rule file {path}{line}: {kind}{' '.join(reason.split())}") from None
    _read[key] = digest, rules
    return rules


def _line_in(path, error):
    line, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = f", line {trace.tb_lineno}"
        trace = trace.tb_next
    return line
