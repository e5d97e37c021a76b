"""What the code of a rule depends on: lazy answers, marks, user-defined functions.

Found in the code of the rule and of all that it calls, also by way of a module
(``questions.i_know``) or a closure.
"""

import dis
import sys
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from hanabi.lazy import Answer

_FOREIGN = sys.stdlib_module_names | {
    "numpy",
    "numba",
    "llvmlite",
}  # code that asks nothing of a view
_JUMPS = {*dis.hasjrel, *dis.hasjabs}
_OURS = {"hanabi", "rules"}  # here a field called marks is the view's; all else is a user's own


def answers_of(function: Callable) -> set[Answer]:
    """Return the lazy answers that a rule needs, and those that these need."""
    return set(_reached(function)[1])


@lru_cache(None)
def reads_marks(function: Callable) -> bool:
    """Return whether marks have to be kept for a rule.

    They have where it, or something it calls, reads the field ``marks`` of what may be a view: not
    of a module, nor of a constant.
    """
    return any(_reads_marks(found) for found in _reached(function)[0])


def fields_named(function: Callable, fields: Collection[str]) -> set[str]:
    """Return which of some fields of a view the code of a rule names."""
    return {
        name
        for found in _reached(function)[0]
        for code in _codes(found.__code__)
        for name in code.co_names
        if name in fields
    }


@lru_cache(None)
def _reached(function: Callable) -> tuple[frozenset[FunctionType], frozenset[Answer]]:
    """Return every Python function and every lazy answer that a rule's code can reach."""
    functions: set[FunctionType] = set()
    answers: set[Answer] = set()
    rest: list = [function]
    while rest:
        value = rest.pop()
        if isinstance(value, Answer):
            answers.add(value)
            value = value.function
        elif isinstance(value, tuple):
            rest += value
        value = getattr(value, "py_func", value)
        if (
            isinstance(value, FunctionType)
            and value not in functions
            and _top(value) not in _FOREIGN
        ):
            functions.add(value)
            rest += _named(value)
    return frozenset(functions), frozenset(answers)


def is_own(function: Callable) -> bool:
    """Return whether a function is user-defined: not the library's."""
    return _top(function) not in _OURS


def own_functions(function: Callable) -> list[FunctionType]:
    """Return the user-defined functions that a rule's code can reach, by their places."""
    return sorted(
        filter(is_own, _reached(function)[0]),
        key=lambda found: (found.__code__.co_filename, found.__code__.co_firstlineno),
    )


@lru_cache(None)
def has_loop(function: Callable) -> bool:
    """Return whether user-defined code that a rule's code can reach jumps back: loops."""
    return any(
        step.opcode in _JUMPS and step.argval < step.offset
        for found in own_functions(function)
        for code in _codes(found.__code__)
        for step in dis.get_instructions(code)
    )


def constants(function: FunctionType) -> dict[str, Any]:
    """Return the values of the names in a function that are not its own variables."""
    around, closure = _constants(function)
    return {
        name: around[name]
        for code in _codes(function.__code__)
        for name in code.co_names
        if name in around
    } | closure


def _top(function):
    """Return the name of the package that a function is from."""
    return (function.__module__ or "").partition(".")[0]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code, and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _constants(function):
    """Return the globals of a function, and the variables of functions around it."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    return function.__globals__, {
        name: cell.cell_contents for name, cell in cells.items() if not _is_empty(cell)
    }


def _is_empty(cell):
    try:
        cell.cell_contents
    except ValueError:  # a variable that got no value yet
        return True
    return False


def _named(function):
    """Return every value that a function may use by a name, or take from a module by a name."""
    around, closure = _constants(function)
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    found = [*closure.values(), *(around[name] for name in names if name in around)]
    modules = [value for value in found if isinstance(value, ModuleType)]
    for module in modules:  # grows: a module may be reached by way of another
        if module.__name__.partition(".")[0] not in _FOREIGN:
            inside = [vars(module)[name] for name in names if name in vars(module)]
            modules += [
                value for value in inside if isinstance(value, ModuleType) and value not in modules
            ]
            found += inside
    return found


def _reads_marks(function):
    """Return whether a function itself reads ``marks`` of no module and no constant."""
    mentions = any(
        "marks" in code.co_names or "marks" in code.co_consts for code in _codes(function.__code__)
    )
    if not mentions or _top(function) in _OURS:
        return mentions
    around, closure = _constants(function)
    for code in _codes(function.__code__):
        if "marks" in code.co_consts:  # view["marks"], getattr(view, "marks")
            return True
        constant = False  # is what the last instruction put there a constant?
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                if step.argval == "marks" and not constant:
                    return True
            elif step.opname not in ("EXTENDED_ARG", "NOP", "CACHE", "PUSH_NULL"):
                constant = (
                    step.opname == "LOAD_GLOBAL"
                    and step.argval in around
                    or step.opname == "LOAD_DEREF"
                    and step.argval in closure
                )
    return False
