"""Run benchmarks: those of this folder, and those of ``hanabi bench``.

python tests/bench NAME…                    a name that is unknown lists all
python tests/bench NAME… --json             as `make results` writes them to docs/data
python tests/bench NAME… --against TREE     beside another checkout, which plays in turn
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

# this folder is the package ``bench``; tests/hanabi does not hide the package hanabi of the root
TESTS = Path(__file__).resolve().parents[1]
sys.path[:1] = map(str, (TESTS, TESTS / "support", TESTS.parent))

import bench  # noqa: E402
from bench.tree_comparison import compare  # noqa: E402
from hanabi.evolve.bench.benchmark_registry import find_benchmarks, run  # noqa: E402
from hanabi.evolve.bench.commands import print_benchmarks  # noqa: E402
from hanabi.evolve.cli.printing import print_json, print_table  # noqa: E402
from hanabi.evolve.cli.progress_display import working  # noqa: E402


def main(
    names: Annotated[list[str], typer.Argument(metavar="NAME…")],
    against: Annotated[
        Path | None, typer.Option(metavar="TREE", help="The folder of another checkout.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run benchmarks of the project."""
    bench.load()
    with working("measuring") as tell:
        try:
            rows = compare(against, names) if against else run(find_benchmarks(names), tell)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
    if json:
        print_json(dict(results=rows))
    elif against is None:
        print_benchmarks(rows)
    else:
        print_tree_comparison(rows)


def print_tree_comparison(rows):
    """Print how much faster this tree is than another one."""
    columns = "<benchmark >players unit >before >now".split()
    lines = []
    for row in rows:
        speeds = [f"{row['before']:,}", f"{row['after']:,}", f"{row['ratio']:.3f}"]
        same = "yes" if row["same_games"] else "no"
        lines.append([row["name"], str(row["players"] or ""), row["unit"], *speeds, same])
    print_table("On one core, by CPU time", [*columns, ">times faster", ">same results"], lines)


if __name__ == "__main__":
    typer.run(main)
