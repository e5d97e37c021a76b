"""Conventions of the H-Group (hanabi.github.io), as far as public marks express them, and a rule.

Its words here: the *chop* is the oldest card that no hint touched and that is not to be kept. A
card is *new* that no hint touched and that is not to be kept. The *focus* of a hint is the chop if
the hint touches it, else the newest new card, else the newest card that is to be kept and was not
touched before, else the newest touched card that is perhaps playable.

A card promised as one of several types is played when all of them are playable (``own_hand.py``
plays no other), and kept until then, since it is touched.
"""

from functools import partial

from hanabi.authoring import (
    ALL,
    DISCARD,
    NAMES,
    NO_SEAT,
    NOTHING,
    ONES,
    SLOTS,
    TELL_COLOUR,
    View,
    by_age,
    card_bit,
    compiled,
    convention,
    critical,
    discard,
    event_card,
    event_move,
    may_discard,
    play,
    play_at,
    rules_of,
    seat_after,
    set_text,
    singles,
    slot_of,
    slots_within,
)
from hanabi.conventions.finesses import FINESSES, GIVER, LATER, PROMPTS, answer_slot, open_finesse
from hanabi.conventions.focus import focus_slot, new_slots, touched_chop
from hanabi.conventions.hint_evaluation import HONEST, best_hint, best_of, judged_move
from hanabi.conventions.marks import (
    assume_all,
    expected_discard,
    promise,
    promise_held,
)
from hanabi.conventions.memory import has_convention, memory_key, memory_of
from hanabi.conventions.own_hand import partner_plays
from hanabi.conventions.saved_twos import HOOKS, MEMORY, TWOS
from hanabi.conventions.slot_sets import Place, agreed_chop, all_useless, known_types, one_away

meaning = partial(convention, "meaning", group="hgroup")
rule = rules_of(sets="hgroup")
DISCARDS_TELL, ORDER_OF_ONES = memory_key("discards_tell"), memory_key("ones_in_order")


@convention("game", group="hgroup")
def chop_oldest(view: View, reading: View) -> int:
    """The chop, the card that a player is expected to discard, is the oldest card that no hint
    touched and that is not to be kept.
    """
    marks = view.marks[view.list]
    # the chance to be useless is at most 1, what a card to be kept loses is 10
    marks.chop_touched, marks.chop_critical, marks.chop_age = 20.0, 0.0, 2.0
    return 1


@convention("game", group="hgroup")
def misplay_drops(view: View, reading: View) -> int:
    """After a misplay, what hints said beyond their words since the last hint on that card is
    dropped.
    """
    view.marks[view.list].drops = 1
    return 1


@compiled
def place_of_copy(view: View, mover: int, card: int) -> Place:
    """Return where a discard of a known card, given as a set, says that its other copy is.

    It says nothing if the holder of a copy is known already.
    """
    marks = view.marks[view.list]
    for steps in range(1, view.players):
        seat = (mover + steps) % view.players
        slots = 0
        for slot in range(SLOTS):
            cards = marks.assumed[seat, slot]
            if cards == card:
                return Place(NO_SEAT, 0)
            slots |= (1 if cards & card != 0 else 0) << slot
        slot = by_age(view, seat, slots & view.touched[seat], 1)
        if slot >= 0:
            return Place(seat, slot)
    return Place(NO_SEAT, 0)


@compiled
def place_told(view: View, mover: int, event: int) -> Place:
    """Return what a move that was just made says of the other copy of its card.

    The marks must be those before the move, the rest of the view that after it.
    """
    move = event_move(event)
    if move < DISCARD or move >= TELL_COLOUR:
        return Place(NO_SEAT, 0)
    card = 1 << event_card(event)
    if view.marks[view.list].assumed[mover, slot_of(move)] != card or card & view.useless:
        return Place(NO_SEAT, 0)
    return place_of_copy(view, mover, card)


def _note_discard(view, reading):
    """Promise what a discard that was just made says of the other copy."""
    event = view.history[view.turn - 1]
    seat, slot = place_told(view, reading.giver, event)
    if seat >= 0:
        promise_held(view, seat, slot, 1 << event_card(event), view.turn)
        view.marks[view.list].pledged[seat] |= 1 << slot


def _say_discard(before, after, at):
    """Say where a discard that was made says that the other copy of its card is."""
    event, here = int(after.history[before.turn]), after.copy()
    here.marks[here.list] = before.marks[here.list]
    seat, slot = place_told(here, int(before.me), event)
    if seat < 0:
        return []
    copy = set_text(1 << int(event_card(event)))
    return [f"The discard tells {NAMES[seat]} that slot {at(seat, slot)} is {copy} too."]


