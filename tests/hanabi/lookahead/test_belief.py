"""What a seat believes of its hand, against all ways to lay cards and against games played again."""

import math

import numpy as np
import pytest
import slow_partners as partners
import slow_search as slow
from lookahead_positions import made_up, positions, prepared, seat
from scipy.stats import chisquare

from hanabi.lookahead.belief import (
    BEYOND,
    SPARE,
    _propose,
    _propose_card,
    draw_hand,
    fill_belief,
    sum_costs,
)
from hanabi.lookahead.look_ahead_player import LookAhead, Searcher
from hanabi.lookahead.race import prepare
from hanabi.lookahead.replay import trace_draws
from hanabi.lookahead.workspace import ASSUMED, FILTER, LITERAL, MISFIT
from hanabi.moves import TELL_COLOUR, copies_in, with_copy, without_copy
from hanabi.rules.agents import load
from hanabi.variant import read_variant

MINI = read_variant("mini").at(3)
COMPANY = [load("convention-2026").at(3)] * 3


def misfits(context, state, view):
    """Those of the true hand."""
    context.work.belief.hands[0], context.work.belief.first_changed = state.hands[view.me], 0
    return int(sum_costs(context.work, 0, 1000))


@pytest.mark.parametrize(
    "agent, variant",
    [
        ("convention-2026", "mini"),
        ("convention-2026", "standard"),
        ("convention-simple", "standard"),
        ("code", "standard"),
        ("mixed-situational-2018", "standard"),
        ("van-den-bergh", "standard"),
    ],
)
def test_the_true_hand_contradicts_no_move(agent, variant):
    """Partners who follow their lists did what these say of my true hand; were what they saw patched wrongly, they would not."""
    asked = found = 0
    for state, view in positions(agent, variant, games=1)[3::3]:
        context = prepared(view, agent, variant, rollouts=0)
        assert misfits(context, state, view) == 0
        asked += int(context.work.partner_moves.count)
        for k in range(
            context.work.partner_moves.count
        ):  # the fault: my cards stay among what the partner does not see
            planes = context.work.partner_views[k].unseen
            for slot in range(5):
                if (
                    context.work.own.filled >> slot & 1
                    and context.work.own.since[slot] <= context.work.partner_moves.turns[k]
                ):
                    planes[0], planes[1], planes[2] = with_copy(
                        1 << int(state.hands[view.me, slot]), *map(int, planes)
                    )
        found += misfits(context, state, view)
    assert asked > 20
    assert found or agent != "convention-2026"  # the test sees the fault


@pytest.mark.parametrize("agent", ["code", "convention"])
def test_marks_do_not_depend_on_the_guessed_hand(agent):
    """A game that is replayed with a guess in place of my hand ends with the marks that all know."""
    guesses = 0
    for state, view in positions(agent, "standard", games=2)[3::2]:
        context = prepared(view, agent, "standard", rollouts=0)
        work = context.work
        guess, now = work.records.state.hands[view.me], work.records.now
        guesses += int((guess != state.hands[view.me]).any())
        for name in ("promised", "assumed", "plays"):
            assert np.array_equal(now.marks[0][name], view.marks[0][name]), (view.turn, name)
    assert guesses > 20


def test_drawn_hands_are_equally_likely_ways():
    """Each way to lay physical cards that hints allow is as likely as any other."""
    _, view = positions(games=1)[9]
    context = prepared(view, rollouts=0)
    slots, ways = slow.hands_of(view, view.mask[view.me])
    drawn, many = dict.fromkeys(ways, 0), 3000
    for _ in range(many):
        assert draw_hand(context.work, LITERAL, 1)
        drawn[tuple(int(context.work.belief.hands[1, slot]) for slot in slots)] += 1
    share = many / sum(ways.values())
    assert fits([drawn[hand] for hand in ways], [share * ways[hand] for hand in ways])
    uneven = {hand: 1 for hand in ways}  # the fault: kinds of hands for ways
    assert not fits([drawn[hand] for hand in ways], [many / len(uneven)] * len(ways))


