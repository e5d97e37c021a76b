"""Rules by exact knowledge: plays and discards. No conventions and no guesses are used.

"I know" is K_me: true in every world that I consider possible, all my slots taken together. "X
knows" is K_me K_X: I know that X knows. Chances are exact shares of the ways to assign physical
cards to my slots. The questions are in hanabi/knowledge/questions.py, the rules that give hints in
epistemic_tell.py.
"""

from hanabi.authoring import (
    NOTHING,
    ONES,
    View,
    by_age,
    compiled,
    critical,
    discard,
    lowest,
    may_discard,
    play,
    play_at,
    popcount,
    rank_of,
    rank_set,
    rules_of,
    seat_after,
    slots_of,
)
from hanabi.knowledge.questions import (
    BY_CARD,
    BY_HINTS,
    CRITICAL,
    JOINTLY,
    PLAYABLE,
    USELESS,
    all_know,
    cards_at,
    chance_of,
    i_know,
    i_know_at,
    i_know_duplicates,
    my_types,
    others_hold,
    their_types,
    they_know,
)

rule = rules_of(prefix="epistemic.", sets="epistemic")
OLDEST, LOWEST, UNLOCKS, FIVES, NEEDED = range(5)  # which of several playable cards
LEVELS = (
    BY_HINTS,
    BY_CARD,
    JOINTLY,
)  # by what knowledge: what each further step of it is worth can be measured


@compiled
def _worth(view, slot, order):
    """Return the priority of playing a card of mine that I know to be playable."""
    types = my_types(view, slot)
    if order == LOWEST:
        return 1 - rank_of(lowest(types)) if popcount(types) == 1 else -2
    if order == UNLOCKS:  # cards in other hands that would follow, as a mean of my possible types
        return 60 * popcount(types << 1 & ~ONES & others_hold(view)) // popcount(types)
    if order == FIVES:
        return (
            1
            if view.colour_token != 0
            and view.tokens < view.max_tokens
            and types & ~rank_set(view.ranks) == 0
            else 0
        )
    return 1 if order == NEEDED and types & ~critical(view) == 0 else 0


@compiled
def _best_of(view, slots, order):
    """Return the slot with the highest priority, of equals the oldest; -1 of none."""
    best, most = -1, 0
    while slots:
        slot = by_age(view, view.me, slots, 0)
        worth = _worth(view, slot, order)
        if best < 0 or worth > most:
            best, most = slot, worth
        slots &= ~(1 << slot)
    return best


@rule(order=(OLDEST, LOWEST, UNLOCKS, FIVES, NEEDED), level=LEVELS)
def play_known(view: View, order: float, level: float) -> int:
    """Play a card that I know{level: by its hints alone| by its hints and the cards I see|} to be
    playable; if there are several, {order:the oldest|one of low rank|the one that most cards in
    other hands wait for|one that brings back a token|a critical one}.

    A card whose rank I do not know counts as a 3. What it is worth to play first is judged by all
    my cards taken together, whatever the level.
    """
    return play_at(_best_of(view, i_know_at(view, level, view.playable), order))


@compiled
def _likeliest(view):
    """Return my slot with the best exact chance to be playable.

    Of equal slots the one less likely to be critical, then the oldest.
    """
    best, slots = -1, view.filled[view.me]
    while slots:
        slot = by_age(view, view.me, slots, 0)
        if best < 0 or (chance_of(view, PLAYABLE, slot), -chance_of(view, CRITICAL, slot)) > (
            chance_of(view, PLAYABLE, best),
            -chance_of(view, CRITICAL, best),
        ):
            best = slot
        slots &= ~(1 << slot)
    return best


@rule(chance=(0.5, 0.6, 0.7, 0.8, 0.9), lives=(0, 1), within={"chance": (0, 1), "lives": (0, 2)})
def play_likely(view: View, chance: float, lives: float) -> int:
    """Play my likeliest card if its exact chance is at least {chance:.0%} and I have more than
    {lives:#life|lives}.

    (Rule 2.)
    """
    if view.lives <= lives:
        return NOTHING
    slot = _likeliest(view)
    return play(slot) if slot >= 0 and chance_of(view, PLAYABLE, slot) >= chance else NOTHING


@rule(chance=(0.1, 0.3), deck=(0, 1), within={"chance": (0, 1), "deck": (0, 50)})
def play_at_end(view: View, chance: float, deck: float) -> int:
    """With at most {deck:#card|cards} left in the deck and a life to spare, play my likeliest card
    if its exact chance is at least {chance:.0%}.

    (Rule 3: in the last round a wrong play costs nothing but a life.)
    """
    if view.deck > deck or view.lives < 2:
        return NOTHING
    slot = _likeliest(view)
    return (
        play(slot)
        if slot >= 0 and chance_of(view, PLAYABLE, slot) >= max(chance, 1e-9)
        else NOTHING
    )


@rule(order=(OLDEST, UNLOCKS))
def play_common(view: View, order: float) -> int:
    """Play a card of which everybody knows that everybody knows that it is playable; if there are
    several, {order:the oldest|one of low rank|the one that most cards in other hands wait for}.

    (Rule 12. All expect it, so their plans rest on it; put it before `play_known`.)
    """
    return play_at(
        _best_of(view, all_know(view, view.me, view.playable) & i_know(view, view.playable), order)
    )


