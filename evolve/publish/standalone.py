"""An agent as one file of plain Python that needs nothing else: its rules, what they ask, the laws of the game.

The functions are **gathered**: from each rule's function everything its code can come to, as it stands in its file, without
decorators. What changes is how it is written down, not what it does: ``mask[seat, slot]`` becomes ``mask[seat][slot]``, a division
``ratio``, a name that two files use gets a second one. The few functions over 64-bit words or addresses are written anew in
``templates/agent.py.j2``, as are chance, dealing, and ``act`` for the Hanabi Learning Environment.
"""
from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from evolve.ga.result import Run
from evolve.publish.export import export
from hanabi import __version__
from hanabi import cards as card_names
from hanabi import game as laws
from hanabi import moves as move_names
from hanabi.files import write_whole
from hanabi.lazy import Answer
from hanabi.needs import constants, looks_at_marks
from hanabi.notation import all_of
from hanabi.player import default_move
from hanabi.record import play_one
from hanabi.state import VIEW
from hanabi.variant import NAMED
from rules import load_file
from rules.agents import Agent, load, loads

TEMPLATE = "agent.py.j2"                     # in templates/
WIDE = 136                                   # columns of the file
WRITTEN_ANEW = {"mix", "random_word", "below", "random_below", "ensure", "_draw", "deal"}     # by the template, under these names
TAKEN = WRITTEN_ANEW | {"View", "Deck", "Agent", "Answer", "cards", "shuffled", "ratio", "asked", "spare", "decide", "_see", "play_game",
                        "text", "test", "LISTS", "FORFEITS", "GAMES", "NAMES", "MASK", "PLAYERS", "THEIRS", "EVENTS", "sys"}
NEEDED = {name: getattr(move_names, name) for name in ("PLAY", "DISCARD", "TELL_COLOUR", "TELL_RANK", "NOTHING", "FORFEIT")} | {
    "COLOURS": card_names.COLOURS}           # what the template itself names
FIELDS = ("deck left fireworks turn me tokens lives score playable dead useless alive pool unseen hands held mask filled touched born "
          "knows_colour knows_rank history word asked").split()             # what it fills, whatever the rules ask
SET = ("players", "hand_size", "colours", "ranks", "max_tokens", "max_lives", "colour_token", "last_round", "full")   # by it, at once
GAMES = 2                                    # that its test plays, per number of players


