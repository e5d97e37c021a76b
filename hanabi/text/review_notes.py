"""Sentences about reviewed moves: what a move did, what a better one would do, and why."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanabi import moves as m
from hanabi.cards import COLOUR_NAMES, card_text
from hanabi.game import apply, is_over, told_cards
from hanabi.lookahead.move_values import CardChances, MoveValue, Reply
from hanabi.moves import NAMES
from hanabi.notation import all_of
from hanabi.player import ListPlayer
from hanabi.text.commentary import meaning_of
from hanabi.text.slot_numbering import Numbering
from hanabi.view import critical

SURE, UNLIKELY = 0.995, 0.005  # chances that are printed as certain and as impossible
LEAST_LOSS = 0.1  # points of a colour, and share of lost games, that are worth a sentence
MOSTLY = 0.5  # share of worlds from which a reply is worth a sentence


class MoveNotes(NamedTuple):
    """What is said about a reviewed move.

    Attributes:
        made: the move in words, such as ``play slot 2``.
        better: the best candidate in words.
        rule: the rule of the player's list that makes the best candidate, as a sentence, or "".
        why: sentences on what the move did.
        why_better: sentences on what the best candidate would do.
    """

    made: str
    better: str
    rule: str
    why: tuple[str, ...]
    why_better: tuple[str, ...]


class Moment(NamedTuple):
    """A position of a game with the marks of the lists that its seats are taken to follow."""

    state: np.record
    view: np.record
    company: Sequence[ListPlayer]


def move_in_words(view: np.record, move: int, numbering: Numbering) -> str:
    """Return a move that the seat to move may make, such as ``tell Bob red (slots 1 and 3)``."""
    if not m.is_tell(move):
        number = numbering.number(view.born[view.me].tolist(), int(m.slot_of(move)))
        return f"{'play' if m.is_play(move) else 'discard'} slot {number}"
    seat, colour = int(m.target_of(move)), int(m.told_colour_of(move))
    what = COLOUR_NAMES[colour] if colour >= 0 else str(int(m.told_rank_of(move)))
    told, at = int(told_cards(move)), numbering.at(view)
    slots = sorted(
        at(seat, slot)
        for slot in range(m.SLOTS)
        if view.filled[seat] >> slot & 1 and told >> int(view.hands[seat, slot]) & 1
    )
    return f"tell {NAMES[seat]} {what} (slot{'s' * (len(slots) > 1)} {all_of(slots)})"


def notes_of(
    value: MoveValue, moment: Moment, listed: tuple[int, str], numbering: Numbering
) -> MoveNotes:
    """Return what is said about a move.

    Args:
        value: its value.
        moment: the position before it.
        listed: the move of the player's list, and the sentence of the rule that makes it.
        numbering: how slots are numbered.
    """
    view = moment.view
    return MoveNotes(
        move_in_words(view, value.move, numbering),
        move_in_words(view, value.best, numbering),
        listed[1] if listed[0] == value.best else "",
        tuple(_reasons(moment, value, value.move, value.reply, numbering)),
        tuple(_reasons(moment, value, value.best, value.best_reply, numbering)),
    )


def mistake_sentences(value: MoveValue, notes: MoveNotes) -> list[str]:
    """Return the sentences on a mistake: what was lost, then the move, then the better one."""
    because = f" {notes.rule}" if notes.rule else ""
    return [
        f"Turn {value.turn}, {NAMES[value.seat]}: {notes.made}. "
        f"It costs {loss_text(value)} points.",
        *([f"What was done: {' '.join(notes.why)}"] if notes.why else []),
        f"Better: {notes.better}. {' '.join(notes.why_better)}{because}".rstrip(),
        *filter(None, [_where_lost(value)]),
    ]


def _where_lost(value):
    """Return in which fireworks the move ends lower or higher, and how many more games are lost."""
    parts = [
        f"{COLOUR_NAMES[colour]} {-loss:+.1f}".replace("-", "−")
        for colour, loss in sorted(enumerate(value.colour_losses), key=lambda entry: -entry[1])
        if abs(loss) >= LEAST_LOSS
    ]
    lines = [f"Difference by firework: {', '.join(parts)}."] if parts else []
    made, better = map(percent, value.lives_lost)
    if value.lives_lost[0] - value.lives_lost[1] >= LEAST_LOSS:
        lines.append(f"The last life is lost in {made} of the games instead of {better}.")
    return " ".join(lines)


def loss_text(value: MoveValue) -> str:
    """Return a loss, such as ``1.36 ± 0.06``; exact ones have no error."""
    return f"{value.loss:.2f}" + (f" ± {value.error:.2f}" if value.error else "")


def _reasons(moment, value, move, reply, numbering):
    """Return sentences on a move: chances of its card, or its meaning; and what follows."""
    lines = []
    if m.is_tell(move):
        lines += _meaning(moment, move, numbering)
    else:
        card = next(card for card in value.cards if card.slot == m.slot_of(move))
        lines.append(_chance_sentence(card, bool(m.is_play(move))))
    if reply and reply.share >= MOSTLY:
        lines.append(_reply_sentence(moment, move, reply, numbering))
    return lines


def _chance_sentence(card: CardChances, is_play: bool) -> str:
    """Return what is to be said about the card of a play or a discard."""
    playable = f"The card is playable with a chance of {percent(card.playable)}"
    if is_play:
        return f"{playable}."
    parts = [f"The card is useless with a chance of {percent(card.useless)}"]
    if card.critical > UNLIKELY:
        parts.append(f"a last copy with {percent(card.critical)}")
    if card.playable > UNLIKELY:
        parts.append(f"playable with {percent(card.playable)}")
    return f"{all_of(parts)}."


def percent(chance: float) -> str:
    """Return a chance; 0 % and 100 % only where it is that certain."""
    if UNLIKELY < chance < SURE:
        return f"{chance:.0%}".replace("%", " %")
    return (
        "100 %" if chance >= 1 else "0 %" if chance <= 0 else "< 1 %" if chance < 0.5 else "> 99 %"
    )


def _meaning(moment, move, numbering):
    """Return what a hint means under the conventions of the seats; [] without conventions."""
    state, view = moment.state.copy(), moment.view.copy()
    apply(state, view, move)
    return meaning_of(moment.view.copy(), view, move, moment.company, numbering)


def _reply_sentence(moment, move, reply: Reply, numbering):
    """Return what the next seat does after a move."""
    state, view = moment.state.copy(), moment.view.copy()
    apply(state, view, move)
    if is_over(view):
        return "The game ends."
    how = "Then" if reply.share >= SURE else f"Then, with a chance of {percent(reply.share)},"
    name, born = NAMES[reply.seat], view.born[reply.seat].tolist()
    if reply.move == m.FORFEIT:
        return f"{how} no rule of {name} applies, and the game ends there."
    if m.is_tell(reply.move):
        hint = move_in_words(view, reply.move, numbering).removeprefix("tell")
        if m.target_of(reply.move) == moment.view.me:  # which cards it touches depends on the world
            hint = hint.partition(" (")[0]
        return f"{how} {name} tells{hint}."
    slot = int(m.slot_of(reply.move))
    card = int(moment.view.hands[reply.seat, slot])
    number = numbering.number(born, slot)
    if m.is_discard(reply.move):
        kind = ""
        if critical(moment.view) >> card & 1:
            kind = ", a last copy"
        elif moment.view.useless >> card & 1:
            kind = ", a useless card"
        return f"{how} {name} discards slot {number} ({card_text(card)}{kind})."
    fits = "" if reply.fits >= MOSTLY else ": that costs a life"
    return f"{how} {name} plays slot {number} ({card_text(card)}){fits}."
