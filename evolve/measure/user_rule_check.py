"""Check user-defined rules and conventions: ``hanabi check my_rules.py``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hanabi.conformance import Finding, examine, sample
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.files import whole_path
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rule_dependencies import reads_marks
from hanabi.rulebook import FAMILIES, Family, Rule, some_of
from hanabi.rules.agents import load
from hanabi.rules.agents.grown import examples_of
from hanabi.rules.user_rules import load_rules

PLAYED_BY = (
    "piers",
    "iggi",
    "outer",
    "legal-random",
)  # the games that the states come from; one list for all counts
MARKED_BY = "convention"  # whose conventions the marks in all states follow
MOST = 24  # settings of one rule that are all checked; of more, some with every value


@dataclass(frozen=True)
class CheckResult:
    """A rule, convention or primitive (``what``), what was asked of it, and the findings."""

    name: str
    what: str
    asked: list[Rule]
    findings: list[tuple[Rule, Finding]]


def settings_of(family: Family) -> list[Rule]:
    """Return a family with every setting of its grid, or some with every value at least once."""
    grid = list(family.grid.values())
    rules = some_of(family)
    if len(rules) <= MOST:
        return rules
    return [
        Rule(family, tuple(choices[i % len(choices)] for choices in grid))
        for i in range(max(map(len, grid)))
    ]


def check(
    files: Iterable[str | Path], progress: Callable[..., None] | None = None
) -> list[CheckResult]:
    """Check the rules and the conventions of some files.

    Args:
        files: Python files with rules or conventions.
        progress: Called with ``what=`` at each step.

    Raises:
        ValueError: One line, for a file that cannot be loaded.
    """
    own = list(files)
    for file in own:
        load_rules(file)
    paths = {str(whole_path(file)) for file in own}
    found = [
        CheckResult(part.name, what, settings_of(part), [])
        for what, families in (("rule", FAMILIES), ("convention", CONVENTION_FAMILIES))
        for family in families.values()
        if str(whole_path(family.function.__code__.co_filename)) in paths
        for part in (family, *family.hooks)
    ]
    found += [
        CheckResult(one.name, "primitive", examples_of(one), [])
        for one in PRIMITIVES.values()
        if str(whole_path(one.file)) in paths
    ]
    tell = progress or (lambda **what: None)
    tell(what="playing games for positions to ask in")
    seated = [load(name).list_at(3) for name in PLAYED_BY]
    states = sample(seated, load(MARKED_BY).list_at(3).conventions)
    witnesses = list({rule.name: rule for player in seated for rule in player.rules}.values())
    asked = {
        what: [rule for one in found if one.what == what for rule in one.asked]
        for what in ("rule", "convention", "primitive")
    }
    tell(
        what=" and ".join(
            f"asking {len(some)} {what}{'s' * (len(some) > 1)}"
            for what, some in asked.items()
            if some
        )
    )
    said = {what: examine(some, states, witnesses) for what, some in asked.items()}
    return [
        replace(
            one,
            findings=[(rule, fault) for rule in one.asked for fault in said[one.what][rule.name]],
        )
        for one in found
    ]


def text_of(rule: Rule, finding: Finding) -> tuple[str, int | None]:
    """Return a position or a game, as text, that shows a fault, and the turn of the game.

    Raises:
        ValueError: Where no single position shows it.
    """
    if finding.place is None:
        raise ValueError(f"{rule.name} shows this fault in no single position")
    said = f"# {rule.name}: {finding}\n"
    if reads_marks(rule.family.function):
        return said + str(finding.place.game()), len(finding.place.moves)
    return said + str(finding.place.position()), None
