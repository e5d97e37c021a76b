"""Codes: a move tells a number, from which every other player works out an answer.

The convention ``code`` of the stage "game" says in its memory how moves tell numbers, and its hooks
read them; the conventions of the stage "question" say what the numbers mean. A hint tells one of
``modulus`` numbers (``hinted_number``). The giver adds up, modulo that, the answers of all other
players. Each player sees the hands of all others but the giver and knows their answers; subtracting
them leaves the own answer, which narrows the sets of types of the own cards. Everybody sees all the
other hands, or may not know the own answer only; so the marks are public.

An answer is made of several: the questions of the list are asked in order until one has entries;
its answer narrows the sets, and the questions are asked again about these, as long as one number
can hold another answer. A question is a list of entries (slot, set of types). The answer is the
place of the first entry whose card is of its types, counted from 1, or 0 for none.

Questions use only what the player asked knows too: the table, and the sets of types of the hand.
(Recipe: hanabi.rs, see the page of conventions. There the sets are weights of copies.)
"""

from hanabi.backend import FAULT, compiled, lowest, meets, popcount
from hanabi.conventions.fields import MAX_ENTRIES, MAX_ROWS, ROW_WIDTH
from hanabi.conventions.hint_plays import FALSE_PLAY
from hanabi.conventions.marks import JUDGED
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.conventions.slot_sets import all_playable, all_useless
from hanabi.game import told_cards
from hanabi.moves import (
    ALL,
    DISCARD,
    SLOTS,
    TELL_COLOUR,
    TELL_RANK,
    colours_in,
    copies_in,
    ranks_in,
    slot_of,
    target_of,
)
from hanabi.rulebook import propose
from hanabi.state import View
from hanabi.view import by_age, card_bit, partner_types, seat_after

QUESTION_STAGE = 4  # the place of "question" in marks.STAGES
CODE = memory_key("code")
MEMORY = (  # what the convention sets when a game begins
    "index",  # which card of a hand is its index card: UNKNOWN, NEWEST or OLDEST
    # 1: where it is sure that both exist, hints of a colour and of a rank that miss the index card
    # are two numbers
    "kinds",
    "discards",  # 1: a discard of one of several cards known to be useless tells a number
    "plays",  # 1: a play of one of several known playable cards tells a number
    "silent",  # 1: a discard with a token there says that no partner needs a hint
)
INDEX, KINDS, DISCARDS, PLAYS, SILENT = range(5)  # the places of these numbers
# places in view.told.notes: how many numbers a move tells in all, and the one that it has to tell;
# then by seat its answers as one number, the slot of its index card, how many numbers hints to it
# tell, and the first of these
MODULUS, NUMBER = range(2)
VALUES, SLOT, COUNT, FIRST = range(2, 22, 5)
UNKNOWN, NEWEST, OLDEST = range(3)

# ---- for questions


@compiled
def add_entry(view: View, slot: int, cards: int) -> None:
    """Add an entry to the question: "is the card in this slot of these types?".

    Entries beyond the room of the question are left out.
    """
    question = view.question
    if question.count < question.room and question.count < MAX_ENTRIES:
        question.slots[question.count] = slot
        question.cards[question.count] = cards
        question.count += 1


@compiled
def public_copies(view: View, cards: int) -> int:
    """Return how many copies of some types are not face up."""
    return copies_in(cards, view.pool[0], view.pool[1], view.pool[2])


@compiled
def public_chance(view: View, cards: int, wanted: int) -> float:
    """Return the chance that a card of some types is of the wanted ones, by copies not face up.

    0 where no copy is left.
    """
    return public_copies(view, cards & wanted) / max(1, public_copies(view, cards))


@compiled
def open_slots(view: View, reading: View) -> int:
    """Return bits of the slots asked about that are neither one type nor sure to be useless."""
    slots = 0
    for slot in range(SLOTS):
        cards = reading.assumed[slot]
        if cards & cards - 1 != 0 and cards & ~view.useless != 0:
            slots |= 1 << slot
    return slots


