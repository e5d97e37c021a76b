"""``hanabi doctor``: what is installed, what is missing, and the command that installs it."""

import json
import sys
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace as Thing

import pytest
from typed import typed

from hanabi.evolve import doctor
from hanabi.evolve.cli import lazy_modules

REQUIRES = [
    "numpy>=2.0",
    "typer>=99.0",
    'old>=1; python_version < "3"',
    'joblib>=1.5; extra == "farm"',
    'nowhere[all]>=2,<3; extra == "farm"',
    'pytest; extra == "test"',
]


@pytest.fixture
def package(monkeypatch):
    """A package that needs these."""
    monkeypatch.setattr(
        doctor,
        "distribution",
        lambda name: Thing(requires=REQUIRES, metadata=Thing(get_all=lambda key: ["farm", "test"])),
    )
    monkeypatch.setattr(doctor, "_compiling", lambda: "1.0")


def test_what_is_missing_is_told_with_its_command(package, tmp_path, monkeypatch):
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "not" / "yet"))
    found = doctor.examine()
    assert set(found["packages"]) == {"numpy", "typer"}, "what other Pythons need is left out"
    assert (
        found["extras"]["farm"]["missing"] == ["nowhere[all]<3,>=2"]
        and not found["extras"]["test"]["missing"]
    )
    assert (
        found["extras"]["farm"]["packages"]["joblib"]
        and found["extras"]["farm"]["packages"]["nowhere"] is None
    )
    assert found["extras"]["farm"]["install"].endswith("-m pip install 'nowhere[all]<3,>=2'")
    (problem,) = found["problems"]
    assert "typer>=99.0" in problem and problem.endswith("-m pip install 'typer>=99.0'")
    assert (
        found["cache"]["bytes"] == 0
        and not found["cache"]["problem"]
        and not list(tmp_path.iterdir())
    ), "it only looks"
    rows = dict(doctor.lines(found))
    assert (
        rows["[farm]"].startswith("joblib ")
        and "pip install" in rows["[farm]"]
        and "pip" not in rows["[test]"]
    )


def test_what_is_built_from_source_is_told_with_its_variable():
    """Without it cmake 4 refuses the Hanabi Learning Environment."""
    needed = [doctor.Requirement('hanabi-learning-environment>=99; extra == "hle"')]
    assert doctor._extra("hle", needed)["install"].startswith(
        f"CMAKE_POLICY_VERSION_MINIMUM=3.5 {doctor.sys.executable} -m pip install "
    )
    assert (
        "CMAKE"
        not in doctor._extra("test", [doctor.Requirement('nowhere; extra == "test"')])["install"]
    )


def test_a_backend_needs_its_extra(package, monkeypatch):
    from hanabi.evolve.measure import clusters, workers

    monkeypatch.setattr(workers, "BACKENDS", ("threads",))
    monkeypatch.setattr(clusters, "ADDRESS_OPTIONS", ("farm", "test"))
    assert doctor.examine()["backends"] == ["threads", "test"]


def test_a_cache_that_cannot_be_written_and_a_numba_that_fails(package, tmp_path, monkeypatch):
    def broken():
        raise ImportError("no libLLVM\nhere")

    monkeypatch.setattr(doctor, "_compiling", broken)
    monkeypatch.setattr(
        doctor.tempfile,
        "TemporaryFile",
        lambda dir: (_ for _ in ()).throw(OSError(30, "Read-only file system")),
    )
    (tmp_path / "some.nbc").write_bytes(bytes(2_000_000))
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path))
    found = doctor.examine()
    rows, problems = dict(doctor.lines(found)), "\n".join(found["problems"])
    assert rows["cache"].startswith(f"{tmp_path}: 2 MB, ") and rows["cache"].endswith(
        "cannot be written: read-only file system"
    )
    assert (
        rows["compiling"] == "ImportError: no libLLVM here"
        and "HANABI_CACHE to another folder" in problems
    )
    assert "no libLLVM here" in problems


def test_not_installed_at_all(monkeypatch):
    def nothing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "distribution", nothing)
    monkeypatch.setattr(doctor, "_compiling", lambda: "1.0")
    found = doctor.examine()
    assert (
        found["problems"][0].startswith("hanabi-evolve is not installed") and found["extras"] == {}
    )


def test_as_typed(monkeypatch):
    """The real thing, as text and as data; a problem is exit code 1."""
    monkeypatch.setattr(
        doctor,
        "distribution",
        lambda name: Thing(requires=REQUIRES[:1], metadata=Thing(get_all=lambda key: None)),
    )
    code, out, err = typed("doctor")
    assert (code, err) == (0, "") and [
        line.split()[0] for line in out.splitlines() if line[0] != " "
    ] == [
        "hanabi",
        "Python",
        "packages",
        "compiling",
        "cache",
        "cores",
        "memory",
        "backends",
    ]
    code, out, _ = typed("doctor", "--json")
    assert (
        code == 0
        and json.loads(out)["cores"]["usable"] >= 1
        and "threads" in json.loads(out)["backends"]
    )
    monkeypatch.setattr(doctor, "_compiling", lambda: 1 / 0)
    code, out, _ = typed("doctor")
    assert code == 1 and "numba cannot compile (ZeroDivisionError: division by zero)" in " ".join(
        out.split()
    )


def test_memory_is_that_of_the_container(monkeypatch, tmp_path):
    (tmp_path / "limit").write_text("1000000\n")
    monkeypatch.setattr(doctor, "MEMORY_LIMIT", tmp_path / "limit")
    assert doctor._memory() == {"bytes": 1_000_000, "free": 1_000_000}
    (tmp_path / "limit").write_text("max\n")
    found = doctor._memory()
    assert found["bytes"] > found["free"] > 1_000_000


def test_it_tells_of_what_it_needs_itself(monkeypatch):
    monkeypatch.delitem(sys.modules, "hanabi.evolve.doctor")
    monkeypatch.delitem(vars(lazy_modules), "doctor", raising=False)  # a test before used it
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    code, out, err = typed("doctor")
    assert (code, out) == (2, "") and err.startswith("hanabi: the package packaging is missing: ")
    assert err.endswith(" -m pip install packaging\n") and err.count("\n") == 1
