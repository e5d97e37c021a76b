"""Every convention in one worked example.

Their text forms; judged hints; mixed tables; what the agents score.
"""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from convention_agents import FULL, SIMPLE, table_of
from worked_examples import play

from hanabi.backend.plain_functions import Twins
from hanabi.conventions.finesses import FINESSE, FOCUS, GIVER
from hanabi.conventions.hint_evaluation import HONEST, best_hint, chosen_hint, judged_hints
from hanabi.conventions.marks import agreed_chop
from hanabi.conventions.memory import memory_of
from hanabi.conventions.own_hand import own_cards, own_counts
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    MAX_CONVENTIONS,
    convention,
    find_convention,
    loop_over_readings,
    sort_by_stage,
)
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.game_loop import FAULTED
from hanabi.moves import move_text, read_card, set_text
from hanabi.rulebook import Rule, find
from hanabi.rules.convention_play import sets_right
from hanabi.state import set_answers
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import Variant
from hanabi.view import partner_types


def promised(view, seat, slot):
    return set_text(int(view.marks[0].promised[seat, slot]))


def assumed(view, seat, slot):
    return set_text(int(view.marks[0].assumed[seat, slot]))


def finesse_giver(view):
    return memory_of(view, FINESSE)[GIVER]


PLAYABLE = "R1 B1 G1 Y1 W1"


def test_focus_the_newest_card_that_may_be_playable_is():
    """Ann tells Bob red: of his two red cards the newer one, slot 3, is the R1."""
    hands = ["B1 B2 B3 B4 B5", "R4 G2 G3 R1 Y4"]
    view = play(hands, ["focus(ranks=0)"], ["tell Bob R"])
    assert promised(view, 1, 3) == "R1" and promised(view, 1, 0) == "R12345"
    assert view.marks[0].pledged[1] == 1 << 3 and view.marks[0].plays[1] == 1 << 3


def test_focus_of_a_rank_promises_all_where_agreed():
    """After R1, Ann tells Bob 2.

    By default the newest 2 is R2; where a rank promises all, both are (here falsely).
    """
    hands = ["R1 B2 B3 B4 B5", "R2 G2 G3 R4 Y4"]
    moves = ["play 0", "tell Ann B", "tell Bob 2"]
    assert [promised(play(hands, ["focus(ranks=0)"], moves), 1, slot) for slot in (0, 1)] == [
        "R2 B2 G2 Y2 W2",
        "R2",
    ]
    assert [promised(play(hands, ["focus(ranks=1)"], moves), 1, slot) for slot in (0, 1)] == [
        "R2",
        "R2",
    ]


def test_identify_a_hint_that_shows_a_play_by_itself_says_nothing_more():
    """B1 lies on the table, Bob knows of a red card.

    Told 1, he sees that it is R1; his newer 1 is not promised.
    """
    hands = ["B1 B2 B3 B4 B5", "R1 G2 G3 R1 G1"]
    moves = ["play 0", "tell Ann 3", "tell Bob R", "tell Ann 4", "tell Bob 1"]
    view = play(hands, ["identify", "focus(ranks=0)"], moves)
    assert promised(view, 1, 0) == "R1" and view.marks[0].pledged[1] == 1 << 3
    view = play(hands, ["focus(ranks=0)"], moves)
    assert view.marks[0].pledged[1] == 1 << 3 | 1 << 4 and promised(view, 1, 4) == "G1 Y1 W1"


def test_warning_keep_the_last_copy():
    """Bob would discard his oldest card.

    Ann tells him 5, which touches it: the last copy of something.
    """
    hands = ["B1 B2 B3 B4 B1", "R5 G2 G3 R1 Y4"]
    view = play(hands, ["warning(colours=0)"], ["tell Bob 5"])
    assert (
        promised(view, 1, 0) == "R5 B5 G5 Y5 W5"
        and view.marks[0].warned[1] == 1
        and agreed_chop(view, 1) == 1
    )
    view = play(hands, ["warning(colours=0)"], ["tell Bob R"])
    assert view.marks[0].warned[1] == 0 and promised(view, 1, 0) == "R12345"
    view = play(hands, ["warning(colours=1)", "focus(ranks=0)"], ["tell Bob R"])
    assert (
        view.marks[0].warned[1] == 1
        and promised(view, 1, 0) == "R5"
        and promised(view, 1, 3) == "R1234"
    )


