"""What the code of a rule depends on, and may not do: found before it is compiled.

It may not write to the facts of a view, call itself, read the time, or draw random numbers that no
seed repeats. Only the text is read: ``view.lives = 3``, ``view.hands[0, 1] = 3``, ``mine =
view.hands; mine[0, 1] = 3``, in the rule or in a user-defined function that it calls. Other writes
are found in the trial (trial.py).

It depends on lazy answers, marks, and user-defined functions, which are found in the code of the
rule and of all that it calls, also by way of a module (``questions.i_know``) or a closure.
"""

import ast
import dis
import inspect
import sys
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from hanabi.backend.bits import is_user_defined
from hanabi.state import FACTS, VIEW, Answer

FACT_NAMES: frozenset[str] = frozenset(str(field[0]) for field in FACTS)
RANDOM = (
    "random numbers that no seed repeats; ask random_below(view, salt, n) of hanabi.view, "
    "any salt, for one from 0 to n-1"
)
OUTSIDE = "something outside the game: games would not be reproducible; a rule asks its view alone"
PIECEMEAL = (
    inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
)  # code that does not run when it is called
FORBIDDEN = {
    "random": RANDOM,
    "numpy.random": RANDOM,
    "secrets": RANDOM,
    "uuid": RANDOM,
    "time": OUTSIDE,
    "datetime": OUTSIDE,
    "os": OUTSIDE,
    "posix": OUTSIDE,
}


def guarded_facts(what: str) -> frozenset[str]:
    """Return the facts that a "rule" or a "convention" may not write.

    Conventions may write marks: the convention "chop" writes there how it chooses.
    """
    return FACT_NAMES - {"marks"} if what == "convention" else FACT_NAMES


def find_problem(function: Callable, what: str) -> str:
    """Return the first thing that a rule or convention may not do, with file and line; or "".

    Args:
        function: Its function; user-defined functions that it calls are checked, too.
        what: "rule" or "convention".
    """
    code = function.__code__
    if code.co_flags & PIECEMEAL:  # numba takes it, and LLVM does not come to an end with it
        return (
            f"has a yield or is async: a {what} returns its answer at once, by return "
            f"({Path(code.co_filename).name}, line {code.co_firstlineno})"
        )
    for found in own_functions(function):
        for line, problem in _problems(found, guarded_facts(what)):
            return f"{problem} ({Path(found.__code__.co_filename).name}, line {line})"
    return ""


def write_problem(field: str) -> str:
    """Return what is wrong where a rule writes to a field of the view."""
    if not field:
        return "writes to the view, which is read-only; work on a copy"
    number = not VIEW[field].shape
    return (
        f"writes to view.{field}, which is read-only; work on "
        f"{'a number of your own' if number else 'a copy'}: "
        f"mine = view.{field}{'' if number else '.copy()'}"
    )


def _problems(function: FunctionType, guarded: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) of a function's own text; nothing without its source."""
    body = _body(function)
    other_names = _aliases(body)
    for node in body:
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            field = _fact(node, other_names)
            if field in guarded:
                yield node.lineno, write_problem(field)
    for node, value in _references(function):
        problem = _forbidden(value)
        if problem:
            yield node.lineno, f"asks {ast.unparse(node)} for {problem}"
        if _calls(value, function, {*own_functions(function)} - {function}):
            yield (
                node.lineno,
                f"calls {ast.unparse(node)}, which calls {function.__name__} again: "
                "a recursion may never end; write a loop",
            )


@lru_cache(256)
def _body(function: FunctionType) -> list[ast.AST]:
    """Return the nodes of a function's text; none where its source cannot be read."""
    try:
        tree = ast.parse(dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):  # typed at a prompt, or a lambda in the middle of a line
        return []
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    return [node for part in getattr(tree, "body", ()) for node in ast.walk(part)]


def _references(function: FunctionType) -> list[tuple[ast.Attribute | ast.Name, Any]]:
    """Return the names that a function reads, each with its value."""
    names = constants(function)
    return [
        (node, _value(node, names))
        for node in _body(function)
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load)
    ]


def _calls(value: Any, function: FunctionType, unseen: set[FunctionType]) -> bool:
    """Return whether a value is a function or lazy answer that calls a user-defined function.

    Args:
        value: What a name in user-defined code stands for.
        function: The function that may be called.
        unseen: The other user-defined functions that may lie between; emptied on the way.
    """
    called = value.function if isinstance(value, Answer) else value
    called = getattr(called, "py_func", called)
    if called is function:
        return True
    if not isinstance(called, FunctionType) or called not in unseen:
        return False
    unseen.remove(called)
    return any(_calls(other, function, unseen) for _, other in _references(called))


def _aliases(body: list[ast.AST]) -> dict[str, str]:
    """Return the names that get a value, each with the array of the view it stands for.

    "" for none, or for more than one.
    """
    found: dict[str, set[str]] = {}
    for node in body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, set()).add(_fact(node.value, {}))
    return {name: fields.pop() if len(fields) == 1 else "" for name, fields in found.items()}


def _fact(node: ast.AST, other_names: dict[str, str]) -> str:
    """Return the fact that ``view.hands[0]`` or ``view.marks[0].plays`` is part of; or ""."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in FACT_NAMES
            and (isinstance(node.value, ast.Name) and node.value.id not in other_names)
        ):
            return node.attr
        node = node.value
    return other_names.get(node.id, "") if isinstance(node, ast.Name) else ""


def _value(node: ast.AST, names: dict[str, Any]) -> Any:
    """Return what ``np.random.rand`` stands for; None where that cannot be told."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    return (
        getattr(_value(node.value, names), node.attr, None)
        if isinstance(node, ast.Attribute)
        else None
    )


def _forbidden(value: Any) -> str:
    """Return what is wrong with using a value; "" for nothing."""
    if isinstance(value, ModuleType):
        return FORBIDDEN.get(value.__name__, "")
    owner = getattr(value, "__self__", None)  # of a method: np.random.rand, random.random
    for thing in (value, None if isinstance(owner, ModuleType) else type(owner), type(value)):
        module = getattr(thing, "__module__", None)
        for name, problem in FORBIDDEN.items():
            if isinstance(module, str) and f"{module}.".startswith(f"{name}."):
                return problem
    return FORBIDDEN.get(owner.__name__, "") if isinstance(owner, ModuleType) else ""


_FOREIGN = sys.stdlib_module_names | {
    "numpy",
    "numba",
    "llvmlite",
}  # code that asks nothing of a view
_JUMPS = {*dis.hasjrel, *dis.hasjabs}


def answers_of(function: Callable) -> set[Answer]:
    """Return the lazy answers that a rule needs, and those that these need."""
    return set(_reached(function)[1])


@lru_cache(None)
def reads_marks(function: Callable) -> bool:
    """Return whether marks have to be kept for a rule.

    They have where it, or something it calls, names the field ``marks``.
    """
    return any(
        "marks" in code.co_names or "marks" in code.co_consts  # view.marks, view["marks"]
        for found in _reached(function)[0]
        for code in _codes(found.__code__)
    )


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
            and (value.__module__ or "").partition(".")[0] not in _FOREIGN
        ):
            functions.add(value)
            rest += _named(value)
    return frozenset(functions), frozenset(answers)


def is_own(function: Callable) -> bool:
    """Return whether a function is user-defined: not the library's."""
    return is_user_defined(function.__module__)


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
        name: cell.cell_contents for name, cell in cells.items() if cell != CellType()
    }  # an empty cell is a variable that got no value yet


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
