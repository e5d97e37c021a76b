"""Dynamic epistemic logic: formulas as text, Kripke models, moves as events.

>>> from hanabi.logic import holds
>>> answer = holds("KAnn KBob playable(Bob,3)", position)
"""

from hanabi.logic.evaluation import Answer, Counterexample, TooManyWorldsError, holds, model_of

__all__ = ["Answer", "Counterexample", "TooManyWorldsError", "holds", "model_of"]
