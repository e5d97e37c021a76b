"""Evolution, measuring, export and the command line.

``from evolve import evolve, play, tournament, compare, …``: ``__all__`` has the names.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evolve.analysis.analyse import Analysis as Analysis
    from evolve.analysis.analyse import analyse as analyse
    from evolve.experiments.experiment import Experiment as Experiment
    from evolve.experiments.experiment import experiment as experiment
    from evolve.ga.config import Config as Config
    from evolve.ga.config import override as override
    from evolve.ga.config import preset as preset
    from evolve.ga.result import Run as Run
    from evolve.ga.run import Progress as Progress
    from evolve.ga.run import RunError as RunError
    from evolve.ga.run import RunState as RunState
    from evolve.ga.run import Stopped as Stopped
    from evolve.ga.run import evolve as evolve
    from evolve.ga.run import resume as resume
    from evolve.ga.run import runs as runs
    from evolve.measure.compare import Comparison as Comparison
    from evolve.measure.compare import Verdict as Verdict
    from evolve.measure.compare import compare as compare
    from evolve.measure.lab import lab as lab
    from evolve.measure.tournament import Tournament as Tournament
    from evolve.measure.tournament import means as means
    from evolve.measure.tournament import play as play
    from evolve.measure.tournament import tournament as tournament
    from evolve.measure.tournament import write as write
    from evolve.publish.export import export as export
    from evolve.publish.report import report as report
else:
    from hanabi.exports import exports

    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "evolve.analysis.analyse": "Analysis analyse",
            "evolve.experiments.experiment": "Experiment experiment",
            "evolve.ga.config": "Config override preset",
            "evolve.ga.result": "Run",
            "evolve.ga.run": "Progress RunError RunState Stopped evolve resume runs",
            "evolve.measure.compare": "Comparison Verdict compare",
            "evolve.measure.lab": "lab",
            "evolve.measure.tournament": "Tournament means play tournament write",
            "evolve.publish.export": "export",
            "evolve.publish.report": "report",
        },
    )