def test_stall_with_all_tokens_a_rank_on_the_oldest_card_says_nothing():
    """All tokens are there and Bob tells Ann, who sits before him, 2, which touches her oldest
    card: no focus on her newest 2, which fits on B1. Without ``stall``, or for a colour, there is.
    """
    hands = ["B1 R2 B3 B4 B2", "R4 G2 G3 R3 Y4", "R1 W2 W3 W1 G4"]
    for conventions, hint, pledged in [
        (["stall", "focus(ranks=0)"], "2", 0),
        (["focus(ranks=0)"], "2", 1 << 4),
        (["stall", "focus(ranks=0)"], "B", 1 << 4),
    ]:
        assert (
            play(hands, conventions, ["play 0", f"tell Ann {hint}"], "Y4").marks[0].pledged[0]
            == pledged
        )


def test_finesse_the_player_in_between_plays_the_missing_card():
    """Ann tells Cal red on his R2, over Bob, whose newest card is R1.

    Bob plays it; then Cal's card is the R2.
    """
    hands = ["B1 B2 B3 B4 B5", "G4 G2 G3 Y4 R1", "R2 W2 W3 W4 G4"]
    conventions = ["finesse(bluff=1, later=1)", "focus(ranks=0)"]
    view = play(hands, conventions, ["tell Cal R"])
    assert list(memory_of(view, FINESSE)[: FOCUS + 1]) == [0, 2, 0]
    assert view.marks[0].awaited[2] == 0b1 and view.marks[0].may_answer[1] == 0b10000
    assert assumed(view, 2, 0) == "R12" and promised(view, 2, 0) == "R12345"
    set_answers(view, {own_cards, own_counts})
    assert move_text(find("answer_finesse")(view)) == "play 4"
    view = play(hands, conventions, ["tell Cal R", "play 4"])
    assert (
        finesse_giver(view) == -1 and promised(view, 2, 0) == "R2" and view.marks[0].plays[2] == 1
    )


def test_bluff_and_no_answer():
    """If Bob answers with another card that fits, Cal's is one away.

    If he does not, it fits already.
    """
    hands = ["B1 B2 B3 B4 B5", "G4 G2 G3 Y4 W1", "R2 W2 W3 W4 G4"]
    conventions = ["finesse(bluff=1, later=0)"]
    assert promised(play(hands, conventions, ["tell Cal R", "play 4"]), 2, 0) == "R2"
    assert promised(play(hands, conventions, ["tell Cal R", "tell Ann B"]), 2, 0) == "R1"
    assert finesse_giver(play(hands, conventions, ["tell Cal R", "tell Ann B"])) == -1


def test_a_finesse_may_be_answered_by_a_later_player():
    """Ann tells Dee red on her R2; Bob sees the R1 at Cal and does something else; Cal answers."""
    hands = ["B1 B2 B3 B4", "G4 G2 G3 Y4", "Y2 Y3 G1 R1", "R2 W2 W3 W4"]
    conventions = ["finesse(bluff=1, later=1)"]
    view = play(hands, conventions, ["tell Dee R"])
    set_answers(view, {own_cards, own_counts})
    assert find("answer_finesse")(view) == 0
    view = play(hands, conventions, ["tell Dee R", "tell Ann B"])
    assert finesse_giver(view) == 0
    set_answers(view, {own_cards, own_counts})
    assert move_text(find("answer_finesse")(view)) == "play 3"
    assert promised(play(hands, conventions, ["tell Dee R", "tell Ann B", "play 3"]), 3, 0) == "R2"
    assert (
        promised(play(hands, conventions, ["tell Dee R", "tell Ann B", "discard 0"]), 3, 0) == "R1"
    )


