"""With what the lists of good individuals begin: Tables VII and VIII of Canaan et al. 2018."""

from collections.abc import Sequence

import pandas as pd

from hanabi.evolve.analysis.subjects import (
    Subject,
    best,
    first_of,
    head_name,
    players_in,
    population,
)
from hanabi.evolve.ga.log_writer import HEADS as HEADS_FILE
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.arena import players_text, read_players
from hanabi.rulebook import find
from hanabi.table import ListPlayer

BEST = ["run", "mode", "players", "place", "source", "first", "first_tell", "play_first"]
HEADS = ["run", "players", "generation", "first", "first_tell"]
POPULATION = ["run", "players", "generation", "first", "individuals", "of"]
GROUPS = ("2 players", "3 and more", "not specialised")
# (mode, column, rule): the paper's counts, of ten each, one per group; None: not known to us
TABLE_VII: dict[tuple[str, str, str], tuple[int | None, ...]] = {
    ("mirror", "first", "cig2018.play_just_hinted"): (5, 10, 9),
    ("mixed", "first", "cig2018.play_just_hinted"): (4, 4, 5),
    ("mirror", "first_tell", "cig2018.tell_unambiguous"): (7, 10, 2),
    ("mixed", "first_tell", "cig2018.tell_unambiguous"): (6, 1, 0),
    ("mixed", "first_tell", "cig2018.complete_tell_useful_card"): (None, None, None),
}
TABLE_VIII = {"mirror": (7, 10, None), "mixed": (5, 9, None)}


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

    log.csv holds no other individuals. Columns: ``run``, ``players``, ``generation``, ``first``,
    ``first_tell``.
    """
    rows = []
    for name, run in parts_of(subjects):
        log = run.log
        for generation, player in zip(log["generation"], players_in(run, log)):
            heads = heads_of(player)
            rows.append(
                [
                    name,
                    players_text(run.config.game.players),
                    int(generation),
                    heads["first"],
                    heads["first_tell"],
                ]
            )
    return pd.DataFrame(rows, columns=HEADS)


def began(run: Run) -> dict[str, tuple[list[str], list[list[float]]]]:
    """Return how the lists of a run's whole population began, by list.

    Lists without heads.csv, of older runs, are left out.

    Returns:
        (first rules, most frequent first; for each its share of the individuals by generation).
    """
    found = {}
    for part in run.parts:
        if not (part / HEADS_FILE).exists():
            continue
        rows = part.heads
        rows["first"] = [head_name(find(name)) for name in rows["rule"]]
        shares = rows.pivot_table("individuals", "generation", "first", "sum", fill_value=0)
        shares = shares.div(shares.sum(axis=1), axis=0)
        names = shares.mean().sort_values(ascending=False, kind="stable").index
        found[players_text(part.config.game.players)] = (
            list(names),
            [shares[name].tolist() for name in names],
        )
    return found


def population_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return how many individuals of the last generation begin with each rule.

    Only runs that still have a checkpoint have rows. Columns: ``run``, ``players``,
    ``generation``, ``first``, ``individuals``, ``of``.
    """
    rows = []
    for name, run in parts_of(subjects):
        generation, players, _ = population(run)
        firsts = pd.Series(
            [head_name(player.rules[0]) for player in players], dtype=object
        ).value_counts()
        rows += [
            [
                name,
                players_text(run.config.game.players),
                generation,
                first,
                int(count),
                len(players),
            ]
            for first, count in firsts.items()
        ]
    return pd.DataFrame(rows, columns=POPULATION)


def tables_vii(rows: pd.DataFrame) -> list[list[str]]:
    """Return the rows of ``best_table`` as Tables VII and VIII, most frequent first.

    For each mode and first rule: how many of how many in each group, and the paper's count.
    """
    found: list[list[str]] = []
    for mode in map(str, rows["mode"].unique()):
        mine = rows[rows["mode"] == mode]
        groups = mine["players"].map(read_players).map(group_of)
        of = groups.value_counts()
        museum = any(text.startswith("cig2018.") for text in mine["first"])
        for column, says in (("first", "first rule"), ("first_tell", "first tell")):
            counted = pd.crosstab(mine[column], groups).reindex(columns=GROUPS, fill_value=0)
            for *what, name in TABLE_VII:
                if what == [mode, column] and museum and name not in counted.index:
                    counted.loc[name] = 0
            order = counted.sum(axis=1).sort_values(ascending=False, kind="stable").index
            found += [
                [
                    mode,
                    says,
                    name or "none",
                    *_cells(counted.loc[name], of, TABLE_VII.get((mode, column, name))),
                ]
                for name in order
            ]
        plays = mine["play_first"].groupby(groups).sum().reindex(GROUPS, fill_value=0)
        found.append(
            [
                mode,
                "play first",
                "(a play rule stands before it)",
                *_cells(plays, of, TABLE_VIII[mode] if museum else None),
            ]
        )
    return found


def _cells(counts, of, paper):
    for place, group in enumerate(GROUPS):
        yield f"{int(counts[group])}/{int(of[group])}" if group in of else ""
        yield str(paper[place]) if paper and paper[place] is not None and group in of else ""


def spans(rows: pd.DataFrame, parts: int = 5) -> tuple[list[str], list[list[str]]]:
    """Return the rows of ``first_rules_table`` for one run, in spans of generations.

    Returns:
        (the spans as text, rows of a rule and its share of the generations of each span).
    """
    edges = sorted({len(rows) * i // parts for i in range(parts + 1)})
    cuts = [rows.iloc[start:end] for start, end in zip(edges, edges[1:])]
    lines = []
    for name in rows["first"].value_counts().index:
        shares = [(cut["first"] == name).mean() for cut in cuts]
        lines.append([name, *(f"{share:.0%}" if share else "" for share in shares)])
    return [f"{cut['generation'].iloc[0]}-{cut['generation'].iloc[-1]}" for cut in cuts], lines
