"""Rules for players who tell numbers by a code (rules/code_rules.py); they need marks only."""

from hanabi.authoring import (
    NOTHING,
    ONES,
    SLOTS,
    View,
    compiled,
    copies_in,
    critical,
    discard_at,
    my_pool,
    play,
    play_at,
    rules_of,
    seat_after,
)
from hanabi.conventions.hint_evaluation import HONEST, best_hint, judged_move
from hanabi.conventions.own_hand import own_playable_chance, own_types

rule = rules_of(sets="code")


@compiled
def rank_sum(types: int, one: int, two: int, three: int) -> int:
    """Return the sum of the ranks, each less one, of the copies of some types; see copies_in."""
    ranks = 0
    for rank in range(1, 5):
        ranks += rank * copies_in(types & ONES << rank, one, two, three)
    return ranks


@rule(chance=(0.5, 0.6, 0.75, 0.9), lives=(0, 1, 2), within={"chance": (0, 1)})
def play_or_lose_nothing(view: View, chance: float, lives: float) -> int:
    """With more than {lives:#life|lives}, play my likeliest card of those that are either playable
    or useless, if its chance to be playable is more than {chance:.0%}.
    """
    best = -1
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if view.lives > lives and types != 0 and types & ~(view.playable | view.useless) == 0:
            if best < 0 or own_playable_chance(view, slot) > own_playable_chance(view, best):
                best = slot
    return play(best) if best >= 0 and own_playable_chance(view, best) > chance else NOTHING


@rule(tokens=(1, 2, 3, 4), idle=(0, 1))
def tell_needed(view: View, tokens: float, idle: float) -> int:
    """With at least {tokens:#token|tokens}, if a partner holds a playable card{idle:| and knows no
    play}, give the best honest hint.
    """
    if view.tokens < tokens:
        return NOTHING
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        knows = idle != 0 and view.marks[view.list].plays[seat] != 0
        if view.held[seat] & view.playable != 0 and not knows:
            return judged_move(view, best_hint(view, -1, 0, HONEST))
    return NOTHING


@rule(seen=(0, 1, 2, 3), spare=(0, 1, 2), rank=(0, 0.1, 0.2), within={"seen": (0, 5)})
def discard_spare(view: View, seen: float, spare: float, rank: float) -> int:
    """Discard the card that is likeliest to be spare: {seen} times its chance that a partner holds
    a copy, {spare} times its chance not to be a last copy, and {rank} for each rank (ties: the
    oldest).
    """
    held, (one, two, three), best, most = 0, my_pool(view), -1, 0.0
    for steps in range(1, view.players):
        held |= view.held[seat_after(view, steps)]
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if types == 0:
            continue
        worth = (
            seen * copies_in(types & held, one, two, three)
            + spare * copies_in(types & ~critical(view), one, two, three)
            + rank * rank_sum(types, one, two, three)
        ) / max(1, copies_in(types, one, two, three))
        older = best >= 0 and view.born[view.me, slot] < view.born[view.me, best]
        if best < 0 or worth > most or worth == most and older:
            best, most = slot, worth
    return discard_at(view, best)


@rule(low=(0, 0.5, 1), shared=(0, 0.5, 1), within={"low": (0, 5), "shared": (0, 5)})
def play_unshared(view: View, low: float, shared: float) -> int:
    """Play a card that I know to be playable: {low} for each rank that it is lower, {shared}
    against it for each partner who holds a copy (ties: the oldest).
    """
    (one, two, three), best, most = my_pool(view), -1, 0.0
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if types == 0 or types & ~view.playable != 0:
            continue
        copies = max(1, copies_in(types, one, two, three))
        worth = -low * rank_sum(types, one, two, three) / copies
        for steps in range(1, view.players):
            held = view.held[seat_after(view, steps)] if view.deck > 0 else 0
            worth -= shared * copies_in(types & held, one, two, three) / copies
        older = best >= 0 and view.born[view.me, slot] < view.born[view.me, best]
        if best < 0 or worth > most or worth == most and older:
            best, most = slot, worth
    return play_at(best)
