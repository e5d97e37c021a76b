"""Which benchmarks run; the longest of them plays by every rule and convention."""

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.bench.registry import find_benchmarks, run
from hanabi.evolve.bench.start_time import EVERYTHING


def test_a_benchmark_that_is_named_twice_runs_once():
    found = find_benchmarks(["help", "hints", "help"])
    assert [one.name for one in found] == ["help", "hints"]
    assert {row["name"] for row in run(find_benchmarks(["help"] * 2))} == {
        "hanabi --help",
        "hanabi rules",
    }


def test_compile_all_plays_by_every_convention_in_lists_that_have_room_for_them():
    told: dict = {}
    exec(EVERYTHING, told)
    lists = [player.conventions for player in told["players"]]
    assert {entry.family.name for entries in lists for entry in entries} == set(CONVENTION_FAMILIES)
    assert all(len(entries) <= MAX_CONVENTIONS for entries in lists)
