"""Mutations: all that are drawn lead to lists that can be played, and read as text."""

from functools import cache
from random import Random

import numpy as np
import pytest
from deap.tools import cxOrdered
from hypothesis import given, settings, strategies as st
from tiny import tiny

from hanabi.conditions import QUANTITIES
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import sort_by_stage
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga import mutations
from hanabi.evolve.ga.individual import Individual, Problem, convention_of, rule_of
from hanabi.evolve.ga.mutations import (
    MUTATIONS,
    AddConvention,
    AddRule,
    ChangeExpression,
    ChangeWeight,
    MoveRule,
    RemoveConvention,
    RemoveRule,
    ReplaceConvention,
    ReplaceRule,
    SwapQuestions,
    SwapRules,
    companion,
    draw,
    mutated,
)
from hanabi.evolve.ga.search_space import SearchSpace, weight_near
from hanabi.evolve.ga.toolbox import cross
from hanabi.rules import agents

LIVING = dict(
    rules=["conventional"],
    rule_files=[],
    variable_length=True,
    conventions=["all"],
    weights=["all"],
)
HELD = LIVING | dict(
    conventions=["focus", "finesse", "chop", "says"],
    weights=["new", "low"],
    start=["convention-2026"],
    players=[3],
)


def language(guarded=True, room=None, meaning_bias=False, **changes):
    made = SearchSpace(Problem.of(tiny(**changes)), guarded, meaning_bias)
    made.max_rules = room or made.max_rules
    return made


LANGUAGES = {
    "all": language(**LIVING),
    "held": language(**HELD),
    "short": language(**LIVING, room=5),
    "no guards": language(False, meaning_bias=True, **LIVING),
    "meanings": language(meaning_bias=True, **LIVING),
    "rules": language(**LIVING | dict(conventions=[], weights=[])),
    "codes": language(**LIVING | dict(conventions=["codes"])),
    "small": language(**LIVING | dict(variant="colours=3,tokens=4,lives=2", players=[2])),
    "grown": language(False, rules=["grown"], rule_files=[], variable_length=True),
    "marks": language(False, rules=["grown_marks"], rule_files=[], variable_length=True),
    "grown too": language(**LIVING | dict(rules=["grown", "conventional"], weights=[])),
}
AGENT = Individual.of(agents.load("convention-2026").at(3))


def begin(name, random):
    one = AGENT.clone() if name == "held" else LANGUAGES[name].random_individual(random)
    return one.with_rules(one.rules[:5]) if name == "short" else one


@cache
def found(read, text):
    """An entry that reads back, its values within their ranges."""
    entry = read(text)
    assert entry.name == text
    assert entry.family.grammar or all(
        low <= value <= high
        for value, (low, high) in zip(entry.values, entry.family.within.values(), strict=True)
    )
    return entry


def check(name, one, before):
    """All that holds for an individual of a language, however it came to be."""
    said = LANGUAGES[name]
    assert 0 < len(one.rules) <= said.max_rules and len(set(one.rules)) == len(one.rules)
    assert (
        len(one.conventions) <= MAX_CONVENTIONS
        and sort_by_stage(map(convention_of, one.conventions)) is not None
    )
    for read, names in ((rule_of, one.rules), (convention_of, one.conventions)):
        for text in names:
            entry = found(read, text)
            for quantity, low, high in entry.guard.bounds if entry.guard else ():
                lowest, highest = QUANTITIES[quantity][:2]
                assert (
                    lowest <= low <= high <= highest
                    and (low, high) != (lowest, highest)
                    and (said.has_guards or text in before)
                )
                assert not QUANTITIES[quantity].of_hints or entry.family.stage == "meaning"
                assert quantity != "distance" or low < said.max_players, "there is such a seat"
            if entry.guard:
                entry.guard.check_variant(said.variant)
    for weight, value in one.weights.items():
        assert WEIGHTS[weight][1] <= value <= WEIGHTS[weight][2]
    if name == "held":

        def held(someone):
            return sorted(
                text
                for text in someone.conventions
                if convention_of(text).family.name not in said.families
            ), {
                weight: value
                for weight, value in someone.weights.items()
                if weight not in said.weights
            }

        assert held(one) == held(AGENT)
    if name == "rules":
        assert not one.conventions and not one.weights


