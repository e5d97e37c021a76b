"""What I know of my cards by the marks and what I see, and what I know that partners know."""

from hanabi.backend import compiled, popcount
from hanabi.conventions.marks import CHOOSE, OWN_CARDS, apply_stage
from hanabi.conventions.weights import FIVES, LOWEST, PRIVATE, TRUST_CHANCE, TRUST_LIVES, UNLOCK
from hanabi.moves import ONES, PLAY, SLOTS, copies_in, copies_in_pair, pair_planes, slots_within
from hanabi.state import View, answer, ensure
from hanabi.view import critical, partner_types


@compiled
def _trusted(view, slot):
    """Return whether my card is playable by promises or, as far as I trust them, assumptions."""
    assumed, promised = view.own_assumed[slot], view.own_promised[slot]
    if assumed == 0 or assumed & ~view.playable != 0:
        return False
    if promised & ~view.playable == 0:
        return True
    weights = view.weights[view.me]
    at_least_1, at_least_2, at_least_3 = view.unseen
    copies, playables = (
        copies_in(promised, at_least_1, at_least_2, at_least_3),
        copies_in(promised & view.playable, at_least_1, at_least_2, at_least_3),
    )
    return view.lives > weights[TRUST_LIVES] and playables >= weights[TRUST_CHANCE] * copies


@compiled
def _play_worth(view, slot, visible):
    """Return what playing my card in a slot is worth by my weights.

    Args:
        view: The view.
        slot: The slot.
        visible: The set of types in my partners' hands.
    """
    types, weights = view.own_assumed[slot], view.weights[view.me]
    count = popcount(types)
    ranks = 0
    for rank in range(1, 5):
        ranks += rank * popcount(types & ONES << rank)
    worth = (
        weights[UNLOCK] * popcount(types << 1 & ~ONES & visible) / count
        - weights[LOWEST] * ranks / count
    )
    if view.marks[view.list].plays[view.me] >> slot & 1 == 0:
        worth += weights[PRIVATE]
    return worth + weights[FIVES] if ranks == 4 * count else worth


@compiled
def agreed_slot(view: View, move: int, slot: int) -> int:
    """Return which of my cards I play or discard, as agreed; else the slot given.

    Args:
        view: The view.
        move: PLAY or DISCARD.
        slot: My slot; -1: any that can be discarded.
    """
    reading = view.readings[0]
    reading.move, reading.note = move, slot
    apply_stage(view, CHOOSE, 1)
    return reading.note


@answer
def own_cards(view: View) -> int:
    """Fill the sets of types of my cards by the marks and what I see, and the slot to play."""
    me, marks = view.me, view.marks[view.list]
    at_least_1, at_least_2, at_least_3 = view.unseen
    p1 = p2 = p3 = visible = 0  # my located cards, in planes; what my partners hold
    for slot in range(SLOTS):
        promised, assumed = (
            marks.promised[me, slot] & at_least_1,
            marks.assumed[me, slot] & at_least_1,
        )
        promised = promised if promised != 0 else view.mask[me, slot] & at_least_1
        assumed = assumed if assumed != 0 else promised
        view.own_promised[slot], view.own_assumed[slot] = promised, assumed
    apply_stage(view, OWN_CARDS, 1)
    for slot in range(SLOTS):
        assumed = view.own_assumed[slot]
        single = 0 if assumed & assumed - 1 else assumed
        p3, p2, p1 = p3 | p2 & single, p2 | p1 & single, p1 | single
        visible |= view.held[slot]  # as many seats as slots
    gone = p1 & ~at_least_2 | p2 & ~at_least_3 | p3  # types that my other cards cannot be
    view.own_play, best_worth = -1, 0.0
    for slot in range(SLOTS):
        cards = view.own_assumed[slot]
        if cards & cards - 1 and cards & ~gone:
            cards &= ~gone
            view.own_assumed[slot] = cards
        if _trusted(view, slot):
            worth, best = _play_worth(view, slot, visible), view.own_play
            if (
                best < 0
                or worth > best_worth
                or worth == best_worth
                and view.born[me, slot] < view.born[me, best]
            ):
                view.own_play, best_worth = slot, worth
    if view.own_play >= 0:
        view.own_play = agreed_slot(view, PLAY, view.own_play)
    return 0


@answer
def own_counts(view: View) -> int:
    """Fill the copies that fit my assumed sets, by their use, and the likeliest play."""
    ensure(view, own_cards)
    me, must_stay = view.me, critical(view)
    pair, at_least_3 = pair_planes(view.unseen[0], view.unseen[1]), view.unseen[2]
    view.own_likeliest, best_chance = -1, 0.0
    for slot in range(SLOTS):
        cards = view.own_assumed[slot]
        held, third = pair & pair_planes(cards, cards), at_least_3 & cards
        view.own_copies[slot] = popcount(held) + popcount(third)
        view.own_playables[slot] = copies_in_pair(view.playable, held, third)
        view.own_uselesses[slot] = copies_in_pair(view.useless, held, third)
        view.own_criticals[slot] = copies_in_pair(must_stay, held, third)
        if cards != 0:
            chance, best = view.own_playables[slot] / view.own_copies[slot], view.own_likeliest
            if (
                best < 0
                or chance > best_chance
                or chance == best_chance
                and view.born[me, slot] < view.born[me, best]
            ):
                view.own_likeliest, best_chance = slot, chance
    return 0


@compiled
def own_types(view: View, slot: int) -> int:
    """Return the set of types that my card in a slot is assumed to be; 0 for an empty slot."""
    ensure(view, own_cards)
    return view.own_assumed[slot]


@compiled
def own_playable_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot is playable, by copies of its assumed types.

    NaN for an empty slot.
    """
    ensure(view, own_counts)
    return view.own_playables[slot] / view.own_copies[slot]


@compiled
def own_useless_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot is useless, by copies of its assumed types.

    NaN for an empty slot.
    """
    ensure(view, own_counts)
    return view.own_uselesses[slot] / view.own_copies[slot]


@compiled
def own_critical_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot is critical, by copies of its assumed types.

    NaN for an empty slot.
    """
    ensure(view, own_counts)
    return view.own_criticals[slot] / view.own_copies[slot]


@compiled
def known_play(view: View) -> int:
    """Return the slot of a card of mine that is known to be playable; -1 for none.

    Known by promises; with more lives than the weight trust_lives also by assumptions, if the
    chance by promises is at least trust_chance. Of several, the one worth most by my weights, then
    the oldest.
    """
    ensure(view, own_cards)
    return view.own_play


@compiled
def likeliest_play(view: View) -> int:
    """Return my slot that is most likely playable by the marks; -1 for an empty hand.

    Of equal slots the oldest.
    """
    ensure(view, own_counts)
    return view.own_likeliest


@compiled
def partner_plays(view: View, seat: int) -> int:
    """Return bits of the slots that a partner knows to be playable, as far as I can tell."""
    return slots_within(
        view.marks[view.list].assumed[seat], partner_types(view, seat), view.playable
    )
