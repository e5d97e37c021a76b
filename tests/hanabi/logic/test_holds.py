"""`holds`: the exact core and the model say the same, counterexamples are real, names and numbers
mean the same.
"""

import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from oracle import position_of, records, types_of
from paths import PATIENCE
from random_formulas import atoms_of, core_formulas, formulas, plain
from random_states import random_state
from sizes import tries

from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.logic import TooManyWorldsError, holds, model_of
from hanabi.logic.evaluation import (
    CORE,
    MODEL,
    Answer,
    Counterexample,
    _counterexample,
    count_worlds,
    read_formula,
    true_world,
    worlds,
)
from hanabi.logic.exact_evaluation import ExactEvaluator
from hanabi.logic.formulas import (
    TRUE,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    Knows,
    Not,
    agents_in,
    is_plain,
    pushed,
)
from hanabi.logic.logic_state import LogicState, deck, start
from hanabi.logic.parser import read
from hanabi.logic.refutation import Said, refute
from hanabi.moves import card_text
from hanabi.positions.position import Position
from hanabi.variant import NAMED, Variant

MANY = settings(max_examples=tries(100), deadline=None)
SEEDS = st.integers(0, 10_000)


def full_model(state):
    """The model of all seats and the true world in it."""
    model = worlds(state)
    return model, true_world(model)


def is_real(model, here, found: Counterexample) -> bool:
    """Is each step to a world that the seat considers possible, and does what should fail there
    fail?
    """
    for step in found.steps:
        if isinstance(step, Said):
            kept = model.truth(step.fact)
            if not kept[here]:
                return False
            model, here = model.restrict(kept), int(kept[:here].sum())
            continue
        alike = model.alike(step.seat, here)
        same = [
            np.all(
                [
                    model.facts[f"slot({step.seat},{slot})"][world] == card
                    for slot, card in enumerate(step.hand)
                ]
            )
            for world in alike
        ]
        if sum(same) != 1:
            return False
        here = int(alike[same.index(True)])
    state = model.meaning
    told = tuple(
        tuple(int(model.facts[f"slot({seat},{slot})"][here]) for slot in range(len(hand)))
        for seat, hand in enumerate(state.hands)
    )
    return told == found.hands and not model.holds(found.fails, here)


# --- the core and the model
@MANY
@given(SEEDS, st.data())
def test_the_core_decides_its_fragment_like_the_model(seed, data):
    """Facts, K, K K, M, M M, E, D over any plain formula, and all that ~ & | -> make of these:
    never open, always right.
    """
    state = random_state(seed)
    formula = data.draw(core_formulas(state.players, atoms_of(state)))
    model, here = full_model(state)
    answer = holds(formula, state)
    assert answer.by == CORE and answer.holds == model.holds(formula, here), formula
    assert (answer.counterexample is None) == answer.holds
    assert answer.holds or is_real(model, here, answer.counterexample), answer


@MANY
@given(SEEDS, st.data())
def test_whatever_the_core_decides_is_what_the_model_says(seed, data):
    """Any formula; and the model of the seats that it names answers like the model of all."""
    state = random_state(seed)
    formula = data.draw(formulas(state.players, atoms_of(state), leaves=6))
    model, here = full_model(state)
    true, found = model.holds(formula, here), ExactEvaluator(state).verdict(pushed(formula))
    assert found.true in (None, true), formula
    if found.true is False:
        assert is_real(model, here, _counterexample(found, state)), formula
    answer = holds(formula, state)
    assert answer.holds == true and answer.by == (MODEL if found.true is None else CORE)
    assert (
        answer.worlds == len(worlds(state, agents_in(formula)))
        if agents_in(formula)
        else answer.worlds == 1
    )
    assert true or is_real(model, here, answer.counterexample), answer


@MANY
@given(SEEDS, st.data())
def test_what_one_seat_knows_another_to_consider_and_what_all_know(seed, data):
    """K M and C, which the core decides where it can: right whenever it does."""
    state = random_state(seed)
    inside = plain(atoms_of(state), leaves=2)
    agent = st.integers(0, state.players - 1)
    group = st.lists(agent, min_size=1, max_size=state.players).map(tuple)
    formula = data.draw(
        st.one_of(
            st.builds(Knows, agent, st.builds(Considers, agent, inside)),
            st.builds(Considers, agent, st.builds(Knows, agent, inside)),
            st.builds(CommonKnowledge, group, inside),
            st.builds(CommonKnowledge, group, st.builds(Knows, agent, inside)),
        )
    )
    model, here = full_model(state)
    found = ExactEvaluator(state).verdict(pushed(formula))
    assert found.true in (None, model.holds(formula, here)), formula
    assert found.true is not False or is_real(model, here, _counterexample(found, state))


