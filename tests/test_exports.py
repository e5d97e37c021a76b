"""What hanabi, rules and evolve hand out: what they say they do, when it is asked for and not before."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys

import pytest
from imports import FILES, handed_out
from paths import ROOT

PACKAGES = {
    "hanabi": "hanabi",
    "hanabi.rules": "rules",
    "hanabi.evolve": "evolve",
}  # where each lies


def for_type_checkers(package):
    """(module, name) of what a package says to type checkers."""
    tree = ast.parse((ROOT / PACKAGES[package] / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if handed_out(node)]
    for node in block.body:
        for alias in node.names:
            assert alias.asname == alias.name, (
                "without `as` it is not handed on to users of mypy --strict"
            )
            yield node.module, alias.name


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_hands_out_what_it_says(package):
    there, said = (
        importlib.import_module(package),
        dict(reversed(pair) for pair in for_type_checkers(package)),
    )
    assert set(there.__all__) - {"BOOK", "FAMILIES", "Rule", "SETS", "load_file"} == set(said), (
        "the two lists differ"
    )
    assert len(set(there.__all__)) == len(there.__all__) and set(there.__all__) <= set(dir(there))
    for name, home in said.items():
        assert home.startswith(f"{package}.") and getattr(there, name) is getattr(
            importlib.import_module(home), name
        )
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        there.nothing
    modules = {module.name for module in pkgutil.iter_modules(there.__path__)}
    assert not modules & set(there.__all__), (
        "once imported, the module would take the place of what is handed out"
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


def test_inside_the_house_everything_is_imported_from_its_home():
    """A run's record follows imports (evolve/ga/versions.py); through a package it would lose their track."""
    handed = {package: {name for _, name in for_type_checkers(package)} for package in PACKAGES}
    for path in FILES:
        for package, names in re.findall(
            r"^ *from (hanabi(?:\.rules|\.evolve)?) import (.*)$",
            path.read_text(encoding="utf-8"),
            re.M,
        ):
            assert not handed[package] & set(re.findall(r"\w+", names)), (
                f"{path}: from {package} import {names}"
            )
