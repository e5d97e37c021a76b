"""Print tables and texts to the width of the terminal, games in colour, and data as JSON.

``@table_command`` makes a command of what finds something, to be printed, as JSON, or as rows in a
file. Here each option that such commands share has its one meaning: ``--json``, ``-o``, ``--rules``
and those of ``PlayOptions``. A command returns an ``Answer`` and prints nothing itself.
"""

from __future__ import annotations

import inspect
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from itertools import groupby
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    Backend,
    Cluster,
    Jobs,
    Players,
    RuleFiles,
    Seed,
    VariantText,
    backend_at,
    load_rules,
    player_counts,
    register_command,
)
from hanabi.evolve.cli.progress_display import Work, working
from hanabi.terminal_text import escape_controls

NARROWEST = 60  # columns of output at least
PIPED = 110  # columns in a pipe without COLUMNS
READABLE = 100  # columns of a game's text at most
PROSE = 24  # columns of a column of sentences at least


def width() -> int:
    """Return the columns of output: from COLUMNS, else the terminal, else 110; at least 60."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return max(NARROWEST, shutil.get_terminal_size((PIPED, 24)).columns)
    return PIPED


def console() -> lazy.rich_console.Console:
    """Return standard output as a rich console.

    It has colours on a terminal or with FORCE_COLOR, and none with NO_COLOR.
    """
    return lazy.rich_console.Console(
        highlight=False, width=width(), color_system=None if os.environ.get("NO_COLOR") else "auto"
    )


def say(text: str, indent: int = 2) -> None:
    """Print a text, folding long lines; continuation lines are ``indent`` columns further in."""
    print("\n".join(folded(text, indent)))


def folded(text: str, indent: int = 2) -> list[str]:
    """Return the lines of a text, long ones folded; nothing is cut, no line ends in blanks."""
    lines = []
    for line in map(str.rstrip, escape_controls(text, "\n").split("\n")):
        start = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line[len(start) :],
            width(),
            initial_indent=start,
            subsequent_indent=start + " " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return lines


class _Column(NamedTuple):
    """A column: its name, ">" or "<" if it is never broken, the width it needs, its group."""

    name: str
    kind: str
    least: int
    group: int


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table below its title; nothing is cut, no line ends in blanks.

    Columns that do not fit side by side move below, after the first one again.

    Args:
        title: Text above it.
        columns: Names. One that begins with > is right-aligned and never broken, one with < is
            left-aligned and never broken; others hold sentences, which are folded. A | before that
            begins a group, whose columns move below together.
        rows: A text per column each.
    """
    rows = [[escape_controls(text) for text in row] for row in rows]
    say(title, 0)
    out = console()
    read = _read_columns(columns, rows, out.width)
    for place, block in enumerate(_blocks(read, out.width)):
        drawn = lazy.rich_table.Table(
            box=lazy.box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False
        )
        for i in block:
            drawn.add_column(
                lazy.markup.escape(read[i].name),
                width=read[i].least if read[i].kind else None,
                min_width=read[i].least,
                overflow="fold",
                justify="right" if read[i].kind == ">" else "left",
            )
        for row in rows:
            if place == 0 or any(row[i] for i in block[1:]):
                drawn.add_row(*(lazy.markup.escape(row[i]) for i in block))
        print()
        for line in out.render_lines(drawn, pad=False):
            text = lazy.text.Text.assemble(*((part.text, part.style or "") for part in line))
            text.rstrip()
            out.print(text, soft_wrap=True)


