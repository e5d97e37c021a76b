"""Agents as a web page that needs no server: the board, the agents' file, and Pyodide."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from hanabi.conventions.register import needs_marks, sort_by_stage
from hanabi.evolve.reports.standalone import agent_file, lists_of
from hanabi.evolve.reports.standalone_source import plain
from hanabi.evolve.site.module_copies import ModuleCopies
from hanabi.evolve.site.page_templates import template_text
from hanabi.rules.agents import Agent
from hanabi.state import VIEW

SITE = "hanabi.evolve.site"
NEEDED = (
    f"{SITE}.seat_view.SeatViews",
    f"{SITE}.table_actions.ACTIONS",
    f"{SITE}.table_actions.QUESTIONS",
    f"{SITE}.table_game.PERSON",
    f"{SITE}.table_game.TableGame",
    f"{SITE}.assistance._reason",
    f"{SITE}.typed_moves.move_verb",
    "hanabi.formats.hanab_live.to_link",
    "hanabi.player.OTHERWISE",
    "hanabi.steps.Choice",
    "hanabi.variant.NAMED",
)
REPLACED = {  # by name, the module that has it in a page
    "hanabi.conventions.marks.read": "agent",
    "hanabi.conventions.register.sort_by_stage": "replacements",
    "hanabi.game.cards_to_draw": "replacements",
    "hanabi.player.followed_list": "replacements",
    "hanabi.rulebook.find": "replacements",
}
MODULES = ("numpy", "replacements", "page_table")  # templates/page/NAME.py.j2


def python_files(agents: Sequence[Agent]) -> dict[str, str]:
    """Return the Python files of a page by their paths; ``agent.py`` is the agents' file.

    Raises:
        ValueError: An agent cannot stand in a file alone. One line.
    """
    copies = ModuleCopies(NEEDED, REPLACED)
    texts = copies.texts(dict.fromkeys(copies.functions, ""))
    words = set(re.findall(r"\.(\w+)", "".join(texts.values())))
    file = agent_file(agents, "agent.py", copies.functions, words & set(VIEW.names or ()))
    return {
        **copies.texts({one: file.names.get(one, one.__name__) for one in copies.functions}),
        **{f"{name}.py": template_text(f"page/{name}.py.j2") for name in MODULES},
        "agents.json": json.dumps({plain(agent.name): _lists(agent) for agent in agents}),
        "agent.py": file.text,
    }


def _lists(agent: Agent) -> dict[int, Any]:
    """Return by number of players what the table tells of the agent's list."""
    return {
        count: {
            "rules": [[rule.name, rule.says] for rule in player.rules],
            "conventions": [entry.family.name for entry in sort_by_stage(player.conventions)],
            "keeps_marks": bool(player.conventions) or any(map(needs_marks, player.rules)),
        }
        for count, player in lists_of(agent).items()
    }
