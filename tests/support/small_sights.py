"""Small positions as a Sight, and every way to fill the slots of a hand."""

from hypothesis import strategies as st

from hanabi.knowledge.plain_interface import HandKnowledge


def hands_of(masks, pool):
    """Every way to fill the slots from a pool (copies of each type), with its number of physical
    ways. Empty: -1.
    """
    if not masks:
        yield (), 1
        return
    if masks[0] == 0:
        for rest, ways in hands_of(masks[1:], pool):
            yield (-1, *rest), ways
        return
    for card in range(30):
        if masks[0] >> card & 1 and pool[card]:
            for rest, ways in hands_of(masks[1:], changed(pool, [card], -1)):
                yield (card, *rest), ways * pool[card]


def changed(pool, cards, by):
    pool = list(pool)
    for card in cards:
        if card >= 0:
            pool[card] += by
    return pool


# Positions
@st.composite
def sights(draw, players=(2, 3), width=3, kinds=5, extra=3, wide=4):
    """A small position: some types in some copies, dealt out; each mask is the true card and some
    more; some slots are empty; up to `extra` cards stay in the deck.
    """
    types = draw(st.lists(st.integers(0, 29), min_size=1, max_size=kinds, unique=True))
    deck = draw(st.permutations([card for card in types for _ in range(draw(st.integers(1, 3)))]))
    seats = draw(st.integers(*players))
    hands, masks = [], []
    for _ in range(seats):
        hand = [deck.pop() if deck and draw(st.integers(0, 9)) else -1 for _ in range(width)]
        hands.append(hand)
        more = [draw(st.sets(st.sampled_from(types), max_size=wide)) for _ in hand]
        masks.append(
            [
                0 if card < 0 else sum(1 << other for other in more | {card})
                for card, more in zip(hand, more)
            ]
        )
    me = draw(st.integers(0, seats - 1))
    pool = changed(changed([0] * 30, deck[:extra], +1), hands[me], +1)
    return HandKnowledge(me, tuple(map(tuple, masks)), tuple(map(tuple, hands)), tuple(pool))