def test_how_often_the_core_decides():
    """Single facts under K, K K, K M and C in random states: how many the core leaves open; yes
    and no both occur.
    """
    rng, said = random.Random(4), Counter()
    for seed in range(80):
        state = random_state(seed)
        core, atoms = ExactEvaluator(state), atoms_of(state)
        model, here = full_model(state)
        everybody = tuple(range(state.players))
        for atom in rng.sample([atom for atom in atoms if atom.name != "left"], 12):
            (seat, _), other = state.place(atom), rng.randrange(state.players)
            fact = rng.choice([atom, Not(atom)])
            for name, formula in (
                ("K", Knows(seat, fact)),
                ("KK", Knows(other, Knows(seat, fact))),
                ("KM", Knows(other, Considers(seat, fact))),
                ("C", CommonKnowledge(everybody, fact)),
            ):
                true = core.verdict(pushed(formula)).true
                assert true in (None, model.holds(formula, here)), formula
                said[name, true] += 1
                if state.pool.sum() == len(state.slots()):
                    said[f"{name}, deck empty", true] += 1
    assert not said["K", None] and not said["KK", None] and not said["C, deck empty", None]
    assert said["C, deck empty", True] > 10 and said["C, deck empty", False] > 10
    for name in ("K", "KK", "KM", "C"):
        decided = said[name, True], said[name, False]
        assert min(decided) > 30 and said[name, None] < 0.1 * sum(decided), (name, said)


@pytest.mark.parametrize(
    "seed, text, true",
    [
        (5, "C{0,1} ~card(1,2,R2)", False),
        (62, "C{0,1,2} ~rank(0,1,2)", False),
        (115, "C{0,1} ~card(1,0,B3)", False),
        (275, "C{0,1} card(0,1,B3)", True),
        (275, "C{0,1} ~rank(0,1,2)", True),
    ],
)
def test_common_knowledge_that_only_the_model_decides(seed, text, true):
    """With cards in the deck: an outsider does not know it, but all know that all know it; it may
    be so or not.
    """
    answer = holds(text, random_state(seed))
    assert (
        answer.state.pool.sum() > len(answer.state.slots())
        and answer.by == MODEL
        and answer.holds == true
    )
    assert (
        true
        or is_real(*full_model(answer.state), answer.counterexample)
        and len(answer.counterexample.steps) > 2
    )


def test_an_or_of_what_one_sees_and_what_another_knows():
    """K_a of (a fact | K_b of a fact), and the same with D: a sees other hands, but neither own
    duplicates nor the deck.
    """
    rng, decided = random.Random(2), Counter()
    for seed in range(40):
        state = random_state(seed)
        core, atoms, (model, here) = ExactEvaluator(state), atoms_of(state), full_model(state)
        odd = [atom for atom in atoms if atom.name in ("duplicate", "left")]
        for _ in range(30):
            one, two = rng.sample(range(state.players), 2)
            fact, inside = (
                rng.choice([rng.choice(odd), rng.choice(atoms)]),
                rng.choice([rng.choice(odd), rng.choice(atoms)]),
            )
            other = rng.choice(
                [
                    Knows(two, inside),
                    DistributedKnowledge((one, two), inside),
                    Considers(two, inside),
                ]
            )
            seen = rng.choice(
                [fact, Not(fact), Knows(one, Knows(two, Knows(one, fact))), Knows(one, fact)]
            )
            formula = Knows(one, seen | other)
            true = core.verdict(pushed(formula)).true
            assert true in (None, model.holds(formula, here)), formula
            decided[true] += 1
    assert min(decided.values()) > 30, decided


