"""Points of individuals: the same for any workers, and the same as at a plain Table."""

from random import Random

import numpy as np
import pytest
from tiny import orders, tiny

from hanabi.evolve.ga import fitness
from hanabi.evolve.ga.fitness import MIN_TASKS, Evaluator, FitnessGames, Request, deals
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import first_generation
from hanabi.evolve.measure.arena import derive, mean_sem
from hanabi.rules import agents
from hanabi.table import RuleFailedError, Table
from hanabi.variant import read_variant


def mixed(tmp_path, **changes):
    """A config with two partners, read from agent files."""
    Problem.of(tiny())  # enters the toy rules
    for name, text in dict(one='"toy.safe", "toy.useful", "toy.old"', two='"toy.old"').items():
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\n[rules]\n2-5 = [{text}]\n')
    return tiny(
        mode="mixed", pool=[str(tmp_path / "one.toml"), str(tmp_path / "two.toml")], **changes
    )


def test_any_workers_give_the_same(tmp_path):
    task = Problem.of(mixed(tmp_path, players=[2, 4]))
    individuals = orders(task, 13)
    individuals[3] = individuals[3].with_rules(individuals[3].rules[:4])
    results = []
    for jobs, backend in [(1, "threads"), (2, "threads"), (5, "threads"), (2, "processes")]:
        with Evaluator(task, jobs, backend) as evaluator:
            results.append(evaluator.evaluate(individuals, 7, 9))
            few = evaluator.evaluate(individuals[:1], 7, 600)  # one order: its games are cut
            assert np.array_equal(few.kept[0, ..., :9], results[-1].kept[0])
            results.append(few)
    for one, other in zip(results[:2] * 3, results[2:]):
        for name in ("kept", "ends", "fired"):
            assert np.array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("mode", ["mirror", "mixed"])
def test_a_plain_table_gives_the_same(mode, tmp_path):
    config = tiny(players=[2, 3, 5]) if mode == "mirror" else mixed(tmp_path, players=[2, 3, 5])
    task, games = Problem.of(config), 11
    partners = [agents.loads(text) for text in task.pool]
    individuals = orders(task, 3)
    with Evaluator(task, 2) as evaluator:
        played = evaluator.evaluate(individuals, 3, games)
    for i, one in enumerate(individuals):
        for j, players in enumerate(task.players):
            table = Table(
                read_variant("standard").at(players),
                [one.player(), *(agent.at(players) for agent in partners)],
            )
            seeds, seats = deals(task, players, 3, 0, games)
            results = table.play(seeds, seats)
            assert np.array_equal(results["score"], played.kept[i, j].ravel())
            assert np.array_equal(results["end"], played.ends[i, j].ravel())
            assert np.array_equal(table.fired[0, : len(one.rules) + 1], played.fired[i, j])


def test_deals_are_common_new_and_extendable(tmp_path):
    task = Problem.of(mixed(tmp_path))
    seeds, seats = deals(task, 3, 5, 0, 400)
    assert seats.shape == (800, 3)
    assert (np.sort(seats[:400]) == [0, 1, 1]).all() and (np.sort(seats[400:]) == [0, 2, 2]).all()
    share = (seats == 0).mean(axis=0)
    assert (abs(share - 1 / 3) < 5 * (2 / 9 / 800) ** 0.5).all(), (
        "any seat, one as often as another"
    )
    later, later_seats = deals(task, 3, 5, 100, 300)
    assert np.array_equal(later[:300], seeds[100:400]) and np.array_equal(
        later_seats[300:], seats[500:]
    )
    assert len({*seeds, *deals(task, 3, 6, 0, 400)[0], *deals(task, 2, 5, 0, 400)[0]}) == 2400
    assert derive(1, "a", 2) != derive(1, "a", 3) != derive(2, "a", 3)


def test_mean_and_error_are_that_of_numpy_by_group():
    points = np.random.default_rng(1).integers(0, 26, (4, 3, 50)).astype(np.int8)
    mean, sem = mean_sem(points)
    assert np.allclose(mean, points.mean(axis=(1, 2)))
    assert np.allclose(sem, np.sqrt((points.var(axis=2, ddof=1) / 50).sum(axis=1)) / 3)


