"""The charts of a run: each module of this folder may add one.

A chart is a function below ``@run_chart`` that makes charts from a ``RunData``. The page of a run
and notebooks show all of them; adding a module is all that a new chart needs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from hanabi.evolve.charts.chart import Chart


@dataclass(frozen=True)
class Curve:
    """The fitness of a list over a run.

    Attributes:
        name: The list, or the run.
        best: Fitness of the best individual, by generation.
        best_sem: Its standard errors.
        mean: Mean fitness of the population, by generation.
        mean_sem: Its standard errors.
        race: (points, standard error) in the race.
        final: (points, standard error) on fresh deals.
    """

    name: str
    best: Sequence[float]
    best_sem: Sequence[float]
    mean: Sequence[float]
    mean_sem: Sequence[float]
    race: tuple[float, float] | None = None
    final: tuple[float, float] | None = None


@dataclass(frozen=True)
class RunData:
    """What the charts of a run are made from; what is not known is empty.

    Attributes:
        scoring: "kept" or "zero".
        rows: Results on the final deals: a row per number of players, then one over all.
        curves: The fitness by generation, of each list.
        published: Published points by number of players.
        published_by: Where they were published.
        games: Games of the winner that are played for the page (reports.report_games.ReportGames).
        first_rules: By list: names of rules, and for each its share of the population by
            generation, see ``analysis.first_rules.shares_by_generation``.
    """

    scoring: str
    rows: Sequence[Mapping[Any, Any]] = ()
    curves: Sequence[Curve] = ()
    published: Mapping[str, float] = field(default_factory=dict)
    published_by: str = ""
    games: Any = None
    first_rules: Mapping[str, tuple[list[str], list[list[float]]]] = field(default_factory=dict)


Maker = Callable[[RunData], list[Chart]]
_makers: dict[str, tuple[int, Maker]] = {}  # by module: (place on the page, function)


def run_chart(place: int) -> Callable[[Maker], Maker]:
    """Register a function that makes charts of a run.

    Args:
        place: Its place among the charts of a run, in ascending order.
    """

    def register(make: Maker) -> Maker:
        _makers[make.__module__] = (place, make)
        return make

    return register


def charts_of_run(data: RunData) -> list[Chart]:
    """Return all charts of a run, in their order."""
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        import_module(f"{__package__}.{path.stem}")
    makers = [make for _, make in sorted(_makers.values(), key=lambda entry: entry[0])]
    return [chart for make in makers for chart in make(data)]
