"""Cards written ``??`` stay ``??``: what is printed of a position is the same for all cards that
fit.
"""

import re
from dataclasses import replace
from itertools import permutations

import pytest
from typed import typed

from hanabi.logic import holds, model_of
from hanabi.moves import card_text
from hanabi.positions.position import HeldCard, Position
from hanabi.rules.agents import load
from hanabi.text.explanation import explain, knowledge_data, knowledge_text
from hanabi.text.transcript import position_text

TEXT = """variant = "colours=2,ranks=3,hand=3"
players = 3
discards = "B1"
[hands]
Ann = ["?? R", "??", "B1"]
Bob = ["R1 1", "B2", "R3"]
Cal = ["R2", "B3 B3", "R1 1"]
"""
FORMULAS = [  # each with what is to be said of it: yes, no, or that it hangs on ??
    ("playable(Bob,0)", True),
    ("playable(Cal,0)", False),
    ("playable(Ann,0)", None),
    ("playable(Ann,2)", True),
    ("colour(Ann,0,R)", True),
    ("colour(Ann,0,B)", False),
    ("card(Ann,1,R2)", None),
    ("~card(Ann,1,R3)", True),
    ("left(R2)", None),
    ("left(B1)", None),
    ("left(B3)", False),
    ("duplicate(Bob,1)", None),
    ("duplicate(Ann,2)", False),
    ("KAnn playable(Ann,2)", False),
    ("KAnn colour(Ann,0,R)", True),
    ("MAnn card(Ann,2,B2)", True),
    ("KBob playable(Bob,0)", True),
    ("KBob playable(Ann,0)", None),
    ("KBob card(Ann,2,B1)", True),
    ("KCal KAnn playable(Ann,1)", False),
    ("KBob (playable(Ann,0) | playable(Bob,0))", True),
    ("KAnn KBob playable(Bob,0)", True),
    ("C{Ann,Bob} colour(Ann,0,R)", True),
    ("[card(Ann,1,R1)!]KAnn playable(Ann,1)", True),
    ("playable(Ann,0) | ~playable(Ann,0)", True),
    ("playable(Ann,0) & KBob playable(Ann,0)", None),
    ("playable(Ann,0) -> KBob playable(Ann,0)", True),
]


def fillings(position):
    """The position with every hand that fits in place of ``??``, as if it were known."""
    mine, found = position.hands[0], set()
    free = [mine[slot].card for slot in position.unknown] + list(position.deck)
    for cards in set(permutations(free, len(position.unknown))):
        if all(mine[slot].mask >> card & 1 for slot, card in zip(position.unknown, cards)):
            rest = list(free)
            hand = list(mine)
            for slot, card in zip(position.unknown, cards):
                rest.remove(card)
                hand[slot] = replace(hand[slot], card=card, known=True)
            found.add(
                replace(
                    position, hands=(tuple(hand), *position.hands[1:]), deck=tuple(sorted(rest))
                )
            )
    return found


def forgotten(whole, position):
    """A filling whose cards are ``??`` again, other cards than those of the position."""
    hand = tuple(
        replace(card, known=slot not in position.unknown)
        for slot, card in enumerate(whole.hands[0])
    )
    return replace(whole, hands=(hand, *whole.hands[1:]))


@pytest.fixture(scope="module")
def position():
    return Position.read(TEXT)


def test_the_text_says_no_more_than_it_was_told(position):
    text = str(position)
    assert '"?? R #0", "?? #1", "B1 #2"' in text and "deck" not in text
    assert Position.read(text) == position and position.unknown == (0, 1)
    left_out = Position.read(TEXT.replace('Ann = ["?? R", "??", "B1"]\n', ""))
    assert left_out.unknown == (0, 1, 2) and Position.read(str(left_out)) == left_out
    written = Position.read('deck = "B2 B1"\n' + TEXT)
    assert 'deck = "B2 B1"' in str(written) and Position.read(str(written)) == written


