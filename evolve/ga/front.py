"""The front of points against words: of a search for it, the best list of each length.

The search (``select = "nsga2"``) keeps the lists that no shorter one equals. Of its last generation
these are chosen once more on fresh deals, and measured on others. A list that is then no better
than a shorter one is dropped, so that points rise with the words.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from hanabi.evolve.ga.archive import member_name, write_agents
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.log_writer import cells, columns, line
from hanabi.evolve.ga.winner import agent_of, result_rows, trimmed
from hanabi.evolve.measure.arena import SCORINGS, derive
from hanabi.files import write_whole
from hanabi.notation import counted
from hanabi.rules import agents
from hanabi.variant import read_variant

FRONT, LISTS = "front.csv", "front"
NUMBERS = tuple(f"{what}_{scoring}" for scoring in SCORINGS for what in ("mean", "sem"))


class Measured(NamedTuple):
    """A list with its points per game and its words."""

    points: float
    words: int
    individual: Individual
    result: dict


def undominated(lists: Iterable[Measured]) -> list[Measured]:
    """Return the lists of which none with as many words or fewer has as many points, by words."""
    found: list[Measured] = []
    for one in sorted(lists, key=lambda one: (one.words, -one.points)):
        if not found or one.points > found[-1].points:
            found.append(one)
    return found


def measure(
    evaluator: Evaluator, config: Config, individuals: list[Individual], seed: int, games: int
) -> list[Measured]:
    """Play individuals on the deals of a seed, each without the rules that then decided no move."""
    played = evaluator.evaluate(individuals, seed, games)
    perfect = read_variant(config.game.variant).perfect
    found = []
    for place, one in enumerate(individuals):
        short = trimmed(one, played.fired[place])
        result = result_rows(config, played, perfect, place)[-1]
        found.append(Measured(result[f"mean_{config.game.scoring}"], short.words(), short, result))
    return found


def write_front(
    folder: Path,
    config: Config,
    evaluator: Evaluator,
    population: list[Individual],
    tell: Callable[[str, str], None],
) -> None:
    """Measure the front of a population, and write front.csv and an agent file for each list.

    Args:
        folder: The run folder.
        config: The config of the run, without a time limit.
        evaluator: Plays the games.
        population: The individuals of the last generation.
        tell: Called with (stage, text) before each step; it may raise to stop.
    """
    final = config.final

    def deals(name):  # an extended run gets others
        return derive(config.search.seed, name, config.search.generations)

    some = list({one.key(): one for one in population}.values())
    tell("race", f"the front of {counted(len(some), 'list')}")
    games = -(-final.race_games // (len(config.game.players) * evaluator.problem.partners))
    chosen = undominated(measure(evaluator, config, some, deals("front"), games))
    tell("final", f"{counted(len(chosen), 'list')} of the front, on fresh deals")
    fresh = [one.individual for one in chosen]
    found = measure(evaluator, config, fresh, deals("front deals"), final.final_games)
    rows: list[list] = [["sentences", "words", *NUMBERS, "games", *columns(evaluator.problem)]]
    texts = {}
    for points, words, one, result in undominated(found):
        sentences, numbers = len(one.rules) + len(one.conventions), [result[n] for n in NUMBERS]
        rows.append([sentences, words, *numbers, result["games"], *cells(evaluator.problem, one)])
        facts = {"score": points, "games": result["games"], "words": words}
        source = "a list of a front of points against words, evolved by hanabi"
        agent = agent_of(member_name(folder, str(words)), one, config, facts, source)
        texts[str(words)] = agents.dumps(agent)
    write_agents(folder / LISTS, texts)
    write_whole(folder / FRONT, b"".join(map(line, rows)))
