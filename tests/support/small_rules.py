"""Small rules for the tests, never entered into the book: honest ones that play a game, and planted
faults.
"""

import numpy as np

from hanabi.backend import compiled
from hanabi.game import is_legal
from hanabi.moves import (
    END,
    FORFEIT,
    NOTHING,
    PLAY,
    SLOTS,
    TELL_COLOUR,
    discard,
    play,
    rank_of,
    tell_rank,
)
from hanabi.rulebook import BOOK, FAMILIES, LIBRARY, Rule, rule
from hanabi.state import answer, ensure
from hanabi.table import ListPlayer
from hanabi.view import (
    COUNTS,
    chop,
    holds,
    knows_rank,
    may_discard,
    newest,
    oldest,
    playable_chance,
    possible_copies,
    random_below,
    seat_after,
    useless_chance,
)

LIBRARY.load()  # else the rules of papers would be registered between two of ours
HONEST: list[Rule] = []
FAULTY: dict[str, Rule] = {}  # by the fault that conformance must find


def _enter(function, prefix, grid):
    before = set(BOOK)
    rule(prefix, **grid)(function)
    FAMILIES.pop(prefix + function.__name__)
    return [BOOK.pop(name) for name in list(BOOK) if name not in before]


def toy(prefix="toy.", **grid):
    """An honest rule: as @rule, but not in the book."""

    def enter(function):
        HONEST.extend(_enter(function, prefix, grid))
        return function

    return enter


def fault(kind):
    """A rule with a planted fault of a kind of conformance.FAULTS."""

    def enter(function):
        (FAULTY[kind],) = _enter(function, "faulty.", {})
        return function

    return enter


@toy(chance=(0.25, 0.6, 1))
def play_likely(view, chance):
    """Play my first card that is playable with a chance of at least {chance:.0%}."""
    for slot in range(SLOTS):
        if playable_chance(view, slot) >= chance:
            return play(slot)
    return NOTHING


@toy()
def tell_playable(view):
    """Tell the rank of a playable card whose owner does not know it."""
    if view.tokens == 0:
        return NOTHING
    for step in range(1, view.players):
        seat = seat_after(view, step)
        for slot in range(SLOTS):
            card = view.hands[seat, slot]
            if card >= 0 and view.playable >> card & 1 and not knows_rank(view, seat, slot):
                return tell_rank(seat, rank_of(card))
    return NOTHING


@toy()
def discard_useless(view):
    """Discard a card that is surely useless."""
    for slot in range(SLOTS):
        if may_discard(view) and useless_chance(view, slot) >= 1:
            return discard(slot)
    return NOTHING


@toy()
def discard_chop(view):
    """Discard my oldest card that no hint pointed at."""
    slot = chop(view, view.me)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@toy(lives=(0, 1))
def play_newest(view, lives):
    """Play my newest card with more than {lives:#life|lives}."""
    return play(newest(view, view.me)) if view.lives > lives else NOTHING


@compiled
def any_legal(view, first, salt):
    """Any legal move from this number on, by chance; NOTHING where there is none."""
    count = 0
    for move in range(first, END):
        count += is_legal(view, move)
    wanted = random_below(view, salt, count)
    for move in range(first, END):
        if is_legal(view, move):
            if wanted == 0:
                return move
            wanted -= 1
    return NOTHING


@toy()
def move_randomly(view):
    """Make any legal move."""
    return any_legal(view, PLAY, 17)


@toy()
def tell_randomly(view):
    """Give any legal hint."""
    return any_legal(view, TELL_COLOUR, 18)


@toy()
def discard_randomly(view):
    """Discard any card."""
    if not may_discard(view):
        return NOTHING
    wanted = random_below(view, 19, SLOTS)
    for step in range(SLOTS):
        slot = (wanted + step) % SLOTS
        if holds(view, view.me, slot):
            return discard(slot)
    return NOTHING


@answer
def toy_counts(view):
    """The counts once more, as if they were heavy."""
    possible_copies(view, 0)
    return 0


