"""Guards: their text, words and errors; machine code against plain Python; lists with guards."""

import random
from dataclasses import replace

import pytest
from convention_agents import FULL
from hypothesis import given, settings, strategies as st
from random_guards import random_guard

from hanabi.backend import ASKS_REST
from hanabi.conditions import QUANTITIES, Condition, guard, holds, read_condition
from hanabi.conventions.hint_evaluation import best_hint
from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention
from hanabi.game import deal, new_state
from hanabi.moves import NOTHING
from hanabi.positions.position import Position
from hanabi.rulebook import Rule, find, first, program
from hanabi.rules.agents import Agent, dumps, loads
from hanabi.table import ListPlayer, Table, answers, game_seeds
from hanabi.variant import Variant

NUMBERS = {
    name: st.integers(quantity.lowest, quantity.highest) for name, quantity in QUANTITIES.items()
}
BOUNDS = st.fixed_dictionaries(
    {},
    optional={name: st.tuples(some, some).map(sorted).map(tuple) for name, some in NUMBERS.items()},
)
GUARDED = FULL[3].rules[:2] + tuple(
    find(text)
    for text in (
        "save(lax=1) when lives >= 2",
        "play_marked when spare >= -3",
        "tell_new(tokens=1, new=1) when 2 <= tokens <= 7",
        "keep_pace(slack=3) when deck <= 6 and next_plays == 1",
        "tell_anything(tokens=8)",
        "discard_known_duplicate when tokens <= 3",
        "discard_expected",
    )
)
MEANINGS = tuple(
    find_convention(text)
    for text in (
        "chop(touched=0.2, critical=0, age=0)",
        "warning(colours=1) when deck >= 3",
        "stall",
        "identify",
        "says(slot=6, what=0, promised=1) when distance == 1 and rank == 0",
        "finesse(bluff=1, later=1) when touches <= 2",
        "focus(ranks=0) when spare >= 2",
        "says(slot=1, what=0, promised=1)",
        "order_next",
        "no_warning when tokens >= 2",
        "played_leaves(all=1) when lives == 3",
    )
)


@given(BOUNDS)
@settings(max_examples=200, deadline=None)
def test_text_and_word_read_back(bounds):
    found = guard(bounds)
    kept = tuple(
        (name, *ends)
        for name in QUANTITIES
        if (ends := bounds.get(name)) and ends != QUANTITIES[name][:2]
    )
    assert (found.bounds if found else ()) == kept, "in order, and only what bounds something"
    if found:
        assert read_condition(str(found)) == found == eval(repr(found)) and 0 < found.word < 1 << 62
        assert found.says.endswith(": ") and found.says[0].isupper()
        turned = " and ".join(
            f"{high} >= {name} and {low} <= {name}" for name, low, high in reversed(found.bounds)
        )
        assert read_condition(turned) == found if len(turned) <= 200 else True


def test_words_are_different_for_different_guards():
    rng = random.Random(1)
    some = {random_guard(rng, CONVENTION_FAMILIES["focus"], 1) for _ in range(300)}
    assert len({entry.word for entry in some if entry}) == len(some - {None}) > 100


