"""The convention chain and its rule, in worked examples; the agent that plays by them.

The positions of the H-Group (test_hgroup.py) have chains too: reverse, self, layered, of two cards.
"""

from collections import Counter

import pytest
from convention_agents import CHAINS, dealt_again
from worked_examples import answer as answer_of, judged, play, played

from hanabi.conventions.chains import (
    CHAIN as KEY,
    GIVER,
    OFFERED,
    PASSED,
    TARGET,
    chain_plays,
    open_slot,
    types_away,
)
from hanabi.conventions.hint_evaluation import (
    FALSE_PLAY,
    HONEST,
)
from hanabi.conventions.marks import CONSIDER, read
from hanabi.conventions.memory import memory_of, memory_place
from hanabi.game import apply, event_fits
from hanabi.moves import is_play, read_move, set_text, slot_of

CHAIN = ["chop_oldest", "chain(cards=2)"]
# slot 4 holds the newest card. Bob has R1 there, and R2 next to it; Cal has R3.
HANDS = ["B4 B5 G4 G5 Y4", "W3 W4 G3 R2 R1", "B4 Y4 W4 R3 Y5"]


def answer(view):
    return answer_of(view, "answer_chain")


def memory(view):
    """What is known of the open chain."""
    return memory_of(view, KEY)


def next_answer(view):
    """The slot with which the seat to move would answer the open chain; -1 for none."""
    return open_slot(view, memory(view), view.me) if memory(view)[GIVER] >= 0 else -1


def promised(view, seat, slot):
    return set_text(int(view.marks[0].promised[seat, slot]))


def test_two_cards_of_one_player_are_played_one_after_the_other():
    view = play(HANDS, CHAIN, [])
    assert judged(view, "tell Cal R") == (HONEST, 3)
    view = play(HANDS, CHAIN, ["tell Cal R"])
    assert set_text(int(memory(view)[OFFERED])) == "R123"
    assert answer(view) == "play 4"
    view = play(HANDS, CHAIN, ["tell Cal R", "play 4"])
    assert set_text(int(memory(view)[OFFERED])) == "R23" and answer(view) == "nothing"
    view = play(HANDS, CHAIN, ["tell Cal R", "play 4", "discard 0", "tell Bob W"])
    assert answer(view) == "play 3"
    view = play(HANDS, CHAIN, ["tell Cal R", "play 4", "discard 0", "tell Bob W", "play 3"])
    assert promised(view, 2, 3) == "R3" and view.marks[0].plays[2] == 1 << 3
    assert memory(view)[GIVER] == -1


def test_no_chain_needs_a_card_that_can_never_be_played():
    """Both R2 were discarded."""
    hands = ["R2 B5 G4 G5 Y4", "R2 W4 G3 Y3 R1", "B4 Y4 W4 R3 Y5"]
    view = play(hands, CHAIN, ["tell Bob 4", "discard 0", "tell Bob 3", "discard 0"])
    assert set_text(types_away(view, 2)) == "B23 G23 Y23 W23"
    assert set_text(types_away(play(hands, CHAIN, []), 1)) == "R2 B2 G2 Y2 W2"


def test_while_a_pair_is_open_no_hint_is_a_chain():
    """Bob's hint of red to Ann needs Cal's R1. Ann's touches the chop, and passes over Bob or not."""
    hands = ["B4 B5 G4 R2 Y4", "W3 W4 G3 Y3 B2", "R4 Y4 W4 B3 R1"]
    view = play(hands, [*CHAIN, "pair"], ["tell Bob W", "tell Ann R"])
    assert memory(view)[GIVER] == 1
    view = play(hands, [*CHAIN, "pair"], ["tell Cal R", "tell Ann R"])
    assert memory(view)[GIVER] == -1


def test_a_chain_is_at_most_so_long_as_its_value_says():
    view = play(HANDS, ["chop_oldest", "chain(cards=1)"], [])
    assert judged(view, "tell Cal R")[0] == FALSE_PLAY
    assert judged(play(HANDS, ["chop_oldest", "chain(cards=3)"], []), "tell Cal R")[0] == HONEST


def test_who_sees_the_card_with_another_player_passes_and_of_two_holders_the_last_answers():
    hands = ["B4 B5 G4 G5", "W3 W4 G3 R1", "B3 B4 Y4 R1", "Y4 R2 W4 B3"]
    view = play(hands, CHAIN, ["tell Dee R"])
    assert answer(view) == "nothing", "Bob sees Cal's R1"
    view = play(hands, CHAIN, ["tell Dee R", "discard 0"])
    assert answer(view) == "play 3", "Bob passed, so it is Cal's"


