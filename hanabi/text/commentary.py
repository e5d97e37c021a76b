"""What each move of a game came to mean under the conventions of the players, as sentences.

Printed by ``hanabi show --marks``. The marks are kept by the same code that agents play by
(marks.py); this module compares them before and after a move.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from hanabi.backend import lowest, popcount
from hanabi.cards import FEW, set_text, types_in_brackets
from hanabi.conventions.chains import answering_slot, answers_before
from hanabi.conventions.codes import hinted_number
from hanabi.conventions.marks import CONSIDER, expected_discard, read
from hanabi.conventions.register import sort_by_stage
from hanabi.conventions.slot_sets import one_away
from hanabi.game_record import Game
from hanabi.moves import FORFEIT, NAMES, SLOTS, is_tell, target_of
from hanabi.notation import all_of
from hanabi.player import Player, followed_list
from hanabi.rulebook import Rule
from hanabi.steps import snapshots
from hanabi.table import Table
from hanabi.text.slot_numbering import BY_AGE, Numbering
from hanabi.view import critical, seat_after


def commentary(
    game: Game,
    players: Sequence[Player],
    seats: Sequence[int],
    numbering: Numbering = BY_AGE,
    turns: range | None = None,
) -> list[list[str]]:
    """Return, for every move of a game, sentences about its meaning under the conventions.

    Slots have the numbers that they had before the move. Where seats use different conventions,
    each list of them has its own sentences. A table without conventions has none.

    Args:
        game: The game.
        players: The players by place.
        seats: The place in `players` of the player at each seat.
        numbering: How slots are numbered.
        turns: The turns to comment on; None for all.
    """
    table = Table(game.variant, players, game.deck)
    moves, spoken = [move for move in game.moves if move != FORFEIT], []
    seated = [players[seat] for seat in seats]
    for ((_, view), (_, after)), move in zip(
        pairwise(snapshots(table.replay(game.seed, seats, moves))), moves, strict=True
    ):
        spoken.append(
            meaning_of(view, after, move, seated, numbering)
            if turns is None or int(view.turn) in turns
            else []
        )
    return spoken


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
            lines += _followed(view, after, which, numbering)
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
    if marks.code and view.code.told:
        lines += _coded(view, move, at)
    if is_tell(move) and not marks.code:
        meant = conventions[reading.meaning].family if reading.meaning >= 0 else None
        name, seat = meant.name if meant else "", int(target_of(move))
        if meant and "says" in meant.words:
            lines += meant.words["says"](view, reading, at)
        else:
            lines += _SAYINGS.get(name, _other)(view, reading, seat, name, at)
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
    before, after = before.copy(), after.copy()
    before.list = after.list = which
    says = hooks_of(conventions, "says_after")
    return [line for one in says for line in one(before, after, numbering.at(before))]


def hooks_of(conventions: Iterable[Rule], hook: str) -> list[Callable]:
    """Return a hook of each convention that has it, once per family."""
    families = {entry.family.name: entry.family for entry in conventions}
    return [one.words[hook] for one in families.values() if hook in one.words]


def _coded(view, move, at):
    """Return what everybody reads from the number that a move tells by a code."""
    marks, code, lines = view.marks[view.list], view.code, []
    if is_tell(move):
        number = int(hinted_number(view, move))
        wrong = "" if number == code.number else f"; {int(code.number)} would be right"
        lines.append(f"It tells number {number} of 0 to {int(code.modulus) - 1}{wrong}.")
    elif code.modulus > 1:
        lines.append(f"By the choice of the slot it tells 1 of {int(code.modulus)} numbers.")
    for steps in range(1, view.players):
        seat = int(seat_after(view, steps))
        told: dict[str, list[int]] = {}
        for slot in range(SLOTS):
            before, now = int(marks.assumed[seat, slot]), int(code.assumed[seat, slot])
            if now != before:
                told.setdefault(_narrowed(view, before, now), []).append(at(seat, slot))
        if told:
            parts = [
                f"slot{'s' * (len(slots) > 1)} {all_of(sorted(slots))} "
                f"{'are' if len(slots) > 1 else 'is'} {words}"
                for words, slots in told.items()
            ]
            lines.append(f"{NAMES[seat]} reads: {', '.join(parts)}.")
    return lines


def _narrowed(view, before, cards):
    """Return in words to what a set of types was narrowed."""
    kinds = {"playable": view.playable, "useless": view.useless}
    for kind, some in kinds.items():
        if cards & ~int(some) == 0 and before & ~int(some) != 0:
            return f"{kind}{types_in_brackets(cards)}"
    for kind, some in kinds.items():
        if cards == before & ~int(some):
            return f"not {kind}{types_in_brackets(cards)}"
    few = popcount(cards) <= FEW
    return set_text(cards).replace(" ", " or ") if few else f"one of {popcount(cards)} types"


def _told(view, reading, seat, name, at):
    """Return what a hint means for cards of its target beyond its literal content."""
    marks, lines = view.marks[view.list], _promised(view, reading, seat, name, at)
    kinds = {
        "playable": view.playable,
        "one play away": one_away(view),
        "a last copy": critical(view),
        "useless": view.useless,
        "needed later": ~(view.useless | view.playable),
    }
    for slot in range(SLOTS if not lines else 0):
        cards, before = (
            int(reading.assumed[slot]),
            int(marks.assumed[seat, slot] & reading.literal[slot]),
        )
        kind = next(
            (kind for kind, some in kinds.items() if cards & ~some == 0 and before & ~some != 0), ""
        )
        if kind:
            lines.append(
                f"It tells {NAMES[seat]} ({name}): slot {at(seat, slot)} is "
                f"{kind}{types_in_brackets(cards)}."
            )
    return lines


def _promised(view, reading, seat, name, at):
    slots = [
        slot
        for slot in range(SLOTS)
        if reading.pledged >> slot & 1
        and reading.promised[slot] != reading.literal[slot]
        and not view.marks[view.list].pledged[seat] >> slot & 1
    ]
    return [
        f"Promise to {NAMES[seat]} ({name}): slot {at(seat, slot)} is "
        f"playable{types_in_brackets(reading.promised[slot])}."
        for slot in slots
    ]


def _warned(view, reading, seat, name, at):
    new = int(reading.warned & ~view.marks[view.list].warned[seat])
    if not new:
        return []
    slot = lowest(new)
    return [
        f"Warning to {NAMES[seat]}: slot {at(seat, slot)} is a last copy, keep "
        f"it{types_in_brackets(reading.assumed[slot])}."
    ]


def _identified(view, reading, seat, name, at):
    playable = [
        slot
        for slot in range(SLOTS)
        if reading.assumed[slot]
        and not reading.assumed[slot] & ~view.playable
        and view.marks[view.list].perhaps[seat] >> slot & 1
    ]
    return [
        f"It shows {NAMES[seat]} that slot {at(seat, slot)} is "
        f"playable{types_in_brackets(reading.assumed[slot])}, and says nothing more."
        for slot in playable
    ]


def _finesse(view, reading, seat, name, at):
    following = int(seat_after(view, 1))
    slot = int(view.marks[view.list].ready[following])
    return [
        f"Finesse over {NAMES[following]}: {NAMES[seat]}'s slot {at(seat, reading.focus)} is "
        "playable now or one play later"
        f"{types_in_brackets(reading.offered)}; if not now, {NAMES[following]} plays slot "
        f"{at(following, slot)} first."
    ]


def _ordered(view, reading, seat, name, at):
    if reading.order_seat < 0:
        return _promised(view, reading, seat, name, at)
    why = f"says nothing about {NAMES[seat]}'s cards, so it " if name == "order_next" else ""
    return [
        f"It {why}orders {NAMES[int(reading.order_seat)]} to play slot "
        f"{at(int(reading.order_seat), reading.order_slot)}."
    ]


def _stall(view, reading, seat, name, at):
    return ["A stall: with all tokens there it says nothing more."]


def _other(view, reading, seat, name, at):
    return _promised(view, reading, seat, name, at) if name else ["It means what it says."]


def _chained(view, reading, seat, name, at):
    offered, playable = int(reading.offered), int(view.playable)
    others = [other for other in range(view.players) if other not in (int(view.me), seat)]
    answers = [
        (other, int(answering_slot(view, answers_before(view, reading, other), offered, playable)))
        for other in others
    ]
    slots = [f"{NAMES[other]} with slot {at(other, slot)}" for other, slot in answers if slot >= 0]
    return [
        f"Chain: {NAMES[seat]}'s slot {at(seat, reading.chain)} is playable now or after more "
        f"plays{types_in_brackets(offered)}; a player who sees the needed card in no other hand "
        f"answers{', ' if slots else ''}{' or '.join(slots)}."
    ]


_SAYINGS = {
    "chain": _chained,
    "warning": _warned,
    "identify": _identified,
    "finesse": _finesse,
    "focus": _promised,
    "order_own": _ordered,
    "order_next": _ordered,
    "order_other": _ordered,
    "says": _told,
    "stall": _stall,
}


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


def _followed(before, view, which, numbering):
    """Return what a move that was made tells about a chain that was open before it."""
    then, now = before.marks[which], view.marks[which]
    seat, slot = int(then.chain_target), int(then.chain_focus)
    if then.chain_giver < 0 or now.chain_offered == then.chain_offered and now.chain_giver >= 0:
        return []
    if view.born[seat, slot] != before.born[seat, slot]:
        return []  # the focus itself was played
    types = int(now.promised[seat, slot])
    if types == int(then.promised[seat, slot]):
        return ["That ends the chain, which says nothing more."]
    what = "ends" if now.chain_giver < 0 else "answers"
    return [
        f"That {what} the chain: {NAMES[seat]}'s slot {numbering.at(before)(seat, slot)} is "
        f"{set_text(types).replace(' ', ' or ')}."
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
