"""What a run was made of, written down at its start and compared at every resume."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import hanabi
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.problem import Problem
from hanabi.files import read_bytes
from hanabi.lazy_exports import home_of
from hanabi.rules.user_rules import load_rules

PACKAGES = ("numpy", "numba", "deap")
PACKAGE = Path(str(hanabi.__file__)).parent
START = (
    "hanabi.evolve.ga.run"  # what it imports, and what that imports, has an influence on a result
)


def _hash(paths):
    return hashlib.sha256(b"".join(read_bytes(path) for path in paths)).hexdigest()[:12]


def _file(module: str) -> Path | None:
    """The file of a module of ours; None for anything else."""
    package, *inside = module.split(".")
    if package != PACKAGE.name:
        return None
    place = PACKAGE.joinpath(*inside)
    return next(
        (
            path
            for path in (place / "__init__.py", place.with_name(f"{place.name}.py"))
            if path.is_file()
        ),
        None,
    )


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a syntax tree, but for what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if (
            isinstance(child, ast.If)
            and isinstance(child.test, ast.Name)
            and child.test.id == "TYPE_CHECKING"
        ):
            child = ast.Module(child.orelse, [])
        yield child
        yield from _nodes(child)


def _imported(module: str, path: Path) -> Iterator[str]:
    """The modules that a module imports anywhere in it, with the packages they stand in. A package that uses pkgutil
    imports all that it holds."""
    for node in _nodes(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
            base = (
                ".".join(
                    [
                        *package[: len(package) - node.level + 1],
                        *([node.module] if node.module else []),
                    ]
                )
                if (node.level)
                else str(node.module)
            )
            names = [base, *(home_of(base, name.name) for name in node.names)]
        for name in names:
            if name == "pkgutil":
                inside = (
                    file.relative_to(path.parent).with_suffix("").parts
                    for file in path.parent.rglob("*.py")
                )
                yield from (
                    ".".join((module, *parts)).removesuffix(".__init__") for parts in inside
                )
            parts = name.split(".")
            yield from (".".join(parts[:i]) for i in range(1, len(parts) + 1))


@lru_cache(1)
def sources() -> dict[str, str]:
    """Every file of ours that a run imports, with its hash, by path inside its package ("hanabi/table.py")."""
    found, left = {}, [START]
    while left:
        module = left.pop()
        path = _file(module)
        if path is not None and module not in found:
            found[module] = path
            left += _imported(module, path)
    return {
        (Path(PACKAGE.name) / path.relative_to(PACKAGE)).as_posix(): _hash([path])
        for _, path in sorted(found.items())
    }


def rule_set_hash(task: Problem) -> str:
    """Twelve hex digits of the rules' names, in their order, and of the files that they stand in."""
    paths = sorted({str(inspect.getsourcefile(rule.family.function)) for rule in task.find_rules()})
    return hashlib.sha256(repr((task.rules, _hash(paths))).encode()).hexdigest()[:12]


def made_of(config: Config, task: Problem) -> dict:
    """Everything that a result follows from: settings, rules, partners, versions and sources, as data for JSON."""
    files = sources()
    return {
        "config": json.loads(json.dumps(asdict(config))),
        "config_hash": config.hash(),
        "rules": list(task.rules),
        "rules_hash": rule_set_hash(task),
        "rule_files": {file: load_rules(file) for file in task.rule_files},
        "pool": list(task.pool),
        "conventions": list(task.conventions),
        "weights": list(task.weights),
        "start": task.start,
        "versions": {"hanabi": hanabi.__version__, "python": platform.python_version()}
        | {name: metadata.version(name) for name in PACKAGES},
        "engine": hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12],
        "files": files,
    }


def changes(then: dict, now: dict) -> list[str]:
    """What changed between two records, in words; nothing where a run may go on."""
    found = []
    for key in sorted(then["config"] | now["config"]):
        before, after = then["config"].get(key), now["config"].get(key)
        if before != after:
            found.append(f"config key {key} was {before!r} and is {after!r}")
    if then["rules"] != now["rules"]:
        gone = [name for name in then["rules"] if name not in now["rules"]]
        new = [name for name in now["rules"] if name not in then["rules"]]
        found.append(
            f"the rule set changed (gone: {', '.join(gone) or 'none'}; new: {', '.join(new) or 'none'})"
        )
    for file, digest in then["rule_files"].items():
        if now["rule_files"].get(file, digest) != digest:
            found.append(f"the rule file {file} was edited")
    if then["pool"] != now["pool"]:
        found.append("the pool's agents changed")
    for key, what in dict(
        conventions="the conventions there are",
        weights="the weights that evolve",
        start="the agents to start from",
    ).items():
        if json.dumps(then.get(key)) != json.dumps(now.get(key)):
            found.append(f"{what} changed")
    for name in sorted(then["versions"] | now["versions"]):
        before, after = then["versions"].get(name), now["versions"].get(name)
        if before != after:
            found.append(f"{name} was version {before} and is {after}")
    if not any(text.startswith("hanabi was") for text in found):
        found += _edited(then, now)
    if then["rules"] == now["rules"] and then["rules_hash"] != now["rules_hash"] and not found:
        found.append("a file of the rule set was edited")
    return found


def _edited(then, now):
    """What was edited, added or removed among the sources."""
    if then["engine"] == now["engine"]:
        return []
    before, after = then.get("files", {}), now["files"]
    names = (
        sorted(name for name in before | after if before.get(name) != after.get(name))
        if before
        else []
    )
    if not names:
        return ["the source of hanabi, rules or evolve was edited"]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return [f"{', '.join(names[:3])}{more} {'was' if len(names) == 1 else 'were'} edited"]
