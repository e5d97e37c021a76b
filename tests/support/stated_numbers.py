"""Numbers in the sentences of the docs, each with the code or data that it follows from.

Results are in generated tables, so a page states few numbers. Each number with a unit, count of
things of the project and small decimal in a sentence has an entry in ``STATED``;
``tests/test_numbers.py`` compares both.
"""

import inspect
import itertools
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

import pandas as pd
from bench import adaptation, partner_recognition, review_check, tree_comparison
from error_rates import COUNT
from paths import ROOT

from docs.generate import paper_pages
from hanabi import checked_call, read_variant, trial
from hanabi.backend import code_cache
from hanabi.conventions import fields, marks, slot_sets
from hanabi.evolve.bridges import external_bot
from hanabi.evolve.ga import local_search
from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.evolution import INITIAL_GAMES
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.lessons import agent_lessons, game_review, school
from hanabi.evolve.live import hanab_live_client
from hanabi.evolve.measure import arena, comparison, paired, seed_means
from hanabi.evolve.measure.behaviour import NAMES as BEHAVIOUR_NAMES
from hanabi.evolve.papers import literature
from hanabi.evolve.pools import pool_report
from hanabi.evolve.workbench import improvement, service
from hanabi.lookahead import look_ahead_player, move_values, partners, race, workspace
from hanabi.rules import SETS
from hanabi.rules.agents import load, read_pool
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind
from hanabi.rules.museum.zhao.belief_search import Zhao

DATA = ROOT / "docs/data"
Value = Callable[[], float | tuple[float, ...]]


def _megabytes(part: str) -> Value:
    """The size of an installed part, to tens."""
    return lambda: round(json.loads((DATA / "sizes.json").read_text())["MB"][part], -1)


def _error() -> float:
    """The chance that a statement of a comparison is wrong, in percent."""
    return 100 * inspect.signature(comparison.compare).parameters["error"].default


def _sure() -> float:
    return 100 - _error()


def _review_games(of: str) -> float:
    """The games of an agent that were reviewed."""
    rows = json.loads((DATA / "review.json").read_text(encoding="utf-8"))["results"]
    (games,) = {row["games"] for row in rows if row["what"] == f"score of {of}"}
    return games


def _paper(section: str, key: str) -> Any:
    return _toml("evolve/ga/presets/paper-mirror.toml")[section][key]


def _shares() -> dict[str, float]:
    (rule,) = load("osawa-random").at(2).rules
    return {name: 100 * float(share) for name, share in rule.settings.items()}


def _service_seconds() -> float:
    """The default of the workbench's button."""
    source = inspect.getsource(service)
    return float(source.split('"seconds", *SECONDS, default=')[1].split(")")[0])


def _listed(page: str, words: str) -> Value:
    """The items or rows of the list or table that follows some words on a page."""

    def count():
        text = (ROOT / page).read_text(encoding="utf-8").split(words)[1]
        items = re.search(r"(?:^(?:\* |\d\. |\|).*\n(?: .*\n)*)+", text, re.M)[0]
        rows = re.findall(r"^(?:\*|\d\.|\|)", items, re.M)
        return len(rows) - 2 * items.startswith("|")

    return count


def _settings(page: str) -> Value:
    """The rules that the first ``@rule(…)`` of a page registers."""

    def count():
        text = (ROOT / page).read_text(encoding="utf-8")
        grid = eval(re.search(r"@rule(\(.*\))", text)[1].join(("dict", "")))
        return len(list(itertools.product(*grid.values())))

    return count


def _rows(file: str, table: str) -> list[list[Any]]:
    """The rows of a table of a report."""
    found = json.loads((DATA / file).read_text(encoding="utf-8"))["tables"]
    return next(one["rows"] for one in found if one["name"] == table)


def _memetic_seeds() -> int:
    """The seeds of each run of the experiment memetic."""
    rows = json.loads((DATA / "memetic.json").read_text(encoding="utf-8"))
    return min(row["seeds"] for row in rows if row["row"] == "ours")


