"""The marks against their slow twin.

They do not depend on hidden cards, are true and the same for all seats; faults are caught.
"""

import random

import numpy as np
import pytest
from convention_agents import CHAINS, FULL, HGROUP, REACTOR, SIMPLE, dealt_again, table_of
from random_guards import random_guard
from sizes import some, tries
from slow_marks import SlowMarks, cards_of, difference, follow

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.marks import promise
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    convention,
    families_for,
    find_convention,
    keep_marks,
    sort_by_stage,
)
from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.moves import DISCARD, SLOTS, TELL_COLOUR, is_tell, move_text, slot_of
from hanabi.rulebook import Rule
from hanabi.rules.hgroup import chop_told, unknown_ones
from hanabi.table import ListPlayer
from hanabi.variant import NAMED, Variant, read_variant

GAMES = tries(12)
VARIANTS = [
    "colours=3,ranks=4,hand=3,tokens=3",
    "colours=6",
    "players=3,colours=1,ranks=5,hand=2",
    "players=5,ranks=1,copies=3,hand=2",
    "players=2,colours=2,last_round=false,stop_when_hopeless=true",
    "colours=4,copies=32222,lives=1",
]


def as_told(conventions):
    """A list of conventions as the slow twin takes it."""
    return [
        (entry.family.name, entry.settings, entry.guard) for entry in sort_by_stage(conventions)
    ]


def random_conventions(rng):
    """Some conventions in some order, some of them twice, with values from their grids, some with
    a guard.
    """
    families = [
        family for family in families_for().values() if not family.name.startswith("faulty")
    ]
    chosen = rng.sample(families, rng.randint(0, len(families)))
    twice = [family for family in chosen if family.stage != "game" and rng.random() < 0.3]
    some = [
        Rule(
            family,
            tuple(rng.choice(choices) for choices in family.grid.values()),
            random_guard(rng, family),
        )
        for family in [*chosen, *twice, *[CONVENTION_FAMILIES["says"]] * rng.randint(0, 3)]
    ]
    return tuple({entry.name: entry for entry in some}.values())[:MAX_CONVENTIONS]


def check_game(variant, lists, seed, mover, slows):
    """Play a game by ``mover(view)`` and compare every list's marks with its slow twin after every
    move.
    """
    state, view = new_state(variant)
    keep_marks(view, lists)
    deal(state, view, seed)
    numbers = {int(view.list_of[seat]): slows[seat] for seat in range(variant.players)}
    while not is_over(view):
        for number, slow in numbers.items():
            assert difference(view, number, slow) == [], (
                f"seed {seed}, turn {view.turn}, list {slow.conventions}"
            )
        apply(state, view, mover(view))
        event = int(view.history[view.turn - 1])
        for slow in numbers.values():
            follow(slow, event)


@pytest.mark.parametrize("players", some(2, 3, 4, 5, fast=(2, 5)))
@pytest.mark.parametrize(
    "agents",
    [SIMPLE, FULL, HGROUP, CHAINS, REACTOR],
    ids=["simple", "full", "hgroup", "chains", "reactor"],
)
def test_marks_are_their_slow_twin_in_self_play(agents, players):
    strategy, variant = agents[players], Variant(players=players)
    table = table_of(variant, strategy)

    for seed in range(GAMES):
        view = table.view
        table.play(np.array([seed], np.uint64), np.zeros(players, int))
        history = [int(event) for event in view.history[: view.turn]]
        moves = iter(event & 255 for event in history)
        check_game(
            variant,
            [strategy.conventions] * players,
            seed,
            lambda view, moves=moves: next(moves),
            [SlowMarks(variant, as_told(strategy.conventions))] * players,
        )


