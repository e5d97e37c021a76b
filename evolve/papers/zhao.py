"""Zhao's dissertation (2022), *AI for a social card game*: his belief search and ours.

His numbers are of games with people. Ours are of games with agents in the person's seat, so no
score of ours can be compared with one of his; NOT_COMPARABLE is the note below each table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.papers.registry import Paper
from hanabi.evolve.papers.report_tables import differences
from hanabi.files import read_toml
from hanabi.game import is_legal, told_cards, touched_by
from hanabi.game_reader import read_games
from hanabi.game_record import Game
from hanabi.moves import DISCARD, END, PLAY, SLOTS, TELL_COLOUR, TELL_RANK
from hanabi.player import Player, default_move
from hanabi.rules.agents import load
from hanabi.rules.museum.zhao.all_hands import ZHAO, recollect
from hanabi.steps import Step
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from hanabi.view import random_below

GAMES = 250  # per cell
SEED = 2022
PERSON = "person"  # the seat of a person in a file of `hanabi play`
NOT_COMPARABLE = (
    "No cell with a list is comparable with a cell with people: a person learns what the AI does, a"
    " list does not."
)
PARTNERS = ("modelled", "itself", "piers", "outer", "evolved")
SEATED = ("zhao", "zhao:belief=peek")  # without its hand, and as in his listing
LISTS = Path(__file__).parent  # the evolved lists, zhao-2.toml and zhao-3.toml
# title, variant, depth, and published: (who, games, mean, perfect)
SCORES: tuple[tuple[str, str, int, tuple[tuple[str, int, float, float | None], ...]], ...] = (
    (
        "2 colours, depth 2",
        "zhao-2",
        2,
        (("AI and person", 100, 8.444, 0.23), ("person and person", 100, 7.63, 0.04)),
    ),
    (
        "3 colours, depth 2",
        "zhao-3",
        2,
        (("AI and person", 50, 13.68, 0.16), ("person and person", 50, 13.44, 0.03)),
    ),
    ("2 colours, depth 3", "zhao-2", 3, (("AI and person", 50, 8.63, None),)),
)
# what was timed: variant, depth, (mean ms, least, most) on his MacBook and on his Windows computer
TIMES: tuple[tuple[str, int, tuple[float | None, ...], tuple[float | None, ...]], ...] = (
    ("zhao-2", 2, (7156.52, 108, 33015), (8043.56, None, 43723)),
    ("zhao-3", 2, (100126.64, None, 423897), (16850, None, None)),
    ("zhao-4", 2, (None, None, None), (133498, None, None)),
    ("zhao-2", 3, (None, None, None), (127520, None, None)),
)
SHARES = (
    ("MacBook, depth 2", 0.5574, 0.2459, 0.1967),
    ("Windows, depth 2", 0.5843, 0.2374, 0.1783),
    ("Windows, depth 3", 0.50, 0.31, None),
)
WEIGHTS = ((100.0, 8.64), (1.0, 8.24))  # weight of a card on the stacks, his mean of 20 games
SHORT = 40  # games at most where only time is measured
SLOW = 5  # where games take long, one in so many is played, at least SHORT
ENDS_AND_MOVES = ("lives lost", "play", "hint", "discard")  # shares in a table
BASELINES = ("uct:piers", "uct:legal-random", "search:piers", "piers", "legal-random")
KNOWN = ("piers", "outer", "evolved")  # partners whose list the search may know
WITH_LISTS = [
    (who, name) for name in KNOWN for who in ("zhao:negative=1", f"zhao:{name}", name)
] + [("zhao:piers", "evolved"), ("zhao:piers", "itself")]


class Modelled(Player):
    """The search's model of its partner as a player, with random choices.

    An idle hint is any that sets a new flag; without one, or without a token, it discards its
    oldest card.
    """

    name = "modelled"
    only_list_questions = True  # reads only facts from a view

    def __init__(self) -> None:
        self.zhao = np.zeros(1, ZHAO)[0]

    def move(self, view: np.record) -> tuple[int, str]:
        """Play a card with flags, each flag twice as likely as a hint; or give a hint."""
        zhao, me = self.zhao, int(view.me)
        recollect(view, zhao)
        colour, rank = int(zhao.colour_told[me]), int(zhao.rank_told[me])
        flagged = [
            slot
            for slot in range(SLOTS)
            for flags in (colour, rank)
            if view.filled[me] & flags & 1 << slot
        ]
        drawn = int(random_below(view, 1, 2 * len(flagged) + 1))
        if drawn:
            return PLAY + flagged[(drawn - 1) // 2], "a card with flags"
        hints = []
        for hint in range(TELL_COLOUR, END):
            told = zhao.colour_told if hint < TELL_RANK else zhao.rank_told
            new = touched_by(view, 1 - me, told_cards(hint)) & ~int(told[1 - me])
            if new and is_legal(view, hint):
                hints.append(hint)
        if hints:
            return hints[int(random_below(view, 2, len(hints)))], "any hint"
        return int(default_move(view)), "no hint is left"


def seated(spec: str, variant: str) -> Player:
    """Return the player of a spec; *evolved* in it is the list that was evolved on a variant."""
    return load(spec.replace("evolved", str(LISTS / f"{variant}.toml"))).at(2)


def partner_of(name: str, spec: str, variant: str) -> Player:
    """Return the player in the person's seat."""
    if name == "modelled":
        return Modelled()
    return seated(spec if name == "itself" else name, variant)