def test_zero_scoring_counts_a_lost_game_as_nothing():
    task = Problem.of(tiny())
    gambler = Individual(["toy.likely(chance=0, lives=0)"])
    with Evaluator(task, 1) as evaluator:
        played = evaluator.evaluate([gambler], 1, 50)
    assert (played.points("zero") == 0).all() and played.points("kept").sum() > 0
    forfeit = FitnessGames(
        np.full((1, 1, 1, 2), 7, np.int8), np.array([[[[1, 4]]]], np.int8), np.zeros((1, 1, 1), int)
    )
    assert forfeit.points("zero").tolist() == [[[0, 7]]], "a forfeited game keeps its points"


def test_a_task_is_small_enough_for_eight_workers(monkeypatch):
    tasks, work = [], fitness._work
    monkeypatch.setattr(fitness, "_work", lambda *task: tasks.append(task) or work(*task))
    task = Problem.of(tiny())
    with Evaluator(task, 2) as evaluator:
        for individuals, games in [(orders(task, 200), 20), (orders(task, 1), 20_000)]:
            tasks.clear()
            evaluator.evaluate(individuals, 1, games)
            assert len(tasks) >= MIN_TASKS == 32


FAULTY = '''
from hanabi.rulebook import rule

@rule(prefix="{name}.")
def raising(view):
    """Raise late in the game."""
    if view.turn > 9:
        raise IndexError("no such thing")
    return 0

@rule(prefix="{name}.")
def cheating(view):
    """Discard with all tokens."""
    return 6
'''


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_fault_names_the_rule_and_the_position(backend, tmp_path, untried):
    file = tmp_path / f"faulty_{backend}.py"
    untried(file, FAULTY.format(name=backend))
    task = Problem.of(
        tiny(rules=["toy.safe", "toy.old"], rule_files=[tiny().genome.rule_files[0], str(file)])
    )
    with Evaluator(task, 2, backend) as evaluator:
        with pytest.raises(RuleFailedError, match="illegal move 6") as caught:
            evaluator.evaluate([Individual(["toy.old"]), Individual([f"{backend}.cheating"])], 1, 3)
        assert caught.value.rule.name == f"{backend}.cheating" and caught.value.turn == 0
        with pytest.raises(RuleFailedError, match="raised IndexError: no such thing") as caught:
            evaluator.evaluate([Individual([f"{backend}.raising", "toy.old"])], 1, 3)
        assert caught.value.rule.name == f"{backend}.raising" and caught.value.view.turn == 10
        evaluator.evaluate([Individual(["toy.old"])], 1, 3)  # and the workers are still there


RAISING_LATE = """
from hanabi import NOTHING, rule

@rule(prefix="late.")
def raising(view):
    \"\"\"Raise once a life is lost.\"\"\"
    if view.lives < 3:
        raise IndexError("a life is lost")
    return NOTHING
"""


def test_a_fault_beside_the_second_partner_is_found_in_its_game(tmp_path, untried):
    """Only the second partner loses lives: no game with the first one has the fault."""
    file = tmp_path / "late.py"
    untried(file, RAISING_LATE)
    Problem.of(tiny())  # enters the toy rules
    for name, text in dict(careful="toy.old", rash="toy.likely(chance=0, lives=0)").items():
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\n[rules]\n2-5 = ["{text}"]\n')
    task = Problem.of(
        tiny(
            mode="mixed",
            pool=[str(tmp_path / "careful.toml"), str(tmp_path / "rash.toml")],
            rule_files=[*tiny().genome.rule_files, str(file)],
        )
    )
    with Evaluator(task, 1) as evaluator:
        with pytest.raises(RuleFailedError, match="IndexError: a life is lost") as caught:
            evaluator.evaluate([Individual(["late.raising", "toy.old"])], 1, 5)
    assert caught.value.view.lives == 2


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(rules=["cig2081"]), r"no set and no rule 'cig2081' .did you mean 'cig2018'"),
        (dict(rules=["toy.saffe()"]), r"no rule 'toy.saffe' .did you mean 'toy.safe'"),
        (dict(rules=["cig2018.play_safe_card"], rule_files=[]), "alone cannot be ordered"),
        (dict(order_length=99), "order_length: 99 is more than the"),
        (dict(rule_files=["none.py"]), "cannot read .*none.py"),
        (dict(mode="mixed", pool=["pierss"]), "no pool or agent 'pierss' .did you mean 'piers'"),
    ],
)
def test_what_is_not_there_is_told(change, message):
    with pytest.raises(ValueError, match=message):
        Problem.of(tiny(**change))


def test_bad_workers_are_told():
    for jobs, backend, message in [
        (0, "threads", "jobs: 0"),
        (-3, "threads", "jobs: -3"),
        (1, "magic", "'magic'"),
    ]:
        with pytest.raises(ValueError, match=message):
            Evaluator(Problem.of(tiny()), jobs, backend)


