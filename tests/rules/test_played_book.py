"""By which book a player of a game plays: agents whose book is known, and what is said of it."""

from dataclasses import replace

import pytest

from hanabi.evolve.measure.one_game import play_game
from hanabi.lookahead.partners import NO_LIST, PosteriorTracker
from hanabi.rules.agents import any_book
from hanabi.rules.agents.agent import BOOKS
from hanabi.rules.agents.any_book import book_chances, book_sentence, book_sentences


def until(game, moves):
    return replace(game, moves=game.moves[:moves], rules=())


def test_each_player_is_judged_by_its_own_moves():
    game = play_game(["iggi", "sieve", "reactor"], seed=5)
    chances = [book_chances(game, seat) for seat in range(3)]
    assert all(one.keys() == {*BOOKS, NO_LIST} for one in chances)
    assert all(sum(one.values()) == pytest.approx(1) for one in chances)
    assert [max(one, key=one.get) for one in chances] == [NO_LIST, "sieve", "reactor"]


def test_moves_of_others_change_nothing():
    """The player to move has seen no more moves of its own than the player before it."""
    game = play_game(["sieve"], 2, seed=1)
    before = book_chances(until(game, 9), 0)
    assert before == book_chances(until(game, 10), 0) != book_chances(until(game, 11), 0)


def test_partners_may_play_by_other_books(monkeypatch):
    """Partners of a person are agents, most of them with other books: none is taken for alike."""
    alike, posterior = [], PosteriorTracker.posterior

    def asked(tracker, share=0.0):
        alike.append(share)
        return posterior(tracker, share)

    monkeypatch.setattr(PosteriorTracker, "posterior", asked)
    book_chances(until(play_game(["iggi"], 3, seed=1), 5), 0)
    assert alike == [0]


def test_who_has_not_moved_has_no_book():
    game = play_game(["sieve"], 3, seed=1)
    assert book_chances(until(game, 2), 1)
    with pytest.raises(ValueError, match="Cal has not moved yet"):
        book_chances(until(game, 2), 2)


@pytest.mark.parametrize(
    "chances, says",
    [
        ({"hgroup-1": 0.87, "sieve": 0.1}, "You seem to play by the book of hgroup-1 (87%)."),
        ({"sieve": 0.2, NO_LIST: 0.8}, "You seem to play by none of the books (80%)."),
        (
            {"hgroup-1": 0.4, "sieve": 0.41, NO_LIST: 0.19},
            "Your moves do not show by which book you play; the book of sieve is likeliest.",
        ),
    ],
)
def test_what_is_said_to_a_person(chances, says, monkeypatch):
    monkeypatch.setattr(any_book, "book_chances", lambda game, seat: chances)
    assert book_sentence(None, 0) == says
    named = says.replace("You seem", "Eve seems").replace("Your", "Eve's")
    assert book_sentence(None, 0, "Eve") == named.replace("you play", "Eve plays")


def test_who_has_not_moved_is_left_out(monkeypatch):
    """A game may end before its last seats have moved."""
    monkeypatch.setattr(any_book, "book_chances", lambda game, seat: {"sieve": 0.6 + seat / 10})
    game = until(play_game(["sieve"], 3, seed=1), 2)
    assert book_sentences(game, [1]) == ["You seem to play by the book of sieve (70%)."]
    assert book_sentences(game, [0, 1, 2]) == [
        f"{game.names[seat]} seems to play by the book of sieve ({60 + 10 * seat}%)."
        for seat in (0, 1)
    ]
    assert book_sentences(game, [2]) == []
