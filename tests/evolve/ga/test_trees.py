"""Expressions are drawn and changed as trees: legal, within limits, the same in every process."""

import hashlib
import random
from dataclasses import replace
from random import Random

import pytest
from tiny import tiny

from hanabi.evolve import Evolution, evolve, preset, resume
from hanabi.evolve.ga.finals import pruned
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.mutations import ChangeExpression
from hanabi.evolve.ga.operators import seeded
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import first_generation
from hanabi.evolve.ga.trees import (
    MOST_WORDS,
    OPERATORS,
    change_expression,
    primitive_set,
    random_rule,
    shortened,
)
from hanabi.language.expressions import of_program
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rulebook import FAMILIES, find
from hanabi.rules import agents

FAMILY = FAMILIES["grown"]
GROWN = dict(rules=["grown"], rule_files=[], variable_length=True, players=[3])
SEARCH = GROWN | dict(
    generations=2,
    population=3,
    elitism=3,
    initial_pool=4,
    crossover_probability=0.5,
    crossed_share=0.3,
    mutate="edit",
    mutation_probability=1.0,
    local_search_games=3000,
    crossing_share=0.1,
    graft_share=0.1,
    prune_games=400,
    final_games=50,
)
LOGS = ("log.csv", "changes.csv", "lineage.csv", "first_rules.csv", "race.csv", "best.toml")


def words(rule):
    return [one.primitive.name for one in of_program(rule.values)]


def space(**changes):
    return SearchSpace(Problem.of(tiny(**GROWN | changes)), False)


def test_random_rules_read_back_as_the_same_program():
    drawn = [random_rule(FAMILY, Random(seed)) for seed in range(40)]
    for rule in drawn:
        assert find(rule.name).values == rule.values and rule.says.endswith(".")
        assert not of_program(rule.values).problem() and 2 <= len(words(rule)) <= 15
    assert {words(rule)[0].partition("_")[0] for rule in drawn} == {"play", "discard", "tell"}
    assert len({rule.name for rule in drawn}) > 35
    assert not {rule.name for rule in drawn} & set(Problem.of(tiny(**GROWN)).rules)


def test_children_of_every_operator_are_legal_and_within_the_limits():
    draws, seen, longest = Random(1), {}, 0
    rules = [random_rule(FAMILY, draws) for _ in range(6)]
    for _ in range(600):
        parent = draws.choice(rules)
        operator, child = change_expression(parent, draws.choice(rules), draws)
        assert find(child.name).values == child.values and not of_program(child.values).problem()
        assert len(words(child)) <= MOST_WORDS
        longest = max(longest, len(words(child)))
        if child.name != parent.name:
            seen[operator] = parent, child
            rules[draws.randrange(6)] = child
    assert set(seen) == set(OPERATORS) and longest >= MOST_WORDS - 2, "the limit was reached"
    parent, child = map(words, seen["replaceMove"])
    assert parent[0] != child[0] and parent[1:] == child[1:]
    assert len(words(seen["mutInsert"][1])) > len(words(seen["mutInsert"][0]))
    assert len(words(seen["mutShrink"][1])) < len(words(seen["mutShrink"][0]))


def test_an_expression_that_fills_the_machine_form_gets_no_longer_and_no_deeper():
    text = "play_newest(" + "anywhere or (" * 15 + "first_of(first_of(mine or newest" + ")" * 18
    rule = find(f"grown.{text}")
    assert len(words(rule)) == 36
    children = [change_expression(rule, rule, Random(seed)).rule for seed in range(60)]
    assert max(len(words(child)) for child in children) == 36
    assert any(MOST_WORDS < len(words(child)) < 36 for child in children)
    rule = find(f"grown.play_newest({' or '.join(['mine'] * 6)})")  # six values at once
    for seed in range(60):
        child = change_expression(rule, rule, Random(seed)).rule
        assert find(child.name).values == child.values


def test_draws_follow_from_the_seed_alone_and_leave_the_global_generator_alone():
    random.seed(5)
    before = random.getstate()
    with_stream = random_rule(FAMILY, Random(3)).name
    assert random.getstate() == before and random_rule(FAMILY, Random(3)).name == with_stream
    with seeded(7):  # as in DEAP's operators: no deadlock
        one = random_rule(FAMILY, random).name
        next_number = random.random()
    with seeded(7):
        assert (random_rule(FAMILY, random).name, random.random()) == (one, next_number)
    kinds = {node.ret for node in primitive_set(tuple(PRIMITIVES)).mapping.values()}
    assert sorted(map(hash, kinds)) == [0, 1, 2, 3], "no address: cxOnePoint draws from such a set"


def test_expressions_are_changed_only_where_the_rule_set_has_them():
    assert ChangeExpression.weight(space()) > 0
    assert ChangeExpression.weight(space(rules=["conventional", "grown"])) > 0
    plain = SearchSpace(Problem.of(tiny(variable_length=True)))
    assert ChangeExpression.weight(plain) == 0
    order = SearchSpace(Problem.of(tiny(rules=["grown"], rule_files=[])))
    assert ChangeExpression.weight(order) == 0, "an order keeps its entries"


