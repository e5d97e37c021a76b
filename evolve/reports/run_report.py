"""A run as one page, ``report.html``: result, fitness by generation, the winner, games.

The page is self-contained: it opens from disk, without a network. The numbers of the result are
those of the run's files. Numbers from games for the page (report_games.py) are marked as such and
have errors.
"""

from collections.abc import Callable, Sequence
from math import hypot
from pathlib import Path
from typing import Any

from markupsafe import Markup

import hanabi.evolve.experiments as experiments
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.analysis.subjects import Subject, began, first_rules_table, players_in, spans
from hanabi.evolve.charts.chart import (
    NARROW,
    Chart,
    RunData,
    charts_of_run,
    curves_of,
    log_of,
    plus_minus,
    share,
)
from hanabi.evolve.charts.run_charts import file_name
from hanabi.evolve.ga.finals import FRONT, LISTS
from hanabi.evolve.ga.language import decision_text
from hanabi.evolve.ga.lineage import lineage
from hanabi.evolve.ga.progress import minutes_text
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import damaged, read, result
from hanabi.evolve.papers.literature import COUNTS, LAW_SENTENCE, Program, class_of, tables_with
from hanabi.evolve.reports.map_page import FILE as MAP_FILE, has_map, map_page, sentences
from hanabi.evolve.reports.page_parts import page
from hanabi.evolve.reports.report_games import play_for
from hanabi.evolve.reports.sealed_agent import export_with_rules
from hanabi.files import TOML, make_folder, read_text, read_toml, write_whole
from hanabi.notation import all_of, counted
from hanabi.rules.agents import counts, load
from hanabi.shell_command import command
from hanabi.text.transcript import ABOUT_FORFEITS
from hanabi.variant import read_variant

FILE = "report.html"
WORTH = "worth.csv"  # share and worth of each rule and convention, by player count
STEPS = 40  # changes of the best individual that the lineage shows
PUBLISHED = "the best evolved list of Canaan et al. 2018, kept points"
ENDINGS = {
    "deck": "the deck ran out",
    "lives": "the last life was lost",
    "perfect": "perfect",
    "hopeless": "no card could be played any more",
    "forfeit": "no legal move",
}


def report(
    run: str | Path,
    figures: str | Path | None = None,
    jobs: int = -1,
    progress: Callable[..., None] | None = None,
) -> Path:
    """Write ``report.html`` into the folder of a finished run, and ``map.html`` of MAP-Elites.

    Args:
        run: The folder; its user rules are loaded.
        figures: A folder for each chart as SVG and PNG.
        jobs: How many workers play the games of the page; -1 for one per core.
        progress: Called with (games done, games in all).

    Returns:
        The path of the page.

    Raises:
        ValueError: The run is not finished, or a file cannot be written.
    """
    folder = Path(run)
    export_with_rules(folder)  # raises for a folder that is no finished run
    page, charts, worth = page_of(folder, jobs, progress)
    path = folder / FILE
    write_whole(path, page)
    if has_map(folder):
        write_whole(folder / MAP_FILE, map_page(folder))
    if worth:
        write_whole(folder / WORTH, worth)
    if figures is not None:
        save(charts, Path(figures))
    return path


def save(charts: Sequence[Chart], folder: Path) -> list[Path]:
    """Write charts into a folder, each as SVG and PNG. Raises ValueError if that fails."""
    make_folder(folder)
    return [path for chart in charts for path in chart.save(folder)]


def drawn(charts: Sequence[Chart]) -> dict[str, dict[str, Any]]:
    """Return by name what a template needs of each chart, drawn wide and narrow."""
    return {
        chart.name: dict(
            title=chart.title,
            says=chart.says,
            caption=chart.caption,
            columns=chart.columns,
            rows=chart.rows,
            wide=Markup(chart.svg(chart.wide)),
            narrow=Markup(chart.svg(NARROW)),
        )
        for chart in charts
    }


