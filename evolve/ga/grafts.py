"""Grafts: mutations that take some parts of another individual over, each with what belongs to it.

A crossover takes half of all that differs, and most children of two good lists are worse than
both. A graft takes a rule, a weight, or a convention together with the rules that go with it, and
the local search tests it as one change (local_search.py).
"""

from hanabi.evolve.ga.individual import Individual, convention_of
from hanabi.evolve.ga.mutations import (
    AddConvention,
    AddRule,
    ChangeWeight,
    Mutation,
    ReplaceConvention,
    ReplaceRule,
)
from hanabi.evolve.ga.search_space import Draws, SearchSpace
from hanabi.evolve.ga.toolbox import keyed

MORE = 0.4  # the chance of each further part


def graft(
    space: SearchSpace, one: Individual, mate: Individual, random: Draws
) -> tuple[Mutation, ...]:
    """Return the mutations that take some random parts of a mate over; none if nothing differs."""
    parts, count = differences(space, one, mate), 1
    while random.random() < MORE:
        count += 1
    taken = random.sample(parts, min(count, len(parts)))
    return tuple(dict.fromkeys(change for part in taken for change in part))


def differences(
    space: SearchSpace, one: Individual, mate: Individual
) -> list[tuple[Mutation, ...]]:
    """Return what a mate has and an individual lacks, as mutations of the individual.

    Each part is an entry or a weight; a convention brings the rules that go with it.
    """
    rules = _taken(one.rules, mate.rules, AddRule, ReplaceRule)
    parts: list[tuple[Mutation, ...]] = [(change,) for change in rules.values()]
    conventions = _taken(one.conventions, mate.conventions, AddConvention, ReplaceConvention)
    for (name, _), change in conventions.items():
        if name in space.families:
            answer = convention_of(change.entry).family.goes_with
            fitting = [rule for (family, _), rule in rules.items() if family == answer]
            parts.append((change, *fitting))
    parts += [
        (ChangeWeight(name, repr(value)),)
        for name, value in mate.weights.items()
        if name in space.weights and one.weights.get(name) != value
    ]
    return parts


def _taken(mine, theirs, add, replace):
    """Mutations that bring each entry of ``theirs`` into ``mine``, by family and number.

    An entry of the same family is replaced. Else it is added behind its neighbour in ``theirs``.
    """
    own, found, before = keyed(mine, True), {}, mine[0] if mine else ""
    for key, entry in keyed(theirs, True).items():
        if key in own:
            place = mine.index(own[key]) + 1
            before = mine[place] if place < len(mine) else ""
            if entry not in mine:
                found[key] = replace(own[key], entry)
        elif entry not in mine:
            found[key] = add(entry, before)
    return found
