"""Measure exact knowledge: the kernels, and a model that lists every hand."""

from __future__ import annotations

import statistics
import time

from hanabi.evolve.bench.benchmark_registry import PLAYERS, Rows, benchmark, entry
from hanabi.evolve.measure.knowledge_cost import (
    QUESTIONS,
    microseconds,
    mid_game,
    their_cards,
    their_cards_after_hints,
)
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.rules.museum.irvall.explicit_model import ExplicitModel, ModelTooLargeError


@benchmark("kripke-questions", default=True)
def kripke_questions() -> Rows:
    """Measure own possible sets, five exact chances per slot, and K_p K_b sets of all others."""
    return [
        entry("kripke-questions", p, microseconds(mid_game(p)[0], 0, QUESTIONS), "µs/decision")
        for p in PLAYERS
    ]


@benchmark("kripke-hints", default=True)
def kripke_hints() -> Rows:
    """Measure K_p K_b after each legal hint to each partner, beyond `kripke-questions`."""
    rows = []
    for p in PLAYERS:
        spent = microseconds(mid_game(p)[0], their_cards, (their_cards_after_hints,))
        rows.append(entry("kripke-hints", p, spent, "µs/decision"))
    return rows


def explicit_seconds(
    sights: list[HandKnowledge], limit: int = 100_000_000
) -> tuple[list[int], list[float]]:
    """Return hands listed and seconds spent by the explicit model of each position.

    The model is built and answers which cards are possible. Positions that need more than
    ``limit`` bytes are left out.
    """
    hands, spent = [], []
    for sight in sights:
        start = time.thread_time()
        try:
            model = ExplicitModel.build(sight, limit=limit)
        except ModelTooLargeError:
            continue
        for seat in range(len(sight.masks)):
            model.possible() if seat == sight.me else model.considers(seat)
        spent.append(time.thread_time() - start)
        hands.append(model.hands)
    return hands, spent


@benchmark("kripke-explicit")
def kripke_explicit() -> Rows:
    """Measure the same questions in a model that lists every hand, where it takes up to 100 MB."""
    rows = []
    for players in PLAYERS:
        views, sights = mid_game(players, 40)
        hands, spent = explicit_seconds(sights)
        if spent:
            seconds = statistics.median(spent)
            slower = seconds / microseconds(views, 0, QUESTIONS) * 1e6
            for value, unit in (
                (len(spent), f"positions of {len(sights)}"),
                (statistics.median(hands), "hands listed"),
                (seconds, "s/decision"),
                (slower, "times slower"),
            ):
                rows.append(entry("kripke-explicit", players, value, unit))
    return rows
