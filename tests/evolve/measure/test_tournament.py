"""Tournaments: the rows are those of single games, on deals that all agents share."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typed import typed

from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.tournament import COLUMNS, play_games, save_table, summarise, tournament
from hanabi.game_record import play_one
from hanabi.rules.agents import load
from hanabi.variant import read_variant


def by_hand(agent, partner, players, games, seed):
    """(points kept, points zero, perfect, forfeits) game by game, each played a move at a time."""
    seated, kept, zero, forfeits = read_variant("standard").at(players), [], [], 0
    for deal, seats in zip(*deals(seed, players, games, partner=1)):
        game = play_one(
            seated,
            [load(agent).at(players), load(partner).at(players)],
            list(map(int, seats)),
            int(deal),
        )
        kept.append(game.score)
        zero.append(game.score_zero)
        forfeits += game.end == "forfeit"
    return np.array(kept), np.array(zero), sum(score == seated.perfect for score in kept), forfeits


@pytest.mark.parametrize("partner", ["piers", "flawed", "cautious"])
def test_a_mixed_row_is_the_games_played_one_by_one(partner):
    rows = tournament(["iggi"], "mixed", [partner], [2, 4], 40, seed=5).rows
    for row in rows.to_dict("records"):
        kept, zero, perfect, forfeits = by_hand("iggi", partner, row["players"], 40, 5)
        assert (
            row["mean_kept"],
            row["mean_zero"],
            row["perfect_games"],
            row["forfeited_games"],
        ) == pytest.approx((kept.mean(), zero.mean(), perfect, forfeits))
        assert row["sem_kept"] == pytest.approx(kept.std(ddof=1) / 40**0.5)
        assert row["sem_zero"] == pytest.approx(zero.std(ddof=1) / 40**0.5)


def test_an_agent_among_copies_of_itself_is_mirror_play():
    mirror = tournament(["piers"], "mirror", players=[3], games_each=50, seed=2).rows
    mixed = tournament(["piers"], "mixed", ["piers"], [3], 50, seed=2).rows
    pd.testing.assert_frame_equal(mirror, mixed)


@pytest.mark.parametrize(
    "work", [dict(jobs=2), dict(jobs=2, backend="processes")], ids=["threads", "processes"]
)
def test_workers_change_nothing(work):
    one, two = (
        tournament(["piers", "legal-random"], "cross", players=[2, 5], games_each=4_100, **how).rows
        for how in (dict(jobs=1), work)
    )
    pd.testing.assert_frame_equal(one, two)


def test_more_games_begin_with_the_same_games():
    few, many = play_games("piers", 3, 20, seed=9), play_games("piers", 3, 50, seed=9)
    pd.testing.assert_frame_equal(few, many[:20])


@pytest.mark.parametrize("name", ["mini", "two-colour", "colours=6,hand=3,lives=1"])
def test_other_variants(name):
    rows = tournament(
        ["legal-random"],
        variant=name,
        games_each=30,
        players=None if name != "colours=6,hand=3,lives=1" else [3],
    ).rows
    assert (rows["mean_kept"] <= read_variant(name).perfect).all() and (
        rows["mean_zero"] <= rows["mean_kept"]
    ).all()


def test_means_weigh_partners_and_counts_alike():
    rows = tournament(["piers"], "mixed", ["iggi", "flawed"], [2, 3], 30).rows
    table = summarise(rows)
    assert table["mean"]["mean"]["piers"] == pytest.approx(rows["mean_kept"].mean())
    assert table["sem"]["mean"]["piers"] == pytest.approx(
        ((rows["sem_kept"] ** 2).sum()) ** 0.5 / len(rows)
    )


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_rows_read_back_from_every_format(ending, tmp_path):
    rows, path = (
        tournament(["piers"], players=[2, 3], games_each=20).rows,
        str(tmp_path / f"rows.{ending}"),
    )
    save_table(rows, path)
    back = {
        "csv": pd.read_csv,
        "parquet": pd.read_parquet,
        "json": lambda p: pd.DataFrame(json.loads(Path(p).read_text())),
    }[ending](path)
    assert list(back.columns) == COLUMNS
    pd.testing.assert_frame_equal(back, rows, check_dtype=False)


def test_parquet_without_its_package_is_refused_before_the_games(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = str(tmp_path / "rows.parquet")
    code, _, err = typed("tournament", "piers", "--games", 2, "-o", path)
    assert (
        code == 2
        and err.startswith(f"hanabi: cannot write {path}: pyarrow is missing: ")
        and err.count("\n") == 1
    )
    assert (
        f"{sys.executable} -m pip install pyarrow" in err
        and not (tmp_path / "rows.parquet").exists()
    )


@pytest.mark.parametrize(
    "specs, options, says",
    [
        (["piers"], dict(mode="miror"), "no mode 'miror'"),
        ([], {}, "at least one agent"),
        (["piers"], dict(mode="cross"), "at least two agents"),
        (["piers", "piers"], {}, "two agents are called 'piers'"),
        (["piers"], dict(mode="mixed", pool="cig"), "no pool 'cig'"),
        (["piers"], dict(seed=-1), "a seed is a number from 0 to"),
        (
            ["piers"],
            dict(players=[3], variant="mini,hand=9"),
            "hand must be a whole number from 1 to 5",
        ),
        (["piers"], dict(players=[2], variant="mini"), "this variant is for 3 players, not 2"),
        (
            ["piers"],
            dict(backend="magic"),
            "backend 'magic' should be threads, processes, dask or ray",
        ),
    ],
)
def test_what_cannot_be_played_is_one_line(specs, options, says):
    with pytest.raises(ValueError) as error:
        tournament(specs, **options)
    assert says in str(error.value) and "\n" not in str(error.value)
