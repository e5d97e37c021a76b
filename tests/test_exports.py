"""What hanabi, hanabi.rules and hanabi.evolve export, lazily."""

import ast
import importlib
import pkgutil
import subprocess
import sys

import pytest
from imports import FILES, exports_of
from paths import ROOT

PACKAGES = (
    "hanabi",
    "hanabi.observations",
    "hanabi.rules",
    "hanabi.environment",
    "hanabi.evolve",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_exports_what_it_lists(package):
    there, homes = importlib.import_module(package), exports_of(package)
    own = {name for name in there.__all__ if name in vars(there) and name not in homes}
    assert set(there.__all__) == own | set(homes), "__all__ and the imports differ"
    assert len(set(there.__all__)) == len(there.__all__) and set(there.__all__) <= set(dir(there))
    for name, home in homes.items():
        assert home.startswith(f"{package}.")
        assert getattr(there, name) is getattr(importlib.import_module(home), name)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        there.nothing
    modules = {module.name for module in pkgutil.iter_modules(there.__path__)}
    assert not modules & set(there.__all__), (
        "once imported, the module would take the place of the export"
    )


def test_nothing_is_imported_before_it_is_asked_for():
    """Beside it tests/evolve/cli/test_commands.py, for the command's help."""
    code = (
        "import sys; before = set(sys.modules); import hanabi, hanabi.evolve;"
        " print(*set(sys.modules) - before)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout.split()
    ours = {name for name in found if name.split(".")[0] == "hanabi"}
    assert ours == {"hanabi", "hanabi.evolve", "hanabi.lazy_exports"} and not {
        "numpy",
        "numba",
        "pandas",
        "dataclasses",
    } & set(found)


def test_modules_import_from_where_a_name_is_defined():
    """Only files of rules and conventions use the one import style of users, ``from hanabi import
    …``.
    """
    for path, below in FILES.items():
        if below.parts[0] == "rules" and below.parts[1] != "agents":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in PACKAGES:
                names = {alias.name for alias in node.names}
                assert not exports_of(node.module).keys() & names, (
                    f"{path}: from {node.module} import {names}"
                )
