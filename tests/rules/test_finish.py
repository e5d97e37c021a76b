"""The rule finish: positions whose value is worked out by hand, and where it stays silent."""

import pytest

from hanabi.backend.plain_functions import Twins
from hanabi.conventions.chains import CHAIN, GIVER
from hanabi.conventions.fields import MAX_HINTS
from hanabi.conventions.marks import START, read
from hanabi.conventions.register import find_convention, keep_marks
from hanabi.moves import SLOTS, move_text, read_move
from hanabi.player import ListPlayer, propose_instead
from hanabi.positions.position import Position
from hanabi.rule_dependencies import answers_of
from hanabi.rulebook import find, program
from hanabi.schedule.fields import MAX_OPTIONS
from hanabi.schedule.options import option_of
from hanabi.state import set_answers

# The last round: Ann, Bob and Cal move once. Ann knows her Y5, Cal his R5; Bob does not know R4.
LAST_ROUND = """variant = "standard"
players = 3
to_move = "Ann"
tokens = 2
lives = 1
left = 3
fireworks = "R3 B5 G5 Y4 W5"
discards = "R4 B4 G4 Y4 W4 R3 B3 G3 Y3 W3 R2 B2 G2"
[hands]
Ann = ["Y5 Y5", "R1", "B1", "G1", "W1"]
Bob = ["R4", "R1", "B1", "G1", "W2"]
Cal = ["R5 R5", "Y1", "Y1", "W1", "Y2"]
"""
# One card is missing, Ann knows that she has it, and there is time.
NEARLY_WON = """variant = "standard"
players = 3
to_move = "Ann"
tokens = 2
fireworks = "R5 B5 G5 Y4 W5"
discards = "R4 B4 G4 Y4 W4 R3 B3 G3 Y3"
[hands]
Ann = ["Y5 Y5", "B1", "B1", "G1", "W1"]
Bob = ["R1", "R1", "W2", "G1", "Y1"]
Cal = ["B2", "G2", "Y1", "W1", "Y2"]
"""
RULE = "finish(worlds=8, margin={margin}, slack=3, eager=9, luck=1)"


def view_of(text, conventions=()):
    """The view of a position in which no hint meant more than its words."""
    _, view = Position.read(text).state()
    keep_marks(view, [tuple(map(find_convention, conventions))] * int(view.players))
    read(view, START)
    set_answers(view, answers_of(find(RULE.format(margin=1)).family.function))
    return view


def instead_of(view, listed, margin=0.3):
    """What the rule says where the rest of the list makes a move."""
    (row,) = program([find(RULE.format(margin=margin))])
    view.asked = 0
    return move_text(propose_instead(row, read_move(listed), view))


def test_every_move_has_a_place():
    assert MAX_OPTIONS == 2 * SLOTS + MAX_HINTS


def points(view, move):
    return float(view.options[option_of(view, read_move(move))].points)


def test_the_last_round_by_hand():
    """Y5 alone makes 23. "Tell Bob 4" makes R4 and R5 of it, 24, but Y5 stays in Ann's hand. Red is
    not enough: Bob may think of R1.
    """
    view = view_of(LAST_ROUND)
    assert instead_of(view, "play 0") == "tell Bob 4"
    assert points(view, "play 0") == pytest.approx(23)
    assert points(view, "tell Bob 4") == pytest.approx(24)
    assert points(view, "tell Bob R") == pytest.approx(22)
    assert instead_of(view, "play 0", margin=1.5) == "nothing", "not enough better"
    assert instead_of(view, "tell Bob 4") == "nothing", "the list finds it by itself"


def test_a_move_that_it_does_not_value_is_left_to_the_list():
    """Ann's other cards cannot be playable: a play of one is no option, so it is not compared."""
    view = view_of(LAST_ROUND)
    assert instead_of(view, "play 1") == "nothing" and option_of(view, read_move("play 1")) < 0


def test_in_a_won_game_every_move_is_worth_the_same():
    view = view_of(NEARLY_WON)
    for listed in ("play 0", "discard 1", "tell Bob 1"):
        assert instead_of(view, listed) == "nothing"
        assert points(view, listed) == 25


def test_the_last_life_is_not_staked():
    """No hint touched Ann's Y5, so that it may be any card that she does not see."""
    text = NEARLY_WON.replace('"Y5 Y5"', '"Y5"').replace("tokens = 2", "tokens = 2\nlives = {}")
    for lives in (1, 2):
        view = view_of(text.format(lives))
        instead_of(view, "tell Bob 1")
        assert (option_of(view, read_move("play 0")) >= 0) == (lives > 1)


def test_codes_are_not_modelled():
    view = view_of(LAST_ROUND)
    view.marks[0].tells = 1
    assert instead_of(view, "play 0") == "nothing"


@pytest.mark.parametrize("giver, move", [(1, "nothing"), (-1, "tell Bob 4")])
def test_open_chains_are_not_modelled(giver, move):
    view = view_of(LAST_ROUND)
    view.memories[0, 0] = CHAIN
    view.marks[0].memory[0, GIVER] = giver
    assert instead_of(view, "play 0") == move


def test_alone_it_makes_its_best_move():
    view = view_of(LAST_ROUND)
    assert move_text(find(RULE.format(margin=5))(view)) == "tell Bob 4"


def test_the_same_worlds_in_plain_python():
    """The machine code's points of every option, and its move."""
    view, plain = view_of(LAST_ROUND), view_of(LAST_ROUND)
    entry = find(RULE.format(margin=0.3))
    rest = read_move("play 0")
    move = Twins().of(entry.family.function)(plain, rest, *entry.values)
    assert move_text(move) == instead_of(view, "play 0")
    count = int(view.option_count)
    assert count == plain.option_count > 5
    assert view.options[:count].tobytes() == plain.options[:count].tobytes()


def test_it_decides_in_a_list_only_by_the_move_below_it():
    view = view_of(LAST_ROUND)
    rules = (find(RULE.format(margin=0.3)), find("play_safe(newest=0)"))
    assert ListPlayer(rules).move(view)[1] == rules[0].name
    assert ListPlayer(rules[::-1]).move(view)[1] == rules[1].name
