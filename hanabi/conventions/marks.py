"""Marks: what hints mean by the conventions that a seat plays by. All marks are public.

Every held card has three nested sets of types:

- **Literal** (``view.mask``): the types that hints leave.
- **Promised**: narrowed by promises too ("the newest card that may be playable is playable").
  True as long as everybody hints honestly.
- **Assumed**: narrowed by what is usually so ("nobody warned me, so my next discard is not
  critical").

A promise is kept as the set of types that were playable when it was made, not as a flag: when
another seat plays one of them, the set stays true, and the card is no longer all playable.

``read`` processes a move twice. Before the move it works out the meaning in ``view.readings`` and
adds it to the marks; after the move it uses the card that was revealed. A hint that is only
considered goes through the same code, so giver and receiver cannot disagree. Conventions
(register.py) write into the reading with the functions ``promise``, ``assume`` and ``order``.

Each list of conventions at a table has one copy of the marks, ``view.marks[its number]``, shared
by all seats that play by it; ``view.list`` is the number of the seat to move. So at a mixed table
each seat reads every move by its own conventions. (One record for the mover with the others copied
aside took 1.8 s to compile, an index nothing.) A table without conventions keeps no marks and pays
one branch per move. Marks are not cleared between games: ``read`` initialises them.
"""

from hanabi.backend import FAULT, compiled, copy_record, inlined, lowest, meets
from hanabi.conventions.fields import MAX_MEMORIES, MAX_ROWS, MEMORY_SIZE, ROW_WIDTH
from hanabi.conventions.hint_plays import FALSE_PLAY
from hanabi.conventions.misplays import date_meaning, drop_meanings
from hanabi.conventions.slot_sets import (
    agreed_chop,
    all_playable,
    all_useless,
    perhaps_playable,
    refine,
)
from hanabi.game import event_card, event_fits, event_move, told_cards
from hanabi.moves import DISCARD, NO_SEAT, SLOTS, TELL_COLOUR, TELL_RANK, slot_of, target_of
from hanabi.rulebook import propose
from hanabi.state import View, answer_bit
from hanabi.view import by_age, card_bit, critical, seat_after

GAME, MEANING, ALSO, FITS, _, ON_HINT, ON_MOVE, AFTER_MOVE, SCORE, DUE, OWN_CARDS = range(11)
DEAL, GIVE, TELLS, CHOOSE = range(11, 15)
STAGES = {
    "game": "once, when a game begins: settings that all seats agree on",
    "meaning": "on a hint, in the order of the list, until one says that this is what the hint "
    "means",
    "also": "on every move, before it is made",
    "fits": "after a play that fitted",
    "question": "about the hand of each other player, in the order of the list, until one has "
    "entries: what the numbers of a code mean",
}
HOOKS = {  # of a convention, beside its stage
    "on_hint": "a hint to which the convention gave its meaning is about to be given",
    "on_move": "a move, which was read, is about to be made",
    "after_move": "a move was made: reading has its giver and the move; the marks are still those "
    "before it",
    "score": "a hint to which the convention gave its meaning is evaluated",
    "due": "hints are about to be evaluated: it adds to view.taken and view.due the types that "
    "others will play",
    "own_cards": "my cards were narrowed down by the marks: it narrows view.own_assumed further",
    "deal": "the end of the game is played out in worlds: it writes into view.dealt what seats do",
    "give": "a hint to which the convention gave its meaning is given in such a world, view.world",
    "tells": "a move (reading.move), or each of view.hints (0), is about to be read: it writes "
    "into view.told what the move tells of all hands besides its words",
    "choose": "I am about to play or discard (reading.move) my card in the slot reading.note, or "
    "to discard any (-1): it writes there which it is as agreed",
}
# what ``read`` takes besides a move before it is made
START, MADE, HINTED, CONSIDER = 0, -1, -2, -3
JUDGED = answer_bit("judged_hints")


# ---- functions by which a convention gives a hint its meaning


@compiled
def promise_all(reading: View, slots: int, cards: int) -> None:
    """Promise that the target's cards in some slots, given as bits, are of these types.

    A promise that contradicts the hints is ignored.
    """
    for slot in range(ROW_WIDTH):  # no branch, so that all slots are computed at once
        told, literal = cards | (slots >> slot & 1) - 1, reading.literal[slot]
        promised, assumed = reading.promised[slot] & told, reading.assumed[slot] & told
        promised = promised if promised != 0 else literal
        reading.promised[slot], reading.assumed[slot] = (
            promised,
            assumed if assumed != 0 else promised,
        )
    reading.pledged |= slots


@compiled
def promise(reading: View, slot: int, cards: int) -> None:
    """Promise that the target's card in a slot is of these types."""
    promise_all(reading, 1 << slot, cards)


