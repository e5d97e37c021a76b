"""A front of points against words: its search, its lists on fresh deals, kill and resume."""

import pandas as pd
import pytest
from tiny import RULES, tiny

from hanabi.evolve.cli.run_summary import print_front, print_summary
from hanabi.evolve.ga import finals, run_recorder
from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.finals import Measured, measure, undominated
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.operators import nsga2, seeded
from hanabi.evolve.ga.progress import RunStoppedError, StopRequestedError
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import FitnessFunction, next_generation
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.reports.run_report import report
from hanabi.rules import agents, load_rules

FRONT = dict(
    rules=["grown", "toy_rules"],
    select="nsga2",
    variable_length=True,
    mate="aligned",
    mutate="edit",
    crossover_probability=0.5,
    mutation_probability=0.9,
    elitism=8,
    population=16,
    generations=5,
    players=[2],
    games=8,
    race_games=60,
    final_games=60,
)
FILES = ("log.csv", "lineage.csv", "front.csv", "best.toml")


def bytes_of(run):
    files = [run / name for name in FILES] + sorted((run / "front").iterdir())
    return {file.name: file.read_bytes() for file in files}


def with_cases(*cases):
    population = [Individual([f"r{number}"]) for number in range(len(cases))]
    for one, (points, words) in zip(population, cases):
        one.fitness.values, one.cases = (points,), (points, words)
    return population


def test_the_front_comes_first_and_of_equals_one():
    population = with_cases((5, 10), (9, 30), (7, 20), (7, 20), (6, 25), (4, 12), (9, 31))
    with seeded(1):
        assert {one.rules[0] for one in nsga2(population, 3)} == {"r0", "r1", "r2"}
        six = [one.rules[0] for one in nsga2(population, 6)]
        everyone = nsga2(population, 7)
    assert len(set(six)) == 6 and "r3" not in six, "it plays and reads as r2"
    assert sorted(one.rules[0] for one in everyone) == [f"r{number}" for number in range(7)]
    with seeded(1):
        orders = {tuple(one.rules[0] for one in nsga2(population, 3)) for _ in range(40)}
    assert len(orders) == 6, "neighbours are crossed"


def test_the_front_stays_and_the_best_alone_would_not():
    config = tiny(**FRONT | dict(elitism=3, population=6, mutation_probability=0))
    space = SearchSpace(Problem.of(config), True)
    population = with_cases((5, 10), (9, 30), (7, 20), (8, 40), (8, 41), (8, 42))
    following = next_generation(config, population, 1, space)[:3]
    assert {one.rules[0] for one in following} == {"r0", "r1", "r2"}


def test_rules_that_decide_nothing_leave_and_words_are_counted_without_them():
    config = tiny(**FRONT)
    idle = Individual(["grown.play_first(mine but not mine)", "toy.anything", "toy.old"])
    with Evaluator(Problem.of(config), 1) as evaluator:
        FitnessFunction(evaluator, config).judge([idle], 3, 20)
    assert idle.rules == ["toy.anything", "toy.old"]
    assert idle.cases == (idle.fitness.values[0], Individual(idle.rules).words())


def test_lists_that_a_shorter_one_equals_are_dropped():
    one = Individual(["toy.old"])
    lists = [Measured(*row, one, {}) for row in ((3, 5), (2, 9), (3, 7), (8, 20), (6, 12), (7, 20))]
    assert [row[:2] for row in undominated(lists)] == [(3, 5), (6, 12), (8, 20)]


def test_a_list_that_loses_its_points_on_fresh_deals_is_dropped(tmp_path, monkeypatch):
    config = tiny(**FRONT)
    lists = [Individual(["toy.anything"]), Individual(["toy.old"]), Individual(["toy.safe"])]
    points = iter([(3.0, 5.0, 6.0), (3.0, 2.5, 4.0)])  # as chosen, on fresh deals

    def measured(evaluator, config, some, seed, games):
        assert some == lists
        return [
            Measured(value, place, one, dict.fromkeys((*finals.NUMBERS, "games"), value))
            for place, (one, value) in enumerate(zip(some, next(points)))
        ]

    monkeypatch.setattr(finals, "measure", measured)
    with Evaluator(Problem.of(config), 1) as evaluator:
        finals.write_front(tmp_path, config, evaluator, [*lists, lists[0]], lambda *step: None)
    rows = pd.read_csv(tmp_path / "front.csv")
    assert list(rows["rules"]) == ["toy.anything", "toy.safe"] and len(rows) == 2
    assert sorted(file.name for file in (tmp_path / "front").iterdir()) == ["0.toml", "2.toml"]


