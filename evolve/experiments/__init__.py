"""Experiments: lists of evolutions, studies and their tables; the modules that commands use."""
# ruff: noqa: F401

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanabi.evolve.experiments import experiment, plan, study, study_plan
    from hanabi.evolve.measure import seed_means
    from hanabi.evolve.papers import irvall, report
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__, modules=True)
