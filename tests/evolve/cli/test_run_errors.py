"""Run folders that are damaged or cannot be used are reported in one line."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from folders import lay_out, refused, tree
from tiny import tiny
from typed import typed

from hanabi.evolve.ga.run import evolve
from hanabi.evolve.ga.run_folder import sealed


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """(A finished tiny run, what its folder holds)."""
    folder = evolve(
        tiny(generations=2), tmp_path_factory.mktemp("runs") / "runs", name="tiny", jobs=1
    ).folder
    return folder, tree(folder)


def changed(text, *words, **keys):
    """A file of a run as if it had been written so: with a checksum that fits."""
    values = json.loads(text.replace(*words) if words else text) | keys
    return sealed(
        {key: value for key, value in values.items() if value is not None and key != "checksum"}
    )


def open_to_all(text, **keys):
    """The same as old runs wrote it: without a checksum."""
    return json.dumps(
        {key: value for key, value in (json.loads(text) | keys).items() if key != "checksum"}
    )


RUNS = [  # (words, {file of the run: what it becomes or None}, message)
    ("evolve --resume RUN", {"run.json": "{"}, "run.json … Expecting … property"),
    ("evolve --resume RUN", {"run.json": ""}, "run.json … Expecting … value"),
    ("evolve --resume RUN", {"run.json": "[" * 100_000}, "run.json … nested … deeply"),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: text.replace('"extended": []', '"extended": [1]')},
        ("damaged … run.json … checksum"),
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: open_to_all(text, rules=[["toy.old"]])},
        "damaged … run.json … writes",
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: open_to_all(text, engine="", files=[1])},
        "damaged … run.json … writes",
    ),
    ("evolve --resume RUN", {"config.toml": b"\xff\xfe\0"}, "config.toml … text … 8"),
    ("evolve --resume RUN", {"config.toml": ""}, "config.toml … 'variant' … missing"),
    (
        "evolve --resume RUN",
        {"config.toml": lambda text: text.replace("population = 8", "population = [8]")},
        "config.toml … population … 8",
    ),
    (
        "evolve --resume RUN",
        {"log.csv": lambda text: text.replace(",", ";", 1)},
        "log.csv … edited … since",
    ),
    ("evolve --resume RUN", {"log.csv": None}, "log.csv is gone"),
    (
        "evolve --resume RUN",
        {"run.json": "[]"},
        "damaged … run.json … should",
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: changed(text, versions=None)},
        "damaged … run.json … 'versions'",
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: changed(text, pool={})},
        "damaged … run.json … 'pool'",
    ),
    ("evolve --resume RUN", {"run.json": b"\xff"}, "run.json is not text"),
    ("evolve --resume RUN", {"config.toml": None}, "config.toml … file … directory"),
    ("evolve --resume RUN", {"config.toml": "x"}, "config.toml is not TOML"),
    (
        "evolve --resume RUN",
        {"config.toml": lambda text: text.replace("population = 8", "population = 9")},
        "population … 8 … 9",
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: changed(text, '"numpy": "', '"numpy": "0.')},
        "numpy was version 0.",
    ),
    (
        "evolve --resume RUN",
        {"run.json": lambda text: changed(text, '"toy.never"', '"toy.ever"')},
        "rule … changed … toy.ever",
    ),
    ("evolve --resume RUN --extend-to 2", {}, "--extend-to … 2 … generation"),
    ("evolve --resume RUN --extend-to 0", {}, "Invalid … value … '--extend-to'"),
    ("evolve --resume RUN --extend-to 99999999", {}, "generations … 99999999 … range"),
    (
        "evolve --resume RUN",
        {"result.json": None, "checkpoint-0000002.json": b"", "checkpoint-0000001.json": b"x"},
        "whole … checkpoint",
    ),
    (
        "evolve --resume RUN",
        {"result.json": None, "checkpoint-0000002.json": None, "checkpoint-0000001.json": None},
        "checkpoint … though",
    ),
    ("evolve --resume RUN --jobs 0", {}, "jobs: 0 should be 1 or more"),
    ("evolve --resume RUN", {"best.toml": None}, "best.toml: no such file"),
    ("export RUN", {"result.json": None}, "finished … hanabi"),
    ("export RUN", {"result.json": "x"}, "result.json … Expecting … value"),
    (
        "export RUN",
        {"result.json": lambda text: text.replace('"games": 160', '"games": 161')},
        ("result.json … checksum"),
    ),
    (
        "export RUN",
        {"result.json": lambda text: open_to_all(text, results=[{"mean_kept": [25]}])},
        "(result.json holds no results)",
    ),
    *(
        (f"{word} RUN", {"run.json": b"\0"}, "run.json is not JSON")
        for word in ("export", "report")
    ),
    *(
        (f"{word} RUN", {"config.toml": b"\xff"}, "config.toml is not text")
        for word in ("export", "report")
    ),
    *(
        (
            f"{word} RUN",
            {"log.csv": lambda text: text.replace("0.", "9.", 1)},
            "are damaged (log.csv was edited after the run)",
        )
        for word in ("export", "report")
    ),
    (
        "report RUN",
        {
            "log.csv": "a\n1\n",
            "result.json": lambda text: open_to_all(
                text, log_csv=hashlib.sha256(b"a\n1\n").hexdigest()
            ),
        },
        "damaged … log.csv … 'generation'",
    ),
    ("report RUN", {"result.json": b"\0"}, "result.json is not JSON"),
    ("export RUN", {"best.toml": None}, "best.toml … file … directory"),
    (
        "export RUN",
        {"best.toml": b"\xff"},
        "best.toml … changed … scores",
    ),
    ("export RUN -o no/agent.toml", {}, "cannot … no/agent.toml … directory"),
    ("runs RUN", {}, "itself … hanabi"),
    (
        "runs --sort seeds",
        {},
        ("--sort … 'seeds' … 'seed' … generation"),
    ),
    ("runs --sort -", {}, "--sort … column … ''"),
    ("runs -o runs.txt", {}, "cannot … runs.txt … parquet"),
]


@pytest.mark.parametrize("words, files, message", RUNS)
def test_a_run_that_cannot_be_used_is_told_in_one_line(words, files, message, run, tmp_path):
    folder, whole = run
    copy = tmp_path / "some-run"
    lay_out(
        copy,
        {name: data for name, data in whole.items() if files.get(name, "") is not None}
        | {
            name: data(whole[name].decode()) if callable(data) else data
            for name, data in files.items()
            if data is not None
        },
    )
    (copy / "lock").touch()
    refused(words.replace("RUN", "some-run"), tmp_path, message.replace("RUN", "some-run"))


def test_damaged_runs_are_listed_as_broken(run, tmp_path):
    _, whole = run
    damage = {
        "a": {"run.json": b"[]"},
        "b": {"result.json": b"3"},
        "c": {"result.json": b'{"results": []}'},
        "d": {"config.toml": b"\xff"},
        "e": {"run.json": "[" * 100_000},
        "f": {"run.json": b""},
        "g": {
            "result.json": open_to_all(
                whole["result.json"].decode(), results=[{"mean_kept": [1], "sem_kept": 0}]
            )
        },
        "h": {"run.json": open_to_all(whole["run.json"].decode())},
        "i": {},
    }
    for name, files in damage.items():
        lay_out(tmp_path / name, whole | files)
    code, out, _ = typed("runs", tmp_path, "--json")
    assert code == 0
    assert [state["state"] for state in json.loads(out)] == ["broken"] * 7 + ["done"] * 2


def test_a_run_that_only_its_owner_may_write_to_is_not_running(run, tmp_path, monkeypatch):
    from hanabi.evolve.ga import run_folder as folder

    lay_out(tmp_path / "a", {name: data for name, data in run[1].items() if name != "result.json"})

    class Refused:
        def __init__(self, *what, **how):
            pass

        def acquire(self):
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folder, "FileLock", Refused)
    assert json.loads(typed("runs", tmp_path, "--json")[1])[0]["state"] == "stopped"


@pytest.mark.parametrize("name", ["two  words", "-it's", "$HOME `ls`\n\té\\"])
def test_what_is_printed_for_copying_works_in_a_shell(run, tmp_path, name):
    """The same words come back: export says what to type, and the shell's words are those of the
    file.
    """
    lay_out(tmp_path / name, run[1])
    folder = f"./{name}" if name.startswith("-") else name
    code, out, err = typed("export", folder, "-o", f"{folder}.toml", folder=tmp_path)
    assert code == 0, err
    typed_in = words_of(out.split("Try: ")[1])
    assert typed_in[:3] == [
        "hanabi",
        "show",
        str(Path(f"{folder}.toml")) if folder == name else f"{folder}.toml",
    ]
    assert typed_in[3] == "--rules" and typed_in[4].endswith("toy_rules.py")
    (tmp_path / name / "result.json").unlink()
    _, _, err = typed("export", folder, folder=tmp_path)
    assert words_of(err.split("go on with: ")[1]) == ["hanabi", "evolve", "--resume", folder]


def words_of(line):
    """The words that a shell makes of a line."""
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {line.strip()}"], capture_output=True, check=True
    )
    return done.stdout.decode().split("\0")[:-1]


def test_runs_are_listed_sorted_and_written(run, tmp_path):
    _, whole = run
    timing = (  # the last row half written
        "generation,seconds,games,games_per_second,jobs\n0,{},1000,3,1\n1,3"
    )
    for name, files in {
        "a-short": {
            "timing.csv": timing.format(1e-6),
            "config.toml": whole["config.toml"].replace(b"seed = 1\n", b"seed = 9\n"),
        },
        "b-long": {"timing.csv": timing.format(7000)},
        "c-lost": {"timing.csv": None},
        "d-stopped": {"result.json": None},
        "e-broken": {"config.toml": b"x"},
    }.items():
        lay_out(
            tmp_path / name,
            {file: data for file, data in (whole | files).items() if data is not None},
        )

    def names(*words):
        code, out, err = typed("runs", tmp_path, *words, "--json")
        assert code == 0, err
        return "".join(Path(row["run"]).name[0] for row in json.loads(out))

    assert [
        names(*words)
        for words in (
            (),
            ("--sort", "time"),
            ("--sort", "-time"),
            ("--sort=-seed",),
            ("--sort", "state"),
        )
    ] == ["abcde", "adbce", "bdace", "abcde", "eabcd"], "those without a value last"
    code, out, _ = typed("runs", tmp_path, "-o", tmp_path / "rows.csv")
    plain = " ".join(out.split())
    assert code == 0 and all(
        words in plain
        for words in (
            "5 runs in",
            "b-long done 2/2",
            "1 h 56 min",
            "1,000",
            "mirror 2-3",
            "d-stopped stopped 2/2",
            "e-broken broken 0/0",
        )
    )
    assert (tmp_path / "rows.csv").read_text().count("\n") == 6