@settings(max_examples=40)
@given(st.sampled_from(list(LANGUAGES)), st.integers(0, 2**32), st.integers(1, 40))
def test_any_changes_lead_to_a_list_that_can_be_played(name, seed, count):
    random, said = Random(seed), LANGUAGES[name]
    one = begin(name, random)
    for _ in range(count):
        fired = (
            [random.randrange(3) for _ in range(len(one.rules) + 1)]
            if random.random() < 0.5
            else ()
        )
        change = draw(said, one, random, fired)
        changed = change and change.apply_to(one, said.max_rules)
        if changed is not None:
            assert (
                changed != one
                and not changed.fitness.valid
                and all(text in str(change) for text in (change.entry, change.other))
            )
            before, one = {*one.rules, *one.conventions}, changed
            check(name, one, before)


@settings(max_examples=40)
@given(st.sampled_from(list(LANGUAGES)), st.integers(0, 2**32))
def test_changes_made_in_another_individual_and_crossed_lead_to_lists_too(name, seed):
    random, said = Random(seed), LANGUAGES[name]
    one, other = begin(name, random), begin(name, random)
    drawn = []
    for _ in range(25):
        change = draw(said, one, random)
        one = change and change.apply_to(one, said.max_rules) or one
        drawn += [change] if change else []
    for change in drawn:
        before = other.clone()
        other = change.apply_to(other, said.max_rules) or other
        check(name, other, {*before.rules, *before.conventions})
    before = {*one.rules, *one.conventions, *other.rules, *other.conventions}
    cross(one, other, said, cxOrdered)
    for child in (one, other):
        check(name, child, before)


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_what_is_not_free_is_only_put_in_order(seed):
    random = Random(seed)
    said = SearchSpace(Problem.of(tiny()))
    one = said.random_individual(random)
    for _ in range(20):
        one = mutated(said, one, random)
        assert sorted(one.rules) == sorted(said.rules) and not one.conventions and not one.weights


def test_every_kind_of_change_is_drawn_and_says_what_it_does():
    random, seen = Random(1), {}
    for said, count in [
        (LANGUAGES["all"], 2000),
        (LANGUAGES["codes"], 200),
        (LANGUAGES["marks"], 50),
    ]:
        one = said.random_individual(random)
        for _ in range(count):
            change = draw(said, one, random)
            changed = change and change.apply_to(one, said.max_rules)
            if changed is not None:
                seen.setdefault(type(change), (change, one, changed))
                one = changed
    assert set(seen) == set(MUTATIONS) and len(seen) == 13
    for kind, (change, before, after) in seen.items():
        entries, then = (getattr(one, kind.part) for one in (before, after))
        what = kind.__name__
        if kind is ChangeWeight:
            assert after.weights == before.weights | {change.entry: float(change.other)}
        elif what.startswith("Replace") or kind is ChangeExpression:
            assert then == [change.other if entry == change.entry else entry for entry in entries]
        elif kind in (SwapRules, SwapQuestions):
            turned = {change.entry: change.other, change.other: change.entry}
            assert then == [turned.get(entry, entry) for entry in entries]
        else:
            rest = [entry for entry in entries if entry != change.entry]
            assert [entry for entry in then if entry != change.entry] == rest and (
                change.entry in then
            ) == (not what.startswith("Remove"))
            if change.other:
                assert then.index(change.entry) + 1 == then.index(change.other)


@pytest.mark.parametrize(
    "change, made",
    [
        (MoveRule("toy.old", "toy.safe"), ["toy.old", "toy.safe", "toy.useful"]),
        (MoveRule("toy.safe"), ["toy.useful", "toy.old", "toy.safe"]),
        (MoveRule("toy.safe", "toy.useful"), None),
        (MoveRule("toy.never", "toy.old"), None),
        (MoveRule("toy.old", "toy.never"), None),
        (SwapRules("toy.safe", "toy.old"), ["toy.old", "toy.useful", "toy.safe"]),
        (
            AddRule("toy.never", "toy.useful"),
            ["toy.safe", "toy.never", "toy.useful", "toy.old"],
        ),
        (AddRule("toy.never"), ["toy.safe", "toy.useful", "toy.old", "toy.never"]),
        (AddRule("toy.old", "toy.safe"), None),
        (RemoveRule("toy.useful"), ["toy.safe", "toy.old"]),
        (
            ReplaceRule("toy.old", "toy.old when deck <= 3"),
            ["toy.safe", "toy.useful", "toy.old when deck <= 3"],
        ),
        (ReplaceRule("toy.old", "toy.safe"), None),
    ],
)
def test_a_change_does_what_it_says_or_nothing(change, made):
    Problem.of(tiny())  # enters the toy rules
    one = Individual(["toy.safe", "toy.useful", "toy.old"])
    changed = change.apply_to(one)
    assert (changed and changed.rules) == made and one.rules == [
        "toy.safe",
        "toy.useful",
        "toy.old",
    ]