def test_neither_the_giver_nor_a_receiver_whose_focus_may_fit_is_asked():
    bob, cal = "W5 W4 G3 G4 B1", "B4 Y4 B2 W4 B1"
    view = play(["B4 B5 G4 G5 B1", bob, "B4 Y4 B2 W4 Y5"], CHAIN, ["tell Cal 2"])
    assert answer(view) == "play 4", "Ann's B1 does not count"
    hands = ["B4 B5 G4 R2", "W3 W4 G3 R1", "B3 B4 Y4 R2", "Y4 R3 W4 B3"]
    view = play(hands, CHAIN, ["tell Dee R", "play 3"])
    assert answer(view) == "play 3", "nor does Ann's R2, before she moves"
    view = play(["B4 B5 G4 G5 Y4", bob, cal], CHAIN, ["tell Cal 2"])
    assert answer(view) == "nothing", "no 2 fits, so Cal plays their B1"
    told = ["tell Bob 5", "tell Ann R", "tell Bob 4", "play 1", "tell Ann 5", "tell Bob 5"]
    guarded = ["chop_oldest", "chain(cards=2) when rank == 1 and touches == 1"]
    view = play(["B4 R1 G4 G5 Y4", bob, cal], guarded, [*told, "tell Cal 2"])
    assert answer(view) == "play 4", "an R2 would fit, so Cal waits"


def test_a_hint_whose_card_nobody_would_answer_is_a_false_play():
    hands = [HANDS[0], "W3 W4 R1 G3 R2", HANDS[2]]
    assert judged(play(hands, CHAIN, []), "tell Cal R")[0] == FALSE_PLAY, "G3 is newer than R1"


def test_a_layer_that_could_be_taken_for_the_needed_card_is_a_false_play():
    """Ann tells Cal 2: Bob's R1 would be taken for the card below Cal's B2."""
    hands = [HANDS[0], "W3 W4 G3 B1 R1", "B4 Y4 W4 B2 Y5"]
    assert judged(play(hands, CHAIN, []), "tell Cal 2")[0] == FALSE_PLAY
    hands = [HANDS[0], "W3 W4 G3 B1 R1", "G4 Y4 W4 B2 Y5"]
    assert judged(play(hands, CHAIN, []), "tell Cal B") == (HONEST, 3), "R1 is a layer"


def test_the_receiver_plays_a_card_that_fits_where_nobody_holds_one_in_between():
    hands = [HANDS[0], "G3 R1 W4 G4 W3", "B4 Y4 W4 R3 Y5"]
    view = play(hands, CHAIN, ["tell Bob R"])
    assert answer(view) == "play 1"
    view = play([hands[0], hands[1], "B4 Y4 W4 R3 R1"], CHAIN, ["tell Bob R"])
    assert answer(view) == "nothing", "Cal's R1 may be the one"
    view = play([hands[0], hands[1], "B4 Y4 W4 R3 R1"], CHAIN, ["tell Bob R", "discard 0"])
    assert answer(view) == "nothing", "Cal sees that Bob's R1 fits"
    text = ["tell Bob R", "discard 0", "tell Ann Y"]
    view = play([hands[0], hands[1], "B4 Y4 W4 R3 R1"], CHAIN, text)
    assert promised(view, 1, 1) == "R1", "so Cal's move told Bob"


def test_a_misplayed_answer_ends_a_chain_and_promises_nothing():
    view = play([HANDS[0], "W3 W4 G3 R2 R4", HANDS[2]], CHAIN, ["tell Cal R", "play 4"])
    assert memory(view)[GIVER] == -1 and promised(view, 2, 3) == "R12345"


def plays(hands, text):
    """(first seat to answer, types that are played before the focus) of a hint of Ann."""
    view = play(hands, CHAIN, [])
    read(view, CONSIDER - read_move(text))
    found = chain_plays(view, view.readings[0])
    return int(found.first), set_text(int(found.cards))


def test_the_giver_counts_on_the_last_holder_in_turn_after_the_last_answer():
    hands = ["B4 B5 G4 G5", "W3 W4 G3 R1", "B3 B4 Y4 R1", "Y4 R2 W4 B3"]
    assert plays(hands, "tell Dee R") == (2, "R1")
    # Cal plays R1; then Dee and Bob hold R2, and of these Bob moves later. Dee's is below a B1.
    hands = ["B4 B5 G4 G5", "W3 W4 G3 R2", "B3 B4 Y4 R1", "W5 G3 R2 B1", "Y4 R3 W4 B3"]
    assert plays(hands, "tell Eve R") == (2, "R12")