# ---- what moves tell


@compiled
def index_slot(view: View, memory: View, seat: int) -> int:
    """Return a seat's index card, about which hints to it tell numbers.

    It is the card that is least known (of equals the oldest), or the newest or the oldest of
    those that are not known.
    """
    marks = view.marks[view.list]
    best, most, unknown = -1, -1, 0
    for slot in range(SLOTS):
        if view.filled[seat] >> slot & 1:
            cards, score = marks.assumed[seat, slot], 0
            if cards & cards - 1 != 0 and cards & ~view.useless != 0:
                colours, ranks = colours_in(cards), ranks_in(cards)
                score = 1 + (1 if colours & colours - 1 else 0) + (1 if ranks & ranks - 1 else 0)
                unknown |= 1 << slot
            older = score == most and view.born[seat, slot] < view.born[seat, best]
            if score > most or older:
                best, most = slot, score
    if memory[INDEX] == UNKNOWN or unknown == 0:
        return best
    return by_age(view, seat, unknown, 1 if memory[INDEX] == NEWEST else 0)


@compiled
def number_count(view: View, memory: View, seat: int) -> int:
    """Return how many numbers hints to a seat tell: 4, or 3 where a kind of hint may not exist."""
    marks, colours, ranks = view.marks[view.list], ALL, ALL
    for slot in range(SLOTS):
        if view.filled[seat] >> slot & 1:
            colours &= colours_in(marks.assumed[seat, slot])
            ranks &= ranks_in(marks.assumed[seat, slot])
    return 4 if memory[KINDS] > 0 and colours == 0 and ranks == 0 else 3


@compiled
def hinted_number(view: View, move: int) -> int:
    """Return the number that a hint tells, after hints were read.

    The numbers go seat by seat, from the next player on. To each player: the rank of the index
    card, its colour, a hint that misses it (with 4 numbers: of a rank, of a colour).
    """
    notes, target, is_rank = view.told.notes, target_of(move), move >= TELL_RANK
    first = notes[FIRST + target]
    if card_bit(view, target, notes[SLOT + target]) & told_cards(move):
        return first if is_rank else first + 1
    return first + 2 if is_rank or notes[COUNT + target] == 3 else first + 3


@compiled
def telling_slots(view: View, is_play: bool) -> int:
    """Return bits of my slots among which a play or a discard tells a number, 0 for fewer than 2.

    Those that everybody knows to be playable, or to be useless or a copy of another card of mine.
    """
    marks, memory, me = view.marks[view.list], memory_of(view, CODE), view.me
    if is_play:
        slots = all_playable(view, marks.promised[me]) if memory[PLAYS] > 0 else 0
    elif memory[DISCARDS] > 0:
        row = marks.assumed[me]
        slots = all_useless(view, row)
        for slot in range(SLOTS):
            for other in range(slot):
                if row[slot] != 0 and row[slot] == row[other] and row[slot] & row[slot] - 1 == 0:
                    slots |= 1 << slot | 1 << other
    else:
        slots = 0
    slots &= view.filled[me]
    return slots if popcount(slots) > 1 else 0


@compiled
def _is_silent(view, memory, is_play):
    """Return 1 for a discard by which I say that no partner needs a hint, else 0."""
    return 1 if not is_play and memory[SILENT] > 0 and view.tokens > 0 else 0


# ---- questions and answers


@compiled
def _prepare_question(view, seat, room):
    """Fill view.readings[0] for questions about a seat, whose answers must be fewer than room."""
    told, reading, question = view.told, view.readings[0], view.question
    reading.giver, reading.target = view.me, seat
    for slot in range(ROW_WIDTH):
        reading.literal[slot] = view.mask[seat, slot] if slot < SLOTS else 0
        reading.promised[slot] = told.promised[seat, slot]
        reading.assumed[slot] = told.assumed[seat, slot]
    view.open, question.room, question.count = 1, room - 1, 0


