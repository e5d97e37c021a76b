"""What is analysed: finished runs or agents, and the individuals in the tables of a run."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import read
from hanabi.evolve.measure.comparison import distinct_names
from hanabi.evolve.measure.variations import kind_of
from hanabi.rulebook import Rule, find
from hanabi.rules.agents import Agent, load, partner_agents
from hanabi.rules.user_rules import load_rules
from hanabi.table import ListPlayer


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


def population(run: Run) -> tuple[int, list[ListPlayer], list[ListPlayer]]:
    """Return the last generation of a run that still has a checkpoint.

    Returns:
        (number of the generation, its individuals, best first, the hall of fame); (0, [], []) for a
        run without one, such as reference runs.
    """
    state, _ = checkpoint.newest(run.folder)
    if state is None:
        return 0, [], []
    length = run.config.genome.order_length or None

    def player(data):
        one = Individual(*data)
        return one.with_rules(one.rules[:length]).player()

    last = sorted(zip(state["fitness"], state["individuals"]), key=lambda entry: -entry[0])
    return (
        state["generation"],
        [player(data) for _, data in last],
        [player(entry[2]) for entry in state["hall"]],
    )


def best(run: Run, wanted: int = 10) -> list[tuple[str, ListPlayer]]:
    """Return the ``wanted`` best distinct individuals of a run, as (source, player).

    First those of its race in their order, which differ in what fires; then the hall of fame and
    the last generation.
    """
    found: dict[tuple, tuple[str, ListPlayer]] = {}
    _, last, hall = population(run)
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
