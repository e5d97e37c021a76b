"""An agent that reads only OpenSpiel's observation string makes the moves of our own games."""

import random

import pytest
from other_engines import COUNTS, at_our_table, of, theirs

from hanabi.action_ids import THEIRS
from hanabi.evolve.bridges.observation_text import TextPolicy, read_observation
from hanabi.variant import NAMED

pytest.importorskip("pyspiel")
# rules that break ties by age
BY_AGE = """[rules]
2-5 = [
    "play_safe(newest=1)",
    "tell_expected(playable=1, unplayable=0)",
    "play_likely(chance=0.6, lives=1, newest=0)",
]
"""


def game_by_text(policy, players, deck, most, with_history=False):
    """The numbers of the actions of a game in OpenSpiel."""
    state, rest, numbers = of["openspiel"](players).game.new_initial_state(), iter(theirs(deck)), []
    while not state.is_terminal() and len(numbers) < most:
        if state.is_chance_node():
            state.apply_action(next(rest))
            continue
        player = state.current_player()
        history = [state.history()] if with_history else []
        numbers.append(policy.act(state.observation_string(player), *history))
        assert action_text(numbers[-1], players) == state.action_to_string(player, numbers[-1])
        state.apply_action(numbers[-1])
    return numbers


@pytest.mark.parametrize("spec", ["epistemic", "by-age.toml"])
def test_the_moves_of_our_own_games(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "by-age.toml").write_text(BY_AGE, encoding="utf-8")
    policy = TextPolicy(spec)
    assert not policy.not_told
    for players in COUNTS:
        deck = NAMED["standard"].deck()
        random.Random(players).shuffle(deck)
        numbers, _ = at_our_table(spec, players, deck, 0)
        assert len(numbers) > 40 and game_by_text(policy, players, deck, 200) == numbers


def test_rules_that_read_what_the_string_lacks_are_named():
    told = TextPolicy("mirror-situational-2018").not_told
    assert told and all("history" in fields for fields in told.values())
    assert any("just_hinted" in rule for rule in told)
    for spec in ("convention-2026", "search:piers", "partners:cig2018-paper"):
        policy = TextPolicy(spec)
        assert policy.needs_history
        with pytest.raises(ValueError, match="reads the moves so far, which the string does not"):
            policy.act(OBSERVATION)


@pytest.mark.parametrize("spec, players", [("convention-2026", 2), ("hgroup-1", 4)])
def test_with_the_history_agents_with_conventions_play_our_games(spec, players):
    deck = NAMED["standard"].deck()
    random.Random(players).shuffle(deck)
    numbers, _ = at_our_table(spec, players, deck, 0)
    assert game_by_text(TextPolicy(spec), players, deck, 200, with_history=True) == numbers


@pytest.mark.parametrize("history", [[], [3] * 9, [3] * 10 + [0, 0, 9]], ids=str)
def test_what_is_no_history_is_told(history):
    with pytest.raises(ValueError, match="history: it should be|these observations do not belong"):
        TextPolicy("convention-2026").act(OBSERVATION, history)


MINE, OTHERS = "XX || XX|RYGWB2345\n", "W1 || XX|RYGWB12345\n"
OBSERVATION = (
    "Life tokens: 3\nInfo tokens: 7\nFireworks: R0 Y0 G0 W0 B1 \nHands:\nCur player\n"
    + ("XX || X1|RY1\n" + MINE * 4)
    + ("-----\n" + OTHERS * 3 + "R1 || XX|RYGWB12345\n" + "R2 || X2|RYGWB2\n")
    + "Deck size: 39\nDiscards: "
)


def test_a_string_is_read():
    found = read_observation(OBSERVATION)
    assert (found.tokens, found.lives, found.fireworks, found.me) == (7, 3, (0, 1, 0, 0, 0), 0)
    assert [str(card) for card in found.hands[1]] == ["W1", "W1", "W1", "R1", "R2"]
    assert [card.touched for card in found.hands[0]] == [True] + [False] * 4
    assert [card.touched for card in found.hands[1]] == [False] * 4 + [True]
    assert found.unknown == (0, 1, 2, 3, 4) and found.hands[0][0].mask.bit_count() == 2


@pytest.mark.parametrize(
    "change, message",
    [
        (("Life", "Lives"), "it should be observation_string"),
        (("Discards: ", "Discards: R9"), "no cards 'R9'"),
        (("Cur player\n", ""), "this player is not to move"),
        (("R1 ||", "XX ||"), "not a hand of"),
        (("RYGWB12345", "RYGWB6"), "not a hand of"),
        (("XX || X1", "R1 || X1"), "not a hand of"),
        ((MINE, MINE * 2), "not a hand of"),
        (("Deck size: 39", "Deck size: 30"), "39 cards are nowhere to be seen"),
        (("-----\n", "-----\n" * 5), "with 2 to 5 hands"),
        (("-----\n", ""), "with 2 to 5 hands"),
        (("Discards: ", "Discards: R5 R5"), "R5 stands 2 times"),
    ],
)
def test_what_is_no_observation_is_told(change, message):
    with pytest.raises(ValueError, match="observation: ") as raised:
        read_observation(OBSERVATION.replace(*change))
    assert message in str(raised.value) and "\n" not in str(raised.value)


def action_text(number, players):
    """Return OpenSpiel's text of an action, such as "(Play 0)"."""
    hand, hints = NAMED["standard"].at(players).hand_size, 5 * (players - 1)
    if number < 2 * hand:
        return f"({'Discard' if number < hand else 'Play'} {number % hand})"
    is_rank, hint = divmod(number - 2 * hand, hints)
    told = f"rank {hint % 5 + 1}" if is_rank else f"color {THEIRS[hint % 5]}"
    return f"(Reveal player +{hint // 5 + 1} {told})"