@compiled
def assume_all(reading: View, slots: int, cards: int) -> None:
    """Assume that the target's cards in some slots, given as bits, are of these types.

    An assumption that contradicts the promises is ignored.
    """
    for slot in range(ROW_WIDTH):
        promised, assumed = (
            reading.promised[slot],
            reading.assumed[slot] & (cards | (slots >> slot & 1) - 1),
        )
        reading.assumed[slot] = assumed if assumed != 0 else promised


@compiled
def assume(reading: View, slot: int, cards: int) -> None:
    """Assume that the target's card in a slot is of these types.

    An assumption that contradicts the promises is ignored.
    """
    assume_all(reading, 1 << slot, cards)


@compiled
def order(reading: View, seat: int, slot: int) -> None:
    """Promise that a slot of a seat other than the target is playable."""
    reading.order_seat, reading.order_slot = seat, slot


# ---- … or tells more of a card that was hinted at before


@compiled
def narrow(marks: View, seat: int, slot: int, cards: int, literal: int) -> None:
    """Promise that a held card is of these types."""
    promised, assumed = marks.promised[seat, slot] & cards, marks.assumed[seat, slot] & cards
    promised = promised if promised != 0 else literal
    marks.promised[seat, slot], marks.assumed[seat, slot] = (
        promised,
        assumed if assumed != 0 else promised,
    )
    marks.stale |= 1 << seat


@compiled
def promise_held(view: View, seat: int, slot: int, cards: int, turn: int) -> None:
    """Promise that a held card is of these types, as the move of a turn said (counted from 1)."""
    marks = view.marks[view.list]
    narrow(marks, seat, slot, cards, view.mask[seat, slot])
    if marks.drops != 0:
        marks.dated[seat, slot] = turn


# ---- what a convention may ask


@compiled
def focus_of(view: View, reading: View) -> int:
    """Return the newest touched slot that was perhaps playable and still is; -1 for none."""
    return by_age(
        view,
        reading.target,
        reading.slots & view.marks[view.list].perhaps[reading.target] & reading.perhaps,
        1,
    )


@compiled
def ready_after(view: View, reading: View) -> int:
    """Return the target's newest perhaps playable slot without hint or promise; -1 for none.

    The slots are those after the literal hint.
    """
    slots = reading.perhaps & ~(view.touched[reading.target] | reading.slots | reading.pledged)
    return by_age(view, reading.target, slots, 1)


@compiled
def expected_discard(view: View, seat: int) -> int:
    """Return the slot that the next seat is expected to discard, its chop.

    It is -1 if that seat has a card to play or a useless card, and for every other seat.
    """
    return view.marks[view.list].expected if seat == seat_after(view, 1) else -1


# ---- reading a move


@compiled
def aim(view: View, target: int) -> None:
    """Copy the row of a seat into view.theirs, before hints to it are read."""
    theirs, marks = view.theirs, view.marks[view.list]
    for slot in range(SLOTS):
        theirs.cards[slot] = card_bit(view, target, slot)
        theirs.literal[slot] = view.mask[target, slot]
        theirs.promised[slot], theirs.assumed[slot] = (
            marks.promised[target, slot],
            marks.assumed[target, slot],
        )
    if marks.tells != 0:  # before its words
        for slot in range(SLOTS):
            theirs.promised[slot], theirs.assumed[slot] = (
                view.told.promised[target, slot],
                view.told.assumed[target, slot],
            )
    for slot in range(SLOTS, ROW_WIDTH):
        theirs.cards[slot] = theirs.literal[slot] = theirs.promised[slot] = theirs.assumed[slot] = 0


@inlined
def _read_literally(view, target, move, reading):
    """Work out what a hint to the seat in view.theirs says by itself.

    The touched slots are of the types told, the others are not. Nothing else of the target's cards
    is used.
    """
    draft, theirs, marks = view.draft, view.theirs, view.marks[view.list]
    cards = told_cards(move)
    slots = meets(theirs.cards, cards)
    for slot in range(ROW_WIDTH):  # no branch, so that all slots are computed at once
        told = cards if theirs.cards[slot] & cards != 0 else ~cards
        literal, promised, assumed = (
            theirs.literal[slot] & told,
            theirs.promised[slot] & told,
            theirs.assumed[slot] & told,
        )
        promised = promised if promised != 0 else literal
        draft.literal[slot], draft.promised[slot] = literal, promised
        draft.assumed[slot] = assumed if assumed != 0 else promised
    plays, perhaps = all_playable(view, draft.assumed), perhaps_playable(view, draft.assumed)
    copy_record(draft, reading)  # before the numbers: the copy would wait for fresh writes
    reading.rank_told = 1 if move >= TELL_RANK else 0
    reading.cards, reading.slots = cards, slots
    reading.plays, reading.perhaps = plays, perhaps
    reading.pledged, reading.warned = marks.pledged[target], marks.warned[target]


