"""Games as data: one row per move, with what its player saw, for learning programs.

Rows are written in batches, so memory is bounded. Cards are numbers, colour * 5 + rank - 1; moves
are numbers as in ``hanabi.moves``: 1 to 5 play a slot, 6 to 10 discard one, 11 to 40 tell a seat a
colour, 41 to 65 tell a seat a rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import NamedTuple, Unpack

import numpy as np

from hanabi.backend import compiled, inlined
from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.game_sums import GameCounter, pieces
from hanabi.evolve.measure.tournament import check_output
from hanabi.files import replace
from hanabi.game import is_legal
from hanabi.game_loop import FAULTED, Lists, begin_game, choose_from_list, game_loop
from hanabi.moves import END, PLAY, SEATS, SLOTS, TYPES
from hanabi.rules.agents import Agent
from hanabi.state import HISTORY, State, View
from hanabi.table import Table

GAMES_PER_BATCH = 500  # 10 to 40 MB in memory


class Column(NamedTuple):
    """A column: its name, type, shape of one cell, and meaning."""

    name: str
    kind: str
    shape: tuple[int, ...]
    says: str


COLUMNS = (
    Column("seed", "u8", (), "Seed of the deal: games with the same seed have the same deck."),
    Column("game", "i8", (), "Number of the game."),
    Column("turn", "i2", (), "Moves made before."),
    Column("seat", "i1", (), "The seat that moves."),
    Column("players", "i1", (), "Players at the table."),
    Column("tokens", "i1", (), "Hint tokens."),
    Column("lives", "i1", (), "Lives."),
    Column("score", "i1", (), "Cards on the fireworks."),
    Column("deck", "i1", (), "Cards left to draw."),
    Column("fireworks", "i1", (6,), "Highest rank on each firework."),
    Column("gone", "i1", (TYPES,), "Copies of each card that were discarded or misplayed."),
    Column("hands", "i1", (SEATS, SLOTS), "The cards that the mover sees; -1 for none, and own."),
    Column("hints", "i4", (SEATS, SLOTS), "Bits of the cards that a slot can be by its hints."),
    Column("drawn", "i1", (SEATS, SLOTS), "Place of a card in the order of drawing; -1 for none."),
    Column("legal", "u1", (END,), "1 for each legal move, by its number."),
    Column("move", "i1", (), "The move."),
    Column("rule", "i2", (), "Place of the rule in the agent's list; its length: otherwise."),
    Column("own", "i1", (SLOTS,), "The mover's cards, which it does not see: a target, no input."),
    Column("final", "i1", (), "Points at the end of the game, kept."),
    Column("end", "i1", (), "How the game ended: index in hanabi.game_loop.ENDS."),
)
ROW = np.dtype([(one.name, one.kind, one.shape) for one in COLUMNS])


class _Rows(NamedTuple):
    """Where rows are written."""

    rows: np.ndarray  # ROW (rows,)
    written: np.ndarray  # int64 (1,): rows written
    seed: np.ndarray  # uint64 (1,): seed of the game


@compiled
def write_row(state: State, view: View, choice: tuple[int, int], row: np.record) -> None:
    """Fill in what stands in a row before the end of the game is known.

    Args:
        state: TABLE before the move.
        view: VIEW before the move.
        choice: (place of the rule, move).
        row: ROW, filled in.
    """
    row.turn, row.seat, row.players = view.turn, view.me, view.players
    row.tokens, row.lives, row.score, row.deck = view.tokens, view.lives, view.score, view.deck
    for colour in range(6):
        row.fireworks[colour] = view.fireworks[colour]
    for card in range(TYPES):
        copies = there = 0
        for plane in range(3):
            copies += view.full[plane] >> card & 1
            there += view.alive[plane] >> card & 1
        row.gone[card] = copies - there
    for seat in range(SEATS):
        for slot in range(SLOTS):
            row.hands[seat, slot] = view.hands[seat, slot]
            row.hints[seat, slot] = view.mask[seat, slot]
            row.drawn[seat, slot] = view.born[seat, slot]
    for slot in range(SLOTS):
        row.own[slot] = state.hands[view.me, slot]
    for move in range(END):
        row.legal[move] = move >= PLAY and is_legal(view, move)
    row.rule, row.move = choice


@inlined
def _observe(state, view, out, game, choice):
    place, move, legal = choice
    if legal and out.written[0] < len(out.rows):
        row = out.rows[out.written[0]]
        write_row(state, view, (place, move), row)
        row.seed, row.game = out.seed[0], game
        out.written[0] += 1
    return 0


_play_recorded = game_loop(choose_from_list, _observe)


@compiled
def _record_games(state, view, seeds, lists, out):
    for game in range(len(seeds)):
        begin_game(state, view, lists, game, seeds[game])
        out.seed[0], first = seeds[game], out.written[0]
        end, _ = _play_recorded(state, view, lists, out, game)
        for number in range(first, out.written[0]):
            out.rows[number].final, out.rows[number].end = view.score, end


def record_games(table: Table, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Play a game per seed and return a row per move: ROW (moves,).

    Raises:
        RuleFailedError: where a rule raised or moved illegally.
        PlayerFailedError: the same for a player that is no list.
    """
    rows = np.zeros(len(seeds) * HISTORY, np.dtype((np.record, ROW)))
    count = np.zeros(1, np.int64)
    if table.compiled:
        lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
        out = _Rows(rows, count, np.zeros(1, np.uint64))
        _record_games(table.state, table.view, seeds, lists, out)
        found = rows[: count[0]].view(ROW)
        if (found["end"] == FAULTED).any():
            table.play(seeds, seats)  # raises the RuleFailedError
        return found
    made = 0
    for game, (seed, row) in enumerate(zip(seeds, seats, strict=True)):
        first, result = made, table.play(np.array([seed], np.uint64), row)[0]
        for step in table.steps(int(seed), [int(place) for place in row]):
            if step.move >= PLAY:
                write_row(step.state, step.view, (step.place, step.move), rows[made])
                rows[made].seed, rows[made].game = seed, game
                made += 1
        rows["final"][first:made], rows["end"][first:made] = result["score"], result["end"]
    return rows[:made].view(ROW)


