"""Kripke models of knowledge (S5ⁿ): worlds, indistinguishability, truth of formulas."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from hanabi.logic.formulas import (
    And,
    Announced,
    Atom,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    EverybodyKnows,
    Formula,
    Implies,
    Knows,
    Not,
    Or,
)
from hanabi.logic.parser import read

Facts = Mapping[str, np.ndarray]  # each column: one value per world, bool or a small integer


class Meaning(Protocol):
    """What atoms say about the facts, and the names of the agents 0, 1, …, if they have any."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the agents by number; empty if they have none."""

    def truth(self, facts: Facts, atom: Atom) -> np.ndarray:
        """Return where an atom holds, bool[N]; ValueError for an unknown atom."""


@dataclass(frozen=True)
class Columns:
    """The plainest meaning: an atom is the column of its name; agents may have names."""

    names: Sequence[str] = ()

    def truth(self, facts: Facts, atom: Atom) -> np.ndarray:
        """Return the column of the atom's name as bool[N]; ValueError if there is none."""
        if str(atom) not in facts:
            raise ValueError(f"no atom {atom}; the atoms are {', '.join(facts)}")
        return facts[str(atom)].astype(bool)


@dataclass(frozen=True, eq=False)
class Model:
    """Worlds 0…N-1.

    Every method leaves the model as it is and answers with arrays or a new model.
    """

    agents: tuple[int, ...]  # their numbers, in the order of the rows of `labels`
    labels: np.ndarray  # int32[agents, N]; an agent cannot tell worlds of equal label apart
    facts: Facts
    meaning: Meaning = field(default_factory=Columns)
    classes: np.ndarray = field(
        init=False, repr=False
    )  # int64[agents]: how many different labels each agent has

    def __post_init__(self) -> None:
        labels = np.asarray(self.labels)
        if (
            labels.ndim != 2
            or len(labels) != len(self.agents)
            or len(set(self.agents)) != len(self.agents)
        ):
            raise ValueError(
                f"labels of shape {labels.shape} for agents {self.agents}: one row per agent, "
                "each once"
            )
        if any(np.shape(column) != labels.shape[1:] for column in self.facts.values()):
            raise ValueError(
                f"every column of facts needs one value for each of the {labels.shape[1]} worlds"
            )
        tight = np.array([_renumbered(row) for row in labels], np.int32).reshape(labels.shape)
        object.__setattr__(self, "labels", tight)
        object.__setattr__(self, "classes", tight.max(axis=1, initial=-1) + 1)

    def __len__(self) -> int:
        return self.labels.shape[1]

    def __repr__(self) -> str:
        agents = ", ".join(map(str, self.agents))
        return f"<Model: {len(self)} {'world' if len(self) == 1 else 'worlds'}, agents {agents}>"

    # What is true

    def truth(self, formula: Formula | str) -> np.ndarray:
        """Return where a formula holds, bool[N].

        An unknown agent or atom is a ValueError, in a text with its column.
        """
        if isinstance(formula, str):
            formula = self.read(formula)
        match formula:
            case Atom():
                return self.meaning.truth(self.facts, formula)
            case Not(part):
                return ~self.truth(part)
            case And(parts):
                return self._all(self.truth(part) for part in parts)
            case Or(parts):
                return ~self._all(~self.truth(part) for part in parts)
            case Implies(left, right):
                return ~self.truth(left) | self.truth(right)
            case Knows(agent, part):
                return self._known(self._row(agent), self.truth(part))
            case Considers(agent, part):
                return ~self._known(self._row(agent), ~self.truth(part))
            case EverybodyKnows(group, part):
                inside = self.truth(part)
                return self._all(self._known(self._row(agent), inside) for agent in group)
            case CommonKnowledge(group, part):
                return _everywhere(self.components(group), self.truth(part))
            case DistributedKnowledge(group, part):
                return _everywhere(
                    _joint([self.labels[self._row(agent)] for agent in group]), self.truth(part)
                )
            case Announced(fact, then):
                here = self.truth(fact)
                result = ~here
                result[here] = self.restrict(here).truth(then)
                return result
        raise ValueError(f"{formula!r} is no formula: read(text) makes one")

    def holds(self, formula: Formula | str, world: int) -> bool:
        """Tell whether a formula is true in one world."""
        return bool(self.truth(formula)[world])

    def read(self, text: str) -> Formula:
        """Read a formula about this model: its agents, by number or name, and its atoms only."""
        nowhere = {name: column[:0] for name, column in self.facts.items()}
        return read(
            text, self.agents, lambda atom: self.meaning.truth(nowhere, atom), self.meaning.names
        )

    def components(self, group: Iterable[int]) -> np.ndarray:
        """Label the worlds by connected component of a group's relations, int32[N].

        What a group commonly knows is what holds throughout a component.
        """
        # scipy is imported here: that takes longer than checking most models
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        rows = [self._row(agent) for agent in group]
        first = len(self) + np.cumsum([0, *self.classes[rows]])
        worlds = np.tile(np.arange(len(self)), len(rows))
        classes = np.concatenate([self.labels[row] + start for row, start in zip(rows, first)])
        edges = csr_array(
            (np.ones(len(worlds), np.int8), (worlds, classes)), shape=(first[-1], first[-1])
        )
        return connected_components(edges, directed=False)[1][: len(self)]

    def alike(self, agent: int, world: int) -> np.ndarray:
        """Return the worlds that an agent considers possible in a world, as numbers."""
        row = self.labels[self._row(agent)]
        return np.flatnonzero(row == row[world])

    def find(self, **facts: int) -> np.ndarray:
        """Return the numbers of the worlds in which columns have the given values.

        Examples: find(p=1), find(**{"slot(0,1)": 7}).
        """
        return np.flatnonzero(self._all(self.facts[name] == value for name, value in facts.items()))

    # What changes it

    def restrict(self, keep: np.ndarray) -> "Model":
        """Return the model of the worlds kept (bool[N]), all else equal."""
        facts = {name: column[keep] for name, column in self.facts.items()}
        return replace(self, labels=self.labels[:, keep], facts=facts)

    def announce(self, formula: Formula | str) -> "Model":
        """Return the model after a truthful public announcement: the worlds in which it is true."""
        return self.restrict(self.truth(formula))

    # Inside

    def _row(self, agent: int) -> int:
        if agent not in self.agents:
            raise ValueError(f"no agent {agent}; the agents are {', '.join(map(str, self.agents))}")
        return self.agents.index(agent)

    def _known(self, row: int, inside: np.ndarray) -> np.ndarray:
        return _everywhere(self.labels[row], inside, self.classes[row])

    def _all(self, truths: Iterable[np.ndarray]) -> np.ndarray:
        result = np.ones(len(self), bool)
        for truth in truths:
            result &= truth
        return result


