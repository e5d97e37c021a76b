"""Every answer of the brute-force oracle, exactly.

Format: tests/golden/README.md.

The environment variable KRIPKE_ORACLE names another file of the format. How many records and
answers were compared stands in the summary of a run (-s, or -rP).
"""

import json
from collections import Counter

import pytest
from oracle_states import State, oracle_file, records

KINDS = ("play", "dead", "unreach", "disp", "crit")


class Tally(Counter):
    """Compares, counts what it compared, and remembers where it first differed."""

    def same(self, name, ours, theirs, where):
        self[name] += 1
        assert ours == theirs, f"{name} of record {where}: {ours} here, {theirs} in the oracle"


def compare(record, tally):
    state, answers, where = State(record), record["ans"], record["id"]
    sight = state.sight(state.me)
    total = sight.total()
    tally.same("den", total, answers["den"], where)
    useless = state.sets["dead"] | state.sets["unreach"]
    rows, total_again = sight.weights(
        state.sets["play"], state.sets["dead"], useless, state.sets["crit"]
    )
    assert total_again == total
    by_kind = {kind: sight.weigh(state.sets[kind]) for kind in KINDS} | {
        "dup": sight.weigh(sight.in_hands())
    }
    by_card = {card: sight.weigh(1 << state.types[card]) for card in range(len(state.types))}
    for slot, own in enumerate(answers["own"]):
        tally.same(
            "own possible",
            sight.possible()[slot],
            state.bits(card for card, _ in own["counts"]),
            where,
        )
        counts = [[card, by_card[card][slot]] for card in by_card if by_card[card][slot]]
        tally.same("own counts", counts, own["counts"], where)
        for kind in (*KINDS, "dup"):
            tally.same(f"own {kind}", by_kind[kind][slot], own[kind], where)
        ours = [row[slot] for row in rows]
        five = [own["play"], own["dead"], own["dead"] + own["unreach"], own["crit"], own["disp"]]
        tally.same("own five", ours, five, where)
        tally.same(
            "K_p dup", sight.possible()[slot] & ~sight.in_hands() == 0, own["dup"] == total, where
        )
    for other in answers["others"]:
        compare_other(state, sight, other, total, tally, where)
    if "common" in record:
        common = sight.common()
        for seat in range(state.players):
            for slot in range(state.sizes[seat]):
                outside = state.bits(record["common"]["pub_poss"][seat][slot])
                shared = state.bits(record["common"]["ck_poss"][seat][slot])
                tally.same("pub_poss", sight.outsider()[seat][slot], outside, where)
                claim = common.sets[seat][slot]
                if common.exact:
                    tally.same("ck_poss, deck empty", claim, shared, where)
                else:
                    tally.same("ck_poss, sound", shared & ~claim, 0, where)
                    tally["(of which equal)"] += claim == shared
        assert common.exact == (record["deck_size"] == 0)


def compare_other(state, sight, other, total, tally, where):
    b = other["b"]
    theirs = state.sight(b)
    truly, considered, twins = theirs.possible(), sight.considers(b), sight.knows_duplicates(b)
    for slot, answer in enumerate(other["slots"]):
        card = 1 << state.hands[b][slot]
        sets = {kind: state.sets[kind] for kind in KINDS} | {"card": card}
        tally.same("b_poss", truly[slot], state.bits(answer["b_poss"]), where)
        knows = [kind for kind in sets if truly[slot] & ~sets[kind] == 0]
        knows += ["dup"] if truly[slot] & ~theirs.in_hands() == 0 else []
        tally.same("b_knows", sorted(knows), sorted(answer["b_knows"]), where)
        tally.same("kpkb_poss", considered[slot], state.bits(answer["kpkb_poss"]), where)
        known = [kind for kind in sets if considered[slot] & ~sets[kind] == 0] + ["dup"] * twins[
            slot
        ]
        tally.same("kpkb", sorted(known), sorted(answer["kpkb"]), where)
        for kind in (*sets, "dup"):
            if kind == "dup":
                weight = sight.ways_knows(b, slot, sight.in_hands(b), duplicates=True)
            else:
                weight = sight.ways_knows(b, slot, sets[kind])
            expected = total if kind in answer["kpkb"] else answer["pkb"].get(kind, 0)
            tally.same("pkb", weight, expected, where)


def test_every_answer_of_the_oracle(record_property, capsys):
    tally, count = Tally(), 0
    for record in records():
        compare(record, tally)
        count += 1
    equal = tally.pop("(of which equal)", 0)
    lines = [
        f"oracle {oracle_file()}: {count} records, {sum(tally.values())} answers compared, all "
        "equal"
    ]
    lines += [f"  {name}: {number}" for name, number in tally.items()] + [
        f"  (ck_poss, sound: equal in {equal})"
    ]
    print("\n".join(lines))
    record_property("oracle", lines[0])
    with capsys.disabled():
        print("\n" + lines[0])
    assert count and all(tally[name] for name in ("kpkb_poss", "pkb", "pub_poss", "own counts"))


def spoil(record, where):
    """Change one answer of a record; says what of it was changed."""
    answers = record["ans"]
    slot = answers["others"][0]["slots"][0]
    if where == "den":
        answers["den"] += 1
    elif where == "own counts":
        answers["own"][0]["counts"][0][1] += 1
    elif where == "own play":
        answers["own"][0]["play"] += 1
    elif where in ("b_poss", "kpkb_poss"):
        slot[where] = slot[where][1:] + [slot[where][0] + 1]
    elif where in ("b_knows", "kpkb"):
        slot[where] = sorted({"dead", "dup", "card"} ^ set(slot[where]))
    elif where == "pkb":
        slot["pkb"] = {kind: 1 for kind in ("play", "dead", "dup") if kind not in slot["kpkb"]}
    elif where == "pub_poss":
        record["common"]["pub_poss"][0][0] = []
    elif where == "ck_poss, sound":
        record["common"]["ck_poss"][0][0] = list(range(25))
    return record


@pytest.mark.parametrize(
    "where",
    [
        "den",
        "own counts",
        "own play",
        "b_poss",
        "b_knows",
        "kpkb_poss",
        "kpkb",
        "pkb",
        "pub_poss",
        "ck_poss, sound",
    ],
)
def test_a_wrong_answer_is_caught_by_name(where):
    record = next(
        r for r in records() if "common" in r and r["variant"] == "std" and r["deck_size"] > 0
    )
    compare(json.loads(json.dumps(record)), Tally())
    with pytest.raises(AssertionError, match=f"^{where} of record {record['id']}"):
        compare(spoil(record, where), Tally())


def test_another_file_can_be_named(monkeypatch):
    assert next(records())["players"] in (2, 3, 4, 5)
    monkeypatch.setenv("KRIPKE_ORACLE", "/nowhere/oracle.jsonl.gz")
    with pytest.raises(FileNotFoundError, match="/nowhere/oracle"):
        next(records())