def test_questions_are_swapped_where_codes_evolve_and_only_questions():
    random, coded = Random(3), Individual.of(agents.load("code-information").at(3))
    said, plain = LANGUAGES["codes"], LANGUAGES["all"]
    assert not SwapQuestions.weight(plain) and SwapQuestions.weight(said)
    assert not any("ask_" in name or name == "code" for name in plain.families)
    orders = set()
    for _ in range(60):
        change = SwapQuestions._draw(said, coded, random, ())
        after = change.apply_to(coded)
        assert sorted(after.conventions) == sorted(coded.conventions) != after.conventions
        assert "code" not in (change.entry.partition("(")[0], change.other.partition("(")[0])
        orders.add(tuple(after.conventions))
    assert len(orders) == 3, "each pair of its three questions"


def test_a_list_is_never_empty_nor_longer_than_its_room():
    assert RemoveRule("a").apply_to(Individual(["a"])) is None
    assert AddRule("c").apply_to(Individual(["a", "b"]), max_rules=2) is None
    assert AddRule("c").apply_to(Individual(["a", "b"]), max_rules=3) is not None
    assert SwapRules("a", "b").apply_to(Individual(["a", "b", "c"]), max_rules=2), (
        "what is too long may change"
    )
    one = Individual(["a"], ["chop(touched=0.3, critical=0.3, age=-0.2)"])
    for entry in ("chop(touched=0.2, critical=0.3, age=-0.2)", one.conventions[0]):
        assert AddConvention(entry).apply_to(one) is None, "the chop is agreed once"


@pytest.mark.parametrize("name, missing", [("all", set()), ("small", {"distance"})])
def test_guards_that_are_drawn_hold_sometimes(name, missing):
    random, said, seen = Random(1), LANGUAGES[name], set()
    for text, quantities in (
        ("tell_stall", said.guard_quantities),
        ("focus(ranks=1)", set(QUANTITIES) - missing),
    ):
        find, found = (rule_of, set()) if text == "tell_stall" else (convention_of, set())
        entry = find(text)
        for _ in range(1500):
            entry = said.with_other_guard(entry, random) or entry
            check(
                name,
                Individual(
                    [entry.name] if find is rule_of else ["tell_stall"],
                    [] if find is rule_of else [entry.name],
                ),
                set(),
            )
            found |= {bound[0] for bound in entry.guard.bounds} if entry.guard else {""}
            seen.add(entry.guard)
        assert found == {*quantities, ""}
    assert len(seen) > 300
    assert (
        said.with_other_guard(convention_of("chop(touched=0.3, critical=0.3, age=-0.2)"), random)
        is None
    ), "that is agreed at the beginning"


def test_rules_that_fire_are_changed_more_often():
    said, random = LANGUAGES["rules"], Random(1)
    one = said.random_individual(random)
    fired = [100 if place == 3 else 0 for place in range(len(one.rules) + 1)]
    turned = [
        change.entry
        for change in (draw(said, one, random, fired) for _ in range(6000))
        if isinstance(change, ReplaceRule)
    ]
    assert turned.count(one.rules[3]) > len(turned) / 2 and len(set(turned)) > len(one.rules) / 2