@pytest.mark.parametrize("text", ["players=2", "players=3", "players=4", "players=5", *VARIANTS])
def test_marks_are_their_slow_twin_in_random_play(text):
    for seed in range(GAMES):
        rng = random.Random(f"{text} {seed}")
        variant = read_variant(text)
        variant = variant if variant.players else variant.at(rng.randint(2, 5))
        lists = [random_conventions(rng) for _ in range(rng.randint(1, 2))]
        lists = [rng.choice(lists) for _ in range(variant.players)]

        def mover(view, rng=rng):  # hints twice as likely, and few plays, so that games last
            moves = legal_moves(view)
            hints = [move for move in moves if move >= TELL_COLOUR]
            return (
                rng.choice(hints) if hints and rng.random() < 0.6 else rng.choice(moves[::-1][:12])
            )

        twins = {
            repr(as_told(conventions)): SlowMarks(variant, as_told(conventions))
            for conventions in lists
        }
        check_game(
            variant,
            lists,
            seed,
            mover,
            [twins[repr(as_told(conventions))] for conventions in lists],
        )


ONES = ["chop_oldest", "ones_in_order", "five_keeps", "new_focus(through=0, ones=1)"]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_order_of_1s_is_that_of_the_slow_twin(players):
    """Many hints of rank 1, many discards, and 1s that are played in any order."""
    variant = Variant(players=players, colours=6, copies=(3, 1, 1, 1, 1), lives=4)
    conventions = tuple(map(find_convention, ONES))
    told = set()
    for seed in range(GAMES):
        rng = random.Random(f"{players} {seed}")

        def mover(view, rng=rng):
            moves = legal_moves(view)
            told.update(int(chop_told(view, move).seat) for move in moves)
            ones = unknown_ones(view, view.me)
            plays = [move for move in moves if move < DISCARD and ones >> slot_of(move) & 1]
            about = [move for move in moves if is_tell(move) and move_text(move)[-1] in "15"]
            discards = [move for move in moves if DISCARD <= move < TELL_COLOUR]
            kinds = [some for some in (plays, about, discards) if some]
            return rng.choice(rng.choice(kinds) if kinds else moves)

        check_game(
            variant,
            [conventions] * players,
            seed,
            mover,
            [SlowMarks(variant, as_told(conventions))] * players,
        )
    assert told == {-1, *range(players)}, "who is told to keep their chop"


def test_the_chop_of_a_hint_is_forgotten_when_a_game_begins():
    state, view = new_state(Variant(players=3))
    keep_marks(view, [tuple(map(find_convention, ONES))] * 3)
    deal(state, view, 1)
    view.marks[0].memory[0, :3] = 31
    deal(state, view, 2)
    assert not view.marks[0].memory[0, :3].any()


def played_game(strategy, players, seed):
    """Return the events of a mirror game of a strategy, and its cards in the order of drawing."""
    table = table_of(Variant(players=players), strategy)
    table.play(np.array([seed], np.uint64), np.zeros(players, int))
    return [int(event) for event in table.view.history[: table.view.turn]], [
        int(card) for card in table.state.deck[:50]
    ]


def marks_after(variant, deck, lists, events, seed):
    """Replay the moves of some events on a deck.

    (state, view) after them, and the marks of list 0 after each.
    """
    state, view = new_state(variant, deck)
    keep_marks(view, lists)
    deal(state, view, seed)
    trace = [view.marks[view.list_of[0]].tobytes()]
    for event in events:
        apply(state, view, event & 255)
        assert view.history[view.turn - 1] == event
        trace.append(view.marks[view.list_of[0]].tobytes())
    return state, view, trace


def reshuffled(state, view, deck, rng):
    """Another deal with the same public history.

    Every card that does not lie face up may be another one that fits.
    """
    places = {
        int(view.born[seat, slot]): int(view.mask[seat, slot])
        for seat in range(view.players)
        for slot in range(5)
        if view.filled[seat] >> slot & 1
    }
    drawn = len(deck) - int(view.deck)
    hidden = [*places, *range(drawn, len(deck))]
    deck = list(deck)
    for _ in range(400):
        a, b = rng.choice(hidden), rng.choice(hidden)
        if places.get(a, -1) >> deck[b] & 1 and places.get(b, -1) >> deck[a] & 1:
            deck[a], deck[b] = deck[b], deck[a]
    return deck


