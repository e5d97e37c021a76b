"""The epistemic rules keep their promises, and the agents that ask about knowledge play as they
should.
"""

import os
import subprocess
import sys

import pytest
from paths import PATIENCE, ROOT
from random_games import STANDARD, kinds_of, others, sight_of, walks

from hanabi.knowledge import questions as know
from hanabi.moves import (
    NOTHING,
    is_discard,
    is_tell,
    slot_of,
    target_of,
    told_colour_of,
    told_rank_of,
)
from hanabi.rulebook import BOOK, FAMILIES, Rule, find
from hanabi.rules.agents import load, rules
from hanabi.table import Table, game_seeds
from hanabi.variant import NAMED
from hanabi.view import critical


# --- a promise of every rule
@pytest.fixture(scope="module")
def decisions():
    """(view, true own hand, [(rule, move)]) of many states.

    The epistemic rules over a sample of random games.
    """
    found, entries = [], rules("epistemic")
    for variant in STANDARD:
        for turn, (table, view) in enumerate(walks(variant, 6, seed=13, wish=0.5)):
            if turn % 6 == 0 or view.deck == 0 and turn % 2:
                view.asked = 0
                moves = [(entry, entry(view)) for entry in entries]
                moves = [made for made in moves if made[1] != NOTHING]
                found.append((view.copy(), table.hands[view.me].tolist(), moves))
    return found


def made(decisions, family):
    """(view, hand, the rule's values, its move) wherever a rule of a family moves.

    It does so somewhere.
    """
    moves = [
        (view, hand, entry.settings, move)
        for view, hand, moves in decisions
        for entry, move in moves
        if entry.family.name == f"epistemic.{family}"
    ]
    assert len(moves) >= 5, f"{family} moves in {len(moves)} of the states"
    return moves


def told(view, move):
    """(seat, hint) of a hint."""
    assert is_tell(move)
    seat = target_of(move)
    return seat, told_colour_of(move) if told_colour_of(move) >= 0 else told_rank_of(move) + 5


def knows_of(view, seat, types, hint=None):
    """Slots from the slow twin: K_me K_seat, after a hint."""
    sight = sight_of(view)
    sets = sight.considers(seat) if hint is None else sight.after_hint(seat, hint)
    return {slot for slot, mask in enumerate(sets) if mask and mask & ~int(types) == 0}


def test_rule_1_play_known_never_fails(decisions):
    for view, hand, values, move in made(decisions, "play_known"):
        slot = slot_of(move)
        assert view.playable >> hand[slot] & 1
        known = [
            s
            for s, mask in enumerate(sight_of(view).possible())
            if mask and mask & ~int(view.playable) == 0
        ]
        assert slot in known
        if values["order"] == 0 and values["level"] == know.JOINTLY:
            assert view.born[view.me, slot] == min(view.born[view.me, s] for s in known)


def test_rule_2_and_3_play_only_above_their_chance(decisions):
    for family in ("play_likely", "play_at_end"):
        for view, _, values, move in made(decisions, family):
            sight = sight_of(view)
            ways, total = sight.weigh(int(view.playable)), sight.total()
            assert (
                ways[slot_of(move)] == max(ways) > 0
                and ways[slot_of(move)] / total >= values["chance"]
            )
            if family == "play_likely":
                assert view.lives > values["lives"]
            else:
                assert view.deck <= values["deck"] and view.lives > 1


def test_rule_4_and_5_make_cards_known(decisions):
    for family in ("tell_to_know", "tell_who_waits"):
        for view, _, values, move in made(decisions, family):
            seat, hint = told(view, move)
            before = knows_of(view, seat, view.playable)
            after = knows_of(view, seat, view.playable, hint)
            assert before <= after
            assert len({int(view.hands[seat, slot]) for slot in after - before}) >= values["gain"]
            if family == "tell_who_waits":
                assert not before
                assert values["whom"] or seat == (view.me + 1) % view.players


