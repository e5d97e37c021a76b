"""The library of rules, one file per kind of move. Importing the package enters every rule into the book.

``from rules import Agent, load, load_file, …``: ``__all__`` has the names.
"""

from __future__ import annotations

if __name__ != "hanabi.rules":  # a second copy would have a second register of rules
    raise ImportError("import hanabi.rules, not rules: this folder is the package hanabi.rules")


import hashlib
import importlib
import importlib.util
import os
import pkgutil
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.backend import CACHE
from hanabi.conventions.register import CONVENTION_FAMILIES, STAGE_OF
from hanabi.files import read_bytes, whole_path
from hanabi.rulebook import BOOK, FAMILIES, SETS, Rule

LOADED: dict[str, str] = {}  # users' own rule files: path and hash
SENT: set[str] = set()  # those of them that came from another machine, where they have this path

for _module in pkgutil.iter_modules(importlib.import_module(f"{__name__}.museum").__path__):
    importlib.import_module(f"{__name__}.museum.{_module.name}")
for _module in pkgutil.iter_modules(__path__):
    if not _module.ispkg:
        importlib.import_module(f"{__name__}.{_module.name}")
UNIONS = {
    "modern+epistemic": ("modern", "epistemic"),
    "living": ("modern", "epistemic", "conventional"),
}  # living: all of today's
SETS.update(
    (name, [rule for part in parts for rule in SETS[part]]) for name, parts in UNIONS.items()
)


def load_file(path: str | Path) -> str:
    """Enter the rules and conventions of a user's own file, and a set ``file stem`` of its rules. Returns the file's hash.

    Loading it again is fine. Raises ValueError, in one line, where the file cannot be read or what it holds not be
    entered; then the book is as it was.
    """
    path = whole_path(path)
    if str(path) in SENT:
        return LOADED[str(path)]
    source = read_bytes(path)
    name, digest = f"rules_of_{path.stem}", hashlib.sha256(source).hexdigest()[:12]
    if LOADED.get(str(path), digest) != digest:  # machine code of the old rules may be in use
        raise ValueError(f"the rule file {path} was edited since it was loaded: start Python anew")
    if str(path) in LOADED:
        return digest
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"rule file {path} should be a Python file, name.py")
    if path.stem in SETS:
        raise ValueError(
            f"rule file {path}: there is a set of rules called {path.stem} already; rename the file"
        )
    book: tuple[dict, ...] = (BOOK, FAMILIES, CONVENTION_FAMILIES, STAGE_OF, SETS)
    before = [dict(part) for part in book]
    sets = {key: list(names) for key, names in SETS.items()}
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        if SETS != sets:
            raise ValueError(
                "sets= is for rules of the library; the rules of a file make the set of its name"
            )
        if FAMILIES == before[1] and CONVENTION_FAMILIES == before[2]:
            raise ValueError(
                "it enters no rule and no convention: write a function below @rule() from hanabi.rulebook"
            )
        for families, known in ((FAMILIES, before[1]), (CONVENTION_FAMILIES, before[2])):
            for entry in families.keys() - known.keys():
                families[entry].read()
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        del sys.modules[name]
        for part, entries in zip(book, (*before[:-1], sets)):
            part.clear()
            part.update(entries)
        place = f", line {_line(error, path)}" if _line(error, path) else ""
        raise ValueError(
            f"rule file {path}{place}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'stopped'}"
        ) from None
    SETS[path.stem], LOADED[str(path)] = [entry for entry in BOOK if entry not in before[0]], digest
    return digest


def receive_file(path: str, digest: str, source: bytes) -> None:
    """Enter a rule file that another process has loaded, under the path that it has there: itself, where it stands at this path
    here too, else a copy beside the machine code. ValueError, one line, where other text of it is in use."""
    if LOADED.get(path, digest) != digest:
        raise ValueError(
            f"it has the rule file {path} as it was before it was edited: start it anew"
        )
    if path in LOADED:
        return
    with suppress(ValueError, OSError):
        if hashlib.sha256(read_bytes(path)).hexdigest()[:12] == digest:
            load_file(path)
            return
    copy = (
        Path(CACHE or tempfile.mkdtemp(prefix="hanabi-rules-")) / "rules" / digest / Path(path).name
    )
    copy.parent.mkdir(parents=True, exist_ok=True)
    aside = copy.with_name(f"{secrets.token_hex(8)}.part")  # many workers may share this folder
    aside.write_bytes(source)
    os.replace(aside, copy)
    load_file(copy)
    LOADED[path] = LOADED.pop(str(whole_path(copy)))
    SENT.add(path)


def _line(error, path):
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


__all__ = [
    "BOOK",
    "FAMILIES",
    "NAMED",
    "POOLS",
    "SETS",
    "Agent",
    "Rule",
    "dumps",
    "find",
    "find_convention",
    "load",
    "load_file",
    "loads",
    "pool",
    "rule_set",
]

if TYPE_CHECKING:
    from hanabi.rules.agents import (
        NAMED,
        POOLS,
        Agent,
        dumps,
        find,
        find_convention,
        load,
        loads,
        pool,
        rule_set,
    )
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__)
