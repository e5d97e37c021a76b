"""The workbench in a process of its own, which starts again when a file of user rules changes.

Python cannot load a changed file of rules twice, because machine code of the old rules may be in
use.
"""

import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hanabi.evolve.called_process import BadMessageError, CalledProcess, serve
from hanabi.evolve.workbench.service import RefusedError, WorkbenchService

LOOK = 0.5  # seconds between two looks at the files
ANSWER = 60.0  # seconds after which a process that does not answer is ended
STDERR = 2
ENDED = "The process that measures lists has ended: try again."


class WorkerProcess:
    """Calls a ``WorkbenchService`` in another process; for several threads.

    Args:
        rule_files: Files of user rules that the process loads.
        answer: Seconds after which a process that does not answer is ended.
    """

    def __init__(self, rule_files: Sequence[Path], answer: float = ANSWER) -> None:
        self.rule_files, self.answer = list(rule_files), answer
        self._lock = threading.Lock()
        self._process: CalledProcess | None = None
        self._marks: list[tuple[int, int]] = []
        self._looked = 0.0

    def call(self, name: str, *args: Any) -> Any:
        """Call a method of the service.

        Raises:
            RefusedError: What it raises; with status 503, if the process has ended.
        """
        with self._lock:
            self._restart_if_changed()
            try:
                process = self._process or self._start()
                answer = process.ask({"call": name, "args": args}, self.answer)
            except (OSError, BadMessageError):  # TimeoutError, too
                self._end()
                raise RefusedError(ENDED, 503) from None
        if "refused" in answer:
            raise RefusedError(answer["refused"], answer["status"], answer["more"])
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> CalledProcess:
        self._marks = self._read_marks()
        files = [str(file) for file in self.rule_files]
        code = f"from {__name__} import main; main({{address}}, {{parent}}, {files!r})"
        self._process = CalledProcess(code, output=STDERR)  # what a file of rules prints is seen
        return self._process

    def _restart_if_changed(self) -> None:
        now = time.monotonic()
        if self._process and now - self._looked >= LOOK:
            self._looked = now
            if self._read_marks() != self._marks or self._process.process.poll() is not None:
                self._end()

    def _read_marks(self) -> list[tuple[int, int]]:
        """Return a value for each file that changes when the file is saved."""
        marks = []
        for file in self.rule_files:
            mark = (0, -1)
            with suppress(OSError):
                found = file.stat()
                mark = found.st_mtime_ns, found.st_size
            marks.append(mark)
        return marks

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def main(address: int | tuple[str, int], parent: int, files: Sequence[str]) -> None:
    """Answer the calls of a ``WorkerProcess``; see ``called_process.serve``.

    Args:
        address: The socket.
        parent: The number of the parent process.
        files: Files of user rules.
    """
    service = WorkbenchService([Path(file) for file in files])

    def answer(request):
        try:
            return {"result": service.call(request["call"], *request["args"])}
        except RefusedError as error:
            return {"refused": str(error), "status": error.status, "more": error.more}
        except Exception as error:  # a user's rule may raise anything
            line = " ".join(str(error).split())
            return {"refused": line, "status": 500, "more": {}}

    serve(address, parent, answer)
    os._exit(0)  # a rule in the thread that measures may have no end
