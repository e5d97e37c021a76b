"""Points of known agents, beside which pages show those of a run or a list."""

from statistics import fmean
from typing import Any

from hanabi.evolve.ga.config import Config
from hanabi.rules.agents import read_scores

REFERENCES = {  # agents that are drawn as lines, with their names there
    "piers": "piers",
    "mirror-situational-2018": "best of 2018",
    "convention": "convention",
}


def references(config: Config) -> dict[str, list[list[Any]]]:
    """Return by list ("": all player counts) the points of known agents: [name, points].

    There are none for a run whose points are not those of mirror play in the standard game.
    """
    if config.game.mode != "mirror" or config.game.variant != "standard":
        return {}
    column = 0 if config.game.scoring == "kept" else 2
    return {
        part: [
            [shown, fmean(read_scores()[name][str(n)][column] for n in one.game.players)]
            for name, shown in REFERENCES.items()
        ]
        for part, one in ({"": config} | config.part_configs()).items()
    }