def standalone(agent: Agent, file: str = "agent.py") -> str:
    """The text of the file. ValueError, one line, for an agent whose rules need more than a list can have there: conventions,
    thinking ahead, or a rule that is not plain functions of a view."""
    counts = [count for count in range(2, 6) if agent.plays(count)]
    lists = {count: agent.list_at(count) for count in counts}
    entries = [entry for player in lists.values() for entry in player.rules]
    if any(player.conventions for player in lists.values()) or any(looks_at_marks(entry.family.function) or (
            entry.guard and entry.guard.of_marks) for entry in entries):
        raise ValueError(f"{agent.name} plays by conventions, and such an agent is not written as one file yet; lists without are")
    gathered = _Gathered([entry.family.function for entry in entries])
    shown: dict[tuple[str, ...], list[int]] = {}
    for count, player in lists.items():
        shown.setdefault(tuple(rule.name for rule in player.rules), []).append(count)
    groups = [(tuple(some), lists[some[0]].rules) for some in shown.values()]
    forfeits = agent.otherwise == "forfeit"
    from jinja2 import Environment, PackageLoader, StrictUndefined
    page = Environment(loader=PackageLoader("evolve.publish"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                       keep_trailing_newline=True).get_template(TEMPLATE)
    return page.render(
        name=_plain(agent.name), spec=_plain(agent.source or agent.name), file=file, maker=f"hanabi {__version__}",
        players=tuple(counts),
        lists=[(all_of(some), [_sentence(place, rule) for place, rule in enumerate(rules, 1)]) for some, rules in groups],
        otherwise=("Where none does, the game ends there (in the Hanabi Learning Environment: as if it did not)." if forfeits else
                   "Where none does: discard the oldest card, or with all tokens there give a hint."),
        fields=gathered.fields(), gathered=gathered.text(), lazy=bool(gathered.answers),
        tables=[(some, [gathered.entry(rule) for rule in rules]) for some, rules in groups], forfeits=forfeits,
        games=[_filled(repr((count, seed, _moves(lists[count], count, seed)))) for count in counts for seed in range(1, GAMES + 1)])


def write_alone(subject: str | Path, place: Path) -> Path:
    """Write the agent of a finished run's folder, or of a spec, as one file (``.py``), or into a folder for a course: the file
    ``agent.py`` and a page of exercises. Returns the file. ValueError as for ``standalone`` and ``export``, and where its test fails."""
    agent, file = _agent(subject), place if place.suffix == ".py" else place / "agent.py"
    text = standalone(agent, file.name)
    try:
        around: dict[str, Any] = {"__name__": "agent"}
        exec(compile(text, file.name, "exec"), around)
        around["test"]()
    except Exception as error:               # whatever a rule of a user's own may come to in a file alone
        raise ValueError(f"{agent.name} does not play the same from a file alone, so none was written: {type(error).__name__}: "
                         f"{' '.join(str(error).split())}") from None
    if file != place:
        place.mkdir(exist_ok=True)
        write_whole(place / "README.md", READ_ME.format(name=_plain(agent.name)))
    write_whole(file, text)
    return file


def _agent(subject):
    """The agent of a run's folder or of a spec."""
    if not Path(subject).is_dir():
        return load(str(subject))
    text = export(subject)
    for file in Run(Path(subject)).config.rule_files:
        load_file(file)
    return loads(text, str(Path(subject) / "best.toml"))


READ_ME = """# {name}, a Hanabi agent to read

Nothing is to be installed: Python 3.9 or newer plays it.

    python agent.py            # tests it, and plays a game of copies of it, each move with the rule that made it
    python agent.py 3 7        # 3 players, the deal of seed 7

1. Read `agent.py` from the top: its rules as sentences. Find each of them in `LISTS`, and its function above.
2. Play some deals. Which rule makes most moves? Which one never does?
3. Take a rule out of `LISTS`, or move it, and let 200 deals say what that is worth:

        python -c "import agent; print(sum(agent.play_game(seed, 3)[1] for seed in range(200)) / 200)"

   The test then fails, as it should: it is another agent.
4. Write a rule of your own: a function of `view` that returns a move, or `NOTHING`.
"""


def _plain(text):
    """A text for a comment or a docstring."""
    return " ".join(text.replace("\\", "/").replace('"""', "'''").split())


def _sentence(place, rule):
    """A line or more of the list at the top."""
    return textwrap.fill(f"{place:3}. {_plain(rule.says)}", WIDE, subsequent_indent="     ")


def _filled(text):
    """Data over several lines."""
    return textwrap.fill(text, WIDE - 4, subsequent_indent="     ")


def _moves(player, count, seed):
    """The moves of a game of copies on the deal of a seed."""
    return list(map(int, play_one(NAMED["standard"].at(count), [player], [0] * count, seed).moves))


class _Gathered:
    """Functions, constants and fields that some rules and the laws of the game come to, each under a name of its own."""

    def __init__(self, functions: Iterable[Callable]) -> None:
        self.functions: dict[FunctionType, str] = {}
        self.constants: dict[str, Any] = dict(NEEDED)
        self.answers: dict[FunctionType, int] = {}       # the bit of each lazy answer
        self.aliases: dict[tuple[FunctionType, str], str] = {}       # in a function, what a name there is called here
        wanted = [_bare(function) for function in (*functions, laws.apply, laws.is_legal, laws.is_over, laws.blank, default_move)]
        for function in sorted(set(wanted), key=_place):
            self._take(function)
        self.locals = {name for function in self.functions for name in function.__code__.co_varnames}
        self.names: dict[FunctionType, str] = {}
        for function in sorted(self.functions, key=_place):
            name = function.__name__
            if name in TAKEN or name in self.names.values() or name in self.locals or name in self.constants:
                name = f"{name}_of_{function.__module__.rpartition('.')[2]}"
            self.names[function] = name

    def _take(self, function: FunctionType) -> None:
        """Take in a function and all that it names."""
        if function in self.functions:
            return
        self.functions[function] = function.__name__
        if function.__closure__:
            raise ValueError(f"the rule function {function.__name__} is made inside another one, so it cannot stand in a file alone")
        for name, value in sorted(constants(function).items()):
            meant = _bare(value.function if isinstance(value, Answer) else value)
            if isinstance(value, Answer):
                self.answers[meant] = int(value)
            if isinstance(meant, FunctionType) and (_name_anew(meant) not in WRITTEN_ANEW and meant.__name__ != "call"):
                self._take(meant)
            elif not isinstance(meant, FunctionType) and name not in ("np", "call"):
                self._constant(function, name, value)

    def _constant(self, function, name, value):
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if not isinstance(value, int | float | str | tuple | list):
            if callable(value):              # of Python itself
                return
            raise ValueError(f"{function.__name__} uses {name}, which cannot be written into a file: {type(value).__name__}")
        here = name
        while here in self.constants and self.constants[here] != value or here in TAKEN:
            here += "_" if here != name else f"_{function.__module__.rpartition('.')[2].upper()}"
        self.constants[here] = value
        self.aliases[function, name] = here

    def entry(self, rule) -> str:
        """A row of LISTS."""
        bounds, says = tuple(rule.guard.bounds) if rule.guard else (), textwrap.wrap(_plain(rule.says), WIDE - 12)
        sentence = "\n         ".join(repr(part + " " * (place + 1 < len(says))) for place, part in enumerate(says))
        return f"({self.names[_bare(rule.family.function)]}, {tuple(rule.values)!r}, {bounds!r},\n         {sentence})"

    def text(self) -> str:
        """Constants, then the functions, the laws of the game first."""
        lines = [_filled(f"{name} = {value!r}") for name, value in sorted(self.constants.items())]
        return "\n".join(lines) + "\n\n\n" + "\n\n\n".join(self._source(function) for function in sorted(self.functions, key=_place))

    def fields(self) -> list[str]:
        """What a view has, each a line that fills it with nothing."""
        asked = set(re.findall(r"\bview\.(\w+)", self.text())) | set(FIELDS)
        found = []
        for name in VIEW.names or ():
            if name in asked and name not in SET:
                kind = VIEW[name]
                if (kind.base.names or ()):
                    raise ValueError(f"a rule asks view.{name}, which is not written into a file yet")
                found.append(f"self.{name} = {_empty(kind.shape, '-1' if name in ('hands', 'born') else '0')}")
        return found

    def _source(self, function: FunctionType) -> str:
        """A function as it stands in its file, written for lists."""
        text = textwrap.dedent(inspect.getsource(function))
        whole = ast.parse(text).body[0]
        lines = text.splitlines(keepends=True)[whole.lineno - 1:]        # without decorators
        text = "".join(lines).rstrip()
        tree = ast.parse(text)
        if any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) or isinstance(node, ast.Attribute)
               and ast.unparse(node) == "np.nan" for node in ast.walk(tree)):
            text = ast.unparse(ast.fix_missing_locations(_Ratios().visit(tree)))
            tree = ast.parse(text)
        edits = [*self._renamed(function, tree), *_indexed(tree, text), *_without_conventions(tree)]
        name, bit = self.names[function], self.answers.get(function)
        return _edited(text, edits) + (f"\n\n\n{name} = Answer({bit}, {name})" if bit else "")

    def _renamed(self, function, tree):
        """Names of functions and constants that are called otherwise here."""
        known, mine = constants(function), set(function.__code__.co_varnames)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node is tree.body[0]:
                start = (node.lineno, node.col_offset + 4)
                yield start, (node.lineno, start[1] + len(node.name)), self.names[function]
            if isinstance(node, ast.Name) and node.id in known and node.id not in mine:
                value = known[node.id]
                meant = _bare(value.function if isinstance(value, Answer) else value)
                called = self.names.get(meant) if isinstance(meant, FunctionType) else self.aliases.get((function, node.id))
                if isinstance(meant, FunctionType) and called is None:
                    called = _name_anew(meant)
                if called and called != node.id:
                    yield (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), called


