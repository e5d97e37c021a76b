"""The command as a user types it, in a process of its own."""
import os
import subprocess
import sys

from paths import ROOT


def hanabi(*words, folder=None, code=0, **environment):
    """What a command prints; its exit code is checked, and that it never shows a traceback."""
    done = subprocess.run([sys.executable, "-m", "evolve.cli", *map(str, words)], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)} | environment, timeout=300)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    return done.stdout if code == 0 else done.stderr