def test_values_go_step_by_step_and_to_the_ends_of_their_range():
    said, random = LANGUAGES["no guards"], Random(1)
    one, seen = Individual(["tell_new(tokens=1, new=1)"]), set()
    grid = rule_of(one.rules[0]).family.grid
    for _ in range(300):
        change = ReplaceRule._draw(said, one, random, ())
        (before,), one = map(rule_of, one.rules), change.apply_to(one)
        after = rule_of(one.rules[0])
        steps = [
            (key, abs(grid[key].index(after.settings[key]) - grid[key].index(before.settings[key])))
            for key in grid
        ]
        assert sum(step for _, step in steps) == 1
        seen.add(after.values)
    assert seen == {(tokens, new) for tokens in grid["tokens"] for new in grid["new"]}


def test_values_that_are_words_become_any_other():
    one = Individual(["play_marked"], ["says(slot=4, what=2, promised=0)"])
    stepped, turned = (
        {
            change.other
            for change in (
                ReplaceConvention._draw(LANGUAGES[name], one, random, ()) for _ in range(800)
            )
            if change and (" when " not in change.other and change.other != change.entry)
        }
        for name, random in (("all", Random(1)), ("meanings", Random(1)))
    )
    assert stepped == {
        f"says(slot={slot}, what={what}, promised={promised})"
        for slot, what, promised in ((3, 2, 0), (5, 2, 0), (4, 1, 0), (4, 3, 0), (4, 2, 1))
    }
    assert turned == {
        f"says(slot={slot}, what=2, promised=0)" for slot in (0, 1, 2, 3, 5, 6, 7)
    } | {f"says(slot=4, what={what}, promised=0)" for what in (0, 1, 3, 4)} | {
        "says(slot=4, what=2, promised=1)"
    }


def test_what_hints_may_mean_is_tried_more_often_where_that_is_wanted_and_there_are_guards():
    def drawn(name):
        said, random, one = LANGUAGES[name], Random(1), Individual(["play_marked"], [])
        changes = [change for change in (draw(said, one, random) for _ in range(4000)) if change]
        added = [
            convention_of(change.entry) for change in changes if isinstance(change, AddConvention)
        ]
        return (
            len(added) / len(changes),
            [entry for entry in added if entry.family.name == "says"],
            added,
        )

    (few, early, others), (plain, rare, _), (many, says, added) = map(
        drawn, ("no guards", "all", "meanings")
    )
    assert max(few, plain) < 0.35 < many and len(early) / len(others) < 0.15 < 0.2 < len(
        says
    ) / len(added)
    assert sum(entry.guard is not None for entry in rare) < 0.4 * len(rare)
    bounds = [len(entry.guard.bounds) if entry.guard else 0 for entry in says]
    assert 0.2 < bounds.count(0) / len(bounds) < 0.5 and bounds.count(1) > bounds.count(2) > 0
    assert not any(entry.guard for entry in early)


def test_random_beginnings_are_of_the_language():
    for name in LANGUAGES:
        random = Random(5)
        for _ in range(20):
            check(name, begin(name, random), set())
    lists = {tuple(LANGUAGES["all"].random_individual(Random(seed)).rules) for seed in range(20)}
    assert len(lists) == 20
    families = [
        rule_of(rule).family.name for rule in LANGUAGES["all"].random_individual(Random(1)).rules
    ]
    assert 1 < len(families) == len(set(families)) <= len(LANGUAGES["all"].settings), (
        "one of each family"
    )


def test_with_a_convention_comes_the_rule_that_it_goes_with():
    said, random = LANGUAGES["all"], Random(1)
    one = Individual(["play_marked", "discard_expected"], [])
    add = AddConvention("finesse(bluff=1, later=0)")
    places = set()
    for _ in range(40):
        second = companion(said, one, add, random)
        assert isinstance(second, AddRule) and second.entry == "answer_finesse"
        places.add(second.other)
    assert places == {"play_marked", "discard_expected", ""}
    assert (
        companion(said, one.with_rules(["answer_finesse", "play_marked"]), add, random) is None
    ), "it is there"
    assert companion(said, one, AddConvention("focus(ranks=0)"), random) is None, (
        "it goes with none"
    )
    assert companion(said, one, RemoveConvention("finesse(bluff=1, later=0)"), random) is None
    assert (
        companion(
            language(**LIVING | dict(rules=["play_marked", "discard_expected"])), one, add, random
        )
        is None
    ), "not in the set"


