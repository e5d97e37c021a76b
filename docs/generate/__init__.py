"""Generate the pages of the site that follow from the code and from the data in docs/data."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]  # tests/bench measures what pages print
