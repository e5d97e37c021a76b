"""Tree search in fixed worlds: against its slow twin, what it may not see, text."""

import numpy as np
import pytest
import slow_tree
from hidden_card_swaps import exchanged
from typed import typed

from hanabi.evolve.measure.tournament import play_games
from hanabi.game import snapshots
from hanabi.player import ListPlayer
from hanabi.rulebook import find
from hanabi.rules.agents import dumps, load, loads
from hanabi.rules.museum.zhao.uct import NODE, TreeSearcher, Uct, best_by_bound
from hanabi.table import Table
from hanabi.variant import read_variant

TWO = read_variant("zhao-2")
# needs no chance, so that a world of the twin, which has no seed of its own, goes on as it does in machine code
LIST = ListPlayer(
    tuple(
        map(
            find,
            [
                "cig2018.play_safe_card",
                "cig2018.tell_anyone_about_useful",
                "cig2018.discard_oldest_first",
            ],
        )
    )
)


def grown(player, view, variant=TWO):
    """What it does in a view, and its visits and points by move."""
    seat = player.join(variant, int(view.me), ())
    return seat.move(view.copy()), np.array([seat.forest.visits, seat.forest.points]), seat


@pytest.mark.parametrize("c", [0.3, 3])
def test_trees_are_those_of_the_twin(c):
    player = TreeSearcher(LIST, Uct(worlds=2, playouts=40, c=c))
    steps = snapshots(Table(TWO, [LIST, LIST]).steps(3, [0, 1]))
    for turn in (3, 9, 14):
        (_, _), found, seat = grown(player, steps[turn][1])
        want = slow_tree.visits([LIST, LIST], TWO, steps[turn], seat.context.work, player.kind)
        assert {move: tuple(found[:, move]) for move in np.flatnonzero(found[0])} == want
        assert found[0].sum() == 2 * 40


def test_neither_my_hand_nor_the_deck_changes_a_move():
    player, rng = TreeSearcher(LIST, Uct(worlds=3, playouts=30)), np.random.default_rng(2)
    steps = snapshots(Table(TWO, [LIST, LIST]).steps(1, [0, 1]))
    for turn in (4, 9):
        found = []
        for _, view in (steps[turn], exchanged(TWO, steps, turn, rng)):
            view = view.copy()
            view.word = 7  # the seed of the deal is another where the deck is given
            move, visits, _ = grown(player, view)
            found.append((move, visits.tolist()))
        assert found[0] == found[1]


def test_games_are_the_same_for_any_number_of_workers():
    one, two = (
        play_games("uct:piers,worlds=2,playouts=20", 2, 5, "iggi", variant="zhao-2", jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.equals(two)


def test_it_plays_any_game():
    for variant, spec in (
        ("mini", "uct:convention-2026,worlds=1,playouts=8"),
        ("zhao-2", "uct:legal-random,worlds=1,playouts=8"),
    ):
        law = read_variant(variant)
        player = load(spec).at(law.players)
        results = Table(law, [player]).play([1, 2], [0] * law.players)
        assert all(results["turns"] > 0) and all(results["end"] < 4)


def test_settings_read_back():
    agent = load("uct:piers,worlds=3,playouts=50,c=0.5")
    assert (
        agent.name == "uct:piers,worlds=3,playouts=50,c=0.5"
        and load(agent.name) == agent
        and loads(dumps(agent)) == agent
    )
    assert (
        agent.hash != load("uct:piers").hash != load("piers").hash
        and "worlds" in str(agent)
        and agent.differs
    )
    assert agent.plays(5) and load("uct:cig2018:46,8,2").at(3).follows == load("cig2018:46,8,2").at(
        3
    )


@pytest.mark.parametrize(
    "spec, says",
    [
        ("uct:piers,worlds=0", "uct: worlds=0 should be a whole number from 1 to 1,000"),
        (
            "uct:piers,world=3",
            "uct: no key 'world' (did you mean 'worlds'?); the keys are worlds, playouts, c",
        ),
        (
            "uct:zhao",
            "zhao searches for its moves: write the spec of a list behind uct:, such as uct:piers",
        ),
        ("uct:", "no agent ''"),
        (
            "search:uct:piers",
            "uct:piers searches for its moves: write the spec of a list behind search:, such as search:piers",
        ),
    ],
)
def test_errors_teach(spec, says):
    with pytest.raises(ValueError) as error:
        load(spec)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_a_file_without_a_list_is_told(tmp_path):
    (tmp_path / "a.toml").write_text("[uct]\nworlds = 3\n", encoding="utf-8")
    code, out, err = typed("show", "a.toml", folder=tmp_path)
    assert (
        (code, out) == (2, "")
        and "uct needs a list of rules for its playouts" in err
        and err.count("\n") == 1
    )


def test_the_most_tried_move_is_made_and_of_equals_the_one_with_more_points():
    seat = TreeSearcher(LIST, Uct()).join(TWO, 0, ())
    for move, times, points in ((3, 10, 20), (5, 10, 25), (7, 4, 40)):
        seat.forest.visits[move], seat.forest.points[move] = times, points
    assert seat.tried() == [
        (5, "tried 42% of 24 times, 2.50 points on average"),
        (3, "tried 42% of 24 times, 2.00 points on average"),
        (7, "tried 17% of 24 times, 10.00 points on average"),
    ]


def test_of_equal_bounds_the_first_move_goes_on():
    nodes = np.zeros(4, NODE)
    nodes[0].visits = 3
    for child, move, points in ((1, 3, 2.0), (2, 5, 5.0), (3, 7, 5.0)):
        nodes[0].next[move], nodes[child].visits, nodes[child].points = child, 1, points
    assert best_by_bound(nodes, 0, 0.3) == 5
