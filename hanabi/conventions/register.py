"""The register of conventions, and the plan by which a table sets up each player's list.

A convention is a small function of a view, of the reading of a move and of up to six values. It
writes the meaning of the move into the reading, with the functions of marks.py, and returns 1 if
it applied, else 0. It belongs to one stage (``marks.STAGES``). Like a rule it is compiled by
itself and called by address, so a list of conventions is data: an agent file holds it beside the
rules, and evolution adds and removes members.

The compiled entry point is a loop around the function: one call applies it to all hints of a turn.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from hanabi import backend
from hanabi.backend import ROW, compiled, inlined, lowest
from hanabi.conventions.codes import prepare_question
from hanabi.conventions.fields import (
    MAX_CONVENTIONS,
    MAX_MEMORIES,
    MAX_ROWS,
    MAX_WEIGHTS,
    MEMORY_SIZE,
    STAGE_COUNT,
)
from hanabi.conventions.marks import HOOKS, STAGES, prepare_reading, read
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.game import event_card, event_move
from hanabi.moves import SEATS, slot_of
from hanabi.rule_dependencies import reads_marks
from hanabi.rulebook import Family, Rule, find, make_family, program
from hanabi.state import VIEW, View
from hanabi.variant import nearest

PLAN_FIELDS = [  # of a player, besides its rules
    ("marks_list", "i8"),  # number of its list of conventions; -1: no marks
    ("rows", ROW, MAX_ROWS),  # the conventions and their hooks, sorted by stage
    ("memories", "i8", MAX_MEMORIES),  # the keys of their memories; 0: none
    ("owners", "i8", MAX_ROWS),  # the place of each row's memory, behind all if it has none
    ("stages", "i8", STAGE_COUNT + 1),  # where each stage begins in rows, and the end
    ("weights", "f8", MAX_WEIGHTS),
]
PLAN = np.dtype((np.record, PLAN_FIELDS))
CONVENTION_FAMILIES: dict[str, Family] = {}  # by name
WORDS = {  # hooks in plain Python, which return sentences for `hanabi show --marks`
    "says": ("view", "reading", "at"),  # of a hint to which the convention gave its meaning
    "says_move": ("view", "reading", "at"),  # of every move before it is made
    "says_after": ("before", "after", "at"),  # of every move that was made, by the views
    # cards that a hint, before.readings[0], makes others play: (seat, slot, whether it would not
    # fit), for the board
    "shows": ("before", "after"),
}
MEANT = ("on_hint", "score", "give")  # hooks for a hint to which the convention gave its meaning
_reader: list = []  # the compiled marks.read with its address, once it was needed


def convention(
    stage: str,
    within: dict[str, tuple] | None = None,
    goes_with: str = "",
    group: str = "",
    memory: Sequence[str] = (),
    hooks: Mapping[str, Callable] = MappingProxyType({}),
    owner: str = "",
    **grid: tuple,
) -> Callable:
    """Register the function below as a convention, once for each combination of its values.

    Args:
        stage: When it is called: a key of ``marks.STAGES``.
        within: By value, the range that an agent file may use; default: that of the grid.
        goes_with: The family of rules without which it is worth little; evolution adds both.
        group: The name by which a config lets it evolve, if it is not among "all"; of a question
            "codes".
        memory: The names of the numbers that it keeps from move to move; ``name[seat]`` is five.
            Each function then takes ``memory``, a row with these numbers, after ``reading``.
        hooks: Functions that are called at other times, by the keys of ``marks.HOOKS`` and WORDS.
        owner: The name of the memory, where several conventions share one and its hooks; by
            default that of the convention.
        **grid: By value, the choices of evolution.

    Raises:
        TypeError: The function's parameters and the grid differ, or it has no docstring.
        ValueError: There is no such stage or hook, or the name or the values are not valid.
    """
    if stage not in STAGES:
        raise ValueError(f"no stage {stage!r}: the stages are {', '.join(STAGES)}")

    def enter(function: Callable) -> Callable:
        name = function.__name__
        _check_memory(name, memory, "memory" in signature(function).parameters)
        remembers = memory or not WORDS.keys() >= hooks.keys()
        shared, kept = (owner or name) if remembers else "", ("memory",) * bool(memory)
        key = memory_key(shared) if memory else 0
        for hook, called in hooks.items():
            _check_hook(name, hook, called, kept)
        make_family(
            "convention",
            name,
            function,
            grid,
            within or {},
            CONVENTION_FAMILIES,
            kept,
            reached=loop_over_readings(function, key),
            stage=stage,
            goes_with=goes_with,
            group=group or ("codes" if stage == "question" else ""),
            hooks=[_hook(shared, hook, hooks[hook], key) for hook in hooks if hook in HOOKS],
            words={hook: called for hook, called in hooks.items() if hook in WORDS},
            owner=shared,
        )
        return function

    return enter


def _hook(owner, hook, function, key):
    """Return the family of a convention's hook."""
    reached = loop_over_readings(function, key, HOOK_CALL)
    return Family(
        f"{owner}.{hook}", function, {}, {}, "convention", reached, stage=hook, owner=owner
    )


