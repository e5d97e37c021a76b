"""Start, stop and resume runs from the site: one at a time, each in a process that outlives it."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from starlette.exceptions import HTTPException

from hanabi.evolve.called_process import NEW_GROUP
from hanabi.evolve.ga.config import OPERATOR_KEYS, Config, override, preset, read_settings
from hanabi.evolve.ga.config_sections import SECTIONS
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.evolve.ga.run_folder import RunState, dated_names, state_of
from hanabi.evolve.workbench.service import read_page_variant
from hanabi.files import CODE_FILES
from hanabi.notation import quote
from hanabi.rules import SETS
from hanabi.rules.user_rules import LOADED
from hanabi.shell_command import command
from hanabi.variant import check_name, shown

SETTINGS = 40  # changes of keys that a form may name
LETTERS = 300  # of a change
MINUTES = 1440  # that a form may ask for
# sets of rules that a form offers, in its words
RULE_SETS = {
    "living": "all of today's",
    "modern": "hints and sight",
    "epistemic": "what others know",
    "conventional": "by conventions",
    "cig2018": "2018",
}
NOT_IN_FORM = ("rule_files", "part_generations")  # or it has a field of their own:
FIELDS = ("rules", "players", "seed", "start", "minutes")
SPEC = r"[\w:,=-]+"  # of an agent or pool without a file, such as cig2018:46,8,2


class RunStarter:
    """Starts runs in a folder, one at a time.

    Args:
        folder: The folder of runs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._errors: IO[bytes] | None = None  # what the process prints before it fails
        self._is_stopping = False
        self.command = ""  # the command that does the same
        self.run: Path | None = None  # the folder of the newest run

    @property
    def is_running(self) -> bool:
        """Whether a run of this site is running."""
        return self._process is not None and self._process.poll() is None

    def start(self, words: Sequence[str]) -> str:
        """Start ``hanabi evolve`` with some words; return the command that does the same.

        Raises:
            HTTPException: 409, if a run of this site is running.
        """
        at = words.index("--name") if "--name" in words else words.index("--preset")
        free = (name for name in dated_names(words[at + 1]) if not (self.folder / name).exists())
        run = self.folder / next(free)
        return self._begin(["evolve", *words, "--runs", str(self.folder)], run)

    def resume(self, run: Path) -> str:
        """Resume a run; return the command that does the same.

        Raises:
            HTTPException: 409, if a run of this site is running.
        """
        return self._begin(["evolve", "--resume", str(run)], run)

    def stop(self) -> None:
        """Stop the run as Ctrl-C does: it can be resumed.

        Raises:
            HTTPException: 409, if no run of this site is running.
        """
        with self._lock:
            if self._process is None or not self.is_running:
                raise HTTPException(409, "No run that was started here is running.")
            self._process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))
            self._is_stopping = True

    def state(self) -> dict[str, Any]:
        """Return the run that was started last.

        Returns:
            ``running``, ``command``, ``run`` (a name), ``phase`` and ``error`` (the last line).
        """
        fine, error = (None, 0, 130, -signal.SIGINT), ""
        if self._process and self._errors and self._process.poll() not in fine:
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            error = lines[-1] if lines else "The run failed."
        has_folder = self.run and (self.run / "run.json").exists()
        return {
            "running": self.is_running,
            "command": self.command,
            "error": error,
            "run": self.run.name if self.run else "",
            "phase": self.phase(state_of(self.run) if self.run and has_folder else None),
        }

    def phase(self, state: RunState | None) -> str:
        """Return what a run does now, in words for its page.

        Args:
            state: The run; None: the one that was started last, which has no folder yet.
        """
        if self.is_running and (state is None or state.run == self.run):
            if self._is_stopping:
                return "stopping"
            if state is None or state.state == "stopped":
                return "starting"
            if state.state == "done":
                return "writing the report"
        if state is None:
            return ""
        return "measuring again" if state.is_measured_again else state.state

    def _begin(self, words: list[str], run: Path) -> str:
        with self._lock:
            if self.is_running:
                raise HTTPException(409, "A run is running here: wait for it, or stop it.")
            self.folder.mkdir(parents=True, exist_ok=True)
            self.command, self.run = command("hanabi", *words), run
            self._is_stopping, self._errors = False, tempfile.TemporaryFile()
            weakref.finalize(self, self._errors.close)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "hanabi.evolve.cli", *words, "--quiet"],
                env=os.environ | {CODE_FILES: os.pathsep.join(LOADED)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                **NEW_GROUP,
            )
        return self.command


