"""Runs: start one, go on with one, list them. What users import; evolve/ga/run.py does it."""
from evolve.ga.run import Progress, RunError, RunState, Stopped, evolve, resume, runs

__all__ = ["Progress", "RunError", "RunState", "Stopped", "evolve", "resume", "runs"]
