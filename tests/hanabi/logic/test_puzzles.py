"""The puzzles, with the counts and answers of the literature and docs/explanations/exact-knowledge.md §6."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from time import process_time

import numpy as np
import pytest
from puzzles import MINI, SEATINGS, ignorant, mini, muddy_children, silence, wise_men

from hanabi.logic.evaluation import count_worlds, worlds
from hanabi.logic.formulas import Atom
from hanabi.logic.logic_state import LogicState, start


@pytest.mark.parametrize("seating", SEATINGS)
def test_wise_men(seating):
    """All hats are red; the first and the second say in turn that they do not know (Irvall's
    thesis, 2023).
    """
    sees, learns = SEATINGS[seating]
    model = wise_men(sees)
    assert len(model) == 7
    for man in (0, 1):
        model = model.announce(ignorant(man, Atom("red", (man,))))
    (reds,) = model.find(**{"red(0)": 1, "red(1)": 1, "red(2)": 1})
    assert model.holds("K2 red(2)", reds) == learns
    assert model.holds("C{0,1,2} K2 red(2)", reds) == learns


def test_muddy_children():
    """With n muddy children nobody knows for n-1 rounds, and then all do; with k muddy ones, k-1
    rounds.
    """
    for muddy in (1, 2, 4, 5):
        model, rounds = muddy_children(5), 0
        here = {f"muddy({i})": i < muddy for i in range(5)}
        while not model.holds("K0 muddy(0)", model.find(**here)[0]):
            model, rounds = model.announce(silence(5)), rounds + 1
        assert rounds == muddy - 1
        assert all(model.holds(f"K{i} muddy({i})", model.find(**here)[0]) for i in range(muddy))


def test_sixteen_muddy_children_in_a_second():
    before, model, rounds = process_time(), muddy_children(16), 0
    assert len(model) == 65_535
    while not model.truth("K0 muddy(0)")[-1]:
        model, rounds = model.announce(silence(16)), rounds + 1
    assert rounds == 15 and len(model) == 1
    assert process_time() - before < 5  # 0.25 s of its own


@pytest.mark.parametrize(
    "players, size, count",
    [(2, 2, 5_226), (3, 2, 296_700), (2, 3, 296_700), (3, 3, 86_903_880), (4, 3, 13_630_201_200)],
)
def test_worlds_of_the_mini_game(players, size, count):
    assert count_worlds(start(players, size, MINI)) == count
    if count < 10**6:
        assert len(mini(players, size)) == count
    else:
        with pytest.raises(
            ValueError, match=f"{count:,} worlds are more than the limit of 2,000,000"
        ):
            mini(players, size)


def test_the_mini_game_in_full():
    """3 players, 2 cards: one component, so nothing that could be otherwise is common knowledge."""
    model = mini(3, 2)
    assert model.components(range(3)).max() == 0
    assert not model.truth("C{0,1,2} ~card(0,0,R3)").any()
    known = model.truth("K0 K1 playable(2,0)")
    assert (
        known == model.truth("playable(2,0)")
    ).all()  # others' cards are seen, and seen to be seen


def test_own_worlds_at_the_start_of_the_mini_game():
    """3 players with 3 cards: an agent starts with 111 to 576 ordered hands, on average 368.6 over
    all deals.

    Exact: every multiset of six cards that it may see, weighted by how many deals of physical
    cards show it. the student report says 371; no weighting we tried gives that, and with a
    deviation of 106 a sample of deals may well.
    """
    copies = [c for c in MINI if c]

    @cache
    def hands(left):
        """Ordered hands of three from a pool, given as its sorted counts: product of the series Σ
        x^i/i!, times 3!.
        """
        series = np.array([1.0, 0, 0, 0])
        for count in left:
            series = np.convolve(series, [1 / factorial(i) for i in range(count + 1)])[:4]
        return round(6 * series[3])

    seen, total, weights = set(), 0, 0
    for cards in combinations_with_replacement(range(9), 6):
        counts = Counter(cards)
        if all(n <= copies[c] for c, n in counts.items()):
            number = hands(tuple(sorted(copies[c] - counts[c] for c in range(9))))
            weight = prod(comb(copies[c], n) for c, n in counts.items())
            seen.add(number)
            total, weights = total + weight * number, weights + weight
    assert (
        weights == comb(18, 6) and (min(seen), max(seen)) == (111, 576) and total == 6_842_550
    )  # 368.6 each


def test_own_worlds_of_one_deal_are_its_class():
    """The class of one agent in the full model is the model of that seat alone."""
    hands = [[0, 1], [0, 5], [2, 11]]
    position = start(3, 2, MINI, hands)
    model = worlds(position)
    (true,) = model.find(**{f"slot({a},{s})": hands[a][s] for a in range(3) for s in range(2)})
    for seat in range(3):
        alone = worlds(position, [seat])
        assert len(alone) == len(model.alike(seat, true)) == count_worlds(position, [seat])


def test_common_knowledge_with_an_empty_deck_is_knowledge():
    """docs/explanations/exact-knowledge.md §3.5: with no deck, C X(a,s) and K_a X(a,s) are the same, in every world."""
    three = [1, 2, 6]  # R2, R3, B2
    masks = [[0b111, 0b1111100], [0b1100110, 0b111], [0b1100010]]
    copies = [0] * 30
    for card, count in zip([0, *three], (1, 1, 2, 1)):
        copies[card] = count
    model = worlds(LogicState(copies, (0,) * 6, [0] * 30, [[-1, -1], [-1, -1], [-1]], masks))
    everything = ("playable", "critical", "useless", "dispensable")
    both = Counter()
    for seat, slot in model.meaning.slots():
        facts = [f"{name}({seat},{slot})" for name in everything]
        facts += [f"~card({seat},{slot},{card})" for card in ("R1", "R2", "R3", "B2")]
        for fact in facts:
            known, common = model.truth(f"K{seat} {fact}"), model.truth(f"C{{0,1,2}} {fact}")
            assert (known == common).all(), fact
            both.update(known.tolist())
    assert len(model) > 5 and min(both.values()) > 0.1 * sum(both.values())
