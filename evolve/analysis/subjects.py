"""What is analysed: finished runs or agents, and the individuals in the tables of a run.

The first rules of good individuals are counted as in Tables VII and VIII of Canaan et al. 2018.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pandas as pd

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.log_writer import FIRST_RULES as FIRST_RULES_FILE
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import read
from hanabi.evolve.measure.arena import players_text, read_players
from hanabi.evolve.measure.comparison import distinct_names
from hanabi.evolve.measure.variations import kind_of
from hanabi.rulebook import Rule, find
from hanabi.rules.agents import Agent, load, partner_agents
from hanabi.rules.user_rules import load_rules
from hanabi.table import ListPlayer

BEST = ["run", "mode", "players", "place", "source", "first", "first_tell", "play_first"]
HEADS = ["run", "players", "generation", "first", "first_tell", "play_first"]
POPULATION = ["run", "players", "generation", "first", "individuals", "of"]
GROUPS = ("2 players", "3 and more", "not specialised")


@dataclass(frozen=True)
class Subject:
    """An agent that is analysed.

    Attributes:
        name: Its name, which no other subject has.
        agent: The agent.
        run: The run in which it was evolved, if any.
        pool: The partners it is measured with, in one seat. Empty: copies of itself.
    """

    name: str
    agent: Agent
    run: Run | None = None
    pool: tuple[Agent, ...] = ()

    @property
    def players(self) -> list[int]:
        """The player counts at which it is measured."""
        return (
            list(self.run.config.game.players)
            if self.run
            else [count for count in range(2, 6) if self.agent.plays(count)]
        )


def subjects(runs: Iterable[str | Path | Run | Agent]) -> list[Subject]:
    """Return run folders and agents as what is analysed, with distinct names.

    The users' rule files that a run names are loaded.

    Raises:
        ValueError: It is neither a run nor an agent, or the run is not finished.
    """
    found = []
    for what in runs:
        if isinstance(what, Run) or not isinstance(what, Agent) and Path(what, "run.json").exists():
            run = what if isinstance(what, Run) else Run(Path(what))
            for file in run.config.genome.rule_files:
                load_rules(file)
            found.append(
                Subject(run.name, run.agent, run, tuple(partner_agents(run.config.game.pool)))
            )
        else:
            agent = load(what if isinstance(what, Agent) else os.fspath(what))
            found.append(Subject(agent.name, agent))
    if not found:
        raise ValueError("name at least one run folder or agent to analyse")
    names = distinct_names([one.name for one in found])
    return [Subject(name, one.agent, one.run, one.pool) for name, one in zip(names, found)]


def language(run: Run) -> tuple[list[Rule], list[str]]:
    """Return (rules, families of conventions) that evolution could use when the run was made."""
    record = read(run.folder)[1]
    conventions = dict.fromkeys(name.partition("(")[0] for name in record.get("conventions", ()))
    return [find(name) for name in record["rules"]], list(conventions)


def players_in(run: Run, rows: pd.DataFrame) -> list[ListPlayer]:
    """Return the individuals in the rows of a table of a run (race.csv, log.csv), as players."""
    record = read(run.folder)[1]
    found = []
    for row in rows.astype(object).where(rows.notna(), "").to_dict("records"):
        rules = (
            [record["rules"][int(place)] for place in row["order"].split()]
            if "order" in row
            else row["rules"].split("; ")
        )
        conventions = [name for name in str(row.get("conventions", "")).split("; ") if name]
        weights = dict(part.split("=") for part in str(row.get("weights", "")).split("; ") if part)
        found.append(
            Individual(
                rules, conventions, {name: float(value) for name, value in weights.items()}
            ).player()
        )
    return found


def population(run: Run) -> tuple[list[ListPlayer], list[ListPlayer]]:
    """Return the last generation of a run that still has a checkpoint.

    Returns:
        (its individuals, best first, the hall of fame); none for a run without one, such as
        reference runs.
    """
    state, _ = checkpoint.newest(run.folder)
    if state is None:
        return [], []
    length = run.config.genome.order_length or None

    def player(data):
        one = Individual(*data)
        return one.with_rules(one.rules[:length]).player()

    last = sorted(zip(state["fitness"], state["individuals"]), key=lambda entry: -entry[0])
    return [player(data) for _, data in last], [player(entry[2]) for entry in state["hall"]]


def best(run: Run, wanted: int = 10) -> list[tuple[str, ListPlayer]]:
    """Return the ``wanted`` best distinct individuals of a run, as (source, player).

    First those of its race in their order, which differ in what fires; then the hall of fame and
    the last generation.
    """
    found: dict[tuple, tuple[str, ListPlayer]] = {}
    last, hall = population(run)
    race = players_in(run, run.race) if (run / "race.csv").exists() else []
    for source, players in (("race", race), ("hall of fame", hall), ("last generation", last)):
        for player in players:
            if len(found) < wanted:
                genes = (
                    tuple(entry.name for entry in player.rules + player.conventions),
                    player.weights,
                )
                found.setdefault(genes, (source, player))
    return list(found.values())


def head_name(rule: Rule | None) -> str:
    """Return the family of a first rule, those of TellUnambiguous as one; "" for none."""
    name = rule.family.name if rule else ""
    return name.rstrip("123") if "tell_unambiguous" in name else name


def first_of(player: ListPlayer, kind: str) -> int:
    """Return the place of a list's first rule of a kind; its length where it has none."""
    return next(
        (place for place, rule in enumerate(player.rules) if kind_of(rule.family) == kind),
        len(player.rules),
    )


