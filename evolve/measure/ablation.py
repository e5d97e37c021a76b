"""Ablation: the worth of each part of an agent, by switching it off or on; plainer agents.

Switched are, one at a time and for each player count separately: every rule, every convention,
every guard, values of conventions that have one other choice, every weight (to 0), some groups of
these, and what the agent does not use: the other conventions and the other rules of its set. The
**worth** of a switch is the mean of (points with it - points without it), game by game on the same
deals, with the standard error of that difference; what changes no game is worth 0 ± 0.

Nothing is tuned again after a switch: a part can be worth little because another one replaces it,
and a new part may be worth more in an agent that was tuned with it.

An agent is simplified by shorter sentences and plainer values, each paid for in measured points.
Each proposal is a list with one change (``proposals``). In a pass all proposals play a quarter of
the deals. Then they are tried on all deals, those first that cost least per word, each in the list
with all changes accepted so far. A change is accepted if that list loses no more than the stated
loss to the first one, standard error included. The passes end when none is accepted.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

import numpy as np
import pandas as pd

import hanabi
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, players_text, pooled
from hanabi.evolve.measure.game_sums import GameCounter, Moments, check_games, pieces, points
from hanabi.evolve.measure.paired import Estimate
from hanabi.evolve.measure.variations import (
    KINDS,
    Variation,
    edited,
    omissions,
    other_weights,
    relaxed,
    switches,
    words_of,
)
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent, counts, load
from hanabi.table import ListPlayer

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
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``;
            ``progress(done, of)`` counts games.

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
    tasks = {count: switches(agent.list_at(count), off) for count in arena.players}
    tally = GameCounter(arena.progress, sum(1 + len(some) for some in tasks.values()) * games_each)
    rows = []
    with arena.workers as workers:
        for count, some in tasks.items():
            lists = [agent.list_at(count), *(switch.player for switch in some)]
            agents = [as_agent(agent.name, one, count) for one in lists]
            sums = [[Moments(), Moments(), Moments()] for _ in some]  # kept, zero, is any not 0
            for deals in pieces(0, games_each):
                matches = [
                    arena.match(count, one, partner, len(deals), deals.start) for one in agents
                ]
                scores = map(_points, workers.play(matches, tally.more()))
                base = next(scores)  # of the agent as it is
                for switch, switched, moments in zip(some, scores, sums):
                    worth = switched - base if switch.on else base - switched
                    for one, values in zip(moments, (*worth, worth.any(axis=0))):
                        one.add(values)
            rows += [
                dict(
                    agent=agent.name,
                    partner=(partner or agent).name,
                    players=str(count),
                    kind=switch.kind,
                    what=switch.what,
                    entry=switch.entry,
                    switched="on" if switch.on else "off",
                    games=games_each,
                    differ=differing.mean,
                    worth_kept=kept.mean,
                    sem_kept=kept.sem,
                    worth_zero=zero.mean,
                    sem_zero=zero.sem,
                )
                for switch, (kept, zero, differing) in zip(some, sums)
            ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    if len(arena.players) == 1:
        return table
    return pd.concat([table, _over_all(table, arena.players)], ignore_index=True)


def _points(results: np.ndarray) -> np.ndarray:
    """Return the points (scorings, games) of RESULT records."""
    return np.stack([points(results["score"], results["end"], scoring) for scoring in SCORINGS])


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


CHANGE_COLUMNS = "players kind change words games cost sem loss loss_sem".split()
DIGITS = 2  # of a value or a weight
PART = 4  # a pass ranks its proposals by the first quarter of the deals


class SimplifiedAgent(NamedTuple):
    """An agent in fewer words, and what each change cost.

    Attributes:
        agent: The agent.
        rows: A row per change that was taken, in turn: ``players``, its ``kind``, the ``change``,
            the ``words`` that it saves, the ``games`` of each side, its ``cost`` in points per game
            with ``sem``, and the ``loss`` of all changes so far against the first list with
            ``loss_sem``.
    """

    agent: Agent
    rows: pd.DataFrame


def rounded(value: float) -> float:
    """Return a number with at most two significant digits."""
    return float(f"{value:.{DIGITS}g}")


def proposals(player: ListPlayer) -> Iterator[Variation]:
    """Yield the list with one change that makes it shorter or plainer.

    An entry goes; a guard or one of its bounds goes; entries with the same sentence become one
    without a guard; a value or a weight is rounded to two digits; a weight becomes its default; a
    convention gets a value with which its sentence leaves out words.
    """
    yield from omissions(player)
    for part, kind in KINDS.items():
        held = getattr(player, part)
        for place, entry in enumerate(held):
            for other in relaxed(entry):
                if other not in held:
                    yield _replaced(player, "guard", part, place, other)
            same = [one for one in held[place + 1 :] if _is_same_sentence(one, entry)]
            if same and not any(_is_same_sentence(one, entry) for one in held[:place]):
                bare = replace(entry, guard=None)
                kept = (*held[:place], bare, *(one for one in held[place + 1 :] if one not in same))
                changed: dict[str, Any] = {part: kept}
                merged = replace(player, **changed)
                yield Variation("merged", f"{len(same) + 1} {entry.bare}", bare.name, merged)
            values = tuple(
                rounded(value) if isinstance(value, float) else value for value in entry.values
            )
            if values != entry.values:
                new = replace(entry, values=values)
                yield _replaced(player, "rounded", part, place, new)
            if kind == "convention":
                for other in _plainer(player, entry):
                    yield _replaced(player, "plainer", part, place, other)
    weights = dict(player.weights)
    for name, value in weights.items():
        if value != WEIGHTS[name][0]:
            rest = {other: one for other, one in weights.items() if other != name}
            default = f"{name}={WEIGHTS[name][0]:g}"
            yield _weighted(player, "default", f"{name}={value:g}", default, rest)
            if rounded(value) != value:
                near = weights | {name: rounded(value)}
                new = f"{name}={rounded(value):g}"
                yield _weighted(player, "rounded", f"{name}={value:g}", new, near)


def _is_same_sentence(one: Rule, other: Rule) -> bool:
    return one.family is other.family and one.values == other.values


def _replaced(player, kind, part, place, new):
    old = getattr(player, part)[place]
    return Variation(kind, old.name, new.name, edited(player, part, place, new))


def _weighted(player, kind, old, new, weights):
    return Variation(kind, old, new, replace(player, weights=tuple(weights.items())))


def _plainer(player: ListPlayer, entry: Rule) -> Iterator[Rule]:
    """Yield a convention with one other value, where its sentence only leaves out words."""
    for place, choices in enumerate(entry.family.grid.values()):
        for value in choices:
            values = (*entry.values[:place], value, *entry.values[place + 1 :])
            other = replace(entry, values=values)
            if _leaves_out(other.says, entry.says) and other not in player.conventions:
                yield other


def _leaves_out(shorter: str, longer: str) -> bool:
    """Return whether a sentence has the words of a longer one, in their order, without some."""
    words, kept = (
        [word.strip(",.:;()") for word in sentence.split()] for sentence in (longer, shorter)
    )
    rest = iter(words)
    # ``in`` goes on behind the word that it found last
    return len(kept) < len(words) and all(word in rest for word in kept)


def simplify(
    spec: str | Agent,
    loss: float = 0.1,
    players: list[int] | None = None,
    games_each: int = 4_000,
    scoring: str = "kept",
    **options: Unpack[Options],
) -> SimplifiedAgent:
    """Make an agent shorter and plainer, as far as it loses no more than some points.

    Args:
        spec: The agent: a name, a path or an object.
        loss: Points per game that each list may lose to the first one, standard error included.
        players: The player counts whose lists are simplified and stay. Default: all of the agent.
        games_each: Games per proposal and player count.
        scoring: "kept" or "zero".
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``;
            ``progress(done, of)`` counts proposals of a pass.

    Raises:
        ValueError: What was named cannot be played, or ``loss`` is no number from 0 on.
    """
    if not loss >= 0:
        raise ValueError(f"loss {loss} should be points per game, 0 or more, such as 0.1")
    check_games(games_each, 2)
    agent = load(spec)
    if agent.kind:
        raise ValueError(f"{agent.name} does more than follow lists: there is nothing to shorten")
    arena = Arena(players or [n for n in range(2, 6) if agent.plays(n)], **options)
    arena.check(agent)
    rows, kept = [], {}
    with arena.workers:
        for key in agent.lists:
            mine = [count for count in counts(key) if count in arena.players]
            if mine:
                search = _Simplifier(arena, mine, games_each, scoring, loss)
                kept[key] = search.run(agent.list_at(mine[0]))
                rows += [[key, *row] for row in search.rows]
    simple = replace(
        agent,
        name=f"{agent.name}-short",
        lists={key: player.rules for key, player in kept.items()},
        conventions={key: one.conventions for key, one in kept.items() if one.conventions},
        weights={key: found for key, one in kept.items() if (found := other_weights(one))},
        source=f"{agent.name}, simplified with a loss of at most {loss:g} points",
        provenance={
            "agent": agent.name,
            "loss": loss,
            "games": games_each,
            "seed": arena.seed,
            "version": hanabi.__version__,
        },
    )
    return SimplifiedAgent(simple, pd.DataFrame(rows, columns=CHANGE_COLUMNS))


class _Simplifier:
    """Simplifies one list at its player counts."""

    def __init__(
        self, arena: Arena, counts: list[int], games: int, scoring: str, loss: float
    ) -> None:
        self.arena, self.counts, self.games = arena, counts, games
        self.scoring, self.loss = scoring, loss
        self.rows: list[list] = []

    def run(self, first: ListPlayer) -> ListPlayer:
        """Return the list after all accepted changes; ``rows`` has what each of them cost."""
        whole = self._points(first)
        player, now, taken = first, whole, True
        while taken:
            taken = False
            before = player
            for change in self._cheapest(player, now):
                simpler = _made_in(player, before, change.player)
                if simpler is None:
                    continue
                played = self._points(simpler)
                total = Estimate.of(whole - played)
                if (total.mean or 0.0) + (total.sem or 0.0) <= self.loss:
                    cost = Estimate.of(now - played)
                    saved = words_of(player) - words_of(simpler)
                    is_left_out = change.kind in KINDS.values()
                    text = change.entry if is_left_out else f"{change.what} → {change.entry}"
                    self.rows.append([change.kind, text, saved, len(played), *cost, *total])
                    player, now, taken = simpler, played, True
        return player

    def _cheapest(self, player, now):
        """Return the changes of a pass, those first that cost least per word that they save."""
        found, few = list(proposals(player)), max(2, self.games // PART)
        ranked = []
        for done, one in enumerate(found):
            self.arena.progress(done, len(found))
            cost = float((now[:few] - self._points(one.player, few)).mean())
            saved = words_of(player) - words_of(one.player)
            if cost <= self.loss:
                ranked.append((max(cost, 0) / max(saved, 1), -saved, done))
        return [found[place] for *_, place in sorted(ranked)]

    def _points(self, player, games=0):
        """Return the points of the first deals, or of all; the mean over the player counts."""
        matches = [
            self.arena.match(count, as_agent("simpler", player, count), None, games or self.games)
            for count in self.counts
        ]
        played = self.arena.workers.play(matches)
        return np.mean([points(one["score"], one["end"], self.scoring) for one in played], axis=0)


def _made_in(player: ListPlayer, before: ListPlayer, after: ListPlayer) -> ListPlayer | None:
    """Return a list with the change that makes one list another.

    None if its entries have changed meanwhile or no rule stays.
    """
    fields = dict[str, Any]()
    for part in KINDS:
        old, new, held = (getattr(one, part) for one in (before, after, player))
        gone = [entry for entry in old if entry not in new]
        added = [entry for entry in new if entry not in old]
        if not all(entry in held for entry in gone) or any(entry in held for entry in added):
            return None
        place = held.index(gone[0]) if gone else 0
        rest = [entry for entry in held if entry not in gone]
        fields[part] = (*rest[:place], *added, *rest[place:])
    weights, old_weights = dict(player.weights), dict(before.weights)
    for name, value in old_weights.items():
        if dict(after.weights).get(name) != value:
            if weights.pop(name, None) != value:
                return None
            if name in dict(after.weights):
                weights[name] = dict(after.weights)[name]
    changed = replace(player, weights=tuple(weights.items()), **fields)
    return changed if changed.rules and changed != player else None
