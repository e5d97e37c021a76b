"""Write reports of finished runs when a page asks for one, and serve them in a sandbox.

Reports are kept in the user's cache folder. The site never changes the folder of a run, so
reference runs stay as they were committed.
"""

import hashlib
import re
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import escape
from starlette.responses import HTMLResponse

import hanabi
from hanabi.backend.code_cache import cache_root
from hanabi.evolve.ga.run_folder import read
from hanabi.evolve.reports.run_report import FILE, page_of
from hanabi.evolve.reports.sealed_agent import export
from hanabi.evolve.workbench.job_queue import Job, JobQueue
from hanabi.files import OWN, make_folder, read_bytes, whole_path, write_whole
from hanabi.rules.user_rules import LOADED

# a report has its own scripts: the sandbox keeps them from the site's cookie and its pages
SANDBOX = {
    "content-security-policy": "sandbox allow-scripts; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
BODY = re.compile(r"<body[^>]*>")


class ReportWriter:
    """Writes reports in a thread, one at a time. Call ``close`` at the end.

    Args:
        folder: Where reports are kept; by default in the user's cache folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_root() / "reports"
        self.queue = JobQueue()
        self.jobs: dict[Path, Job] = {}  # the newest of each run

    def close(self) -> None:
        """Stop the report that is being written."""
        self.queue.close()

    def begin(self, run: Path) -> None:
        """Begin to write the report of a run, unless it is being written.

        Raises:
            TooManyJobsError: Too many reports wait.
        """
        if run not in self.jobs or self.jobs[run].ended:
            self.jobs[run] = self.queue.begin(Job("report", "", partial(self._write, run)))

    def _write(self, run: Path, job: Job) -> Generator[None]:
        """Write the report of a run with one worker, so that tables stay responsive."""
        export(run)  # raises for a folder that is not a finished run
        if any(str(whole_path(file)) not in LOADED for file in read(run)[0].genome.rule_files):
            raise ValueError(
                "This run has rules of its own, and the site loads none: "
                "start it with hanabi serve --rules FILE."
            )
        yield
        page, *_ = page_of(run, 1, job.progress)
        make_folder(self.folder)
        write_whole(self._file(run), page)

    def find(self, run: Path) -> Path | None:
        """Return the report in the folder of a run, else the one that the site wrote, else None."""
        found = [run / FILE]
        with suppress(ValueError):  # a run without an end
            found.append(self._file(run))
        return next((path for path in found if path.is_file()), None)

    def _file(self, run: Path) -> Path:
        """The file for the report of a run as it ended, by this version of the program.

        Raises ValueError for a run without an end.
        """
        parts = [read_bytes(run / name, OWN) for name in ("config.toml", "result.json")]
        names = [hanabi.__version__.encode(), str(whole_path(run)).encode()]
        digest = hashlib.sha256(b"\0".join([*names, *parts])).hexdigest()
        return self.folder / f"{digest[:32]}.html"

    def state(self, run: Path) -> dict[str, Any]:
        """Return whether a run has a report, how far it is written, and what went wrong."""
        job = self.jobs.get(run)
        is_written = job is not None and not job.ended
        return {
            "report": self.find(run) is not None,
            "writing": job.state.get("done", 0.0) if job and is_written else None,
            "problem": job.state.get("error", "") if job else "",
        }


def answer_with_report(page: str, path: str, title: str) -> HTMLResponse:
    """Return a self-contained page in a sandbox, with a link back to a page of the site.

    Args:
        page: The page as it is on disk, without the link.
        path: The path of the page of the site.
        title: The text of the link.
    """
    link = f'<nav style="padding:8px 24px"><a href="{quote(path)}">← {escape(title)}</a></nav>'
    return HTMLResponse(BODY.sub(lambda body: body[0] + link, page, count=1), headers=SANDBOX)
