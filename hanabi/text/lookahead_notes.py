"""Explanations of searches in sentences: ``hanabi show --search`` and ``hanabi ask search:…``."""

from collections.abc import Sequence

import numpy as np

from hanabi.cards import card_text
from hanabi.lookahead.explanation import Candidate, Card, SearchExplanation
from hanabi.moves import NAMES, is_tell, move_text
from hanabi.notation import counted
from hanabi.text.slot_numbering import BY_AGE, Numbering

SHOWN = 3  # chances of a card, and candidates, that are listed
SURE = 0.995


def search_sentences(
    explanation: SearchExplanation, view: np.record, numbering: Numbering = BY_AGE
) -> list[str]:
    """Return sentences on what was tried, and why the list's move was made or not.

    Args:
        explanation: of the move.
        view: what the seat saw.
        numbering: how slots are numbered.
    """
    born = view.born[view.me].tolist()

    def named(move):
        return numbering.move(move_text(move), born)

    lines = _partner_sentence(explanation.taken)
    if not explanation.searched:
        return [*lines, "It follows its list without a thought."]
    listed = named(explanation.listed)
    others = [one for one in explanation.candidates if one.move != explanation.listed]
    if not others:
        return [*lines, f"There is nothing to choose: {listed}."]
    worlds = max(one.worlds for one in explanation.candidates)
    where = f"in {counted(worlds, 'world')} that may be"
    if explanation.exact:
        where = f"in each of {counted(worlds, 'hand')} that it may hold"
    tried = ", ".join(f"{named(one.move)} {gain_text(one)}" for one in others[:SHOWN])
    lines.append(
        f"Its list wants {listed} ({explanation.rule}). "
        f"{counted(len(others), 'other move')} tried {where}: {tried}."
    )
    if explanation.move == explanation.listed:
        lines.append("No other move brings enough more for certain, so it follows its list.")
    else:
        move = named(explanation.move)
        lines.append(
            f"{move[0].upper()}{move[1:]} brings {gain_text(others[0])} points more, "
            "so it leaves its list."
        )
    return lines


def _partner_sentence(taken: str) -> list[str]:
    """Return a sentence on whom it takes its partners for, such as ``for piers 97%``; [] for ""."""
    if not taken:
        return []
    whom, _, sure = taken.rpartition(" ")
    if sure.endswith("%"):
        sure = f"({sure})"
    return [f"It takes its partners {whom} {sure}."]


def gain_text(candidate: Candidate) -> str:
    """Return the gain of a candidate, such as ``+0.62 ± 0.15``."""
    error = f" ± {candidate.error:.2f}" if candidate.error else ""
    return f"{candidate.gain:+.2f}{error}"


def card_sentences(
    explanation: SearchExplanation, view: np.record, numbering: Numbering = BY_AGE
) -> list[str]:
    """Return for each card of the seat its likeliest types, and the move that told most of it."""
    slot_at, me = numbering.at(view), int(view.me)
    lines = []
    for card in sorted(explanation.cards, key=lambda card: slot_at(me, card.slot)):
        likely = card.chances[:SHOWN]
        text = ", ".join(f"{card_text(one)} {chance:.0%}" for one, chance in likely)
        if card.chances[0][1] >= SURE:
            text = f"{card_text(card.chances[0][0])} for certain"
        elif len(card.chances) > len(likely):
            text += f", or one of {len(card.chances) - len(likely)} more"
        lines.append(f"Slot {slot_at(me, card.slot)}: {text}.{_evidence_sentence(card, view)}")
    return lines


def _evidence_sentence(card: Card, view: np.record) -> str:
    if card.told is None:
        return ""
    name = NAMES[card.told.turn % int(view.players)]
    kind = "hint" if is_tell(card.told.move) else move_text(card.told.move).split()[0]
    return f" {name}'s {kind} of turn {card.told.turn} told most of it ({card.told.bits:.1f} bits)."


def notes(
    explanations: Sequence[tuple[SearchExplanation, np.record] | None],
    numbering: Numbering = BY_AGE,
) -> list[list[str]]:
    """Return the sentences for each move of a game; none where the seat did not search."""
    lines: list[list[str]] = []
    for entry in explanations:
        if entry is None or not entry[0].searched:
            lines.append([])
        else:
            cards = " ".join(card_sentences(*entry, numbering))
            lines.append([*search_sentences(*entry, numbering), cards])
    return lines
