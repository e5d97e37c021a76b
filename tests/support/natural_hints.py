"""Hints that a person gives by nature, and what they cost: the trap of partners with conventions."""

from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.moves import STRIDE, tell_rank
from hanabi.variant import read_variant

DEALS = range(60)
STANDARD = read_variant("standard")


def natural_hints(spec, players, deals=DEALS):
    """Yield (table, move): at turn 0 Ann tells the first player who holds a 1 about its 1s."""
    for seed in deals:
        table = PlayTable([PERSON, *[spec] * (players - 1)], new_game(STANDARD, players, seed))
        hands = table.view.hands[1:players].tolist()
        seat = next(
            (place for place, hand in enumerate(hands, 1) if any(c % STRIDE == 0 for c in hand)), 0
        )
        if seat:
            yield table, int(tell_rank(seat, 1))


def life_is_lost(table, move):
    """Make a move, let the agents answer until the person's next turn; whether that cost a life."""
    lives = int(table.view.lives)
    table.make(0, move)
    while table.agent_to_move:
        table.agent_moves()
    return int(table.view.lives) < lives
