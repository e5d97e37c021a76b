"""A game that is played move by move: what is legal, taken back, known, chosen, and printed."""

import pytest

from hanabi import Choice, Game, Player, play_one, read_variant
from hanabi.game import legal_moves
from hanabi.moves import move_text, play
from hanabi.rules import load

PLAYERS = 3


def begun():
    game = Game.new(players=PLAYERS, seed=7)
    game.push("tell Bob 1")
    game.push("discard 0")
    return game


def test_moves_are_pushed_and_taken_back():
    game = Game.new(players=PLAYERS, seed=7)
    assert (game.turn, game.player, game.score, game.is_over) == (0, "Ann", 0, False)
    start = game.text
    game.push("tell Bob 1")
    assert (game.turn, game.player) == (1, "Bob")
    game.push(play(3), reason="it is a 1")
    assert (game.turn, game.player, game.score) == (2, "Cal", 1)
    assert game.rules == ("", "it is a 1")
    assert Game.read(game.text) == game
    assert game.pop() == "play 3" and (game.turn, game.score, game.rules) == (1, 0, ("",))
    assert game.legal_moves == [move_text(one) for one in legal_moves(game.at(1)[1])]
    assert game.pop() == "tell Bob 1" and game.text == start
    with pytest.raises(ValueError, match="no move was made yet"):
        game.pop()


@pytest.mark.parametrize("name, told", [("red", "R"), ("blue", "B"), ("green", "G")])
def test_a_colour_is_a_word_or_a_letter(name, told):
    games = [Game.new(players=PLAYERS, seed=7) for _ in range(2)]
    games[0].push(f"tell Cal {name}")
    games[1].push(f"tell Cal {told}")
    assert games[0] == games[1]


@pytest.mark.parametrize(
    "move, words",
    [
        ("discard 0", "Ann cannot discard 0; legal are play 0, play 1"),  # all tokens are there
        ("tell Bob 5", "Ann cannot tell Bob 5; legal are"),
        ("tell Ann 1", "Ann cannot tell Ann 1; legal are"),
        (0, "Ann cannot make move 0; legal are"),
        (10**40, "Ann cannot make move 1000"),
        ("jump", "no move 'jump': write play 0"),
    ],
)
def test_an_illegal_move_changes_nothing_and_names_the_legal_ones(move, words):
    game = Game.new(players=PLAYERS, seed=7)
    before = game.text
    with pytest.raises(ValueError, match=words):
        game.push(move)
    assert game.text == before and game.turn == 0


def test_a_game_that_is_over_takes_no_move():
    game = Game.new(players=2, seed=1)
    while not game.is_over:
        game.push("play 0" if "play 0" in game.legal_moves else game.legal_moves[0])
    assert game.end == "lives" and game.legal_moves == []
    for act in (lambda: game.push("play 0"), lambda: game.choose("piers")):
        with pytest.raises(ValueError, match=r"the game is over \(lives\)"):
            act()
    game.pop()
    assert not game.is_over and "play 0" in game.legal_moves


def test_the_board_is_printed():
    lines = begun().board.splitlines()
    assert lines[0].startswith("turn 2   R0 B0 G0 Y0 W0   tokens 8   lives 3   deck 34")
    assert lines[1] == "discards G3"
    bob, cal = lines[4], lines[5]
    assert bob.startswith("  Bob  ") and "G1 1" in bob and "2345" in bob
    assert cal.startswith("> Cal  ")


def test_known_cards_have_exact_chances():
    """Of the 1s that Bob may hold he sees R1 in two hands; a copy of each other colour is unseen."""
    game = begun()
    position = game.position(game.turn)
    known = {one.slot: one for one in game.knows("Bob")}
    assert sorted(known) == [0, 1, 2, 3, 4]
    one = known[3]
    assert position.hands[1][3].card in (10,) and set(one.cards) == {"R1", "B1", "G1", "Y1", "W1"}
    assert sum(one.cards.values()) == pytest.approx(1) and one.playable == pytest.approx(1)
    # Bob sees G1, R1, Y1 of Ann and R1 of Cal: of 15 copies 11 are unseen, 1 of them red
    assert one.cards["R1"] == pytest.approx(1 / 11) != pytest.approx(1 / 15)
    assert list(one.cards)[-1] == "R1" and one.useless == 0
    assert all(card[1] != "1" for slot in (1, 2, 4) for card in known[slot].cards)
    with pytest.raises(ValueError, match="no player 'Bop' .did you mean 'Bob'.*Ann, Bob, Cal"):
        game.knows("Bop")
    with pytest.raises(ValueError, match="no player 'Dee'"):
        game.knows("Dee")


@pytest.mark.parametrize("name", ["piers", "convention"])
def test_an_agent_chooses_and_plays_on_as_at_a_table(name):
    """Also with conventions, whose marks follow from the moves before."""
    agent = load(name)
    whole = play_one(read_variant("standard").at(PLAYERS), [agent.at(PLAYERS)], [0] * 3, 7)
    game = Game.new(players=PLAYERS, seed=7)
    for move, reason in zip(whole.moves[:12], whole.rules[:12]):
        choice = agent.choose(game)
        assert isinstance(choice, Choice) and (choice.move, choice.reason) == (move, reason)
        game.push(choice.move, choice.reason)
    game.play_on(agent)
    assert (game.moves, game.rules, game.end) == (whole.moves, whole.rules, whole.end)
    assert game.agents == (name,) * PLAYERS and game.is_over


class Counting(Player):
    """Plays its first card; the reason is how often it was asked in this game."""

    name = "counting"

    def begin(self, variant, seat):
        fresh = Counting()
        fresh.asked = 0
        return fresh

    def move(self, view):
        self.asked += 1
        return play(0), str(self.asked)


def test_a_player_that_remembers_is_asked_from_the_start():
    game = Game.new(players=2, seed=3)
    game.push("tell Bob 1" if "tell Bob 1" in game.legal_moves else "tell Bob 2")
    game.push("play 1")
    assert game.choose(Counting()).reason == "2", "its second turn"
    game.play_on(Counting(), "piers")
    assert game.agents == ("counting", "piers") and game.rules[2] == "2"
    with pytest.raises(ValueError, match="name one player, or 2: one for each seat"):
        Game.new(players=2).play_on("piers", "piers", "piers")


def test_a_new_game_refuses_what_cannot_be_dealt():
    with pytest.raises(ValueError, match="players"):
        Game.new(players=6)