def test_the_order_of_seats_is_the_order_of_steps():
    """A chain of K is refuted by a chain of steps, one for each K, in the order in which they
    stand.
    """
    seen = Counter()
    for seed in range(tries(120)):
        state = random_state(seed)
        for one in range(state.players):
            for two in range(state.players):
                seat, slot = (two, 0)
                if one != two and state.masks[seat][slot]:
                    found = holds(f"K{one} K{two} ~playable({seat},{slot})", state).counterexample
                    if found:
                        assert [step.seat for step in found.steps] == [one, two]
                        changed = [
                            step.seat for step in found.steps if step.hand != state.hands[step.seat]
                        ]
                        seen[tuple(seat == one for seat in changed)] += 1
    assert seen[(True, False)] + seen[(True,)] > 0 and seen[(False,)] > 10 and seen[()] > 10, seen


def test_the_oracle():
    """K_p and K_p K_b of every fact, as brute force found them, by the core alone."""
    names = {
        "play": "playable",
        "dead": "dead",
        "unreach": "unreachable",
        "disp": "dispensable",
        "crit": "critical",
        "dup": "duplicate",
    }
    tally = Counter()
    for record in records():
        state, p, answers = position_of(record), record["active"], record["ans"]
        ours = types_of(record)

        def known(text, true):
            answer = holds(text, state)  # noqa: B023
            assert answer.by == CORE and answer.holds == true, (record["id"], text)  # noqa: B023
            tally[text[0] + text[3] if text[3] == "K" else "K", true] += 1

        for slot, own in enumerate(answers["own"]):
            for short, name in names.items():
                known(f"K{p} {name}({p},{slot})", own[short] == answers["den"])
            for card in {ours[card] for card, _ in own["counts"]}:
                known(f"K{p} card({p},{slot},{card_text(card)})", len(own["counts"]) == 1)
                known(f"K{p} ~card({p},{slot},{card_text(card)})", False)
        for other in answers["others"]:
            b = other["b"]
            for slot, said in enumerate(other["slots"]):
                for short, name in names.items():
                    known(f"K{p} K{b} {name}({b},{slot})", short in said["kpkb"])
                held = card_text(state.hands[b][slot])
                known(f"K{p} K{b} card({b},{slot},{held})", "card" in said["kpkb"])
    assert min(tally.values()) > 100 and len(tally) == 4, tally


# --- positions of games
def small_positions(variant, games):
    """Positions along random games, with the records they come from."""
    rng = random.Random(3)
    for _ in range(games):
        table, view = new_state(variant)
        deal(table, view, np.uint64(rng.getrandbits(64)))
        while not is_over(view):
            yield Position.of(table, view, variant), table, view
            apply(table, view, rng.choice(legal_moves(view)))


@pytest.mark.parametrize(
    "variant", [Variant(2, 2, 3, (2, 2, 1), 2), NAMED["mini"], NAMED["standard"].at(5)], ids=str
)
def test_the_state_of_a_position(variant):
    for position, table, view in small_positions(variant, 3):
        state, width = LogicState.of(position), variant.hand_size
        assert [list(hand) for hand in state.hands] == table.hands[
            : variant.players, :width
        ].tolist()
        assert [list(row) for row in state.masks] == view.mask[: variant.players, :width].tolist()
        unseen = [
            sum(int(view.pool[plane]) >> card & 1 for plane in range(3)) for card in range(30)
        ]
        assert state.pool.tolist() == unseen and state.active == view.me
        assert state.fireworks == tuple(view.fireworks[: variant.colours])


def test_the_model_of_a_position():
    for position, _, _ in small_positions(Variant(2, 2, 3, (2, 2, 1), 2), 2):
        model = model_of(position)
        assert len(model) == count_worlds(LogicState.of(position))
        assert model.holds("KAnn rank(Bob,0,1) | KAnn ~rank(Bob,0,1)", true_world(model))
        assert len(model_of(position, [0])) <= len(model)


# --- names
@settings(max_examples=tries(60), deadline=None)
@given(SEEDS, st.data())
def test_names_and_numbers_read_back(seed, data):
    state = random_state(seed)
    formula = data.draw(formulas(state.players, [*atoms_of(state), TRUE], leaves=8))
    names = state.names
    for text in (str(formula), formula.text(names), formula.text(names[:1])):
        assert read(text, names=names) == formula and read_formula(text, state) == formula
    if agents_in(formula):
        assert "K0" not in formula.text(names) and formula.text() == str(formula)


