"""Hanabi as event models: positions rebuilt after every move, deck orders as worlds, and the
brute-force oracle.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np
import pytest
from event_models import Action, Event, discard, draw, play, tell, update
from oracle import position_of, records, types_of
from sizes import tries

from hanabi.logic.evaluation import LIMIT, count_worlds, worlds
from hanabi.logic.formulas import Atom
from hanabi.logic.kripke import seeing
from hanabi.logic.logic_state import LogicState, deck, start
from hanabi.moves import COLOURS, read_card

MINI = deck(3, (3, 2, 1))


# Random legal play


def deal(players, size, copies, rng):
    """A shuffled deck and the position after the deal; slots fill in the order of the deck."""
    cards = [card for card, count in enumerate(copies) for _ in range(count)]
    rng.shuffle(cards)
    return cards, start(
        players, size, copies, [cards[seat * size : seat * size + size] for seat in range(players)]
    )


def random_moves(position, cards, rng, moves):
    """Legal moves as (what, arguments), chosen at random; tokens and lives are left out, they
    limit nothing here.

    Yields each move and is sent the position after it.
    """
    dealt, seat = len(position.slots()), 0
    for _ in range(moves):
        own, others = (
            position.slots([seat]),
            [s for s in range(position.players) if s != seat and position.slots([s])],
        )
        if others and (not own or rng.random() < 0.5):
            target = rng.choice(others)
            card = rng.choice(
                [position.hands[target][slot] for _, slot in position.slots([target])]
            )
            position = yield tell, (target, rng.choice([COLOURS[card // 5], str(card % 5 + 1)]))
        elif own:
            slot = rng.choice(own)
            position = yield rng.choice([play, discard]), slot
            if dealt < len(cards):
                position = yield draw, (*slot, cards[dealt])
                dealt += 1
        seat = (seat + 1) % position.players


def playing(position, cards, rng, moves, model):
    """The model after each random move."""
    chooser = random_moves(position, cards, rng, moves)
    move = next(chooser, None)
    while move:
        model = move[0](model, *move[1])
        yield move, model
        try:
            move = chooser.send(model.meaning)
        except StopIteration:
            return


def same(one, other):
    """Are two models the same worlds with the same indistinguishability?

    The order of worlds does not matter.
    """
    assert one.agents == other.agents and one.facts.keys() == other.facts.keys()
    if len(one) != len(other):
        return False
    rows = [np.array([model.facts[name] for name in one.facts]) for model in (one, other)]
    orders = [np.lexsort(table) for table in rows]
    if not (rows[0][:, orders[0]] == rows[1][:, orders[1]]).all():
        return False
    for a, b in zip(one.labels[:, orders[0]], other.labels[:, orders[1]]):
        pairs = len(set(zip(a.tolist(), b.tolist())))
        if not pairs == a.max() + 1 == b.max() + 1:
            return False
    return len(np.unique(rows[0], axis=1).T) == len(one)


GAMES = [
    (2, 2, MINI),
    (2, 2, deck(2, (2, 2, 1))),
    (3, 2, deck(2, (3, 1, 1))),
    (3, 1, deck(3, (2, 1))),
    (2, 3, deck(2, (3, 2, 1))),
    (4, 1, deck(2, (2, 1, 1, 1))),
    (2, 3, deck(3, (1, 1, 1))),
]


@pytest.mark.parametrize("players, size, copies", GAMES)
def test_rebuilt_position_is_the_updated_model(players, size, copies):
    """The representation theorem, event by event: worlds(position after) = event(worlds(position
    before)).
    """
    kinds = Counter()
    for seed in range(tries(8)):
        rng = random.Random(seed)
        cards, position = deal(players, size, copies, rng)
        for (move, _), model in playing(position, cards, rng, 14, worlds(position)):
            rebuilt = worlds(model.meaning)
            assert same(model, rebuilt) and len(model) == count_worlds(model.meaning), (
                seed,
                move,
                model.meaning,
            )
            kinds[move] += 1
    assert all(kinds[move] >= 3 for move in (tell, draw)) and kinds[play] + kinds[discard] >= 6


@pytest.mark.parametrize("players, size, copies", [game for game in GAMES if game[0] > 2])
def test_models_of_some_seats(players, size, copies):
    """The same for models of one or two seats; and they agree with the full model on what those
    seats know.
    """
    for seed in range(3):
        rng = random.Random(seed)
        cards, position = deal(players, size, copies, rng)
        seats = (0, 2)
        part = worlds(position, seats)
        for (move, where), model in playing(position, cards, rng, 12, worlds(position)):
            part = move(part, *where)
            assert same(part, worlds(model.meaning, seats))
            true = truly(model.meaning)
            (here,), (there,) = model.find(**true), part.find(**true)
            for text in (
                "K0 playable(0,0)",
                "K0 K2 playable(2,0)",
                "K2 M0 critical(0,0)",
                "K0 duplicate(0,0)",
                "C{0,2} ~dead(2,0)",
                "D{0,2} useless(0,0)",
                "M2 K0 card(0,0,R1)",
                "K0 left(R1)",
            ):
                assert model.holds(text, here) == part.holds(text, there), text


def truly(position):
    """The true hands, as columns of facts."""
    return {
        f"slot({a},{s})": card for a, row in enumerate(position.hands) for s, card in enumerate(row)
    }


# Deck orders as worlds


@dataclass(frozen=True)
class Orders(LogicState):
    """A position whose worlds also hold the whole order of the deck; top(R3): the next card to
    draw is an R3.
    """

    drawn: int = 0

    def truth(self, facts, atom):
        if atom.name == "top":
            return facts[f"deck({self.drawn})"] == read_card(atom.args[0])
        return super().truth(facts, atom)


def draw_from_the_order(model, seat, slot, card):
    """Drawing as it is: the next card of the deck; only the drawer does not see it."""
    position, kinds = model.meaning, [c for c, count in enumerate(model.meaning.copies) if count]
    events = [
        Event("e", Atom("top", (f"{COLOURS[c // 5]}{c % 5 + 1}",)), {f"slot({seat},{slot})": c})
        for c in kinds
    ]
    rows = {agent: tuple(c * (agent != seat) for c in kinds) for agent in model.agents}
    after = update(model, Action(tuple(events), rows))
    return replace(
        after, meaning=replace(position.after_draw(seat, slot, card), drawn=position.drawn + 1)
    )


@pytest.mark.parametrize(
    "players, size, copies",
    [
        (2, 2, deck(2, (2, 1))),
        (2, 1, deck(2, (2, 1))),
        (3, 1, deck(2, (2, 1))),
        (2, 2, deck(1, (3, 2, 1))),
        (2, 2, deck(3, (2, 0, 0))),
        (3, 2, deck(2, (2, 1, 1))),
    ],
)
def test_deck_orders_as_worlds(players, size, copies):
    """Why hands suffice: the true model, with deck orders as worlds, seen through the hands is
    worlds(position).
    """
    for seed in range(3):
        rng = random.Random(seed)
        cards, position = deal(players, size, copies, rng)
        orders = np.array(sorted(set(permutations(cards))), np.int8).T
        facts = {f"deck({i})": column for i, column in enumerate(orders)}
        facts |= {f"slot({i // size},{i % size})": orders[i] for i in range(players * size)}
        sees = {
            a: [f"slot({b},{s})" for b in range(players) if b != a for s in range(size)]
            for a in range(players)
        }
        base = Orders(
            *(getattr(position, n) for n in ("copies", "fireworks", "discards", "hands", "masks")),
            drawn=players * size,
        )
        model = seeing(facts, sees, base)
        chooser = random_moves(position, cards, rng, 8)
        move, where = next(chooser)
        while True:
            model = (draw_from_the_order if move is draw else move)(model, *where)
            position = model.meaning
            rebuilt = worlds(position)
            index = {
                hand: i
                for i, hand in enumerate(
                    zip(*(rebuilt.facts[name].tolist() for name in rebuilt.facts))
                )
            }
            hands = [
                index[hand] for hand in zip(*(model.facts[name].tolist() for name in rebuilt.facts))
            ]
            assert set(hands) == set(range(len(rebuilt)))
            for mine, theirs in zip(model.labels, rebuilt.labels[:, hands]):
                assert (
                    len(set(zip(mine.tolist(), theirs.tolist())))
                    == mine.max() + 1
                    == theirs.max() + 1
                )
            try:
                move, where = chooser.send(position)
            except StopIteration:
                break


# The oracle

NAMES = {
    "play": "playable",
    "dead": "dead",
    "unreach": "unreachable",
    "disp": "dispensable",
    "crit": "critical",
    "dup": "duplicate",
}


def weights(model, pool, seat):
    """For each world, the ways to pick a seat's hand from a pool of physical cards."""
    left = np.repeat(np.array([pool]), len(model), axis=0)
    total = np.ones(len(model), np.int64)
    for _, slot in model.meaning.slots([seat]):
        here = np.arange(len(model)), model.facts[f"slot({seat},{slot})"]
        total *= left[here]
        left[here] -= 1
    return total


