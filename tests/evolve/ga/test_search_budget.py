"""The memetic algorithm: children of two parents, who improves, and grafts."""

import csv
import random

import pytest
from tiny import orders, tiny

from hanabi.evolve.ga.checkpoint import newest
from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem, rule_of
from hanabi.evolve.ga.local_search import Budget, LocalSearchResult, differences, graft, is_better
from hanabi.evolve.ga.mutations import fixed_odds
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.success import Trials, odds_by_success
from hanabi.evolve.ga.toolbox import FitnessFunction, next_generation, parents_of, population_size
from hanabi.evolve.measure.arena import derive

SMALL = (
    "players=3 lists=[] inherit=[] initial_pool=2 generations=4 games=20 local_search_games=1200 "
    "finalists=2 race_games=60 prune_games=0 final_games=20 fixed_odds=0.2 zero_from=3"
).split()


@pytest.fixture(scope="module")
def best_run(tmp_path_factory):
    """(config, run) of the preset ``best`` with few games."""
    config = override(preset("best"), SMALL)
    return config, evolve(config, tmp_path_factory.mktemp("best"), jobs=1)


def rows(run, name):
    with open(run / name, newline="") as file:
        return list(csv.DictReader(file))


def test_a_quarter_of_each_generation_are_children_of_two_parents(best_run):
    config, run = best_run
    sizes = []
    for row in rows(run, "lineage.csv")[1:]:
        born = [parents_of(text) for text in row["parents"].split()]
        before = population_size(config, int(row["generation"]) - 1)
        crossed = [numbers for numbers in born if len(numbers) == 2]
        assert len(crossed) >= len(born) / 4
        for one, other in crossed:
            assert one != other and max(one, other) < before
        sizes.append(len(born))
    assert sizes == [8, 4, 4, 4]


def test_each_individual_is_judged_as_it_is_in_the_end(best_run):
    """Also children, after their local search, on the deals of the generation."""
    config, run = best_run
    state, warnings = newest(run.folder)
    population = [Individual(*data) for data in state["individuals"]]
    with Evaluator(Problem.of(config), 1) as evaluator:
        seed = derive(config.search.seed, "generation", state["generation"])
        means = evaluator.evaluate(population, seed, config.search.games).summary("zero")[0]
    assert state["fitness"] == means.tolist() and not warnings


def test_what_local_search_finds_is_kept(monkeypatch, tmp_path):
    config = memetic(generations=1)[0]
    improved = Individual([Problem.of(config).rules[0]])
    monkeypatch.setattr(
        "hanabi.evolve.ga.evolution.Budget.spend",
        lambda self, population, before: [LocalSearchResult(improved) for _ in population],
    )
    state, _ = newest(evolve(config, tmp_path, jobs=1).folder)
    assert [Individual(*data) for data in state["individuals"]] == [improved] * 4


def test_workers_and_a_stop_change_nothing(best_run, tmp_path):
    config, run = best_run
    again = evolve(config.changed(generations=2), tmp_path, jobs=2)
    assert (run / "log.csv").read_bytes().startswith((again / "log.csv").read_bytes())
    resume(again, extend_to=4, jobs=2)
    for name in ("log.csv", "changes.csv", "odds.csv", "lineage.csv"):
        assert (run / name).read_bytes() == (again / name).read_bytes(), name


def test_odds_follow_the_trials_of_all_generations_before(best_run):
    config, run = best_run
    counts = {}
    for number in range(5):
        space = SearchSpace(Problem.of(config), number >= 6, True)
        table = run.odds.query("generation == @number").set_index("kind")
        expected = odds_by_success(fixed_odds(space), counts, 0.2)
        assert table["odds"].dropna().to_dict() == pytest.approx(
            {kind: odds for kind, odds in expected.items() if odds}, abs=2e-4
        )
        played = table[["trials", "accepted", "games"]].T.to_dict("list")
        counts = {
            kind: Trials(*(a / 2 + b for a, b in zip(counts.get(kind, [0, 0, 0]), numbers)))
            for kind, numbers in played.items()
        }
    assert table.loc["AddRule", "odds"] != 2


def test_the_logbook_of_deap_has_the_log(best_run):
    book = best_run[1].logbook
    assert book.select("generation") == [0, 1, 2, 3, 4]
    assert book.select("best") == best_run[1].log["best"].tolist()
    assert str(book).split()[:2] == ["generation", "best"]