def _check_memory(name, memory, is_taken):
    """Raise TypeError or ValueError where what a convention declares is no memory."""
    are_names = not isinstance(memory, str) and all(isinstance(one, str) for one in memory)
    if not are_names or is_taken and not memory:
        raise TypeError(
            f'convention {name}: name the numbers that it keeps, such as memory=["giver"], not '
            f"memory={memory!r}"
        )
    size = sum(SEATS if one.endswith("]") else 1 for one in memory)
    if size > MEMORY_SIZE:
        raise ValueError(
            f"convention {name}: its memory has {size} numbers, more than {MEMORY_SIZE}; keep "
            "slots as the bits of one number"
        )


def _check_hook(name, hook, function, kept):
    """Raise TypeError or ValueError for a hook that does not exist or takes other parameters."""
    known = [*HOOKS, *WORDS]
    if hook not in known:
        raise ValueError(
            f"convention {name}: no hook {hook!r}{nearest(hook, known)}; there are "
            f"{', '.join(known)}"
        )
    wanted = WORDS.get(hook, ("view", "reading", *("hint",) * (hook in ("score", "give")), *kept))
    if tuple(signature(function).parameters) != wanted:
        raise TypeError(
            f"convention {name}: write its hook {hook} as def {function.__name__}"
            f"({', '.join(wanted)})"
        )


LOOP = """\
def asked({parameters}):
    applied, rest = 0, view.open
    {memory}
    while rest != 0:
        place = lowest(rest)
        reading = view.readings[place]
        {call}
        rest &= rest - 1
    return applied
"""
CALL = "applied |= convention({}) << place"
HOOK_CALL = "convention({})"


def loop_over_readings(function: Callable, key: int = 0, call: str = CALL) -> Callable:
    """Wrap a convention in a loop over ``view.open``, the bits of readings.

    The wrapper takes a view and the values of the convention. It returns bits of the readings to
    which the convention applied. For the cache of machine code it has the file and line of the
    convention.

    Args:
        function: The function of the convention, or its hook.
        key: The key of its memory; 0: none.
        call: How the loop calls it: CALL or HOOK_CALL.
    """
    code = function.__code__
    parameters = list(code.co_varnames[: code.co_argcount])
    values = [one for one in parameters if one not in ("view", "reading", "hint", "memory")]
    text = LOOP.format(
        parameters=", ".join(["view", *values]),
        memory=f"memory = memory_of(view, {key})" if key else "",
        call=call.format(", ".join(parameters).replace("hint", "view.hints[place - 1]")),
    )
    names: dict[str, Any] = {
        "lowest": lowest,
        "convention": inlined(function),
        "memory_of": memory_of,
        "__name__": function.__module__,
    }
    exec(compile(text, code.co_filename, "exec"), names)
    loop: FunctionType = names["asked"]
    loop.__code__ = loop.__code__.replace(co_firstlineno=code.co_firstlineno)
    loop.__qualname__ = f"{function.__qualname__} of each reading, {key}"
    return loop


