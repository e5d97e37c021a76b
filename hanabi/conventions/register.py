"""The register of conventions, and the plan by which a table sets up each player's list.

A convention is a small function of a view, of the reading of a move and of up to six values. It
writes the meaning of the move into the reading, with the functions of marks.py, and returns 1 if
it applied, else 0. It belongs to one stage (``marks.STAGES``). Like a rule it is compiled by
itself and called by address, so a list of conventions is data: an agent file holds it beside the
rules, and evolution adds and removes members.

The compiled entry point is a loop around the function: one call applies it to all hints of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from hanabi import backend
from hanabi.backend import ROW, compiled, inlined, lowest
from hanabi.conventions.codes import prepare_question
from hanabi.conventions.fields import MAX_CONVENTIONS, MAX_WEIGHTS, STAGE_COUNT
from hanabi.conventions.marks import STAGES, prepare_reading, read
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.game import event_card
from hanabi.rule_dependencies import reads_marks
from hanabi.rulebook import Family, Rule, find, make_family, program
from hanabi.state import VIEW, View

PLAN_FIELDS = [  # of a player, besides its rules
    ("marks_list", "i8"),  # number of its list of conventions; -1: no marks
    ("rows", ROW, MAX_CONVENTIONS),  # the conventions, sorted by stage
    ("stages", "i8", STAGE_COUNT + 1),  # where each stage begins in rows, and the end
    ("weights", "f8", MAX_WEIGHTS),
]
PLAN = np.dtype((np.record, PLAN_FIELDS))
CONVENTION_FAMILIES: dict[str, Family] = {}  # by name
_reader: list = []  # the compiled marks.read with its address, once it was needed


def convention(
    stage: str,
    within: dict[str, tuple] | None = None,
    goes_with: str = "",
    group: str = "",
    **grid: tuple,
) -> Callable:
    """Register the function below as a convention, once for each combination of its values.

    Args:
        stage: When it is called: a key of ``marks.STAGES``.
        within: By value, the range that an agent file may use; default: that of the grid.
        goes_with: The family of rules without which it is worth little; evolution adds both.
        group: The name by which a config lets it evolve, if it is not among "all".
        **grid: By value, the choices of evolution.

    Raises:
        TypeError: The function's parameters and the grid differ, or it has no docstring.
        ValueError: There is no such stage, or the name or the values are not valid.
    """
    if stage not in STAGES:
        raise ValueError(f"no stage {stage!r}: the stages are {', '.join(STAGES)}")

    def enter(function: Callable) -> Callable:
        name = function.__name__
        family = make_family("convention", name, function, grid, within or {}, CONVENTION_FAMILIES)
        family.reached = loop_over_readings(function)
        family.stage = stage
        family.goes_with = goes_with
        family.group = group
        return function

    return enter


LOOP = """\
def asked({parameters}):
    applied, rest = 0, view.open
    while rest != 0:
        place = lowest(rest)
        applied |= convention({arguments}) << place
        rest &= rest - 1
    return applied
"""


def loop_over_readings(function: Callable) -> Callable:
    """Wrap a convention in a loop over ``view.open``, the bits of readings.

    The wrapper takes a view and the values of the convention. It returns bits of the readings to
    which the convention applied. For the cache of machine code it has the file and line of the
    convention.
    """
    code = function.__code__
    values = code.co_varnames[2 : code.co_argcount]
    text = LOOP.format(
        parameters=", ".join(["view", *values]),
        arguments=", ".join(["view", "view.readings[place]", *values]),
    )
    names: dict[str, Any] = {
        "lowest": lowest,
        "convention": inlined(function),
        "__name__": function.__module__,
    }
    exec(compile(text, code.co_filename, "exec"), names)
    loop: FunctionType = names["asked"]
    loop.__code__ = loop.__code__.replace(co_firstlineno=code.co_firstlineno)
    loop.__qualname__ = f"{function.__qualname__} of each reading"
    return loop


def find_convention(text: str) -> Rule:
    """Return the convention written ``name`` or ``name(key=value, …)``.

    Raises:
        ValueError: There is no such convention, or a value is out of its range.
    """
    return find(text, "convention", CONVENTION_FAMILIES)


def is_of_code(family: Family) -> bool:
    """Return whether a convention makes sense in a list with a code only: a code or a question."""
    return family.stage == "question" or family.name == "code"


def families_without_code() -> dict[str, Family]:
    """Return the families of conventions that are not parts of a code, by name."""
    return {name: one for name, one in CONVENTION_FAMILIES.items() if not is_of_code(one)}


def stage_place(entry: Rule) -> int:
    """Return the place of a convention's stage in ``marks.STAGES``."""
    return list(STAGES).index(entry.family.stage)


