"""Expressions: what is written reads back, says what it does, and mistakes are told in one line."""

from random import Random

import pytest
from random_expressions import random_expression
from sizes import tries

from hanabi.language.expressions import of_program, read
from hanabi.rulebook import ROW, find


def test_texts_and_programs_read_back():
    rng = Random(1)
    for _ in range(tries(3000)):
        made = random_expression(rng)
        assert read(str(made)) == made and of_program(made.program()) == made
        assert all(0 <= word < 1 << 53 for word in made.program()), "a float holds it exactly"


@pytest.mark.parametrize(
    "text, same",
    [
        ("play_newest(touched and (mine or oldest))", ""),
        ("play_newest((touched and mine) or oldest)", "play_newest(touched and mine or oldest)"),
        ("play_newest(touched but not (oldest but not chop))", ""),
        (
            "play_newest((touched but  not oldest) but not chop)",
            "play_newest(touched but not oldest but not chop)",
        ),
        ("discard_oldest(where(not (lives_2 and deck_0), mine))", ""),
        (
            "discard_oldest(where(not not deck_0,mine))",
            "discard_oldest(where(not not deck_0, mine))",
        ),
    ],
)
def test_brackets_stand_where_they_matter(text, same):
    assert str(read(text)) == (same or text)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("discard_oldest(mine)", "Discard my oldest card."),
        (
            "play_newest(told_alone but not knows(useless)) when tokens >= 3",
            "With at least 3 tokens: play my newest card that is singled out by a hint since my last "
            "move but not known by its holder to be useless.",
        ),
        (
            "play_likeliest(where(not deck_0, likely_60 or told_now and touched))",
            "Play my likeliest card that is at least 60 % likely to be playable or (touched by a "
            "hint since my last move and touched by a hint), if not the deck is empty.",
        ),
        (
            "tell_play_to(where(danger, expected))",
            "Give the best honest hint that adds a play, to a player with a card that is the "
            "expected discard of its hand, if the next player is about to discard a critical card.",
        ),
    ],
)
def test_sentences(text, sentence):
    rule = find(f"grown_marks.{text}")
    assert rule.name == f"grown_marks.{text}" and rule.says == sentence and rule.settings == {}


@pytest.mark.parametrize(
    "text, told",
    [
        ("grown.play_newst(mine)", "did you mean 'play_newest'?"),
        ("grown.play_newest(within(playabel))", "did you mean 'playable'?"),
        ("grown.play_newest(playable)", "did you mean holds(playable)?"),
        ("grown.play_newest(knows(mine))", "'mine' is of the kind places, where types are wanted"),
        (
            "grown.play_newest(mine, mine)",
            "play_newest with 2 in brackets: write play_newest(places)",
        ),
        ("grown.play_newest(not mine)", "which have no such connection"),
        (
            "grown.tell_play(deck_0)",
            "'tell_play' is about marks: write grown_marks.tell_play(deck_0)",
        ),
        ("grown.deck_0", "begins with play_…, discard_… or tell_…"),
        ("grown.play_newest(mine", "cannot read"),
        ("grown.play_newest(mine.real)", "cannot read"),
        ("grown.play_newest(__import__('os'))", "no word '__import__'"),
        ("grown.", "cannot read"),
        ("grown", "write grown.play_first(within(playable)), or another"),
        ("grown(a=1)", "write grown.play_first(within(playable)), or another"),
        (
            "grown.play_newest(" + "newest_of(" * 40 + "mine" + ")" * 41,
            "has 42 words, more than 36",
        ),
        ("grown.play_newest(mine" + " and mine" * 6 + ")", "nests deeper than 6 values"),
        ("grown.play_newest(" + "newest_of(" * 200, "up to 1,500 letters"),
        ("grown.play_newest(mine) when rank == 1", "asks about a hint"),
    ],
)
def test_mistakes_are_told_in_one_line(text, told):
    with pytest.raises(ValueError) as raised:
        find(text)
    assert told in str(raised.value) and "\n" not in str(raised.value)


def test_it_fits_an_entry():
    """The most words, the deepest stack."""
    text = "play_newest(" + "newest_of(" * 34 + "mine" + ")" * 35
    assert len(list(read(text))) == 36 and len(read(text).program()) == ROW["values"].shape[0]
    assert str(of_program(read(text).program())) == text
    assert not read("play_newest(mine" + " and mine" * 5 + ")").problem()