def _read_columns(columns, rows, room):
    """Return the columns with the width that each needs."""
    read: list[_Column] = []
    group = 0
    for i, column in enumerate(columns):
        group += column.startswith("|")
        name = column.lstrip("|<>")
        kind = column.lstrip("|").removesuffix(name)
        widest = max(map(lazy.cells.cell_len, (name, *(row[i] for row in rows))))
        read.append(_Column(name, kind, min(room, widest if kind else min(widest, PROSE)), group))
    if not _fits(read, room):  # then the first takes at most half of the room
        read[0] = read[0]._replace(least=min(read[0].least, room // 2))
    return read


def _fits(columns, room):
    return sum(column.least + 2 for column in columns) - 2 <= room


def _blocks(columns, room):
    """Return the columns side by side, by index. rich squeezes or cuts those that do not fit."""
    first, *others = range(len(columns))
    blocks = [[first]]
    for _, group in groupby(others, key=lambda i: columns[i].group):
        part = list(group)
        together = _fits([columns[i] for i in (first, *part)], room)
        for some in [part] if together else [[i] for i in part]:
            if len(blocks[-1]) > 1 and not _fits([columns[i] for i in blocks[-1] + some], room):
                blocks.append([first])
            blocks[-1] += some
    return blocks


def listing(title: str, *columns: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """Print rows of (number, name, sentence), or (number, sentence, name).

    They are a table if it is wide enough, else each has its texts one below the other.
    """
    longest = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    names = 1 if longest[1] <= longest[2] else 2
    if width() >= 48 + longest[names]:
        heads = [f"<{column}" if i == names else column for i, column in enumerate(columns)]
        print_table(title, [f">{heads[0]}", *heads[1:]], rows)
        return
    say(f"{title}\n", 0)
    for number, *texts in rows:
        start = f"{number:>{longest[0]}} "
        for i, text in enumerate(texts):
            room = width() - longest[0] - 3 - 2 * i
            for line in textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False):
                print(f"{start}{'  ' * i}{line}".rstrip())
                start = " " * len(start)


SUITS = {
    "red": "red",
    "blue": "bright_blue",
    "green": "green",
    "yellow": "yellow",
    "white": "bold",
    "purple": "magenta",
}
STYLES = {  # of what is in the text of a game or a position
    r"(?m)^Turn \d+": "bold",
    r"(?m)^> \w+": "bold reverse",
    r"(?m)^  = .*(\n    .*)*": "italic cyan",
    r"(?m)^    (?! )[\w.]+(\([^)]*\))?(?=:)": "dim",
    r"\btokens 0\b|\blives [01]\b|\b(a|the last) life( is lost)?\b": "bold red",
    r"\bit does not fit\b": "red",
    r"\bit fits\b": "green",
    r"(?m)^(Game over|So far)\b|\b\d+ of \d+ points?\b": "bold",
}


def coloured(text: str) -> lazy.text.Text:
    """Return the text of a game or a position with cards, seats, marks and events in colour."""
    shown = lazy.text.Text(text)
    for pattern, style in STYLES.items():
        shown.highlight_regex(pattern, style)
    for word, style in SUITS.items():  # R3, R in RBG12, red
        letter = word[0].upper()
        shown.highlight_regex(rf"\b{letter}\d*\b|{letter}(?=[RBGYWP]*\d*\b)|\b{word}\b", style)
    return shown


def put_game(text: str, pager: bool = False) -> None:
    """Print the text of a game or a position, in colour on a terminal.

    Args:
        text: What ``hanabi.text.transcript`` returns.
        pager: Use $PAGER if the text is longer than the terminal.
    """
    out, text = console(), escape_controls(text, "\n")
    if not out.is_terminal:  # the same bytes
        print(text, end="")
    elif pager and sys.stdout.isatty() and sys.stdin.isatty() and text.count("\n") >= out.height:
        os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R"  # else less shows no colours
        os.environ.pop("MANPAGER", None)  # Python would prefer it to PAGER
        with out.pager(styles=True):
            out.print(coloured(text), soft_wrap=True, end="")
    else:
        out.print(coloured(text), soft_wrap=True, end="")


def counted(number: int, one: str, more: str = "") -> str:
    """Return ``1 rule`` or ``2 rules``; ``more`` is the plural if it is not ``one`` with an s.

    That of ``hanabi.notation`` would load the game and numba before a command is known.
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def print_json(data: Any) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=1))


def print_left_out(found: lazy.game_reader.Found) -> None:
    """Print to standard error how many games were left out, by reason, shortened or repeated."""
    games, refused, repeated = found

    def say_error(text: str) -> None:
        print(escape_controls(text), file=sys.stderr)

    if refused:
        everything = len(games) + len(refused) + len(repeated)
        say_error(f"{counted(len(refused), 'game')} of {everything:,} left out:")
        for same in found.reasons():
            say_error(f"  {len(same):,}: {same[0].reason}; the first: {same[0].name}")
    longer = [
        (name, game.origin.left_out) for name, game in games if game.origin and game.origin.left_out
    ]
    if longer:
        name, actions = longer[0]
        say_error(
            f"{counted(len(longer), 'game goes', 'games go')} on after the end, which is left out;"
            f" the first: {name}, {counted(actions, 'action')}"
        )
    if repeated:
        say_error(
            f"{counted(len(repeated), 'game')} not counted again; the first: {repeated[0][0]} is"
            f" the same game as {repeated[0][1]}"
        )


AsJson = Annotated[bool, typer.Option("--json", help="Print the same as JSON.")]
Rows = Annotated[
    str | None, typer.Option("-o", "--output", help="Write the rows: .csv, .parquet or .json.")
]


class Answer(NamedTuple):
    """What a command found.

    Attributes:
        show: Prints it for people.
        rows: The table that ``-o`` writes.
        data: What ``--json`` prints; by default the rows.
        left_out: Games that were read, of which those left out are named on standard error.
        code: The exit code.
    """

    show: Callable[[], object]
    rows: lazy.pandas.DataFrame | list[dict[str, Any]] | None = None
    data: Any = None
    left_out: Sequence[lazy.game_reader.Found] = ()
    code: int = 0


class PlayOptions(NamedTuple):
    """The options of every command that plays many games; a parameter of this type gets them."""

    players: Players = None
    seed: Seed = 0
    variant: VariantText = "standard"
    jobs: Jobs = -1
    backend: Backend = "threads"
    cluster: Cluster = None

    @property
    def counts(self) -> list[int] | None:
        """The player counts that were named."""
        return player_counts(self.players)

    def arena(self, progress: Callable[..., None]) -> lazy.arena.Options:
        """Return the options of ``Arena``.

        Raises:
            ValueError: See ``backend_at``.
        """
        return {
            "seed": self.seed,
            "variant": self.variant,
            "jobs": self.jobs,
            "backend": backend_at(self.backend, self.cluster),
            "progress": progress,
        }


def table_command(
    group: str,
    example: str = "",
    doing: str = "",
    *,
    name: str = "",
    compiled: bool = True,
    rows: bool = False,
    rules: bool = False,
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Return a decorator that makes a function a command that prints its answer.

    A parameter of the type ``PlayOptions`` stands for these options, one of the type ``Work`` gets
    the progress of the work.

    Args:
        group: See ``register_command``; so are ``example``, ``name`` and ``compiled``.
        example: Arguments for the example at the end of the help.
        doing: What a terminal shows meanwhile, such as ``playing the tournament``; "": nothing, for
            a command that prints at once.
        name: Name of the command; by default that of the function.
        compiled: False for a command that plays no games.
        rows: With ``-o``, which writes the rows of the answer.
        rules: With ``--rules``, files that are loaded first.
    """

    def register(function: Callable[..., Answer]) -> Callable[..., Answer]:
        own = inspect.signature(function, eval_str=True).parameters.values()

        def run(**given: Any) -> None:
            as_json, output = given.pop("as_json"), given.pop("output") if rows else None
            with working(doing) if doing else nullcontext(Work("", sys.stderr)) as work:
                if output:
                    lazy.tournament.check_output(output)
                load_rules(given.pop("files") if rules else None)
                for one in own:
                    if one.annotation is PlayOptions:
                        values = {key: given.pop(key) for key in PlayOptions._fields}
                        given[one.name] = PlayOptions(**values)
                    elif one.annotation is Work:
                        given[one.name] = work
                answer = function(**given)
                if output:
                    lazy.tournament.save_table(lazy.pandas.DataFrame(answer.rows), output)
            _print_answer(answer, as_json)

        options = [option for one in own for option in _options(one)]
        if rows:
            options.append(inspect.Parameter("output", KEYWORD, default=None, annotation=Rows))
        if rules:
            options.append(inspect.Parameter("files", KEYWORD, default=None, annotation=RuleFiles))
        options.append(inspect.Parameter("as_json", KEYWORD, default=False, annotation=AsJson))
        command: Any = run
        command.__signature__ = inspect.Signature(options)
        run.__doc__, run.__name__ = function.__doc__, function.__name__
        run.__annotations__ = {option.name: option.annotation for option in options}
        register_command(group, example, name, compiled)(run)
        return function

    return register


KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _options(parameter):
    """Return the parameters that typer sees for a parameter of a command."""
    if parameter.annotation is Work:
        return []
    if parameter.annotation is not PlayOptions:
        return [parameter.replace(kind=KEYWORD)]
    hints, defaults = get_type_hints(PlayOptions, include_extras=True), PlayOptions()
    return [
        inspect.Parameter(key, KEYWORD, default=getattr(defaults, key), annotation=kind)
        for key, kind in hints.items()
    ]


def _print_answer(answer: Answer, as_json: bool) -> None:
    """Print an answer for people or as JSON, and end with its exit code."""
    for found in answer.left_out:
        print_left_out(found)
    if not as_json:
        answer.show()
    elif answer.data is not None:
        print_json(answer.data)
    else:
        print_json(lazy.tournament.records(lazy.pandas.DataFrame(answer.rows)))
    if answer.code:
        raise typer.Exit(answer.code)
