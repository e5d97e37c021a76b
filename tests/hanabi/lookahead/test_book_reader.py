"""Readers of books: the posterior against its slow twin, hidden cards, agreed hints, reasons and specs."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import slow_partners as twin
from test_partners import LISTS, MINI, STANDARD, exchanged, mixed_game
from typed import typed

from hanabi.evolve.measure.tournament import play_games
from hanabi.game import snapshots
from hanabi.lookahead import book_reader
from hanabi.lookahead.book_reader import BookReader, BookSettings, plays_after
from hanabi.lookahead.look_ahead_player import context_of
from hanabi.lookahead.partners import (
    NO_LIST,
    OUTSIDE_SLIP,
    PosteriorTracker,
    contexts_of,
    log_likelihood,
)
from hanabi.moves import is_play, is_tell, tell_colour, tell_rank
from hanabi.rules.agents import dumps, load, loads
from hanabi.table import Table

SOME = "any_book:hgroup-5,reactor,sieve,hands=2"


def assignments(logs, me, prior, alike):
    """The posterior by trying every way in which lists can be given to the other seats."""
    seats, lists = logs.shape
    others, found = [seat for seat in range(seats) if seat != me], np.zeros(logs.shape)
    for given in product(range(lists), repeat=len(others)):
        weight = (1 - alike) * np.prod([prior[place] for place in given])
        if len(set(given)) == 1:
            weight += alike * prior[given[0]]
        weight *= np.exp(sum(logs[seat, place] for seat, place in zip(others, given)))
        for seat, place in zip(others, given):
            found[seat, place] += weight
    return found[others] / found[others].sum(axis=1, keepdims=True)


@pytest.mark.parametrize("outside, alike", [(0.0, 0.0), (0.3, 0.0), (0.3, 0.4), (0.0, 1.0)])
def test_the_posterior_is_that_of_all_assignments(outside, alike):
    rng, tracker = np.random.default_rng(3), PosteriorTracker([None] * 4, 1, 0.1, outside)
    tracker.logs = rng.normal(0, 2, (3, 4))
    tracker.logs[1] = 0  # the moves of its own seat are not judged
    shares = [(1 - outside) / 3] * 3 + [outside] if outside else [0.25] * 4
    want = assignments(tracker.logs, 1, shares, alike)
    assert tracker.posterior(alike)[[0, 2]] == pytest.approx(want)


def test_a_player_of_no_book_makes_half_of_its_moves_by_any_of_the_lists():
    game, slip = mixed_game(("piers", "iggi", "piers"), 4)[:2], 0.1
    tracker = PosteriorTracker(contexts_of(MINI, LISTS[:3]), 3, slip, 0.3)
    tracker.update(game[1][1])
    logs = twin.logs(LISTS[:3], MINI, game, 1, 3, slip)[0]
    chances = (np.exp(logs) - slip / 20) / (1 - slip)
    assert len(set(chances.round(3))) > 1
    assert tracker.logs[0, :2] == pytest.approx(logs[:2])
    assert tracker.logs[0, 2] == pytest.approx(log_likelihood(chances.mean(), OUTSIDE_SLIP))
    assert tracker.evidence.keys() == {0} and (tracker.evidence[0] == tracker.logs[0]).all()


def test_neither_my_hand_nor_the_deck_changes_a_move():
    player, rng = load(SOME).at(3), np.random.default_rng(1)
    game, hands = mixed_game(("sieve", "sieve", "sieve"), 2), set()
    for turn in (3, 6, 9):
        found = []
        for world in (game[: turn + 1], exchanged(game, 0, turn, rng)):
            state, view = world[-1]
            mine = view.copy()
            mine.word = 1
            hands.add(tuple(state.hands[0].tolist()))
            found.append(player.join(MINI, 0, (player,) * 3).move(mine))
        assert found[0] == found[1]
    assert len(hands) > 2


def test_it_plays_the_same_for_any_number_of_workers():
    one, two = (play_games(SOME, 3, 6, "sieve", variant="mini", jobs=jobs) for jobs in (1, 2))
    assert one.equals(two)


def test_books_that_say_the_same_are_followed():
    """Two books with one list: whatever it takes its partners for, it makes the moves of the list."""
    one = load("hgroup-5").at(3)
    both = one, replace(one, name="another")
    reader = BookReader(both, both, ((1.0, 0.0), (0.0, 1.0)), BookSettings(hands=1, outside=0.0))
    for seed in (1, 2):
        moves = [
            [step.move for step in Table(MINI, [player, one]).steps(seed, [0, 1, 1])]
            for player in (reader, one)
        ]
        assert moves[0] == moves[1]


# --- hints that mean the same ----------------------------------------------------------------------------------------
WANTED, OTHER = tell_colour(1, 0), tell_rank(2, 1)


@pytest.mark.parametrize(
    "plays, chosen",
    [
        ({WANTED: "ab", OTHER: "cc"}, OTHER),  # of the other hint the two lists think the same
        ({WANTED: "aa", OTHER: "cc"}, WANTED),  # of both: its list decides
        ({WANTED: "ab", OTHER: [(), ()]}, WANTED),  # lists agree on plays, not on no plays
        ({WANTED: ["", "b"], OTHER: ["c", ""]}, OTHER),  # the likelier list counts more
    ],
)
def test_a_hint_of_one_meaning_is_preferred(plays, chosen, monkeypatch):
    player = load("any_book:hgroup-5,sieve").at(3)
    sitting, (_, view) = player.join(MINI, 0, (player,) * 3), mixed_game(["piers"] * 3, 1)[0]
    likely = []

    def told(context, view, hint):
        if context not in likely:
            likely.append(context)
        return tuple(plays[hint][likely.index(context)])

    def listed(context, view):
        return 0, WANTED if len(order) > 1 or order.append(context) else OTHER

    order = []
    monkeypatch.setattr(book_reader, "plays_after", told)
    monkeypatch.setattr("hanabi.lookahead.look_ahead_player.LookaheadContext.listed", listed)
    monkeypatch.setattr(book_reader, "is_legal", lambda view, move: True)
    sitting.tracker.update(view)
    sitting.tracker.logs[1:] = [0, -0.5, -50]
    assert sitting._agreed_hint(view, WANTED) == chosen
    sitting.tracker.logs[1:] = [0, -50, -50]
    likely.clear(), order.clear()
    assert sitting._agreed_hint(view, WANTED) == WANTED  # one book is likely


def test_plays_after_a_hint_are_those_that_copies_of_the_list_make():
    """My hand is another in the dealt world, so that a few moves may differ."""
    one, same, played = load("hgroup-5").at(3), [], 0
    context, table = context_of(STANDARD, one), Table(STANDARD, [one])
    for seed in (1, 2):
        walk = list(snapshots(table.steps(seed, [0] * 3)))
        moves = [step.move for step in table.steps(seed, [0] * 3)]
        for turn, (_, view) in enumerate(walk[:-3]):
            if is_tell(moves[turn]):
                made = [((turn + k) % 3, moves[turn + k]) for k in (1, 2)]
                want = tuple((seat, move) for seat, move in made if is_play(move))
                if walk[turn + 3][1].lives == view.lives:
                    same.append(plays_after(context, view, moves[turn]) == want)
                    played += len(want)
    assert played > 10 and np.mean(same) > 0.8


# --- as a user sees it -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("book", ["hgroup-5", "reactor", "sieve"])
def test_it_says_by_which_book_its_partners_play_and_why(book):
    reader = load(SOME).at(3)
    mine = [
        step.reason
        for step in Table(STANDARD, [reader, load(book).at(3)]).steps(4, [0, 1, 1])
        if step.seat == 0
    ]
    assert mine[0].startswith("no partner has moved: ")
    bob, cal = mine[-1].split("; ", 1)
    words = rf"plays by {book} with (9\d|100)%: (told|played|discarded) [\w ]+ on turn \d+"
    assert re.fullmatch(f"Bob {words}", bob) and re.match(f"Cal {words}: [a-z_]+", cal)


def test_a_partner_without_a_book_is_taken_for_one():
    reader = load(SOME).at(3)
    last = list(Table(STANDARD, [reader, load("iggi").at(3)]).steps(4, [0, 1, 1]))[-3:]
    [mine] = [step.reason for step in last if step.seat == 0]
    assert f"Bob plays by {NO_LIST} with" in mine and f"Cal plays by {NO_LIST} with" in mine


def test_settings_read_back():
    agent = load("any_book:sieve,reactor,outside=0.2")
    assert agent.name == "any_book:sieve,reactor,outside=0.2" and load(agent.name) == agent
    assert loads(dumps(agent)).kind == agent.kind and loads(dumps(agent)).hash == agent.hash
    assert agent.hash != load("any_book:sieve,reactor").hash != load("any_book").hash
    assert load("any_book").name == "any_book" and load("any_book").at(3).follows.name == (
        "convention-simple"
    )


@pytest.mark.parametrize(
    "spec, says",
    [
        ("any_book:sieve,hgroup5", "any_book: no book 'hgroup5' (did you mean 'hgroup-5'"),
        ("any_book:sieve", "any_book: ['sieve'] should be two or more books, each once"),
        ("any_book:sieve,sieve", "any_book: ['sieve', 'sieve'] should be two or more books"),
        ("any_book:outside=2", "any_book: outside=2 should be a number from 0 to 0.9"),
        ("any_book:hand=2", "any_book: no key 'hand' (did you mean 'hands'?)"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line(spec, says, tmp_path):
    code, out, err = typed("show", spec, folder=tmp_path)
    assert (code, out) == (2, "") and says in err and len(err.strip().splitlines()) == 1
