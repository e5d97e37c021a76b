"""MAP-Elites: the archive, the games of individuals, whole runs and their files."""

import csv
import io
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from tiny import orders, tiny

from hanabi.evolve.ga import map_elites, run_recorder
from hanabi.evolve.ga.archive import Archive, Centroids, Elite, Grid
from hanabi.evolve.ga.fitness import Evaluator, deals
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.map_elites import count_individuals
from hanabi.evolve.ga.progress import RunStoppedError, StopRequestedError
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.run_folder import unsealed
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.behaviour import NAMES, count_games
from hanabi.evolve.reports.run_report import report
from hanabi.rules import agents
from hanabi.table import Table
from hanabi.variant import read_variant

MAP = dict(
    behaviours=["communicativeness", "information_per_play"],
    cells=4,
    random_individuals=16,
    elite_games=30,
    elitism=0,
    tournament_size=1,
    crossover_probability=0.5,
    mutation_probability=0.1,
    generations=5,
    order_length=4,
    players=[2],
    games=6,
)
FILES = ("log.csv", "map.csv", "archive.csv", "map.json", "best.toml")


def elite(points, *behaviour, name="x"):
    return Elite(Individual([name]), (points,), behaviour)


def bytes_of(run):
    files = [run / name for name in FILES] + sorted((run / "elites").iterdir())
    return {file.name: file.read_bytes() for file in files}


def test_cells_of_a_grid():
    grid = Grid(20, 2)
    assert grid.size == 400 and grid.cell((0, 0)) == 0 and grid.cell((1, 1)) == 399
    assert grid.cell((0.05, 0.0499)) == 20 and grid.name(20) == "01-00"
    assert grid.cell((0.9999, 1)) == 399  # the last part includes its end
    assert Grid(3, 3).coordinates(Grid(3, 3).cell((0.4, 0.1, 0.9))) == (1, 0, 2)
    for cell in range(grid.size):
        middle = [(part + 0.5) / 20 for part in grid.coordinates(cell)]
        assert grid.cell(middle) == cell


def test_centroids_follow_from_the_seed_and_fill_the_space():
    cells = Centroids.drawn(30, 2, 5)
    assert np.array_equal(cells.points, Centroids.drawn(30, 2, 5).points)
    draws = np.random.default_rng(1).random((2000, 2))
    counts = np.bincount([cells.cell(point) for point in draws], minlength=30)
    assert counts.min() > 20 and counts.max() < 200  # 67 each on average
    for number, point in enumerate(cells.points):
        assert cells.cell(point) == number


def test_neighbours_of_cells():
    grid = Grid(4, 2)
    names = {grid.name(cell): cell for cell in range(16)}
    around = {grid.name(cell) for cell in grid.neighbours(names["00-02"])}
    assert around == {"00-01", "00-03", "01-01", "01-02", "01-03"}
    assert len(Grid(3, 3).neighbours(13)) == 26
    cells = Centroids.drawn(30, 2, 5)
    around = [set(cells.neighbours(cell)) for cell in range(30)]
    assert all(cell in around[other] for cell in range(30) for other in around[cell])
    for cell, point in enumerate(cells.points):
        distances = ((cells.points - point) ** 2).sum(axis=1)
        assert int(distances.argsort()[1]) in around[cell], "the nearest one is beside it"
        assert 2 <= len(around[cell]) < 15
    for few in (1, 2, 3):
        assert Centroids.drawn(few, 2, 5).neighbours(0) == [1, 2][: few - 1]


