"""Irvall's structure of all hands and the counting kernels, side by side."""

from hanabi.evolve.papers.irvall import encodings, kripke_text, two_ways


def test_both_ways_give_the_same_answers():
    found = two_ways(4, 1, limit=20_000_000)
    assert (
        found["fits"]
        and found["same"]
        and found["ratio"] > 1000
        and "The same answers" in kripke_text(found)
    )
    found = two_ways(2, 1, turn=0, limit=1_000_000)
    assert (
        not found["fits"]
        and "more than the limit" in kripke_text(found)
        and found["here"]["bytes"] > 10**10
    )


def test_the_three_encodings_give_the_same_answers():
    cards, number, counts = encodings(limit=9_000_000, positions=12)
    assert (
        cards["same"]
        and number["same"]
        and counts["same"]
        and cards["hands"] == number["hands"] == counts["hands"] > 1_000
    )
    assert cards["bytes"] < counts["bytes"]
