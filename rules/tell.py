"""Rules that give a hint.

They try the other players in turn order and hint to the first with something to tell. Of equal
cards they take the oldest.
"""

from hanabi.authoring import (
    NOTHING,
    SLOTS,
    View,
    by_age,
    chop,
    colour_of,
    colour_set,
    compiled,
    copies_in,
    critical,
    known,
    knows_colour,
    knows_rank,
    mask_after,
    meets,
    missing_colour_first,
    missing_rank_first,
    newest as newest_slot,
    open_after,
    partner_pool,
    partner_types,
    popcount,
    rank_of,
    rank_set,
    rules_of,
    seat_after,
    slots_of,
    tell_colour,
    tell_rank,
    told_cards,
    told_until,
    touched_by,
)

rule = rules_of(sets="modern")


@compiled
def missing(view: View, seat: int, slot: int, colour: int) -> int:
    """Return the hint of what a seat does not know of a card: rank (0) or colour (1) first."""
    return (
        missing_colour_first(view, seat, slot)
        if colour != 0
        else missing_rank_first(view, seat, slot)
    )


@compiled
def tell_about(view: View, cards: int, seats: int, colour: int, newest: int) -> int:
    """Hint at a card that is in a set of types and that its holder does not fully know.

    NOTHING without a token or without such a card.

    Args:
        view: The view.
        cards: The set of types.
        seats: How many of the next players to try.
        colour: 1 to tell the colour first, else 0.
        newest: 1 to take the newest such card of a player, 0 the oldest.
    """
    if view.tokens > 0:
        for steps in range(1, seats + 1):
            seat = seat_after(view, steps)
            slot = by_age(view, seat, slots_of(view, seat, cards) & ~known(view, seat), newest)
            if slot >= 0:
                return missing(view, seat, slot, colour)
    return NOTHING


@compiled
def nth_hint(view: View, seat: int, i: int) -> int:
    """Return hint i to a seat, from 0: ranks, then colours; NOTHING if it touches no card."""
    hint = tell_rank(seat, i + 1) if i < view.ranks else tell_colour(seat, i - view.ranks)
    return hint if view.held[seat] & told_cards(hint) else NOTHING


@compiled
def news(view: View, seat: int, hint: int) -> int:
    """Return bits of a seat's slots for which a hint would be new information."""
    cards, row = told_cards(hint), view.mask[seat]
    touched = touched_by(view, seat, cards)
    return touched & meets(row, ~cards) | ~touched & meets(row, cards)


@rule(colour=(0, 1), newest=(0, 1))
def tell_playable(view: View, colour: float, newest: float) -> int:
    """Tell a player what they do not know about their {newest:oldest|newest} playable card,
    {colour:rank|colour} first.
    """
    return tell_about(view, view.playable, view.players - 1, colour, newest)


@rule(colour=(0, 1))
def tell_next_playable(view: View, colour: float) -> int:
    """Tell the next player what they do not know about their oldest playable card,
    {colour:rank|colour} first.
    """
    return tell_about(view, view.playable, 1, colour, 0)


@rule()
def tell_completing(view: View) -> int:
    """Tell a player the colour or rank of their oldest playable card of which they know just the
    other.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        half = view.knows_colour[seat] ^ view.knows_rank[seat]
        slot = by_age(view, seat, slots_of(view, seat, view.playable) & half, 0)
        if slot >= 0:
            return missing_rank_first(view, seat, slot)
    return NOTHING


@rule(cards=(1, 2))
def tell_certain(view: View, cards: float) -> int:
    """Give the hint by which the most cards, at least {cards}, become certain to be playable for
    their holder.
    """
    best, most = NOTHING, cards - 1
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        wrong = partner_types(view, seat) & ~view.playable
        unsure = slots_of(view, seat, view.playable) & meets(view.mask[seat], wrong)
        for i in range(view.ranks + view.colours if popcount(unsure) > most else 0):
            hint = nth_hint(view, seat, i)
            count = popcount(unsure & ~open_after(view, seat, wrong, told_cards(hint)))
            if hint != NOTHING and count > most:
                best, most = hint, count
    return best


@rule()
def tell_ones(view: View) -> int:
    """Tell the player with the most playable 1s of unknown rank that they are 1s."""
    best, most = NOTHING, 0
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        count = popcount(slots_of(view, seat, view.playable & rank_set(1)) & ~view.knows_rank[seat])
        if count > most:
            best, most = tell_rank(seat, 1), count
    return best


@rule()
def tell_last_rank(view: View) -> int:
    """Tell a player which of their cards have the highest rank, if one of these is still needed
    and its rank is not known.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        if slots_of(view, seat, rank_set(view.ranks) & ~view.useless) & ~view.knows_rank[seat]:
            return tell_rank(seat, view.ranks)
    return NOTHING


@rule(colour=(0, 1))
def tell_save(view: View, colour: float) -> int:
    """If the next player's chop, their oldest card that no hint has touched, is critical, tell
    them about it, {colour:rank|colour} first.
    """
    seat = seat_after(view, 1)
    slot = chop(view, seat)
    if slot < 0 or view.tokens == 0 or critical(view) >> view.hands[seat, slot] & 1 == 0:
        return NOTHING
    return missing(view, seat, slot, colour)


@rule(colour=(0, 1), newest=(0, 1))
def tell_useless(view: View, colour: float, newest: float) -> int:
    """Tell a player what they do not know about their {newest:oldest|newest} useless card,
    {colour:rank|colour} first.
    """
    return tell_about(view, view.useless, view.players - 1, colour, newest)


