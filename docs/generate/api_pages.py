"""The pages of the Python API: what each name does, by the question that it answers.

They are plain Markdown, made of signatures, docstrings and the examples in api_examples/, so that
they read well on a code host.
"""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import griffe

from docs.generate.markdown import as_markdown, table

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(__file__).with_name("api_examples")

GROUPS: dict[str, dict[str, str]] = {  # by package: titles, each with its names
    "hanabi": {
        "Play a game": "Game Position play_one load_game read_games Variant read_variant"
        " Step Choice",
        "Moves and cards": "play discard tell_colour tell_rank read_move move_text is_legal"
        " legal_moves read_card card_text colour_of rank_of FORFEIT NOTHING SEATS SLOTS",
        "Play many games": "Table game_seeds ListPlayer",
        "Write a player": "Player as_player default_move random_below PlayError"
        " PlayerFailedError RuleError RuleFailedError",
        "Write a rule": "rule primitive Rule View State playable_chance useless_chance may_discard"
        " newest oldest convention",
    },
    "hanabi.rules": {
        "Load agents": "load Agent loads dumps pool",
        "Find rules and conventions": "rules find find_convention load_rules Rule",
        "Registers": "NAMED POOLS SETS UNIONS BOOK FAMILIES",
    },
    "hanabi.evolve": {
        "Evolve agents": "Evolution Generation evolve resume Run RunState list_runs Progress"
        " make_deap_toolbox RunError RunStoppedError",
        "Write configs": "preset override Config",
        "Measure agents": "tournament Tournament compare Comparison Verdict play_games summarise"
        " measure_behaviour save_table",
        "Explain agents": "analyse Analysis lab",
        "Write pages and files": "report export",
        "Run series": "experiment Experiment",
    },
    "hanabi.environment": {"Train a learner": "Batch Stepped"},
    "hanabi.observations": {
        "Write and read observations": "encode decode",
        "Look up the layout": "meaning_of observation_size parts_of Part LAYOUTS",
    },
}
ATTRIBUTES = "An entry without a signature is an attribute: it takes no brackets."
MEANINGS = {  # of names that carry no docstring
    "FORFEIT": "The number {}, in place of a move: the player had none, and the game ends.",
    "NOTHING": "The number {}: a rule returns it where it does not apply.",
    "SEATS": "The number {}: the most players of a game; the length of rows by seat.",
    "SLOTS": "The number {}: the most cards of a hand; the length of rows by slot.",
    "State": "The state of a game, with all cards: a record (numpy), such as `Game.at` returns.",
    "View": "What the seat to move sees: a record (numpy). [Its fields](../questions.md).",
}
LISTS = ("parameters", "attributes", "raises", "returns", "yields")
TITLES = {"parameters": "Arguments", "raises": "Raises", "attributes": "Attributes"}
LINE = 88


def page(package: str) -> str:
    """Return the page of a package: a group of names for each question."""
    module = import_module(package)
    parts = [f"# `{package}`", as_markdown(inspect.getdoc(module) or "")]
    groups = {title: names.split() for title, names in GROUPS[package].items()}
    parts += [ATTRIBUTES, table(["question", "names"], _overview(module, groups))]
    shown = examples(package)
    named = [getattr(module, name) for names in groups.values() for name in names]
    for title, names in groups.items():
        parts.append(f"## {title}")
        for name in names:
            value = getattr(module, name)
            parts += [*_entry(name, value, shown[name]), *_members(value, named)]
    return "\n\n".join(parts) + "\n"


def examples(package: str) -> dict[str, str]:
    """Return an example of each name of a package, as a session of the interpreter.

    In the file of a package an example begins with ``# NAME``. They run in the order of the file,
    in one folder, and keep their variables.
    """
    text = (EXAMPLES / f"{package}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^# (\w+)\n(.*?)\n*(?=^# |\Z)", text, re.M | re.S))


def _overview(module, groups):
    """Return a row for each group, with links to its names."""
    return [
        (title, ", ".join(f"[`{name}`](#{_anchor(name, getattr(module, name))})" for name in names))
        for title, names in groups.items()
    ]


