"""Where things lie, for tests in any folder."""
from pathlib import Path

SUPPORT = Path(__file__).parent
ROOT = SUPPORT.parents[1]
GOLDEN = ROOT / "tests/golden"