@convention(
    "game",
    group="hgroup",
    goes_with="discard_told",
    hooks={"after_move": _note_discard, "says_after": _say_discard},
)
def discards_tell(view: View, reading: View) -> int:
    """A discard of a card that all players know and that can still be played says where its other
    copy is: it is the newest touched card that may be it, of the next player with such a card.
    """
    return 1


@compiled
def unknown_ones(view: View, seat: int) -> int:
    """Return bits of a seat's cards that everybody takes for playable 1s of an unknown colour."""
    marks = view.marks[view.list]
    assumed = marks.assumed[seat]
    return marks.plays[seat] & slots_within(assumed, ALL, ONES) & ~singles(assumed)


@compiled
def first_of(view: View, seat: int, slots: int) -> int:
    """Return the slot that comes first of some slots of 1s, given as bits; -1 for none."""
    was_chop = slots & memory_of(view, ORDER_OF_ONES)[seat]
    if was_chop != 0:
        return by_age(view, seat, was_chop, 1)
    drawn = 0
    for slot in range(SLOTS):
        if slots >> slot & 1 and view.born[seat, slot] >= view.players * view.hand_size:
            drawn |= 1 << slot
    return by_age(view, seat, drawn, 1) if drawn != 0 else by_age(view, seat, slots, 0)


@compiled
def ordered_one(view: View, seat: int, number: int) -> int:
    """Return the slot of a seat's 1 that comes after ``number`` others; -1 for none."""
    slots = unknown_ones(view, seat)
    for _ in range(number):
        if slots != 0:
            slots &= ~(1 << first_of(view, seat, slots))
    return first_of(view, seat, slots) if slots != 0 else -1


@compiled
def chop_told(view: View, move: int) -> Place:
    """Return the chop that a play of the seat to move tells its player to keep."""
    for skipped in range(1, view.players if move < DISCARD else 1):
        slot = ordered_one(view, view.me, skipped)
        if slot < 0:
            break
        if slot == slot_of(move):
            seat = seat_after(view, skipped)
            chop = agreed_chop(view, seat)
            return Place(seat, chop) if chop >= 0 else Place(NO_SEAT, 0)
    return Place(NO_SEAT, 0)


def _note_ones(view, reading, memory):
    """Note the chop that a hint of rank 1 touches; warn of the chop that a play tells about."""
    target = reading.target
    if target < 0:
        place = chop_told(view, reading.move)
        if place.seat >= 0:
            view.marks[view.list].warned[place.seat] |= 1 << place.slot
    elif reading.rank_told == 1 and reading.cards & ONES != 0:
        chop = agreed_chop(view, target)
        if chop >= 0 and reading.slots & ~view.touched[target] & 1 << chop:
            memory[target] |= 1 << chop


def _forget_one(view, reading, memory):
    """Forget a card that left its hand."""
    if reading.move < TELL_COLOUR:
        memory[reading.giver] &= ~(1 << slot_of(reading.move))


def _say_order(view, reading, at):
    """Say whose chop a play of another 1 than the first in order is about."""
    seat, slot = chop_told(view, int(reading.move))
    if seat < 0:
        return []
    return [f"1s are played in another order: {NAMES[seat]} is to keep slot {at(seat, slot)}."]


@convention(
    "game",
    group="hgroup",
    goes_with="play_one",
    memory=["former_chops[seat]"],
    hooks={"on_move": _note_ones, "after_move": _forget_one, "says_move": _say_order},
)
def ones_in_order(view: View, reading: View, memory: View) -> int:
    """Hinted 1s are played in order: a former chop, then cards drawn since the deal, newest first,
    then others, oldest first. Skipping some tells the player as many seats on to keep their chop.
    """
    for seat in range(view.players):
        memory[seat] = 0
    return 1


@compiled
def fives(view: View) -> int:
    """Return the set of the types of the highest rank."""
    return ONES << view.ranks - 1


@compiled
def tells_fives(view: View, reading: View) -> bool:
    """Return whether a hint tells the highest rank."""
    return reading.rank_told == 1 and reading.cards & fives(view) != 0