def test_nothing_printed_hangs_on_the_cards_that_were_filled_in(position):
    others = [forgotten(whole, position) for whole in fillings(position)]
    assert len(others) > 5 and len({other.hands for other in others}) == len(others)
    for printed in (
        position_text,
        lambda p: knowledge_text(*p.state(), p.variant, unknown=p.unknown),
        lambda p: str(knowledge_data(*p.state(), p.variant, p.unknown)),
        lambda p: load("piers").move(p),
        lambda p: load("epistemic").move(p),
    ):
        assert len({printed(other) for other in others}) == 1
    text = knowledge_text(*position.state(), position.variant, unknown=position.unknown)
    assert (
        re.search(r"\d +\?\? +R", text)
        and "Bob, as far as Ann can tell" in text
        and "Ann knows that Bob knows: playable" in text
    )


def test_what_is_explained_is_true_of_every_filling(position):
    told = explain(*position.state(), position.variant, position.unknown)
    assert any(slot.holder is None for slot in told) and any(slot.holder for slot in told)
    for whole in fillings(position):
        for said, true in zip(told, explain(*whole.state(), whole.variant), strict=True):
            assert said.all == true.all and said.card in (-1, true.card)
            assert said.holder in (None, true.holder) and said.chance in (None, true.chance)
            for seat, known in said.others.items():
                assert known == true.others[seat] and true.holder.types & ~known.types == 0


@pytest.mark.parametrize("formula, wanted", FORMULAS)
def test_a_formula_is_answered_where_all_fillings_agree(formula, wanted, position):
    true = {bool(holds(formula, whole)) for whole in fillings(position)}
    assert true == ({True, False} if wanted is None else {wanted})
    if wanted is None:
        with pytest.raises(
            ValueError,
            match=r"hangs on Ann's cards written \?\?: write these cards, or ask what Ann knows",
        ):
            holds(formula, position)
        return
    answers = {
        str(holds(formula, forgotten(whole, position))).partition("\n")[0]
        for whole in fillings(position)
    }
    assert len(answers) == 1
    answer = holds(formula, position)
    assert bool(answer) is wanted
    data = answer.data()["counterexample"]
    if data and not any(step.get("seat") == "Ann" for step in data["steps"]):
        assert data["hands"]["Ann"] == ["??", "??", "B1"]


def test_a_hand_written_whole_is_as_ever(position):
    whole = next(iter(fillings(position)))
    assert not whole.unknown and bool(holds("playable(Ann,0)", whole)) in (True, False)
    assert knowledge_text(*whole.state(), whole.variant).count("can tell") == 0
    assert len(model_of(whole, [0])) == len(model_of(position, [0]))
    assert (
        str(HeldCard(1, 2, False, 3)) == card_text(1)
        and str(HeldCard(1, 2, False, 3, False)) == "??"
    )


def test_errors_name_no_card_that_was_filled_in(tmp_path):
    for text, says in (
        (TEXT.replace('"??"', '"?? #90"'), "Ann's ?? has place #90"),
        (TEXT.replace('"??"', '"?? touched"'), "Ann's ?? is touched, but"),
        ('deck = "R1"\n' + TEXT, "the deck is written with 1 card, but"),
    ):
        (tmp_path / "p.toml").write_text(text)
        code, _, err = typed("ask", "piers", "p.toml", folder=tmp_path)
        assert code == 2 and says in err, err


def test_the_command_refuses_what_hangs_on_them(tmp_path):
    (tmp_path / "p.toml").write_text(TEXT)
    code, out, err = typed("logic", "holds", "playable(Ann,3)", "p.toml", folder=tmp_path)
    assert (
        code == 2 and not out and err.count("\n") == 1 and "hangs on Ann's cards written ??" in err
    )
    assert typed("ask", "p.toml", folder=tmp_path)[1].count("??") > 4
    for formula, code in (
        ("card(Ann,1,B1)", 0),
        ("KAnn colour(Ann,3,R)", 0),
        ("card(Ann,1,R3)", 1),
    ):
        assert typed("logic", "holds", formula, "p.toml", folder=tmp_path)[0] == code
