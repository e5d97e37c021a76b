"""An analysis as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hanabi.evolve.analysis.run_analysis import TABLES, Analysis
from hanabi.evolve.measure.tournament import check_output, save_table
from hanabi.files import write_whole


def check(path: Path, only: Sequence[str]) -> None:
    """Check, before games are played, that an analysis can be written after them.

    Raises:
        ValueError: It cannot.
    """
    if path.suffix == ".csv" and len(only) != 1:
        raise ValueError(
            f"{path}: a CSV file holds one table, so say which with --only "
            f"({', '.join(TABLES)}), or write all of them to {path.with_suffix('.md')}"
        )
    if path.suffix not in (".md", ".csv"):
        raise ValueError(f"cannot write {path}: name it .md, or .csv for one table")
    check_output(str(path.with_suffix(".csv")))


def write(found: Analysis, path: Path) -> None:
    """Write an analysis: all of it as .md, the rows of its one table as .csv."""
    if path.suffix == ".csv":
        (frame,) = found.frames.values()
        save_table(frame, str(path))
    else:
        write_whole(path, found.markdown())
