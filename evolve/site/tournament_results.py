"""Results of tournaments and comparisons: their JSON files, and how pages show them."""

import json
import math
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import ConfigDict, Field, ValidationError, create_model

from hanabi.evolve.charts.chart import plus_minus
from hanabi.evolve.measure.arena import Arena
from hanabi.evolve.measure.cross_play import matrix, ordered, strangers
from hanabi.evolve.measure.tournament import COLUMNS, play_games, score_table, summarise
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.reports.page_parts import text_columns
from hanabi.files import make_folder, parse_json, read_text, write_whole
from hanabi.notation import counted
from hanabi.rules.agents import load, partner_agents

NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{8}")  # of a file, so never a path
LETTERS = 60  # of a title
LISTED = 100  # results that are listed
ROWS = 2_000  # of a file: 12 agents have 144 cells at each of four player counts
_ROW: dict[str, Any] = {  # by column; the error of a mean may be unknown
    name: str if name in COLUMNS[:2] else float | None if name.startswith("sem") else float
    for name in COLUMNS
}
_Row: Any = create_model("_Row", __config__=ConfigDict(extra="forbid", strict=True), **_ROW)
_RESULT: dict[str, Any] = {
    **dict.fromkeys(("title", "made", "mode", "command", "text"), str),
    **{"games": int, "seed": int, "agents": list},
    "rows": Annotated[list[_Row], Field(max_length=ROWS)],
}
_Result = create_model("_Result", __config__=ConfigDict(strict=True), **_RESULT)
PERFECT, LEAST_LOST = 25, 0.4  # points; cells that lose fewer are as dark as these
SCORINGS = {
    "kept": "points stay when the last life is lost",
    "zero": "a game that loses its last life counts 0",
}


class Results:
    """The results in a folder, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, title: str, values: dict[str, Any]) -> str:
        """Write a result under a new name and return the name.

        Args:
            title: The title, "" for one made of the values.
            values: ``mode``, ``agents``, ``games``, ``seed``, ``command``; ``rows`` or ``text``.

        Raises:
            FileWriteError: The file cannot be written.
        """
        now = datetime.now()
        name = f"{now:%Y-%m-%d-%H%M%S}-{secrets.token_hex(4)}"
        agents, games = counted(len(values["agents"]), "agent"), counted(values["games"], "game")
        title = title or f"{values['mode']}, {agents}, {games}, seed {values['seed']}"
        data = {"text": "", "rows": [], **values, "title": title, "made": f"{now:%Y-%m-%d %H:%M}"}
        write_whole(make_folder(self.folder) / f"{name}.json", json.dumps(data, indent=1))
        return name

    def read(self, name: str) -> dict[str, Any]:
        """Return the result of a name. Raises ValueError, one line, if no file holds one."""
        if not NAME.fullmatch(name):
            raise ValueError("There is no such result.")
        data = parse_json(read_text(self.folder / f"{name}.json"), name)
        try:
            _Result.model_validate(data)
        except ValidationError:
            raise ValueError(f"{name} holds no result.") from None
        return data

    def newest(self) -> list[dict[str, Any]]:
        """Return the newest results, each with its ``name``; other files are left out."""
        found = []
        for path in sorted(self.folder.glob("*.json"), reverse=True)[:LISTED]:
            with suppress(ValueError):
                found.append(self.read(path.stem) | {"name": path.stem})
        return found


def make_frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows of a result as a table; an unknown error is NaN."""
    return pd.DataFrame(rows, columns=COLUMNS).astype(
        {name: float for name in COLUMNS if name.startswith(("mean", "sem"))}
    )