def _quotients() -> tuple[float, float]:
    """From which quotient on all score as the last one does, within 3.5 errors; and the last."""
    rows = [(float(a), mean, error) for a, mean, error, *_ in _rows("osawa.json", "osawa-sweep")]
    last, best, its = rows[-1]
    other = [a for a, mean, error in rows if best - mean > 3 * (error**2 + its**2) ** 0.5]
    return min(a for a, *_ in rows if a > max(other)), last


def _simplified_error() -> float:
    """The standard error of the points of convention-10 with two players."""
    rows = pd.read_csv(DATA / "simplified-finals.csv")
    (row,) = rows[(rows["agent"] == "convention-10") & (rows["players"] == 2)].to_dict("records")
    return float(row["sem_kept"])


def _chance(number: int) -> float:
    """The chance in a rule of 2018."""
    return float(re.search(r"chance=([\d.]+)", SETS["cig2018"][number])[1])


def _chances(rules: list[str]) -> Value:
    """The chances of some rules."""
    return lambda: tuple(sorted({float(re.search(r"chance=([\d.]+)", one)[1]) for one in rules}))


def _toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def _experiments() -> float:
    return len(_toml("evolve/experiments/paper.toml")["runs"])


def _compared() -> float:
    """The agents that a notebook measures."""
    notebook = json.loads((ROOT / "examples/measure_and_compare.ipynb").read_text(encoding="utf-8"))
    code = "".join("".join(cell["source"]) for cell in notebook["cells"])
    return len(json.loads(re.search(r"agents = (\[.*?\])", code)[1]))


def _maps() -> float:
    """The behaviours of all measured maps."""
    found = json.loads((DATA / "maps.json").read_text(encoding="utf-8"))
    (behaviours,) = {tuple(one["summary"]["behaviours"]) for one in found}
    return len(behaviours)


def _games_of(name, digits):
    """Millions of games of a search by a preset of grown rules."""
    config = preset(name)
    search, pool = config.search, config.schedule.initial_pool
    of_one = search.population * search.games + config.local_search.local_search_games
    games = (search.generations + 1) * of_one + search.population * pool * INITIAL_GAMES
    return round(games / 1e6, digits)


def _allowed() -> tuple[float, ...]:
    """The numbers of behaviours that a config takes."""
    names = BEHAVIOUR_NAMES[:5]
    taken = []
    for count in range(1, 6):
        try:
            override(preset("map"), [f"behaviours={json.dumps(names[:count])}"])
        except ValueError:
            continue
        taken.append(count)
    return tuple(taken)


def _legal_moves() -> float:
    """The plays, discards and hints of two players."""
    game = read_variant("standard").at(2)
    return 2 * game.hand_size + game.colours + game.ranks


def _systems() -> float:
    text = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
    return len(re.search(r"system: \[(.*)\]", text)[1].split(","))


def _memetic(key: str) -> float:
    """A key of the default search with fewer games."""
    return _toml("evolve/experiments/memetic.toml")["runs"]["best"]["config"][key]


def _cross_agents() -> float:
    rows = (DATA / "cross.csv").read_text(encoding="utf-8").splitlines()[1:]
    return len({row.split(",")[0] for row in rows})


def _quoted(number: float, source: str) -> Value:
    """A number that a source prints and no data of ours can give."""
    return lambda: number