@settings(max_examples=tries(60), deadline=None)
@given(SEEDS, st.data())
def test_pushed_means_the_same(seed, data):
    state = random_state(seed)
    formula = data.draw(formulas(state.players, atoms_of(state), leaves=8))
    model = worlds(state)
    assert (model.truth(pushed(formula)) == model.truth(formula)).all()
    assert (model.truth(pushed(formula, False)) == ~model.truth(formula)).all()
    assert not any(
        isinstance(part, Not)
        and not isinstance(part.part, CommonKnowledge)
        and not is_plain(part)
        and type(part.part).__name__ != "DistributedKnowledge"
        for part in walk(pushed(formula))
    )


def test_each_operator_pushed_and_in_the_core():
    """Every operator over single facts, and its negation: pushed it means the same in all worlds,
    and the core agrees.
    """
    rng, seen = random.Random(5), Counter()
    for seed in range(25):
        state = random_state(seed)
        core, atoms, (model, here) = ExactEvaluator(state), atoms_of(state), full_model(state)
        for kind in (
            "K0 {}",
            "M1 {}",
            "E{{0,1}} {}",
            "D{{0,1}} {}",
            "C{{0,1}} {}",
            "[{}!]K0 {}",
            "K0 {} -> M1 {}",
            "E{{0}} M1 {}",
        ):
            for _ in range(3):
                formula = read(kind.format(*rng.sample(atoms, 2)))
                for true in (True, False):
                    wanted = pushed(formula, true)
                    assert (model.truth(wanted) == (model.truth(formula) == true)).all(), formula
                    assert core.verdict(wanted).true in (None, model.holds(wanted, here)), formula
                seen[kind, model.holds(formula, here)] += 1
    assert min(seen.values()) >= 5 and len(seen) == 16, seen


def walk(formula):
    yield formula
    for part in formula.parts_in():
        yield from walk(part)


@pytest.mark.parametrize(
    "text, message",
    [
        ("KAnn KZoe playable(Ann,0)", "column 6: no agent Zoe; the agents are Ann (0), Bob (1)"),
        ("KAnn KCal playable(Ann,0)", "column 6: no agent Cal; the agents are Ann (0), Bob (1)"),
        ("KAnn K2 playable(Ann,0)", "column 6: no agent 2; the agents are Ann (0), Bob (1)"),
        ("C{Ann,Cal} playable(Ann,0)", "column 7: no agent 'Cal': write a group as {Ann,Bob}"),
        ("C{Ann,2} playable(Ann,0)", "column 7: no agent 2; the agents are Ann (0), Bob (1)"),
        ("K Ann playable(Ann,0)", "column 1: K needs its agent right behind it: K0 or KAnn"),
        (
            "KAnn playable(Zoe,0)",
            "column 6: playable(Zoe,0): there is no seat Zoe; the seats are Ann (0), Bob (1)",
        ),
        (
            "KAnn playable(Ann,7)",
            "column 6: playable(0,7): there is no slot 7 at seat 0; slots count from 0",
        ),
        ("KAnn playable(Ann,x)", "column 6: playable(0,x): there is no slot x"),
        ("KAnn card(Ann,0,Bob)", "column 6: no card 'Bob'"),
        ("KAnn happy(Ann,0)", "column 6: no atom happy(0,0); the atoms are playable"),
        ("KAnn playable(Ann,0", "column 6: "),
        ("kAnn playable(Ann,0)", "column 1: no atom kAnn; the atoms are"),
    ],
)
def test_errors_name_the_column(text, message):
    with pytest.raises(ValueError) as error:
        holds(text, start(2, 2, deck(3, (3, 2, 1)), [[0, 1], [5, 6]]))
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


