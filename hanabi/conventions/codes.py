"""Codes: a move tells a number, from which every other player works out an answer.

The convention ``code`` of the stage "game" says how moves tell numbers, the conventions of the
stage "question" what the numbers mean. A hint tells one of ``modulus`` numbers (``hinted_number``).
The giver adds up, modulo that, the answers of all other players. Each player sees the hands of all
others but the giver and knows their answers; subtracting them leaves the own answer, which narrows
the sets of types of the own cards. Everybody sees all the other hands, or may not know the own
answer only; so the marks are public.

An answer is made of several: the questions of the list are asked in order until one has entries;
its answer narrows the sets, and the questions are asked again about these, as long as one number
can hold another answer. A question is a list of entries (slot, set of types). The answer is the
place of the first entry whose card is of its types, counted from 1, or 0 for none.

Questions use only what the player asked knows too: the table, and the sets of types of the hand.
(Recipe: hanabi.rs, see the page of conventions. There the sets are weights of copies.)
"""

from hanabi.backend import FAULT, compiled, lowest, popcount
from hanabi.conventions.fields import MAX_ENTRIES, MAX_ROWS, ROW_WIDTH
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
from hanabi.view import by_age, card_bit, seat_after

QUESTION_STAGE = 4  # the place of "question" in marks.STAGES
CHOOSE_PLAY, CHOOSE_DISCARD = -3, -4  # what ``marks.read`` takes to call ``choose_slot``
UNKNOWN, NEWEST, OLDEST = range(3)  # values of marks.code_index

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
def index_slot(view: View, seat: int) -> int:
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
    if marks.code_index == UNKNOWN or unknown == 0:
        return best
    return by_age(view, seat, unknown, 1 if marks.code_index == NEWEST else 0)


@compiled
def number_count(view: View, seat: int) -> int:
    """Return how many numbers hints to a seat tell: 4, or 3 where a kind of hint may not exist."""
    marks, colours, ranks = view.marks[view.list], ALL, ALL
    for slot in range(SLOTS):
        if view.filled[seat] >> slot & 1:
            colours &= colours_in(marks.assumed[seat, slot])
            ranks &= ranks_in(marks.assumed[seat, slot])
    return 4 if marks.code_kinds != 0 and colours == 0 and ranks == 0 else 3


@compiled
def hinted_number(view: View, move: int) -> int:
    """Return the number that a hint tells, after ``prepare_hints``.

    The numbers go seat by seat, from the next player on. To each player: the rank of the index
    card, its colour, a hint that misses it (with 4 numbers: of a rank, of a colour).
    """
    code, target, first = view.code, target_of(move), 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        if seat == target:
            break
        first += code.numbers[seat]
    is_rank = move >= TELL_RANK
    if card_bit(view, target, code.index[target]) & told_cards(move):
        return first if is_rank else first + 1
    return first + 2 if is_rank or code.numbers[target] == 3 else first + 3


@compiled
def telling_slots(view: View, is_play: bool) -> int:
    """Return bits of my slots among which a play or a discard tells a number, 0 for fewer than 2.

    Those that everybody knows to be playable, or to be useless or a copy of another card of mine.
    """
    marks, me = view.marks[view.list], view.me
    if is_play:
        slots = all_playable(view, marks.promised[me]) if marks.code_plays != 0 else 0
    elif marks.code_discards != 0:
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
def _is_silent(view, is_play):
    """Return 1 for a discard by which I say that no partner needs a hint, else 0."""
    return 1 if not is_play and view.marks[view.list].code_silent != 0 and view.tokens > 0 else 0


# ---- questions and answers


