"""What a move loses where the hand of the seat to move is known: an answer to compare reviews with."""

from hanabi.lookahead.move_values import _measure, prepare


def loss_with_hand(evaluator, view, hand, move, better):
    """Return (points that a move loses against a better one, standard error).

    ``hand``: by slot the cards of the seat to move, -1 for an empty slot.
    """
    evaluator.context.configure(evaluator._search, view)
    work = evaluator.context.work
    prepare(view, better, work)
    belief, race = work.belief, work.race
    belief.count, belief.is_exact, belief.weights[0], belief.total = 1, 1, 1.0, 1.0
    for slot, card in enumerate(hand):
        belief.hands[0, slot] = card
    race.moves[0], race.moves[1], race.count = move, better, 2
    _measure(view, work, evaluator._rows, evaluator._ends)
    return evaluator._compare_pair()
