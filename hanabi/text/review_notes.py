"""Sentences about reviewed moves: what a move did, what a better one would do, and why."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanabi import moves as m
from hanabi.cards import COLOUR_NAMES, card_text
from hanabi.game import apply, is_over
from hanabi.lookahead.move_values import CardChances, MoveValue, Reply
from hanabi.moves import NAMES
from hanabi.notation import all_of
from hanabi.player import ListPlayer
from hanabi.text.commentary import meaning_of
from hanabi.text.move_facts import facts_of, move_in_words, verb_of
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
    name, made = NAMES[reply.seat], facts_of(view, reply.move)
    if made.kind == "forfeit":
        return f"{how} no rule of {name} applies, and the game ends there."
    if made.kind == "tell":
        hint = move_in_words(view, reply.move, numbering).removeprefix("tell")
        if made.owner == moment.view.me:  # which cards it touches depends on the world
            hint = hint.partition(" (")[0]
        return f"{how} {name} tells{hint}."
    card = int(moment.view.hands[reply.seat, made.slots[0]])
    kind, costs = "", ""
    if made.kind == "play":
        costs = "" if reply.fits >= MOSTLY else ": that costs a life"
    elif critical(moment.view) >> card & 1:
        kind = ", a last copy"
    elif moment.view.useless >> card & 1:
        kind = ", a useless card"
    return f"{how} {name} {verb_of(made, numbering=numbering)} ({card_text(card)}{kind}){costs}."
