"""What hanabi.evolve.analysis.contribution plays, once more: each branch is its own game, replayed
from the deal with the other move and then asked for move by move.
"""

import numpy as np

from hanabi.evolve.analysis.contribution import DRAWN, EVERY, alternatives
from hanabi.game import below, legal_moves, mix, steps
from hanabi.moves import FORFEIT, NOTHING, is_discard, is_play, is_tell
from hanabi.player import default_move
from hanabi.rulebook import program
from hanabi.table import Table, answer_in_list


def pick(word, count):
    """A number below a count, by a random word as a whole number."""
    return below(np.uint64(mix(np.uint64(word % 2**64))), count)


def first_looked_at(seed):
    """The first turn of a game that is looked at."""
    return -pick(int(seed) ^ 0xC2B2AE3D27D4EB4F, EVERY) % EVERY


def drawn(view, is_kind, kind, move):
    others = [other for other in legal_moves(view) if is_kind(other) and other != move]
    word = int(view.word) ^ 0x165667B19E3779F9 * kind % 2**64
    return others[pick(word, len(others))] if others else NOTHING


def choices(player, rows, view, place, move):
    """The move of each alternative of a decision, in the order of its cells."""
    if player.otherwise == "default":
        below_all = int(default_move(view))
    else:
        below_all = FORFEIT

    def rest_after(number):
        """What the rules after one decide."""
        rest = below_all
        for later in range(len(player.rules) - 1, number, -1):
            answer = answer_in_list(rows[later], rest, view)
            rest = answer if answer != NOTHING else rest
        return rest

    found = [answer_in_list(row, rest_after(number), view) for number, row in enumerate(rows)]
    found.append(rest_after(place) if place < len(player.rules) else NOTHING)
    kinds = (is_play, is_discard, is_tell)
    return found + [drawn(view, kinds[kind], kind + 1, move) for kind in range(len(DRAWN))]


def slow_game(player, variant, seed):
    """Positions by place, and (branches, kept, zero) by place and alternative, of one game."""
    asked, seats = alternatives(player), [0] * variant.seats
    table, rows = Table(variant, [player, asked]), program(list(asked.rules))
    moves, looked_at, positions, cells = [], [], {}, {}
    for step in table.steps(seed, seats):
        if step.turn % EVERY == first_looked_at(seed):
            positions[step.place] = positions.get(step.place, 0) + 1
            found = choices(player, rows, step.view.copy(), step.place, step.move)
            legal = legal_moves(step.view)
            looked_at.append((step.turn, step.place, step.move, found, legal))
        moves.append(step.move)
    end = outcome(table)
    for turn, place, move, found, legal in looked_at:
        for which, other in enumerate(found):
            if other != move and other in legal:
                here = outcome(play_from(table, player, seed, [*moves[:turn], other]))
                count, kept, zero = cells.get((place, which), (0, 0, 0))
                cells[place, which] = count + 1, kept + here[0] - end[0], zero + here[1] - end[1]
    return positions, cells


def play_from(table, player, seed, moves):
    """The table after a game that begins with some moves."""
    seats = [0] * table.variant.seats
    for _ in table.replay(seed, seats, moves):
        pass
    sitting = [player] * len(seats)
    for _ in steps(table.state, table.view, lambda view: table.ask(seed, seats, sitting)):
        pass
    return table


def outcome(table):
    """Kept and zero points at the end."""
    score = sum(map(int, table.view.fireworks))
    return score, score if table.view.lives else 0
