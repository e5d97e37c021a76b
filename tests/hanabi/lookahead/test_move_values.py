"""Values of moves: against plain replays of every hand, blind to hidden cards, unbiased, repeatable."""

import numpy as np
import pytest
from bench.review_check import blunders_in
from hidden_card_swaps import deck_with_other_hand

from hanabi.game import Choice, cards_to_draw, steps
from hanabi.game_record import Game, play_one
from hanabi.lookahead import move_values
from hanabi.lookahead.move_values import NEVER, MoveEvaluator, ReviewSettings
from hanabi.moves import SLOTS, play, slot_of
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import read_variant

VARIANT = read_variant("standard").at(2)
LIST = load("convention-2026").at(2)
COMPANY = [LIST, LIST]
SMALL = ReviewSettings(rollouts=200, worlds=60)


@pytest.fixture(scope="module")
def evaluator():
    return MoveEvaluator(VARIANT, COMPANY, SMALL)


@pytest.fixture(scope="module")
def game():
    found = play_one(VARIANT, [LIST], [0, 0], 1)
    state, view = found.at(0)
    hands = state.hands[:2, : VARIANT.hand_size].ravel().tolist()
    deck = hands + cards_to_draw(state, view)
    return Game(VARIANT, 0, tuple(deck), found.moves)


def view_at(game, turn, deck=None):
    """The table of the company after some moves of a game, perhaps with another deck."""
    table = Table(VARIANT, COMPANY, list(deck or game.deck))
    for _ in table.replay(0, [0, 1], game.moves[:turn]):
        pass
    return table


def score_after(table, move):
    """The score of a game that is played on after a move, by the players' own words; 0 without lives."""

    def choose(view):
        return Choice(move if view.turn == turn else LIST.move(view)[0])

    turn = int(table.view.turn)
    for _ in steps(table.state, table.view, choose):
        pass
    return int(table.view.score) if table.view.lives else 0


def test_with_an_empty_deck_the_value_is_the_mean_over_all_hands(evaluator, game):
    """The slow twin deals each hand that the player may hold, and plays on in plain Python."""
    turn = next(t for t in range(len(game.moves)) if view_at(game, t).view.deck == 0)
    view = view_at(game, turn).view.copy()
    value = evaluator.evaluate(view, game.moves[turn])
    assert value.exact and value.error == 0
    belief = evaluator.context.work.belief
    weights = belief.weights[: belief.count] / belief.total
    me, total = int(view.me), {value.move: 0.0, value.best: 0.0}
    for hand, weight in zip(belief.hands[: belief.count].tolist(), weights):
        deck = list(game.deck)
        for slot in range(SLOTS):
            if view.filled[me] >> slot & 1:
                deck[int(view.born[me, slot])] = hand[slot]
        for move in total:
            total[move] += weight * score_after(view_at(game, turn, deck), move)
    assert value.value == pytest.approx(total[value.move])
    assert value.best_value == pytest.approx(total[value.best])
    assert value.loss == pytest.approx(total[value.best] - total[value.move])


def test_values_do_not_depend_on_cards_that_the_player_does_not_see(evaluator, game):
    hand = VARIANT.hand_size
    deck = list(game.deck)
    deck[:hand], deck[-hand:] = deck[-hand:], deck[:hand]  # Ann's cards and the last ones
    deck[2 * hand : -hand] = deck[2 * hand : -hand][::-1]
    before, after = view_at(game, 0), view_at(game, 0, deck)
    assert before.state.hands[0].tolist() != after.state.hands[0].tolist()
    found = [evaluator.evaluate(table.view.copy(), game.moves[0]) for table in (before, after)]
    assert found[0] == found[1]
    # that the test can fail: what Bob holds does matter
    deck[hand], deck[-1] = deck[-1], deck[hand]
    assert evaluator.evaluate(view_at(game, 0, deck).view.copy(), game.moves[0]) != found[0]


@pytest.mark.parametrize("turn", [7, 18, 33])
def test_a_swap_of_hidden_cards_changes_no_value(evaluator, game, turn):
    """My hand and the deck are exchanged for others that fit all that I know."""
    decks = [
        list(game.deck),
        *(deck_with_other_hand(game, turn, np.random.default_rng(n)) for n in range(3)),
    ]
    tables = [view_at(game, turn, deck) for deck in decks]
    assert len({str(table.state.hands[turn % 2]) for table in tables}) > 2
    values = [evaluator.evaluate(table.view.copy(), game.moves[turn]) for table in tables]
    assert values == [values[0]] * 4


def test_no_world_is_taken_from_the_hand_that_the_player_holds(evaluator, game):
    """The worlds hold what fits; the true hand is one among many, and none where it does not fit."""
    view = view_at(game, 4).view.copy()
    evaluator.evaluate(view, game.moves[4])
    belief, me = evaluator.context.work.belief, int(view.me)
    hands = {tuple(hand) for hand in belief.hands[: belief.count].tolist()}
    assert len(hands) > 20
    for hand in hands:
        for slot in range(VARIANT.hand_size):
            assert int(view.mask[me, slot]) >> hand[slot] & 1


