"""How a table is laid: from agents and a deal, from a position, or from a game that was kept. And the folder of such games."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from evolve.site.eyes import Eyes
from evolve.site.table import PERSON, PlayTable, new_game, seats_of
from hanabi.files import TOML as LIMIT
from hanabi.files import parse_toml, read_text
from hanabi.record import Position, kind_of, load
from hanabi.variant import read_variant
from rules.agents.named import KINDS


def lay(
    specs: Sequence[str],
    folder: Path,
    players: int | None = None,
    seed: int | None = None,
    variant: str = "standard",
) -> PlayTable:
    """The table that some words mean: agents, or a file of a table, a game or a position (behind it perhaps agents). Its file, not
    yet written, is a new one in the folder, but for a table's own. ValueError, one line, for words that mean none."""
    first, *rest = specs
    is_file = first.endswith(".toml") and first.partition(":")[0] not in KINDS and kind_of(first)
    if not is_file:
        chosen = read_variant(variant)
        seats = seats_of(specs, players, chosen)
        return PlayTable(
            seats,
            new_game(chosen, len(seats), secrets.randbelow(1 << 32) if seed is None else seed),
            new_file(folder),
        )
    if "table" in parse_toml(read_text(first, LIMIT), first):
        if rest:
            raise ValueError(f"{first} says who sits where: leave {' '.join(rest)} out")
        return PlayTable.read(Path(first))
    start = load(first)
    count = start.variant.seats
    if rest:
        seats = seats_of(rest, count, start.variant)
    else:
        seats = seats_of(["convention"], count, start.variant)
        if isinstance(start, Position):  # the person sits down where somebody is to move
            seats = [PERSON if seat == start.me else "convention" for seat in range(count)]
    return PlayTable(seats, start, new_file(folder))


def warm(table: PlayTable) -> None:
    """Have everything compiled that this table needs, so that nobody waits for it later: every list is asked once."""
    Eyes(table)
    for agent, player in zip(table.agents, table.players):
        if agent and not agent.thinks and not table.over:
            player.move(table.view.copy())


def new_file(folder: Path) -> Path:
    """The path of a table's file that is not there yet: the time and, since many may be laid at once, some letters."""
    return folder / f"{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(4)}.toml"
