"""The page of all agents: where each comes from, its score and its list."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.rules.agents import NAMED, load, mean_score, read_scores


class AgentsPage(Page):
    """The route that shows the agents which may be seated."""

    title, path, order = "Agents", "/agents", 2

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/agents", self.page)]

    async def page(self, request: Request) -> Response:
        """All agents, one panel each."""
        agents = await self.site.tables.run(self.describe_agents)
        return render_page("agents.html.j2", "Agents", (), agents=agents)

    def describe_agents(self) -> list[dict[str, Any]]:
        """Return what the page shows of each agent: its name, source, scores and list."""
        self.site.runs.states()
        scores = read_scores()
        return [_describe(name, spec, scores) for name, spec in self.site.agents.items()]


def _describe(name, spec, scores):
    entry: dict[str, Any] = {
        "name": name,
        "source": "",
        "score": None,  # (mean points, standard error)
        "counts": [],  # the same by number of players
        "text": "",
        "file": name not in NAMED,
    }
    try:
        agent = load(spec)
        entry |= {"source": agent.source, "text": str(agent)}
        if name in NAMED and scores.get(name, {}).get("hash") == agent.hash:
            measured = scores[name]
            entry["score"] = mean_score(measured)[:2]
            entry["counts"] = [(key, *row[:2]) for key, row in measured.items() if key.isdigit()]
        elif "score" in agent.provenance:
            entry["score"] = tuple(float(agent.provenance[key]) for key in ("score", "sem"))
    except (ValueError, KeyError, TypeError) as error:
        entry["source"] = f"cannot be read: {error}"
    return entry
