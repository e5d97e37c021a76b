"""Zhao's dissertation (2022): published numbers, cells of games, tables.

The tables are those of ``hanabi experiment zhao``, made of the cells.
"""

from pathlib import Path
from typing import Any, NamedTuple

from hanabi.evolve.papers.report import LEAST, differences
from hanabi.variant import read_variant

NOT_COMPARABLE = (
    "No row with a list compares with a row with people: a person learns what the AI does, a list"
    " does not."
)
PARTNERS = ("modelled", "itself", "piers", "outer", "evolved")
PROGRAM = "zhao:belief=peek,fault=-100,divisor=5"  # with the program's numbers, too
SEATED = ("zhao", "zhao:belief=peek")  # as the text, and as the listing
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


class Weighting(NamedTuple):
    """Weights of the utility: in words, as settings, the published mean of ``games`` games."""

    says: str
    settings: dict[str, float | str]
    published: float | None = None
    games: int = 20


AGGRESSIVE = Weighting("stack × 10, the others × 1/10", dict(stack=100, penalty=-0.5, discard=-0.1))
WEIGHTS = (
    Weighting("10, −5, −1", {}, 8.444, 100),
    Weighting("stack × 10", dict(stack=100), 8.64),
    Weighting("stack × 1/10", dict(stack=1), 8.24),
    Weighting("penalty × 10", dict(penalty=-50)),
    Weighting("penalty × 1/10", dict(penalty=-0.5)),
    Weighting("discard × 10", dict(discard=-10)),
    Weighting("discard × 1/10", dict(discard=-0.1)),
    AGGRESSIVE,
    Weighting("stack by the numbers of its cards", dict(utility="numbers")),
)
SHORT = 40  # games at most where only time is measured
SLOW = 5  # where games take long, one in so many is played, at least SHORT
ENDS_AND_MOVES = ("lives lost", "play", "hint", "discard")  # shares in a table
BASELINES = ("uct:piers", "uct:legal-random", "search:piers", "piers", "legal-random")
KNOWN = ("piers", "outer", "evolved")  # partners whose list the search may know
WITH_LISTS = [
    (who, name) for name in KNOWN for who in ("zhao:negative=1", f"zhao:{name}", name)
] + [("zhao:piers", "evolved"), ("zhao:piers", "itself")]


def spec_of(agent: str, **settings: float | str) -> str:
    """Return a spec with more settings."""
    parts = [
        f"{key}={value}" if isinstance(value, str) else f"{key}={value:g}"
        for key, value in settings.items()
    ]
    mark = "," if ":" in agent else ":"
    return f"{agent}{mark}{','.join(parts)}" if parts else agent


def seated_at(depth: int) -> tuple[str, ...]:
    """Return the agents of the tables at a search depth; the program only at depth 2."""
    if depth == 2:
        return (*SEATED, PROGRAM)
    return tuple(spec_of(agent, depth=depth) for agent in SEATED)


def wanted() -> list[tuple[str, str, str]]:
    """Return every cell of the tables: (variant, spec, partner)."""
    found = [
        (variant, spec, partner)
        for _, variant, depth, _ in SCORES
        for spec in seated_at(depth)
        for partner in PARTNERS
    ]
    found += [("zhao-4", agent, "piers") for agent in SEATED] + [
        ("zhao-2", agent, "piers") for agent in BASELINES
    ]
    found += [
        ("zhao-2", spec_of(agent, **one.settings), "piers") for agent in SEATED for one in WEIGHTS
    ]
    return list(dict.fromkeys(found + [("zhao-2", *one) for one in WITH_LISTS]))