# --- answers
def test_an_answer_prints_as_a_sentence():
    state = start(2, 2, deck(2, (2, 1)), [[0, 1], [5, 6]]).after_hint(1, "1", [0])
    yes, no = holds("KBob playable(Bob,0)", state), holds("KAnn playable(Ann,0)", state)
    assert (
        yes
        and yes.holds
        and yes.by == CORE
        and yes.counterexample is None
        and isinstance(yes, Answer)
    )
    assert str(yes) == "KBob playable(Bob,0): yes (by the exact core; a model would have 2 worlds)."
    assert not no and no.worlds == count_worlds(state, [0])
    assert (
        str(no).splitlines()[1]
        == "Ann considers it possible to hold R2 R1; there playable(Ann,0) is false."
    )
    assert no.data() == {
        "formula": "KAnn playable(Ann,0)",
        "holds": False,
        "by": CORE,
        "worlds": no.worlds,
        "counterexample": {
            "steps": [{"seat": "Ann", "hand": ["R2", "R1"]}],
            "fails": "playable(Ann,0)",
            "hands": {"Ann": ["R2", "R1"], "Bob": ["B1", "B2"]},
        },
    }
    deep = holds("KBob KAnn KBob rank(Bob,0,1) -> KAnn KBob KAnn rank(Ann,0,1)", state)
    assert deep.by == MODEL and str(deep).splitlines()[0].endswith(
        f"no (by a model of {deep.worlds} worlds)."
    )
    assert str(holds("rank(Ann,0,2)", state)).endswith(
        "\nAs the cards lie, rank(Ann,0,2) is false."
    )
    assert str(holds("KAnn rank(Ann,0,2)", state)).endswith(
        "\nAs the cards lie, rank(Ann,0,2) is false, and nobody knows what is false."
    )
    assert str(holds("~KBob playable(Bob,0)", state)).endswith(
        "\nAs the cards lie, MBob ~playable(Bob,0) is false."
    )


def test_three_seats_in_a_row_and_a_seat_again_need_the_model():
    """Where the first K can be decided by what is true, the core still answers; else the model
    does, step by step.
    """
    seen = Counter()
    for seed in range(tries(100)):
        state = random_state(seed)
        for last in range(state.players):
            for fact in ("~card(1,0,B1)", "~critical(1,0)") if last != 1 else ():
                answer = holds(f"K0 K1 K{last} {fact}", state)
                seen[answer.by, answer.holds] += 1
                if not answer:
                    assert [step.seat for step in answer.counterexample.steps] == [0, 1, last]
    assert seen[CORE, False] and seen[MODEL, False] and seen[MODEL, True], seen


def test_too_many_worlds_is_one_line():
    state = start(3, 5, deck(5, (3, 2, 2, 2, 1)), [[0, 5, 10, 15, 20]] * 3).after_hint(
        1, "1", range(5)
    )
    with pytest.raises(TooManyWorldsError) as error:
        holds("K0 K1 K0 playable(1,0)", state)
    count = count_worlds(state, [0, 1])
    assert str(error.value) == (
        f"only a model can answer this, and {count:,} worlds are more than the limit of 2,000,000; "
        "take fewer seats, a later turn (more hints, more cards face up) or a smaller variant"
    )
    assert error.value.count == count


def test_unknown_hands_are_an_error_and_what_kernels_cannot_hold_goes_to_the_model():
    with pytest.raises(ValueError, match="leaves some open"):
        holds("K0 playable(0,0)", start(2, 2, deck(3, (3, 2, 1))))
    state = start(
        2, 2, deck(1, (4, 3)), [[1, 0], [1, 1]]
    )  # four copies of R1: no kernel counts that far
    answer = holds("K0 ~card(0,0,R1)", state)
    assert (
        answer.by == MODEL
        and not answer.holds
        and is_real(*full_model(state), answer.counterexample)
    )


def test_the_models_refutation_is_real_where_the_core_could_answer_too():
    for seed in range(60):
        state = random_state(seed)
        model, here = full_model(state)
        for text in (
            "K0 ~playable(0,0)",
            "K0 K1 ~rank(1,0,1)",
            "C{0,1} ~duplicate(0,0)",
            "E{0,1} critical(1,0)",
        ):
            formula = pushed(read_formula(text, state))
            if not model.holds(formula, here):
                assert is_real(model, here, _counterexample(refute(model, formula, here), state)), (
                    text
                )


def test_the_core_does_without_scipy():
    code = (
        "import sys; sys.path.insert(0, 'tests/support'); from hanabi.logic import holds\n"
        "from hanabi.logic.logic_state import start, deck\n"
        "state = start(2, 2, deck(2, (2, 1)), [[0, 1], [5, 6]])\n"
        "print(holds('K0 K1 playable(1,0)', state).by, 'scipy.sparse' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "core False\n", done.stderr
