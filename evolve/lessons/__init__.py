"""What people learn by: reviews of games, questions about positions, lessons about an agent."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanabi.evolve.lessons import agent_lessons, game_review, school  # noqa: F401
else:
    from hanabi.lazy_exports import exports

    __getattr__, __dir__ = exports(__name__, __file__, modules=True)
