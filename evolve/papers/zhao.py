"""Zhao's dissertation (2022), *AI for a social card game*: what it reports of its belief search, beside what ours does.

His numbers are of games with people. Ours are of games with stated partners in the person's seat, so no score of ours can be
compared with one of his: NOT_COMPARABLE says so below each table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.papers.source_differences import differences
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
PERSON = "person"  # who sits at a seat, in a game of `hanabi play`
NOT_COMPARABLE = "No cell with a list is comparable with a cell with people: a person learns what the AI does, a list does not."
PARTNERS = ("modelled", "itself", "piers", "outer", "evolved")
SEATED = ("zhao", "zhao:belief=peek")  # blind, and as his listing is
LISTS = Path(__file__).parent  # the evolved lists, zhao-2.toml and zhao-3.toml
# title, variant, depth, and what he reports: (who, games, mean, perfect)
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
SHORT = 40  # games at most, where time is all that is wanted
SLOW = 5  # where a game takes long, one in so many is played, at least SHORT
BASELINES = ("uct:piers", "uct:legal-random", "search:piers", "piers", "legal-random")
KNOWN = ("piers", "outer", "evolved")  # partners whose list the search may know
WITH_LISTS = [
    (who, name) for name in KNOWN for who in ("zhao:negative=1", f"zhao:{name}", name)
] + [("zhao:piers", "evolved"), ("zhao:piers", "itself")]


class Modelled(Player):
    """What the search takes its partner for, as a player: its own partner model drawn at random. An idle hint is any that sets a new
    flag; where there is none, or no token, it discards its oldest card."""

    name = "modelled"
    only_list_questions = True  # asks nothing of a view but facts

    def __init__(self) -> None:
        self.zhao = np.zeros(1, ZHAO)[0]

    def move(self, view: np.record) -> tuple[int, str]:
        """A card with flags, each flag twice as likely as a hint; or a hint."""
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
        hints = [
            hint
            for hint in range(TELL_COLOUR, END)
            if is_legal(view, hint)
            and touched_by(view, 1 - me, told_cards(hint))
            & ~int((zhao.colour_told if hint < TELL_RANK else zhao.rank_told)[1 - me])
        ]
        return (
            (hints[int(random_below(view, 2, len(hints)))], "any hint")
            if hints
            else (int(default_move(view)), "no hint is left")
        )


def seated(spec: str, variant: str) -> Player:
    """The player of a spec, in which *evolved* is the list that was evolved on a variant."""
    return load(spec.replace("evolved", str(LISTS / f"{variant}.toml"))).at(2)


def partner_of(name: str, spec: str, variant: str) -> Player:
    """Who sits in the person's seat."""
    return Modelled() if name == "modelled" else seated(spec if name == "itself" else name, variant)


def cell(variant: str, spec: str, partner: str, games: int) -> dict[str, Any]:
    """Games of an agent beside a partner, who begins in every second one: scores, how they ended, what the agent did, how long it took
    (CPU milliseconds for a move, the laws of the game included)."""
    law = read_variant(variant)
    table = Table(law, [seated(spec, variant), partner_of(partner, spec, variant)])
    played, spent, scores, lost, useful = np.zeros(3, np.int64), [], [], 0, 0
    for game, seed in enumerate(
        [0, *map(int, game_seeds(SEED, games))]
    ):  # one more before: it may compile
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
    """0 a play, 1 a hint, 2 a discard."""
    return 0 if step.move < DISCARD else 2 if step.move < TELL_COLOUR else 1


def _touches_a_play(step: Step) -> bool:
    """Is it a hint that touches a card which fits?"""
    view, seat = step.view, 1 - step.seat
    return _kind(step) == 1 and any(
        1 << int(card) & told_cards(step.move) & view.playable
        for card in view.hands[seat]
        if card >= 0
    )


def spec_of(agent: str, **settings: float) -> str:
    """A spec with more settings."""
    more = ",".join(f"{key}={value:g}" for key, value in settings.items())
    return f"{agent}{',' if ':' in agent else ':'}{more}" if more else agent