def test_a_card_that_surely_does_not_fit_is_no_answer():
    """By what was told, Bob's newest card is red; he sees all three R1."""
    hands = ["R1 R1 R1 Y4 G5", "B3 G3 Y3 W3 R4", "B4 Y5 R2 B5 W4"]
    told = ["tell Bob B", "tell Ann 5", "tell Bob G", "tell Bob Y", "tell Ann 5", "tell Bob W"]
    guarded = ["chop_oldest", "chain(cards=2) when rank == 0 and distance == 2"]
    view = play(hands, guarded, [*told, "tell Cal R"])
    assert memory(view)[GIVER] == 0 and open_slot(view, memory(view), 1) == 4
    assert answer(view) == "nothing"


def test_a_focus_that_is_not_of_the_told_types_gets_no_answer():
    hands = [HANDS[0], HANDS[1], "B4 Y4 W4 R5 Y5"]
    assert answer(play(hands, CHAIN, ["tell Cal R"])) == "nothing"


def test_a_card_that_everybody_knows_is_left_to_its_holder():
    hands = ["B4 B5 G4 G5", "W3 W4 G3 Y3", "R1 B4 Y4 W4", "W5 G3 Y3 B1", "Y4 R2 W2 B3"]
    before = ["tell Bob 4", "tell Cal 1", "tell Ann 5", "tell Ann 5", "tell Ann B"]
    told = ["chop_oldest", "chain(cards=2) when rank == 0 and distance == 4"]
    view = play(hands, told, [*before, "tell Eve R", "tell Ann G", "discard 1"])
    assert memory(view)[PASSED] == 0b00111 and answer(view) == "play 3"
    view = play(hands, told, [*before, "tell Eve R", "tell Cal R", "discard 1"])
    assert memory(view)[PASSED] == 0b00111 and answer(view) == "nothing"


def test_a_receiver_who_does_not_answer_in_time_ends_a_chain():
    hands = ["B4 B5 G4 G5 Y4", "W5 W4 G3 G4 Y3", "B4 Y4 B2 W4 B1"]
    view = play(hands, CHAIN, ["tell Cal 2", "discard 0"])
    assert memory(view)[GIVER] == 0 and answer(view) == "play 4"
    view = play(hands, CHAIN, ["tell Cal 2", "discard 0", "tell Ann B"])
    assert memory(view)[GIVER] == -1 and promised(view, 2, 2) == "R2 B2 G2 Y2 W2"


@pytest.mark.parametrize("since", [4, 5])
def test_what_a_misplay_drops_ends_a_chain_that_was_opened_since(since):
    """Bob misplays W3, of which hints said something since that turn; Cal's focus is of turn 4."""
    hands = ["B4 B5 G4 G5", "W3 W4 G3 R1", "B4 Y4 W4 R2", "Y4 Y3 W3 B3"]
    state, view = played(hands, [*CHAIN, "misplay_drops"], ["tell Cal R"])
    marks = view.marks[0]
    marks.dated[2, 3], marks.dated[1, 0] = 4, since
    marks.pledged[2] = 0b1100
    assert marks.awaited[2] == 0b1000
    apply(state, view, read_move("play 0"))
    is_dropped = since == 4
    assert memory(view)[GIVER] == (-1 if is_dropped else 0)
    assert marks.pledged[2] == (0b100 if is_dropped else 0b1100), "slot 3 is not to be kept"
    assert marks.awaited[2] == (0 if is_dropped else 0b1000)


def test_one_chain_is_open_at_a_time():
    hands = ["B4 B5 G4 G5", "W3 W4 G3 R2", "B3 B4 Y4 R1", "Y4 R2 W4 B3"]
    view = play(hands, CHAIN, ["tell Dee R", "tell Ann 5"])
    assert (memory(view)[GIVER], memory(view)[TARGET]) == (0, 3)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_chains_of_hgroup_5_that_its_giver_holds_for_true_are_answered(players):
    """By plays that fit, in its own games; the focus fits in the end, but for rare accidents."""
    ends = Counter()
    for seed in range(60):
        state, view, moves = dealt_again(CHAINS[players], players, seed)
        focus = None
        for move in moves:
            if focus is None and not memory(view)[GIVER] >= 0:
                reader = view.copy()
                read(reader, CONSIDER - move)
                reading = reader.readings[0]
                is_chain = reader.meant[memory_place(reader, KEY)] & 1
                if is_chain and chain_plays(view, reading).cards:
                    focus = int(reading.target), int(reading.note)
            answer = next_answer(view)
            apply(state, view, move)
            if focus and is_play(move) and slot_of(move) == answer:
                ends["fits" if event_fits(int(view.history[view.turn - 1])) else "misplay"] += 1
            if focus and memory(view)[GIVER] < 0:
                card = int(state.hands[focus])
                is_known = int(view.marks[0].promised[focus]) >> max(card, 0) & 1
                ends["true" if card >= 0 and is_known else "false"] += 1
                focus = None
    assert ends["fits"] > 10 and ends["true"] > 10
    assert ends["misplay"] + ends["false"] <= 0.08 * (ends["fits"] + ends["true"]), ends
