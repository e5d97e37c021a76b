"""A run as one page: how fitness rose, the agent as sentences with how often each decided, its scores. ``report.html``."""
from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hanabi.conventions.weights import WEIGHTS
from hanabi.files import OWN, read_bytes, write_whole
from hanabi.notation import counted
from hanabi.words.transcript import ABOUT_FORFEITS
from rules import load_file
from rules.agents import load

if TYPE_CHECKING:
    import pandas as pd

TEMPLATE = "report.html.j2"                  # in templates/


def report(run: str | Path) -> Path:
    """Write ``report.html`` into the folder of a finished run and give its path. ValueError for a run that is not
    finished, and where the page cannot be written."""
    from evolve.ga.folder import damaged, result
    from evolve.ga.result import Run
    from evolve.publish.export import export
    folder = Path(run)
    export(folder)                           # says what is wrong with a folder that is no finished run
    for file in Run(folder).config.rule_files:
        load_file(file)
    try:
        page = page_of(str(folder / "best.toml"), result(folder), {"" if part.folder == folder else part.name: _log(part)
                                                                   for part in Run(folder).parts})
    except LookupError as error:
        raise damaged(folder, f"log.csv has no column {error}") from None
    path = folder / "report.html"
    write_whole(path, page)
    return path


def _log(run):
    import pandas as pd
    return pd.read_csv(io.BytesIO(read_bytes(run / "log.csv", OWN)))


def page_of(agent_file: str, result: dict[str, Any], logs: dict[str, pd.DataFrame]) -> str:
    """The page of an agent file, what ``result.json`` holds, and the log of the generations of each list, by player counts.

    ``result``: ``results``, a list of rows as dicts; ``shares``, by list of the agent each rule's share of the moves, in
    order (no shares are shown of runs that wrote none)."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup
    agent = load(agent_file)
    facts = {what: value for what, value in agent.provenance.items() if what != "results"}
    columns = list(result["results"][0])
    shares = result.get("shares", {})
    page = Environment(loader=PackageLoader("evolve.publish"), autoescape=True, undefined=StrictUndefined).get_template(TEMPLATE)
    return page.render(
        counted=counted, title=agent.name, curves={players: Markup(_curve(log)) for players, log in logs.items()}, facts=facts,
        lists=[dict(players=key, rules=rules, shares=shares.get(key)) for key, rules in agent.lists.items()],
        conventions=agent.conventions,
        weights={key: [dict(name=name, says=WEIGHTS[name][3], value=value) for name, value in weights.items()]
                 for key, weights in agent.weights.items()},
        forfeits=ABOUT_FORFEITS if result["results"][-1].get("forfeited_games") else "",
        columns=columns, results=[[row.get(column) for column in columns] for row in result["results"]])


def _curve(log: pd.DataFrame) -> str:
    """The best and the mean of every generation with their standard errors, as SVG."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "hanabi"       # the same run, the same picture
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(9, 4), layout="constrained")
    for column, colour, label in (("best", "tab:blue", "best of the generation"), ("mean", "tab:orange", "mean of the generation")):
        axes.plot(log["generation"], log[column], color=colour, linewidth=1.2, label=label)
        axes.fill_between(log["generation"], log[column] - log[f"{column}_sem"], log[column] + log[f"{column}_sem"],
                          color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="generation", ylabel="points", xlim=(0, max(1, log["generation"].max())), ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue()[text.getvalue().index("<svg"):]
