"""Pictures of tournaments and of behaviours, and cells of notebooks with charts."""

from html import escape
from pathlib import Path

import pandas as pd

from hanabi.drawings import drawing
from hanabi.evolve.charts.chart import (
    PAPER,
    WIDE,
    RunData,
    charts_of_run,
    curves_of,
    finish,
    label,
    layer,
    notebook_cell,
    notebook_drawing,
    number,
    render,
    write,
)
from hanabi.evolve.charts.tournament_charts import agents, matrix_drawing
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.comparison import Comparison
from hanabi.evolve.measure.tournament import Tournament, check_picture, summarise
from hanabi.notation import counted

SHARE = {"domain": [0, 1]}  # the scale of a behaviour


@drawing("matrix picture")
def draw_matrix(rows: pd.DataFrame, path: str) -> None:
    """Write the rows of a cross tournament as a picture, .svg or .png.

    It shows kept points over all player counts: a row for each agent in one seat, a column for
    each agent whose copies are in the other seats; beside it, mirror play and the mean with
    strangers. The same rows give the same bytes.

    Raises:
        ValueError: The file cannot be written.
    """
    check_picture(path)
    write(finish(matrix_drawing(rows), PAPER), Path(path))


@drawing("behaviour picture")
def draw_behaviour(rows: pd.DataFrame, path: str, across: str, along: str) -> None:
    """Write two behaviours as a picture, .svg or .png: a dot per player, ± one standard error."""
    counts = ", " + rows["players"].astype(str) + " players"
    names = rows["agent"] + (counts if rows["players"].nunique() > 1 else "")
    dots = pd.DataFrame({"t": names})
    for places, name in ((("x", "left", "right"), across), (("y", "low", "high"), along)):
        value, error = rows[name], rows[f"sem_{name}"].fillna(0)
        dots[[*places]] = pd.concat([value, value - error, value + error], axis=1)
    x, left = (number(one, SHARE, title=across.replace("_", " ")) for one in ("x", "left"))
    y, low = (number(one, SHARE, title=along.replace("_", " ")) for one in ("y", "low"))
    data = dots.dropna().to_dict("records")
    layers = [
        layer("rule", data, {"x": left, "x2": {"field": "right"}, "y": y}, color=PAPER["edge"]),
        layer("rule", data, {"x": x, "y": low, "y2": {"field": "high"}}, color=PAPER["edge"]),
        layer("point", data, {"x": x, "y": y}, filled=True, opacity=1, color=PAPER["accent"]),
        label(data, {"x": x, "y": y}, align="left", dx=9),
    ]
    write(finish({"width": WIDE - 80, "height": 480, "layer": layers}, PAPER), Path(path))


@drawing("tournament cell")
def tournament_cell(found: Tournament) -> str:
    """Return a chart and the table: a dot per agent, in cross play the matrix in colours."""
    table = found.table.to_html(index=False, border=0)
    played = int(found.rows["games"].sum())
    games = counted(played, "game")
    if found.mode == "cross":
        svg = render(finish(matrix_drawing(found.rows), PAPER), ".svg").decode()
        shown = notebook_drawing(svg, "Points of each agent with each partner: numbers below.")
        return notebook_cell(f"Cross play, {games}", [], shown + table)
    summary, names = summarise(found.rows), list(dict.fromkeys(found.rows["agent"]))
    each = counted(played // len(names), "game")
    points, sems = (summary[what, "mean"].astype(float).to_dict() for what in ("mean", "sem"))
    chart = agents([(name, points[name], sems[name]) for name in names], each)
    return notebook_cell(f"Tournament, {found.mode}, {games}", [chart], table)


@drawing("comparison cell")
def comparison_cell(found: Comparison) -> str:
    """Return the table and a sentence per verdict."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in str(found).splitlines())
    table = found.rows.round(3).to_html(index=False, border=0)
    return notebook_cell(f"Comparison of {', '.join(found.agents)}", [], f"<ul>{lines}</ul>{table}")


@drawing("run cell")
def run_cell(run: Run) -> str:
    """Return charts of fitness and of points by number of players, and the table."""
    try:
        table, curves, scoring = run.table, curves_of(run), run.config.game.scoring
    except (ValueError, LookupError):  # not written yet, or damaged: the headline says so
        return notebook_cell(run.headline, [], "")
    rows = table.to_dict("records") if "players" in table else []
    return notebook_cell(
        run.headline,
        charts_of_run(RunData(scoring, rows, curves)),
        table.round(3).to_html(index=False, border=0),
    )
