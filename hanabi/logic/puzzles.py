"""Puzzles about knowledge: worlds, what each person sees, and what is announced in turn.

`wise_men` and `muddy_children` are the classic ones, `from_data` makes one from a user's file;
`play_through` plays it through.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.files import read_toml
from hanabi.logic.formulas import Atom, Formula, Knows, all_of, any_of
from hanabi.logic.kripke import Columns, Model, seeing
from hanabi.notation import counted, read_texts, read_value
from hanabi.variant import check_keys, check_known, errors_named, nearest, shown

MOST = 16  # facts: 65,536 worlds
LISTED = 32  # worlds that are written down
SEATINGS: dict[str, Callable[[int, int], bool]] = {  # who (one) sees whose hat (other)
    "all": lambda one, other: one != other,
    "ahead": lambda one, other: one < other,
    "behind": lambda one, other: one > other,
}


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: its model before any announcement, and the announcements.

    Attributes:
        model: The worlds before anything is said.
        people: Names by number.
        here: The true world, a value per fact.
        wanted: The facts that each person wants to know.
        said: In turn (words, a formula, ()), or ("", None, the people who say together whether they
            know what they want to know).
        show: Writes a world as text, from its values in the order of the facts.
    """

    title: str
    model: Model
    people: Sequence[str]
    wanted: Mapping[int, Sequence[str]]
    here: Mapping[str, bool]
    said: Sequence[tuple[str, Formula | None, Sequence[int]]]
    show: Callable[[Sequence[bool]], str]


@dataclass(frozen=True)
class View:
    """The structure M_p of Irvall's thesis: what one person considers possible of the others.

    Attributes:
        person: The person p, by number.
        worlds: By each world that p considers possible, and by each other person's name: the worlds
            that this person considers possible there.
    """

    person: int
    worlds: dict[str, dict[str, tuple[str, ...]]]

    def data(self) -> dict[str, Any]:
        """Return the view as data that JSON can hold."""
        worlds = {
            world: {name: list(some) for name, some in of.items()}
            for world, of in self.worlds.items()
        }
        return dict(person=self.person + 1, worlds=worlds)


@dataclass(frozen=True)
class Stage:
    """The last announcement, the worlds it leaves, and which wanted facts each person now knows.

    The worlds are listed where they are few.
    """

    said: str
    count: int
    worlds: tuple[str, ...]
    known: dict[str, tuple[str, ...]]
    all_known: tuple[str, ...]  # people who know all that they want to know
    view: View | None = None

    def data(self) -> dict[str, Any]:
        """Return the stage as data that JSON can hold."""
        seen = {} if self.view is None else {"view": self.view.data()}
        return seen | dict(
            said=self.said,
            worlds=self.count,
            which=list(self.worlds),
            knows={name: list(facts) for name, facts in self.known.items()},
        )