def _bare(value):
    """The Python function behind machine code; anything else as it is."""
    return getattr(value, "py_func", value)


def _name_anew(function):
    """The name of a function, if it is one that the template writes anew."""
    return function.__name__ if function.__module__ in ("hanabi.game", "hanabi.view", "hanabi.lazy") else ""


ORDER = ("hanabi.machine", "hanabi.cards", "hanabi.moves", "hanabi.game", "hanabi.player", "hanabi.view", "hanabi", "rules")


def _place(function):
    """Where a function stands: the machine's helpers, cards, moves, the game, the view, what is built on it, the rules."""
    module = function.__module__
    first = next((place for place, name in enumerate(ORDER) if module.startswith(name)), len(ORDER))
    return first, module, function.__code__.co_firstlineno


def _empty(shape, nothing):
    """What builds an array of nothings."""
    text = nothing
    for size in reversed(shape):
        text = f"[{text}] * {size}" if text == nothing else f"[{text} for _ in range({size})]"
    return text


class _Ratios(ast.NodeTransformer):
    """Divisions as ``ratio``: numpy says nan where Python raises."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("ratio", ast.Load()), [node.left, node.right], [])

    def visit_Attribute(self, node):
        self.generic_visit(node)
        return ast.parse('float("nan")', mode="eval").body if ast.unparse(node) == "np.nan" else node


def _indexed(tree, text):
    """``mask[seat, slot]`` as ``mask[seat][slot]``, and ``mask.shape[1]`` as ``len(mask[0])``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            rows = ast.get_source_segment(text, node.value.value) + "[0]" * ast.literal_eval(node.slice)
            yield (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), f"len({rows})"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            for one, other in zip(node.slice.elts, node.slice.elts[1:]):
                yield (one.end_lineno, one.end_col_offset), (other.lineno, other.col_offset), "]["


def _without_conventions(tree):
    """What the game does for conventions, which nobody at this table has, is left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "view.lists != 0":
            yield (node.lineno, 0), (node.end_lineno + 1, 0), ""


def _edited(text, edits):
    """A text with (from, to, new) put in, each place a line from 1 and the byte in it."""
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data = b"".join(lines)

    def at(place):
        return min(len(data), starts[min(place[0] - 1, len(lines))] + place[1])
    for begin, end, new in sorted(edits, key=lambda edit: at(edit[0]), reverse=True):
        data = data[:at(begin)] + new.encode() + data[at(end):]
    return data.decode()
