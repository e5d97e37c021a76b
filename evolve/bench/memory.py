"""The memory that measuring takes, for ten times as many games each time. ``hanabi bench memory``."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

GAMES = 10_000, 100_000, 1_000_000  # per player count
MEASURES = {
    "tournament": (
        "from evolve import tournament; tournament(['piers', 'iggi'], players=[3],"
        " games_each={games})"
    ),
    "compare": (
        "from evolve import compare; compare('piers', 'iggi', players=[3], games={games},"
        " width=1e-6)"
    ),
    "play": "from hanabi.evolve import play_games; play_games('piers', 3, {games})",
}
PEAK = "; import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def peak(code: str) -> float:
    """The most memory in MB that a fresh Python takes to run some code."""
    said = subprocess.run(
        [sys.executable, "-c", code + PEAK], capture_output=True, text=True, check=True
    ).stdout
    return int(said) / 1024


def memory() -> list[dict[str, Any]]:
    """The most memory of a process in MB, by what it does and for how many games."""
    return [
        dict(
            name=f"memory {what}",
            players=3,
            value=round(peak(code.format(games=games))),
            unit=f"MB for {games:,} games",
        )
        for what, code in MEASURES.items()
        for games in GAMES
    ]
