"""Rules by exact knowledge: hints, ranked by the receiver's knowledge as I see it.

Words as in rules/epistemic.py. A hint may be given if it touches a card and a token is there.
*News* are the playable types that a hint makes known. Each type counts once, and not at all if a
holder of it knows it already.
"""

import numpy as np

from hanabi.authoring import (
    NOTHING,
    SLOTS,
    View,
    by_age,
    chop,
    compiled,
    critical,
    lowest,
    oldest,
    popcount,
    rules_of,
    seat_after,
    slots_of,
    told_until,
)
from hanabi.knowledge.questions import (
    HINTS,
    NOW,
    cards_at,
    hint_move,
    hints_to,
    i_know,
    my_types,
    shared_chance_exceeds,
    their_types,
    their_types_after_hint,
    they_know,
    they_know_after_hint,
)

rule = rules_of(prefix="epistemic.", sets="epistemic")
MILLIBITS = np.array(
    [0] + [round(1000 * np.log2(n)) for n in range(1, 31)], np.int64
)  # of a choice among n types


@compiled
def spoken_for(view: View) -> int:
    """Return the playable types that, as I know, a holder knows it has.

    A hint about another copy of them is no use.
    """
    types = 0
    for step in range(1, view.players):
        seat = seat_after(view, step)
        types |= cards_at(view, seat, they_know(view, seat, view.playable))
    slots = i_know(view, view.playable)
    while slots:
        mine = my_types(view, lowest(slots))
        types |= mine if mine & (mine - 1) == 0 else 0
        slots &= slots - 1
    return types


@compiled
def news(view: View, seat: int, hint: int, spoken: int) -> int:
    """Return how many playable types outside ``spoken`` a hint makes known."""
    return popcount(
        cards_at(view, seat, they_know_after_hint(view, seat, hint, view.playable)) & ~spoken
    )


@compiled
def learned(view: View, seat: int, hint: int) -> int:
    """Return how much a hint narrows its receiver's possible types, in thousandths of a bit."""
    total = 0
    for slot in range(SLOTS):
        now, then = their_types(view, seat, slot), their_types_after_hint(view, seat, hint, slot)
        total += MILLIBITS[popcount(now)] - MILLIBITS[popcount(then)]
    return total


@compiled
def idle(view: View, seat: int) -> bool:
    """Return whether a seat, as far as I know, knows no card to play."""
    return they_know(view, seat, view.playable) == 0


@compiled
def most_news(view: View, seat: int, spoken: int, gain: int) -> int:
    """Return the hint to a seat with the most news, at least ``gain``; -1 if there is none.

    Of equal hints the one that narrows most.
    """
    # a shortcut: what is known is true
    if popcount(view.held[seat] & view.playable & ~spoken) < gain:
        return -1
    best, most, hints = -1, gain * 100_000 - 1, hints_to(view, seat)
    for hint in range(HINTS):
        if hints >> hint & 1:
            value = 100_000 * news(view, seat, hint, spoken)
            value += learned(view, seat, hint) if value + 99_999 > most else 0
            if value > most:
                best, most = hint, value
    return best


@rule(gain=(1, 2, 3))
def tell_to_know(view: View, gain: float) -> int:
    """Give the hint by which the most further cards become known to be playable to those who hold
    them, at least {gain}.

    (Rule 4. Each type counts once, and not if a holder knows it already; of equal hints the next
    player's, then the one that narrows most.)
    """
    if view.tokens == 0:
        return NOTHING
    move, most, spoken = NOTHING, gain - 1, spoken_for(view)
    for step in range(1, view.players):
        seat = seat_after(view, step)
        hint = most_news(view, seat, spoken, most + 1)
        if hint >= 0:
            move, most = hint_move(seat, hint), news(view, seat, hint, spoken)
    return move


