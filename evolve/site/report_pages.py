"""Reports of finished runs, written when a page asks for one.

They are kept in the user's cache folder, so the site never changes the folder of a run: reference runs stay as they were committed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import hanabi
from hanabi.backend.code_cache import kept_in
from hanabi.evolve.ga.run_folder import RunState, read
from hanabi.evolve.reports.agent_export import export
from hanabi.evolve.reports.run_report import FILE, page_of
from hanabi.evolve.site.requests import json_of
from hanabi.evolve.site.tables import OpenTables
from hanabi.files import OWN, read_bytes, whole_path, write_whole
from hanabi.rules.user_rules import LOADED

# a report is a page by itself, with scripts of its own: it runs apart from this site, and reaches nothing of it
APART = {
    "content-security-policy": "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}


class Closed(Exception):
    """The site is closed while a report is written."""


class Reports:
    """Routes that show the report of a run and write it; one is written at a time.

    Args:
        hall: Runs what takes time in its threads.
        find: Returns the state of the run of a name, or raises HTTPException.
        folder: Where reports are kept, the user's cache folder by default.
    """

    def __init__(
        self, hall: OpenTables, find: Callable[[str], RunState], folder: Path | None = None
    ) -> None:
        self.hall, self.find, self.folder = hall, find, folder or kept_in() / "reports"
        self.pool = ThreadPoolExecutor(1, "reports")
        self.writing: dict[
            str, float
        ] = {}  # by name of a run: the share of the games that is played
        self.problems: dict[str, str] = {}  # by name of a run: why its report could not be written
        self.closed = False
        self.routes = [
            Route("/runs/{name}/report", self.show),
            Route("/runs/{name}/report", self.begin, methods=["POST"]),
        ]

    def close(self) -> None:
        """Stop what is written."""
        self.closed = True
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def show(self, request: Request) -> Response:
        """The report of a run, apart from this site."""
        state = await self.hall.run(self.find, request.path_params["name"])
        path = await self.hall.run(self.path_of, state.run)
        if path is None:
            raise HTTPException(
                404, "There is no report yet: the page of the run offers to write it."
            )
        return Response(
            await self.hall.run(read_bytes, path), media_type="text/html", headers=APART
        )

    async def begin(self, request: Request) -> Response:
        """Begin to write the report of a finished run."""
        await json_of(request)
        state = await self.hall.run(self.find, request.path_params["name"])
        name = state.run.name
        if state.state != "done":
            raise HTTPException(409, "This run is not finished: it has no report yet.")
        if name not in self.writing and await self.hall.run(self.path_of, state.run) is None:
            self.problems.pop(name, None)
            self.writing[name] = 0.0
            asyncio.get_running_loop().run_in_executor(self.pool, self.write, state.run)
        return JSONResponse({"line": "The report is being written."})

    def write(self, run: Path) -> None:
        """Write the report of a run, with one worker, so that tables stay quick."""

        def heard(done: float, of: float) -> None:
            if self.closed:
                raise Closed
            self.writing[run.name] = done / of if of else 0.0

        try:
            export(run)  # says what is wrong with a folder that is no finished run
            if any(str(whole_path(file)) not in LOADED for file in read(run)[0].rule_files):
                raise ValueError(
                    "This run has rules of its own, and the site loads none: start it with hanabi serve --rules FILE."
                )
            page, _ = page_of(run, 1, heard)
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.kept(run), page)
        except Closed:
            pass
        except (ValueError, RuntimeError, OSError) as error:
            self.problems[run.name] = " ".join(str(error).split())
        finally:
            self.writing.pop(run.name, None)

    def path_of(self, run: Path) -> Path | None:
        """The file of a run's report: the one in its folder, else the one that the site wrote; None where there is neither."""
        if (run / FILE).is_file():
            return run / FILE
        with suppress(ValueError):  # a run without an end
            path = self.kept(run)
            return path if path.is_file() else None
        return None

    def kept(self, run: Path) -> Path:
        """Where the site keeps the report of a run as it ended, for this version of the program. ValueError for a run without an end."""
        parts = [read_bytes(run / name, OWN) for name in ("config.toml", "result.json")]
        digest = hashlib.sha256(
            b"\0".join([hanabi.__version__.encode(), str(whole_path(run)).encode(), *parts])
        ).hexdigest()
        return self.folder / f"{digest[:32]}.html"

    def news(self, run: Path) -> dict[str, Any]:
        """What the page of a run shows of its report."""
        return {
            "report": self.path_of(run) is not None,
            "writing": self.writing.get(run.name),
            "problem": self.problems.get(run.name, ""),
        }
