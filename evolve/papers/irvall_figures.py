"""Irvall's thesis (2023): the wise men of its figures, and where the time of its model goes."""

import time
from typing import Any

from hanabi.evolve.measure.knowledge_cost import mid_game
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.logic.puzzles import play_through, wise_men
from hanabi.rules.museum.irvall.explicit_model import list_model, needs, remove_by_hints
from hanabi.rules.museum.irvall.hand_lists import CARDS

THIRD = 2  # the wise man of the thesis's M_3, by number
# By stage: the worlds that man 3 considers, and what men 1 and 2 consider there. Figures 2 to 4.
M_3 = (
    {"RRR": ("RRR WRR", "RRR RWR"), "RRW": ("RRW WRW", "RRW RWW")},
    {"RRR": ("RRR WRR", "RRR RWR"), "RRW": ("RRW WRW", "RRW")},
    {"RRR": ("RRR WRR", "RRR RWR")},
)
STAGES = ("king: at least one hat is red", "man 1: I do not know", "man 2: I do not know")
SHARES = (24.5, 1.2, 74.2)  # per cent of the time of five games: listing, freeing, removing
MINUTES = (57.3, 56.9)  # of five games, and of these in the model
LIMIT = 1_000_000_000  # bytes that a model before the hints may take
POSITIONS = 10  # by player count


def wise_men_rows() -> list[list[Any]]:
    """Return the thesis's M_3 of the wise men beside ours, a row per stage and world."""
    views = {stage.said: stage.view for stage in play_through(wise_men(), THIRD)}
    rows = []
    for said, thesis in zip(STAGES, M_3, strict=True):
        view = views[said]
        ours = {
            world: tuple(" ".join(worlds) for worlds in others.values())
            for world, others in (view.worlds if view else {}).items()
        }
        for world, (one, two) in ours.items():
            same = [set(text.split()) for text in (one, two)] == [
                set(text.split()) for text in thesis.get(world, ("", ""))
            ]
            equal = same and ours.keys() == thesis.keys()
            rows.append([said, world, one, two, "equal" if equal else "DIFFERENT"])
    return rows


def wise_men_table() -> dict[str, Any]:
    """Return the thesis's M_3 of the wise men as a table."""
    return dict(
        name="irvall-wise-men",
        title="M_3 of the wise men (Figures 2 to 4), three red hats",
        columns=["after", "man 3 considers", "there man 1 considers", "and man 2", "thesis"],
        rows=wise_men_rows(),
        note="`hanabi logic puzzle wise-men --model 3` prints it.",
    )


def phase_seconds(sight: HandKnowledge) -> tuple[float, float, float]:
    """Return the seconds to list the hands of a model, to free them, and to remove by hints."""
    cost = needs(sight, CARDS, hinted=False)
    begin = time.thread_time()
    listed = list_model(sight, cost, hinted=False)
    after_list = time.thread_time()
    kept = remove_by_hints(sight, listed)
    after_hints = time.thread_time()
    del listed, kept
    return after_list - begin, time.thread_time() - after_hints, after_hints - after_list


def phases(players: int = 5, positions: int = POSITIONS) -> dict[str, Any]:
    """Return the shares of the time of models in mid-game: listing, freeing, removing by hints.

    Args:
        players: Number of players.
        positions: Models at most; only those of at most LIMIT bytes are listed.
    """
    _, sights = mid_game(players, 3 * positions)
    fitting = [sight for sight in sights if needs(sight, CARDS, hinted=False).bytes <= LIMIT]
    phase_seconds(min(fitting, key=lambda one: needs(one, CARDS, hinted=False).bytes))  # compiles
    found = [phase_seconds(sight) for sight in fitting[:positions]]
    seconds = [sum(column) for column in zip(*found)]
    return dict(
        players=players,
        positions=len(found),
        seconds=seconds,
        shares=[100 * part / sum(seconds) for part in seconds],
    )


def phases_table(found: dict[str, Any]) -> dict[str, Any]:
    """Return where the time goes, in the thesis and here."""
    each = sum(found["seconds"]) / found["positions"]
    return dict(
        name="irvall-phases",
        title="Where the time of the explicit model goes",
        columns=["", "listing hands", "freeing them", "removing by hints"],
        rows=[
            ["thesis", *(f"{share:.1f} %" for share in SHARES)],
            ["ours", *(f"{share:.1f} %" for share in found["shares"])],
        ],
        note=(
            f"Thesis: five games of five players, {MINUTES[0]} minutes, of which {MINUTES[1]} in"
            f" the model. Ours: {found['positions']} positions in mid-game with {found['players']}"
            f" players, {each:.2g} s each. The thesis tries every order of a hand to match it with"
            " the hints; ours matches sets of slots, so removing takes a smaller share."
        ),
    )
