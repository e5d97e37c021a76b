"""Rules that play by conventions: they use the marks and evaluate hints by their meaning.

They work with any list of conventions, also an empty one. Values that several of them share (what
makes a hint good, how far assumptions are trusted) are the agent's weights: see weights.py.
"""

from hanabi.authoring import (
    DISCARD,
    NOTHING,
    ONES,
    SLOTS,
    View,
    card_bit,
    compiled,
    copies_in,
    discard,
    discard_at,
    ensure,
    event_move,
    is_discard,
    is_tell,
    may_discard,
    oldest,
    partner_types,
    play,
    play_at,
    popcount,
    rank_of,
    rules_of,
    seat_after,
    spare_turns,
    tell_rank,
)
from hanabi.conventions.finesses import (
    ANSWER,
    DIRECT,
    FINESSE,
    FOCUS,
    GIVER,
    TARGET,
    connecting_seat,
)
from hanabi.conventions.hint_evaluation import (
    HONEST,
    NOT_ALL_TRUE,
    best_hint,
    best_of,
    in_danger,
    judged_move,
)
from hanabi.conventions.marks import expected_discard
from hanabi.conventions.memory import memory_of
from hanabi.conventions.own_hand import (
    agreed_slot,
    known_play,
    likeliest_play,
    own_cards,
    own_critical_chance,
    own_playable_chance,
    own_types,
    own_useless_chance,
    partner_plays,
)
from hanabi.conventions.slot_sets import agreed_chop

# to evolution's set the settings of large grids that tuned lists came to use, and their neighbours
rule = rules_of(sets="conventional")


@compiled
def older(view: View, slot: int, other: int) -> bool:
    """Return whether my card in a slot is older than that in another."""
    return view.born[view.me, slot] < view.born[view.me, other]


@compiled
def mean_rank(cards: int) -> float:
    """Return the mean rank of a set of types, less one."""
    ranks = 0
    for rank in range(1, 5):
        ranks += rank * popcount(cards & ONES << rank)
    return ranks / popcount(cards)


@rule(chance=(0, 0.1, 0.2, 0.3), lives=(0, 1, 2), sets={"conventional": [(0, 0), (0, 1), (0.2, 1)]})
def last_play(view: View, chance: float, lives: float) -> int:
    """With an empty deck, play a card known to be playable, else my likeliest one, if its chance
    is more than {chance:.0%} and I have more than {lives:#life|lives}.
    """
    if view.deck > 0:
        return NOTHING
    slot = known_play(view)
    if slot >= 0:
        return play(slot)
    slot = likeliest_play(view)
    return (
        play(slot)
        if slot >= 0 and own_playable_chance(view, slot) > chance and view.lives > lives
        else NOTHING
    )


@rule()
def answer_finesse(view: View) -> int:
    """If a finesse passes over me and its card does not fit yet, play my newest card that is
    perhaps playable.
    """
    memory = memory_of(view, FINESSE)
    giver, target, slot = memory[GIVER], memory[TARGET], memory[ANSWER + view.me]
    if giver < 0 or giver == view.me or target == view.me or slot < 0:
        return NOTHING
    focus = card_bit(view, target, memory[FOCUS])
    if focus & (view.playable | memory[DIRECT]) or own_types(view, slot) & view.playable == 0:
        return NOTHING
    if connecting_seat(view, memory) >= 0:
        return NOTHING  # a seat between me and the target holds the card that is needed first
    return play(slot)


@rule(lax=(0, 1), within={"lax": (0, 2)})
def save(view: View, lax: float) -> int:
    """If the next player is about to discard a critical card, give {lax:them a play or|them a play
    or|anybody a play or them} a warning{lax:|, or else a hint that is not all true but leads to no
    false play|, or else a hint that is not all true but leads to no false play}.
    """
    if view.tokens == 0 or not in_danger(view):
        return NOTHING
    following = seat_after(view, 1)
    place = best_hint(view, following if lax < 2 else -1, 1, HONEST)
    if place < 0:
        place = best_hint(view, following, 0, HONEST)
    if place < 0 and lax != 0:
        place = best_hint(view, following, 0, NOT_ALL_TRUE)
        if place >= 0 and view.hints[place].dangerous != 0:
            return NOTHING
    return judged_move(view, place)


@rule()
def save_playable(view: View) -> int:
    """If the next player is about to discard a playable card, give them a play or else the best
    honest hint.
    """
    following = seat_after(view, 1)
    slot = expected_discard(view, following)
    if (
        view.tokens == 0
        or slot < 0
        or card_bit(view, following, slot) & view.playable == 0
        or partner_plays(view, following) != 0
    ):
        return NOTHING
    place = best_hint(view, following, 1, HONEST)
    return judged_move(view, place if place >= 0 else best_hint(view, following, 0, HONEST))