@toy()
def discard_vaguest(view):
    """Discard the card that can be the most."""
    ensure(view, toy_counts)
    best = oldest(view, view.me)
    for slot in range(SLOTS):
        if view.possible[slot] > view.possible[best]:
            best = slot
    return discard(best) if best >= 0 and may_discard(view) else NOTHING


@toy(prefix="cig2018.")
def forfeits_without_tokens(view):
    """Forfeit without tokens."""
    return FORFEIT if view.tokens == 0 else NOTHING


@fault("illegal")
def moves_illegally(view):
    """Play the card in my last slot, even if there is none."""
    return play(SLOTS - 1)


@fault("raised")
def raises(view):
    """Raise an exception when a life is lost or the deck is empty."""
    if view.lives < view.max_lives or view.deck == 0:
        raise ValueError("no")
    return NOTHING


@fault("forfeits")
def forfeits(view):
    """Forfeit without tokens, which only the rules of 2018 may."""
    return FORFEIT if view.tokens == 0 else NOTHING


@compiled
def forget(row, types):
    """Write into a row, so that the rule itself does not."""
    row[0] = types


@fault("changes facts")
def changes_facts(view):
    """Forget what the next player was told."""
    forget(view.mask[seat_after(view, 1)], view.full[0])
    return NOTHING


@fault("depends on the memo")
def depends_on_memo(view):
    """Discard the first slot if an answer nobody asked for says so."""
    return discard(0) if view.possible[0] > 10 and is_legal(view, discard(0)) else NOTHING


@fault("keeps state")
def keeps_state(view):
    """Move at every second call."""
    view.uselesses[4] += 1
    return play(oldest(view, view.me)) if view.uselesses[4] % 2 == 0 else NOTHING


@fault("spoils the memo")
def spoils_memo(view):
    """Say that the counts were asked, and leave them."""
    if view.asked & COUNTS == 0:
        view.asked |= COUNTS
        view.possible[:] = 1
        view.playables[:] = 1
    return NOTHING


exec(
    "def dice(n):\n    return np.random.randint(0, n)", globals()
)  # without a text in which it would be refused
throw = compiled(globals()["dice"])


@fault("not repeatable")
def uses_a_generator(view):
    """Play a slot by NumPy's own random numbers."""
    slot = throw(4)
    return play(slot) if holds(view, view.me, slot) else NOTHING


@fault("peeks")
def peeks(view):
    """Play my first card that fits, if its place in my hand is not blank."""
    for slot in range(SLOTS):
        card = view.hands[view.me, slot]
        if card >= 0 and view.playable >> card & 1:
            return play(slot)
    return NOTHING


@fault("machine code differs")
def differs_in_python(view):
    """Add in eight bits, which machine code widens."""
    total = np.uint8(200 + view.me) + np.uint8(100)
    return play(oldest(view, view.me)) if total > 255 else NOTHING


@fault("does not compile")
def does_not_compile(view):
    """Use what machine code has not."""
    return NOTHING if f"{view!r}" else sorted({}.items(), key=str)


def honest(*names):
    """The strategy of some honest rules, named without ``toy.``."""
    return ListPlayer(
        tuple(
            next(entry for entry in HONEST if entry.name in (name, f"toy.{name}")) for name in names
        )
    )


SENSIBLE = honest(
    "play_likely(chance=1)",
    "play_likely(chance=0.6)",
    "tell_playable",
    "discard_useless",
    "discard_chop",
    "discard_randomly",
    "tell_randomly",
)
CAREFUL = honest(
    "play_likely(chance=1)", "tell_playable", "discard_useless", "discard_randomly", "tell_randomly"
)
WASTEFUL = honest("play_likely(chance=1)", "discard_vaguest", "tell_randomly")
RANDOM = honest("move_randomly")
BOLD = honest(
    "play_likely(chance=0.25)", "tell_randomly", "play_newest(lives=1)", "discard_randomly"
)
STRATEGIES = [SENSIBLE, CAREFUL, WASTEFUL, RANDOM, BOLD]
