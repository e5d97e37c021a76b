"""The data of a page say what show, ask and explain say, and a seat's view holds nothing that the
seat does not see.
"""

import json
from dataclasses import replace

import pytest

from hanabi.evolve.measure.one_game import ask, meanings_of, play_game
from hanabi.evolve.reports.game_data import game_data, seen_by
from hanabi.formats.hanab_live import to_link
from hanabi.game_record import Game, play_one
from hanabi.moves import COLOUR_NAMES, FORFEIT, card_text, discard, tell_colour, tell_rank
from hanabi.rules import load
from hanabi.text.explanation import explain, words_of
from hanabi.text.transcript import replay
from hanabi.variant import read_variant

AGENT = "convention-simple"


@pytest.fixture(scope="module")
def game():
    return play_game([AGENT], 3, 5)


@pytest.fixture(scope="module")
def data(game):
    return game_data(game, [load(AGENT).at(3)] * 3)


def test_sentences_are_those_of_show(game, data):
    moves = [turn["move"] for turn in data["turns"][:-1]]
    assert [move["means"] for move in moves] == meanings_of(game, [AGENT])
    assert [(move["words"], move["rule"], move["says"], move["text"]) for move in moves] == [
        (turn.words, turn.rule, turn.says, turn.move) for turn in replay(game)
    ]
    assert {move["hint"] for move in moves} > {"promise", ""}
    last = data["turns"][-1]
    assert (
        last["move"] is None
        and last["me"] == -1
        and sum(last["fireworks"]) == data["score"] == game.score
    )
    json.dumps(data, allow_nan=False)


def test_discards_are_the_cards_that_were_thrown_with_their_turns(game, data):
    """Also where a page begins later: the cards that were thrown before are there."""
    last = len(game.moves)
    for turns in (data["turns"], game_data(game, turns=range(last - 2, last + 1))["turns"]):
        for turn in turns:
            thrown = turn["discards"]
            cards = game.position(turn["turn"]).discards
            assert sorted(card for card, _ in thrown) == sorted(cards)
            for card, made in thrown:
                move = data["turns"][made]["move"]
                assert move["card"] == card
                assert move["kind"] == "discard" or move["fits"] is False
    assert len(thrown) > 3


def test_the_text_of_a_position_reads_back(game, data):
    for turn in (0, 1, len(game.moves)):
        text = "\n".join(
            [data["head"], *(one["move"]["line"] for one in data["turns"][:turn]), "]"]
        )
        read = Game.read(text)
        assert (read.moves, read.rules, read.agents) == (
            game.moves[:turn],
            game.rules[:turn] if turn else (),
            game.agents,
        )
        assert read.position(turn) == game.position(turn)


@pytest.mark.parametrize("turn", [0, 9, 30])
def test_chances_are_those_of_explain(game, data, turn):
    """By hints alone, of every seat and not only of the one to move."""
    for slot in explain(*game.at(turn), game.variant):
        card = data["turns"][turn]["hands"][slot.seat][slot.slot]
        assert card["card"] == slot.card and card["possible"] == slot.holder.types
        assert card["chances"][0] == pytest.approx(slot.chance, abs=6e-5)
        assert (card["chances"][1] == 1) == bool(
            {"dead", "unreachable", "useless"} & set(slot.holder.words)
        )
        assert (card["chances"][2] == 1) == ("critical" in slot.holder.words)


@pytest.mark.parametrize("turn", [3, 21])
def test_answers_are_those_of_ask(game, data, turn):
    asked = ask(AGENT, game.position(turn), (game.seed, None, game.moves[:turn]))
    move = data["turns"][turn]["move"]
    assert move["answers"] == {
        str(place): answer["move"]
        for place, answer in enumerate(asked.answers)
        if answer["move"] != "nothing"
    }
    rules = data["lists"][data["list_of"][turn % 3]]["rules"]
    assert rules[move["place"]]["name"] == asked.rule.name and move["text"] == asked.move


def test_marks_narrow_what_hints_leave_possible_and_are_true(data):
    cards = [card for turn in data["turns"] for hand in turn["hands"] for card in hand if card]
    promised = [card for card in cards if "promised" in card or "assumed" in card]
    assert promised and all(
        card.get("assumed", card.get("promised")) & ~card["hinted"] == 0 for card in promised
    )
    assert {"promise", "useless", "chop"} <= {card.get("tag") for card in cards}
    first = [[card.get("tag") for card in hand] for hand in data["turns"][0]["hands"]]
    assert all(tags.count("chop") == 1 for tags in first), "each of the three seats has a chop"
    for turn in data["turns"]:
        for card in (
            card for hand in turn["hands"] for card in hand if card and card.get("tag") == "play"
        ):
            assert turn["playable"] >> card["card"] & 1, card_text(card["card"])
    narrowed = [card for card in cards if "meant" in card]
    assert narrowed and all(card["meant"][0] & ~card["possible"] == 0 for card in narrowed)


