"""The benchmarks of look-ahead: a curve, on the same deals for all rollout counts."""

from hanabi.evolve.bench import lookahead


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
