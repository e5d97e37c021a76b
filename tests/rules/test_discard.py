"""What the names of the discarding rules promise, in slow plain Python."""

import pytest
from mixed_games import check
from sizes import tries

from hanabi.moves import discard
from hanabi.rules import SETS

NAMES = [name for name in SETS["modern"] if name.startswith("discard_")]


def _throw(position, slots, newest=0):
    """The oldest or newest of slots in the order of age, as a discard; nothing with all tokens."""
    return (
        discard(slots[-1 if newest else 0])
        if slots and position.tokens < position.max_tokens
        else 0
    )


def _extreme(position, what, newest, best, allows):
    chances = {slot: position.chance(slot, what) for slot in position.slots(position.me)}
    top = best(chances.values())
    return _throw(
        position, [slot for slot in chances if chances[slot] == top and allows(top)], newest
    )


def _chop(position, tokens):
    untouched = [
        slot
        for slot in position.slots(position.me)
        if not position.touched[position.me] >> slot & 1
    ]
    return _throw(position, untouched) if position.tokens <= tokens else 0


def _unidentified(position, newest):
    me = position.me
    return _throw(
        position,
        [
            slot
            for slot in position.slots(me)
            if len(position.colours_told(me, slot)) > 1 and len(position.ranks_told(me, slot)) > 1
        ],
        newest,
    )


def _highest(position):
    me = position.me
    ranks = {
        slot: min(position.ranks_told(me, slot))
        for slot in position.slots(me)
        if len(position.ranks_told(me, slot)) == 1 and position.chance(slot, position.critical) < 1
    }
    return _throw(position, [slot for slot in ranks if ranks[slot] == max(ranks.values())])


PROPERTIES = {  # family: the move that its name promises, 0 for none
    "discard_useless": lambda p, newest: _throw(p, p.only(p.useless), newest),
    "discard_dispensable": lambda p, newest: _throw(
        p, p.only(lambda card: not p.critical(card)), newest
    ),
    "discard_held_elsewhere": lambda p, newest: _throw(
        p, p.only(lambda card: p.useless(card) or card in p.held), newest
    ),
    "discard_likely_useless": lambda p, chance, newest: _extreme(
        p, p.useless, newest, max, lambda top: top >= chance
    ),
    "discard_least_critical": lambda p, chance, newest: _extreme(
        p, p.critical, newest, min, lambda top: top <= chance
    ),
    "discard_chop": _chop,
    "discard_oldest": lambda p: _throw(p, p.slots(p.me)),
    "discard_unidentified": _unidentified,
    "discard_highest": _highest,
}


@pytest.mark.parametrize("games", [tries(300), pytest.param(2000, marks=pytest.mark.slow)])
def test_discarding_rules_do_what_their_names_promise(games):
    fired = check(NAMES, PROPERTIES, games)
    assert [name for name, times in fired.items() if times == 0] == []
    print(f"\n{games} games, fired: {fired}")
