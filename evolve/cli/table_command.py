"""``@table_command``: a command that finds something, to be printed, as JSON, or as rows in a file.

Here each option that such commands share has its one meaning: ``--json``, ``-o``, ``--rules`` and
those of ``PlayOptions``. A command returns an ``Answer`` and prints nothing itself.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
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
)
from hanabi.evolve.cli.printing import print_json, print_left_out
from hanabi.evolve.cli.progress_display import Work, working

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.evolve.measure.arena import Options
    from hanabi.game_reader import Found

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
    rows: pd.DataFrame | list[dict[str, Any]] | None = None
    data: Any = None
    left_out: Sequence[Found] = ()
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

    def arena(self, progress: Callable[..., None]) -> Options:
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
                    from hanabi.evolve.measure.tournament import check_output, save_table

                    check_output(output)
                load_rules(given.pop("files") if rules else None)
                for one in own:
                    if one.annotation is PlayOptions:
                        values = {key: given.pop(key) for key in PlayOptions._fields}
                        given[one.name] = PlayOptions(**values)
                    elif one.annotation is Work:
                        given[one.name] = work
                answer = function(**given)
                if output:
                    from pandas import DataFrame

                    save_table(DataFrame(answer.rows), output)
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
        from pandas import DataFrame

        from hanabi.evolve.measure.tournament import records

        print_json(records(DataFrame(answer.rows)))
    if answer.code:
        raise typer.Exit(answer.code)
