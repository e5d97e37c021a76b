"""Moves as persons and files write them."""

import pytest

from hanabi.evolve.site.table_game import read_typed
from hanabi.moves import read_move, tell_colour, tell_rank
from hanabi.notation import read_event
from hanabi.text.move_facts import ENGINE

BORN = [0, 1, 2, 3, 4]


@pytest.mark.parametrize("verb", ["tell", "hint", "clue"])
def test_a_hint_has_three_verbs(verb):
    assert read_move(f"{verb} Bob R") == tell_colour(1, 0)
    assert read_move(f"{verb} Cal 3") == tell_rank(2, 3)
    assert read_event(f"{verb} Bob R: 1 3") == read_event("tell Bob R: 1 3")
    for text in (f"{verb} Bob red", f"{verb.upper()} bob: r"):
        assert read_typed(text, BORN, ENGINE) == tell_colour(1, 0)


@pytest.mark.parametrize("text", ["hint", "clue 3", "hint hint Bob R", "told Bob R", "hint play 0"])
def test_other_words_are_no_move(text):
    with pytest.raises(ValueError):
        read_move(text)
    with pytest.raises(ValueError):
        read_typed(text, BORN, ENGINE)
