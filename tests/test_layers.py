"""evolve → rules → hanabi, one way; and rule files never import each other."""
import ast

import pytest
from paths import ROOT

MAY = {"hanabi": {"hanabi"}, "rules": {"hanabi", "rules"}, "evolve": {"hanabi", "rules", "evolve"}}
OUTSIDE = {"deap", "joblib", "pandas", "typer", "rich"}      # what evolve alone knows


def imported(path):
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            if node.module in MAY:
                yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("path", [path for package in MAY for path in sorted((ROOT / package).rglob("*.py"))],
                         ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    package = path.relative_to(ROOT).parts[0]
    for module in imported(path):
        top = module.split(".")[0]
        assert top not in set(MAY) - MAY[package], f"{package} must not import {module}"
        assert package == "evolve" or top not in OUTSIDE, f"only evolve may import {module}"


def test_rule_files_import_no_other_kind_of_rule():
    for path in sorted((ROOT / "rules").rglob("*.py")):
        if path.name != "__init__.py" and path.parent.name != "agents":
            family = path.stem.split("_")[0]     # a museum of several files is one library
            others = {module for module in imported(path) if module.startswith("rules.")
                      and not module.split(".")[-1].startswith(family)}
            assert not others, f"{path.name} imports {others}"


def test_the_check_sees_an_import_that_goes_the_wrong_way(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("def f():\n    from evolve import run\n")
    assert "evolve" in set(imported(file))
