"""Numbers with units in the sentences of the docs, each with the code or data that it follows from.

Results are in generated tables, so a page states few numbers. Each number with a unit in a sentence
has an entry in ``STATED``; ``tests/test_numbers.py`` compares both.
"""

import inspect
import json
import tomllib
from collections.abc import Callable
from typing import Any

from error_rates import COUNT
from paths import ROOT

from hanabi import checked_call, read_variant
from hanabi.evolve.analysis import school
from hanabi.evolve.bench import partner_recognition, review_check
from hanabi.evolve.bridges import external_bot, hanab_live_client
from hanabi.evolve.ga import local_search
from hanabi.evolve.measure import comparison
from hanabi.evolve.pools import adaptation
from hanabi.evolve.workbench import improvement, service
from hanabi.lookahead import move_values, partners, player, race, workspace
from hanabi.rules import SETS
from hanabi.rules.agents import load

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


def _final_games() -> float:
    """The final deals of the runs that compare algorithms."""
    lines = (DATA / "memetic.jsonl").read_text(encoding="utf-8").splitlines()
    commands = [run["command"] for run in map(json.loads, lines) if run["games"]]
    (games,) = {command.split("final_games=")[1].split()[0] for command in commands}
    return float(games)


def _paper(section: str, key: str) -> Any:
    text = (ROOT / "evolve/ga/presets/paper-mirror.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[section][key]


def _shares() -> dict[str, float]:
    (rule,) = load("osawa-random").at(2).rules
    return {name: 100 * float(share) for name, share in rule.settings.items()}


def _service_seconds() -> float:
    """The default of the workbench's button."""
    source = inspect.getsource(service)
    return float(source.split('"seconds", *SECONDS, default=')[1].split(")")[0])


STATED: dict[str, dict[str, Value]] = {  # by page, and by number and unit as they are written
    "README.md": {
        "680 MB": _megabytes("installed"),
    },
    "start/install.md": {
        "680 MB": _megabytes("installed"),
        "180 MB": _megabytes("parquet"),
        "40 MB": _megabytes("dask"),
        "250 MB": _megabytes("ray"),
    },
    "start/first-rule.md": {"5 %": _error},
    "explanations/architecture.md": {"2 seconds": lambda: checked_call.PATIENCE},
    "explanations/measurement.md": {
        "5 %": _error,
        "25 points": lambda: comparison.DOUBT**0.5,
    },
    "explanations/search.md": {
        "40, 120, 400, 1,000, 2,500 and 6,000 games": lambda: local_search.STAGES[:6],
        "0.3 s": lambda: local_search.CONTINUE,
        "2.8 s": lambda: local_search.ACCEPT,
        "1.6 s": lambda: local_search.ACCEPT_LAST,
        "160 rejected trials": lambda: local_search.PATIENCE,
        "20,000 simulated mutations": lambda: COUNT,
        "8,000 final deals": _final_games,
    },
    "guides/hanab-live.md": {"20 messages": lambda: 1 / hanab_live_client.INTERVAL},
    "guides/lookahead-and-partners.md": {
        "200 rollouts": lambda: player.FEW,
        "300 rollouts": lambda: partners.AMONG_OTHERS["rollouts"],
        "512 hands": lambda: workspace.LISTED,
        "200 hands": lambda: race.EXACT,
        "0.05 points": lambda: player.GAIN_AT_THE_END,
        "10 games": lambda: adaptation.MEETING,
        "25 %": lambda: 100 * adaptation.SLIPS[1],
        "32 hands": lambda: partners.Partners().hands,
        "95 %": lambda: 100 * partner_recognition.CERTAIN,
    },
    "guides/measuring.md": {"95 %": _sure},
    "guides/own-players.md": {"10 s": lambda: external_bot.PATIENCE},
    "guides/reviewing.md": {
        "two standard errors": lambda: move_values.SIGNIFICANT,
        "50 games": lambda: _review_games("piers"),
        "0.15 points": lambda: player.AT_TWO.gain,
        "0.3 points": lambda: player.AT_MORE.gain,
        "two points": lambda: review_check.LEAST_BLUNDER,
    },
    "guides/school.md": {"half a point": lambda: school.LEAST_LOSS},
    "guides/workbench.md": {
        "20 s": _service_seconds,
        "10,000 other deals": lambda: improvement.PROOF_GAMES,
        "three standard errors": lambda: improvement.PROOF_SEM,
        "0.02 points": lambda: improvement.PROOF_GAIN,
    },
    "papers/cig2018-rules.md": {
        "72 rules": lambda: len(SETS["cig2018"]),
        "25 points": lambda: read_variant("standard").at(2).perfect,
    },
    "papers/cig2018.md": {
        "50 old rules": lambda: len(SETS["cig2018-old"]),
        "72 rules": lambda: len(SETS["cig2018"]),
        "10 %": lambda: 100 * _paper("search", "mutation_probability"),
        "80 games": lambda: _paper("search", "games") * len(_paper("game", "players")),
    },
    "papers/osawa.md": {
        "30 %": lambda: _shares()["hints"],
        "40 %": lambda: _shares()["discards"],
    },
}
