"""Zhao's belief search: against its slow twin, how many hands it counts, what it may not see (and that the peeking one is caught)."""

import io
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from fractions import Fraction
from math import factorial, perm

import numpy as np
import pytest
import slow_answered
import slow_zhao as slow
from hidden_card_swaps import exchanged
from paths import ROOT
from typed import typed

from hanabi.evolve.measure.tournament import play_games
from hanabi.game import snapshots
from hanabi.game_loop import ENDS
from hanabi.game_reader import load as load_game
from hanabi.moves import is_tell, move_text, read_move
from hanabi.rules.agents import dumps, load, loads
from hanabi.rules.museum.zhao.all_hands import ZHAO, best_of
from hanabi.state import VIEW
from hanabi.table import Table
from hanabi.variant import read_variant

TWO, THREE = read_variant("zhao-2"), read_variant("zhao-3")
PIERS = load("piers").at(2)


def games(spec, variant, seeds, partner=PIERS):
    """Steps of games of an agent, who begins, beside a partner, with the agent's player."""
    me = load(spec).at(2)
    table = Table(variant, [me, partner])
    for seed in seeds:
        for step in table.steps(seed, [0, 1]):
            if step.seat == 0:
                yield me, step


# --- against the twin ------------------------------------------------------------------------------------------------
def compare(spec, variant, seeds, most, wanted):
    """Compare worths in positions where at most so many hands may be listed; how many were compared."""
    compared = 0
    for me, step in games(spec, variant, seeds):
        if me.kind.belief == "peek" or slow.size(step.view) <= most:
            search = slow.Search(me.kind, step.view, step.state)
            want = search.worths()
            found = {move: float(me.zhao.worths[move]) for move in range(66) if me.zhao.tried[move]}
            assert found == pytest.approx(want, abs=1e-9) and me.zhao.hands == len(search.hands)
            best = max(want.values())
            assert step.move == next(move for move in want if want[move] >= best - 1e-9)
            compared += 1
            if compared == wanted:
                break
    assert compared == wanted


# with few cards in hand and few tokens, cards are told whole, hands are played away and tokens run out
TWINS = [
    ("zhao:depth=3", "zhao-2,hand=2,tokens=2", 100, 25),
    ("zhao:depth=3", "zhao-2,hand=1,tokens=3", 100, 40),
    ("zhao", "zhao-2", 60, 5),
    ("zhao", "zhao-3", 60, 5),
    ("zhao:depth=3", "zhao-2", 30, 5),
    ("zhao:belief=peek", "zhao-2", 0, 5),
    ("zhao:copies=1,normalise=1,divisor=5", "zhao-2", 60, 5),
    ("zhao:negative=1", "zhao-2,hand=3", 40, 10),
    ("zhao:depth=3,stack=0.5,fault=-3,discard=-4", "zhao-2,hand=2", 100, 20),
    ("zhao:depth=3,utility=numbers", "zhao-3,hand=2", 160, 24),
    ("zhao:depth=3,utility=numbers,stack=0.1,discard=-5,fault=-1", "zhao-2,hand=3", 60, 8),
    ("zhao:belief=peek,utility=numbers,fault=-100,divisor=5", "zhao-2", 0, 5),
]


@pytest.mark.parametrize("spec, variant, most, wanted", TWINS)
def test_worths_are_those_of_the_twin(spec, variant, most, wanted):
    compare(spec, read_variant(variant), range(30), most, wanted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec, variant, most, wanted",
    [
        ("zhao", TWO, 1_500, 60),
        ("zhao", THREE, 1_000, 60),
        ("zhao:depth=3", TWO, 100, 40),
        ("zhao:belief=peek", TWO, 0, 60),
        ("zhao:belief=peek", THREE, 0, 20),
        ("zhao:copies=1,normalise=1", TWO, 200, 30),
        ("zhao:depth=3,belief=peek", TWO, 0, 20),
    ],
)
def test_worths_are_those_of_the_twin_in_many_positions(spec, variant, most, wanted):
    compare(spec, variant, range(200), most, wanted)


# a list is asked again in each position, so these are few; the first throws dice, some hands are drawn in the last
@pytest.mark.parametrize(
    "spec, variant, turns",
    [
        ("legal-random", "zhao-2,hand=2", (3,)),
        ("piers,depth=3", "zhao-2,hand=2,tokens=3", (2, 7, 12)),
        ("outer,copies=1,stack=3,fault=-4,utility=numbers", "zhao-3,hand=2", (4, 10)),
        ("convention-2026", "zhao-2,hand=2", (6,)),
    ],
)
def test_worths_with_a_list_are_those_of_the_twin(spec, variant, turns):
    variant, me = read_variant(variant), load(f"zhao:{spec}").at(2)
    steps = snapshots(Table(variant, [me.follows]).steps(5, [0, 0]))
    for turn in turns:
        state, view = steps[turn]
        seat = me.join(variant, int(view.me), ())
        seat.move(view.copy())
        search = slow_answered.Search(me, variant, state, view)
        assert {
            move: float(seat.zhao.worths[move]) for move in np.flatnonzero(seat.zhao.tried)
        } == pytest.approx(search.worths(), abs=1e-9)
        assert seat.zhao.hands == len(search.hands)