@compiled
def mistaken(view: View, seat: int, belief: int) -> int:
    """Return bits of a partner's slots about which its belief is wrong.

    Belief 0: slots that it would play and whose cards are not playable. 1: slots whose cards are
    not of the assumed types.
    """
    slots, wrong = partner_plays(view, seat) if belief == 0 else view.filled[seat], 0
    for slot in range(SLOTS):
        fits = view.playable if belief == 0 else view.marks[view.list].assumed[seat, slot]
        wrong |= slots & 1 << slot if card_bit(view, seat, slot) & fits == 0 else 0
    return wrong


@compiled
def sets_right(view: View, place: int, wrong: int, belief: int) -> bool:
    """Return whether a hint corrects one of its target's mistaken slots.

    It does if the slot is then assumed to hold its card or, for belief 0, any card that is not
    playable.

    Args:
        view: The view.
        place: The place of the hint in view.hints.
        wrong: Bits of the mistaken slots.
        belief: As in ``mistaken``.
    """
    seat, assumed = view.hints[place].seat, view.readings[1 + place].assumed
    types, right = partner_types(view, seat), 0
    for slot in range(SLOTS):
        if wrong >> slot & 1:
            right |= assumed[slot] & (
                types & ~view.playable if belief == 0 else card_bit(view, seat, slot)
            )
    return right != 0


@rule(tokens=(1, 2, 3, 4), far=(0, 1), belief=(0, 1), sets="")
def correct(view: View, tokens: float, far: float, belief: float) -> int:
    """With at least {tokens:#token|tokens}, if {far:the next player|a player (the nearest such)}
    {belief:would play a card that does not fit|takes a card for what it is not}, give them the
    best honest hint that sets it right.
    """
    if view.tokens < tokens:
        return NOTHING
    for steps in range(1, view.players if far != 0 else 2):
        seat = seat_after(view, steps)
        wrong = mistaken(view, seat, belief)
        if wrong != 0 and best_hint(view, seat, 0, HONEST) >= 0:  # and all of them are weighed
            right = 0
            for place in range(view.hint_count):
                if view.hints[place].seat == seat and sets_right(view, place, wrong, belief):
                    right |= 1 << place
            best = best_of(view, right, HONEST)
            if best >= 0:
                return judged_move(view, best)
    return NOTHING


@rule()
def play_marked(view: View) -> int:
    """Play a card that I know to be playable by the marks: the one that is worth most by my
    weights.
    """
    return play_at(known_play(view))


@rule(tokens=(1, 2, 3), new=(1, 2), sets={"conventional": [(1, 1), (2, 1), (3, 1), (1, 2)]})
def tell_new(view: View, tokens: float, new: float) -> int:
    """With at least {tokens:#token|tokens}, give the best honest hint that adds at least
    {new:#play|plays}.
    """
    return judged_move(view, best_hint(view, -1, new, HONEST)) if view.tokens >= tokens else NOTHING


@rule(slack=(0, 1, 2, 3, 5))
def keep_pace(view: View, slack: float) -> int:
    """If discarding leaves too few turns for a perfect score (at most {slack:#turn|turns} to
    spare), give the best honest hint.
    """
    spare = spare_turns(view, popcount(view.full[0]))
    return (
        judged_move(view, best_hint(view, -1, 0, HONEST))
        if view.tokens >= 1 and spare <= slack
        else NOTHING
    )


@rule(tokens=(1, 2, 3, 4, 5, 6, 7, 8), sets={"conventional": [(1,), (2,), (4,), (6,), (8,)]})
def tell_anything(view: View, tokens: float) -> int:
    """With at least {tokens:#token|tokens}, give the best honest hint."""
    return judged_move(view, best_hint(view, -1, 0, HONEST)) if view.tokens >= tokens else NOTHING


@rule()
def tell_stall(view: View) -> int:
    """With all tokens there, tell the player before me the rank of their oldest card (as agreed,
    it says no more).
    """
    seat = seat_after(view, view.players - 1)
    slot = oldest(view, seat)
    if view.tokens < view.max_tokens or slot < 0:
        return NOTHING
    return tell_rank(seat, rank_of(view.hands[seat, slot]))


@rule()
def discard_known_useless(view: View) -> int:
    """Discard a card that I know to be useless by the marks: the one that others know least about
    (ties: the oldest).

    By a code in which discards tell numbers, it is the one with the right number.
    """
    best, most = agreed_slot(view, DISCARD, -1) if may_discard(view) else -1, 0
    if best >= 0:
        return discard(best)
    ensure(view, own_cards)
    for slot in range(SLOTS):
        types = view.own_assumed[slot]
        if types != 0 and types & ~view.useless == 0:
            at_least_1, at_least_2, at_least_3 = view.pool
            copies = copies_in(
                view.marks[view.list].assumed[view.me, slot], at_least_1, at_least_2, at_least_3
            )
            if best < 0 or copies > most or copies == most and older(view, slot, best):
                best, most = slot, copies
    return discard_at(view, best)


