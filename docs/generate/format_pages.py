"""The page of file formats: what each file holds, from docstrings, code and committed files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import getdoc
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from docs.generate.markdown import as_markdown, table
from hanabi.agent_kind import KINDS
from hanabi.evolve.analysis import contribution
from hanabi.evolve.experiments import experiment as experiment_tables
from hanabi.evolve.experiments.plan import KEYS as PLAN_KEYS, OF_A_RUN
from hanabi.evolve.file_templates import TEMPLATES
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import RECORD
from hanabi.evolve.measure import ablation, comparison, human_games, imitation, tournament
from hanabi.evolve.measure.behaviour import BEHAVIOURS
from hanabi.game_record import play_one
from hanabi.rules.agents import load
from hanabi.rules.agents.agent import KEYS as AGENT_KEYS
from hanabi.variant import read_variant

ROOT = Path(__file__).parents[2]

MEANINGS = {  # of the columns of tables
    "abandoned": "whether people or the clock ended it before its end, or how many such games",
    "agent": "the measured agent",
    "agrees": "share of these with the recorded move; of a convention: hints that are true",
    "advantage_kept": "mean points with the other move minus points of the game, kept",
    "advantage_zero": "the same, zero",
    "asked": "decisions in which it has an answer; of a convention: hints that mean what it says",
    "against": "the run that its seeds are compared with",
    "beats": "whether the advantage is larger than chance explains, in both scorings",
    "better": "the better agent, `same` or `open`",
    "cause": "what the points are lost by",
    "change": "the mutation, as a sentence of the search",
    "date": "when the final deals were played",
    "difference": "points of `one` minus points of `other`",
    "differ": "share of games whose score differs without the part",
    "discards": "how many discards",
    "lost": "lost starts: seeds that end more than 2 points below the best of their entry",
    "median": "the median of the seeds, or of the gains seed by seed",
    "without": "the mean without lost starts",
    "without_error": "its standard deviation; of a gain half its 95 % interval",
    "end": "how the game ended",
    "entry": "the part as an agent file writes it",
    "error": "standard error",
    "fires": "times per game that it decides",
    "forfeited_games": "games that ended because an agent had no legal move",
    "gain": "gain in points, or in agreement",
    "gain_sem": "its standard error",
    "game": "the file of the game",
    "games": "games played",
    "hash": "hash of the agent",
    "high": "upper end of the interval",
    "hints": "how many hints",
    "instead": "the rule that is asked alone, or what else decides instead",
    "judged": "whether `games` are at least 20",
    "kind": "kind of the part: rule, convention, guard, value, weight, …",
    "low": "lower end of the interval",
    "mean": "mean points",
    "mean_kept": "mean points, kept",
    "mean_one": "mean points of `one`",
    "mean_other": "mean points of `other`",
    "mean_zero": "mean points, zero",
    "misplays": "plays that did not fit",
    "mode": "mirror or mixed",
    "moves": "how many moves",
    "name": "its name",
    "names": "the players",
    "one": "the first agent",
    "other": "the second agent",
    "partner": "whose copies sit in the other seats",
    "perfect": "the highest score of the variant",
    "perfect_games": "games with the highest score",
    "place": "its place in the list",
    "players": "player count, or `2-5` for all",
    "plays": "how many plays",
    "positions": "positions that the entry decided",
    "points": "points, or times, per game",
    "row": "published, reproduced, to reach, ours, best, seed or gain",
    "run": "the run",
    "says": "its sentence",
    "score_kept": "points, kept",
    "score_zero": "points, zero",
    "seed": "the seed of a row `seed`",
    "seeds": "how many seeds",
    "sees": "the gain that these seeds find with 80 % power",
    "sem": "standard error",
    "shares": "what the seeds share, in words",
    "sem_kept": "standard error of the kept points",
    "sem_zero": "standard error of the zero points",
    "share": "share of all decisions",
    "switched": "`on` or `off`: whether the part is added or taken away",
    "table": "the table that it belongs to",
    "variant": "the variant",
    "version": "the version of the package",
    "what": "the name of the part",
    "worth_kept": "points with the part minus points without it, kept",
    "worth_zero": "the same, zero",
    "zero": "mean points, zero",
    **{str(players): f"mean points with {players} players" for players in (2, 3, 4, 5)},
    **{one.name: one.says for one in BEHAVIOURS},
    "with_abandoned": "whether abandoned games count in the row; only with recorded games",
}
AGENT_MEANINGS = {
    "name": "one line, shown in games and tables",
    "source": "where it comes from",
    "differs": "where it differs from its source, in one line",
    "family": "its group in lists of agents",
    "book": "the book of conventions whose conventions and weights it has",
    "otherwise": "the move where no rule applies: `default` or `forfeit`",
    "rules": 'the lists by player counts: `"2"`, `"3-5"`, `"2-5"`',
    "conventions": "agreed meanings, by the same keys",
    "weights": "weights that differ from the defaults, by the same keys",
    "provenance": "what made it",
}
PLAN_MEANINGS = {
    "says": "what the experiment is, in one line",
    "small": "true: keep only the small files of its runs",
    "simultaneous": "true: the intervals of all gains over the same run hold together",
    "between": "games of the seeds of each run with each other, per player count",
    "runs": "a table per run, with the keys below",
    "references": "a table for each comparison: `name`, `shares`, and `pool` or `published`",
    "name": "its name in tables",
    "table": "the heading of its table",
    "config": "keys of a config; the rest from `base`",
    "published": "published points, by `mean` and player count (`{mean = 18.38, 2 = 19.35}`)",
    "reach": "points to reach, in the same form",
    "agent": "the published agent, which is played again",
    "against": "the run that its seeds are compared with; it inherits that run's settings",
    "shares": "what its seeds share, in words",
}
RECORD_MEANINGS = {
    "config": "the config, key by key",
    "config_hash": "its hash",
    "rules": "the rules of the set, by name",
    "rules_hash": "the hash of their code",
    "rule_files": "files of user rules with their hashes",
    "pool": "the partners of mixed play",
    "versions": "versions of Python and packages",
    "engine": "hash of the code that decides results",
    "extended": "the generations at which it was extended",
}


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        title: Its heading.
        ending: The ending of its name.
        written: The commands that write it.
        read: The commands that read it.
    """

    title: str
    ending: str
    written: str
    read: str


