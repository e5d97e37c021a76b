"""What I know of my cards by the marks and what I see, and what I know that a partner knows."""

from hanabi.backend import compiled, popcount
from hanabi.cards import ONES, copies_in, slots_within
from hanabi.conventions.weights import FIVES, LOWEST, PRIVATE, TRUST_CHANCE, TRUST_LIVES, UNLOCK
from hanabi.lazy import answer, ensure
from hanabi.moves import SLOTS
from hanabi.view import critical, partner_types


@compiled
def _trusted(view, slot):
    """Is my card in a slot playable by what is promised or, as far as I trust it, by what is assumed?"""
    assumed, promised = view.own_assumed[slot], view.own_promised[slot]
    if assumed == 0 or assumed & ~view.playable != 0:
        return False
    if promised & ~view.playable == 0:
        return True
    weights = view.weights[view.me]
    one, two, three = view.unseen
    copies, playables = (
        copies_in(promised, one, two, three),
        copies_in(promised & view.playable, one, two, three),
    )
    return view.lives > weights[TRUST_LIVES] and playables >= weights[TRUST_CHANCE] * copies


@compiled
def _play_worth(view, slot, visible):
    """What playing my card in a slot is worth by my weights; visible: the types in my partners' hands."""
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


@answer
def own_cards(view):
    """My own cards by the marks and what I see: two sets per slot, and what to play."""
    me, marks = view.me, view.marks[view.list]
    one, two, three = view.unseen
    p1 = p2 = p3 = visible = 0  # my located cards, in planes; what my partners hold
    for slot in range(SLOTS):
        promised, assumed = marks.promised[me, slot] & one, marks.assumed[me, slot] & one
        promised = promised if promised != 0 else view.mask[me, slot] & one
        assumed = assumed if assumed != 0 else promised
        view.own_promised[slot], view.own_assumed[slot] = promised, assumed
        single = 0 if assumed & assumed - 1 else assumed
        p3, p2, p1 = p3 | p2 & single, p2 | p1 & single, p1 | single
        visible |= view.held[slot]  # as many seats as slots
    gone = p1 & ~two | p2 & ~three | p3  # types that my other cards cannot be
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
    return 0


@answer
def own_counts(view):
    """The copies that fit what my cards are assumed to be, by what they are good for, and the likeliest play."""
    ensure(view, own_cards)
    me, must_stay = view.me, critical(view)
    one, two, three = view.unseen
    view.own_likeliest, best_chance = -1, 0.0
    for slot in range(SLOTS):
        cards = view.own_assumed[slot]
        a, b, c = cards & one, cards & two, cards & three
        view.own_copies[slot] = copies_in(cards, a, b, c)
        view.own_playables[slot] = copies_in(view.playable, a, b, c)
        view.own_uselesses[slot] = copies_in(view.useless, a, b, c)
        view.own_criticals[slot] = copies_in(must_stay, a, b, c)
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
def own_types(view, slot):
    """The set of types that my card in a slot is assumed to be; 0 for an empty slot."""
    ensure(view, own_cards)
    return view.own_assumed[slot]


@compiled
def own_playable_chance(view, slot):
    """The chance that my card in a slot is playable, of copies that fit the assumed types; NaN for an empty slot."""
    ensure(view, own_counts)
    return view.own_playables[slot] / view.own_copies[slot]


@compiled
def own_useless_chance(view, slot):
    """The chance that my card in a slot is useless, of copies that fit the assumed types; NaN for an empty slot."""
    ensure(view, own_counts)
    return view.own_uselesses[slot] / view.own_copies[slot]


@compiled
def own_critical_chance(view, slot):
    """The chance that my card in a slot is critical, of copies that fit the assumed types; NaN for an empty slot."""
    ensure(view, own_counts)
    return view.own_criticals[slot] / view.own_copies[slot]


@compiled
def known_play(view):
    """The slot of a card that I know to be playable, the one worth most by my weights (ties: the oldest); -1 for none.

    Known by what is promised; with more lives than trust_lives also by what is assumed, if the chance by what is
    promised is at least trust_chance.
    """
    ensure(view, own_cards)
    return view.own_play


@compiled
def likeliest_play(view):
    """The slot of my card that is most likely playable by the marks (ties: the oldest); -1 for an empty hand."""
    ensure(view, own_counts)
    return view.own_likeliest


@compiled
def partner_plays(view, seat):
    """Bits of the slots that a partner knows to be playable, as far as I can tell."""
    return slots_within(
        view.marks[view.list].assumed[seat], partner_types(view, seat), view.playable
    )
