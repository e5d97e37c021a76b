"""Codes: everybody reads the own answer without seeing the own hand, and nobody reads more."""

import random

import numpy as np
import pytest
from random_guards import random_guard
from sizes import tries
from slow_code import FAULTS, SlowCode
from slow_marks import difference, follow
from worked_examples import judged, play

from hanabi.backend import compiled, copy_record
from hanabi.conventions import codes
from hanabi.conventions.fields import ROW_WIDTH
from hanabi.conventions.hint_evaluation import FALSE_PLAY, HONEST
from hanabi.conventions.marks import CONSIDER, prepare_reading, read
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    find_convention,
    keep_marks,
    sort_by_stage,
)
from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.moves import DISCARD, SLOTS, TELL_COLOUR, set_text, slot_of
from hanabi.rulebook import Rule
from hanabi.rules.agents import dumps, load, loads
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant, read_variant
from hanabi.view import seat_after

AGENT = load("code-information")
QUESTIONS = [one for one in CONVENTION_FAMILIES.values() if one.stage == "question"]


def as_told(conventions):
    return [(one.family.name, one.settings, one.guard) for one in sort_by_stage(conventions)]


def random_code(rng):
    """A code and some questions, with values from their grids, some with guards."""
    families = [CONVENTION_FAMILIES["code"], *rng.choices(QUESTIONS, k=rng.randint(0, 5))]
    some = [
        Rule(
            family,
            tuple(rng.choice(choices) for choices in family.grid.values()),
            random_guard(rng, family) if family.stage == "question" else None,
        )
        for family in families
    ]
    return tuple({one.name: one for one in some}.values())


def difference_in_game(variant, conventions, seed, fault=""):
    """Play a game with right numbers; what some player reads otherwise than the marks, or ""."""
    strategy = AGENT.at(variant.players)
    player = type(strategy)(strategy.rules, strategy.otherwise, conventions, strategy.weights)
    table = Table(variant, [player], trial=False)
    table.play([seed], np.zeros(variant.players, int))
    moves = [int(event) & 255 for event in table.view.history[: table.view.turn]]
    state, view = new_state(variant)
    keep_marks(view, [conventions] * variant.players)
    deal(state, view, seed)
    hands = state.hands

    def seen_by(observer):
        def see(seat, slot):
            assert seat != observer, "nobody sees the own hand"
            card = int(hands[seat, slot])
            return card // 5, card % 5 + 1

        return see

    slows = [
        SlowCode(variant, as_told(conventions), seat, seen_by(seat), fault)
        for seat in range(variant.players)
    ]
    for turn, move in enumerate(moves):
        mover, hands = int(view.me), state.hands.copy()  # what the players see while they read
        apply(state, view, move)
        for slow in slows:
            follow(slow, int(view.history[turn]))
        for seat, slow in enumerate(slows):
            wrong = difference(view, 0, slow)
            if wrong:
                return f"turn {turn}, move {move}, {seat} reads {wrong} (of {mover})"
    return ""


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.slow), 5])
def test_every_player_reads_the_marks_without_seeing_the_own_hand(players):
    for seed in range(tries(18)):
        rng = random.Random(seed)
        own = AGENT.at(players).conventions
        conventions = own if seed % 3 == 0 else random_code(rng)
        text = "standard" if seed % 2 == 0 else "colours=3,ranks=4,hand=3"
        variant = read_variant(text).at(players)
        assert difference_in_game(variant, conventions, seed) == "", (
            f"seed {seed}, {as_told(conventions)}"
        )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_reading_is_caught(fault):
    conventions = AGENT.at(4).conventions
    seen = [difference_in_game(Variant(players=4), conventions, seed, fault) for seed in range(2)]
    assert any(seen)


@compiled
def wrong_readings(view, own, move):
    """How many players, who do not see the own hand, read otherwise what a move tells.

    Args:
        view: The view of the seat to move.
        own: Another view, to write on.
        move: The move.
    """
    wrong = 0
    copy_record(view, own)
    prepare_reading(own, move)
    modulus, told = own.told.notes[codes.MODULUS], own.told.narrows
    row = np.zeros((5, ROW_WIDTH), np.int64)
    for seat in range(5):
        for slot in range(SLOTS):
            row[seat, slot] = own.told.assumed[seat, slot]
    number = 0
    if move >= TELL_COLOUR:
        number = codes.hinted_number(own, move)
    else:
        slots = codes.telling_slots(own, move < DISCARD)
        for slot in range(slot_of(move)):
            number += slots >> slot & 1
    for steps in range(1, view.players) if told != 0 else range(0):
        seat = seat_after(view, steps)
        copy_record(view, own)
        for slot in range(SLOTS):
            own.hands[seat, slot] = -1
        own.held[seat] = 0
        silent = 1 if move < TELL_COLOUR and move >= DISCARD and view.tokens > 0 else 0
        own.told.notes[codes.MODULUS] = modulus
        rest = number
        for more in range(1, view.players):
            other = seat_after(view, more)
            codes._begin_seat(own, other, silent)
            if other != seat and modulus > 1:
                rest -= codes._encode(own, other)
        if modulus > 1:
            codes._decode(own, seat, (rest % modulus + modulus) % modulus)
        for slot in range(SLOTS):
            wrong += 1 if own.told.assumed[seat, slot] != row[seat, slot] else 0
    return wrong


@compiled
def count_wrong_readings(state, view, own, moves, counts):
    """Play moves; add to counts the turns, the wrong readings, and false sets of types."""
    for move in moves:
        counts[0] += 1
        counts[1] += wrong_readings(view, own, move)
        apply(state, view, move)
        for seat in range(view.players):
            for slot in range(SLOTS):
                card = state.hands[seat, slot]
                if card >= 0 and view.marks[0].promised[seat, slot] >> card & 1 == 0:
                    counts[2] += 1


