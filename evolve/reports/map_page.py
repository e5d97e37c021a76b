"""The page of a run of MAP-Elites: a heat map of its archive, whose cells open their lists."""

from pathlib import Path
from typing import Any

from hanabi.evolve.ga.archive import ARCHIVE, ELITES, SUMMARY
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import damaged, unsealed
from hanabi.evolve.measure.behaviour import BEHAVIOURS
from hanabi.evolve.reports.page_parts import SCRIPTS, STYLES, page
from hanabi.evolve.reports.reference_points import references
from hanabi.notation import counted
from hanabi.rules.agents import Agent, load

FILE = "map.html"


def has_map(folder: Path) -> bool:
    """Return whether a run folder has the archive of a finished run of MAP-Elites."""
    return all((folder / name).exists() for name in (ARCHIVE, SUMMARY, ELITES))


def read_map(folder: Path) -> dict[str, Any]:
    """Return the archive of a run as data for its page.

    Returns:
        ``axes``: name, title and sentence of each behaviour; ``parts``: how many of a grid, 0 for
        centroids; ``cells``: for each elite its ``name``, ``at`` (values of its behaviours as
        found, which lie in its cell), ``numbers`` by metric, and its ``list`` as sentences;
        ``references``: points of known agents with as many players, [name, points].

    Raises:
        ValueError: The files are damaged. One line.
    """
    import pandas as pd

    run = Run(folder)
    chosen = run.config.map
    axes = [one for name in chosen.behaviours for one in BEHAVIOURS if one.name == name]
    try:
        summary = unsealed(folder / SUMMARY)
        rows = pd.read_csv(folder / ARCHIVE, dtype={"cell": str}).to_dict("records")
        cells = [_cell(folder, row, chosen.behaviours) for row in rows]
    except (KeyError, OSError) as error:
        raise damaged(folder, f"{ARCHIVE} or {SUMMARY}: {error}") from None
    return {
        "run": run.name,
        "axes": [[one.name.replace("_", " "), one.says] for one in axes],
        "parts": 0 if chosen.centroids else chosen.cells,
        "metrics": [
            ("points", "points on fresh deals"),
            ("found", "points as found"),
            *((one.name, f"{one.name.replace('_', ' ')} on fresh deals") for one in axes),
            ("stays", "in the same cell on fresh deals: 1, else 0"),
        ],
        "cells": cells,
        "references": references(run.config).get("", []),
        "summary": summary,
    }


def _cell(folder, row, behaviours):
    """Return an elite as data."""
    file = str(folder / ELITES / f"{row['cell']}.toml")
    fresh = {name: row[f"corrected_measures_{i}"] for i, name in enumerate(behaviours)}
    points = {"points": row["corrected_objective"], "found": row["objective"]}
    return {
        "name": row["cell"],
        "file": file,
        "at": [row[f"measures_{place}"] for place in range(len(behaviours))],
        "numbers": points | fresh | {"stays": row["stays"]},
        "list": sentences(load(file)),
    }


def sentences(agent: Agent) -> list[str]:
    """Return the rules of the first list of an agent as sentences, then its conventions."""
    key = next(iter(agent.lists))
    return [
        *(rule.says for rule in agent.lists[key]),
        *(f"Hint: {entry.says}" for entry in agent.conventions.get(key, ())),
    ]


def map_page(folder: Path, links: str = "") -> str:
    """Return the page of a run's archive.

    Args:
        folder: The run folder.
        links: The address to which the name of a cell is added for the page of its agent; "" for a
            page that is a file, which shows the command that plays with it.

    Raises:
        ValueError: The files are damaged. One line.
    """
    data = read_map(folder)
    found = data["summary"]
    result = (
        f"{found['found']['cells']} of {counted(found['size'], 'cell')} filled; on fresh deals the "
        f"elites make {found['mean_of_elites']:.2f} points on average, the best "
        f"{found['corrected']['best']:.2f}; {found['stays']:.0%} stay in their cell"
    )
    return page(
        "map.html.j2",
        scripts=(*SCRIPTS, "map.js"),
        styles=(*STYLES, "map.css"),
        title=f"A map of ways to play: {data['run']}",
        result=result,
        archive=data,
        games=data | {"links": links},
    )
