"""Turn exceptions into one line on standard error and an exit code.

A user's mistake is a ValueError of one line: exit code 2. A user rule that fails is named with the
position in which it failed: exit code 1, as for a worker process that died. HANABI_TRACEBACK=1
shows the traceback instead.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import as_typed
from hanabi.shell_command import command
from hanabi.terminal_text import escape_controls

reported = False  # whether this process has printed why it ends
silent = False  # whether the watch of Ctrl-C (app.py) has printed it
MOST_LETTERS = 1000  # of a line; a longer one is cut in its middle


def exit_code_of(run: Callable[[], int | None]) -> int | None:
    """Run a command line and return its exit code; report an error and end the process."""
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        code = run()
        sys.stdout.flush()  # here, so that a full disk can still be reported
        if code == 130:  # typer's code for Ctrl-C
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
        report_and_exit(error)


def report_and_exit(error: Exception) -> NoReturn:
    """Report an error in one line and exit; for a user rule that failed, also how to repeat it."""
    if isinstance(error, ValueError):
        stop(str(error))
    if isinstance(error, OSError):
        stop(_os_error_text(error))
    if isinstance(error, MemoryError):
        stop("not enough memory; fewer games, a smaller population or fewer --jobs need less")

    if isinstance(error, lazy.progress.RunStoppedError):
        stop(str(error), 130)
    if isinstance(error, lazy.workers.WorkerDiedError):
        stop(str(error), 1)
    if not isinstance(error, lazy.player.PlayError):
        raise error
    if not isinstance(error, lazy.table.RuleError):  # a bot of another engine
        stop(str(error))
    lines = lines_of(error) if isinstance(error, lazy.table.RuleFailedError) else [str(error)]
    stop(lines[0], 1, *lines[1:])


def _os_error_text(error):
    """Return what could not be used or written. Close standard output, which may be what failed."""
    with suppress(OSError, ValueError):  # Python would write it again at its end
        sys.stdout.close()
    problem = (error.strerror or "an error").lower()
    if error.filename:
        return f"cannot use {error.filename}: {problem}"
    if "numba" not in sys.modules:
        return f"cannot write: {problem}"
    cache = sys.modules["hanabi.backend"].CACHE
    return (
        f"cannot write: {problem} (if it is the machine code in {cache}:"
        " HANABI_CACHE names another folder)"
    )


def lines_of(failure: lazy.table.RuleFailedError) -> list[str]:
    """Return which rule failed and how to repeat it; write the position to a new file."""
    family = failure.rule.family
    line = str(failure)
    try:
        file: Path | None = failure.file  # where a run has written it already
        if file is None:
            file = lazy.files.write_new(failure.text())
            line += f"; the position is in {file}"
    except ValueError as error:  # a folder that cannot be written
        return [f"{line}; the position could not be written down: {error}"]
    if family.what == "rule":
        return [line, f"set it up again: {ask_again(failure.rule, file)}"]
    return [line, f"more of it: {command('hanabi', 'check', family.function.__code__.co_filename)}"]


def ask_again(rule: lazy.rulebook.Rule, file: Path, turn: int | None = None) -> str:
    """Return the command that asks a rule again in a position, or in a game at a turn."""
    at = ("--turn", str(turn)) if turn is not None else ()
    codes = [getattr(one, "py_func", one).__code__ for one in rule.functions]  # compiled or not
    library = {str(path) for path in lazy.files.source_files().values()}
    own = {code.co_filename: None for code in codes if code.co_filename not in library}
    options = [option for path in own for option in ("--rules", path)]
    return command("hanabi", "ask", rule.name, file, *at, *options)


def stop(line: str, code: int = 2, *more: str) -> NoReturn:
    """Print one line, rarely more, to standard error and exit; 2 is a user's mistake."""
    global reported
    reported = True
    for text in () if silent else (line, *more):
        text = escape_controls(" ".join(text.split()))
        if len(text) > MOST_LETTERS:
            half = MOST_LETTERS // 2
            text = f"{text[:half]} … {text[-half:]}"
        print(as_typed(f"hanabi: {text}"), file=sys.stderr)
    sys.exit(code)