def test_a_list_begins_with_several_expressions_beside_the_rules_of_the_library():
    one = space().random_individual(Random(1))
    assert 6 <= len(one.rules) == len(set(one.rules)) <= 8
    assert all(name.startswith("grown.") for name in one.rules)
    added = {space().random_entry(FAMILY, Random(seed)).name for seed in range(20)}
    assert len(added) == 20 and not added & set(space().rules)
    both = SearchSpace(
        replace(
            Problem.of(tiny(**GROWN | dict(rules=["conventional", "grown"]))),
            initial_families=(("grown", "tell_stall"),),
        )
    )
    names = both.random_individual(Random(1)).rules
    assert len([name for name in names if name.startswith("grown.")]) == len(names) - 1


BOOK = dict(rules=["grown_marks"], language="held", start=["book:plain"], random_rules=True)


@pytest.mark.parametrize("more", [{}, BOOK], ids=["grown", "book"])
def test_a_grown_run_is_the_same_resumed_and_with_any_workers(tmp_path, more):
    config = tiny(**SEARCH | more)
    whole = evolve(config, tmp_path, "whole", jobs=1, dated=False)
    stopped = Evolution(config, jobs=2)
    stopped.step()
    rest = resume(stopped.save(tmp_path / "rest" / "whole"), jobs=2)
    for name in LOGS:
        assert (whole / name).read_bytes() == (rest / name).read_bytes(), name
    changes = (whole / "changes.csv").read_text()
    assert f"becomes {config.genome.rules[0]}." in changes and any(
        f" by {name}" in changes for name in OPERATORS
    )
    rules = agents.load(str(whole / "best.toml")).list_at(3).rules
    assert rules and {rule.family.name for rule in rules} == set(config.genome.rules)


def test_parts_that_change_nothing_are_dropped_from_an_expression():
    rule = find("grown.play_first(where(not tokens_8 or tokens_1, knows(playable and every)))")
    assert "grown.play_first(knows(playable and every))" in [one.name for one in shortened(rule)]
    assert not list(shortened(find("play_safe_lowest")))
    with Evaluator(Problem.of(tiny(**GROWN)), 1) as evaluator:
        one = Individual([rule.name, "grown.tell_first_clearer(holds(playable and playable))"])
        left = pruned(evaluator, one, 7, 400, "kept").rules
    assert left == [
        "grown.play_first(knows(playable))",
        "grown.tell_first_clearer(holds(playable))",
    ]


def test_the_preset_begins_with_random_expressions_alone():
    problem = Problem.of(preset("grow"))
    assert not problem.start and not problem.conventions and not problem.weights
    assert problem.players == (3,) and problem.initial_families == (("grown",),)


def test_over_a_book_lists_begin_with_random_rules_and_its_conventions():
    config = preset("grow-book").changed(start=["book:pairs"], players=[5])
    problem, book = Problem.of(config), agents.load("book:pairs").list_at(5)
    said = SearchSpace(problem)
    begun = first_generation(config, said, problem.initial_individuals())
    assert len({one.key() for one in begun}) == 8
    for one in begun:
        assert all(name.startswith("grown_marks.") for name in one.rules)
        assert one.conventions == [entry.name for entry in book.conventions]
        assert one.weights == dict(book.weights)
    assert not set(said.rules) & {rule.name for rule in book.rules}
    with pytest.raises(ValueError, match='random_rules: .* set language = "held"'):
        config.changed(language="free")


def test_words_about_marks_are_drawn_for_their_family_alone():
    drawn = {
        family: {
            word
            for seed in range(300)
            for word in words(random_rule(FAMILIES[family], Random(seed)))
        }
        for family in ("grown", "grown_marks")
    }
    about_marks = {name for name, one in PRIMITIVES.items() if one.of_marks}
    assert not drawn["grown"] & about_marks and len(drawn["grown"]) > 100
    assert len(drawn["grown_marks"] & about_marks) > 0.9 * len(about_marks)
    draws, rule = Random(1), find("grown.tell_first_rank(touched)")
    for _ in range(200):
        child = change_expression(rule, rule, draws).rule
        assert not set(words(child)) & about_marks


def test_draws_of_old_presets_stay():
    """Words about marks came later: children of `grow` are those of its published runs."""
    draws, digest = Random(3), hashlib.sha256()
    rules = [random_rule(FAMILY, draws) for _ in range(50)]
    for _ in range(500):
        operator, child = change_expression(draws.choice(rules), draws.choice(rules), draws)
        digest.update((operator + child.name).encode())
        rules[draws.randrange(50)] = child
    assert digest.hexdigest()[:12] == "ad7af603f432"
