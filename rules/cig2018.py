"""The rules of 2018."""
from functools import partial

from hanabi.moves import DISCARD, FORFEIT, NOTHING, SLOTS, discard, play, tell_colour, tell_rank
from hanabi.cards import colour_of, rank_of
from hanabi.machine import compiled
from hanabi.rule import rule
from hanabi.view import *
rule = partial(rule, prefix="cig2018.")

@rule(chance=(0, .2, .4, .6, .8))
def play_probably_safe(view, chance):
    """Play my likeliest card {chance:.0%}."""
    best, slot = -1.0, -1
    for i in range(SLOTS):
        c = playable_chance(view, i)
        if c >= best:
            best, slot = c, i
    return play(slot) if slot >= 0 and best >= chance else NOTHING

@rule(chance=(0, .2, .4, .6, .8))
def if_lives_play_probably_safe(view, chance):
    """Play my likeliest card {chance:.0%}."""
    if view.lives <= 1:
        return NOTHING
    best, slot = -1.0, -1
    for i in range(SLOTS):
        c = playable_chance(view, i)
        if c >= best:
            best, slot = c, i
    return play(slot) if slot >= 0 and best >= chance else NOTHING

@rule()
def hail_mary(view):
    """Never"""
    return NOTHING

@rule()
def play_safe_card(view):
    """Play safe."""
    for i in range(SLOTS):
        types = possible_types(view, i)
        if types != 0 and types & ~view.playable == 0:
            return play(i)
    return NOTHING

@compiled
def tell_missing_rank_first(view, seat, slot):
    """x"""
    if not knows_rank(view, seat, slot):
        return tell_rank(seat, rank_of(view.hands[seat, slot]))
    if not knows_colour(view, seat, slot):
        return tell_colour(seat, colour_of(view.hands[seat, slot]))
    return NOTHING

@rule()
def tell_useful(view):
    """Tell useful."""
    if view.tokens == 0:
        return NOTHING
    for k in range(1, view.players):
        seat = seat_after(view, k)
        if view.held[seat] & view.playable:
            unknown = ~(view.knows_colour[seat] & view.knows_rank[seat])
            for slot in range(SLOTS):
                card = view.hands[seat, slot]
                if card >= 0 and view.playable >> card & 1 and unknown >> slot & 1:
                    return tell_missing_rank_first(view, seat, slot)
    return NOTHING

@rule()
def tell_dispensable_low(view):
    """Tell dispensable."""
    if view.tokens >= 4 or view.tokens == 0:
        return NOTHING
    low = 6
    for c in range(view.colours):
        low = min(low, view.fireworks[c])
    for seat in range(view.players):
        if seat == view.me: continue
        if not view.held[seat] & view.useless: continue
        for slot in range(SLOTS):
            card = view.hands[seat, slot]
            if card < 0: continue
            c, v = colour_of(card), rank_of(card)
            kc, kv = knows_colour(view, seat, slot), knows_rank(view, seat, slot)
            if not kc and view.fireworks[c] == 5: return tell_colour(seat, c)
            if not kv and v <= low: return tell_rank(seat, v)
            if kc != kv and view.fireworks[c] >= v:
                return tell_rank(seat, v) if kc else tell_colour(seat, c)
    return NOTHING

@rule()
def osawa_discard(view):
    """Osawa."""
    if view.tokens == view.max_tokens: return NOTHING
    for slot in range(SLOTS):
        m = view.mask[view.me, slot]
        if m and m & ~view.useless == 0: return discard(slot)
    return NOTHING

@rule()
def discard_oldest(view):
    """Oldest."""
    return discard(oldest(view, view.me)) if view.tokens < view.max_tokens else NOTHING

@rule()
def tell_randomly(view):
    """Random."""
    if view.tokens == 0: return NOTHING
    seat = seat_after(view, 1)
    n = popcount(view.filled[seat])
    if n == 0: return NOTHING
    k = random_below(view, 22, 2*n)
    for slot in range(SLOTS):
        if holds(view, seat, slot):
            if k < 2:
                card = view.hands[seat, slot]
                return tell_rank(seat, rank_of(card)) if k else tell_colour(seat, colour_of(card))
            k -= 2
    return NOTHING

@rule()
def discard_randomly(view):
    """Random."""
    if view.tokens == view.max_tokens: return NOTHING
    n = popcount(view.filled[view.me])
    k = random_below(view, 34, n)
    for slot in range(SLOTS):
        if holds(view, view.me, slot):
            if k == 0:
                return discard(slot)
            k -= 1
    return NOTHING