@rule(whom=(0, 1), gain=(1, 2))
def tell_who_waits(view: View, whom: float, gain: float) -> int:
    """{whom:If the next player knows no card to play, give them|Give the first player who knows no
    card to play} the hint by which they get to know the most playable cards, at least {gain}.

    (Rule 5: it would be idle otherwise. The first of them is the first after me for whom there is
    such a hint.)
    """
    for step in range(1, told_until(view)):
        seat = seat_after(view, step)
        if idle(view, seat):
            hint = most_news(view, seat, spoken_for(view), gain)
            if hint >= 0:
                return hint_move(seat, hint)
        if whom == 0:
            break
    return NOTHING


@rule(chance=(0.4, 0.6, 0.8), loss=(0.5, 3), within={"chance": (0, 1), "loss": (0, 100)})
def tell_hopeful(view: View, chance: float, loss: float) -> int:
    """Give the hint by which the most playable cards look playable to those who hold them, with a
    chance of {chance:.0%} or more; each other card that looks so counts {loss} against it.

    (Rule 6. The chance is exact by what the receiver and I both see; its own view of my hand may
    change it. Only what did not look so before counts.)
    """
    move, most = NOTHING, 0.0
    for step in range(1, told_until(view)):
        seat = seat_after(view, step)
        before = _right_less_wrong(view, seat, shared_chance_exceeds(view, seat, NOW, chance), loss)
        could_be = _right_less_wrong(view, seat, slots_of(view, seat, view.playable), loss) - before
        # a shortcut: most seats hold few playable cards
        hints = hints_to(view, seat) if could_be > most + 1e-9 else 0
        for hint in range(HINTS):
            if hints >> hint & 1:
                likely = shared_chance_exceeds(view, seat, hint, chance)
                value = _right_less_wrong(view, seat, likely, loss) - before
                if value > most + 1e-9:
                    move, most = hint_move(seat, hint), value
    return move


@compiled
def _right_less_wrong(view, seat, slots, loss):
    """Return how many of a seat's slots are playable, less ``loss`` for each that is not."""
    right = popcount(slots & slots_of(view, seat, view.playable))
    return right - loss * (popcount(slots) - right)


@rule(about=(0, 1, 2))
def tell_unknown(view: View, about: float) -> int:
    """Tell a player something that they do not know about {about:a playable card|a critical
    card|any card} of theirs, the next player first.

    (Rule 7: never a hint that tells nothing new. Of several the one that narrows that card most;
    the oldest card first.)
    """
    if view.tokens == 0:
        return NOTHING
    wanted = view.playable if about == 0 else critical(view) if about == 1 else view.full[0]
    for step in range(1, view.players):
        seat = seat_after(view, step)
        slots = (
            view.filled[seat] & ~they_know(view, seat, wanted) if about < 2 else view.filled[seat]
        )
        while slots:
            slot = by_age(view, seat, slots, 0)
            slots &= ~(1 << slot)
            if wanted >> view.hands[seat, slot] & 1:
                best, fewest, hints = (
                    -1,
                    popcount(their_types(view, seat, slot)),
                    hints_to(view, seat),
                )
                for hint in range(HINTS):
                    if hints >> hint & 1:
                        left = popcount(their_types_after_hint(view, seat, hint, slot))
                        if left < fewest:
                            best, fewest = hint, left
                if best >= 0:
                    return hint_move(seat, best)
    return NOTHING


@compiled
def will_discard(view: View, seat: int, untouched: int) -> int:
    """Return the slot that a seat with nothing safe to do would discard.

    It is its oldest slot or, with ``untouched``, its oldest untouched one; -1 if, as I know, it
    knows a card that is playable or not critical.
    """
    if they_know(view, seat, view.playable) | they_know(view, seat, ~critical(view)):
        return -1
    return chop(view, seat) if untouched and chop(view, seat) >= 0 else oldest(view, seat)


