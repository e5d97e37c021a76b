"""The library of rules, one file per kind of move. Importing the package enters every rule into the book."""
from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.rule import BOOK, FAMILIES, Rule

SETS: dict[str, list[str]] = {}              # named sets of rules: each rule's name, at the place of its number
LOADED: dict[str, str] = {}                  # users' own rule files: path and hash

for _folder in (f"{__name__}.museum", __name__):
    for _module in pkgutil.iter_modules(importlib.import_module(_folder).__path__):
        if not _module.ispkg:
            for _set, _names in getattr(importlib.import_module(f"{_folder}.{_module.name}"), "SETS", {}).items():
                SETS.setdefault(_set, []).extend(_names)     # several files may add to one set
SETS["modern+epistemic"] = SETS["modern"] + SETS["epistemic"]
SETS["living"] = SETS["modern+epistemic"] + SETS["conventional"]     # the living library whole


def load_file(path: str | Path) -> str:
    """Enter the rules of a user's own file into the book, and a set ``file stem`` of them. Returns the file's hash.

    Loading it again is fine. Raises ValueError, in one line, where the file cannot be read or its rules not be entered.
    """
    try:
        path = Path(path).resolve()
        source = path.read_bytes()
    except (OSError, ValueError) as error:       # ValueError: a path with a zero byte
        raise ValueError(f"cannot read the rule file {path}: {(getattr(error, 'strerror', None) or 'not a path').lower()}"
                         ) from None
    name, digest = f"rules_of_{path.stem}", hashlib.sha256(source).hexdigest()[:12]
    if LOADED.get(str(path), digest) != digest:  # machine code of the old rules may be in use
        raise ValueError(f"the rule file {path} was edited since it was loaded: start Python anew")
    if str(path) in LOADED:
        return digest
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ValueError(f"rule file {path} should be a Python file, name.py")
    if path.stem in SETS:
        raise ValueError(f"rule file {path}: there is a set of rules called {path.stem} already; rename the file")
    before, families, conventions = set(BOOK), set(FAMILIES), set(CONVENTION_FAMILIES)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:     # a user's file may raise anything
        del sys.modules[name]
        for entry in set(BOOK) - before:
            del BOOK[entry]
        for family in set(FAMILIES) - families:
            del FAMILIES[family]
        place = f", line {_line(error, path)}" if _line(error, path) else ""
        raise ValueError(f"rule file {path}{place}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'stopped'}"
                         ) from None
    new = [entry for entry in BOOK if entry not in before]
    if not new and set(CONVENTION_FAMILIES) == conventions:
        del sys.modules[name]
        raise ValueError(f"rule file {path} enters no rule: write a function below @rule() from hanabi.rule")
    SETS[path.stem], LOADED[str(path)] = new, digest
    return digest


def _line(error, path):
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


__all__ = ["BOOK", "FAMILIES", "Rule", "SETS", "load_file"]
