"""Ablation: the worth of each part of an agent, by switching it off (or on).

Switched are, one at a time and for each player count separately: every rule, every convention,
every guard, values of conventions that have one other choice, every weight (to 0), some groups of
these, and what the agent does not use: the other conventions and the other rules of its set. The
**worth** of a switch is the mean of (points with it - points without it), game by game on the same
deals, with the standard error of that difference; what changes no game is worth 0 ± 0.

Nothing is tuned again after a switch: a part can be worth little because another one replaces it,
and a new part may be worth more in an agent that was tuned with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
import pandas as pd

from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    families_without_code,
    is_of_code,
    needs_marks,
)
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, players_text, pooled
from hanabi.evolve.measure.game_sums import Moments, check_games, pieces, points
from hanabi.rulebook import FAMILIES, Family, Rule, find
from hanabi.rules import SETS
from hanabi.rules.agents import Agent, load
from hanabi.table import ListPlayer
from hanabi.variant import nearest

COLUMNS = [
    "agent",
    "partner",
    "players",
    "kind",
    "what",
    "entry",
    "switched",
    "games",
    "differ",
    "worth_kept",
    "sem_kept",
    "worth_zero",
    "sem_zero",
]
TOGETHER = (  # parts that replace each other, so that one alone says little
    ("focus", "finesse", "order_own", "order_next"),
    ("finesse", "order_own", "order_next"),
    ("order_own", "order_next"),
    ("warning", "no_warning"),
    ("keep_pace", "tell_anything"),
    tuple(families_without_code()),
)
WEIGHT_GROUPS = {  # weights of one purpose
    "what becomes known": ("useless", "critical", "soon"),
    "copies and waste": ("copy", "waste"),
    "finesse and bluff": ("finesse", "bluff"),
    "order of plays": ("unlock", "lowest", "private", "fives"),
    "trust in assumptions": ("trust_lives", "trust_chance"),
    "all weights of hints": tuple(WEIGHTS)[: tuple(WEIGHTS).index("unlock")],
}


@dataclass(frozen=True)
class Switch:
    """One change to a player.

    Attributes:
        kind: rule, convention, guard, value, weight or together.
        what: The name of the part.
        entry: The part as an agent file writes it.
        player: The player after the change.
        on: True if the part is added, False if it is taken away.
    """

    kind: str
    what: str
    entry: str
    player: ListPlayer
    on: bool = False


def middle(family: Family) -> Rule:
    """Return a family with the middle choice of each value: the setting of an unused part."""
    return Rule(family, tuple(choices[len(choices) // 2] for choices in family.grid.values()))


def set_of(rules: Iterable[Rule]) -> list[Rule]:
    """Return the smallest named set that has all families of some rules.

    Rules whose family is in no set are ignored. The result is empty where no set has the others.
    """
    families = {
        name: {entry.partition("(")[0] for entry in entries} for name, entries in SETS.items()
    }
    wanted = {rule.family.name for rule in rules} & set().union(*families.values())
    for name in sorted(families, key=lambda name: len(SETS[name])):
        if wanted and wanted <= families[name]:
            return [find(entry) for entry in SETS[name]]
    return []


def put_in(rules: tuple[Rule, ...], new: Rule, order: list[str]) -> tuple[Rule, ...]:
    """Insert a rule before the first one whose family comes later in a set.

    Args:
        rules: The list.
        new: The rule.
        order: The families of the set, in their order.
    """
    later = order[order.index(new.family.name) + 1 :]
    place = next((i for i, rule in enumerate(rules) if rule.family.name in later), len(rules))
    return (*rules[:place], new, *rules[place:])


def without(player: ListPlayer, names: Iterable[str], weights: Iterable[str] = ()) -> ListPlayer:
    """Return a player without the rules and conventions of some names, and some weights at 0."""
    names = set(names)
    return replace(
        player,
        rules=tuple(rule for rule in player.rules if rule.family.name not in names),
        conventions=tuple(entry for entry in player.conventions if entry.family.name not in names),
        weights=tuple({**dict(player.weights), **dict.fromkeys(weights, 0)}.items()),
    )


def switches(player: ListPlayer, off: Iterable[Iterable[str]] = ()) -> list[Switch]:
    """Return every switch of a player.

    An unused rule is inserted before the first rule that comes later in the set; an unused
    convention comes last in its stage. A rule that is in the list several times is switched off one
    by one, and all at once.

    Args:
        player: The player.
        off: Names of rules and conventions that are switched off together.

    Raises:
        ValueError: There is no such rule or convention.
    """
    with_marks = any(map(needs_marks, player.rules))
    found = [
        *_rules(player),
        *(_conventions(player) if with_marks or player.conventions else ()),
        *(_weights(player) if with_marks else ()),
    ]
    known = {*FAMILIES, *CONVENTION_FAMILIES}
    for names in off:
        for name in names:
            if name not in known:
                raise ValueError(
                    f"no rule or convention {name!r} to switch off{nearest(name, known)}"
                )
    used = {entry.family.name for entry in player.rules + player.conventions}
    together = tuple(map(tuple, off))
    for names in dict.fromkeys((*TOGETHER, *together)):
        some = tuple(name for name in names if name in used)
        if len(some) < 2 and names not in together:
            continue
        what = "all conventions" if names == tuple(families_without_code()) else ", ".join(names)
        found.append(Switch("together", what, ", ".join(some), without(player, some)))
    return [switch for switch in found if switch.player.rules]


def _called(entries):
    """Return the names of some entries: the family, numbered where it occurs several times."""
    names = [entry.family.name for entry in entries]
    return [
        f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _guards(player, what):
    """Yield the switches of the guards of a player's rules or conventions (``what``: the field)."""
    entries = getattr(player, what)
    for place, (entry, called) in enumerate(zip(entries, _called(entries))):
        if entry.guard:
            always = (*entries[:place], replace(entry, guard=None), *entries[place + 1 :])
            if what == "rules" or always[place] not in entries:
                yield Switch(
                    "guard", f"{called} when", str(entry.guard), replace(player, **{what: always})
                )