@compiled
def playable_later(view: View, through: int) -> int:
    """Return the set of types that are playable, or will be after plays that everybody expects.

    Args:
        view: The view.
        through: 0: no such plays; 1: of cards that everybody knows; 2: also of cards that are
            known to be one of several playable types.
    """
    types = view.playable
    if through == 0:
        return types
    marks, sure = view.marks[view.list], known_types(view)
    known = sure
    for seat in range(view.players if through == 2 else 0):
        for slot in range(SLOTS):
            known |= marks.assumed[seat, slot] if marks.plays[seat] >> slot & 1 else 0
    for _ in range(4):  # ranks
        types |= (types & known) << 1 & ~ONES & view.full[0]
    return types & ~(view.useless | sure)


@meaning()
def fix(view: View, reading: View) -> int:
    """A hint that shows that a card does not fit which its player took for playable says nothing
    more.
    """
    mistaken = view.marks[view.list].plays[reading.target] & ~reading.plays
    for slot in range(SLOTS):
        if mistaken >> slot & 1 and reading.assumed[slot] & view.playable == 0:
            return 1
    return 0


@meaning(stall=(0, 1, 2))
def five_save(view: View, reading: View, stall: float) -> int:
    """A hint of a 5 that touches {stall:the chop|the chop, or any new card while nothing was
    discarded yet,|a new card} says nothing more.
    """
    if not tells_fives(view, reading) or new_slots(view, reading) == 0:
        return 0
    early = True
    for plane in range(3):
        early = early and view.alive[plane] == view.full[plane]
    return int(stall == 2 or stall == 1 and early or touched_chop(view, reading) >= 0)


@compiled
def keep(reading: View, slots: int) -> None:
    """Say that the target's cards in some slots, given as bits, are to be kept (a chop move)."""
    reading.warned |= slots


@meaning()
def five_keeps(view: View, reading: View) -> int:
    """A hint of a 5 that touches the card next to the chop says that the chop is to be kept."""
    target, new = reading.target, new_slots(view, reading)
    if not tells_fives(view, reading) or new == 0:
        return 0
    chop = agreed_chop(view, target)
    others = view.filled[target] & ~(view.touched[target] | view.marks[view.list].warned[target])
    if chop < 0 or others >> chop & 1 == 0:
        return 0
    following = by_age(view, target, others & ~(1 << chop), 0)
    if following < 0 or new >> following & 1 == 0 or new >> chop & 1:
        return 0
    keep(reading, 1 << chop)
    return 1


@meaning()
def useless_keeps(view: View, reading: View) -> int:
    """A hint that touches new cards but not the chop, and shows that they are all useless, says
    that all older untouched cards are to be kept.
    """
    target, new = reading.target, new_slots(view, reading)
    if new == 0 or touched_chop(view, reading) >= 0:
        return 0
    for slot in range(SLOTS):
        if new >> slot & 1 and reading.assumed[slot] & ~view.useless != 0:
            return 0
    edge, older = by_age(view, target, new, 0), 0
    for slot in range(SLOTS):
        if view.born[target, slot] < view.born[target, edge]:
            older |= 1 << slot
    keep(reading, older & view.filled[target] & ~(view.touched[target] | reading.slots))
    return 1


@meaning(memory=MEMORY, hooks=HOOKS, through=(0, 1, 2), twos=(0, 1))
def play_or_save(view: View, reading: View, memory: View, through: float, twos: float) -> int:
    """A hint that touches the chop for the first time says that it is playable{through:|, or will
    be after known plays|, or will be after expected plays}, or to be saved: a last copy (a 5 only
    by its rank){twos:|, or by its rank a 2 of which the receiver sees no other copy}.
    """
    slot = touched_chop(view, reading)
    if slot < 0:
        return 0
    plays, saves = playable_later(view, int(through)), critical(view)
    if reading.rank_told == 0:
        saves &= ~fives(view)
    elif twos != 0:
        saves |= reading.cards & TWOS & ~view.useless
    if reading.assumed[slot] & (plays | saves) == 0:
        return 0
    pledged = reading.pledged
    promise(reading, slot, plays | saves)
    if reading.assumed[slot] & ~plays:  # pledged is what was promised to be played
        reading.pledged = pledged
    if reading.assumed[slot] & TWOS & ~view.playable and twos != 0 and reading.rank_told == 1:
        reading.note = slot
    return 1