def convention_config(**changes):
    """A config in which conventions and weights evolve."""
    return tiny(
        **dict(
            rules=["conventional"],
            rule_files=[],
            conventions=["all"],
            weights=["all"],
            players=[2, 4],
            population=6,
            elitism=1,
        )
        | changes
    )


@pytest.mark.parametrize("mode", ["mirror", "mixed", "mixed, theirs switched", "free"])
def test_conventions_and_weights_play_as_at_a_plain_table(mode):
    # convention-simple in the pool: partners keep their own conventions
    pool = (
        dict(mode="mixed", pool=["convention-simple", "piers"]) if mode.startswith("mixed") else {}
    )
    theirs = [entry.family.name for entry in agents.load("convention-simple").at(2).conventions]
    named = dict(conventions=theirs) if mode.endswith("switched") else {}
    config = convention_config(
        start=["convention-simple"], mutations=4, variable_length=mode == "free", **pool, **named
    )
    task, games = Problem.of(config), 5
    said = SearchSpace(task)
    partners = [agents.loads(text) for text in task.pool]
    population = first_generation(config, said, task.initial_individuals()) + first_generation(
        config, said, []
    )
    for one in population[2::2]:  # their order by stages is nothing that individuals keep to
        Random(len(one.rules)).shuffle(one.conventions)
    with Evaluator(task, 2) as evaluator, Evaluator(task, 2, "processes") as elsewhere:
        played = evaluator.evaluate(population, 3, games)
        again = elsewhere.evaluate(population, 3, games)
        alone = list(evaluator.answer([Request(one, 3, 1, games - 1) for one in population]))
    assert np.array_equal(played.kept, again.kept) and np.array_equal(played.fired, again.fired)
    for i, one in enumerate(population):
        assert np.array_equal(alone[i].kept[0], played.kept[i, ..., 1:])
        for j, players in enumerate(task.players):
            table = Table(
                read_variant("standard").at(players),
                [one.player(), *(agent.at(players) for agent in partners)],
            )
            seeds, seats = deals(task, players, 3, 0, games)
            results = table.play(seeds, seats)
            assert np.array_equal(results["score"], played.kept[i, j].ravel())
            assert np.array_equal(
                table.fired[0, : len(one.rules) + 1], played.fired[i, j, : len(one.rules) + 1]
            )


def test_a_start_alone_plays_as_the_agent_that_it_is():
    config = convention_config(start=["convention-2026"], conventions=[], weights=[], players=[3])
    task = Problem.of(config)
    (start,) = task.initial_individuals()
    assert start.rules == list(
        dict.fromkeys(rule.name for rule in agents.load("convention-2026").rules(3))
    )
    with Evaluator(task, 1) as evaluator:
        points = evaluator.evaluate([start], 1, 40).kept
        first = first_generation(config, SearchSpace(task), [start])[0]
        assert np.array_equal(evaluator.evaluate([first], 1, 40).kept, points) or set(
            first.rules
        ) > set(start.rules)
    assert points.mean() > 23, "its conventions and weights are there"
    seeds, seats = deals(task, 3, 1, 0, 40)
    agent = Table(read_variant("standard").at(3), [agents.load("convention-2026").at(3)])
    assert np.array_equal(agent.play(seeds, seats)["score"], points.ravel())


def test_requests_are_answered_in_their_order_with_any_workers():
    task = Problem.of(tiny(players=[2, 4]))
    one, other = orders(task, 2)
    requests = [
        Request(one, 5, 0, 7),
        Request(other, 5, 3, 600),
        Request(one, 6, 2, 1),
        Request(one, 5, 4, 3),
    ]
    with Evaluator(task, 1) as evaluator:
        answers = list(evaluator.answer(requests))
        for request, answer in zip(requests, answers):
            whole = evaluator.evaluate(
                [request.individual], request.seed, request.games, request.first
            )
            for name in ("kept", "ends", "fired"):
                assert np.array_equal(getattr(answer, name), getattr(whole, name))
        assert list(evaluator.answer([])) == []
    for jobs, backend in [(3, "threads"), (2, "processes")]:
        with Evaluator(task, jobs, backend) as evaluator:
            for answer, again in zip(answers, evaluator.answer(requests)):
                assert np.array_equal(answer.kept, again.kept) and np.array_equal(
                    answer.fired, again.fired
                )
