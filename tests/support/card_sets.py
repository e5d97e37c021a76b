"""Sets of card types from their text."""

from hanabi.moves import read_card


def read_set(text):
    """The set of card types written ``R13 B2``; the inverse of ``cards.set_text``."""
    return sum(1 << read_card(word[0] + rank) for word in text.split() for rank in word[1:])
