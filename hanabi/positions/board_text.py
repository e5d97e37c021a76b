"""A position as a small board for a terminal; slots are the engine's, as in moves."""

from hanabi.cards import COLOURS
from hanabi.moves import NAMES
from hanabi.notation import counted, mask_text, pile_text
from hanabi.positions.position import Position

EMPTY = "--"


def board_text(position: Position) -> str:
    """Return a position as text: the table, then each hand with what its hints leave possible.

    Args:
        position: The position; ``>`` marks the player to move.
    """
    variant = position.variant
    fireworks = " ".join(f"{COLOURS[i]}{rank}" for i, rank in enumerate(position.fireworks))
    deck = f"deck {len(position.deck)}"
    rest = deck if position.deck else f"{counted(max(0, position.left), 'turn')} left"
    lines = [
        f"turn {position.turn}   {fireworks}   tokens {position.tokens}   lives {position.lives}   "
        f"{rest}"
    ]
    if position.discards:
        lines.append(f"discards {pile_text(position.discards)}")
    slots = range(variant.hand_size)
    lines.append(("       " + "".join(f"{slot:<14}" for slot in slots)).rstrip())
    for seat, hand in enumerate(position.hands):
        cards = (_card(card, variant) for card in hand)
        sign = ">" if seat == position.me else " "
        lines.append(f"{sign} {NAMES[seat]}  {''.join(f'{card:<14}' for card in cards)}".rstrip())
    return "\n".join(lines)


def _card(card, variant):
    if card is None:
        return EMPTY
    told = mask_text(card.mask, variant)
    return f"{card} {told}".rstrip() if told != str(card) else f"{card} known"