def test_parents_differ_and_the_best_are_kept():
    config, space, _, (first, second, *_) = memetic(population=8, elitism=8, halving_interval=0)
    population = [first.clone() for _ in range(7)] + [second.clone()]
    for number, one in enumerate(population):
        one.fitness.values = (float(number),)
    following = next_generation(config, population, 1, space)
    assert following[:6] == population[:1:-1], "the best, best first"
    for child in following[6:]:
        one, other = parents_of(child.born)
        assert population[one] != population[other], "an individual is not crossed with itself"


def test_the_default_is_what_its_description_says(best_run):
    config = best_run[0]
    search = config.search
    assert (search.select, search.mate, search.mutate) == ("tournament", "whole", "swap")
    assert config.schedule.crossed_share >= 0.25 and search.mutation_probability > 0
    assert config.local_search.child_share > 0 and config.local_search.local_search_games > 0


def memetic(**changes):
    """(config, space, evaluator, an evaluated generation) of lists of toy rules."""
    config = tiny(
        variable_length=True,
        **dict(
            population=4,
            elitism=4,
            crossed_share=0.25,
            crossover_probability=1,
            local_search_games=2400,
            child_share=0.25,
            halving_interval=1,
            smallest_population=4,
        )
        | changes,
    )
    problem = Problem.of(config)
    population = orders(problem, 4)
    for number, one in enumerate(population):
        one.fitness.values = (10.0 - number,)
    return config, SearchSpace(problem), Evaluator(problem, 1), population


def spent(config, space, evaluator, generation, population, before):
    with evaluator:
        return Budget(evaluator, config, space, generation).spend(population, before)


def test_children_improve_first_then_the_best(monkeypatch):
    config, space, evaluator, before = memetic()
    monkeypatch.setattr("hanabi.evolve.ga.local_search.is_better", lambda *of: (False, 0))
    population = next_generation(config, before, 2, space)
    assert [len(parents_of(one.born)) for one in population] == [1, 1, 1, 2]
    games = [one.games for one in spent(config, space, evaluator, 2, population, before)]
    assert 600 <= games[3] < 1200, "a quarter of the games is the child's"
    assert games[0] >= 1200 and games[1:3] == [0, 0], "one improves, two are donors"
    population = next_generation(config, before, 1, space)
    games = [one.games for one in spent(config, space, evaluator, 1, population, before)]
    assert min(games[:2]) >= 600 and games[2] == 0, "two improve in generation 1"


def test_without_children_those_that_halving_leaves_are_donors():
    config, space, evaluator, before = memetic(crossed_share=0)
    population = next_generation(config, before, 2, space)
    assert population == before
    games = [one.games for one in spent(config, space, evaluator, 2, population, before)]
    assert games[0] >= 2400 and games[1:] == [0, 0, 0]


def test_a_child_that_beats_its_better_parent_takes_the_place_before_it(monkeypatch):
    config, space, evaluator, before = memetic()
    population = next_generation(config, before, 2, space)
    better = before[min(parents_of(population[3].born))]
    compared = []
    monkeypatch.setattr(
        "hanabi.evolve.ga.local_search.is_better",
        lambda evaluator, one, other, seed, config: compared.append(other) or (True, 40),
    )
    found = spent(config, space, evaluator, 2, population, before)
    assert compared == [better], "with the better parent, not the other one"
    place = population.index(better)
    games = [one.games for one in found]
    assert (games[3] >= 1800) == (place == 0) and (games[0] == 0) == (place == 0)


def test_random_mates_take_the_place_of_all_others(monkeypatch):
    """Of parents, whose children say so, and in the local search of those of its generation."""
    config, space, evaluator, before = memetic(random_mates=True)
    population = next_generation(config, before, 2, space)
    one, other = parents_of(population[3].born)
    assert one == other, "the random one has no number"
    assert parents_of(next_generation(memetic()[0], before, 2, space)[3].born) != [one, one]
    seen = []
    monkeypatch.setattr(
        "hanabi.evolve.ga.local_search.climb",
        lambda one, space, mates, *of: seen.append(mates) or iter(()),
    )
    monkeypatch.setattr(
        "hanabi.evolve.ga.local_search.climb_together",
        lambda evaluator, climbs: [LocalSearchResult(population[0]) for _ in climbs],
    )
    monkeypatch.setattr("hanabi.evolve.ga.local_search.is_better", lambda *of: (False, 0))
    spent(config, space, evaluator, 2, population, before)
    assert seen and all(mates and not {*mates} & {*population} for mates in seen)
    known, seen[:] = list(seen), []
    spent(config, space, evaluator, 2, population, before)
    assert seen == known, "the same seed, the same mates"