def test_rule_4_finds_the_most(decisions):
    """No other hint makes more types known that nobody knew of."""
    for view, _, values, move in made(decisions, "tell_to_know")[::3]:
        gains = {}
        for seat in others(view):
            for hint in sight_of(view).after_hints(seat):
                gains[seat, hint] = new_types(view, seat, hint)
        assert gains[told(view, move)] == max(gains.values()) >= values["gain"]


def new_types(view, seat, hint):
    spoken = {
        int(view.hands[other, slot])
        for other in others(view)
        for slot in knows_of(view, other, view.playable)
    }
    spoken |= {
        mask.bit_length() - 1
        for mask in sight_of(view).possible()
        if mask.bit_count() == 1 and mask & int(view.playable)
    }
    return len(
        {int(view.hands[seat, slot]) for slot in knows_of(view, seat, view.playable, hint)} - spoken
    )


def test_rule_6_raises_hopes_that_are_true(decisions):
    for view, _, values, move in made(decisions, "tell_hopeful"):

        def value(seat, hint, view=view, values=values):
            likely = know.shared_chance_exceeds(view, seat, hint, values["chance"])
            slots = [s for s in range(5) if likely >> s & 1]
            right = sum(int(view.playable) >> int(view.hands[seat, s]) & 1 for s in slots)
            return right - values["loss"] * (len(slots) - right)

        view.asked, best = 0, 0
        for seat in others(view):
            for hint in sight_of(view).after_hints(seat):
                best = max(best, value(seat, hint) - value(seat, know.NOW))
        seat, hint = told(view, move)
        assert value(seat, hint) - value(seat, know.NOW) == pytest.approx(best) and best > 0


def test_rule_7_and_14_and_16_tell_something_new(decisions):
    for family in ("tell_unknown", "tell_most", "tell_no_false_hope"):
        for view, _, values, move in made(decisions, family)[::4]:
            seat, hint = told(view, move)
            assert sight_of(view).after_hint(seat, hint) != sight_of(view).considers(seat)
            if family == "tell_unknown" and values["about"] < 2:
                wanted = (int(view.playable), int(critical(view)))[values["about"]]
                assert any(wanted >> int(card) & 1 for card in view.hands[seat] if card >= 0)
            if family == "tell_most":
                assert view.tokens >= values["tokens"]


def test_rule_16_leaves_no_false_hope(decisions):
    for view, _, values, move in made(decisions, "tell_no_false_hope"):
        seat, hint = told(view, move)
        view.asked = 0
        for slot in range(5):
            if know.shared_chance_exceeds(view, seat, hint, values["chance"]) >> slot & 1:
                assert view.playable >> view.hands[seat, slot] & 1


def test_rule_8_saves(decisions):
    for view, _, values, move in made(decisions, "tell_to_save"):
        seat, hint = told(view, move)
        safe = ~int(critical(view)) & (1 << 30) - 1
        assert not knows_of(view, seat, view.playable) | knows_of(view, seat, safe)
        after = knows_of(view, seat, view.playable, hint) | knows_of(view, seat, safe, hint)
        assert after or any(
            critical(view) >> int(view.hands[seat, slot]) & 1
            for slot in knows_of(view, seat, critical(view), hint)
        )
        assert values["everybody"] or seat == (view.me + 1) % view.players


def test_rule_9_and_10_discard_what_is_not_missed(decisions):
    for view, hand, values, move in made(decisions, "discard_useless"):
        assert (
            is_discard(move)
            and view.useless >> hand[slot_of(move)] & 1
            and view.tokens < values["tokens"]
        )
    for view, hand, values, move in made(decisions, "discard_dispensable"):
        assert not critical(view) >> hand[slot_of(move)] & 1 and view.tokens < values["tokens"]
    for view, hand, values, move in made(decisions, "discard_duplicate"):
        assert hand[slot_of(move)] in view.hands and view.tokens < values["tokens"]


