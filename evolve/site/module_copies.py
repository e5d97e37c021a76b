"""Copies of modules, cut down to what some names need, in plain Python without numpy.

A page without a server plays with them, so that every rule of the table is written once. Compiled
functions come from the file of an agent (standalone.py) and are only named here. Beside annotations
and docstrings the form changes as there: ``hands[seat, slot]`` becomes ``hands[seat][slot]``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

COMPILED = {"compiled", "inlined", "answer"}  # decorators of functions that an agent's file has
PACKAGE = "hanabi"


class ModuleCopies:
    """What some names need, by module.

    Attributes:
        needed: By module the names that its copy has.
        functions: The compiled functions among them.

    Args:
        names: What is needed, such as ``hanabi.game_loop.ENDS``.
        replaced: Such names that another module has instead.
    """

    def __init__(self, names: Collection[str], replaced: Mapping[str, str]) -> None:
        self.replaced = replaced
        self.needed: dict[str, set[str]] = {}
        self.functions: set[FunctionType] = set()
        for name in names:
            module, _, what = name.rpartition(".")
            self._take(module, what)

    def _take(self, module: str, name: str) -> None:
        known = self.needed.setdefault(module, set())
        if name in known or f"{module}.{name}" in self.replaced:
            return
        known.add(name)
        definitions = _definitions(module)
        for statement in definitions[name]:
            if isinstance(statement, ast.ImportFrom):
                value = getattr(sys.modules[module], name)
                if f"{statement.module}.".startswith(f"{PACKAGE}.") and not isinstance(
                    value, ModuleType
                ):
                    self._take(str(statement.module), _origin(statement, name))
            elif _is_compiled(statement):
                value = getattr(sys.modules[module], name)
                self.functions.add(getattr(value, "py_func", value))
            else:
                for used, attribute in _names(statement):
                    value = getattr(sys.modules[module], used, None)
                    if used in definitions:
                        self._take(module, used)
                    is_ours = isinstance(value, ModuleType) and value.__name__.startswith(PACKAGE)
                    if is_ours and attribute:
                        self._take(value.__name__, attribute)

    def texts(self, functions: Mapping[FunctionType, str]) -> dict[str, str]:
        """Return the text of each module by its path.

        Args:
            functions: By compiled function its name in the agent's file, the module ``agent``.
        """
        found = {}
        for module, names in self.needed.items():
            lines = [
                line
                for statement in _tree(module).body
                for line in self._lines(module, statement, names, functions)
            ]
            place = module.replace(".", "/")
            is_package = str(sys.modules[module].__file__).endswith("__init__.py")
            if lines:
                found[f"{place}/__init__.py" if is_package else f"{place}.py"] = "\n".join(lines)
        return found

    def _lines(
        self,
        module: str,
        statement: ast.stmt,
        names: set[str],
        functions: Mapping[FunctionType, str],
    ) -> Iterator[str]:
        """Yield what a copy has of a statement."""
        for name in _bound(statement):
            full = f"{module}.{name}"
            if isinstance(statement, ast.ImportFrom):
                full = f"{statement.module}.{_origin(statement, name)}"
            if name not in names and f"{module}.{name}" not in self.replaced:
                continue
            if full in self.replaced:
                yield f"from {self.replaced[full]} import {full.rpartition('.')[2]} as {name}\n"
            elif isinstance(statement, ast.ImportFrom):
                yield f"from {statement.module} import {_origin(statement, name)} as {name}\n"
            elif _is_compiled(statement):
                value = getattr(sys.modules[module], name)
                yield f"from agent import {functions[getattr(value, 'py_func', value)]} as {name}\n"
            else:
                yield ast.unparse(statement) + "\n"
                return


@cache
def _tree(module: str) -> ast.Module:
    """Return the syntax tree of a module in plain form."""
    path = import_module(module).__file__
    assert path is not None
    tree = _PlainForm().visit(ast.parse(Path(path).read_text(encoding="utf-8")))
    return ast.fix_missing_locations(tree)


@cache
def _definitions(module: str) -> dict[str, list[ast.stmt]]:
    """Return by name the statements of a module that bind it."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in _tree(module).body:
        for name in _bound(statement):
            found.setdefault(name, []).append(statement)
    return found


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return [node.id for node in targets if isinstance(node.ctx, ast.Store)]


def _origin(statement: ast.ImportFrom, name: str) -> str:
    """Return the name that an imported name has in its module."""
    return next(alias.name for alias in statement.names if (alias.asname or alias.name) == name)


def _is_compiled(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and any(
        isinstance(one, ast.Name) and one.id in COMPILED for one in statement.decorator_list
    )


def _names(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield each name in a statement, with the attribute that is read of it, if any."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr
        elif isinstance(node, ast.Name):
            yield node.id, ""


class _PlainForm(ast.NodeTransformer):
    """Remove annotations and docstrings, and put arrays into the form of nested lists."""

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        node.returns = None
        node.body = [*filter(_is_needed, node.body)] or [ast.Pass()]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        others = [self.visit(one) for one in node.body if one not in fields and _is_needed(one)]
        for field in fields:
            field.annotation = ast.Constant("object")
        node.body = [*fields, *others] or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else None

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Attribute) or not isinstance(node.slice, ast.Tuple):
            return node
        *before, last = node.slice.elts
        value: ast.expr = node.value
        for index in before:
            value = ast.Subscript(value, index, ast.Load())
        return ast.Subscript(value, last, node.ctx)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        is_list = isinstance(node.func, ast.Attribute) and node.func.attr == "tolist"
        return node.func.value if is_list else node


def _is_needed(statement: ast.stmt) -> bool:
    """Return whether a statement of a body is more than a docstring."""
    return not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