KINDS_OF_FILES = (
    Kind("Game file", ".toml", "`show -o`, `import`, tables", "every command that takes a game"),
    Kind("Position file", ".toml", "`ask`, by hand", "`ask`, `logic holds`, `play`"),
    Kind("Agent file", ".toml", "`evolve`, `export`, `new agent`", "wherever an agent is named"),
    Kind("Response table", ".toml", "`evolve --preset response`", "`partners:FILE`"),
    Kind("Variant file", ".toml", "by hand", "`--variant FILE`"),
    Kind("Config", ".toml", "by hand", "`evolve`"),
    Kind("Experiment", ".toml", "by hand", "`experiment`"),
    Kind("Own rules, conventions, players", ".py", "`new`", "`--rules`, `check`, `python:FILE`"),
    Kind("Run folder", "", "`evolve`", "`evolve --resume`, `show`, `report`, `analyse`, `runs`"),
    Kind("Tables", ".csv, .json, .parquet", "`-o`", "other programs"),
    Kind("JSON output", ".json", "`--json`", "other programs"),
    Kind("hanab.live link and JSON", ".json", "`show --hanab-live`", "`show`, `import`, …"),
    Kind("AH2AC2 dataset", ".safetensors", "", "`show FILE#N`, `import`, `behave`"),
    Kind("Standalone agent", ".py", "`export --standalone`", "Python 3.9 or newer"),
    Kind("Pages and charts", ".html, .svg, .png", "`report`, `--html`, `--picture`", "a browser"),
)


def _docstring(module: str) -> str:
    """Return the docstring of a module as Markdown."""
    return as_markdown(getdoc(import_module(module)) or "")


def _block(text: str, language: str = "toml") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _first_lines(path: str, count: int) -> str:
    """Return the first lines of a file of the repository as a block of its language."""
    file = ROOT / path
    with file.open(encoding="utf-8") as lines:
        text = "".join(islice(lines, count))
    return _block(text, {"csv": "text"}.get(file.suffix[1:], file.suffix[1:]))


