"""What the workbench does for a page: read lists, begin jobs, tell how they stand, write files.

All that is taken and returned is data that JSON can hold, so that the service can be called in
this process, or in another one (``WorkerProcess``), which starts again when a file of user rules
changes: Python cannot load such a file twice, because machine code of the old rules may be in use.
"""

import os
import re
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hanabi.evolve.called_process import BadMessageError, CalledProcess, serve
from hanabi.evolve.workbench.edited_list import (
    EditedList,
    file_text,
    grown_sentences,
    off_entries,
    read_lists,
    read_spec,
    read_text,
)
from hanabi.evolve.workbench.improvement import (
    MOST_REJECTED,
    OFFERS,
    SECONDS,
    Improvement,
    check_offers,
    read_change,
)
from hanabi.evolve.workbench.job_queue import Job, JobQueue, RefusedError, Steps, row_steps
from hanabi.evolve.workbench.library_sweep import UserRules, library_data, library_digest
from hanabi.evolve.workbench.list_scores import ListScores
from hanabi.evolve.workbench.measurements import (
    GAMES,
    WORTH_GAMES,
    Measurements,
    Order,
    other_moves,
)
from hanabi.files import file_mark
from hanabi.state import HISTORY
from hanabi.variant import read_variant, shown

FILE = 60_000  # bytes of an agent file that is read
DEALS = 20_000  # a deal of the scores has a number below this
NAME = 60  # letters of the name of a list

Data = dict[str, Any]


class WorkbenchService:
    """The workbench without its page.

    Args:
        rule_files: Files of user rules, which are loaded; one that cannot be loaded is reported in
            the library.
    """

    def __init__(self, rule_files: Sequence[Path] = ()) -> None:
        self.queue = JobQueue()
        self.measurements = Measurements(ListScores())
        self.user_rules = UserRules(rule_files)
        if rule_files:
            self.queue.begin(Job("check rules", "", self.user_rules.check))

    def call(self, name: str, *args: Any) -> Any:
        """Call one of the methods below; it raises ValueError, one line, for wrong data."""
        return getattr(self, name)(*args)

    def close(self) -> None:
        """End the thread that measures."""
        self.queue.close()

    def library(self, known: str = "", papers: bool = False) -> Data:
        """Return ``digest`` of the library, and ``data`` unless the caller knows that digest.

        With ``papers`` the data are the rules of papers.
        """
        digest = library_digest(self.user_rules)
        data = None if digest == known else library_data(self.user_rules, papers)
        return {"digest": digest, "data": data}

    def read(self, data: Data) -> Data:
        """Return the lists of an agent (``spec``), of a file (``text``), or of a page (``lists``).

        Returns:
            As ``edited_list.read_text``, with ``says``: the sentences of grown rules, by text.
        """
        text = data.get("text")
        if isinstance(data.get("spec"), str):
            found = read_spec(data["spec"])
        elif isinstance(data.get("lists"), dict):
            lists, wrong = read_lists(data["lists"])
            found = {"name": "", "source": "", "version": 0, "lists": lists, "wrong": wrong}
        elif isinstance(text, str) and len(text.encode()) <= FILE:
            found = read_text(text)
        else:
            raise RefusedError(f"An agent file is text of at most {FILE:,} bytes.")
        return found | {"says": grown_sentences(found["lists"])}

    def begin(self, kind: str, data: Data) -> Data:
        """Queue a job of a kind, which a method below reads, and return its name as ``job``."""
        return {"job": self.queue.begin(getattr(self, f"_{kind}")(data)).name}

    def job(self, name: str) -> Data | None:
        """Return the state of a job, None for one that is over."""
        job = self.queue.find(name)
        return job.data() if job else None

    def stop(self, name: str) -> Data:
        """Ask a job to end; it reports what it has found."""
        if job := self.queue.find(name):
            job.stop()
        return {"line": "Stopping."}

    def apply(self, data: Data) -> Data:
        """Return the ``list`` after a change that was offered."""
        order = self._order(data)
        one = read_change(data.get("change")).apply_to(order.listed.individual)
        if one is None:
            raise RefusedError("This change does not fit the list any more.")
        return {"list": EditedList.of(one.player(order.listed.otherwise)).data()}

    def text(self, name: str, lists: Any, version: Any = 0) -> Data:
        """Return the ``text`` of an agent file with some lists."""
        return {"text": file_text(name, lists, version)}

    def list_text(self, name: str, listed: Any, players: int) -> Data:
        """Return the ``text`` of an agent file with one list, and the ``hash`` of the list."""
        read = EditedList.read(listed)
        return {"text": file_text(name, {str(players): read.data()}), "hash": read.hash}

    def _score(self, data: Data) -> Job:
        """See ``Measurements.score``; the scores that are not shown come later."""
        games = read_whole(data, "games", *GAMES, default=4_000)
        against = str(data.get("against") or "")
        kind = "score" if data.get("shown", True) else "count"
        return _job(kind, data, self.measurements.score(self._order(data), games, against))

    def _worth(self, data: Data) -> Job:
        """See ``Measurements.worth``."""
        games = read_whole(data, "games", 100, WORTH_GAMES, default=WORTH_GAMES)
        off = {part: off_entries(data.get("off", {}), part) for part in ("rules", "conventions")}
        return _job("worth", data, self.measurements.worth(self._order(data), games, off))

    def _sweep(self, data: Data) -> Job:
        """See ``Measurements.sweep``."""
        order, museum = self._order(data), data.get("museum") is True
        return _job("sweep", data, self.measurements.sweep(order, museum))

    def _games(self, data: Data) -> Job:
        """See ``Measurements.changed_games``."""
        order, other = self._order(data), self._order(data, "against")
        return _job("games", data, self.measurements.changed_games(order, other))

    def _game(self, data: Data) -> Job:
        """See ``Measurements.game``."""
        order = self._order(data)
        other = self._order(data, "against") if data.get("against") else None
        deal = read_whole(data, "deal", 0, DEALS - 1, default=0)
        return _job("game", data, self.measurements.game(order, other, deal))

    def _moves(self, data: Data) -> Job:
        """See ``other_moves``."""
        deal = read_whole(data, "deal", 0, DEALS - 1, default=0)
        turn = read_whole(data, "turn", 0, HISTORY, default=0)
        return _job("moves", data, row_steps(other_moves(self._order(data), deal, turn)))

    def _improve(self, data: Data) -> Job:
        """See ``Improvement``. One at a time on this site."""
        seconds = read_whole(data, "seconds", *SECONDS, default=20)
        order = self._order(data)
        if not order.listed.rules:
            raise RefusedError("Improve needs a rule to change: add one first.")
        running = self.queue.running("improve")
        if running and running.page != _page_of(data):
            whose = f"“{running.title}”" if running.title else "a list"
            raise RefusedError(
                f"Another window improves {whose} now: wait for it, or stop it there.", 409
            )
        rejected = data.get("not", [])
        if not isinstance(rejected, list) or len(rejected) > MOST_REJECTED:
            raise RefusedError(f"not should be a list of at most {MOST_REJECTED} changes.")
        search = Improvement(order.listed, order.variant, seconds, rejected, int(time.time()))
        return _job("improve", data, search.steps)

    def _check(self, data: Data) -> Job:
        """Measure offers over a new list; see ``check_offers``."""
        order, changes = self._order(data), data.get("changes")
        if not isinstance(changes, list) or len(changes) > OFFERS:
            raise RefusedError(f"changes should be a list of at most {OFFERS} changes.")
        read = [read_change(one) for one in changes]
        return _job("check", data, check_offers(order.listed, order.variant, read))

    def _order(self, data: Data, key: str = "list") -> Order:
        """Read a list, with the player count and the variant."""
        players = read_whole(data, "players", 2, 5, default=3)
        seated = read_page_variant(data.get("variant", "standard")).at(players)
        listed = EditedList.read(data.get(key, {}))
        listed.check_variant(seated)
        return Order(listed, seated)


