"""The convention means, which is made of parts, and its rule, in worked examples."""

import numpy as np
import pytest
from convention_agents import REACTOR
from worked_examples import answer as answer_of, judged, play

from hanabi.conventions.hint_evaluation import FALSE_PLAY, HONEST
from hanabi.conventions.memory import memory_of
from hanabi.conventions.register import find_convention
from hanabi.moves import set_text
from hanabi.rulebook import find
from hanabi.rules.pair_rules import GIVER, MEANS
from hanabi.table import ListPlayer, Table
from hanabi.variant import Variant

# slot 3 holds the newest card, place 1; slot 0 the oldest, place 4. Colours are 1 to 5: R B G Y W.
HANDS = ["B1 B2 B3 B4", "G4 R1 Y4 W3", "R4 W1 W4 G4", "Y3 B3 Y4 B1"]
RECEIVER, NEXT, THIRD, PAIR, WITH_THIRD = range(5)


def means(number=0, shift=0, among=0, to=RECEIVER, what=0):
    return f"means({number=}, {shift=}, {among=}, {to=}, {what=})"


def promised(view, seat, slot):
    return set_text(int(view.marks[0].promised[seat, slot]))


@pytest.mark.parametrize(
    "parts, hint, seat, slot, fits",
    [
        ({}, "tell Bob 3", 1, 1, True),  # number 3, Bob's R1
        ({"shift": 3}, "tell Bob Y", 1, 1, True),  # 4 and 3 are 7, round again
        ({"number": 1, "shift": 1}, "tell Bob R", 1, 1, True),  # 1, 1 and a card touched
        ({"number": 2}, "tell Bob R", 1, 1, True),  # the place of R1
        ({"number": 2}, "tell Bob 4", 1, 2, False),  # the newest 4 is not playable
        ({"number": 3, "shift": 2}, "tell Bob G", 1, 1, True),  # Bob is 1 seat on
        ({"to": NEXT}, "tell Cal G", 1, 1, True),  # green is 3
        ({"to": THIRD}, "tell Bob R", 2, 3, False),  # red is 1: Cal, behind the next player
        ({"to": THIRD}, "tell Cal R", 3, 3, True),  # Dee, since Cal gets the hint
    ],
)
def test_a_number_means_one_card(parts, hint, seat, slot, fits):
    view, literal = play(HANDS, [means(**parts)], [hint]), play(HANDS, [], [hint])
    types = int(literal.marks[0].promised[seat, slot] & view.playable)
    types = types or int(literal.marks[0].promised[seat, slot])
    assert int(view.marks[0].promised[seat, slot]) == types
    others = [
        (one, other) for one in range(4) for other in range(4) if (one, other) != (seat, slot)
    ]
    assert all(promised(view, *one) == promised(literal, *one) for one in others)
    honest, new = judged(play(HANDS, [means(**parts)], []), hint)
    if fits:
        assert (honest, new, int(view.marks[0].pledged[seat])) == (HONEST, 1, 1 << slot)
    else:
        assert honest == FALSE_PLAY or new == 0


def test_a_number_may_tell_another_kind_of_card():
    view = play(HANDS, [means(to=NEXT, what=2)], ["tell Cal 4"])
    assert promised(view, 1, 0) == "R2 B2 G2 Y2 W2" and not int(view.marks[0].pledged[1])
    told = play(HANDS, [means(to=THIRD, what=5)], ["tell Cal R"])
    assert promised(told, 3, 3) == "R12345", "of the colour told"


def test_a_pair_with_the_first_player_behind_the_next_who_gets_no_hint():
    """Dee's B1 has place 1, Bob's R1 place 3: number 4. Number 1 would mean Bob's oldest card."""
    parts = means(to=WITH_THIRD)
    assert judged(play(HANDS, [parts], []), "tell Cal 4") == (HONEST, 2)
    assert judged(play(HANDS, [parts], []), "tell Cal R")[0] == FALSE_PLAY
    view = play(HANDS, [parts], ["tell Cal 4"])
    assert answer_of(view, "answer_meaning") == "play 1"
    assert answer_of(view, "answer_pair") == "nothing"
    view = play(HANDS, [parts], ["tell Cal 4", "play 1"])
    assert memory_of(view, MEANS)[GIVER] == -1
    assert promised(view, 3, 3) == "R2 B1 G1 Y1 W1" and int(view.marks[0].pledged[3]) == 1 << 3


def test_a_pair_may_count_undecided_cards_and_tell_what_is_useless():
    """Cal's 4s are no R1, so that R1 is the first undecided card; Bob's W1 is the third."""
    hands = ["R1 B2 B3 B4 B5", "G4 G2 W1 Y4 W3", "R4 W2 W3 R1 G4"]
    parts, before = means(among=1, to=PAIR, what=3), ["play 0", "tell Cal 4", "tell Ann B"]
    assert judged(play(hands, [parts], before), "tell Cal 4") == (HONEST, 1)
    view = play(hands, [parts], [*before, "tell Cal 4"])
    assert answer_of(view, "answer_meaning") == "play 2"
    view = play(hands, [parts], [*before, "tell Cal 4", "play 2"])
    assert promised(view, 2, 3) == "R1" and not int(view.marks[0].pledged[2])


def test_means_plays_pair_move_for_move():
    agent, variant = REACTOR[4], Variant(players=4)
    parts = means(to=PAIR)
    meant = ListPlayer(
        tuple(find(one.name.replace("answer_pair", "answer_meaning")) for one in agent.rules),
        agent.otherwise,
        tuple(find_convention(one.name.replace("pair", parts)) for one in agent.conventions),
        agent.weights,
    )
    assert parts in " ".join(one.name for one in meant.conventions)
    games = []
    for player in (agent, meant):
        table = Table(variant, [player])
        for seed in range(30):
            table.play(np.array([seed], np.uint64), np.zeros(4, int))
            games.append(table.view.history[: table.view.turn].tolist())
    assert games[:30] == games[30:]
