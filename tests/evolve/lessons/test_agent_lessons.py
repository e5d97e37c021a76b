"""Lessons about an agent: each example shows its sentence, and each answer of the quiz is right."""

import json
import re

import pytest
from slow_marks import SlowMarks, follow
from typed import typed

from hanabi.evolve.lessons import agent_lessons
from hanabi.evolve.lessons.agent_lessons import (
    QUIZ,
    Subject,
    is_taught,
    lessons,
    meaning_lines,
    quiz,
)
from hanabi.moves import is_discard, is_play, is_tell, slot_of
from hanabi.rules.agents import load

NAME, PLAYERS = "convention-2026", 3  # each of its meanings is of another family


@pytest.fixture(scope="module")
def subject():
    return Subject.of(load(NAME), PLAYERS)


@pytest.fixture(scope="module")
def found(subject):
    return lessons(subject)


@pytest.fixture(scope="module")
def asked(subject):
    return quiz(subject, 3)


def slow_meaning(subject, game, turn):
    """By plain Python over sets: the name of what the move of a turn means; None for no hint."""
    told = [(entry.family.name, entry.settings, entry.guard) for entry in subject.entries]
    slow = SlowMarks(game.variant, told)
    view = subject.walk(game)[-1]
    for event in view.history[: turn + 1].tolist():
        meaning = follow(slow, event)
    return meaning


def test_every_sentence_has_an_example_that_shows_it(subject, found):
    """The name of each meaning is that of a slow twin; what is not a hint is checked by the game."""
    assert len(found) == len(subject.entries) and all(one.example for one in found)
    for entry, one in zip(subject.entries, found):
        example = one.example
        assert one.says == entry.says and example.meaning and example.last >= example.turn
        move = example.game.moves[example.turn]
        if entry.family.stage == "meaning":
            assert is_tell(move)
            assert slow_meaning(subject, example.game, example.turn) == entry.family.name
        if entry.family.name == "played_leaves":
            assert is_play(move) and " is taken for no second " in example.meaning[0]
        if entry.family.name == "no_warning":
            assert example.meaning[0].startswith("No warning:")
        if entry.family.name == "chop":
            assert is_discard(move)


def test_what_a_promise_or_an_order_names_is_played_in_the_example(found):
    checked = 0
    for one in found:
        line, example = one.example.meaning[0], one.example
        named = re.match(r"Promise to \w+: slot (\d) is playable|It .*to play slot (\d)\.", line)
        if named:
            turn, view = example.last, example.game.at(example.turn)[1]
            move = example.game.moves[turn]
            assert is_play(move), example.happened
            seat = turn % PLAYERS
            born = example.game.at(turn)[1].born[seat, int(slot_of(move))]
            held = sorted(view.born[seat].tolist(), reverse=True)
            assert held.index(born) + 1 == int(named[1] or named[2])
            checked += 1
    assert checked >= 2


def test_the_same_agent_has_the_same_lessons_and_a_seed_its_questions(subject, asked):
    assert quiz(subject, 3) == asked and quiz(subject, 4) != asked
    assert (
        len(asked) == QUIZ and len({(one.game.seed, one.turn, one.asks) for one in asked}) == QUIZ
    )


def test_each_right_answer_is_what_the_move_means(subject, asked):
    kinds = set()
    for one in asked:
        view, move = subject.walk(one.game)[one.turn], one.game.moves[one.turn]
        right = one.choices[one.answer]
        assert len(set(one.choices)) == len(one.choices) >= 2
        if one.asks.startswith("You are"):
            assert right == " ".join(meaning_lines(subject, view, move))
            kinds.add("meaning")
        else:
            [entry] = [entry for entry in subject.entries if entry.says == right]
            if entry.family.stage == "meaning":
                assert slow_meaning(subject, one.game, one.turn) == entry.family.name
            kinds.add("sentence")
    assert kinds == {"meaning", "sentence"}


def test_an_agent_without_conventions_is_taught_by_its_rules():
    subject = Subject.of(load("piers"), 2)
    assert "mean what they say" in subject.intro
    for entry, one in zip(subject.entries, lessons(subject, 5)):
        if one.example:
            assert one.example.game.rules[one.example.turn] == entry.name
    for one in quiz(subject, 0):
        entry = next(e for e in subject.entries if e.name == one.game.rules[one.turn])
        assert entry.says in (one.choices[one.answer], one.reason.partition(": ")[2])
        if one.asks.startswith("What does"):
            assert agent_lessons.BY_CHANCE not in entry.says


def test_who_cannot_be_taught():
    with pytest.raises(ValueError, match="partners:cig2018-paper cannot be taught: it recognises"):
        Subject.of(load("partners:cig2018-paper"), 3)
    assert not is_taught(load("osawa-ideal")) and is_taught(load("search:piers"))
    assert "It thinks ahead, so it may move otherwise." in Subject.of(load("search:piers"), 3).intro


def test_in_the_terminal(monkeypatch, found, asked):
    code, out, err = typed("teach", NAME, "--players", PLAYERS, "--json")
    told = json.loads(out)
    assert (code, [one["says"] for one in told]) == (0, [one.says for one in found])
    assert told[0]["example"]["meaning"] == list(found[0].example.meaning)
    answers = iter([str(asked[0].answer + 1), str(1 + (asked[1].answer == 0)), ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    code, out, err = typed("teach", "--quiz", NAME, "--seed", "3")
    assert code == 0 and "Right." in out and "1 of 2 right." in out and "Question 3 of 10" in out
    code, out, err = typed("teach", "osawa-ideal")
    assert (code, out) == (2, "") and "cannot be taught" in err and err.count("\n") == 1
    code, out, err = typed("teach", "--quiz", "mas", "--players", "6")
    assert code == 2
    code, out, err = typed("teach", "--quiz", NAME, "--day")
    assert (code, out) == (2, "") and "ask about different things" in err


def test_cards_of_a_play_are_those_that_fit(found):
    """Guard against a wrong seat: what happened names the seats in the order of turns."""
    names = ["Ann", "Bob", "Cal"]
    for one in found:
        example = one.example
        turns = range(example.turn, example.last + 1)
        lines = [example.move, *example.happened]
        assert [line.split()[0] for line in lines] == [names[turn % PLAYERS] for turn in turns]
