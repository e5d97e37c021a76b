"""Dynamic epistemic logic as in a textbook: formulas as text, models, moves as events; and the structure of Irvall's
thesis.

    from hanabi.logic import holds
    answer = holds("KAnn KBob playable(Bob,3)", position)
"""

from hanabi.logic.evaluation import Answer, Counterexample, holds
from hanabi.logic.position_model import TooManyWorldsError, model_of

__all__ = ["Answer", "Counterexample", "TooManyWorldsError", "holds", "model_of"]
