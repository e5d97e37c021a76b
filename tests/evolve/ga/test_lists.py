"""A run with a list for each player count: killed and resumed, and joined into one agent."""

import csv
import json
import shutil

import pytest
from stopped import drive, kill_and_resume, only_run, results
from tiny import tiny

from hanabi.evolve.ga import config, finals
from hanabi.evolve.ga.lineage import lineage
from hanabi.evolve.ga.mutations import AddRule
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import RunError, RunStoppedError, evolve, list_runs, resume
from hanabi.evolve.ga.run_folder import result, winners_before
from hanabi.evolve.measure.arena import pooled
from hanabi.evolve.reports.run_report import report
from hanabi.evolve.reports.sealed_agent import export
from hanabi.rules import agents
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

LISTS = dict(
    players=[2, 3, 4],
    lists=["2", "3-4"],
    variable_length=True,
    population=3,
    elitism=3,
    crossover_probability=0,
    mutation_probability=0,
    local_search_games=900,
    halving_interval=2,
    guards_from=1,
    generations=3,
    finalists=2,
    prune_games=60,
)
LIVING = LISTS | dict(
    rules=["conventional"],
    rule_files=[],
    conventions=["all"],
    weights=["all"],
    players=[2, 3],
    lists=["2", "3"],
    generations=1,
    local_search_games=300,
    games=2,
    race_games=10,
    final_games=10,
    prune_games=20,
)


def unbroken_run(place, **changes):
    (place / "tiny.toml").write_text(tiny(**changes).text())
    return place / "tiny.toml", evolve(
        config.read(place / "tiny.toml"), place / "runs", jobs=1
    ).folder


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """(config file, the folder of a run that was never stopped)."""
    return unbroken_run(tmp_path_factory.mktemp("lists"), **LISTS)


def test_each_list_is_a_run_and_the_whole_is_one_agent(unbroken):
    file, run = unbroken
    whole, parts = (
        agents.load(str(run / "best.toml")),
        {part: agents.load(str(run / part / "best.toml")) for part in ("2", "3-4")},
    )
    for part, counts in (("2", [2]), ("3-4", [3, 4])):
        for players in counts:
            assert whole.at(players) == parts[part].at(players)
            tables = [
                Table(read_variant("standard").at(players), [one.at(players)])
                for one in (whole, parts[part])
            ]
            one, other = (table.play(game_seeds(5, 30), [0] * players) for table in tables)
            assert (one == other).all()
    rows = json.loads((run / "result.json").read_text())["results"]
    single = [
        row
        for part in parts
        for row in json.loads((run / part / "result.json").read_text())["results"]
        if len(row["players"]) == 1
    ]
    assert rows[:-1] == single and [row["players"] for row in rows] == ["2", "3", "4", "2-4"]
    total = rows[-1]
    for key in ("games", "perfect_games", "forfeited_games"):
        assert total[key] == sum(row[key] for row in single)
    for scoring in ("kept", "zero"):
        mean, sem = pooled(
            [row[f"mean_{scoring}"] for row in single], [row[f"sem_{scoring}"] for row in single]
        )
        assert total[f"mean_{scoring}"] == pytest.approx(
            sum(row[f"mean_{scoring}"] for row in single) / 3, abs=1e-5
        )
        assert (total[f"mean_{scoring}"], total[f"sem_{scoring}"]) == (
            round(mean, 6),
            round(sem, 6),
        )
    finals = list(csv.DictReader((run / "finals.csv").read_text().splitlines()))
    assert [row["players"] for row in finals] == ["2", "3", "4", "2-4"] and {
        row["hash"] for row in finals
    } == {whole.hash}
    assert whole.provenance["score"] == total["mean_kept"] and whole.provenance["players"] == "2-4"
    assert agents.loads(export(run)) == whole and "2, 3-4 players" not in (
        page := report(run).read_text()
    )
    assert all(
        f"What the lists of the whole population begin with, {count} players" in page
        for count in ("2", "3-4")
    )


def test_its_tables_are_those_of_its_parts(unbroken):
    (state,) = list_runs(unbroken[1].parent)
    run = resume(unbroken[1])
    assert (state.state, state.generation, state.generations) == (
        "done",
        7,
        7,
    ) and state.result == run.table["mean_kept"].iloc[-1]
    assert (
        run.log["list"].tolist() == ["2"] * 4 + ["3-4"] * 4
        and list(run.log["best_3"].isna()) == [True] * 4 + [False] * 4
    )
    assert state.games == run.timing["games"].sum() and [part.name for part in run.parts] == [
        "2",
        "3-4",
    ]
    assert (
        set(run.changes["list"]) <= {"2", "3-4"}
        and (run.changes["gain"] > 0).all()
        and len(run.changes) > 0
    )
    assert f"generation 7 of 7, seed 1, {state.games:,} games" in str(run)


def test_the_winner_s_line_holds_what_it_changed_of_itself(unbroken):
    told = 0
    for part in Run(unbroken[1]).parts:
        made = {
            (row.generation, row.change, row.gain, row.games) for row in part.changes.itertuples()
        }
        line = lineage(part)
        assert line[0].how == "begun" and line[-1].generation <= result(part.folder)["born"][0]
        mine = {
            (step.generation, change, gain, games)
            for step in line
            for change, gain, _, games in step.changes
        }
        assert mine <= made
        told += len(mine)
    assert told, "somebody climbed"