def _keys(meanings: dict[str, str], keys: Iterable[str]) -> str:
    """Return a table of keys with their meanings; KeyError for one without."""
    return table(["key", "meaning"], [(f"`{key}`", meanings[key]) for key in keys])


def _columns(columns: Sequence[str]) -> str:
    """Return a table of columns with their meanings.

    Raises:
        ValueError: A column has no meaning.
    """
    if unknown := [name for name in columns if name not in MEANINGS]:
        raise ValueError(f"say in docs/generate/format_pages.py, MEANINGS, what {unknown[0]} means")
    return table(["column", "meaning"], [(f"`{name}`", MEANINGS[name]) for name in columns])


def _game() -> list[str]:
    return [
        _docstring("hanabi.game_record"),
        "A saved table has a section `[table]` with `seats`, help levels, side lines and notes. "
        "Several games in a file: hanab.live's JSON, a game per line.",
    ]


def _agent() -> list[str]:
    types = {str: "text", dict: "table"}
    rows = [(f"`{key}`", types[kind], AGENT_MEANINGS[key]) for key, kind in AGENT_KEYS.items()]
    kinds = ", ".join(f"`[{key}]`" for key in KINDS)
    return [
        "An agent: rules in order. A comment above a rule is its sentence; it is not read.",
        table(["key", "type", "meaning"], rows),
        f"A section of an agent kind makes it more than its lists: {kinds}.",
        _block(_template("agent")),
    ]


def _template(kind):
    """Return the template that ``hanabi new`` writes."""
    found = TEMPLATES[kind]
    return found.text.format(name="mine", file=f"mine{found.ending}")


def _responses() -> list[str]:
    file = ROOT / "rules/agents/responses/cig2018-paper.toml"
    scores = tomllib.loads(file.read_text(encoding="utf-8"))["scores"]["iggi"]
    lines = [
        f"{name} = {{{', '.join(f'{n} = {points}' for n, points in of.items())}}}"
        for name, of in scores.items()
    ]
    return [
        _docstring("hanabi.rules.agents.responses"),
        _block("\n".join(['pool = "cig2018-paper"', "", "[scores.iggi]", *lines])),
    ]


def _variant() -> list[str]:
    doc = getdoc(type(read_variant("standard"))) or ""
    rows = [
        (f"`{key}`", meaning)
        for line in doc.partition("Attributes:")[2].partition("Raises:")[0].splitlines()
        for key, _, meaning in [line.strip().partition(": ")]
        if meaning
    ]
    return [
        "The rules of a game. Keys that are left out are those of the standard game.",
        table(["key", "meaning"], rows),
        _block("colours = 3\nranks = 3\ncopies = [3, 2, 1]\nhand = 3"),
    ]


def _config() -> list[str]:
    return [
        "[Config keys](config.md) lists the sections and keys. `base` names a preset whose keys "
        "are taken where the file has none. The preset `quick`:",
        _block(PRESETS["quick"].read_text(encoding="utf-8")),
    ]


def _experiment() -> list[str]:
    return [
        "A series of runs beside published numbers. The files of `evolve/experiments` have names; "
        "any other file is given by its path.",
        _keys(PLAN_MEANINGS, PLAN_KEYS),
        "Each run `[runs.NAME]` has",
        _keys(PLAN_MEANINGS, OF_A_RUN),
        _first_lines("evolve/experiments/paper.toml", 11),
    ]


def _own() -> list[str]:
    return [
        "Python code, which runs with your rights. `hanabi new` writes a commented template of "
        "each kind, and `hanabi check` tests rules and conventions. A rule:",
        _block(_template("rule"), "python"),
        "[Your first rule](../start/first-rule.md), "
        "[conventions](../guides/conventions.md#write-one) and "
        "[own players](../guides/own-players.md) explain them; "
        "[how the search works](../explanations/search.md#operators) has operators.",
    ]