def page_of(
    folder: Path, jobs: int = -1, progress: Callable[..., None] | None = None
) -> tuple[str, list[Chart], str]:
    """Return the page of a finished run, its charts, and the worth of each rule as CSV.

    The CSV text is "" if no worth was measured.

    Raises:
        ValueError: The files of the run are damaged. One line.
    """
    run = Run(folder)
    try:
        for part in run.parts:
            log_of(part)
    except LookupError as error:
        raise damaged(folder, f"log.csv has no column {error}") from None

    ended, config, agent = result(run.folder), run.config, run.agent
    rows, scoring = ended["results"], config.game.scoring
    total = rows[-1]
    curves, played = curves_of(run), play_for(run, jobs, progress)
    began, front = _first_rules(run), _front(run)
    made = charts_of_run(
        RunData(scoring, rows, curves, published_for(run), PUBLISHED, played, began, front)
    )
    text = page(
        "report.html.j2",
        games=played.shown() if played else [],
        title=agent.name,
        result=_sentence(total, scoring, config, agent.provenance.get("pool", ())),
        other=_other(total, scoring),
        charts=drawn(made),
        lists=_entries(agent.lists, "rule", ended.get("shares", {}), played),
        conventions=_entries(agent.conventions, "convention", {}, played),
        language=_language(run),
        weights={
            key: [
                dict(name=name, says=WEIGHTS[name][3], value=f"{value:g}")
                for name, value in weights.items()
            ]
            for key, weights in agent.weights.items()
        },
        score_columns=list(rows[0]),
        scores=[[_cell(value) for value in row.values()] for row in rows],
        forfeits=ABOUT_FORFEITS if total.get("forfeited_games") else "",
        played=played.said if played else "",
        ends=[
            (ENDINGS[end], many, share(many / sum(all_ for _, all_ in played.ends())))
            for end, many in played.ends()
        ]
        if played
        else [],
        front=front,
        heads=_heads(run),
        began={players: file_name(players, len(began) == 1) for players in began},
        lineage=_lineage(run),
        config=read_text(run / "config.toml", TOML),
        facts=_facts(run, agent),
        again=run.again,
        literature=_literature(run, rows, agent),
        law=LAW_SENTENCE,
        partners=len(played.subject.pool) if played else 0,
        show=command("hanabi", "show", run / "best.toml"),
    )
    return text, made, played.worth.to_csv(index=False) if played and len(played.worth) else ""


def _literature(run, rows, agent):
    """Return the run among the published programs, by class; [] unless it is comparable.

    That is mirror play in the standard game, under the law of the run.
    """
    config = run.config
    if config.game.mode != "mirror" or config.game.variant != "standard":
        return []
    scoring = config.game.scoring
    by_count = {int(row["players"]): row for row in rows if str(row["players"]).isdigit()}
    scores, errors = (
        {count: row[f"{what}_{scoring}"] for count, row in by_count.items()}
        for what in ("mean", "sem")
    )
    total = rows[-1] if set(by_count) == set(COUNTS) else {}
    program = Program(
        agent.name,
        class_of(agent),
        scores,
        errors,
        total.get(f"mean_{scoring}"),
        total.get(f"sem_{scoring}"),
        read_variant(config.game.variant).lives,
        scoring if any(row["mean_kept"] != row["mean_zero"] for row in rows) else "same",
        rows[0]["games"],
        "this run",
        ours=True,
    )
    return tables_with(program)


def published_for(run: Run) -> dict[str, float]:
    """Return published scores of lists by player count, {} unless the run is comparable.

    They are of mirror play in the standard game.
    """
    if run.config.game.mode != "mirror" or run.config.game.variant != "standard":
        return {}
    return read_toml(Path(str(experiments.__file__)).with_name("reference.toml"))["runs"][
        "mirror-cig2018-situational"
    ]["published"]


def _sentence(total, scoring, config, pool):
    named = f" ({', '.join(map(str, pool))})" if pool else ""
    among = (
        "among copies of itself"
        if config.game.mode == "mirror"
        else f"in one seat among copies of the agents of its pool{named}"
    )
    value = plus_minus(total[f"mean_{scoring}"], total[f"sem_{scoring}"])
    return (
        f"{value} points over {counted(total['games'], 'deal')} that the search never saw, "
        f"{among}, {total['players']} players."
    )


def _other(total, scoring):
    other = "zero" if scoring == "kept" else "kept"
    says = {
        "zero": "where a game that loses its last life counts 0",
        "kept": "where points stay when the last life is lost",
    }
    value = plus_minus(total[f"mean_{other}"], total[f"sem_{other}"])
    return (
        f"{value} {says[other]}; the page counts them as {scoring}. "
        f"{share(total['perfect_games'] / total['games'])} of the games are perfect. "
        "± is one standard error, here and below."
    )


def _language(run):
    """Return by list the decisions about its conventions: {} unless its language is ordered."""
    if run.config.genome.language != "ordered":
        return {}
    return {
        "" if part.folder == run.folder else part.name: [
            (row["turn"], decision_text(row), plus_minus(row["gain"], row["sem"]), row["games"])
            for row in part.language.astype(object).fillna("").to_dict("records")
        ]
        for part in run.parts
    }


def _entries(lists, kind, shares, played):
    """Return each list of the winner: entries, their share of the final moves, their worth.

    ``shares``: by list, shares that were measured on the final deals.
    """
    found = []
    for key, entries in lists.items():
        worths = played.entries(kind, counts(key)) if played else ()
        measured = {entry["name"]: entry for entry in worths}
        rows = []
        for place, entry in enumerate(entries):
            values = measured.get(entry.name, {})
            part = shares[key][place] if shares.get(key) else values.get("share")
            rows.append(_entry(entry, part, values.get("worth")))
        _scale(rows)
        found.append(dict(players=key, rules=rows))
    return found


