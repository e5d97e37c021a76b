"""The convention pair and its rule, in worked examples; the agent that plays by them."""

import pytest
from convention_agents import REACTOR, dealt_again
from worked_examples import answer as answer_of, judged, play

from hanabi.conventions.hint_evaluation import (
    FALSE_PLAY,
    HONEST,
)
from hanabi.conventions.memory import memory_of
from hanabi.conventions.pairs import meant_by, note_of
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.game import apply, event_fits
from hanabi.moves import is_play, move_text, play as play_move, set_text, slot_of
from hanabi.rulebook import find
from hanabi.rules.pair_rules import GIVER, MEANT, NOTE, PAIR
from hanabi.state import every_answer, set_answers

# slot 4 holds the newest card, place 1; slot 0 the oldest, place 5. Colours are 1 to 5: R B G Y W.
HANDS = ["B1 B2 B3 B4 B5", "G4 G2 R1 Y4 W3", "R4 W2 W1 W4 G4"]


def answer(view):
    return answer_of(view, "answer_pair")


def memory(view):
    return memory_of(view, PAIR)


def second_seat(view):
    return meant_by(int(memory(view)[NOTE])).seat


def promised(view, seat, slot):
    return set_text(int(view.marks[0].promised[seat, slot]))


def test_the_number_of_a_hint_is_the_sum_of_two_places():
    """Ann tells Cal red, number 1. Cal's playable W1 has place 3; 3 + 3 is one hand more than 1."""
    view = play(HANDS, ["pair"], [])
    assert judged(view, "tell Cal R") == (HONEST, 2)
    assert judged(view, "tell Cal 2")[0] == FALSE_PLAY, "2 - 3 = 4, Bob's G2"
    view = play(HANDS, ["pair"], ["tell Cal R"])
    assert (memory(view)[GIVER], second_seat(view)) == (0, 2)
    assert answer(view) == "play 2"
    assert promised(view, 2, 2) == "B12345 G12345 Y12345 W12345", "no more yet than the words"


def test_save_may_give_anybody_a_play():
    """Bob is about to discard B5. Cal's white means W1 there and G1 of Bob, who then plays."""
    hands = ["B1 B2 B3 B4 Y5", "B5 R3 R4 G3 G1", "Y4 W1 W4 B4 R2"]
    for lax, hint in ((0, "tell Bob 1"), (1, "tell Bob 1"), (2, "tell Cal W")):
        view = play(hands, ["pair", "warning(colours=0)"], [])
        set_answers(view, every_answer())
        assert move_text(find(f"save(lax={lax})")(view)) == hint


def test_the_answer_tells_the_target_its_card_and_that_newer_ones_did_not_fit():
    view = play(HANDS, ["pair"], ["tell Cal R", "play 2"])
    assert memory(view)[GIVER] == -1 and view.marks[0].pledged[2] == 1 << 2
    assert promised(view, 2, 2) == "B1 G1 Y1 W1" and view.marks[0].plays[2] == 1 << 2
    assert promised(view, 2, 3) == promised(view, 2, 4) == "B2345 G2345 Y2345 W2345"
    assert promised(view, 2, 1) == "B12345 G12345 Y12345 W12345", "an older card"


def test_a_newer_card_that_the_target_plays_anyway_is_not_denied():
    """The hint chose among the other cards; Cal's newest is a play already."""
    event = play(HANDS, ["pair"], ["tell Cal R", "play 2"]).history[1]
    for plays, newest in ((0, "B2345 G2345 Y2345 W2345"), (1 << 4, "B12345 G12345 Y12345 W12345")):
        view = play(HANDS, ["pair"], ["tell Cal R"])
        meant = meant_by(int(memory(view)[NOTE]))._replace(known=plays)
        memory(view)[NOTE] = note_of(meant)
        view.history[1], view.turn, view.open = event, 2, 1
        view.readings[0].giver, view.readings[0].move = 1, play_move(2)
        (close,) = [one for one in CONVENTION_FAMILIES["pair"].hooks if one.stage == "after_move"]
        close.reached(view)
        assert promised(view, 2, 3) == "B2345 G2345 Y2345 W2345"
        assert promised(view, 2, 4) == newest


