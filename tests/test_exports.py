"""What hanabi, rules and evolve hand out: what they say they do, when it is asked for and not before."""
import ast
import importlib
import pkgutil
import subprocess
import sys

import pytest
from paths import ROOT
from test_layers import FILES, handed_out

PACKAGES = ("hanabi", "rules", "evolve")


def for_type_checkers(package):
    """(module, name) of what a package says to type checkers."""
    tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if handed_out(node)]
    for node in block.body:
        for alias in node.names:
            assert alias.asname == alias.name, "without `as` it is not handed on to users of mypy --strict"
            yield node.module, alias.name


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_hands_out_what_it_says(package):
    there, said = importlib.import_module(package), dict(reversed(pair) for pair in for_type_checkers(package))
    assert set(there.__all__) - {"BOOK", "FAMILIES", "Rule", "SETS", "load_file"} == set(said), "the two lists differ"
    assert len(set(there.__all__)) == len(there.__all__) and set(there.__all__) <= set(dir(there))
    for name, home in said.items():
        assert home.split(".")[0] == package and getattr(there, name) is getattr(importlib.import_module(home), name)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        there.nothing
    modules = {module.name for module in pkgutil.iter_modules(there.__path__)}
    assert not modules & set(there.__all__), "once imported, the module would take the place of what is handed out"


@pytest.mark.parametrize("words, free_of", [
    ("import hanabi, evolve", {"numpy", "numba", "pandas", "typer", "hanabi.cards", "evolve.ga"}),
    ("import evolve.cli.app", {"numpy", "numba", "pandas", "rich.table", "hanabi.cards", "evolve.ga"}),
    ("from hanabi import Position", {"pandas", "rules", "evolve"}), ("from rules import load", {"pandas", "evolve"})])
def test_nothing_is_imported_before_it_is_asked_for(words, free_of):
    found = subprocess.run([sys.executable, "-c", f"{words}; import sys; print(*sys.modules)"], check=True, capture_output=True,
                           text=True, cwd=ROOT, env={"PATH": "", "HANABI_PLAIN": "1"}).stdout.split()
    assert "hanabi" in found and not free_of & set(found)


def test_inside_the_house_everything_is_imported_from_its_home():
    """A run's record follows imports (evolve/ga/versions.py); through a package it would lose their track."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in PACKAGES and path.parent.name != node.module:
                handed = {name for _, name in for_type_checkers(node.module)}
                assert not handed & {alias.name for alias in node.names}, f"{path}, line {node.lineno}"
