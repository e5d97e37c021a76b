"""Where things lie, for tests in any folder."""

from pathlib import Path

SUPPORT = Path(__file__).parent
ROOT = SUPPORT.parents[1]
BENCH = ROOT / "tests/bench"
GOLDEN = ROOT / "tests/golden"
PATIENCE = (
    600  # seconds that a test waits for a process, on a machine however busy, before it fails
)
