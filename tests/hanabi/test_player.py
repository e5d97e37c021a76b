"""Players at a table: a plain Python player beside a list, what it sees and remembers, its
faults.
"""

import copy
import itertools

import numpy as np
import pytest
import small_rules
from small_rules import FAULTY, SENSIBLE

from hanabi.game import apply, deal, is_legal, is_over, legal_moves, new_state
from hanabi.game_record import Game, play_one
from hanabi.knowledge.questions import my_types
from hanabi.moves import DISCARD, FORFEIT, NOTHING, PLAY, SLOTS, TELL_RANK, move_text, play
from hanabi.player import (
    ListPlayer,
    Player,
    PlayerFailedError,
    RuleError,
    as_player,
    default_move,
    followed_list,
    has_begin,
)
from hanabi.state import FACTS_BYTES
from hanabi.table import Table, game_seeds
from hanabi.text.transcript import game_text
from hanabi.variant import NAMED, Variant, read_variant
from hanabi.view import playable_chance

THREE = NAMED["standard"].at(3)


def test_a_list_beside_a_plain_player():
    """The six lines of the README."""
    from hanabi.rules.agents import load

    class Cautious:
        name = "cautious"

        def move(self, view):
            sure = [slot for slot in range(view.hand_size) if playable_chance(view, slot) == 1]
            return (
                (play(sure[0]), "it is playable")
                if sure
                else (default_move(view), "nothing is sure")
            )

    game = play_one(
        read_variant("standard").at(2), [load("piers").at(2), Cautious()], [0, 1], seed=7
    )
    assert game.agents == ("piers", "cautious") and set(game.rules[1::2]) == {
        "it is playable",
        "nothing is sure",
    }
    assert (
        "nothing is sure" in game_text(game) and "Bob (cautious)" in game_text(game).splitlines()[0]
    )
    assert Game.read(game.text) == game and all(
        "(" in rule or "." in rule for rule in game.rules[::2]
    )
    table = Table(read_variant("standard").at(2), [load("piers").at(2), Cautious()])
    assert table.play(game_seeds(1, 20), [0, 1])["score"].mean() > 8
    assert table.play([7], [0, 1])["score"][0] == game.score


# --- default_move and its slow twin --------------------------------------------------------------
def slow_default(view):
    """Written from the sentence: discard the oldest card; with all tokens the first legal hint, by
    seat and rank.
    """
    born = {
        int(view.born[view.me, slot]): slot
        for slot in range(SLOTS)
        if view.filled[view.me] >> slot & 1
    }
    oldest = born[min(born)]
    if view.tokens < view.max_tokens:
        return DISCARD + oldest
    for step in range(1, view.players):
        seat = (int(view.me) + step) % int(view.players)
        ranks = sorted({int(card) % 5 + 1 for card in view.hands[seat] if card >= 0})
        if ranks and view.tokens:
            return TELL_RANK + 5 * seat + ranks[0] - 1
    return PLAY + oldest


def test_default_move_is_its_sentence():
    kinds = set()
    for players, seed in itertools.product((2, 3, 5), range(6)):
        rng = np.random.default_rng(seed)
        state, view = new_state(NAMED["standard"].at(players))
        deal(state, view, np.uint64(seed))
        while not is_over(view):
            alone = view.copy()  # nobody else holds a card, and all tokens are there
            alone.hands[:], alone.held[:], alone.tokens = -1, 0, alone.max_tokens
            for asked in (view, alone):
                assert default_move(asked) == slow_default(asked) and is_legal(
                    asked, default_move(asked)
                )
                kinds.add(move_text(default_move(asked)).split()[0])
            apply(state, view, int(rng.choice(legal_moves(view))))
    assert kinds == {"play", "discard", "tell"}


# --- what a plain player sees and remembers ------------------------------------------------------
class Sensible:
    """A list that hides that it is one."""

    def __init__(self, player=SENSIBLE, name="sensible"):
        self.follows, self.name = player, name

    def move(self, view):
        return self.follows.move(view)