@pytest.mark.parametrize(
    "text, says",
    [
        (
            "play_marked when deck <= 10 and 2 <= tokens <= 4",
            "With 2–4 tokens and at most 10 cards in the deck: play a card that",
        ),
        ("play_marked when tokens == 1", "With 1 token: play a card"),
        ("play_marked when deck == 0", "With an empty deck: play a card"),
        (
            "play_marked when next_plays == 0 and lives >= 2",
            "With at least 2 lives, if the next player knows no play: play a card",
        ),
        (
            "identify when rank == 0 and distance == 1 and touches >= 2 and tokens <= 1",
            "For a hint of a colour to the next player, touching at least 2 new cards, with at "
            "most 1 token: a hint that shows",
        ),
        (
            "identify when distance >= 2 and touches == 0",
            "For a hint that passes over the next player, touching no new card: a hint that",
        ),
        ("identify when touches == 1", "For a hint touching 1 new card: a hint that shows"),
    ],
)
def test_guards_are_sentences(text, says):
    entry = (find_convention if text.startswith("identify") else find)(text)
    assert entry.says.startswith(says) and entry.says.endswith(".")


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "play_marked when token >= 3",
            "rule play_marked: no quantity 'token' (did you mean 'tokens'?); a guard may bound ",
        ),
        (
            "play_marked when tokens >= 9",
            "rule play_marked: tokens >= 9 never holds: tokens goes from 0 to 8",
        ),
        (
            "play_marked when 3 <= tokens and tokens <= 2",
            "rule play_marked: 3 <= tokens <= 2 never holds",
        ),
        (
            "play_marked when tokens < 3",
            "rule play_marked: the guard 'tokens < 3' compares by what it may not: write <=, "
            ">= or ==",
        ),
        (
            "play_marked when tokens",
            "rule play_marked: cannot read the guard 'tokens': write bounds such as deck <= 2",
        ),
        ("play_marked when tokens <= 2 or deck <= 2", "rule play_marked: cannot read the guard"),
        ("play_marked when tokens <= 2.5", "rule play_marked: cannot read the guard"),
        ("play_marked when 1 <= 2", "rule play_marked: cannot read the guard"),
        ("play_marked when ", "rule play_marked: cannot read the guard"),
        ("play_marked when tokens <= deck", "rule play_marked: cannot read the guard"),
        ("play_marked when __import__('os') <= 2", "rule play_marked: cannot read the guard"),
        (
            "play_marked when " + "(" * 150 + "tokens <= 2" + ")" * 20,
            "rule play_marked: cannot read the guard",
        ),
        (
            "play_marked when " + " and ".join(["tokens <= 2"] * 40),
            "rule play_marked: a guard has up to 200 letters, not",
        ),
        (
            "play_marked when rank == 1",
            "rule play_marked: the guard rank == 1 asks about a hint, which only a meaning of "
            "a hint may",
        ),
        ("play_marke when rank == 1", "no rule 'play_marke' (did you mean 'play_marked'?)"),
        (
            "no_warning when touches == 1",
            "convention no_warning: the guard touches == 1 asks about a hint",
        ),
        (
            "played_leaves(all=1) when next_plays == 1",
            "convention played_leaves(all=1): the guard next_plays == 1 asks what the next",
        ),
        (
            "chop(touched=0, critical=0, age=0) when deck == 0",
            "convention chop(touched=0, critical=0, age=0): the guard deck == 0 is for",
        ),
    ],
)
def test_errors_teach(text, message):
    with pytest.raises(ValueError) as error:
        (find if text.startswith("play_mark") and "leaves" not in text else find_convention)(text)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


def test_what_makes_no_guard():
    for bounds in (
        (),
        (("deck", 0, 90),),
        (("tokens", 1, 2), ("deck", 0, 2))[::-1],
        (("tokens", 2, 1),),
        (("hints", 1, 2),),
    ):
        with pytest.raises(ValueError, match="make no guard"):
            Condition(bounds)
    assert guard({"tokens": (0, 8)}) is None and find("play_marked when tokens >= 0") == find(
        "play_marked"
    )
    with pytest.raises(
        ValueError,
        match="the guard tokens >= 6 never holds in this variant, where tokens is at most 4",
    ):
        Table(
            Variant(players=2, tokens=4),
            [ListPlayer((find("play_marked when tokens >= 6"), find("discard_expected")))],
        )


# ---- in machine code and in plain Python


def moments():
    """Views of games, with what the hints that may be given there would mean."""
    for players, seed in ((2, 1), (3, 2), (5, 3)):
        table = Table(Variant(players=players), [FULL[players]])
        for step in table.steps(seed, [0] * players):
            view = step.view.copy()
            best_hint(view, -1, 0, 0)
            yield view


def test_machine_code_says_what_plain_python_says():
    rng, asked, held = random.Random(7), 0, 0
    for view in moments():
        for _ in range(12):
            some = random_guard(rng, CONVENTION_FAMILIES["focus"], 1)
            if not some:
                continue
            readings = (2 << view.hint_count) - 2 if view.hint_count and view.tokens else 0
            view.open = readings & rng.getrandbits(45)
            before = int(view.open)
            narrowed = sum(
                1 << place
                for place in range(45)
                if before >> place & 1 and some.holds(view, view.readings[place])
            )
            expected = some.holds(view) and (not some.of_hints or narrowed != 0)
            assert holds(some.word, view) == expected, (str(some), some.why_not(view))
            assert view.open == (narrowed if some.of_hints and some.holds(view) else before)
            asked, held = asked + 1, held + expected
    assert asked > 1000 and 0.2 < held / asked < 0.8


