"""Expressions of grown rules as trees of DEAP's genetic programming, drawn and changed by it.

Every word of the language (hanabi/language) is a node. A child that does not fit the machine form
of a rule, or is too long, is replaced by its parent.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from deap import gp

from hanabi.evolve.ga.operators import seeded
from hanabi.language.expressions import Expression, of_prefix, of_program
from hanabi.language.primitive_register import KINDS, PRIMITIVES
from hanabi.rulebook import Family, Rule

INITIAL_HEIGHT = (1, 3)  # of a random expression: at least, at most
BRANCH_HEIGHT = 2  # of a random part that takes the place of another one, at most
MOST_WORDS = 16  # of an expression that an operator makes longer
MOST_DRAWN = 12  # how often a word about marks without choices is drawn, of one with many 1
SEED_BITS = 62


class _Kind(type):
    """The class of a kind of values: DEAP tells kinds apart by class."""

    def __hash__(cls) -> int:
        """Return the same number in every process: ``gp.cxOnePoint`` draws from a set of kinds."""
        return _ORDER.index(cls.__name__)


_ORDER = ("move", *KINDS)
_CLASSES = {kind: _Kind(kind, (), {}) for kind in _ORDER}


@lru_cache(4)
def primitive_set(names: tuple[str, ...]) -> gp.PrimitiveSetTyped:
    """Return some words of the language as DEAP's primitives and terminals.

    Where some are about marks, a word is drawn less often the more choices its function has, and
    those about marks twice as often: ``play_oldest(answer)`` is found in 0.5 % of random rules, of
    all words alike in 0.2 %. Without marks all words are alike, as in the first published runs.
    """
    made = gp.PrimitiveSetTyped("rule", (), _CLASSES["move"])
    words = [PRIMITIVES[name] for name in names]
    choices = Counter((one.function, one.takes) for one in words)
    for one in words:
        makes = _CLASSES[one.makes]
        if one.takes:
            made.addPrimitive(one.function, [_CLASSES[kind] for kind in one.takes], makes, one.name)
        else:
            made.addTerminal(one.function, makes, one.name)
    if any(one.of_marks for one in words):
        for some in (*made.primitives.values(), *made.terminals.values()):
            for node in tuple(some):
                one = PRIMITIVES[node.name]
                share = MOST_DRAWN // choices[one.function, one.takes] // (1 + (not one.of_marks))
                some += [node] * (share - 1)
    return made


def _words_of(family: Family) -> gp.PrimitiveSetTyped:
    assert family.grammar
    return primitive_set(tuple(one.name for one in family.grammar.words))


def _branch(pset: gp.PrimitiveSetTyped, type_: type) -> list:
    """Return a random part; a move has no word that stands alone."""
    return gp.genGrow(pset, int(type_ is pset.ret), BRANCH_HEIGHT, type_)


def _replace_move(tree: gp.PrimitiveTree, pset: gp.PrimitiveSetTyped) -> tuple:
    """Replace the first word, which DEAP's operators keep, by another one of the same kinds."""
    fitting = [one for one in pset.primitives[pset.ret] if one.args == tree.root.args]
    tree[0] = random.choice(fitting)
    return (tree,)


class Operator(NamedTuple):
    """An operator on trees: how often it is drawn, and its change of a tree with a mate."""

    odds: int
    change: Callable[[gp.PrimitiveTree, gp.PrimitiveTree, gp.PrimitiveSetTyped], tuple]


OPERATORS = {
    "mutUniform": Operator(8, lambda tree, mate, pset: gp.mutUniform(tree, _branch, pset)),
    "mutNodeReplacement": Operator(6, lambda tree, mate, pset: gp.mutNodeReplacement(tree, pset)),
    "mutShrink": Operator(2, lambda tree, mate, pset: gp.mutShrink(tree)),
    "mutInsert": Operator(3, lambda tree, mate, pset: gp.mutInsert(tree, pset)),
    "cxOnePoint": Operator(1, lambda tree, mate, pset: gp.cxOnePoint(tree, mate)),
    "replaceMove": Operator(2, lambda tree, mate, pset: _replace_move(tree, pset)),
}


class ChangedRule(NamedTuple):
    """A rule that an operator made."""

    operator: str
    rule: Rule


def random_rule(family: Family, draws: Any) -> Rule:
    """Return a random expression of a family as its entry.

    Args:
        family: The family.
        draws: Where choices are drawn from: ``random.Random``, or the module ``random``.
    """
    with seeded(draws.getrandbits(SEED_BITS)):
        tree = gp.genHalfAndHalf(_words_of(family), *INITIAL_HEIGHT)
    return Rule(family, _expression_of(tree).program())


def change_expression(rule: Rule, mate: Rule, draws: Any) -> ChangedRule:
    """Return a rule with its expression changed by a random operator.

    Args:
        rule: The rule; it is returned as it is where the operator has nothing to change, or where
            the child does not fit.
        mate: The rule whose parts a crossover takes.
        draws: Where choices are drawn from: ``random.Random``, or the module ``random``.
    """
    pset, old = _words_of(rule.family), of_program(rule.values)
    with seeded(draws.getrandbits(SEED_BITS)):
        [name] = random.choices([*OPERATORS], [one.odds for one in OPERATORS.values()])
        tree, other = (
            gp.PrimitiveTree([pset.mapping[word.primitive.name] for word in one])
            for one in (old, of_program(mate.values))
        )
        new = _expression_of(OPERATORS[name].change(tree, other, pset)[0])
    fits = not new.problem() and len(list(new)) <= max(MOST_WORDS, len(list(old)))
    return ChangedRule(name, replace(rule, values=new.program()) if fits else rule)


def shortened(rule: Rule) -> Iterator[Rule]:
    """Yield a rule with each part of its expression replaced by a part of that, shortest first."""
    if rule.family.grammar:
        found = sorted(_shortened(of_program(rule.values)), key=lambda one: len(list(one)))
        yield from (replace(rule, values=one.program()) for one in found)


def _shortened(one: Expression) -> Iterator[Expression]:
    yield from (inner for inner in one.arguments if inner.primitive.makes == one.primitive.makes)
    for place, inner in enumerate(one.arguments):
        for other in _shortened(inner):
            yield replace(
                one, arguments=(*one.arguments[:place], other, *one.arguments[place + 1 :])
            )


def _expression_of(tree: list) -> Expression:
    return of_prefix([PRIMITIVES[node.name] for node in tree])
