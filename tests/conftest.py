"""What holds for every test."""

import json
import os
import secrets
import signal
import threading

import pytest
from hypothesis import HealthCheck, settings
from paths import ROOT
from seconds import FILE, measured, seconds, used
from sizes import THOROUGH
from skips import skipped
from typed import own_rules

from hanabi.backend import first_here

pytest_plugins = ["browser"]

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # a script that runs the tests in the background has Ctrl-C ignored, and so would every process that a test starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
first_here()  # so that no table calls for helpers: all cores have a worker of xdist, which compile the same
for name in (
    "COLUMNS",
    "LINES",
):  # readline tells them to the workers of xdist: output would be as wide as that
    os.environ.pop(name, None)
# As slow as machines are, and the same examples each time: what fails fails again. `make test-slow` looks for new ones.
settings.register_profile(
    "ours",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not THOROUGH,
    **({} if THOROUGH else {"database": None}),
)
settings.load_profile("ours")


@pytest.fixture
def untried(monkeypatch):
    """write(file, text) of rules that play without a trial, as if they had passed: their faults show later. The cache has it
    that they passed, for other processes; so each file is like no other, and no other test's rules are believed.
    """
    monkeypatch.setattr("hanabi.trial.GAMES", 0)
    return lambda file, text: file.write_text(f"{text}\n# {secrets.token_hex(8)}\n")


@pytest.fixture(autouse=True)
def forget_own_rules():
    """A rule that one test defines is unknown to the next, whatever their order and however many share a process."""
    with own_rules():
        yield


def pytest_addoption(parser):
    parser.addoption(
        "--times",
        action="store_true",
        help=f"write the CPU seconds of each test file to {FILE.name}",
    )


def pytest_collection_modifyitems(items):
    """The files that take longest first: else one worker is left with one of them when the others have ended."""
    items.sort(key=lambda item: -seconds(item.nodeid.partition("::")[0]))


_spent: dict[
    str, float
] = {}  # CPU seconds by test file, where the reports of all workers come together
_before = used()
_phases: set[str] = set()  # that reports are of: those of a worker that fell are of none


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A report says what its phase (setup, call, teardown) cost."""
    global _before
    report = yield
    report.cpu, _before = used() - _before, used()
    return report


def pytest_runtest_logreport(report):
    _phases.add(report.when)
    file = report.nodeid.partition("::")[0]
    _spent[file] = _spent.get(file, 0) + getattr(
        report, "cpu", 0
    )  # a worker that fell told no cost


def pytest_sessionfinish(session):
    if not _phases <= {"setup", "call", "teardown"}:
        session.exitstatus = (
            pytest.ExitCode.INTERNAL_ERROR
        )  # no test that may pass when it is run again (again.py)
    if session.config.option.times and not hasattr(session.config, "workerinput"):
        known = measured() | {file: round(spent, 1) for file, spent in _spent.items()}
        found = {file: known[file] for file in sorted(known) if (ROOT / file).exists()}
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def pytest_unconfigure(config):
    """After pytest's own summary: the line that says what was skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    line = (
        skipped(reporter.stats.get("skipped", []))
        if reporter and not hasattr(config, "workerinput")
        else ""
    )
    if line:
        reporter.write_line(line)
