"""Commands about this installation: doctor."""

from __future__ import annotations

import sys

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import AsJson
from hanabi.evolve.cli.printing import print_json, say
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command


@register_command("Library", compiled=False)
def doctor(json: AsJson = False) -> None:
    """Say what is installed and what is missing.

    Prints versions, cores, memory, the cache, and the command that installs each extra. Exit code
    1 if there is a problem.
    """
    with working("examining the installation"):
        try:
            from hanabi.evolve.doctor import examine, lines

            found = examine()
        except ModuleNotFoundError as error:  # a package that this command needs itself
            name = str(error.name).partition(".")[0]
            install = command(sys.executable, "-m", "pip", "install", name)
            raise ValueError(f"the package {name} is missing: {install}") from None
    if json:
        print_json(found)
    else:
        for what, text in lines(found):
            say(f"{what:12} {text}", 13)
    raise typer.Exit(1 if found["problems"] else 0)