def possible(column):
    return sorted(set(column.tolist()))


def check_record(record):
    """Compare every answer of a record; returns how many.

    The worlds of the readable model give all of them.
    """
    position, p, ours, answers = (
        position_of(record),
        record["active"],
        types_of(record),
        record["ans"],
    )
    done, true = 0, truly(position)

    def equal(mine, theirs, *what):
        nonlocal done
        assert mine == theirs, (record["id"], *what)
        done += 1

    pool = position.pool.copy()
    for seat, slot in position.slots(set(range(position.players)) - {p}):
        pool[position.hands[seat][slot]] -= 1
    model = worlds(position, [p])
    weight = weights(model, pool, p)
    equal(len(model), answers["worlds"], "worlds")
    hands = zip(*(model.facts[f"slot({p},{slot})"].tolist() for _, slot in position.slots([p])))
    equal(len({tuple(sorted(hand)) for hand in hands}), answers["multisets"], "multisets")
    equal(int(weight.sum()), answers["den"], "den")
    (here,) = model.find(**true)
    for slot, own in enumerate(answers["own"]):
        column = model.facts[f"slot({p},{slot})"]
        equal(
            [[c, int(weight[column == c].sum())] for c in possible(column)],
            sorted([ours[c], n] for c, n in own["counts"]),
            "own",
            slot,
        )
        for short, name in NAMES.items():
            where = model.truth(f"{name}({p},{slot})")
            equal(int(weight[where].sum()), own[short], "own", slot, name)
            equal(
                model.holds(f"K{p} {name}({p},{slot})", here),
                own[short] == answers["den"],
                "K",
                slot,
                name,
            )
    for other in answers["others"]:
        b = other["b"]
        model = worlds(position, [p, b])
        (here,) = model.find(**true)
        mine = model.alike(p, here)
        weight = weights(model, pool, p)[mine]
        equal(len(model.alike(b, here)), other["worlds_true"], b)
        for slot, said in enumerate(other["slots"]):
            column, held = model.facts[f"slot({b},{slot})"], position.hands[b][slot]
            equal(
                possible(column[model.alike(b, here)]),
                sorted(ours[c] for c in said["b_poss"]),
                b,
                slot,
                "b_poss",
            )
            reach = np.isin(
                model.labels[model.agents.index(b)], model.labels[model.agents.index(b)][mine]
            )
            equal(
                possible(column[reach]),
                sorted(ours[c] for c in said["kpkb_poss"]),
                b,
                slot,
                "kpkb_poss",
            )
            texts = {short: f"{name}({b},{slot})" for short, name in NAMES.items()}
            texts["card"] = f"card({b},{slot},{COLOURS[held // 5]}{held % 5 + 1})"
            for short, text in texts.items():
                known = model.truth(f"K{b} {text}")
                equal(bool(known[here]), short in said["b_knows"], b, slot, text)
                equal(model.holds(f"K{p} K{b} {text}", here), short in said["kpkb"], b, slot, text)
                partly = int(weight[known[mine]].sum())
                equal(
                    partly if 0 < partly < answers["den"] else None,
                    said["pkb"].get(short),
                    b,
                    slot,
                    text,
                )
    if "common" in record:
        common, model = record["common"], worlds(position)
        component = model.components(range(position.players))
        inside = component == component[model.find(**true)[0]]
        equal(len(model), common["joint_worlds"], "joint")
        equal(int(inside.sum()), common["ck_worlds"], "common")
        for seat, slot in position.slots():
            column = model.facts[f"slot({seat},{slot})"]
            for name, cards in (("pub_poss", column), ("ck_poss", column[inside])):
                equal(
                    possible(cards),
                    sorted(ours[c] for c in common[name][seat][slot]),
                    name,
                    seat,
                    slot,
                )
    return done


