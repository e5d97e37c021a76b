"""Behaviours: compiled counters against a recount with lists, other players, errors, the command."""

import json

import numpy as np
import pandas as pd
import pytest
from slow_behaviour import SlowBehaviour
from typed import typed

from hanabi.evolve.charts import drawings
from hanabi.evolve.measure.behaviour import (
    BEHAVIOURS,
    COUNTED,
    NAMES,
    BehaviourSums,
    behaviour_of_games,
    count_game,
    count_games,
    measure_behaviour,
)
from hanabi.evolve.measure.one_game import play_game
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

# with conventions, forfeits, third lives, and in one seat among others
CASES = [
    ("convention", None, 5),
    ("piers", None, 2),
    ("flawed", None, 4),
    ("piers", "convention-simple", 3),
]


def table_of(agent, partner, players):
    return Table(
        read_variant("standard").at(players),
        [load(one).at(players) for one in (agent, partner) if one],
    )


def seats_of(partner, players, games):
    seats = np.full((games, players), int(partner is not None), np.int64)
    seats[np.arange(games), np.arange(games) % players] = 0
    return seats


@pytest.mark.parametrize("agent, partner, players", CASES)
def test_counters_equal_a_recount_with_lists_of_cards(agent, partner, players):
    games = 8
    seeds, seats = game_seeds(players, games), seats_of(partner, players, games)
    table = table_of(agent, partner, players)
    found, plain = count_games(table, seeds, seats), table.play(seeds, seats)
    assert (found["score"] == plain["score"]).all() and (found["end"] == plain["end"]).all()
    for game in range(games):
        walk = table_of(agent, partner, players).steps(int(seeds[game]), list(seats[game]))
        slow = SlowBehaviour(walk, set(np.flatnonzero(seats[game] == 0)))
        for place, name in enumerate(NAMES):
            assert found[game]["part"][place] == pytest.approx(float(slow.part[name])), name
            assert found[game]["total"][place] == slow.total[name], name


def test_every_behaviour_is_met():
    """Otherwise the comparison above would not test it."""
    sums = BehaviourSums()
    sums.add(count_games(table_of("piers", None, 3), game_seeds(1, 8), np.zeros((8, 3), np.int64)))
    assert ((sums.ratios > 0.05) & (sums.ratios < 0.995)).all(), dict(zip(NAMES, sums.ratios))


def test_written_games_and_other_players_count_the_same():
    compiled = table_of("piers", None, 3)
    seats = np.zeros((3, 3), np.int64)
    found = count_games(compiled, np.arange(3, dtype=np.uint64), seats)
    for seed in range(3):
        game = count_game(play_game(["piers"], 3, seed))
        assert (game["part"] == found[seed]["part"]).all()
        assert (game["total"] == found[seed]["total"]).all()
        assert game["score"] == found[seed]["score"]
    compiled.compiled = False  # the path of players that are no lists
    again = count_games(compiled, np.arange(3, dtype=np.uint64), seats)
    assert (again["part"] == found["part"]).all() and (again["score"] == found["score"]).all()


def test_a_seat_of_a_written_game_is_counted_alone():
    game = play_game(["piers", "convention-simple"], 2, 4)
    both, *alone = (count_game(game, seats) for seats in (None, [0], [1]))
    assert (alone[0]["total"] + alone[1]["total"] == both["total"]).all()
    assert (alone[0]["total"] != alone[1]["total"]).any()


def test_standard_errors_are_those_of_repeated_samples():
    """The spread of the ratios of 150 samples of 20 games, within 3.5 standard errors of it."""
    samples, each = 150, 20
    games = samples * each
    found = count_games(
        table_of("piers", None, 3), game_seeds(9, games), np.zeros((games, 3), np.int64)
    )
    ratios, errors = [], []
    for sample in range(samples):
        sums = BehaviourSums()
        sums.add(found[sample * each : (sample + 1) * each])
        ratios.append(sums.ratios)
        errors.append(sums.errors)
    spread, stated = np.std(ratios, axis=0, ddof=1), np.mean(errors, axis=0)
    assert (abs(spread / stated - 1) < 3.5 / np.sqrt(2 * (samples - 1))).all(), spread / stated


