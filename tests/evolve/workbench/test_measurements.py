"""Measurements: scores, gains, worths and offers against games that are counted by hand."""

from dataclasses import replace
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.paired import Estimate, PairedGain
from hanabi.evolve.workbench import improvement, library_sweep
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.improvement import Improvement, read_change
from hanabi.evolve.workbench.job_queue import Job
from hanabi.evolve.workbench.library_sweep import place_in_set
from hanabi.evolve.workbench.list_scores import PURPOSES, ListScores
from hanabi.evolve.workbench.measurements import Measurements, Order
from hanabi.rulebook import BOOK, find
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import read_variant

VARIANT = read_variant("standard").at(3)
PIERS = EditedList.of(load("piers").list_at(3))


def done(steps, kind="score"):
    """The state of a job after all of its steps."""
    job = Job(kind, "", steps)
    while not job.ended:
        job.step()
    assert "error" not in job.state, job.state["error"]
    return job.state


def counted(listed, games):
    """The points of a list, from a table's plain results."""
    seeds, seats = deals(PURPOSES["score"], 3, games)
    return Table(VARIANT, [listed.player]).play(seeds, seats)["score"].astype(int)


def test_a_score_and_its_paired_gain():
    measurements = Measurements(ListScores())
    shorter = replace(PIERS, rules=PIERS.rules[:3] + PIERS.rules[4:])
    first = done(measurements.score(Order(PIERS, VARIANT), 700, ""))
    second = done(measurements.score(Order(shorter, VARIANT), 700, first["key"]))
    before, after = counted(PIERS, 700), counted(shorter, 700)
    assert first["mean"] == before.mean() and first["done"] == 700
    assert first["sem"] == pytest.approx(before.std(ddof=1) / 700**0.5)
    gains = after - before
    assert second["gain"] == gains.mean() < -1 and second["over"] == 700
    assert (second["worse"], second["better"]) == ((gains < 0).sum(), (gains > 0).sum())
    assert sum(first["shares"]) == pytest.approx(1, abs=1e-4)
    assert sum(row[1] for row in first["lost"]) == pytest.approx(25 - before.mean())
    worst = {says: deal for says, _, _, deal in first["lost"]}
    assert all(before[deal] < 25 for deal in worst.values())


def test_the_first_rules_of_a_convention():
    """Two rules make 13 points; focus, which says what a hint promises, adds seven."""
    measurements = Measurements(ListScores())
    rules = ["play_marked", "tell_new(tokens=1, new=1)", "discard_known_useless"]
    lists = [{"rules": rules[:count]} for count in (1, 2, 3)]
    lists.append({"rules": rules, "conventions": ["focus(ranks=0)"]})
    for data, points in zip(lists, (4.18, 13.45, 14.12, 21.0), strict=True):
        state = done(measurements.score(Order(EditedList.read(data), VARIANT), 1000, ""))
        assert abs(state["mean"] - points) < 3.5 * 1.1 * state["sem"] + 0.05, data


def test_each_player_count_has_its_own_scores():
    measurements = Measurements(ListScores())
    means = [
        done(measurements.score(Order(PIERS, read_variant("standard").at(count)), 500, ""))["mean"]
        for count in (3, 5)
    ]
    assert means[0] > means[1] + 0.5


def test_kept_scores_are_not_played_again(monkeypatch):
    measurements = Measurements(ListScores())
    once = done(measurements.score(Order(PIERS, VARIANT), 600, ""))
    monkeypatch.setattr("hanabi.evolve.workbench.list_scores.play_block", None)
    assert done(measurements.score(Order(PIERS, VARIANT), 500, ""))["done"] == 500
    assert once["mean"] == counted(PIERS, 600).mean()


def test_the_scores_of_old_lists_are_forgotten():
    scores = ListScores(kept=1)
    measurements = Measurements(scores)
    for place in range(2):
        listed = replace(PIERS, rules=PIERS.rules[place:])
        done(measurements.score(Order(listed, VARIANT), 500, ""))
    assert len(scores.scores) == 1


