"""The game as an environment for learners: batches of games, and adapters to other libraries.

``Batch(2, 1024, partners="piers")`` plays 1,024 games at a time with `piers` in the other seat.
"""

from typing import TYPE_CHECKING

__all__ = ["Batch", "Stepped"]

if TYPE_CHECKING:
    from hanabi.environment.batch import Batch, Stepped
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__)