@pytest.mark.parametrize("text", ["standard", "colours=6,hand=4"])
def test_every_move_with_an_empty_deck_is_exact(text):
    variant = read_variant(text).at(3)
    listed = load("piers").at(3)
    played = play_one(variant, [listed], [0] * 3, 5)
    table = Table(variant, [listed] * 3)
    late = MoveEvaluator(variant, [listed] * 3, ReviewSettings(rollouts=60, worlds=20))
    exact = [
        late.evaluate(step.view.copy(), step.move).exact
        for step in table.replay(5, range(3), played.moves)
        if step.view.deck == 0
    ]
    assert len(exact) > 1 and all(exact)


def test_the_same_position_has_the_same_value_whatever_was_evaluated_before(evaluator, game):
    view = view_at(game, 12).view.copy()
    first = evaluator.evaluate(view, game.moves[12])
    evaluator.evaluate(view_at(game, 20).view.copy(), game.moves[20])
    assert evaluator.evaluate(view, game.moves[12]) == first
    assert MoveEvaluator(VARIANT, COMPANY, SMALL).evaluate(view, game.moves[12]) == first


def test_a_wasted_card_costs_points_and_the_best_move_costs_none(game):
    """To play a card that is known to be a last copy and not to fit costs it, and a life."""
    evaluator = MoveEvaluator(VARIANT, COMPANY, ReviewSettings(rollouts=400, worlds=200))
    for turn in range(6, len(game.moves)):
        view = view_at(game, turn).view.copy()
        if blunders_in(view):
            break
    found = blunders_in(view)[0]
    value = evaluator.evaluate(view, found)
    assert value.is_mistake and value.loss > 0.5 and value.best != found
    card = next(card for card in value.cards if card.slot == slot_of(found))
    assert card.critical == 1 and card.playable == 0
    best = evaluator.evaluate(view, value.best)
    assert best.value > value.value + 0.5
    if best.best == value.best:
        assert (best.loss, best.error) == (0, 0)


def test_the_loss_is_measured_in_other_worlds_than_the_race(evaluator, game):
    """Without fresh worlds the best of many equal moves would seem better than the move made."""
    deck = list(game.deck)
    losses = []
    for turn in range(0, 40, 2):
        view = view_at(game, turn, deck).view.copy()
        losses.append(evaluator.evaluate(view, game.moves[turn]).loss)
    assert min(losses) <= 0  # a maximum over the same worlds is never below zero
    assert np.mean(losses) < 0.5


def test_a_loss_against_one_move_is_that_against_the_best_where_it_is_the_best(evaluator, game):
    losses = []
    for turn in range(2, 30, 4):
        view = view_at(game, turn).view.copy()
        value = evaluator.evaluate(view, game.moves[turn])
        if value.move != value.best:
            assert evaluator.loss(view, value.move, value.best) == (value.loss, value.error)
            losses.append(value.loss)
    assert len(losses) > 2


def test_the_race_and_the_measure_draw_hands_of_their_own(evaluator, game, monkeypatch):
    """The move that is best for one sample of hands is overestimated by that sample."""
    view = view_at(game, 12).view.copy()
    raced, word, run_race = [], int(view.word), move_values.run_race
    belief = evaluator.context.work.belief

    def spy(seen, work):
        raced.append((int(seen.word), belief.hands[: belief.count].copy()))
        return run_race(seen, work)

    monkeypatch.setattr(move_values, "run_race", spy)
    evaluator.evaluate(view, game.moves[12])
    [(searched, hands)] = raced
    assert searched != word == view.word  # a player that searches draws from the view's word
    assert not belief.is_exact and belief.count == SMALL.hands > len(hands)
    assert (belief.hands[: len(hands)] == hands).all(axis=1).mean() < 0.5


def test_the_error_of_a_loss_counts_hands_and_not_only_worlds(game):
    """Losses of one move in repeated samples spread as their standard error says."""
    turn, rng, samples = 20, np.random.default_rng(1), 40
    few = ReviewSettings(rollouts=400, worlds=200, hands=8)
    evaluator = MoveEvaluator(VARIANT, COMPANY, few, [NEVER] * 2)
    view = view_at(game, turn).view.copy()
    value, other = evaluator.evaluate(view, game.moves[turn]), int(play(4))
    assert other != value.move
    found = []
    for word in rng.integers(0, 2**62, samples):
        view.word = int(word)
        found.append(evaluator._measure_pair(view, value.move, other)[1:])
    spread, expected = np.std([loss for loss, _ in found], ddof=1), np.mean([e for _, e in found])
    assert abs(spread / expected - 1) < 3.5 / (2 * (samples - 1)) ** 0.5


def test_chances_of_cards_and_replies(evaluator, game):
    value = evaluator.evaluate(view_at(game, 0).view.copy(), game.moves[0])
    assert len(value.cards) == VARIANT.hand_size
    assert all(0 <= chance <= 1 for card in value.cards for chance in card[1:])
    assert value.reply and value.reply.seat == 1 and 0 < value.reply.share <= 1
    assert sum(value.colour_losses) == pytest.approx(value.loss, abs=1.0)