def fits(found, expected):
    """χ² over cells of at least five."""
    cells = sorted(zip(expected, found))
    merged = [[0.0, 0]]
    for want, have in cells:
        merged[-1][0] += want
        merged[-1][1] += have
        if merged[-1][0] >= 5:
            merged.append([0.0, 0])
    if merged[-1][0] < 5 and len(merged) > 1:
        want, have = merged.pop()
        merged[-1][0] += want
        merged[-1][1] += have
    want, have = np.array(merged).T
    return chisquare(have, want * have.sum() / want.sum()).pvalue > 1e-4


def weighed(view, state, context):
    """By hand: the number of ways, and what two misfits per move cost that does not fit, by games played again."""
    slots, ways = slow.hands_of(view, view.mask[view.me])
    wholes = {
        hand: [hand[slots.index(slot)] if slot in slots else -1 for slot in range(5)]
        for hand in ways
    }
    return {
        tuple(whole): (ways[hand], 2 * MISFIT * slow.misfits(COMPANY, MINI, state, view, whole))
        for hand, whole in wholes.items()
    }


def shares(weights):
    total = sum(weights.values())
    return {hand: weight / total for hand, weight in weights.items()}


@pytest.mark.parametrize("place", [7, 10])
def test_listed_hands_and_particles_have_their_weights(place):
    """All hands one by one, and particles after many steps, have the weights that slow games give them."""
    state, view = positions(games=1)[place]
    context = prepared(view, rollouts=0, doubt=0.9, steps=100, particles=256)
    known, work = weighed(view, state, context), context.work
    best = min(costs for _, costs in known.values())
    want = shares(
        {
            hand: ways * math.exp(-work.settings.unit * costs)
            for hand, (ways, costs) in known.items()
        }
    )
    near = shares({hand: want[hand] * (known[hand][1] <= best + BEYOND) for hand in want})
    work.settings.level = FILTER
    assert fill_belief(work) == len(want) > 10 and work.belief.is_exact
    for row in range(work.belief.count):
        assert work.belief.weights[row] / work.belief.total == pytest.approx(
            near[tuple(work.belief.hands[row].tolist())]
        )
    work.settings.most_listed = 0
    assert fill_belief(work) == 256 and not work.belief.is_exact
    found = dict.fromkeys(want, 0)
    for row in range(256):
        found[tuple(work.belief.hands[row].tolist())] += 1
    assert fits([found[hand] for hand in want], [256 * want[hand] for hand in want])
    alone = shares({hand: ways for hand, (ways, _) in known.items()})  # the fault: hints alone
    assert not fits([found[hand] for hand in want], [256 * alone[hand] for hand in want])


def drawn_often(context, steps, times=10):
    """How often each hand is a particle, over some streams of words."""
    found, context.work.settings.most_listed, context.work.settings.steps = {}, 0, steps
    for number in range(times):
        context.work.belief.counter = np.uint64(1000 * number + 7)
        for row in range(fill_belief(context.work)):
            hand = tuple(context.work.belief.hands[row].tolist())
            found[hand] = found.get(hand, 0) + 1
    return found


def assumed_rows(work, rows):
    """By row, whether its hand is one that marks assume."""
    masks, hands = work.own.masks[ASSUMED].tolist(), work.belief.hands.tolist()
    slots = [slot for slot in range(5) if work.own.filled >> slot & 1]
    return [all(masks[slot] >> hands[row][slot] & 1 for slot in slots) for row in rows]