class Vandal(Sensible):
    """… and writes into everything it is given, after it has chosen."""

    def move(self, view):
        found = super().move(view)
        view.tokens, view.lives, view.me, view.deck, view.turn = 0, 0, 4, 0, 200
        view.hands[:] = view.mask[:] = view.alive[:] = view.pool[:] = view.history[:] = 0
        view.asked = -1
        view.answer_code[:] = 0
        return found


def test_nothing_that_a_plain_player_writes_reaches_the_game():
    for variant in (THREE, NAMED["mini"]):
        seats = [0, 1, 0]
        games = [
            play_one(variant, [player, SENSIBLE], seats, 5)
            for player in (Sensible(), Vandal(), SENSIBLE)
        ]
        assert games[0].moves == games[1].moves == games[2].moves


def test_a_plain_player_is_blind_and_may_ask_anything():
    asked = []

    class Curious:
        name = "curious"

        def move(self, view):
            assert (view.hands[view.me] == -1).all() and view.held[view.me] == 0
            assert (view.hands[(view.me + 1) % 3] >= 0).any()
            asked.append([int(my_types(view, slot)) for slot in range(SLOTS)])
            assert all(
                types & ~view.mask[view.me, slot] == 0 for slot, types in enumerate(asked[-1])
            )
            return default_move(view), "curious"

    play_one(THREE, [Curious(), SENSIBLE], [0, 1, 1], 3)
    assert len(asked) > 5 and all(types[0] for types in asked[:5])


class Counting:
    """Counts its own moves, in a memory of each seat and game."""

    name = "counting"

    def __init__(self):
        self.begun = []

    def begin(self, variant, seat):
        here = copy.copy(self)
        here.count = 0
        self.begun.append((variant, seat))
        return here

    def move(self, view):
        self.count += 1
        return default_move(view), f"move {self.count}"


def test_a_memory_lives_for_one_seat_and_one_game():
    player = Counting()
    table = Table(THREE, [player])
    for seed in (1, 2):
        reasons = [(step.seat, step.reason) for step in table.steps(seed, [0, 0, 0])]
        for seat in range(3):
            mine = [reason for place, reason in reasons if place == seat]
            assert mine == [f"move {i}" for i in range(1, len(mine) + 1)] and len(mine) > 5
    assert player.begun == [(THREE, 0), (THREE, 1), (THREE, 2)] * 2 and not hasattr(player, "count")


def test_a_plain_object_is_wrapped_once_with_its_optional_members():
    plain = Counting()
    wrapped = as_player(plain)
    assert as_player(wrapped) is wrapped and as_player(SENSIBLE) is SENSIBLE
    assert wrapped.name == "counting" and wrapped.begin == plain.begin and has_begin(wrapped)
    assert wrapped.follows is None and not wrapped.sees_own_hand and not wrapped.sees_state
    follower = as_player(Sensible())
    assert follower.follows is SENSIBLE and not has_begin(follower)
    assert followed_list(follower) is SENSIBLE and followed_list(wrapped) == ListPlayer(())


def test_the_base_class_has_defaults():
    class Simple(Player):
        name = "simple"

        def move(self, view):
            return default_move(view), "simple"

    player = Simple()
    assert player.begin(THREE, 0) is player and player.join(THREE, 0, (player,) * 3) is player
    assert play_one(THREE, [player, SENSIBLE], [0, 1, 1], 3).rules[0] == "simple"
    with pytest.raises(NotImplementedError, match="Player has no move"):
        Player().move(None)


# --- faults --------------------------------------------------------------------------------------
class At:
    """Plays its oldest card until a turn, then does something."""

    name = "strange player"

    def __init__(self, turn, act):
        self.turn, self.act = turn, act

    def move(self, view):
        return self.act(view) if view.turn >= self.turn else SENSIBLE.move(view)


def fails(view):
    raise KeyError("no\nidea")