def test_a_card_that_was_known_answers_nothing_but_may_connect():
    """Cal plays an R1 that everybody knew of while a finesse on Dee's red card is open.

    It may be the R1 or the R2.
    """
    hands = ["B1 B2 B3 B4", "G4 G2 G3 Y4", "Y2 Y3 G4 R1", "R2 W2 W3 W4"]
    conventions = ["finesse(bluff=1, later=1)", "focus(ranks=0)"]
    view = play(hands, conventions, ["tell Dee R", "tell Cal R", "play 3"])
    assert promised(view, 3, 0) == "R12" and finesse_giver(view) == -1


def test_order_own_a_hint_that_says_nothing_else_orders_the_newest_card():
    """Ann tells Bob 5: no 5 is playable, so his newest untouched card is."""
    hands = ["B1 B2 B3 B4 B5", "R5 G2 G3 R4 Y1"]
    view = play(hands, ["focus(ranks=0)", "order_own"], ["tell Bob 5"])
    assert promised(view, 1, 4) == PLAYABLE and view.marks[0].pledged[1] == 1 << 4


def test_order_next_a_hint_that_says_nothing_else_orders_the_next_player():
    """Ann tells Cal 5: Bob's newest card is playable. Told to Bob himself, it is Cal's."""
    hands = ["B1 B2 B3 B4 B1", "R5 G2 G3 R4 Y1", "G5 W2 W3 W4 W1"]
    view = play(hands, ["focus(ranks=0)", "order_next"], ["tell Cal 5"])
    assert promised(view, 1, 4) == PLAYABLE and view.marks[0].pledged[2] == 0
    view = play(hands, ["focus(ranks=0)", "order_next"], ["tell Bob 5"])
    assert promised(view, 2, 4) == PLAYABLE and view.marks[0].pledged[1] == 0


def test_touched_useful_a_touched_card_can_still_be_played():
    """R1 lies on the table; Cal is told 1, twice: his 1s are assumed to be others."""
    hands = ["R1 B2 B3 B4 B5", "R5 G2 G3 R4 Y1", "G1 W2 W3 W4 Y4"]
    view = play(hands, ["touched_useful"], ["play 0", "tell Cal 1"])
    assert assumed(view, 2, 0) == "B1 G1 Y1 W1" and promised(view, 2, 0) == PLAYABLE


def test_no_warning_means_safe():
    """Ann plays a card without warning Bob.

    His oldest card, which he would discard, is no last copy.
    """
    hands = ["R1 B2 B3 B4 B5", "R4 G2 G3 R4 Y1", "G1 W2 W3 W4 Y4"]
    view = play(hands, ["no_warning"], ["play 0"])
    assert assumed(view, 1, 0) == "R1234 B1234 G1234 Y1234 W1234"
    assert promised(view, 1, 0) == "R12345 B12345 G12345 Y12345 W12345"
    view = play(hands, ["no_warning"], ["tell Bob 4"])  # Bob was told something: no such conclusion
    assert assumed(view, 1, 1) == "R1235 B1235 G1235 Y1235 W1235"


@pytest.mark.parametrize(
    "agreed, expected",
    [
        ("touched=0, critical=0, age=0", 0),
        ("touched=0.3, critical=0, age=0", 1),
        ("touched=0.3, critical=0, age=-0.2", 4),
    ],
)
def test_chop_what_is_agreed_to_be_discarded(agreed, expected):
    """Bob's oldest card was touched by a hint: it is his chop, or the next, or the newest."""
    hands = ["R1 B2 B3 B4 B5", "R4 G2 G3 Y3 Y1"]
    view = play(hands, [f"chop({agreed})"], ["tell Bob R"])
    assert agreed_chop(view, 1) == expected


@pytest.mark.parametrize("which, expected", [(0, PLAYABLE), (1, "B1 G1 Y1 W1")])
def test_played_leaves_touched_cards(which, expected):
    """Bob's 1 was only touched when Ann plays R1.

    Where touched cards count too, it is not assumed to be another R1.
    """
    hands = ["R1 B2 B3 B4 B5", "B1 G2 G3 Y3 Y2"]
    view = play(hands, [f"played_leaves(all={which})"], ["tell Bob 1", "tell Ann B", "play 0"])
    assert assumed(view, 1, 0) == expected and promised(view, 1, 0) == PLAYABLE


