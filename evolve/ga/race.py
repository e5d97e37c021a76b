"""From many good-looking individuals to the best one, and what it is really worth.

The best of many noisy values is inflated, so a fitness is never a result. Finalists are raced by sequential halving
(Karnin, Koren & Somekh 2013): each round spends the same number of games on those still in it, all on the same
deals, keeps every game played before, and drops the worse half. Choosing among 200 with 16,000 games it loses 0.037
points on the true best; the two-stage choice of 2018 lost 0.062, equal shares 0.121. The winner is then scored once on
deals that nothing was ever tuned on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from hanabi.evolve.ga.fitness import Evaluator, FitnessGames
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.measure.arena import derive, mean_sem
from hanabi.files import read_bytes, write_whole
from hanabi.rules.agents import Agent

FINAL_SEED = (
    0x48414E4142490001  # the final deals: the same for every run, and for nothing but final scores
)
SIEVE = 200  # games that show which rules of an individual fire
REFERENCE = Path("runs/reference/finals.csv")


@dataclass(frozen=True)
class Entrant:
    """How far an individual came: the rounds it played (the winner one more), its games over all groups, mean and s.e.;
    ``place``: where it stood among those that came to the race."""

    individual: Individual
    rounds: int
    games: int
    mean: float
    sem: float
    place: int = 0


def effective(one: Individual, fired: np.ndarray) -> tuple[str, ...]:
    """The rules of an individual that fired at all; ``fired`` (player counts, longest + 1) as in Played."""
    return tuple(rule for rule, times in zip(one.rules, fired.sum(axis=0)) if times > 0)


def distinct(
    evaluator: Evaluator, individuals: list[Individual], wanted: int, seed: int, taken: set
) -> list[Individual]:
    """The first individuals, so many, whose effective lists (with conventions and weights) differ from each other's and
    from those ``taken`` (added to)."""
    found: list[Individual] = []
    task = evaluator.task
    groups = len(task.players) * task.partners
    for start in range(
        0, len(individuals), 2 * wanted
    ):  # most are distinct: rarely more than one step
        some = individuals[start : start + 2 * wanted]
        played = evaluator.evaluate(some, derive(seed, "sieve"), -(-SIEVE // groups))
        for one, fired in zip(some, played.fired):
            what = one.with_rules(effective(one, fired)).key()
            if what not in taken and len(found) < wanted:
                taken.add(what)
                found.append(one)
        if len(found) == wanted:
            break
    return found


def race(
    evaluator: Evaluator,
    individuals: list[Individual],
    seed: int,
    games: int,
    scoring: str,
    between: Callable[[int, int], None] = lambda done, rounds: None,
) -> list[Entrant]:
    """Race individuals and give all of them, best first. ``games``: games for each on average over the race; sequential
    halving spends more of them on the better ones, so those of the last round have played at least so many.

    ``between(done, rounds)`` is called before every round.
    """
    groups = len(evaluator.task.players) * evaluator.task.partners
    fields = [len(individuals)]
    while fields[-1] > 1:
        fields.append(-(-fields[-1] // 2))
    rounds = max(1, len(fields) - 1)
    running = list(range(len(individuals)))
    points: list[list[np.ndarray]] = [[] for _ in individuals]
    leaving: list[Entrant] = []
    sofar, out = 0, leaving
    for done in range(rounds):
        between(done, rounds)
        more = max(1, -(-games * len(individuals) // (rounds * len(running) * groups)))
        played = evaluator.evaluate(
            [individuals[i] for i in running], derive(seed, "race"), more, sofar
        )
        sofar += more
        for i, some in zip(running, played.points(scoring)):
            points[i].append(some)
        values = {i: mean_sem(np.concatenate(points[i], axis=1)) for i in running}
        running.sort(key=lambda i: -values[i][0])  # equals stay in the order they came in
        stay = len(running) if done == rounds - 1 else -(-len(running) // 2)
        leaving = [
            Entrant(
                individuals[i],
                done + 1,
                sofar * groups,
                float(values[i][0]),
                float(values[i][1]),
                i,
            )
            for i in running
        ]
        out = leaving[stay:] + out
        running = running[:stay]
    return leaving + out


def final_games(evaluator: Evaluator, individual: Individual, games: int) -> FitnessGames:
    """An individual on the final deals: so many per player count and partner."""
    return evaluator.evaluate([individual], FINAL_SEED, games)


FINAL_COLUMNS = (
    "date",
    "agent",
    "hash",
    "variant",
    "mode",
    "players",
    "games",
    "mean_kept",
    "sem_kept",
    "mean_zero",
    "sem_zero",
    "perfect_games",
    "forfeited_games",
)


def note_final(file: str | Path, agent: Agent, rows: list[dict]) -> None:
    """Append a use of the final deals to a table: the run folder's finals.csv, or ``REFERENCE`` for results that are
    published. Every look at these deals is to be written down: nothing may be tuned on them."""
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = read_bytes(file) if file.exists() else (",".join(FINAL_COLUMNS) + "\n").encode()
    out = io.StringIO()
    for row in rows:
        csv.DictWriter(out, FINAL_COLUMNS, lineterminator="\n").writerow(
            {"date": date.today().isoformat(), "agent": agent.name, "hash": agent.hash} | row
        )
    write_whole(file, before + out.getvalue().encode())
