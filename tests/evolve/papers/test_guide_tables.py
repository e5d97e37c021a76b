"""The tables of guides and explanations: made of the data, and asked for by a page."""

import json
import re

import pandas as pd
import pytest
from paths import ROOT

from hanabi.evolve.papers.guide_tables import TABLES
from hanabi.evolve.papers.results_tables import searched

DATA = ROOT / "docs/data"
PAGES = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("name", TABLES)
def test_a_page_asks_for_the_table_and_the_data_fill_it(name):
    assert f"<!-- table: {name} -->" in PAGES
    head, rule, *rows = TABLES[name](DATA).splitlines()
    assert len(rows) >= 2 and all(row.count(" | ") == head.count(" | ") for row in rows), rows
    assert set(rule) <= set("|-:")


def test_look_ahead_is_that_of_the_tournament():
    rows = pd.read_csv(DATA / "lookahead.csv").set_index(["agent", "players"])
    *_, searched, times = TABLES["lookahead gain"](DATA).splitlines()
    assert " ms |" in times
    for players in range(2, 6):
        mean, sem = rows.loc[("search:convention", players), ["mean_kept", "sem_kept"]]
        assert f"| {mean:.2f} ± {sem:.2f} |" in searched
    means = rows.loc["search:convention"]["mean_kept"]
    assert f"| {means.mean():.2f} ± " in searched


def test_one_searching_seat_was_measured_with_two_players_alone():
    (row,) = pd.read_csv(DATA / "lookahead-one.csv").to_dict("records")
    *_, scores, times = TABLES["lookahead pairs"](DATA).splitlines()
    cells = [cell.strip() for cell in scores.strip("|").split("|")]
    assert cells[:2] == [
        "`search:pairs,seats=one`",
        f"{row['mean_kept']:.2f} ± {row['sem_kept']:.2f}",
    ]
    assert cells[2:6] == [""] * 4 and cells[6] == f"{row['perfect_games'] / row['games']:.0%}"
    assert times.count(" ms |") == 1


def test_rules_that_ask_are_those_of_the_page():
    """docs/data/asks.toml, which was measured, is the list that stands on the page."""
    page = (ROOT / "docs/start/read-an-agent.md").read_text(encoding="utf-8")
    listed = re.search(r"```toml\n(# asks\.toml\n.*?)```", page, re.S)[1]
    assert (DATA / "asks.toml").read_text(encoding="utf-8") == listed


def test_no_gain_without_rollouts():
    rows = TABLES["lookahead rollouts"](DATA).splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["0", "100", "300", "1,000"]
    assert rows[0].endswith("|  |  |") and all("| +" in row for row in rows[2:])


def test_whole_runs_are_means_of_their_lists():
    runs = [json.loads(line) for line in (DATA / "full-searches.jsonl").read_text().splitlines()]
    assert {run["preset"].split()[0] for run in runs} == {"best", "climb"}
    for run in runs:
        *lists, mean = run["means"]
        assert len(lists) == 4 and abs(sum(lists) / 4 - mean) < 1e-6
        assert f"--preset {run['preset']} --seed {run['seed']} " in run["command"]
    means = [run["means"][-1] for run in runs if run["preset"] == "best"]
    row = f"| {sum(means) / len(means):.3f}, s.d. "
    assert row in TABLES["full searches"](DATA), "over the seeds"
    assert sum(mean >= 23.8 for mean in means) >= 6, "what is asked of `make evolve`"


def test_an_arm_that_never_acts_is_said_to_be_one():
    ours = dict(row="ours", table="t", seeds=2, mean=20.0, error=0.1)
    rows = [dict(ours, run="a", name="one"), dict(ours, run="b", name="other")]
    gain = dict(table="t", run="b", name="other", row="gain", against="a", sees=0.0)
    for mean, error, text in ((0.0, 0.0, "it never acts"), (0.0, 0.1, "+0.000 ± 0.100")):
        assert text in searched([*rows, gain | dict(mean=mean, error=error)])


def test_the_lowest_seed_of_each_search_is_shown():
    ours = dict(row="ours", table="t", seeds=2, mean=20.0, error=0.1)
    rows = [dict(ours, run=run, name=run) for run in "ab"]
    assert "lowest" not in searched(rows), "of data without seeds"
    rows += [
        dict(run=run, row="seed", mean=mean)
        for run, mean in (("a", 20.5), ("a", 19.5), ("b", 19.0), ("b", 21.0))
    ]
    head, _, *lines = searched(rows).splitlines()
    assert head.split("|")[4].strip() == "lowest"
    assert [line.split("|")[4].strip() for line in lines] == ["19.500", "19.000"]
