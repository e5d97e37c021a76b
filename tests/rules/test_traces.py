"""The rules of 2018 against what the reference answered.

Every state, entry, decision and game of the golden traces.

The file is tests/golden/traces_2018.jsonl.gz; the environment variable TRACES names another one of
the format (tests/golden/README.md).
"""

import gzip
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
from paths import ROOT
from sizes import THOROUGH

from hanabi.backend import compiled
from hanabi.game import (
    apply,
    deal,
    event_card,
    event_fits,
    event_slots,
    is_legal,
    is_over,
    new_state,
)
from hanabi.moves import (
    FORFEIT,
    NO_CARD,
    NOTHING,
    STRIDE,
    card_text,
    discard,
    move_text,
    play,
    tell_colour,
    tell_rank,
)
from hanabi.rulebook import find, first, program, propose
from hanabi.rules import SETS
from hanabi.variant import Variant
from hanabi.view import playable_copies, possible_copies, useless_copies

COLOURS = "RBGOW"  # the reference's letters, in our order (its orange is our yellow)
RANDOM = {
    20: 300,
    22: 300,
    34: 300,
    39: 1500,
}  # rules that draw lots: how many random words to ask them with
FULL = Variant()
AGENTS = {  # the reference's classes, docs/papers/cig2018-rules.md §4
    "RuleBasedIGGI": "2,8,13,38,27,39",
    "RuleBasedInternal": "8,38,20,22,34",
    "RuleBasedOuter": "8,38,21,23,34",
    "SampleLegalRandom": "39",
    "RuleBasedFlawed": "8,49,22,38,27,34",
    "RuleBasedPiers": "41,8,46,13,48,38,27,22,34",
    "RuleBasedCautious": "2,8,13,38,34",
    "SampleRuleBased": "8,22,34",
}
FIRST_OF_VAN_DEN_BERGH = [
    "cig2018.if_lives_play_probably_safe_else_safe(chance=0.6)",
    "cig2018.discard_probably_useless(chance=1)",
]


def traces_file():
    """Which file of traces to compare with."""
    return Path(os.environ.get("TRACES") or ROOT / "tests/golden/traces_2018.jsonl.gz")


@cache
def games():
    """Every game of the file, each with the list of its decisions."""
    found = []
    with gzip.open(traces_file(), "rt") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry["k"] == "g":
                found.append((entry, []))
            else:
                assert entry["g"] == found[-1][0]["g"]
                found[-1][1].append(entry)
    return found


def cards(text):
    """The numbers of concatenated cards."""
    return [
        NO_CARD if card == "--" else COLOURS.index(card[0]) * STRIDE + int(card[1]) - 1
        for card in (text[i : i + 2] for i in range(0, len(text), 2))
    ]


def move(text):
    """The reference's action in our numbers; a crash, or a hint without a colour, is FORFEIT."""
    if text is None:
        return NOTHING
    if text[0] == "!" or text[-1] == "?":
        return FORFEIT
    if text[0] in "PD":
        return (play if text[0] == "P" else discard)(int(text[1]))
    seat = int(text[1])
    return (
        tell_colour(seat, COLOURS.index(text[2]))
        if text[0] == "C"
        else tell_rank(seat, int(text[2]))
    )


def bits(places):
    """A set of small numbers as bits."""
    return sum(1 << place for place in places)


@cache
def state(players, deck):
    return new_state(FULL.at(players), list(deck))


def replay(game):
    """(turn, table, view) before every recorded move of a game, the last of them after its last
    completed move.
    """
    table, view = state(game["n"], tuple(cards(game["deck"])))
    deal(table, view, game["g"])
    for turn, (seat, action, *seen) in enumerate(game["moves"]):
        assert view.turn == turn and view.me == seat
        yield turn, table, view
        if turn == game["nmoves"]:
            return
        made = move(action)
        assert is_legal(view, made), move_text(made)
        apply(table, view, made)
        event = view.history[turn]
        if action[0] in "PD":
            card, fits, drawn = seen
            assert card_text(event_card(event)) == card_text(cards(card)[0])
            assert event_fits(event) == bool(fits)
            assert table.hands[seat, int(action[1])] == (cards(drawn)[0] if drawn else NO_CARD)
        else:
            assert event_slots(event) == bits(seen[0])
    yield len(game["moves"]), table, view


