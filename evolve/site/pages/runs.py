"""The list of runs, the page of a run with its report, and several runs side by side."""

import re
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse

from hanabi.evolve.ga.archive import ELITES
from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.evolve.ga.run_folder import RunState
from hanabi.evolve.reports.map_page import has_map, map_page
from hanabi.evolve.reports.run_comparison import MOST, page_beside
from hanabi.evolve.site.page_registry import (
    HTTPException,
    ListPage,
    Request,
    Response,
    check_this_machine,
    found_or_404,
    get,
    post,
    read_number,
    wait_for_news,
)
from hanabi.evolve.site.run_list import (
    answer_with_report,
    best_list,
    read_changes,
    read_curves,
    run_data,
    run_row,
)
from hanabi.evolve.site.run_starter import (
    MINUTES,
    RULE_SETS,
    evolve_words,
    form_keys,
    form_values,
    own_sets,
)
from hanabi.files import read_bytes

LOOK = 0.1  # seconds between two looks at the run that was started here
# what a preset is for, in the order of the form
PRESET_WORDS = {
    "best": "the best agent from nothing, in minutes (memetic)",
    "quick": "a look of seconds",
    "ordered": "a list that plays well with those of other runs",
    "book": "a short list for a book of conventions",
    "climb": "local search alone",
    "genetic": "crossover and mutation alone",
    "epistemic": "rules that ask what others know",
    "grow": "rules grown from single words",
    "grow-book": "the same over a book of conventions",
    "map": "the best list of each way to play",
    "front": "the best list of each length",
    "paper-mirror": "as in 2018, with copies of itself",
    "paper-mixed": "as in 2018, with other agents",
}

CELL = re.compile(r"\d{2,4}(-\d{2}){0,2}")  # the name of a cell (archive.py)
WAYS = {"play": "/play?with=", "build": "/build?agent=", "": "/agents/"}


