"""Commands about other programs' games: import."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evolve.cli.command import as_typed
from evolve.cli.display import working
from hanabi.shell import command

app = typer.Typer()


@app.command(name="import")
def import_games(source: Annotated[str, typer.Argument(metavar="FILE|LINK", help="A game of hanab.live: its JSON in a file, or its link.")],
                 output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the game goes.")] = None) -> None:
    """Read a game of hanab.live and write it as a game file (or print it), which show, explain, ask and who read."""
    with working(f"reading {source[:60]}"):
        from hanabi.files import read_text, write_whole
        from hanabi.hanab_live import read
        from hanabi.notation import counted
        game = read(source, "link") if "://" in source or source.startswith("hanab.live/") else read(read_text(source), source)
    if output is None:
        print(game, end="")
        return
    write_whole(output, str(game))
    seats, points = game.variant.seats, counted(game.score, "point")
    print(as_typed(f"{output}: a game of {seats} players, {points}. Try: {command('hanabi', 'show', output)}"))