def peeks(strategy, players, seeds=6):
    """Do the marks of a list of conventions depend on anything but the public history?"""
    variant = Variant(players=players)
    for seed in range(seeds):
        rng = random.Random(seed)
        events, deck = played_game(strategy, players, seed)
        events = events[: rng.randint(5, len(events) - 1)]
        lists = [strategy.conventions] * players
        state, view, trace = marks_after(variant, deck, lists, events, seed)
        for attempt in range(3):
            other = reshuffled(state, view, deck, rng)
            if marks_after(variant, other, lists, events, 1000 + attempt)[2] != trace:
                return True
    return False


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_marks_are_blind_to_every_hidden_card(players):
    assert not peeks(FULL[players], players)
    assert not peeks(HGROUP[players], players)
    assert not peeks(CHAINS[players], players)
    assert not peeks(REACTOR[players], players)


def test_the_marks_of_a_list_do_not_depend_on_who_else_sits_there():
    for players in (3, 5):
        strategy, variant = FULL[players], Variant(players=players)
        events, deck = played_game(strategy, players, 3)
        alone = marks_after(variant, deck, [strategy.conventions] * players, events, 3)[2]
        mixed = (
            [strategy.conventions] + [SIMPLE[players].conventions, ()][:1] + [()] * (players - 2)
        )
        assert marks_after(variant, deck, mixed, events, 3)[2] == alone


@pytest.fixture
def faulty():
    """Enter a faulty convention for one test."""
    names = []

    def enter(stage, function):
        convention(stage)(function)
        names.append(function.__name__)
        return find_convention(function.__name__)

    yield enter
    for name in names:
        del CONVENTION_FAMILIES[name]


def test_a_convention_that_looks_at_a_hidden_card_is_caught(faulty):
    def faulty_peek(view, reading):
        """The target's first card is what it is."""
        card = view.hands[reading.target, 0]
        if card < 0:
            return 0
        promise(reading, 0, 1 << card)
        return 1

    conventions = (faulty("meaning", faulty_peek), *FULL[3].conventions)
    assert peeks(ListPlayer(FULL[3].rules, "default", conventions), 3)


def test_a_convention_that_differs_between_seats_is_caught(faulty):
    def faulty_private(view, reading):
        """The target's first card is of a type that I do not see all copies of."""
        promise(reading, 0, view.unseen[0])
        return 1

    conventions = (faulty("meaning", faulty_private), *FULL[3].conventions)
    assert peeks(ListPlayer(FULL[3].rules, "default", conventions), 3)


def test_a_convention_that_uses_chance_is_caught(faulty):
    def faulty_chance(view, reading):
        """The target's first card is one of some random types."""
        promise(reading, 0, view.word)
        return 1

    conventions = (faulty("meaning", faulty_chance), *FULL[3].conventions)
    assert peeks(ListPlayer(FULL[3].rules, "default", conventions), 3)


@pytest.mark.parametrize(
    ("agents", "most"),
    [(FULL, 0.0005), (REACTOR, 0.0005), (HGROUP, 0.001), (CHAINS, 0.001)],
    ids=["full", "reactor", "hgroup", "chains"],
)
@pytest.mark.parametrize("players", some(2, 3, 4, 5, fast=(3, 5)))
def test_promises_are_kept(players, agents, most):
    """Literal sets are never false, promised ones in few slot-turns; nested."""
    seen = false = 0
    for seed in range(1000, 1120):
        state, view, moves = dealt_again(agents[players], players, seed)
        for move in moves:
            held = state.hands[:players] >= 0
            truth = np.where(held, 1 << np.maximum(state.hands[:players], 0), 0)
            literal, promised = view.mask[:players], view.marks[0].promised[:players, :SLOTS]
            assumed = view.marks[0].assumed[:players, :SLOTS]
            assert ((literal & truth != 0) == held).all()
            assert (promised & ~literal == 0).all() and (assumed & ~promised == 0).all()
            seen += held.sum()
            false += (held & (promised & truth == 0)).sum()
            apply(state, view, move)
    assert false / seen < most, f"{false} of {seen}"


def test_a_table_without_conventions_keeps_no_marks():
    variant = NAMED["standard"].at(3)
    state, view = new_state(variant)
    deal(state, view, 1)
    before = view.marks.tobytes()
    for _ in range(20):
        apply(state, view, legal_moves(view)[-1])
    assert view.lists == 0 and view.marks.tobytes() == before and cards_of(view.mask[0, 0])
