"""Books that people play by: players are counted by their likeliest book."""

from dataclasses import replace

import pandas as pd

from docs.generate import people_books
from docs.generate.people_books import MOVES, judged, sentence, table
from hanabi.evolve.measure.one_game import play_game
from hanabi.lookahead.partners import NO_LIST


def test_players_with_enough_moves_are_counted(monkeypatch, tmp_path):
    of = {0: {"sieve": 0.6, NO_LIST: 0.4}, 1: {"sieve": 0.3, "code": 0.7}}
    monkeypatch.setattr(people_books, "book_chances", lambda game, seat: of[seat])
    game = play_game(["iggi"], 2, seed=3)
    short, one, both = (
        replace(game, moves=game.moves[:count], rules=())
        for count in (2 * MOVES - 2, 2 * MOVES - 1, 2 * MOVES)
    )
    assert judged([short], "people") == []
    rows = judged([short, one], "people")
    assert {row["book"]: row["mean"] for row in rows if row["mean"]} == {"sieve": 0.6, NO_LIST: 0.4}
    rows += judged([both], "code")
    assert {row["book"]: row["mean"] for row in rows[len(rows) // 2 :] if row["mean"]} == {
        "sieve": 0.45,
        "code": 0.35,
        NO_LIST: 0.2,
    }
    pd.DataFrame(rows).to_csv(tmp_path / people_books.FILE.name, index=False)
    assert sentence(tmp_path) == (
        "Of 1 people 1 seem to play by a book: `sieve` (1). Of 2 agents the right book is named"
        " for 1."
    )
    people, agents = table(tmp_path).splitlines()[2:]
    assert people.startswith("| people | 2 | 1 | 1 |")
    assert agents.startswith("| agent of `code` | 2 | 1 | 2 | 1 |")