def seeing(
    facts: Facts, sees: Mapping[int, Iterable[str]], meaning: Meaning | None = None
) -> Model:
    """Make the model in which each agent sees certain columns of facts.

    An agent cannot tell worlds apart that agree on all the columns that it sees.
    """
    facts = {name: np.asarray(column) for name, column in facts.items()}
    worlds = len(next(iter(facts.values())))
    labels = [_joint([facts[name] for name in names], worlds) for names in sees.values()]
    return Model(
        tuple(sees), np.reshape(labels, (len(labels), worlds)), facts, meaning or Columns()
    )


def _everywhere(labels: np.ndarray, inside: np.ndarray, classes: int | None = None) -> np.ndarray:
    """Tell for each label whether a formula (bool[N]) holds in all its worlds."""
    broken = np.zeros(labels.max(initial=-1) + 1 if classes is None else classes, bool)
    broken[labels[~inside]] = True
    return ~broken[labels]


def _renumbered(labels: np.ndarray) -> np.ndarray:
    """Return the same partition with labels from 0 without gaps."""
    if not len(labels):
        return labels.astype(np.int32)
    low, high = int(labels.min()), int(labels.max())
    if high - low > 8 * len(labels) + 64:  # too sparse for a table of labels: sort instead
        return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int32)
    labels = labels.astype(np.int64) - low
    used = np.zeros(high - low + 1, bool)
    used[labels] = True
    return (np.cumsum(used, dtype=np.int32) - 1)[labels]


def _joint(columns: list[np.ndarray], worlds: int = 0) -> np.ndarray:
    """Label worlds by several columns at once, int32[N]: equal where all of them are equal."""
    code, size = np.zeros(len(columns[0]) if columns else worlds, np.int64), 1
    for column in columns:
        column = _renumbered(column)
        width = int(column.max(initial=0)) + 1
        if size * width >= 2**62:
            code = _renumbered(code).astype(np.int64)
            size = int(code.max(initial=0)) + 1
        code, size = code * width + column, size * width
    return _renumbered(code)
