"""Local search: error rates as in docs/explanations/search.md, gains of games, the same with any workers."""

from random import Random

import error_rates
import numpy as np
import pytest
from tiny import orders, tiny

from hanabi.evolve.ga import local_search as climbing
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames, Request
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.local_search import climb, climb_together
from hanabi.evolve.ga.mutations import AddRule, MoveRule, RemoveRule, ReplaceRule, SwapRules
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.success import Trials
from hanabi.evolve.measure import paired
from hanabi.evolve.measure.paired import (
    MIN_DEALS,
    STAGES,
    StagedGain,
    deals_of,
    stages_until,
    verdict,
)

FREE = dict(variable_length=True, games=3, players=[2, 3])


@pytest.mark.parametrize("spread", error_rates.SPREADS)
def test_the_test_is_as_often_wrong_as_the_page_says(spread):
    said, count = error_rates.documented(), 800
    assert set(said) == {
        (gain, spread) for gain in error_rates.GAINS for spread in error_rates.SPREADS
    }
    for gain in (0, 0.05, 0.3):
        for (share, games), (wanted, mean), last in zip(
            error_rates.tested(gain, spread, count, 3), said[gain, spread], STAGES[1:], strict=True
        ):
            errors = (
                wanted * (1 - wanted) * (1 / count + 1 / error_rates.COUNT)
            ) ** 0.5 + 0.5 / count
            assert abs(share - wanted) < 3.5 * errors, (
                gain,
                "measure again: python tests/support/error_rates.py",
            )
            assert abs(games - mean) < 3.5 * last / 2 / count**0.5, (
                "no change plays more games than the last stage has"
            )


@pytest.mark.parametrize("deals", [2, MIN_DEALS - 1])
def test_few_deals_of_many_partners_make_no_change_by_chance(deals):
    """The means of two deals with 28 partners each agree by chance in one of ten cases."""
    random, said = np.random.default_rng(1), []
    for _ in range(2_000):
        gain = StagedGain()
        gain.add(random.normal(size=(28, deals)))
        said.append(gain.judge(1, 0.0))
    expected = 0.0026  # of a normal gain above ACCEPT
    assert said.count("better") / 2_000 < expected + 3.5 * (expected / 2_000) ** 0.5


def test_of_deals_enough_the_games_of_one_count_as_one():
    gains = np.random.default_rng(2).normal(size=MIN_DEALS)
    partners = np.linspace(-90, 90, 28)  # who gains most is no matter of chance
    trial = StagedGain()
    trial.add(gains + partners[:, None])
    assert trial.sem == pytest.approx(
        gains.std(ddof=1) / MIN_DEALS**0.5
    ) and trial.gain == pytest.approx(gains.mean())


def test_what_is_said_of_a_gain():
    assert verdict(0.0, 0.0, 1) == verdict(0.0, 0.0, 0) == "worse", "no game differs"
    assert [verdict(gain, 1.0, 1) for gain in (-9, 0, paired.ACCEPT - 0.01, paired.ACCEPT)] == [
        "worse",
        "open",
        "open",
        "better",
    ]
    assert [
        verdict(gain, 1.0, 0) for gain in (-9, 0, paired.ACCEPT_LAST - 0.01, paired.ACCEPT_LAST)
    ] == ["worse"] * 3 + ["better"]
    assert (
        verdict(-paired.CONTINUE - 0.01, 1.0, 1) == "worse"
        and verdict(-paired.CONTINUE + 0.01, 1.0, 1) == "open"
    )
    asked = paired.ACCEPT + 3 * 0.2
    assert [verdict(gain, 1.0, 4, 0.2) for gain in (-9, 0, asked - 0.01, asked)] == [
        "worse",
        "open",
        "open",
        "better",
    ], "three further"
    assert verdict(paired.ACCEPT, 1.0, 4) == verdict(paired.ACCEPT_LAST, 1.0, 0, 0.2) == "better"


class Watched:
    """Drives one climb and writes down what was asked of it."""

    def __init__(self, evaluator, one, games, seed=1, mates=(), **changes):
        self.config, self.asked, self.games = tiny(**FREE | changes), [], 0
        climbs = climb(one, SearchSpace(evaluator.problem), list(mates), seed, games, self.config)
        try:
            requests = next(climbs)
            while True:
                self.asked.append(requests)
                self.games += (
                    evaluator.problem.partners
                    * len(evaluator.problem.players)
                    * sum(request.games for request in requests)
                )
                requests = climbs.send(list(evaluator.answer(requests)))
        except StopIteration as end:
            self.climb = end.value


def task():
    return Problem.of(tiny(**FREE))


def poor(names="old safe useful"):
    Problem.of(tiny())  # enters the toy rules
    return Individual(f"toy.{name}" for name in names.split())