@pytest.mark.parametrize(
    "bounds, message",
    [
        ("deck <= 2", "deck 34 is more than 2"),
        ("tokens <= 7", "tokens 8 is more than 7"),
        ("next_plays == 1", "next_plays 0 is less than 1"),
        ("spare >= 20", "spare 13 is less than 20"),
        ("lives == 3", ""),
    ],
)
def test_why_not(bounds, message):
    table = Table(Variant(players=4), [FULL[4]])
    table.deal(1, [0] * 4)
    assert read_condition(bounds).why_not(table.view) == message


def test_a_list_asks_whose_guard_holds():
    """The first rule that applies and whose guard holds decides."""
    player = ListPlayer(GUARDED, "default", FULL[3].conventions, FULL[3].weights)
    table, held_back = Table(Variant(players=3), [player]), set()
    bare = program([replace(rule, guard=None) for rule in GUARDED]).reshape(-1, 1)
    for step in table.steps(5, [0, 0, 0]):
        applies = [
            first(bare, place, 1, step.view.copy())[1] != NOTHING for place in range(len(GUARDED))
        ]
        held_back |= {
            place
            for place, rule in enumerate(GUARDED)
            if applies[place] and rule.guard and not rule.guard.holds(step.view)
        }
        assert step.place == next(
            (
                place
                for place, rule in enumerate(GUARDED)
                if applies[place] and (rule.guard is None or rule.guard.holds(step.view))
            ),
            len(GUARDED),
        )
    assert held_back


def test_ask_says_why_a_rule_is_not_asked():
    table = Table(Variant(players=3), [FULL[3]])
    table.deal(1, [0] * 3)
    player = ListPlayer(
        (find("irvall.discard_duplicate when deck <= 2"), find("irvall.discard_duplicate"))
    )
    found = answers(player, Position.of(table.state, table.view, Variant(players=3)))
    assert (
        found[0].unasked == "deck 35 is more than 2"
        and found[0].move == NOTHING
        and found[1].unasked == ""
    )


def test_a_guard_that_asks_the_marks_has_them_kept():
    rules = tuple(
        map(find, ("irvall.discard_duplicate when next_plays == 1", "irvall.discard_duplicate"))
    )
    assert len(Table(Variant(players=2), [ListPlayer(rules)]).plans) == 1
    assert len(Table(Variant(players=2), [ListPlayer(rules[1:])]).plans) == 0


def test_agents_with_guards_are_read_back_and_play_the_same():
    agent = Agent("guarded", {"3": GUARDED}, conventions={"3": MEANINGS})
    again = loads(dumps(agent))
    assert (
        again == agent
        and again.hash == agent.hash
        and "# 6. With at most 6 cards in the deck, if the next player" in dumps(agent)
    )
    assert (
        Agent(
            "bare",
            {"3": tuple(replace(rule, guard=None) for rule in GUARDED)},
            conventions={"3": MEANINGS},
        ).hash
        != agent.hash
    )
    seeds = game_seeds(3, 60)
    played = [Table(Variant(players=3), [one.at(3)]).play(seeds, [0] * 3) for one in (agent, again)]
    assert (played[0] == played[1]).all()
    unguarded = replace(
        agent.at(3), conventions=tuple(replace(entry, guard=None) for entry in MEANINGS)
    )
    assert (
        Table(Variant(players=3), [unguarded]).play(seeds, [0] * 3)["score"] != played[0]["score"]
    ).any()


def test_entries_without_a_guard_are_as_ever():
    entry = find("keep_pace(slack=3)")
    assert (
        entry.guard is None
        and Rule(entry.family, entry.values) == entry
        and entry.name == entry.bare == "keep_pace(slack=3)"
    )
    assert program([entry])["guard"] == 0


@pytest.mark.parametrize("bounds", ["tokens >= 3", "tokens <= 2"])
def test_the_bit_of_a_rule_that_asks_for_the_rest_is_no_bound(bounds):
    state, view = new_state(Variant(players=3))
    deal(state, view, 1)
    view.open, word = 0, read_condition(bounds).word  # a bound on hints would not hold
    assert holds(word | ASKS_REST, view) == holds(word, view) == (bounds == "tokens >= 3")
    assert holds(ASKS_REST, view)


def test_a_fourth_life():
    four = read_condition("lives >= 4")
    assert (
        str(four) == "lives == 4"
        and str(read_condition("lives <= 3")) == "lives <= 3"
        and read_condition("1 <= lives <= 4") is None
    )
    four.check_variant(Variant(lives=4))
    with pytest.raises(ValueError, match="where lives is at most 3"):
        four.check_variant(Variant())