def _run() -> list[str]:
    parts = [_docstring("hanabi.evolve.ga.run"), "`run.json`:"]
    parts.append(_keys(RECORD_MEANINGS, RECORD))
    for name in ("log", "changes", "odds", "first_rules", "language", "timing", "race", "finals"):
        parts += [f"### {name}.csv", as_markdown(getdoc(getattr(Run, name)) or "")]
    parts += [
        "### lineage.csv",
        "A row per generation: its number, and for each individual how it came from the generation "
        "before. `12x30m` is a child of 12 and 30, then mutated.",
        "### worth.csv",
        "What the summary of a run measured: the columns of `hanabi analyse --only worth` below.",
        "`finals.csv` of a reference run:",
        _first_lines("runs/reference/mirror-cig2018/finals.csv", 3),
    ]
    return parts


def _tables() -> list[str]:
    game = play_one(read_variant("standard").at(2), [load("piers").at(2)], [0, 0], 1)
    commands = {
        "tournament": tournament.COLUMNS,
        "compare": comparison.COLUMNS,
        "analyse --only parts": ablation.COLUMNS,
        "analyse --only decisions": contribution.DECISIONS,
        "behave": [
            *tournament.COLUMNS[:6],
            *(one.name for one in BEHAVIOURS),
            *("abandoned", "with_abandoned"),
        ],
        "behave --agree": imitation.COLUMNS,
        "import": list(human_games.table_of([("game.toml", game)]).columns),
        "analyse --only worth": contribution.WORTH,
        "analyse --losses": contribution.LOSSES,
        "experiment --table": experiment_tables.COLUMNS,
    }
    parts = [
        "`-o FILE` writes the rows of a command. The ending selects the format: `.csv`, `.json` (a "
        "list of objects) or `.parquet` (the extra `parquet`). Numbers are not rounded. Behaviours "
        "have a standard error each, in a column `sem_…`.",
    ]
    for name, columns in commands.items():
        parts += [f"### hanabi {name}", _columns(columns)]
    return [*parts, "Rows of a tournament:", _first_lines("docs/data/tournament.csv", 3)]


def _json() -> list[str]:
    return [
        "`--json` prints what a command would print, as data on standard output; progress and "
        "warnings go to standard error. Lists of rows are lists of objects with the columns above.",
        "`hanabi bench --json` has `results`: objects with `name`, `players` (a count, `2-5` or "
        "null), `value`, `unit`, and for some `what`. `hanabi experiment PAPER --json` has "
        "`tables`: objects with `name`, `columns` and `rows`.",
        _first_lines("docs/data/bridges.json", 9),
    ]


def _standalone() -> list[str]:
    return [
        "An agent as one readable file of plain Python, or a folder with exercises for a course: "
        "[other engines](../guides/other-engines.md)."
    ]


def _pages() -> list[str]:
    return [
        "Self-contained pages without network; charts as SVG or PNG. They are for people: read the "
        "tables above for data."
    ]


SECTIONS = {
    "Game file": _game,
    "Position file": lambda: [_docstring("hanabi.positions.position_text")],
    "Agent file": _agent,
    "Response table": _responses,
    "Variant file": _variant,
    "Config": _config,
    "Experiment": _experiment,
    "Own rules, conventions, players": _own,
    "Run folder": _run,
    "Tables": _tables,
    "JSON output": _json,
    "hanab.live link and JSON": lambda: [_docstring("hanabi.formats.hanab_live")],
    "AH2AC2 dataset": lambda: [_docstring("hanabi.formats.ah2ac2")],
    "Standalone agent": _standalone,
    "Pages and charts": _pages,
}


def formats() -> str:
    """Return the page of file formats."""
    rows = [
        (f"[{kind.title}](#{_anchor(kind.title)})", kind.ending, kind.written, kind.read)
        for kind in KINDS_OF_FILES
    ]
    parts = [
        "# File formats",
        "Text files are UTF-8. Data files hold data only: reading one never runs code. The only "
        "files that run are `.py` files that you name. Every text form reads back to the same "
        "value.",
        table(["file", "ending", "written by", "read by"], rows),
    ]
    for kind in KINDS_OF_FILES:
        parts += [f"## {kind.title}", *SECTIONS[kind.title]()]
    return "\n\n".join(parts) + "\n"


def _anchor(title):
    """Return the anchor of a heading."""
    return "".join(c for c in title.lower() if c.isalnum() or c in "-_ ").replace(" ", "-")