WRONG = [
    (fails, "raised KeyError: 'no\\\\nidea'"),
    (lambda view: (PLAY + 5, "x"), r"made the illegal move 6 \(discard 0\)"),
    (lambda view: (NOTHING, "x"), "made the illegal move 0"),
    (lambda view: (-2, "x"), "returned -2, which is no move"),
    (lambda view: (10**9, "x"), "returned 1000000000, which is no move"),
    (lambda view: 3, "returned 3, not a move and its reason"),
    (lambda view: None, "returned None, not a move"),
    (lambda view: ("play 0", "x"), r"returned \('play 0', 'x'\), not a move"),
    (lambda view: (play(0), 7), r"returned \(1, 7\), not a move"),
    (lambda view: (1.0, "x"), r"returned \(1.0, 'x'\)"),
]


@pytest.mark.parametrize("act, problem", WRONG)
def test_a_fault_of_a_plain_player_names_player_turn_and_seed(act, problem):
    players = [SENSIBLE, At(4 if act is not WRONG[1][0] else 0, act)]
    seats = [0, 1, 0] if act is not WRONG[1][0] else [1, 0, 0]
    turn = 4 if seats[1] else 0
    for run in (
        lambda: play_one(THREE, players, seats, 9),
        lambda: Table(THREE, players).play([9], seats),
    ):
        with pytest.raises(
            PlayerFailedError,
            match=rf"^player strange player {problem}.* \(turn {turn} of the game with seed 9\)$",
        ) as caught:
            run()
        assert len(str(caught.value).splitlines()) == 1 and caught.value.player is players[1]
        assert caught.value.position.turn == turn and caught.value.text().startswith(
            "# player strange player"
        )


def test_a_plain_player_may_forfeit():
    game = play_one(THREE, [At(3, lambda view: (FORFEIT, "I give up"))], [0, 0, 0], 1)
    assert game.end == "forfeit" and game.rules[-1] == "I give up" and len(game.moves) == 4


@pytest.mark.parametrize(
    "player, message",
    [
        (Sensible, "Sensible is a class and cannot play: seat Sensible()"),
        (
            object(),
            "object cannot sit at a table: a player has a name and move(view), and it has no name",
        ),
        (Variant(), "Variant cannot sit at a table"),
        (type("Mute", (), {"name": "mute"})(), "and it has no move"),
        (type("Mute", (Player,), {"name": "mute"})(), "and it has no move"),
        (type("Nameless", (Player,), {"move": default_move})(), "and it has no name"),
    ],
)
def test_what_is_no_player_is_told(player, message):
    with pytest.raises(ValueError) as caught:
        Table(THREE, [SENSIBLE, player])
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_list_that_is_asked_alone():
    """ListPlayer.move is what the table does with it, and names the rule that fails."""
    table = Table(THREE, [SENSIBLE, Sensible()])
    for step in table.steps(11, [0, 1, 0]):
        before = step.view.copy()
        assert SENSIBLE.move(step.view.copy()) == (step.move, step.reason)
        assert step.view.tobytes()[:FACTS_BYTES] == before.tobytes()[:FACTS_BYTES]
    broken, problem = (
        ListPlayer((FAULTY["illegal"],)),
        r"rule faulty.moves_illegally made the illegal move 5 \(play 4\)",
    )
    table = Table(Variant(players=3, hand=3), [broken, Sensible(broken)], trial=False)
    with pytest.raises(
        PlayerFailedError,
        match=f"^player sensible raised RuleError: {problem} .turn 0 of the game with seed 1.$",
    ):
        list(table.steps(1, [1, 1, 1]))
    with pytest.raises(RuleError, match=f"^{problem}$"):
        broken.move(table.view)
    assert ListPlayer((), "forfeit").move(before) == (FORFEIT, "otherwise")
    assert ListPlayer((), name="a") == ListPlayer((), name="b") != ListPlayer((), "forfeit")
    assert small_rules.RANDOM.reason(5) == "otherwise"