def sort_by_stage(conventions: Iterable[Rule]) -> tuple[Rule, ...]:
    """Sort a list of conventions by stages, stably. Lists are compared in this form.

    Raises:
        ValueError: The list is too long, or names a convention or a setting of a game twice.
    """
    conventions = tuple(conventions)
    names = [
        entry.family.name if entry.family.stage == "game" else entry.name for entry in conventions
    ]
    if len(names) > MAX_CONVENTIONS:
        raise ValueError(f"a list of conventions has at most {MAX_CONVENTIONS}, not {len(names)}")
    if len(set(names)) < len(names):
        name = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the convention {name} is twice in the list: write it once")
    return tuple(sorted(conventions, key=stage_place))


def prepare_call(view: View, stage: str, move: int) -> None:
    """Fill view.readings[0] for a call of conventions of a stage about a move; 0: no move."""
    if stage == "question":
        prepare_question(view)
        return
    prepare_reading(view, move)
    if stage == "fits":
        view.readings[0].card = event_card(view.history[view.turn - 1])


def needs_marks(entry: Rule) -> bool:
    """Return whether a list with this rule needs marks."""
    return entry.guard is not None and entry.guard.of_marks or reads_marks(entry.family.function)


def write_plan(
    plan: np.void,
    conventions: tuple[Rule, ...],
    weights: dict[str, float],
    rows: np.ndarray | None = None,
) -> None:
    """Write conventions, sorted by ``sort_by_stage``, and weights into a PLAN.

    Args:
        plan: The PLAN.
        conventions: The conventions.
        weights: The weights that differ from the library's.
        rows: ``program(conventions)``, where it is known.

    Raises:
        ValueError: A weight does not exist or is out of its range.
    """
    plan["rows"][: len(conventions)] = program(list(conventions)) if rows is None else rows
    stages = [stage_place(entry) for entry in conventions]
    plan["stages"] = [sum(stage < bound for stage in stages) for bound in range(STAGE_COUNT + 1)]
    plan["weights"][: len(WEIGHTS)] = read_weights(weights)


def make_plans(players: list, view: np.record, always: bool = False) -> np.ndarray:
    """Return a PLAN per player, valid in this process only; none if no player needs marks.

    Compiles the code that keeps marks at first need, and puts its address into the view.

    Args:
        players: The players.
        view: The view of the table.
        always: Keep marks for every player.
    """
    plans, lists = np.zeros(len(players), PLAN), []
    for plan, player in zip(plans, players, strict=True):
        conventions = sort_by_stage(player.conventions)
        kept = always or bool(conventions) or any(needs_marks(entry) for entry in player.rules)
        if kept and conventions not in lists:
            lists.append(conventions)
        plan["marks_list"] = lists.index(conventions) if kept else -1
        write_plan(plan, conventions, dict(player.weights))
    if not lists:
        return plans[:0]
    if not _reader:
        _reader.append(backend.address(VIEW, 1, read))
    view.reader = _reader[0][0]
    return plans


def keep_marks(view: np.record, lists: list[tuple[Rule, ...]]) -> None:
    """Prepare a view without a Table (a replay) to keep marks; the deal comes after it.

    Args:
        view: The view.
        lists: A list of conventions per seat.
    """
    seats = [
        SimpleNamespace(conventions=conventions, rules=(), weights=()) for conventions in lists
    ]
    seat_players(
        view, make_plans(seats, view, always=True), np.arange(len(lists)).reshape(1, -1), 0
    )


@compiled
def seat_players(view: View, plans: np.ndarray, seats: np.ndarray, game: int) -> None:
    """Write the plans of the players at the seats into a view, before a deal.

    Args:
        view: The view.
        plans: A PLAN per player; empty: no conventions at this table.
        seats: By game, the player at each seat.
        game: The row of ``seats``.
    """
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
                for i in range(STAGE_COUNT + 1):
                    view.stages[place, i] = plan.stages[i]
                for i in range(plan.stages[STAGE_COUNT]):
                    view.conventions[place, i] = plan.rows[i]
        view.list_of[seat] = place