def cell(variant: str, spec: str, partner: str, games: int) -> dict[str, Any]:
    """Play games of an agent beside a partner, who begins in every second one.

    Returns:
        Scores, how the games ended, the shares of the agent's kinds of moves, and CPU milliseconds
        for a move, the laws of the game included.
    """
    law = read_variant(variant)
    table = Table(law, [seated(spec, variant), partner_of(partner, spec, variant)])
    spent: list[float] = []
    scores: list[int] = []
    lost = useful = 0
    played = np.zeros(3, np.int64)
    # The first game is not counted: it may compile.
    for game, seed in enumerate([0, *map(int, game_seeds(SEED, games))]):
        seats, begun = [game % 2, 1 - game % 2], thread_time()
        for step in table.steps(seed, seats):
            now = thread_time()
            if game and (seats[step.seat] == 0 or partner == "itself"):
                spent.append(now - begun)
                played[_kind(step)] += 1
                useful += _touches_a_play(step)
            begun = thread_time()
        if game:
            scores.append(int(table.view.score))
            lost += int(table.view.lives == 0)
    mean, sem = map(float, mean_sem(np.array(scores)))
    play, hint, discard = map(float, played / played.sum())
    times = np.array(spent) * 1e3
    return dict(
        variant=variant,
        agent=spec,
        partner=partner,
        games=games,
        mean=mean,
        sem=sem,
        perfect=scores.count(law.perfect) / games,
        lost=lost / games,
        play=play,
        hint=hint,
        discard=discard,
        useful=useful / max(1, int(played[1])),
        ms=float(times.mean()),
        least_ms=float(times.min()),
        most_ms=float(times.max()),
    )


def _kind(step: Step) -> int:
    """Return 0 for a play, 1 for a hint, 2 for a discard."""
    if step.move < DISCARD:
        return 0
    return 2 if step.move < TELL_COLOUR else 1


def _touches_a_play(step: Step) -> bool:
    """Return whether a move is a hint that touches a playable card."""
    view, seat = step.view, 1 - step.seat
    return _kind(step) == 1 and any(
        1 << int(card) & told_cards(step.move) & view.playable
        for card in view.hands[seat]
        if card >= 0
    )


def spec_of(agent: str, **settings: float) -> str:
    """Return a spec with more settings."""
    parts = [f"{key}={value:g}" for key, value in settings.items()]
    if not parts:
        return agent
    return agent + (",".join(["", *parts]) if ":" in agent else ":" + ",".join(parts))


def wanted() -> list[tuple[str, str, str]]:
    """Return every cell of the tables: (variant, spec, partner)."""
    deep = [
        (variant, agent if depth == 2 else spec_of(agent, depth=depth))
        for _, variant, depth, _ in SCORES
        for agent in SEATED
    ]
    found = [(variant, spec, partner) for variant, spec in deep for partner in PARTNERS]
    found += [("zhao-4", agent, "piers") for agent in SEATED] + [
        ("zhao-2", agent, "piers") for agent in BASELINES
    ]
    found += [
        ("zhao-2", spec_of(agent, stack=stack), "piers") for agent in SEATED for stack, _ in WEIGHTS
    ]
    return list(dict.fromkeys(found + [("zhao-2", *one) for one in WITH_LISTS]))