@pytest.mark.parametrize("mode", ["mirror", "mixed"])
def test_gains_are_gains_of_games(mode, tmp_path):
    pool = {}
    if mode == "mixed":
        poor()
        for name, rules in dict(one='"toy.safe", "toy.useful", "toy.old"', two='"toy.old"').items():
            (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\n[rules]\n2-5 = [{rules}]\n')
        pool = dict(
            mode="mixed", pool=tuple(str(tmp_path / f"{name}.toml") for name in ("one", "two"))
        )
    with Evaluator(Problem.of(tiny(**FREE, **pool)), 1) as evaluator:
        found = Watched(evaluator, poor(), 6000, **pool, local_search_games=1)
        groups, now = 2 * evaluator.problem.partners, poor()
        assert found.climb.games == found.games >= 6000 and len(found.climb.made) >= 2
        assert found.climb.tried >= 8 * len(found.climb.made)
        for changes, gain, sem, games in found.climb.made:
            (child,) = {
                request.individual
                for requests in found.asked
                for request in requests
                if ", then ".join(steps(now, request.individual, changes)) == changes
            }
            asked = [
                request
                for requests in found.asked
                for request in requests
                if request.individual == child
            ]
            asked = [request for request in asked if request.seed == asked[0].seed]
            asked = asked[
                : next(
                    n
                    for n in range(1, len(asked) + 1)
                    if groups * sum(one.games for one in asked[:n]) == games
                )
            ]
            gains = np.concatenate(
                [
                    np.subtract(
                        *(
                            evaluator.evaluate([one], request.seed, request.games, request.first)
                            .points("kept")[0]
                            .mean(axis=0)
                            for one in (child, now)
                        )
                    )
                    for request in asked
                ]
            )
            assert games == groups * len(gains) and gain == pytest.approx(gains.mean())
            assert sem == pytest.approx(gains.std(ddof=1) / len(gains) ** 0.5) and gain > 0
            now = child
        assert now == found.climb.individual
        before, after = evaluator.evaluate([poor(), now], 99, 400).points("kept").mean(axis=(1, 2))
    assert after > before + 1, "it climbs"


def steps(one, other, changes):
    """Those of ``changes`` that lead from an individual to another one, as text."""
    for text in changes.split(", then "):
        change = next(iter(read(text)), None)
        one = one and change and change.apply_to(one)
    return [changes] if one == other else []


def read(text):
    """The change that a text says, of lists of rules."""
    what, _, rest = text.partition(" ")
    if " becomes " in text:
        yield ReplaceRule(*text.split(" becomes "))
    elif what == "remove":
        yield RemoveRule(rest)
    elif what == "swap":
        yield SwapRules(*rest.split(" and toy.")[:1], "toy." + rest.split(" and toy.")[1])
    else:
        entry, _, other = rest.removesuffix(" at the end").partition(" before ")
        yield {"add": AddRule, "move": MoveRule}[what](entry, other)


def test_any_workers_find_the_same():
    found = []
    for jobs, backend in [(1, "threads"), (2, "threads"), (2, "processes")]:
        with Evaluator(task(), jobs, backend) as evaluator:
            climbs = climb_together(
                evaluator,
                [
                    climb(
                        one,
                        SearchSpace(task()),
                        orders(task(), 2),
                        seed,
                        1500,
                        tiny(**FREE, crossing_share=0.3, fixed_odds=0.2),
                        {"AddRule": Trials(9.0, 2.0, 400.0)},
                    )
                    for seed, one in enumerate([poor(), *orders(task(), 2)])
                ],
            )
            found.append(
                [
                    (
                        one.individual,
                        one.individual.level,
                        one.tried,
                        one.games,
                        one.made,
                        one.counts,
                    )
                    for one in climbs
                ]
            )
    assert found[0] == found[1] == found[2] and any(made for *_, made, _ in found[0])
    for *_, tried, games, made, counts in found[0]:
        trials, accepted, played = (
            sum(one[place] for one in counts.values()) for place in range(3)
        )
        assert trials == pytest.approx(tried) and len(made) <= accepted + 1e-9 and played < games


def test_climbs_side_by_side_are_those_of_each_alone():
    with Evaluator(task(), 1) as evaluator:

        def one_of(seed, games):
            return climb(
                orders(task(), 1, seed)[0], SearchSpace(task()), [], seed, games, tiny(**FREE)
            )

        together = climb_together(evaluator, [one_of(1, 900), one_of(2, 0), one_of(3, 300)])
        assert together == [
            climb_together(evaluator, [one_of(seed, games)])[0]
            for seed, games in ((1, 900), (2, 0), (3, 300))
        ]
        assert (together[1].games, together[1].tried, together[1].made) == (
            0,
            0,
            [],
        ) and climb_together(evaluator, []) == []


def test_a_climb_stops_soon_after_its_games_are_played():
    most = max(np.diff(stages_until(tiny().local_search.trial_games)))
    with Evaluator(task(), 1) as evaluator:
        for games in (1, 500, 3000):
            found = Watched(evaluator, poor(), games, trials=3)
            *before, last = found.asked
            assert (
                2 * sum(request.games for requests in before for request in requests)
                < games
                <= found.games
            )
            assert found.games < games + (3 + 1) * most


def test_trials_are_different_from_their_parent_and_from_each_other():
    with Evaluator(task(), 1) as evaluator:
        found = Watched(evaluator, poor(), 3000, trials=5, pair_share=0.5)
    assert all(request.individual.rules for requests in found.asked for request in requests)
    first = [request.individual for request in found.asked[0]]
    assert first[0] == poor() and len(set(first)) == len(first) == 6


def test_no_trial_plays_more_games_than_it_may():
    assert stages_until(tiny().local_search.trial_games) == (40, 120, 400, 1000, 2500, 6000), (
        "what published runs were made with"
    )
    assert [stages_until(games)[-1] for games in (120, 999, 1000, 250_000)] == [
        120,
        400,
        1000,
        250_000,
    ]
    with Evaluator(task(), 1) as evaluator:
        one = poor()
        one.level = len(STAGES)  # as if it had gone further
        longest = [
            max(
                request.games
                for seed in (1, 2, 3, 4)
                for requests in Watched(evaluator, one, 6000, seed, trial_games=limit).asked
                for request in requests
            )
            for limit in (120, 400)
        ]
    assert longest == [40, 140], "from stage to stage, half of the games per player count"


def test_a_space_without_mutations_ends_the_search(monkeypatch):
    monkeypatch.setattr(climbing, "draw", lambda *_: None)
    with Evaluator(task(), 1) as evaluator:
        (found,) = climb_together(
            evaluator, [climb(poor(), SearchSpace(task()), [], 1, 10**6, tiny(**FREE))]
        )
    assert found.games == found.tried == 0 and found.individual == poor()


def test_deals_are_played_around_and_those_of_the_parent_once():
    deals = climbing._Deals(1, 2, "kept", 3000)
    for start in (0, 7, deals.size - 3, deals.size + 5):
        for count in (1, 5, deals.size, 2 * deals.size):
            played = [
                deal
                for first, some in deals.stretches(start, count)
                for deal in range(first, first + some)
            ]
            assert played == [
                (start + place) % deals.size for place in range(min(count, deals.size))
            ]
    one = poor()
    assert deals.missing(one, [(3, 4)]) == [Request(one, deals.deals, 3, 4)]
    deals.points[:, 3:7] = 1
    assert deals.missing(one, [(3, 4), (4, 1)]) == []
    assert deals.missing(one, [(1, 4), (5, 6)]) == [
        Request(one, deals.deals, 1, 2),
        Request(one, deals.deals, 7, 4),
    ]
    before = deals.deals
    deals.renew()
    assert deals.deals != before and deals.missing(one, [(3, 4)]) == [
        Request(one, deals.deals, 3, 4)
    ]


def test_a_stage_has_two_deals_however_many_partners_there_are():
    assert deals_of(40, 8) == 5 and deals_of(41, 8) == 6 and deals_of(40, 100) == 2


def test_a_convention_is_tried_together_with_the_rule_that_it_goes_with():
    living = tiny(
        rules=["conventional"],
        rule_files=[],
        variable_length=True,
        conventions=["finesse"],
        trials=100,
        pair_share=0,
    )
    one = Individual(["play_marked", "discard_expected"])
    trials = climbing._draw(
        one, SearchSpace(Problem.of(living), False), [], Random(1), None, [], living, {}
    )
    added = [trial for trial in trials if trial.changes[0].part == "conventions"]
    assert added and all(
        "answer_finesse" in trial.individual.rules and trial.individual.conventions
        for trial in added
    )
    assert any(len(trial.changes) == 1 for trial in trials)


def test_crossing_with_another_of_the_generation_is_a_trial():
    with Evaluator(task(), 1) as evaluator:
        found = Watched(
            evaluator,
            poor("never old"),
            600,
            mates=[poor("safe useful useless anything old")],
            crossing_share=1.0,
        )
    assert {made[0] for made in found.climb.made} == {"crossed with another"}


def test_what_looked_good_beside_the_change_that_was_made_is_tried_next():
    """With invented points: two rules are each worth some, and both may come in the first round."""
    task()
    noise, rounds = np.random.default_rng(1), []
    climbs = climb(
        poor("never old"), SearchSpace(task()), [], 1, 9000, tiny(**FREE, trials=60, pair_share=0)
    )
    requests = next(climbs)
    with pytest.raises(StopIteration) as end:
        while True:
            rounds.append([request.individual for request in requests])
            kept = [
                noise.integers(5, 7, (1, 2, 1, request.games))
                + 2 * ("toy.safe" in request.individual.rules)
                + (4 * ("toy.useful" in request.individual.rules))
                for request in requests
            ]
            requests = climbs.send(
                [
                    FitnessGames(points, np.ones_like(points), np.ones((1, 2, 9), np.int64))
                    for points in kept
                ]
            )
    assert "toy.useful" in end.value.value.made[0][0], "the better one of the two comes first"
    assert not {"toy.safe", "toy.useful"} <= set(rounds[0][0].rules)
    later = next(some for some in rounds if some[0] != poor("never old"))
    assert any({"toy.safe", "toy.useful"} <= set(one.rules) for one in later[1:3]), "first of all"
    assert {"toy.safe", "toy.useful"} <= set(end.value.value.individual.rules)
