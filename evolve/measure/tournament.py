"""Measure agents at the same table: mirror, mixed and cross play.

Mirror: an agent with copies of itself. Mixed: in one seat among copies of each partner of a pool.
Cross: every agent in one seat among copies of every agent, itself included (cross_play.py). All
agents play the same deals in the same seats.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Unpack

import pandas as pd

from hanabi.drawings import draw
from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, error_text
from hanabi.evolve.measure.cross_play import table as matrix_table
from hanabi.evolve.measure.game_sums import GameSums, check_games, points
from hanabi.files import whole_path, write_whole
from hanabi.game_loop import ENDS
from hanabi.rules.agents import Agent, Spec, load, partner_agents, pool as named_pool
from hanabi.shell_command import command
from hanabi.variant import check_distinct

MODES = ("mirror", "mixed", "cross")
DEFAULT_POOL = "cig2018-paper"  # of mode mixed
PICTURES = (".svg", ".png")  # endings of files
MOST_AGENTS = 40  # in cross play: 1,600 tables per player count
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
    """Return a row of a tournament: means with standard errors, perfect and forfeited games.

    Args:
        agent: Name of the agent that is measured.
        partner: Name of its partner.
        sums: The summed games. The standard error of a single game is NaN.
    """
    return dict(
        agent=agent,
        partner=partner,
        players=sums.variant.players,
        games=sums.kept.count,
        mean_kept=sums.kept.mean,
        sem_kept=sums.kept.sem,
        mean_zero=sums.zero.mean,
        sem_zero=sums.zero.sem,
        perfect_games=sums.perfect,
        forfeited_games=sums.forfeited,
    )


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament.

    As text it is ``table``, a line per agent; in a notebook it has a chart, too.

    Attributes:
        mode: "mirror": each agent plays with copies of itself. "mixed": it has one seat, drawn for
            each deal, among copies of each partner of the pool. "cross": the same among copies of
            each agent.
        rows: A row per agent, partner and player count: the games played, mean points with
            standard errors under both scorings, and how many games were perfect or forfeited.
            Columns: ``agent``, ``partner``, ``players``, ``games``, ``mean_kept``, ``sem_kept``,
            ``mean_zero``, ``sem_zero``, ``perfect_games``, ``forfeited_games``.
    """

    mode: str
    rows: pd.DataFrame

    @property
    def table(self) -> pd.DataFrame:
        """The rows as text, see ``score_table``; in cross play the matrix."""
        return matrix_table(self.rows) if self.mode == "cross" else score_table(self.rows)

    def __str__(self) -> str:
        return self.table.to_string(index=False)

    def _repr_html_(self) -> str:
        """Return a chart and the table: a dot per agent, in cross play the matrix in colours."""
        return draw("tournament cell", self)


