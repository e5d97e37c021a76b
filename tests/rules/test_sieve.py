"""The agent sieve in worked examples: a hint means the neighbour of the cards it touches."""

from worked_examples import play

from hanabi.moves import set_text
from hanabi.rules.agents import load

# slot 4 holds the newest card, slot 0 the oldest; Bob's slots 1 and 2 are red
HANDS = ["B1 B2 B3 B4 B5", "G4 R3 R4 W1 Y2"]
CONVENTIONS = [entry.name for entry in load("sieve").at(2).conventions]


def assumed(moves, slot, hands=HANDS):
    view = play(hands, CONVENTIONS, moves)
    return set_text(int(view.marks[0].assumed[1, slot]))


def test_the_newest_card_is_the_chop():
    assert play(HANDS, CONVENTIONS, []).marks[0].expected == 4


def test_a_colour_says_that_the_next_newer_card_is_playable():
    assert assumed(["tell Bob R"], 3) == "B1 G1 Y1 W1"
    assert assumed(["tell Bob R"], 0) == assumed(["tell Bob R"], 4) == "B12345 G12345 Y12345 W12345"


def test_a_rank_says_that_the_next_older_card_is_useless():
    """After B1 and R1, Ann tells Bob 3: slot 0, next to the R3, is a second copy of one of them."""
    hands = ["B1 R1 B3 B4 B5", "R1 R3 W4 W3 Y2"]
    moves = ["play 0", "tell Ann 5", "play 1", "tell Ann 5", "tell Bob 3"]
    assert assumed(moves, 0, hands) == "R1 B1"


def test_a_hint_that_shows_a_playable_card_says_nothing_more():
    """Ann tells Bob 1: the W1 in slot 3 is playable, so slot 4 is not meant."""
    assert assumed(["tell Bob 1"], 3) == "R1 B1 G1 Y1 W1"
    assert assumed(["tell Bob 1"], 2) == "R2345 B2345 G2345 Y2345 W2345"
