"""One more family in a set changes only the draws in which it takes part."""

from dataclasses import replace
from random import Random

from tiny import RULES, tiny

from hanabi.evolve.ga.individual import Problem, convention_of, rule_of
from hanabi.evolve.ga.mutations import AddConvention, AddRule, draw
from hanabi.evolve.ga.search_space import FamilyStreams, SearchSpace

NEW_RULE, NEW_CONVENTION = "toy.old", "finesse"


def problems():
    """A problem, and the same with one more rule and one more convention."""
    config = tiny(
        rules=["living"],
        rule_files=[RULES],
        variable_length=True,
        conventions=["all"],
        weights=["all"],
    )
    more = Problem.of(config)
    rules = tuple(name for name in more.rules if not name.startswith("toy."))
    first = tuple(name for name in more.initial_families[0] if not name.startswith("toy."))
    fewer = replace(
        more,
        rules=rules,
        families=tuple(name for name in more.families if name != NEW_CONVENTION),
        initial_families=(first,),
    )
    more = replace(
        fewer,
        rules=(NEW_RULE, *rules),
        families=more.families,
        initial_families=((NEW_RULE, *first),),
    )
    return fewer, more


def family(name, find):
    return find(name).family.name


def test_a_new_family_changes_no_other_draw_of_the_first_generation():
    fewer, more = (SearchSpace(problem) for problem in problems())
    with_new = 0
    for seed in range(40):
        one, other = fewer.random_individual(Random(seed)), more.random_individual(Random(seed))
        rest = [name for name in other.rules if name != NEW_RULE]
        with_new += rest != other.rules
        assert one.rules[: len(rest)] == rest, "the new rule displaces the last one, at most"
        assert one.conventions == [
            name for name in other.conventions if family(name, convention_of) != NEW_CONVENTION
        ]
        assert one.weights == other.weights
    assert 0 < with_new < 40


def test_a_new_family_changes_no_other_mutation():
    spaces = [SearchSpace(problem, True, True) for problem in problems()]
    one, drawn = spaces[0].random_individual(Random(1)), []
    for seed in range(1500):
        mine, theirs = (draw(space, one, Random(seed)) for space in spaces)
        if mine != theirs:
            drawn.append(theirs)
    assert {type(change) for change in drawn} <= {AddRule, AddConvention, type(None)}
    new = {
        family(change.entry, rule_of if isinstance(change, AddRule) else convention_of)
        for change in drawn
        if change is not None
    }
    assert new == {NEW_RULE, NEW_CONVENTION}


def test_families_are_drawn_by_their_odds():
    random, streams = Random(1), FamilyStreams(["a", "b", "c"], [1, 2, 5])
    drawn = [streams.draw(random)[0].name for _ in range(4000)]
    for name, share in (("a", 1 / 8), ("b", 2 / 8), ("c", 5 / 8)):
        error = (4000 * share * (1 - share)) ** 0.5
        assert abs(drawn.count(name) - 4000 * share) < 3.5 * error
    assert sorted(one.name for one in streams.draw(random, 9)) == ["a", "b", "c"]
    assert len({streams.draw(random)[0].stream.random() for _ in range(50)}) == 50
