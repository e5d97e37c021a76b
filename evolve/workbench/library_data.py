"""The library of rules and conventions as data for the page of the workbench."""

from __future__ import annotations

import hashlib
import json
import string
from typing import Any

from hanabi import __version__
from hanabi.conditions import QUANTITIES
from hanabi.conventions.register import CONVENTION_FAMILIES, needs_marks
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.measure.ablation import middle
from hanabi.evolve.workbench.measurements import is_of_museum, kind_of
from hanabi.rulebook import FAMILIES, Family
from hanabi.rules import SETS
from hanabi.rules.user_rules import LOADED

SOURCES = {  # by the set of a rule
    "modern": "hints and sight",
    "epistemic": "knowledge",
    "conventional": "by conventions",
}
MUSEUM_SOURCES = {"cig2018": "2018"}  # by folder; the others are theses and papers
THESES = "theses and papers"
OWN = "own file"


def library_data() -> dict[str, Any]:
    """Return the library as data.

    Returns:
        ``families``: for each rule and convention ``name``, ``part`` ("rules" or "conventions"),
        ``kind`` ("play", "tell", "discard" or "meaning"), ``source``, ``parts`` of its sentence
        (texts, and values as [key, format]), ``values`` ({key: {``grid``, ``within``,
        ``worded``}}), ``goes_with``, ``stage``, ``entry`` (with the middle of its values) and
        ``needs_marks``.

        ``quantities``: by name of what a guard may bound: [lowest, highest, only of hints].

        ``weights``: by name [default, lowest, highest, meaning].

        ``digest``: changes with the version and with the files of users.
    """
    return {
        "families": [
            *(_family_data(family, "rules") for family in FAMILIES.values()),
            *(_family_data(family, "conventions") for family in CONVENTION_FAMILIES.values()),
        ],
        "quantities": {name: list(quantity[:3]) for name, quantity in QUANTITIES.items()},
        "weights": {name: list(entry) for name, entry in WEIGHTS.items()},
        "digest": library_digest(),
    }


def library_digest() -> str:
    """Return a text that changes with the version and with the loaded files of users."""
    text = json.dumps([__version__, sorted((str(file), mark) for file, mark in LOADED.items())])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def source_of(family: Family) -> str:
    """Return where a rule comes from, in words."""
    if is_of_museum(family):
        folder = family.function.__module__.partition(".museum.")[2].partition(".")[0]
        return MUSEUM_SOURCES.get(folder, THESES)
    if family.function.__code__.co_filename in LOADED:
        return OWN
    for name, source in SOURCES.items():
        if any(entry.partition("(")[0] == family.name for entry in SETS[name]):
            return source
    return SOURCES["conventional"]


def _family_data(family: Family, part: str) -> dict[str, Any]:
    entry = middle(family)
    return {
        "name": family.name,
        "part": part,
        "kind": kind_of(family) if part == "rules" else "meaning",
        "source": source_of(family),
        "parts": sentence_parts(family),
        "values": {
            key: {
                "grid": list(choices),
                "within": list(family.within[key]),
                "worded": key in family.worded,
            }
            for key, choices in family.grid.items()
        },
        "goes_with": family.goes_with,
        "stage": family.stage,
        "entry": entry.name,
        "needs_marks": part == "rules" and needs_marks(entry),
    }


def sentence_parts(family: Family) -> list[str | list[str]]:
    """Return the sentence of a family: texts, and [key, format] of each value in it."""
    parts: list[str | list[str]] = []
    for text, key, form, _ in string.Formatter().parse(family.sentence):
        if text:
            parts.append(text)
        if key:
            parts.append([key, form or ""])
    return parts
