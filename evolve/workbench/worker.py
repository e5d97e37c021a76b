"""The workbench in a process of its own, which starts again when a file of user rules changes.

Python cannot load a changed file of rules twice, because machine code of the old rules may be in
use. The process is sent a call per line on standard input, and answers with a line.

    python -m hanabi.evolve.workbench.worker FILE.py…
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hanabi.evolve.workbench.service import RefusedError, WorkbenchService

LOOK = 0.5  # seconds between two looks at the files
ANSWER = 60.0  # seconds after which a process that does not answer is ended
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
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._marks: list[tuple[int, int]] = []
        self._looked = 0.0

    def call(self, name: str, *args: Any) -> Any:
        """Call a method of the service.

        Raises:
            RefusedError: What it raises; with status 503, if the process has ended.
        """
        with self._lock:
            self._restart_if_changed()
            process = self._process or self._start()
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps([name, list(args)]) + "\n")
                process.stdin.flush()
                line = self._answers.get(timeout=self.answer)
            except (OSError, queue.Empty):
                line = ""
            if not line:
                self._end()
                raise RefusedError(ENDED, 503)
        answer = json.loads(line)
        if "refused" in answer:
            raise RefusedError(answer["refused"], answer["status"], answer["more"])
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> subprocess.Popen[str]:
        self._marks, self._answers = self._read_marks(), queue.Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *map(str, self.rule_files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(
            target=_read_lines, args=[self._process, self._answers], daemon=True
        ).start()
        return self._process

    def _restart_if_changed(self) -> None:
        now = time.monotonic()
        if self._process and now - self._looked >= LOOK:
            self._looked = now
            if self._read_marks() != self._marks or self._process.poll() is not None:
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
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()


def _read_lines(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    assert process.stdout is not None
    with suppress(OSError, ValueError):  # closed meanwhile
        for line in process.stdout:
            answers.put(line)
    answers.put("")


def serve(files: Sequence[str]) -> None:
    """Answer the calls on standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a file of rules prints is no answer
    service = WorkbenchService([Path(file) for file in files])
    for line in sys.stdin:
        name, args = json.loads(line)
        try:
            answer = {"result": service.call(name, *args)}
        except RefusedError as error:
            answer = {"refused": str(error), "status": error.status, "more": error.more}
        except Exception as error:  # a user's rule may raise anything
            line = " ".join(str(error).split())
            answer = {"refused": line, "status": 500, "more": {}}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    service.close()
    os._exit(0)  # a rule in the thread that measures may have no end


if __name__ == "__main__":
    serve(sys.argv[1:])
