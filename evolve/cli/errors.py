"""A user's mistake is a ValueError of one line somewhere below; here it becomes that line and exit code 2. A rule that
fails is named with the position that it failed in, exit code 1; a worker process that died has exit code 1 too.
HANABI_TRACEBACK=1 shows where it came from."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.rulebook import Rule
    from hanabi.table import RuleFailedError

told = False  # has this process said how it ends?
silent = False  # has interrupt.py said it?
LINE = 1000  # letters of an error
LIBRARY = Path(__file__).parents[2] / "rules"  # rules of other files are users' own


def exit_code_of(run: Callable[[], int | None]) -> int | None:
    """The exit code of a command line; what goes wrong in it is told and ends the process."""
    try:
        code = run()
        sys.stdout.flush()  # here, where a full disk can still be told
        if code == 130:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        return code
    except typer.TyperException as error:
        place = getattr(getattr(error, "ctx", None), "command_path", "hanabi")
        stop(f"{error.format_message()} (`{place} --help` tells more)")
    except (typer.Abort, KeyboardInterrupt):
        stop("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        if os.environ.get("HANABI_TRACEBACK") == "1":
            raise
        give_up(error)


def give_up(error: Exception) -> NoReturn:
    """What went wrong, in one line, and exit code 2; for a rule that failed also where, and exit code 1."""
    if isinstance(error, ValueError):
        stop(str(error))
    if isinstance(error, OSError):
        place = f"cannot use {error.filename}" if error.filename else "cannot write"
        with suppress(
            OSError, ValueError
        ):  # standard output may be what failed: Python would try it again at its end
            sys.stdout.close()
        full = (
            ""
            if error.filename or "numba" not in sys.modules
            else (
                f" (should it be the machine code in {sys.modules['hanabi.backend'].CACHE}:"
                " HANABI_CACHE names another folder)"
            )
        )
        stop(f"{place}: {(error.strerror or 'an error').lower()}{full}")
    if isinstance(error, MemoryError):
        stop("not enough memory; fewer games, a smaller population or fewer --jobs need less")
    from hanabi.evolve.measure.workers import WorkerDiedError
    from hanabi.table import PlayError, RuleError, RuleFailedError

    if isinstance(error, WorkerDiedError):
        stop(str(error), 1)
    if not isinstance(error, PlayError):
        raise error
    if not isinstance(error, RuleError):  # a bot of another engine
        stop(str(error))
    lines = lines_of(error) if isinstance(error, RuleFailedError) else [str(error)]
    stop(lines[0], 1, *lines[1:])


def lines_of(fault: RuleFailedError) -> list[str]:
    """The rule that failed, and how to set its position up again; the position goes to a new file."""
    from hanabi.files import write_new

    lines = [str(fault)]
    try:
        file: Path | None = fault.file  # where a run wrote it already
        if file is None:
            file = write_new(fault.text())
            lines[0] += f"; the position is in {file}"
        lines.append(
            f"set it up again: {ask_again(fault.rule, file)}"
            if fault.rule.family.what == "rule"
            else (
                "more of it:"
                f" {command('hanabi', 'check', fault.rule.family.function.__code__.co_filename)}"
            )
        )
    except ValueError as error:  # a folder that cannot be written
        lines[0] += f"; the position could not be written down: {error}"
    return lines


def ask_again(rule: Rule, file: Path, turn: int | None = None) -> str:
    """The command that asks a rule again in a position, or in a game at a turn."""
    source = Path(rule.family.function.__code__.co_filename)
    at = ("--turn", str(turn)) if turn is not None else ()
    own = ("--rules", source) if not source.is_relative_to(LIBRARY) else ()
    return command("hanabi", "ask", rule.name, file, *at, *own)


def stop(line: str, code: int = 2, *more: str) -> NoReturn:
    """One line, rarely more, and the end: exit code 2 for a user's mistake. What somebody wrote far too long is cut."""
    global told
    told = True
    for text in (" ".join(text.split()) for text in (() if silent else (line, *more))):
        print(
            as_typed(
                "hanabi:"
                f" {text if len(text) <= LINE else f'{text[: LINE // 2]} … {text[-LINE // 2 :]}'}"
            ),
            file=sys.stderr,
        )
    sys.exit(code)
