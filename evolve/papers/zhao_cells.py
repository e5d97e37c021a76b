"""Zhao's dissertation (2022): published numbers, and the cells of games beside them."""

from pathlib import Path
from typing import NamedTuple

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
    if not parts:
        return agent
    return agent + (",".join(["", *parts]) if ":" in agent else ":" + ",".join(parts))


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
