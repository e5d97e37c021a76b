"""What each rule and convention is worth in some named agents, for rules/agents/worths.toml.

    python -m docs.generate.family_worths

The points of the agent less its points without any entry of the family, on the same deals.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.game_sums import points
from hanabi.evolve.measure.variations import without
from hanabi.files import write_whole
from hanabi.rules import agents
from hanabi.rules.agents import load
from hanabi.table import ListPlayer, Table
from hanabi.variant import read_variant

AGENTS = ("convention-simple", "convention-2026", "convention")
PLAYERS, GAMES = 3, 10_000
SEED = 20_181  # of deals that nothing was tuned on
FILE = Path(agents.__file__).with_name("worths.toml")
HEADER = (
    "What each rule and convention is worth in named agents, written by",
    f"`python -m docs.generate.family_worths`: points with it less points without it, "
    f"{PLAYERS} players,",
    f"{GAMES:,} deals of seed {SEED}; [worth, s.e.].",
)


def measured(name: str, games: int = GAMES) -> dict[str, Any]:
    """Measure an agent.

    Returns:
        Its ``hash``, and by "rules" and "conventions" the [worth, standard error] of each family.
    """
    agent = load(name)
    player = agent.list_at(PLAYERS)
    whole = _points(player, games)
    worths: dict[str, dict[str, list[float]]] = {"rules": {}, "conventions": {}}
    for part, found in worths.items():
        for family in dict.fromkeys(entry.family.name for entry in getattr(player, part)):
            gains = whole - _points(without(player, [family]), games)
            found[family] = [
                round(float(gains.mean()), 4),
                round(float(gains.std(ddof=1) / games**0.5), 4),
            ]
    return {"hash": agent.hash, **worths}


def _points(player: ListPlayer, games: int) -> np.ndarray:
    variant = read_variant("standard").at(PLAYERS)
    results = Table(variant, [player]).play(*deals(SEED, PLAYERS, games))
    return points(results["score"], results["end"], "kept").astype(float)


def text(entries: dict[str, dict[str, Any]]) -> str:
    """Return the text of the file: one table per agent."""
    document = tomlkit.document()
    for line in HEADER:
        document.add(tomlkit.comment(line))
    for name, entry in entries.items():
        document.add(name, tomlkit.item(entry))
    return tomlkit.dumps(document)


if __name__ == "__main__":
    write_whole(FILE, text({name: measured(name) for name in AGENTS}))
