"""Record an evolution in a run folder, from its last checkpoint to its agent."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.evolution import Evolution, Generation
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.log_writer import (
    DIVERSITY,
    LOG,
    Writer,
    begin_logs,
    begin_times,
    has_diversity,
)
from hanabi.evolve.ga.progress import (
    Progress,
    RunStoppedError,
    StopRequestedError,
    seconds_left,
)
from hanabi.evolve.ga.run_folder import RunError, locked, os_problem, times_of, winners_before
from hanabi.evolve.measure.workers import WorkerDiedError
from hanabi.evolve.processes import stop_on_signal
from hanabi.files import ASIDE, OWN, read_bytes, write_whole
from hanabi.shell_command import command
from hanabi.table import RuleFailedError
from hanabi.variant import read_variant

BEFORE_DIVERSITY = 6  # columns of log.csv before those of ``DIVERSITY``


def run_to_end(
    folder: Path,
    whole: Path,
    config: Config,
    evaluator: Evaluator,
    progress: Callable[[Progress], None],
    search: type[Evolution] = Evolution,
) -> None:
    """Continue a run from its last checkpoint to its end.

    Args:
        folder: The run, or a part of one.
        whole: The run folder to resume, which ``folder`` may be a part of.
        config: The config of the run or part.
        evaluator: Plays its games.
        progress: Called at each step.
        search: How it is evolved.
    """
    reached, again = (
        "before the first generation was finished",
        command("hanabi", "evolve", "--resume", whole),
    )
    wait = Progress(
        folder,
        "warning",
        text="stopping as soon as this generation is finished; once more stops at once",
    )
    try:
        with locked(folder), stop_on_signal(lambda: progress(wait)) as requested, evaluator:
            recorder = RunRecorder(folder, config, progress, requested)
            try:
                with recorder.writer:
                    recorder.to_end(evaluator, search)
            finally:
                if recorder.writer.saved is not None:
                    part = f" of {folder.name} players" if folder != whole else ""
                    reached = f"after generation {recorder.writer.saved}{part}"
    except RuleFailedError as fault:
        raise _with_position(fault, folder, reached) from None
    except WorkerDiedError as error:
        raise WorkerDiedError(f"{error}. The run stopped {reached}; go on with: {again}") from None
    except (KeyboardInterrupt, StopRequestedError):
        raise RunStoppedError(whole, f"stopped {reached}; go on with: {again}") from None
    except BrokenPipeError:  # the reader of the printed progress is gone
        raise
    except OSError as error:
        raise RunError(
            f"cannot write to {folder}: {os_problem(error)}. It stopped {reached}; make room, then "
            f"go on with: {again}"
        ) from None


def _with_position(fault, folder, reached):
    """Write the position of a fault to a file, so that it can be set up again."""
    file = folder / "fault.toml"
    try:
        write_whole(file, fault.text())
        fault.file, where = file, f"the position is in {file}"
    except (OSError, ValueError) as error:  # a full disk, or a rule that changed the facts
        where = f"the position could not be written down: {error}"
    fault.args = (f"{fault}; {where}. The run stopped {reached}; fix the rule and start a new run",)
    return fault


class RunRecorder:
    """Writes each generation of an evolution to a run folder and reports progress.

    Attributes:
        state: The newest checkpoint that was found; None before the first generation.
        writer: Writes while the next generation is played.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        progress: Callable[[Progress], None],
        requested: threading.Event,
    ) -> None:
        """Read the last checkpoint; ``requested`` is set when the run should stop.

        Raises:
            RunError: The run's checkpoints are damaged or gone.
        """
        self.folder, self.config = folder, config
        self.progress, self.requested = progress, requested
        try:
            self.state, warnings = checkpoint.newest(folder)
        except ValueError as error:
            raise RunError(f"{error}. Put them back as they were, or start a new run") from None
        self.writer = Writer(folder, self.state["generation"] if self.state else None)
        for text in warnings:
            progress(Progress(folder, "warning", text=f"{text}; the one before it is used"))
        log = folder / LOG
        if self.state is None and log.exists() and len(read_bytes(log, OWN).splitlines()) > 2:
            raise RunError(
                f"no checkpoint is left in {folder}, though its log has rows. Start a new run"
            )

    def to_end(self, evaluator: Evaluator, search: type[Evolution] = Evolution) -> None:
        """Play and record the generations that are missing, then the finals."""
        ancestors = winners_before(self.folder) if self.state is None else []
        evolution = search(self.config, evaluator=evaluator, state=self.state, ancestors=ancestors)
        self._begin(evolution)
        for generation in evolution:
            self._record(evolution, generation)
            self._stop_if_requested()
        self.writer.settle()
        if not (self.folder / "result.json").exists():
            self._tell("done", text=evolution.finish(self.folder, self._tell_finals))

    def _begin(self, evolution: Evolution) -> None:
        """Make the logs, or cut them to the last checkpoint; drop what a killed process left."""
        for left in self.folder.glob(f"*{ASIDE}"):
            left.unlink(missing_ok=True)
        if self.state is None:
            begin_logs(self.folder, self.config, evolution.problem)
            begin_times(self.folder, None)
        else:
            checkpoint.cut(self.folder, self.state)
            begin_times(self.folder, self.state["generation"])
        self.times = times_of(self.folder)
        self.writer.begin()

    def _record(self, evolution: Evolution, generation: Generation) -> None:
        """Write a generation to the logs and report progress."""
        state = evolution.state
        assert state is not None, "a generation was played"
        rows = generation.rows
        if not has_diversity(self.folder):
            first = BEFORE_DIVERSITY
            rows = rows | {LOG: [row[:first] + row[first + len(DIVERSITY) :] for row in rows[LOG]]}
        self.writer.put(rows, [evolution.timing(generation)], state)
        evolution.generations.clear()  # a long run does not keep what is on disk
        self.times.append(generation.seconds)
        search = self.config.search
        self._tell(
            "evolve",
            generation.number,
            best=generation.best.fitness.values[0] + self.config.search.words_cost(generation.best),
            mean=generation.mean,
            sem=generation.sem,
            rate=generation.rate,
            left=seconds_left(self.times, search.generations - generation.number, search.minutes),
            seconds=generation.seconds,
            text=generation.text,
        )

    def _tell(self, stage: str, generation: int | None = None, **values: Any) -> None:
        last = self.config.search.generations
        reached = last if generation is None else generation
        perfect = read_variant(self.config.game.variant).perfect
        self.progress(Progress(self.folder, stage, reached, last, perfect=perfect, **values))

    def _tell_finals(self, stage: str, text: str) -> None:
        """Report a step of the finals, or raise StopRequestedError."""
        self._stop_if_requested()
        self._tell(stage, text=text)

    def _stop_if_requested(self) -> None:
        """Raise StopRequestedError if a signal asked to stop."""
        if self.requested.is_set():
            raise StopRequestedError