def test_every_game_ends_as_it_did():
    """Forced decks, the moves replayed.

    Cards, touched slots, tokens, lives, fireworks, score and the end itself.
    """
    moves = 0
    for game, _ in games():
        for turn, _table, view in replay(game):
            assert is_over(view) == (
                turn == game["nmoves"] and game["end"] in ("deck", "lives", "perfect")
            )
        assert list(view.fireworks[:5]) == game["fw"] and view.score == game["score"] == sum(
            game["fw"]
        )
        assert (view.lives, view.tokens, view.turn) == (game["lives"], game["info"], game["nmoves"])
        ending = {"deck": view.left == 0, "lives": view.lives == 0, "perfect": view.score == 25}
        if game["end"] in ending:
            assert ending[game["end"]]
        moves += game["nmoves"]
    print(f"\n{traces_file()}: {len(games())} games and {moves} moves replayed")


def decisions(every=1):
    """(game, decision, table, view) of the recorded decisions of each game, or of one in
    ``every``, as the player to move sees them.
    """
    for game, recorded in games()[::every]:
        wanted = {decision["t"]: decision for decision in recorded}
        for turn, table, view in replay(game):
            if turn in wanted:
                yield game, wanted.pop(turn), table, view
        assert not wanted


def test_every_state_is_the_recorded_one():
    """Hands, knowledge, order of ages and what an own slot may be, before every recorded decision.

    In `make test` of every third game (that rules answer alike in all of them says the same once
    more).
    """
    seen = 0
    for _game, decision, table, view in decisions(1 if THOROUGH else 3):
        size, players = view.hand_size, view.players
        assert view.me == decision["p"] and list(view.fireworks[:5]) == decision["fw"]
        assert (view.lives, view.tokens, view.deck) == (
            decision["lives"],
            decision["info"],
            int(decision["deck"]),
        )
        gone = np.zeros(30, int)
        np.add.at(gone, cards(decision["disc"]), 1)
        for card in range(25):
            copies = sum(int(view.full[plane]) >> card & 1 for plane in range(3))
            assert (
                sum(int(view.alive[plane]) >> card & 1 for plane in range(3)) == copies - gone[card]
            )
        for seat in range(players):
            held = [table if seat == view.me else view][0].hands[seat, :size]
            assert list(held) == cards(decision["hands"][seat])
            for slot in range(size):
                if held[slot] != NO_CARD:
                    colours, ranks = decision["cm"][seat][slot], decision["vm"][seat][slot]
                    assert view.mask[seat, slot] == sum(
                        ranks << STRIDE * c for c in range(5) if colours >> c & 1
                    )
                    assert view.knows_colour[seat] >> slot & 1 == (colours.bit_count() == 1)
                    assert view.knows_rank[seat] >> slot & 1 == (ranks.bit_count() == 1)
        mine = [slot for slot in range(size) if view.filled[view.me] >> slot & 1]
        assert sorted(mine, key=lambda s: view.born[view.me, s]) == sorted(
            mine, key=lambda s: decision["age"][s]
        )
        view.asked = 0
        assert [
            [playable_copies(view, s), useless_copies(view, s), possible_copies(view, s)]
            for s in range(size)
        ] == decision["own"]
        seen += 1
    print(f"\n{seen} states compared")


@compiled
def answers(rows, view, out):
    """What each rule alone proposes."""
    for i in range(len(rows)):
        out[i] = propose(rows[i], view)


@compiled
def answers_by_chance(row, view, words, out):
    """What a rule proposes for each of some random words."""
    for i in range(len(words)):
        view.word = words[i]
        out[i] = propose(row, view)


def words(count):
    """Random words."""
    return np.random.default_rng(2018).integers(-(2**63), 2**63 - 1, count)


