"""A student report on multi-agent systems ("MAS Hanabi"): its game, its model, its strategy.

The report prints one number: how many own hands a player considers possible after the deal. Its
gaps are listed in rules/museum/student_report/report_rules.py, its content in
docs/papers/student-report.md.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, factorial, prod
from typing import Any

import numpy as np

from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.papers.report import differences, register_paper
from hanabi.game_record import play_one
from hanabi.logic.evaluation import LIMIT, column, count_worlds, holds, true_world, worlds
from hanabi.logic.logic_state import LogicState, deck, start
from hanabi.moves import card_text, read_card
from hanabi.notation import counted
from hanabi.positions.position import Position
from hanabi.rules.agents import load
from hanabi.rules.museum.student_report.full_model import three_classes
from hanabi.variant import read_variant

COPIES = (3, 2, 1)  # of the ranks 1 to 3, in each of three colours
OWN_HANDS = 371  # of a player after the deal; the report
KINDS = ("playable", "dead", "dispensable", "critical")
GAMES = 10_000  # of each agent
WATCHED = 10  # games whose every position both models evaluate
SEED = 2026
AGENTS = ("mas", "piers", "epistemic", "convention-simple")
Progress = Callable[..., None]


def own_hands() -> tuple[int, int, float]:
    """Count the ordered hands that a player may hold after a deal, three players, three cards each.

    The counts are exact: over every multiset of six cards that it may see, weighted by the number
    of deals of physical cards that show it.

    Returns:
        Fewest, most, and the mean over all deals.
    """

    @cache
    def hands(left):
        # Of three cards from a pool, by its sorted counts: 3! times the product of the Σ x^i/i!.
        series = np.array([1.0, 0, 0, 0])
        for count in left:
            series = np.convolve(series, [1 / factorial(i) for i in range(count + 1)])[:4]
        return round(6 * series[3])

    copies, seen, total, weights = COPIES * 3, set(), 0, 0
    for cards in combinations_with_replacement(range(9), 6):
        counts = Counter(cards)
        if all(count <= copies[card] for card, count in counts.items()):
            number = hands(tuple(sorted(copies[card] - counts[card] for card in range(9))))
            weight = prod(comb(copies[card], count) for card, count in counts.items())
            seen.add(number)
            total, weights = total + number * weight, weights + weight
    return min(seen), max(seen), total / weights


def positions(games: int) -> Iterator[tuple[int, int, LogicState]]:
    """Yield (seed, turn, state) of every position of some games that `mas` plays with itself."""
    variant, agent = read_variant("mini").at(3), load("mas").at(3)
    for seed in range(1, games + 1):
        game = play_one(variant, [agent], [0] * 3, seed)
        for turn in range(len(game.moves)):
            yield seed, turn, LogicState.of(Position.of(*game.at(turn), variant))


def nested(state: LogicState) -> Iterator[str]:
    """Yield formulas: a player knows that another knows the kind of a card in its hand."""
    for one, other in permutations(range(state.players), 2):
        for slot in (slot for _, slot in state.slots([other])):
            for kind in KINDS:
                yield f"K{one} K{other} {kind}({other},{slot})"


def claims(games: int, progress: Progress) -> dict[str, Any]:
    """Count the claims of the model of three classes that are false in the full model.

    Returns:
        By kind of card [claims, false]; the sizes of the models; the first false claim with the
        answer that refutes it.
    """
    found: dict[str, Any] = dict(
        positions=0, worlds=[], kinds={kind: [0, 0] for kind in KINDS}, example="", missed=0
    )
    for seed, turn, state in positions(games):
        progress(seed - 1, games + len(AGENTS), f"game {seed} of {games}, both models")
        model = three_classes(state)
        here = true_world(model)
        found["positions"] += 1
        found["worlds"].append(
            [
                len(model),
                max(count_worlds(state, pair) for pair in combinations(range(3), 2)),
                count_worlds(state),
            ]
        )
        for formula in nested(state):
            claimed, true = model.holds(formula, here), holds(formula, state)
            kind = found["kinds"][formula.split()[2].partition("(")[0]]
            kind[0] += claimed
            kind[1] += claimed and not true
            found["missed"] += bool(true) and not claimed
            if claimed and not true and not found["example"]:
                found["example"] = f"Game {seed}, turn {turn}: {' '.join(str(true).split())}"
    return found


def draw_example() -> list[tuple[str, LogicState]]:
    """Return the report's example of a draw, stage by stage: (what happened, the state).

    Ann holds two cards, the first known to be blue and the second known to be red. She discards the
    blue one and draws.
    """
    hands = [list(map(read_card, hand.split())) for hand in ("B1 R1", "G1 B2", "R2 G3")]
    told = start(3, 2, deck(3, COPIES), hands).after_hint(0, "B", [0]).after_hint(0, "R", [1])
    gone = told.after_removal(0, 0, hands[0][0], played=False)
    return [
        ("Ann was told blue and red", told),
        ("Ann discards the blue card, B1", gone),
        ("Ann draws G2", gone.after_draw(0, 0, read_card("G2"))),
    ]


def draw_table() -> dict[str, Any]:
    """Return the report's example of a draw as a table."""
    rows = []
    for says, state in draw_example():
        facts = worlds(state, [0]).facts
        slots = [facts[column(0, slot)] for slot in range(2)]
        cards = [" ".join(card_text(card) for card in np.unique(slot)) for slot in slots]
        rows.append([says, len(slots[0]), *cards])
    return dict(
        name="draw",
        title="The report's example of a draw: the hands that Ann considers possible",
        columns=["after", "hands", "slot 0", "slot 1"],
        rows=rows,
        note=(
            "3 players, 2 cards each. The discarded card is seen by all. The drawn one may be any"
            " card that Ann does not see, so her hands are multiplied; Bob and Cal see it."
        ),
    )


