"""Run a study: evolve its runs, play its comparisons, and write what a paper needs of them.

The folder gets, by comparison, NAME.csv (all rows), NAME.tex (a table of booktabs), NAME.svg and
NAME.png; agents/ with a file per agent; study.json with versions, seeds and agents; the study
itself; and references.bib. The same study makes the same bytes with any number of workers. A study
that was stopped goes on with its runs and plays its comparisons once more.
"""

import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd

import hanabi
from hanabi.evolve.charts.chart import PAPER, finish, render
from hanabi.evolve.charts.tournament_charts import agents as agents_chart, matrix_drawing
from hanabi.evolve.experiments.experiment import Step, experiment
from hanabi.evolve.experiments.study_plan import ComparisonPlan, StudyPlan
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import os_problem
from hanabi.evolve.measure.arena import players_text
from hanabi.evolve.measure.comparison import compare
from hanabi.evolve.measure.tournament import score_table, summarise, tournament
from hanabi.evolve.pools.pool_report import measure_pool
from hanabi.files import read_bytes, write_whole
from hanabi.notation import counted
from hanabi.rules import agents as agent_files
from hanabi.rules.agents import Agent, load

PACKAGES = ("numpy", "numba", "pandas", "deap")
ENDINGS = (".svg", ".png")
CITED = {  # a reference by what its agents and pools name
    "canaan2018evolving": ("Canaan et al. 2018", "2018 project", "cig2018"),
    "waltonrivers2017evaluating": ("Fireworks framework", "Walton-Rivers"),
    "osawa2015solving": ("Osawa",),
    "vandenbergh2016aspects": ("van den Bergh", "Van den Bergh"),
    "canaan2019diverse": ("map-", "a map of"),
}


@dataclass(frozen=True)
class Result:
    """What a comparison found.

    Attributes:
        plan: The comparison.
        rows: All numbers.
        table: The rows of its LaTeX table.
        drawing: Its figure, a finished drawing.
    """

    plan: ComparisonPlan
    rows: pd.DataFrame
    table: pd.DataFrame
    drawing: dict[str, Any]


def run_study(
    plan: StudyPlan,
    folder: str | Path,
    games: int | None = None,
    evolving: Callable[[Step], None] | None = None,
    progress: Callable[..., None] = lambda *step: None,
    **options: Any,
) -> list[Result]:
    """Run a study to its end and write its files; return what its comparisons found.

    Args:
        plan: The study.
        folder: Where its files go; ``runs`` in it has its runs.
        games: Games of each comparison instead of those of the plan, for a trial.
        evolving: Called with the progress of the runs.
        progress: Called with the games done and all games of a comparison.
        **options: ``jobs`` and ``backend``, see Arena.

    Raises:
        ValueError: An agent cannot play what is compared; nothing is written then.
        RunStoppedError: A run was stopped; the same study goes on with it.
    """
    place = Path(folder)
    agents = {name: replace(load(spec), name=name) for name, spec in plan.agents.items()}
    if plan.runs.entries:
        experiment(plan.runs, runs=place, progress=evolving, **options)
    for entry in plan.runs.entries:
        agents[entry.key] = replace(Run(place / "runs" / entry.folder(0)).agent, name=entry.key)
    options |= {"seed": plan.seed, "progress": progress}
    results = [
        measure(
            replace(one, games=games or one.games),
            [agents[name] for name in one.agents],
            plan.pools,
            **options,
        )
        for one in plan.comparisons
    ]
    write_study(plan, place, results, agents)
    return results


def measure(
    plan: ComparisonPlan, agents: Sequence[Agent], pools: dict[str, Any], **options: Any
) -> Result:
    """Play a comparison.

    Args:
        plan: The comparison.
        agents: Its agents.
        pools: The named pools.
        **options: Options of the Arena.

    Raises:
        ValueError: What is named cannot be played; the message begins with the comparison.
    """
    made = {"pairs": _pairs, "pool": _pool}.get(plan.mode, _tournament)
    try:
        return made(plan, agents, pools.get(plan.pool, plan.pool), options)
    except ValueError as error:
        raise ValueError(f"comparison {plan.key}: {error}") from None


def _tournament(plan, agents, pool, options):
    partners, counts = pool if plan.mode == "mixed" else None, list(plan.players) or None
    found = tournament(agents, plan.mode, partners, counts, plan.games, **options)
    if plan.mode == "cross":
        return Result(plan, found.rows, found.table, finish(matrix_drawing(found.rows), PAPER))
    points = summarise(found.rows)
    dots = [
        (agent.name, points["mean", "mean"][agent.name], points["sem", "mean"][agent.name])
        for agent in agents
    ]
    each = int(found.rows["games"].sum()) // len(agents)
    return Result(plan, found.rows, score_table(found.rows), _dots(plan, dots, each))


def _dots(plan, dots, each):
    """Return the drawing of means with error bars."""
    chart = replace(agents_chart(dots, counted(each, "game")), name=plan.key)
    return finish(chart.drawing(chart.wide, PAPER), PAPER)


