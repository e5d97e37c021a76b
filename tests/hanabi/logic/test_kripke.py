"""The general model checker against a twin in plain Python: sets of worlds, every quantifier
written out.
"""

import numpy as np
import pytest
from event_models import Action, Event, update
from hypothesis import given, settings, strategies as st
from random_formulas import formulas
from sizes import tries

from hanabi.logic.formulas import (
    DEPTH,
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
from hanabi.logic.kripke import Model, seeing
from hanabi.logic.parser import read

AGENTS, ATOMS = 3, [Atom("p"), Atom("q"), Atom("at", (1, "x"))]
CASES = settings(max_examples=tries(200), deadline=None)


class Naive:
    """Worlds are any values; alike(a, w, v) says whether agent a cannot tell them apart; value(w,
    atom text).
    """

    def __init__(self, worlds, alike, value):
        self.worlds, self.alike, self.value = worlds, alike, value

    def reach(self, group, world):
        seen, edge = {world}, [world]
        while edge:
            here = edge.pop()
            for v in self.worlds:
                if v not in seen and any(self.alike(a, here, v) for a in group):
                    seen.add(v)
                    edge.append(v)
        return seen

    def true(self, f, w):
        match f:
            case Atom():
                return bool(self.value(w, str(f)))
            case Not(part):
                return not self.true(part, w)
            case And(parts):
                return all([self.true(part, w) for part in parts])
            case Or(parts):
                return any([self.true(part, w) for part in parts])
            case Implies(left, right):
                return self.true(right, w) if self.true(left, w) else True
            case Knows(a, part):
                return all(self.true(part, v) for v in self.worlds if self.alike(a, w, v))
            case Considers(a, part):
                return any(self.true(part, v) for v in self.worlds if self.alike(a, w, v))
            case EverybodyKnows(group, part):
                return all(self.true(Knows(a, part), w) for a in group)
            case CommonKnowledge(group, part):
                return all(self.true(part, v) for v in self.reach(group, w))
            case DistributedKnowledge(group, part):
                return all(
                    self.true(part, v)
                    for v in self.worlds
                    if all(self.alike(a, w, v) for a in group)
                )
            case Announced(fact, then):
                return not self.true(fact, w) or self.announce(fact).true(then, w)

    def announce(self, fact):
        return Naive([w for w in self.worlds if self.true(fact, w)], self.alike, self.value)

    def update(self, events, labels):
        """A world is (w, e). Events are (precondition, {atom text: formula or constant})."""

        def value(world, name):
            w, e = world
            new = events[e][1].get(name)
            if new is None:
                return self.value(w, name)
            return new if isinstance(new, int) else self.true(new, w)

        return Naive(
            [(w, e) for e, (pre, _) in enumerate(events) for w in self.worlds if self.true(pre, w)],
            lambda a, x, y: self.alike(a, x[0], y[0]) and labels[a][x[1]] == labels[a][y[1]],
            value,
        )


@st.composite
def models(draw, most=7):
    """A random model and its twin."""
    worlds = draw(st.integers(1, most))
    row = st.lists(st.integers(-1, worlds - 1), min_size=worlds, max_size=worlds)
    labels = draw(st.lists(row, min_size=AGENTS, max_size=AGENTS))
    facts = {
        str(atom): draw(st.lists(st.booleans(), min_size=worlds, max_size=worlds)) for atom in ATOMS
    }
    model = Model(
        tuple(range(AGENTS)),
        np.array(labels) * 1000 ** draw(st.integers(0, 2)),
        {name: np.array(column) for name, column in facts.items()},
    )
    return model, Naive(
        range(worlds), lambda a, w, v: labels[a][w] == labels[a][v], lambda w, name: facts[name][w]
    )


anything = formulas(AGENTS, ATOMS, leaves=8)


def agree(model, naive, formula):
    assert model.truth(formula).tolist() == [naive.true(formula, w) for w in naive.worlds], str(
        formula
    )


@CASES
@given(models(), anything)
def test_truth_is_what_the_twin_says(pair, formula):
    agree(*pair, formula)


@CASES
@given(models(), anything, anything)
def test_announcement(pair, fact, formula):
    model, naive = pair
    agree(model.announce(fact), naive.announce(fact), formula)
    here = model.truth(fact)
    assert (
        model.truth(Announced(fact, formula))[here] == model.announce(fact).truth(formula)
    ).all()


@CASES
@given(models(most=4), st.data())
def test_product_update(pair, data):
    model, naive = pair
    small = formulas(AGENTS, ATOMS, leaves=3)
    for _ in range(2):  # twice, so that worlds that are pairs are updated too
        count = data.draw(st.integers(1, 3))
        change = st.dictionaries(
            st.sampled_from([str(atom) for atom in ATOMS]), st.one_of(small, st.integers(0, 1))
        )
        events = [(data.draw(small), data.draw(change)) for _ in range(count)]
        labels = [
            data.draw(st.lists(st.integers(0, count), min_size=count, max_size=count))
            for _ in range(AGENTS)
        ]
        action = Action(
            tuple(Event(f"e{i}", *event) for i, event in enumerate(events)), dict(enumerate(labels))
        )
        model, naive = update(model, action), naive.update(events, labels)
    assert len(model) == len(naive.worlds)
    agree(model, naive, data.draw(anything))


@CASES
@given(models(), anything, anything, st.integers(0, AGENTS - 1))
def test_axioms_of_knowledge(pair, f, g, a):
    model, _ = pair
    group = tuple(range(AGENTS))
    for axiom in (
        Knows(a, f) >> f,  # T: what is known is true
        Knows(a, f) >> Knows(a, Knows(a, f)),  # 4: I know what I know
        ~Knows(a, f) >> Knows(a, ~Knows(a, f)),  # 5: and what I do not know
        Knows(a, f >> g) >> (Knows(a, f) >> Knows(a, g)),  # K
        Knows(a, f) >> DistributedKnowledge(group, f),
        CommonKnowledge(group, f)
        >> EverybodyKnows(group, f & CommonKnowledge(group, f)),  # C is a fixed point
        (f & CommonKnowledge(group, f >> EverybodyKnows(group, f)))
        >> CommonKnowledge(group, f),  # and induction
        (~Knows(a, ~f) >> Considers(a, f)) & (Considers(a, f) >> ~Knows(a, ~f)),
    ):
        assert model.truth(axiom).all(), str(axiom)


def test_a_model_to_read():
    """Two coins; agent 0 sees the first, agent 1 the second, agent 2 none."""
    model = seeing({"p": [0, 0, 1, 1], "q": [0, 1, 0, 1]}, {0: ["p"], 1: ["q"], 2: []})
    assert model.truth("K0 p").tolist() == [False, False, True, True]
    assert model.truth("D{0,1} (p & q)").tolist() == [False, False, False, True]
    assert not model.truth("C{0} (K1 q | K1 ~q) & K2 p").any()
    assert model.truth("C{0,1,2} (K1 q | K1 ~q)").all()
    assert model.find(p=1, q=0).tolist() == [2] and model.alike(0, 2).tolist() == [2, 3]
    assert model.truth("[p | q!](~q -> K1 p)").all() and model.holds("[p | q!]K1 p", 2)


def test_a_private_letter():
    """Agent 0 reads p; agent 1 sees the reading and not what is read; afterwards agent 1 knows
    that 0 knows whether.
    """
    model = seeing({"p": [0, 1]}, {0: [], 1: []})
    reading = Action(
        (Event("it says so", read("p")), Event("it does not", read("~p"))), {0: (0, 1), 1: (0, 0)}
    )
    after = update(model, reading)
    assert after.truth("K1 (K0 p | K0 ~p) & M1 p & M1 ~p").all() and after.truth("K0 p").sum() == 1


def test_swap_by_postconditions():
    swap = Action((Event("swap", read("true"), {"p": read("q"), "q": read("p")}),), {0: (0,)})
    model = update(seeing({"p": [0, 0, 1, 1], "q": [0, 1, 0, 1]}, {0: ["p"]}), swap)
    assert model.facts["p"].tolist() == [0, 1, 0, 1] and model.truth("K0 q").tolist() == [
        False,
        False,
        True,
        True,
    ]


def test_no_worlds_left_is_no_crash():
    none = seeing({"p": [0, 1]}, {0: []}).announce("p & ~p")
    assert len(none) == 0 and none.truth("K0 C{0} [p!]M0 p").tolist() == []
    assert len(update(none.announce("p"), Action((Event("e", read("p")),), {0: (0,)}))) == 0


@pytest.mark.parametrize("prefix", ["~", "K0 ", "M1 ", "C{0,1} ", "D{0,1} ", "[p!]", "p -> "])
def test_the_deepest_formulas_are_evaluated(prefix):
    model = seeing({"p": [0, 1], "q": [0, 0]}, {0: [], 1: ["p"]})
    assert len(model.truth(prefix * (DEPTH - 1) + "p")) == 2


@pytest.mark.parametrize(
    "text, message",
    [
        ("K0 K4 p", "column 4: no agent 4; the agents are 0, 1"),
        ("p & K0 r", "column 8: no atom r; the atoms are p, q"),
        ("C{0,3} p", "column 5: no agent 3; the agents are 0, 1"),
    ],
)
def test_errors(text, message):
    model = seeing({"p": [0, 1], "q": [0, 0]}, {0: [], 1: ["p"]})
    with pytest.raises(ValueError) as error:
        model.truth(text)
    assert str(error.value) == message
    with pytest.raises(ValueError, match="no agent|no atom"):
        model.truth(read(text))


def test_models_and_actions_that_do_not_fit():
    model = seeing({"p": [0, 1]}, {0: [], 1: ["p"]})
    with pytest.raises(ValueError, match="row per agent"):
        Model((0,), np.zeros((2, 3)), {})
    with pytest.raises(ValueError, match="value for each of the 3 worlds"):
        Model((0,), np.zeros((1, 3), int), {"p": np.zeros(2)})
    with pytest.raises(ValueError, match=r"agents \[1\] can tell"):
        update(model, Action((Event("e", read("p")),), {0: (0,)}))
    with pytest.raises(ValueError, match="changes z"):
        update(model, Action((Event("e", read("p"), {"z": 1}),), {0: (0,), 1: (0,)}))
    with pytest.raises(ValueError, match="label for each of the 1"):
        Action((Event("e", read("p")),), {0: (0, 1)})
    with pytest.raises(ValueError, match="no formula"):
        model.truth(7)