def test_paired_games_tell_the_better_one():
    config, _, evaluator, _ = memetic()
    rules = list(evaluator.problem.rules)
    with evaluator:
        lists = [Individual(order.rules) for order in orders(evaluator.problem, 6, seed=3)]
        means = evaluator.evaluate(lists, 5, 2000).summary("kept")[0]
        low, high = lists[means.argmin()], lists[means.argmax()]
        assert means.max() - means.min() > 0.5, rules
        assert is_better(evaluator, high, low, 1, config)[0]
        assert not is_better(evaluator, low, high, 1, config)[0]
        assert not is_better(evaluator, high, high, 1, config)[0], "equal is not better"


@pytest.mark.parametrize("population, size", [(1, 4), (8, 8)])
def test_a_search_begins_with_the_best_of_each_kind_of_rules(monkeypatch, population, size):
    """Also that of a single individual: which kind is best shows once they have improved."""
    few = {"population": population, "elitism": population, "initial_pool": 12}
    config = override(preset("best"), SMALL).changed(**few)
    pool, improved = [], []

    def judge(self, population, seed, games):
        pool.extend(population)
        for number, one in enumerate(population):
            one.fitness.values = (float(number),)

    monkeypatch.setattr(FitnessFunction, "judge", judge)
    evolution = Evolution(config, jobs=1)
    evolution.space = evolution.search_space(0)
    first = evolution.next_population(0)
    assert len(pool) == 12 * population and len(first) == size
    assert {*first[:4]} == {*pool[-4:]} and {*first} <= {*pool[-8:]}
    kinds = evolution.space.initial_families
    assert len(kinds) == 4 and ("answer_pair",) in kinds
    for number, one in enumerate(first):
        assert {rule_of(name).family.name for name in one.rules} <= {*kinds[number % 4]}
    monkeypatch.setattr(
        "hanabi.evolve.ga.local_search.climb_together",
        lambda evaluator, climbs: improved.append(len(climbs)) or map(LocalSearchResult, first),
    )
    Budget(evolution.evaluator, config, evolution.space, 0).spend(first, [])
    assert improved == [size]


# ---- grafts

ONE = Individual(
    ["play_marked", "save(lax=1)", "tell_stall"], ["focus(ranks=0)"], {"new": 1.0, "low": 2.0}
)
MATE = Individual(
    ["answer_finesse", "save(lax=0)", "keep_pace(slack=3)", "tell_stall"],
    ["focus(ranks=1)", "finesse(bluff=1, later=0)"],
    {"new": 3.0, "low": 2.0},
)


def living():
    problem = Problem.of(override(preset("climb"), ["players=3", "lists=[]", "inherit=[]"]))
    return SearchSpace(problem)


def test_a_graft_takes_over_what_the_mate_has():
    found = {", then ".join(map(str, part)) for part in differences(living(), ONE, MATE)}
    assert found == {
        "add answer_finesse before play_marked",
        "save(lax=1) becomes save(lax=0)",
        "add keep_pace(slack=3) before tell_stall",
        "focus(ranks=0) becomes focus(ranks=1)",
        "add finesse(bluff=1, later=0) at the end, then add answer_finesse before play_marked",
        "weight new becomes 3.0",
    }


def test_grafts_bring_genes_of_the_two_only():
    space, draws = living(), random.Random(1)
    genes = {*ONE.rules, *MATE.rules, *ONE.conventions, *MATE.conventions}
    seen = set()
    for _ in range(200):
        child = ONE
        for change in graft(space, ONE, MATE, draws):
            child = change.apply_to(child) or child
        assert {*child.rules, *child.conventions} <= genes and child != ONE
        assert set(child.weights.items()) <= {*ONE.weights.items(), *MATE.weights.items()}
        finesse = any(entry.startswith("finesse") for entry in child.conventions)
        assert not finesse or "answer_finesse" in child.rules, "with the rule that goes with it"
        seen.add(child)
    assert len(seen) > 15 and graft(space, ONE, ONE, draws) == ()