def _pairs(plan, agents, pool, options):
    options = {key: options[key] for key in options if key != "progress"}  # of another type
    found = compare(*agents, players=list(plan.players) or None, games=plan.games, **options)
    last = [verdict for verdict in found.verdicts if verdict.players == found.verdicts[-1].players]
    table = pd.DataFrame(
        {
            "agents": f"{verdict.one} − {verdict.other}",
            "players": verdict.players,
            "difference": f"{verdict.difference:+.3f} ± {verdict.sem:.3f}",
            "interval": f"{verdict.low:+.3f} to {verdict.high:+.3f}",
            "better": verdict.better,
            "games": verdict.games,
        }
        for verdict in found.verdicts
    )
    dots = [(f"{one.one} − {one.other}", one.difference, one.sem) for one in last]
    return Result(plan, found.rows, table, _dots(plan, dots, last[0].games))


def _pool(plan, agents, pool, options):
    found = measure_pool(pool, list(plan.players) or None, plan.games, **options)
    rows = pd.DataFrame(found.rows).dropna(axis="columns", how="all")
    table = pd.DataFrame(
        {
            "partner": row.agent,
            "with itself": f"{row.mirror:.2f}",
            "with the pool": f"{row.host:.2f}",
            "others lose": f"{row.held_back:+.2f}",
            "oracle": f"{row.oracle:.2f}",
            "cluster": row.cluster,
        }
        for row in found.rows
    )
    return Result(plan, rows, table, finish(matrix_drawing(found.cross.rows), PAPER))


def latex(result: Result) -> str:
    """Return the table of a comparison for LaTeX, with the package booktabs."""
    table = result.table.fillna("")
    text = table.to_latex(
        index=False,
        escape=True,
        caption=_escape(result.plan.caption),
        label=f"tab:{result.plan.key}",
        column_format="l" + "r" * (len(table.columns) - 1),
        position="tbp",
    )
    return str(text).replace("±", r"$\pm$").replace("−", "$-$")


def _escape(text):
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(one, f"\\{one}" if one in "&%$#_{}" else one) for one in text)


def references(texts: Sequence[str]) -> str:
    """Return BibTeX of this program, and of the publications that some texts name."""
    bib = (files("hanabi.evolve") / "experiments" / "references.bib").read_text(encoding="utf-8")
    entries = bib.replace("VERSION", hanabi.__version__).strip().split("\n\n")
    wanted = ["hanabi"] + [
        key for key, names in CITED.items() if any(name in text for name in names for text in texts)
    ]
    chosen = [entry for entry in entries if entry.partition("{")[2].partition(",")[0] in wanted]
    return "\n\n".join(chosen) + "\n"


def data_of(
    plan: StudyPlan, folder: Path, results: Sequence[Result], agents: dict[str, Agent]
) -> dict[str, Any]:
    """Return what study.json holds."""
    return {
        "title": plan.title,
        "says": plan.says,
        "versions": {
            "hanabi": hanabi.__version__,
            "python": platform.python_version(),
            **{package: metadata.version(package) for package in PACKAGES},
        },
        "seed": plan.seed,
        "agents": {
            name: {"spec": plan.agents.get(name, f"runs/{name}"), "source": agent.source}
            for name, agent in agents.items()
        },
        "runs": {
            entry.key: {
                "seed": entry.config.search.seed,
                "config": entry.config.hash(),
                "points": Run(folder / "runs" / entry.folder(0)).finals.iloc[-1]["mean_kept"],
            }
            for entry in plan.runs.entries
        },
        "comparisons": {
            one.plan.key: {
                "mode": one.plan.mode,
                "agents": list(one.plan.agents),
                "pool": plan.pools.get(one.plan.pool, one.plan.pool),
                "players": players_text(one.plan.players) if one.plan.players else "",
                "games": one.plan.games,
                "caption": one.plan.caption,
                "files": [f"{one.plan.key}{ending}" for ending in (".csv", ".tex", *ENDINGS)],
            }
            for one in results
        },
    }


def write_study(
    plan: StudyPlan, folder: Path, results: Sequence[Result], agents: dict[str, Agent]
) -> None:
    """Write the files of a study, once all are made.

    Raises:
        ValueError: A file cannot be written.
    """
    texts = [agent.source for agent in agents.values()]
    contents: dict[str, str | bytes] = {
        f"agents/{name}.toml": agent_files.dumps(agent) for name, agent in agents.items()
    }
    for one in results:
        pool = plan.pools.get(one.plan.pool, one.plan.pool)
        texts += [pool] if isinstance(pool, str) else [load(spec).source for spec in pool]
        contents[f"{one.plan.key}.csv"] = one.rows.to_csv(index=False)
        contents[f"{one.plan.key}.tex"] = latex(one)
        contents |= {f"{one.plan.key}{ending}": render(one.drawing, ending) for ending in ENDINGS}
    contents["references.bib"] = references(texts)
    contents["study.json"] = json.dumps(data_of(plan, folder, results, agents), indent=1) + "\n"
    contents[plan.file.name] = read_bytes(plan.file)
    try:
        (folder / "agents").mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            write_whole(folder / name, content)
    except OSError as error:
        raise ValueError(f"cannot write {folder}: {os_problem(error)}") from None