def test_a_generation_is_made_by_points_and_words_of_the_one_before():
    evolution = Evolution(tiny(**FRONT), 1)
    evolution.step()
    for one in evolution.population:
        assert one.cases == (one.fitness.values[0], one.words()) and one.words() > 0


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return evolve(tiny(**FRONT), tmp_path_factory.mktemp("front"), jobs=1)


def test_points_rise_with_words_on_fresh_deals(run):
    rows = run.front
    assert len(rows) > 2 and rows["mean_kept"].is_monotonic_increasing
    assert rows["words"].is_monotonic_increasing and rows["words"].is_unique
    assert (rows["games"] == 60).all() and (rows["mean_zero"] <= rows["mean_kept"]).all()
    files = {int(file.stem) for file in (run / "front").iterdir()}
    assert files == set(rows["words"])
    load_rules(RULES)
    for row in rows.itertuples():
        agent = agents.load(str(run / "front" / f"{row.words}.toml"))
        rules = agent.list_at(2).rules
        assert "; ".join(rule.name for rule in rules) == row.rules and len(rules) == row.sentences
        assert sum(len(rule.says.split()) for rule in rules) == row.words
        assert agent.provenance["score"] == pytest.approx(row.mean_kept)


def test_fresh_deals_are_others_than_those_of_the_choice(run):
    """Else the best of many would be flattered by the deals on which it was chosen."""
    some = [Individual(text.split("; ")) for text in run.front["rules"]]
    with Evaluator(Problem.of(run.config), 1) as evaluator:
        chosen, fresh = (
            [one.points for one in measure(evaluator, run.config, some, derive(1, name, 5), 60)]
            for name in ("front", "front deals")
        )
    assert fresh == pytest.approx(list(run.front["mean_kept"])) and fresh != chosen


def test_workers_change_nothing(run, tmp_path):
    assert bytes_of(evolve(tiny(**FRONT), tmp_path, jobs=2)) == bytes_of(run)


@pytest.mark.parametrize("last, is_written", [(2, False), (8, True)])
def test_a_stopped_run_ends_as_if_it_had_not_been(run, tmp_path, monkeypatch, last, is_written):
    """Stopped after a generation, and between the lists of the front and the race."""
    asked = []

    def stop(self):
        asked.append(None)
        if len(asked) > last:
            raise StopRequestedError

    with monkeypatch.context() as patch:
        patch.setattr(run_recorder.RunRecorder, "_stop_if_requested", stop)
        with pytest.raises(RunStoppedError) as stopped:
            evolve(tiny(**FRONT), tmp_path, jobs=1)
    assert (stopped.value.run / "front.csv").exists() == is_written
    assert not (stopped.value.run / "result.json").exists()
    assert bytes_of(resume(stopped.value.run, jobs=1)) == bytes_of(run)


def test_the_report_opens_each_list_and_the_terminal_has_the_table(run, capsys):
    page = report(run).read_text()
    print_front(run)
    table = capsys.readouterr().out
    for row in run.front.itertuples():
        assert f"front/{row.words}.toml -p 2</code>" in page
        assert f"{row.mean_kept:.2f} ± {row.sem_kept:.3f}" in table
    assert "Points against words" in page and 'id="front"' in page
    agent = agents.load(str(run / "front" / f"{run.front['words'].iloc[-1]}.toml"))
    assert agent.list_at(2).rules[0].says.split("'")[0] in page


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(word_price=0.1), "select: nsga2 goes without local search, word_price"),
        (dict(lists=["2"]), "lists = \\[\\]"),
        (dict(variable_length=False), "variable_length = true"),
        (dict(behaviours=["on_pace", "risk_aversion"]), "behaviours = \\[\\]"),
    ],
)
def test_a_config_without_a_front_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        tiny(**FRONT | changes)


def test_the_preset_takes_a_step_and_its_summary_names_commands_that_work(tmp_path, capsys):
    config = preset("front").changed(
        generations=1, population=12, elitism=6, games=4, initial_pool=1, race_games=20
    )
    run = evolve(config.changed(final_games=20, prune_games=0), tmp_path, jobs=1)
    assert isinstance(run.front, pd.DataFrame) and len(run.front)
    print_summary(run, [])
    printed = capsys.readouterr().out
    assert "best.toml -p 3" in printed and "The front of points against words" in printed