def games_of(variant: str, spec: str, games: int) -> int:
    """Return the games of a cell: fewer than ``games`` where they take long."""
    if variant == "zhao-4":
        return min(games, SHORT)
    slow = spec in BASELINES[:3] or spec.partition(":")[2].partition(",")[0] in KNOWN
    return min(games, max(SHORT, games // SLOW)) if slow else games


def tables(
    cells: dict[tuple[str, str, str], dict[str, Any]],
    played: dict[tuple[str, str], dict[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """Return the tables of a report from its cells, and from the games of ``people_in``."""
    return [
        *(_scores(cells, played or {}, *row) for row in SCORES),
        _times(cells),
        _shares(cells),
        _weights(cells),
        _lists(cells),
        _baselines(cells),
        differences([*SEATED, PROGRAM, "zhao:piers", BASELINES[0]]),
    ]


def _percent(share):
    return None if share is None else f"{share:.0%}"


def _points(cell):
    """Return the mean of a cell and its standard error; None for that of few games."""
    return round(cell["mean"], 2), None if cell["games"] < LEAST else round(cell["sem"], 3)


def _scores(cells, played, title, variant, depth, published):
    """Return the scores in one variant at one depth, people above our partners."""
    rows = [
        [f"{who} (published)", "people", count, mean, None, _percent(perfect), None]
        for who, count, mean, perfect in published
    ]
    ours = [
        (spec, "people", one)
        for (game, spec), one in played.items()
        if game == variant and depth == (3 if "depth=3" in spec else 2)
    ]
    ours += [
        (spec, partner, cells[variant, spec, partner])
        for spec in seated_at(depth)
        for partner in PARTNERS
    ]
    for spec, partner, one in ours:
        shares = (_percent(one[key]) for key in ("perfect", "lost"))
        rows.append([spec, partner, one["games"], *_points(one), *shares])
    stuck = " In 3 of the 100 games the AI was stuck." if (variant, depth) == ("zhao-2", 2) else ""
    return dict(
        name=f"zhao-{variant[-1]}-colours-depth-{depth}",
        title=f"Score, {title} (highest {read_variant(variant).perfect})",
        columns=["agent", "beside", "games", "mean", "s.e.", "perfect", "lives lost"],
        rows=rows,
        note=f"{NOT_COMPARABLE}{stuck} {_changes(cells, variant, depth)}",
    )


def _changes(cells, variant, depth):
    """Return what peeking, the program's numbers and a third move change, over all partners."""

    def change(one, other):
        return _span(
            cells[variant, one, partner]["mean"] - cells[variant, other, partner]["mean"]
            for partner in PARTNERS
        )

    text, peek = SEATED
    if depth == 2:
        return (
            f"Peeking changes the score by {change(peek, text)} points; the numbers of the program"
            f" ({PROGRAM}) change that of the search that peeks by {change(PROGRAM, peek)}."
        )
    text_3, peek_3 = seated_at(depth)
    return (
        f"The third move changes the score by {change(text_3, text)} points, that of the search"
        f" that peeks by {change(peek_3, peek)}."
    )


def _span(values):
    """Return the lowest and the highest of some values with signs."""
    found = sorted(values)
    return " to ".join(f"{value:+.1f}".replace("-", "−") for value in (found[0], found[-1]))


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
        rows += [
            [
                game,
                spec,
                *(
                    round(cells[variant, spec, "piers"][key], 2)
                    for key in ("ms", "least_ms", "most_ms")
                ),
            ]
            for spec in seated_at(depth)[: len(SEATED)]
        ]
    return dict(
        name="zhao-times",
        title="Milliseconds for an action of the AI",
        columns=["game", "agent", "ms", "least", "most"],
        rows=rows,
        note=(
            "Ours: CPU time of a whole turn in Python beside piers, the laws of the game included."
            " 3 colours on Windows: as in the text of the dissertation; its table has 43,723, which"
            " is another row's number."
        ),
    )


def _shares(cells):
    """Return the shares of the AI's kinds of moves, two colours."""
    rows = [
        [f"{who} (published)", "people", _percent(play), _percent(hint), _percent(discard)]
        for who, play, hint, discard in SHARES
    ]
    for depth in (2, 3):
        for spec in seated_at(depth):
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
        columns=["agent", "beside", "play", "hint", "discard"],
        rows=rows,
        note="People mostly give hints beside the AI, so it mostly plays; lists do not.",
    )


def _weights(cells):
    """Return the scores by the weights of the utility, beside piers."""
    rows = [
        ["AI and person (published)", one.says, one.games, one.published, None, None, None]
        for one in WEIGHTS
        if one.published is not None
    ]
    most: dict[str, float] = {}
    for agent in SEATED:
        before = cells["zhao-2", agent, "piers"]
        for one in WEIGHTS:
            now = cells["zhao-2", spec_of(agent, **one.settings), "piers"]
            apart = None
            if one.settings:
                spread = (now["sem"] ** 2 + before["sem"] ** 2) ** 0.5
                apart = round((now["mean"] - before["mean"]) / spread, 1)
                word = one.says.split()[0]
                most[word] = max(most.get(word, 0.0), abs(apart))
            rows.append(
                [agent, one.says, now["games"], *_points(now), apart, _percent(now["lost"])]
            )
    return dict(
        name="zhao-weights",
        title="Weights of the utility, 2 colours, depth 2, beside piers",
        columns=["agent", "weights", "games", "mean", "s.e.", "change in s.e.", "lives lost"],
        rows=rows,
        note=(
            "The dissertation concludes from 20 games each that the weights hardly matter, and that"
            " those of a penalty or a discard alone make no clear change. Here the weight of a"
            f" penalty changes the score by up to {most['penalty']:.0f} standard errors"
            f" ({_weight_change(cells, 'penalty × 10')} points with zhao), that of a discard by up"
            f" to {most['discard']:.0f} ({_weight_change(cells, 'discard × 10')} points). It calls"
            " the search with a larger stack and smaller others aggressive: it takes penalty tokens"
            f" without hesitation. Here {_lives_lost(cells)}."
        ),
    )


def _weight_change(cells, says):
    """Return the points that a weight changes beside piers."""
    (one,) = (one for one in WEIGHTS if one.says == says)
    now = cells["zhao-2", spec_of("zhao", **one.settings), "piers"]["mean"]
    return f"{now - cells['zhao-2', 'zhao', 'piers']['mean']:+.1f}".replace("-", "−")


def _lives_lost(cells):
    """Return how many games lose their last life with the aggressive weights, in words."""
    spec = spec_of("zhao", **AGGRESSIVE.settings)
    before, now = (cells["zhao-2", one, "piers"]["lost"] for one in ("zhao", spec))
    return f"{now:.1%} of its games lose their last life, {before:.1%} by default (zhao)"


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
    gains = _span(
        cells["zhao-2", f"zhao:{name}", name]["mean"] - cells["zhao-2", "zhao", name]["mean"]
        for name in KNOWN
    )
    return dict(
        name="zhao-lists",
        title="A list as the search's model of its partner, 2 colours (zhao:LIST)",
        columns=["agent", "beside", "games", "mean", "s.e.", *ENDS_AND_MOVES, "ms"],
        rows=rows,
        note=(
            "negative=1: the dissertation's model of the partner, and what a hint did not touch is"
            " known too, as it is with a list. The partner's own list in place of that model"
            f" changes the score by {gains} points."
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
        columns=["agent", "games", "mean", "s.e.", *ENDS_AND_MOVES, "hints on a card that fits"],
        rows=rows,
        note=(
            "In such a world all players know all cards, so a hint is worth no more than the turn"
            f" that it passes. Of its hints {useful['uct:piers']} touch a card that fits, of random"
            f" hints {useful['legal-random']}, of those of the belief search {useful['zhao']}."
        ),
    )
