"""User-defined rules: files of rules and conventions that are loaded beside the library."""

import hashlib
import importlib.util
import sys
import tempfile
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb

from hanabi.backend import CACHE
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.files import check_code_file, read_bytes, whole_path, write_aside
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rule_dependencies import find_problem
from hanabi.rulebook import BOOK, FAMILIES, SETS

LOADED: dict[str, str] = {}  # hash of each loaded file, by its path
RECEIVED: set[str] = set()  # the paths in LOADED that belong to another machine
REGISTERS: tuple[MutableMapping, ...] = (BOOK, FAMILIES, CONVENTION_FAMILIES, PRIMITIVES, SETS)


def load_rules(file: str | Path) -> str:
    """Load the rules and conventions of a Python file.

    Its rules also form a set with the name of the file, so ``my_rules`` names those of
    ``my_rules.py``. Loading the same file twice has no further effect.

    Args:
        file: Path of the file.

    Returns:
        The hash of the file's content.

    Raises:
        ValueError: The file cannot be read or was edited since it was loaded, or what it defines
            is not a valid rule or convention. In that case nothing is registered.
    """
    path = whole_path(file)
    if str(path) in RECEIVED:
        return LOADED[str(path)]
    check_code_file(path)
    digest = _hash(read_bytes(path))
    if LOADED.get(str(path), digest) != digest:  # machine code of the old rules may be in use
        raise ValueError(f"the rule file {path} was edited since it was loaded: restart Python")
    if str(path) in LOADED:
        return digest
    if path.stem in SETS:
        raise ValueError(
            f"rule file {path}: there is a set of rules called {path.stem} already; rename the file"
        )
    before = [dict(register) for register in REGISTERS]
    sets = {name: list(members) for name, members in SETS.items()}
    try:
        _execute(path)
        if SETS != sets:
            raise ValueError(
                "sets= is for rules of the library; the rules of a file make the set of its name"
            )
        _check_new(*before[1:4])
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        sys.modules.pop(_module_name(path), None)
        for register, entries in zip(REGISTERS, (*before[:-1], sets)):
            register.clear()
            register.update(entries)
        raise ValueError(_describe(error, path)) from None
    if len(PRIMITIVES) > len(before[3]):
        renew_machines()
    SETS[path.stem] = [name for name in BOOK if name not in before[0]]
    LOADED[str(path)] = digest
    return digest


def renew_machines() -> None:
    """Make the functions of families of expressions for the words that are registered now."""
    for family in FAMILIES.values():
        if family.grammar:
            family.function, family.code = family.grammar.make_player(), ()


def receive_rules(path: str, digest: str, source: bytes) -> None:
    """Load a rule file that another process has loaded, under the path that it has there.

    The file at this path is loaded if it has the same content, else a copy of the source, which
    is kept in the cache folder.

    Args:
        path: Absolute path of the file in the other process.
        digest: Hash of its content, as ``load_rules`` returns it.
        source: Its content.

    Raises:
        ValueError: This process has loaded another version of the file.
    """
    if LOADED.get(path, digest) != digest:
        raise ValueError(
            f"the rule file {path} was edited since this worker loaded it: restart the worker"
        )
    if path in LOADED:
        return
    with suppress(ValueError, OSError):
        if _hash(read_bytes(path)) == digest:
            load_rules(path)
            return
    cache = Path(CACHE or tempfile.mkdtemp(prefix="hanabi-rules-"))
    copy = cache / "rules" / digest / Path(path).name
    copy.parent.mkdir(parents=True, exist_ok=True)
    write_aside(copy, source)  # many workers may share this folder
    load_rules(copy)
    LOADED[path] = LOADED.pop(str(whole_path(copy)))
    RECEIVED.add(path)


def _hash(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:12]


def _module_name(path: Path) -> str:
    return f"rules_of_{path.stem}"


def _execute(path: Path) -> None:
    """Execute a rule file as a module."""
    spec = importlib.util.spec_from_file_location(_module_name(path), path)
    if spec is None or spec.loader is None:
        raise ValueError("a rule file is a Python file, name.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


def _check_new(rules: dict, conventions: dict, primitives: dict) -> None:
    """Check the code of all that was registered since these copies were made."""
    words = [one for name, one in PRIMITIVES.items() if name not in primitives]
    for one in words:
        if problem := find_problem(getattr(one.function, "py_func", one.function), "rule"):
            raise ValueError(f"primitive {one.name} {problem}")
    new = [
        families[name]
        for families, known in ((FAMILIES, rules), (CONVENTION_FAMILIES, conventions))
        for name in families
        if name not in known
    ]
    if not new and not words:
        raise ValueError(
            "it defines no rule and no convention: write a function below @rule() "
            "(from hanabi import rule)"
        )
    for family in new:
        for part in (family, *family.hooks):
            part.read()


def _describe(error: BaseException, path: Path) -> str:
    """Describe in one line what went wrong in a rule file, and where."""
    line = _line_of(error, path)
    place = f", line {line}" if line else ""
    reason = str(error).splitlines()[0] if str(error) else "stopped"
    return f"rule file {path}{place}: {type(error).__name__}: {reason}"


def _line_of(error: BaseException, path: Path) -> int | None:
    """Return the last line of a file that an error passed, if any."""
    if isinstance(error, SyntaxError):
        return error.lineno
    passed = walk_tb(error.__traceback__)
    lines = [line for frame, line in passed if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else None
