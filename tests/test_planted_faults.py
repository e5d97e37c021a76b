"""The script that plants known faults, and its list."""

import json

import planted_faults
import pytest
from paths import ROOT
from planted_faults import CAUGHT, OUTDATED, SURVIVED, Fault, draw, plant, read_faults

FAULT = Fault("sum", "sum.py", "a + b", "a - b", ("test_sum.py",))


@pytest.mark.parametrize(
    "text, code, expected",
    [
        ("return a + b\n", 1, CAUGHT),
        ("return a + b\n", 0, SURVIVED),
        ("return a + b\n", 2, planted_faults.BROKEN),
        ("return b + a\n", 1, OUTDATED),
        ("return a + b + a + b\n", 1, OUTDATED),
    ],
)
def test_a_fault_is_planted_tried_and_taken_out(tmp_path, text, code, expected):
    file, seen = tmp_path / "sum.py", []
    file.write_text(text, encoding="utf-8")

    def run(tree, fault):
        seen.append(file.read_text(encoding="utf-8"))
        return code

    assert plant(tmp_path, FAULT, run) == expected
    assert seen == ([] if expected == OUTDATED else ["return a - b\n"])
    assert file.read_text(encoding="utf-8") == text


def test_a_planted_fault_fails_its_test_in_a_copy(tmp_path, monkeypatch, capsys):
    root, faults = tmp_path / "root", tmp_path / "faults.jsonl"
    (root / "tests").mkdir(parents=True)
    (root / ".venv").mkdir()
    (root / "total.py").write_text("def total(a, b):\n    return a + b\n", encoding="utf-8")
    test = "from total import total\n\n\ndef test_total():\n    assert total({}, {}) == {}\n"
    for name, numbers in (("test_blind", (2, 0, 2)), ("test_sees", (2, 1, 3))):
        (root / f"tests/{name}.py").write_text(test.format(*numbers), encoding="utf-8")
    lines = [
        FAULT._replace(id=test, file="total.py", tests=(f"{test}.py",))._asdict()
        for test in ("test_blind", "test_sees")
    ]
    faults.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    monkeypatch.setattr(planted_faults, "ROOT", root)
    assert planted_faults.main(["--faults", str(faults), "--all"])
    said = capsys.readouterr().out
    assert "Not caught: test_blind (survived)\n" in said and "caught             test_sees" in said
    assert (root / "total.py").read_text(encoding="utf-8").endswith("a + b\n")
    assert not planted_faults.main(["--faults", str(faults), "test_sees"])


def test_a_seed_draws_a_dozen_of_different_files():
    faults = read_faults()
    drawn = draw(faults, 7)
    assert drawn == draw(faults, 7) != draw(faults, 8)
    assert len(drawn) == len({fault.file for fault in drawn}) == 12
    assert {fault.id for seed in range(400) for fault in draw(faults, seed)} == {
        fault.id for fault in faults
    }


def test_every_fault_of_the_list_names_files_that_exist():
    """Whether its text is still there is seen when it is planted."""
    faults = read_faults()
    assert len({fault.id for fault in faults}) == len(faults) >= 96
    for fault in faults:
        assert (ROOT / fault.file).exists() and fault.old != fault.new, fault.id
        assert fault.tests and all((ROOT / "tests" / test).exists() for test in fault.tests)