def test_the_worth_of_an_entry():
    state = done(Measurements(ListScores()).worth(Order(PIERS, VARIANT), 500), "worth")
    place = 3
    rest = replace(PIERS, rules=PIERS.rules[:place] + PIERS.rules[place + 1 :])
    gains = PairedGain.of(counted(PIERS, 500), counted(rest, 500)).gain
    assert state["rules"][place] == list(gains) and None not in state["rules"]


def test_the_game_that_changed_most():
    measurements = Measurements(ListScores())
    order = Order(PIERS, VARIANT)
    other = Order(replace(PIERS, rules=PIERS.rules[::-1]), VARIANT)
    for one in (order, other):
        done(measurements.score(one, 500, ""))
    state = done(measurements.changed_games(other, order), "games")
    before, after = counted(PIERS, 500), counted(other.listed, 500)
    deal, old, new = state["changed"][0]
    assert abs(new - old) == abs(after - before).max()
    assert (before[deal], after[deal]) == (old, new)
    assert sum(count for _, count in state["histogram"]) == 500
    game = done(measurements.game(other, order, deal), "game")
    turn = game["turn"]
    moves = [[t["move"]["text"] for t in game[who]["turns"][: turn + 1]] for who in ("new", "old")]
    assert moves[0][:turn] == moves[1][:turn] and moves[0][turn] != moves[1][turn]
    assert (game["new"]["score"], game["old"]["score"]) == (new, old)


def test_where_a_rule_is_tried():
    rules = [find(name) for name in ("play_marked", "tell_new(tokens=2, new=1)")]
    assert place_in_set(rules, find("last_play(chance=0, lives=1)")) == 0
    assert place_in_set(PIERS.rules, find("discard_unidentified(newest=1)")) == next(
        place for place, rule in enumerate(PIERS.rules) if "discard" in rule.name
    )


def test_offers_hold_on_fresh_deals(monkeypatch):
    """What is offered for a list without its best rule has the gain that fresh games show."""
    monkeypatch.setattr(improvement, "PROOF_GAMES", 1000)
    best = max(range(len(PIERS.rules)), key=lambda i: "probably" in PIERS.rules[i].name)
    listed = replace(PIERS, rules=PIERS.rules[:best] + PIERS.rules[best + 1 :])
    search = Improvement(listed, VARIANT, seconds=60, seed=5)
    job = Job("improve", "", search.steps)
    while not search.offers and not job.ended:
        job.step()
    job.stop()
    while not job.ended:
        job.step()
    offer = job.state["offers"][0]
    changed = read_change(offer["change"]).apply_to(listed.individual)
    seeds, seats = deals(PURPOSES["prove"], 3, 1000)
    points = [
        Table(VARIANT, [player]).play(seeds, seats)["score"].astype(int)
        for player in (changed.player(listed.otherwise), listed.player)
    ]
    gains = points[0] - points[1]
    assert points[1].mean() > 5, "a list without points cannot be told from one on other deals"
    assert offer["gain"] == gains.mean() and offer["differ"] == np.count_nonzero(gains)
    assert offer["gain"] >= max(0.02, 3 * gains.std(ddof=1) / 1000**0.5)
    again = Improvement(listed, VARIANT, 5, [offer["change"]])
    ended(again._prove(*proof_of(again, offer["change"])))
    assert again.offers == [] and again.outdone == 0


def proof_of(search, data):
    """A change as ``_prove`` takes it."""
    change = read_change(data)
    return change, change.apply_to(search.one).player(search.otherwise)


