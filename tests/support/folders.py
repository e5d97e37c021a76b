"""A user's folder: what may lie in it, commands typed in it, and whether it is as it was."""

import os
import shlex
import subprocess
import sys

from paths import PATIENCE, ROOT
from typed import typed

HEAD = (
    "from hanabi.moves import NOTHING, discard\nfrom hanabi.rulebook import rule\nfrom hanabi.view"
    " import oldest\n\n\n"
)
GOOD = (
    HEAD + '@rule(prefix="mine.")\ndef old(view):\n    """Discard my oldest card."""\n'
    "    return discard(oldest(view, view.me)) if view.tokens < view.max_tokens else NOTHING\n"
)
AGENT = 'name = "one"\n[rules]\n"2-5" = ["cig2018.play_safe_card"]\n'
HANDS = '[hands]\nAnn = ["R1", "R1", "B2", "B3", "W5"]\nBob = ["R2", "G1", "Y2", "Y4", "W4"]\n'
GAME = 'players = 2\nseed = 1\nmoves = ["play 0"]\n'
FILES = {
    "mine.py": GOOD,
    "one.toml": AGENT,
    "game.toml": GAME,
    "position.toml": HANDS,
    "text.csv": "mine",
}
HANABI = [
    sys.executable,
    "-W",
    "error",
    "-c",
    "from hanabi.evolve.cli.app import main; main()",
]  # called hanabi, as by typed()
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}


def rule_text(body="return NOTHING", given="", takes="view", says='"""Do nothing."""', name="bad"):
    """The text of a rule file with one rule."""
    return f"{HEAD}@rule({given})\ndef {name}({takes}):\n    {says}\n    {body}\n"


def tree(folder):
    """Every file below a folder, with what it holds; Python's own caches aside."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }


def lay_out(folder, files):
    """Write files, given as text or bytes by name."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


def refused(words, folder, message, code=2):
    """Type a command and check that it fails with one line and leaves the folder unchanged.

    ``message`` has key words of the line, with `` … `` between them.
    """
    before = tree(folder)
    got, out, err = typed(*shlex.split(words) if isinstance(words, str) else words, folder=folder)
    assert got == code, out + err
    assert err.startswith("hanabi: ") and err.endswith("\n") and err.count("\n") == 1, err
    for part in message.split(" … "):
        assert part in err, err
    assert out == "" and tree(folder) == before
    return err


def real(*words, folder, **more):
    """A command in a process of its own."""
    return subprocess.run(
        [*HANABI, *map(str, words)],
        cwd=folder,
        text=True,
        timeout=PATIENCE,
        **{"env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more,
    )