@rule(untouched=(0, 1), everybody=(0, 1))
def tell_to_save(view: View, untouched: float, everybody: float) -> int:
    """If {everybody:the next player|another player} knows nothing safe to do and {untouched:their
    oldest card|their chop, their oldest card that no hint has touched,} is critical, tell them
    something safe to do, or else that this card is critical.

    (Rule 8: the next discard of that player, simulated on what I know that it knows. Safe to do:
    play a card known to be playable, or discard one known not to be critical.)
    """
    if view.tokens == 0:
        return NOTHING
    for step in range(1, view.players if everybody else 2):
        seat = seat_after(view, step)
        slot = will_discard(view, seat, untouched)
        if slot >= 0 and critical(view) >> view.hands[seat, slot] & 1:
            best, most, hints = -1, 0, hints_to(view, seat)
            for hint in range(HINTS):
                if hints >> hint & 1:
                    value = (
                        4 * (they_know_after_hint(view, seat, hint, view.playable) != 0)
                        + 2 * (they_know_after_hint(view, seat, hint, ~critical(view)) != 0)
                        + (they_know_after_hint(view, seat, hint, critical(view)) >> slot & 1)
                    )
                    if value > most:
                        best, most = hint, value
            if best >= 0:
                return hint_move(seat, best)
    return NOTHING


@rule(bit=(0.1, 0.3, 1), tokens=(1, 3), within={"bit": (0, 100), "tokens": (1, 8)})
def tell_most(view: View, bit: float, tokens: float) -> int:
    """With at least {tokens:#token|tokens}, give the hint that tells the most: 1 point for each
    playable type that it makes known, {bit} for each bit by which it narrows its receiver's cards.

    (Rule 14. A bit halves what a card may be. Never a hint that tells nothing new.)
    """
    return most_told(view, bit, 2.0) if view.tokens >= tokens else NOTHING


@compiled
def most_told(view: View, bit: int, chance: int) -> int:
    """Return the hint that tells most, as ``tell_most`` values it, without a false hope.

    A false hope is one of at least this chance, see ``false_hope``.
    """
    if view.tokens == 0:
        return NOTHING
    move, most, spoken = NOTHING, 0.0, spoken_for(view)
    for step in range(1, view.players):
        seat = seat_after(view, step)
        hints = hints_to(view, seat)
        for hint in range(HINTS):
            if hints >> hint & 1:
                value = 1000 * news(view, seat, hint, spoken) + bit * learned(view, seat, hint)
                if value > most and (chance > 1 or not false_hope(view, seat, hint, chance)):
                    move, most = hint_move(seat, hint), value
    return move


@compiled
def false_hope(view: View, seat: int, hint: int, chance: int) -> bool:
    """Would, after a hint, an unplayable card look playable to its holder with such a chance?"""
    return (
        cards_at(view, seat, shared_chance_exceeds(view, seat, hint, chance)) & ~view.playable != 0
    )


@rule(gain=(1, 2), tokens=(2, 8), within={"tokens": (1, 8)})
def tell_useless(view: View, gain: float, tokens: float) -> int:
    """With at most {tokens:#token|tokens}, tell a player who knows no useless card of theirs which
    are useless: as many as can be, at least {gain}.

    (Rule 15: so that tokens come back at no risk.)
    """
    if view.tokens == 0 or view.tokens > tokens:
        return NOTHING
    move, most = NOTHING, gain - 1
    for step in range(1, view.players):
        seat = seat_after(view, step)
        if they_know(view, seat, view.useless) == 0:
            hints = hints_to(view, seat)
            for hint in range(HINTS):
                if hints >> hint & 1:
                    told = popcount(they_know_after_hint(view, seat, hint, view.useless))
                    if told > most:
                        move, most = hint_move(seat, hint), told
    return move


@rule(chance=(0.5, 0.8), bit=(0.1, 0.3), within={"chance": (0, 1), "bit": (0, 100)})
def tell_no_false_hope(view: View, chance: float, bit: float) -> int:
    """Give the hint that tells the most (1 point for each playable type made known, {bit} for each
    bit), but none after which a card that is not playable looks playable to its holder, with a
    chance of {chance:.0%} or more.

    (Rule 16. The chance is exact by what the receiver and I both see.)
    """
    return most_told(view, bit, chance)


assert HINTS == 11  # MILLIBITS and the loops rest on it
