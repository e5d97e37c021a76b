"""[tell Bob 1]f and [play Ann 2]f: what is true after a move, against the moved state and model."""

import random
from dataclasses import replace

import pytest
from event_models import discard, play
from hypothesis import given, settings, strategies as st
from random_formulas import atoms_of, core_formulas, formulas
from random_states import random_state
from sizes import THOROUGH, tries

from hanabi import Game
from hanabi.logic import holds
from hanabi.logic.evaluation import CORE, MODEL, state_of, true_world, worlds
from hanabi.logic.formulas import After, Considers, Knows, Not
from hanabi.logic.logic_state import LogicState
from hanabi.logic.parser import read
from hanabi.moves import COLOURS, NAMES

SEEDS = st.integers(0, 10_000)
HINTS = (*COLOURS[:3], "1", "2", "3")


def hint_of(state, rng):
    """A seat and a hint that touches one of its cards; none where no seat holds a card."""
    seats = [seat for seat in range(state.players) if state.slots([seat])]
    if not seats:
        return None
    seat = rng.choice(seats)
    return seat, rng.choice([clue for clue in HINTS if state.touched(seat, clue)])


@settings(max_examples=1000 if THOROUGH else 60, deadline=None)
@given(SEEDS, st.data())
def test_after_a_hint_is_the_position_after_it(seed, data):
    """In games of the engine: the move is made there, and the formula asked then."""
    rng = random.Random(seed)
    game = Game.new(players=rng.choice((2, 3, 4, 5)), seed=seed)
    for _ in range(rng.randrange(25)):
        if not game.is_over:
            game.push(rng.choice(game.legal_moves))
    hints = [move for move in game.legal_moves if move.startswith("tell")]
    if game.is_over or not hints:
        return
    before, hint = game.position(game.turn), rng.choice(hints)
    seats = before.variant.players
    verb, name, what = hint.split()
    target = NAMES.index(name)
    formula = data.draw(core_formulas(seats, atoms_of(LogicState.of(before))))
    game.push(hint)
    after = holds(formula, game.position(game.turn))
    answer = holds(After(verb, target, what, formula), before)
    assert answer.holds == after.holds and answer.by == after.by
    assert read(str(answer.formula), names=NAMES[:seats]) == After(verb, target, what, formula)
    assert holds(Not(answer.formula), before).holds != answer.holds


@settings(max_examples=tries(200), deadline=None)
@given(SEEDS, st.data())
def test_a_hint_inside_a_formula_is_asked_in_every_world(seed, data):
    """K_i [tell j c]f: f after the hint in each world of i, in which it may touch other cards."""
    state, rng = random_state(seed), random.Random(seed)
    found = hint_of(state, rng)
    if found is None:
        return
    seat, clue = found
    agent = rng.randrange(state.players)
    inside = data.draw(formulas(state.players, atoms_of(state), leaves=3))
    model = worlds(state)
    after = []
    for world in model.alike(agent, true_world(model)):
        hands = tuple(
            tuple(int(model.facts[f"slot({who},{slot})"][world]) for slot in range(len(hand)))
            for who, hand in enumerate(state.hands)
        )
        there = replace(state, hands=hands)
        after.append(
            not there.touched(seat, clue) or holds(After("tell", seat, clue, inside), there).holds
        )
    answer = holds(Knows(agent, After("tell", seat, clue, inside)), state)
    assert answer.holds == all(after)
    assert holds(Considers(agent, After("tell", seat, clue, inside)), state).holds == any(after)


@settings(max_examples=tries(200), deadline=None)
@given(SEEDS, st.data())
def test_a_card_that_moves_is_the_event_of_the_model(seed, data):
    state, rng = random_state(seed), random.Random(seed)
    if not state.slots():
        return
    seat, slot = rng.choice(state.slots())
    verb, event = rng.choice((("play", play), ("discard", discard)))
    formula = data.draw(formulas(state.players, atoms_of(state), leaves=3))
    moved = event(worlds(state), seat, slot)
    assert state_of(moved) == state.after_move(verb, seat, str(slot))
    answer = holds(After(verb, seat, str(slot), formula), state)
    assert answer.holds == moved.holds(formula, true_world(moved))


def test_the_sentence_of_the_command():
    """Bob is told his 1: he then knows that he can play it, and Ann knows that."""
    game = Game.new(players=3, seed=7)
    before = game.position(0)
    for text, true in (
        ("KBob playable(Bob,3)", False),
        ("[tell Bob 1]KBob playable(Bob,3)", True),
        ("[hint Bob green]KBob playable(Bob,3)", False),
        ("KAnn [tell Bob 1]KBob playable(Bob,3)", True),
        ("~[tell Bob 1]~KBob playable(Bob,3)", True),
        ("[tell Bob 1][tell Cal 1]C{Bob,Cal} playable(Bob,3)", True),
        ("[play Bob 3]dead(Ann,1)", True),
        ("[discard Bob 3]dead(Ann,1)", False),
    ):
        assert holds(text, before).holds == true, text


def test_only_a_hint_that_its_seat_does_not_foresee_needs_a_model():
    state = random_state(3)
    seat, clue = hint_of(state, random.Random(1))
    after = After("tell", seat, clue, Knows(seat, atoms_of(state)[0]))
    assert holds(Knows(seat, after), state).by == MODEL
    other = (seat + 1) % state.players
    assert holds(Knows(other, after), state).by == CORE


@pytest.mark.parametrize(
    "text, message",
    [
        ("[tell Bob 5]true", "tell Bob 5 touches no card of Bob"),
        ("[tell Bob 7]true", "column 1: no move tell 1 7: write tell Bob R, tell Bob 3"),
        ("[tell Zoe 1]true", "column 7: no agent Zoe; the agents are Ann"),
        ("[play Ann 9]true", "play Ann 9: Ann has no card there"),
        ("[play Ann R]true", "column 1: no move play 0 R"),
        ("KAnn [play Ann 1]true", r"\[play Ann 1\] stands inside a formula: only a hint can"),
        ("[tell Bob 1]", "column 13: expected a formula, found the end"),
    ],
)
def test_what_is_wrong_is_told(text, message):
    with pytest.raises(ValueError, match=message):
        holds(text, Game.new(players=3, seed=7).position(0))


def test_a_model_of_no_game_has_no_moves():
    with pytest.raises(ValueError, match="column 1: a move needs a position of Hanabi"):
        read("[tell 1 R]p")
    assert read("[tell!]p") is not None, "an atom may have this name"
