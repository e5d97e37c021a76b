"""Osawa's estimate of the own hand: its slow twin, his examples, hidden cards, and plain Python."""

import json
import math
from collections import Counter

import numpy as np
import pytest
import slow_estimate as twin
import slow_search as slow
from scipy.stats import chisquare
from sizes import THOROUGH, tries
from typed import typed

from hanabi.game import apply, snapshots
from hanabi.game_loop import RESULT
from hanabi.game_reader import load as load_game
from hanabi.lookahead.belief import draw_hand
from hanabi.lookahead.look_ahead_player import context_of
from hanabi.lookahead.replay import read_own_hand, remember
from hanabi.lookahead.workspace import LITERAL
from hanabi.moves import card_text, read_card, read_move
from hanabi.positions.position import Position
from hanabi.rules.agents import dumps, load, loads
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind
from hanabi.rules.museum.osawa.hand_estimate import (
    BY_TYPES,
    OF_ESTIMATES,
    Estimation,
    draw_types,
    tally_hands,
    weight_of_hand,
)
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant, read_variant

OSAWA, TWO = read_variant("osawa"), read_variant("osawa,hand=2")
SMALL = {2: Variant(2, 3, 3, (3, 2, 1), 2, tokens=3), 3: Variant(3, 3, 3, (3, 2, 1), 2, tokens=3)}
OUTER, BY_CHANCE = (load(name).at(2) for name in ("osawa-outer", "osawa-outer-random"))
EVERY = dict(when="turn", hands=100_000)


def walk(variant, player, seed):
    """(state, view) before each move of a game of copies, and after the last one."""
    return snapshots(Table(variant, [player]).steps(seed, [0] * variant.seats))


def asked(follows, variant, view, **way):
    """A seat that was just asked in a view."""
    player = load(f"self:{follows.name}").at(variant.seats)
    seat = type(player)(player.follows, EstimatorKind(**way), "x").join(variant, int(view.me), ())
    seat.move(view.copy())
    return seat


# --- the hands that fit ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name, players, weight",
    [
        ("osawa-outer", 2, "types"),
        ("osawa-outer-random", 2, "chance"),
        ("internal", 3, "copies"),
        ("piers", 3, "chance"),
    ],
)
def test_the_count_is_that_of_the_slow_twin(name, players, weight):
    """Hands of two cards, all listed: as many fit, they count the same, and cards are taken for the same; as one who peeps has it,
    something else."""
    variant, follows, met, peeped = SMALL[players], load(name).at(players), 0, 0
    game = walk(variant, follows, 8)[:-1]
    for turn in range(1, min(len(game), 14), 2 if THOROUGH else 3):
        view = game[turn][1]
        seat = asked(follows, variant, view, weight=weight, a=1.3, **EVERY)
        fitting, counts = twin.tally(follows, variant, game, turn, weight)
        assert seat.estimate.fitting == fitting > 0 and np.allclose(
            seat.estimate.tally, counts, rtol=1e-12
        )
        assert seat.taken == twin.taken(view, counts, 1.3)
        met += fitting < len(twin.hands(view)[1])
        peeped += not np.array_equal(
            counts, twin.tally(follows, variant, game, turn, weight, peek=True)[1]
        )
    assert met >= 2 and peeped >= 2


def test_partners_who_estimate_their_hands_count_as_the_slow_twin_says():
    """Depth 2: the twin takes each partner's cards for what the same twin of depth 1 says. Other
    hands fit then, and cards are taken for other types.
    """
    variant, met = Variant(2, 2, 3, (2, 1, 1), 2, tokens=3), Counter()
    for seed in range(1, 7):
        game = walk(variant, OUTER, seed)[:-1]
        for turn in range(2, min(len(game), 9)):
            view = game[turn][1]
            once, twice = (
                asked(OUTER, variant, view, a=1.3, depth=depth, **EVERY) for depth in (1, 2)
            )
            fitting, counts = twin.tally(OUTER, variant, game, turn, "types", a=1.3)
            assert twice.estimate.fitting == fitting
            assert np.array_equal(twice.estimate.tally, counts)
            assert twice.taken == (twin.taken(view, counts, 1.3) if fitting else {})
            met["tallies"] += not np.array_equal(once.estimate.tally, counts)
            met["taken"] += once.taken != twice.taken
    assert met["tallies"] >= 4 and met["taken"] >= 3, met


def test_the_count_of_five_cards_late_in_a_game():
    game, met = walk(OSAWA, OUTER, 3)[:-1], 0
    for turn in range(len(game) - 1, 20, -1):
        view = game[turn][1]
        if 8 < len(twin.hands(view)[1]) < 60:
            seat, (fitting, counts) = (
                asked(OUTER, OSAWA, view, **EVERY),
                twin.tally(OUTER, OSAWA, game, turn, "types"),
            )
            assert seat.estimate.fitting == fitting and np.array_equal(seat.estimate.tally, counts)
            met += 1
        if met == 3:
            return
    assert met