def test_the_oracle():
    """Every answer of the golden records, exactly (or of the file that KRIPKE_ORACLE names, as far
    as it is small).
    """
    compared, answers, skipped = Counter(), 0, 0
    for record in records():
        position, p = position_of(record), record["active"]
        if (
            max(count_worlds(position, {p, other["b"]}) for other in record["ans"]["others"])
            > LIMIT
        ):
            skipped += 1
            continue
        answers += check_record(record)
        compared[record["variant"], "common" in record] += 1
    print(
        f"{sum(compared.values())} records, {answers} answers compared, {skipped} records too large"
    )
    print(dict(compared))
    assert len(compared) >= 6 and answers > 5000


# Positions and errors


def test_atoms_of_one_position():
    """R1 is up; both R2 are gone, so R3 cannot be reached; one B1 of three is left."""
    r1, r2, r3, b1, b2 = (read_card(text) for text in ("R1", "R2", "R3", "B1", "B2"))
    discards = [0] * 30
    discards[r2], discards[b1] = 2, 2
    position = LogicState(MINI, [1, 0, 0], discards, [[r1, r3], [b1, b2]], [[2**30 - 1] * 2] * 2)
    model = worlds(position)
    (here,) = model.find(**truly(position))
    said = {
        (name, seat, slot)
        for name, seat, slot in product(
            ("playable", "dead", "unreachable", "useless", "dispensable", "critical", "duplicate"),
            (0, 1),
            (0, 1),
        )
        if model.holds(f"{name}({seat},{slot})", here)
    }
    assert said == {
        ("dead", 0, 0),
        ("useless", 0, 0),
        ("unreachable", 0, 1),
        ("useless", 0, 1),
        ("playable", 1, 0),
        ("critical", 1, 0),
        ("dispensable", 1, 1),
    }
    assert model.holds(
        "colour(0,1,R) & rank(0,1,3) & card(0,1,R3) & ~left(R3) & left(B2) & ~left(R2)", here
    )


