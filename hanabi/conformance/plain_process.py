"""Compute the answers of all entries in all states in a process with HANABI_PLAIN=1.

Its input goes by files in a folder: the states as words, and the functions with their modules. A
module that cannot be imported by its name (a user's file) is run from its file.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.backend import FAULT
from hanabi.conditions import read_condition
from hanabi.conformance.digest import answer_digest
from hanabi.conformance.sample_states import MEMO_WORDS, words
from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    find_convention,
    keep_marks,
    loop_over_readings,
)
from hanabi.lazy import Answer, set_answers
from hanabi.rule_dependencies import answers_of
from hanabi.rulebook import FAMILIES, Family, Rule
from hanabi.state import VIEW

PATIENCE = 600  # seconds


class PlainProcess:
    """A context that starts the process; ``answers`` waits for it.

    Args:
        entries: The rules or conventions.
        views: The states.
        conventions: The conventions that the marks follow.
        share_memo: Whether all entries use one memo per state.
        kind: "moves", or "spoken" for digests.
    """

    def __init__(
        self,
        entries: Sequence[Rule],
        views: np.ndarray,
        conventions: Sequence[Rule],
        share_memo: bool = False,
        kind: str = "moves",
    ) -> None:
        self.names, self.folder = [entry.name for entry in entries], tempfile.TemporaryDirectory()
        place = Path(self.folder.name)
        np.save(place / "words.npy", words(views))
        modules = dict.fromkeys(
            entry.family.function.__module__ for entry in [*conventions, *entries]
        )
        (place / "job.json").write_text(
            json.dumps(
                dict(
                    modules=[
                        (name, getattr(sys.modules.get(name), "__file__", None)) for name in modules
                    ],
                    marks=[entry.name for entry in conventions],
                    share_memo=share_memo,
                    kind=kind,
                    asked=[_address(entry) for entry in entries],
                )
            ),
            encoding="utf-8",
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main({self.folder.name!r})"],
            text=True,
            env=os.environ
            | {
                "HANABI_PLAIN": "1",
                "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> PlainProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def answers(self) -> dict[str, np.ndarray]:
        """Return the answers of each entry in every state, by its name."""
        out, err = self.process.communicate(timeout=PATIENCE)
        if self.process.returncode != 0:
            raise RuntimeError(f"the check in plain Python failed:\n{out}{err}")
        found = np.load(Path(self.folder.name) / "answers.npy")
        return dict(zip(self.names, found))


def _address(entry: Rule) -> list[Any]:
    family = entry.family
    return [
        family.what,
        family.function.__module__,
        family.function.__name__,
        family.name,
        entry.values,
        family.stage,
        str(entry.guard or ""),
    ]


def _entry(
    what: str, module: str, function: str, name: str, values: list[float], stage: str, guard: str
) -> Rule:
    """Return the rule or convention that ``_address`` wrote down, also one in no book."""
    when = read_condition(guard) if guard else None
    for families in (FAMILIES, CONVENTION_FAMILIES):
        if name in families and families[name].function.__module__ == module:
            return Rule(families[name], tuple(values), when)
    asked = getattr(sys.modules[module], function)
    return Rule(
        Family(
            name,
            asked,
            dict.fromkeys(map(str, range(len(values))), ()),
            {},
            what,
            loop_over_readings(asked) if what == "convention" else None,
            stage,
        ),
        tuple(values),
        when,
    )


def _load(name: str, file: str | None) -> None:
    """Import a module, or run it from its file where it cannot be imported by its name."""
    if name in sys.modules:
        return
    if importlib.util.find_spec(name.partition(".")[0]) is not None or file is None:
        importlib.import_module(name)
        return
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def outcome(entry: Rule, view: Any) -> int:
    """Return an entry's answer in plain Python; FAULT for whatever it raises."""
    try:
        return entry(view)
    except Exception:
        return FAULT


class PlainView:
    """A view for plain Python: names and NumPy types of the record, ten times faster."""

    def __init__(self, record: np.record) -> None:
        for name in VIEW.names or ():
            setattr(self, name, record[name])


class _States:
    """The states with empty memos and the addresses of this process; marks as they were."""

    def __init__(self, raw: np.ndarray, marks: tuple[Rule, ...], needed: set[Answer]) -> None:
        self.raw = raw
        self.machine: dict[int, np.ndarray] = {}
        for players in set(map(int, raw.view(VIEW)["players"].flat)):
            records = raw[:1].copy().view(VIEW)[0]
            records["players"] = players
            keep_marks(records[0], [marks] * players)
            set_answers(records[0], needed)
            self.machine[players] = words(records)[0, MEMO_WORDS:]

    def __getitem__(self, place: int) -> np.ndarray:
        """Return a copy of one record."""
        records = self.raw[place].copy().view(VIEW)
        words(records)[0, MEMO_WORDS:] = self.machine[int(records[0]["players"])]
        records[0]["asked"] = 0
        return records


def main(folder: str) -> None:
    """Compute all answers in every state; run in the process with HANABI_PLAIN=1."""
    job = json.loads(Path(folder, "job.json").read_text(encoding="utf-8"))
    for name, file in job["modules"]:
        _load(name, file)
    entries, marks = (
        [_entry(*told) for told in job["asked"]],
        tuple(map(find_convention, job["marks"])),
    )
    raw = np.load(Path(folder, "words.npy"))
    answers = np.zeros((len(entries), len(raw)), np.int64)
    needed: set[Answer] = set().union(*(answers_of(entry.family.function) for entry in entries))
    states = _States(raw, marks, needed if job["kind"] == "moves" else set())
    for s in range(len(raw)):
        records = states[s]
        shared = PlainView(records[0])
        for r, entry in enumerate(entries):
            if not job["share_memo"]:
                records = states[s]
                shared = PlainView(records[0])
            answers[r, s] = outcome(entry, shared)
            if job["kind"] == "spoken":
                answers[r, s] = answer_digest(answers[r, s], words(records)[0])
    np.save(Path(folder, "answers.npy"), answers)