def test_every_rule_answers_what_it_answered():
    """All 72 entries of every decision, and those of the rules that were added later (field x)."""
    rows = program([find(name) for name in SETS["cig2018-extended"]])
    out, lots = (
        np.zeros(len(rows), np.int64),
        {rule: words(count) for rule, count in RANDOM.items()},
    )
    wrong, entries, later, by_chance, unrecorded = {}, 0, 0, 0, 0
    for game, decision, _table, view in decisions():
        answers(rows, view, out)
        illegal = decision.get("ill", [])
        for number, recorded in enumerate(decision["r"] + decision["x"][: len(rows) - 72]):
            if number in RANDOM:
                continue
            expected = FORFEIT if number in illegal else move(recorded)
            entries, later = entries + (number < 72), later + (number >= 72)
            if out[number] != expected:
                wrong.setdefault(number, []).append(
                    (game["g"], decision["t"], move_text(out[number]), recorded, number in illegal)
                )
        for number, draws in lots.items():
            mine, kept = np.zeros(len(draws), np.int64), view.word
            answers_by_chance(rows[number], view, draws, mine)
            view.word = kept
            recorded = {move(text) for text in decision["r"][number] or [None]}
            mine = set(mine.tolist())
            by_chance += 1
            unrecorded += len(mine - recorded)
            if not recorded <= mine or len(mine - recorded) > 2:
                wrong.setdefault(number, []).append(
                    (game["g"], decision["t"], mine - recorded, recorded - mine)
                )
    assert not wrong, "\n".join(
        f"{number} {SETS['cig2018-extended'][number]}: {len(found)} wrong, such as {found[:4]}"
        for number, found in sorted(wrong.items())
    )
    assert (
        unrecorded <= by_chance / 200
    )  # 80 or 400 calls of the reference miss a rare answer now and then
    print(
        f"\n{entries + by_chance} entries of 72 rules compared ({by_chance} of them by chance: "
        f"{unrecorded} rare answers of ours were not recorded), {later} of later rules"
    )


def agent(text):
    """The program of an agent, one row of rules: the list of a class, or a chromosome."""
    if text == "RuleBasedVanDeBergh":
        names = FIRST_OF_VAN_DEN_BERGH + [SETS["cig2018"][number] for number in (13, 14, 19, 29)]
    else:
        names = [SETS["cig2018"][int(number)] for number in AGENTS.get(text, text).split(",")]
    return program([find(name) for name in names]).reshape(1, -1)


@compiled
def could_move(rows, view, words, made):
    """Does an agent make this move for one of some random words? For no word of turns that draw no
    lots, that is.
    """
    for i in range(len(words)):
        view.word = words[i]
        if first(rows, 0, rows.shape[1], view)[1] == made:
            return True
    return False


def test_every_agent_moves_as_it_did():
    """Every move of every game, not only the recorded decisions, and every crash, by the agent
    that sat there.
    """
    programs, draws, moves, acts, crashes = {}, words(3000), 0, 0, 0
    for game, recorded in games():
        actual = {decision["t"]: move(decision["act"]) for decision in recorded}
        for turn, _table, view in replay(game):
            if turn == len(game["moves"]):
                break
            seat, action = game["moves"][turn][:2]
            rows = programs.setdefault(game["agents"][seat], None)
            if rows is None:
                rows = programs[game["agents"][seat]] = agent(game["agents"][seat])
            made = move(action)
            kept = view.word
            if made == FORFEIT:  # a crash, or no rule applied
                crashes += 1
                assert first(rows, 0, rows.shape[1], view)[1] in (FORFEIT, NOTHING)
            else:
                assert could_move(rows, view, draws, made), (game["g"], turn, action)
            view.word = kept
            assert actual.get(turn, made) == made
            acts += turn in actual
            moves += 1
    print(
        f"\n{moves} moves by {len(programs)} agents compared, {crashes} of them crashes, "
        f"{acts} of them recorded decisions"
    )
