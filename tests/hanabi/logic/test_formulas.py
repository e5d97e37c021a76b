"""Formulas: text that reads back, errors that name a column, no stack ever runs out."""

import pytest
from hypothesis import given, settings
from random_formulas import formulas
from sizes import tries

from hanabi.logic.formulas import (
    DEPTH,
    FALSE,
    TRUE,
    And,
    Announced,
    Atom,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    EverybodyKnows,
    Implies,
    Knows,
    Not,
    Or,
)
from hanabi.logic.parser import read

P, Q, R = Atom("p"), Atom("q"), Atom("r")


@settings(max_examples=tries(300), deadline=None)
@given(
    formulas(
        12, [P, Q, Atom("playable", (1, 2)), Atom("card", (0, 10, "R3")), Atom("E"), TRUE, FALSE]
    )
)
def test_text_and_repr_read_back(formula):
    assert read(str(formula)) == formula
    assert eval(repr(formula)) == formula


@pytest.mark.parametrize(
    "text, formula",
    [
        ("K0 K1 playable(1,2)", Knows(0, Knows(1, Atom("playable", (1, 2))))),
        ("K0 p & q -> r", Implies(And((Knows(0, P), Q)), R)),
        ("p -> q -> r", Implies(P, Implies(Q, R))),
        ("p & q & r | p", Or((And((P, Q, R)), P))),
        ("(p & q) & r", And((And((P, Q)), R))),
        ("~K0~p|M0 p", Or((Not(Knows(0, Not(P))), Considers(0, P)))),
        ("[p & q!]C{1, 0}r", Announced(And((P, Q)), CommonKnowledge((0, 1), R))),
        ("E{2,2}\n D{0} K", EverybodyKnows((2,), DistributedKnowledge((0,), Atom("K")))),
        ("card( 0 , 1,R3 )", Atom("card", (0, 1, "R3"))),
        ("K1x & K", And((Atom("K1x"), Atom("K")))),
        ("true -> false", Implies(TRUE, FALSE)),
    ],
)
def test_grammar(text, formula):
    assert read(text) == formula


def test_operators_build_formulas():
    assert ~P & Q | R == Or((And((Not(P), Q)), R))
    assert P >> Q == Implies(P, Q)


def only_p(atom):
    if atom != P:
        raise ValueError(f"no atom {atom}; the atoms are p")


@pytest.mark.parametrize(
    "text, message",
    [
        ("K0 K7 p", "column 4: no agent 7; the agents are 0, 1"),
        ("p & C{0, 12} p", "column 10: no agent 12; the agents are 0, 1"),
        ("C{0,x} p", "column 5: no agent 'x': write a group as {0,1}"),
        ("C{} p", "column 3: no agent '': write a group as {0,1}"),
        ("K0 (p & q(1))", "column 9: no atom q(1); the atoms are p"),
        ("p &", "column 4: expected a formula, found the end"),
        ("p @ p", "column 3: cannot read '@ p'"),
        ("p p", "column 3: expected '&', '|', '->' or the end, found 'p'"),
        ("(p", "column 3: expected ')', found the end"),
        ("[p]p", "column 3: expected '!', found ']'"),
        ("K0", "column 3: expected a formula, found the end"),
        ("K1234567890 p", "column 1: no atom can be called 'K1234567890'"),
        ("M01(p)(p)", "column 7: expected"),
        ("", "column 1: expected a formula, found the end"),
    ],
)
def test_errors_name_the_place(text, message):
    with pytest.raises(ValueError) as error:
        read(text, agents=(1, 0), check=only_p)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Atom("K0"),
        lambda: Atom("true"),
        lambda: Atom("a b"),
        lambda: Atom("p", (-1,)),
        lambda: Atom("p", (True,)),
        lambda: Atom("p", ("R 3",)),
        lambda: Knows(-1, P),
        lambda: Knows("0", P),
        lambda: CommonKnowledge((), P),
        lambda: And((P,)),
        lambda: Or([P, Q]),
        lambda: Not("p"),
        lambda: EverybodyKnows((0, None), P),
    ],
)
def test_what_would_not_read_back_cannot_be_built(build):
    with pytest.raises(ValueError):
        build()


@pytest.mark.parametrize(
    "prefix, suffix",
    [
        ("~", ""),
        ("(", ")"),
        ("K0 ", ""),
        ("C{0} ", ""),
        ("p -> ", ""),
        ("[p!]", ""),
        ("[", "!]p"),
        ("~(p & ", ")"),
        ("(p -> ", ")"),
        ("K0 (p | ~", ")"),
    ],
)
def test_deep_nesting_is_an_error_and_never_a_stack(prefix, suffix):
    with pytest.raises(ValueError, match=f"more than {DEPTH} deep"):
        read(prefix * 100_000 + "p" + suffix * 100_000)
    most = next(n for n in range(DEPTH, 0, -1) if _reads(prefix * n + "p" + suffix * n))
    formula = read(prefix * most + "p" + suffix * most)
    assert (
        most > 30
        and read(str(formula)) == formula
        and eval(repr(formula)) == formula
        and hash(formula)
    )


def test_as_deep_as_is_said_can_be_read():
    """Parentheses nest DEPTH deep in text, though they make no formula deeper; side by side they
    do not add up.
    """
    assert read("(" * DEPTH + "p" + ")" * DEPTH) == P
    assert read("&".join(["(" * DEPTH + "p" + ")" * DEPTH] * 2)) == And((P, P))
    with pytest.raises(ValueError, match=f"^column {DEPTH + 2}: .*more than {DEPTH} deep"):
        read("(" * (DEPTH + 1) + "p" + ")" * (DEPTH + 1))


def _reads(text):
    try:
        return bool(read(text))
    except ValueError:
        return False


def test_deep_values_are_an_error_too():
    formula = P
    with pytest.raises(ValueError, match=f"more than {DEPTH} deep"):
        for _ in range(DEPTH):
            formula = ~formula
    assert formula.depth == DEPTH and read(str(formula)) == formula


def test_long_conjunctions_are_not_deep():
    assert len(read(" & ".join(["p"] * 5000)).parts) == 5000