def _anchor(name, value):
    """Return the anchor of a name: those of ``Tournament`` and ``tournament`` differ."""
    return f"class-{name.lower()}" if inspect.isclass(value) else name.lower()


def _entry(name: str, value: Any, example: str) -> list[str]:
    """Return the parts of the section of a name, without its members."""
    heading = f"class `{name}`" if inspect.isclass(value) else f"`{name}`"
    signature = f"class {name}" if inspect.isclass(value) else name
    if name in MEANINGS:
        about = [MEANINGS[name].format(value)]
    elif callable(value):
        about = [_code(signature, value), *_described(value)]
    else:
        about = [_register(value)]
    return [f"### {heading}", *about, f"```pycon\n{example}\n```"]


def _register(value):
    """Return a sentence on a register."""
    return f"A register of {len(value):,} entries (`{type(value).__name__}`)."


def _code(name, value):
    """Return the signature of a function or a class as a block."""
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):  # a class of the standard library
        return f"```python\n{name}\n```"
    given = [_parameter(one) for key, one in signature.parameters.items() if key != "self"]
    returns = "" if inspect.isclass(value) else _short(str(signature).rpartition(")")[2])
    text = f"{name}({', '.join(given)}){returns}"
    if len(text) > LINE:
        text = "\n".join([f"{name}(", *(f"    {one}," for one in given), f"){returns}"])
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)  # annotations are kept as text
    return f"```python\n{text}\n```"


def _parameter(parameter):
    """Return a parameter as text, without a default that is a whole register."""
    if len(repr(parameter.default)) > LINE:
        parameter = parameter.replace(default=...)
    return _short(str(parameter))


def _short(text):
    """Return annotations as the source writes them: classes without their modules."""
    text = re.sub(r"ForwardRef\(.([^']*).\)", r"\1", text)
    text = re.sub(r"\*<class '([\w.]+)'>", r"Unpack[\1]", text)
    text = re.sub(r"\bpandas\.(core\.\w+\.)?", "pd.", text).replace("numpy.", "np.")
    text = re.sub(r"\b(?!pd\.)(?:[a-z_]\w*\.)+(?=[A-Z])", "", text)
    return text.replace("str | Agent | Player", "Spec")


def _described(value):
    """Return the parts of a docstring as Markdown."""
    found = []
    for section in griffe.Docstring(inspect.getdoc(value) or "").parse("google", warnings=False):
        kind = section.kind.value
        if kind == "text":
            found.append(as_markdown(section.value))
        elif kind == "examples":
            blocks = [text for _, text in section.value]
            found += ["Example:", *(f"```python\n{text}\n```" for text in blocks)]
        elif kind in LISTS:
            found.append(_list(kind, section.value))
    return found


def _list(kind, entries):
    """Return a section with entries as a list."""
    lines = []
    for one in entries:
        name = getattr(one, "name", "") or (one.annotation if kind == "raises" else "")
        words = " ".join(as_markdown(one.description).split())
        lines.append(f"* `{name}`: {words}" if name else f"* {words}")
    return "\n".join([f"{TITLES.get(kind, kind.capitalize())}:", "", *lines])


def _members(cls, named):
    """Return the public methods and properties of a class that have a docstring.

    Those of a base class are among them, unless it has its own section.
    """
    if not inspect.isclass(cls):
        return []
    found, members = [], {}
    for base in cls.__mro__:
        if base is cls or base.__module__.startswith("hanabi.") and base not in named:
            members = vars(base) | members
    for name, member in members.items():
        plain = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        is_property = isinstance(plain, property | cached_property)
        if name.startswith("_") or not (is_property or inspect.isfunction(plain)):
            continue
        if inspect.getdoc(plain):
            heading = f"`{cls.__name__}.{name}`"
            of = f"{cls.__name__}." if isinstance(member, staticmethod | classmethod) else ""
            signature = [] if is_property else [_code(of + name, getattr(cls, name))]
            found += [f"#### {heading}", *signature, *_described(plain)]
    return found
