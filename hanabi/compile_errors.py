"""Numba's errors about a rule, translated into what to write instead."""

import re
from collections.abc import Callable
from pathlib import Path

from hanabi.state import VIEW
from hanabi.variant import nearest

MORE = '`hanabi rules --questions "machine code"` says what a rule can do'
KINDS = {
    "none": "nothing",
    "unicode_type": "text",
    "int64": "a whole number",
    "float64": "a number with a point",
    "bool": "yes or no",
    "boolean": "yes or no",
}


ANNOTATIONS = re.compile(r": [^,)]+|(?<=\)) -> .*")  # (slot: int) -> int becomes (slot)


def _kind(text):
    """Return the name of a numba type in plain words."""
    literal = re.match(r"Literal\[(\w+)\]", text)
    if literal:
        return {"str": "text", "int": "a whole number", "bool": "yes or no"}.get(
            literal[1], literal[1]
        )
    for found in ("list", "set", "dict", "tuple"):
        if text.lower().startswith((found, f"reflected {found}")):
            return f"a {found}"
    return (
        "a row of the view" if "array" in text.lower() else KINDS.get(text, text.partition("(")[0])
    )


def _global(match, function):
    name, kind = match[1], match[2]
    if kind == "function":
        return (
            f"{name} is plain Python: write `from hanabi.authoring import compiled`, and @compiled "
            f"above `def {name}`"
        )
    return (
        f"{name} is a {'class' if kind == 'type' else kind}, which machine code does not know: "
        "use numbers, tuples and functions with "
        "@compiled"
    )


def _returned(match, function):
    if match[1] == "none":
        return "there is a way on which it returns no move; return NOTHING where it does not apply"
    return (
        f"it returns {_kind(match[1])}, which is no move; return play(slot), discard(slot), "
        "tell_rank(…), NOTHING and so on"
    )


SAYINGS: list[
    tuple[str, Callable[[re.Match[str], Callable], str]]
] = [  # what numba says, and what is said instead
    (r"No conversion from (.+?) to int64", _returned),
    (
        r"'(\w+)'$",
        lambda match, function: (
            f"the view has no field {match[1]!r}{nearest(match[1], VIEW.names)}"
        ),
    ),
    (r"Untyped global name '(\w+)':.*<class '([\w.]+)'>", _global),
    (
        r"The use of a (.+) type, assigned to variable '(\w+)' in globals",
        lambda match, function: (
            f"{match[2]} is {_kind(match[1])}, which machine code does not know: write a tuple, "
            f"{match[2]} = (…)"
        ),
    ),
    (
        r"NameError: name '(\w+)' is not defined",
        lambda match, function: (
            f"nothing is called {match[1]!r} here{nearest(match[1], function.__globals__)}: "
            "import it, or define it above"
        ),
    ),
    (
        r"Unknown attribute '(\w+)' of type (.+)",
        lambda match, function: f"machine code knows no .{match[1]} of {_kind(match[2])}; {MORE}",
    ),
    (
        r"Cannot unify (.+) and (.+) for '(.+?)'",
        lambda match, function: (
            f"{match[3].partition('.')[0]} is once {_kind(match[1])} and once {_kind(match[2])}: "
            "give the two different names"
        ),
    ),
    (
        r"Cannot bind .* to signature '(.+?)' due to \"TypeError: (.+?)\"",
        lambda match, function: (
            f"a function that takes {ANNOTATIONS.sub('', match[1])} is called otherwise: {match[2]}"
        ),
    ),
    (
        r"Cannot infer the type of variable '(.+?)'.*list\(undefined\)",
        lambda match, function: (
            f"the list {match[1].partition('.')[0]} is empty, so nothing says what it holds: "
            "use a tuple, or bits"
        ),
    ),
    (
        r"Use of unsupported opcode \(IMPORT_NAME\)",
        lambda match, function: "an import stands at the top of the file, not in the function",
    ),
    (
        r"Use of unsupported opcode",
        lambda match, function: f"machine code does not know what this line does; {MORE}",
    ),
    (
        r"No implementation of function Function\(<built-in function setitem>\)",
        lambda match, function: f"a row or a dictionary holds one kind of value; {MORE}",
    ),
    (
        r"No implementation of function Function\(<built-in function getitem>\)",
        lambda match, function: (
            f"machine code takes no such index here: seats and slots are whole numbers; {MORE}"
        ),
    ),
    (
        r"No implementation of function Function\(<intrinsic exception_match>",
        lambda match, function: (
            f"machine code catches no exception by its name: ask before, with if; {MORE}"
        ),
    ),
    (
        r"No implementation of function Function\(<(?:built-in function|function|class) '?([\w.]+)",
        lambda match, function: f"machine code cannot use {match[1]} with these values; {MORE}",
    ),
    (
        r"Type of variable .* cannot be determined",
        lambda match, function: f"machine code cannot tell what this line makes; {MORE}",
    ),
]


def explain_error(function: Callable, error: Exception) -> str:
    """Return numba's error in one line: file, line, and what to write instead if it is known."""
    whole = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in whole.splitlines()]
    says = [
        line for line in lines if line and not line.startswith(("Failed in ", "File ", "During: "))
    ]
    text = (says or [type(error).__name__])[0].split(" Raised from")[0]
    for said, instead in SAYINGS:
        match = re.match(said, text)
        if match:
            text = instead(match, function)
            break
    return f"{function.__code__.co_filename}, line {_line(function, error, whole)}: {text[:300]}"


def _line(function, error, whole):
    """Return the line of the user's file that an error is about, or that of the function."""
    file, place = function.__code__.co_filename, getattr(error, "loc", None)
    if place and place.line and Path(place.filename or "").name == Path(file).name:
        return place.line
    named = re.findall(rf'File "[^"]*?{re.escape(Path(file).name)}", line (\d+)', whole)
    return int(named[-1]) if named else function.__code__.co_firstlineno
