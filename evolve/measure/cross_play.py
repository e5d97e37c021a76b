"""Cross play as a matrix: a row per agent in one seat, a column per partner in the others.

The seat is drawn for each deal. On the diagonal an agent is among copies of itself: mirror play.
"""

import numpy as np
import pandas as pd


def matrix(
    rows: pd.DataFrame, players: int | None = None, scoring: str = "kept"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return (mean points, standard errors) of a cross tournament.

    Args:
        rows: The rows of the tournament.
        players: The player count. Default: all, which weigh the same.
        scoring: "kept" or "zero".

    Returns:
        Two tables, each with a row per agent and a column per partner, in the order of ``rows``.
    """
    some = rows if players is None else rows[rows["players"] == players]
    names = list(dict.fromkeys(some["agent"]))
    points, errors = (
        some.pivot(index=["agent", "partner"], columns="players", values=f"{what}_{scoring}")
        for what in ("mean", "sem")
    )
    mean, sem = points.mean(axis=1), (errors**2).sum(axis=1, skipna=False) ** 0.5 / errors.shape[1]
    means, sems = (
        column.unstack("partner").reindex(index=names, columns=names) for column in (mean, sem)
    )
    return means, sems


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the matrix over all player counts as text: ``agent``, and each partner's name."""
    means = matrix(rows)[0].map("{:.2f}".format)
    means.columns.name = None
    return means.reset_index()


def lost_by_mixing(means: pd.DataFrame) -> np.ndarray:
    """Return the distance of all pairs of agents: the points lost by playing with each other.

    It compares the mean of both ways with the mean of the two in mirror play; 0 for a gain.
    """
    points = means.to_numpy()
    mirror = points.diagonal()
    return np.maximum(((mirror[:, None] + mirror) - (points + points.T)) / 2, 0)


def ordered(means: pd.DataFrame) -> list[str]:
    """Return the agents so that those that play well with each other are neighbours.

    They are the leaves of the tree of average distances (see ``lost_by_mixing``), optimally
    ordered; the end where mirror play is better comes first.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage  # a sixth of a command's start
    from scipy.spatial.distance import squareform

    places = leaves_list(
        linkage(squareform(lost_by_mixing(means), checks=False), "average", optimal_ordering=True)
    )
    mirror, half = means.to_numpy().diagonal()[places], len(places) // 2
    if mirror[:half].mean() < mirror[-half:].mean():
        places = places[::-1]
    return [means.index[place] for place in places]


def strangers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what each agent is worth with others, kept points over all player counts.

    Returns:
        A row per agent, the index. Columns: ``mirror`` and its standard error ``mirror_sem``;
        ``guest``, its mean over the others' copies (its row without the diagonal), and
        ``guest_sem``; ``loses``, mirror less guest; ``host``, the mean of all others as guests of
        its copies (its column), and ``host_sem``, at most, since its guests meet the same deals;
        ``best``, ``best_points``, ``worst``, ``worst_points``: among whose copies it scores most
        and least.
    """
    means, sems = matrix(rows)
    mirror, alone = np.diag(means), np.eye(len(means), dtype=bool)
    others, errors = means.mask(alone), sems.mask(alone, 0.0)
    count = len(means) - 1
    return pd.DataFrame(
        dict(
            mirror=mirror,
            mirror_sem=np.diag(sems),
            guest=others.mean(axis=1),
            guest_sem=(errors**2).sum(axis=1, skipna=False) ** 0.5 / count,
            loses=mirror - others.mean(axis=1),
            host=others.mean(axis=0),
            host_sem=errors.sum(axis=0, skipna=False) / count,
            best=others.idxmax(axis=1),
            best_points=others.max(axis=1),
            worst=others.idxmin(axis=1),
            worst_points=others.min(axis=1),
        ),
        index=means.index.rename("agent"),
    )


def errors_text(rows: pd.DataFrame, players: int | None = None, least: int = 0) -> str:
    """Return the standard errors of the cells, by their number of games.

    Such as ``± 0.02 to 0.05 over 20,000 games, ± 0.31 over 64 games``; "" where no cell has one.
    Cells of fewer than ``least`` games are left out.
    """
    some = rows if players is None else rows[rows["players"] == players]
    sems, parts = matrix(some)[1], []
    games = (
        some.pivot_table(index="agent", columns="partner", values="games", aggfunc="sum")
        .loc[sems.index, sems.columns]
        .to_numpy()
    )
    for number in np.unique(games[games >= least])[::-1]:
        mine = sems.to_numpy()[games == number]
        low, high = f"{mine.min():.2f}", f"{mine.max():.2f}"
        span = low if low == high else f"{low} to {high}"
        if not np.isnan(mine).any():
            parts.append(f"± {span} over {number:,} games")
    return ", ".join(parts)
