"""What the names of the playing rules promise, in slow plain Python."""

import pytest
from mixed_games import check
from sizes import tries

from hanabi.moves import is_play, is_tell, play, slot_of, target_of
from hanabi.rules import SETS

NAMES = [
    *dict.fromkeys(
        name
        for name in SETS["modern"] + SETS["just-hinted-of-the-paper"]
        if name.startswith(("play_", "hail_mary"))
    )
]


def _end(slots, newest):
    """The oldest or newest of slots in the order of age, as a play."""
    return play(slots[-1 if newest else 0]) if slots else 0


def _likeliest(position, slots, newest):
    """(chance, slot) of the likeliest of slots that can be playable."""
    chances = [(position.chance(slot, position.playable), slot) for slot in slots]
    best = max((chance for chance, _ in chances), default=0)
    ties = [slot for chance, slot in chances if chance == best]
    return (best, ties[-1 if newest else 0]) if best > 0 else (0, -1)


def _lowest(position):
    safe = position.only(position.playable)
    ranks = {slot: max(card[1] for card in position.possible[slot]) for slot in safe}
    return _end([slot for slot in safe if ranks[slot] == min(ranks.values())], 0)


def _followed(position):
    return _end(
        position.only(
            lambda card: position.playable(card) and (card[0], card[1] + 1) in position.held
        ),
        0,
    )


def _likely(position, chance, lives, newest):
    best, slot = _likeliest(position, position.slots(position.me), newest)
    return play(slot) if slot >= 0 and best >= chance and position.lives > lives else 0


def _hail_mary(position, chance):
    best, slot = _likeliest(position, position.slots(position.me), 0)
    return play(slot) if position.deck == 0 and position.lives > 1 and best >= chance else 0


def _just_hinted(position, single, newest, lives, chance):
    hinted = {
        slot
        for turn, slots in position.hints_to_me
        if turn > position.my_last and (not single or len(slots) == 1)
        for slot in slots
    }
    own = position.slots(position.me)
    best, slot = _likeliest(
        position, [s for s in own if s in hinted and (not newest or s == own[-1])], 1
    )
    return (
        play(slot) if best == 1 or (slot >= 0 and best >= chance and position.lives > lives) else 0
    )


def _unique(position, newest):
    drawn = {slot: -1 for slot in range(5)}
    for turn, (seat, move, _, _, _) in enumerate(position.events):
        if seat == position.me and not is_tell(move):
            drawn[slot_of(move)] = turn
    hinted = {
        slots[0]
        for turn, slots in position.hints_to_me
        if len(slots) == 1 and turn > drawn[slots[0]]
    }
    return _end(
        [
            slot
            for slot in position.slots(position.me)
            if slot in hinted and any(map(position.playable, position.possible[slot]))
        ],
        newest,
    )


def _finesse(position):
    own = position.slots(position.me)
    if (
        not position.events
        or not is_tell(position.events[-1][1])
        or target_of(position.events[-1][1]) == position.me
    ):
        return 0
    _, move, slots, _, _ = position.events[-1]
    hand = dict(position.hand(target_of(move)))
    gaps = {
        (colour, rank - 1)
        for colour, rank in map(hand.get, slots)
        if position.playable((colour, rank - 1))
    }
    return play(own[-1]) if gaps & set(position.possible[own[-1]]) - position.held else 0


def _finesse_told(position):
    if position.turn < 2:
        return 0
    (_, hint, slots, _, _), (_, answer, _, card, fits) = position.events[-2:]
    if (
        not is_tell(hint)
        or target_of(hint) != position.me
        or len(slots) != 1
        or not is_play(answer)
        or not fits
    ):
        return 0
    return play(slots[0]) if (card[0], card[1] + 1) in position.possible[slots[0]] else 0


PROPERTIES = {  # family: the move that its name promises, 0 for none
    "play_safe": lambda p, newest: _end(p.only(p.playable), newest),
    "play_safe_last": lambda p: _end(
        p.only(lambda card: p.playable(card) and card[1] == p.ranks), 0
    ),
    "play_safe_lowest": _lowest,
    "play_safe_followed": _followed,
    "play_likely": _likely,
    "hail_mary": _hail_mary,
    "play_just_hinted": _just_hinted,
    "play_unique_possible": _unique,
    "play_finesse": _finesse,
    "play_finesse_told": _finesse_told,
}


@pytest.mark.parametrize("games", [tries(300), pytest.param(2000, marks=pytest.mark.slow)])
def test_playing_rules_do_what_their_names_promise(games):
    fired = check(NAMES, PROPERTIES, games)
    assert [name for name, times in fired.items() if times == 0] == []
    print(f"\n{games} games, fired: {fired}")