STATED: dict[str, dict[str, Value]] = {  # by page, and by number and unit as they are written
    "README.md": {
        "5 classes": lambda: len(literature.CLASSES),
        "20 seeds": _memetic_seeds,
        "0.01 points": lambda: round(_simplified_error(), 2),
        "nine conventions": lambda: len(load("convention-10").at(2).conventions),
        "five papers": lambda: len(paper_pages.REPORTS),
        "680 MB": _megabytes("installed"),
    },
    "start/install.md": {
        "four versions": lambda: code_cache.KEEP,
        "three systems": _systems,
        "680 MB": _megabytes("installed"),
        "180 MB": _megabytes("parquet"),
        "40 MB": _megabytes("dask"),
        "250 MB": _megabytes("ray"),
    },
    "start/first-rule.md": {
        "5 %": _error,
        "six rules": _settings("docs/start/first-rule.md"),
    },
    "explanations/architecture.md": {
        "2 seconds": lambda: checked_call.PATIENCE,
        "four rules": _settings("docs/explanations/architecture.md"),
        "three games": lambda: trial.GAMES,
        "three gates": _listed("docs/explanations/architecture.md", "three gates:"),
    },
    "explanations/measurement.md": {
        "two laws": lambda: len(arena.SCORINGS),
        "5 %": _error,
        "25 points": lambda: comparison.DOUBT**0.5,
    },
    "explanations/search.md": {
        "20 seeds": _memetic_seeds,
        "three algorithms": _listed("docs/explanations/search.md", "three algorithms:"),
        "three parts": _listed("docs/explanations/search.md", "three parts:"),
        "two stages": lambda: 1 + max(1, inspect.signature(Individual).parameters["level"].default),
        "40, 120, 400, 1,000, 2,500 and 6,000 games": lambda: paired.STAGES[:6],
        "0.3 s": lambda: paired.CONTINUE,
        "2.8 s": lambda: paired.ACCEPT,
        "1.6 s": lambda: paired.ACCEPT_LAST,
        "160 rejected trials": lambda: local_search.PATIENCE,
        "20,000 simulated mutations": lambda: COUNT,
    },
    "guides/hanab-live.md": {"20 messages": lambda: 1 / hanab_live_client.INTERVAL},
    "guides/lookahead-and-partners.md": {
        "0.1": lambda: look_ahead_player.LookAhead().doubt,
        "0.3": lambda: look_ahead_player.AT_MORE.gain,
        "20 legal moves": _legal_moves,
        "200 rollouts": lambda: look_ahead_player.FEW,
        "10,000 rollouts": lambda: look_ahead_player.MANY,
        "300 rollouts": lambda: pool_report.QUICK.rollouts,
        "512 hands": lambda: workspace.LISTED,
        "200 hands": lambda: race.EXACT,
        "0.05 points": lambda: look_ahead_player.GAIN_AT_THE_END,
        "ten games": lambda: adaptation.MEETING,
        "32 hands": lambda: partners.Partners().hands,
        "95 %": lambda: 100 * partner_recognition.CERTAIN,
    },
    "guides/measuring.md": {"95 %": _sure},
    "guides/own-players.md": {
        "10 s": lambda: external_bot.PATIENCE,
        "64 kB": lambda: external_bot.ANSWER // 1024,
    },
    "guides/reviewing.md": {
        "three moves": lambda: game_review.COSTLIEST,
        "two standard errors": lambda: move_values.SIGNIFICANT,
        "50 games": lambda: _review_games("piers"),
        "0.15 points": lambda: look_ahead_player.AT_TWO.gain,
        "0.3 points": lambda: look_ahead_player.AT_MORE.gain,
        "two points": lambda: review_check.LEAST_BLUNDER,
    },
    "guides/school.md": {
        "ten questions": lambda: agent_lessons.QUIZ,
        "half a point": lambda: school.LEAST_LOSS,
        "ten positions": lambda: len(school.KINDS),
    },
    "guides/workbench.md": {
        "20 s": _service_seconds,
        "10,000 other deals": lambda: improvement.PROOF_GAMES,
        "three standard errors": lambda: improvement.PROOF_SEM,
        "0.02 points": lambda: improvement.PROOF_GAIN,
    },
    "papers/cig2018-rules.md": {
        ".1": lambda: _chance(42),
        ".6": lambda: _chance(55),
        ".8": lambda: _chance(59),
        "0, .2, .4, .6, .8": _chances(SETS["cig2018"][3:8]),
        "72 rules": lambda: len(SETS["cig2018"]),
        "25 points": lambda: read_variant("standard").at(2).perfect,
    },
    "papers/cig2018.md": {
        ".1": lambda: _paper("search", "mutation_probability"),
        ".9": lambda: _paper("search", "crossover_probability"),
        "0, .2, .4, .6, .8": _chances(SETS["just-hinted-of-the-paper"]),
        "0, .6, .8, 1": _chances(SETS["cig2018"][50:67]),
        "0.4": _quoted(0.4, "Canaan et al. 2018, Table IV, place 6"),
        "0.6": lambda: _chance(32),
        "17 variants": lambda: sum("play_just_hinted" in rule for rule in SETS["cig2018"][:72]),
        "seven agents": lambda: len(read_pool("cig2018-paper").members),
        "six evolutions": _experiments,
        "six experiments": _experiments,
        "50 old rules": lambda: len(SETS["cig2018-old"]),
        "72 rules": lambda: len(SETS["cig2018"]),
        "10 %": lambda: 100 * _paper("search", "mutation_probability"),
        "560 games": lambda: (
            _paper("search", "games")
            * len(_paper("game", "players"))
            * len(read_pool("cig2018-paper").members)
        ),
    },
    "papers/osawa.md": {
        "0.8": lambda: EstimatorKind.chance,
        "1.3": lambda: _quotients()[0],
        "2.5": lambda: EstimatorKind.a,
        "five strategies": _listed("docs/papers/osawa.md", "of its list that applies."),
        "30 %": lambda: _shares()["hints"],
        "40 %": lambda: _shares()["discards"],
    },
    "appendix/tried.md": {
        "eight seeds": lambda: max(
            row["seeds"] for row in json.loads((DATA / "search.json").read_text())
        ),
        "20 seeds": _memetic_seeds,
    },
    "explanations/exact-knowledge.md": {
        "six rules": lambda: len(tomllib.loads((DATA / "level.toml").read_text())["rules"]["2-5"]),
    },
    "guides/conventions.md": {
        "24 entries": lambda: fields.MAX_CONVENTIONS,
        "five stages": lambda: len(marks.STAGES),
        "three rounds": lambda: slot_sets.ROUNDS,
    },
    "guides/evolving.md": {
        "two behaviours": _maps,
        "0.3 million games": lambda: _games_of("grow-book", 1),
        "60 million games": lambda: _games_of("grow-long", 0),
        "two or three behaviours": _allowed,
    },
    "guides/notebooks.md": {
        "three agents": _compared,
        "three notebooks": lambda: len(list((ROOT / "examples").glob("*.ipynb"))),
    },
    "index.md": {
        "ten positions": lambda: len(school.KINDS),
    },
    "start/play.md": {
        "ten positions": lambda: len(school.KINDS),
    },
    "papers/irvall.md": {
        "three encodings": lambda: len(_rows("irvall.json", "irvall-encodings")),
    },
    "papers/zhao.md": {
        "three moves": lambda: Zhao.ranges["depth"][1],
    },
    "start/read-an-agent.md": {
        "two rules": lambda: (DATA / "asks.toml").read_text().count('"epistemic.'),
        "0.2 points": lambda: load("convention-10").provenance["loss"],
    },
    "generate/results_page.txt": {  # the sentences beside the generated tables
        "two points": lambda: seed_means.LOST,
        "five classes": lambda: len(literature.CLASSES),
        "13 agents": _cross_agents,
        "three rounds": lambda: tree_comparison.ROUNDS,
        "12 generations": lambda: _memetic("generations") + 1,
        "12,000 games": lambda: _memetic("local_search_games"),
        "80 %": lambda: 100 * seed_means.POWER,
        "95 %": lambda: 100 * seed_means.SURE,
        "six rules": lambda: len(_toml("docs/data/level.toml")["rules"]["2-5"]),
        "ten games": lambda: adaptation.MEETING,
    },
}
