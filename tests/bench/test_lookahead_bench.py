"""The benchmarks of look-ahead: a curve, on the same deals for all rollout counts; settings, in the same positions."""

import numpy as np
import pytest

from bench import lookahead
from hanabi.lookahead.look_ahead_player import AHEAD, read_search
from hanabi.lookahead.move_values import NEVER, MoveEvaluator
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

pytestmark = pytest.mark.slow  # these benchmarks run in `make results` only


def test_a_curve_of_score_against_rollouts_and_time(monkeypatch):
    monkeypatch.setattr(lookahead, "PLAYERS", (2,))
    monkeypatch.setattr(lookahead, "CURVE", (0, 6))
    monkeypatch.setenv("HANABI_BENCH_GAMES", "3")
    monkeypatch.setenv("HANABI_BENCH_LIST", "piers")
    rows = {
        (row["name"], row["players"], row["unit"]): row["value"] for row in lookahead.search_curve()
    }
    assert {name for name, _, _ in rows} == {"search-curve 0", "search-curve 6"}
    assert (
        rows["search-curve 0", 2, "points gained"]
        == rows["search-curve 0", 2, "± points gained"]
        == 0
    )  # the list itself
    points = [rows[f"search-curve {rollouts}", 2, "points, kept"] for rollouts in lookahead.CURVE]
    assert rows["search-curve 6", 2, "points gained"] == round(points[1] - points[0], 3) != 0
    assert (
        rows["search-curve 6", 2, lookahead.MS] > 0
        and ("search-curve 0", 2, lookahead.MS) not in rows
    )  # it searches nothing


def test_settings_are_compared_by_their_departures_in_the_same_positions():
    """Of the search that plays: the departures of its games; of one that never departs: nothing."""
    spec, games = "search:piers,seats=one,rollouts=60,z=0.5", 2
    player, variant = load(spec).at(2), read_variant("standard").at(2)
    never = read_search("seats=one,rollouts=60,gain=30")
    careful = read_search("seats=one,rollouts=60,z=4")
    searches = [player.search, never, careful, player.search]
    found = lookahead.departures(spec, searches, games)
    assert found.shape == (games, 4, 3)
    departs, claimed, gained = np.moveaxis(found, 2, 0)
    assert (found[:, 0] == found[:, 3]).all() and (found[:, 1] == 0).all()
    assert departs[:, 2].sum() < departs[:, 0].sum()
    company, table = (player, player.follows), Table(variant, (player, player.follows))
    evaluator = MoveEvaluator(variant, company[1:] * 2, lookahead.MEASURE, [NEVER] * 2)
    for number, game in enumerate(game_seeds(lookahead.SEED, games)):
        moves, gains = 0, []
        for step in table.steps(int(game), [number % 2, 1 - number % 2]):
            if step.reason.startswith(AHEAD):
                listed = player.follows.move(step.view.copy())[0]
                moves += 1
                gains.append(evaluator.loss(step.view, listed, step.move)[0])
        assert departs[number, 0] == moves > 0
        assert gained[number, 0] == pytest.approx(sum(gains))
    assert (claimed[:, 0] > 0).all()


def test_a_search_claims_more_than_it_gains():
    """The best of many means of few worlds is too high; in other worlds it is not."""
    spec = "search:piers,seats=one,rollouts=60,gain=0,z=0"
    found = lookahead.departures(spec, [load(spec).at(2).search], 3)
    _, claimed, gained = found[:, 0].sum(axis=0)
    assert claimed > 2 * gained