def test_where_there_are_many_hands_some_are_drawn():
    law, found = read_variant("zhao-2,hand=3"), {}
    steps = snapshots(Table(law, [PIERS]).steps(1, [0, 0]))
    for hands in (40, 500):
        seat = load(f"zhao:piers,hands={hands}").at(2).join(law, 0, ())
        seat.move(steps[4][1].copy())
        found[hands] = seat.zhao.worths.copy(), int(seat.zhao.hands)
    (drawn, some), (exact, every) = found[40], found[500]
    assert some == 40 < every < 500 and not np.array_equal(drawn, exact)
    assert drawn == pytest.approx(
        exact, abs=5 * 10 / some**0.5
    )  # worths differ by some 10 from hand to hand


def test_who_knows_its_partner_scores_more():
    """5.6 and 7.8 points of 10, games differ by some 1.5."""
    zhao, knowing = (
        play_games(spec, 2, 20, "piers", variant="zhao-2")["score_kept"].mean()
        for spec in ("zhao", "zhao:piers,hands=100")
    )
    assert knowing > zhao + 0.8


def test_a_first_hint_by_hand():
    """Nothing is told yet. A hint on one card that fits: a third for an idle hint, which is worth nothing, two thirds for its play,
    which is worth 10; on one that does not fit the play costs 10."""
    me, step = next(games("zhao", TWO, [3]))
    assert [int(card) for card in step.view.hands[1, :4]] == [2, 3, 0, 1]  # R3 R4 R1 R2
    worths = {
        text: me.zhao.worths[read_move(text)] for text in ("tell Bob 1", "tell Bob 2", "tell Bob R")
    }
    assert worths == pytest.approx(
        {"tell Bob 1": 20 / 3, "tell Bob 2": -20 / 3, "tell Bob R": (10 - 3 * 10) / 6}
    )
    assert not me.zhao.tried[read_move("discard 0")]  # all tokens are there


def test_of_equals_a_discard_goes_before_a_hint_and_that_before_a_play():
    """And by place, or by name: numbers, then English colours."""
    view, mind, order = np.zeros(1, VIEW)[0], np.zeros(1, ZHAO)[0], []
    mind.tried[1:6] = mind.tried[6:11] = mind.tried[17:23] = mind.tried[46:51] = (
        1  # hints to seat 1
    )
    mind.worths[1] = 1e-12  # no more than a rounding
    while mind.tried.any():
        order.append(move_text(best_of(view, mind)))
        mind.tried[read_move(order[-1])] = 0
    assert order == [
        *(f"discard {slot}" for slot in range(5)),
        *(f"tell Bob {what}" for what in "12345BGPRWY"),
        *(f"play {slot}" for slot in range(5)),
    ]


# --- how many hands --------------------------------------------------------------------------------------------------
def coefficient(counts, size, weight):
    """Of x to the power of size in the product over types of the sum over m up to its copies of weight(m) x to the m."""
    ways = [Fraction(int(n == 0)) for n in range(size + 1)]
    for most in counts:
        ways = [
            sum(ways[n - m] * weight(m) for m in range(min(most, n) + 1)) for n in range(size + 1)
        ]
    return ways[size]


@pytest.mark.parametrize(
    "variant, low, high, mean",
    [("zhao-2", 225, 441, 355), ("zhao-3", 1456, 2421, 2065), ("zhao-4", 4349, 7534, 6751)],
)
def test_beliefs_are_as_large_as_a_formula_says(variant, low, high, mean):
    sizes = []
    for seed in range(20):
        found = {}
        for spec in ("zhao", "zhao:copies=1", "zhao:belief=peek"):
            me = load(spec).at(2)
            step = next(iter(Table(read_variant(variant), [me, me]).steps(seed, [0, 1])))
            found[spec] = int(me.zhao.hands)
        counts = Counter(slow.unseen(step.view)).values()
        assert found["zhao"] == factorial(4) * coefficient(
            counts, 4, lambda m: Fraction(1, factorial(m))
        )
        assert found["zhao:copies=1"] == perm(sum(counts), 4)
        assert found["zhao:belief=peek"] == coefficient(counts, 4, lambda m: 1)
        sizes.append(found["zhao:belief=peek"])
    assert low <= min(sizes) and max(sizes) <= high and abs(np.mean(sizes) - mean) < 0.1 * mean


