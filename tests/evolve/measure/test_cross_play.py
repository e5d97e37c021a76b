"""Cross play: a cell is a mixed or mirror tournament; what follows from the matrix."""

import numpy as np
import pandas as pd
import pytest

from hanabi.evolve.measure import arena
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.cross_play import errors_text, lost_by_mixing, matrix, ordered, strangers
from hanabi.evolve.measure.tournament import COLUMNS, tournament
from hanabi.game_loop import RESULT
from hanabi.game_record import play_one
from hanabi.rules.agents import load
from hanabi.variant import read_variant

NAMES = ["iggi", "flawed", "piers"]
HOW = dict(players=[2, 4], games_each=30, seed=7, jobs=1)


def row(agent, partner, players, mean, sem=0.1, games=10):
    return dict(
        dict.fromkeys(COLUMNS, 0),
        agent=agent,
        partner=partner,
        players=players,
        games=games,
        mean_kept=mean,
        sem_kept=sem,
    )


@pytest.fixture(scope="module")
def rows():
    return tournament(NAMES, "cross", **HOW).rows


def of(rows, agent, partner):
    return rows[(rows["agent"] == agent) & (rows["partner"] == partner)].reset_index(drop=True)


def test_every_cell_is_that_of_a_mixed_or_a_mirror_tournament(rows):
    mirror, mixed = (
        tournament(NAMES, "mirror", **HOW).rows,
        tournament(NAMES, "mixed", NAMES, **HOW).rows,
    )
    assert len(rows) == 3 * 3 * 2
    for agent in NAMES:
        for partner in NAMES:
            wanted = mirror if agent == partner else mixed
            pd.testing.assert_frame_equal(of(rows, agent, partner), of(wanted, agent, partner))


def test_a_cell_is_its_games_played_one_by_one(rows):
    """The row's agent in one seat, the column's in the others; four players show which."""
    kept = []
    for players in (2, 4):
        seated, found = read_variant("standard").at(players), []
        for deal, seats in zip(*deals(7, players, 30, place=1, partner=1)):
            assert sorted(seats) == [0] + [1] * (players - 1)
            table = [load("iggi").at(players), load("flawed").at(players)]
            found.append(play_one(seated, table, list(map(int, seats)), int(deal)).score)
        kept.append(np.array(found))
    means, sems = matrix(rows)
    assert means.at["iggi", "flawed"] == pytest.approx(np.mean([some.mean() for some in kept]))
    assert sems.at["iggi", "flawed"] == pytest.approx(
        sum(some.var(ddof=1) / 30 for some in kept) ** 0.5 / 2
    )
    assert matrix(rows, 4)[0].at["iggi", "flawed"] == pytest.approx(kept[1].mean())
    assert abs(means.at["iggi", "flawed"] - means.at["flawed", "iggi"]) > 1, (
        "who sits alone makes a difference here"
    )


def made(points, sem=0.1):
    """Rows of a cross tournament with these points at two players, and one more at three."""
    names = "abcd"[: len(points)]
    return pd.DataFrame(
        [
            row(a, b, players, points[i][j] + players - 2, sem)
            for i, a in enumerate(names)
            for j, b in enumerate(names)
            for players in (2, 3)
        ]
    )


def test_what_is_read_from_a_matrix():
    rows = made([[20, 10, 16], [12, 14, 13], [18, 1, 22]])
    means, sems = matrix(rows)
    assert means.to_numpy().tolist() == [[20.5, 10.5, 16.5], [12.5, 14.5, 13.5], [18.5, 1.5, 22.5]]
    assert list(means.index) == list(means.columns) == [
        "a",
        "b",
        "c",
    ] and sems.to_numpy() == pytest.approx(0.1 / 2**0.5)
    assert lost_by_mixing(means)[0].tolist() == [0, 6, 4] and lost_by_mixing(means)[2, 1] == 11
    first = strangers(rows).loc["a"]
    assert (first["mirror"], first["guest"], first["loses"], first["host"]) == (20.5, 13.5, 7, 15.5)
    assert (first["best"], first["best_points"], first["worst"], first["worst_points"]) == (
        "c",
        16.5,
        "b",
        10.5,
    )
    assert (first["mirror_sem"], first["guest_sem"]) == (
        pytest.approx(0.1 / 2**0.5),
        pytest.approx(0.05),
    )
    assert strangers(rows).loc["c", "worst"] == "b" and strangers(rows).loc["b", "best"] == "c"


def test_those_who_understand_each_other_stand_together():
    apart = made([[20, 5, 19, 5], [5, 15, 5, 14], [19, 5, 20, 6], [5, 14, 6, 15]])
    assert "".join(ordered(matrix(apart)[0])) in ("acdb", "cadb", "acbd", "cabd"), (
        "a and c, b and d; the better first"
    )
    gains = made([[1, 9], [9, 2]])  # nobody loses by mixing
    assert not lost_by_mixing(matrix(gains)[0]).any() and ordered(matrix(gains)[0]) == ["b", "a"]


def test_errors_are_told_by_how_many_games_there_are():
    rows = made([[20, 10], [12, 14]])
    assert errors_text(rows) == "± 0.07 over 20 games"
    rows.loc[rows["partner"] == "a", ["games", "sem_kept"]] = [2, 0.5]
    rows.loc[(rows["partner"] == "a") & (rows["agent"] == "b"), "sem_kept"] = 1
    assert errors_text(rows) == "± 0.07 over 20 games, ± 0.35 to 0.71 over 4 games"
    assert errors_text(rows, 3) == "± 0.10 over 10 games, ± 0.50 to 1.00 over 2 games"
    assert errors_text(made([[20, 10], [12, 14]], float("nan"))) == "", (
        "of single games there is none"
    )


def test_a_seat_that_searches_alone_is_not_taken_for_its_list_in_the_matrix(monkeypatch):
    def pieces(self, matches, *how, **more):
        return ((place, np.zeros(match.games, RESULT)) for place, match in enumerate(matches))

    monkeypatch.setattr(arena.GameWorkers, "pieces", pieces)
    rows = tournament(["search:iggi,seats=one", "iggi"], "cross", players=[3], games_each=4).rows
    assert len(set(zip(rows["agent"], rows["partner"]))) == 4 and matrix(rows)[0].notna().all(
        axis=None
    )


@pytest.mark.parametrize(
    "specs, says",
    [
        (["piers"], "a cross tournament needs at least two agents: name another one"),
        (["piers", "iggi", "piers"], "two agents are called 'piers'"),
        (
            [f"cig2018:{number}" for number in range(1, 42)],
            "a cross tournament of 41 agents .* name at most 40",
        ),
    ],
)
def test_what_is_no_matrix_is_one_line(specs, says):
    with pytest.raises(ValueError, match=says):
        tournament(specs, "cross")
