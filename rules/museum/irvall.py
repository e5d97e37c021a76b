"""The agent of Irvall's thesis, "Making self-playable agents for the Hanabi card game using Dynamic Epistemic Logic"
(2023).

Its action list, first that applies, on the same knowledge: what holds in every world that fits the hints, p's own only.
The thesis builds those worlds; hanabi/knowledge/questions.py answers without them. Where the text leaves a step open:

* its slots are taken as ours: a card keeps its slot, so "slot 0" is where a new card goes after slot 0 was discarded;
* a random hint is a random other player, then one of the hints that touch its cards, each as likely; a player without
  cards is passed over;
* of known duplicates the lowest slot goes, as in its other steps;
* with all tokens no discard is legal, but then step 3 gives a hint, so nothing is left open.

So it makes 6.8, 7.8, 7.6 and 7.4 points with 2 to 5 players (kept, 5,000 games, s.e. 0.03) where the thesis reports a
mean of 14.2 over 20 games. Its text does not say how; our guess is that its hints were not drawn from all legal ones.
Drawn only from those after which one card more is known to be playable, where there is such a hint, they make 12.5
points with four players and 13.9 with five (2,000 games). With slots that move up, so that slot 0 holds the oldest
card, it is 6.7.
"""
from functools import partial

import hanabi.rule
from hanabi.knowledge.questions import hint_move, hints_to, i_know, i_know_duplicates
from hanabi.machine import compiled, lowest, popcount
from hanabi.moves import NOTHING, discard, play
from hanabi.view import critical, may_discard, random_below, seat_after

rule = partial(hanabi.rule.rule, prefix="irvall.")


@compiled
def discard_first_of(view, slots):
    """Discard from the lowest of some slots, if it may be done."""
    return discard(lowest(slots)) if slots != 0 and may_discard(view) else NOTHING


@rule()
def play_known(view):
    """Play the card in my lowest slot that I know to be playable."""
    slots = i_know(view, view.playable)
    return play(lowest(slots)) if slots else NOTHING


@rule(pile=(5, 50), within={"pile": (1, 90)})
def discard_dead(view, pile):
    """While fewer than {pile:#card|cards} lie discarded, discard the card in my lowest slot that I know was played
    already."""
    lying = 0
    for plane in range(3):
        lying += popcount(view.full[plane]) - popcount(view.alive[plane])
    return discard_first_of(view, i_know(view, view.dead)) if lying < pile else NOTHING


@rule()
def tell_random(view):
    """Give a random hint to a random player."""
    if view.tokens == 0:
        return NOTHING
    first = random_below(view, 11, view.players - 1)
    for step in range(view.players - 1):
        seat = seat_after(view, 1 + (first + step) % (view.players - 1))
        if view.filled[seat]:
            hints = hints_to(view, seat)
            for _ in range(random_below(view, 12, popcount(hints))):
                hints &= hints - 1
            return hint_move(seat, lowest(hints))
    return NOTHING


@rule()
def discard_duplicate(view):
    """Discard the card in my lowest slot that I know to be the same as one in another hand."""
    return discard_first_of(view, i_know_duplicates(view))


@rule()
def discard_dispensable(view):
    """Discard the card in my lowest slot that I know could still be played, with another copy left."""
    return discard_first_of(view, i_know(view, ~view.useless & ~critical(view)))


@rule()
def discard_slot_0(view):
    """Discard the card in slot 0."""
    return discard_first_of(view, view.filled[view.me] & 1)
