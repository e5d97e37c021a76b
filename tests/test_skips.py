"""A run of the tests says last what it skipped, and why."""

import subprocess
import sys
from types import SimpleNamespace

from paths import ROOT
from skips import skipped

BROWSER, ENGINE = "no chromium to try the page in", "no C++ compiler"


def test_reasons_are_counted():
    reports = [
        SimpleNamespace(longrepr=("a.py", 1, f"Skipped: {reason}"))
        for reason in (ENGINE, BROWSER, BROWSER)
    ]
    assert skipped(reports) == f"Not tested here: 3 skipped: 2 ({BROWSER}); 1 ({ENGINE})"
    assert skipped([]) == ""


def test_it_is_the_last_line(tmp_path):
    test = f"def test_a(n):\n    pytest.skip({BROWSER!r})\n"
    (tmp_path / "test_a.py").write_text(
        f"import pytest\n@pytest.mark.parametrize('n', [1, 2])\n{test}"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "conftest",
            "-p",
            "no:cacheprovider",
            "-c",
            ROOT / "pyproject.toml",
            tmp_path / "test_a.py",
        ],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == f"Not tested here: 2 skipped: 2 ({BROWSER})", (
        done.stdout + done.stderr
    )