@rule()
def discard_known_duplicate(view: View) -> int:
    """Discard a card that I know to be useless or a duplicate of a touched or known card in
    another hand.
    """
    if not may_discard(view):
        return NOTHING
    kept = view.useless
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            types = view.marks[view.list].assumed[seat, slot]
            if view.touched[seat] >> slot & 1 or types & types - 1 == 0:
                kept |= card_bit(view, seat, slot)
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if types != 0 and types & ~kept == 0:
            return discard(slot)
    return NOTHING


@compiled
def safest_discard(view: View, useless: int, touched: int, age: int) -> int:
    """Discard my card with the least risk, of equals the oldest; NOTHING from an empty hand.

    The risk is the chance to be critical, less ``useless`` times the chance to be useless, plus
    ``touched`` if a hint touched the card, plus ``age`` for each newer card of mine.
    """
    best, best_worth = -1, 0.0
    for slot in range(SLOTS):
        if own_types(view, slot) != 0:
            worth = useless * own_useless_chance(view, slot) - own_critical_chance(view, slot)
            if view.touched[view.me] >> slot & 1:
                worth -= touched
            for other in range(SLOTS):
                if older(view, slot, other):
                    worth -= age
            if best < 0 or worth > best_worth or worth == best_worth and older(view, slot, best):
                best, best_worth = slot, worth
    return discard(best) if best >= 0 else NOTHING


@rule(
    tokens=(0, 1, 2, 3),
    useless=(0, 0.05, 0.1, 0.2),
    touched=(0, 0.05, 0.1, 0.2),
    age=(0, 0.01, 0.02),
    within={"tokens": (0, 7), "useless": (0, 1), "touched": (0, 1), "age": (-1, 1)},
    sets={"conventional": [(0, 0.1, 0.05, 0), (1, 0.1, 0.05, 0), (3, 0.1, 0.05, 0)]},
)
def discard_safest(view: View, tokens: float, useless: float, touched: float, age: float) -> int:
    """With at most {tokens:#token|tokens}, discard the card least likely to be critical: {useless}
    times its chance to be useless counts for it, {touched} against it if a hint touched it, and
    {age} against it for each newer card.
    """
    return (
        safest_discard(view, useless, touched, age)
        if may_discard(view) and view.tokens <= tokens
        else NOTHING
    )


@rule(
    useless=(0, 0.05, 0.1, 0.2),
    touched=(0, 0.05, 0.1, 0.2),
    age=(0, 0.01, 0.02),
    within={"useless": (0, 1), "touched": (0, 1), "age": (-1, 1)},
    sets={"conventional": [(0.1, 0.05, 0)]},
)
def discard_safest_unwarned(view: View, useless: float, touched: float, age: float) -> int:
    """If the player before me had no token to warn me with, discard the card least likely to be
    critical: {useless} times its chance to be useless counts for it, {touched} against it if a
    hint touched it, and {age} against it for each newer card.

    (A token that the player before me won back by completing a firework counts as one they had.)
    """
    if not may_discard(view) or view.turn == 0:
        return NOTHING
    before = event_move(view.history[view.turn - 1])
    spent = 1 if is_tell(before) else -1 if is_discard(before) else 0
    return safest_discard(view, useless, touched, age) if view.tokens + spent < 1 else NOTHING


@rule()
def discard_expected(view: View) -> int:
    """Discard my chop, the card that everybody expects me to discard."""
    return discard_at(view, agreed_chop(view, view.me))


@rule(
    three=(-1, 0, 1, 2, 3),
    two=(-1, 0, 1, 2),
    one=(-1, 0, 1),
    chance=(0, 0.1, 0.2, 0.3),
    sets={"conventional": [(0, 0, -1, 0), (1, 0, -1, 0), (2, 1, -1, 0.2), (3, 0, -1, 0)]},
)
def gamble_late(view: View, three: float, two: float, one: float, chance: float) -> int:
    """Play my likeliest card if its chance is more than {chance:.0%} and few cards are left in the
    deck: at most {three} with three lives or more, {two} with two, {one} with one (-1: never).
    """
    deck = three if view.lives >= 3 else two if view.lives == 2 else one
    if view.deck > deck:
        return NOTHING
    slot = likeliest_play(view)
    return play(slot) if slot >= 0 and own_playable_chance(view, slot) > chance else NOTHING


@rule()
def discard_highest_expected(view: View) -> int:
    """Discard the card with the highest expected rank."""
    best, best_rank = -1, 0.0
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if types != 0 and (best < 0 or mean_rank(types) > best_rank):
            best, best_rank = slot, mean_rank(types)
    return discard_at(view, best)