def test_a_promise_stays_true_when_somebody_else_plays_the_card():
    """Bob's card was promised playable when R1 was.

    After Ann's R1 it is still one of these types, and not all fit.
    """
    hands = ["R1 B2 B3 B4 B5", "B1 G2 G3 Y3 Y2"]
    view = play(hands, ["focus(ranks=0)"], ["tell Bob 1", "tell Ann B", "play 0"])
    assert (
        promised(view, 1, 0) == PLAYABLE
        and view.marks[0].plays[1] == 0
        and view.marks[0].perhaps[1] & 1
    )


# ---- judged hints


def judged(view):
    """{hint: (honest, new)} of the seat to move."""
    set_answers(view, {own_cards, judged_hints, chosen_hint})
    best_hint(view, -1, 0, HONEST)
    assert view.asked & judged_hints
    return {
        move_text(view.hints[i].move): (int(view.hints[i].honest), int(view.hints[i].new))
        for i in range(view.hint_count)
    }


def test_hints_are_judged_by_what_they_come_to_mean():
    """Red on R4, R1 (newer) is true.

    Green on G2 would promise a play that is none; 1 shows two plays by itself.
    """
    hands = ["B1 B2 B3 B4 B5", "R4 G2 R1 G3 Y1"]
    view = play(hands, ["identify", "focus(ranks=0)"], [])
    assert judged(view) == {
        "tell Bob R": (2, 1),
        "tell Bob G": (0, 0),
        "tell Bob Y": (2, 1),
        "tell Bob 1": (2, 2),
        "tell Bob 2": (2, 0),
        "tell Bob 3": (2, 0),
        "tell Bob 4": (2, 0),
    }
    assert {honest for honest, _ in judged(play(hands, [], [])).values()} == {
        2
    }  # what is literal is true


def test_a_hint_that_leaves_a_last_copy_to_be_discarded_is_not_honest():
    """Cal's hint is fine in itself, but Bob, to whom Ann says nothing, would discard his R5."""
    hands = ["B1 B2 B3 B4 B5", "R5 G2 G3 Y4 Y3", "W1 W2 W3 W4 G4"]
    hints = judged(
        play(hands, ["warning(colours=0)", "identify", "focus(ranks=0)", "no_warning"], [])
    )
    assert hints["tell Cal 1"] == (1, 1) and hints["tell Bob 5"] == (2, 0)


def told(view, rule):
    """The hint that a rule gives, "" for none."""
    set_answers(view, {own_cards, judged_hints, chosen_hint})
    rule = find(rule)
    move = rule.family.function(view, *rule.values)
    return move_text(move) if move else ""


@pytest.mark.parametrize("belief", [0, 1])
def test_correct_sets_right_what_a_player_takes_a_card_for(belief):
    """Cal was told 1 and plays a R1, so she takes her other one for a G1, Y1 or W1.

    Ann tells her red: then it is a R1. A hint of 2 would be as honest and leaves her mistaken.
    """
    hands, agreed = (
        ["B2 B3 B4 G2 G3", "G4 Y2 Y3 Y4 W2", "R1 B2 B3 R3 R1"],
        ["focus(ranks=0)", "played_leaves(all=1)"],
    )
    moves = ["tell Cal 1", "tell Cal B", "play 0"]
    view = play(hands, agreed, moves, deck="R2")
    assert assumed(view, 2, 4) == "G1 Y1 W1" and judged(view)["tell Cal 2"] == judged(view)[
        "tell Cal R"
    ] == (2, 1)
    assert told(view, f"correct(tokens=4, far=1, belief={belief})") == "tell Cal R"
    assert told(view, f"correct(tokens=4, far=0, belief={belief})") == "", (
        "Bob is next, and not mistaken"
    )
    view = play(hands, agreed, [*moves, "tell Bob 4"], deck="R2")
    assert told(view, f"correct(tokens=4, far=0, belief={belief})") == "tell Cal R", (
        "she is next to Bob"
    )
    view = play(hands, agreed, [*moves, "tell Bob 4", "tell Ann 4", "tell Ann G"], deck="R2")
    assert [
        told(view, f"correct(tokens={tokens}, far=1, belief={belief})") for tokens in (3, 4)
    ] == ["tell Cal R", ""], "three are left"
    view = play(hands, agreed, moves, deck="R1")
    assert told(view, f"correct(tokens=1, far=1, belief={belief})") == "", (
        "red would promise that the R1 that she drew is a R2"
    )


