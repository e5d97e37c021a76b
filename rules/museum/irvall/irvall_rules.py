"""The agent of Irvall's thesis (2023), as its program plays, and as its text says.

The thesis: "Making self-playable agents for the Hanabi card game using Dynamic Epistemic Logic".
`irvall` is the program's agent; `irvall-literal` is its action list read word by word. The first
action that applies decides, on the same knowledge: what holds in every world that fits the hints,
p's own only. The thesis builds those worlds; hanabi/knowledge/questions.py answers without them.
Its laws are the variant `irvall`: four lives, no token for a completed firework. What the text
leaves open:

* *a random hint*: its program draws among useful ones, `tell_useful`, and without one the step does
  not apply; then with all tokens there, where no discard is legal, the card in slot 0 is played.
  The literal list draws a random other player, then one of all hints that touch its cards (a player
  without cards is passed over): half of the points;
* its slots are taken as ours: a card keeps its slot, so "slot 0" is where a new card goes after
  slot 0 was discarded;
* of known duplicates the lowest slot goes, as in its other steps.

Where it differs from the program: what a hint tells about cards that it does not touch is known
here too; a duplicate is a copy in another hand, in the program in the own hand too (no
difference); a dispensable card could still be played, in the program it needs only another copy
(0.13 points less). `hanabi experiment irvall` has the scores beside the thesis's.
"""

from hanabi.authoring import (
    NOTHING,
    SLOTS,
    View,
    colour_of,
    compiled,
    critical,
    discard_first,
    lowest,
    nth_of,
    play,
    popcount,
    random_below,
    rank_of,
    rules_of,
    seat_after,
    tell_colour,
    tell_rank,
)
from hanabi.knowledge.questions import hint_move, hints_to, i_know, i_know_duplicates

rule = rules_of(prefix="irvall.")


@rule()
def play_known(view: View) -> int:
    """Play the card in my lowest slot that I know to be playable."""
    slots = i_know(view, view.playable)
    return play(lowest(slots)) if slots else NOTHING


@rule(pile=(5, 50), within={"pile": (1, 90)})
def discard_dead(view: View, pile: int) -> int:
    """While fewer than {pile:#card|cards} lie discarded, discard the card in my lowest slot that I
    know was played already.
    """
    lying = 0
    for plane in range(3):
        lying += popcount(view.full[plane]) - popcount(view.alive[plane])
    return discard_first(view, i_know(view, view.dead)) if lying < pile else NOTHING


@rule()
def tell_random(view: View) -> int:
    """Give a random hint to a random player."""
    if view.tokens == 0:
        return NOTHING
    first = random_below(view, 11, view.players - 1)
    for step in range(view.players - 1):
        seat = seat_after(view, 1 + (first + step) % (view.players - 1))
        if view.filled[seat]:
            hints = hints_to(view, seat)
            return hint_move(seat, nth_of(hints, random_below(view, 12, popcount(hints))))
    return NOTHING


@compiled
def useful_hint(view: View, seat: int, slot: int) -> int:
    """Return the useful hint about a card, NOTHING if there is none.

    Its rank, if it fits now or has the highest rank; once that follows from hints, its colour, if
    it fits.
    """
    card = view.hands[seat, slot]
    if card < 0:
        return NOTHING
    fits, rank = view.playable >> card & 1 == 1, rank_of(card)
    if view.knows_rank[seat] >> slot & 1 == 0:
        return tell_rank(seat, rank) if fits or rank == view.ranks else NOTHING
    return (
        tell_colour(seat, colour_of(card))
        if fits and view.knows_colour[seat] >> slot & 1 == 0
        else NOTHING
    )


@rule()
def tell_useful(view: View) -> int:
    """Give a random useful hint: for each card of the others that fits now or is a 5, its rank;
    for one that fits and whose rank follows from hints, its colour.
    """
    if view.tokens == 0:
        return NOTHING
    useful = 0
    for place in range(view.players * SLOTS):
        useful += 1 if useful_hint(view, place // SLOTS, place % SLOTS) != NOTHING else 0
    left = random_below(view, 13, useful) if useful != 0 else 0
    for place in range(view.players * SLOTS):
        hint = useful_hint(view, place // SLOTS, place % SLOTS)
        if hint != NOTHING:
            if left == 0:
                return hint
            left -= 1
    return NOTHING


@rule()
def discard_duplicate(view: View) -> int:
    """Discard the card in my lowest slot that I know to be the same as one in another hand."""
    return discard_first(view, i_know_duplicates(view))


@rule()
def discard_dispensable(view: View) -> int:
    """Discard the card in my lowest slot that I know could still be played, with another copy
    left.
    """
    return discard_first(view, i_know(view, ~view.useless & ~critical(view)))


@rule()
def discard_slot_0(view: View) -> int:
    """Discard the card in slot 0."""
    return discard_first(view, view.filled[view.me] & 1)


@rule()
def play_slot_0(view: View) -> int:
    """Play the card in slot 0."""
    return play(0) if view.filled[view.me] & 1 else NOTHING