def test_a_convention_made_of_parts_comes_and_goes_with_its_answer():
    said, random = language(**LIVING | dict(rules=["living", "meanings"])), Random(1)
    texts = [f"means(number=0, shift={shift}, among=0, to=3, what=0)" for shift in range(3)]
    one = Individual(["play_marked", "discard_expected"], texts[:2])
    whole, answer = one.with_rules(["play_marked", "answer_meaning"]), "answer_meaning"
    for change in (AddConvention(texts[2]), ReplaceConvention(texts[0], texts[2])):
        assert companion(said, one, change, random) == AddRule(answer, "play_marked"), "first"
        assert companion(said, whole, change, random) is None, "it is there"
    assert companion(said, whole, RemoveConvention(texts[0]), random) is None, "the other needs it"
    whole = Individual(whole.rules, texts[:1])
    assert companion(said, whole, RemoveConvention(texts[0]), random) == RemoveRule(answer)
    assert companion(said, whole, MoveRule(answer), random) is None


def test_an_order_of_another_run_gets_the_rules_that_it_lacks():
    rules = language(rules=["toy_rules"]).rules
    assert language(rules=["toy_rules"]).completed(Individual(rules[2:4])).rules == [
        *rules[2:4],
        *rules[:2],
        *rules[4:],
    ]
    assert LANGUAGES["all"].completed(Individual(["play_marked"])).rules == ["play_marked"]


@pytest.mark.parametrize("name", ["new", "low"])
def test_weights_go_by_small_steps_and_stay_in_their_range(name):
    _, low, high, _ = WEIGHTS[name]
    random, middle = Random(1), (low + high) / 2
    for value in (low, high):
        found = [weight_near(name, value, random) for _ in range(200)]
        assert all(low <= one <= high for one in found) and 60 < found.count(value) < 140, (
            "half of the steps lead out"
        )
    steps = [weight_near(name, middle, random) - middle for _ in range(400)]
    spread = (sum(step**2 for step in steps) / 400) ** 0.5
    assert spread == pytest.approx(0.1 * (high - low), rel=0.15)


def test_a_weight_steps_from_where_it_is():
    said, random = LANGUAGES["held"], Random(1)
    name = said.weights[0]
    _, low, high, _ = WEIGHTS[name]
    one = Individual(["play_marked"], [], {name: high})
    values = [
        float(change.other)
        for change in (ChangeWeight._draw(said, one, random, ()) for _ in range(100))
        if change.entry == name
    ]
    assert len(values) > 20 and min(values) > high - 0.5 * (high - low)


def test_weights_of_random_individuals_are_a_step_from_their_defaults():
    said = LANGUAGES["all"]
    found = [said.random_individual(Random(seed)).weights for seed in range(60)]
    for name in said.weights:
        default, low, high, _ = WEIGHTS[name]
        if not low + 0.3 * (high - low) < default < high - 0.3 * (high - low):
            continue  # steps across the end of the range are cut
        values = np.array([weights[name] for weights in found])
        assert abs(values.mean() - default) < 0.05 * (high - low), name
        assert 0.06 < values.std() / (high - low) < 0.14, name


def test_a_new_mutation_is_one_class(monkeypatch):
    monkeypatch.setattr(mutations, "MUTATIONS", [])

    @mutations.mutation("rules", odds=1)
    class Reverse(mutations.Mutation):
        sentence = "reverse the rules"

        @classmethod
        def _draw(cls, space, one, random, usage):
            return cls("")

        def _edit(self, entries):
            entries.reverse()
            return True

    said, one = LANGUAGES["rules"], Individual(["play_marked", "discard_expected"])
    assert str(draw(said, one, Random(1))) == "reverse the rules"
    assert mutated(said, one, Random(1)).rules == ["discard_expected", "play_marked"]


def test_a_weight_that_an_individual_lacks_steps_from_its_default():
    said, random, one = LANGUAGES["all"], Random(1), Individual(["play_marked"])
    gaps: dict[str, list[float]] = {}
    for _ in range(40 * len(said.weights)):
        change = ChangeWeight._draw(said, one, random, ())
        default, low, high, _ = WEIGHTS[change.entry]
        gaps.setdefault(change.entry, []).append(abs(float(change.other) - default) / (high - low))
    assert all(np.median(some) < 0.15 for some in gaps.values())
