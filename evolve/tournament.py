"""Agents measured in games. What users import; evolve/measure/tournament.py does it."""
from evolve.measure.tournament import means, play, tournament, write

__all__ = ["means", "play", "tournament", "write"]
