"""The school: each answer follows from the rules of choice, nothing hidden is shown, same seed same questions."""

import json
from datetime import date
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from typed import typed

from hanabi.evolve.lessons import school
from hanabi.evolve.lessons.school import KINDS, question, question_of_day
from hanabi.evolve.measure.one_game import play_game
from hanabi.evolve.site.serving import Site
from hanabi.evolve.site.tables import OpenTables
from hanabi.moves import is_tell, play
from hanabi.text.explanation import sight_of
from hanabi.text.move_facts import BY_AGE
from hanabi.view import critical

FIRST = {kind: KINDS.index(kind) for kind in dict.fromkeys(KINDS)}


@pytest.fixture(scope="module")
def asked():
    return {kind: question(3, number) for kind, number in FIRST.items()}


@pytest.mark.parametrize("kind", ["play", "discard"])
def test_the_answer_is_the_only_sure_card(asked, kind):
    one = asked[kind]
    state, view = one.game.at(one.turn)
    types = int(view.playable if kind == "play" else view.useless)
    at, possible = BY_AGE.at(view), sight_of(state, view).possible()
    sure = [
        f"slot {at(int(view.me), slot)}"
        for slot in range(int(view.hand_size))
        if possible[slot] and not possible[slot] & ~types
    ]
    assert [one.choices[one.answer]] == sure


def test_save_or_play(asked):
    """The hint says what the answer is, and hints alone do not prove it."""
    for one in (asked["save"], question(4, FIRST["save"])):
        state, view = one.game.at(one.turn)
        said = "is playable" if one.answer == 0 else "is a last copy"
        number = next(n for n in range(1, 6) if f"slot {n} {said}" in one.reason)
        assert f"about slot {number}?" in one.asks
        slot = BY_AGE.slot(view.born[view.me].tolist(), number)
        kinds = int(view.playable if one.answer == 0 else critical(view))
        assert sight_of(state, view).possible()[slot] & ~kinds
        # and it is true
        assert kinds >> int(state.hands[view.me, slot]) & 1


def test_hints_and_moves(asked):
    hint, choose = asked["hint"], asked["choose"]
    assert f"{hint.choices[hint.answer]} is playable" in hint.reason
    assert len(choose.choices) == 2 and sum(c.startswith("tell") for c in choose.choices) == 1


def test_a_choice_of_moves_costs_half_a_point_at_least(monkeypatch):
    game = play_game(["piers"], 2, 3)
    hint = next(move for move in game.moves if is_tell(move))
    values = [
        SimpleNamespace(turn=turn, loss=loss, move=hint, best=play(0))
        for turn, loss in enumerate((0.49, 0.5, 3.0))
    ]
    monkeypatch.setattr(school, "review_game", lambda *_, **__: SimpleNamespace(mistakes=values))
    monkeypatch.setattr(school, "loss_text", lambda *_: "")
    monkeypatch.setattr(school, "move_in_words", lambda *_, **__: "")
    assert [one.turn for one in school._by_lookahead(game)] == [2, 1]


def test_the_same_seed_asks_the_same_and_a_day_has_its_question(asked, monkeypatch):
    assert question(3, 0) == asked["play"] and question(4, 0) != asked["play"]
    day = date(2026, 11, 24)
    assert question_of_day(day) == question_of_day(day)
    of_day = {date.today(): asked["save"]}
    monkeypatch.setattr(school, "question_of_day", of_day.__getitem__)
    code, out, err = typed("teach", "--day", "--json")
    assert (code, err) == (0, "") and json.loads(out) == [asked["save"].data()]


def test_no_card_of_the_own_hand_is_shown(asked, tmp_path, request):
    one = asked["play"]
    hidden = one.position
    assert len(hidden.unknown) == int(one.game.variant.hand_size)
    site = Site(OpenTables(tmp_path))
    request.addfinalizer(site.close)
    with TestClient(site.app(["testserver"])) as client:
        client.get(f"/?token={site.tables.token}")
        text = client.get("/school/3/1").text
        games = json.loads(text.partition('id="games">')[2].partition("</script>")[0])
        for turn in games[0]["turns"]:
            assert all(card["card"] is None for card in turn["hands"][hidden.me] if card)
        shown = str(games[0]["turns"])
        assert "chances" not in shown and "promised" not in shown and "'tag'" not in shown
        assert games[0]["turns"][-1]["move"] is None and one.reason not in text
        answered = client.get(f"/school/3/1?answer={one.answer + 1}").text
        rest = "-" * (len(KINDS) - 1)
        assert "Right." in answered and f"/school/3/2?answers={one.answer + 1}{rest}" in answered
        assert "chances" in answered and "<b>1 of 1</b> right" in answered
        other = (one.answer + 1) % len(one.choices) + 1
        wrong = client.get(f"/school/3/1?answer={other}").text
        assert "No: " in wrong and f"/school/3/2?answers={other}{rest}" in wrong
        assert "<b>0 of 1</b> right" in wrong
        assert client.get("/school/3/11").status_code == 404
        assert "Question of the day" in client.get("/school").text
        assert "who knows" in client.get("/school/puzzle?name=wise-men&case=RRW").text
        muddy = client.get("/school/puzzle?name=muddy-children&case=MMC").text
        assert "In truth: MMC." in muddy and "who knows: child 1, child 2" in muddy
        for seating in ("ahead", "behind"):
            assert "who knows" in client.get(f"/school/puzzle?seating={seating}").text
        assert "The puzzles are" in client.get("/school/puzzle?name=none").text
        assert "<b>x" not in client.get("/school/puzzle?case=<b>x").text


def test_a_quiz_in_the_terminal(asked, monkeypatch):
    one = asked["play"]
    typed_in = iter(["nine", str(one.answer + 1), ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed_in))
    code, out, err = typed("teach", "--quiz", "--seed", "3", "--count", "2")
    assert code == 0 and "Right." in out and "1 of 1 right." in out and "??" in out
