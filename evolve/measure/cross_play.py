"""Cross play as a matrix: a row for each agent in one seat, a column for each partner whose copies sit in all others.

The seat is drawn anew for each deal. On the diagonal an agent is among copies of itself, which is mirror play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def matrix(
    rows: pd.DataFrame, players: int | None = None, scoring: str = "kept"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(mean points, their standard errors) of a cross tournament at a player count (without: over all, which weigh the
    same), each with a row per agent and a column per partner, in the order of the rows."""
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
    """The matrix over all player counts as text. Columns: ``agent``, and each partner's name."""
    means = matrix(rows)[0].map("{:.2f}".format)
    means.columns.name = None
    return means.reset_index()


def lost_by_mixing(means: pd.DataFrame) -> np.ndarray:
    """How far apart two agents are, for all pairs: the points that they lose, on an average, where they play with each other (both
    ways) and not each with copies of itself; 0 where they lose none."""
    points = means.to_numpy()
    mirror = points.diagonal()
    apart = ((mirror[:, None] + mirror) - (points + points.T)) / 2
    return np.maximum(apart, 0)


def ordered(means: pd.DataFrame) -> list[str]:
    """The agents so that those stand together who understand each other: the leaves of the tree of average distances (see
    ``lost_by_mixing``), neighbours as near as it allows; at the top the end where mirror play is better."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    places = leaves_list(
        linkage(squareform(lost_by_mixing(means), checks=False), "average", optimal_ordering=True)
    )
    mirror, half = means.to_numpy().diagonal()[places], len(places) // 2
    if mirror[:half].mean() < mirror[-half:].mean():
        places = places[::-1]
    return [means.index[place] for place in places]


def strangers(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each agent (the index): what it is worth with others, kept, over all player counts.

    Columns: ``mirror`` with its error ``mirror_sem``; ``guest``, its mean over the others' copies (its row without the diagonal),
    with ``guest_sem``; ``loses``, mirror less guest; ``host``, the mean of all others as guests of its copies (its column);
    ``best``, ``best_points``, ``worst``, ``worst_points``: among whose copies it does best and worst.
    """
    import pandas as pd

    means, sems = matrix(rows)
    found = []
    for agent in means.index:
        others = [name for name in means.index if name != agent]
        row, errors = means.loc[agent, others], sems.loc[agent, others]
        best, worst = row.idxmax(), row.idxmin()
        found.append(
            dict(
                agent=agent,
                mirror=means.at[agent, agent],
                mirror_sem=sems.at[agent, agent],
                guest=row.mean(),
                guest_sem=(errors**2).sum(skipna=False) ** 0.5 / len(others),
                loses=means.at[agent, agent] - row.mean(),
                host=means.loc[others, agent].mean(),
                best=best,
                best_points=row[best],
                worst=worst,
                worst_points=row[worst],
            )
        )
    return pd.DataFrame(found).set_index("agent")


def errors_text(rows: pd.DataFrame, players: int | None = None) -> str:
    """How exact the cells are, by how many games they have: ``± 0.02 to 0.05 over 20,000 games, ± 0.31 over 64
    games``; empty where no cell has an error."""
    some = rows if players is None else rows[rows["players"] == players]
    sems, parts = matrix(some)[1], []
    games = (
        some.pivot_table(index="agent", columns="partner", values="games", aggfunc="sum")
        .loc[sems.index, sems.columns]
        .to_numpy()
    )
    for number in np.unique(games)[::-1]:
        mine = sems.to_numpy()[games == number]
        low, high = f"{mine.min():.2f}", f"{mine.max():.2f}"
        if not np.isnan(mine).any():
            parts.append(f"± {low}{'' if low == high else f' to {high}'} over {number:,} games")
    return ", ".join(parts)
