"""Games on a forced deck in OpenSpiel and in the Hanabi Learning Environment, and at our table: the
numbers of all moves.

python tests/support/other_engines.py [openspiel|hle [PLAYERS]]

plays the games of docs/guides/other-engines.md and prints a line for each agent, engine and number of players;
it ends at the first other move.
"""

import random
import sys
import time
from functools import cache
from itertools import product

from hanabi.action_ids import number_of, pair_of
from hanabi.evolve.bridges import hle
from hanabi.evolve.bridges.engine_bots import LearningEnvironment, OpenSpielBots, to_number
from hanabi.moves import FORFEIT
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import NAMED

# by agent: games per number of players, 400 and more in all
MANY = {
    "piers": 100,
    "convention-2026": 100,
    "legal-random": 60,
    "epistemic": 40,
    "mirror-situational-2018": 40,
    "convention-simple": 40,
    "search:convention-2026,rollouts=20": 10,
    "uct:piers,worlds=2,playouts=10": 4,
    "self:outer": 10,
    "partners:cig2018-paper": 4,
    "zhao": 4,
}
COUNTS = (2, 3, 4, 5)

loaded, of = (
    cache(load),
    {
        "openspiel": cache(lambda players: OpenSpielBots(None, players)),
        "hle": cache(lambda players: LearningEnvironment(None, players)),
    },
)


def theirs(deck):
    """An order of drawing in their numbers."""
    return [5 * colour + rank for colour, rank in map(pair_of, deck)]


def at_our_table(spec, players, deck, seed):
    """(the numbers of the moves of a game of copies up to a forfeit, did it end with one)."""
    table, numbers = Table(NAMED["standard"].at(players), [loaded(spec).at(players)], deck), []
    for step in table.steps(seed, [0] * players):
        if step.move == FORFEIT:
            return numbers, True
        numbers.append(number_of(step.view, step.move))
    return numbers, False


def in_openspiel(spec, players, deck, seed, most=200):
    """The same in OpenSpiel, up to ``most`` moves."""
    from hanabi.evolve.bridges.openspiel import Bot

    game, rest, numbers = of["openspiel"](players).game, iter(theirs(deck)), []
    bots, state = (
        [Bot(loaded(spec), game, seat, seed) for seat in range(players)],
        game.new_initial_state(),
    )
    while not state.is_terminal() and len(numbers) < most:
        if state.is_chance_node():
            state.apply_action(next(rest))
        else:
            numbers.append(bots[state.current_player()].step(state))
            state.apply_action(numbers[-1])
    return numbers


@cache
def _agents(spec, players, seed):
    return [hle.Agent({"agent": loaded(spec), "seed": seed}) for _ in range(players)]


def in_hle(spec, players, deck, seed, most=200):
    """The same in the environment. The agents are asked at every turn, and play game after game."""
    engine, numbers, rest = of["hle"](players), [], iter(theirs(deck))
    agents, environment = _agents(spec, players, seed), engine.environment
    environment.state = state = environment.game.new_initial_state()
    while len(numbers) < most:
        while state.cur_player() < 0:
            state.apply_move(engine.deals[next(rest)])
        if state.is_terminal():
            break
        seen = environment._make_observation_all_players()["player_observations"]
        moves = [agent.act(view) for agent, view in zip(agents, seen)]
        assert [move is not None for move in moves] == [
            seat == state.cur_player() for seat in range(players)
        ]
        numbers.append(to_number(moves[state.cur_player()], players))
        state.apply_move(environment.game.get_move(numbers[-1]))
    return numbers


PLAY = {"openspiel": in_openspiel, "hle": in_hle}


def same_moves(engine, spec, players, games):
    """Games on shuffled decks, there and here; how many moves were the same. AssertionError at the
    first game that was not.
    """
    moves = 0
    for seed in range(games):
        deck = NAMED["standard"].deck()
        random.Random(1000 * players + seed).shuffle(deck)
        ours, forfeited = at_our_table(spec, players, deck, seed)
        theirs = PLAY[engine](spec, players, deck, seed, len(ours) if forfeited else 200)
        assert theirs == ours, f"{engine}, {spec}, {players} players, seed {seed}"
        moves += len(ours)
    return moves


def many(players):
    """(agent, games) of ``MANY`` at a table of so many."""
    return [(spec, games) for spec, games in MANY.items() if loaded(spec).plays(players)]


if __name__ == "__main__":
    engines, counts = sys.argv[1:2] or PLAY, map(int, sys.argv[2:]) if sys.argv[2:] else COUNTS
    for engine, players in product(engines, counts):
        for spec, games in many(players):
            begun = time.process_time()
            moves = same_moves(engine, spec, players, games)
            print(
                f"{engine:9}  {players} players  {spec:30}  {games:4} games  {moves:6,} moves, all"
                f" the same  {time.process_time() - begun:7.1f} s of CPU",
                flush=True,
            )
