"""Evolution in memory: the same generations as in a run folder, and a folder only when saved."""

import os

import pytest
from deap import algorithms
from tiny import tiny

from hanabi.evolve import Evolution, evolve, make_deap_toolbox, override, preset, resume
from hanabi.evolve.ga.map_elites import MapElites
from hanabi.evolve.ga.result import Run

SAME = ("log.csv", "lineage.csv", "first_rules.csv", "race.csv")
MAP = "generations=2 population=6 games=4 random_individuals=6 cells=4 elite_games=4 final_games=20"


def search(**changes):
    return tiny(**{"generations": 3, "population": 6, "final_games": 20} | changes)


def texts(folder, names=SAME):
    return {name: (folder / name).read_bytes() for name in names}


def test_a_saved_evolution_ends_as_one_that_was_recorded_from_the_start(tmp_path):
    whole = evolve(search(), tmp_path, "a", dated=False)
    evolution = Evolution(search(), jobs=1)
    evolution.step()
    assert evolution.step().number == evolution.number == 1 and not evolution.is_over
    saved = evolution.save(tmp_path / "b")
    assert saved.state.state == "stopped" and saved.state.generation == 1
    rest = [generation.number for generation in evolution]
    assert rest == [2, 3] and evolution.is_over, "saving changes nothing"
    assert texts(resume(saved)) == texts(whole)
    assert resume(evolution.save(tmp_path / "c")).agent.lists == whole.agent.lists


def test_nothing_is_written_before_it_is_saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evolution = Evolution(search(), jobs=1)
    with pytest.raises(ValueError, match=r"no generation was played yet: call step\(\)"):
        evolution.save("run")
    assert evolution.population == [] and evolution.number == -1
    evolution.step()
    assert os.listdir() == []
    evolution.save("run")
    with pytest.raises(ValueError, match="run"):
        evolution.save("run")


def test_the_best_of_all_generations_and_the_numbers_of_each():
    evolution = Evolution(search(games=6, generations=4), jobs=1)
    generations = list(evolution)
    fitness = [one.best.fitness.values[0] for one in generations]
    assert evolution.best.fitness.values[0] == max(fitness) != fitness[-1], "not the last one"
    scores = [one.fitness.values[0] for one in evolution.population]
    assert max(scores) == fitness[-1] and len(scores) == 6
    assert generations[-1].mean == pytest.approx(sum(scores) / 6, abs=1e-6) != fitness[-1]
    book = evolution.logbook
    assert book.select("generation") == [0, 1, 2, 3, 4]
    assert book.select("best") == pytest.approx(fitness, abs=1e-6)
    assert book.select("games") == [one.games for one in generations]
    rules = evolution.best.rules[: evolution.config.genome.order_length or None]
    assert [rule.name for rule in evolution.agent.list_at(2).rules] == rules


def test_a_config_of_several_lists_names_the_way():
    with pytest.raises(ValueError, match=r"this config evolves 4 lists: call evolve\(config\)"):
        Evolution(preset("best"))


def test_a_map_in_memory_has_elites(tmp_path):
    config = override(preset("map"), MAP.split())
    evolution = MapElites(config, jobs=1)
    generations = list(evolution)
    elites = evolution.population
    scores = [one.fitness.values[0] for one in elites]
    assert scores == sorted(scores, reverse=True) and len(elites) > 1
    assert evolution.best == elites[0] and generations[-1].best.fitness == elites[0].fitness
    whole = evolve(config, tmp_path, "a", jobs=1, dated=False)
    again = resume(evolution.save(tmp_path / "b"), jobs=1)
    names = ("log.csv", "map.csv", "archive.csv", "race.csv")
    assert texts(again, names) == texts(whole, names)
    assert Run(tmp_path / "b").state.state == "done"


def test_deap_calls_the_workers_of_a_toolbox():
    """They were started by ``with`` only."""
    toolbox = make_deap_toolbox(search(games=2), jobs=2)
    population, book = algorithms.eaSimple(
        toolbox.population(4), toolbox, cxpb=0.9, mutpb=1, ngen=1, verbose=False
    )
    assert len(population) == 4 and all(one.fitness.valid for one in population)