def find_convention(text: str) -> Rule:
    """Return the convention written ``name`` or ``name(key=value, …)``.

    Raises:
        ValueError: There is no such convention, or a value is out of its range.
    """
    return find(text, "convention", CONVENTION_FAMILIES)


def families_for(conventions: Iterable[Rule] = ()) -> dict[str, Family]:
    """Return the families of conventions by name; parts of a code only for a list with a code."""
    has_code = any(one.family.group == "codes" for one in conventions)
    known = CONVENTION_FAMILIES.items()
    return {name: one for name, one in known if has_code or one.group != "codes"}


def stage_place(entry: Rule) -> int:
    """Return the place of a convention's stage in ``marks.STAGES``, or behind it for a hook."""
    return [*STAGES, *HOOKS].index(entry.family.stage)


def sort_by_stage(conventions: Iterable[Rule]) -> tuple[Rule, ...]:
    """Sort a list of conventions by stages, stably. Lists are compared in this form.

    Raises:
        ValueError: The list is too long, has too many memories, or names a convention or a
            setting of a game twice.
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
    if len(memory_keys(conventions)) > MAX_MEMORIES:
        raise ValueError(f"at most {MAX_MEMORIES} conventions of a list have a memory or hooks")
    return tuple(sorted(conventions, key=stage_place))


def memory_keys(entries: Iterable[Rule]) -> list[int]:
    """Return the keys of the memories of conventions or hooks, in the order of their places."""
    owners = dict.fromkeys(one.family.owner for one in entries)
    return [memory_key(owner) for owner in owners if owner]


def memory_places(entries: Sequence[Rule]) -> list[int]:
    """Return the place of the memory of each convention or hook, behind all where it has none."""
    owners = [one.family.owner for one in entries]
    places = [owner for owner in dict.fromkeys(owners) if owner]
    return [[*places, ""].index(owner) for owner in owners]


def add_hooks(conventions: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return conventions, sorted by ``sort_by_stage``, with their hooks behind them."""
    hooks = {hook.name: Rule(hook, ()) for entry in conventions for hook in entry.family.hooks}
    return (*conventions, *sorted(hooks.values(), key=stage_place))


def prepare_call(view: View, stage: str, move: int, owner: str = "") -> bool:
    """Fill view.readings[0] for a call of conventions of a stage about a move; 0: no move.

    Returns:
        Whether they are called: a hook of MEANT is if a convention of its owner gives the meaning.
    """
    if stage == "question":
        prepare_question(view)
        return True
    prepare_reading(view, move)
    view.readings[0].note = slot_of(move) if stage == "choose" else -1
    if stage in MEANT and not _gives_meaning(view, owner):
        return False
    if stage in ("score", "give"):
        view.readings[1], view.open = view.readings[0], 2
    if stage == "after_move":
        reading = view.readings[0]
        reading.giver = (view.turn - 1) % view.players
        reading.move = event_move(view.history[view.turn - 1])
    if stage == "fits":
        view.readings[0].card = event_card(view.history[view.turn - 1])
    return True


def _gives_meaning(view, owner):
    """Return whether a convention of an owner gives the hint in view.readings[0] its meaning."""
    for family in CONVENTION_FAMILIES.values():
        if family.owner == owner and family.stage == "meaning":
            with suppress(Exception):  # of a user's code, and reported where it is checked itself
                if Rule(family, tuple(choices[0] for choices in family.grid.values()))(view):
                    return True
    return False


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
        rows: ``program(add_hooks(conventions))``, where it is known.

    Raises:
        ValueError: A weight does not exist or is out of its range.
    """
    entries, keys = add_hooks(conventions), memory_keys(conventions)
    plan["rows"][: len(entries)] = program(list(entries)) if rows is None else rows
    plan["memories"][: len(keys)] = keys
    plan["owners"][: len(entries)] = memory_places(entries)
    stages = [stage_place(entry) for entry in entries]
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
                    view.owners[place, i] = plan.owners[i]
                for i in range(MAX_MEMORIES):
                    view.memories[place, i] = plan.memories[i]
        view.list_of[seat] = place
