"""The Kripke model of the student report ("MAS Hanabi"): worlds considered at the true hands.

Of all worlds it has only those that some player considers possible at the true hands. That set is
not closed under "cannot tell apart": in such a world another player may consider worlds possible
that no player does from the true one, and that are missing; so the model claims too much of what
one player knows that another knows. What it says of the knowledge of one player at the true hands
is right. The full model is `hanabi.logic.evaluation`; docs/papers/student-report.md counts the
false claims.
"""

import numpy as np

from hanabi.logic.evaluation import LIMIT, column, worlds
from hanabi.logic.kripke import Model, seeing
from hanabi.logic.logic_state import LogicState


def three_classes(state: LogicState, limit: int = LIMIT) -> Model:
    """Return the worlds that some player considers possible at the true hands, as a model.

    For three players these are three classes. Who can tell which of them apart is as in the full
    model. Raises TooManyWorldsError where one class has more than ``limit``.
    """
    classes = [worlds(state, [seat], limit).facts for seat in range(state.players)]
    names = list(classes[0])
    rows = np.unique(
        np.concatenate([np.column_stack([facts[name] for name in names]) for facts in classes]),
        axis=0,
    )
    sees = {
        seat: [column(*place) for place in state.slots() if place[0] != seat]
        for seat in range(state.players)
    }
    return seeing(dict(zip(names, rows.T)), sees, state)
