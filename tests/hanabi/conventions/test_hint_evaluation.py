"""Own cards by the marks (own_hand.py) and hint evaluation, against their slow twins."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from convention_agents import CHAINS, FULL, table_of
from sizes import some, tries
from slow_hints import SlowHints
from slow_marks import SlowMarks, cards_of, follow, slots_of
from test_marks import as_told, random_conventions

from hanabi.conventions import hint_evaluation, own_hand
from hanabi.conventions.register import make_plans, seat_players
from hanabi.conventions.weights import WEIGHTS
from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.moves import NOTHING, PLAY, STRIDE, TELL_COLOUR, tell_colour, tell_rank
from hanabi.state import set_answers
from hanabi.variant import Variant, read_variant
from hanabi.view import card_bit

VARIANTS = [
    "players=2",
    "players=3",
    "players=4",
    "players=5",
    "players=3,colours=3,ranks=4,hand=3,tokens=3",
    "players=4,colours=6",
    "players=2,colours=2,last_round=false",
    "players=3,colours=4,copies=32222,lives=1",
]


def random_weights(rng):
    """A value for every weight: often a whole number, a bound, or what it is if not given."""
    weights = {}
    for name, (usual, low, high, _) in WEIGHTS.items():
        weights[name] = float(
            rng.choice([usual, low, high, rng.randint(low, high), rng.uniform(low, high)])
        )
    return weights


def seated(variant, lists, weights, deck=None):
    """Return a state and view whose seats have lists of conventions and weights; deal next."""
    state, view = new_state(variant, deck)
    strategies = [
        SimpleNamespace(conventions=conventions, rules=(), weights=tuple(own_weights.items()))
        for conventions, own_weights in zip(lists, weights, strict=True)
    ]
    seat_players(
        view,
        make_plans(strategies, view, always=True),
        np.arange(variant.players).reshape(1, -1),
        0,
    )
    set_answers(
        view,
        {
            own_hand.own_cards,
            own_hand.own_counts,
            hint_evaluation.judged_hints,
            hint_evaluation.chosen_hint,
        },
    )
    return state, view


def twin_of(view, slow, weights):
    hands = {
        (seat, slot): divmod(int(view.hands[seat, slot]), STRIDE)
        for seat in range(view.players)
        for slot in range(5)
        if view.hands[seat, slot] >= 0
    }
    hands = {place: (colour, rank + 1) for place, (colour, rank) in hands.items()}
    return SlowHints(slow, hands, int(view.lives), weights)


def number(slot):
    return -1 if slot is None else slot


def check_own(view, twin):
    """My own cards by the marks, and what partners know to play."""
    view.asked = 0
    for slot in range(5):
        assert cards_of(own_hand.own_types(view, slot)) == twin.assumed.get(slot, set())
        for ask, cards in (
            (own_hand.own_playable_chance, twin.playable),
            (own_hand.own_useless_chance, twin.useless),
            (own_hand.own_critical_chance, twin.critical),
        ):
            assert (
                ask(view, slot) == twin.chance(slot, cards)
                if slot in twin.mine
                else np.isnan(ask(view, slot))
            )
        for seat in twin.partners:
            held = {card for place, card in twin.hands.items() if place == (seat, slot)}
            assert cards_of(card_bit(view, seat, slot)) == held
    for slot in twin.mine:
        assert cards_of(view.own_promised[slot]) == twin.promised[slot]
    assert (own_hand.known_play(view), own_hand.likeliest_play(view)) == (
        number(twin.play),
        number(twin.likeliest),
    )
    for seat in twin.partners:
        assert slots_of(own_hand.partner_plays(view, seat)) == twin.partner_plays(seat)


def check_hints(view, twin, rng):
    """Every hint that I may give, and the choice among them."""
    view.asked = 0
    assert hint_evaluation.in_danger(view) == twin.in_danger()
    hint_evaluation.best_hint(view, -1, 0, hint_evaluation.NOT_ALL_TRUE)
    expected = twin.hints()
    assert view.hint_count == len(expected)
    for place, (target, kind, which, honest, new, danger, value) in enumerate(expected):
        hint = view.hints[place]
        move = tell_colour(target, which) if kind == "colour" else tell_rank(target, which)
        assert (hint.move, hint.seat, hint.honest) == (move, target, honest)
        assert hint_evaluation.judged_move(view, place) == move
        if honest != hint_evaluation.FALSE_PLAY:  # which nobody asks more of
            assert (hint.new, bool(hint.dangerous)) == (new, danger)
            assert hint.value == pytest.approx(value, abs=1e-9), (target, kind, which)
    assert hint_evaluation.judged_move(view, -1) == NOTHING
    for _ in range(2):
        asked = rng.choice([-1, *twin.partners]), rng.randint(0, 2), rng.randint(1, 2)
        place, best = hint_evaluation.best_hint(view, *asked), twin.best_hint(*asked)
        # equal in value but for rounding, or the very same
        assert place == best or expected[place][6] == pytest.approx(expected[best][6], abs=1e-9)
    return len(expected)


def check_game(variant, lists, weights, moves, seed, every):
    """Play a game by moves(view) and compare what its seats think every few turns.

    Returns how much was compared.
    """
    rng = random.Random(seed)
    state, view = seated(variant, lists, weights)
    deal(state, view, seed)
    numbers = {int(view.list_of[seat]): lists[seat] for seat in range(variant.players)}
    slows = {
        number: SlowMarks(variant, as_told(conventions)) for number, conventions in numbers.items()
    }
    compared = 0
    while not is_over(view):
        if view.turn % every == seed % every:
            twin = twin_of(view, slows[int(view.list)], weights[int(view.me)])
            check_own(view, twin)
            compared += check_hints(view, twin, rng)
        apply(state, view, moves(view, state, rng))
        for slow in slows.values():
            follow(slow, int(view.history[view.turn - 1]))
    return compared


def lively(view, state, rng):
    """Hints, and plays that mostly fit, so that games last and get far."""
    moves = legal_moves(view)
    hints = [move for move in moves if move >= TELL_COLOUR]
    fits = [
        PLAY + slot
        for slot in range(5)
        if view.filled[view.me] >> slot & 1
        and int(view.playable) >> int(state.hands[view.me, slot]) & 1
    ]
    if fits and rng.random() < 0.5:
        return rng.choice(fits)
    if hints and rng.random() < 0.7:
        return rng.choice(hints)
    return rng.choice(
        [move for move in moves if move > 5] or moves if rng.random() < 0.95 else moves
    )


@pytest.mark.parametrize("text", VARIANTS)
def test_what_a_seat_thinks_is_what_its_slow_twin_thinks(text):
    """Random games at tables whose seats have different conventions and weights."""
    compared = 0
    for seed in range(tries(5)):
        rng = random.Random(f"{text} {seed}")
        variant = read_variant(text)
        lists = [random_conventions(rng) for _ in range(rng.randint(1, 2))]
        compared += check_game(
            variant,
            [rng.choice(lists) for _ in range(variant.players)],
            [random_weights(rng) for _ in range(variant.players)],
            lively,
            seed,
            4,
        )
    assert compared > tries(60)


@pytest.mark.parametrize("agents", [FULL, CHAINS], ids=["full", "chains"])
@pytest.mark.parametrize("players", some(2, 3, 4, 5, fast=(2, 4)))
def test_what_an_agent_thinks_is_what_its_slow_twin_thinks(players, agents):
    """Its own games, in which conventions are honoured, with its weights and with others."""
    strategy, variant = agents[players], Variant(players=players)
    for seed in range(1 + tries(3)):
        rng, table = random.Random(seed), table_of(variant, strategy)
        table.play(np.array([seed], np.uint64), np.zeros(players, int))
        moves = iter([int(event) & 255 for event in table.view.history[: table.view.turn]])
        weights = [
            random_weights(rng)
            if seed
            else {name: entry[0] for name, entry in WEIGHTS.items()} | dict(strategy.weights)
            for _ in range(players)
        ]
        assert (
            check_game(
                variant,
                [strategy.conventions] * players,
                weights,
                lambda view, state, rng, moves=moves: next(moves),
                seed,
                3,
            )
            > 100
        )
