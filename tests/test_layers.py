"""evolve → environment → rules → hanabi, one way; no circles among modules, none among wings; rule files never
import each other.
"""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from imports import FILES, MODULES, imported, module_of
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from paths import ROOT

from docs.generate.module_map import OUTER, is_outer

# each may import those before it; the environment seats partners by their specs
ORDER = ("hanabi", "hanabi.rules", "hanabi.environment", "hanabi.evolve")
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
OUTER_LIBRARIES = {"starlette", "uvicorn", "vl_convert"}


def wing_of(module):
    """The wing that a module stands in, or itself where it stands in none. ``fields`` of a wing,
    which lays down its part of the view (hanabi/state.py), and what a package's ``__init__``
    hands out stand by themselves.
    """
    parts = module.split(".")
    depth = 2 if package_of(module) == "hanabi" else 3
    alone = len(parts) <= depth or parts[-1] == "fields" or MODULES[module].name == "__init__.py"
    return module if alone else ".".join(parts[:depth])


def package_of(module):
    """hanabi, hanabi.rules, hanabi.environment or hanabi.evolve."""
    return next((name for name in ORDER[1:] if f"{module}.".startswith(f"{name}.")), "hanabi")


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
    package = package_of(module_of(FILES[path]))
    for module in imported(path):
        top = module.split(".")[0]
        assert top != "hanabi" or ORDER.index(package_of(module)) <= ORDER.index(package), (
            f"{package} must not import {module}"
        )
        assert package == "hanabi.evolve" or top not in OUTSIDE, (
            f"only hanabi.evolve may import {module}"
        )


def test_no_circles():
    assert not circle(arrows_between(lambda module: module)), "modules import each other"
    assert not circle(arrows_between(wing_of)), "a wing imports another that imports it"


def test_fields_are_leaves():
    """What lays down the view stands on numpy, cards, moves and the layout of records alone."""
    for module, path in MODULES.items():
        if module.endswith((".fields", ".records")):
            assert set(imported(path)) <= {
                "typing",
                "numpy",
                "hanabi.records",
                "hanabi.moves",
                "hanabi.backend",
                "hanabi.backend.bits",
                "hanabi.backend.memory_layout",
            }, module


def outer_imports(path):
    """What a file of the core must not import: modules of the outer ring, and their libraries."""
    return {
        name
        for name in imported(path)
        if name.split(".")[0] in OUTER_LIBRARIES
        or name in MODULES
        and is_outer(MODULES[name].relative_to(ROOT))
    }


def test_the_core_imports_nothing_of_the_outer_ring():
    """Outer parts register commands, drawings, rules, agent kinds, and are found by their place."""
    for path, below in FILES.items():
        if not is_outer(below):
            assert not outer_imports(path), f"{below} imports {outer_imports(path)}"
    assert all((ROOT / folder / "__init__.py").exists() for folder in OUTER)
    assert "vl_convert" in outer_imports(ROOT / "evolve/charts/chart.py")
    assert "hanabi.evolve.site.serving" in outer_imports(ROOT / "evolve/site/commands.py")


def test_rule_files_import_no_other_kind_of_rule():
    for path in sorted((ROOT / "rules").rglob("*.py")):
        if path.name != "__init__.py" and path.parent.name != "agents":
            paper = (
                module_of(path.relative_to(ROOT)).rpartition(".")[0]
                if "museum" in path.parts
                else ""
            )
            others = {
                module
                for module in imported(path)
                if module.startswith("hanabi.rules.")
                and not (paper and module.startswith(paper))
                and module != "hanabi.rules.convention_play"
                and module != "hanabi.rules"
            }
            assert not others, f"{path.name} imports {others}"


def outside_museum(path):
    """Whether a file may not import a museum folder by name."""
    return not {"museum", "papers"} & set(path.parts)


def museum_imports(path):
    """The modules of museum folders that a file imports by name."""
    return {module for module in imported(path) if module.startswith("hanabi.rules.museum.")}


def test_nothing_imports_the_museum_by_name():
    """Papers' folders register their rules and agent kinds; only evolve/papers names them."""
    for path in FILES:
        if outside_museum(FILES[path]):
            assert not museum_imports(path), f"{path} imports {museum_imports(path)}"


def test_the_checks_see_what_goes_wrong(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("def f():\n    from hanabi.evolve.ga import run\n")
    assert "hanabi.evolve.ga.run" in set(imported(file))
    other = tmp_path / "by_name.py"
    other.write_text("def f():\n    from hanabi.rules.museum.zhao.uct import Uct\n")
    assert museum_imports(other) and outside_museum(Path("evolve/bench/speed.py"))
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert circle({"z": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_files_have_one_job():
    """No file above 500 lines (tests: 650), no function above 8 parameters; a command's parameters
    are its options.
    """
    for path in [*FILES, *sorted((ROOT / "tests").rglob("*.py"))]:
        text = Path(path).read_text(encoding="utf-8")
        most = 500 if path in FILES else 650
        assert len(text.splitlines()) <= most, f"{path} has {len(text.splitlines())} lines"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and not (
                "cli" in path.parts or path.name == "commands.py"
            ):
                given = node.args
                names = [
                    arg.arg
                    for arg in given.posonlyargs + given.args + given.kwonlyargs
                    if arg.arg not in ("self", "cls")
                ]
                assert len(names) <= 8, (
                    f"{path}, line {node.lineno}: {node.name} has {len(names)} parameters"
                )


def third_party():
    """The packages of others that the product imports, each with one of the files that does."""
    return {
        module.split(".")[0]: str(FILES[path])
        for path in FILES
        for module in imported(path)
        if module.split(".")[0] not in {*sys.stdlib_module_names, "hanabi"}
    }


def test_every_import_is_declared_and_none_is_of_the_tests():
    """In pyproject.toml, among the dependencies or in an extra; what only the tests install is no
    part of the product.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        line
        for name, lines in project["optional-dependencies"].items()
        if name != "test"
        for line in lines
    ]
    declared = {
        canonicalize_name(Requirement(line).name) for line in (*project["dependencies"], *extras)
    }
    provided = packages_distributions()
    for name, file in third_party().items():
        names = set(map(canonicalize_name, provided.get(name, [name])))
        assert names & declared, f"{file} imports {name}, which pyproject.toml does not declare"