def test_correct_of_beliefs_looks_at_more_than_plays():
    """Cal takes her R1 for a G2: no mistake that she would make now."""
    view = play(
        ["B2 B3 B4 G2 G3", "G4 Y2 Y3 Y4 W2", "R1 B2 B3 R3 R1"],
        ["focus(ranks=0)", "played_leaves(all=1)"],
        ["tell Cal 1", "tell Cal B", "play 0"],
        deck="R2",
    )
    view.marks[0].assumed[2, 4] = 1 << read_card("G2")
    assert [told(view, f"correct(tokens=1, far=1, belief={belief})") for belief in (0, 1)] == [
        "",
        "tell Cal R",
    ]


def test_types_that_a_card_cannot_be_set_nothing_right():
    """A hint shows Cal that her card does not fit if it leaves her an unplayable type of which she
    does not see every copy.
    """
    view = play(
        ["B2 B3 B4 G2 G3", "G4 Y5 Y3 Y4 W2", "R1 B2 B3 R3 R1"],
        ["focus(ranks=0)"],
        ["tell Cal 1", "tell Cal B", "play 0"],
        deck="R2",
    )
    hints = list(judged(view))
    place, types = hints.index("tell Cal 2"), int(partner_types(view, 2))
    for card, shown in (
        ("Y5", False),
        ("W5", True),
        ("Y1", False),
    ):  # she sees the only Y5; a Y1 is playable
        bit = 1 << read_card(card)
        assert bool(types & bit) == (card != "Y5") and bool(view.playable & bit) == (card == "Y1")
        view.readings[1 + place].assumed[4] = bit
        assert sets_right(view, place, 1 << 4, 0) == shown


# ---- text, tables, scores


@pytest.mark.parametrize(
    "text, message",
    [
        ("focis", "no convention 'focis' (did you mean 'focus'?)"),
        ("focus", "convention focus needs ranks=, from 0 to 1"),
        ("focus(ranks=2)", "convention focus: ranks=2 is out of its range, 0 to 1"),
        (
            "focus(rank=1)",
            "convention focus has no value 'rank' (did you mean 'ranks'?); it takes ranks",
        ),
    ],
)
def test_errors_teach(text, message):
    with pytest.raises(ValueError) as error:
        find_convention(text)
    assert str(error.value).startswith(message)


def test_conventions_read_back():
    for family in CONVENTION_FAMILIES.values():
        entry = Rule(family, tuple(choices[-1] for choices in family.grid.values()))
        assert (
            find_convention(entry.name).name == entry.name and entry.says and "\n" not in entry.says
        )
    with pytest.raises(ValueError, match="twice in the list"):
        sort_by_stage([find_convention("stall")] * 2)


def test_a_convention_is_asked_about_each_open_reading():
    def says(view, reading, least):
        view.asked.append(reading)
        return int(reading >= least)

    view = SimpleNamespace(open=0b11010, readings=[9, 7, 9, 8, 9], asked=[])
    assert Twins().of(loop_over_readings(says))(view, 8) == 0b11000 and view.asked == [7, 8, 9]


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("view", "takes view: write def mine(view, reading), and reading for view.reading"),
        (
            "view, least",
            "takes view, least: write def mine(view, reading, least), and reading for view.reading",
        ),
    ],
)
def test_a_convention_without_its_reading_is_told_what_to_write(parameters, message):
    place: dict = {}
    exec(f"def mine({parameters}):\n 'Says nothing.'\n return view.reading.slots", place)
    with pytest.raises(TypeError) as error:
        convention("meaning", **({"least": (1, 2)} if "least" in parameters else {}))(place["mine"])
    assert str(error.value) == f"convention mine {message}" and "mine" not in CONVENTION_FAMILIES


