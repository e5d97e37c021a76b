"""The small board of a position: its table, the player to move, hands by slots, what hints left possible."""

from hanabi import Game
from hanabi.game_play import board_text

BOARD = """\
turn 2   R0 B0 G0 Y0 W0   tokens 8   lives 3   deck 34
discards G3
       0             1             2             3             4
  Ann  R2            G1            R1            W3            Y1
  Bob  R5            B3 2345       G4 2345       G1 1          B2 2345
> Cal  G3            B3            W4            W3            R1"""


def test_a_board_has_the_table_and_what_was_told():
    game = Game.new(players=3, seed=7)
    game.push("tell Bob 1")
    game.push("discard 0")
    assert board_text(game.position(2)) == BOARD == game.board


def test_an_empty_slot_and_the_last_turns_are_shown():
    game = Game.new(players=2, seed=1)
    while not game.is_over:
        is_last = game.position(game.turn).left >= 0
        slot = "play 1" if is_last else "discard 0"
        game.push(slot if slot in game.legal_moves else game.legal_moves[-1])
    game.pop()
    lines = board_text(game.position(game.turn)).splitlines()
    assert lines[0].endswith("1 turn left") and any("--" in line for line in lines[-2:])