def wanted() -> list[tuple[str, str, str]]:
    """Every cell of the tables: (variant, spec, partner)."""
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
    """How many games of a cell are played where so many are asked for."""
    slow = spec in BASELINES[:3] or spec.partition(":")[2].partition(",")[0] in KNOWN
    return (
        min(games, SHORT)
        if variant == "zhao-4"
        else min(games, max(SHORT, games // SLOW))
        if slow
        else games
    )


def people_in(source: str) -> dict[tuple[str, str], dict[str, Any]]:
    """By (variant, who sat beside a person: a spec, or "person") what people scored in the finished games for two of a file or a folder
    of `hanabi play`. ValueError, one line, where there is none."""
    found: dict[tuple[str, str], list[Game]] = {}
    for where, game in read_games([source]).games:
        seats = (
            read_toml(Path(where)).get("table", {}).get("seats", [])
            if where.endswith(".toml")
            else []
        )
        if (
            game.end and len(seats) == 2 and PERSON in seats
        ):  # what people call themselves stands elsewhere
            found.setdefault((str(game.variant), seats[1 - seats.index(PERSON)]), []).append(game)
    if not found:
        raise ValueError(
            f"no finished game of a person and another one in {source}: play some, hanabi play --text zhao --variant zhao-2"
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
    games: int = GAMES, progress: Callable[..., None] | None = None, people: str = ""
) -> dict:
    """Every table as data: ``tables``, each with name, title, columns, rows and a note; and ``cells``. ``people``: a file or folder of
    games of `hanabi play`, whose scores stand beside his people's."""
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
    """Every table of a report, from all cells by (variant, spec, partner), and what ``people_in`` found."""
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


def _scores(cells, played, title, variant, depth, published):
    """The scores in one game at one depth, people above our partners."""
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
                    round(one["mean"], 2),
                    round(one["sem"], 3),
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
    """Milliseconds for an action."""
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
        note="Ours: CPU time of a whole turn in Python beside piers, the laws of the game included. 3 colours on "
        "Windows: his text; his table has 43,723, a slip.",
    )


def _shares(cells):
    """What kinds of moves the AI makes, two colours."""
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
    """What the weight of a card on the stacks changes."""
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
                    "× 1" if stack is None else "× 10" if stack > 10 else "× 1/10",
                    one["games"],
                    round(one["mean"], 2),
                    round(one["sem"], 3),
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
    """What it is worth to know the partner's list."""
    rows = []
    for spec, partner in [*WITH_LISTS, *(("zhao", name) for name in KNOWN)]:
        one = cells["zhao-2", spec, partner]
        rows.append(
            [
                spec,
                partner,
                one["games"],
                round(one["mean"], 2),
                round(one["sem"], 3),
                *(_percent(one[key]) for key in ("lost", "play", "hint", "discard")),
                round(one["ms"], 2),
            ]
        )
    rows.sort(key=lambda row: ([*KNOWN, "itself"].index(row[1]), row[3]))
    return dict(
        name="zhao-lists",
        title="A list as the search's model of its partner, 2 colours (zhao:LIST)",
        columns=[
            "who",
            "beside",
            "games",
            "mean",
            "s.e.",
            "lives lost",
            "play",
            "hint",
            "discard",
            "ms",
        ],
        rows=rows,
        note="negative=1: by his model of the partner, and what a hint did not touch is known too, as it is with a list.",
    )


def _baselines(cells):
    """Tree search in fixed worlds, and what it is to be held against."""
    rows, useful = [], {}
    for agent in (*SEATED, *BASELINES):
        one = cells["zhao-2", agent, "piers"]
        useful[agent] = _percent(one["useful"])
        rows.append(
            [
                agent,
                one["games"],
                round(one["mean"], 2),
                round(one["sem"], 3),
                *(_percent(one[key]) for key in ("lost", "play", "hint", "discard", "useful")),
            ]
        )
    return dict(
        name="zhao-baselines",
        title="Tree search in worlds where nothing is hidden (uct), beside piers, 2 colours",
        columns=[
            "who",
            "games",
            "mean",
            "s.e.",
            "lives lost",
            "play",
            "hint",
            "discard",
            "hints on a card that fits",
        ],
        rows=rows,
        note="In such a world everybody knows everything, so a hint is worth no more than the turn that it passes. Of its "
        f"hints {useful['uct:piers']} touch a card that fits, of random ones {useful['legal-random']}, of the belief "
        f"search's {useful['zhao']}.",
    )
