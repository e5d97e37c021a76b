"""Settings, fixtures and hooks for every test."""

import json
import os
import secrets
import signal
import threading

import pytest
from compile_once import compile_once
from hypothesis import HealthCheck, settings
from paths import ROOT
from seconds import FILE, cores, measured, seconds, used
from sizes import THOROUGH
from skips import skipped
from typed import own_rules

from hanabi.backend import first_here
from hanabi.backend.compilation import PLAIN

pytest_plugins = ["browser"]

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # A script that runs the tests in the background ignores Ctrl-C, and so would every process that
    # a
    # test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.environ.get("PYTEST_XDIST_WORKER") and not PLAIN:
    compile_once()
first_here()  # no table starts compiling helpers: every core has a worker of xdist already
for name in ("COLUMNS", "LINES"):  # readline sets them for the workers of xdist
    os.environ.pop(name, None)
# No deadline, for slow machines, and the same examples in each run, so that what fails fails again.
# `make test-slow` tries new ones.
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
    """Return write(file, text) for rule files that play without a trial: faults show later.

    The cache notes for other processes that they passed, so each file gets a unique comment, lest a
    test's rules pass as another's.
    """
    monkeypatch.setattr("hanabi.trial.GAMES", 0)
    return lambda file, text: file.write_text(f"{text}\n# {secrets.token_hex(8)}\n")


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory):
    """Keep what tests would write to the user's data folder."""
    os.environ["HANABI_DATA"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def forget_own_rules():
    """Unload the rules of a test before the next one in the same process."""
    with own_rules():
        yield


@pytest.hookimpl(optionalhook=True)  # -p no:xdist has none
def pytest_xdist_auto_num_workers(config):
    """Two more than there are cores: workers wait for browsers, servers and each other's forms."""
    return cores() + 2


def pytest_addoption(parser):
    parser.addoption(
        "--times",
        action="store_true",
        help=f"write the CPU seconds of each test file to {FILE.name}",
    )


def pytest_collection_modifyitems(items):
    """Run the slowest files first, or one worker would still run one when the others have ended."""
    items.sort(key=lambda item: -seconds(item.nodeid.partition("::")[0]))


_spent: dict[str, float] = {}  # CPU seconds by test file, from the reports of all workers
_before = used()
_phases: set[str] = set()  # of the reports; a report of a worker that crashed has none


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the CPU seconds of its phase (setup, call, teardown) to a report."""
    global _before
    report = yield
    report.cpu, _before = used() - _before, used()
    return report


def pytest_runtest_logreport(report):
    _phases.add(report.when)
    file = report.nodeid.partition("::")[0]
    _spent[file] = _spent.get(file, 0) + getattr(report, "cpu", 0)  # none from a crashed worker


def pytest_sessionfinish(session):
    if not _phases <= {"setup", "call", "teardown"}:
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR  # which retry_failures.py never retries
    if session.config.option.times and not hasattr(session.config, "workerinput"):
        known = measured() | {file: round(spent, 1) for file, spent in _spent.items()}
        found = {file: known[file] for file in sorted(known) if (ROOT / file).exists()}
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def pytest_unconfigure(config):
    """Print after pytest's summary what was skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    line = (
        skipped(reporter.stats.get("skipped", []))
        if reporter and not hasattr(config, "workerinput")
        else ""
    )
    if line:
        reporter.write_line(line)