@rule(tokens=(3, 8), within={"tokens": (1, 8)})
def tell_dispensable(view: View, tokens: float) -> int:
    """With at most {tokens:#token|tokens}, tell a player a colour or rank by which they know that
    a card was played already.
    """
    if 0 < view.tokens <= tokens:
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            slots = slots_of(view, seat, view.dead) & ~known(view, seat)
            while slots:
                slot = by_age(view, seat, slots, 0)
                card = view.hands[seat, slot]
                rank_hint, colour_hint = (
                    tell_rank(seat, rank_of(card)),
                    tell_colour(seat, colour_of(card)),
                )
                if (
                    not knows_rank(view, seat, slot)
                    and mask_after(view, seat, slot, rank_hint) & ~view.dead == 0
                ):
                    return rank_hint
                if (
                    not knows_colour(view, seat, slot)
                    and mask_after(view, seat, slot, colour_hint) & ~view.dead == 0
                ):
                    return colour_hint
                slots &= ~(1 << slot)
    return NOTHING


@rule(tokens=(1, 8), within={"tokens": (1, 8)})
def tell_most_news(view: View, tokens: float) -> int:
    """With at least {tokens:#token|tokens} (or all of them), give the hint that tells something
    new about the most cards that it touches.
    """
    if view.tokens == 0 or view.tokens < min(tokens, view.max_tokens):
        return NOTHING
    best, most = NOTHING, 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for i in range(view.ranks + view.colours):
            hint = nth_hint(view, seat, i)
            if hint != NOTHING:
                count = popcount(news(view, seat, hint) & touched_by(view, seat, told_cards(hint)))
                if count > most:
                    best, most = hint, count
    return best


@rule(colour=(0, 1))
def tell_unknown(view: View, colour: float) -> int:
    """Tell the next player what they do not know about their oldest card that is not fully known,
    {colour:rank|colour} first.
    """
    if view.tokens == 0:
        return NOTHING
    seat = seat_after(view, 1)
    slot = by_age(view, seat, view.filled[seat] & ~known(view, seat), 0)
    return missing(view, seat, slot, colour) if slot >= 0 else NOTHING


@rule(playable=(0, 1))
def tell_unambiguous(view: View, playable: float) -> int:
    """Tell a player about a playable card, by the missing colour or rank that {playable:the fewest
    unplayable and then the most playable|the most playable and then the fewest unplayable} other
    cards share for which it is missing too.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        fits = slots_of(view, seat, view.playable)
        if fits & ~known(view, seat):
            best, top = NOTHING, -1000
            for i in range(view.ranks + view.colours):
                hint = nth_hint(view, seat, i)
                if hint != NOTHING:
                    ignorant = ~(
                        view.knows_rank[seat] if i < view.ranks else view.knows_colour[seat]
                    )
                    told = touched_by(view, seat, told_cards(hint)) & ignorant
                    good, bad = popcount(told & fits), popcount(told & ~fits)
                    score = 10 * good - bad if playable != 0 else good - 10 * bad
                    if good > 0 and score > top:
                        best, top = hint, score
            return best
    return NOTHING


@rule(
    playable=(1, 2, 10),
    unplayable=(-1, 0),
    within={"playable": (0, 99), "unplayable": (-99, 0)},
    sets={"modern": [(1, 0), (10, -1), (2, -1), (1, -1)]},
)
def tell_expected(view: View, playable: float, unplayable: float) -> int:
    """Give the first player with a playable card that they do not fully know the hint, new to
    them, after which the right cards look playable: a chance counts {playable} for a playable card
    and {unplayable} for any other.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        if slots_of(view, seat, view.playable) & ~known(view, seat):
            at_least_1, at_least_2, at_least_3 = partner_pool(view, seat)
            best, top = NOTHING, -1e9
            for i in range(view.ranks + view.colours):
                hint = nth_hint(view, seat, i)
                if hint != NOTHING and news(view, seat, hint):
                    score = 0.0
                    for slot in range(SLOTS):
                        if view.filled[seat] >> slot & 1:
                            mask = mask_after(view, seat, slot, hint)
                            chance = copies_in(
                                mask & view.playable, at_least_1, at_least_2, at_least_3
                            ) / copies_in(mask, at_least_1, at_least_2, at_least_3)
                            fits = view.playable >> view.hands[seat, slot] & 1
                            score += (playable if fits else unplayable) * chance
                    if score > top + 1e-9:
                        best, top = hint, score
            return best
    return NOTHING


@rule()
def tell_finesse(view: View) -> int:
    """If the next player's newest card is playable, tell a later player about the card that
    follows it, by a rank or colour that touches no other card and is not known.
    """
    if view.tokens == 0:
        return NOTHING
    bridge = seat_after(view, 1)
    slot = newest_slot(view, bridge)
    if slot < 0:
        return NOTHING
    card = view.hands[bridge, slot]
    if view.playable >> card & 1 == 0 or rank_of(card) == view.ranks:
        return NOTHING
    for steps in range(2, view.players):
        seat = seat_after(view, steps)
        slots = slots_of(view, seat, 1 << (card + 1))
        if slots:
            same_rank = touched_by(view, seat, rank_set(rank_of(card) + 1))
            if same_rank & (same_rank - 1) == 0 and same_rank & view.knows_rank[seat] == 0:
                return tell_rank(seat, rank_of(card) + 1)
            same_colour = touched_by(view, seat, colour_set(colour_of(card)))
            if same_colour & (same_colour - 1) == 0 and same_colour & view.knows_colour[seat] == 0:
                return tell_colour(seat, colour_of(card))
    return NOTHING
