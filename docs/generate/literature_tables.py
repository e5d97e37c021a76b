"""This project's agents beside other programs, from the results in docs/data and the kept runs.

``literature_chart`` draws them; the table is on the page of results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from docs.generate.markdown import grid
from hanabi.evolve.measure.tournament import summarise
from hanabi.evolve.papers.literature import CLASSES, COUNTS, Program, by_class, class_of, literature
from hanabi.rules.agents import Agent, load
from hanabi.rules.agents.named import NAMED

WITHOUT_CODE = ("none", "human")
THOROUGH = "search:pairs,rollouts=4000,gain=0.15,particles=128"  # as usual with two players
ALONE = "search:pairs,seats=one"  # one of two players; the other follows the list
FIRST = "search:pairs,rollouts=10000,seats=lead"  # of two such players the first
SHOWN = {
    THOROUGH: "search:pairs, thorough",
    FIRST: "search:pairs, first seat",
    ALONE: "search:pairs, one seat",
}
OURS = {  # by agent of OUR_FILES: a description
    "epistemic": "exact knowledge, by hand",
    "convention-simple": "the first list by hand",
    "hgroup-1": "H-Group, level 1",
    "hgroup-5": "H-Group, most of level 5",
    "sieve": "Referential Sieve, by hand",
    "reactor": "pairs of Reactor, by hand",
    "convention-2026": "tuned by hand",
    "from-nothing": "evolved from random lists",
    "from-both": "evolved from these two",
    "convention": "evolved",
    "convention-10": "convention in at most ten rules",
    "pairs": "evolved, with pairs",
    "pairs-10": "pairs in at most ten rules",
    "convention-finish": "convention with finish",
    "pairs-finish": "pairs with finish",
    "search:convention": "convention with look-ahead",
    "search:pairs": "pairs with look-ahead",
    THOROUGH: "pairs with look-ahead, as much as with 2 players",
    FIRST: "pairs, of two such players the first looks ahead",
    ALONE: "pairs, look-ahead of one player, the other follows the list",
    "code-information": "the recipe of hanabi.rs",
    "code": "evolved",
    "code-recommendation": "the recommendation strategy of Cox et al.",
}
OUR_FILES = (
    "tournament.csv",
    "lookahead.csv",
    "codes.csv",
    "recommendation.csv",
    "hgroup.csv",
    "pairs.csv",
    "finish-two.csv",  # the first row of an agent counts: these have more games
    "finish-scores.csv",
    "simplified-finals.csv",
    "lookahead-pairs.csv",
    "lookahead-lead.csv",
    "lookahead-one.csv",
)  # of docs/data
RUNS = Path("runs/reference")  # beside docs
ALSO = {"mirror-cig2018-situational": "the rules of 2018, evolved here"}  # of RUNS, in any case


def our_programs(folder: Path) -> list[Program]:
    """Return this project's agents, and the kept runs that are the best of their class.

    Args:
        folder: The folder of the data, docs/data.
    """
    agents = _our_agents(folder)
    runs = kept_runs(folder)
    lists = [one for one in (*agents, *runs) if not one.searches]
    best = {
        program.name
        for kind in CLASSES
        for players in COUNTS
        if (program := best_at(players, [one for one in lists if one.kind == kind]))
    }
    return agents + [run for run in runs if run.name in best | ALSO.keys()]


def best_at(players: int, programs: Iterable[Program], law: str = "kept") -> Program | None:
    """Return the program with the most points at a number of players, under a law."""
    some = [one for one in programs if players in one.scores]
    return max(some, key=lambda one: one.points(players, law), default=None)


def _our_agents(folder: Path) -> list[Program]:
    rows = pd.concat([pd.read_csv(folder / name) for name in OUR_FILES])
    rows = rows.drop_duplicates(["agent", "players"])  # convention is in both
    rows = rows[rows["agent"].isin(OURS)]
    games = rows.groupby("agent")["games"].first()
    tables = [summarise(rows, scoring) for scoring in ("kept", "zero")]
    found = []
    for name, what in OURS.items():
        kept, zero = (dict(table.loc[name].items()) for table in tables)
        shown = SHOWN.get(name, name)
        found.append(_ours(shown, load(name), what, kept, zero, int(games[name])))
    return found


def kept_runs(folder: Path) -> list[Program]:
    """Return the best agent of each kept run of mirror play, without those that have a name.

    Args:
        folder: The folder of the data, docs/data.
    """
    found, named = [], {load(name).hash for name in NAMED}
    for place in sorted((folder.parents[1] / RUNS).iterdir()):
        result = json.loads((place / "result.json").read_text(encoding="utf-8"))["results"]
        if {(row["variant"], row["mode"]) for row in result} == {("standard", "mirror")}:
            keys = [int(row["players"]) if len(row["players"]) == 1 else "mean" for row in result]
            kept, zero = (
                {
                    (what, key): row[f"{what}_{law}"]
                    for key, row in zip(keys, result, strict=True)
                    for what in ("mean", "sem")
                }
                for law in ("kept", "zero")
            )
            agent = load(str(place / "best.toml"))
            if agent.hash in named:
                continue
            what = ALSO.get(place.name, "a kept run")
            found.append(_ours(place.name, agent, what, kept, zero, result[0]["games"]))
    return found


Points = Mapping[Any, float]  # by ("mean" or "sem", players or "mean")


def _ours(name: str, agent: Agent, what: str, kept: Points, zero: Points, games: int) -> Program:
    """Return a program of ours from its points under both laws."""
    played = [n for n in COUNTS if not np.isnan(kept["mean", n])]
    scores, errors = ({n: float(kept[key, n]) for n in played} for key in ("mean", "sem"))
    is_whole = tuple(played) == COUNTS
    mean, zeroed = float(kept["mean", "mean"]), float(zero["mean", "mean"])
    law = "same" if abs(mean - zeroed) < 0.0005 else "kept"
    return Program(
        name,
        class_of(agent),
        scores,
        errors,
        mean if is_whole else None,
        float(kept["sem", "mean"]) if is_whole else None,
        3,
        law,
        games,
        f"this project: {what}",
        "" if law == "same" else f"mean, zero: {zeroed:.2f}",
        True,
        name.startswith("search:"),
        {n: float(zero["mean", n]) for n in played},
    )


def field(folder: Path) -> dict[str, list[Program]]:
    """Return the programs of the literature and this project's agents, by class."""
    programs = [one for kind in literature().values() for one in kind]
    return by_class(programs + our_programs(folder))


def table(folder: Path) -> str:
    """Return all programs as Markdown: a table per class, this project's agents in bold."""
    parts = []
    for kind, programs in field(folder).items():
        rows = [
            [f"**{one.name}**" if one.ours else one.name, *one.cells(COUNTS)]
            for one in reversed(programs)
        ]
        columns = ["program", "2 players", "3", "4", "5", "mean", "law", "source"]
        parts += [f"**{CLASSES[kind]}**\n", _grid(columns, rows), ""]
    return "\n".join(parts)


def _grid(columns: list[str], rows: list[list[str]]) -> str:
    lines = grid(columns, rows).splitlines()
    lines[1] = "|---|--:|--:|--:|--:|--:|---|---|"
    return "\n".join(lines)
