"""How an agent decides where it does more than follow its list: what every way has to say of itself, and whom it seats.

The ways: Search, Estimate, OpenHand, Zhao and Uct beside this file, Recognition (rules/agents/responses.py), a bot of another engine
(evolve/bridges/external_bot.py), and PlainPlayer (rules/agents/python_player.py).
"""

from __future__ import annotations

from typing import Any


class AgentKind:
    """``key``: its table in an agent file, and what its spec begins with. ``does``: what its agent does, as words behind a name.
    ``thinks``: so that a game takes long. ``leaves``: its agent has a list, which it leaves, and which is an agent without it. ``plain``:
    its agent is a plain Python player, which answers with a move and nothing else."""

    key = ""
    does = ""
    thinks = True
    leaves = False
    plain = False

    def says(self, listed: bool) -> str:
        """What an agent with it does, as a sentence; ``listed``: it has a list."""
        raise NotImplementedError

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """ValueError, one line, where an agent of this name with these lists could not play."""
        if not lists:
            raise ValueError('an agent needs a list of rules, such as "2-5" = ["…"] below [rules]')

    def may_sit(self, players: int, listed: bool) -> bool:
        """May it sit at a table of so many? ``listed``: it has a list for them, or none at all."""
        return listed

    def at(self, players: int, name: str, listed: Any) -> Any:
        """The player at a table of so many, with its list for them or None."""
        raise NotImplementedError

    def data(self) -> Any:
        """What stands in an agent file."""
        raise NotImplementedError

    @property
    def identity(self) -> Any:
        """What tells agents apart that differ in nothing else."""
        return self.key, str(self)
