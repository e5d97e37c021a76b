"""Evolution, measuring, export and the command line.

``from hanabi.evolve import evolve, play_games, tournament, compare, …``: ``__all__`` has the names.
"""

if __name__ != "hanabi.evolve":  # a second copy would have a second register of rules
    raise ImportError("import hanabi.evolve, not evolve: this folder is the package hanabi.evolve")

from typing import TYPE_CHECKING

__all__ = [
    "Analysis",
    "Comparison",
    "Config",
    "Evolution",
    "Experiment",
    "Generation",
    "Progress",
    "Run",
    "RunError",
    "RunState",
    "RunStoppedError",
    "Tournament",
    "Verdict",
    "analyse",
    "compare",
    "evolve",
    "experiment",
    "export",
    "lab",
    "list_runs",
    "make_deap_toolbox",
    "measure_behaviour",
    "override",
    "play_games",
    "preset",
    "report",
    "resume",
    "save_table",
    "summarise",
    "tournament",
]

if TYPE_CHECKING:
    from hanabi.evolve.analysis.run_analysis import Analysis, analyse
    from hanabi.evolve.experiments.experiment import Experiment, experiment
    from hanabi.evolve.ga.config import Config, override, preset
    from hanabi.evolve.ga.evolution import Evolution, Generation
    from hanabi.evolve.ga.result import Run
    from hanabi.evolve.ga.run import (
        Progress,
        RunError,
        RunState,
        RunStoppedError,
        evolve,
        list_runs,
        resume,
    )
    from hanabi.evolve.ga.toolbox import make_deap_toolbox
    from hanabi.evolve.measure.ablation import lab
    from hanabi.evolve.measure.behaviour import measure_behaviour
    from hanabi.evolve.measure.comparison import Comparison, Verdict, compare
    from hanabi.evolve.measure.tournament import (
        Tournament,
        play_games,
        save_table,
        summarise,
        tournament,
    )
    from hanabi.evolve.reports.run_report import report
    from hanabi.evolve.reports.sealed_agent import export
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__)
