"""The program ``hanabi``: start page, discovery of the topic modules, entry point, errors.

A command parses, calls one public function and prints. It uses other modules through
``lazy_modules``, so that help appears at once. To add one, write a function below
``@register_command`` in the module of its topic, or in ``commands.py`` of an outer part. Commands
may have more than eight parameters: these are the options that users see.

A command ends within LIMIT seconds of Ctrl-C, even when machine code never returns to Python. A
user rule with an endless loop that its trial did not reach keeps its thread in machine code, and
Python's own signal handler never runs. So a second thread waits for Ctrl-C. If the process has not
ended in time, this thread kills it with its child processes, and names the rule when it can: when
the game is played in this process. A worker process of ``--backend processes`` names the rule
itself (hanabi.evolve.measure.watchdog).

While a function is compiled, Ctrl-C waits for the compiler (hanabi.backend.deferred_sigint), but no
longer than LIMIT: LLVM runs without the GIL, so this thread runs too (for a function that takes ten
seconds to compile it waited a fraction of one). Machine code is renamed when the file is complete,
so no half-written file is ever read.

A user's mistake is a ValueError of one line: exit code 2. A user rule that fails is named with the
position in which it failed: exit code 1, as for a worker process that died. HANABI_TRACEBACK=1
shows the traceback instead.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import warnings
from atexit import _run_exitfuncs
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from hanabi.evolve import processes
from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    COMMANDS,
    GROUPS,
    app,
    as_typed,
    ask_again,
    command_name,
    first_words,
)
from hanabi.registry import LateModules
from hanabi.shell_command import command
from hanabi.terminal_text import escape_controls

# Private, and without a public equivalent: the exit functions (of joblib, multiprocessing) have to
# run before os._exit, which skips them, while the interpreter's own exit takes seconds here.


LIMIT = 2.8  # seconds from Ctrl-C to the end
NAMING = 1.0  # of these, the last seconds, in which the rule is searched for
REPEAT_AFTER = 1.0  # seconds after which a run with user rules gets the signal again

MOST_LETTERS = 1000  # of an error's line; a longer one is cut in its middle

reported = False  # whether this process has printed why it ends
silent = False  # whether the watch of Ctrl-C has printed it

_obeyed: list[float] = []  # the time of the Ctrl-C that ends this process


@contextmanager
def stop_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end this process inside the context; main thread only, elsewhere no effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()  # not a pipe: Windows takes sockets only
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader,), daemon=True).start()
    try:
        yield
    except SystemExit:
        if _obeyed:
            _run_exitfuncs()
            _end()  # the interpreter's own exit takes seconds beside a thread that never ends
        raise
    finally:
        signal.set_wakeup_fd(before)
        writer.close()  # the thread reads the end of file


def _listen(reader):
    """Wait for the first Ctrl-C to obey, then for the process to end, then end it."""
    count = 0
    while data := reader.recv(1):
        if data[0] != signal.SIGINT:
            continue
        count += 1
        # A run defers the first Ctrl-C to the end of its generation, which a user rule may prevent.
        patient = count == 1 and getattr(signal.getsignal(signal.SIGINT), "patient", False)
        if not patient or getattr(sys.modules.get("hanabi.rules.user_rules"), "LOADED", None):
            break
    if not data:
        reader.close()
        return
    _obeyed.append(time.monotonic())
    threading.excepthook = lambda *_: None  # the tracebacks of a pool's threads say nothing here
    time.sleep(REPEAT_AFTER)
    if patient:
        processes.interrupt()
    time.sleep(LIMIT - NAMING - REPEAT_AFTER)
    global silent
    if not reported:
        silent = True  # the main thread may wake up at this moment
        os.write(2, b"hanabi: stopped\n")
    _end()


def _end():
    """Name the user rule in which a game hangs, if it is found in time; kill the process."""
    if "hanabi.trial" in sys.modules:
        namer = threading.Thread(target=_name_stuck_rule, daemon=True)
        namer.start()
        namer.join(max(NAMING, _obeyed[0] + LIMIT - time.monotonic()))  # it may hang too
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    processes.kill_children()
    os._exit(130)


def _name_stuck_rule():
    from hanabi.evolve.measure import watchdog  # here: help imports nothing that games need

    watchdog.tell(watchdog.stuck_rule())


COMPLETION = {"--install-completion", "--show-completion"}
FIRST_COMMANDS = {  # the top of the start page
    "hanabi play": "play with agents in your browser",
    "hanabi show piers": "print a game of an agent, turn by turn",
    "hanabi evolve --preset quick": "evolve an agent in some seconds",
    "hanabi serve": "open runs, agents and tables as a local site",
    "hanabi show --help": "print the options of a command, and an example",
}
OPTIONS = """\
Options
  --version                  Print the version.
  --install-completion       Let this shell complete commands with Tab.
  --show-completion          Print the shell script that does it.
  -h, --help                 Print this page; after a command, its help."""

OLD_NAMES = {  # by another name, or one of the version before, the form of a command of today
    "agree": "behave --agree",
    "conventions": "rules --conventions",
    "explain": "ask",
    "holds": "logic holds",
    "kripke": "logic kripke",
    "lab": "analyse --only parts --games 5000",
    "mistakes": "review --mistakes",
    "puzzle": "logic puzzle",
    "questions": "rules --questions",
    "quiz": "teach --quiz",
    "reproduce": "experiment",
    "resume": "evolve --resume",
    "study": "experiment",
    "who": "behave --who",
}
OLD_OPTIONS = {"--agent", "--behaviour"}  # of quiz and agree: left out, needed no more

# the topic modules here, and the commands of the outer parts, such as the site
LateModules("hanabi.evolve.cli.*", "hanabi.evolve.*.commands").load()


@app.callback(invoke_without_command=True, add_help_option=False)
def show_start_page(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    wanted: Annotated[
        bool, typer.Option("--help", "-h", help="Print the start page and stop.")
    ] = False,
) -> None:
    """Evolve, explain and measure rule agents for the card game Hanabi."""
    if version:
        from hanabi import __version__

        print(f"hanabi {__version__}")
        raise typer.Exit()
    if wanted or context.invoked_subcommand is None:
        print(start_page(whole=wanted))
        raise typer.Exit()


def start_page(whole: bool = True) -> str:
    """Return the page that ``hanabi`` prints: five commands to begin with, then all by group.

    Args:
        whole: With a line per command, as ``hanabi --help``; else the names alone.
    """
    parts = [
        "hanabi: evolve, explain and measure rule agents for the card game Hanabi.",
        _aligned([(as_typed(line), summary) for line, summary in FIRST_COMMANDS.items()]),
    ]
    if whole:
        parts += [f"{group}\n{_aligned(first_words(group).items())}" for group in GROUPS]
        return "\n\n".join([*parts, OPTIONS])
    parts += [
        _aligned((group, ", ".join(first_words(group))) for group in GROUPS),
        as_typed("`hanabi --help` has a line for each command."),
    ]
    return "\n\n".join(parts)


def _aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Return a line per row, with the second column aligned."""
    rows = list(rows)
    wide = max(11, *(len(word) for word, _ in rows))
    return "\n".join(f"  {word:{wide}}  {summary}" for word, summary in rows)