def test_the_border_of_an_archive():
    archive = Archive(Grid(4, 2))
    for cell in set(range(16)) - {3, 15}:
        archive.put(elite(1, *((part + 0.5) / 4 for part in archive.cells.coordinates(cell))))
    assert archive.border() == [2, 6, 7, 10, 11, 14]
    archive.put(elite(1, 0.1, 0.9)), archive.put(elite(1, 0.9, 0.9))
    assert archive.border() == []


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_parents_come_from_the_border(monkeypatch, share):
    """Of a grid in which only one of the filled cells has an empty neighbour."""
    config = tiny(
        **MAP | dict(border_share=share, random_individuals=0, crossover_probability=0),
        population=2_000,
    )
    search = map_elites.MapElites.__new__(map_elites.MapElites)
    search.config, search.problem = config, Problem.of(config)
    search.space = SearchSpace(search.problem, True, False)
    archive = Archive(Grid(4, 2))
    individuals = orders(search.problem, 15)
    for cell, one in zip(range(15), individuals):
        behaviour = ((part + 0.5) / 4 for part in archive.cells.coordinates(cell))
        archive.put(Elite(one, (1.0,), tuple(behaviour)))
    monkeypatch.setattr(archive, "border", lambda: [14])
    toolbox = SimpleNamespace(mutate=lambda one: [one])
    monkeypatch.setattr(map_elites, "make_toolbox", lambda *_: toolbox)
    children = search.children(archive, 1)
    of_border = sum(child.rules == individuals[14].rules for child in children) / len(children)
    expected = share + (1 - share) / 15
    assert abs(of_border - expected) < 3.5 * (expected * (1 - expected) / 2_000) ** 0.5 + 1e-9


def test_the_better_individual_stays_in_a_cell():
    archive = Archive(Grid(2, 2))
    assert archive.put(elite(5, 0.1, 0.1, name="a")) and archive.put(elite(3, 0.9, 0.1, name="b"))
    assert not archive.put(elite(5, 0.2, 0.2, name="c"))  # of equals the first
    assert archive.put(elite(6, 0.2, 0.2, name="d"))
    assert {cell: one.individual.rules for cell, one in archive.elites.items()} == {
        0: ["d"],
        2: ["b"],
    }
    assert archive.challenged([elite(1, 0.7, 0.1), elite(1, 0.1, 0.9)]) == [2]
    assert archive.summary() == dict(cells=2, coverage=0.5, mean=4.5, best=6, qd_score=9)
    again = Archive.of_data(json.loads(json.dumps(archive.data())), Grid(2, 2))
    assert again.elites == archive.elites
    of_centroids = Archive(Centroids([[0.2, 0.2], [0.8, 0.8]]), {1: elite(2, 0.7, 0.9)})
    again = Archive.of_data(json.loads(json.dumps(of_centroids.data())), Grid(2, 2))
    assert again.cells.size == 2 and again.elites == of_centroids.elites


@pytest.mark.parametrize(
    "changes", [{}, {"mode": "mixed", "pool": ["piers", "iggi"]}, {"variable_length": True}]
)
def test_individuals_count_as_their_agents_do(changes):
    """The batch against each individual at its own table; conventions and partners, too."""
    living = changes.get("variable_length")
    more = dict(rules=["living"], conventions=["all"]) if living else {}
    config = tiny(players=[2, 3], **changes, **more)
    problem = Problem.of(config)
    some = [Individual.of(agents.load("convention").list_at(3))] if living else []
    some += orders(problem, 3)
    games = 4
    points, part, total, faults = count_individuals(problem, some, 7, 2, games)
    assert faults == 0
    for number, one in enumerate(some):
        expected = np.zeros((2, len(NAMES)))
        for place, players in enumerate(problem.players):
            partners = [agent.list_at(players) for agent in problem.find_pool()]
            table = Table(
                read_variant("standard").at(players), [one.player(problem.otherwise), *partners]
            )
            found = count_games(table, *deals(problem, players, 7, 2, games))
            assert points[number, place] == found["score"].sum()
            expected += [found["part"].sum(axis=0), found["total"].sum(axis=0)]
        assert np.allclose([part[number], total[number]], expected, rtol=1e-12)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return evolve(tiny(**MAP), tmp_path_factory.mktemp("map"), jobs=1)


