"""Copies of modules, cut down to what some names need, in plain Python without numpy.

A page without a server plays with them, so that every rule of the table is written once. Compiled
functions come from the file of an agent (standalone.py) and are only imported here. The form
changes as there: ``view.hands[seat, slot]`` becomes ``view.hands[seat][slot]``.
"""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

COMPILED = {"compiled", "inlined"}  # decorators of functions that an agent's file has
PACKAGE = "hanabi"


class ModuleCopies:
    """What some names need, by module.

    Args:
        names: What is needed, such as ``hanabi.game_loop.ENDS``.
        replaced: By such a name the module that has it instead.

    Attributes:
        functions: The compiled functions, by module and name.
    """

    def __init__(self, names: Collection[str], replaced: Mapping[str, str]) -> None:
        self.replaced = replaced
        self.imports: dict[str, dict[str, str]] = defaultdict(dict)  # by module and name, a line
        self.functions: dict[str, dict[str, FunctionType]] = defaultdict(dict)
        self.statements: dict[str, list[ast.stmt]] = defaultdict(list)  # definitions, by module
        self.needed: dict[str, set[str]] = defaultdict(set)
        for name in names:
            module, _, what = name.rpartition(".")
            self._take(module, what)

    def _take(self, module: str, name: str) -> None:
        """Add a name of a module, and all that it needs."""
        if name in self.needed[module]:
            return
        self.needed[module].add(name)
        if f"{module}.{name}" in self.replaced:
            self.imports[module][name] = f"from {self.replaced[f'{module}.{name}']} import {name}"
            return
        known = vars(import_module(module))
        for statement in _definitions(module)[name]:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._import(module, statement, name, known[name])
            elif _is_compiled(statement):
                self.functions[module][name] = getattr(known[name], "py_func", known[name])
            elif statement not in self.statements[module]:
                self.statements[module].append(statement)
                for used, attribute in _names(statement):
                    if used in _definitions(module):
                        self._take(module, used)
                    source = known.get(used)
                    if attribute and isinstance(source, ModuleType) and _is_ours(source.__name__):
                        self._take(source.__name__, attribute)

    def _import(
        self, module: str, statement: ast.Import | ast.ImportFrom, name: str, value: Any
    ) -> None:
        """Add an imported name; a module has only what is read of it."""
        source = getattr(statement, "module", "")
        alias = next(one for one in statement.names if name in (one.asname, one.name))
        line = f"import {alias.name} as {name}"
        self.imports[module][name] = f"from {source} {line}" if source else line
        if _is_ours(source) and not isinstance(value, ModuleType):
            self._take(source, alias.name)

    def texts(self, names: Mapping[FunctionType, str]) -> dict[str, str]:
        """Return the text of each module by its path.

        Args:
            names: By compiled function its name in the agent's file, the module ``agent``.
        """
        found = {}
        for module in self.needed:
            is_package = str(import_module(module).__file__).endswith("__init__.py")
            path = module.replace(".", "/") + ("/__init__.py" if is_package else ".py")
            lines = ["from __future__ import annotations", *self.imports[module].values()]
            for name, function in self.functions[module].items():
                lines.append(f"from agent import {names.get(function, name)} as {name}")
            statements = sorted(self.statements[module], key=lambda one: one.lineno)
            lines += map(ast.unparse, statements)
            found[path] = "\n".join(lines) + "\n"
        return found


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == PACKAGE


@cache
def _definitions(module: str) -> dict[str, list[ast.stmt]]:
    """Return by name the statements of a module that bind it."""
    text = Path(str(import_module(module).__file__)).read_text(encoding="utf-8")
    tree = ast.fix_missing_locations(_PlainForm().visit(ast.parse(text)))
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in tree.body:
        for name in _bound(statement):
            found[name].append(statement)
    return found


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    named = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return [node.id for node in named if isinstance(node.ctx, ast.Store)]


def _is_compiled(statement: ast.stmt) -> bool:
    return bool(COMPILED & {ast.unparse(one) for one in getattr(statement, "decorator_list", ())})


def _names(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name in a tree, without annotations, with the attribute that is read of it."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value.id, node.attr
    elif isinstance(node, ast.Name):
        yield node.id, ""
    for field, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and field not in ("annotation", "returns"):
                yield from _names(part)


class _PlainForm(ast.NodeTransformer):
    """Put arrays into the form of nested lists."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Attribute) or not isinstance(node.slice, ast.Tuple):
            return node
        *before, last = node.slice.elts
        value: ast.expr = node.value
        for index in before:
            value = ast.Subscript(value, index, ast.Load())
        return ast.Subscript(value, last, node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        is_list = isinstance(function, ast.Attribute) and function.attr == "tolist"
        return function.value if is_list else node  # type: ignore[attr-defined]
