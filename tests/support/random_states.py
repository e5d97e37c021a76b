"""Random states of small games, as the logic takes them."""

import random

from hanabi.logic.logic_state import LogicState, deck, start
from hanabi.moves import COLOURS

SMALL = [
    (2, 2, deck(2, (3, 2, 1))),
    (2, 2, deck(2, (2, 2, 1))),
    (3, 2, deck(2, (3, 1, 1))),
    (3, 1, deck(3, (2, 1))),
    (2, 3, deck(2, (3, 2, 1))),
    (4, 1, deck(2, (2, 1, 1, 1))),
    (2, 3, deck(3, (1, 1, 1))),
    (3, 2, deck(2, (2, 1, 1))),
]


def random_state(seed: int) -> LogicState:
    """After up to twelve random moves of a small game; every other game is played until its deck is
    empty, or nearly.
    """
    rng = random.Random(seed)
    players, size, copies = rng.choice(SMALL)
    cards = [card for card, count in enumerate(copies) for _ in range(count)]
    rng.shuffle(cards)
    state = start(
        players, size, copies, [cards[seat * size : seat * size + size] for seat in range(players)]
    )
    left = cards[players * size :]
    moves = rng.randrange(13) if rng.random() < 0.5 else 4 * len(left)
    for turn in range(moves):
        seat = turn % players
        if rng.random() < 0.5:
            target = rng.choice([other for other in range(players) if other != seat])
            held = [card for card in state.hands[target] if card >= 0]
            if held:
                card = rng.choice(held)
                clue = rng.choice([COLOURS[card // 5], str(card % 5 + 1)])
                named = [
                    slot
                    for slot, card in enumerate(state.hands[target])
                    if card >= 0 and clue in (COLOURS[card // 5], str(card % 5 + 1))
                ]
                state = state.after_hint(target, clue, named)
        elif state.slots([seat]) and (left or rng.random() < 0.1):
            _, slot = rng.choice(state.slots([seat]))
            state = state.after_removal(
                seat, slot, state.hands[seat][slot], played=rng.random() < 0.6
            )
            if left and rng.random() < 0.95:
                state = state.after_draw(seat, slot, left.pop())
    return state