@rule(tokens=(3, 5, 8), level=LEVELS, within={"tokens": (1, 8)})
def discard_useless(view: View, tokens: float, level: float) -> int:
    """With fewer than {tokens:#token|tokens}, discard my oldest card that I know{level: by its
    hints alone| by its hints and the cards I see|} can never be played any more.

    (Rule 9.)
    """
    slot = by_age(view, view.me, i_know_at(view, level, view.useless), 0)
    return discard(slot) if slot >= 0 and view.tokens < min(tokens, view.max_tokens) else NOTHING


@rule(tokens=(3, 8), level=LEVELS, within={"tokens": (1, 8)})
def discard_dispensable(view: View, tokens: float, level: float) -> int:
    """With fewer than {tokens:#token|tokens}, discard my oldest card that I know{level: by its
    hints alone| by its hints and the cards I see|} is not critical.

    (Rule 10: useless, or another copy is left.)
    """
    slot = by_age(view, view.me, i_know_at(view, level, ~critical(view)), 0)
    return discard(slot) if slot >= 0 and view.tokens < min(tokens, view.max_tokens) else NOTHING


@rule(tokens=(3, 8), within={"tokens": (1, 8)})
def discard_duplicate(view: View, tokens: float) -> int:
    """With fewer than {tokens:#token|tokens}, discard my oldest card that I know has a duplicate
    in another hand, whose holder does not take it for useless.

    (Rule 10, its variant: the holder knows its card to be playable, or at least does not know it
    to be useless.)
    """
    if view.tokens >= min(tokens, view.max_tokens):
        return NOTHING
    slots = i_know_duplicates(view)
    while slots:
        slot = by_age(view, view.me, slots, 0)
        slots &= ~(1 << slot)
        kept = 0
        for step in range(1, view.players):
            seat = seat_after(view, step)
            same = slots_of(view, seat, my_types(view, slot)) & ~they_know(view, seat, view.useless)
            kept |= cards_at(view, seat, same)
        if my_types(view, slot) & ~kept == 0:
            return discard(slot)
    return NOTHING


@compiled
def least_risky(view: View, useless: int, age: int) -> int:
    """Return my slot with the least risk to discard, of equals the oldest.

    The risk is the chance to be critical, less ``useless`` times the chance to be useless, less
    ``age`` for every younger card of mine.
    """
    best, least, slots = -1, 0.0, view.filled[view.me]
    while slots:
        slot = by_age(view, view.me, slots, 0)
        slots &= ~(1 << slot)
        risk = (
            chance_of(view, CRITICAL, slot)
            - useless * chance_of(view, USELESS, slot)
            - age * popcount(slots)
        )
        if best < 0 or risk < least - 1e-12:
            best, least = slot, risk
    return best


@rule(
    useless=(0.1, 0.5, 2),
    age=(0, 0.02),
    risk=(0.1, 1),
    within={"useless": (0, 10), "age": (0, 1), "risk": (0, 1)},
)
def discard_least_risky(view: View, useless: float, age: float, risk: float) -> int:
    """Discard the card least likely to be critical: {useless} times its chance to be useless and
    {age} for each newer card count for it; while there is a token, only if its chance to be
    critical is at most {risk:.0%}.

    (Rule 11; the chances are exact.)
    """
    if not may_discard(view):
        return NOTHING
    slot = least_risky(view, useless, age)
    return (
        discard(slot)
        if slot >= 0 and (view.tokens == 0 or chance_of(view, CRITICAL, slot) <= risk)
        else NOTHING
    )


@compiled
def has_safe_move(view: View, seat: int) -> bool:
    """Return whether I know that a seat knows a card to be playable, or not critical."""
    return they_know(view, seat, view.playable) != 0 or they_know(view, seat, ~critical(view)) != 0


@compiled
def _waits_for_me(view, seat):
    """Does a seat know a card to be playable after which one of mine surely is, if not before?"""
    slots = they_know(view, seat, view.playable)
    next_types = 0
    while slots:
        next_types |= their_types(view, seat, lowest(slots)) << 1 & ~ONES
        slots &= slots - 1
    return next_types != 0 and i_know(view, next_types | view.playable) != 0


@rule(tokens=(4, 8), whom=(0, 1, 2), within={"tokens": (1, 8)})
def discard_and_wait(view: View, tokens: float, whom: float) -> int:
    """With fewer than {tokens:#token|tokens}, discard my least risky card rather than give a hint,
    if {whom:the next player knows something safe to do|all others know something safe to
    do|somebody knows to play what a card of mine waits for}.

    (Rule 13. Safe: a card known to be playable, or known not to be critical. Mine waits: it is
    playable now, or right after a card that this player knows to be playable. My card goes only if
    its chance to be critical is at most 5 %.)
    """
    if view.tokens >= min(tokens, view.max_tokens):
        return NOTHING
    count = 0
    for step in range(1, view.players):
        seat = seat_after(view, step)
        count += 1 if (_waits_for_me(view, seat) if whom == 2 else has_safe_move(view, seat)) else 0
        if whom == 0:
            break
    if count < (view.players - 1 if whom == 1 else 1):
        return NOTHING
    slot = least_risky(view, 1.0, 0.0)
    return discard(slot) if slot >= 0 and chance_of(view, CRITICAL, slot) <= 0.05 else NOTHING