class RunsPages(ListPage):
    """Routes that start runs, show them and their reports; scripts fill both pages."""

    title, path, order = "Evolve", "/evolve", 3
    item_path = "/runs/{name}"
    template = item_template = "runs.html.j2"
    scripts = item_scripts = (
        "signs.js",
        "workbench-entries.js",
        "workbench-server.js",
        "curves.js",
        "tables.js",
        "runs.js",
        "run.js",
        "evolve.js",
    )

    def find(self, request: Request) -> RunState:
        """Return the run of the name in an address. Raises HTTPException 404."""
        return self.site.runs.find(request.path_params["name"])

    def item_values(self, request: Request) -> dict[str, Any]:
        """Return what the form offers, and the name of the run. Raises HTTPException 404."""
        self.find(request)
        return self.list_values(request) | {"run": request.path_params["name"]}

    def list_values(self, request: Request) -> dict[str, Any]:
        """Return what the form of a run offers."""
        self.site.runs.states()
        presets = {name: words for name, words in PRESET_WORDS.items() if name in PRESETS}
        return {
            "run": "",
            "presets": presets,
            "values": {name: form_values(preset(name)) for name in presets},
            "keys": form_keys(),
            "rule_sets": RULE_SETS | {name: name for name in own_sets()},
            "minutes": MINUTES,
            "agents": [name for name in self.site.agents],
            "chosen": request.query_params.get("preset", ""),
            "start": request.query_params.get("from", ""),
            "version": read_number(request.query_params.get("version", "")),
        }

    @post("/runs")
    def start(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Start a run; see run_starter.evolve_words for what is sent."""
        check_this_machine(request)
        line = self.site.starter.start(evolve_words(data, self.site.agents))
        return {"line": line, "run": self.site.starter.state()["run"]}

    @get("/runs/state")
    def states(self, request: Request) -> Any:
        """All runs as data, each with a small curve."""
        return [self._row(name, state) for name, state in self.site.runs.states().items()]

    @get("/runs/started")
    async def started(self, request: Request) -> dict[str, Any]:
        """The run that was started here; with ``?phase=`` once its phase is another one."""
        known, look = request.query_params.get("phase"), self.site.starter.state
        return await wait_for_news(
            request,
            lambda: self.site.tables.run(look),
            lambda found: found["phase"] != known,
            self.site.news,
            LOOK,
        )

    @post("/runs/started/stop", "/runs/{name}/stop")
    def stop(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Stop the run that was started here; ``/runs/NAME/stop`` only the run of that name."""
        check_this_machine(request)
        if "name" in request.path_params and self.find(request).run != self.site.starter.run:
            raise HTTPException(409, "This run was not started here: stop it where it runs.")
        self.site.starter.stop()
        return {"line": "Stopping after this generation's games."}

    @get("/runs/{name}/changes")
    def changes(self, request: Request) -> dict[str, Any]:
        """The changes that local searches accepted, and the best list: ``?after=N``."""
        folder = self.find(request).run
        after = read_number(request.query_params.get("after", "0"))
        return read_changes(folder, after) | {"best": best_list(folder)}

    @get("/runs/{name}/list")
    def list(self, request: Request) -> dict[str, Any]:
        """The best list of a generation: ``?list=3&generation=5``, by default the newest."""
        asked = request.query_params
        generation = read_number(asked["generation"]) if "generation" in asked else None
        found = best_list(self.find(request).run, asked.get("list"), generation)
        return found_or_404(found, "There is no such generation.")

    @get("/runs/{name}/curve")
    def curve(self, request: Request) -> dict[str, Any]:
        """A run as data, with all of its curves."""
        state = self.find(request)
        row = self._row(request.path_params["name"], state)
        return row | {"curves": read_curves(state.run)} | run_data(state)

    @get("/runs/{name}/report")
    def report(self, request: Request) -> Response:
        """The report of a run."""
        name = request.path_params["name"]
        path = found_or_404(
            self.site.reports.find(self.find(request).run),
            "There is no report yet: the page of the run offers to write it.",
        )
        return answer_with_report(
            read_bytes(path).decode("utf-8", "replace"), f"/runs/{name}", name
        )

    @post("/runs/{name}/report")
    def write_report(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Begin to write the report of a finished run."""
        state = self.find(request)
        if state.state != "done":
            raise HTTPException(409, "This run is not finished: it has no report yet.")
        if self.site.reports.find(state.run) is None:
            self.site.reports.begin(state.run)
        return {"line": "The report is being written."}

    @post("/runs/{name}/resume")
    def resume(self, request: Request, data: dict[str, Any]) -> dict[str, str]:
        """Resume a run that was stopped."""
        check_this_machine(request)
        state = self.find(request)
        if state.state != "stopped":
            raise HTTPException(409, f"This run is {state.state}: there is nothing to resume.")
        return {"line": self.site.starter.resume(state.run)}

    @get("/compare", slow=True)
    def compare(self, request: Request) -> Response:
        """Several finished runs on one page: ``/compare?run=A&run=B``."""
        names = request.query_params.getlist("run")[: MOST + 1]
        page, _ = page_beside([self.site.runs.find(name).run for name in names])
        return answer_with_report(page, "/runs", "Runs")

    @get("/runs/{name}/map", slow=True)
    def map(self, request: Request) -> Response:
        """The map of a finished run."""
        name, folder = request.path_params["name"], self.find(request).run
        found_or_404(has_map(folder), "This run has no map: hanabi evolve --preset map makes one.")
        page = map_page(folder, f"/runs/{quote(name)}/elites/")
        return answer_with_report(page, f"/runs/{name}", name)

    @get("/runs/{name}/elites/{cell}")
    def elite(self, request: Request) -> Response:
        """Make the elite of a cell an agent of the site, and lead to its page.

        ``?then=play`` leads to the form of a table with it, ``?then=build`` to the workbench.
        """
        name, cell = request.path_params["name"], request.path_params["cell"]
        file = self.find(request).run / ELITES / f"{cell}.toml"
        found_or_404(CELL.fullmatch(cell) and file.is_file(), "There is no elite of this cell.")
        agent = f"{name} {cell}"
        self.site.agents[agent] = str(file)
        then = request.query_params.get("then", "")
        return RedirectResponse(WAYS.get(then, WAYS[""]) + quote(agent), 303)

    def _row(self, name: str, state: RunState) -> dict[str, Any]:
        phase = {"phase": self.site.starter.phase(state)}
        return run_row(name, state) | phase | self.site.reports.state(state.run)