def games_of(variant: str, spec: str, games: int) -> int:
    """Return the games of a cell: fewer than ``games`` where they take long."""
    if variant == "zhao-4":
        return min(games, SHORT)
    slow = spec in BASELINES[:3] or spec.partition(":")[2].partition(",")[0] in KNOWN
    return min(games, max(SHORT, games // SLOW)) if slow else games


def people_in(source: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the scores of people in finished games of two players from `hanabi play`.

    Args:
        source: A file or a folder.

    Returns:
        Scores by (variant, partner): the partner is a spec, or "person".

    Raises:
        ValueError: If there is no such game.
    """
    found: dict[tuple[str, str], list[Game]] = {}
    for where, game in read_games([source]).games:
        # The seats of the file name a person "person"; the game has the name that they gave.
        file = read_toml(Path(where)) if where.endswith(".toml") else {}
        seats = file.get("table", {}).get("seats", [])
        if game.end and len(seats) == 2 and PERSON in seats:
            found.setdefault((str(game.variant), seats[1 - seats.index(PERSON)]), []).append(game)
    if not found:
        raise ValueError(
            f"no finished game of a person and another one in {source}: play some, hanabi play"
            " --text zhao --variant zhao-2"
        )
    return {key: _of_people(some) for key, some in found.items()}


def _of_people(games):
    scores = np.array([game.score for game in games])
    mean, sem = mean_sem(scores) if len(games) > 1 else (float(scores[0]), float("nan"))
    return dict(
        games=len(games),
        mean=float(mean),
        sem=float(sem),
        perfect=float((scores == games[0].variant.perfect).mean()),
        lost=sum(game.end == "lives" for game in games) / len(games),
    )


def report(
    games: int | None = None, progress: Callable[..., None] | None = None, people: str = ""
) -> dict[str, Any]:
    """Return every table as data; see ``hanabi.evolve.papers.registry.Paper``.

    Args:
        games: Games per cell.
        progress: Called with (done, of, what).
        people: A file or folder of games of `hanabi play`, to set beside those of his people.
    """
    games = games or GAMES
    played = people_in(people) if people else {}
    cells, todo = {}, wanted()
    for done, (variant, spec, partner) in enumerate(todo):
        if progress:
            progress(done, len(todo), f"{spec} beside {partner}, {variant}")
        cells[variant, spec, partner] = cell(variant, spec, partner, games_of(variant, spec, games))
    return dict(
        what="zhao",
        seed=SEED,
        games=games,
        scoring="kept",
        tables=tables(cells, played),
        cells=[*cells.values()],
    )


def tables(
    cells: dict[tuple[str, str, str], dict[str, Any]],
    played: dict[tuple[str, str], dict[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """Return the tables of a report from its cells and the result of ``people_in``."""
    return [
        *(_scores(cells, played or {}, *row) for row in SCORES),
        _times(cells),
        _shares(cells),
        _weights(cells),
        _lists(cells),
        _baselines(cells),
        differences([*SEATED, "zhao:piers", BASELINES[0]]),
    ]


def _percent(share):
    return None if share is None else f"{share:.0%}"


def _points(cell):
    return round(cell["mean"], 2), round(cell["sem"], 3)


def _scores(cells, played, title, variant, depth, published):
    """Return the scores in one variant at one depth, people above our partners."""
    rows = [
        [f"{who} (published)", "people", count, mean, None, _percent(perfect), None]
        for who, count, mean, perfect in published
    ]
    for (game, beside), one in played.items():
        if game == variant and depth == (3 if "depth=3" in beside else 2):
            rows.append(
                [
                    beside,
                    "people",
                    one["games"],
                    round(one["mean"], 2),
                    None if one["games"] == 1 else round(one["sem"], 3),
                    _percent(one["perfect"]),
                    _percent(one["lost"]),
                ]
            )
    for agent in SEATED:
        spec = agent if depth == 2 else spec_of(agent, depth=depth)
        for partner in PARTNERS:
            one = cells[variant, spec, partner]
            rows.append(
                [
                    spec,
                    partner,
                    one["games"],
                    *_points(one),
                    _percent(one["perfect"]),
                    _percent(one["lost"]),
                ]
            )
    stuck = " Of his 100 games the AI was stuck in 3." if (variant, depth) == ("zhao-2", 2) else ""
    return dict(
        name=f"zhao-{variant[-1]}-colours-depth-{depth}",
        title=f"Score, {title} (highest {read_variant(variant).perfect})",
        columns=["who", "beside", "games", "mean", "s.e.", "perfect", "lives lost"],
        rows=rows,
        note=NOT_COMPARABLE + stuck,
    )


def _times(cells):
    """Return the milliseconds for an action."""
    rows = []
    for variant, depth, *computers in TIMES:
        game = f"{variant[-1]} colours, depth {depth}"
        rows += [
            [game, f"{name} (published)", *values]
            for name, values in zip(("MacBook", "Windows"), computers)
            if any(values)
        ]
        for agent in SEATED:
            one = cells[variant, agent if depth == 2 else spec_of(agent, depth=depth), "piers"]
            rows.append(
                [game, agent, *(round(one[key], 2) for key in ("ms", "least_ms", "most_ms"))]
            )
    return dict(
        name="zhao-times",
        title="Milliseconds for an action of the AI",
        columns=["game", "who", "ms", "least", "most"],
        rows=rows,
        note=(
            "Ours: CPU time of a whole turn in Python beside piers, the laws of the game included."
            " 3 colours on Windows: his text; his table has 43,723, a slip."
        ),
    )


def _shares(cells):
    """Return the shares of the AI's kinds of moves, two colours."""
    rows = [
        [f"{who} (published)", "people", _percent(play), _percent(hint), _percent(discard)]
        for who, play, hint, discard in SHARES
    ]
    for depth in (2, 3):
        for agent in SEATED:
            spec = agent if depth == 2 else spec_of(agent, depth=depth)
            rows += [
                [
                    spec,
                    partner,
                    *(
                        _percent(cells["zhao-2", spec, partner][kind])
                        for kind in ("play", "hint", "discard")
                    ),
                ]
                for partner in PARTNERS
            ]
    return dict(
        name="zhao-shares",
        title="Share of the AI's actions, 2 colours",
        columns=["who", "beside", "play", "hint", "discard"],
        rows=rows,
        note="People mostly tell where their partner is the AI, so it mostly plays; lists do not.",
    )


def _weights(cells):
    """Return the scores by the weight of a card on the stacks."""
    rows = [
        ["AI and person (published)", "× 10" if stack > 10 else "× 1/10", 20, mean, None]
        for stack, mean in WEIGHTS
    ]
    for agent in SEATED:
        for stack in (None, *(stack for stack, _ in WEIGHTS)):
            one = cells["zhao-2", agent if stack is None else spec_of(agent, stack=stack), "piers"]
            rows.append(
                [
                    f"{agent} beside piers",
                    {None: "× 1", 100.0: "× 10", 1.0: "× 1/10"}[stack],
                    one["games"],
                    *_points(one),
                ]
            )
    return dict(
        name="zhao-weights",
        title="Weight of a card on the stacks (10), 2 colours, depth 2",
        columns=["who", "stack weight", "games", "mean", "s.e."],
        rows=rows,
        note="His conclusion: the weights hardly matter.",
    )


def _lists(cells):
    """Return the scores with and without knowledge of the partner's list."""
    rows = []
    for spec, partner in [*WITH_LISTS, *(("zhao", name) for name in KNOWN)]:
        one = cells["zhao-2", spec, partner]
        rows.append(
            [
                spec,
                partner,
                one["games"],
                *_points(one),
                *(_percent(one[key]) for key in ("lost", "play", "hint", "discard")),
                round(one["ms"], 2),
            ]
        )
    rows.sort(key=lambda row: ([*KNOWN, "itself"].index(row[1]), row[3]))
    return dict(
        name="zhao-lists",
        title="A list as the search's model of its partner, 2 colours (zhao:LIST)",
        columns=["who", "beside", "games", "mean", "s.e.", *ENDS_AND_MOVES, "ms"],
        rows=rows,
        note=(
            "negative=1: by his model of the partner, and what a hint did not touch is known too,"
            " as it is with a list."
        ),
    )


def _baselines(cells):
    """Return the scores of tree search in fixed worlds and of its baselines."""
    rows, useful = [], {}
    for agent in (*SEATED, *BASELINES):
        one = cells["zhao-2", agent, "piers"]
        useful[agent] = _percent(one["useful"])
        rows.append(
            [
                agent,
                one["games"],
                *_points(one),
                *(_percent(one[key]) for key in ("lost", "play", "hint", "discard", "useful")),
            ]
        )
    return dict(
        name="zhao-baselines",
        title="Tree search in worlds where nothing is hidden (uct), beside piers, 2 colours",
        columns=["who", "games", "mean", "s.e.", *ENDS_AND_MOVES, "hints on a card that fits"],
        rows=rows,
        note=(
            "In such a world everybody knows everything, so a hint is worth no more than the turn"
            f" that it passes. Of its hints {useful['uct:piers']} touch a card that fits, of random"
            f" ones {useful['legal-random']}, of the belief search's {useful['zhao']}."
        ),
    )


THIS_PAPER = Paper("zhao", "Zhao 2022, a dissertation: his belief search", report, has_people=True)
