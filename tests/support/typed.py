"""A command as a user types it, but in this process: fast, and with everything put back
afterwards.
"""

import io
import os
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache

import typer

from hanabi import rules
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.cli import app as cli, progress_display
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rulebook import BOOK, FAMILIES
from hanabi.rules import user_rules
from hanabi.rules.agents.python_player import PLAYERS

progress_display.SAID.add(
    "compile"
)  # whether this machine has compiled it all before makes no difference
# typer makes all commands anew at each call, which takes as long as most commands do
typer.main.get_command = cache(typer.main.get_command)


@contextmanager
def own_rules():
    """Rule files and Python players that are loaded inside are forgotten outside."""
    books = (
        BOOK,
        FAMILIES,
        CONVENTION_FAMILIES,
        PRIMITIVES,
        rules.SETS,
        user_rules.LOADED,
        PLAYERS,
        sys.modules,
    )
    before, machine = [dict(book) for book in books], FAMILIES["grown"].function
    try:
        yield
    finally:
        for book, was in zip(books, before, strict=True):
            for key in set(book) - set(was):
                if book is not sys.modules or key.startswith("rules_of_"):
                    del book[key]
        if FAMILIES["grown"].function is not machine:  # a file had words of the language
            user_rules.renew_machines()
        user_rules.RECEIVED.intersection_update(user_rules.LOADED)


def typed(*words, folder=None, forget=True):
    """(exit code, standard output, standard error) of ``hanabi WORDS`` in a folder. ``forget``:
    loaded rule files.
    """
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
    )
    place, argv, environment, code = os.getcwd(), sys.argv, dict(os.environ), 0
    os.chdir(folder or place)
    sys.argv = ["hanabi", *map(str, words)]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            if forget:
                with own_rules():
                    cli.main()
            else:
                cli.main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        os.chdir(place)
        sys.argv = argv
        os.environ.clear()
        os.environ.update(environment)
    return code, *(stream.buffer.getvalue().decode() for stream in (out, err))