def _entry(rule, part, worth):
    value, sem = worth or (0.0, 0.0)
    sure = worth is not None and abs(value) >= 2 * sem and sem > 0
    return dict(
        says=rule.says,
        name=rule.name,
        share=None if part is None else share(part),
        part=part or 0,
        value=value,
        sem=sem,
        worth="" if worth is None else plus_minus(value, sem) if sure else "not told from 0",
    )


def _scale(entries):
    """Add the lengths of the bars, in per cent of the longest."""
    parts = max((one["part"] for one in entries), default=0) or 1
    most = max((one["value"] + one["sem"] for one in entries), default=0) or 1
    for one in entries:
        one["long"] = round(100 * one["part"] / parts, 1)
        one["wide"], low, high = (
            round(min(100, max(0, 100 * value / most)), 1)
            for value in (one["value"], one["value"] - one["sem"], one["value"] + one["sem"])
        )
        one["low"], one["whisker"] = low, round(high - low, 1)


def _front(run):
    """Return the rows of front.csv, each with its ``points``, its ``list`` and how to ``play``."""
    rows = run.front.to_dict("records") if (run / FRONT).exists() else []
    game = run.config.game
    for row in rows:
        file = run / LISTS / f"{row['words']}.toml"
        row["play"] = command("hanabi", "play", file, "-p", str(game.players[0]))
        row["list"] = sentences(load(str(file)))
        row["points"] = plus_minus(*(row[f"{what}_{game.scoring}"] for what in ("mean", "sem")))
    return rows


def _heads(run):
    """Return by list (columns, rows): the first rule of the best individual over generations."""
    rows = first_rules_table([Subject(run.name, run.agent, run)])
    return {players: spans(mine) for players, mine in rows.groupby("players", sort=False)}


def _first_rules(run):
    """Return how the lists of the whole population began, by list; of older runs none."""
    try:
        return began(run)
    except LookupError as error:
        raise damaged(run.folder, f"first_rules.csv has no column {error}") from None


def _lineage(run):
    """Return by list how the winner and the best individual came about.

    ``line``: what was added to the winner's line of descent by generation, as far as the files of
    the run hold it, with a ``sentence``; ``steps``: when the rules of the best individual changed.
    """
    found = {}
    for part in run.parts:
        log, before, steps = part.log, None, []
        for row, player in zip(log.itertuples(), players_in(part, log)):
            names = [entry.name for entry in (*player.rules, *player.conventions)]
            if before is not None and names != before:
                new = "; ".join(name for name in names if name not in before)
                gone = "; ".join(name for name in before if name not in names)
                steps.append((int(row.generation), plus_minus(row.best, row.best_sem), new, gone))
            before = names
        line = lineage(part)
        found["" if part.folder == run.folder else part.name] = dict(
            generations=len(log),
            changed=len(steps),
            steps=steps[-STEPS:],
            left_out=max(0, len(steps) - STEPS),
            sentence=_line_words(line),
            line=_line_rows(line),
        )
    return found


def _line_rows(line):
    """Return the winner's line as rows: generation and how, with the gain of single changes."""
    rows = []
    for step in line:
        rows += [(step.generation, step.how, "", "", "")] if step.how else []
        for change, gain, sem, games in step.changes:
            rows.append((step.generation, "", change, plus_minus(gain, sem), f"{games:,}"))
    return rows if any(step.changes for step in line) else [row[:2] for row in rows]


def _line_words(line):
    """Return the winner's line as a sentence; "" if it is not known."""
    if not line:
        return ""
    crossed = sum("crossed" in step.how for step in line)
    mutated = sum("changed at random" in step.how for step in line)
    made = [change for step in line for change in step.changes]
    gain = plus_minus(sum(change[1] for change in made), hypot(*(change[2] for change in made)))
    parts = {
        counted(crossed, "crossing"): crossed,
        f"{counted(mutated, 'change')} at random": mutated,
        f"{counted(len(made), 'single change')} of its own, which gained {gain} points when they "
        "were made": made,
    }
    said = all_of([part for part, happened in parts.items() if happened]) or "nothing changed"
    return f"from its first ancestor to the winner {said}."


def _facts(run, agent):
    """Return versions, hashes and other facts of a run, as (what, value)."""
    record, state = read(run.folder)[1], run.state
    facts = {
        "run": run.name,
        "made with": ", ".join(f"{name} {each}" for name, each in record["versions"].items()),
        "hash of the config": record.get("config_hash"),
        "hash of the rules": record.get("rules_hash"),
        "hash of the engine": record.get("engine"),
    }
    if state.games:
        facts["played by the search"] = f"{state.games:,} games in {state.seconds:,.0f} s"
    if limit := run.time_limit:
        where = "generations" if len(limit["generations"]) > 1 else "generation"
        ended = f"ended it after {where} {all_of(limit['generations'])}"
        facts["time limit"] = f"{minutes_text(limit['minutes'])} {ended}"
    facts["pool"] = ", ".join(map(str, agent.provenance.get("pool") or ()))
    return [(what, fact) for what, fact in facts.items() if fact]


def _cell(value):
    return (
        ""
        if value is None
        else f"{value:.3f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )
