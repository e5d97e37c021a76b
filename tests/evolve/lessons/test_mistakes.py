"""Costly moves of people: kept once, asked when they are due, forgotten."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from typed import typed

from hanabi.evolve.analysis.candidates import Candidate
from hanabi.evolve.lessons import school
from hanabi.evolve.lessons.game_review import review_game
from hanabi.evolve.lessons.school import (
    Mistake,
    add_mistakes,
    due_mistakes,
    note_answer,
    read_mistakes,
    write_mistakes,
)
from hanabi.evolve.measure.one_game import play_game
from hanabi.lookahead.move_values import ReviewSettings, is_significant

LATER = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def reviewed():
    """The review of a game whose first player is a person: one that plays as piers does."""
    game = replace(play_game(["piers"], 3, 7), people=("Ann of the hills", "", ""), agents=())
    return review_game(game, settings=ReviewSettings(rollouts=150, worlds=60))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HANABI_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_the_costly_moves_of_people_are_kept_once(reviewed, folder):
    wanted = [value for value in reviewed.mistakes if value.seat == 0]
    assert 0 < len(wanted) < len(reviewed.mistakes), "others err too, and theirs are not kept"
    assert add_mistakes(reviewed) == len(wanted) and add_mistakes(reviewed) == 0
    kept = read_mistakes()
    assert sorted(one.turn for one in kept) == sorted(value.turn for value in wanted)
    for one in kept:
        value = next(value for value in wanted if value.turn == one.turn)
        best, made, *others = one.candidates
        assert len(one.candidates) >= 3 and len({each.words for each in one.candidates}) >= 3
        assert best == Candidate(reviewed.notes[one.turn].better)
        assert (made.words, made.cost) == (
            reviewed.notes[one.turn].made,
            round(value.loss, 3),
        )
        assert made.is_costly and is_significant(value.loss, value.error)
    write_mistakes(kept)
    assert read_mistakes() == kept


def test_agents_have_no_mistakes_to_keep(reviewed, folder):
    game = replace(reviewed.game, people=(), agents=("piers",) * 3)
    found = review_game(game, settings=ReviewSettings(rollouts=150, worlds=60), turns=range(9))
    assert add_mistakes(found) == 0 and not folder.exists()


def mistake(reviewed, *candidates):
    return Mistake(reviewed.game.text, reviewed.mistakes[0].turn, candidates, "So it is.")


def test_what_costs_nothing_beyond_its_error_is_a_right_answer(reviewed):
    one = mistake(
        reviewed,
        Candidate("play slot 1"),
        Candidate("play slot 2", 1.0, 0.1),
        Candidate("tell Bob red (slot 1)", 0.1, 0.3),
    ).question
    right = {choice for place, choice in enumerate(one.choices) if one.is_right(place)}
    assert right == {"play slot 1", "tell Bob red (slot 1)"}
    assert one.choices[one.answer] == "play slot 1"
    assert "play slot 2: 1.00 ± 0.10" in one.reason and one.reason.endswith("So it is.")
    assert "??" in str(one.position), "the own hand is hidden"


def test_a_right_answer_puts_it_off_for_longer_than_a_wrong_one(reviewed, folder):
    add_mistakes(reviewed)
    first, *others = due_mistakes()
    now = datetime.now(UTC)
    for _ in range(3):
        right, wrong = first.answered(True, now), first.answered(False, now)
        assert right.due > wrong.due > now
        first, now = right, right.due
    assert first.due - datetime.now(UTC) > timedelta(days=7)
    assert note_answer(due_mistakes()[0], True) in read_mistakes()
    assert len(due_mistakes()) == len(others), "it waits now"
    assert len(due_mistakes(LATER)) == len(others) + 1


def test_the_commands_ask_list_and_forget(reviewed, folder, tmp_path, monkeypatch):
    code, out, _ = typed("teach", "--quiz", "--mistakes", folder=tmp_path)
    assert code == 0 and out.startswith("No costly moves are kept: `hanabi review` adds")
    game = tmp_path / "game.toml"
    reviewed.game.save(game)
    code, out, err = typed("review", "game.toml", "--turns", "0-20", folder=tmp_path)
    kept = read_mistakes()
    assert code == 0 and kept and f"{len(kept)} costly move" in out, err
    place = kept[0].question.answer + 1
    answers = iter([str(place), ""])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    code, out, _ = typed("teach", "--quiz", "--mistakes", folder=tmp_path)
    assert code == 0 and "Which move costs nothing?" in out
    assert "Right." in out and "It is asked again from " in out and "1 of 1 right." in out
    assert len(due_mistakes()) == len(kept) - 1
    code, out, _ = typed("review", "--mistakes", "-o", "moves.csv", folder=tmp_path)
    assert code == 0 and kept[0].candidates[1].words.split(" (")[0] in out and str(folder) in out
    assert (tmp_path / "moves.csv").read_text().count("\n") == len(kept) + 1
    code, _, err = typed("mistakes", "--forget", f"{len(kept) + 1}", folder=tmp_path)
    assert code == 2 and f"write all, or a number from 1 to {len(kept)}" in err
    assert typed("mistakes", "--forget", "1", folder=tmp_path)[0] == 0
    assert len(read_mistakes()) == len(kept) - 1
    assert typed("mistakes", "--forget", "all", folder=tmp_path)[0] == 0 and read_mistakes() == []
    code, _, err = typed("review", folder=tmp_path)
    assert code == 2 and "name a game to review, or write --mistakes" in err


@pytest.mark.parametrize(
    "text",
    [
        "no = ",
        "mistakes = 3",
        '[[mistakes]]\ngame = "x"\nturn = 1\ncandidates = [["a", 0.0, 0.0]]\nreason = ""\n',
        '[[mistakes]]\ngame = ""\nturn = 99\ncandidates = []\nreason = ""\ncard = {due = 3}\n',
    ],
)
def test_a_damaged_collection_is_said_in_one_line(text, folder, tmp_path):
    folder.mkdir()
    (folder / "mistakes.toml").write_text(text)
    with pytest.raises(ValueError) as raised:
        read_mistakes()
    assert "mistakes.toml" in str(raised.value) and "\n" not in str(raised.value)
    code, _, err = typed("review", "--mistakes", folder=tmp_path)
    assert code == 2 and err.count("\n") == 1


def test_a_review_is_printed_where_its_mistakes_cannot_be_kept(reviewed, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HANABI_DATA", str(tmp_path / "file"))
    reviewed.game.save(tmp_path / "game.toml")
    code, out, err = typed("review", "game.toml", "--turns", "0-20", folder=tmp_path)
    assert (code, err) == (0, "") and "By seat" in out
    said = out[out.index("The costly moves were not added") :]
    assert str(tmp_path / "file") in said.replace("\n", "").replace("  ", "")


def test_the_oldest_leave_a_full_collection(reviewed, folder, monkeypatch):
    monkeypatch.setattr(school, "KEPT", 2)
    write_mistakes(
        [replace(mistake(reviewed, Candidate("a"), Candidate("b", 1.0)), turn=n) for n in range(4)]
    )
    assert [one.turn for one in read_mistakes()] == [2, 3]
