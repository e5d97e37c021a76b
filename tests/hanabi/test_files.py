"""A file is written whole or not at all; what is no file is written to."""

import os
import stat
import subprocess
import sys

import pytest
from paths import ROOT

from hanabi import files
from hanabi.files import (
    DEPTH,
    DIGITS,
    VALUES,
    FileWriteError,
    parse_json,
    read_bytes,
    read_text,
    write_new,
    write_whole,
)


def test_a_file_is_new_or_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_whole(path, "one ±")
    assert path.read_text(encoding="utf-8") == "one ±"

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(ValueError, match=r"^cannot write .*a\.txt: no space left on device$"):
        write_whole(path, b"two")
    assert path.read_text(encoding="utf-8") == "one ±" and os.listdir(tmp_path) == ["a.txt"]


def test_a_file_is_on_the_disk_before_it_takes_its_name(tmp_path, monkeypatch):
    """Written, synced, renamed, the folder synced, in this order: after a power cut there is the
    old file or the new one.
    """
    done, opened, sync, replace = [], [], os.fsync, os.replace

    def synced(descriptor):
        sync(descriptor)
        found = os.fstat(descriptor)
        opened.append(descriptor)
        done.append("folder" if stat.S_ISDIR(found.st_mode) else f"{found.st_size} bytes")

    def replaced(*paths):
        replace(*paths)
        done.append("renamed")

    monkeypatch.setattr(files.os, "fsync", synced)
    monkeypatch.setattr(files.os, "replace", replaced)
    write_whole(tmp_path / "a.txt", "seven b")
    assert done == ["7 bytes", "renamed", "folder"]
    for descriptor in opened:  # closed again
        with pytest.raises(OSError):
            os.fstat(descriptor)


def test_what_is_read_has_limits(tmp_path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfa\rb\r\nc\n")
    assert read_text(tmp_path / "a") == "a\nb\nc\n" and len(read_bytes(tmp_path / "a", 10)) == 10
    with pytest.raises(ValueError, match="larger than"):
        read_bytes(tmp_path / "a", 9)


@pytest.mark.parametrize(
    "most, more, says",
    [
        ("[" * DEPTH + "]" * DEPTH, "[" * (DEPTH + 1) + "]" * (DEPTH + 1), "nested too deeply"),
        (
            f"[{'1,' * (VALUES - 2)}1]",
            f"[{'1,' * (VALUES - 1)}1]",
            "it holds more than 20,000 values",
        ),
        ("9" * DIGITS, "1" + "0" * DIGITS, "a number has more than 60 digits"),
        ("-" + "9" * DIGITS, "-1" + "0" * DIGITS, "a number has more than 60 digits"),
    ],
)
def test_data_has_limits(most, more, says):
    parse_json(most, "a.json")
    with pytest.raises(ValueError, match=f"^a.json is not JSON that is read here: {says}$"):
        parse_json(more, "a.json")


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"


def test_what_cannot_be_written_is_told_in_one_line(tmp_path):
    with pytest.raises(FileWriteError, match="^cannot write .*: it is a folder$"):
        write_whole(tmp_path, "x")
    with pytest.raises(OSError, match="^cannot write .*no/a: no such file or directory$") as error:
        write_whole(tmp_path / "no/a", "x")
    assert error.value.strerror == "No such file or directory" and isinstance(
        error.value, ValueError
    )


@pytest.mark.parametrize("where", ["pipe", "file"])
def test_standard_output_is_written_to(where, tmp_path):
    """Also where it is a pipe, whose resolved name is no path; a file that it was sent to stays
    the same file.
    """
    code = "from hanabi.files import write_whole; write_whole('/dev/stdout', 'said')"
    out = tmp_path / "out"
    with open(out, "w") as file:
        before = os.fstat(file.fileno()).st_ino
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            stdout=file if where == "file" else subprocess.PIPE,
            check=True,
        )
    assert (out.read_bytes() if where == "file" else done.stdout) == b"said" and os.stat(
        out
    ).st_ino == before


def test_a_new_file_writes_over_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [str(write_new(text)) for text in "abc"] == ["fault.toml", "fault1.toml", "fault2.toml"]
    assert (tmp_path / "fault1.toml").read_text() == "b"


def test_what_lies_at_an_old_name_of_a_part_is_neither_followed_nor_lost(tmp_path):
    """A link at ``a.txt.part`` was written through, and a file there was replaced."""
    (tmp_path / "secret").write_text("theirs")
    (tmp_path / "a.txt.part").symlink_to(tmp_path / "secret")
    write_whole(tmp_path / "a.txt", "ours")
    assert (tmp_path / "secret").read_text() == "theirs"
    assert (tmp_path / "a.txt.part").is_symlink() and not (tmp_path / "a.txt").is_symlink()


def test_a_part_gets_no_name_that_is_taken(tmp_path, monkeypatch):
    """Also where its random name is a link: that is an error, and the target stays as it is."""
    (tmp_path / "secret").write_text("theirs")
    monkeypatch.setattr(files.secrets, "token_hex", lambda size: "0" * 2 * size)
    (tmp_path / f".{'0' * 16}{files.ASIDE}").symlink_to(tmp_path / "secret")
    with pytest.raises(FileWriteError, match="file exists"):
        write_whole(tmp_path / "a.txt", "ours")
    assert (tmp_path / "secret").read_text() == "theirs" and not (tmp_path / "a.txt").exists()


def test_two_writers_do_not_meet(tmp_path):
    """Each of both writes the whole file, at the same time as the other."""
    from multiprocessing.pool import ThreadPool

    texts = [letter * 5_000 for letter in "ab"]
    with ThreadPool(2) as pool:
        pool.map(lambda text: [write_whole(tmp_path / "a", text) for _ in range(60)], texts)
    assert (tmp_path / "a").read_text() in texts and os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_permissions(mode, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_that_are_asked_for(tmp_path):
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "usual", "text")
        write_whole(tmp_path / "private", "text", 0o600)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "private")]
    assert modes == [0o644, 0o600]
