"""The par of a deal: what agents make of it, and from when on a perfect score was out of reach."""

from collections.abc import Sequence

from hanabi.game import snapshots
from hanabi.game_record import Game, play_one
from hanabi.notation import all_of
from hanabi.rules.agents import load
from hanabi.text.move_facts import lost_at

AGENTS = ("pairs", "convention", "piers")


def first_out_of_reach(game: Game) -> int | None:
    """Return the first turn at which a perfect score was out of reach; None if it never was."""
    lost = lost_at([view for _, view in snapshots(game.steps())], game.variant.perfect)
    return None if lost is None else lost + 1


def par_sentence(game: Game) -> str:
    """Return what agents make of the deal of a game, and when its perfect score was lost."""
    seats, perfect = game.variant.seats, game.variant.perfect
    scores = [
        f"{name} makes {play_one(game.variant, [name], [0] * seats, game.seed, game.deck).score}"
        for name in AGENTS
        if load(name).plays(seats)
    ]
    turn = first_out_of_reach(game)
    lost = f"out of reach from turn {turn} on" if turn is not None else "within reach to the end"
    return f"On this deal {all_of(scores)} points. {perfect} points were {lost}."


def deal_sentences(game: Game, people: Sequence[int]) -> str:
    """Return what agents make of a deal, and by which books of conventions people seem to play.

    Args:
        game: The game.
        people: The seats of people; a single one is spoken to.
    """
    # here: it registers an agent kind, and is only needed after a game
    from hanabi.rules.agents.any_book import book_sentences

    return " ".join([par_sentence(game), *book_sentences(game, people)])