def test_a_run_leaves_an_archive_that_agrees_with_its_log(run):
    log, rows = pd.read_csv(run / "map.csv"), pd.read_csv(run / "archive.csv")
    assert log["cells"].iloc[-1] == len(rows) > 2
    assert log["best"].iloc[-1] == pytest.approx(rows["objective"].max())
    assert log["mean"].iloc[-1] == pytest.approx(rows["objective"].mean(), abs=1e-5)
    assert log["qd_score"].iloc[-1] == pytest.approx(rows["objective"].sum(), abs=1e-4)
    assert list(log["evaluations"]) == [8, 16, 24, 32, 40, 48]
    grid = Grid(4, 2)
    for row in rows.to_dict("records"):
        assert grid.cell((row["measures_0"], row["measures_1"])) == row["index"]
        corrected = grid.cell((row["corrected_measures_0"], row["corrected_measures_1"]))
        assert corrected == row["corrected_index"] and row["stays"] == (corrected == row["index"])
        assert row["cell"] == grid.name(row["index"])
    found = unsealed(run / "map.json")
    assert found["stays"] == rows["stays"].mean()
    assert found["mean_of_elites"] == pytest.approx(rows["corrected_objective"].mean(), abs=1e-5)
    best = rows.groupby("corrected_index")["corrected_objective"].max()
    assert found["corrected"]["cells"] == len(best)
    assert found["corrected"]["qd_score"] == pytest.approx(best.sum(), abs=1e-4)


def test_each_elite_is_an_agent_with_the_rules_of_its_row(run):
    rows = pd.read_csv(run / "archive.csv", dtype={"order": str})
    problem = Problem.of(run.config)
    problem.load()
    for row in rows.to_dict("records"):
        agent = agents.load(str(run / "elites" / f"{row['cell']}.toml"))
        order = [problem.rules[int(place)] for place in row["order"].split()]
        assert [rule.name for rule in agent.list_at(2).rules] == order and len(order) == 4
        assert agent.provenance["score"] == pytest.approx(row["corrected_objective"], abs=1e-5)
    assert len(list((run / "elites").iterdir())) == len(rows)


def test_the_elites_play_as_the_archive_says(run):
    """Played once more from their files, on other deals: within 3.5 standard errors of all."""
    rows = pd.read_csv(run / "archive.csv")
    differences, games = [], 60
    for row in rows.to_dict("records"):
        agent = agents.load(str(run / "elites" / f"{row['cell']}.toml"))
        table = Table(read_variant("standard").at(2), [agent.at(2)])
        seeds = np.arange(games, dtype=np.uint64)
        points = table.play(seeds, [0, 0])["score"]
        differences.append(
            [points.mean() - row["corrected_objective"], points.var() * (1 / games + 1 / 30)]
        )
    gaps, variances = np.array(differences).T
    assert abs(gaps.sum()) < 3.5 * variances.sum() ** 0.5


def test_the_best_is_raced_and_scored(run):
    rows = pd.read_csv(run / "archive.csv")
    assert set(pd.read_csv(run / "race.csv")["order"]) <= set(rows["order"])
    assert run.state.state == "done" and run.agent.list_at(2).rules
    assert report(run.folder).is_file()
    assert "done" in str(Run(run.folder))


def test_workers_change_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(map_elites, "CHILDREN_PER_TASK", 3)
    two = evolve(tiny(**MAP), tmp_path, name="evolution", jobs=2)
    assert bytes_of(two) == bytes_of(run)


def test_a_stopped_run_ends_as_if_it_had_not_been(run, tmp_path, monkeypatch):
    steps = []

    def stop_at_two(self):
        steps.append(len(steps))
        if len(steps) == 3:
            raise StopRequestedError

    with monkeypatch.context() as patch:
        patch.setattr(run_recorder.RunRecorder, "_stop_if_requested", stop_at_two)
        with pytest.raises(RunStoppedError) as stopped:
            evolve(tiny(**MAP), tmp_path, name="evolution", jobs=1)
    assert steps == [0, 1, 2] and not (stopped.value.run / "archive.csv").exists()
    again = resume(stopped.value.run, jobs=1)
    assert bytes_of(again) == bytes_of(run)


