"""Games as data: rows against the steps of the games; the file; bounded batches."""

import numpy as np
import pyarrow.parquet as parquet
import pytest
from typed import typed

from hanabi.evolve.measure import move_table
from hanabi.evolve.measure.move_table import COLUMNS, ROW, record_games, write_moves
from hanabi.game import legal_moves
from hanabi.moves import END, PLAY
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import read_variant


def table_of(agent, players):
    return Table(read_variant("standard").at(players), [load(agent).at(players)])


@pytest.mark.parametrize("agent, players", [("convention", 3), ("flawed", 5)])
def test_rows_are_what_the_players_see(agent, players):
    seeds, seats = np.arange(4, dtype=np.uint64), np.zeros((4, players), np.int64)
    rows = record_games(table_of(agent, players), seeds, seats)
    results, number = table_of(agent, players).play(seeds, seats), 0
    for game, seed in enumerate(seeds):
        for step in table_of(agent, players).steps(int(seed), [0] * players):
            if step.move < PLAY:
                continue
            row, view = rows[number], step.view
            number += 1
            assert (row["seed"], row["game"], row["turn"]) == (seed, game, step.turn)
            assert (row["seat"], row["move"], row["rule"]) == (step.seat, step.move, step.place)
            assert np.flatnonzero(row["legal"]).tolist() == legal_moves(view.copy())
            assert (row["hands"] == view.hands).all() and (row["hands"][step.seat] == -1).all()
            assert (row["own"] == step.state.hands[step.seat]).all()
            assert (row["hints"] == view.mask).all() and (row["drawn"] == view.born).all()
            assert (row["tokens"], row["lives"], row["score"], row["deck"]) == (
                view.tokens,
                view.lives,
                view.score,
                view.deck,
            )
            shown = row["gone"].sum() + row["score"] + row["deck"]
            assert shown + sum(int(filled).bit_count() for filled in view.filled) == 50
            assert (row["final"], row["end"]) == (results["score"][game], results["end"][game])
    assert number == len(rows) > 10


def test_other_players_write_the_same_rows():
    table, seats = table_of("piers", 2), np.zeros((2, 2), np.int64)
    seeds = np.arange(2, dtype=np.uint64)
    found = record_games(table, seeds, seats)
    table.compiled = False
    assert (record_games(table, seeds, seats) == found).all()


def test_nothing_but_own_tells_what_the_mover_holds():
    """Two deals that differ in the first mover's hand alone: the first rows are equal but for it."""
    first, second = (
        record_games(
            Table(read_variant("standard").at(2), [load("piers").at(2)], deck),
            np.zeros(1, np.uint64),
            np.zeros((1, 2), np.int64),
        )[0]
        for deck in decks()
    )
    hidden = {"own", "final", "end"}
    for one in COLUMNS:
        equal = np.array_equal(first[one.name], second[one.name])
        assert equal or one.name in hidden, one.name
    assert not np.array_equal(first["own"], second["own"])


def decks():
    """Two decks in which the first mover's first card and the last card change places."""
    cards = [card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    mixed = np.random.default_rng(3).permutation(cards).tolist()
    start = table_of("piers", 2)
    start.deal(0, [0, 0])
    other = list(mixed)
    tried = Table(read_variant("standard").at(2), [load("piers").at(2)], mixed)
    tried.deal(0, [0, 0])
    mine = int(tried.state.hands[0, 0])
    place = next(i for i, card in enumerate(mixed) if card == mine and i < 10)
    for i in range(49, 10, -1):
        if mixed[i] != mine:
            other[i], other[place] = other[place], other[i]
            return mixed, other
    raise AssertionError


def test_the_file_reads_back_and_batches_change_nothing(tmp_path, monkeypatch):
    agents = [load("piers"), load("iggi")]
    found = write_moves(agents, str(tmp_path / "one.parquet"), 3, 30, jobs=1)
    monkeypatch.setattr(move_table, "GAMES_PER_BATCH", 7)
    write_moves(agents, str(tmp_path / "two.parquet"), 3, 30, jobs=2)
    one, two = (parquet.read_table(tmp_path / f"{name}.parquet") for name in ("one", "two"))
    assert one.equals(two) and len(one) == found.moves and found.games == 60
    assert one["game"].to_numpy().tolist() == sorted(one["game"].to_numpy())
    assert len(set(one["game"].to_pylist())) == 60
    assert set(one["agent"].to_pylist()) == {"piers", "iggi"}
    hands = one["hands"].combine_chunks().flatten().to_numpy().reshape(-1, 5, 5)
    legal = one["legal"].combine_chunks().flatten().to_numpy().reshape(-1, END)
    moves = one["move"].to_numpy()
    assert legal[np.arange(len(moves)), moves].all() and hands.max() < 25
    assert set(one.schema.names) == {"agent", *ROW.names}
    assert one.schema.metadata[b"own"].startswith(b"The mover's cards")
    assert not list(tmp_path.glob("*.part"))


def test_the_command(tmp_path):
    code, out, err = typed(*"games piers -n 4 -p 2 -o m.parquet".split(), folder=tmp_path)
    assert code == 0 and out.startswith("m.parquet: 4 games, "), err
    for words, said in (
        ("-n 1.5 -o m.parquet", "whole number"),
        ("-n 2 -o m.csv", "name it"),
        ("-n 2 -o none/m.parquet", "no folder"),
    ):
        code, out, err = typed(*f"games piers {words}".split(), folder=tmp_path)
        assert code == 2 and said in err
