"""What the names of the telling rules promise, in slow plain Python."""

import pytest
from mixed_games import check
from sizes import tries

from hanabi.moves import target_of, tell_colour, tell_rank
from hanabi.rules import SETS

NAMES = [name for name in SETS["modern"] if name.startswith("tell_")]


def _about(position, what, seats, colour, newest):
    """The missing hint of the oldest or newest card of which something is true, for the first seat
    that has one.
    """
    for seat in seats:
        slots = [
            slot
            for slot, card in position.hand(seat)
            if what(card) and not position.known(seat, slot)
        ]
        if slots:
            return position.missing(seat, slots[-1 if newest else 0], colour)
    return 0


def _most(position, value, least):
    """The hints of the highest value, if it is high enough; the first is the one to give."""
    hints = [move for seat in position.others() for move in position.hints(seat)]
    values = {move: value(move) for move in hints}
    top = max(values.values(), default=0)
    return next((move for move in hints if values[move] == top), 0) if top >= least else 0


def _completing(position):
    for seat in position.others():
        for slot, card in position.hand(seat):
            if position.playable(card) and (len(position.colours_told(seat, slot)) == 1) != (
                len(position.ranks_told(seat, slot)) == 1
            ):
                return position.missing(seat, slot, 0)
    return 0


def _certain(position, cards):
    def gains(move):
        seat = target_of(move)
        pool = set(position.seen_by(seat))
        return sum(
            position.playable(card)
            and all(map(position.playable, position.told_after(seat, slot, move) & pool))
            and not all(map(position.playable, position.told(seat, slot) & pool))
            for slot, card in position.hand(seat)
        )

    return _most(position, gains, cards)


def _ones(position):
    counts = [
        (
            sum(
                card[1] == 1
                and position.playable(card)
                and len(position.ranks_told(seat, slot)) > 1
                for slot, card in position.hand(seat)
            ),
            seat,
        )
        for seat in position.others()
    ]
    most = max(counts)[0]
    return tell_rank(next(seat for count, seat in counts if count == most), 1) if most else 0


def _last_rank(position):
    return next(
        (
            tell_rank(seat, position.ranks)
            for seat in position.others()
            for slot, card in position.hand(seat)
            if card[1] == position.ranks
            and not position.useless(card)
            and len(position.ranks_told(seat, slot)) > 1
        ),
        0,
    )


def _save(position, colour):
    seat = position.others()[0]
    chop = next(
        (
            (slot, card)
            for slot, card in position.hand(seat)
            if not position.touched[seat] >> slot & 1
        ),
        None,
    )
    return position.missing(seat, chop[0], colour) if chop and position.critical(chop[1]) else 0


def _dispensable(position, tokens):
    if position.tokens > tokens:
        return 0
    for seat in position.others():
        for slot, card in position.hand(seat):
            for hint in (tell_rank(seat, card[1]), tell_colour(seat, card[0])):
                new = (
                    len(
                        position.ranks_told(seat, slot)
                        if hint == tell_rank(seat, card[1])
                        else position.colours_told(seat, slot)
                    )
                    > 1
                )
                if new and all(map(position.dead, position.told_after(seat, slot, hint))):
                    return hint
    return 0


def _most_news(position, tokens):
    if position.tokens < min(tokens, position.max_tokens):
        return 0
    return _most(
        position,
        lambda move: len(set(position.news(move)) & set(position.tells(target_of(move), move))),
        1,
    )


def _unambiguous(position, playable):
    for seat in position.others():
        hand = dict(position.hand(seat))
        fits = [slot for slot in hand if position.playable(hand[slot])]
        if all(position.known(seat, slot) for slot in fits):
            continue
        scores = {}
        for move in position.hints(seat):
            told = [
                slot
                for slot in position.tells(seat, move)
                if len(
                    position.ranks_told(seat, slot)
                    if move in {tell_rank(seat, rank) for rank in range(1, 6)}
                    else position.colours_told(seat, slot)
                )
                > 1
            ]
            good, bad = sum(slot in fits for slot in told), sum(slot not in fits for slot in told)
            if good:
                scores[move] = (good, -bad) if playable else (-bad, good)
        return next(move for move in scores if scores[move] == max(scores.values()))
    return 0


def _expected(position, playable, unplayable):
    for seat in position.others():
        hand = dict(position.hand(seat))
        if all(position.known(seat, slot) for slot in hand if position.playable(hand[slot])):
            continue
        pool, scores = position.seen_by(seat), {}
        for move in position.hints(seat):
            if position.news(move):
                scores[move] = 0
                for slot in hand:
                    after = position.told_after(seat, slot, move)
                    seen = [card for card in pool if card in after]
                    scores[move] += (
                        (playable if position.playable(hand[slot]) else unplayable)
                        * sum(map(position.playable, seen))
                        / len(seen)
                    )
        top = max(scores.values())
        return [move for move in scores if scores[move] > top - 1e-6]
    return 0


def _finesse(position):
    hand = position.hand(position.others()[0])
    if not hand or not position.playable(hand[-1][1]):
        return 0
    colour, rank = hand[-1][1]
    for seat in position.others(2):
        for slot, card in position.hand(seat):
            if card == (colour, rank + 1):
                for hint, known in (
                    (tell_rank(seat, rank + 1), position.ranks_told(seat, slot)),
                    (tell_colour(seat, colour), position.colours_told(seat, slot)),
                ):
                    if position.tells(seat, hint) == [slot] and len(known) > 1:
                        return hint
    return 0


PROPERTIES = {  # family: the move that its name promises, 0 for none
    "tell_playable": lambda p, colour, newest: _about(p, p.playable, p.others(), colour, newest),
    "tell_next_playable": lambda p, colour: _about(p, p.playable, p.others()[:1], colour, 0),
    "tell_completing": _completing,
    "tell_certain": _certain,
    "tell_ones": _ones,
    "tell_last_rank": _last_rank,
    "tell_save": _save,
    "tell_useless": lambda p, colour, newest: _about(p, p.useless, p.others(), colour, newest),
    "tell_dispensable": _dispensable,
    "tell_most_news": _most_news,
    "tell_unknown": lambda p, colour: _about(p, lambda card: True, p.others()[:1], colour, 0),
    "tell_unambiguous": _unambiguous,
    "tell_expected": _expected,
    "tell_finesse": _finesse,
}
PROPERTIES = {
    name: lambda p, *values, promise=promise: promise(p, *values) if p.tokens else 0
    for name, promise in PROPERTIES.items()
}  # none without a token


@pytest.mark.parametrize("games", [tries(200), pytest.param(2000, marks=pytest.mark.slow)])
def test_telling_rules_do_what_their_names_promise(games):
    fired = check(NAMES, PROPERTIES, games)
    assert [name for name, times in fired.items() if times == 0] == []
    print(f"\n{games} games, fired: {fired}")