def test_rule_11_takes_the_least_risk(decisions):
    for view, _, values, move in made(decisions, "discard_least_risky"):
        rows, total = sight_of(view).weights(*kinds_of(view))
        risk = [c / total for c in rows[know.CRITICAL]]
        assert view.tokens == 0 or risk[slot_of(move)] <= values["risk"]
        if values["age"] == 0:
            value = [
                r - values["useless"] * u / total
                for r, u in zip(risk, rows[know.USELESS], strict=True)
            ]
            held = [s for s in range(len(value)) if view.filled[view.me] >> s & 1]
            assert value[slot_of(move)] <= min(value[s] for s in held) + 1e-9


def test_rule_12_plays_what_all_expect(decisions):
    for view, hand, _values, move in made(decisions, "play_common"):
        assert view.playable >> hand[slot_of(move)] & 1
        sets = sight_of(view).common().sets[view.me]
        assert sets[slot_of(move)] & ~int(view.playable) == 0


def test_rule_13_waits_for_those_who_can_move(decisions):
    for view, _, values, move in made(decisions, "discard_and_wait"):
        safe = ~int(critical(view)) & (1 << 30) - 1
        able = [
            seat
            for seat in others(view)
            if knows_of(view, seat, view.playable) | knows_of(view, seat, safe)
        ]
        rows, total = sight_of(view).weights(*kinds_of(view))
        assert is_discard(move) and rows[know.CRITICAL][slot_of(move)] / total <= 0.05
        if values["whom"] == 0:
            assert (view.me + 1) % view.players in able
        elif values["whom"] == 1:
            assert len(able) == view.players - 1
        else:
            assert any(knows_of(view, seat, view.playable) for seat in others(view))


def test_rule_15_tells_useless_cards(decisions):
    for view, _, values, move in made(decisions, "tell_useless"):
        seat, hint = told(view, move)
        assert not knows_of(view, seat, view.useless) and 0 < view.tokens <= values["tokens"]
        assert len(knows_of(view, seat, view.useless, hint)) >= values["gain"]


def test_all_sixteen_rules_are_there_and_read_back():
    families = {name for name in FAMILIES if name.startswith("epistemic.")}
    assert len(families) == 17  # discard_duplicate is a variant of rule 10
    assert {entry.family.name for entry in rules("epistemic")} == families and len(
        rules("epistemic")
    ) <= 100
    for entry in rules("epistemic"):
        assert isinstance(entry, Rule) and find(entry.name) == entry == BOOK[entry.name]
        assert "|" not in entry.says and "{" not in entry.says and entry.says.endswith("."), (
            entry.says
        )


# --- agents
def mean_score(name, players, games, variant="standard"):
    seated = NAMED[variant].at(players)
    return (
        Table(seated, [load(name).at(players)])
        .play(game_seeds(11, games), [0] * players)["score"]
        .mean()
    )


@pytest.mark.parametrize("players", (2, 3))
def test_the_epistemic_agent_plays_well(players):
    assert mean_score("epistemic", players, 1_000) > 18.9  # 19.4 and 19.9 over 5,000 games


def test_irvall_and_mas_play():
    for players in (2, 3, 4, 5):
        assert 6 < mean_score("irvall-literal", players, 300) < 9
    assert 7.2 < mean_score("mas", 3, 300, "mini") < 8


def test_plain_python_moves_the_same():
    """One game by each agent in a process with HANABI_PLAIN=1, to the last move."""
    code = (
        "from hanabi import play_one; from hanabi.variant import NAMED\n"
        "from hanabi.rules import load\n"
        "for name, variant, players in (('epistemic', 'standard', 2), ('irvall', 'irvall', 3),\n"
        "                               ('mas', 'mini', 3)):\n"
        "    variant, seats = NAMED[variant].at(players), [0] * players\n"
        "    print(play_one(variant, [load(name).at(players)], seats, 4).moves)"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"HANABI_PLAIN": plain},
            text=True,
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        for plain in "01"
    ]
    machine, plain = (run.communicate(timeout=PATIENCE)[0] for run in runs)
    assert machine == plain and machine.count("\n") == 3