# --- what it may not see ---------------------------------------------------------------------------------------------
def test_neither_my_hand_nor_the_deck_changes_a_move_and_peeking_is_caught():
    rng, caught = np.random.default_rng(1), 0
    players = {
        spec: load(spec).at(2)
        for spec in ("zhao", "zhao:depth=3,copies=1", "zhao:piers,hands=20", "zhao:belief=peek")
    }
    for seed in (1, 2, 3):
        steps = snapshots(Table(TWO, [players["zhao"], PIERS]).steps(seed, [0, 1]))
        for turn in (4, 8, 12):
            worlds = steps[turn], exchanged(TWO, steps, turn, rng)
            for player in players.values():
                found = []
                for state, view in worlds:
                    view = view.copy()
                    view.word = 7  # the seed of the deal is another where the deck is given
                    peek = player.sees_state
                    sitting = player.join(TWO, int(view.me), ())
                    if peek:
                        sitting = player.begin_seeing(state)
                    move = sitting.move(view)
                    found.append((move, sitting.tried()))
                if peek:
                    caught += found[0] != found[1]
                else:
                    assert found[0] == found[1]
    assert caught > 3


def test_the_table_shows_hidden_cards_to_the_peeking_one_alone():
    table = Table(TWO, [load("zhao").at(2), load("zhao:belief=peek").at(2), PIERS])
    table.deal(1, [0, 1])
    assert (
        table.begin(tuple(table.players[:2]), 0) is table.players[0]
        and table.begin(tuple(table.players[:2]), 1).state is table.state
    )
    with pytest.raises(PermissionError, match="write zhao for the one that does not"):
        table.players[1].move(table.view)


# --- games -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spec", ["zhao", "zhao:belief=peek", "zhao:depth=3"])
@pytest.mark.parametrize("variant, cards", [(TWO, 20), (THREE, 30)])
def test_a_game_ends_as_his_laws_say(spec, variant, cards):
    """No more plays and discards than cards lay in the first deck, as many if it ran out; no hint that tells no flag."""
    table = Table(variant, [load(spec).at(2), PIERS])
    assert variant.cards == cards
    for seed in range(6):
        from_hand = refused = 0
        for step in table.steps(seed, [0, 1]):
            from_hand += not is_tell(step.move)
            if step.seat == 0 and is_tell(step.move):
                refused += not table.players[0].zhao.tried[step.move]
        assert (
            refused == 0
            and from_hand <= cards - 8
            and (table.view.deck > 0 or from_hand == cards - 8)
        )


def test_games_are_the_same_for_any_number_of_workers():
    for spec in ("zhao:depth=3", "zhao:belief=peek"):
        one, two = (play_games(spec, 2, 6, "piers", variant="zhao-2", jobs=jobs) for jobs in (1, 2))
        assert one.equals(two)


@pytest.mark.slow
def test_plain_python_moves_the_same():
    """In a process with HANABI_PLAIN=1; uct too."""
    code = (
        "from hanabi.game_record import play_one; from hanabi.variant import read_variant; from hanabi.rules.agents import load\n"
        "law = read_variant('zhao-2,hand=2,tokens=3')\n"
        "agents = 'zhao:depth=3', 'zhao:piers,hands=4', 'uct:piers,worlds=1,playouts=6'\n"
        "print(*(play_one(law, [load(one).at(2), load('iggi').at(2)], [0, 1], 4).moves for one in agents), sep='\\n')"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"HANABI_PLAIN": "1"},
        text=True,
        cwd=ROOT,
        capture_output=True,
    )
    with redirect_stdout(io.StringIO()) as machine:
        exec(code, {})
    assert plain.stdout == machine.getvalue() and plain.stdout.count("\n") == 3, plain.stderr


def test_it_plays_other_games_for_two():
    for variant in (
        "standard",
        "two-colour,colours=6,hand=5,ranks=4",
        "colours=1,hand=3,players=2",
    ):
        law = read_variant(variant).at(2)
        for partner in ("zhao:depth=3,belief=peek", "zhao:convention-2026,hands=5,copies=1"):
            found = Table(law, [load("zhao").at(2), load(partner).at(2)]).play([1, 2], [0, 1])
            assert all(
                ENDS[end] in ("deck", "lives", "perfect", "hopeless") for end in found["end"]
            )


