"""The library of rules and agents. Importing the package registers every rule and convention.

Rules are grouped by the kind of move that they make; ``museum`` has those of papers. Agents
are in ``agents``, files of users are loaded by ``user_rules``. ``__all__`` lists the names.
"""

if __name__ != "hanabi.rules":  # a second copy would have a second register of rules
    raise ImportError("import hanabi.rules, not rules: this folder is the package hanabi.rules")

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rulebook import BOOK, FAMILIES, LIBRARY, SETS, Rule

__all__ = [
    "BOOK",
    "FAMILIES",
    "NAMED",
    "POOLS",
    "SETS",
    "UNIONS",
    "Agent",
    "Rule",
    "dumps",
    "find",
    "find_convention",
    "load",
    "load_rules",
    "loads",
    "pool",
    "rules",
]

UNIONS = {
    "modern+epistemic": ("modern", "epistemic"),
    "living": ("modern", "epistemic", "conventional"),
}
"""Sets of rules made of other sets; ``living`` has all rules in use."""

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
        rules,
    )
    from hanabi.rules.user_rules import load_rules
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__)


def _register_library() -> None:
    """Import the rules of 2018 and every file of rules beside this one, in alphabetical order.

    The order matters: it gives the rules of a set their numbers. The rest of the museum and the
    agent kinds are imported when one of them is named.
    """
    import_module(f"{__name__}.museum.cig2018")
    for module in iter_modules(__path__):
        if not module.ispkg:
            import_module(f"{__name__}.{module.name}")
    for name, parts in UNIONS.items():
        SETS[name] = [rule for part in parts for rule in SETS[part]]
    PRIMITIVES.late.patterns.append(f"{__name__}.agents.rule_words")
    LIBRARY.patterns += [
        f"{__name__}.agents.grown",
        f"{__name__}.museum.*",
        "hanabi.lookahead.look_ahead_player",
        f"{__name__}.agents.any_book",
        f"{__name__}.agents.responses",
    ]


_register_library()
