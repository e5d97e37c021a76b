"""Notes of persons on cards, as the file of a table keeps them."""

from collections.abc import Sequence
from pathlib import Path

from hanabi.files import read_toml
from hanabi.variant import shown

CARD_NOTE = 200  # letters of a note


def check_card_note(text: str, card: int, cards: int) -> str:
    """Return a note as it is kept: one line. Raises ValueError if it is too long."""
    text = " ".join(text.split())
    if not 0 <= card < cards or len(text) > CARD_NOTE or not text.isprintable():
        raise ValueError(f"A note on a card is one line of up to {CARD_NOTE} letters.")
    return text


def card_note_texts(notes: Sequence[dict[int, str]]) -> list[str]:
    """Return notes on cards as the texts of a file: seat, card, note."""
    return [f"{seat} {card} {text}" for seat, own in enumerate(notes) for card, text in own.items()]


def read_card_notes(texts: Sequence[str], seats: int, where: str) -> list[dict[int, str]]:
    """Return notes on cards, by seat and card, from the texts of a file.

    Raises:
        ValueError: A text is no note on a card. One line.
    """
    notes: list[dict[int, str]] = [{} for _ in range(seats)]
    for text in texts:
        seat, _, rest = text.partition(" ")
        card, _, note = rest.partition(" ")
        if not (seat.isdecimal() and card.isdecimal() and int(seat) < seats and note):
            raise ValueError(f"{where}: {shown(text)} is no note: write seat, card and text")
        notes[int(seat)][int(card)] = note
    return notes


def card_notes_in(path: str, seats: int) -> list[dict[int, str]]:
    """Return the notes on cards in a game file; [] for a file of any other kind.

    Raises:
        ValueError: The notes cannot be read. One line.
    """
    if not path.endswith(".toml"):
        return []
    table = read_toml(Path(path)).get("table")
    texts = table.get("card_notes", []) if isinstance(table, dict) else []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{path}: card_notes should be a list of texts in quotes")
    return read_card_notes(texts, seats, path)
