"""The convention families that evolution chooses from, in worked examples.

Conventions that are settings of ``says``; promises are kept. test_marks.py and
test_hint_evaluation.py compare lists with them, repeats and conditions to the slow twins in
slow_marks.py.
"""

from dataclasses import replace

import numpy as np
import pytest
from convention_agents import FULL
from test_marks import peeks
from worked_examples import play

from hanabi.conventions.marks import CONSIDER, read
from hanabi.conventions.register import find_convention, sort_by_stage
from hanabi.moves import SLOTS, is_tell, set_text
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant

# By player count: (the convention to insert, the family before which; "" last). Most were found
# to gain points, see docs/guides/conventions.md; the last at 4 and 5 cover promises of all sets.
FOUND = {
    2: [
        ("says(slot=6, what=3, promised=1) when rank == 0 and touches == 1", "focus"),
        ("says(slot=7, what=4, promised=0) when rank == 0 and touches >= 2", "focus"),
    ],
    3: [
        ("says(slot=6, what=0, promised=1) when distance == 1", "finesse"),
        ("says(slot=4, what=0, promised=1) when rank == 0", "focus"),
    ],
    4: [
        ("order_other(seat=1, slot=1)", ""),
        ("order_other(seat=3, slot=1) when touches == 0", "finesse"),
        ("says(slot=1, what=2, promised=1) when rank == 1", "focus"),
    ],
    5: [
        ("says(slot=1, what=0, promised=1) when touches >= 1", "focus"),
        ("says(slot=5, what=1, promised=1) when deck <= 12", "focus"),
    ],
}


def with_found(players):
    """The agent ``convention`` with what was found for a player count."""
    player = FULL[players]
    for text, before in FOUND[players]:
        held = player.conventions
        place = next((i for i, entry in enumerate(held) if entry.family.name == before), len(held))
        player = replace(player, conventions=(*held[:place], find_convention(text), *held[place:]))
    return player


PLAYABLE = "R1 B1 G1 Y1 W1"
HANDS = [
    "B1 B2 B3 B4 B5",
    "R4 G2 R5 G3 Y1",
]  # Ann, who gives the hint, and Bob; slot 0 is the oldest


def about(view, seat, which="promised"):
    """What is promised, or assumed, of the slots of a seat beyond what hints say: {slot: set}."""
    marks = view.marks[0][which][seat]
    return {
        slot: set_text(int(marks[slot]))
        for slot in range(5)
        if marks[slot] != view.mask[seat, slot]
    }


@pytest.mark.parametrize(
    "slot, expected",
    [
        (0, {2: "R1"}),
        (1, {0: "R1"}),
        (2, {2: "R1"}),
        (3, {4: "B1 G1 Y1 W1"}),
        (4, {1: "B1 G1 Y1 W1"}),
        (5, {3: "B1 G1 Y1 W1"}),
        (6, {}),
        (7, {0: "R1"}),
    ],
)
def test_which_card_it_is_about(slot, expected):
    """Ann tells Bob that slots 0 and 2 are red; nothing untouched is older than these."""
    view = play(HANDS, [f"says(slot={slot}, what=0, promised=1)"], ["tell Bob R"])
    assert about(view, 1) == expected
    assert view.marks[0].pledged[1] == sum(1 << place for place in expected)


def test_the_card_next_older_skips_touched_ones():
    """Green first, then yellow: older than slot 4 are 1 and 3, touched before, and 2."""
    view = play(
        HANDS,
        ["says(slot=6, what=0, promised=1) when distance == 1 and touches == 1 and rank == 0"],
        ["tell Bob G", "tell Ann 5", "tell Bob Y"],
    )
    assert about(view, 1) == {2: "R1 B1 W1"}


@pytest.mark.parametrize("what, expected", [(0, "R1"), (1, "R5"), (2, "R2"), (3, ""), (4, "R2345")])
@pytest.mark.parametrize("promised", [0, 1])
def test_which_cards_it_says(what, promised, expected):
    """Of the newest red card. Nothing is useless yet, so nothing is said of that."""
    view = play(HANDS, [f"says(slot=0, what={what}, promised={promised})"], ["tell Bob R"])
    assert about(view, 1, "assumed").get(2, "") == expected
    assert about(view, 1).get(2, "") == (expected if promised else "")
    assert view.marks[0].pledged[1] == (1 << 2 if promised and what == 0 else 0), (
        "pledged is what is promised playable"
    )


@pytest.mark.parametrize(
    "seat, slot, expected",
    [(1, 0, {}), (1, 1, {}), (2, 0, {4: PLAYABLE}), (2, 1, {0: PLAYABLE}), (3, 0, {}), (4, 1, {})],
)
def test_an_order_to_another(seat, slot, expected):
    """Ann's hint is for Bob; Cal is two seats on, and there is nobody three on."""
    view = play(
        ["B1 B2 B3 B4 B5", "R4 G2 R5 G3 Y1", "W1 W2 W3 Y3 W1"],
        [f"order_other(seat={seat}, slot={slot})"],
        ["tell Bob R"],
    )
    assert about(view, 2) == expected and about(view, 1) == {}


def test_an_order_passes_over_what_was_promised():
    """Cal's slot 4 was ordered.

    Once Bob has played an R1 it is no sure play any more, and the next order is about slot 3.
    """
    view = play(
        ["B1 B2 B3 B4 B5", "R1 G2 R5 G3 Y1", "W1 W2 W3 Y3 W1"],
        ["order_other(seat=2, slot=0)"],
        ["tell Bob R", "play 0", "tell Ann B", "tell Bob G"],
    )
    assert about(view, 2) == {4: PLAYABLE, 3: "R2 B1 G1 Y1 W1"}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_focus_and_order_own_are_settings_of_says(players):
    """The same games, card by card, and so the same marks: what anybody does hangs on them."""
    player = FULL[players]
    settings = {
        "focus": "says(slot=0, what=0, promised=1)",
        "order_own": "says(slot=3, what=0, promised=1)",
    }
    base = tuple(
        replace(entry, values=(0,)) if entry.family.name == "focus" else entry
        for entry in player.conventions
        if entry.family.name != "order_own"
    ) + (find_convention("order_own"),)
    seeds, played = game_seeds(11, 150), []
    for conventions in (
        base,
        tuple(find_convention(settings.get(entry.family.name, entry.name)) for entry in base),
    ):
        table = Table(Variant(players=players), [replace(player, conventions=conventions)])
        played.append((table.play(seeds, [0] * players), table.fired.tolist()))
    assert (played[0][0] == played[1][0]).all() and played[0][1] == played[1][1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_promises_are_kept_and_blind(players):
    """As in test_marks.py: of all slot-turns fewer than 0.05 % have a false promise."""
    player, variant = with_found(players), Variant(players=players)
    assert not peeks(player, players, 3)
    table, held, false, new = Table(variant, [player]), 0, 0, set()
    for seed in range(80):
        for step in table.steps(seed, [0] * players):
            here = step.state.hands[:players] >= 0
            truth = np.where(here, 1 << np.maximum(step.state.hands[:players], 0), 0)
            held += here.sum()
            false += (here & (step.view.marks[0].promised[:players, :SLOTS] & truth == 0)).sum()
            if is_tell(step.move):
                read(step.view, CONSIDER - step.move)
                new.add(int(step.view.readings[0].meaning))
    assert false / held < 0.0005, f"{false} of {held}"
    names = sort_by_stage(player.conventions)
    meant = {names[place].name for place in new if place >= 0}
    assert {text for text, _ in FOUND[players]} <= meant, "each of what was found was said"