@compiled
def _prepare_question(view, seat, room):
    """Fill view.readings[0] for questions about a seat, whose answers must be fewer than room."""
    code, reading, question = view.code, view.readings[0], view.question
    reading.giver, reading.target = view.me, seat
    for slot in range(ROW_WIDTH):
        reading.literal[slot] = view.mask[seat, slot] if slot < SLOTS else 0
        reading.promised[slot] = code.promised[seat, slot]
        reading.assumed[slot] = code.assumed[seat, slot]
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
    code = view.code
    promised = code.promised[seat, slot] & cards
    promised = promised if promised != 0 else view.mask[seat, slot]
    assumed = code.assumed[seat, slot] & promised
    code.promised[seat, slot], code.assumed[seat, slot] = (
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
    """Copy the marks of a seat, before its answers; ``silent`` as the field of the marks."""
    code, marks = view.code, view.marks[view.list]
    needs_none = silent != 0 and marks.plays[seat] == 0 and seat != view.me
    for slot in range(ROW_WIDTH):
        assumed = marks.assumed[seat, slot]
        if needs_none and assumed & ~view.playable != 0:
            assumed &= ~view.playable
        code.promised[seat, slot], code.assumed[seat, slot] = marks.promised[seat, slot], assumed


@compiled
def _encode(view, seat):
    """Answer the questions about a partner's hand. Returns the answers as one number."""
    modulus, scale, value = view.code.modulus, 1, 0
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
    room = view.code.modulus
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
    code, total = view.code, 0
    _begin_seat(view, view.me, 0)
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        _begin_seat(view, seat, silent)
        code.values[seat] = _encode(view, seat) if code.modulus > 1 else 0
        total += code.values[seat]
    code.number = total % max(1, code.modulus)


@compiled
def _misread(view, number, silent):
    """Let every partner read another number than a move had to tell.

    If the hand of one of them is a guess, the number was right for the cards that they hold: this
    one alone reads another answer.
    """
    code = view.code
    if code.modulus > 1 and number != code.number:
        shift, guessed = number - code.number + code.modulus, code.guessed - 1
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            if guessed >= 0 and guessed != view.me and guessed != seat:
                continue
            _begin_seat(view, seat, silent)
            _decode(view, seat, (code.values[seat] + shift) % code.modulus)


@compiled
def prepare_hints(view: View) -> None:
    """Work out which number a hint has to tell now, and what everybody reads from it."""
    code = view.code
    code.modulus, code.hinted = 0, 1 + view.list
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        code.index[seat], code.numbers[seat] = index_slot(view, seat), number_count(view, seat)
        code.modulus += code.numbers[seat]
    _add_up(view, 0)


@compiled
def read_code(view: View, move: int) -> None:
    """Work out what everybody reads from a move that is about to be made, in ``view.code``.

    From a wrong number every player reads a wrong answer.
    """
    code = view.code
    code.told = 1
    if move >= TELL_COLOUR:
        prepare_hints(view)
        _misread(view, hinted_number(view, move), 0)
        return
    code.hinted = 0
    is_play = move < DISCARD
    silent = _is_silent(view, is_play)
    slots, slot = telling_slots(view, is_play), slot_of(move)
    code.modulus = popcount(slots) if slots >> slot & 1 else 0
    if code.modulus == 0 and silent == 0:
        code.told = 0
        return
    _add_up(view, silent)
    _misread(view, popcount(slots & (1 << slot) - 1), silent)


@compiled
def choose_slot(view: View, is_play: bool) -> None:
    """Write into ``view.code.slot`` the slot whose play or discard tells the right number.

    -1 where none would tell one.
    """
    code = view.code
    slots = telling_slots(view, is_play)
    code.slot, code.hinted = -1, 0
    if slots != 0:
        code.modulus = popcount(slots)
        _add_up(view, _is_silent(view, is_play))
        for _ in range(code.number):
            slots &= slots - 1
        code.slot = lowest(slots)


@compiled
def tells_truth(view: View, move: int) -> bool:
    """Return whether a legal move tells nothing false by the code of my list, if it has one."""
    if view.lists == 0 or view.marks[view.list].code == 0:
        return True
    code, marks = view.code, view.marks[view.list]
    if move >= TELL_COLOUR:
        prepare_hints(view)
        return hinted_number(view, move) == code.number
    is_play, slot = move < DISCARD, slot_of(move)
    if _is_silent(view, is_play):
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            if marks.plays[seat] == 0 and view.held[seat] & view.playable != 0:
                return False
    if telling_slots(view, is_play) >> slot & 1 == 0:
        return True
    choose_slot(view, is_play)
    return code.slot == slot


@compiled
def commit_code(view: View) -> None:
    """Add what everybody reads from a move to the marks."""
    code, marks = view.code, view.marks[view.list]
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            marks.promised[seat, slot] = code.promised[seat, slot]
            marks.assumed[seat, slot] = code.assumed[seat, slot]
        marks.stale |= 1 << seat
