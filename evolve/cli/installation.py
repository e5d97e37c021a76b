"""Commands about this installation: doctor."""

from __future__ import annotations

import shlex
import sys

import typer

from hanabi.evolve.cli.options import AsJson
from hanabi.evolve.cli.printing import print_json, say
from hanabi.evolve.cli.progress_display import working

app = typer.Typer()


@app.command(
    rich_help_panel="Library",
    short_help="Say what is installed and what is missing.",
    epilog="Example: hanabi doctor",
)
def doctor(json: AsJson = False) -> None:
    """Say what is installed and what is missing: versions, cores, memory, the cache, and the command for each extra."""
    with working("looking around"):
        try:
            from hanabi.evolve.doctor import examine, lines

            found = examine()
        except ModuleNotFoundError as error:  # even what this command needs itself
            name = str(error.name).partition(".")[0]
            raise ValueError(
                f"the package {name} is missing:"
                f" {shlex.join([sys.executable, '-m', 'pip', 'install', name])}"
            ) from None
    if json:
        print_json(found)
    else:
        for what, text in lines(found):
            say(f"{what:12} {text}", 13)
    raise typer.Exit(1 if found["problems"] else 0)