@inlined
def _begin_reading(view, target, move, reading):
    """Fill a reading of a move as it is before any convention.

    Args:
        view: The view.
        target: The seat in view.theirs, or NO_SEAT.
        move: The move.
        reading: The reading to fill.
    """
    if target >= 0:
        _read_literally(view, target, move, reading)
    else:
        reading.slots = reading.cards = 0
    reading.giver, reading.target, reading.move = view.me, target, move
    reading.meaning = reading.order_seat = reading.note = reading.card = -1
    reading.safe = 0


@compiled
def apply_stage(view: View, stage: int, readings: int) -> None:
    """Apply the conventions or hooks of a stage in turn to all readings that are given as bits.

    A hint has only the first meaning that applies; the reading notes its place in the list.
    """
    which, view.open = view.list, readings
    for owner in range(MAX_MEMORIES if stage == MEANING else 0):
        view.meant[owner] &= ~readings
    for i in range(view.stages[which, stage], view.stages[which, stage + 1]):
        applied = propose(view.conventions[which, i], view)
        if applied == FAULT:
            view.failed, applied = 1 + which * MAX_ROWS + i, 0
        if stage == MEANING and applied > 0:
            applied &= view.open
            view.open ^= applied
            view.meant[view.owners[which, i]] |= applied
            while applied:
                view.readings[lowest(applied)].meaning = i
                applied &= applied - 1


@compiled
def apply_hooks(view: View, stage: int, readings: int) -> None:
    """Call the hooks of a stage for those readings to which their convention gave its meaning."""
    which = view.list
    for i in range(view.stages[which, stage], view.stages[which, stage + 1]):
        view.open = view.meant[view.owners[which, i]] & readings
        if view.open != 0 and propose(view.conventions[which, i], view) == FAULT:
            view.failed = 1 + which * MAX_ROWS + i


@compiled
def prepare_reading(view: View, move: int) -> None:
    """Fill view.readings[0] for a call of conventions about a move; 0 or -1: no move."""
    target = target_of(move) if move >= TELL_COLOUR else NO_SEAT
    view.readings[0].move = move
    apply_stage(view, TELLS, 1 if move > 0 else 0)
    if target >= 0:
        aim(view, target)
    _begin_reading(view, target, move, view.readings[0])
    view.open = 1


@compiled
def _read_move(view, move):
    """Compute what the current player's move means, in view.readings[0]."""
    prepare_reading(view, move)
    if move >= TELL_COLOUR:
        apply_stage(view, MEANING, 1)
    apply_stage(view, ALSO, 1)


@compiled
def _read_hints(view):
    """Work out what each of view.hints would mean: hint i in view.readings[1 + i].

    Those that tell something false besides their words are not read.
    """
    target, readings = NO_SEAT, 0
    view.readings[0].move = 0
    apply_stage(view, TELLS, 1)
    for i in range(view.hint_count):
        hint = view.hints[i]
        if hint.honest == FALSE_PLAY:
            continue
        if hint.seat != target:
            target = hint.seat
            aim(view, target)
        _begin_reading(view, target, hint.move, view.readings[1 + i])
        readings |= 2 << i
    apply_stage(view, MEANING, readings)
    apply_stage(view, ALSO, readings)
    apply_hooks(view, SCORE, readings)


@compiled
def _add_told(view):
    """Add what a move tells besides its words to the marks."""
    told, marks = view.told, view.marks[view.list]
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            marks.promised[seat, slot] = told.promised[seat, slot]
            marks.assumed[seat, slot] = told.assumed[seat, slot]
        marks.stale |= 1 << seat


@inlined
def _add_meaning(view, move, place):
    """Add the meaning of a move that is about to be made to the marks.

    Args:
        view: The view.
        move: The move.
        place: The place of its reading.
    """
    marks, reading = view.marks[view.list], view.readings[place]
    if marks.tells != 0 and view.told.narrows != 0:
        _add_told(view)
    if move >= TELL_COLOUR:
        apply_hooks(view, ON_HINT, 1 << place)
    apply_stage(view, ON_MOVE, 1 << place)
    if move >= TELL_COLOUR:
        target = target_of(move)
        if marks.drops != 0:
            date_meaning(view, reading)
        for slot in range(SLOTS):
            marks.promised[target, slot], marks.assumed[target, slot] = (
                reading.promised[slot],
                reading.assumed[slot],
            )
        marks.pledged[target], marks.warned[target] = reading.pledged, reading.warned
        marks.stale |= 1 << target
        if reading.order_seat >= 0:
            seat, slot = reading.order_seat, reading.order_slot
            narrow(marks, seat, slot, view.playable, view.mask[seat, slot])
            marks.pledged[seat] |= 1 << slot
    if reading.safe != 0:
        seat = seat_after(view, 1)
        slot = expected_discard(view, seat)
        if slot >= 0:
            assumed = marks.assumed[seat, slot] & ~critical(view)
            marks.assumed[seat, slot] = assumed if assumed != 0 else marks.promised[seat, slot]
            marks.stale |= 1 << seat


