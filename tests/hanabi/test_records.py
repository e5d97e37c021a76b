"""Records: fields as attributes, copies, and their few words."""

import pickle

import numpy as np
import pytest

from hanabi.game import apply, deal, legal_moves, new_state
from hanabi.records import Record
from hanabi.variant import NAMED


@pytest.fixture
def view():
    state, view = new_state(NAMED["standard"].at(3))
    deal(state, view, 7)
    apply(state, view, legal_moves(view)[-1])
    return view


def test_fields_are_attributes_that_write_to_the_record(view):
    assert view.turn == view["turn"] == 1
    view.turn = 9
    view.hands[1, 2] = 3
    view.marks[0].memory[1, 1] = 5
    assert view["turn"] == 9 and view["hands"][1, 2] == 3
    assert view["marks"]["memory"][0, 1, 1] == 5 and type(view.marks[0]) is Record
    for wrong in (lambda: view.nothing, lambda: setattr(view, "nothing", 1)):
        with pytest.raises(AttributeError, match="'record' object has no attribute 'nothing'"):
            wrong()
    assert getattr(view, "nothing", None) is None and not hasattr(view, "nothing")


def test_a_copy_has_all_bytes_and_its_own(view):
    other = view.copy()
    assert type(other) is Record and other.dtype == view.dtype
    assert other.tobytes() == view.tobytes()
    other.turn = 3
    other.hands[1, 0] = 4
    assert view.turn == 1 and view.hands[1, 0] == -1 != other.hands[1, 0]
    assert not np.shares_memory(other["history"], view["history"])
    sent = pickle.loads(pickle.dumps(view))
    assert type(sent) is Record and sent.tobytes() == view.tobytes()


def test_its_words_are_few(view):
    assert str(view) == "View(turn 1, Bob of 3 players to move)"
    assert repr(view.marks[0]).startswith("Record(promised, ") and len(repr(view.marks[0])) < 60
