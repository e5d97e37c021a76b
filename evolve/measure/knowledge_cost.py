"""The cost of exact knowledge: microseconds per decision in the middle of real games."""

import statistics
import time

import numpy as np

from hanabi.backend import compiled
from hanabi.knowledge.questions import my_cards, my_chances, their_cards, their_cards_after_hints
from hanabi.rules.agents import load
from hanabi.state import VIEW, ensure, set_answers
from hanabi.table import Table
from hanabi.text.explanation import sight_of
from hanabi.variant import read_variant

# own possible sets, five exact probabilities per slot, K_p K_b sets of all others
QUESTIONS = (my_cards, my_chances, their_cards)
ANSWERS = {*QUESTIONS, their_cards_after_hints}


@compiled
def ask_all(views: np.ndarray, before: int, bits: np.ndarray, times: int) -> None:
    """Compute some answers for every view, ``times`` times; ``before`` are answered already.

    Args:
        views: VIEW records.
        before: The answers, as a bit mask, that are already computed.
        bits: The answers to compute.
        times: How often.
    """
    for _ in range(times):
        for i in range(len(views)):
            views[i].asked = before
            for bit in bits:
                ensure(views[i], bit)


def mid_game(
    players: int, states: int = 100, low: float = 0.3, high: float = 0.7
) -> tuple[np.ndarray, list]:
    """Return states from the middle of games that the agent `epistemic` plays with itself.

    Args:
        players: The player count.
        states: How many, each from another game.
        low: The least share of the deck that is left.
        high: The greatest share.

    Returns:
        (VIEW records, Sights).
    """
    variant = read_variant("standard").at(players)
    table = Table(variant, [load("epistemic").at(players)])
    rng, deck = np.random.default_rng(players), variant.cards - players * variant.hand_size
    set_answers(table.view, ANSWERS)
    views, sights = np.zeros(states, VIEW), []
    for i in range(states):
        stop = rng.uniform(low, high) * deck
        for step in table.steps(i, [0] * players):
            if step.view.deck <= stop:
                break
        views[i] = table.view
        sights.append(sight_of(table.state, table.view))
    return views, sights


def microseconds(views: np.ndarray, before: int, bits: tuple[int, ...], rounds: int = 15) -> float:
    """Return the time for one view: the median of some rounds, in CPU time of the thread."""
    wanted, times, spent = np.array(bits, np.int64), max(1, 2_000 // len(views)), []
    ask_all(views, 0, np.array([*QUESTIONS, their_cards_after_hints], np.int64), 1)
    for _ in range(rounds):
        start = time.thread_time()
        ask_all(views, before, wanted, times)
        spent.append(time.thread_time() - start)
    return statistics.median(spent) / times / len(views) * 1e6