@pytest.mark.parametrize("spec", ["zhao", "zhao:belief=peek", "zhao:piers,hands=30"])
def test_asked_in_a_written_game_it_does_what_it_did(spec, tmp_path):
    assert (
        typed(
            "show",
            spec,
            "piers",
            "--variant",
            "zhao-2",
            "-o",
            "g.toml",
            "--no-pager",
            folder=tmp_path,
        )[0]
        == 0
    )
    game = load_game(tmp_path / "g.toml")
    for turn in range(0, min(9, len(game.moves)), 4):
        code, out, err = typed("ask", spec, "g.toml", "--turn", turn, "--json", folder=tmp_path)
        data = json.loads(out)
        assert (code, err, data["rule"]) == (0, "", game.rules[turn]) and read_move(
            data["move"]
        ) == game.moves[turn]
    out = typed("ask", spec, "g.toml", "--turn", 0, "--all", folder=tmp_path)[1]
    assert "What each move is worth" in out and out.index("worth +") < out.index("worth -")


# --- text ------------------------------------------------------------------------------------------------------------
def test_settings_read_back():
    for spec in (
        "zhao",
        "zhao:depth=3,stack=100,belief=peek,normalise=1",
        "zhao:penalty=-0.5,copies=1,fault=-100,divisor=5,negative=1,utility=numbers",
        "zhao:piers",
        "zhao:cig2018:46,8,2,depth=3,hands=50",
    ):
        agent = load(spec)
        assert (
            agent.name == spec
            and loads(dumps(agent)) == agent
            and loads(dumps(agent)).hash == agent.hash
            and load(agent.name) == agent
        )
        assert (
            agent.differs
            and "It takes the move worth most" in str(agent)
            and agent.plays(2)
            and not agent.plays(3)
        )
    assert (
        len(
            {
                load(spec).hash
                for spec in ("zhao", "zhao:depth=3", "zhao:piers", "zhao:outer", "piers")
            }
        )
        == 5
    )
    assert load("zhao:search:piers").name == "zhao:piers"


def test_an_evolved_file_stands_in_for_the_partner(tmp_path):
    """Behind zhao:, or with a table of its own."""
    text = '[rules]\n"2" = ["cig2018.play_safe_card", "cig2018.discard_oldest_first"]\n'
    for file, more in (("mine.toml", ""), ("searching.toml", "[zhao]\ndepth = 3\n")):
        (tmp_path / file).write_text(text + more, encoding="utf-8")
    one, other = (
        load(f"zhao:{tmp_path / 'mine.toml'},depth=3"),
        load(str(tmp_path / "searching.toml")),
    )
    assert one.name == "zhao:mine,depth=3" and one.at(2) == other.at(2) and one.hash == other.hash


@pytest.mark.parametrize(
    "spec, says",
    [
        ("zhao:depth=4", "zhao: depth=4 should be a whole number from 2 to 3"),
        ("zhao:dept=3", "zhao: no key 'dept' (did you mean 'depth'?); the keys are depth, stack"),
        ("zhao:belief=hint", "zhao: belief='hint' should be one of hints, peek"),
        ("zhao:depth=3,4", "zhao: '4' should be key=value, such as depth=3"),
        ("zhao:pires", "no agent 'pires' (did you mean 'piers'?)"),
        (
            "zhao:zhao",
            "zhao searches for its moves: write the spec of a list behind zhao:, such as zhao:piers",
        ),
        (
            "zhao:piers,belief=peek",
            "zhao: belief=peek is his listing, which asks no list: leave one of them out",
        ),
        ("zhao:piers,divisor=5", "zhao: divisor= is for a partner who is no list: leave it out"),
        (
            "zhao:hands=5",
            "zhao: hands= is for a partner who is a list, such as zhao:piers: leave it out",
        ),
        ("zhao:penalty=5", "zhao: penalty=5 should be a number from -1,000 to 0"),
        (
            "search:zhao",
            "zhao searches for its moves: write the spec of a list behind search:, such as search:piers",
        ),
    ],
)
def test_errors_teach(spec, says):
    with pytest.raises(ValueError) as error:
        load(spec)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_who_sees_hidden_cards_has_to_say_so():
    with pytest.raises(
        ValueError,
        match="belief=peek sees hidden cards and has to say so in its name: call it 'zhao:belief=peek'",
    ):
        loads('name = "honest"\n[zhao]\nbelief = "peek"\n')


@pytest.mark.parametrize(
    "words, says",
    [
        (
            ("show", "zhao", "piers", "iggi"),
            "zhao plays with one partner: --players 2, or a variant for two such as zhao-2",
        ),
        (
            ("show", "zhao", "--variant", "zhao-2", "--search"),
            "leave --search out, or show search:piers",
        ),
        (
            ("analyse", "--only", "parts", "zhao", "--players", "2"),
            "zhao searches for its moves, and this takes lists apart",
        ),
    ],
)
def test_commands_teach(words, says, tmp_path):
    code, out, err = typed(*words, folder=tmp_path)
    assert (code, out) == (2, "") and says in err and err.count("\n") == 1
