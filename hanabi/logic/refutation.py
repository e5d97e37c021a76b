"""Why a formula is false: the worlds that show it, by the operators from outside in."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hanabi.logic.formulas import (
    And,
    Announced,
    CommonKnowledge,
    DistributedKnowledge,
    Formula,
    Knows,
    Or,
    is_plain,
)
from hanabi.logic.kripke import Model
from hanabi.logic.logic_state import LogicState


@dataclass(frozen=True)
class Step:
    """A step from one world to another: a seat considers this hand possible (-1: empty slot)."""

    seat: int
    hand: tuple[int, ...]


@dataclass(frozen=True)
class Said:
    """A public announcement on the way."""

    fact: Formula


@dataclass(frozen=True)
class Verdict:
    """Whether a formula is true; None where that is not decided.

    Where it is false: steps from the true world to one in which `fails`, the formula or a part of
    it, is false.
    """

    true: bool | None
    steps: tuple[Step | Said, ...] = ()
    fails: Formula | None = None

    def after(self, *steps: Step | Said) -> "Verdict":
        """Return the same verdict, reached by some steps more."""
        return Verdict(self.true, (*steps, *self.steps), self.fails)


YES, OPEN = Verdict(True), Verdict(None)


def all_true(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a conjunction: one false part decides it, whatever is open."""
    open_ = False
    for verdict in verdicts:
        if verdict.true is False:
            return verdict
        open_ |= verdict.true is None
    return OPEN if open_ else YES


def refute(model: Model, formula: Formula, world: int) -> Verdict:
    """Return the steps to a world in which a formula, false in this world, visibly fails.

    Its negations are pushed inwards (`formulas.pushed`). Of several worlds the one with the fewest
    other cards is taken.
    """
    match formula:
        case And(parts) if not is_plain(formula):
            return refute(
                model, next(part for part in parts if not model.holds(part, world)), world
            )
        case Or(parts) if sum(not is_plain(part) for part in parts) == 1:
            return refute(model, next(part for part in parts if not is_plain(part)), world)
        case Knows(agent, part):
            alike = model.alike(agent, world)
            found = _nearest(model, alike[~model.truth(part)[alike]], world)
            return refute(model, part, found).after(_step(model, agent, found))
        case DistributedKnowledge(group, part):  # two seats together see every card
            return refute(model, Knows(group[0], part) if len(group) == 1 else part, world)
        case CommonKnowledge(group, part):
            path = _path(model, group, world, ~model.truth(part))
            steps = [_step(model, agent, found) for agent, found in path]
            return refute(model, part, path[-1][1] if path else world).after(*steps)
        case Announced(fact, then):
            here = model.truth(fact)
            return refute(model.restrict(here), then, int(here[:world].sum())).after(Said(fact))
    return Verdict(False, (), formula)


def _step(model: Model, seat: int, world: int) -> Step:
    state = model.meaning
    assert isinstance(state, LogicState)
    return Step(
        seat,
        tuple(
            int(model.facts[f"slot({seat},{slot})"][world])
            for slot in range(len(state.hands[seat]))
        ),
    )


def _nearest(model: Model, worlds: np.ndarray, world: int) -> int:
    """Return, of some worlds, the one in which the fewest slots differ from a world."""
    return int(
        worlds[
            np.argmin(
                sum(
                    (column[worlds] != column[world]).astype(int) for column in model.facts.values()
                )
            )
        ]
    )


def _path(
    model: Model, group: tuple[int, ...], world: int, goal: np.ndarray
) -> list[tuple[int, int]]:
    """Return the shortest way to a world of the goal, as steps (agent, world).

    A step goes to a world that some agent of the group cannot tell from the one before.
    """
    came: dict[int, tuple[int, int]] = {}  # world -> (agent, the world before it)
    seen, edge = np.arange(len(model)) == world, np.array([world])
    while not goal[edge].any():
        fresh = []
        for agent in group:
            labels = model.labels[model.agents.index(agent)]
            first = np.full(labels.max() + 1, -1)
            first[labels[edge]] = edge
            reached = np.flatnonzero(~seen & (first[labels] >= 0))
            seen[reached] = True
            came |= {
                int(new): (agent, int(old)) for new, old in zip(reached, first[labels[reached]])
            }
            fresh.append(reached)
        edge = np.concatenate(fresh)
    path, at = [], _nearest(model, edge[goal[edge]], world)
    while at != world:
        agent, before = came[at]
        path.append((agent, at))
        at = before
    return path[::-1]