@meaning(goes_with="answer_finesse", **FINESSES, later=(0, 1))
def prompt_or_finesse(view: View, reading: View, memory: View, later: float) -> int:
    """A hint that passes over the next player and does not touch the chop for the first time says
    that its focus fits now, or one play later: then the next player first plays their newest
    touched card that may connect, or without one their newest untouched card that is perhaps
    playable{later:|; a later player who holds the connecting card so answers instead}.
    """
    following = seat_after(view, 1)
    if (
        reading.target == following
        or memory[GIVER] >= 0
        or view.deck == 0
        or touched_chop(view, reading) >= 0
    ):
        return 0
    slot = focus_slot(view, reading)
    if slot < 0 or reading.assumed[slot] & one_away(view) == 0:
        return 0
    cards = reading.assumed[slot]
    if cards & playable_later(view, 1) & ~view.playable != 0 or cards & ~view.playable == 0:
        return 0
    if answer_slot(view, following, cards & (view.playable | one_away(view)), PROMPTS) < 0:
        return 0
    open_finesse(view, reading, slot, PROMPTS | LATER * int(later))
    return 1


@meaning(through=(0, 1, 2), ones=(0, 1))
def new_focus(view: View, reading: View, through: float, ones: float) -> int:
    """The focus of a hint, its newest new card, is playable{through:|, or will be after known
    plays|, or will be after expected plays}{ones:|; a hint of rank 1 says so of all new cards}.
    """
    slot, plays = focus_slot(view, reading), playable_later(view, int(through))
    if slot < 0 or reading.assumed[slot] & plays == 0:
        return 0
    promise(reading, slot, plays)
    if ones != 0 and reading.rank_told == 1 and reading.cards & ONES:
        new = new_slots(view, reading)
        for other in range(SLOTS):
            if new >> other & 1 and reading.assumed[other] & plays:
                promise(reading, other, plays)
    return 1


@convention("also", group="hgroup")
def touched_unlike(view: View, reading: View) -> int:
    """Cards that a hint touches are no copies of each other, nor of cards that everybody knows."""
    if reading.target < 0:
        return 1
    sure = 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            known = view.marks[view.list].assumed[seat, slot]
            sure |= known if known & known - 1 == 0 and seat != reading.target else 0
    others = reading.slots
    for slot in range(SLOTS):
        known = reading.assumed[slot]
        if known & known - 1 == 0:
            sure |= known
            others &= ~(1 << slot)
    assume_all(reading, others, ~sure)
    return 1


@rule()
def discard_told(view: View) -> int:
    """Discard a card that all players know, if that truly tells another player which card of theirs
    is its other copy.
    """
    if not has_convention(view, DISCARDS_TELL) or not may_discard(view):
        return NOTHING
    for slot in range(SLOTS):
        card = view.marks[view.list].assumed[view.me, slot]
        if card != 0 and card & card - 1 == 0 and card & view.useless == 0:
            place = place_of_copy(view, view.me, card)
            if place.seat >= 0 and card_bit(view, place.seat, place.slot) == card:
                return discard(slot)
    return NOTHING


@compiled
def would_discard_last_copy(view: View, seat: int) -> bool:
    """Return whether a partner knows of nothing better than to discard a critical chop."""
    marks = view.marks[view.list]
    chop = agreed_chop(view, seat)
    if chop < 0 or partner_plays(view, seat) != 0 or all_useless(view, marks.assumed[seat]) != 0:
        return False
    return card_bit(view, seat, chop) & critical(view) != 0


@rule()
def play_one(view: View) -> int:
    """Play the first hinted 1 in order, or a later one if that tells a player to keep a critical
    card.
    """
    if not has_convention(view, ORDER_OF_ONES):
        return NOTHING
    for skipped in range(1, view.players):
        slot = ordered_one(view, view.me, skipped)
        if slot < 0:
            break
        if would_discard_last_copy(view, seat_after(view, skipped)):
            return play(slot)
    return play_at(ordered_one(view, view.me, 0))


@rule()
def save_two(view: View) -> int:
    """If the next player is about to discard a 2 that is not useless, and I see no other copy of
    it, give them a play or else the best honest hint on that card.
    """
    following = seat_after(view, 1)
    slot = expected_discard(view, following)
    if view.tokens == 0 or slot < 0 or partner_plays(view, following) != 0:
        return NOTHING
    card = card_bit(view, following, slot)
    if card & TWOS & ~view.useless == 0:
        return NOTHING
    for steps in range(2, view.players):
        if view.held[seat_after(view, steps)] & card:
            return NOTHING
    place = best_hint(view, following, 1, HONEST)
    if place < 0:
        best_hint(view, following, 0, HONEST)  # and all of them are weighed
        touching = 0
        for other in range(view.hint_count):
            if view.hints[other].seat == following and view.readings[1 + other].slots >> slot & 1:
                touching |= 1 << other
        place = best_of(view, touching, HONEST)
    return judged_move(view, place)
