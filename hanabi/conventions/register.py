"""The register of conventions, and how the lists that agents play by get to a table.

A convention is a small function of a view, of the reading of a move and of up to six values. It writes into the reading
what the move means, with the verbs of marks.py, and returns 1 if it applied, else 0. It speaks in one stage
(``marks.STAGES``). Like a rule it is compiled by itself and reached by address, so a list of conventions is data: an agent
file holds it beside the rules, and evolution switches its members.

What has the address is a loop around the function: one call asks it about all hints of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from hanabi import backend
from hanabi.backend import ROW, compiled, inlined, lowest
from hanabi.conventions.fields import CONVENTIONS, MAX_WEIGHTS, STAGES
from hanabi.conventions.marks import STAGES as WHEN
from hanabi.conventions.marks import read
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.rule_dependencies import looks_at_marks
from hanabi.rulebook import Family, Rule, find, make_family, program
from hanabi.state import VIEW

PLAN = np.dtype(
    (
        np.record,
        [  # what a player brings to a table besides its rules
            (
                "marks_list",
                "i8",
            ),  # which list of conventions: equal lists, equal numbers; -1: no marks
            ("rows", ROW, CONVENTIONS),
            ("stages", "i8", STAGES + 1),
            ("weights", "f8", MAX_WEIGHTS),
        ],
    )
)
CONVENTION_FAMILIES: dict[str, Family] = {}  # by name
STAGE_OF: dict[str, int] = {}  # by name: place in marks.STAGES
_reader: list = []


def convention(
    stage: str, within: dict[str, tuple] | None = None, goes_with: str = "", **grid: tuple
) -> Callable:
    """Register a convention; ``stage`` is a key of ``marks.STAGES``, grid and ``within`` are as for a rule. ``goes_with``: the
    family of rules that it is worth little without; evolution adds one with it."""
    if stage not in WHEN:
        raise ValueError(f"no stage {stage!r}: a convention speaks in {', '.join(WHEN)}")

    def enter(function: Callable) -> Callable:
        name = function.__name__
        family = make_family("convention", name, function, grid, within or {}, CONVENTION_FAMILIES)
        family.reached, family.stage, family.goes_with = of_each_reading(function), stage, goes_with
        STAGE_OF[name] = list(WHEN).index(stage)
        return function

    return enter


def of_each_reading(function: Callable) -> Callable:
    """A function of a view and the values of a convention: asks it about each of ``view.open``, readings given as bits, and
    returns what it answers, each answer from the place of its reading on.

    To the cache of machine code it is the convention: it stands in the same file, at the same line."""
    code, values = (
        function.__code__,
        function.__code__.co_varnames[2 : function.__code__.co_argcount],
    )
    text = (
        f"def asked({', '.join(['view', *values])}):\n answers, rest = 0, view.open\n while rest != 0:\n  place = lowest(rest)\n"
        f"  answers |= convention({', '.join(['view', 'view.readings[place]', *values])}) << place\n"
        "  rest &= rest - 1\n return answers"
    )
    around: dict[str, Any] = {
        "lowest": lowest,
        "convention": inlined(function),
        "__name__": function.__module__,
    }
    exec(compile(text, code.co_filename, "exec"), around)
    asked: FunctionType = around["asked"]
    asked.__code__ = asked.__code__.replace(co_firstlineno=code.co_firstlineno)
    asked.__qualname__ = f"{function.__qualname__} of each reading"
    return asked


def find_convention(text: str) -> Rule:
    """The convention written ``name`` or ``name(key=value, …)``. Raises ValueError, in one line, if there is none."""
    return find(text, "convention", CONVENTION_FAMILIES)


def in_stages(conventions: Iterable[Rule]) -> tuple[Rule, ...]:
    """A list by stages, its order kept inside a stage: what lists are compared by. Raises ValueError for a list that is too
    long, says the same twice, or agrees twice on what is agreed once, when a game begins."""
    conventions = tuple(conventions)
    names = [
        entry.family.name if entry.family.stage == "game" else entry.name for entry in conventions
    ]
    if len(names) > CONVENTIONS:
        raise ValueError(f"a list of conventions has at most {CONVENTIONS}, not {len(names)}")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the convention {name} stands twice in the list: write it once")
    return tuple(sorted(conventions, key=lambda entry: STAGE_OF[entry.family.name]))


def needs_marks(entry: Rule) -> bool:
    """Are marks to be kept where a list has this rule?"""
    return entry.guard is not None and entry.guard.of_marks or looks_at_marks(entry.family.function)


def bring(plan: np.void, conventions: tuple[Rule, ...], weights: dict[str, float]) -> None:
    """Write conventions (by stages: ``in_stages``) and weights into a PLAN. ValueError, one line, for a weight that there is not."""
    plan["rows"][: len(conventions)] = program(list(conventions))
    stages = [STAGE_OF[entry.family.name] for entry in conventions]
    plan["stages"] = [sum(stage < bound for stage in stages) for bound in range(STAGES + 1)]
    plan["weights"][: len(WEIGHTS)] = read_weights(weights)


def plans_of(players: list, view: np.record, always: bool = False) -> np.ndarray:
    """A PLAN for every player, good in this process only; none if nobody needs marks (unless ``always``). Makes the
    view ready to keep them: compiles the code that does at first need."""
    plans, lists = np.zeros(len(players), PLAN), []
    for plan, player in zip(plans, players, strict=True):
        conventions = in_stages(player.conventions)
        kept = always or bool(conventions) or any(needs_marks(entry) for entry in player.rules)
        if kept and conventions not in lists:
            lists.append(conventions)
        plan["marks_list"] = lists.index(conventions) if kept else -1
        bring(plan, conventions, dict(player.weights))
    if not lists:
        return plans[:0]
    if not _reader:
        _reader.append(backend.address(VIEW, 1, read))
    view.reader = _reader[0][0]
    return plans


def keep_marks(view: np.record, lists: list[tuple[Rule, ...]]) -> None:
    """Prepare a view that no Table prepares (a replay) to keep marks: a list of conventions a seat. Deal next."""
    seats = [
        SimpleNamespace(conventions=conventions, rules=(), weights=()) for conventions in lists
    ]
    sit_down(view, plans_of(seats, view, always=True), np.arange(len(lists)).reshape(1, -1), 0)


@compiled
def sit_down(view, plans, seats, game):
    """Before a deal: write into a view what the players at its seats (a row of ``seats``) bring. No plans: no
    conventions at this table."""
    view.lists = view.failed = 0
    if len(plans) == 0:
        return
    for seat in range(view.players):
        plan = plans[seats[game, seat]]
        for i in range(MAX_WEIGHTS):
            view.weights[seat, i] = plan.weights[i]
        place = -1
        if plan.marks_list >= 0:
            for other in range(seat):
                if plans[seats[game, other]].marks_list == plan.marks_list:
                    place = view.list_of[other]
            if place < 0:
                place = view.lists
                view.lists += 1
                for i in range(STAGES + 1):
                    view.stages[place, i] = plan.stages[i]
                for i in range(plan.stages[STAGES]):
                    view.conventions[place, i] = plan.rows[i]
        view.list_of[seat] = place