def test_the_end_is_told_and_where_the_first_point_was_lost(game, data):
    for turn in data["turns"]:
        played = sum(
            ((1 << rank) - 1) << 5 * colour for colour, rank in enumerate(turn["fireworks"])
        )
        moves = turn["deck"] + 3 if turn["deck"] else max(0, turn["left"])
        whole = turn["useless"] == played and sum(turn["fireworks"]) + moves >= 25
        assert whole == (turn["turn"] <= data["lost_at"]), turn["turn"]
    assert data["result"].startswith("The deck ran out before ")
    unfinished = {
        name.capitalize()
        for name, rank in zip(COLOUR_NAMES, data["turns"][-1]["fireworks"])
        if rank < 5
    }
    assert unfinished and {line.split()[0] for line in data["lost"]} == unfinished
    assert (
        data["live"] == to_link(game)
        and game_data(replace(game, moves=game.moves[:5], rules=game.rules[:5]))["live"] == ""
    )


def test_what_others_know_is_said_as_explain_says_it(game):
    data = game_data(game, [load(AGENT).at(3)] * 3, turns=range(18, 19), others=True)
    told = {
        (slot.seat, slot.slot): words_of(slot)
        for slot in explain(*game.at(18), game.variant)
        if slot.holder.words
    }
    assert told and told == {
        (seat, slot): card["known"]
        for seat, hand in enumerate(data["turns"][0]["hands"])
        for slot, card in enumerate(hand)
        if card and "known" in card
    }
    assert '"known"' not in json.dumps(seen_by(data, 0))


def test_a_turn_by_itself_is_the_same(game, data):
    only = game_data(game, [load(AGENT).at(3)] * 3, turns=range(20, 22))
    assert only["turns"] == data["turns"][20:22]


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_sees_no_secret(game, data, seat):
    view = seen_by(data, seat)
    text = json.dumps(view)
    assert f"seed = {game.seed}" not in text and view["id"] == view["head"] == view["live"] == ""
    assert "answers" not in text and "place" not in text
    for turn in view["turns"]:
        for holder, hand in enumerate(turn["hands"]):
            assert all(
                (card["card"] is None) == (holder == seat) == ("chances" in card)
                for card in hand
                if card
            )
    assert data["turns"][0]["hands"][seat][0]["card"] is not None, "the whole data stay as they are"


def test_what_a_seat_is_sent_does_not_hang_on_what_it_does_not_see():
    """Another deal of its own hand and of the deck gives the same bytes, until it comes to light."""
    variant, player = read_variant("standard").at(3), load(AGENT).at(3)
    deck = play_one(variant, [player], [0, 0, 0], 3).position(0)
    order = [card.card for hand in deck.hands for card in hand] + list(deck.deck)
    other = (
        order[-5:] + order[5:-5] + order[:5]
    )  # Ann's first hand and the end of the deck change places
    bob, cal = (next(card for card in order[first : first + 5]) for first in (5, 10))
    moves = [
        tell_colour(1, bob // 5),
        tell_rank(2, cal % 5 + 1),
        discard(1),
        tell_rank(1, bob % 5 + 1),
    ]
    sent = []
    for cards in (order, other):
        game = Game(variant, 0, tuple(cards), tuple(moves), (AGENT,) * 3)
        sent.append([json.dumps(seen_by(game_data(game, [player] * 3), seat)) for seat in (0, 1)])
    assert sent[0][0] == sent[1][0] and sent[0][1] != sent[1][1]
    assert "focus" in sent[0][0] or "Promise" in sent[0][0] or "means what it says" in sent[0][0], (
        "meanings are told"
    )


def test_a_game_without_players_a_forfeit_and_a_game_that_goes_on(game):
    plain = game_data(replace(game, agents=(), rules=()))
    assert (
        plain["lists"]
        and plain["list_of"] == [-1, -1, -1]
        and all(not turn["move"]["means"] for turn in plain["turns"][:-1])
    )
    begun = game_data(Game(game.variant, game.seed, None, game.moves[:4]))
    assert (
        begun["end"] == ""
        and begun["turns"][-1]["me"] == 1
        and begun["turns"][-1]["move"] is None
        and not begun["lost"]
    )
    gone = game_data(Game(game.variant, game.seed, None, (*game.moves[:4], FORFEIT)))
    assert (
        gone["turns"][-1]["move"]["words"] == "Bob forfeits the game"
        and gone["end"] == "forfeit"
        and len(gone["turns"]) == 5
    )