def test_without_a_playable_card_the_target_s_is_one_away_and_the_answer_the_card_below():
    hands = [HANDS[0], "G4 G2 R1 Y4 W3", "R4 W3 R2 W4 G4"]
    view = play(hands, ["pair"], [])
    assert judged(view, "tell Cal R") == (HONEST, 2)
    view = play(hands, ["pair"], ["tell Cal R"])
    assert answer(view) == "play 2"
    view = play(hands, ["pair"], ["tell Cal R", "play 2"])
    assert promised(view, 2, 2) == "R2", "the hint says that it is red"
    other = [HANDS[0], "G4 G2 B1 Y4 W3", "R4 W3 R2 W4 G4"]
    assert judged(play(other, ["pair"], []), "tell Cal R")[0] == FALSE_PLAY, "B1 is not below R2"


def test_a_card_that_surely_does_not_fit_is_no_answer():
    hands = [HANDS[0], "G4 G2 R5 Y4 W3", HANDS[2]]
    view = play(hands, ["pair"], ["tell Cal R"])
    assert answer(view) == "play 2"
    view = play(hands, ["pair"], ["tell Bob 5", "tell Cal 4", "tell Ann B", "tell Cal R"])
    assert memory(view)[GIVER] == 0 and answer(view) == "nothing"


def test_who_answers_a_pair_discards_nothing():
    """Bob would throw G5, his chop, away; after Ann's hint he plays his R1 instead."""
    hands = [HANDS[0], "G5 G2 R1 Y4 W3", HANDS[2]]
    assert judged(play(hands, ["pair"], []), "tell Cal R") == (HONEST, 2)


def test_two_copies_of_a_card_make_no_pair():
    hands = [HANDS[0], "G4 G2 W1 Y4 W3", "R4 W2 W1 W4 G4"]
    assert judged(play(hands, ["pair"], []), "tell Cal R")[0] == FALSE_PLAY


def test_another_move_of_the_next_player_ends_it_and_says_nothing():
    for move in ("discard 0", "play 0", "tell Ann B"):
        view = play(HANDS, ["pair"], ["tell Cal R", move])
        assert memory(view)[GIVER] == -1 and view.marks[0].pledged[2] == 0
        assert promised(view, 2, 2) == "B12345 G12345 Y12345 W12345"


def test_a_card_that_the_words_show_to_be_playable_is_not_the_one_meant():
    """Ann tells Cal 1: Cal plays the W1 in any case, and no other card of Cal is near."""
    hands = [HANDS[0], HANDS[1], "R4 W4 W1 W4 G4"]
    view = play(hands, ["pair"], [])
    assert judged(view, "tell Cal 1")[0] == FALSE_PLAY
    assert answer(play(hands, ["pair"], ["tell Cal 1"])) == "nothing"


def test_a_hint_to_the_next_player_is_no_pair_and_one_waits_at_a_time():
    assert memory(play(HANDS, ["pair"], ["tell Bob R"]))[GIVER] == -1
    view = play(HANDS, ["pair"], ["tell Cal R", "tell Ann B"])
    assert memory(view)[GIVER] == -1, "Bob's hint passes over Cal while Ann's pair waits"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_pair_of_reactor_is_answered_and_the_card_of_its_target_fits_then(players):
    pairs = 0
    for seed in range(20):
        state, view, moves = dealt_again(REACTOR[players], players, seed)
        for move in moves:
            waits, target = int(memory(view)[GIVER]) >= 0, second_seat(view)
            slot = int(memory(view)[MEANT + slot_of(move)]) if waits and is_play(move) else -1
            apply(state, view, move)
            if waits:
                pairs += 1
                assert event_fits(int(view.history[view.turn - 1])) and slot >= 0
                assert int(view.playable) >> int(state.hands[target, slot]) & 1
    assert pairs > 60
