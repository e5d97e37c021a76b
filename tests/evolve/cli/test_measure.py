"""What the commands that measure print: every pair, every column, and the same as data."""

import json

import pandas as pd
from typed import typed

from hanabi.evolve import compare


def test_compare_prints_and_writes_every_pair(tmp_path):
    words = ("compare", "piers", "iggi", "piers", "--players", "2,3", "--games", 60, "--seed", 2)
    code, out, err = typed(*words, "--json", "-o", tmp_path / "rows.csv")
    found = compare("piers", "iggi", "piers", players=[2, 3], games=60, seed=2)
    assert code == 0, err
    data = json.loads(out)
    assert data["agents"] == ["piers (1)", "iggi", "piers (3)"] and (
        data["error"],
        data["width"],
    ) == (0.05, None)
    for rows in (pd.DataFrame(data["verdicts"]), pd.read_csv(tmp_path / "rows.csv")):
        pd.testing.assert_frame_equal(rows, found.rows, check_dtype=False)
    code, out, err = typed(*words, "--width", 0.2)
    plain = " ".join(out.split())
    assert plain.startswith(
        "3 agents, mirror play, 60 common deals per player count, kept; all of it right with a"
        " chance of 95% agent 2 3 2-3 "
    )
    for place, name in enumerate(found.agents, 1):
        means = {
            verdict.players: mean
            for verdict in found.verdicts
            for who, mean in ((verdict.one, verdict.mean_one), (verdict.other, verdict.mean_other))
            if who == name
        }
        assert (
            f" {place} {name} " + " ".join(f"{means[players]:.3f}" for players in ("2", "3", "2-3"))
            in plain
        )
    assert "pair players better diff. s.e. between" in plain and plain.count("1-2 ") == 3
    assert " 1-3 2-3 not decided +0.000 0.000 " in plain and "width of 0.2 was not reached" in plain
    for verdict in found.verdicts:
        assert f"{verdict.difference:+.3f} {verdict.sem:.3f} " in plain


def test_compare_of_two_names_the_first_and_the_second():
    code, out, err = typed("compare", "piers", "iggi", "--players", 2, "--games", 60)
    plain = " ".join(out.split())
    assert code == 0 and plain.startswith(
        "piers (first) against iggi (second), mirror play, 60 common deals per player count"
    ), err
    assert "players better first second diff. s.e. between" in plain and "width" not in plain