@pytest.mark.parametrize("place", [5, 22])
def test_importance_weights_make_up_for_proposals_that_marks_assume(place):
    """Half of the proposals are drawn from what marks assume: without weights they would be too many."""
    _, view = positions(games=2)[place]
    work = prepared(view, rollouts=0, particles=256).work
    slots, ways = slow.hands_of(view, view.mask[view.me])
    share = sum(
        count
        for hand, count in ways.items()
        if all(int(work.own.masks[ASSUMED, slot]) >> card & 1 for slot, card in zip(slots, hand))
    ) / sum(ways.values())
    _propose(work)
    rows = range(256, 1280)
    assumed = np.array(assumed_rows(work, rows))
    weights = work.belief.weights[256:1280]
    assert weights[assumed].sum() / weights.sum() == pytest.approx(share, abs=0.06)
    assert assumed.mean() > share + 0.12, "weights that make no difference are not tested"


def test_a_proposed_card_is_weighed_by_how_often_it_is_proposed():
    """The Metropolis ratio of a change and that of the way back multiply to 1, and are not all 1."""
    _, view = positions(games=2)[22]
    work = prepared(view, rollouts=0, particles=4).work
    ratios, own = set(), work.own
    for _ in range(200):
        assert draw_hand(work, LITERAL, 0)
        work.belief.hands[SPARE] = work.belief.hands[0]
        ratio = _propose_card(work, 0)
        before, after = work.belief.hands[0].tolist(), work.belief.hands[SPARE].tolist()
        changed = [slot for slot in range(5) if before[slot] != after[slot]]
        assert len(changed) == (ratio > 0)
        for slot in changed:
            pool = tuple(own.pool.tolist())
            for other, card in enumerate(before):
                if other != slot and card >= 0:
                    pool = without_copy(1 << card, *pool)
            sizes = [copies_in(int(own.masks[level, slot]), *pool) for level in (LITERAL, ASSUMED)]

            def chance(card, slot=slot, sizes=sizes):
                is_assumed = int(own.masks[ASSUMED, slot]) >> card & 1
                if not sizes[1]:
                    return 1 / sizes[0]
                return (1 / sizes[0] + is_assumed / sizes[1]) / 2

            assert ratio == pytest.approx(chance(before[slot]) / chance(after[slot]))
            ratios.add(round(ratio, 6))
    assert len(ratios) > 2 and min(ratios) < 1 < max(ratios)


def test_the_first_hint_of_all_moves_no_card():
    """The lowest hint stands next to the highest discard: no slot of its target is drawn anew."""
    view = positions()[0][1].copy()
    work = seat(view, rollouts=0).context.work
    view.turn, view.me, view.history[0] = 1, 0, TELL_COLOUR
    trace_draws(view, work)
    assert not work.own.since.any()
    assert work.own.places[:3].ravel().tolist() == [
        player * view.hand_size + slot for player in range(3) for slot in range(5)
    ]


@pytest.mark.parametrize("place", [5, 11, 22])
def test_particles_are_not_drawn_to_what_marks_assume(place):
    """Half of the proposals follow what the marks assume. The importance weights and the Metropolis ratio correct this: where no
    move counts, a particle is a hand by its number of ways."""
    _, view = positions(games=2)[place]
    context = prepared(view, rollouts=0, particles=256)
    work = context.work
    slots, ways = slow.hands_of(view, view.mask[view.me])
    assert any(work.own.masks[ASSUMED, slot] != work.own.masks[LITERAL, slot] for slot in slots), (
        "a test where they are equal cannot fail"
    )
    wholes = {
        tuple(hand[slots.index(slot)] if slot in slots else -1 for slot in range(5)): count
        for hand, count in ways.items()
    }
    assumed = {
        hand
        for hand in wholes
        if all(int(work.own.masks[ASSUMED, slot]) >> hand[slot] & 1 for slot in slots)
    }
    work.settings.level, work.partner_moves.count, want = FILTER, 0, shares(wholes)
    proposed, moved = (drawn_often(context, steps) for steps in (0, 100))
    assert set(proposed) | set(moved) <= set(want)
    share = sum(want[hand] for hand in assumed)
    assert (
        sum(proposed.get(hand, 0) for hand in assumed) / 2560 == pytest.approx(share, abs=0.05)
        and share < 0.6
    )
    assert fits([moved.get(hand, 0) for hand in want], [2560 * want[hand] for hand in want])