@compiled
def prepare_question(view: View) -> None:
    """Fill view.readings[0] for a question about the next player's hand by the marks.

    The question may have up to 15 entries, by the turn.
    """
    seat = seat_after(view, 1)
    _begin_seat(view, seat, 0)
    _prepare_question(view, seat, 2 + view.turn % 15)


@compiled
def _ask(view, seat, room):
    """Ask the questions about a seat's hand until one has entries. Returns their number."""
    which, question = view.list, view.question
    _prepare_question(view, seat, room)
    for i in range(view.stages[which, QUESTION_STAGE], view.stages[which, QUESTION_STAGE + 1]):
        question.count = 0
        asked = propose(view.conventions[which, i], view)
        if asked == FAULT:
            view.failed = 1 + which * MAX_ROWS + i
        elif asked > 0 and question.count > 0:
            return question.count
    return 0


@compiled
def _narrow(view, seat, slot, cards):
    """Narrow a set of types of a seat by a part of an answer."""
    told = view.told
    promised = told.promised[seat, slot] & cards
    promised = promised if promised != 0 else view.mask[seat, slot]
    assumed = told.assumed[seat, slot] & promised
    told.promised[seat, slot], told.assumed[seat, slot] = (
        promised,
        assumed if assumed != 0 else promised,
    )


@compiled
def _narrow_by_answer(view, seat, answer):
    """Narrow a seat's sets of types by the answer to the question."""
    question = view.question
    for i in range(question.count):
        if i + 1 == answer:
            _narrow(view, seat, question.slots[i], question.cards[i])
            break
        _narrow(view, seat, question.slots[i], ~question.cards[i])


@compiled
def _true_answer(view, seat):
    """Return the answer that the hand of a partner gives to the question."""
    question = view.question
    for i in range(question.count):
        if card_bit(view, seat, question.slots[i]) & question.cards[i]:
            return i + 1
    return 0


@compiled
def _begin_seat(view, seat, silent):
    """Copy the marks of a seat, before its answers; ``silent`` as _is_silent returns it."""
    told, marks = view.told, view.marks[view.list]
    needs_none = silent != 0 and marks.plays[seat] == 0 and seat != view.me
    for slot in range(ROW_WIDTH):
        assumed = marks.assumed[seat, slot]
        if needs_none and assumed & ~view.playable != 0:
            assumed &= ~view.playable
        told.promised[seat, slot], told.assumed[seat, slot] = marks.promised[seat, slot], assumed


@compiled
def _encode(view, seat):
    """Answer the questions about a partner's hand. Returns the answers as one number."""
    modulus, scale, value = view.told.notes[MODULUS], 1, 0
    while True:
        room = (modulus - value - 1) // scale + 1
        entries = _ask(view, seat, room) if room > 1 else 0
        if entries == 0:
            return value
        answer = _true_answer(view, seat)
        _narrow_by_answer(view, seat, answer)
        value += scale * answer
        scale = min(modulus, scale * (entries + 1))


@compiled
def _decode(view, seat, value):
    """Narrow a seat's sets of types by the answers that are in a number."""
    room = view.told.notes[MODULUS]
    while room > 1:
        entries = _ask(view, seat, room)
        if entries == 0:
            return
        answer = value % (entries + 1)
        _narrow_by_answer(view, seat, answer)
        value //= entries + 1
        room = (room - answer - 1) // (entries + 1) + 1


@compiled
def _add_up(view, silent):
    """Answer for every partner, and add the answers up to the number that a move has to tell."""
    notes, total = view.told.notes, 0
    _begin_seat(view, view.me, 0)
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        _begin_seat(view, seat, silent)
        notes[VALUES + seat] = _encode(view, seat) if notes[MODULUS] > 1 else 0
        total += notes[VALUES + seat]
    notes[NUMBER] = total % max(1, notes[MODULUS])


