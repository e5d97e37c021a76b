"""A run can be stopped anywhere, by anything, and ends as if it had not been."""

import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from paths import PATIENCE
from stopped import HERE, begin, command, drive, kill_and_resume, only_run, part_of, results, start
from tiny import tiny

from hanabi.evolve.analysis.subjects import began
from hanabi.evolve.ga import checkpoint, config
from hanabi.evolve.ga.checkpoint import files
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.lineage import lineage
from hanabi.evolve.ga.log_writer import cells
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import RunError, evolve, list_runs, resume
from hanabi.evolve.ga.run_folder import locked, result, sealed
from hanabi.evolve.ga.winner import final_seed
from hanabi.evolve.reports.run_report import report
from hanabi.evolve.reports.sealed_agent import export
from hanabi.positions.position import Position
from hanabi.rules import SETS, agents


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config file, the folder of a run that was never stopped)."""
    place = tmp_path_factory.mktemp("unbroken")
    (place / "tiny.toml").write_text(tiny().text())
    return place / "tiny.toml", evolve(
        config.read(place / "tiny.toml"), place / "runs", jobs=1
    ).folder


def test_a_run_leaves_all_that_it_should(unbroken):
    file, run = unbroken
    (state,) = list_runs(run.parent)
    assert (state.run, state.state, state.generation, state.generations) == (run, "done", 12, 12)
    assert (
        len((run / "log.csv").read_text().splitlines())
        == 14
        == len((run / "timing.csv").read_text().splitlines())
    )
    agent = agents.loads((run / "best.toml").read_text())
    assert agent.provenance["score"] == state.result and agent.provenance["games"] == 160
    assert export(run) == (run / "best.toml").read_text()
    assert config.read(run / "config.toml") == config.read(file)


def test_the_winner_s_line_leads_to_the_winner(unbroken):
    _, run = unbroken
    stated, line = result(run), lineage(Run(run))
    generation, number = stated["born"]
    rows = [row.split(",")[1].split() for row in (run / "lineage.csv").read_text().splitlines()[1:]]
    assert [len(row) for row in rows] == [0] + 12 * [8]
    assert (
        line[0].how == "begun"
        and line[0].generation == 0
        and [step.generation for step in line] == sorted({step.generation for step in line})
        and line[-1].generation <= generation
    )
    for step in range(generation, 0, -1):
        how = next((one.how for one in line if one.generation == step), "")
        parent, mate, changed = re.fullmatch(r"(\d+)(x\d+)?(m)?", rows[step][number]).groups()
        assert (bool(mate), bool(changed)) == ("crossed" in how, "changed" in how)
        number = int(parent)
    state, _ = checkpoint.newest(run)
    famous = [[entry[1], entry[3]] for entry in state["hall"]]
    alive = [data[0] for data in state["individuals"]]
    assert (
        stated["born"] in famous or generation == 12 and alive[stated["born"][1]] == stated["rules"]
    )


def test_how_the_lists_of_each_generation_begin(unbroken):
    """Counted once more from the checkpoint, and whole in every generation."""
    _, run = unbroken
    rows, [(names, shares)] = Run(run).first_rules, began(Run(run)).values()
    assert (rows.groupby("generation")["individuals"].sum() == 8).all() and rows[
        "generation"
    ].nunique() == 13
    state, _ = checkpoint.newest(run)
    last = rows[rows["generation"] == 12]
    assert dict(zip(last["rule"], last["individuals"])) == Counter(
        one[0][0] for one in state["individuals"]
    )
    assert list(last["individuals"]) == sorted(last["individuals"], reverse=True)
    assert all(round(sum(some), 9) == 1 for some in zip(*shares)) and {
        len(way) for way in shares
    } == {13}
    of = {
        name: last["individuals"][[rule.startswith(name) for rule in last["rule"]]].sum() / 8
        for name in names
    }
    assert {name: way[-1] for name, way in zip(names, shares)} == of and sum(of.values()) == 1


def test_a_run_without_lineages_and_first_rules_goes_on(tmp_path):
    run = evolve(tiny(generations=2), tmp_path, jobs=1)
    assert began(run)
    state, _ = checkpoint.newest(run.folder)
    logs = {
        name: told
        for name, told in state.pop("logs").items()
        if name not in ("lineage.csv", "first_rules.csv")
    }
    checkpoint.write(run.folder, state | {"hall": [entry[:3] for entry in state["hall"]]}, logs)
    for name in ("lineage.csv", "first_rules.csv"):
        (run / name).unlink()
    again = resume(run, extend_to=4, jobs=1)
    assert (
        lineage(again) == []
        and began(again) == {}
        and not any((run / name).exists() for name in ("lineage.csv", "first_rules.csv"))
    )
    assert len((run / "log.csv").read_text().splitlines()) == 6


def test_an_old_run_is_never_harmed(unbroken, tmp_path):
    _, run = unbroken
    before = results(run)
    another = evolve(tiny(generations=1), run.parent, jobs=1)
    assert another.name == run.name + "-2" and results(run) == before
    shutil.rmtree(another)
    for name in ("", "a/b", "..", ".x"):
        with pytest.raises(ValueError, match="plain word"):
            evolve(tiny(), tmp_path, name=name)
    with pytest.raises(ValueError, match="no set and no rule"):
        evolve(tiny(rules=["none"]), tmp_path / "runs")
    assert not (tmp_path / "runs").exists(), "a mistake leaves nothing behind"


# in worker processes too: conventions below, and rules of one's own in test_lists.py
@pytest.mark.parametrize(
    "jobs, backend", [(2, "threads"), pytest.param(2, "processes", marks=pytest.mark.slow)]
)
def test_workers_change_nothing(unbroken, jobs, backend, tmp_path):
    file, run = unbroken
    assert results(evolve(config.read(file), tmp_path, jobs=jobs, backend=backend)) == results(run)


def test_killed_at_any_place_it_ends_the_same(unbroken, tmp_path):
    # Two fsyncs and a replace per checkpoint, one fsync per log row. Killed in the first
    # generation, in a log row, half way
    # through a checkpoint, before it is renamed, at any time
    kill_and_resume(
        unbroken,
        tmp_path,
        ["fsync:8", "fsync:14", "half:2", "replace:3", "replace:2", 0.02],
        ["jobs=2"],
    )


def test_killed_at_the_end_it_ends_the_same(unbroken, tmp_path):
    # replace: two for the new folder, 13 checkpoints, then race.csv, best.toml, result.json
    kill_and_resume(unbroken, tmp_path, ["replace:16", "replace:2", "half:3"], ["jobs=2"])


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """As ``unbroken``, with more generations."""
    place = tmp_path_factory.mktemp("longer")
    (place / "tiny.toml").write_text(tiny(generations=400).text())
    return place / "tiny.toml", evolve(
        config.read(place / "tiny.toml"), place / "runs", jobs=1
    ).folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_random_times_it_ends_the_same(longer, tmp_path, seed):
    rng = random.Random(seed)
    kills = [
        rng.choice(
            [
                rng.random() * 0.3,
                rng.random() * 0.3,
                f"fsync:{rng.randint(1, 60)}",
                f"half:{rng.randint(1, 20)}",
                f"replace:{rng.randint(1, 20)}",
            ]
        )
        for _ in range(6)
    ]
    kill_and_resume(
        longer,
        tmp_path,
        ["fsync:9", *kills],
        [f"jobs={rng.choice([1, 2])}", f"backend={rng.choice(['threads', 'processes'])}"],
    )


@pytest.mark.slow
def test_killed_while_it_compiles_it_ends_the_same(unbroken, tmp_path):
    file, run = unbroken
    cache = os.environ | {"PYTHONPATH": HERE, "HANABI_CACHE": str(tmp_path / "cache")}
    rng = random.Random(1)
    for _ in range(6):
        words = (
            ("resume", only_run(tmp_path))
            if list(tmp_path.glob("20*"))
            else ("evolve", file, tmp_path)
        )
        process = subprocess.Popen(
            command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=cache
        )
        time.sleep(2 + 6 * rng.random())
        process.kill()
        process.wait()
    done = subprocess.run(
        command("resume", only_run(tmp_path)),
        capture_output=True,
        text=True,
        env=cache,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert results(only_run(tmp_path)) == results(run)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finishes_the_generation(unbroken, tmp_path, number):
    file, run = unbroken
    longer = tmp_path / "longer.toml"
    longer.write_text(tiny(generations=3000).text())
    process = start("evolve", longer, tmp_path, "jobs=2")
    process.send_signal(number)
    said, _ = process.communicate(timeout=PATIENCE)
    stopped = only_run(tmp_path)
    assert process.returncode == 130 and f"go on with: hanabi evolve --resume {stopped}" in said
    assert list_runs(tmp_path)[0].state == "stopped"
    reached = list_runs(tmp_path)[0].generation
    assert f"after generation {reached}" in said
    rows = (stopped / "log.csv").read_text().splitlines()
    assert rows[-1].startswith(f"{reached},"), "it finished the generation"
    whole = (run / "log.csv").read_text().splitlines()
    assert rows[:13] == whole[: len(rows)][:13]


def at_work(pid):
    """The worker processes of a process that have begun to serve: they ignore SIGINT."""
    children = " ".join(
        path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")
    ).split()
    return [
        child
        for child in children
        if b"LokyProcess" in Path(f"/proc/{child}/cmdline").read_bytes()
        and int(Path(f"/proc/{child}/status").read_text().split("SigIgn:")[1].split()[0], 16)
        >> signal.SIGINT - 1
        & 1
    ]


def test_ctrl_c_at_a_terminal_reaches_the_workers_too(tmp_path):
    longer = tmp_path / "longer.toml"
    longer.write_text(tiny(generations=3000).text())
    process = start(
        "evolve", longer, tmp_path, "jobs=2", "backend=processes", start_new_session=True
    )
    while (
        process.poll() is None and len(at_work(process.pid)) < 2
    ):  # joblib has a traceback for one that starts while all ends
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=PATIENCE)
    assert (
        process.returncode == 130
        and "Traceback" not in said
        and "go on with: hanabi evolve --resume" in said
    ), said


def test_a_second_signal_stops_at_once(tmp_path):
    slow = tmp_path / "slow.toml"
    slow.write_text(tiny(games=40_000, generations=3, population=200).text())
    process = begin("evolve", slow, tmp_path / "runs", "jobs=2", "say=hears")
    assert process.stdout.readline() == "hears\n"
    process.send_signal(signal.SIGINT)
    assert "stopping as soon as this generation is finished" in process.stdout.readline()
    time.sleep(0.3)
    assert process.poll() is None, "the first one waits for the generation"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=PATIENCE)
    assert (
        process.returncode == 130
        and "before the first generation was finished" in said
        and "resume" in said
    )


def test_a_full_disk_stops_it_and_it_can_go_on(tmp_path):
    file = tmp_path / "tiny.toml"
    file.write_text(tiny(generations=200).text())
    run = evolve(config.read(file), tmp_path / "unbroken", jobs=1).folder
    code, said = drive("evolve", file, tmp_path / "none", "limit=1000")
    assert code == 2 and "cannot make a run folder" in said and "file too large" in said
    assert not list((tmp_path / "none").iterdir()), "nothing half-written"
    largest = max(
        path.stat().st_size for path in (run / "run.json", run / "config.toml", *files(run))
    )
    assert (run / "log.csv").stat().st_size > 1.3 * largest, "so the log is what does not fit"
    code, said = drive("evolve", file, tmp_path / "full", f"limit={largest + 300}")
    part = only_run(tmp_path / "full")
    assert (
        code == 2
        and f"make room, then go on with: hanabi evolve --resume {part}" in said
        and "Traceback" not in said
    ), said
    reached = list_runs(tmp_path / "full")[0].generation
    assert f"after generation {reached}" in said and 5 < reached < 200
    code, said = drive("resume", part, f"limit={largest + 300}")
    assert code == 2, "still full"
    code, said = drive("resume", part)
    assert code == 0 and results(part) == results(run), said


def test_a_checkpoint_that_does_not_fit_leaves_the_last_one_whole(unbroken, tmp_path):
    _, run = unbroken
    part = part_of(run, tmp_path)
    newest = files(part)[0]
    before = newest.read_bytes()
    code, said = drive("resume", part, f"limit={len(before) - 200}")
    assert (
        code == 2
        and "cannot write to" in said
        and newest.read_bytes() == before
        and not list(part.glob("*.part"))
    )


def test_two_processes_cannot_run_in_one_folder(unbroken):
    _, run = unbroken
    with locked(run):
        with pytest.raises(RunError, match="another process is at work"):
            resume(run)


def resealed(text):
    """A record that was changed, as if it had been written so."""
    return sealed({key: value for key, value in json.loads(text).items() if key != "checksum"})


def test_what_changed_is_named(unbroken, tmp_path):
    _, run = unbroken
    rules = tmp_path / "some_rules.py"
    rules.write_text(Path(tiny().genome.rule_files[0]).read_text().replace("toy.", "some."))
    part = evolve(
        tiny(rules=["some_rules"], rule_files=[str(rules)], generations=2),
        tmp_path / "runs",
        jobs=1,
    )
    (part / "result.json").unlink()
    text = (part / "config.toml").read_text()
    record = (part / "run.json").read_text()

    def told(message):
        with pytest.raises(RunError, match=message):
            resume(part)

    (part / "config.toml").write_text(text.replace("population = 8", "population = 9"))
    told("config key population was 8 and is 9")
    (part / "config.toml").write_text(text)
    (part / "run.json").write_text(resealed(record.replace('"numpy": "', '"numpy": "9.')))
    told(r"numpy was version 9\.\S+ and is \d")
    (part / "run.json").write_text(resealed(record.replace('"some.never"', '"some.ever"')))
    told(r"the rule set changed .gone: some.ever; new: some.never")
    for name, message in [
        ("evolve/ga/run.py", r"evolve/ga/run\.py was edited"),
        ("hanabi/table.py", r"hanabi/table\.py was"),
    ]:
        engine = json.loads(record)
        engine["files"][name] = "0" * 12
        (part / "run.json").write_text(resealed(json.dumps(engine | {"engine": "0" * 12})))
        told(message)
    (part / "run.json").write_text(record)
    rules.write_text(rules.read_text() + "# a word\n")
    with pytest.raises(ValueError, match="some_rules.py was edited"):
        resume(part)


def test_a_run_can_be_extended(unbroken, tmp_path):
    _, run = unbroken
    short = evolve(tiny(generations=5), tmp_path, jobs=1)
    first_log = (short / "log.csv").read_bytes()
    with pytest.raises(ValueError, match="goes to generation 5 as it is"):
        resume(short, extend_to=5)
    assert resume(short, extend_to=12, jobs=2) == short
    assert results(short) == results(run)
    assert (run / "log.csv").read_bytes().startswith(first_log)
    assert (short / "best-5.toml").exists() and (short / "result-5.json").exists()
    assert '"from": 5' in (short / "run.json").read_text()
    assert "extended after generation 5; scored on fresh deals" in str(short)
    assert final_seed(short.config) != final_seed(tiny(generations=5))
    assert resume(short) == short, "a run that is done stays as it is"


def test_length_reads_only_the_first_genes(tmp_path):
    run = evolve(tiny(order_length=4, generations=2), tmp_path, jobs=1)
    agent = agents.loads((run / "best.toml").read_text())
    assert all(len(rules) <= 4 for rules in agent.lists.values())
    assert len((run / "log.csv").read_text().splitlines()[-1].split(",")[-1].split()) == 4


def test_a_fault_stops_the_run_and_says_where(tmp_path, untried):
    from hanabi.table import RuleFailedError

    file = tmp_path / "bad_rule.py"
    untried(
        file,
        'from hanabi.rulebook import rule\n\n\n@rule(prefix=\'bad.\')\ndef late(view):\n    """Raise."""\n'
        "    if view.turn > 3:\n        raise ValueError('too late')\n    return 0\n",
    )
    with pytest.raises(
        RuleFailedError,
        match="rule bad.late raised ValueError: too late .bad_rule.py, line 8. .turn \\d+ of",
    ) as caught:
        evolve(
            tiny(rules=["toy.old", "bad_rule"], rule_files=[*tiny().genome.rule_files, str(file)]),
            tmp_path / "runs",
            jobs=2,
        )
    text = (tmp_path / "runs").glob("20*/fault.toml")
    position = Position.read(next(text).read_text())
    assert position.turn == caught.value.turn > 3 and "the position is in" in str(caught.value)
    table, view = position.state()
    with pytest.raises(ValueError, match="too late"):
        caught.value.rule(view)


@pytest.fixture(scope="module")
def unbroken_conventions(tmp_path_factory):
    """As ``unbroken``, with conventions and weights in the genome."""
    place = tmp_path_factory.mktemp("conventions")
    (place / "tiny.toml").write_text(
        tiny(
            rules=["conventional"],
            rule_files=[],
            conventions=["all"],
            weights=["all"],
            start=["convention-2026", "convention-simple"],
            players=[2],
            generations=5,
            mutations=2,
        ).text()
    )
    return place / "tiny.toml", evolve(
        config.read(place / "tiny.toml"), place / "runs", jobs=1
    ).folder


def test_conventions_and_weights_survive_a_kill_and_any_workers(unbroken_conventions, tmp_path):
    file, run = unbroken_conventions
    kill_and_resume(unbroken_conventions, tmp_path / "killed", ["fsync:14", "half:2"], ["jobs=2"])
    assert results(evolve(config.read(file), tmp_path, jobs=2, backend="processes")) == results(run)


def individual_in(problem: Problem, row: dict[str, str]) -> Individual:
    """Return the individual in a row with ``cells``.

    Raises:
        ValueError: The row has other text.
    """
    if "order" in row:
        rules = [problem.rules[int(place)] for place in row["order"].split()]
    else:
        rules = row["rules"].split("; ")
    weights = dict(part.split("=") for part in row.get("weights", "").split("; ") if part)
    return Individual(
        rules,
        filter(None, row.get("conventions", "").split("; ")),
        {name: float(value) for name, value in weights.items()},
    )


def test_a_run_with_conventions_leaves_a_genome_that_reads_back(unbroken_conventions):
    file, run = unbroken_conventions
    made = config.read(file)
    task, rows = Problem.of(made), list(csv.DictReader((run / "log.csv").read_text().splitlines()))
    assert len(rows) == 6
    for row in rows:
        assert cells(task, individual_in(task, row)) == [
            row[column] for column in ("order", "conventions", "weights")
        ]
    agent = agents.loads((run / "best.toml").read_text())
    first = next(csv.DictReader((run / "race.csv").read_text().splitlines()))
    winner = individual_in(task, first).player()
    assert agent.conventions == {"2": winner.conventions} and agent.weights == {
        "2": dict(winner.weights)
    }
    assert agent.provenance["start"] == ["convention-2026", "convention-simple"]
    page = report(run).read_text()
    assert "What hints mean to it" in page and "Its weights" in page
    assert (
        "What the lists of the whole population begin with, 2 players" in page
        and "older than" not in page
    )
    assert 15 < agent.provenance["score"] <= 25


def test_everything_living_evolves(tmp_path):
    run = evolve(
        tiny(
            rules=["living"],
            rule_files=[],
            conventions=["all"],
            weights=["all"],
            players=[3],
            generations=1,
            population=4,
            elitism=1,
            finalists=1,
            race_games=2,
            final_games=2,
            games=1,
        ),
        tmp_path,
        jobs=1,
    )
    assert (
        list_runs(tmp_path)[0].state == "done"
        and agents.loads((run / "best.toml").read_text()).lists
    )
    assert len(SETS["living"]) == len(set(SETS["living"])) > 200
