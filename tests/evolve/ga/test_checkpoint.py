"""A checkpoint is whole or not there, and a damaged one is passed over."""

import hashlib
import json
import os

import pytest

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.log_writer import Writer


@pytest.fixture
def folder(tmp_path):
    """Three generations: the last two checkpoints are there."""
    log = tmp_path / "log.csv"
    for generation in range(3):
        with open(log, "a") as file:
            file.write(f"row {generation}\n")
        whole = log.read_bytes()
        checkpoint.write(
            tmp_path,
            {"generation": generation, "orders": [[1, 0]]},
            {"log.csv": (len(whole), hashlib.sha256(whole).hexdigest())},
        )
    return tmp_path


def test_the_last_two_are_kept_and_logs_are_cut(folder):
    assert [path.name for path in checkpoint.files(folder)] == [
        "checkpoint-0000002.json",
        "checkpoint-0000001.json",
    ]
    assert not list(folder.glob("*.part"))
    with open(folder / "log.csv", "a") as log:
        log.write("row 3, half writ")
    state, warnings = checkpoint.newest(folder)
    assert state["generation"] == 2 and not warnings
    checkpoint.cut(folder, state)
    assert (folder / "log.csv").read_text() == "row 0\nrow 1\nrow 2\n"


def test_a_log_that_was_cut_is_on_the_disk(folder, monkeypatch):
    with open(folder / "log.csv", "a") as log:
        log.write("row 3, half writ")
    synced, sync = [], os.fsync
    monkeypatch.setattr(
        checkpoint.os,
        "fsync",
        lambda descriptor: synced.append(os.fstat(descriptor).st_size) or sync(descriptor),
    )
    checkpoint.cut(folder, checkpoint.newest(folder)[0])
    assert synced == [len("row 0\nrow 1\nrow 2\n")], "synced once, when it was short again"


def test_a_log_that_is_gone_is_damage(folder):
    (folder / "log.csv").unlink()
    with pytest.raises(
        ValueError, match="no whole checkpoint .* log.csv is gone, without the 18 bytes it had then"
    ):
        checkpoint.newest(folder)


def damage(path, kind):
    data = path.read_bytes()
    if kind == "flipped":
        for place in range(len(data)):  # every single byte of it
            yield data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :]
    else:
        yield from {
            "cut": [data[:n] for n in (0, 1, 64, 65, len(data) - 1)],
            "zeros": [bytes(len(data))],
            "longer": [data + b" "],
            "text": [b"not a checkpoint"],
        }[kind]


@pytest.mark.parametrize("kind", ["flipped", "cut", "zeros", "longer", "text"])
def test_a_damaged_newest_falls_back_with_a_warning(folder, kind):
    newest = checkpoint.files(folder)[0]
    for data in list(damage(newest, kind)):
        newest.write_bytes(data)
        state, warnings = checkpoint.newest(folder)
        assert state["generation"] == 1 and len(warnings) == 1 and newest.name in warnings[0]


def test_none_left_is_an_error_and_none_ever_is_not(folder, tmp_path_factory):
    for path in checkpoint.files(folder):
        path.write_bytes(b"")
    with pytest.raises(ValueError, match="no whole checkpoint is left in .*0000002.*0000001"):
        checkpoint.newest(folder)
    assert checkpoint.newest(tmp_path_factory.mktemp("empty")) == (None, [])


def test_a_log_that_is_too_short_is_damage(folder):
    (folder / "log.csv").write_text("row 0\nrow 1\n")
    state, warnings = checkpoint.newest(folder)
    assert state["generation"] == 1 and "log.csv is shorter" in warnings[0]


@pytest.mark.parametrize(
    "edited, reached",
    [("row 0\nrow 1\nrow 3\n", 1), ("row 0\nrow 1\nrow 33\n", 1), ("row 5\nrow 1\nrow 2\n", None)],
)
def test_a_log_that_was_edited_is_damage_though_it_is_as_long(folder, edited, reached):
    (folder / "log.csv").write_text(edited)
    if reached is None:
        with pytest.raises(ValueError, match="no whole checkpoint .* log.csv was edited since"):
            checkpoint.newest(folder)
    else:
        state, warnings = checkpoint.newest(folder)
        assert state["generation"] == reached and "log.csv was edited since" in warnings[0]


def test_only_checkpoints_count_as_such(folder):
    for name in ("checkpoint-copy.json", "checkpoint-9.json", "checkpoint-0000002.json.old"):
        (folder / name).write_text("my notes")
    assert checkpoint.newest(folder)[0]["generation"] == 2
    checkpoint.write(folder, {"generation": 3}, {})
    assert [path.name for path in checkpoint.files(folder)] == [
        "checkpoint-0000003.json",
        "checkpoint-0000002.json",
    ]


def test_a_file_that_cannot_be_written_leaves_the_old_one(folder, monkeypatch):
    path = checkpoint.files(folder)[0]
    before, others = path.read_bytes(), sorted(folder.iterdir())

    def full(*places):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError):
        checkpoint.write_whole(path, b"new")
    assert path.read_bytes() == before and sorted(folder.iterdir()) == others
    assert json.loads(before.split(b"\n", 1)[1])["generation"] == 2


def test_a_generation_that_cannot_be_written_is_told_at_the_next_call(tmp_path, monkeypatch):
    """And the next one is not written behind it: its log would lack the rows of the first."""
    written = []

    def write(self, rows, timings, state):
        written.append(state)
        if state == 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Writer, "_write", write)
    with pytest.raises(OSError, match="No space left"), Writer(tmp_path, None) as writer:
        writer.put({}, [], 1)
        writer.put({}, [], 2)
    assert written == [1]
