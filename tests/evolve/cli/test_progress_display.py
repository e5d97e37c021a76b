"""What a run shows: plain lines where there is no terminal, live on one, only warnings when
quiet.
"""

import inspect
import io
import re
from pathlib import Path

import pytest

from hanabi import backend
from hanabi.backend.code_cache import Store
from hanabi.evolve.cli import (
    app,  # noqa: F401  registers all commands
    progress_display as display_module,
)
from hanabi.evolve.cli.command_registry import COMMANDS
from hanabi.evolve.cli.progress_display import (
    AFTER,
    EVERY,
    display,
    heard_compiling,
    line,
    seconds_text,
    working,
)
from hanabi.evolve.ga.run import Progress


def steps():
    run = Path("runs/x")
    for generation in range(4):
        yield Progress(run, "evolve", generation, 3, 15.5, 9.25, 0.25, 123456.0, 65.0)
    yield Progress(run, "warning", text="checkpoint is damaged")
    yield Progress(run, "race", text="race of 6 finalists, round 1 of 3")
    yield Progress(run, "done", text="16.500 ± 0.010 points [kept]")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    "quiet, stream",
    [(False, io.StringIO()), (True, io.StringIO()), (False, Terminal()), (True, Terminal())],
)
def test_what_is_shown(quiet, stream):
    with display(quiet, stream) as progress:
        for step in steps():
            progress(step)
    shown = stream.getvalue()
    assert "checkpoint is damaged" in shown
    assert ("16.500 ± 0.010 points [kept]" in shown) != quiet
    if quiet:
        assert shown == "checkpoint is damaged\n"
    elif not stream.isatty():
        lines = shown.splitlines()
        assert (
            lines[0]
            == "generation 0/3: best 15.50 ± 0.25, mean 9.25, 123,456 games/s, 1 min 05 s left"
        )
        assert lines[1] == "generation 3/3: best 15.50 ± 0.25, mean 9.25, 123,456 games/s", (
            f"one in {EVERY} s"
        )
        assert len(lines) == 5
    else:
        assert "generation 3/3" in shown and "123,456 games/s" in shown


def test_times_and_lines():
    assert [seconds_text(s) for s in (-1, 0.4, 59, 60, 3599, 3600, 7500)] == [
        "0 s",
        "0 s",
        "59 s",
        "1 min 00 s",
        "59 min 59 s",
        "1 h 00 min",
        "2 h 05 min",
    ]
    assert line(Progress(Path("x"), "race", text="so it is")) == "so it is"


class Clock:
    """A Timer that is ready when a test says so."""

    made: list = []

    def __init__(self, after, what):
        assert after == AFTER <= 1
        self.what, self.daemon, self.ident, self.over = what, False, None, False
        self.made.append(self)

    def start(self):
        self.ident = 1

    def cancel(self):
        self.over = True

    join = start


@pytest.fixture
def clock(monkeypatch):
    """Time passes when a test calls what waits for it."""
    monkeypatch.setattr(display_module, "Timer", Clock)
    monkeypatch.setattr(Clock, "made", [])
    return Clock.made


def plain(stream):
    """What a terminal was sent, without its control sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", stream.getvalue())


def test_work_is_shown_on_a_terminal_after_a_while_and_goes(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    with working("playing the tournament", stream) as tell:
        assert stream.getvalue() == "", "a short wait needs no word"
        tell(1, 4)
        (timer,) = clock
        timer.what()
        assert "playing the tournament … " in plain(stream) and "25%" in plain(stream)
        tell(3, 4, "playing the rest")
        for hear in backend.announce:
            hear("hanabi.rules.play.play_safe")
        tell.live.refresh()
        assert "75%" in plain(stream) and "playing the rest: compiling play_safe" in plain(stream)
    assert timer.over and not backend.announce
    assert stream.getvalue().endswith("\x1b[2K") and not tell.live.is_started, "the line is gone"


def test_work_that_is_short_or_fails_or_is_piped_says_nothing(clock):
    with pytest.raises(ValueError), working("playing", terminal := Terminal()):
        raise ValueError
    assert terminal.getvalue() == "" and clock[0].over and not backend.announce
    with working("playing", piped := io.StringIO()) as tell:
        tell(1, 2, "playing on")
    assert piped.getvalue() == "" and clock[1].ident is None, "no timer runs"


def test_the_first_compile_is_said_once_also_where_it_is_piped(clock, monkeypatch):
    monkeypatch.setattr(display_module, "SAID", set())
    for cold, said in ((False, ""), (True, f"{display_module.FIRST_TIME}\n"), (True, "")):
        monkeypatch.setattr(backend, "COLD", cold)
        with working("playing", stream := io.StringIO()):
            for hear in [*backend.announce] * 2:
                hear("hanabi.game.deal")
        assert stream.getvalue() == said


def test_what_is_missing_is_announced(tmp_path):
    heard = []
    store = Store(tmp_path, "hanabi.rules.play.safe-12", "stamp")
    with heard_compiling(heard.append):
        assert store.load("key") is None
        store.save("key", b"code")
        assert store.load("key") == b"code" and heard == ["hanabi.rules.play.safe"]
    assert store.load("other") is None and len(heard) == 1


@pytest.mark.parametrize(
    "name, command", COMMANDS.items(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_command_that_computes_shows_it(name, command):
    """Those that only list rules, agents and pools print at once."""
    given, run = command.info.callback, inspect.getclosurevars(command.info.callback).nonlocals
    shows = bool(run["doing"]) if "doing" in run else "with working(" in inspect.getsource(given)
    at_once = ("agents", "rules", "new", "live", "pool list", "pool show", "pool split")
    assert shows == (name not in at_once)