def test_the_error_of_a_ratio_of_sums_by_hand():
    """The ratio is 1/2: the parts 3, 1, 1 miss half of the totals 2, 2, 6 by 2, 0 and -2."""
    counted = np.zeros(3, COUNTED)
    counted["part"] = np.array([3, 1, 1])[:, None]
    counted["total"] = np.array([2, 2, 6])[:, None]
    sums = BehaviourSums()
    sums.add(counted)
    residuals = np.array([2.0, 0.0, -2.0])
    assert np.allclose(sums.ratios, 0.5)
    assert np.allclose(sums.errors, residuals.std(ddof=1) * 3**0.5 / 10)
    parts, both = 9 + 1 + 1, 6 + 2 + 6
    assert parts - 0.5 * both != (residuals**2).sum(), "the residuals of a regression are others"


def test_workers_and_pieces_do_not_change_a_behaviour():
    options = dict(players=[2], games=600)
    one = measure_behaviour([load("piers")], jobs=1, **options)
    two = measure_behaviour([load("piers")], jobs=2, **options)
    assert one.to_csv() == two.to_csv()


def test_a_behaviour_that_never_applies_has_no_number():
    rows = behaviour_of_games([play_game(["cig2018:46"], 2, 0)])
    assert np.isnan(rows["discard_age"].iloc[0]) and np.isnan(rows["sem_colour_hints"].iloc[0])


def test_the_command_takes_agents_and_games(tmp_path, monkeypatch):
    specs = []
    (tmp_path / "game.toml").write_text(str(play_game(["piers"], 2, 1)))
    words = "behave piers game.toml -p 2 -n 50 --json --picture how.svg --axes on_pace,discard_age"
    code, out, err = typed(*words.split(), folder=tmp_path)
    assert code == 0, err
    drawn = (tmp_path / "how.svg").read_text()
    assert all(text in drawn for text in ("on pace", "discard age", ">piers<", ">game.toml<"))
    monkeypatch.setattr(drawings, "write", lambda spec, path: specs.append(spec))
    drawings.draw_behaviour(pd.DataFrame(json.loads(out)), "how.svg", "on_pace", "discard_age")
    across, along, dots, _ = specs[0]["layer"]
    piers, game = dots["data"]["values"]
    row = json.loads(out)[0]
    x, y, x_sem, y_sem = (
        row[name] for name in ("on_pace", "discard_age", "sem_on_pace", "sem_discard_age")
    )
    assert [piers[end] for end in ("x", "left", "right")] == [x, x - x_sem, x + x_sem]
    assert [piers[end] for end in ("y", "low", "high")] == [y, y - y_sem, y + y_sem]
    assert game["left"] == game["right"], "a single game has no error"
    assert dots["encoding"]["x"]["axis"]["title"] == "on pace"
    assert across["encoding"]["x2"]["field"] == "right"
    assert along["encoding"]["y2"]["field"] == "high"
    agent, games = json.loads(out)
    assert (agent["agent"], games["agent"]) == ("piers", "game.toml")
    assert 0 < agent["communicativeness"] < 1 and games["games"] == 1
    code, out, err = typed(*"behave piers -p 2 -n 50".split())
    assert code == 0 and all(one.title in out and one.says[:20] in out for one in BEHAVIOURS)


def test_agree_says_how_people_play(tmp_path):
    (tmp_path / "game.toml").write_text(str(play_game(["piers"], 2, 1)))
    code, out, err = typed(*"behave --agree piers game.toml --json".split(), folder=tmp_path)
    assert code == 0, err
    assert json.loads(out)[0]["risk_aversion"] > 0.5