def test_an_empty_slot_has_no_properties():
    model = play(discard(worlds(start(3, 1, deck(1, (2, 2)), [[0], [1], [1]])), 0, 0), 1, 0)
    for name in ("playable", "dead", "useless", "duplicate", "critical", "dispensable"):
        assert not model.truth(f"{name}(0,0)").any()
    assert not model.truth("colour(0,0,R) | rank(0,0,5) | card(0,0,R1)").any()


def test_a_hint_adds_knowledge_and_takes_none():
    rng = random.Random(5)
    cards, position = deal(2, 2, MINI, rng)
    before = worlds(position)
    after = tell(before, 1, str(position.hands[1][0] % 5 + 1))
    old, new = (
        set(zip(*(column.tolist() for column in m.facts.values()))) for m in (before, after)
    )
    assert new < old
    (here,), (there,) = before.find(**truly(position)), after.find(**truly(position))
    for fact in (
        f"{name}(1,{slot})" for name in ("playable", "dead", "critical") for slot in (0, 1)
    ):
        for text in (f"K1 {fact}", f"K0 K1 {fact}", f"C{{0,1}} {fact}", f"K1 ~{fact}"):
            assert after.holds(text, there) or not before.holds(text, here)


def small():
    return start(2, 2, MINI, [[0, 1], [5, 6]])


