"""Knowledge in rules against the readable model of worlds, and the laws of knowledge."""

import random
from collections import Counter

import pytest
from random_games import SMALL, STANDARD, others, sight_of, walks
from sizes import THOROUGH, tries

from hanabi.game import event_move
from hanabi.knowledge import questions as know
from hanabi.logic.evaluation import count_worlds, worlds
from hanabi.logic.logic_state import LogicState, deck
from hanabi.moves import card_text, is_tell, slot_of
from hanabi.view import critical

FRAGMENT = ("playable", "dead", "unreachable", "dispensable", "critical")


def formulas_of(rng, cards):
    """A property of one slot: an atom, or two of them with not, and, or.

    A function of a set-valued reading, and text.
    """

    def atom():
        if rng.random() < 0.15:
            card = rng.choice(cards)
            return f"card({{0}},{{1}},{card_text(card)})", lambda sets: 1 << card
        name = rng.choice(FRAGMENT)
        return f"{name}({{0}},{{1}})", lambda sets: sets[name]

    text, meaning = atom()
    shape = rng.random()
    if shape < 0.25:
        return f"~{text}", lambda sets: ~meaning(sets)
    if shape < 0.6:
        other, more = atom()
        if shape < 0.45:
            return f"({text} | {other})", lambda sets: meaning(sets) | more(sets)
        return f"(~{text} & ~{other})", lambda sets: ~meaning(sets) & ~more(sets)
    return text, meaning


@pytest.mark.parametrize("variant", SMALL, ids=str)
def test_kernels_are_the_readable_model(variant):
    """After every event of random games, hint, play, discard and draw: K_p, M_p of own slots, K_p
    K_b and K_p M_b of all pairs, C where it claims.
    """
    rng, truths, states, undrawn = random.Random(7), Counter(), 0, 0
    for table, view in after_every_event(walks(variant, tries(20), seed=5, wish=0.7)):
        position = readable(table, view, variant)
        if states >= (80 if THOROUGH else 50) or count_worlds(position) > 5_000:
            continue
        states += 1
        undrawn += len(position.slots()) < min(
            variant.players * variant.hand_size, position.pool.sum()
        )
        model, everybody = worlds(position), f"{{{','.join(map(str, range(variant.players)))}}}"
        (here,) = model.find(
            **{
                f"slot({a},{s})": card
                for a, row in enumerate(position.hands)
                for s, card in enumerate(row)
            }
        )
        sets = {
            name: sum(1 << card for card in range(30) if position.kinds[name][card])
            for name in FRAGMENT
        }
        assert (
            sets["playable"] == view.playable
            and sets["dead"] == view.dead
            and sets["critical"] == critical(view)
        )
        assert (sets["unreachable"] ^ view.useless & ~view.dead) & view.alive[
            0
        ] == 0  # of what still exists
        for me in range(variant.players):
            seen = as_seen_by(table, view, me)
            for seat, slot in position.slots():
                text, meaning = formulas_of(rng, sorted(set(variant.deck())))
                text, types = text.format(seat, slot), meaning(sets) & (1 << 30) - 1
                if seat == me:
                    claims = {
                        f"K{me} {text}": know.i_know(seen, types),
                        f"M{me} {text}": know.i_consider(seen, types),
                    }
                else:
                    claims = {
                        f"K{me} K{seat} {text}": know.they_know(seen, seat, types),
                        # p knows that b considers X possible: in no world of p's does b know not X
                        f"K{me} M{seat} {text}": (slot_mask(seen, seat, slot, types) << slot),
                    }
                claims |= {f"C{everybody} {text}": know.all_know(seen, seat, types)}
                for claim, slots in claims.items():
                    true, claimed = model.holds(claim, here), bool(slots >> slot & 1)
                    kind = claim[0] + (claim[3] if claim[0] == "K" and seat != me else "")
                    assert claimed == true or (kind == "C" and not claimed), (claim, position)
                    truths[kind, true] += 1
    assert states >= 50 and undrawn >= 10
    for kind in {kind for kind, _ in truths}:
        if kind != "C":
            share = truths[kind, True] / (truths[kind, True] + truths[kind, False])
            assert 0.1 <= share <= 0.9, (kind, share)


def after_every_event(states):
    """The states after whole turns, and before each the one after its play or discard, when the
    card is still to draw.
    """
    for table, view in states:
        event = int(view.history[view.turn - 1]) if view.turn else 0
        mover, move = (int(view.turn) - 1) % int(view.players), event_move(event)
        if view.turn and not is_tell(move) and view.filled[mover] >> slot_of(move) & 1:
            yield undo_draw(table, view, mover, slot_of(move))
        yield table, view


