"""What each move of a game came to mean under the conventions of the players, as sentences.

Printed by ``hanabi show --marks``. The marks are kept by the same code that agents play by
(marks.py); this module compares them before and after a move.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from hanabi.backend import lowest, popcount
from hanabi.cards import set_text
from hanabi.conventions.chains import answering_slot, answers_before
from hanabi.conventions.codes import hinted_number
from hanabi.conventions.marks import CONSIDER, expected_discard, read
from hanabi.conventions.pairs import partner_slot
from hanabi.conventions.register import sort_by_stage
from hanabi.conventions.sarcastic_discards import place_told
from hanabi.conventions.slot_sets import one_away
from hanabi.game import event_card, event_fits, event_move
from hanabi.game_record import Game
from hanabi.moves import FORFEIT, NAMES, SLOTS, is_tell, slot_of, target_of
from hanabi.notation import all_of
from hanabi.player import Player, followed_list
from hanabi.steps import snapshots
from hanabi.table import Table
from hanabi.text.slot_numbering import BY_AGE, Numbering
from hanabi.view import critical, seat_after

MANY = 6  # more types than this are not listed


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
    for which, holders in _holders(view):
        conventions = (
            sort_by_stage(followed_list(seated[holders[0]]).conventions) if holders else ()
        )
        if conventions:
            lines = _meaning(view.copy(), move, which, conventions, numbering)
            lines += _said_after(view, after, which, conventions, numbering)
            lines += _answered(view, after, which, numbering)
            lines += _settled(view, after, which, numbering)
            lines += _followed(view, after, which, numbering)
            lines += _sarcastic(view, after, which, numbering)
            notes.append((holders, lines))
    return _said(notes, int(view.players))


def _holders(view):
    """Yield (number of a list of conventions, the seats that play by it)."""
    return [
        (which, [seat for seat in range(view.players) if view.list_of[seat] == which])
        for which in range(view.lists)
    ]


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
    for says in _hooks(conventions, "says_move"):
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
    says = _hooks(conventions, "says_after")
    return [line for one in says for line in one(before, after, numbering.at(before))]


def _hooks(conventions, hook):
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
            return f"{kind}{_types(cards)}"
    for kind, some in kinds.items():
        if cards == before & ~int(some):
            return f"not {kind}{_types(cards)}"
    few = popcount(cards) <= MANY
    return set_text(cards).replace(" ", " or ") if few else f"one of {popcount(cards)} types"


def _types(cards):
    """Return `` (R2 B1)`` if that is short enough to print."""
    return f" ({set_text(int(cards))})" if 0 < popcount(int(cards)) <= MANY else ""


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
                f"It tells {NAMES[seat]} ({name}): slot {at(seat, slot)} is {kind}{_types(cards)}."
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
        f"playable{_types(reading.promised[slot])}."
        for slot in slots
    ]


def _warned(view, reading, seat, name, at):
    new = int(reading.warned & ~view.marks[view.list].warned[seat])
    if not new:
        return []
    slot = lowest(new)
    return [
        f"Warning to {NAMES[seat]}: slot {at(seat, slot)} is a last copy, keep "
        f"it{_types(reading.assumed[slot])}."
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
        f"playable{_types(reading.assumed[slot])}, and says nothing more."
        for slot in playable
    ]


def _finesse(view, reading, seat, name, at):
    following = int(seat_after(view, 1))
    slot = int(view.marks[view.list].ready[following])
    return [
        f"Finesse over {NAMES[following]}: {NAMES[seat]}'s slot {at(seat, reading.focus)} is "
        "playable now or one play later"
        f"{_types(reading.offered)}; if not now, {NAMES[following]} plays slot "
        f"{at(following, slot)} first."
    ]


def _paired(view, reading, seat, name, at):
    following, number = int(seat_after(view, 1)), int(reading.pair)
    slots = [
        (slot, int(partner_slot(view, following, slot, seat, number)))
        for slot in range(SLOTS)
        if view.filled[following] >> slot & 1
    ]
    pairs = sorted((at(following, slot), at(seat, other)) for slot, other in slots)
    words = [f"slot {mine} with {theirs}" for mine, theirs in pairs]
    return [
        f"Pair with number {number}: {NAMES[following]} plays a slot, then a slot of "
        f"{NAMES[seat]} fits: {', '.join(words)}."
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
        f"plays{_types(offered)}; a player who sees the needed card in no other hand answers"
        f"{', ' if slots else ''}{' or '.join(slots)}."
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
    "pair": _paired,
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


def _answered(before, view, which, numbering):
    """Return what a move that was made tells about the target of a pair that was open before it."""
    then, seat = before.marks[which], int(before.marks[which].pair_target)
    event, following = int(view.history[before.turn]), int(before.me)
    if then.pair_giver < 0:
        return []
    if not event_fits(event):
        return [f"It does not answer the pair, so {NAMES[seat]} learns nothing from it."]
    slot = int(then.pair_slots[slot_of(event_move(event))])
    at = numbering.at(before)
    return [
        f"{NAMES[following]} answers the pair: {NAMES[seat]}'s slot {at(seat, slot)} is playable"
        f"{_types(int(view.marks[which].promised[seat, slot]))}."
    ]


def _sarcastic(before, view, which, numbering):
    """Return where a discard that was made says that the other copy of its card is."""
    event, here = int(view.history[before.turn]), view.copy()
    here.list, here.marks[which] = which, before.marks[which]
    place = place_told(here, int(before.me), event)
    if place.seat < 0:
        return []
    slot = numbering.at(before)(place.seat, place.slot)
    copy = set_text(1 << int(event_card(event)))
    return [f"The discard tells {NAMES[place.seat]} that slot {slot} is {copy} too."]


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
