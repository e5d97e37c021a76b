"""The list of all agents, and a page for each: its list, its scores, and its uses."""

from typing import Any

from hanabi.evolve.reports.page_parts import SCRIPTS as BOARD_SCRIPTS
from hanabi.evolve.site.agent_list import (
    WORDS,
    describe,
    lists_of,
    measure,
    median_game,
    neighbours,
)
from hanabi.evolve.site.page_registry import Page, SiteContext, get, post, render_page
from hanabi.evolve.site.requests import Request, Response, read_number
from hanabi.rules.agents import dumps, load

SCRIPTS = ("signs.js", "tables.js", "agents-chart.js", "agents.js")


class AgentsPage(Page):
    """The pages of the agents which may be seated."""

    title, path, order = "Agents", "/agents", 4

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.measured: dict[str, dict[str, Any]] = {}  # by name, scores that this site measured

    @get("/agents")
    def page(self, request: Request) -> Response:
        """The list, which its script fills."""
        return render_page("agents.html.j2", "Agents", SCRIPTS, families=WORDS)

    @get("/agents/state")
    def states(self, request: Request) -> list[dict[str, Any]]:
        """All agents as data, the best first."""
        self.site.runs.states()
        rows = [
            self._describe(name, spec) | {"listed": name in self.site.agents}  # workbench opens it
            for name, spec in self.site.seated.items()
        ]
        return sorted(rows, key=lambda row: -(row["mean"] or [-1])[0])

    @get("/agents/{name:path}/file")
    def file(self, request: Request) -> Response:
        """The file of an agent, to be kept."""
        name, spec = self._find(request)
        safe = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
        headers = {"content-disposition": f'attachment; filename="{safe}.toml"'}
        return Response(dumps(load(spec)), media_type="application/toml", headers=headers)

    @get("/agents/{name:path}/lists")
    def lists(self, request: Request) -> dict[str, Any]:
        """The lists of an agent as sentences."""
        return {"lists": lists_of(load(self._find(request)[1]))}

    @get("/agents/{name:path}/median", slow=True)
    def median(self, request: Request) -> list[dict[str, Any]]:
        """A game of an agent with copies of itself, of median points: ``?players=3``."""
        players = read_number(request.query_params.get("players", "3"))
        return [median_game(self._find(request)[1], players)]

    @post("/agents/{name:path}/measure", slow=True)
    def measure(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Measure an agent among copies of itself: a second for most."""
        name, spec = self._find(request)
        self.measured[name] = measure(spec)
        return self.measured[name]

    @get("/agents/{name:path}")
    def agent(self, request: Request) -> Response:
        """The page of an agent."""
        name, spec = self._find(request)
        agent = load(spec)
        return render_page(
            "agent.html.j2",
            "Agents",
            (*BOARD_SCRIPTS, "agent.js"),
            agent=self._describe(name, spec),
            lists=lists_of(agent),
            counts=[count for count in (2, 3, 4, 5) if agent.plays(count)],
            text="" if agent.lists else str(agent),
            neighbours=neighbours(name),
            listed=name in self.site.agents,
        )

    def _describe(self, name: str, spec: str) -> dict[str, Any]:
        return describe(name, spec) | self.measured.get(name, {})

    def _find(self, request: Request) -> tuple[str, str]:
        """Return the name in an address and its spec. Raises HTTPException 404."""
        name = request.path_params["name"]
        return name, self.site.find_agent(name)