@inlined
def _update_after_move(view):
    """Update the marks after a move: forget the card that left, refine."""
    marks = view.marks[view.list]
    mover = (view.turn - 1) % view.players
    event = view.history[view.turn - 1]
    move = event_move(event)
    marks.may_answer[mover] = 0
    view.readings[0].giver, view.readings[0].move = mover, move
    apply_stage(view, AFTER_MOVE, 1)
    if move < TELL_COLOUR:
        slot = slot_of(move)
        here = ~(1 << slot)
        if marks.drops != 0:
            if move < DISCARD and not event_fits(event):
                drop_meanings(view, mover, slot)
            marks.dated[mover, slot] = 0
        marks.promised[mover, slot] = marks.assumed[mover, slot] = view.mask[mover, slot]
        marks.pledged[mover] &= here
        marks.warned[mover] &= here
        marks.awaited[mover] &= here
        marks.stale |= 1 << mover
        if event_fits(event):
            marks.stale = (1 << view.players) - 1  # other cards are playable now
            view.readings[0].card = event_card(event)
            apply_stage(view, FITS, 1)
    refine(view)


@inlined
def _classify(view):
    """Work out what each seat can play by the marks, and what the next seat would discard."""
    marks = view.marks[view.list]
    while marks.stale:
        seat = lowest(marks.stale)
        marks.stale &= marks.stale - 1
        row = marks.assumed[seat]
        marks.plays[seat], marks.perhaps[seat] = (
            all_playable(view, row),
            perhaps_playable(view, row),
        )
        marks.ready[seat] = by_age(
            view, seat, marks.perhaps[seat] & ~(view.touched[seat] | marks.pledged[seat]), 1
        )
    seat = seat_after(view, 1)
    busy = marks.plays[seat] != 0 or all_useless(view, marks.assumed[seat]) != 0
    marks.expected = -1 if busy else agreed_chop(view, seat)


@compiled
def _initialise(view):
    """Set the marks of a new game: what hints say, which is nothing."""
    marks = view.marks[view.list]
    for seat in range(view.players):
        for slot in range(SLOTS):
            marks.promised[seat, slot] = marks.assumed[seat, slot] = view.mask[seat, slot]
            marks.dated[seat, slot] = 0
        marks.pledged[seat] = marks.warned[seat] = 0
        marks.awaited[seat] = marks.may_answer[seat] = 0
    for place in range(MAX_MEMORIES + 1):
        for number in range(MEMORY_SIZE):
            marks.memory[place, number] = -1
    marks.drops = 0
    marks.tells = view.stages[view.list, TELLS + 1] - view.stages[view.list, TELLS]
    marks.stale = (1 << view.players) - 1
    marks.chop_touched = marks.chop_critical = marks.chop_age = 0.0
    apply_stage(view, GAME, 1)


@inlined
def _reading_place(view, move):
    """Return the place of the reading of a move: where it was judged this turn, else 0.

    What view.told says is right for hints without a false play only.
    """
    if move >= TELL_COLOUR and view.asked & JUDGED:
        for i in range(view.hint_count):
            if view.hints[i].move == move and view.hints[i].honest > FALSE_PLAY:
                return 1 + i
    return 0


def read(view: View, move: int) -> int:
    """Keep the marks; called by address, so that it is compiled once.

    Args:
        view: The view.
        move: START when a game begins; a move before it is made, and MADE after it; HINTED to
            read view.hints only; CONSIDER minus a move to read that move only.
    """
    ask = int(move)
    if ask <= CONSIDER:
        _read_move(view, CONSIDER - ask)
        return 0
    if ask == HINTED:
        _read_hints(view)
        return 0
    mine = view.list
    for which in range(view.lists):
        view.list = which
        if ask > 0:
            place = _reading_place(view, ask) if which == mine else 0
            if place == 0:
                _read_move(view, ask)
            _add_meaning(view, ask, place)
        else:
            if ask == MADE:
                _update_after_move(view)
            else:
                _initialise(view)
            _classify(view)
    view.list = max(0, view.list_of[view.me])
    return 0
