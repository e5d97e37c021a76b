"""Measure memory: that of measuring, for ten times as many games each time."""

import subprocess
import sys
from pathlib import Path

from hanabi.evolve.bench.benchmark_registry import Rows, benchmark, entry

GAMES = 10_000, 100_000, 1_000_000  # per player count
MEASURES = {
    "tournament": "tournament(['piers', 'iggi'], players=[3], games_each={games})",
    "compare": "compare('piers', 'iggi', players=[3], games={games}, width=1e-6)",
    "play": "play_games('piers', 3, {games})",
}
CODE = """
import sys
sys.path.insert(0, {tests!r})  # this folder is the package ``bench``
from bench.memory import peak_bytes
from hanabi.evolve import compare, play_games, tournament
{call}
print(peak_bytes())
"""


def peak(call: str) -> float:
    """Return the most memory in MB that a new Python takes for a call."""
    code = CODE.format(call=call, tests=str(Path(__file__).parents[1]))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout) / (1 << 20)


def peak_bytes() -> int:
    """Return the most bytes of memory that this process has had."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes on Linux


@benchmark("memory")
def memory() -> Rows:
    """Measure the most memory of a process by what it does and for how many games."""
    return [
        entry(f"memory {what}", 3, round(peak(call.format(games=games))), f"MB for {games:,} games")
        for what, call in MEASURES.items()
        for games in GAMES
    ]