def undo_draw(table, view, seat, slot):
    """The two records with the card of a slot back in the deck, unseen by all."""
    table, view = table.copy(), view.copy()
    card = int(table.hands[seat, slot])
    for other in set(range(int(view.players))) - {seat}:  # the drawer did not see it anyway
        plane = next(plane for plane in range(3) if not int(table.unseen[plane, other]) >> card & 1)
        table.unseen[plane, other] |= 1 << card
    table.hands[seat, slot] = view.hands[seat, slot] = -1
    view.mask[seat, slot], view.deck = 0, view.deck + 1
    for bits in (view.filled, view.knows_colour, view.knows_rank, view.touched):
        bits[seat] &= ~(1 << slot)
    return table, view


def slot_mask(view, seat, slot, types):
    """K_me M_seat X(slot), from the kernel that counts the ways in which another knows: none in
    which it knows not X.
    """
    return sight_of(view).ways_knows(seat, slot, ~types & (1 << 30) - 1) == 0


def readable(table, view, variant):
    """The position as the readable model takes it; hands are all known to us."""
    discards = [
        sum((int(view.full[p]) >> card & 1) - (int(view.alive[p]) >> card & 1) for p in range(3))
        for card in range(30)
    ]
    width = variant.hand_size
    return LogicState(
        deck(variant.colours, variant.copies),
        view.fireworks[: variant.colours],
        discards,
        table.hands[: variant.players, :width],
        view.mask[: variant.players, :width],
        view.me,
    )


def as_seen_by(table, view, me):
    """The same state with another seat to move: knowledge does not depend on the turn."""
    seen = view.copy()
    seen.me, seen.asked = me, 0
    for seat in range(5):
        row = table.hands[seat] if seat != me else [-1] * 5
        seen.hands[seat] = row
        seen.held[seat] = sum({1 << int(card) for card in row if card >= 0})
    seen.unseen[:] = table.unseen[:, me]
    return seen


@pytest.mark.parametrize("variant", STANDARD, ids=lambda variant: str(variant.players))
def test_knowledge_is_true_introspective_and_grows_with_hints(variant):
    for turn, (table, view) in enumerate(walks(variant, 4, seed=9, wish=0.7)):
        if turn % 3 or view.left == 0:
            continue
        me = int(view.me)
        for slot in range(5):
            assert (
                not view.filled[me] >> slot & 1
                or know.my_types(view, slot) >> int(table.hands[me, slot]) & 1
            )  # T
        for seat in others(view):
            for slot in range(5):
                types = know.their_types(view, seat, slot)
                assert (
                    not view.filled[seat] >> slot & 1 or types >> int(view.hands[seat, slot]) & 1
                )  # T
                for hint in range(know.HINTS):
                    if know.hints_to(view, seat) >> hint & 1:
                        assert (
                            know.their_types_after_hint(view, seat, hint, slot) & ~types == 0
                        )  # monotone
            theirs = as_seen_by(table, view, seat)
            mine = int(view.playable)
            assert (
                know.they_know(view, seat, mine) & ~know.i_know(theirs, mine) == 0
            )  # K_me K_b X implies K_b X
            # positive introspection: what all know is known, and known to be known
            for player in others(view):
                assert know.all_know(view, player, mine) & ~know.they_know(view, player, mine) == 0


def test_levels_of_knowledge_are_steps():
    """By hints alone, by each card with what I see, by all cards together: each from the facts,
    each within the next, and each step is worth something somewhere.
    """
    more = Counter()
    for variant in [*SMALL, STANDARD[1]]:
        for _, view in walks(variant, 6, seed=21, wish=0.7):
            me, sight = int(view.me), sight_of(view)
            unseen = sum(1 << card for card, copies in enumerate(sight.pool) if copies)
            for types in (int(view.playable), int(view.useless), ~int(critical(view))):
                held = [slot for slot in range(variant.hand_size) if view.filled[me] >> slot & 1]
                known = [
                    int(know.i_know_at(view, level, types))
                    for level in (know.BY_HINTS, know.BY_CARD, know.JOINTLY)
                ]
                assert known[0] == sum(
                    1 << slot for slot in held if int(view.mask[me, slot]) & ~types == 0
                )
                assert known[1] == sum(
                    1 << slot for slot in held if int(view.mask[me, slot]) & unseen & ~types == 0
                )
                assert known[2] == know.i_know(view, types)
                assert known[0] & ~known[1] == 0 and known[1] & ~known[2] == 0
                more.update(step for step in (0, 1) if known[step] != known[step + 1])
    assert more[0] > 20 and more[1] > 5, more


@pytest.mark.parametrize("variant", SMALL[:3], ids=str)
def test_positive_introspection_in_the_model(variant):
    for turn, (table, view) in enumerate(walks(variant, 3, seed=2)):
        position = readable(table, view, variant)
        if turn % 4 == 0 and count_worlds(position) <= 3_000:
            model = worlds(position)
            for seat, slot in position.slots():
                assert model.truth(
                    f"K{seat} playable({seat},{slot}) -> K{seat} K{seat} playable({seat},{slot})"
                ).all()
