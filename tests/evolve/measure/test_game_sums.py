"""Games in pieces: the same rows for any size, exact sums, constant memory."""

import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from hanabi.evolve.measure import arena, game_sums
from hanabi.evolve.measure.ablation import lab
from hanabi.evolve.measure.arena import Arena, deals, mean_sem
from hanabi.evolve.measure.comparison import compare
from hanabi.evolve.measure.game_sums import MOST_GAMES, GameSums, Moments, check_games, pieces
from hanabi.evolve.measure.tournament import play_games, tournament
from hanabi.game_loop import RESULT
from hanabi.rules.agents import load
from hanabi.table import game_seeds
from hanabi.variant import read_variant

NAMES = ["iggi", "flawed", "legal-random"]


def everything(**how):
    """The rows of every command that measures, as text to the last digit."""
    return [
        frame.to_csv()
        for frame in (
            tournament(NAMES, "mirror", players=[2, 3], games_each=700, **how).rows,
            tournament(NAMES, "cross", players=[3], games_each=310, **how).rows,
            tournament(["iggi"], "mixed", ["flawed", "piers"], [2], 310, **how).rows,
            compare(*NAMES, players=[2, 3], games=600, width=0.1, **how).rows,
            lab("iggi", [2, 3], 90, **how),
            lab("iggi", [2], 90, beside="flawed", **how),
            play_games("iggi", 2, 700, "flawed", **how),
        )
    ]


def test_pieces_give_the_rows_of_one_piece(monkeypatch):
    whole = everything(jobs=1)
    monkeypatch.setattr(arena, "PIECE", 250)
    monkeypatch.setattr(arena, "AHEAD", 2)
    monkeypatch.setattr(game_sums, "DEALS", 37)
    assert everything(jobs=1) == whole
    assert everything(jobs=2) == whole


def test_ranges_are_whole_and_small():
    assert [(some.start, some.stop) for some in pieces(3, 10, 3)] == [
        (3, 6),
        (6, 9),
        (9, 10),
    ] and list(pieces(4, 4)) == []
    assert max(map(len, pieces(0, 3 * game_sums.DEALS + 1))) == game_sums.DEALS


@pytest.mark.parametrize("games", [1, 2, 77, 4_000])
def test_sums_are_what_the_games_say(games):
    some = np.random.default_rng(games).integers(-25, 26, games).astype(np.int8)
    moments = Moments()
    for part in np.array_split(some, min(games, 5)):
        moments.add(part)
    mean, sem = mean_sem(some)
    assert moments.mean == mean and (
        moments.sem == sem or games == 1 and math.isnan(moments.sem)
    ), "to the last bit"
    assert moments.variance == pytest.approx(some.astype(float).var())


def test_sums_stay_exact_where_64_bits_do_not():
    moments = Moments()
    moments.count, moments.total, moments.squares = MOST_GAMES, 20 * MOST_GAMES, 404 * MOST_GAMES
    assert (moments.mean, moments.variance) == (20, 4) and moments.sem == pytest.approx(
        2 / MOST_GAMES**0.5
    )


def test_the_counts_of_games_are_those_of_their_records():
    found, variant = GameSums(read_variant("standard").at(2)), read_variant("standard").at(2)
    records = np.zeros(4, RESULT)
    records["score"], records["end"] = (
        [25, 7, 9, 3],
        [2, game_sums.LIVES_LOST, game_sums.FORFEITED, 0],
    )
    for part in (records[:1], records[1:]):
        found.add(part)
    assert found.variant == variant and (found.perfect, found.forfeited, found.kept.count) == (
        1,
        1,
        4,
    )
    assert (found.kept.total, found.zero.total) == (44, 37)


def test_deals_far_along_are_reached_at_once():
    assert np.array_equal(game_seeds(5, 20, 100), game_seeds(5, 120)[100:])
    tracemalloc.start()
    try:
        seeds, seats = deals(5, 3, 4, first=MOST_GAMES - 4, partner=1)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()
    assert len(set(seeds)) == 4 and (np.sort(seats) == [0, 1, 1]).all()


class Endless:
    """Workers that give a record for each game and note how many tasks wait for them at most."""

    def __init__(self, monkeypatch):
        self.most = 0

        def do(workers, function, tasks):
            some = list(tasks)
            self.most = max(self.most, len(some))
            return (np.zeros(task[3]["games"], RESULT) for task in some)

        monkeypatch.setattr(arena.GameWorkers, "do", do)


@pytest.mark.parametrize(
    "measure",
    [
        lambda games: tournament(["piers"], players=[3], games_each=games, jobs=1),
        lambda games: tournament(["search:piers"], players=[3], games_each=games // 500, jobs=1),
        lambda games: compare("piers", "iggi", players=[3], games=games, width=1e-9, jobs=1),
        lambda games: lab("iggi", [3], games // 10, jobs=1),
    ],
    ids=["tournament", "search", "compare", "lab"],
)
def test_more_games_take_no_more_memory(measure, monkeypatch):
    work, most = Endless(monkeypatch), []
    monkeypatch.setattr(game_sums, "DEALS", 5_000)
    monkeypatch.setattr(arena, "AHEAD", 20)
    measure(1_000)  # what is loaded once
    for games in (60_000, 600_000):
        tracemalloc.start()
        measure(games)
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert work.most <= 32, "tasks that wait"
    assert most[1] < 1.5 * most[0] + 100_000, most


@pytest.mark.parametrize(
    "measure",
    [
        lambda games: tournament(["piers"], games_each=games),
        lambda games: tournament(["piers"], searched_games=games),
        lambda games: compare("piers", "iggi", games=games),
        lambda games: lab("piers", games_each=games),
        lambda games: play_games("piers", 2, games),
    ],
)
def test_games_have_a_limit(measure):
    with pytest.raises(
        ValueError,
        match="games must be at most 100,000,000,000,000, not 1,000,000,000,000,000,000,000",
    ):
        measure(10**21)
    with pytest.raises(ValueError, match="games must be at least"):
        measure(0)
    check_games(MOST_GAMES)


def test_sums_of_a_tournament_are_those_of_its_games():
    (row,) = tournament(["iggi"], players=[3], games_each=300, seed=4).rows.to_dict("records")
    games = play_games("iggi", 3, 300, seed=4)
    pd.testing.assert_series_equal(
        pd.Series([row["mean_kept"], row["mean_zero"]]),
        pd.Series([games["score_kept"].mean(), games["score_zero"].mean()]),
    )
    with Arena([3], seed=4).workers as workers:
        (found,) = workers.sums([Arena([3], seed=4).match(3, load("iggi"), None, 300)])
    assert found.kept.sem == row["sem_kept"] == mean_sem(games["score_kept"].to_numpy())[1]


def test_progress_counts_games_by_their_time(monkeypatch):
    """A game with look-ahead takes as long as many others, whichever match comes first."""
    Endless(monkeypatch)
    for specs in (["piers", "search:piers"], ["search:piers", "piers"]):
        told = []
        tournament(
            specs,
            players=[3],
            games_each=1_000,
            searched_games=8,
            jobs=1,
            progress=lambda *now, told=told: told.append(now),
        )
        shares = [done / of for done, of in told]
        assert shares == sorted(shares) and shares[-1] == 1 and {of for _, of in told} == {1008}
        assert any(0.4 < share < 0.6 for share in shares), "half of the games that search"
    told.clear()
    tournament(
        ["piers"], players=[3], games_each=10, jobs=1, progress=lambda *now: told.append(now)
    )
    assert told == [(10, 10)], "of lists alone it counts games"