@pytest.mark.parametrize(
    "do, message",
    [
        (lambda: worlds(small(), limit=5000), "5,226 worlds are more than the limit of 5,000"),
        (
            lambda: worlds(start(5, 4, deck(5, (3, 2, 2, 2, 1)))),
            "1,013,147,241,958,195,142,198,400,000 worlds",
        ),
        (
            lambda: worlds(replace(small(), hands=[[0, 1], [-1, 6]]), [0]),
            "seat 1 slot 0 is unknown",
        ),
        (
            lambda: replace(small(), masks=[[1, 1], [32, 32]]),
            "seat 0 slot 1 holds R2, which its mask rules out",
        ),
        (lambda: replace(small(), masks=[[0, 2], [32, 64]]), "an empty slot holds -1"),
        (
            lambda: replace(small(), hands=[[2, 2], [5, 6]]),
            "more R3 are played, discarded or held than the 1",
        ),
        (lambda: replace(small(), fireworks=[0, 0, 0, 1]), "more Y1"),
        (lambda: replace(small(), masks=[[7, 7]]), "same number of slots"),
        (lambda: replace(small(), copies=[1]), "count 30 card types"),
        (lambda: start(3, 7, MINI), "21 cards are held, but only 18 are not face up"),
        (
            lambda: worlds(replace(small(), hands=[[-1] * 2] * 2, masks=[[4, 4], [7, 7]])),
            "no hands fit",
        ),
        (
            lambda: worlds(small()).truth("K0 playable(2,0)"),
            "column 4: playable(2,0): there is no seat 2; the seats are Ann (0), Bob (1)",
        ),
        (
            lambda: worlds(small(), [0]).truth("K0 K1 playable(0,0)"),
            "column 4: no agent 1; the agents are Ann (0)",
        ),
        (
            lambda: worlds(small()).truth("happy(0,0)"),
            "column 1: no atom happy(0,0); the atoms are playable",
        ),
        (lambda: worlds(small()).truth("card(0,0,X3)"), "column 1: no card 'X3'"),
        (lambda: worlds(small()).truth("playable(0)"), "column 1: no atom playable(0)"),
        (lambda: worlds(small()).truth("rank(0,0,R)"), "column 1: no rank R; ranks are 1 to 5"),
        (
            lambda: worlds(small()).truth("colour(0,0,3)"),
            "column 1: no colour 3; the colours are R B",
        ),
        (
            lambda: tell(worlds(small()), 1, "R"),
            "hint R to seat 1 touches slots []: it must touch some of [0, 1]",
        ),
        (lambda: tell(worlds(small()), 1, "7"), "no rank 7"),
        (lambda: tell(worlds(start(2, 2, MINI)), 1, "R"), "give the touched slots"),
        (
            lambda: play(worlds(start(2, 2, MINI)), 1, 0),
            "does not say which card seat 1 has in slot 0",
        ),
        (lambda: play(play(worlds(small()), 0, 0), 0, 0), "seat 0 has no card in slot 0"),
        (lambda: draw(worlds(small()), 0, 0), "seat 0 slot 0 is not a free slot"),
        (lambda: draw(worlds(small()), 0, 2), "seat 0 slot 2 is not a free slot"),
        (lambda: draw(worlds(small()), -1, 0), "no seat -1; the seats are 0 to 1"),
        (lambda: tell(worlds(small()), 2, "R"), "no seat 2; the seats are 0 to 1"),
        (lambda: worlds(small(), [0, 2]), "no seat 2"),
        (lambda: replace(small(), discards=[-1] + [0] * 29), "numbers from 0"),
        (lambda: draw(play(worlds(small(), [0]), 1, 0), 1, 0), "say which it is"),
        (lambda: tell(seeing({"p": [0, 1]}, {0: []}), 0, "R"), "no model of a Hanabi position"),
        (
            lambda: tell(tell(worlds(start(2, 2, MINI)), 1, "R", [0]), 1, "B", [0]),
            "this cannot happen",
        ),
    ],
)
def test_errors(do, message):
    with pytest.raises(ValueError) as error:
        do()
    assert message in str(error.value) and "\n" not in str(error.value)
