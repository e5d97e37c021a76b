"""Results print as tables, and each docstring that lists columns lists the actual ones."""

import re

import pandas as pd
import pytest
from tiny import tiny

from hanabi.evolve import (
    Comparison,
    Run,
    RunState,
    Tournament,
    compare,
    evolve,
    lab,
    list_runs,
    play_games,
    resume,
    summarise,
    tournament,
)
from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.ga.log_writer import columns as columns_of
from hanabi.evolve.measure.tournament import score_table

QUICK = dict(players=[2, 3], jobs=1)


def columns(thing):
    """The names behind ``Columns:`` in a docstring."""
    found = re.search(r"Columns: (.*?)(\n\n|$)", " ".join(thing.__doc__.split(" ")), re.S)
    return re.findall(r"``(\w+)``", found[1])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return evolve(tiny(generations=2), tmp_path_factory.mktemp("run"), jobs=1)


def test_the_tables_of_a_run(run):
    for name in ("timing", "race", "finals", "table"):
        wanted = columns(getattr(Run, name))
        assert list(getattr(run, name).columns) == [
            name for name in wanted if name not in ("conventions", "weights")
        ], name
    expanded = [
        name.replace("N", str(count))
        for name in columns(Run.log)
        for count in ((2, 3) if name == "best_N" else (2,))
    ]
    assert list(run.log.columns) == [
        name for name in expanded if name not in ("conventions", "weights")
    ]
    assert (
        len(run.log) == len(run.timing) == 3
        and len(run.finals) == 3
        and run.race["place"].tolist()[:2] == [1, 2]
    )
    assert run.finals["players"].tolist() == ["2", "3", "2-3"] and run.race["order"][0].split()


def test_a_run_whose_conventions_and_weights_evolve_has_columns_for_them():
    task = Problem.of(tiny(rules=["living"], rule_files=[], conventions=["all"], weights=["all"]))
    assert (
        columns(Run.log)[-3:]
        == columns(Run.race)[-3:]
        == columns_of(task)
        == ["order", "conventions", "weights"]
    )


def test_a_run_is_a_table_and_stands_for_its_folder(run, tmp_path):
    again = Run(str(run.folder))
    assert (
        again == run
        and resume(run) == run
        and (run / "best.toml").parent == run.folder == run.folder.parent / run.name
    )
    assert run.config == tiny(generations=2) and run.agent.name == run.name
    assert eval(repr(run)) == run
    head, names, *rows = str(run).splitlines()
    assert re.fullmatch(
        rf"{run.name}: done, mirror, 2-3 players, generation 2 of 2, seed 1, 144 games in \d+ s",
        head,
    )
    assert (
        names.split() == columns(Run.table)
        and len(rows) == 3
        and f"{run.table['mean_kept'][0]:.3f}" in rows[0]
    )
    assert "<table" in run._repr_html_() and head in run._repr_html_()
    with pytest.raises(ValueError, match="is not a run folder"):
        Run(tmp_path)


def test_a_run_that_is_not_done_shows_its_last_generations(run, tmp_path):
    import shutil

    shutil.copytree(run, tmp_path / "part")
    for name in ("result.json", "best.toml", "finals.csv"):
        (tmp_path / "part" / name).unlink()
    part = Run(tmp_path / "part")
    head, names, *rows = str(part).splitlines()
    assert (
        head.startswith("part: stopped, ")
        and names.split() == [name for name in part.log.columns if name != "order"]
        and len(rows) == 3
    )
    for what in ("agent", "finals"):
        with pytest.raises(ValueError, match="has no .* yet: hanabi evolve --resume .*part"):
            getattr(part, what)


def test_the_list_of_runs_is_a_table(run):
    rows = pd.DataFrame(list_runs(run.folder.parent))
    assert columns(list_runs) == list(rows.columns) and isinstance(run.state, RunState)
    (row,) = rows.to_dict("records")
    assert (row["mode"], row["players"], row["seed"], row["games"]) == (
        "mirror",
        "2-3",
        1,
        3 * 8 * 2 * 3,
    )
    assert (
        row["seconds"] == pytest.approx(run.timing["seconds"].sum())
        and row["result"] == run.table["mean_kept"].iloc[-1]
    )


def test_games_tournaments_comparisons_and_labs():
    assert list(play_games("piers", 3, 5).columns) == columns(play_games)
    found = tournament(["piers", "iggi"], "mixed", ["outer", "flawed"], games_each=30, **QUICK)
    assert list(found.rows.columns) == columns(Tournament) and len(found.rows) == 8
    wanted = columns(score_table)
    assert list(found.table.columns) == [*wanted[:1], "2", "3", *wanted[2:]] and wanted[1] == "N"
    mean = summarise(found.rows, "zero")
    lines = str(found).splitlines()
    assert (
        len(lines) == 3
        and f"{mean.loc['iggi', ('mean', 'mean')]:.2f} ± {mean.loc['iggi', ('sem', 'mean')]:.3f}"
        in lines[2]
    )
    assert "<table" in found._repr_html_() and "±" not in str(
        tournament(["piers"], games_each=1, **QUICK)
    ), "one game has no error"
    compared = compare("piers", "iggi", games=20, **QUICK)
    assert (
        list(compared.rows.columns) == columns(Comparison.rows)
        and "<table" in compared._repr_html_()
    )
    assert list(lab("cig2018:0,1", [2], 2, jobs=1).columns) == columns(lab)