def test_offers_are_checked_until_they_are_clear(monkeypatch):
    """A clear gain and no gain need the first games only; what is between needs all."""
    monkeypatch.setattr(improvement, "PROOF_GAMES", 600)
    monkeypatch.setattr(improvement, "CLEAR_GAMES", 200)
    there = PIERS.rules[-1].name
    added = [
        read_change([["AddRule", rule, "cig2018.osawa_discard"]])
        for rule in (
            "discard_unidentified(newest=1)",
            "discard_known_duplicate",
            "discard_known_useless",
            "discard_oldest",
            there,
        )
    ]
    job = Job("check", "", improvement.check_offers(PIERS, VARIANT, added))
    while not job.ended:
        job.step()
    seeds, seats = deals(PURPOSES["prove"], 3, 600)
    old = Table(VARIANT, [PIERS.player]).play(seeds, seats)["score"].astype(int)
    lengths = []
    for change, found in zip(added, job.state["gains"], strict=True):
        one = change.apply_to(PIERS.individual)
        if one is None:
            assert found is None
            continue
        new = Table(VARIANT, [one.player(PIERS.otherwise)]).play(seeds, seats)["score"]
        gains = new.astype(int) - old
        first = gains[:200]
        clear = first.mean() >= 5 * first.std(ddof=1) / 200**0.5 or first.sum() <= 0
        gains = first if clear else gains
        sem = gains.std(ddof=1) / len(gains) ** 0.5
        assert (found is not None) == (gains.mean() >= max(0.02, 3 * sem))
        lengths.append(len(gains))
        if found:
            assert found["gain"] == gains.mean() and found["gain_sem"] == pytest.approx(sem)
            assert found["over"] == len(gains) and found["differ"] == np.count_nonzero(gains)
    assert lengths == [200, 600, 600, 200]
    assert [found is None for found in job.state["gains"]] == [False, False, True, True, True]


@pytest.mark.parametrize(
    "mean, sem, holds",
    [
        (0.02, 0.0066, True),  # both bounds: 0.02 points, and 3 standard errors
        (0.019, 0.001, False),  # 19 standard errors, yet too few points
        (0.05, 0.017, False),  # points enough, yet less than 3 standard errors
        (0.06, 0.02, True),
    ],
)
def test_an_offer_needs_points_and_standard_errors(mean, sem, holds):
    assert improvement._holds(Estimate(mean, sem)) == holds


def test_equal_spellings_are_one_offer_and_rejected_together(monkeypatch):
    """Where a rule decides nothing, the same games follow from a change before it and after it."""
    monkeypatch.setattr(improvement, "PROOF_GAMES", 600)
    rules = ["play_marked", "discard_known_useless"]
    listed = EditedList.read({"rules": [rules[0], "answer_finesse", rules[1]]})
    added = "tell_new(tokens=1, new=1)"
    first, second = ([["AddRule", added, before]] for before in ("answer_finesse", rules[1]))
    search = Improvement(listed, VARIANT, 5)
    for data in (first, second):
        ended(search._prove(*proof_of(search, data)))
    (offer,) = (one.data() for one in search.offers)
    assert offer["spellings"] == [first, second] and offer["change"] == first
    again = Improvement(listed, VARIANT, 5, [first])
    other = proof_of(again, [["AddRule", added, ""]])  # plays other games
    for one in (proof_of(again, second), other):
        ended(again._prove(*one))
    assert [offer.change for offer in again.offers] == [other[0]]
    first_key = proof_of(again, first)[0].apply_to(again.one).key()
    assert first_key in again.seen, "a search does not try it"


def test_a_change_that_is_none():
    for data in (
        None,
        [],
        [["Nothing", "a", "b"]],
        [["AddRule", "a"]],
        [["MoveRule", "a", ""]] * 3,
    ):
        with pytest.raises(ValueError, match="change"):
            read_change(data)


def test_draws_do_not_repeat():
    search = Improvement(PIERS, VARIANT, 5)
    search.random = Random(1)
    trials = [str(trial.change) for _ in range(3) for trial in search._draw()]
    assert len(trials) == len(set(trials)) == 3 * improvement.BESIDE


