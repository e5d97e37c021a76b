"""A checkout without installation: rules/ and evolve/ are hanabi.rules and hanabi.evolve."""

import subprocess
import sys
from shutil import copytree, ignore_patterns

from paths import ROOT

from hanabi.files import source_files

WHERE = (
    "import hanabi, hanabi.rules, hanabi.evolve;"
    "print(*(module.__file__ for module in (hanabi, hanabi.rules, hanabi.evolve)))"
)


def test_a_copy_of_the_folders_is_imported_whole(tmp_path):
    """Nothing of it comes from the checkout that is installed here."""
    for name in ("hanabi", "rules", "evolve"):
        copytree(ROOT / name, tmp_path / name, ignore=ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-c", WHERE], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        str(tmp_path / name / "__init__.py") for name in ("hanabi", "rules", "evolve")
    ]


def test_there_is_no_link():
    assert not [path for path in (ROOT / "hanabi").iterdir() if path.is_symlink()]


def test_source_files_are_those_of_the_three_folders():
    places = source_files()
    assert places["hanabi/rules/play.py"] == ROOT / "rules/play.py"
    assert places["hanabi/game.py"] == ROOT / "hanabi/game.py"
    found = {path for name in ("hanabi", "rules", "evolve") for path in (ROOT / name).rglob("*.py")}
    assert set(places.values()) == found
