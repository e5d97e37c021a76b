"""Look-ahead players in positions of games that lists played."""

import functools

from hanabi.lookahead.look_ahead_player import LookAhead, Searcher
from hanabi.lookahead.race import prepare
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


@functools.lru_cache(1)
def positions(agent="convention-2026", variant="mini", players=3, games=2, seed=1):
    """(state, view) before each move of some games of copies of an agent."""
    seated = read_variant(variant).at(players)
    table = Table(seated, [load(agent).at(players)])
    return [
        (step.state.copy(), step.view.copy())
        for game in game_seeds(seed, games)
        for step in table.steps(int(game), [0] * players)
    ]


def seat(view, agent="convention-2026", variant="mini", **settings):
    """Who thinks ahead in a view, among lists."""
    players = int(view.players)
    listed = load(agent).at(players)
    return Searcher(listed, LookAhead(**settings)).join(
        read_variant(variant).at(players), int(view.me), (listed,) * players
    )


def made_up(view, agent="convention-2026", variant="mini", **settings):
    """The context of a seat after it thought about a view whose list's move is searched whatever it
    is, and the move.
    """
    sitting = seat(view, agent, variant, **settings)
    _, listed = sitting.context.listed(view)
    return sitting.context, listed, sitting.context.search(sitting.search, view, listed)


def prepared(view, agent="convention-2026", variant="mini", **settings):
    """A context whose mind knows the past of a view."""
    sitting = seat(view, agent, variant, **settings)
    sitting.context.configure(sitting.search, view)
    prepare(view, 1, sitting.context.work)
    return sitting.context
