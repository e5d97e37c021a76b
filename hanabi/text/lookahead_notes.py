"""What a seat thought, in words: ``hanabi show --search`` and ``hanabi ask search:…``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hanabi.cards import card_text
from hanabi.lookahead.explanation import Candidate, SearchExplanation
from hanabi.moves import NAMES, move_text
from hanabi.notation import counted
from hanabi.text.slot_numbering import OWN, Numbering

SHOWN = 3  # chances of a card, and candidates, that are said
SURE = 0.995


def told_why(thought: SearchExplanation, view: np.record, numbering: Numbering = OWN) -> list[str]:
    """Sentences about a thought: what was tried, why the list's move was made or not. ``view``: what the seat saw."""
    born = view.born[view.me].tolist()

    def named(move):
        return numbering.move(move_text(move), born)

    taken, _, sure = thought.taken.rpartition(" ")
    whom = (
        [
            f"It takes its partners {taken} ({sure})."
            if sure.endswith("%")
            else f"It takes its partners {taken} {sure}."
        ]
        if taken
        else []
    )
    if not thought.searched:
        return [*whom, "It follows its list without a thought."]
    others = [one for one in thought.candidates if one.move != thought.listed]
    if not others:
        return [*whom, f"There is nothing to choose: {named(thought.listed)}."]
    worlds = max(one.worlds for one in thought.candidates)
    where = (
        f"in each of {counted(worlds, 'hand')} that it may hold"
        if thought.exact
        else f"in {counted(worlds, 'world')} that may be"
    )
    lines = [
        *whom,
        f"Its list wants {named(thought.listed)} ({thought.rule}). {counted(len(others), 'other move')} tried {where}: "
        + ", ".join(f"{named(one.move)} {gain_text(one)}" for one in others[:SHOWN])
        + ".",
    ]
    if thought.move != thought.listed:
        chosen = others[0]
        lines.append(
            f"{named(thought.move)[0].upper()}{named(thought.move)[1:]} brings {gain_text(chosen)} points more, so it leaves "
            "its list."
        )
    else:
        lines.append("No other move brings enough more for certain, so it follows its list.")
    return lines


def gain_text(one: Candidate) -> str:
    """``+0.62 ± 0.15``."""
    return f"{one.gain:+.2f}" + (f" ± {one.error:.2f}" if one.error else "")


def cards_text(
    thought: SearchExplanation, view: np.record, numbering: Numbering = OWN
) -> list[str]:
    """For each card of the seat, how sure it is of it and which partner's move told it most."""
    at, me = numbering.at(view), int(view.me)
    lines = []
    for card in sorted(thought.cards, key=lambda card: at(me, card.slot)):
        likely = card.chances[:SHOWN]
        chances = ", ".join(f"{card_text(one)} {chance:.0%}" for one, chance in likely)
        if card.chances[0][1] >= SURE:
            chances = f"{card_text(card.chances[0][0])} for certain"
        elif len(card.chances) > len(likely):
            chances += f", or one of {len(card.chances) - len(likely)} more"
        lines.append(f"Slot {at(me, card.slot)}: {chances}." + _teller(card, view))
    return lines


def _teller(card, view):
    if card.told is None:
        return ""
    seat = card.told.turn % int(view.players)
    kind = (
        "hint"
        if move_text(card.told.move).startswith("tell")
        else move_text(card.told.move).split()[0]
    )
    return f" {NAMES[seat]}'s {kind} of turn {card.told.turn} told most of it ({card.told.bits:.1f} bits)."


def notes(
    thoughts: Sequence[tuple[SearchExplanation, np.record] | None], numbering: Numbering = OWN
) -> list[list[str]]:
    """The sentences for each move of a game; none where nobody thought ahead."""
    return [
        []
        if entry is None or not entry[0].searched
        else [*told_why(*entry, numbering), " ".join(cards_text(*entry, numbering))]
        for entry in thoughts
    ]
