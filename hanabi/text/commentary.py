"""What each move of a game came to mean under the conventions of the players, as sentences.

Printed by ``hanabi show --marks``. The marks are kept by the same code that agents play by
(marks.py); this module compares them before and after a move.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from hanabi.cards import set_text, types_in_brackets
from hanabi.conventions.finesses import answer_slot
from hanabi.conventions.marks import CONSIDER, expected_discard, read
from hanabi.conventions.register import sort_by_stage
from hanabi.game_record import Game
from hanabi.moves import FORFEIT, NAMES, SLOTS, is_tell
from hanabi.player import Player, followed_list
from hanabi.rulebook import Rule
from hanabi.steps import snapshots
from hanabi.table import Table
from hanabi.text.slot_numbering import BY_AGE, Numbering
from hanabi.view import seat_after


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
            lines += _settled(view, after, which, numbering)
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
    if is_tell(move) and not marks.code:
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
    """Return a hook of each convention that has it, once per family."""
    families = {entry.family.name: entry.family for entry in conventions}
    return [one.words[hook] for one in families.values() if hook in one.words]


def _general(view, reading, name, at):
    """Return what a hint means of which its convention says nothing, by the verbs of marks.py."""
    seat, following = int(reading.target), int(seat_after(view, 1))
    if reading.order_seat >= 0:
        ordered = int(reading.order_seat)
        return [f"It orders {NAMES[ordered]} to play slot {at(ordered, reading.order_slot)}."]
    if reading.focus >= 0:
        slot = at(following, int(answer_slot(view, reading, following)))
        return [
            f"Finesse over {NAMES[following]}: {NAMES[seat]}'s slot {at(seat, reading.focus)} is "
            f"playable now or one play later{types_in_brackets(reading.offered)}; if not now, "
            f"{NAMES[following]} plays slot {slot} first."
        ]
    new = reading.pledged & ~view.marks[view.list].pledged[seat]
    return [
        f"Promise to {NAMES[seat]} ({name}): slot {at(seat, slot)} is "
        f"playable{types_in_brackets(reading.promised[slot])}."
        for slot in range(SLOTS)
        if new >> slot & 1 and reading.promised[slot] != reading.literal[slot]
    ]


def _settled(before, view, which, numbering):
    """Return what a move that was made tells about a finesse that was open before it."""
    then, now = before.marks[which], view.marks[which]
    if then.giver < 0 or now.giver >= 0 and (now.giver, now.focus) == (then.giver, then.focus):
        return []
    seat, slot = int(then.target), int(then.focus)
    return [
        f"That settles the finesse: {NAMES[seat]}'s slot {numbering.at(before)(seat, slot)} is "
        f"{set_text(int(now.promised[seat, slot])).replace(' ', ' or ')}."
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