def true_hand_fits(follows, variant, seed):
    """Of a game of copies: in how many of its turns does the hand that was held fit, of how many? A hand that is wrong, too?"""
    held, turns, wrong = 0, 0, 0
    player = load(f"self:{follows.name}").at(2)
    for state, view in walk(variant, follows, seed)[1:-1]:
        seat = type(player)(follows, EstimatorKind(when="turn", hands=1), "x").join(
            variant, int(view.me), ()
        )
        seat.move(view.copy())
        work = seat.context.work
        for slot in range(5):
            work.belief.hands[0, slot] = state.hands[view.me, slot]
        work.records.spare.turn = -1
        held += weight_of_hand(work, 0, BY_TYPES, seat.partner) > 0
        turns += 1
        wrong += (
            draw_types(work, LITERAL, 0) and weight_of_hand(work, 0, BY_TYPES, seat.partner) == 0
        )
    return held, turns, wrong


@pytest.mark.parametrize("games", [6, pytest.param(1_000, marks=pytest.mark.slow)])
def test_the_true_hand_always_fits_where_the_partner_plays_what_is_imagined(games):
    for follows, variant in ((OUTER, OSAWA), (BY_CHANCE, TWO)):
        found = np.array(
            [true_hand_fits(follows, variant, int(seed)) for seed in game_seeds(3, games // 2)]
        ).sum(axis=0)
        assert found[0] == found[1] > 10 * games and found[2] > games


def test_hands_are_drawn_as_they_are_listed():
    """By types each combination alike, by copies as often as it has ways."""
    view = next(view for _, view in walk(TWO, OUTER, 1)[6:] if 25 < len(twin.hands(view)[1]) < 80)
    context, (_, ways) = context_of(TWO, OUTER), twin.hands(view)
    read_own_hand(view, context.work)
    context.work.belief.counter = OF_ESTIMATES
    for draw, weights in ((draw_types, dict.fromkeys(ways, 1)), (draw_hand, ways)):
        drawn = dict.fromkeys(ways, 0)
        for _ in range(4_000):
            assert draw(context.work, LITERAL, 0)
            drawn[tuple(context.work.belief.hands[0, :2].tolist())] += 1
        expected = np.array([weights[hand] for hand in drawn]) / sum(weights.values()) * 4_000
        assert chisquare([*drawn.values()], expected).pvalue > 1e-4


def test_drawn_hands_say_what_all_hands_say():
    """The shares of types in a slot, of 3,000 drawn hands against all."""

    def about(view):  # how many hands there are
        return math.prod(int(mask & view.unseen[0]).bit_count() for mask in view.mask[view.me])

    view, met = (
        next(view for _, view in walk(OSAWA, OUTER, 8)[5:] if 20_000 < about(view) < 400_000),
        0,
    )
    every, some = (
        asked(OUTER, OSAWA, view, when="turn", hands=hands) for hands in (400_000, 3_000)
    )
    assert every.estimate.fitting > some.estimate.fitting > 100
    for slot in range(5):
        shares = [
            seat.estimate.tally[slot] / seat.estimate.tally[slot].sum() for seat in (every, some)
        ]
        error = np.sqrt(shares[0] * (1 - shares[0]) / some.estimate.fitting)
        assert (np.abs(shares[0] - shares[1]) <= 4.5 * error).all()
        met += np.count_nonzero(shares[0])
    assert met > 20


# --- Osawa's examples ------------------------------------------------------------------------------------------------
FIRST = """variant = "osawa"
tokens = 5
fireworks = "W5 R5 B3 G2"
[hands]
Ann = ["Y3", "B1 1", "G1", "Y2 Y", "B1"]
Bob = ["Y1", "R4", "Y4 4", "B2", "Y4 4"]
"""
SECOND = """variant = "osawa"
tokens = 5
fireworks = "W4 R3 B2 Y1 G2"
[hands]
Ann = ["W2", "B1", "B3", "Y1", "R4"]
Bob = ["Y5 Y", "W5", "Y1", "R1", "G4"]
"""
THIRD = """variant = "osawa"
tokens = 5
fireworks = "W2"
[hands]
Ann = ["R3", "R3", "G2", "B3", "G4"]
Bob = ["B1", "W3", "Y4", "Y4", "Y3"]
"""


def counted(text, clue, follows, hands=1_000_000):
    """(how many hands of Bob fit once Ann gave a hint in a position without a history, what they count)."""
    context, (table, view) = context_of(OSAWA, follows), Position.read(text).state()
    before = view.copy()
    apply(table, view, read_move(clue))
    read_own_hand(view, context.work)
    context.work.belief.counter = OF_ESTIMATES
    remember(context.work, before, read_move(clue))
    found = EstimatorKind(hands=hands).record()
    return tally_hands(context.work, found, Estimation(view, context.work, found)), found


def quotient(found, slot):
    """(the commonest identity of a slot, how much commoner it is than the next)."""
    second, first = np.sort(found.tally[slot])[-2:]
    return card_text(int(np.argmax(found.tally[slot]))), first / second if second else math.inf


def test_his_first_example():
    """With blue and yellow exchanged among the fireworks, as it has to be: "1" means Y1 to a follower of the fixed reading; by chance
    Y1 is commoner than any other by 2.18 to 1, which 2.5 does not take."""
    fitting, found = counted(FIRST, "tell Bob 1", OUTER)
    assert fitting == 6_461 and quotient(found, 0) == ("Y1", math.inf)
    fitting, found = counted(FIRST, "tell Bob 1", BY_CHANCE)
    assert fitting == 15_335 and quotient(found, 0) == ("Y1", pytest.approx(2.184, abs=5e-4))
    assert found.tally[0, read_card("Y1")] == 6_461 and found.tally[0, read_card("B1")] == 0


def test_his_second_example():
    """Ann's red 4 not yet known to her. "White": the W5 that fits, 2.60 to 1 by chance; who tells the rank first would not say so."""
    assert counted(SECOND, "tell Bob W", OUTER)[0] == 0
    fitting, found = counted(SECOND, "tell Bob W", BY_CHANCE)
    assert fitting == 73_611 and quotient(found, 1) == ("W5", pytest.approx(2.605, abs=5e-4))


def test_his_third_example():
    """Early in the game "1" means playable, late rather not, if the chances of what is playable are added up; identities say neither.
    "White" means the white card that fits, where chance chose what was told."""
    hints = "Ann = ['R3', 'W4', 'G4', 'B3', 'Y4']\nBob = ['Y1', 'G1', 'R2', 'W3', 'G3']"
    for fireworks, share, times in (("R1", 0.833, 1.0), ("R1 G1 Y1 W1", 0.556, 5.0)):
        text = f'variant = "osawa"\ntokens = 5\nfireworks = "{fireworks}"\n[hands]\n{hints}'
        fitting, found = counted(text, "tell Bob 1", OUTER, 20_000)
        playable = [
            card
            for card in map(read_card, ("R2", "B1", "G1", "Y1", "W1"))
            if card_text(card)[0] + "1" not in fireworks
        ]
        assert found.tally[0, playable].sum() / fitting == pytest.approx(share, abs=0.02)
        assert quotient(found, 0)[1] == pytest.approx(times, rel=0.12)
    card, times = quotient(counted(THIRD, "tell Bob W", BY_CHANCE, 20_000)[1], 1)
    assert card == "W3" and times == pytest.approx(2.61, rel=0.1)


# --- what nobody may see ---------------------------------------------------------------------------------------------
def exchanged(game, me, turn, rng):
    """The same game up to a turn, but that the seat held another hand that fits."""
    state, view = game[turn]
    drawn = [int(card) for card in state.deck[: state.cards - view.deck]]
    slots, hands = twin.hands(view)
    for slot, card in zip(slots, list(hands)[rng.integers(len(hands))]):
        drawn[int(view.born[me, slot])] = card
    rest = TWO.deck()
    for card in drawn:
        rest.remove(card)
    table = Table(TWO, [OUTER], drawn + rng.permutation(rest).tolist())
    return snapshots(table.replay(int(state.seed), [0, 0], slow.moves_of(view)))


@pytest.mark.parametrize("depth", [1, 2])
def test_neither_my_hand_nor_the_deck_changes_the_estimate_or_the_move(depth):
    rng, differ = np.random.default_rng(2), 0
    for seed in range(3):
        game = walk(TWO, OUTER, seed)
        for turn in (7, 16):
            found = []
            for world in (game, exchanged(game, int(game[turn][1].me), turn, rng)):
                view = world[turn][1].copy()
                view.word = 1  # the seed of the deal is another where the deck is given
                seat = load(f"self:osawa-outer,when=turn,depth={depth}").at(2)
                seat = seat.join(TWO, int(view.me), ())
                peeping = twin.tally(OUTER, TWO, world, turn, "types", peek=True)[1]
                found.append((seat.move(view), seat.estimate.tally.tolist(), peeping.tolist()))
            assert found[0][:2] == found[1][:2]
            differ += found[0][2] != found[1][2]
    assert differ > 3  # the fault: an estimate that looks at the true hand


def test_who_sees_its_hand_is_no_list():
    for spec in ("search:osawa-ideal", "self:osawa-ideal"):
        with pytest.raises(ValueError, match="sees its own hand"):
            load(spec)
    with pytest.raises(
        ValueError,
        match="osawa-ideal sees its own hand, and this takes lists apart: name an agent that is one",
    ):
        load("osawa-ideal").list_at(2)


# --- the seats -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "spec, players",
    [
        ("osawa-self", 2),
        ("osawa-ideal", 2),
        ("self:osawa-outer-random,when=last,hands=50", 3),
        ("self:convention-simple,when=turn,a=1.5,hands=40", 3),
        ("self:piers,test=playable,hands=60", 4),
        ("self:osawa-outer,when=turn,hands=30,depth=2", 2),
    ],
)
def test_machine_code_plays_the_games_of_plain_python(spec, players):
    variant = read_variant("standard").at(players)
    seeds, table = game_seeds(4, tries(3)), Table(variant, [load(spec).at(players)])
    slowly = np.zeros(len(seeds), RESULT)
    for seed, result in zip(seeds, slowly):
        Table(variant, [load(spec).at(players)])._play_slowly(int(seed), [0] * players, result)
    assert (table.play(seeds, [0] * players) == slowly).all() and table.fired[0, 0] == slowly[
        "turns"
    ].sum()


def test_with_an_endless_quotient_it_plays_like_its_list():
    seeds = game_seeds(7, 30)
    never, always = (
        Table(OSAWA, [load(f"self:osawa-outer,when=turn,hands=60,a={a}").at(2)]).play(seeds, [0, 0])
        for a in ("inf", 2.5)
    )
    assert (never == Table(OSAWA, [OUTER]).play(seeds, [0, 0])).all() and (never != always).any()


def test_what_it_takes_its_cards_for_stands_in_its_reason(tmp_path):
    assert (
        typed(
            "show",
            "osawa-self",
            "--variant",
            "osawa",
            "--seed",
            2,
            "-o",
            "g.toml",
            "--no-pager",
            folder=tmp_path,
        )[0]
        == 0
    )
    game = load_game(tmp_path / "g.toml")
    turn = next(turn for turn, reason in enumerate(game.rules) if reason.startswith("taking slot "))
    assert ": cig2018." in game.rules[turn] or ": osawa." in game.rules[turn]
    code, out, err = typed("ask", "osawa-self", "g.toml", "--turn", turn, "--json", folder=tmp_path)
    data = json.loads(out)
    assert (code, err, data["rule"]) == (0, "", game.rules[turn]) and read_move(
        data["move"]
    ) == game.moves[turn]
    assert (
        "sees its own hand"
        in typed("ask", "osawa-ideal", "g.toml", "--turn", 3, folder=tmp_path)[2]
    )


def test_settings_read_back():
    agent = load("self:osawa-outer,a=3,when=turn,weight=chance")
    assert agent.name == "self:osawa-outer,a=3,when=turn,weight=chance" and loads(dumps(agent)).at(
        2
    ) == agent.at(2)
    assert (
        loads(dumps(agent)).hash
        == agent.hash
        != load("self:osawa-outer").hash
        != load("osawa-outer").hash
    )
    assert load("self:search:piers") == load("self:piers")
    assert (
        load("osawa-self").listed.at(2) == OUTER
        and load("self:osawa-self,a=2").name == "self:osawa-self,a=2"
    )
    with pytest.raises(
        ValueError,
        match="osawa-self estimates its hand, and this takes lists apart: copy its list into another file",
    ):
        load("osawa-self").list_at(2)
    assert "It estimates its hand" in str(agent) and "It sees its own hand" in str(
        load("osawa-ideal")
    )


@pytest.mark.parametrize(
    "spec, says",
    [
        ("self:nobody", "no agent 'nobody'"),
        ("self:", "no agent ''"),
        ("self:piers,b=3", "self: no key 'b'; the keys are a, when, weight, test, chance, hands"),
        ("self:piers,a=0.5", "self: a=0.5 should be a number from 1 to inf"),
        ("self:piers,when=never", "self: when='never' should be one of hint, turn, last"),
        ("self:piers,hands=0", "self: hands=0 should be a whole number from 1 to 10,000,000"),
        (
            "self:piers,chance=0.9",
            "self: chance= is for test=playable, and this is test=identity: leave one of them out",
        ),
        (
            "self:piers,test=playable,a=3",
            "self: a= is for test=identity, and this is test=playable",
        ),
        ("self:piers,a", "no agent 'piers,a'"),
        (
            "self:partners:cig2018-paper",
            "recognises its partners: write the spec of a list behind self:",
        ),
    ],
)
def test_errors_teach(spec, says):
    with pytest.raises(ValueError) as error:
        load(spec)
    assert says in str(error.value) and "\n" not in str(error.value)
