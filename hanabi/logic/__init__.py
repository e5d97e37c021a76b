"""Dynamic epistemic logic as in a textbook: formulas as text, models, moves as events; and the structure of Irvall's
thesis.

    from hanabi.logic import holds
    answer = holds("KAnn KBob playable(Bob,3)", position)
"""

from hanabi.logic.answer import Answer, Counterexample, holds
from hanabi.logic.worlds import TooManyWorlds, model_of

__all__ = ["Answer", "Counterexample", "TooManyWorlds", "holds", "model_of"]