def read_page_variant(text: Any) -> Any:
    """Return the variant that a page names.

    Raises:
        ValueError: There is none, or the text names a file, which a page may not.
    """
    if not isinstance(text, str) or len(text) > 200 or not re.fullmatch(r"[\w=,-]+", text):
        raise ValueError(f"no variant {shown(text)}")
    return read_variant(text)


def _job(kind: str, data: Data, steps: Steps) -> Job:
    title = " ".join(str(data.get("name", "")).split())[:NAME]
    return Job(kind, _page_of(data), steps, title, data.get("client", ""))


def _page_of(data: Data) -> str:
    """The name that a page gives to itself."""
    page = data.get("page", "")
    if not isinstance(page, str) or not 0 < len(page) <= 40:
        raise RefusedError("page should be a text of 1 to 40 letters.")
    return page


def read_whole(data: Data, key: str, low: int, high: int, default: int) -> int:
    """Return a whole number within bounds; ``default`` for None. Raises RefusedError."""
    value = default if data.get(key) is None else data[key]
    if type(value) is not int or not low <= value <= high:
        raise RefusedError(f"{key} should be a number from {low:,} to {high:,}.")
    return value


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
        self._marks: list[tuple[int, int]] = []  # of the files that the process has loaded

    def call(self, name: str, *args: Any) -> Any:
        """Call a method of the service.

        Raises:
            RefusedError: What it raises; with status 503, if the process has ended.
        """
        with self._lock:
            try:
                answer = self._current().ask({"call": name, "args": args}, self.answer)
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

    def _current(self) -> CalledProcess:
        """Return the process; another one if it has ended or a file was saved since its start."""
        marks = [file_mark(file) for file in self.rule_files]
        process = self._process
        if process is None or process.process.poll() is not None or marks != self._marks:
            self._end()
            self._marks, files = marks, [str(file) for file in self.rule_files]
            code = f"from {__name__} import main; main({files!r})"
            # what a file prints is seen
            self._process = process = CalledProcess(code, output=STDERR)
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def main(files: Sequence[str]) -> None:
    """Answer the calls of a ``WorkerProcess``, which loads some files of user rules."""
    service = WorkbenchService([Path(file) for file in files])

    def answer(request):
        try:
            return {"result": service.call(request["call"], *request["args"])}
        except Exception as error:  # a user's rule may raise anything
            usual = 422 if isinstance(error, ValueError) else 500
            status, more = getattr(error, "status", usual), getattr(error, "more", {})
            return {"refused": " ".join(str(error).split()), "status": status, "more": more}

    serve(answer)
    os._exit(0)  # a rule in the thread that measures may have no end