def _rules(player):
    rules, names = player.rules, [rule.family.name for rule in player.rules]
    for place, (rule, what) in enumerate(zip(rules, _called(rules))):
        yield Switch(
            "rule", what, rule.name, replace(player, rules=rules[:place] + rules[place + 1 :])
        )
    yield from _guards(player, "rules")
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Switch(
                "rule",
                f"{name} (all)",
                "; ".join(rule.name for rule in rules if rule.family.name == name),
                replace(player, rules=tuple(rule for rule in rules if rule.family.name != name)),
            )
    whole: dict[str, list[Rule]] = {}
    for rule in set_of(rules):
        whole.setdefault(rule.family.name, []).append(rule)
    for name, settings in whole.items():
        if name not in names:
            new = settings[len(settings) // 2]
            yield Switch(
                "rule",
                name,
                new.name,
                replace(player, rules=put_in(rules, new, list(whole))),
                on=True,
            )


def _conventions(player):
    held = player.conventions
    for place, (entry, what) in enumerate(zip(held, _called(held))):
        rest = held[:place], held[place + 1 :]
        yield Switch("convention", what, entry.name, replace(player, conventions=rest[0] + rest[1]))
        for key, choices in entry.family.grid.items():
            for other in choices if len(choices) == 2 else ():
                changed = replace(entry, values=tuple({**entry.settings, key: other}.values()))
                if changed not in held:
                    yield Switch(
                        "value",
                        f"{what} {key}",
                        f"{key}={other} for {entry.settings[key]}",
                        replace(player, conventions=(*rest[0], changed, *rest[1])),
                        on=entry.settings[key] == 0,
                    )
    yield from _guards(player, "conventions")
    for name, family in CONVENTION_FAMILIES.items():
        spoken = [entry.family.name for entry in held]
        if name not in spoken and ("code" in spoken or not is_of_code(family)):
            new = middle(family)
            yield Switch(
                "convention", name, new.name, replace(player, conventions=(*held, new)), on=True
            )


def _weights(player):
    weights = {name: dict(player.weights).get(name, entry[0]) for name, entry in WEIGHTS.items()}
    for what, names in [*((name, (name,)) for name in WEIGHTS), *WEIGHT_GROUPS.items()]:
        some = [name for name in names if weights[name] != 0]
        if some and (len(names) == 1 or len(some) > 1):
            yield Switch(
                "weight",
                what,
                ", ".join(f"{name}={weights[name]}" for name in some),
                without(player, (), some),
            )


def as_agent(name: str, player: ListPlayer, players: int) -> Agent:
    """Return a player as an agent that has a list for one player count."""
    key = str(players)
    return Agent(
        name,
        {key: player.rules},
        player.otherwise,
        conventions={key: player.conventions},
        weights={key: dict(player.weights)},
    )


def lab(
    spec: str | Agent,
    players: list[int] | None = None,
    games_each: int = 5_000,
    beside: str | Agent | None = None,
    off: Iterable[Iterable[str]] = (),
    **options: Unpack[Options],
) -> pd.DataFrame:
    """Measure what each part of an agent is worth.

    Args:
        spec: The agent: a name, a path or an object.
        players: The player counts. Default: those of the variant, or 2 to 5.
        games_each: Games per switch and player count.
        beside: If given, the agent sits in one random seat among copies of this one, which does
            not change with the switch.
        off: Names of rules and conventions that are switched off together.
        **options: See Arena; ``progress(done, of)`` counts games.

    Returns:
        A row per switch and player count, and one over all counts ("2-5") for parts that are there
        at each. ``kind``, ``what`` and ``entry`` are the part, see Switch; ``switched`` is "off" or
        "on"; ``differ`` is the share of games in which the points differ; ``worth_*`` are points
        with the part less points without it, ``sem_*`` their standard error.

        Columns: ``agent``, ``partner``, ``players``, ``kind``, ``what``, ``entry``, ``switched``,
        ``games``, ``differ``, ``worth_kept``, ``sem_kept``, ``worth_zero``, ``sem_zero``.

    Raises:
        ValueError: What was named cannot be played.
    """
    agent, partner = load(spec), load(beside) if beside else None
    check_games(games_each, 2)
    arena = Arena(players, **options)
    arena.check(agent, partner)
    tasks = {}
    for count in arena.players:
        listed = agent.list_at(count)
        tasks[count] = [Switch("agent", agent.name, "", listed), *switches(listed, off)]
    total, done = sum(map(len, tasks.values())) * games_each, 0
    rows = []
    with arena.workers as workers:
        for count, some in tasks.items():
            worths = [_Worth(switch.on) for switch in some]
            agents = [as_agent(agent.name, switch.player, count) for switch in some]
            for deals in pieces(0, games_each):
                base = None  # the points of the agent as it is, which comes first
                played = workers.play(
                    [arena.match(count, one, partner, len(deals), deals.start) for one in agents]
                )
                for worth, results in zip(worths, played):
                    scores = np.stack(
                        [points(results["score"], results["end"], scoring) for scoring in SCORINGS]
                    )
                    base = scores if base is None else base
                    worth.add(base, scores)
                    done += len(deals)
                    arena.progress(done, total)
            rows += [
                _row(agent.name, (partner or agent).name, count, switch, worth)
                for switch, worth in zip(some[1:], worths[1:])
            ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    if len(arena.players) == 1:
        return table
    return pd.concat([table, _over_all(table, arena.players)], ignore_index=True)


class _Worth:
    """Sums of points with a part less points without it, game by game.

    Args:
        on: Whether the switch adds the part.
    """

    def __init__(self, on: bool) -> None:
        self.on = on
        self.kept = Moments()
        self.zero = Moments()
        self.differing = 0

    def add(self, base: np.ndarray, switched: np.ndarray) -> None:
        """Count in more games.

        Args:
            base: Points (scorings, games) of the agent as it is.
            switched: The same after the switch.
        """
        worth = switched - base if self.on else base - switched
        for moments, values in zip((self.kept, self.zero), worth):
            moments.add(values)
        self.differing += int(worth.any(axis=0).sum())


def _row(agent, partner, players, switch, worth):
    games = worth.kept.count
    return dict(
        agent=agent,
        partner=partner,
        players=str(players),
        kind=switch.kind,
        what=switch.what,
        entry=switch.entry,
        switched="on" if switch.on else "off",
        games=games,
        differ=worth.differing / games,
        worth_kept=worth.kept.mean,
        sem_kept=worth.kept.sem,
        worth_zero=worth.zero.mean,
        sem_zero=worth.zero.sem,
    )


def _over_all(table, counts):
    rows = []
    for _, group in table.groupby(["kind", "what", "switched"], sort=False):
        if len(group) == len(counts):
            row = group.iloc[0].to_dict() | dict(
                players=players_text(counts),
                entry="",
                games=int(group["games"].sum()),
                differ=float(group["differ"].mean()),
            )
            for scoring in SCORINGS:
                row[f"worth_{scoring}"], row[f"sem_{scoring}"] = pooled(
                    group[f"worth_{scoring}"], group[f"sem_{scoring}"]
                )
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def by_worth(table: pd.DataFrame) -> list[tuple[dict, dict[str, dict]]]:
    """Return the rows for a page, most worth first.

    Returns:
        (a row with the means over its player counts, its rows by player count), by part.
    """
    found = []
    for _, group in table.groupby(["kind", "what", "switched"], sort=False):
        rows = {row["players"]: row for row in group.to_dict("records")}
        whole = next((row for players, row in rows.items() if len(players) > 1), None)
        single = [row for players, row in rows.items() if len(players) == 1]
        head = whole or single[0] | {
            f"worth_{scoring}": float(np.mean([row[f"worth_{scoring}"] for row in single]))
            for scoring in SCORINGS
        }
        found.append((head, rows))
    return sorted(found, key=lambda entry: -entry[0]["worth_kept"])
