"""Variations: a list of rules and conventions with one change.

Ablation switches parts off and on, pruning leaves them out, a sweep of the library puts one in:
each measures variations, paired with the list as it is (paired.py). Nothing is tuned again after a
change: a part can be worth little because another one replaces it, and a new part may be worth more
in a list that was tuned with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from hanabi.conditions import guard
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    families_for,
    needs_marks,
    sort_by_stage,
)
from hanabi.conventions.weights import WEIGHTS
from hanabi.rulebook import FAMILIES, Family, Rule, find
from hanabi.rules import SETS
from hanabi.table import ListPlayer
from hanabi.variant import nearest

Listed = TypeVar("Listed", bound=Any)  # a record with ``rules`` and ``conventions``
KINDS = {"rules": "rule", "conventions": "convention"}  # by part of a list
TOGETHER = (  # parts that replace each other, so that one alone says little
    ("focus", "finesse", "order_own", "order_next"),
    ("finesse", "order_own", "order_next"),
    ("order_own", "order_next"),
    ("warning", "no_warning"),
    ("keep_pace", "tell_anything"),
    tuple(families_for()),
)
MOVES = {  # of families whose names do not say which move they make
    **dict.fromkeys(("save", "save_playable", "save_two", "correct", "keep_pace"), "tell"),
    **dict.fromkeys(("answer_finesse", "answer_chain", "answer_pair"), "play"),
    **dict.fromkeys(("gamble_late", "hail_mary"), "play"),
}
WEIGHT_GROUPS = {  # weights of one purpose
    "what becomes known": ("useless", "critical", "soon"),
    "copies and waste": ("copy", "waste"),
    "finesse and bluff": ("finesse", "bluff"),
    "order of plays": ("unlock", "lowest", "private", "fives"),
    "trust in assumptions": ("trust_lives", "trust_chance"),
    "all weights of hints": tuple(WEIGHTS)[: tuple(WEIGHTS).index("unlock")],
}


class Variation(NamedTuple):
    """A list with one change.

    Attributes:
        kind: rule, convention, guard, value, weight or together.
        what: The name of the part that changes.
        entry: The part as an agent file writes it.
        player: The list after the change.
        on: True if the part is added, False if it is taken away.
        place: The place of the entry in its part.
    """

    kind: str
    what: str
    entry: str
    player: ListPlayer
    on: bool = False
    place: int = -1


def kind_of(family: Family) -> str:
    """Return which move the rules of a family make: "play", "tell" or "discard"; "" if unknown."""
    name = family.name.rpartition(".")[2]
    said = {"play", "tell", "discard"} & set(name.split("_"))
    return MOVES.get(name) or (said.pop() if len(said) == 1 else "")


def words_of(listed: Any) -> int:
    """Return how many words a list's sentences have; a weight that is not the default has two."""
    sentences = sum(map(sentence_words, (*listed.rules, *listed.conventions)))
    return sentences + 2 * len(other_weights(listed))


def other_weights(listed: Any) -> dict[str, float]:
    """Return the weights of a list that are not the default."""
    weights = dict(listed.weights)
    return {name: value for name, value in weights.items() if value != WEIGHTS[name][0]}


def sentence_words(entry: Rule) -> int:
    """Return how many words the sentence of an entry has."""
    return len(entry.says.split())


def edited(listed: Listed, part: str, place: int, *entries: Rule) -> Listed:
    """Return a list with other entries instead of the one at a place.

    Args:
        listed: A ListPlayer, or another record with the same parts.
        part: "rules" or "conventions".
        place: The place.
        *entries: What comes there; nothing leaves the entry out.
    """
    held = getattr(listed, part)
    return replace(listed, **{part: (*held[:place], *entries, *held[place + 1 :])})


def inserted(listed: Listed, part: str, place: int, *entries: Rule) -> Listed:
    """Return a list with more entries before those from a place on; see ``edited``."""
    held = getattr(listed, part)
    return replace(listed, **{part: (*held[:place], *entries, *held[place:])})


def omissions(player: ListPlayer) -> Iterator[Variation]:
    """Yield the list without each rule, and without each convention in the order they apply."""
    player = replace(player, conventions=sort_by_stage(player.conventions))
    for part, kind in KINDS.items():
        for place, entry in enumerate(getattr(player, part)):
            rest = edited(player, part, place)
            yield Variation(kind, entry.family.name, entry.name, rest, place=place)


def relaxed(entry: Rule) -> Iterator[Rule]:
    """Yield an entry without its guard, if that has several bounds, then without each bound."""
    bounds = entry.guard.bounds if entry.guard else ()
    if len(bounds) > 1:
        yield replace(entry, guard=None)
    for left_out in bounds:
        rest = {name: (low, high) for name, low, high in bounds if name != left_out[0]}
        yield replace(entry, guard=guard(rest))