def combinations(names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return all worlds of some facts, as columns; in the last one all are true."""
    numbers = np.arange(2 ** len(names))
    return {name: (numbers >> place & 1).astype(bool) for place, name in enumerate(names)}


def knows_whether(agent: int, atom: Formula) -> Formula:
    """Return the formula that an agent knows whether an atom holds."""
    return Knows(agent, atom) | Knows(agent, ~atom)


def _atoms(name, count):
    return [Atom(name, (place,)) for place in range(count)]


def _of_letters(letters, case, count, atoms, what):
    """Return the true world of a case such as RRW: the first letter marks a true fact."""
    if set(case) - set(letters) or not 2 <= len(case) <= MOST:
        raise ValueError(
            f"a case is written with 2 to {MOST} letters {' and '.join(letters)}, one per {what}, "
            f"not {shown(case)}"
        )
    if count is not None and count != len(case):
        raise ValueError(
            f"the case {case} is one of {len(case)} people, not of {count}: leave one of the two "
            "out"
        )
    return {
        str(atom): letter == letters[0] for atom, letter in zip(atoms(len(case)), case, strict=True)
    }


def _few(count):
    if not 2 <= count <= MOST:
        raise ValueError(f"a puzzle has 2 to {MOST} people, not {count}")
    return count


def wise_men(count: int | None = None, case: str | None = None, seating: str = "all") -> Puzzle:
    """Make the puzzle of the wise men and their hats.

    The king announces that there is one white hat fewer than men; the men say in turn whether they
    know their own.

    Args:
        count: The number of men, 3 by default.
        case: Their hats, such as RRW; all red by default.
        seating: Who sees whom, a key of SEATINGS.
    """
    check_known(seating, SEATINGS, "no seating")
    case = "R" * _few(3 if count is None else count) if case is None else case
    here = _of_letters("RW", case, count, lambda n: _atoms("red", n), "man")
    names, people = [*here], tuple(f"man {place + 1}" for place in range(len(here)))
    sees = {
        one: [name for other, name in enumerate(names) if SEATINGS[seating](one, other)]
        for one in range(len(names))
    }
    seen = {
        "all": "every hat but his own",
        "ahead": "the hats of those after him",
        "behind": "the hats of those before him",
    }
    king = any_of(_atoms("red", len(names)))
    turns = [("", None, (man,)) for man in range(len(names))]
    return Puzzle(
        f"{len(names)} wise men, {len(names)} red hats and {len(names) - 1} white; each sees "
        f"{seen[seating]}.",
        seeing(combinations(names), sees),
        people,
        {man: [name] for man, name in enumerate(names)},
        here,
        [("king: at least one hat is red", king, ()), *turns],
        lambda world: "".join("WR"[value] for value in world),
    )


def muddy_children(count: int | None = None, case: str | None = None) -> Puzzle:
    """Make the puzzle of the muddy children; each sees every forehead except its own.

    A parent announces that at least one is muddy; then all children together say, repeatedly,
    whether they know.

    Args:
        count: The number of children, 3 by default.
        case: Muddy or clean, such as MMC; all muddy by default.
    """
    case = "M" * _few(3 if count is None else count) if case is None else case
    here = _of_letters("MC", case, count, lambda n: _atoms("muddy", n), "child")
    names, people = [*here], tuple(f"child {place + 1}" for place in range(len(here)))
    sees = {
        one: [name for other, name in enumerate(names) if other != one] for one in range(len(names))
    }
    parent = any_of(_atoms("muddy", len(names)))
    return Puzzle(
        f"{len(names)} children, each of them muddy or clean; each sees every forehead but its "
        "own.",
        seeing(combinations(names), sees),
        people,
        {child: [name] for child, name in enumerate(names)},
        here,
        [
            ("parent: at least one is muddy", parent, ()),
            *[("", None, tuple(sees))] * sum(here.values()),
        ],
        lambda world: "".join("CM"[value] for value in world),
    )


PUZZLES: dict[str, Callable[..., Puzzle]] = {"wise-men": wise_men, "muddy-children": muddy_children}


def from_data(data: dict[str, Any], where: str) -> Puzzle:
    """Make the puzzle of a TOML file.

    Keys: ``people``, names; ``facts``, names; ``sees``, by person the facts that it sees;
    ``here``, the facts that are true; ``said``, in turn formulas, or ``Ann?`` for "Ann says
    whether she knows".

    Raises:
        ValueError: In one line, for anything else.
    """
    check_keys(data, ("people", "facts", "sees", "here", "said"), where)
    people, facts, here, said = (
        read_texts(data, key, where) for key in ("people", "facts", "here", "said")
    )
    sees_of = read_value(data, "sees", dict, {}, where)
    for what, given, allowed in (
        ("here", here, facts),
        ("[sees]", sees_of, people),
        *((f"sees.{name}", read_texts(sees_of, name, where), facts) for name in sees_of),
    ):
        for name in given:
            check_known(name, allowed, f"{where}: {what} names")
    if (
        not facts
        or len(facts) > MOST
        or len(set(facts)) < len(facts)
        or not people
        or len(set(people)) < len(people)
    ):
        raise ValueError(f"{where}: a puzzle has people and 1 to {MOST} facts, each once")
    sees = {place: read_texts(sees_of, name, where) for place, name in enumerate(people)}
    with errors_named(where):
        model = seeing(combinations(facts), sees, Columns(people))
        for fact in facts:
            if str(model.read(fact)) != fact or not isinstance(model.read(fact), Atom):
                raise ValueError(f"{shown(fact)} is no fact: write a name such as rain or muddy(2)")
        turns = [
            ("", None, (people.index(text[:-1]),))
            if text[:-1] in people and text.endswith("?")
            else (text, model.read(text), ())
            for text in said
        ]
    wanted = {place: [fact for fact in facts if fact not in sees[place]] for place in sees}
    return Puzzle(
        f"{where}: {len(facts)} facts, {', '.join(people)}.",
        model,
        people,
        wanted,
        {fact: fact in here for fact in facts},
        turns,
        lambda world: (
            "{" + " ".join(fact for fact, value in zip(facts, world, strict=True) if value) + "}"
        ),
    )


def puzzle_of(name: str, **options: Any) -> Puzzle:
    """Return the puzzle of a name or a file.

    Args:
        name: A key of PUZZLES, or a TOML file.
        options: Arguments of its function in PUZZLES; None for the default.

    Raises:
        ValueError: In one line, for an unknown puzzle or option.
    """
    options = {key: value for key, value in options.items() if value is not None}
    if name not in PUZZLES and not name.endswith(".toml"):
        raise ValueError(
            f"no puzzle {shown(name)}{nearest(name, PUZZLES)}; there are {', '.join(PUZZLES)}, "
            "and .toml files of your own"
        )
    takes = (
        {"people": "count", "case": "case"} | ({"seating": "seating"} if name == "wise-men" else {})
        if name in PUZZLES
        else {}
    )
    for key in options:
        if key not in takes:
            raise ValueError(f"the puzzle {name} takes no --{key}: leave it out")
    if name in PUZZLES:
        return PUZZLES[name](**{takes[key]: value for key, value in options.items()})
    return from_data(read_toml(name), name)


def stages_text(puzzle: Puzzle, stages: Sequence[Stage]) -> str:
    """Return the stages of a puzzle as text for a terminal."""
    lines = [puzzle.title, f"In truth: {puzzle.show([*puzzle.here.values()])}."]
    for stage in stages:
        lines += ["", stage.said or "Before anything is said"]
        worlds = f": {' '.join(stage.worlds)}" if stage.worlds else ""
        lines.append(f"  {counted(stage.count, 'world')} left{worlds}")
        several = any(len(puzzle.wanted[agent]) > 1 for agent in puzzle.wanted)
        who = [
            f"{name} ({', '.join(facts)})" if several else name
            for name, facts in stage.known.items()
            if facts
        ]
        lines.append(f"  who knows: {', '.join(who) or 'nobody'}")
        if stage.view:
            lines += _view_lines(puzzle, stage.view)
    return "\n".join(lines)


def _view_lines(puzzle, view):
    lines = [f"  M_{view.person + 1}: the worlds that {puzzle.people[view.person]} considers"]
    for world, others in view.worlds.items():
        some = "; ".join(f"{name} considers {' '.join(worlds)}" for name, worlds in others.items())
        lines.append(f"    {world}, in which {some}")
    return lines


def person_of(puzzle: Puzzle, text: str) -> int:
    """Return the number, from 0, of a person given by name or by number from 1.

    Raises:
        ValueError: If there is no such person.
    """
    if text in puzzle.people:
        return puzzle.people.index(text)
    if text.isdecimal() and 1 <= int(text) <= len(puzzle.people):
        return int(text) - 1
    raise ValueError(
        f"no person {shown(text)}: write a number from 1 to {len(puzzle.people)}, or "
        + ", ".join(puzzle.people)
    )


def _announced(puzzle, speakers, knowing):
    if len(speakers) == 1:
        return f"{puzzle.people[speakers[0]]}: I {'know' if knowing else 'do not know'}"
    verb = "knows" if len(knowing) < 2 else "know"
    return f"all together: {', '.join(knowing) or 'nobody'} {verb}"


def play_through(puzzle: Puzzle, person: int | None = None) -> list[Stage]:
    """Return the puzzle before any announcement, and after each one.

    Args:
        puzzle: The puzzle.
        person: Whose View each stage has; None for no view.

    Raises:
        ValueError: In one line, for an announcement that is false here, or for a view of too many
            worlds.
    """
    model, stages = puzzle.model, [_stage(puzzle, puzzle.model, "", person)]
    for words, formula, speakers in puzzle.said:
        if formula is None:
            knowing = [
                puzzle.people[agent]
                for agent in speakers
                if puzzle.people[agent] in stages[-1].all_known
            ]
            formula = all_of(
                _says(puzzle, agent, puzzle.people[agent] in knowing) for agent in speakers
            )
            words = _announced(puzzle, speakers, knowing)
        if not model.holds(formula, _true(puzzle, model)):
            raise ValueError(f"nobody can say what is not true here: {words}")
        model = model.announce(formula)
        stages.append(_stage(puzzle, model, words, person))
    return stages


def _view(puzzle, model, person):
    """Return the View of a person in the true world."""
    here = model.alike(person, _true(puzzle, model))
    if len(here) > LISTED:
        raise ValueError(
            f"{puzzle.people[person]} considers {len(here)} worlds: at most {LISTED} are printed"
        )
    columns = [model.facts[name] for name in puzzle.here]

    def text(world):
        return puzzle.show([bool(column[world]) for column in columns])

    return View(
        person,
        {
            text(world): {
                name: tuple(map(text, model.alike(other, world)[::-1]))
                for other, name in enumerate(puzzle.people)
                if other != person
            }
            for world in here[::-1]
        },
    )


def _says(puzzle, agent, knows):
    formula = all_of(knows_whether(agent, puzzle.model.read(name)) for name in puzzle.wanted[agent])
    return formula if knows else ~formula


def _true(puzzle, model):
    return int(model.find(**puzzle.here)[0])


def _stage(puzzle, model, words, person=None):
    here, known = _true(puzzle, model), {}
    for agent, name in enumerate(puzzle.people):
        known[name] = tuple(
            fact
            for fact in puzzle.wanted[agent]
            if model.holds(knows_whether(agent, model.read(fact)), here)
        )
    everything = tuple(
        name
        for agent, name in enumerate(puzzle.people)
        if len(known[name]) == len(puzzle.wanted[agent])
    )
    columns = [model.facts[name] for name in puzzle.here]
    worlds = (
        tuple(
            puzzle.show([bool(column[world]) for column in columns]) for world in range(len(model))
        )
        if len(model) <= LISTED
        else ()
    )
    view = None if person is None else _view(puzzle, model, person)
    return Stage(words, len(model), worlds, known, everything, view)