def report(games: int | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Return every table as data; see ``hanabi.evolve.papers.report.Paper``.

    Args:
        games: Games of each agent; one in 1,000 is evaluated by both models.
        progress: Called with (done, of, what).
    """
    games = games or GAMES
    tell = progress or (lambda *how: None)
    fewest, most, mean = own_hands()
    watched = max(1, min(WATCHED, games // 1000))
    found = claims(watched, tell)
    sizes = np.array(found["worlds"])
    scores = []
    for place, name in enumerate(AGENTS):
        tell(watched + place, watched + len(AGENTS), f"games of {name}")
        row = tournament(
            [name], players=[3], games_each=games, seed=SEED, variant="mini"
        ).rows.iloc[0]
        scores.append(
            [
                name,
                *(
                    round(float(row[key]), 3)
                    for key in ("mean_kept", "sem_kept", "mean_zero", "sem_zero")
                ),
            ]
        )
    counts = {
        (players, size): count_worlds(start(players, size, deck(3, COPIES)))
        for players, size in ((2, 2), (3, 2), (2, 3), (3, 3))
    }
    totals = [sum(kind[i] for kind in found["kinds"].values()) for i in (0, 1)]
    tables = [
        dict(
            name="own-hands",
            title=(
                "Own hands that a player considers possible after the deal, 3 players with 3 cards"
            ),
            columns=["published", "mean", "fewest", "most"],
            rows=[[OWN_HANDS, round(mean, 1), fewest, most]],
            note=(
                "Exact, over all deals. No weighting that was tried gives 371; a sample of deals"
                " may well."
            ),
        ),
        dict(
            name="worlds",
            title="The game of 18 cards as a Kripke model, after the deal",
            columns=["players", "cards each", "worlds", "listed"],
            rows=[
                [players, size, count, "all" if count <= LIMIT else "by pairs of players"]
                for (players, size), count in counts.items()
            ],
            note=(
                "Worlds are ordered hands. By pairs: the hands of the two players that a formula"
                " is about, all others as they lie; that is exact for what they know of each"
                f" other. In the watched games a pair has up to {sizes[:, 1].max():,} worlds."
            ),
        ),
        draw_table(),
        dict(
            name="claims",
            title=(
                "What the report's model claims that one player knows that another knows of its"
                f" own card, {found['positions']:,} positions of {counted(watched, 'game')}"
            ),
            columns=["a card is", "claims", "false"],
            rows=[*([kind, *found["kinds"][kind]] for kind in KINDS), ["all of these", *totals]],
            note=(
                "The report's model starts from the three classes of the true world, here"
                f" {sizes[:, 0].min():,} to {sizes[:, 0].max():,} worlds; false: not so in the full"
                f" model, of up to {sizes[:, 2].max():,}. What is true and not claimed:"
                f" {found['missed']}. The first false claim, as the full model has it."
                f" {found['example']}"
            ),
        ),
        dict(
            name="strategy",
            title=f"Its strategy with itself, and others there; variant mini, {games:,} games",
            columns=["agent", "ours, kept", "s.e.", "ours, zero", "s.e."],
            rows=scores,
            note=(
                "The report, whose strategy is unfinished, prints no score, and says nothing of"
                " tokens, lives and the end of the game: mini has 8 tokens, 3 lives, a token for a"
                " completed firework, and one more move each after the last card."
            ),
        ),
        differences(["mas"]),
    ]
    return dict(what="mas", seed=SEED, games=games, scoring="kept", tables=tables)


register_paper("mas", "A student report: its game of 18 cards, model and strategy", report)