def test_challenged_elites_play_again_and_others_do_not(monkeypatch, tmp_path):
    """A stored score changes only where a child fell into the cell, and by its new games."""
    calls = []
    measure = map_elites.MapElites.measure

    def watch(self, individuals, *how):
        found = measure(self, individuals, *how)
        calls.append((individuals, how, found))
        return found

    monkeypatch.setattr(map_elites.MapElites, "measure", watch)
    run = evolve(tiny(**MAP | dict(generations=2)), tmp_path, jobs=1)
    grid, stored = Grid(4, 2), {}
    for (_, _, children), (_, _, again) in zip(calls[:-1:2], calls[1:-1:2]):
        cells = [grid.cell(child.behaviour) for child in children]
        replayed = dict(zip(sorted(set(cells) & set(stored)), again, strict=True))
        assert all(calls[0][1][1] == 6 for _ in replayed)
        for cell, new in replayed.items():
            assert new.individual == stored[cell].individual
            stored[cell] = stored[cell]._replace(points=new.points)
        for cell, child in zip(cells, children):
            if cell not in stored or child.score > stored[cell].score:
                stored[cell] = child
    for (_, how, _), (_, again, _) in zip(calls[:-1:2], calls[1:-1:2]):
        assert how[0] == again[0]  # the same deals
    rows = list(csv.DictReader(io.StringIO((run / "archive.csv").read_text())))
    assert {int(row["index"]): float(row["objective"]) for row in rows} == {
        cell: pytest.approx(one.score, abs=1e-6) for cell, one in stored.items()
    }


def test_a_map_of_lists_with_conventions_over_three_behaviours_in_centroids(tmp_path):
    config = tiny(
        **MAP
        | dict(
            rules=["living"],
            conventions=["all"],
            weights=["all"],
            variable_length=True,
            order_length=0,
            mate="aligned",
            mutate="edit",
            mutation_probability=0.9,
            behaviours=["communicativeness", "risk_aversion", "colour_hints"],
            centroids=12,
            generations=2,
            players=[3],
        )
    )
    run = evolve(config, tmp_path, jobs=1)
    rows = pd.read_csv(run / "archive.csv")
    assert rows["index"].between(0, 11).all() and "measures_2" in rows
    agent = agents.load(str(next((run / "elites").iterdir())))
    assert agent.list_at(3).rules
    with Evaluator(Problem.of(config), 1) as evaluator:
        assert evaluator.problem.conventions


def test_a_map_may_start_from_agents(tmp_path, monkeypatch):
    played = []
    measure = map_elites.MapElites.measure

    def watch(self, individuals, *how):
        played.append(individuals)
        return measure(self, individuals, *how)

    monkeypatch.setattr(map_elites.MapElites, "measure", watch)
    more = dict(rules=["cig2018"], rule_files=[], start=["piers"], generations=1, order_length=0)
    run = evolve(tiny(**MAP | more | dict(variable_length=True, mutate="edit")), tmp_path, jobs=1)
    piers = [rule.name for rule in agents.load("piers").list_at(2).rules]
    assert played[0][0].rules == piers and len(played[0]) == 8
    assert (run / "archive.csv").is_file()


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(behaviours=["hints", "on_pace"]), "no behaviour 'hints'"),
        (dict(behaviours=["on_pace"]), "two or three"),
        (dict(behaviours=["on_pace", "on_pace"]), "two or three"),
        (dict(local_search_games=100, order_length=0), "without local search"),
        (dict(cells=1), "cells: 1 is out of its range"),
    ],
)
def test_a_config_that_makes_no_map_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        tiny(**MAP | changes)
