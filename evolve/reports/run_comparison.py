"""Several runs on one page: scores, fitness, lists aligned by rule, differences of configs."""

from collections.abc import Sequence
from math import hypot
from pathlib import Path
from typing import Any

from hanabi.evolve.charts.chart import COLUMNS, LINES, Chart, Curve, curves_of, plus_minus
from hanabi.evolve.charts.run_charts import fitness
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import result
from hanabi.evolve.reports.page_parts import page
from hanabi.evolve.reports.run_report import drawn, save
from hanabi.evolve.reports.sealed_agent import export, export_with_rules
from hanabi.files import read_toml, write_whole
from hanabi.notation import counted

MOST = 8  # runs on a page


def side_by_side(
    runs: Sequence[str | Path], output: str | Path, figures: str | Path | None = None
) -> Path:
    """Write a page about several finished runs.

    Args:
        runs: Two to MOST run folders; their user rules are loaded.
        output: The path of the page.
        figures: A folder for each chart as SVG and PNG.

    Returns:
        The path of the page.

    Raises:
        ValueError: A run is not finished, their number is wrong, or a file cannot be written.
    """
    for run in runs[:MOST]:
        export_with_rules(run)
    text, charts = page_beside([Path(run) for run in runs])
    path = Path(output)
    write_whole(path, text)
    if figures is not None:
        save(charts, Path(figures))
    return path


def page_beside(folders: Sequence[Path]) -> tuple[str, list[Chart]]:
    """Return the page about several finished runs and its charts; user rules must be loaded.

    Raises:
        ValueError: A run is not finished, or their number is wrong. One line.
    """
    if not 2 <= len(folders) <= MOST:
        raise ValueError(f"{counted(len(folders), 'run')} side by side: name 2 to {MOST}")
    for folder in folders:
        export(folder)  # raises for a folder that is no finished run
    found = [Run(folder) for folder in folders]
    names = _names(found)
    charts = _charts(found, names)
    columns, rows = _scores(found)
    return page(
        "side_by_side.html.j2",
        title=f"{len(found)} runs",
        result=_sentence(found, names),
        names=names,
        charts=drawn(charts),
        score_columns=columns,
        scores=list(zip(names, rows)),
        lists=_lists(found, names),
        differences=_differences(found),
    ), charts


def _names(runs):
    """Return the folders' names; where two are the same, whole paths."""
    names = [run.name for run in runs]
    return names if len(set(names)) == len(names) else [str(run.folder) for run in runs]


def _rows(run):
    """Return (mean, s.e.) kept and zero by player counts, on the final deals."""
    return {
        row["players"]: {
            scoring: (row[f"mean_{scoring}"], row[f"sem_{scoring}"]) for scoring in ("kept", "zero")
        }
        for row in result(run.folder)["results"]
    }


def _scores(runs):
    """Return the columns, and for each run (text, is it clearly the best) per column."""
    tables = [_rows(run) for run in runs]
    keys = list(dict.fromkeys(key for table in tables for key in table))
    columns = [
        (key, scoring)
        for key in keys
        for scoring in ("kept", "zero")[: 2 if "-" in key or len(keys) == 1 else 1]
    ]
    rows = [[_score(table, tables, *column) for column in columns] for table in tables]
    return [f"{key} players, {scoring}" for key, scoring in columns], rows


def _score(table, tables, key, scoring):
    """Return (text, is it clearly the best) of a run in a column."""
    if key not in table:
        return "", False
    mean, sem = table[key][scoring]
    others = [other[key][scoring] for other in tables if other is not table and key in other]
    is_best = all(mean - other > 2 * hypot(sem, error) for other, error in others)
    return plus_minus(mean, sem), bool(others) and is_best


def _sentence(runs, names):
    """Return which run is best over all player counts, or that they do not differ clearly."""
    totals = [list(_rows(run).items())[-1] for run in runs]
    if len({key for key, _ in totals}) > 1:
        return "These runs are for different numbers of players: compare them by column."
    order = sorted(range(len(runs)), key=lambda i: -totals[i][1]["kept"][0])
    first, second = (totals[i][1]["kept"] for i in order[:2])
    difference = plus_minus(first[0] - second[0], hypot(first[1], second[1]))
    if first[0] - second[0] > 2 * hypot(first[1], second[1]):
        return (
            f"{names[order[0]]} is best: {difference} points more than {names[order[1]]}, "
            "each on its own fresh deals."
        )
    return (
        f"Not told apart: {names[order[0]]} and {names[order[1]]} differ by {difference} points, "
        "each on its own fresh deals."
    )


def _charts(runs, names):
    """Return one chart, a line per run: the mean over its lists."""
    found: list[Curve] = []
    for run, name in zip(runs, names):
        parts, total = curves_of(run), list(_rows(run).values())[-1]["kept"]
        if parts and len(found) < len(LINES):
            values: dict[str, Any] = {
                column: [
                    (hypot(*some) if column.endswith("_sem") else sum(some)) / len(parts)
                    for some in zip(*(getattr(one, column) for one in parts))
                ]
                for column in COLUMNS
            }
            found.append(Curve(name, **values, final=total))
    return [fitness(found, "kept")] if found else []


def _lists(runs, names):
    """Return by player count (rule, sentence, place in each run's list), by mean place."""
    counts = [count for count in range(2, 6) if all(run.agent.plays(count) for run in runs)]
    seen, found = set(), {}
    for count in counts:
        lists = [run.agent.rules(count) for run in runs]
        key = tuple(tuple(rule.name for rule in rules) for rules in lists)
        if key in seen:
            continue
        seen.add(key)
        places: dict[str, list[Any]] = {}
        for i, rules in enumerate(lists):
            for place, rule in enumerate(rules, 1):
                places.setdefault(rule.name, [rule.says, *[""] * len(runs)])[i + 1] = place
        found[count] = sorted(
            ([name, says, *at] for name, (says, *at) in places.items()),
            key=lambda row: sum(filter(None, row[2:])) / sum(map(bool, row[2:])),
        )
    return found


def _differences(runs):
    """Return (key, its value in each run) for the settings that differ."""
    every = [read_toml(run / "config.toml") for run in runs]
    keys = dict.fromkeys(key for one in every for key in one)
    rows = [(key, *(str(one.get(key, "")) for one in every)) for key in keys]
    return [row for row in rows if len(set(row[1:])) > 1]
