"""Damage to a run's folder is survived, or told in one line."""

import shutil

import pytest
from stopped import part_of, results
from tiny import tiny

from hanabi.evolve.ga import config
from hanabi.evolve.ga.checkpoint import files
from hanabi.evolve.ga.run import RunError, evolve, list_runs, resume
from hanabi.evolve.reports.sealed_agent import export


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config file, the folder of a run that was never stopped)."""
    place = tmp_path_factory.mktemp("unbroken")
    (place / "tiny.toml").write_text(tiny().text())
    return place / "tiny.toml", evolve(config.read(place / "tiny.toml"), place / "runs", jobs=1)


def test_damage_is_survived_or_told(unbroken, tmp_path):
    _, run = unbroken
    part = part_of(run, tmp_path)
    newest, before = files(part)
    data = newest.read_bytes()
    newest.write_bytes(data[:100] + b"?" + data[101:])
    warnings = []
    resume(
        part, jobs=1, progress=lambda step: step.stage == "warning" and warnings.append(step.text)
    )
    assert results(part) == results(run) and len(warnings) == 1 and newest.name in warnings[0]
    (finished,) = list_runs(tmp_path)
    assert finished.state == "done" and list_runs(tmp_path)[0] is finished, "it is read once"
    (part / "result.json").unlink()
    assert list_runs(tmp_path)[0].state == "stopped"
    for path in files(part):
        path.write_bytes(b"")
    with pytest.raises(RunError, match="no whole checkpoint is left"):
        resume(part)
    for path in files(part):
        path.unlink()
    with pytest.raises(RunError, match="no checkpoint is left in .*, though its log has rows"):
        resume(part)
    (part / "run.json").write_text("{")
    with pytest.raises(RunError, match="are damaged"):
        resume(part)
    assert list_runs(tmp_path)[0].state == "broken"
    for bad in (tmp_path, tmp_path / "none"):
        with pytest.raises(ValueError, match="is not a run folder"):
            resume(bad)
        with pytest.raises(ValueError, match="is not a run folder"):
            export(bad)


def test_times_are_made_anew_and_an_edited_log_is_noticed(unbroken, tmp_path):
    """Nothing rests on timing.csv: gone, cut or filled with anything, it never stops a run."""
    _, run = unbroken
    part = part_of(run, tmp_path)
    log, times = (part / "log.csv").read_bytes(), part / "timing.csv"
    reached = int(files(part)[0].stem.split("-")[1])
    for place in (0, log.index(b"\n") + 5, log.rindex(b",")):
        (part / "log.csv").write_bytes(log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :])
        if place < log.rindex(b"\n", 0, -1):
            with pytest.raises(
                RunError,
                match="log.csv was edited since. Put them back as they were, or start a new run",
            ):
                resume(part, jobs=1)
    (part / "log.csv").write_bytes(log)
    cut = times.read_bytes()[:-9]
    for number, damage in enumerate((None, b"\xff\0" * 50, cut)):
        other = shutil.copytree(part, tmp_path / str(number) / part.name)
        times = other / "timing.csv"
        times.unlink() if damage is None else times.write_bytes(damage)
        resume(other, jobs=1)
        rows = times.read_text().splitlines()
        assert (
            results(other) == results(run)
            and rows[0] == "generation,seconds,games,games_per_second,jobs"
        )
        numbers = [int(row.split(",")[0]) for row in rows[1:]]
        before = range(reached) if damage == cut else ()
        assert [n for n in numbers if n != reached] == [*before, *range(reached + 1, 13)]
