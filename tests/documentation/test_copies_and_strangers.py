"""Points with copies and with strangers: strangers of the agent's book and others are apart."""

import pandas as pd
import pytest

from docs.generate.copies_and_strangers import ADAPTS, KINDS, NO_BOOK, standings


def rows(*found):
    return pd.DataFrame(found, columns=["agent", "partner", "mean_zero", "sem_zero"])


def test_a_stranger_of_the_book_is_no_other():
    copies = rows(*((name, name, 20.0, 0.1) for name in ("sieve", "from-both", "any_book")))
    strangers = rows(
        *(
            (agent, f"book-partners-{book}", points, 0.3)
            for agent in ("sieve", "from-both", "any_book")
            for book, points in (("sieve", 18.0), ("hgroup-1", 2.0), ("pairs", 4.0))
        )
    )
    copy, own, other = KINDS
    found = {one.agent: one for one in standings(copies, strangers)}
    assert [one.book for one in found.values()] == ["sieve", NO_BOOK, ADAPTS]
    assert found["sieve"].points[copy] == (20.0, 0.1)
    assert found["sieve"].points[own] == (18.0, 0.3)
    assert found["sieve"].points[other] == pytest.approx((3.0, 0.3 / 2**0.5))
    for name in ("from-both", "any_book"):
        assert own not in found[name].points
        assert found[name].points[other] == pytest.approx((8.0, 0.3 / 3**0.5))
