"""From many good-looking orders to the best one, and what it is really worth.

The best of many noisy values is inflated, so a fitness is never a result. Finalists are raced by sequential halving
(Karnin, Koren & Somekh 2013): each round spends the same number of games on the orders still in it, all on the same
deals, keeps every game played before, and drops the worse half. Choosing among 200 with 16,000 games it loses 0.037
points on the true best; the two-stage choice of 2018 lost 0.062, equal shares 0.121. The winner is then scored once on
deals that nothing was ever tuned on.
"""
from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from evolve.ga.checkpoint import write_whole
from evolve.ga.fitness import Evaluator, Played, derive, summary
from evolve.ga.individual import Order
from rules.agents import Agent

FINAL_SEED = 0x48414E4142490001              # the final deals: the same for every run, and for nothing but final scores
SIEVE = 200                                  # games that show which rules of an order fire
REFERENCE = Path("runs/reference/finals.csv")


@dataclass(frozen=True)
class Entrant:
    """How far an order came: the rounds it played (the winner one more), its games over all groups, mean and s.e.;
    ``place``: where it stood among those that came to the race."""
    order: tuple[int, ...]
    rounds: int
    games: int
    mean: float
    sem: float
    place: int = 0


def effective(order: Iterable[int], fired: np.ndarray) -> tuple[int, ...]:
    """The rules of an order that fired at all; ``fired`` (player counts, longest + 1) as in Played."""
    return tuple(gene for gene, times in zip(order, fired.sum(axis=0)) if times > 0)


def distinct(play: Evaluator, orders: list, wanted: int, seed: int, taken: set) -> list:
    """The first orders, so many, whose effective lists (with conventions and weights) differ from each other's and from
    those ``taken`` (added to)."""
    found, makeup = [], play.setting.makeup
    groups = len(play.setting.players) * play.setting.partners
    for start in range(0, len(orders), 2 * wanted):          # most orders are distinct: rarely more than one step
        some = orders[start:start + 2 * wanted]
        played = play.play(some, derive(seed, "sieve"), -(-SIEVE // groups))
        for order, fired in zip(some, played.fired):
            what = effective(order, fired)
            what = (what, *makeup.key(order)) if isinstance(order, Order) and makeup.columns()[1:] else what
            if what not in taken and len(found) < wanted:
                taken.add(what)
                found.append(order)
        if len(found) == wanted:
            break
    return found


def race(play: Evaluator, orders: list, seed: int, games: int, scoring: str,
         between: Callable[[int, int], None] = lambda done, rounds: None) -> list[Entrant]:
    """Race orders and give all of them, best first. ``games``: games an order on average over the race; sequential
    halving spends more of them on the better orders, so those of the last round have played at least so many.

    ``between(done, rounds)`` is called before every round.
    """
    groups = len(play.setting.players) * play.setting.partners
    fields = [len(orders)]
    while fields[-1] > 1:
        fields.append(-(-fields[-1] // 2))
    rounds = max(1, len(fields) - 1)
    running = list(range(len(orders)))
    points: list[list[np.ndarray]] = [[] for _ in orders]
    sofar, out = 0, []
    for done in range(rounds):
        between(done, rounds)
        more = max(1, -(-games * len(orders) // (rounds * len(running) * groups)))
        scores = play.play([orders[i] for i in running], derive(seed, "race"), more, sofar).points(scoring)
        sofar += more
        for i, some in zip(running, scores):
            points[i].append(some)
        values = {i: summary(np.concatenate(points[i], axis=1)[None]) for i in running}
        running.sort(key=lambda i: -values[i][0][0])         # equals stay in the order they came in
        stay = len(running) if done == rounds - 1 else -(-len(running) // 2)
        leaving = [Entrant(tuple(orders[i]), done + 1, sofar * groups, float(values[i][0][0]),
                           float(values[i][1][0]), i) for i in running]
        out = leaving[stay:] + out
        running = running[:stay]
    return leaving + out


def final_games(play: Evaluator, order: list, games: int) -> Played:
    """An order on the final deals: so many a player count and partner."""
    return play.play([order], FINAL_SEED, games)


FINAL_COLUMNS = ("date", "agent", "hash", "variant", "mode", "players", "games", "mean_kept", "sem_kept", "mean_zero",
                 "sem_zero", "perfect", "forfeits")


def note_final(file: str | Path, agent: Agent, rows: list[dict]) -> None:
    """Append a use of the final deals to a table: the run folder's finals.csv, or ``REFERENCE`` for results that are
    published. Every look at these deals is to be written down: nothing may be tuned on them."""
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_text(encoding="utf-8") if file.exists() else ",".join(FINAL_COLUMNS) + "\n"
    out = io.StringIO()
    for row in rows:
        csv.DictWriter(out, FINAL_COLUMNS, lineterminator="\n").writerow(
            {"date": date.today().isoformat(), "agent": agent.name, "hash": agent.hash} | row)
    write_whole(file, (before + out.getvalue()).encode())
