"""Tables to sit down at, and people who play by a simple plan."""
from evolve.site.table import PlayTable, new_game
from hanabi.game import legal_moves
from hanabi.variant import read_variant


def table(*specs, seed=7, variant="standard", path=None):
    """A table with somebody at each seat."""
    return PlayTable(specs, new_game(read_variant(variant), len(specs), seed), path)


def any_move(table):
    """A legal move, another one at each turn: the person plays on without a plan."""
    legal = legal_moves(table.view)
    return legal[table.turn * 7 % len(legal)]


def play_on(table, turns=200):
    """Let people (by ``any_move``) and agents play so many turns, or to the end."""
    for _ in range(turns):
        if table.over:
            return
        if table.agent_to_move:
            table.agent_moves()
        else:
            table.make(table.to_move, any_move(table))
