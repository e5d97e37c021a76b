"""Private names of a library are used in one file for it at most."""

import ast

import pytest
from paths import ROOT

# The one file per library that may use its private names; "" where no file may.
ALLOWED = {
    "typer": "",
    "joblib": "",
    "uvicorn": "",
    "numba": "hanabi/backend/numba_private.py",  # .ci/newest-numba tests it on the newest version
}
PUBLIC = {"numba": ("numba", "numba.extending", "numba.types")}  # else: whatever has no "_"
UNDOCUMENTED = ("uvicorn.protocols", "joblib.parallel", "typer.core", "typer.main")


def is_private(name):
    """Return whether a dotted name of a library leads through a private part of it."""
    library = name.partition(".")[0]
    if any(part.startswith("_") and not part.startswith("__") for part in name.split(".")):
        return True
    if name.startswith(UNDOCUMENTED):
        return True
    return library == "numba" and name.startswith(("numba.core", "numba.np"))


def names_of(tree):
    """Yield the dotted names that a file imports, or reaches from a module that it imports."""
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
                modules[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts and isinstance(node, ast.Name) and node.id in modules:
            yield ".".join([modules[node.id], *reversed(parts)])


def private_names(text):
    """Return the private names of the libraries in ALLOWED that a file's text uses."""
    names = set(names_of(ast.parse(text)))
    return {name for name in names if name.partition(".")[0] in ALLOWED and is_private(name)}


@pytest.mark.parametrize("folder", ["hanabi", "rules", "evolve"])
def test_only_one_file_uses_the_private_names_of_a_library(folder):
    links = (ROOT / "hanabi" / "rules", ROOT / "hanabi" / "evolve")
    for path in sorted((ROOT / folder).rglob("*.py")):
        if any(path.is_relative_to(link) for link in links):
            continue  # the same files by another name
        for name in private_names(path.read_text(encoding="utf-8")):
            allowed = ALLOWED[name.partition(".")[0]]
            assert path == ROOT / allowed, f"{path} uses {name}, which only {allowed or 'none'} may"


def test_an_allowed_file_still_needs_to_be():
    for library, file in ALLOWED.items():
        used = private_names((ROOT / file).read_text(encoding="utf-8")) if file else set()
        assert not file or any(name.startswith(f"{library}.") for name in used), f"{file}: remove"


@pytest.mark.parametrize(
    "text",
    [
        "from numba.core import event",
        "from numba.np import arrayobj",
        "import numba\nnumba.core.event",
        "from numba import core",
        "from typer._click import Context",
        "import typer\ntyper._click",
        "import joblib as j\nj._dask",
        "def f():\n    from uvicorn.protocols.http.h11_impl import H11Protocol",
    ],
)
def test_a_private_name_is_seen(text):
    assert private_names(text)


def test_public_names_pass():
    assert not private_names("import numba, typer, joblib\nfrom numba.extending import intrinsic")
    assert not private_names("import joblib\njoblib.Parallel\njoblib.__version__")
