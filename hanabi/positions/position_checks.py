"""The checks that a position is possible, each a ValueError that names the contradiction."""

from collections import Counter
from typing import Any

from hanabi.cards import COLOURS, card_text, only_colour, only_rank
from hanabi.game import HISTORY
from hanabi.moves import NAMES
from hanabi.notation import counted, event_text, fireworks_text, mask_text, pile_text, sides_of
from hanabi.positions.history import discarded, follow
from hanabi.variant import shown


def check(p: Any) -> None:
    """Raise ValueError for an impossible `Position` (of `position`, which imports this)."""
    variant, full, held = p.variant, 0, []
    for card in variant.deck():
        full |= 1 << card
    for what, value, high in (
        ("tokens", p.tokens, variant.tokens),
        ("lives", p.lives, variant.lives),
    ):
        if not 0 <= value <= high:
            raise ValueError(f"{what} must be from 0 to {high}, not {shown(value)}")
    if p.turn % variant.seats != p.me or not 0 <= p.turn < HISTORY:
        raise ValueError(
            f"turn {shown(p.turn)} is not {NAMES[p.me]}'s: turns count from 0, where Ann moves, "
            f"to {HISTORY - 1}"
        )
    if variant.lives - p.lives > len(p.discards):
        lost = variant.lives - p.lives
        raise ValueError(
            f"{counted(lost, 'life is', 'lives are')} lost, but only "
            f"{counted(len(p.discards), 'card is', 'cards are')} discarded: a card that was "
            "played wrongly "
            "lies there too"
        )
    for colour, height in enumerate(p.fireworks):
        if height > variant.ranks:
            raise ValueError(
                f"no card {COLOURS[colour]}{height} in this variant, so no such firework"
            )
    for name, hand in zip(NAMES, p.hands):
        for held_card in filter(None, hand):
            who = f"{name}'s {held_card}"
            colours, ranks = sides_of(held_card.mask)
            if held_card.mask & ~full or len(colours) * len(ranks) != held_card.mask.bit_count():
                raise ValueError(
                    f"{who}: hints leave some colours and some ranks possible, not these types"
                )
            if not held_card.mask >> held_card.card & 1:
                raise ValueError(
                    f"{who} cannot be: its hints say {mask_text(held_card.mask, variant)}"
                )
            if (
                held_card.touched
                and only_colour(held_card.mask) < 0
                and only_rank(held_card.mask) < 0
            ):
                raise ValueError(
                    f"{who} is touched, but then its colour or its rank would be known"
                )
            held.append((name, held_card))
    _check_cards(p, held)
    _check_end(p, held)
    _check_ages(p, held)
    _check_history(p)


def _check_cards(p, held):
    there = Counter(p.variant.deck())
    found = Counter([*p.face_up, *p.discards, *p.deck, *(card.card for _, card in held)])
    for card in sorted(found):
        if found[card] > there[card]:
            piles = {"the fireworks": p.face_up, "the discards": p.discards, "the deck": p.deck}
            where = [what for what, cards in piles.items() if card in cards]
            where += [f"{name}'s hand" for name, one in held if one.card == card]
            raise ValueError(
                f"{card_text(card)} stands {counted(found[card], 'time')} in "
                f"{', '.join(dict.fromkeys(where))}; this variant has {there[card] or 'none'}"
            )
    missing = there - found
    if missing and p.unknown:  # which ones is not known
        raise ValueError(
            f"the deck is written with {counted(len(p.deck), 'card')}, but "
            f"{len(p.deck) + missing.total()} are "
            "neither in a hand nor face up"
        )
    if missing:
        raise ValueError(
            f"the deck is written, but {pile_text(list(missing.elements()))} is neither there nor "
            "anywhere else"
        )


def _check_ages(p, held):
    drawn = p.variant.cards - len(p.deck)
    places = Counter(card.born for _, card in held)
    for name, card in held:
        if places[card.born] > 1 or not 0 <= card.born < drawn:
            raise ValueError(
                f"{name}'s {card} has place #{card.born} in the order of drawing: places "
                f"go from 0 to {drawn - 1}, and two cards cannot share one (give all of them, or "
                "none)"
            )


def _check_end(p, held):
    variant, size = p.variant, p.variant.hand_size
    if p.deck:
        if len(held) < variant.seats * size:
            raise ValueError(
                f"a slot is empty while {counted(len(p.deck), 'card is', 'cards are')} left to "
                "draw: fill it, or "
                "set hand= in the variant"
            )
        if p.left != -1:
            raise ValueError(
                "left counts moves once the deck is empty; "
                f"{counted(len(p.deck), 'card is', 'cards are')} "
                "left to draw, so leave it out"
            )
        return
    low, high = (0, variant.seats) if variant.last_round else (0, 0)
    if not low <= p.left <= high:
        raise ValueError(
            f"the deck is empty, so the moves left are from {low} to {high}, not {shown(p.left)}"
        )
    for seat, hand in enumerate(p.hands):
        moved = variant.last_round and (p.me - seat - 1) % variant.seats < variant.seats - p.left
        if hand.count(None) > moved:
            raise ValueError(
                f"{NAMES[seat]} has {counted(hand.count(None), 'empty slot')}, but moved "
                f"{'once' if moved else 'not'} since the deck ran out (left = {p.left})"
            )


def _check_history(p):
    if not p.history:
        return
    if len(p.history) != p.turn:
        raise ValueError(
            f"the history has {counted(len(p.history), 'move')} and the turn is {p.turn}: give "
            "all moves, or "
            "none"
        )
    end = follow(p.variant, p.history)
    compared: list[tuple[str, Any, Any]] = [
        ("fireworks", p.fireworks, tuple(end.fireworks[: p.variant.colours].tolist())),
        ("tokens", p.tokens, int(end.tokens)),
        ("lives", p.lives, int(end.lives)),
        ("discards", tuple(sorted(p.discards)), tuple(discarded(end))),
    ]
    for what, here, there in compared:
        if here != there:
            text = {"fireworks": fireworks_text, "discards": pile_text}.get(what, str)
            raise ValueError(
                f"{what} {text(here) or 'none'} and the history disagree: it makes "
                f"{text(there) or 'none'}"
            )
    for turn, (event, true) in enumerate(zip(p.history, end.history)):
        if event != true:
            raise ValueError(
                f"history, turn {turn}: {event_text(event)} is written as a play that "
                f"{'fits' if event > true else 'does not fit'}"
            )
