"""Evolution, measuring, export and the command line.

``from hanabi.evolve import evolve, play_games, tournament, compare, …``: ``__all__`` has the names.
"""

if __name__ != "hanabi.evolve":  # a second copy would have a second register of rules
    raise ImportError("import hanabi.evolve, not evolve: this folder is the package hanabi.evolve")

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanabi.evolve.analysis.run_analysis import Analysis as Analysis
    from hanabi.evolve.analysis.run_analysis import analyse as analyse
    from hanabi.evolve.experiments.experiment import Experiment as Experiment
    from hanabi.evolve.experiments.experiment import experiment as experiment
    from hanabi.evolve.ga.config import Config as Config
    from hanabi.evolve.ga.config import override as override
    from hanabi.evolve.ga.config import preset as preset
    from hanabi.evolve.ga.result import Run as Run
    from hanabi.evolve.ga.run import Progress as Progress
    from hanabi.evolve.ga.run import RunError as RunError
    from hanabi.evolve.ga.run import RunState as RunState
    from hanabi.evolve.ga.run import RunStoppedError as RunStoppedError
    from hanabi.evolve.ga.run import evolve as evolve
    from hanabi.evolve.ga.run import list_runs as list_runs
    from hanabi.evolve.ga.run import resume as resume
    from hanabi.evolve.measure.ablation import lab as lab
    from hanabi.evolve.measure.comparison import Comparison as Comparison
    from hanabi.evolve.measure.comparison import Verdict as Verdict
    from hanabi.evolve.measure.comparison import compare as compare
    from hanabi.evolve.measure.tournament import Tournament as Tournament
    from hanabi.evolve.measure.tournament import play_games as play_games
    from hanabi.evolve.measure.tournament import save_agent as save_agent
    from hanabi.evolve.measure.tournament import summarise as summarise
    from hanabi.evolve.measure.tournament import tournament as tournament
    from hanabi.evolve.reports.agent_export import export as export
    from hanabi.evolve.reports.run_report import report as report
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "hanabi.evolve.analysis.run_analysis": "Analysis analyse",
            "hanabi.evolve.experiments.experiment": "Experiment experiment",
            "hanabi.evolve.ga.config": "Config override preset",
            "hanabi.evolve.ga.result": "Run",
            "hanabi.evolve.ga.run": "Progress RunError RunState RunStoppedError evolve resume list_runs",
            "hanabi.evolve.measure.comparison": "Comparison Verdict compare",
            "hanabi.evolve.measure.ablation": "lab",
            "hanabi.evolve.measure.tournament": "Tournament summarise play_games tournament save_agent",
            "hanabi.evolve.reports.agent_export": "export",
            "hanabi.evolve.reports.run_report": "report",
        },
    )