def test_killed_at_any_place_it_ends_the_same(unbroken, tmp_path):
    # Twelve fsyncs create the folder; then one for each log and two for a checkpoint. Killed
    # between the logs of the second generation, half way through a checkpoint, in the finals of the first
    # list, in a log of the second, and where the parts are joined.
    kill_and_resume(
        unbroken, tmp_path, ["fsync:20", "half:2", "replace:4", "fsync:10", "replace:7"], ["jobs=2"]
    )
    assert set(results(only_run(tmp_path))) == {
        "best.toml",
        *(
            f"{part}/{name}"
            for part in ("2", "3-4")
            for name in (
                "best.toml",
                "changes.csv",
                "first_rules.csv",
                "lineage.csv",
                "log.csv",
                "race.csv",
            )
        ),
    }


def test_other_workers_change_nothing(unbroken, tmp_path):
    assert results(
        evolve(config.read(unbroken[0]), tmp_path, jobs=2, backend="processes")
    ) == results(unbroken[1])


def test_conventions_weights_and_guards_survive_a_kill(tmp_path_factory, tmp_path):
    unbroken = unbroken_run(tmp_path_factory.mktemp("living"), **LIVING)
    kill_and_resume(unbroken, tmp_path, ["fsync:18", "replace:7"], ["jobs=2"])


def part_of(run, place, die="replace:17"):
    """A copy of a run that was killed in its second part."""
    assert drive("evolve", run / "config.toml", place, f"die={die}")[0] < 0
    return only_run(place)


def test_what_was_written_after_the_checkpoint_is_cut(unbroken, tmp_path):
    part = part_of(unbroken[1], tmp_path)
    assert (part / "2" / "result.json").exists() and not (part / "3-4" / "result.json").exists()
    for name in ("log.csv", "changes.csv", "lineage.csv", "first_rules.csv"):
        with open(part / "3-4" / name, "a") as log:
            log.write("9,half a ro")
    resume(part, jobs=1)
    assert results(part) == results(unbroken[1])


def test_an_edited_table_of_changes_is_noticed(unbroken, tmp_path):
    copy = shutil.copytree(unbroken[1], tmp_path / unbroken[1].name)
    (copy / "result.json").unlink()
    (copy / "2" / "result.json").unlink()
    data = (copy / "2" / "changes.csv").read_bytes()
    (copy / "2" / "changes.csv").write_bytes(b"G" + data[1:])
    with pytest.raises(RunError, match="changes.csv was edited since"):
        resume(copy)


@pytest.mark.parametrize("where", ["", "3-4"])
def test_an_edited_config_is_noticed_in_the_whole_and_in_its_parts(unbroken, tmp_path, where):
    copy = shutil.copytree(unbroken[1], tmp_path / unbroken[1].name)
    file = copy / where / "config.toml"
    file.write_text(
        file.read_text().replace("local_search_games = 900", "local_search_games = 901")
    )
    with pytest.raises(
        RunError, match=f"{copy.name}.*config key local_search_games was 900 and is 901"
    ):
        resume(copy)


def test_it_can_be_extended(unbroken, tmp_path):
    short = evolve(tiny(**LISTS | dict(generations=1)), tmp_path, jobs=1)
    assert not export(short) == export(unbroken[1])
    resume(short, extend_to=3, jobs=1)
    assert (
        results(short) == results(unbroken[1])
        and (short / "best-1.toml").exists()
        and (short / "2" / "best-1.toml").exists()
    )


def test_it_can_be_stopped_between_its_parts(unbroken, tmp_path):
    seen = []

    def stop(step):
        seen.append((step.stage, step.generation, step.text))
        if step.stage == "race" and "2 players: what the winner does not need" in step.text:
            raise KeyboardInterrupt

    with pytest.raises(
        RunStoppedError,
        match=r"stopped after generation 3 of 2 players; go on with: hanabi evolve --resume \S+-evolution$",
    ):
        evolve(config.read(unbroken[0]), tmp_path, jobs=1, progress=stop)
    (state,) = list_runs(tmp_path)
    assert (state.state, state.generation, state.generations) == ("stopped", 3, 7)
    with pytest.raises(ValueError, match="has not finished; go on with: hanabi evolve --resume"):
        export(state.run)
    resume(state.run, jobs=1)
    assert results(state.run) == results(unbroken[1])


def test_later_lists_begin_without_the_rule_that_is_added_to_a_winner(tmp_path, monkeypatch):
    added = "toy.likely(chance=0, lives=0)"

    def put_first(evaluator, one, rules, *of):
        return AddRule(rules[0], one.rules[0]).apply_to(one)

    monkeypatch.setattr(finals, "with_best_added", put_first)
    _, run = unbroken_run(
        tmp_path, **LISTS | dict(inherit=["3-4"], added_rules=[added], generations=1)
    )
    assert agents.load(str(run / "best.toml")).at(2).rules[0].name == added
    [before] = winners_before(run / "3-4")
    assert before.rules and added not in before.rules