def tournament(
    specs: Sequence[Spec],
    mode: str = "mirror",
    pool: str | Sequence[Spec] | None = None,
    players: list[int] | None = None,
    games_each: int = 1_000,
    searched_games: int | None = None,
    **options: Unpack[Options],
) -> Tournament:
    """Play agents with partners at every player count, on common deals.

    Args:
        specs: The agents, each by name, by path or as an object.
        mode: "mirror": each agent plays with copies of itself. "mixed": it has one seat, drawn for
            each deal, among copies of each partner of the pool. "cross": the same among copies of
            each agent.
        pool: In mode mixed the partners: the name of a pool or a list of specs. Default:
            cig2018-paper.
        players: The player counts. Default: those of the variant, or 2 to 5.
        games_each: Games per agent, partner and player count.
        searched_games: The same where a look-ahead player takes part. Default: ``games_each``.
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``
            ("threads", "processes"); ``progress(done, of)`` is called during the games.

    Returns:
        The results, a row per agent, partner and player count.

    Raises:
        ValueError: What was named cannot be played, such as a player count for which an agent or
            a partner has no list.
        PlayError: A rule or a player failed, or made an illegal move.
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
    _check_agents(agents, mode)
    partners: list[Agent | None] = [None]
    if mode == "mixed":
        pool = DEFAULT_POOL if pool is None else pool
        partners = [*(named_pool(pool) if isinstance(pool, str) else partner_agents(pool))]
    elif mode == "cross":
        partners = [*agents]
    arena = Arena(players, **options)
    arena.check(*agents, *partners)
    matches, names = [], []
    for agent, (place, partner), count in product(agents, enumerate(partners), arena.players):
        searches = agent.is_slow or partner and partner.is_slow
        games = searched_games or games_each if searches else games_each
        if partner is agent:  # in cross play, on the deals of mode mirror
            matches.append(arena.match(count, agent, None, games))
            names.append(agent.name)
        else:
            matches.append(arena.match(count, agent, partner, games, place=place))
            names.append((matches[-1].partner or agent).name)
    with arena.workers as workers:
        found = workers.sums(matches, arena.progress)
    rows = [row(match.agent.name, name, sums) for match, name, sums in zip(matches, names, found)]
    return Tournament(mode, pd.DataFrame(rows, columns=COLUMNS))


def _check_agents(agents, mode):
    """Raise ValueError where there are too few agents, too many, or two with one name."""
    if not agents:
        raise ValueError("a tournament needs at least one agent")
    if mode == "cross" and len(agents) < 2:
        raise ValueError("a cross tournament needs at least two agents: name another one")
    if mode == "cross" and len(agents) > MOST_AGENTS:
        raise ValueError(
            f"a cross tournament of {len(agents)} agents is too large a matrix to read: "
            f"name at most {MOST_AGENTS}"
        )
    check_distinct((agent.name for agent in agents), "rename one, so that rows can be told apart")


def play_games(
    spec: Spec,
    players: int = 2,
    games_each: int = 1_000,
    partner: Spec | None = None,
    **options: Unpack[Options],
) -> pd.DataFrame:
    """Play games of an agent and return a row per game.

    It takes about 125 bytes of memory per game; ``tournament`` sums any number of games in bounded
    memory.

    Args:
        spec: The agent: a name, a path or an object.
        players: The player count.
        games_each: The number of games.
        partner: If given, the agent sits in one seat among copies of this one.
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``.

    Returns:
        Columns: ``seed`` of the deal, ``score_kept`` and ``score_zero``, the points under both
        scorings, ``lives`` left, ``turns`` played, and ``end``, one of hanabi.game_loop.ENDS.

    Raises:
        ValueError: What was named cannot be played.
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
    """Return each agent's mean points over its partners, by player count and over all counts.

    Args:
        rows: The rows of a tournament.
        scoring: "kept" or "zero".

    Returns:
        A row per agent; columns ("mean", 2), ("mean", 3), …, ("mean", "mean"), and the same with
        "sem" for the standard errors.
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


def score_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a tournament as text, a line per agent.

    Columns: ``agent``; ``N`` for each player count, kept points; ``kept`` and ``zero``, points over
    all counts with standard errors (none for a single game); ``perfect`` and ``forfeits``, shares
    of the games.
    """
    summaries = {scoring: summarise(rows, scoring) for scoring in SCORINGS}
    sums = rows.groupby("agent", sort=False)[["games", "perfect_games", "forfeited_games"]].sum()
    kept = pd.DataFrame(summaries["kept"]["mean"]).drop(columns="mean").sort_index(axis=1)
    table = kept.map("{:.2f}".format).rename(columns=str)
    for scoring, summary in summaries.items():
        means, sems = summary["mean", "mean"], summary["sem", "mean"]
        table[scoring] = [f"{mean:.2f}{error_text(sem)}" for mean, sem in zip(means, sems)]
    table["perfect"] = (sums["perfect_games"] / sums["games"]).map("{:.1%}".format)
    table["forfeits"] = (sums["forfeited_games"] / sums["games"]).map("{:.1%}".format)
    return table.rename_axis(columns=None).reset_index()


def records(rows: pd.DataFrame) -> list[dict]:
    """Return the rows of a table as data for JSON; NaN becomes None."""
    return [
        {key: None if value != value else value for key, value in row.items()}
        for row in rows.to_dict("records")
    ]


def check_picture(path: str, mode: str = "cross") -> None:
    """Check, before games are played, that a picture of a matrix can be written after them.

    Raises:
        ValueError: It cannot.
    """
    if mode != "cross":
        raise ValueError(
            f"a picture is of a matrix, and {mode} has none: write --mode cross, or leave it out"
        )
    check_output(path, PICTURES)


def check_output(path: str, endings: Sequence[str] = (".csv", ".parquet", ".json")) -> None:
    """Check, before games are played, that a file can be written after them.

    Raises:
        ValueError: It cannot.
    """
    if not path.endswith(tuple(endings)):
        raise ValueError(f"cannot write {path}: name it {', '.join(endings[:-1])} or {endings[-1]}")
    if path.endswith(".parquet") and find_spec("pyarrow") is None:
        raise ValueError(
            f"cannot write {path}: pyarrow is missing: "
            f"{command(sys.executable, '-m', 'pip', 'install', 'pyarrow')} installs it; "
            "or name the file .csv or .json"
        )
    if not whole_path(path).parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {Path(path).parent}")
    if Path(path).is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    if not os.access(whole_path(path).parent, os.W_OK):
        raise ValueError(f"cannot write {path}: its folder is not writable")


def save_table(rows: pd.DataFrame, path: str) -> None:
    """Write a table as .csv, .parquet or .json (a list of rows), whole or not at all.

    Raises:
        ValueError: It cannot be written.
    """
    check_output(path)
    write: dict[str, Callable[[], str | bytes]] = {
        "csv": lambda: rows.to_csv(index=False),
        "parquet": lambda: rows.to_parquet(index=False, engine="pyarrow"),
        "json": lambda: json.dumps(records(rows), indent=1),
    }
    write_whole(path, write[path.rpartition(".")[2]]())