def evolve_words(data: dict[str, Any], agents: dict[str, str]) -> list[str]:
    """Return the words of ``hanabi evolve`` for what a form asks, after a check of its config.

    Args:
        data: ``preset``; ``start`` (the name of an agent, or ""), ``players`` (counts), ``rules``
            (names of sets), ``minutes``, ``seed``, ``name`` and ``settings`` (texts KEY=VALUE); all
            but ``preset`` may be missing.
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
    given = {key: data.get(key) for key in ("seed", "minutes")}  # the config checks them
    changes += [f"{key}={value}" for key, value in given.items() if value is not None]
    changes += _player_changes(str(name), data.get("players"))
    rules, files = _rule_changes(data.get("rules"))
    changes += rules
    if start := data.get("start"):
        if start not in agents:
            raise ValueError("There is no such agent to start from.")
        changes.append(f"start=[{quote(agents[start])}]")
    _refuse_files(read_settings(changes), set(agents.values()))
    override(preset(str(name)), changes)
    options = [("--preset", str(name)), *(("--rules", file) for file in files)]
    words = [word for option in (*options, *(("--set", one) for one in changes)) for word in option]
    if called := data.get("name"):
        words += ["--name", check_name(called, "name", is_file=True)]
    return words


def _refuse_files(values: dict[str, Any], offered: set[str]) -> None:
    """Refuse values that name a file, which a page may neither run nor read.

    Args:
        values: The values by key, as the config will have them.
        offered: The specs of the agents of this site, of which some are files.

    Raises:
        ValueError: One line that names the key.
    """
    if "variant" in values:
        read_page_variant(values["variant"])
    for key in ("rule_files", *OPERATOR_KEYS, "pool", "start"):
        value = values.get(key, [])
        for text in [value] if isinstance(value, str) else value if isinstance(value, list) else []:
            is_agent = key in ("pool", "start") and text in offered
            if not is_agent and _may_name_file(key, str(text)):
                raise ValueError(
                    f"{key}: {shown(text)} is no plain name: files are named on the command line, "
                    "not here"
                )


def _may_name_file(key: str, text: str) -> bool:
    if key == "rule_files" or not re.fullmatch(r"\w+" if key in OPERATOR_KEYS else SPEC, text):
        return True
    return any(os.path.isfile(part) for part in re.split("[:,=]", text))


def own_sets() -> dict[str, str]:
    """Return the sets of rules that ``hanabi serve --rules FILE`` loaded: their files by name."""
    return {Path(file).stem: file for file in LOADED if Path(file).stem in SETS}


def _rule_changes(rules: Any) -> tuple[list[str], list[str]]:
    """The changes of keys for the sets of rules of a form, and the files of own sets."""
    if rules is None:
        return [], []
    own = own_sets()
    if not isinstance(rules, list) or not rules or len(rules) > len(RULE_SETS) + len(own):
        raise ValueError("rules should be a list of sets of rules")
    for name in rules:
        if not isinstance(name, str) or name not in RULE_SETS and name not in own:
            raise ValueError(f"rules: there is no set {shown(name)} here")
    texts = ", ".join(map(quote, dict.fromkeys(rules)))
    return [f"rules=[{texts}]"], [own[name] for name in dict.fromkeys(rules) if name in own]


def form_keys() -> list[tuple[str, str, str]]:
    """Return the keys that a form can set: (section, key, what it means)."""
    return [
        (name, key, str(field.description))
        for name, section in SECTIONS.items()
        for key, field in section.model_fields.items()
        if key not in NOT_IN_FORM + FIELDS
    ]


def form_values(config: Config) -> dict[str, str]:
    """Return the values of a preset by key, as text."""
    return {key: _text(value) for key, value in config.flat().items() if key not in NOT_IN_FORM}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _player_changes(name: str, players: Any) -> list[str]:
    """The changes of keys for the player counts of a form."""
    if players is None:
        return []
    if not isinstance(players, list) or not players or any(type(n) is not int for n in players):
        raise ValueError("players should be a list of player counts from 2 to 5")
    counts, base = sorted(set(players)), preset(name)
    if counts == list(base.game.players):
        return []
    lists = [str(count) for count in counts] if len(counts) > 1 else []
    parts = {"lists": lists, "inherit": [one for one in lists[1:] if one in base.parts.inherit]}
    changes = [f"{key}=[{', '.join(map(quote, names))}]" for key, names in parts.items()]
    return [f"players={counts}", *(changes if base.parts.lists else ())]
