"""Conventions of a group evolve where a config names the group."""

from random import Random

from test_mutations import LANGUAGES, LIVING, language

from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.mutations import AddConvention, RemoveConvention, ReplaceConvention
from hanabi.rules import agents


def test_conventions_of_a_group_evolve_where_it_is_named():
    assert "new_focus" not in LANGUAGES["all"].families
    space = language(**LIVING | dict(conventions=["all", "hgroup"]))
    assert {"new_focus", "misplay_drops", "focus"} <= {*space.families}
    random, one = Random(3), Individual.of(agents.load("hgroup-1").at(3))
    kinds = {AddConvention: set(), ReplaceConvention: set(), RemoveConvention: set()}
    for _ in range(60):
        for kind, found in kinds.items():
            change = kind._draw(space, one, random, ())
            found.add(change.entry.partition("(")[0] if change else "")
    assert all("prompt_or_finesse" in found for found in kinds.values())
