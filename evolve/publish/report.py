"""A run as one page: how fitness rose, the agent as sentences with how often each decided, its scores. ``report.html``."""
from __future__ import annotations

import html
import io
import json
from pathlib import Path

import pandas as pd

from hanabi.conventions.weights import WEIGHTS
from rules.agents import load

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; }} td, th {{ padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }}
td.text, th.text {{ text-align: left; }} code {{ color: #777; font-size: .8em; }} svg {{ max-width: 100%; height: auto; }}
</style></head><body>
<h1>{title}</h1>
<p>{score}</p>
<h2>Fitness</h2>
<p>The best and the mean order of every generation, in points ({scoring} scoring). A fitness is the mean of few games, and the
best of many such means is flattered by chance; the score above is from fresh games.</p>
{curve}
<h2>The agent</h2>
{agent}
<h2>Scores on fresh deals</h2>
{scores}
<h2>Made of</h2>
{facts}
</body></html>
"""


def report(run: str | Path) -> Path:
    """Write ``report.html`` into the folder of a finished run and give its path. ValueError for a run that is not finished."""
    from evolve.publish.export import export
    folder = Path(run)
    export(folder)                           # says what is wrong with a folder that is no finished run
    agent = load(str(folder / "best.toml"))
    facts = dict(agent.provenance)
    results = pd.DataFrame(json.loads((folder / "result.json").read_text(encoding="utf-8"))["results"])
    facts.pop("results", None)
    page = PAGE.format(
        title=html.escape(agent.name), scoring=facts["scoring"],
        score=f"{facts['score']:.3f} ± {facts['sem']:.3f} points ({facts['scoring']}; ± one standard error) over "
              f"{facts['games']:,} games on deals that the search never saw.",
        curve=_curve(pd.read_csv(folder / "log.csv")), agent=_sentences(agent, (folder / "best.toml").read_text(encoding="utf-8")),
        scores=_table(results), facts=_table(pd.DataFrame(facts.items(), columns=["what", "value"])))
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


def _curve(log):
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


def _sentences(agent, text):
    """The lists as tables; each rule's share of the moves stands in the comment above it in the file."""
    shares = [line.rsplit("(", 1)[1].split()[0] for line in text.splitlines() if line.lstrip().startswith("#") and "% of moves)" in line]
    parts = []
    for key, rules in agent.lists.items():
        rows = "".join(f"<tr><td>{place + 1}.</td><td class=text>{html.escape(rule.says)}<br><code>{html.escape(rule.name)}</code>"
                       f"</td><td>{shares.pop(0) if shares else ''}</td></tr>" for place, rule in enumerate(rules))
        parts.append(f"<p>With {key} players the first rule that applies decides:</p>"
                     f"<table><tr><th></th><th class=text>what it does</th><th>of moves</th></tr>{rows}</table>")
    for key, entries in agent.conventions.items():
        rows = "".join(f"<tr><td class=text>{html.escape(entry.says)}<br><code>{html.escape(entry.name)}</code></td>"
                       "</tr>" for entry in entries)
        parts.append(f"<p>What hints mean with {key} players, and the absence of one:</p><table>{rows}</table>")
    for key, weights in agent.weights.items():
        rows = "".join(f"<tr><td class=text>{html.escape(WEIGHTS[name][3])}<br><code>{name}</code></td>"
                       f"<td>{value:g}</td></tr>" for name, value in weights.items())
        parts.append(f"<p>Its weights with {key} players; every other weight is as if nothing were said:</p>"
                     f"<table>{rows}</table>")
    return "".join(parts)


def _table(rows):
    return rows.to_html(index=False, border=0, na_rep="", float_format="{:.3f}".format)
