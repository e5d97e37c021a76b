"""The finals of a run: race the finalists, prune the winner, score it on fresh deals, write it.

The local search accepts what looked good once, and what was good beside rules that were removed
since. So each part of the winner is left out in turn, and stays out if the list plays no worse on
the same deals.

The front is that of points against words: the best list of each length. A search for it (``select =
"nsga2"``) keeps the lists that no shorter one equals. Of its last generation these are chosen once
more on fresh deals, and measured on others. A list that is then no better than a shorter one is
dropped, so that points rise with the words.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.archive import member_name, write_agents
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, convention_of, name_of, rule_of
from hanabi.evolve.ga.log_writer import cell, cells, columns, line
from hanabi.evolve.ga.mutations import (
    AddRule,
    ChangeWeight,
    Mutation,
    RemoveConvention,
    RemoveRule,
    ReplaceConvention,
    ReplaceRule,
)
from hanabi.evolve.ga.run_folder import sealed, unsealed
from hanabi.evolve.ga.trees import shortened
from hanabi.evolve.ga.winner import (
    Entrant,
    Winner,
    agent_of,
    distinct,
    exported,
    final_games,
    note_final,
    race,
    result_rows,
    trimmed,
)
from hanabi.evolve.measure.arena import SCORINGS, derive, players_text
from hanabi.evolve.measure.paired import STAGES, StagedGain, deals_of, standard_error
from hanabi.evolve.measure.variations import relaxed
from hanabi.files import write_whole
from hanabi.notation import counted
from hanabi.rules import agents
from hanabi.variant import read_variant

WORSE = 1.5  # standard errors below 0 at which a part is needed
WORSE_LAST = 0.5  # the same after the last stage
BETTER = 2  # standard errors above 0 at which a rule that is added helps


def pruned(
    evaluator: Evaluator,
    one: Individual,
    seed: int,
    games: int,
    scoring: str,
    progress: Callable[[int, int], None] = lambda done, parts: None,
    cost: Callable[[Individual], float] = lambda one: 0.0,
) -> Individual:
    """Return an individual without the parts that it plays no worse without.

    Args:
        evaluator: Plays the games.
        one: The individual.
        seed: The seed of the deals.
        games: The most paired games for each part, all player counts and partners together.
        scoring: How games are scored.
        progress: Called with (done, parts) before each part.
        cost: Points that an individual's words cost.
    """
    problem = evaluator.problem
    groups = len(problem.players) * problem.partners
    stages = [*(stage for stage in STAGES if stage < games), games]
    deals = derive(seed, "prune")
    whole = evaluator.evaluate([one], deals, deals_of(games, groups))
    one = trimmed(one, whole.fired[0])  # plays the same games
    played: dict[tuple, np.ndarray] = {}  # mean points of the individual as it is, by deals

    def points(individual, first, count):
        return evaluator.evaluate([individual], deals, count, first).points(scoring)[0].mean(axis=0)

    omissions = list(_omissions(one, set(problem.families)))
    for done, change in enumerate(omissions):  # shorter expressions are added to it
        progress(done, len(omissions))
        without = change.apply_to(one)
        if without is None:  # what it is about was removed before
            continue
        gain = StagedGain(cost(one) - cost(without))
        for stage, total in enumerate(stages):
            first = gain.deals
            count = deals_of(total, groups) - first
            if count <= 0:
                continue
            if (first, count) not in played:
                played[first, count] = points(one, first, count)
            gain.add((points(without, first, count) - played[first, count])[np.newaxis])
            if gain.gain < -(WORSE_LAST if stage == len(stages) - 1 else WORSE) * gain.sem:
                break
        else:
            one, played = without, {}
            if isinstance(change, ReplaceRule):
                omissions += _shortenings(change.other)
    return one


def with_best_added(
    evaluator: Evaluator,
    one: Individual,
    rules: Sequence[str],
    seed: int,
    games: int,
    scoring: str,
    cost: Callable[[Individual], float] = lambda one: 0.0,
) -> Individual:
    """Return an individual with the best of some rules before all others, if it is better then.

    Args:
        evaluator: Plays the games.
        one: The individual.
        rules: The rules that are tried.
        seed: The seed of the deals.
        games: Games of each list, all player counts and partners together; the same deals for all.
        scoring: How games are scored.
        cost: Points that an individual's words cost.
    """
    problem = evaluator.problem
    tried = [one, *(AddRule(name, one.rules[0]).apply_to(one) or one for name in rules)]
    count = deals_of(games, len(problem.players) * problem.partners)
    points = evaluator.evaluate(tried, derive(seed, "added"), count).points(scoring).mean(axis=1)
    points -= np.array([[cost(some)] for some in tried])
    best = int(points.mean(axis=1).argmax())
    gains = points[best] - points[0]
    return tried[best] if gains.mean() > BETTER * standard_error(gains) else one


def _omissions(one: Individual, evolving: set[str]) -> Iterator[Mutation]:
    """All that may be left out: later entries first, of a guard all bounds, then each; weights.

    Of an expression each part that contains another one of its kind.
    """
    for names, find, remove, turn in (
        (one.rules, rule_of, RemoveRule, ReplaceRule),
        (one.conventions, convention_of, RemoveConvention, ReplaceConvention),
    ):
        for name in reversed(names):
            entry = find(name)
            if find is convention_of and entry.family.name not in evolving:
                continue
            yield remove(name)
            yield from (turn(name, other.name) for other in relaxed(entry))
            yield from _shortenings(name) if find is rule_of else ()
    for name, value in one.weights.items():
        if value != WEIGHTS[name][0]:
            yield ChangeWeight(name, repr(float(WEIGHTS[name][0])))


def _shortenings(name: str) -> Iterator[Mutation]:
    """Changes of a rule that shorten its expression; none of a rule with values."""
    return (ReplaceRule(name, name_of(other)) for other in shortened(rule_of(name)))


def finals(
    folder: Path,
    config: Config,
    evaluator: Evaluator,
    candidates: list[list[Individual]],
    born: dict[tuple, list],
    tell: Callable[[str, str], None],
    time_limit: dict | None = None,
) -> Winner:
    """Find the winner and write race.csv, best.toml, finals.csv and result.json.

    Args:
        folder: The run folder.
        config: The config of the run, without a time limit.
        evaluator: Plays the games.
        candidates: Lists of individuals, best first; ``finalists`` of each are raced.
        born: [generation, number in it] of each candidate, by key.
        tell: Called with (stage, text) before each step; it may raise to stop.
        time_limit: ``minutes`` and ``generations`` of a run that its time limit ended.

    Returns:
        The agent and its results.
    """
    seed = derive(config.search.seed, "finals", config.search.generations)
    final = config.final
    scoring = config.scored_at(config.search.generations).game.scoring
    taken: set = set()
    finalists = [
        one
        for some in candidates
        for one in distinct(evaluator, some, final.finalists, seed, taken)
    ]

    def tell_race(done, rounds):
        number = counted(len(finalists), "finalist")
        tell("race", f"race of {number}, round {done + 1} of {rounds}")

    def tell_pruning(done, parts):
        if done % 10 == 0:
            tell("race", f"what the winner does not need: part {done + 1} of {parts}")

    entrants = race(
        evaluator, finalists, seed, final.race_games, scoring, tell_race, config.search.words_cost
    )
    _write_race(folder, evaluator, entrants)
    winner = entrants[0].individual
    if final.prune_games:
        winner = pruned(
            evaluator,
            winner,
            derive(seed, "prune"),
            final.prune_games,
            scoring,
            tell_pruning,
            config.search.words_cost,
        )
    complete = winner  # with the rule that is added; later lists begin without it
    if final.added_rules:
        tell("race", "which of the added rules helps the winner most")
        complete = with_best_added(
            evaluator,
            winner,
            final.added_rules,
            seed,
            final.race_games,
            scoring,
            config.search.words_cost,
        )
    tell("final", f"the winner plays {counted(final.final_games, 'fresh deal')} per player count")
    played = final_games(evaluator, complete, config)
    found = exported(evaluator, config, complete, played, _provenance(folder, config, evaluator))
    write_whole(folder / "best.toml", found.text)
    note_final(folder / "finals.csv", found.agent, found.results)
    result = {
        "results": found.results,
        "shares": found.shares,
        "born": born[entrants[0].individual.key()],
        "rules": winner.rules,
        "conventions": winner.conventions,
        "weights": winner.weights,
        "best_toml": hashlib.sha256(found.text.encode()).hexdigest(),
        "log_csv": hashlib.sha256((folder / "log.csv").read_bytes()).hexdigest(),
    }
    if time_limit:
        result["time_limit"] = time_limit
    steps = unsealed(folder / "run.json")["extended"]
    if steps:
        ends = ", ".join(str(step["from"]) for step in steps)
        result["extended"] = f"after generation {ends}; scored on fresh deals"
    write_whole(folder / "result.json", sealed(result))
    return found


def _write_race(folder: Path, evaluator: Evaluator, entrants: list[Entrant]) -> None:
    problem = evaluator.problem
    rows = [["place", "rounds", "games", "mean", "sem", *columns(problem)]] + [
        [
            place,
            one.rounds,
            one.games,
            f"{one.mean:.6f}",
            cell(one.sem),
            *cells(problem, one.individual),
        ]
        for place, one in enumerate(entrants, 1)
    ]
    write_whole(folder / "race.csv", b"".join(map(line, rows)))


def _provenance(folder: Path, config: Config, evaluator: Evaluator) -> dict:
    record = unsealed(folder / "run.json")
    return {
        "run": folder.name,
        "config": config.hash(),
        "rule_set": record["rules_hash"],
        "seed": config.search.seed,
        "version": record["versions"]["hanabi"],
        "generations": config.search.generations,
        "variant": config.game.variant,
        "mode": config.game.mode,
        "players": players_text(config.game.players),
        **(
            {"pool": [agent.name for agent in evaluator.problem.find_pool()]}
            if config.game.pool
            else {}
        ),
        **({"start": list(config.genome.start)} if config.genome.start else {}),
    }


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
