"""The library of rules and conventions as data for the workbench, and files of user rules."""

import hashlib
import json
from collections.abc import Generator, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

from hanabi import __version__
from hanabi.conditions import QUANTITIES
from hanabi.conventions.register import CONVENTION_FAMILIES, needs_marks
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.measure.variations import is_of_museum, middle
from hanabi.evolve.workbench.job_queue import Job
from hanabi.evolve.workbench.library_sweep import likely_kind
from hanabi.rulebook import FAMILIES, Family
from hanabi.rules import SETS
from hanabi.rules.agents import load, read_worths
from hanabi.rules.user_rules import LOADED, load_rules
from hanabi.table import ListPlayer, Table
from hanabi.variant import read_variant


class UserRules:
    """Some files of user rules.

    Attributes:
        files: Their paths.
        broken: By file, why it cannot be loaded.
        errors: By family, why machine code cannot be made of it, or why it failed in a trial game.
        checked: Whether all families have been tried.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        self.files = list(files)
        self.broken: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.checked = not files

    def load(self) -> None:
        """Load the files; note why one cannot be loaded."""
        for file in self.files:
            try:
                load_rules(file)
            except ValueError as error:
                self.broken[file.name] = str(error)

    def families(self) -> list[Family]:
        """Return the rules and conventions of all loaded files."""
        return [
            family
            for families in (FAMILIES, CONVENTION_FAMILIES)
            for family in families.values()
            if family.function.__code__.co_filename in LOADED
        ]

    def check(self, job: Job) -> Generator[None]:
        """Compile each rule and convention, and play its trial games; note what fails."""
        variant = read_variant("standard").at(3)
        for family in self.families():
            entry = middle(family)
            player = ListPlayer((entry,))
            if family.what == "convention":
                player = ListPlayer((), conventions=(entry,))
            try:
                Table(variant, [player])
            except Exception as error:  # a user's rule may raise anything
                self.errors[family.name] = " ".join(str(error).split())
            yield
        self.checked = True


SOURCES = {  # by the set of a rule
    "modern": "hints and sight",
    "epistemic": "knowledge",
    "conventional": "by conventions",
    "grown": "expressions",
}
# rules to begin with, in the order in which a person may add them
PLAIN = (
    "play_safe",
    "tell_playable",
    "discard_useless",
    "discard_chop",
    "discard_oldest",
    "play_just_hinted",
    "tell_save",
    "tell_next_playable",
    "tell_ones",
    "discard_dispensable",
    "hail_mary",
    "play_likely",
    "tell_unknown",
    "tell_most_news",
    "discard_highest",
)
MUSEUM_SOURCES = {"cig2018": "2018"}  # by folder; the others are theses and papers
THESES = "theses and papers"
OWN = "own file"


def library_data(user_rules: UserRules, papers: bool = False) -> dict[str, Any]:
    """Return the library as data.

    Args:
        user_rules: The files of user rules.
        papers: Return the ``groups`` of the rules of papers alone, which are no part of the rest.

    Returns:
        ``groups``: [part ("rules" or "conventions"), kind ("play", "tell", "discard" or "meaning"),
        source, families]; each family is [name, sentence (a format string with its values), facts].
        The facts, where there is something to say: ``values`` ({key: choices}, or the choices alone
        if the sentence has the keys in their order), ``goes_with``,
        ``stage`` ("game"), ``needs_marks``, ``plain`` (its place, from 1 on, among the rules to
        begin with), ``known`` ([agent, worth, standard error] in a named agent), and of a user rule
        ``file`` and ``error`` (why it cannot be used).

        ``quantities``: by name of what a guard may bound: [lowest, highest, only of hints].

        ``weights``: by name [default, lowest, highest, meaning].

        ``files``: by name of a file of user rules, why it cannot be loaded, "" if it can.

        ``checked``: whether the rules of users have all been tried.

        ``loaded``: changes with the content of the files of users.
    """
    worths = read_worths()
    known = {name: entry for name, entry in worths.items() if entry["hash"] == load(name).hash}
    errors = user_rules.errors
    groups: dict[tuple[str, str, str], list[list[Any]]] = {}
    for part, families in (("rules", FAMILIES), ("conventions", CONVENTION_FAMILIES)):
        for family in families.values():
            if family.grammar or is_of_museum(family) != papers:
                continue
            kind = likely_kind(family) if part == "rules" else "meaning"
            facts = _family_facts(family, part, known, errors)
            row = [family.name, family.sentence, facts]
            groups.setdefault((part, kind, source_of(family)), []).append(row)
    listed = [[*group, families] for group, families in groups.items()]
    if papers:
        return {"groups": listed}
    return {
        "groups": listed,
        "quantities": {name: list(quantity[:3]) for name, quantity in QUANTITIES.items()},
        "weights": {name: list(entry) for name, entry in WEIGHTS.items()},
        "files": {file.name: user_rules.broken.get(file.name, "") for file in user_rules.files},
        "checked": user_rules.checked,
        "loaded": "".join(LOADED.values()),
    }


def library_digest(user_rules: UserRules) -> str:
    """Return a text that changes with the version and with the files of users."""
    loaded = sorted((str(file), mark) for file, mark in LOADED.items())
    found = [user_rules.broken, user_rules.errors, user_rules.checked]
    text = json.dumps([__version__, loaded, found])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def source_of(family: Family) -> str:
    """Return where a rule comes from, in words."""
    if is_of_museum(family):
        folder = family.function.__module__.partition(".museum.")[2].partition(".")[0]
        return MUSEUM_SOURCES.get(folder, THESES)
    if family.function.__code__.co_filename in LOADED:
        return OWN
    if family.grammar:
        return SOURCES["grown"]
    for name, source in SOURCES.items():
        if any(entry.partition("(")[0] == family.name for entry in SETS[name]):
            return source
    return SOURCES["conventional"]


def _family_facts(
    family: Family, part: str, known: dict[str, dict[str, Any]], errors: dict[str, str]
) -> dict[str, Any]:
    """Return what there is to say about a family beside its name and its sentence."""
    file = Path(family.function.__code__.co_filename)
    facts = {
        "values": {} if family.grammar else _listed_choices(family),
        "goes_with": family.goes_with,
        "stage": family.stage if family.stage == "game" else "",
        "needs_marks": part == "rules" and needs_marks(middle(family)),
        "plain": PLAIN.index(family.name) + 1 if part == "rules" and family.name in PLAIN else 0,
        "known": _known_worth(family.name, part, known),
        "file": file.name if str(file) in LOADED else "",
        "error": errors.get(family.name, ""),
    }
    return {key: value for key, value in facts.items() if value}


def _listed_choices(family: Family) -> dict[str, list[float]] | list[list[float]]:
    """Return the choices by name, or without names if the sentence has them in this order."""
    choices = {key: list(values) for key, values in family.grid.items()}
    named = [key for _, key, _, _ in Formatter().parse(family.sentence) if key]
    return list(choices.values()) if list(dict.fromkeys(named)) == list(choices) else choices


def _known_worth(name: str, part: str, known: dict[str, dict[str, Any]]) -> list[Any]:
    """Return [agent, worth, standard error] of the first agent for which a family counts.

    If it counts for none, the first agent that has it; [] if none has it.
    """
    rows: list[list[Any]] = [
        [agent, float(f"{found[part][name][0]:.2g}"), float(f"{found[part][name][1]:.1g}")]
        for agent, found in known.items()
        if name in found[part]
    ]
    counts = (row for row in rows if abs(row[1]) > 2 * row[2])
    return next(counts, rows[0] if rows else [])