@compiled
def _misread(view, number, silent):
    """Let every partner read another number than a move had to tell.

    If the hand of one of them is a guess, the number was right for the cards that they hold: this
    one alone reads another answer.
    """
    notes, guessed = view.told.notes, view.told.guessed - 1
    modulus, shift = notes[MODULUS], number - notes[NUMBER] + notes[MODULUS]
    if modulus > 1 and number != notes[NUMBER]:
        view.told.wrong = 1
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            if guessed >= 0 and guessed != view.me and guessed != seat:
                continue
            _begin_seat(view, seat, silent)
            _decode(view, seat, (notes[VALUES + seat] + shift) % modulus)


@compiled
def _judge_hints(view):
    """Fill in which hints tell the right number, and the plays that it adds."""
    marks, due, added = view.marks[view.list], view.due, 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        unplayable = partner_types(view, seat) & ~view.playable
        plays = meets(marks.assumed[seat], unplayable) & ~meets(view.told.assumed[seat], unplayable)
        while plays:
            card = card_bit(view, seat, lowest(plays)) & view.playable
            plays &= plays - 1
            added += 1 if card & ~due else 0
            due |= card
    for i in range(view.hint_count):
        hint = view.hints[i]
        if hinted_number(view, hint.move) == view.told.notes[NUMBER]:
            hint.new, hint.due = hint.new + added, hint.due | due
            hint.safe = 1  # no chop is expected
        else:
            hint.honest = FALSE_PLAY


@compiled
def _read_hint(view, memory, move):
    """Work out what everybody reads from a hint; 0: from those of view.hints that are right."""
    notes = view.told.notes
    notes[MODULUS], view.told.narrows = 0, 1
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        notes[SLOT + seat] = index_slot(view, memory, seat)
        notes[COUNT + seat], notes[FIRST + seat] = number_count(view, memory, seat), notes[MODULUS]
        notes[MODULUS] += notes[COUNT + seat]
    _add_up(view, 0)
    if move > 0:
        _misread(view, hinted_number(view, move), 0)
    else:
        _judge_hints(view)


@compiled
def _read_card(view, memory, move):
    """Work out what everybody reads from a play or a discard that is about to be made."""
    notes, is_play, slot = view.told.notes, move < DISCARD, slot_of(move)
    silent, slots = _is_silent(view, memory, is_play), telling_slots(view, is_play)
    notes[MODULUS] = popcount(slots) if slots >> slot & 1 else 0
    view.told.narrows = 1 if notes[MODULUS] != 0 or silent != 0 else 0
    for steps in range(1, view.players if silent != 0 else 1):
        seat = seat_after(view, steps)
        is_idle = view.marks[view.list].plays[seat] == 0
        view.told.wrong |= 1 if is_idle and view.held[seat] & view.playable != 0 else 0
    if view.told.narrows != 0:
        _add_up(view, silent)
        _misread(view, popcount(slots & (1 << slot) - 1), silent)


def _tell(view, reading, memory):
    """Work out what everybody reads from a move, or from the hints with the right number.

    From a wrong number every player reads a wrong answer.
    """
    move, view.told.wrong = reading.move, 0
    if move > 0:
        view.asked &= ~JUDGED  # what is written was worked out for the right number
    if 0 < move < TELL_COLOUR:
        _read_card(view, memory, move)
    else:
        _read_hint(view, memory, move)


def _choose(view, reading, memory):
    """Choose the slot whose play or discard tells the right number, where several would tell one.

    A card to play must be one of these.
    """
    is_play, chosen = reading.move < DISCARD, reading.note
    slots = telling_slots(view, is_play)
    if slots == 0 or is_play and slots >> chosen & 1 == 0:
        return
    view.told.notes[MODULUS] = popcount(slots)
    if not is_play:  # a card to play is chosen before hints are judged
        view.asked &= ~JUDGED
    _add_up(view, _is_silent(view, memory, is_play))
    for _ in range(view.told.notes[NUMBER]):
        slots &= slots - 1
    reading.note = lowest(slots)


HOOKS = {"tells": _tell, "choose": _choose}
