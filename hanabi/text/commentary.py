"""Sentences about the moves of a game: what each came to mean, and reviews of costly ones.

Meanings follow from the conventions of the players. They are printed by ``hanabi show --marks``.
The marks are kept by the same code that agents play by (marks.py); this module compares them before
and after a move. Of a reviewed move the sentences say what it did, what a better one would do, and
why.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from hanabi import moves as m
from hanabi.conventions.marks import CONSIDER, expected_discard, read
from hanabi.conventions.register import sort_by_stage
from hanabi.game import apply, is_over, snapshots
from hanabi.game_record import Game
from hanabi.lookahead.move_values import CardChances, MoveValue, Reply
from hanabi.moves import (
    COLOUR_NAMES,
    FORFEIT,
    NAMES,
    SLOTS,
    card_text,
    is_tell,
    types_in_brackets,
)
from hanabi.notation import all_of, percent
from hanabi.player import ListPlayer, Player, followed_list
from hanabi.rulebook import Rule
from hanabi.table import Table
from hanabi.text.move_facts import BY_AGE, Numbering, facts_of, move_in_words, verb_of
from hanabi.view import critical, seat_after


def commentary(
    game: Game,
    players: Sequence[Player],
    seats: Sequence[int],
    numbering: Numbering = BY_AGE,
) -> list[list[str]]:
    """Return, for every move of a game, sentences about its meaning under the conventions.

    Slots have the numbers that they had before the move. Where seats use different conventions,
    each list of them has its own sentences. A table without conventions has none.

    Args:
        game: The game.
        players: The players by place.
        seats: The place in `players` of the player at each seat.
        numbering: How slots are numbered.
    """
    table = Table(game.variant, players, game.deck)
    moves = [move for move in game.moves if move != FORFEIT]
    seated = [players[seat] for seat in seats]
    return [
        meaning_of(view, after, move, seated, numbering)
        for ((_, view), (_, after)), move in zip(
            pairwise(snapshots(table.replay(game.seed, seats, moves))), moves, strict=True
        )
    ]


def meaning_of(
    view: np.record,
    after: np.record,
    move: int,
    seated: Sequence[Player],
    numbering: Numbering = BY_AGE,
) -> list[str]:
    """Return sentences about what one move came to mean.

    Args:
        view: The view of a table with marks before the move.
        after: The view after it.
        move: The move.
        seated: The player at each seat.
        numbering: How slots are numbered.
    """
    notes = []
    for which, holders, conventions in lists_of(view, seated):
        if conventions:
            lines = _meaning(view.copy(), move, which, conventions, numbering)
            lines += _said_after(view, after, which, conventions, numbering)
            notes.append((holders, lines))
    return _said(notes, int(view.players))


def lists_of(
    view: np.record, seated: Sequence[Player]
) -> Iterator[tuple[int, list[int], tuple[Rule, ...]]]:
    """Yield (number, the seats that play by it, its conventions) of each list at a table."""
    for which in range(view.lists):
        holders = [seat for seat in range(view.players) if view.list_of[seat] == which]
        player = followed_list(seated[holders[0]]) if holders else None
        yield which, holders, sort_by_stage(player.conventions) if player else ()


def _meaning(view, move, which, conventions, numbering):
    """Return what a move that is about to be made means under one list."""
    mine, view.list = view.list, which
    marks, reading, lines = view.marks[which], view.readings[0], []
    following, at = int(seat_after(view, 1)), numbering.at(view)
    chop = int(expected_discard(view, following))
    read(view, CONSIDER - move)
    if is_tell(move) and not marks.tells:
        meant = conventions[reading.meaning].family if reading.meaning >= 0 else None
        if meant is None:
            lines.append("It means what it says.")
        else:
            said = meant.words["says"](view, reading, at) if "says" in meant.words else []
            lines += said or _general(view, reading, meant.name, at)
    for says in hooks_of(conventions, "says_move"):
        lines += says(view, reading, at)
    if reading.safe and chop >= 0:
        card = marks.assumed[following, chop]
        left = card & ~(view.alive[0] & ~view.alive[1])
        if left not in (0, card):
            lines.append(
                f"No warning: {NAMES[following]} may discard slot {at(following, chop)}, it is "
                "taken for no last copy."
            )
    view.list = mine
    return lines


def _said_after(before, after, which, conventions, numbering):
    """Return what the hooks of conventions say of a move that was made."""
    says = hooks_of(conventions, "says_after")
    if not says:
        return []  # before the records are copied, which takes time
    before, after = before.copy(), after.copy()
    before.list = after.list = which
    return [line for one in says for line in one(before, after, numbering.at(before))]


def hooks_of(conventions: Iterable[Rule], hook: str) -> list[Callable]:
    """Return a hook of each convention that has it, once where several share it."""
    words = (entry.family.words for entry in conventions)
    return list(dict.fromkeys(one[hook] for one in words if hook in one))


def _general(view, reading, name, at):
    """Return what a hint means of which its convention says nothing, by the verbs of marks.py."""
    seat = int(reading.target)
    if reading.order_seat >= 0:
        ordered = int(reading.order_seat)
        return [f"It orders {NAMES[ordered]} to play slot {at(ordered, reading.order_slot)}."]
    new = reading.pledged & ~view.marks[view.list].pledged[seat]
    return [
        f"Promise to {NAMES[seat]} ({name}): slot {at(seat, slot)} is "
        f"playable{types_in_brackets(reading.promised[slot])}."
        for slot in range(SLOTS)
        if new >> slot & 1 and reading.promised[slot] != reading.literal[slot]
    ]


def _said(notes, players):
    """Return the sentences of all lists; where lists differ, with the seats that use each."""
    notes = [(holders, lines) for holders, lines in notes if lines]
    if len(notes) == 1 and len(notes[0][0]) == players:
        return notes[0][1]
    return [
        f"For {' and '.join(NAMES[seat] for seat in holders)}: {line}"
        for holders, lines in notes
        for line in lines
    ]


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
        lines += _meant_by(moment, move, numbering)
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


def _meant_by(moment, move, numbering):
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