def test_moves_made_by_chance_count_by_their_chance():
    """What one says who hints at a playable card, if there is one: hands that make it likelier weigh more, those that forbid it hardly
    count."""
    company, told = [load("internal").at(3)] * 3, 0
    for state, view in positions("internal", "mini", games=1)[7:13:3]:
        context = prepared(view, "internal", rollouts=0)
        work, (slots, ways) = context.work, slow.hands_of(view, view.mask[view.me])
        work.settings.level = FILTER
        assert fill_belief(work) == len(ways) and work.belief.is_exact
        costs, distinct_names = {}, set()
        for hand in ways:
            whole = [hand[slots.index(slot)] if slot in slots else -1 for slot in range(5)]
            chances = partners.chances(company, MINI, state, view, whole)
            costs[hand] = sum(
                min(2 * MISFIT, round(-math.log(max(chance, 1e-300)) / work.settings.unit))
                for chance in chances
            )
            distinct_names.add(round(math.prod(chances), 9))
        kept = {
            hand: ways[hand] * (cost <= min(costs.values()) + BEYOND)
            for hand, cost in costs.items()
        }
        want = shares(
            {
                hand: kept[hand] * math.exp(-work.settings.unit * cost)
                for hand, cost in costs.items()
            }
        )
        for row in range(work.belief.count):
            hand = tuple(int(work.belief.hands[row, slot]) for slot in slots)
            assert work.belief.weights[row] / work.belief.total == pytest.approx(want[hand])
        told += len(distinct_names) > 2
    assert told  # the fault: all moves of a kind are as good as any other


def test_a_searching_partner_is_doubted_less_for_its_hints_than_for_its_plays():
    """Its list's plays it makes where it searches none, so a play that does not fit counts double there."""
    _, view = positions(games=1)[12]
    context, _, _ = made_up(view, rollouts=0)
    assert (
        set(context.work.partner_moves.soft_costs[: context.work.partner_moves.count])
        == set(context.work.partner_moves.hard_costs[: context.work.partner_moves.count])
        == {2 * MISFIT}
    )
    for plays in (0, 90):
        player = Searcher(COMPANY[0], LookAhead(rollouts=10, plays=plays))
        sitting = player.join(MINI, int(view.me), (player,) * 3)
        prepare(view, 1, sitting.context.work)
        work = sitting.context.work
        assert set(work.partner_moves.soft_costs[: work.partner_moves.count]) == {MISFIT} and set(
            work.partner_moves.hard_costs[: work.partner_moves.count]
        ) == {MISFIT if plays else 2 * MISFIT}


def test_moves_where_a_partner_searched_are_doubted_up_to_the_very_card():
    """With as many cards in the deck as it searches with, it searched; with one more it followed its list."""
    _, view = positions(games=1)[14]
    context = prepared(view, rollouts=0)
    decks = {
        int(context.work.partner_views[k].deck) for k in range(context.work.partner_moves.count)
    }
    assert len(decks) > 3
    for late in (-1, *decks):
        for plays in (0, *decks):
            context.work.settings.search_deck[:], context.work.settings.play_deck[:] = late, plays
            prepare(view, 1, context.work)
            for k in range(context.work.partner_moves.count):
                searched, freely = (
                    int(context.work.partner_views[k].deck) <= late,
                    int(context.work.partner_views[k].deck) <= plays,
                )
                assert context.work.partner_moves.soft_costs[k] == (
                    MISFIT if searched else 2 * MISFIT
                )
                assert context.work.partner_moves.hard_costs[k] == (
                    MISFIT if searched and freely else 2 * MISFIT
                )
