"""Games that others wrote down, one or many: game files, hanab.live's JSON and links, JSON lines, AH2AC2's dataset, folders of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pandas as pd

from hanabi import ah2ac2, hanab_live
from hanabi.files import LIMIT, MEGABYTE, read_text
from hanabi.game import event_fits
from hanabi.moves import is_discard, is_play, is_tell
from hanabi.record import Game, load

KINDS = (".toml", ".json", ".jsonl", ".txt", ".safetensors")  # of files that are read in a folder
KINDS_OF_MOVES = {"plays": is_play, "discards": is_discard, "hints": is_tell}
MOST = 200_000  # games
Read = tuple[str, "Game | ValueError"]  # what a game is called, the game or why it is none


def is_link(source: str) -> bool:
    """Is it the address of a game, not a file?"""
    return "://" in source or source.startswith("hanab.live/")


def games_in(
    sources: Iterable[str], progress: Callable[..., None] | None = None
) -> tuple[list[tuple[str, Game]], list[str]]:
    """All games of some files, links and folders: (what it is called, the game), and why others are none. ValueError, one line, where
    there is no game at all, and for a source that cannot be read."""
    found: list[tuple[str, Game]] = []
    refused: list[str] = []
    for source in sources:
        for where, game in _games_of(source):
            if isinstance(game, Game):
                found.append((where, game))
            else:
                refused.append(str(game))
            if len(found) > MOST:
                raise ValueError(f"more than {MOST:,} games: give fewer at once")
            if progress:
                progress(what=f"reading game {len(found):,}")
    if not found:
        raise ValueError(refused[0] if refused else "there is no game in it")
    return found, refused


def _games_of(source: str) -> Iterator[Read]:
    path = Path(source)
    if is_link(source):
        yield _tried("link", partial(hanab_live.read, source, "link"))
    elif path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in KINDS and file.is_file())
        if not files:
            raise ValueError(f"no games in {source}: it has no files {', '.join(KINDS)}")
        for file in files:
            try:
                yield from _games_of(str(file))
            except ValueError as error:
                yield str(file), error
    elif path.suffix == ".safetensors":
        yield from ah2ac2.read(path)
    elif path.suffix == ".toml":
        yield _tried(source, partial(_written, source))
    else:
        yield from _of_text(read_text(source, ah2ac2.LARGEST), source)


def _tried(where: str, read: Callable[[], Game]) -> Read:
    try:
        return where, read()
    except ValueError as error:
        return where, error


def _written(source):
    game = load(source)
    if not isinstance(game, Game):
        raise ValueError(f"{source} is a position, and this is about the moves of a game")
    return game


def _of_text(text: str, source: str) -> Iterator[Read]:
    """One game, or one in each line."""
    lines = [
        (number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()
    ]
    by_line = len(lines) > 1 and (
        source.endswith(".jsonl")
        or is_link(lines[0][1])
        or lines[0][1][0] + lines[0][1][-1] == "{}"
    )
    for number, line in lines if by_line else [(0, text.strip())]:
        where = f"{source}, line {number}" if number else source
        yield _tried(where, partial(_of_line, line, where))


def _of_line(line, where):
    if not line or len(line) > LIMIT:
        raise ValueError(
            f"{where} is larger than {LIMIT // MEGABYTE} MB, the most that one game may be"
            if line
            else f"{where} is empty"
        )
    return hanab_live.read(line, where)


def game_of(text: str, where: str) -> Game:
    """The game that a text is: hanab.live's JSON or link, or what stands in a game file. ValueError, one line, where it is none."""
    text = text.strip()
    if text[:1] == "{" or is_link(text[:100].split("\n")[0]):
        return hanab_live.read(text, where)
    if "=" not in text:
        raise ValueError(f"{where}: this is neither hanab.live's JSON or link nor a game file")
    return Game.read(text, where)


def table_of(games: Iterable[tuple[str, Game]]) -> pd.DataFrame:
    """One row per game: what it is called, variant, players, names, how it ended, both scores, and how many moves there were of each
    kind; ``misplays``: plays that did not fit."""
    rows = []
    for where, game in games:
        _, view = game.at(len(game.moves))
        kinds = {name: sum(map(kind, game.moves)) for name, kind in KINDS_OF_MOVES.items()}
        fits = sum(bool(event_fits(int(event))) for event in view.history[: view.turn])
        rows.append(
            dict(
                game=where,
                variant=str(game.variant),
                players=game.variant.seats,
                names=", ".join(game.agents),
                moves=len(game.moves),
                **kinds,
                misplays=kinds["plays"] - fits,
                end=game.end,
                score_kept=game.score,
                score_zero=game.score_zero,
                perfect=game.variant.perfect,
            )
        )
    return pd.DataFrame(rows)
