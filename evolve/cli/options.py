"""Options that several commands take, and what their text means."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="How many workers; -1 for all cores.")]
Backend = Annotated[str, typer.Option("--backend", help="threads or processes.")]
Seed = Annotated[int, typer.Option("--seed", "-s", min=0, help="Same seed, same result.")]
Players = Annotated[str | None, typer.Option("--players", "-p", help="Player counts, such as 3 or 2-5 or 2,4.")]
VariantText = Annotated[str, typer.Option("--variant", help="A name, a .toml file or settings such as colours=3,hand=4.")]
RuleFiles = Annotated[list[Path] | None, typer.Option("--rules", help="A Python file of your own rules; may be repeated.")]
AsJson = Annotated[bool, typer.Option("--json", help="The same as data.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and the result only.")]
Rows = Annotated[str | None, typer.Option("-o", "--output", help="Write the rows: .csv, .parquet or .json.")]


def player_counts(text: str | None) -> list[int] | None:
    """The player counts written ``3``, ``2-5`` or ``2,4``. ValueError, one line, for anything else."""
    from evolve.measure.arena import read_players
    try:
        return None if text is None else sorted(set(read_players(text)))
    except ValueError as error:
        raise ValueError(f"--{error}") from None


def load_rules(files: list[Path] | None) -> None:
    """Enter users' own rule files."""
    from rules import load_file
    for file in files or []:
        load_file(file)