def middle(family: Family) -> Rule:
    """Return a family with the middle choice of each value: the setting of an unused part."""
    return Rule(family, tuple(choices[len(choices) // 2] for choices in family.grid.values()))


def set_of(rules: Iterable[Rule]) -> list[Rule]:
    """Return the smallest named set that has all families of some rules.

    Rules whose family is in no set are ignored. The result is empty where no set has the others.
    """
    families = {
        name: {entry.partition("(")[0] for entry in entries} for name, entries in SETS.items()
    }
    wanted = {rule.family.name for rule in rules} & set().union(*families.values())
    for name in sorted(families, key=lambda name: len(SETS[name])):
        if wanted and wanted <= families[name]:
            return [find(entry) for entry in SETS[name]]
    return []


def place_in(rules: Iterable[Rule], name: str, order: list[str]) -> int:
    """Return the place before the first rule whose family comes later in a set; else the end.

    Args:
        rules: The list.
        name: The family of a new rule.
        order: The families of the set, in their order.
    """
    rules, later = list(rules), order[order.index(name) + 1 :]
    return next((i for i, rule in enumerate(rules) if rule.family.name in later), len(rules))


def new_conventions(conventions: Sequence[Rule]) -> list[Family]:
    """Return the families that a list of conventions lacks; parts of a code only beside a code."""
    spoken = {entry.family.name for entry in conventions}
    return [one for name, one in families_for(conventions).items() if name not in spoken]


def new_rules(rules: Iterable[Rule], museum: bool = False) -> Iterator[Family]:
    """Yield the families that a list of rules lacks; those of papers (``museum``) or the others."""
    held = {entry.family.name for entry in rules}
    for name, family in FAMILIES.items():
        if name not in held and not family.grammar and is_of_museum(family) == museum:
            yield family


def is_of_museum(family: Family) -> bool:
    """Return whether a rule comes from a paper."""
    return ".museum." in family.function.__module__


def without(player: ListPlayer, names: Iterable[str], weights: Iterable[str] = ()) -> ListPlayer:
    """Return a player without the rules and conventions of some names, and some weights at 0."""
    names = set(names)
    return replace(
        player,
        rules=tuple(rule for rule in player.rules if rule.family.name not in names),
        conventions=tuple(entry for entry in player.conventions if entry.family.name not in names),
        weights=tuple({**dict(player.weights), **dict.fromkeys(weights, 0)}.items()),
    )


def switches(player: ListPlayer, off: Iterable[Iterable[str]] = ()) -> list[Variation]:
    """Return every switch of a player.

    An unused rule is inserted before the first rule that comes later in the set; an unused
    convention comes last in its stage. A rule that is in the list several times is switched off one
    by one, and all at once.

    Args:
        player: The player.
        off: Names of rules and conventions that are switched off together.

    Raises:
        ValueError: There is no such rule or convention.
    """
    with_marks = any(map(needs_marks, player.rules))
    found = [
        *_rules(player),
        *(_conventions(player) if with_marks or player.conventions else ()),
        *(_weights(player) if with_marks else ()),
    ]
    used = {entry.family.name for entry in player.rules + player.conventions}
    asked, known = [tuple(names) for names in off], {*FAMILIES, *CONVENTION_FAMILIES}
    for name in {name: 0 for names in asked for name in names if name not in known}:
        raise ValueError(f"no rule or convention {name!r} to switch off{nearest(name, known)}")
    for names in dict.fromkeys((*TOGETHER, *asked)):
        some = tuple(name for name in names if name in used)
        what = "all conventions" if names == TOGETHER[-1] else ", ".join(names)
        if len(some) > 1 or names in asked:
            found.append(Variation("together", what, ", ".join(some), without(player, some)))
    return [switch for switch in found if switch.player.rules]


def _called(entries):
    """Return the names of some entries: the family, numbered where it occurs several times."""
    names = [entry.family.name for entry in entries]
    return [
        f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _guards(player, what):
    """Yield the switches of the guards of a player's rules or conventions (``what``: the field)."""
    entries = getattr(player, what)
    for place, (entry, called) in enumerate(zip(entries, _called(entries))):
        always = replace(entry, guard=None)
        if entry.guard and (what == "rules" or always not in entries):
            changed = edited(player, what, place, always)
            yield Variation("guard", f"{called} when", str(entry.guard), changed)


def _rules(player):
    rules, names = player.rules, [rule.family.name for rule in player.rules]
    for place, (rule, what) in enumerate(zip(rules, _called(rules))):
        yield Variation("rule", what, rule.name, edited(player, "rules", place))
    yield from _guards(player, "rules")
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            entries = "; ".join(rule.name for rule in rules if rule.family.name == name)
            yield Variation("rule", f"{name} (all)", entries, without(player, [name]))
    whole: dict[str, list[Rule]] = {}
    for rule in set_of(rules):
        whole.setdefault(rule.family.name, []).append(rule)
    for name, settings in whole.items():
        if name not in names:
            new, place = settings[len(settings) // 2], place_in(rules, name, list(whole))
            yield Variation("rule", name, new.name, inserted(player, "rules", place, new), on=True)


def _conventions(player):
    held = player.conventions
    for place, (entry, what) in enumerate(zip(held, _called(held))):
        yield Variation("convention", what, entry.name, edited(player, "conventions", place))
        for key, choices in entry.family.grid.items():
            for other in choices if len(choices) == 2 else ():
                changed = replace(entry, values=tuple({**entry.settings, key: other}.values()))
                if changed not in held:
                    yield Variation(
                        "value",
                        f"{what} {key}",
                        f"{key}={other} for {entry.settings[key]}",
                        edited(player, "conventions", place, changed),
                        on=entry.settings[key] == 0,
                    )
    yield from _guards(player, "conventions")
    for family in new_conventions(held):
        new = middle(family)
        changed = inserted(player, "conventions", len(held), new)
        yield Variation("convention", family.name, new.name, changed, on=True)


def _weights(player):
    weights = {name: dict(player.weights).get(name, entry[0]) for name, entry in WEIGHTS.items()}
    for what, names in [*((name, (name,)) for name in WEIGHTS), *WEIGHT_GROUPS.items()]:
        some = [name for name in names if weights[name] != 0]
        if some and (len(names) == 1 or len(some) > 1):
            yield Variation(
                "weight",
                what,
                ", ".join(f"{name}={weights[name]}" for name in some),
                without(player, (), some),
            )
