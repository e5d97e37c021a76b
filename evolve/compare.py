"""Which of two agents is better. What users import; evolve/measure/compare.py does it."""
from evolve.measure.compare import Comparison, Verdict, compare

__all__ = ["Comparison", "Verdict", "compare"]
