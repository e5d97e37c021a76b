"""Pages that show what there is: runs, moving while they evolve, alone or side by side; agents. Names in addresses are looked up among
those that are listed, so none is ever a path."""

from __future__ import annotations

import csv
import io
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.run_folder import RunState, list_runs, read, times_of
from hanabi.evolve.reports.run_comparison import MOST, page_beside
from hanabi.evolve.site.page_templates import sheet
from hanabi.evolve.site.report_pages import APART, Reports
from hanabi.evolve.site.requests import told
from hanabi.evolve.site.tables import OpenTables
from hanabi.files import OWN, read_text
from hanabi.rules.agents import NAMED, load, mean_score, read_scores

POINTS = 400  # of a curve, at most
RUN_SCRIPTS = ("signs.js", "curves.js", "tables.js", "runs.js")
COLUMNS = ("generation", "best", "best_sem", "mean")


class RunsPages:
    """Routes over a folder of runs. ``agents``: by name the spec of those that may be seated; the winners of
    finished runs are added as they come."""

    def __init__(self, hall: OpenTables, folder: Path, agents: dict[str, str]) -> None:
        self.hall, self.folder, self.agents = hall, folder, agents
        self.reports = Reports(hall, self._state)
        self.routes = [
            Route("/runs", self.runs),
            Route("/runs/state", self.runs_state),
            Route("/runs/{name}", self.run),
            Route("/runs/{name}/curve", self.curve),
            *self.reports.routes,
            Route("/compare", self.beside),
            Route("/agents", self.agents_page),
        ]

    def close(self) -> None:
        """Stop what is written."""
        self.reports.close()

    def states(self) -> dict[str, RunState]:
        """The runs by name, those that run first; the winners of finished ones may be seated from now on."""
        found = {state.run.name: state for state in list_runs(self.folder)}
        for name, state in found.items():
            if (
                state.state == "done"
                and (state.run / "best.toml").is_file()
                and name not in self.agents
            ):
                self.agents[name] = str(state.run / "best.toml")
        return dict(sorted(found.items(), key=lambda item: (item[1].state != "running", item[0])))

    def _state(self, name: str) -> RunState:
        found = self.states().get(name)
        if found is None:
            raise HTTPException(404, "There is no such run.")
        return found

    async def runs(self, request: Request) -> Response:
        """The table of runs, which its script fills and keeps filling."""
        return sheet("runs.html.j2", "Runs", RUN_SCRIPTS, run="")

    async def run(self, request: Request) -> Response:
        """One run: its curve, moving."""
        name = request.path_params["name"]
        state = await self.hall.run(self._state, name)
        return sheet("runs.html.j2", "Runs", RUN_SCRIPTS, run=state.run.name)

    async def runs_state(self, request: Request) -> Response:
        """All runs as data, each with its curve in short."""
        return JSONResponse(
            await self.hall.run(lambda: [self._row(state) for state in self.states().values()])
        )

    async def curve(self, request: Request) -> Response:
        """One run as data, with all of its curves."""
        state = await self.hall.run(self._state, request.path_params["name"])
        return JSONResponse(
            await self.hall.run(
                lambda: self._row(state) | {"curves": curves_of(state.run)} | lists_of(state.run)
            )
        )

    def _row(self, state: RunState) -> dict[str, Any]:
        return row_of(state) | self.reports.news(state.run)

    async def beside(self, request: Request) -> Response:
        """Several finished runs on one page, apart from this site: /compare?run=A&run=B."""
        states = [
            await self.hall.run(self._state, name)
            for name in request.query_params.getlist("run")[: MOST + 1]
        ]
        page, _ = await told(self.hall.run(page_beside, [state.run for state in states], slow=True))
        return Response(page, media_type="text/html", headers=APART)

    async def agents_page(self, request: Request) -> Response:
        """All agents that may be seated: a sentence, a score, the list."""
        return sheet("agents.html.j2", "Agents", (), agents=await self.hall.run(self.described))

    def described(self) -> list[dict[str, Any]]:
        """Each agent: its name, where it comes from, its (mean points, standard error), also by player count, its list as text."""
        self.states()
        scores, found = read_scores(), []
        for name, spec in self.agents.items():
            entry: dict[str, Any] = {
                "name": name,
                "source": "",
                "score": None,
                "counts": [],
                "text": "",
                "file": name not in NAMED,
            }
            try:
                agent = load(spec)
                entry |= {"source": agent.source, "text": str(agent)}
                if name in NAMED and scores.get(name, {}).get("hash") == agent.hash:
                    entry["score"] = mean_score(scores[name])[:2]
                    entry["counts"] = [
                        (key, *values[:2]) for key, values in scores[name].items() if key.isdigit()
                    ]
                elif "score" in agent.provenance:
                    entry["score"] = (
                        float(agent.provenance["score"]),
                        float(agent.provenance["sem"]),
                    )
            except (ValueError, KeyError, TypeError) as error:
                entry["source"] = f"cannot be read: {error}"
            found.append(entry)
        return found


def row_of(state: RunState) -> dict[str, Any]:
    """A run as data: what `hanabi runs` prints."""
    curves = curves_of(state.run)
    best = [row[1] for row in curves[0]["rows"]] if curves else []
    return {
        "name": state.run.name,
        "state": state.state,
        "generation": state.generation,
        "generations": state.generations,
        "mode": state.mode,
        "players": state.players,
        "seconds": state.seconds,
        "left": left_of(state),
        "result": state.result,
        "sem": state.sem,
        "scoring": state.scoring,
        "best": best[:: max(1, len(best) // 40)],
        "agent": state.run.name if (state.run / "best.toml").is_file() else "",
    }


def left_of(state: RunState) -> float | None:
    """Seconds until a running run has played its generations, as the terminal states them; None where that is not known."""
    if state.state != "running":
        return None
    parts = read(state.run)[0].part_configs()
    times = [
        seconds
        for folder in ([state.run / part for part in parts] or [state.run])
        for seconds in times_of(folder)
    ]
    left = seconds_left(times, state.generations - state.generation)
    return None if math.isnan(left) else round(left, 1)


def lists_of(folder: Path) -> dict[str, Any]:
    """``lists``: the names of the lists that a run evolves one after the other, none where it evolves one; ``each``: the number of the
    last generation of each, at which the axis of its curve ends."""
    try:
        config, _ = read(folder)
    except (ValueError, OSError):  # a broken run
        return {"lists": [], "each": 0}
    return {"lists": list(config.part_configs()), "each": config.search.generations}


def curves_of(folder: Path) -> list[dict[str, Any]]:
    """The fitness of a run by generation: for each list that was evolved by itself {``list``, ``rows``: [generation, best, s.e., mean]}."""
    found = []
    for path in [folder / "log.csv", *sorted(folder.glob("*/log.csv"))]:
        with suppress(ValueError):
            rows = [
                [_number(row.get(column)) for column in COLUMNS]
                for row in csv.DictReader(io.StringIO(read_text(path, OWN)))
            ]
            rows = [row for row in rows if None not in row[:2]]  # a last line may be half there
            if rows:
                found.append(
                    {
                        "list": "" if path.parent == folder else path.parent.name,
                        "rows": rows[:: max(1, len(rows) // POINTS)],
                    }
                )
    return found


def _number(text):
    """A number as JSON can hold it."""
    if not re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text or ""):
        return None
    number = float(text)
    return number if math.isfinite(number) else None
