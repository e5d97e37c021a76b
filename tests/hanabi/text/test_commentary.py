"""What a game's moves came to mean, in words: true of the hidden cards, and the same words as the
marks.
"""

import re

import pytest

from hanabi.game_record import play_one
from hanabi.moves import NAMES
from hanabi.rules.agents import load
from hanabi.text.commentary import commentary
from hanabi.text.move_facts import ENGINE
from hanabi.variant import Variant


def told(name, players, seed):
    """(game, its commentary) of an agent with copies of itself."""
    strategy = load(name).at(players)
    game = play_one(Variant(players=players), [strategy], [0] * players, seed)
    return game, commentary(game, [strategy], [0] * players, ENGINE)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_said_is_true_and_of_every_kind(players):
    kinds = set()
    for seed in range(12):
        game, notes = told("convention-2026", players, seed)
        assert len(notes) == len(game.moves)
        for turn, lines in enumerate(notes):
            table, view = game.at(turn)
            for line in lines:
                kinds.add(line.split()[0])
                promise = re.match(r"Promise to (\w+) \(focus\): slot (\d) is playable", line)
                warning = re.match(r"Warning to (\w+): slot (\d) is a last copy", line)
                if promise:
                    card = table.hands[NAMES.index(promise[1]), int(promise[2])]
                    assert view.playable >> card & 1, (seed, turn, line)
                if warning:
                    card = int(table.hands[NAMES.index(warning[1]), int(warning[2])])
                    assert view.alive[0] & ~view.alive[1] & ~view.useless & 1 << card, (
                        seed,
                        turn,
                        line,
                    )
    assert {"Promise", "Warning", "It"} <= kinds
    assert ("Finesse" in kinds) == (players > 2)


@pytest.mark.parametrize(
    "name, sentences",
    [
        ("hgroup-5", ["Chain: ", "That answers the chain: ", "That ends the chain"]),
        ("hgroup-1", ["Finesse over ", "That settles the finesse: "]),
        ("convention-2026", ["A stall: ", "It shows ", "Warning to ", "It says nothing about "]),
        ("pairs", ["It orders ", "It tells "]),
        ("code", ["It tells number ", "By the choice of the slot it tells "]),
    ],
)
def test_each_convention_has_its_sentences(name, sentences):
    lines = [line for seed in range(12) for said in told(name, 3, seed)[1] for line in said]
    assert not [one for one in sentences if not any(line.startswith(one) for line in lines)]


def test_seats_with_different_conventions_read_for_themselves():
    strategies = [
        load("convention-2026").at(3),
        load("convention-simple").at(3),
        load("piers").at(3),
    ]
    game = play_one(Variant(players=3), strategies, [0, 1, 2], 4)
    lines = [line for lines in commentary(game, strategies, [0, 1, 2]) for line in lines]
    assert lines and all(line.startswith(("For Ann: ", "For Bob: ")) for line in lines)


def test_without_conventions_there_is_nothing_to_say():
    assert not any(told("piers", 3, 1)[1])
