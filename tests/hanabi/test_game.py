"""The engine against its slow twin, and the promises of its records and random numbers."""

import dataclasses
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from kernels import FROM, TO, legality
from scipy.stats import chi2
from sizes import tries
from slow_twin import SlowGame

from hanabi.backend import compiled
from hanabi.game import (
    apply,
    cards_to_draw,
    deal,
    is_over,
    legal_moves,
    new_state,
    random_word,
)
from hanabi.game_loop import ENDS, how_it_ended
from hanabi.moves import DISCARD, END, PLAY, move_text, read_move, tell_colour, tell_rank
from hanabi.state import CARDS, FACTS, FACTS_BYTES, MACHINE, MEMO, VIEW
from hanabi.table import game_seeds
from hanabi.variant import FLAGS, NAMED, Variant
from hanabi.view import random_below

SEATED = [
    *(NAMED["standard"].at(players) for players in (2, 3, 4, 5)),
    NAMED["mini"],
    NAMED["two-colour"],
    NAMED["irvall"].at(4),
    NAMED["zhao-2"],
]


def twin_of(variant, deck):
    """A slow game of the variant, dealt from a deck of card numbers."""
    return SlowGame(variant, [(card // 5, card % 5 + 1) for card in deck])


def number(move):
    """The engine's number of the twin's move."""
    return {
        "play": lambda: PLAY + move[1],
        "discard": lambda: DISCARD + move[1],
        "colour": lambda: tell_colour(*move[1:]),
        "rank": lambda: tell_rank(*move[1:]),
    }[move[0]]()


def card(pair):
    """The number of (colour, rank)."""
    return pair[0] * 5 + pair[1] - 1


def board(pairs):
    """The set of types of some cards."""
    return sum(1 << number for number in {card(pair) for pair in pairs})


def planes(pairs):
    """The pool of some cards, plane by plane."""
    counts = Counter(map(card, pairs))
    return [
        sum(1 << number for number, copies in counts.items() if copies > plane)
        for plane in range(3)
    ]


def expected(twin, variant):
    """Every fact of the view, worked out from the twin from scratch (but for the word, which it
    has not).
    """
    seats, slots = range(5), range(5)

    def held(seat, slot):
        return (
            twin.hands[seat][slot] if seat < variant.players and slot < variant.hand_size else None
        )

    def bits(test):
        return [
            sum(1 << slot for slot in slots if held(seat, slot) and test(held(seat, slot)))
            for seat in seats
        ]

    types, me = twin.types(), twin.mover
    history = []
    for entry in twin.history:
        if entry[0][0] in ("play", "discard"):
            history.append(number(entry[0]) | (card(entry[1]) + 1) << 16 | entry[2] << 24)
        else:
            history.append(number(entry[0]) | sum(1 << slot for slot in entry[1]) << 8)
    return {
        "players": variant.players,
        "colours": variant.colours,
        "ranks": variant.ranks,
        "hand_size": variant.hand_size,
        "max_tokens": variant.tokens,
        "max_lives": variant.lives,
        "colour_token": variant.colour_token,
        "last_round": variant.last_round,
        "stop_when_hopeless": variant.stop_when_hopeless,
        "full": planes([(number // 5, number % 5 + 1) for number in variant.deck()]),
        "me": me,
        "turn": len(twin.history),
        "tokens": twin.tokens,
        "lives": twin.lives,
        "score": twin.score(),
        "deck": len(twin.deck),
        "left": -1 if twin.left is None else twin.left,
        "fireworks": twin.fireworks + [0] * (6 - variant.colours),
        "playable": board(filter(twin.fits, types)),
        "dead": board(filter(twin.dead, types)),
        "useless": board(filter(twin.useless, types)),
        "alive": planes([pair for pair in types for _ in range(twin.copies_left(pair))]),
        "pool": planes(twin.hidden()),
        "unseen": planes(twin.unseen_by(me)),
        "hands": [
            [
                card(held(seat, slot)["card"]) if held(seat, slot) and seat != me else -1
                for slot in slots
            ]
            for seat in seats
        ],
        "held": [
            board(held(seat, slot)["card"] for slot in slots if held(seat, slot))
            if seat != me
            else 0
            for seat in seats
        ],
        "mask": [
            [
                board(
                    (colour, rank)
                    for colour in held(seat, slot)["colours"]
                    for rank in held(seat, slot)["ranks"]
                )
                if held(seat, slot)
                else 0
                for slot in slots
            ]
            for seat in seats
        ],
        "filled": bits(lambda held: True),
        "knows_colour": bits(lambda held: len(held["colours"]) == 1),
        "knows_rank": bits(lambda held: len(held["ranks"]) == 1),
        "touched": bits(lambda held: held["touched"]),
        "born": [
            [held(seat, slot)["born"] if held(seat, slot) else -1 for slot in slots]
            for seat in seats
        ],
        "history": history + [0] * (256 - len(history)),
    }


def compare(twin, variant, table, view, out):
    """Assert that the engine's records are what the twin says."""
    wanted = expected(twin, variant)
    conventions = {
        "lists",
        "list",
        "list_of",
        "marks",
        "weights",
    }  # which nobody plays by here: slow_marks.py's
    facts = {field[0] for field in FACTS if not field[0].startswith("padding")}
    assert set(wanted) | {"word"} | conventions == facts and view.lists == 0
    for name, value in wanted.items():
        assert np.array_equal(view[name], value), (
            f"{name} is {view[name]}, the slow twin says {value}"
        )
    assert view.word == random_word(table.seed, view.turn) and view.asked == 0
    for seat in range(variant.players):
        assert list(table.unseen[:, seat]) == planes(twin.unseen_by(seat))
        assert [card(held["card"]) if held else -1 for held in twin.hands[seat]] == list(
            table.hands[seat, : variant.hand_size]
        )
    assert is_over(view) == twin.over()
    legality(view, out)
    legal = {number(move) for move in twin.legal()}
    assert {int(place) + FROM for place in np.flatnonzero(out)} == legal


def random_move(twin, rng):
    """Any legal move."""
    return rng.choice(sorted(twin.legal()))


def cautious_move(twin, rng):
    """A player that looks at its hand: lives long, ends in many ways, and does foolish things now
    and then.
    """
    hand = twin.hands[twin.mover]
    if rng.random() < 0.7:
        for slot, held in enumerate(hand):
            if held and twin.fits(held["card"]):
                return "play", slot
    safe = [
        move
        for move in sorted(twin.legal())
        if move[0] != "play"
        and not (
            move[0] == "discard" and rng.random() < 0.6 and not twin.useless(hand[move[1]]["card"])
        )
    ]
    return rng.choice(safe or sorted(twin.legal()))


def wasteful_move(twin, rng):
    """Discards where it can: no firework can be finished before long."""
    moves = sorted(twin.legal())
    return rng.choice(
        [move for move in moves if move[0] == "discard"]
        or [move for move in moves if move[0] != "play"]
        or moves
    )


def play_both(variant, seed, rng, policies, forced):
    """Play one game on both sides, comparing after every move. Returns (why it ended, turns)."""
    deck = variant.deck()
    if forced:
        rng.shuffle(deck)
    table, view = new_state(variant, deck if forced else None)
    deal(table, view, np.uint64(seed))
    if not forced:
        deck = list(map(int, table.deck[: variant.cards - int(view.deck)])) + cards_to_draw(
            table, view
        )
    twin, out = twin_of(variant, deck), np.zeros(TO - FROM, np.bool_)
    compare(twin, variant, table, view, out)
    while not twin.over():
        move = policies[twin.mover % len(policies)](twin, rng)
        twin.apply(move)
        apply(table, view, number(move))
        compare(twin, variant, table, view, out)
    if twin.lives == 0 or twin.score() == variant.perfect:
        return "perfect" if twin.lives else "lives", len(twin.history)
    return "deck" if twin.left == 0 else "hopeless", len(twin.history)


@pytest.mark.parametrize("variant", SEATED, ids=lambda variant: f"{variant}-{variant.players}")
def test_engine_is_the_slow_twin(variant):
    ends = Counter()
    for game in range(tries(15)):
        rng = random.Random(f"{variant} {variant.players} {game}")
        policies = [(cautious_move,), (random_move,), (cautious_move, random_move)][
            game % 3 if game < 6 else 0
        ]
        ends[play_both(variant, rng.getrandbits(64), rng, policies, forced=game % 2 == 0)[0]] += 1
    assert ends["lives"] and len(ends) > 1, f"the sample has only these ends: {ends}"


@st.composite
def variants(draw):
    """Any variant that can be dealt, all end rules."""
    ranks = draw(st.integers(1, 5))
    made = dict(
        players=draw(st.integers(2, 5)),
        colours=draw(st.integers(1, 6)),
        ranks=ranks,
        copies=tuple(draw(st.lists(st.integers(1, 3), min_size=ranks, max_size=ranks))),
        tokens=draw(st.integers(1, 8)),
        lives=draw(st.integers(1, 4)),
        colour_token=draw(st.booleans()),
        last_round=draw(st.booleans()),
        stop_when_hopeless=draw(st.booleans()),
    )
    room = (made["colours"] * sum(made["copies"]) - 1) // made["players"]
    if room == 0:
        return Variant(players=2, **{key: made[key] for key in (*FLAGS, "tokens", "lives")})
    return Variant(hand=draw(st.integers(1, min(5, room))), **made)


@settings(
    max_examples=tries(60),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(variants(), st.integers(0, 2**64 - 1), st.booleans(), st.booleans())
def test_engine_is_the_slow_twin_on_random_variants(variant, seed, forced, cautious):
    policies = (cautious_move,) if cautious else (random_move,)
    _, turns = play_both(variant, seed, random.Random(seed), policies, forced)
    assert turns <= 256


@pytest.mark.parametrize("colour_token", [True, False])
def test_the_token_of_a_completed_firework(colour_token):
    """R1 and R2 are played, the only two ranks; the hints before took three tokens."""
    variant = Variant(
        players=2, colours=2, ranks=2, copies=(2, 1), hand=2, colour_token=colour_token
    )
    table, view = new_state(variant, [0, 1, 0, 5, 5, 6])
    deal(table, view, np.uint64(0))
    for move, tokens in (
        ("tell Bob 1", 7),
        ("tell Ann 1", 6),
        ("play 0", 6),
        ("tell Ann 2", 5),
        ("play 1", 5 + colour_token),
    ):
        apply(table, view, read_move(move))
        assert view.tokens == tokens, move
    assert list(view.fireworks[:2]) == [2, 0]


def test_four_lives():
    variant = Variant(players=2, colours=1, ranks=5, copies=(1, 3, 3, 1, 1), hand=2, lives=4)
    table, view = new_state(variant, [1, 1, 1, 2, 2, 2, 3, 4, 0])
    deal(table, view, np.uint64(0))
    for lives in (3, 2, 1, 0):
        assert not is_over(view)
        apply(table, view, read_move("play 0"))
        assert view.lives == lives
    assert is_over(view) and how_it_ended(view) == ENDS.index("lives")


def test_all_ends_are_met():
    ends = Counter()
    for last_round in (True, False):
        for hopeless in (True, False):
            for game in range(12):
                variant = Variant(
                    players=2,
                    colours=2,
                    ranks=3,
                    copies=(2, 1, 1),
                    hand=1,
                    tokens=3,
                    last_round=last_round,
                    stop_when_hopeless=hopeless,
                )
                policy = wasteful_move if game % 3 == 0 else cautious_move
                end, _ = play_both(variant, game, random.Random(game), (policy,), forced=True)
                ends[end, last_round, hopeless] += 1
    for last_round in (True, False):
        assert ends["deck", last_round, False]
        assert ends["hopeless", last_round, True] and not ends["hopeless", last_round, False]
    assert {end for end, *_ in ends} >= {"deck", "hopeless", "perfect"}, ends


def played(variant, seed, moves=None):
    """(moves, bytes of the view after every move) of a game; random moves by a fixed choice where
    none are given.
    """
    table, view = new_state(variant)
    deal(table, view, np.uint64(seed))
    made, seen = [], [view.tobytes()]
    while not is_over(view) and (moves is None or len(made) < len(moves)):
        choices = legal_moves(view)
        move = choices[random_below(view, 1, len(choices))] if moves is None else moves[len(made)]
        apply(table, view, move)
        made.append(move)
        seen.append(view.tobytes())
    return made, seen


@pytest.mark.parametrize("variant", SEATED, ids=lambda variant: f"{variant}-{variant.players}")
def test_a_game_is_a_function_of_its_seed_and_moves(variant):
    moves, seen = played(variant, 11)
    assert played(variant, 11) == (moves, seen)
    assert played(variant, 11, moves) == (moves, seen)
    assert played(variant, 12)[1] != seen


def test_dealing_again_leaves_nothing_of_the_game_before():
    variant = NAMED["standard"].at(3)
    table, view = new_state(variant)
    for seed in (1, 2):
        deal(table, view, np.uint64(seed))
        for _ in range(30):
            if not is_over(view):
                apply(table, view, legal_moves(view)[-1 - view.turn % 3])
    deal(table, view, np.uint64(3))
    fresh_table, fresh = new_state(variant)
    deal(fresh_table, fresh, np.uint64(3))
    assert (
        view.tobytes()[:FACTS_BYTES] == fresh.tobytes()[:FACTS_BYTES]
        and table.tobytes() == fresh_table.tobytes()
    )


def test_golden_deals():
    """The same on every machine: the first hand of seed 1, and words of a few turns, written down
    once.
    """
    table, view = new_state(NAMED["standard"].at(2))
    deal(table, view, np.uint64(1))
    assert [list(map(int, row[:5])) for row in table.hands[:2]] == GOLDEN_HANDS
    assert [int(random_word(np.uint64(1), turn)) for turn in range(3)] == GOLDEN_WORDS
    assert [int(seed) for seed in game_seeds(0, 3)] == GOLDEN_SEEDS


def test_game_seeds_begin_alike_and_differ():
    assert list(game_seeds(5, 1000)[:10]) == list(game_seeds(5, 10))
    many = np.concatenate([game_seeds(seed, 5000) for seed in (0, 1, 2, 2**64 - 1)])
    assert len(set(many.tolist())) == len(many)
    assert len(game_seeds(1, 0)) == 0


@compiled
def count_places(table, view, seeds, drawn, counts):
    """Deal a game a seed and count which of the sorted cards stands at each of the first places:
    the deck is made of distinct numbers for the purpose.
    """
    for game in range(len(seeds)):
        deal(table, view, seeds[game])
        for place in range(drawn):
            counts[place, table.deck[place]] += 1


def test_the_shuffle_is_uniform():
    """Each of the 25 dealt places gets each of the 50 cards equally often, and pairs of places are
    independent.
    """
    variant, games = NAMED["standard"].at(5), 40_000
    table, view = new_state(dataclasses.replace(variant, hand=4))
    counts = np.zeros((20, CARDS), np.int64)
    count_places(table, view, game_seeds(2018, games), 20, counts)
    share = np.array([variant.deck().count(number) for number in range(25)]) / 50 * games
    statistic = ((counts[:, :25] - share) ** 2 / share).sum()
    assert counts.sum() == games * 20 and counts[:, 25:].sum() == 0
    assert 1e-4 < chi2.sf(statistic, 20 * 24) < 1 - 1e-4


def test_neighbouring_places_and_seeds_are_independent():
    """The pair (first, second card), and the first cards of neighbouring seeds, against products
    of shares.
    """
    games, table_view = 60_000, new_state(NAMED["standard"].at(2))
    first = np.zeros((games, 2), np.int64)
    first_cards(
        *table_view, np.arange(games, dtype=np.uint64), first
    )  # bare counters, not game_seeds, on purpose
    copies = np.array([NAMED["standard"].deck().count(number) for number in range(25)])
    pairs = np.zeros((25, 25))
    np.add.at(pairs, (first[:, 0], first[:, 1]), 1)
    share = np.outer(copies, copies).astype(float)
    share[np.diag_indices(25)] = copies * (copies - 1)
    share *= games / share.sum()
    cells = share > 0
    assert pairs[~cells].sum() == 0
    assert (
        1e-4
        < chi2.sf(((pairs - share)[cells] ** 2 / share[cells]).sum(), cells.sum() - 1)
        < 1 - 1e-4
    )
    follow = np.zeros((25, 25))
    np.add.at(follow, (first[:-1, 0], first[1:, 0]), 1)
    share = np.outer(copies, copies) * (games - 1) / 2500
    assert 1e-4 < chi2.sf(((follow - share) ** 2 / share).sum(), 624) < 1 - 1e-4


@compiled
def first_cards(table, view, seeds, out):
    """The first two cards of a deal a seed."""
    for game in range(len(seeds)):
        deal(table, view, seeds[game])
        out[game, 0], out[game, 1] = table.deck[0], table.deck[1]


def test_words_of_turns_are_even_and_tell_nothing_of_the_deal():
    """random_below over turns and seeds is uniform, also within every first card of the deal."""
    counts = np.zeros((25, 5))
    table, view = new_state(NAMED["standard"].at(2))
    for seed in game_seeds(3, 4000):
        deal(table, view, seed)
        counts[table.hands[0, 0], random_below(view, 7, 5)] += 1
    share = counts.sum(1, keepdims=True) / 5
    assert 1e-4 < chi2.sf(((counts - share) ** 2 / share).sum(), 25 * 4) < 1 - 1e-4


def test_view_holds_nothing_hidden():
    """Two games that differ only in the mover's hand, the deck and the seed of the shuffle have
    the same view, byte for byte, but for the random word; and the word is not the seed.
    """
    for variant in SEATED:
        rng = random.Random(str(variant))
        for _ in range(20):
            deck = variant.deck()
            rng.shuffle(deck)
            size = variant.hand_size
            others = deck[:]
            mine = [
                place
                for place in range(variant.cards)
                if place < size or place >= size * variant.players
            ]
            moved = mine[:]
            rng.shuffle(moved)
            for place, target in zip(mine, moved, strict=True):
                others[target] = deck[place]
            views = []
            for cards, seed in ((deck, 1), (others, 2)):
                table, view = new_state(variant, cards)
                deal(table, view, np.uint64(seed))
                assert view.word != seed
                view.word = 0
                views.append(view.tobytes())
            assert views[0] == views[1]
    names = [field[0] for field in FACTS + MEMO + MACHINE]
    assert tuple(names) == VIEW.names and "seed" not in names


def test_moves_are_numbered_once():
    texts = [move_text(move) for move in range(PLAY, END)]
    assert len(set(texts)) == END - PLAY


GOLDEN_HANDS = [[7, 13, 18, 23, 11], [1, 19, 21, 14, 10]]
GOLDEN_WORDS = [-8866209878538865207, -6381077072325008831, 7321319755105375589]
GOLDEN_SEEDS = [0, 16294208416658607535, 7960286522194355700]
