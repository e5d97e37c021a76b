"""Observations and legal actions: OpenSpiel's, JaxMARL's, a slow twin's, and no hidden card's."""

import random
from dataclasses import replace

import numpy as np
import pytest
from environment_games import legal_numbers, positions, their_card
from hidden_card_swaps import deck_with_other_hand
from jaxmarl_observations import observation
from paths import GOLDEN
from random_games import SMALL, STANDARD, walks
from sizes import THOROUGH
from typed import typed

from hanabi.action_ids import game_of, move_numbered, move_of, number_of, their_colours
from hanabi.environment.jaxmarl import observe
from hanabi.evolve.measure.one_game import play_game
from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.game_record import Game
from hanabi.moves import is_tell, play, tell_colour
from hanabi.observations import (
    LAYOUTS,
    decode,
    encode,
    meaning_of,
    observation_size,
    parts_of,
)
from hanabi.variant import NAMED, Variant

DECISIONS = 100_000 if THOROUGH else 500  # per number of players: 2,000 in all


def equal_decisions(pyspiel, players, most):
    """Compare the decisions of some games with OpenSpiel's until there are enough of them."""
    game, rng, variant = pyspiel.load_game("hanabi", {"players": players}), random.Random(1), None
    variant, seed, seen = NAMED["standard"].at(players), 0, 0
    while seen < most:
        seed += 1
        spec = (None, "piers", "convention-2026")[seed % 3]
        theirs, drawn = game.new_initial_state(), 0
        for state, view, move in positions(spec, players, seed, rng):
            while theirs.is_chance_node():
                theirs.apply_action(their_card(state.deck[drawn]))
                drawn += 1
            wanted = np.array(theirs.observation_tensor(int(view.me)))
            assert np.array_equal(encode(view), wanted), (players, spec, seed, int(view.turn))
            assert legal_numbers(view, variant) == theirs.legal_actions()
            theirs.apply_action(number_of(view, move))
            seen += 1
        while theirs.is_chance_node():
            theirs.apply_action(their_card(state.deck[drawn]))
            drawn += 1
        assert theirs.is_terminal()


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_observations_and_legal_actions_are_those_of_openspiel(players):
    pyspiel = pytest.importorskip("pyspiel")
    assert observation_size(NAMED["standard"].at(players)) == [658, 956, 1041, 1280][players - 2]
    equal_decisions(pyspiel, players, 1500 if not THOROUGH else DECISIONS // 4)


@pytest.mark.slow
@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_a_hundred_thousand_decisions_are_those_of_openspiel(players):
    equal_decisions(pytest.importorskip("pyspiel"), players, 100_000)


@pytest.mark.parametrize("players", (2, 4))
def test_every_seat_sees_what_the_slow_twin_works_out(players):
    game = play_game(["convention-2026"], players, 3)
    for turn in range(0, len(game.moves), 3):
        state, view = game.at(turn)
        for seat in range(players):
            shares = encode(view, layout="jaxmarl", state=state, seat=seat)
            assert np.allclose(shares, observation(game, turn, seat), atol=1e-6), (turn, seat)
            assert shares.dtype == np.float32
        ones = observation(game, turn, int(view.me), shares=False)
        assert np.array_equal(encode(view), ones)
        floats = encode(view, layout="canonical-float32")
        assert floats.dtype == np.float32 and np.array_equal(floats, ones)


def card_of_number(kind, variant):
    """Our card of a type as the layout numbers it."""
    theirs, rank = divmod(kind, variant.ranks)
    return 5 * their_colours(variant.colours)[theirs] + rank


OTHERS = [
    *SMALL,
    replace(NAMED["standard"].at(2), colours=4),
    replace(NAMED["standard"].at(3), colours=6),
    replace(NAMED["standard"].at(4), ranks=4, copies=(3, 2, 2, 2)),
]


@pytest.mark.parametrize("layout", ["canonical", "canonical-float32"])
@pytest.mark.parametrize("variant", OTHERS, ids=str)
def test_the_board_and_what_is_known_in_other_variants(variant, layout):
    """Each part by itself, and nothing is written before or behind an observation."""
    size, types = observation_size(variant), range(variant.perfect)
    around = np.full(size + 64, 7, LAYOUTS[layout])
    out = around[32 : 32 + size]
    for _, view in walks(variant, 4, 5, wish=0.3):
        encode(view, out, layout)
        assert np.all(around[:32] == 7) and np.all(around[-32:] == 7)
        part = {one.name: out[one.start : one.start + one.length] for one in parts_of(variant)}
        for name, count in (("deck", view.deck), ("tokens", view.tokens), ("lives", view.lives)):
            assert part[name].tolist() == [place < count for place in range(len(part[name]))], name
        tops = [card_of_number(kind, variant) for kind in types]
        tops = [view.fireworks[card // 5] == card % 5 + 1 for card in tops]
        assert part["fireworks"].tolist() == tops
        discards = []
        for kind in types:
            card, copies = card_of_number(kind, variant), variant.copies[kind % variant.ranks]
            gone = copies - sum(int(plane) >> card & 1 for plane in view.alive)
            discards += [place < gone for place in range(copies)]
        assert part["discards"].tolist() == discards
        width = variant.perfect + variant.colours + variant.ranks
        known = part["knowledge"].reshape(variant.seats, variant.hand_size, width)
        for offset in range(variant.seats):
            seat = (int(view.me) + offset) % variant.seats
            slots = [slot for slot in range(variant.hand_size) if view.filled[seat] >> slot & 1]
            slots.sort(key=lambda slot: view.born[seat, slot])
            for place in range(variant.hand_size):
                mask = int(view.mask[seat, slots[place]]) if place < len(slots) else 0
                wanted = [mask >> card_of_number(kind, variant) & 1 for kind in types]
                assert known[offset, place, : variant.perfect].tolist() == wanted


def test_a_told_colour_is_not_one_that_follows():
    """Of two colours one was told of a card; that the other card has the other one follows."""
    variant = Variant(2, 2, 3, (2, 2, 1), 2)
    table, view = new_state(variant, [0, 1, 0, 5, 1, 2, 5, 6, 6, 7])
    deal(table, view, np.uint64(0))
    apply(table, view, int(tell_colour(1, 0)))
    start = {part.name: part for part in parts_of(variant)}["knowledge"].start
    first, second = encode(view)[start : start + 22].reshape(2, 11).tolist()
    assert view.knows_colour[1] == 0b11
    assert first == [1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert second == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("hints", [(), (tell_colour(1, 0), tell_colour(0, 0))])
def test_a_finished_colour_brings_a_token_back_only_where_one_is_missing(hints):
    variant = Variant(2, 2, 3, (2, 2, 1), 2)
    table, view = new_state(variant, [0, 2, 1, 5, 0, 1, 5, 6, 6, 7])
    deal(table, view, np.uint64(0))
    for move in [*hints, play(0), play(0), play(1)]:
        apply(table, view, int(move))
    start = {part.name: part.start for part in parts_of(variant)}
    assert view.fireworks[0] == 3 and encode(view)[start["success"]] == 1
    assert encode(view)[start["token"]] == (1 if hints else 0)


@pytest.mark.parametrize("variant", [*SMALL, *STANDARD], ids=str)
def test_numbers_of_moves_lead_there_and_back(variant):
    rng = random.Random(5)
    colours = np.array(their_colours(variant.colours))
    table, view = new_state(variant)
    for seed in range(6):
        deal(table, view, np.uint64(seed))
        while not is_over(view):
            legal = legal_moves(view)
            numbers = legal_numbers(view, variant)
            assert sorted(move_numbered(view, colours, number) for number in numbers) == legal
            size = variant.hand_size
            assert move_numbered(view, colours, -1) == 0
            for number in numbers:
                if variant == NAMED["standard"].at(variant.seats):
                    assert move_of(view, number) == move_numbered(view, colours, number)
                    assert number_of(view, move_of(view, number)) == number
                elif number < 2 * size:
                    assert not is_tell(move_numbered(view, colours, number))
            apply(table, view, rng.choice(legal))


@pytest.mark.parametrize("players", (2, 5))
def test_an_observation_tells_nothing_of_the_own_hand(players):
    """Two deals that differ in the own hand and the deck give one observation, for every seat that
    may not see the difference.
    """
    rng = np.random.default_rng(4)
    game = play_game(["convention-2026"], players, 8)
    start = game.position(0)
    deck = [card.card for hand in start.hands for card in hand if card] + list(start.deck)
    game = Game(game.variant, 0, tuple(deck), game.moves)
    for turn in range(0, len(game.moves), 4):
        state, view = game.at(turn)
        other = Game(
            game.variant, 0, tuple(deck_with_other_hand(game, turn, rng)), game.moves[:turn]
        )
        state_there, view_there = other.at(turn)
        me = int(view.me)
        assert not np.array_equal(state.hands[me], state_there.hands[me]) or turn > 40
        for layout in ("canonical", "jaxmarl"):
            assert np.array_equal(encode(view, layout=layout), encode(view_there, layout=layout))
            seen = [
                encode(v, None, layout, s, me)
                for s, v in ((state, view), (state_there, view_there))
            ]
            assert np.array_equal(*seen)


def test_an_observation_in_words():
    game = play_game(["piers"], 2, 3)
    said = decode(encode(game.at(6)[1]), game.variant).splitlines()
    position = game.position(6)
    assert f"tokens: {position.tokens}" in said and f"deck: {len(position.deck)}" in said
    held = sorted((card for card in position.hands[1] if card), key=lambda card: card.born)
    wanted = "; ".join(f"seat +1 holds {card} as card {n}" for n, card in enumerate(held))
    assert f"hands: {wanted}" in said
    assert (
        len([line for line in said if line.startswith(("the observer, card", "seat +1, card"))])
        == 10
    )
    assert meaning_of(0, game.variant) == "hands: seat +1 holds R1 as card 0"
    assert meaning_of(32, game.variant) == "hands: seat +1 holds Y3 as card 1"
    assert meaning_of(196, game.variant) == "tokens: at least 5"
    with pytest.raises(ValueError, match="no number 658: an observation of this game has 0 to 657"):
        meaning_of(658, game.variant)
    with pytest.raises(ValueError, match="has 658 numbers, not shape"):
        decode(np.zeros(3), game.variant)


def test_each_number_has_a_meaning_and_parts_follow_each_other():
    for variant in [*STANDARD, *SMALL]:
        end = 0
        for part in parts_of(variant):
            assert part.start == end and part.meaning
            end += part.length
        meanings = {meaning_of(index, variant) for index in range(observation_size(variant))}
        assert len(meanings) == end


def test_what_does_not_fit_is_said_in_one_line():
    view = play_game(["piers"], 2, 3).at(4)[1]
    with pytest.raises(ValueError, match="no layout 'jaxmar' .did you mean 'jaxmarl'"):
        encode(view, layout="jaxmar")
    with pytest.raises(ValueError, match="needs 658 numbers of type uint8, not an array of shape"):
        encode(view, np.zeros(658, np.float32))
    with pytest.raises(ValueError, match="needs the state: state="):
        encode(view, seat=(int(view.me) + 1) % 2)


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_observations_of_all_players_are_those_of_jaxmarl(players):
    """tests/support/jaxmarl_vectors.py made the vectors with jaxmarl 0.2.0 itself."""
    given = np.load(GOLDEN / "jaxmarl.npz")
    deck, actions, turns, shown, legal = (
        given[f"{name}{players}"] for name in ("deck", "actions", "turns", "shown", "legal")
    )
    game = game_of(deck, actions)
    assert len(turns) > 8
    for turn, all_shown, all_legal in zip(turns, shown, legal):
        found, moves = observe(*game.at(int(turn)))
        assert np.allclose(found, all_shown, atol=1e-6), int(turn)
        assert np.array_equal(moves, all_legal)


def test_the_command_says_what_an_observation_holds(tmp_path):
    view = play_game(["piers"], 3, 3).at(5)[1]
    shown = encode(view)
    (tmp_path / "o.json").write_text(str(shown.tolist()), encoding="utf-8")
    np.save(tmp_path / "o.npy", shown)
    for file in ("o.json", "o.npy"):
        code, out, _ = typed("ask", "--observation", file, folder=tmp_path)
        assert code == 0 and out.split() == decode(shown, NAMED["standard"].at(3)).split()
