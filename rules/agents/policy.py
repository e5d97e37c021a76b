"""Learned players: ``policy:FILE.onnx``, a network that maps observations to a number per action.

The file is data in the ONNX format, run by onnxruntime; it cannot run other code. Its first input
is the observations, float32 (games, size); a second one, if it has one, the legal actions, float32
(games, actions). Its first output is a number per action: the legal action with the highest is
made. Numbers of observations and of actions say with how many players it plays.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hanabi.action_ids import action_count
from hanabi.agent_kind import AgentKind, agent_kind
from hanabi.many_games.table_games import ObservationPlayer
from hanabi.observations.encoding import observation_size
from hanabi.variant import NAMED, shown

COUNTS = (2, 3, 4, 5)


class Network(NamedTuple):
    """A network that is loaded.

    Attributes:
        session: Its onnxruntime session.
        inputs: The names of its inputs.
        players: With how many players it plays.
    """

    session: Any
    inputs: tuple[str, ...]
    players: int


@cache
def _load(file: str, changed: int) -> Network:
    """Return the network of a file, last changed at a time. Raises ValueError, one line."""
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(
            f"policy:{file} needs onnxruntime: pip install hanabi-evolve[onnx]"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # games are played in processes side by side
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(file, options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common class
        first = str(error).partition("\n")[0]
        raise ValueError(f"{file}: onnxruntime cannot read this network: {first}") from None
    sizes = [entry.shape[-1] for entry in (*session.get_inputs(), session.get_outputs()[0])]
    inputs = tuple(entry.name for entry in session.get_inputs())
    for players in COUNTS:
        variant = NAMED["standard"].at(players)
        size, actions = observation_size(variant), action_count(variant)
        if sizes in ([size, actions], [size, actions, actions]):
            return Network(session, inputs, players)
    raise ValueError(
        f"{file}: a policy maps observations, and legal actions if it likes, to a number per "
        f"action; with 2 players 658 (and 20) to 20; this one has {shown(sizes)}"
    )


def network(file: str) -> Network:
    """Return the network of a file, loaded once per process. Raises ValueError, one line."""
    try:
        changed = Path(file).stat().st_mtime_ns
    except OSError as error:
        raise ValueError(f"policy:{file}: {error.strerror or error}") from None
    return _load(file, changed)


class PolicyPlayer(ObservationPlayer):
    """A player that makes the legal action with the highest number of a network."""

    def __init__(self, file: str, name: str) -> None:
        self.file, self.name = file, name

    def choose_actions(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the legal action with the highest number for each observation."""
        found = network(self.file)
        given = [observations.astype(np.float32), legal.astype(np.float32)]
        values = found.session.run(None, dict(zip(found.inputs, given)))[0]
        return np.argmax(np.where(legal > 0, np.nan_to_num(values), -np.inf), axis=1)


@agent_kind("policy")
@dataclass(frozen=True)
class Policy(AgentKind):
    """The kind of an agent that plays by a network in an ONNX file."""

    file: str

    phrase = "plays by a network"
    spec_help = "policy:FILE.onnx plays by a network that maps observations to actions"
    needs_list = False
    is_slow = False

    @classmethod
    def split_spec(cls, text: str) -> tuple[str, dict[str, Any]]:
        """Take the whole text for the file."""
        return "", {"file": text}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Policy":
        """Return the kind for a file. Raises ValueError, one line, for what is no policy."""
        file = data.get("file")
        if set(data) != {"file"} or not isinstance(file, str) or not file.endswith(".onnx"):
            raise ValueError(f"write policy:FILE.onnx, not policy:{shown(file)}")
        network(file)
        return cls(file)

    def __str__(self) -> str:
        return self.file

    def describe(self, has_list: bool) -> str:
        """Return a sentence that names the file."""
        return f"It plays by the network in {self.file}."

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Accept an agent without lists."""

    def can_play(self, players: int, has_list: bool) -> bool:
        """Return whether the network is for this number of players."""
        return network(self.file).players == players

    def make_player(self, players: int, name: str, listed: Any = None) -> PolicyPlayer:
        """Return the player. Raises ValueError, one line, for another number of players."""
        if not self.can_play(players, False):
            raise ValueError(
                f"{name} is for {network(self.file).players} players and does not play with "
                f"{players}"
            )
        return PolicyPlayer(self.file, name)

    def data(self) -> dict[str, Any]:
        """Return its table of an agent file."""
        return {"file": self.file}

    @property
    def identity(self) -> tuple[str, str]:
        """Its key and the SHA-256 of the file."""
        return self.key, hashlib.sha256(Path(self.file).read_bytes()).hexdigest()
