"""Agents at the same table, measured: mirror (with copies of itself), mixed (in one seat among copies of each partner of
a pool) and cross (every agent in one seat among copies of every agent, itself included: evolve/measure/cross_play.py). All
agents meet the same deals and the same seats."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from hanabi.evolve.measure.arena import Arena, Options, error_text
from hanabi.evolve.measure.cross_play import table as matrix_table
from hanabi.evolve.measure.forecast import WORTH_IT, Forecast
from hanabi.evolve.measure.game_sums import GameSums, check_games, points
from hanabi.files import whole_path, write_whole
from hanabi.notation import counted
from hanabi.rules.agents import Agent, load, partner_agents
from hanabi.rules.agents import pool as named_pool
from hanabi.rules.agents.named import Spec
from hanabi.shell_command import command
from hanabi.table import ENDS

MODES = ("mirror", "mixed", "cross")
MOST = 40  # agents in cross play: 1,600 tables per player count
COLUMNS = [
    "agent",
    "partner",
    "players",
    "games",
    "mean_kept",
    "sem_kept",
    "mean_zero",
    "sem_zero",
    "perfect_games",
    "forfeited_games",
]
LITERATURE = (
    "piers",
    "iggi",
    "outer",
    "van-den-bergh",
    "mirror-old-2018",
    "mirror-situational-2018",
)


def row(agent: str, partner: str, sums: GameSums) -> dict:
    """One line of a tournament: means with their standard errors (NaN for a single game), and how many games were perfect,
    how many forfeited."""
    return dict(
        zip(
            COLUMNS,
            [
                agent,
                partner,
                sums.variant.players,
                sums.kept.count,
                sums.kept.mean,
                sums.kept.sem,
                sums.zero.mean,
                sums.zero.sem,
                sums.perfect,
                sums.forfeited,
            ],
        )
    )


@dataclass(frozen=True)
class Tournament:
    """What a tournament was worth. As text it is ``table``, a line per agent, in a notebook with a chart; ``rows`` are the
    numbers.

    ``rows``: a row per agent, partner and player count: the games played, mean points with standard errors under both
    scorings, and how many games were perfect or forfeited. Columns: ``agent``, ``partner``, ``players``, ``games``,
    ``mean_kept``, ``sem_kept``, ``mean_zero``, ``sem_zero``, ``perfect_games``, ``forfeited_games``.
    """

    mode: str
    rows: pd.DataFrame

    @property
    def table(self) -> pd.DataFrame:
        """The rows as a page shows them: see ``table``; in cross play the matrix."""
        return matrix_table(self.rows) if self.mode == "cross" else table(self.rows)

    def __str__(self) -> str:
        return self.table.to_string(index=False)

    def _repr_html_(self) -> str:
        """For a notebook: a dot with its error for each agent, in cross play the matrix in colours; and the table."""
        from hanabi.evolve.charts import notebook
        from hanabi.evolve.charts.agents import agents
        from hanabi.evolve.charts.chart import PAPER, finish, render
        from hanabi.evolve.measure.matrix_chart import drawing

        table, games = (
            self.table.to_html(index=False, border=0),
            counted(int(self.rows["games"].sum()), "game"),
        )
        if self.mode == "cross":
            svg = render(finish(drawing(self.rows), PAPER), ".svg").decode()
            return notebook.cell(
                f"Cross play, {games}",
                [],
                notebook.drawing(svg, "Who understands whom: numbers below.") + table,
            )
        found, names = summarise(self.rows), list(dict.fromkeys(self.rows["agent"]))
        each = counted(int(self.rows["games"].sum()) // len(names), "game")
        points, sems = (found[what, "mean"].astype(float).to_dict() for what in ("mean", "sem"))
        chart = agents([(name, points[name], sems[name]) for name in names], each)
        return notebook.cell(f"Tournament, {self.mode}, {games}", [chart], table)


def tournament(
    specs: Sequence[Spec],
    mode: str = "mirror",
    pool: str | Sequence[Spec] | None = None,
    players: list[int] | None = None,
    games_each: int = 1_000,
    searched_games: int | None = None,
    foretell: Callable[[float], None] | None = None,
    **options: Unpack[Options],
) -> Tournament:
    """Every agent with every partner at every player count, each over ``games_each`` games on common deals;
    ``searched_games`` where somebody thinks ahead (without: as many).

    ``pool``: the name of a pool (without: cig2018-paper) or a list of specs, for mode mixed only. ``foretell`` is told before
    the first game how many seconds it will take, where somebody thinks ahead and it is not over at once. ``options``: see
    Arena; ``progress(done, of)`` is told how far it is. Raises ValueError for input that could not be played, such as a
    player count for which an agent or a partner has no list.
    """
    if mode not in MODES:
        raise ValueError(f"no mode {mode!r}: write mirror, mixed or cross")
    for games in (games_each, searched_games):
        if games is not None:
            check_games(games)
    if pool is not None and mode != "mixed":
        raise ValueError(
            f"a pool is for mode mixed, not for {mode}: write --mode mixed, or leave it out"
        )
    agents = [load(spec) for spec in specs]
    _tell_apart(agents, mode)
    pool = "cig2018-paper" if pool is None else pool
    partners: list[Agent | None] = [None]
    if mode == "mixed":
        partners = [*(named_pool(pool) if isinstance(pool, str) else partner_agents(pool))]
    elif mode == "cross":
        partners = [*agents]
    arena = Arena(players, **options)
    arena.check(*agents, *partners)
    matches, names = [], []
    for agent in agents:
        for place, partner in enumerate(partners):
            mirror = (
                mode == "cross" and partner is agent
            )  # mirror play has deals of its own: those of mode mirror
            for count in arena.players:
                searches = agent.is_slow or partner and partner.is_slow
                match = arena.match(
                    count,
                    agent,
                    None if mirror else partner,
                    searched_games or games_each if searches else games_each,
                    place=0 if mirror else place,
                )
                matches.append(match)
                names.append(agent.name if mirror else (match.partner or match.agent).name)
    searched = [match.searched for match in matches]
    with arena.workers as workers:
        forecast = None
        if sum(match.games for match in matches if match.searched) >= WORTH_IT:
            forecast = Forecast(
                [match.games for match in matches], searched, workers.jobs, foretell
            )
        found = workers.sums(matches, arena.progress, forecast)
    rows = [row(match.agent.name, name, sums) for match, name, sums in zip(matches, names, found)]
    return Tournament(mode, pd.DataFrame(rows, columns=COLUMNS))


def _tell_apart(agents, mode):
    """Raise ValueError where there are too few agents, too many, or two of one name."""
    if not agents:
        raise ValueError("a tournament needs at least one agent")
    if mode == "cross" and len(agents) < 2:
        raise ValueError("a cross tournament needs at least two agents: name another one")
    if mode == "cross" and len(agents) > MOST:
        raise ValueError(
            f"a cross tournament of {len(agents)} agents is a matrix that nobody can read: name at most {MOST}"
        )
    names = [agent.name for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two agents are called {name!r}: rename one, so that the rows can be told apart"
            )


def play_games(
    spec: Spec,
    players: int = 2,
    games_each: int = 1_000,
    partner: Spec | None = None,
    **options: Unpack[Options],
) -> pd.DataFrame:
    """A row per game: the seed of its deal, the points under both scorings, the lives left, the turns played, and why it
    ended (one of hanabi.table.ENDS). With ``partner`` the agent sits in one seat among copies of it. ``options``: see Arena.

    It takes about 125 bytes of memory per game; ``tournament`` sums any number of games in bounded memory.

    Columns: ``seed``, ``score_kept``, ``score_zero``, ``lives``, ``turns``, ``end``.
    """
    check_games(games_each)
    arena = Arena([players], **options)
    match = arena.match(players, load(spec), None if partner is None else load(partner), games_each)
    with arena.workers as workers:
        (results,) = workers.play([match])
    return pd.DataFrame(
        dict(
            seed=match.deals()[0],
            score_kept=results["score"],
            score_zero=points(results["score"], results["end"], "zero"),
            lives=results["lives"],
            turns=results["turns"],
            end=[ENDS[i] for i in results["end"]],
        )
    )


def summarise(rows: pd.DataFrame, scoring: str = "kept") -> pd.DataFrame:
    """Each agent's mean points over its partners by player count, and over all counts, with their standard errors.

    A row per agent; columns ("mean", 2), ("mean", 3), …, ("mean", "mean"), and the same below "sem".
    """
    groups = rows.assign(variance=rows[f"sem_{scoring}"] ** 2).groupby(
        ["agent", "players"], sort=False
    )
    cells = groups.agg(
        mean=(f"mean_{scoring}", "mean"), variance=("variance", "mean"), cells=("variance", "size")
    )
    cells["sem"] = (cells["variance"] / cells["cells"]) ** 0.5
    table = cells["mean"].unstack("players", sort=False)
    errors = cells["sem"].unstack("players", sort=False)
    table["mean"] = table.mean(axis=1)
    errors["mean"] = ((errors**2).sum(axis=1, skipna=False)) ** 0.5 / errors.shape[1]
    return pd.concat({"mean": table, "sem": errors}, axis=1)


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """A tournament's rows as text, a line per agent: its kept means by player count, then both scorings over all with
    their standard errors (none for a single game), and the shares of games that were perfect or forfeited.

    Columns: ``agent``, ``N`` for each player count, ``kept``, ``zero``, ``perfect``, ``forfeits``.
    """
    lines, found = [], {scoring: summarise(rows, scoring) for scoring in ("kept", "zero")}
    for agent, mine in rows.groupby("agent", sort=False):
        of: dict[str, Any] = {scoring: some.loc[agent] for scoring, some in found.items()}
        counts = {
            str(count): f"{mean:.2f}"
            for count, mean in of["kept"]["mean"].items()
            if count != "mean"
        }
        over_all = {
            scoring: f"{some['mean', 'mean']:.2f}{error_text(some['sem', 'mean'])}"
            for scoring, some in of.items()
        }
        rates = {
            what: f"{mine[of_them].sum() / mine['games'].sum():.1%}"
            for what, of_them in (("perfect", "perfect_games"), ("forfeits", "forfeited_games"))
        }
        lines.append({"agent": agent, **counts, **over_all, **rates})
    return pd.DataFrame(lines)


def records(rows: pd.DataFrame) -> list[dict]:
    """The rows of a table as data that JSON can hold: None where there is no number."""
    return [
        {key: None if value != value else value for key, value in row.items()}
        for row in rows.to_dict("records")
    ]


def check_output(path: str, endings: Sequence[str] = (".csv", ".parquet", ".json")) -> None:
    """Raise ValueError where ``save_agent`` could not write: asked before the games, not after them."""
    if not path.endswith(tuple(endings)):
        raise ValueError(f"cannot write {path}: name it {', '.join(endings[:-1])} or {endings[-1]}")
    if path.endswith(".parquet") and find_spec("pyarrow") is None:
        raise ValueError(
            f"cannot write {path}: pyarrow is missing: {command(sys.executable, '-m', 'pip', 'install', 'pyarrow')} installs "
            "it; or name the file .csv or .json"
        )
    if not whole_path(path).parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {Path(path).parent}")
    if Path(path).is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    if not os.access(whole_path(path).parent, os.W_OK):
        raise ValueError(f"cannot write {path}: its folder is not writable")


def save_agent(rows: pd.DataFrame, path: str) -> None:
    """Write a table as .csv, .parquet or .json (a list of rows), whole or not at all. ValueError where it cannot be."""
    check_output(path)
    data: str | bytes
    if path.endswith(".csv"):
        data = rows.to_csv(index=False)
    elif path.endswith(".parquet"):
        data = rows.to_parquet(index=False, engine="pyarrow")
    else:
        data = json.dumps(records(rows), indent=1)
    try:
        write_whole(Path(path), data)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
