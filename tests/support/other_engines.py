"""Games on a forced deck in OpenSpiel and in the Hanabi Learning Environment, and at our table: the numbers of all moves."""
from functools import cache

from evolve.bridges import hle
from evolve.bridges.apart import LearningEnvironment, OpenSpiel, as_number
from hanabi.moves import FORFEIT
from hanabi.numbering import number_of, pair_of
from hanabi.table import Table
from hanabi.variant import NAMED
from rules.agents import load

loaded, of = cache(load), {"openspiel": cache(lambda players: OpenSpiel(None, players)), "hle": cache(
    lambda players: LearningEnvironment(None, players))}


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
    from evolve.bridges.openspiel import Bot
    game, rest, numbers = of["openspiel"](players).game, iter(theirs(deck)), []
    bots, state = [Bot(loaded(spec), game, seat, seed) for seat in range(players)], game.new_initial_state()
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
        assert [move is not None for move in moves] == [seat == state.cur_player() for seat in range(players)]
        numbers.append(as_number(moves[state.cur_player()], players))
        state.apply_move(environment.game.get_move(numbers[-1]))
    return numbers
