"""Irvall's structure of all hands and the counting kernels, side by side."""
from evolve.reproduce.irvall import kripke_text, two_ways


def test_both_ways_give_the_same_answers():
    found = two_ways(4, 1, limit=20_000_000)
    assert found["fits"] and found["same"] and found["ratio"] > 1000 and "The same answers" in kripke_text(found)
    found = two_ways(2, 1, turn=0, limit=1_000_000)
    assert not found["fits"] and "more than the limit" in kripke_text(found) and found["here"]["bytes"] > 10 ** 10