def test_weights_read_back():
    assert read_weights({}) == tuple(float(entry[0]) for entry in WEIGHTS.values())
    with pytest.raises(ValueError, match="no weight 'nwe' .did you mean 'new'"):
        read_weights({"nwe": 1})
    with pytest.raises(ValueError, match="weight new = 99 should be a number from 0 to 40"):
        read_weights({"new": 99})
    trust = list(WEIGHTS).index("trust_lives")
    assert read_weights({"trust_lives": 4})[trust] == 4  # with four lives: never
    with pytest.raises(ValueError, match="weight trust_lives = 5 should be a number from 0 to 4"):
        read_weights({"trust_lives": 5})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_mixed_conventions_never_move_illegally(players):
    """Strategies with different rules, conventions and weights at one table, one with none."""
    rng = random.Random(players)
    strategies = [FULL[count] for count in (2, 3, 4, 5)] + [SIMPLE[2], ListPlayer(SIMPLE[2].rules)]
    for _ in range(6):
        families = rng.sample(sorted(CONVENTION_FAMILIES), rng.randint(0, MAX_CONVENTIONS))
        conventions = tuple(
            Rule(family, tuple(rng.choice(choices) for choices in family.grid.values()))
            for family in map(CONVENTION_FAMILIES.get, families)
        )
        known = list(FULL[rng.randint(2, 5)].rules)
        rng.shuffle(known)
        weights = tuple((name, rng.uniform(*entry[1:3])) for name, entry in WEIGHTS.items())
        strategies.append(ListPlayer(tuple(known), "default", conventions, weights))
    table = Table(Variant(players=players), strategies)
    seats = np.array([[rng.randrange(len(strategies)) for _ in range(players)] for _ in range(600)])
    results = table.play(game_seeds(7, 600), seats)
    assert (results["end"] != FAULTED).all()


def test_a_mixed_table_is_worse_and_the_same_list_at_all_seats_is_not_mixed():
    variant = Variant(players=3)
    alone = table_of(variant, FULL[3]).play(game_seeds(1, 200), [0, 0, 0])
    again = Table(variant, [FULL[3], FULL[3]]).play(game_seeds(1, 200), [0, 1, 0])
    assert (alone == again).all()
    mixed = Table(variant, [FULL[3], SIMPLE[3], ListPlayer(SIMPLE[3].rules)]).play(
        game_seeds(1, 200), [0, 1, 2]
    )
    assert mixed["score"].mean() < alone["score"].mean() - 1


@pytest.mark.parametrize(
    "players, simple, full", [(2, 22.7, 23.6), (3, 22.9, 23.9), (4, 22.3, 23.6), (5, 20.9, 22.6)]
)
def test_scores(players, simple, full):
    """Floors well below what is measured (400 games, s.e. 0.07)."""
    for agents, floor in ((SIMPLE, simple), (FULL, full)):
        results = table_of(Variant(players=players), agents[players]).play(
            game_seeds(5, 400), np.zeros(players, int)
        )
        assert results["score"].mean() > floor
        if agents is FULL:
            assert (
                np.where(results["end"] == 1, 0, results["score"]).mean()
                > results["score"].mean() - 0.25
            )


@pytest.mark.parametrize("name", ["focus", "warning", "identify", "played_leaves"])
def test_switching_a_convention_off_costs(name):
    """Giver and reader change together, so that points are lost, not games."""
    strategy, seeds = FULL[5], game_seeds(6, 1000)
    without = tuple(entry for entry in strategy.conventions if entry.family.name != name)
    scores = [
        Table(
            Variant(players=5),
            [ListPlayer(strategy.rules, "default", conventions, strategy.weights)],
        )
        .play(seeds, np.zeros(5, int))["score"]
        .mean()
        for conventions in (strategy.conventions, without)
    ]
    assert 0.03 < scores[0] - scores[1] < 2
