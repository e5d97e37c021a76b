"""The slow twin of recognising partners: hands drawn from lists of physical cards, games played
again at ordinary tables, and the chances of random rules counted by hand.
"""

import numpy as np
import slow_search as slow

from hanabi.game import legal_moves, mix
from hanabi.lookahead.partners import OF_PARTNERS, log_likelihood
from hanabi.lookahead.workspace import GOLDEN
from hanabi.moves import FORFEIT, NOTHING, is_discard, tell_colour, tell_rank
from hanabi.player import default_move
from hanabi.table import Table


def hints_about(view, cards):
    """Colour and rank of some cards of the next player."""
    seat = (int(view.me) + 1) % int(view.players)
    return (
        [
            hint
            for card in cards
            for hint in (tell_colour(seat, card // 5), tell_rank(seat, card % 5 + 1))
        ]
        if view.tokens
        else []
    )


def next_hand(view):
    """The cards of the next player."""
    return [int(card) for card in view.hands[(int(view.me) + 1) % int(view.players)] if card >= 0]


def unstated(view, types):
    """Hints that are new about cards of a set of types of the next player: each card as often as
    any other.
    """
    seat, found = (int(view.me) + 1) % int(view.players), []
    for slot, card in enumerate(map(int, view.hands[seat])):
        possible = [other for other in range(30) if int(view.mask[seat, slot]) >> other & 1]
        new = [tell_colour(seat, card // 5)] * (len({other // 5 for other in possible}) > 1)
        new += [tell_rank(seat, card % 5 + 1)] * (len({other % 5 for other in possible}) > 1)
        if card >= 0 and types >> card & 1 and view.tokens:
            found += new * (2 // len(new)) if new else []
    return found


RANDOM = {  # rules that throw dice: what they may do, each equally likely
    "cig2018.legal_random": legal_moves,
    "cig2018.tell_randomly": lambda view: hints_about(view, next_hand(view)),
    "cig2018.tell_playable_card": lambda view: hints_about(
        view, [card for card in next_hand(view) if int(view.playable) >> card & 1][:1]
    ),
    "osawa.tell_playable_unstated": lambda view: unstated(view, int(view.playable)),
    "osawa.tell_unstated": lambda view: unstated(view, -1),
    "cig2018.discard_randomly": lambda view: [
        move for move in legal_moves(view) if is_discard(move)
    ],
}


def chance(player, view, move):
    """The chance that a list makes a move."""
    for rule in player.rules:
        made = RANDOM[rule.name](view) if rule.name in RANDOM else [int(rule(view))]
        if made and made != [NOTHING]:
            return made.count(move) / len(made)
    return float(move == (int(default_move(view)) if player.otherwise == "default" else FORFEIT))


def chances(company, variant, state, view, hand):
    """The chance of each move of my partners, by their lists, had I held a hand."""
    table, seats = (
        slow.table_with(company, variant, state, view, hand, slow.deck_of(view, hand, 0)),
        list(range(len(company))),
    )
    return [
        chance(company[step.seat], step.view.copy(), step.move)
        for step in table.replay(0, seats, slow.moves_of(view))
        if step.seat != view.me
    ]


def drawn_hands(masks, pool, turn, count):
    """Hands of the types of ``masks``, by slot (0: no card), drawn from a pool with the words of a
    turn.
    """
    counter = int(mix(np.uint64(turn) ^ OF_PARTNERS))
    while count:
        cards = {}
        for slot, mask in enumerate(masks):
            fitting = [
                (plane, card)
                for plane in range(3)
                for card in range(30)
                if int(mask) & int(pool[plane]) & 1 << card
            ]
            if fitting:
                counter = (counter + int(GOLDEN)) % 2**64
                cards[slot] = fitting[slow.below(mix(np.uint64(counter)), len(fitting))]
        if len(set(cards.values())) == len(cards):
            count -= 1
            yield {slot: card for slot, (_, card) in cards.items()}


def logs(pool, variant, game, me, hands, slip, peek=False):
    """By seat and list, what a seat makes of the others in a game, given as (state, view) before
    each move and after the last one. ``peek``: with its true hand for all hands, which it must
    not know.
    """
    found = np.zeros((variant.seats, len(pool)))
    for turn, ((_, before), (state, after)) in enumerate(zip(game, game[1:])):
        if before.me == me:
            continue
        move = int(after.history[turn]) & 255
        masks = [int(mask) & int(state.unseen[0, me]) for mask in after.mask[me]]
        true = {slot: int(card) for slot, card in enumerate(state.hands[me]) if card >= 0}
        tried = (
            [true] * hands if peek else list(drawn_hands(masks, state.unseen[:, me], turn, hands))
        )
        for place, player in enumerate(pool):
            total = 0.0
            for hand in tried:
                drawn = [int(card) for card in state.deck[: state.cards - after.deck]]
                for slot, card in hand.items():
                    drawn[int(after.born[me, slot])] = card
                rest = variant.deck()
                for card in drawn:
                    rest.remove(card)
                table = Table(variant, [player], drawn + rest)
                for _ in table.replay(0, [0] * variant.seats, slow.moves_of(before)):
                    pass
                total += chance(player, table.view, move)
            found[before.me, place] += log_likelihood(total / hands, slip)
    return found
