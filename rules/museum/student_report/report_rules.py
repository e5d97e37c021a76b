"""The strategy of a student report on multi-agent systems ("MAS Hanabi").

It is for the report's game of 18 cards (variant ``mini``). The report holds a full Kripke model
and leaves its strategy unfinished (docs/papers/student-report.md). What it says:
clues go first to *save cards* (a 3, or a card all of whose other copies are discarded); a card that
got a clue is meant to be played unless it is known to be discardable; the *chop* is the card
longest in hand without a clue, and of cards held equally long the further right is the older, so of
a hand as dealt the rightmost goes first; play a card that is certainly playable. The order of the
steps is ours (rules/agents/mas.toml), and so is the rest of what is left open:

* a save card that can no longer be played needs no clue, and a card that got one before gets no
  second;
* of the two clues for a card, its rank comes first, as the report's example of a 3 does;
* after save cards, clues go to playable cards, so that "meant to be played" comes true;
* a card with a clue is played on trust only if its exact chance is at least one half;
* with no chop left, the oldest card goes.

Of the laws it says nothing of clue tokens and lives, nor of the end: ``mini`` has those of the
standard game, 8 tokens, 3 lives, a token for a completed firework, one more move each after the
last card.
"""

from hanabi.authoring import (
    NOTHING,
    SLOTS,
    View,
    by_age,
    compiled,
    critical,
    discard_at,
    lowest,
    missing_rank_first,
    play,
    play_at,
    rules_of,
    seat_after,
    slots_of,
    told_until,
)
from hanabi.knowledge.questions import PLAYABLE, chance_of, i_know, they_know

rule = rules_of(prefix="mas.")


@compiled
def held_longest(view: View, seat: int, slots: int) -> int:
    """Return, of some slots of a seat (bits), the one whose card it has held longest; -1 of none.

    The cards of the deal it has held equally long: of these the one furthest right.
    """
    rightmost = -1
    for slot in range(SLOTS):
        if slots >> slot & 1 and view.born[seat, slot] < view.players * view.hand_size:
            rightmost = slot
    return rightmost if rightmost >= 0 else by_age(view, seat, slots, 0)


@rule()
def play_certain(view: View) -> int:
    """Play my oldest card that is certainly playable: known exactly, or every card it can still be
    fits.
    """
    return play_at(held_longest(view, view.me, i_know(view, view.playable)))


@compiled
def clue(view: View, cards: int) -> int:
    """Return the clue for the next player's oldest unclued card of a set of types, NOTHING if none.

    Then for the player after that, and so on.
    """
    for step in range(1, told_until(view)):
        seat = seat_after(view, step)
        slot = held_longest(
            view,
            seat,
            slots_of(view, seat, cards) & ~view.touched[seat] & ~they_know(view, seat, cards),
        )
        if slot >= 0 and missing_rank_first(view, seat, slot) != NOTHING:
            return missing_rank_first(view, seat, slot)
    return NOTHING


@rule()
def tell_save(view: View) -> int:
    """Give a clue about a save card that got none: of its kind no other copy is left."""
    return clue(view, critical(view))


@rule()
def tell_playable(view: View) -> int:
    """Give a clue about a playable card that got none."""
    return clue(view, view.playable)


@rule(chance=(0.5,), within={"chance": (0, 1)})
def play_clued(view: View, chance: float) -> int:
    """Play the likeliest of my cards that got a clue, if it is playable with {chance:.0%} and not
    known to be discardable.
    """
    best, slots = -1, view.touched[view.me] & ~i_know(view, view.useless)
    while slots:
        slot = lowest(slots)
        slots &= slots - 1
        if best < 0 or chance_of(view, PLAYABLE, slot) > chance_of(view, PLAYABLE, best):
            best = slot
    return (
        play(best)
        if best >= 0 and chance_of(view, PLAYABLE, best) >= max(chance, 1e-9)
        else NOTHING
    )


@rule()
def discard_known(view: View) -> int:
    """Discard my oldest card that I know can never be played any more."""
    return discard_at(view, held_longest(view, view.me, i_know(view, view.useless)))


@rule()
def discard_chop(view: View) -> int:
    """Discard my chop, the card longest in my hand without a clue, of the cards of the deal the
    one furthest right; without one, my oldest card.
    """
    chop = held_longest(view, view.me, view.filled[view.me] & ~view.touched[view.me])
    oldest = held_longest(view, view.me, view.filled[view.me])
    return discard_at(view, chop if chop >= 0 else oldest)