def test_a_convention_is_tried_at_other_places(monkeypatch):
    """A warning counts before focus, which else takes the hint; alone without its rule, too."""
    monkeypatch.setattr(library_sweep, "SWEEP_GAMES", 200)
    monkeypatch.setattr(library_sweep, "MORE_GAMES", ((300, np.inf), (600, 4.0)))
    monkeypatch.setattr(library_sweep, "LOOKS", ((100, -2.0), (150, -2.0)))
    monkeypatch.setattr(library_sweep, "SAME", 100)
    rules = ["play_marked", "tell_new(tokens=1, new=1)", "discard_expected"]
    conventions = ["chop(touched=0, critical=0, age=0)", "focus(ranks=0)"]
    listed = EditedList.read({"rules": rules, "conventions": conventions})
    state = done(Measurements(ListScores()).sweep(Order(listed, VARIANT)), "sweep")
    entry, place, gain, sem, companion, alone, at = state["conventions"]["warning"]
    assert entry.startswith("warning(") and companion == "save(lax=1)" and place <= 1
    with_both = EditedList.read(
        {
            "rules": [*rules[:at], companion, *rules[at:]],
            "conventions": [*conventions[:place], entry, *conventions[place:]],
        }
    )
    points = counted(listed, 600)
    assert gain == (counted(with_both, 300) - points[:300]).mean() > alone[0] + 0.2
    assert gain > 4 * sem, "which is clear after 300 games"
    entry, place, gain, sem = state["rules"]["tell_stall"]
    with_stall = EditedList.read(
        {"rules": [*rules[:place], entry, *rules[place:]], "conventions": conventions}
    )
    assert gain == (counted(with_stall, 600) - points).mean() < 4 * sem
    assert state["done"] == state["of"] > 40


def test_a_trial_that_plays_as_the_list_does_is_given_up():
    """Nothing means a chain here, so that nothing answers one."""
    listed = EditedList.read({"rules": ["play_marked", "tell_new(tokens=1, new=1)"]})
    points = counted(listed, 300)
    trial = library_sweep._make_trial(listed, "rules", find("answer_chain"), 0)
    base = library_sweep.BaseGames(points, np.zeros(300, int))
    games = library_sweep.TrialGames(trial, VARIANT, base)
    assert not ended(games.contend(points, 300))
    assert len(games.points) == library_sweep.SAME


def test_games_that_never_come_to_a_new_rule_are_not_played():
    """Each rule of the library is tried with the points that all of its games have."""
    conventions = ["chop(touched=0, critical=0, age=0)", "focus(ranks=0)"]
    rules = ["play_marked", "tell_new(tokens=1, new=1)", "discard_known_useless"]
    rules += ["discard_expected", "tell_anything(tokens=1)", "discard_oldest"]
    listed = EditedList.read({"rules": rules, "conventions": conventions})
    deepest = library_sweep._deepest_places(listed, VARIANT)
    base, games, skipped = library_sweep.BaseGames(counted(listed, 80), deepest), 80, 0
    for trial in library_sweep._library_trials(listed, museum=False):
        for one in (trial, *trial.places(listed)):
            if one.part == "rules" and (deepest[:games] < one.place).any():
                tried = library_sweep.TrialGames(one, VARIANT, base)
                ended(tried.extend(games))
                assert np.array_equal(tried.points, counted(one.listed, games)), one.entry.name
                skipped += int((deepest[:games] < one.place).sum())
    assert skipped > games
    assert 0 < max(deepest) <= len(rules)


def ended(steps):
    """What a generator returns at its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_a_rule_that_values_the_rest_is_not_measured_again():
    """`finish` gains most of all here, and 4,000 games of it would take longer than the sweep."""
    trials = [
        SimpleNamespace(
            trial=SimpleNamespace(entry=find(name)),
            gain=lambda points, mean=mean: Estimate(mean, 0.1),
        )
        for name, mean in (("tell_stall", 0.2), ("play_marked", 0.3), ("save_playable", -0.1))
    ]
    finish = next(name for name in BOOK if name.startswith("finish("))
    best = SimpleNamespace(
        trial=SimpleNamespace(entry=find(finish)), gain=lambda points: Estimate(0.9, 0.1)
    )
    chosen = library_sweep._best([*trials, best], np.zeros(1))
    assert [games.trial.entry.name for games in chosen] == ["play_marked", "tell_stall"]
