"""Irvall's thesis (2023), further work: how many worlds of M_p are left to players with a code.

For a player p the thesis counts p's possible hands as multisets that fit the visible cards and the
hints. The strategies of Cox et al. (2015) tell more by a hint than its words: here are counted the
hands that are left then.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hanabi.backend import compiled
from hanabi.evolve.measure.paired import standard_error
from hanabi.game import event_move
from hanabi.knowledge.plain_interface import sight_of
from hanabi.moves import is_tell, slot_of
from hanabi.rules.agents import load
from hanabi.rules.museum.irvall.hand_lists import all_hands, count_hands
from hanabi.rules.museum.recommendation import number_told, recommend
from hanabi.state import View
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

VARIANT = "irvall,players=5"
PLAYERS = 5  # as in the thesis; the recommendation strategy is for five
SEED = 20261129
DECKS = (28, 20, 10, 5)  # cards left in the deck, or the first decision with fewer
AGENTS = ("irvall", "code-information", "code-recommendation")
NUMBERS = "code-recommendation"  # whose hints say numbers that no marks hold


@compiled
def count_recommended(
    view: View,
    rows: np.ndarray,
    masks: np.ndarray,
    slots: np.ndarray,
    orders: np.ndarray,
    turns: np.ndarray,
    numbers: np.ndarray,
) -> int:
    """Count the hands of the seat to move with which some hints recommend some numbers to it.

    Args:
        view: A view of the seat; hands are written into its row.
        rows: Hands as sorted cards, one per row.
        masks: By place in ``slots``, the types that hints leave.
        slots: The filled slots.
        orders: All orders of as many cards.
        turns: The turns of the hints.
        numbers: What each recommended.
    """
    count = 0
    for i in range(len(rows)):
        is_found = False
        for k in range(len(orders)):
            fits = not is_found
            for at in range(len(slots)):
                card = rows[i, orders[k, at]]
                fits = fits and masks[at] >> card & 1 == 1
                view.hands[view.me, slots[at]] = card
            for j in range(len(turns)):
                fits = fits and recommend(view, view.me, turns[j]) == numbers[j]
            is_found = is_found or fits
        count += 1 if is_found else 0
    return count


def informing_hints(view: np.record) -> list[int]:
    """Return the turns of the hints of others since the seat to move held one of its cards."""
    me, moves = int(view.me), [event_move(int(event)) for event in view.history[: view.turn]]
    since = {slot: 0 for slot in range(view.hand_size) if view.filled[me] >> slot & 1}
    for turn, move in enumerate(moves):
        if turn % view.players == me and not is_tell(move) and slot_of(move) in since:
            since[slot_of(move)] = turn
    first = min(since.values(), default=len(moves))
    return [
        turn
        for turn, move in enumerate(moves)
        if turn >= first and is_tell(move) and turn % view.players != me
    ]


def worlds(state: np.record, view: np.record, by_numbers: bool) -> tuple[int, int, int]:
    """Count the hands that the seat to move may hold: by sight, by hints too, by its code too.

    Args:
        state: The table.
        view: The view of the seat to move.
        by_numbers: Whether each hint recommends a move, as in ``code-recommendation``. If not, what
            the code told is read from the marks.
    """
    me, sight = int(view.me), sight_of(state, view)
    pool, masks = list(sight.pool), sight.masks[me]
    slots = [slot for slot, mask in enumerate(masks) if mask]
    seen, hinted = count_hands(pool, len(slots)), count_hands(pool, len(slots), masks)
    if by_numbers:
        turns = informing_hints(view)
        left = count_recommended(
            view.copy(),
            all_hands(pool, len(slots), masks),
            np.array([masks[slot] for slot in slots]),
            np.array(slots),
            np.array([*itertools.permutations(range(len(slots)))]),
            np.array(turns, np.int64),
            np.array([number_told(view, turn) for turn in turns], np.int64),
        )
    elif view.lists:
        assumed = view.marks[view.list].assumed[me]
        narrowed = [int(assumed[slot]) & mask for slot, mask in enumerate(masks)]
        left = count_hands(pool, len(slots), narrowed)
    else:
        left = hinted
    return seen, hinted, int(left)


def positions(agent: str, games: int) -> Iterator[tuple[int, np.record, np.record]]:
    """Yield (cards left by DECKS, table, view) of the decisions at which worlds are counted."""
    table = Table(read_variant(VARIANT), [load(agent).at(PLAYERS)])
    for seed in game_seeds(SEED, games):
        wanted = list(DECKS)
        for step in table.steps(int(seed), [0] * PLAYERS):
            if wanted and step.view.deck <= wanted[0]:
                yield wanted.pop(0), step.state, step.view


def codes_table(games: int, tell: Callable[..., None]) -> dict[str, Any]:
    """Return how many worlds codes leave in the course of games, as a table."""
    rows: list[list[Any]] = []
    for agent in AGENTS:
        tell(what=f"worlds that {agent} leaves")
        counts: dict[int, list[tuple[int, int, int]]] = {deck: [] for deck in DECKS}
        for deck, state, view in positions(agent, games):
            counts[deck].append(worlds(state, view, agent == NUMBERS))
        for deck, some in counts.items():
            bits = np.log2(some)
            told = bits[:, :2] - bits[:, 1:]  # by the words of hints, and by the code
            rows.append(
                [
                    agent,
                    deck,
                    len(some),
                    *(f"{2**mean:,.0f}" for mean in bits.mean(axis=0)),
                    *(f"{column.mean():.2f} ± {standard_error(column):.2f}" for column in told.T),
                ]
            )
    return dict(
        name="irvall-codes",
        title="Worlds that are left to the player to move (further work)",
        columns=[
            *("agent", "cards in the deck", "games", "by sight", "by hints", "by the code"),
            *("bits of the words", "bits of the code"),
        ],
        rows=rows,
        note=(
            f"Variant {VARIANT}, {PLAYERS} players, at the first decision with the given deck or"
            " a smaller one. Worlds of M_p: hands of the player, as multisets; geometric means."
            " By hints: that fit the words of all hints. By the code: that fit the numbers, too."
            " Bits: how often each halves them, mean ± s.e."
        ),
    )
