"""What a run shows: plain lines where there is no terminal, live on one, only warnings when quiet."""
import io
from pathlib import Path

import pytest

from evolve.cli.display import EVERY, display, line, seconds_text
from evolve.ga.run import Progress


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


@pytest.mark.parametrize("quiet, stream", [(False, io.StringIO()), (True, io.StringIO()), (False, Terminal()),
                                           (True, Terminal())])
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
        assert lines[0] == "generation 0/3: best 15.50 ± 0.25, mean 9.25, 123,456 games/s, 1 min 05 s left"
        assert lines[1] == "generation 3/3: best 15.50 ± 0.25, mean 9.25, 123,456 games/s", f"one in {EVERY} s"
        assert len(lines) == 5
    else:
        assert "generation 3/3" in shown and "123,456 games/s" in shown


def test_times_and_lines():
    assert [seconds_text(s) for s in (-1, 0.4, 59, 60, 3599, 3600, 7500)] == [
        "0 s", "0 s", "59 s", "1 min 00 s", "59 min 59 s", "1 h 00 min", "2 h 05 min"]
    assert line(Progress(Path("x"), "race", text="so it is")) == "so it is"