def make_sections(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of a result as a page shows them.

    Each has ``title``, ``says``, ``columns``, ``rows`` of text, ``texts`` (see text_columns); a
    matrix also ``names`` and ``heat`` (how dark each cell is), which is [] for others.
    """
    if not result["rows"]:
        return []
    rows, is_cross = make_frame(result["rows"]), result["mode"] == "cross"
    matrices = [_matrix(rows, *scoring) for scoring in SCORINGS.items()] if is_cross else []
    found = [_guests(rows) if is_cross else _scores(rows), *matrices]
    return [
        {"heat": [], "texts": text_columns(table["columns"], table["rows"])} | table
        for table in found
    ]


def _scores(rows):
    kept, zero = (summarise(rows, scoring) for scoring in SCORINGS)
    counts = sorted(set(rows["players"]))
    table = score_table(rows)[["agent", "perfect", "forfeits"]]
    return {
        "title": "Points",
        "columns": [
            "agent",
            *(f"{count} players" for count in counts),
            "kept",
            "zero",
            "perfect",
            "forfeits",
        ],
        "says": f"Kept: {SCORINGS['kept']}; also by number of players. "
        f"Zero: {SCORINGS['zero']}. ± is one standard error.",
        "rows": [
            [
                agent,
                *(_cell(kept, agent, count) for count in [*counts, "mean"]),
                _cell(zero, agent, "mean"),
                perfect,
                forfeits,
            ]
            for agent, perfect, forfeits in table.itertuples(index=False)
        ],
    }


def _cell(scores, agent, count):
    """The mean of an agent with its error, at a player count or over all ("mean")."""
    mean, sem = (float(scores.at[agent, (what, count)]) for what in ("mean", "sem"))
    return plus_minus(mean, sem)


def _guests(rows):
    means, errors = matrix(rows)
    sems = errors.to_dict("index")
    worth = strangers(rows).loc[ordered(means)]
    lines = []
    for agent, row in worth.to_dict("index").items():
        scores = [plus_minus(row[key], row[f"{key}_sem"]) for key in ("mirror", "guest", "host")]
        loses = plus_minus(row["loses"], (row["mirror_sem"] ** 2 + row["guest_sem"] ** 2) ** 0.5)
        hosts = [
            f"{row[key]} ({plus_minus(row[key + '_points'], sems[agent][row[key]])})"
            for key in ("best", "worst")
        ]
        lines.append([agent, *scores, loses, *hosts])
    return {
        "title": "Each agent as guest and as host",
        "columns": [
            "agent",
            "mirror play",
            "as guest",
            "as host",
            "loses",
            "best host",
            "worst host",
        ],
        "says": "As guest: the mean over all hosts but itself. As host: the mean of all others as "
        "guests of its copies; its error is at most this, as guests meet the same deals. Loses: "
        "mirror play less play as guest. Kept points, ± is one standard error.",
        "rows": lines,
    }


def _matrix(rows, scoring, says):
    names = ordered(matrix(rows)[0])
    means, sems = (table.to_dict("index") for table in matrix(rows, scoring=scoring))
    return {
        "title": f"Points, {scoring}: {says}",
        "columns": ["guest ↓ host →", *names],
        "says": "Row: the guest, one agent in one seat. Column: the host, whose copies sit in all "
        "other seats. ± is one standard error. The darker, the more points. A cell opens a game of "
        "these two.",
        "names": names,
        "heat": _heat([[means[guest][host] for host in names] for guest in names]),
        "rows": [
            [
                guest,
                *(plus_minus(means[guest][host], sems[guest][host]) for host in names),
            ]
            for guest in names
        ],
    }


def _heat(points: Sequence[Sequence[float]]) -> list[list[int]]:
    """How dark cells are, 0 to 100; equal steps halve the points that are lost."""
    lost = [[math.log2(max(LEAST_LOST, PERFECT - cell)) for cell in row] for row in points]
    least, most = min(map(min, lost)), max(map(max, lost))
    return [[round(100 * (most - cell) / ((most - least) or 1)) for cell in row] for row in lost]


def summary_sentence(result: dict[str, Any]) -> str:
    """Return the result in a sentence; "" for a comparison, which has a text."""
    if not result["rows"]:
        return ""
    rows = make_frame(result["rows"])
    if result["mode"] == "cross":
        guest = strangers(rows).sort_values("guest", ascending=False, kind="stable").iloc[0]
        points = plus_minus(guest["guest"], guest["guest_sem"])
        return f"The best guest is {guest.name}: {points} points among copies of the others."

    scores = summarise(rows)
    best = scores["mean", "mean"].idxmax()
    return f"{best} makes most: {_cell(scores, best, 'mean')} points, kept."


COUNTS = (2, 3, 4, 5)
TIMED_PLAYERS = 3  # in the game that is timed
POOL = "cig2018-paper"  # of mixed play, as in measure/tournament.py


@cache
def is_slow(spec: str) -> bool:
    """Return whether an agent thinks ahead; False for one that cannot be read."""
    try:
        return bool(load(spec).is_slow)
    except ValueError:
        return False


@cache
def seconds_per_game(spec: str) -> float:
    """Return how long a game of an agent with copies of itself takes on this machine.

    A first game, which may compile, is not counted.
    """
    play_games(spec, TIMED_PLAYERS, 1, jobs=1)
    begun = time.perf_counter()
    play_games(spec, TIMED_PLAYERS, 1, jobs=1, seed=1)
    return time.perf_counter() - begun


def cost(specs: Sequence[str], mode: str, games: int) -> dict[str, Any]:
    """Return how long a tournament takes that agents which think ahead play in.

    Returns:
        ``seconds``, in all, of those agents alone; ``each``: [name, seconds per game] of each;
        ``seconds`` is 0 where there are none.
    """
    slow = [spec for spec in specs if is_slow(spec)]
    each = [(str(load(spec).name), seconds_per_game(spec)) for spec in slow]
    # with a stranger it thinks in one seat as guest, in the others as host: a game of both together
    tables = {"cross": len(specs), "mixed": len(partner_agents([POOL])) / TIMED_PLAYERS}
    total = sum(seconds for _, seconds in each) * tables.get(mode, 1) * games * len(COUNTS)
    return {"seconds": total, "each": each}


def matchup_game(
    result: Mapping[str, Any], agents: Mapping[str, str], asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a game that a cross tournament played, as data of a page.

    Args:
        result: The result.
        agents: Specs by name: no others are played, since a result may come from anywhere.
        asked: ``guest`` and ``host``, names of agents; ``players``; ``deal``, from 0.

    Raises:
        ValueError: There is no such game. One line.
    """
    guest, host, players, deal = (asked[key] for key in ("guest", "host", "players", "deal"))
    known = [spec for spec in result["agents"] if spec in agents.values()]
    found = {agent.name: agent for agent in map(load, known)}
    if result["mode"] != "cross" or guest not in found or host not in found:
        raise ValueError("This tournament has no game of these two, or they are not here any more.")
    if players not in COUNTS or not 0 <= deal < result["games"]:
        raise ValueError(f"Its deals have 2 to 5 players and the numbers 1 to {result['games']:,}.")
    mirror = guest == host
    names = [load(spec).name if spec in agents.values() else "" for spec in result["agents"]]
    arena = Arena([players], seed=result["seed"])
    match = arena.match(
        players,
        found[guest],
        None if mirror else found[host],
        1,
        first=deal,
        place=0 if mirror else names.index(host),
    )
    game, seated = match.replay(0)
    data = game_data(game, seated)
    data["title"] = f"{guest} with {host}, deal {deal + 1}: {game.score} of 25 points"
    return data