def readings_of(players, games):
    """(turns, wrong readings, false sets) of games of the agent."""
    variant, player = Variant(players=players), AGENT.at(players)
    table, counts = Table(variant, [player]), np.zeros(3, np.int64)
    state, view = new_state(variant)
    own = view.copy()
    keep_marks(view, [player.conventions] * players)
    for seed in game_seeds(36, games):
        table.play([seed], np.zeros(players, int))
        moves = np.array(table.view.history[: table.view.turn] & 255)
        deal(state, view, seed)
        count_wrong_readings(state, view, own, moves, counts)
    return tuple(counts)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_decoding_from_each_own_view_gives_the_marks(players):
    turns, wrong, false = readings_of(players, 40)
    assert turns > 1500 and wrong == 0 and false == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_decoding_from_each_own_view_gives_the_marks_in_many_games(players):
    turns, wrong, false = readings_of(players, 20_000)
    assert turns > 800_000 and wrong == 0 and false == 0


def test_a_wrong_number_is_read_by_everybody_as_it_is_told():
    for players in (2, 3, 5):
        conventions, variant = AGENT.at(players).conventions, Variant(players=players)
        for seed in range(4):
            state, view = new_state(variant)
            keep_marks(view, [conventions] * players)
            deal(state, view, seed)
            hands = state.hands.copy()
            hints = [move for move in legal_moves(view) if move >= TELL_COLOUR]
            move = random.Random(seed).choice(hints)
            apply(state, view, move)
            for seat in range(1, players):

                def see(other, slot, seat=seat, hands=hands):
                    assert other != seat
                    return int(hands[other, slot]) // 5, int(hands[other, slot]) % 5 + 1

                slow = SlowCode(variant, as_told(conventions), seat, see)
                follow(slow, int(view.history[0]))
                start = f"promised ({seat}, ", f"assumed ({seat}, "
                assert not [line for line in difference(view, 0, slow) if line.startswith(start)]


def test_hints_with_the_right_number_are_chosen_by_weights():
    """Of hints with the number the one that tells most, and another one with other weights."""
    table, other = (
        Table(Variant(players=3), [type(player)(*list(vars(player).values())[:3], weights)])
        for player in [AGENT.at(3)]
        for weights in ((), (("information", 0),))
    )
    first, second = (one.play(game_seeds(3, 300), np.zeros(3, int)) for one in (table, other))
    assert (first["score"] != second["score"]).any()


def test_a_considered_hint_leaves_the_marks_as_they_are():
    variant, conventions = Variant(players=3), AGENT.at(3).conventions
    state, view = new_state(variant)
    keep_marks(view, [conventions] * 3)
    deal(state, view, 5)
    before = view.marks.tobytes()
    for move in legal_moves(view):
        read(view, CONSIDER - move)
    assert view.marks.tobytes() == before and not is_over(view)


def test_lists_with_questions_read_back():
    assert loads(dumps(AGENT), "code").hash == AGENT.hash
    text = "ask_whether(what=2, chance=0.5, near=0.2) when deck <= 10"
    assert find_convention(text).name == text
    with pytest.raises(ValueError, match="is twice in the list"):
        names = ["code(index=0, kinds=1, discards=1, plays=0, silent=1)"] * 2
        sort_by_stage(map(find_convention, names))


def says(touched=0, shift=0, among=0, what=0, promised=1):
    return f"number_says({touched=}, {shift=}, {among=}, {what=}, {promised=})"


HANDS = ["B1 B2 B3 B4 B5", "R4 G2 R5 G3 Y1"]  # Ann and Bob; the last card is the newest


@pytest.mark.parametrize(
    "told, hint, fits",
    [
        (says(), "tell Bob 1", True),  # number 1, Bob's newest
        (says(), "tell Bob R", True),  # red is 1
        (says(), "tell Bob 2", False),
        (says(shift=1), "tell Bob R", False),
        (says(shift=1), "tell Bob 5", True),  # 6 is 1 of five cards
        (says(touched=1), "tell Bob 5", True),  # 5 and 1 touched, the same
        (says(touched=1), "tell Bob R", False),  # 1 and 2 touched
    ],
)
def test_the_number_of_a_hint_counts_through_the_hand_from_the_newest_card(told, hint, fits):
    assert judged(play(HANDS, [told], []), hint) == ((HONEST, 1) if fits else (FALSE_PLAY, 0))


def test_a_number_counts_the_undecided_cards_only():
    """After a first number Bob's newest card is decided, the next counts from the second newest."""
    hands = [HANDS[0], "R4 G2 W1 R1 Y1"]
    for among, slots in ((0, (4, 4)), (1, (4, 3))):
        view = play(hands, [says(among=among)], ["tell Bob R", "tell Ann B", "tell Bob R"])
        plays = {slot for slot in range(SLOTS) if int(view.marks[0].plays[1]) >> slot & 1}
        assert plays == {*slots}, "of red cards the touched ones are undecided"
        assert set_text(int(view.marks[0].promised[1, 4])) == "B1 G1 Y1 W1"
    view = play(hands, [says(among=2)], ["tell Bob R", "tell Ann B", "tell Bob R"])
    assert int(view.marks[0].plays[1]) == 1 << 4 | 1 << 2, "the newest untouched undecided card"


def test_a_number_may_be_about_useless_cards():
    useless = play(HANDS, [says(what=1, promised=0)], ["play 0", "tell Ann B", "tell Bob R"])
    assert set_text(int(useless.marks[0].assumed[1, 4])) == "B1"
    assert int(useless.marks[0].pledged[1]) == 0