def group_of(players: Sequence[int]) -> str:
    """Return the column of the paper's tables for some player counts, a member of GROUPS."""
    if list(players) == [2]:
        return GROUPS[0]
    return GROUPS[2] if 2 in players else GROUPS[1]


def heads_of(player: ListPlayer) -> dict:
    """Return what an individual's list begins with, as it stands, unused rules too.

    Returns:
        ``first`` rule, ``first_tell``, the first rule that tells, and ``play_first``, whether a
        rule that plays comes before that one.
    """
    tell, place = first_of(player, "tell"), first_of(player, "play")
    return dict(
        first=head_name(player.rules[0]),
        first_tell=head_name(player.rules[tell] if tell < len(player.rules) else None),
        play_first=place < tell,
    )


def parts_of(subjects: Sequence[Subject]) -> list[tuple[str, Run]]:
    """Return (name, run) of every run with one list of which the subjects' runs consist."""
    return [
        (one.name if part == one.run else f"{one.name}/{part.name}", part)
        for one in subjects
        if one.run
        for part in one.run.parts
    ]


def best_table(subjects: Sequence[Subject], wanted: int = 10) -> pd.DataFrame:
    """Return a row for each of the best distinct individuals of every run (of each part).

    Columns: ``run``, ``mode``, ``players``, ``place``, ``source``, ``first``, ``first_tell``,
    ``play_first``.
    """
    return pd.DataFrame(
        [
            dict(
                run=name,
                mode=run.config.game.mode,
                players=players_text(run.config.game.players),
                place=place,
                source=source,
            )
            | heads_of(player)
            for name, run in parts_of(subjects)
            for place, (source, player) in enumerate(best(run, wanted), 1)
        ],
        columns=BEST,
    )


def first_rules_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return a row per generation of every run: how the best individual's list begins.

    log.csv holds the best individual of each generation only.

    Columns: ``run``, ``players``, ``generation``, ``first``, ``first_tell``, ``play_first``.
    """
    return pd.DataFrame(
        [
            dict(run=name, players=players_text(run.config.game.players), generation=generation)
            | heads_of(player)
            for name, run in parts_of(subjects)
            for generation, player in zip(run.log["generation"], players_in(run, run.log))
        ],
        columns=HEADS,
    )


def population_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return how many lists of the last generation of every run begin with each rule.

    Lists without first_rules.csv, of older runs, are left out.

    Columns: ``run``, ``players``, ``generation``, ``first``, ``individuals``, ``of``.
    """
    return pd.DataFrame(
        [
            dict(
                run=name,
                players=players_text(run.config.game.players),
                generation=last.name,
                first=first,
                individuals=individuals,
                of=last.sum(),
            )
            for name, run in parts_of(subjects)
            if (run / FIRST_RULES_FILE).exists()
            for last in [_first_rules(run).iloc[-1]]
            for first, individuals in last[last > 0].sort_values(ascending=False).items()
        ],
        columns=POPULATION,
    )


def _first_rules(part: Run) -> pd.DataFrame:
    """Return how many lists begin with each rule, a row per generation."""
    rows = part.first_rules
    rows["first"] = [head_name(find(name)) for name in rows["rule"]]
    return rows.pivot_table("individuals", "generation", "first", "sum", fill_value=0)


def began(run: Run) -> dict[str, tuple[list[str], list[list[float]]]]:
    """Return how the lists of a run's whole population began, by list.

    Lists without first_rules.csv, of older runs, are left out.

    Returns:
        (first rules, most frequent first; for each its share of the individuals by generation).
    """
    found = {}
    for part in run.parts:
        if not (part / FIRST_RULES_FILE).exists():
            continue
        counts = _first_rules(part)
        shares = counts.div(counts.sum(axis=1), axis=0)
        names = shares.mean().sort_values(ascending=False, kind="stable").index
        found[players_text(part.config.game.players)] = (
            list(names),
            [shares[name].tolist() for name in names],
        )
    return found


def count_heads(rows: pd.DataFrame) -> list[list[str]]:
    """Return how the individuals of ``best_table`` begin, most frequent first.

    Each row has the mode, what is counted, the rule, and how many of how many in each of GROUPS.
    """
    found: list[list[str]] = []
    for mode in map(str, rows["mode"].unique()):
        mine = rows[rows["mode"] == mode]
        groups = mine["players"].map(read_players).map(group_of)
        of = groups.value_counts()
        plays = mine["play_first"].groupby(groups).sum()
        for says, counts in (
            ("first rule", pd.crosstab(mine["first"], groups)),
            ("first tell", pd.crosstab(mine["first_tell"], groups)),
            ("play first", plays.to_frame("(a play rule stands before it)").T),
        ):
            order = counts.sum(axis=1).sort_values(ascending=False, kind="stable").index
            found += [
                [
                    mode,
                    says,
                    str(name) or "none",
                    *(f"{row[group]}/{of[group]}" if group in of else "" for group in GROUPS),
                ]
                for name, row in counts.loc[order].to_dict("index").items()
            ]
    return found


def spans(rows: pd.DataFrame, parts: int = 5) -> tuple[list[str], list[list[str]]]:
    """Return the rows of ``first_rules_table`` for one list, in spans of generations.

    Returns:
        (the spans as text, rows of a rule and its share of the generations of each span).
    """
    edges = sorted({len(rows) * i // parts for i in range(parts + 1)})
    cuts = [rows.iloc[start:end] for start, end in pairwise(edges)]
    lines = []
    for name in rows["first"].value_counts().index:
        shares = [(cut["first"] == name).mean() for cut in cuts]
        lines.append([name, *(f"{share:.0%}" if share else "" for share in shares)])
    return [f"{cut['generation'].iloc[0]}-{cut['generation'].iloc[-1]}" for cut in cuts], lines