def _open_streams() -> None:
    """Open standard input, output and error that the caller closed: they are None, as by ``>&-``.

    In this order each gets its own number, which a file or a socket would get otherwise.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))


def _renamed(words: list[str]) -> list[str]:
    """Return a command line with today's name of its command; say so on standard error.

    ``play --rules`` without a file asks for the rules of the game.
    """
    if words == ["play", "--rules"]:
        return ["play", "--how-to"]
    if not words or words[0] not in OLD_NAMES:
        return words
    new = "analyse" if "--decisions" in words else OLD_NAMES[words[0]]  # lab is of another table
    others = [word for word in words[1:] if word not in OLD_OPTIONS]
    if {"-h", "--help"} & {*others}:
        new, others = new.partition(" --")[0], ["--help"]
    words = [*new.split(), *others]
    print(as_typed(f"hanabi: this is now `{command('hanabi', *words)}`"), file=sys.stderr)
    return words


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


def main() -> None:
    """Run the command line; the entry point of ``hanabi``."""
    words = _renamed(sys.argv[1:])
    named = COMMANDS.get(" ".join(words[:2])) or COMMANDS.get(words[0] if words else "")
    if named and not named.compiled:
        os.environ.setdefault("HANABI_PLAIN", "1")
    if sys.flags.optimize > 1:
        sys.exit(
            "hanabi: python -OO removes the docstrings, which are the rules' sentences;"
            " run it without -OO"
        )
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot print ± gets a ?
    for one in COMMANDS.values():
        one.info.epilog = as_typed(f"Example: {one.example}")
    # A shell completes a program by its name, not by its path.
    called = "hanabi" if COMPLETION & {*sys.argv} else command_name()
    with stop_on_interrupt():
        sys.exit(
            exit_code_of(
                lambda: app(
                    words, standalone_mode=False, prog_name=called, complete_var="_HANABI_COMPLETE"
                )
            )
        )


if __name__ == "__main__":
    main()