@dataclass(frozen=True)
class MoveTable:
    """A written table of moves.

    Attributes:
        path: The file.
        games: How many games it has.
        moves: How many rows it has.
    """

    path: Path
    games: int
    moves: int


def write_moves(
    agents: Sequence[Agent],
    path: str,
    players: int = 2,
    games: int = 1_000,
    **options: Unpack[Options],
) -> MoveTable:
    """Play each agent among copies of itself and write a row per move as a Parquet file.

    The first games are those of the first agent. The column ``agent`` names who moves.

    Args:
        agents: The agents.
        path: The file, which ends in ``.parquet``; an existing one is replaced when all is written.
        players: The player count.
        games: Games per agent.
        **options: Options of the Arena.

    Raises:
        ValueError: The file cannot be written, or an agent cannot be played.
    """
    check_output(path, (".parquet", ".parquet"))
    import pyarrow.parquet as parquet

    arena = Arena([players], **options)
    arena.check(*agents)
    batches = [
        arena.match(players, agent, None, len(some), some.start)
        for agent in agents
        for some in pieces(0, games, GAMES_PER_BATCH)
    ]
    tally = GameCounter(arena.progress, len(agents) * games)
    aside, moves, done = Path(f"{path}.part"), 0, 0
    try:
        with arena.workers as workers, parquet.ParquetWriter(aside, _schema()) as file:
            for batch in batches:
                (rows,) = workers.play([batch], tally.more(), record_games)
                rows["game"] = done - 1 + (rows["turn"] == 0).cumsum()
                file.write_table(_as_arrow(rows, batch.agent.name))
                moves, done = moves + len(rows), int(rows["game"].max(initial=done - 1)) + 1
        replace(aside, Path(path))
    finally:
        aside.unlink(missing_ok=True)
    return MoveTable(Path(path), len(agents) * games, moves)


def _schema():
    import pyarrow as arrow

    fields = [arrow.field("agent", arrow.dictionary(arrow.int32(), arrow.string()))]
    for one in COLUMNS:
        kind = arrow.from_numpy_dtype(np.dtype(one.kind))
        listed = arrow.list_(kind, prod(one.shape)) if one.shape else kind
        fields.append(arrow.field(one.name, listed))
    return arrow.schema(fields, {one.name: one.says for one in COLUMNS})


def _as_arrow(rows, agent):
    import pyarrow as arrow

    schema = _schema()
    columns = [arrow.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), [agent])]
    for one in COLUMNS:
        array = arrow.array(np.ascontiguousarray(rows[one.name]).reshape(-1))
        size = prod(one.shape)
        columns.append(arrow.FixedSizeListArray.from_arrays(array, size) if one.shape else array)
    return arrow.Table.from_arrays(columns, schema=schema)
