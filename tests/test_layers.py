"""evolve → rules → hanabi, one way; no circles among modules, none among wings; rule files never import each other."""

import ast
from pathlib import Path

import pytest
from imports import FILES, MODULES, imported
from paths import ROOT

MAY = {"hanabi": {"hanabi"}, "rules": {"hanabi", "rules"}, "evolve": {"hanabi", "rules", "evolve"}}
OUTSIDE = {
    "deap",
    "joblib",
    "pandas",
    "typer",
    "rich",
    "jinja2",
    "starlette",
    "uvicorn",
    "vl_convert",
}  # what evolve alone knows


def wing_of(module):
    """The wing that a module stands in, or itself where it stands in none. ``fields`` of a wing, which lays down its part
    of the view (hanabi/state.py), and what a package's ``__init__`` hands out stand by themselves."""
    parts = module.split(".")
    alone = len(parts) < 3 or parts[-1] == "fields" or MODULES[module].name == "__init__.py"
    return module if alone else ".".join(parts[:2])


def circle(arrows):
    """Some nodes that lead back to where they began; nothing where there is no such walk."""
    done = set()
    for start in arrows:
        walk, rest = [start], [iter(sorted(arrows[start]))]
        while rest and start not in done:
            following = next(rest[-1], None)
            if following is None:
                done.add(walk.pop())
                rest.pop()
            elif following in walk:
                return [*walk[walk.index(following) :], following]
            elif following not in done:
                walk.append(following)
                rest.append(iter(sorted(arrows.get(following, ()))))
    return []


def arrows_between(name):
    """Which of the names of modules imports which."""
    found = {}
    for module, path in MODULES.items():
        found.setdefault(name(module), set()).update(
            name(other)
            for other in imported(path)
            if other in MODULES and name(other) != name(module)
        )
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(FILES[path]))
def test_imports_go_one_way(path):
    package = FILES[path].parts[0]
    for module in imported(path):
        top = module.split(".")[0]
        assert top not in set(MAY) - MAY[package], f"{package} must not import {module}"
        assert package == "evolve" or top not in OUTSIDE, f"only evolve may import {module}"


def test_no_circles():
    assert not circle(arrows_between(lambda module: module)), "modules import each other"
    assert not circle(arrows_between(wing_of)), "a wing imports another that imports it"


def test_fields_are_leaves():
    """What lays down the view stands on numpy, cards, moves and the machine's numbers alone."""
    for module, path in MODULES.items():
        if module.endswith(".fields"):
            assert set(imported(path)) <= {
                "numpy",
                "hanabi.moves",
                "hanabi.cards",
                "hanabi.machine",
                "hanabi.machine.bits",
            }, module


def test_rule_files_import_no_other_kind_of_rule():
    for path in sorted((ROOT / "rules").rglob("*.py")):
        if path.name != "__init__.py" and path.parent.name != "agents":
            family = path.stem.split("_")[0]  # a museum of several files is one library
            others = {
                module
                for module in imported(path)
                if module.startswith("rules.") and not module.split(".")[-1].startswith(family)
            }
            assert not others, f"{path.name} imports {others}"


def test_the_checks_see_what_goes_wrong(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("def f():\n    from evolve.ga import run\n")
    assert "evolve.ga.run" in set(imported(file))
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert circle({"z": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_files_have_one_job():
    """No file above 400 lines, no function above 8 parameters; a command's parameters are its options."""
    for path in [*FILES, *sorted((ROOT / "tests").rglob("*.py"))]:
        text = Path(path).read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 400, f"{path} has {len(text.splitlines())} lines"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and "cli" not in path.parts:
                given = node.args
                names = [
                    arg.arg
                    for arg in given.posonlyargs + given.args + given.kwonlyargs
                    if arg.arg not in ("self", "cls")
                ]
                assert len(names) <= 8, (
                    f"{path}, line {node.lineno}: {node.name} has {len(names)} parameters"
                )
