"""Start, stop and resume runs from the site: one at a time, each in a process that outlives it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.shell_command import command

SETTINGS = 40  # changes of keys that a form may name
LETTERS = 300  # of a change


class RunRunningError(ValueError):
    """Another run of this site is running."""


class RunStarter:
    """Starts runs in a folder, one at a time.

    Args:
        folder: The folder of runs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self.command = ""  # the command that does the same
        self.errors = ""  # what the process printed before it failed

    @property
    def is_running(self) -> bool:
        """Whether a run of this site is running."""
        return self._process is not None and self._process.poll() is None

    def start(self, words: Sequence[str]) -> str:
        """Start ``hanabi evolve`` with some words; return the command that does the same.

        Raises:
            RunRunningError: A run of this site is running.
        """
        return self._begin(["evolve", *words, "--runs", str(self.folder)])

    def resume(self, run: Path) -> str:
        """Resume a run; return the command that does the same.

        Raises:
            RunRunningError: A run of this site is running.
        """
        return self._begin(["resume", str(run)])

    def stop(self) -> None:
        """Stop the run as Ctrl-C does: it can be resumed.

        Raises:
            ValueError: No run of this site is running.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                raise ValueError("No run that was started here is running.")
            stop_signal = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
            self._process.send_signal(stop_signal)

    def state(self) -> dict[str, Any]:
        """Return ``running``, ``command`` and ``error`` (the last line of a failed run)."""
        process = self._process
        error = ""
        if process is not None and process.poll() not in (None, 0, 130, -signal.SIGINT):
            lines = self.errors.strip().splitlines()
            error = lines[-1] if lines else "The run failed."
        return {"running": self.is_running, "command": self.command, "error": error}

    def _begin(self, words: list[str]) -> str:
        with self._lock:
            if self.is_running:
                raise RunRunningError("A run is running here: wait for it, or stop it.")
            self.folder.mkdir(parents=True, exist_ok=True)
            self.command, self.errors = command("hanabi", *words), ""
            flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "hanabi.evolve.cli", *words, "--quiet"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                creationflags=flags,
                start_new_session=not flags,
            )
            threading.Thread(target=self._read_errors, args=[self._process], daemon=True).start()
        return self.command

    def _read_errors(self, process: subprocess.Popen) -> None:
        assert process.stderr is not None
        with process.stderr:
            for line in process.stderr:
                self.errors = (self.errors + line)[-2_000:]
        process.wait()


def evolve_words(data: dict[str, Any], agents: dict[str, str]) -> list[str]:
    """Return the words of ``hanabi evolve`` for what a form asks, after a check of its config.

    Args:
        data: ``preset``; ``start`` (the name of an agent, or ""), ``players`` (counts), ``seed``,
            ``name`` and ``settings`` (texts KEY=VALUE); all but ``preset`` may be missing.
        agents: By name the spec of each agent that a run may start from.

    Raises:
        ValueError: One line that says what is wrong.
    """
    name = data.get("preset")
    if name not in PRESETS:
        raise ValueError(f"preset should be one of {', '.join(PRESETS)}")
    settings = data.get("settings", [])
    if (
        not isinstance(settings, list)
        or len(settings) > SETTINGS
        or not all(isinstance(one, str) and len(one) <= LETTERS for one in settings)
    ):
        raise ValueError("settings should be a list of texts KEY=VALUE")
    changes = [one for one in settings if one.strip()]
    seed = data.get("seed")
    if seed is not None:
        if type(seed) is not int or not 0 <= seed < 2**53:
            raise ValueError("seed should be a whole number from 0 on")
        changes.append(f"seed={seed}")
    changes += _player_changes(str(name), data.get("players"))
    start = data.get("start")
    if start:
        if start not in agents:
            raise ValueError("There is no such agent to start from.")
        changes.append(f'start=["{_quoted(agents[start])}"]')
    files = [one for one in changes if _names_file(one)]
    if files:
        raise ValueError(f"{files[0]}: files are named on the command line, not here")
    override(preset(str(name)), changes)
    words = ["--preset", str(name)]
    for change in changes:
        words += ["--set", change]
    called = data.get("name")
    if called:
        words += ["--name", str(called)[:60]]
    return words


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _names_file(change: str) -> bool:
    """Whether a change names a Python file, which a page may not load."""
    key, _, value = change.partition("=")
    return key.strip() == "rule_files" or ".py" in value


def _player_changes(name: str, players: Any) -> list[str]:
    """The changes of keys for the player counts of a form."""
    if players is None:
        return []
    if not isinstance(players, list) or not players or any(type(n) is not int for n in players):
        raise ValueError("players should be a list of player counts from 2 to 5")
    counts = sorted(set(players))
    base = preset(name)
    if counts == list(base.game.players):
        return []
    changes = [f"players={counts}"]
    if base.parts.lists:
        changes.append("lists=[{}]".format(", ".join(f'"{n}"' for n in counts)))
        inherit = [n for n in map(str, counts) if n in base.parts.inherit and n != str(counts[0])]
        changes.append("inherit=[{}]".format(", ".join(f'"{n}"' for n in inherit)))
        if len(counts) == 1:
            changes[1:] = ["lists=[]", "inherit=[]"]
    return changes
