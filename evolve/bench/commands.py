"""The command that measures speed on this machine: bench."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from hanabi.evolve.cli.printing import Answer, print_table, table_command
from hanabi.evolve.cli.progress_display import Work

ABOUT = ("name", "partner", "what")  # fields of a row that say what was measured


@table_command("Measure", "piers-mirror", "measuring", rows=True)
def bench(
    tell: Work,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME…]", help="Benchmarks; by default the short ones."),
    ] = None,
) -> Answer:
    """Measure speed on this machine.

    Prints games per second and core, nanoseconds per decision, compile times. Without names it runs
    the short benchmarks; an unknown name lists all.
    """
    from hanabi.evolve.bench.benchmark_registry import find_benchmarks, run

    rows = run(find_benchmarks(names or []), tell)
    return Answer(lambda: print_benchmarks(rows), rows, dict(results=rows))


def print_benchmarks(rows: list[dict[str, Any]]) -> None:
    """Print the results of benchmarks."""
    cells: dict[str, Callable[[dict[str, Any]], str]] = {
        "benchmark": lambda row: ", ".join(row[key] for key in ABOUT if key in row),
        ">players": lambda row: str(row["players"] or ""),
        ">value": lambda row: f"{row['value']:,.10g}",
        "unit": lambda row: (
            row["unit"] + (f" (at most {row['at_most']:,})" if "at_most" in row else "")
        ),
    }
    lines = [[cell(row) for cell in cells.values()] for row in rows]
    print_table("Medians of several rounds", [*cells], lines)
