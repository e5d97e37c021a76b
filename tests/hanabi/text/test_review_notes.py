"""Sentences about reviewed moves."""

from dataclasses import replace

from hanabi import moves as m
from hanabi.evolve.measure.one_game import play_game
from hanabi.game import snapshots
from hanabi.lookahead.move_values import CardChances, MoveValue, Reply
from hanabi.player import ListPlayer
from hanabi.text.commentary import Moment, notes_of
from hanabi.text.move_facts import BY_AGE

NOBODY = ListPlayer(())


def test_a_reply_to_the_player_names_no_slots_of_the_hand_that_it_cannot_see():
    """The reply is one to sampled hands: where the true hand has no such card, it has no slot."""
    game = play_game(["piers"], 3, 4)
    state, view = snapshots(game.steps())[0]
    hand = [int(card) for card in state.hands[0][:5]]
    ranks = {card % 5 + 1 for card in hand}
    missing = min(set(range(1, 6)) - ranks)
    slot = 0
    discard = m.discard(slot)
    chances = tuple(CardChances(slot, 0.5, 0.2, 0.1) for slot in range(5))
    value = MoveValue(
        0, 0, discard, discard, 5.0, 5.0, 0.0, 0.0, False, 2, 9, None, None, chances, (), (0, 0)
    )

    def said(target, rank):
        reply = Reply(1, m.tell_rank(target, rank), 1.0, 0.0)
        moment = Moment(state, view, [NOBODY] * 3)
        return notes_of(replace(value, reply=reply), moment, (0, ""), BY_AGE).why[-1]

    assert said(0, missing) == f"Then Bob tells Ann {missing}."
    assert said(0, min(ranks)) == f"Then Bob tells Ann {min(ranks)}."
    seen = {int(card) % 5 + 1 for card in state.hands[2][:5]}
    assert said(2, min(seen)).startswith(f"Then Bob tells Cal {min(seen)} (slot")
