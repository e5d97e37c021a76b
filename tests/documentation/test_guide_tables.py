"""The tables of guides and explanations: made of the data, and asked for by a page."""

import json
import re

import pandas as pd
import pytest
from paths import ROOT

from docs.generate import recombination
from docs.generate.guide_tables import TABLES
from docs.generate.markdown import with_error
from docs.generate.results_tables import company, findings, scores, searched
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.measure.seed_means import of_pairs, of_seeds
from hanabi.evolve.papers.report import LEAST

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
    zero = [run["zero"] for run in runs if run["preset"] == "best"]
    assert sum(zero) / len(zero) >= 24.2, "what is asked of it where a lost game counts 0"


def test_grown_rules_reach_what_is_asked_of_them():
    rows = pd.read_csv(DATA / "grow.csv")
    mean = rows[rows["players"] == 3]["mean_kept"].mean()
    assert mean >= 20.6 and f"| {mean:.2f} |" in TABLES["grown"](DATA)
    assert not rows["forfeited_games"].any() and set(rows["games"]) == {20_000}


def test_the_front_of_the_guide_rises_and_reaches_what_is_said_of_it():
    rows, table = pd.read_csv(DATA / "front.csv"), TABLES["front"](DATA).splitlines()
    assert rows["mean_kept"].is_monotonic_increasing and rows["words"].is_monotonic_increasing
    assert set(rows["games"]) == {20_000} and len(table) == 2 + rows["sentences"].nunique()
    for row in rows.itertuples():  # sentences may have changed since
        assert Individual(row.rules.split("; ")).words() == row.words, row.rules
    for most, least in ((2, 17), (4, 20), (5, 20.6)):
        best = rows[rows["sentences"] <= most]["mean_kept"].max()
        assert best >= least and any(f"| {best:.2f} ± " in line for line in table)


def test_rules_grown_over_a_book_reach_what_is_asked_of_them():
    rows, table = pd.read_csv(DATA / "grow-book.csv"), TABLES["grown over books"](DATA)
    for players, least, most in ((3, 24.1, 10), (5, 23.95, 8)):
        of = rows[rows["players"] == players]
        assert len(of) == 3 and of["mean_kept"].mean() >= least
        line = next(line for line in table.splitlines() if f"| {players} |" in line)
        assert f"| {of['mean_kept'].mean():.2f} |" in line
        assert all(0 < int(count) <= most for count in line.split("|")[3].split(","))
    assert not rows["forfeited_games"].any() and set(rows["games"]) == {20_000}
    points = pd.read_csv(DATA / "grow-by-hand.csv").set_index("agent")["mean_kept"]
    assert abs(points["convention-grown"] - points["convention"]) <= 0.003
    assert points["pairs-grown"] > points["pairs"] + 0.01


def test_an_arm_that_never_acts_is_said_to_be_one():
    ours = dict(row="ours", table="t", seeds=2, mean=20.0, error=0.1)
    rows = [dict(ours, run="a", name="one"), dict(ours, run="b", name="other")]
    gain = dict(table="t", run="b", name="other", row="gain", against="a", sees=0.0)
    for mean, error, text in ((0.0, 0.0, "it never acts"), (0.0, 0.1, "+0.000 ± 0.100")):
        assert text in searched([*rows, gain | dict(mean=mean, error=error)])


def test_median_and_lost_starts_of_each_search_are_shown():
    ours = dict(row="ours", table="t", seeds=2, mean=20.0, error=0.1)
    rows = [dict(ours, run=run, name=run) for run in "ab"]
    assert "lost" not in searched(rows), "of data without seeds"
    rows = [
        dict(ours, run="a", name="a", **of_seeds([20.5, 19.5, 20.1])),
        dict(ours, run="b", name="b", **of_seeds([21.0, 17.0, 20.5])),
        dict(run="b", name="b", row="gain", against="a")
        | of_pairs([21.0, 17.0, 20.5], [20.5, 19.5, 20.1]),
        dict(run="a", row="seed", mean=20.5),
    ]
    head, _, first, second = searched(rows).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (head, first, second)]
    assert cells[0].count("without them") == 2 and all(len(row) == len(cells[0]) for row in cells)
    of = dict(zip(cells[0][:6], cells[1][:6], strict=True))
    assert (of["median"], of["lost"], of["without them"]) == ("20.100", "", "")
    assert cells[2][3:6] == ["20.500", "1", "20.750 ± 0.354"]
    assert cells[2][8:10] == ["+0.400", "+0.450 ± 0.635"]


EXPERIMENTS = ("memetic", "memetic-long", "memetic-3m", "scaling")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_rows_of_an_experiment_follow_from_its_seeds(name):
    rows = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    means: dict[str, dict[float, float]] = {}
    for row in rows:
        if row["row"] == "seed":
            means.setdefault(row["run"], {})[row["seed"]] = row["mean"]
    for row in rows:
        found = {}
        if row["row"] == "ours":
            found = of_seeds([*means[row["run"]].values()])
        if row["row"] == "gain":
            ours, theirs = means[row["run"]], means[row["against"]]
            found = of_pairs(*zip(*((ours[seed], theirs[seed]) for seed in ours), strict=True))
        for key, value in found.items():
            assert row[key] == pytest.approx(value, abs=2e-6), (row["run"], key)


def test_the_rows_of_recombination_follow_from_its_seeds():
    rows = recombination.rows(DATA)
    of_seed = rows.query("row == 'seed'").groupby("run")
    means = {run: some.set_index("seed")["mean"] for run, some in of_seed}
    assert len(means) == 40 and len({tuple(some.index) for some in means.values()}) == 1
    for row in rows[rows["row"].isin(["ours", "gain"])].to_dict("records"):
        ours = means[row["run"]]
        found = of_seeds(ours) if row["row"] == "ours" else of_pairs(ours, means[row["against"]], 4)
        for key, value in found.items():
            assert row[key] == pytest.approx(value, abs=2e-6, nan_ok=True), (row["run"], key)


def test_what_recombination_found_follows_from_the_data(tmp_path):
    """Crossover pays only where it is ahead of both: no crossover, and random mates."""
    rows = pd.read_csv(DATA / recombination.FILE)
    gains = rows["row"] == "gain"
    rows.loc[gains, "mean"] = 0.0
    rows.loc[gains, "error"] = 0.5

    def said(**gains_by_run):
        for run, gain in gains_by_run.items():
            rows.loc[gains & (rows["run"] == run.replace("_", "-")), "mean"] = gain
        rows.to_csv(tmp_path / recombination.FILE)
        return recombination.sentences(tmp_path)

    assert said().count("no difference is shown") == 4
    text = said(lists_2_uncrossed=-0.6, grown_5_random_mates=-0.6, orders_5_one=0.6)
    assert "*without crossover*: worse for lists of modern rules with values (2 players)." in text
    assert "*(1+1)*: better for orders of the rules of 2018 (5 players)." in text
    assert text.endswith("random mates: in none of the 8 cases.")
    text = said(lists_2_random_mates=-0.6)
    assert text.endswith("random mates: for lists of modern rules with values (2 players).")


def effects(name, mean, error):
    """The changes of an experiment whose gain, or loss, is more than its interval."""
    rows = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    gains = [row for row in rows if row["row"] == "gain" and abs(row[mean]) > row[error]]
    return {row["run"]: row[mean] > 0 for row in gains}


def test_what_the_page_of_results_says_of_the_experiments_is_in_their_data():
    """Two arms; one more without its lost start; the genetic algorithm; the most games."""
    found = {name: effects(name, "mean", "error") for name in EXPERIMENTS}
    kept = {name: effects(name, "without", "without_error") for name in EXPERIMENTS}
    two = {"aligned": False, "paired": True}
    assert found["memetic"] == two and kept["memetic"] == two | {"one": True}
    assert found["memetic-long"] == kept["memetic-long"] == {"genetic": False}
    assert found["memetic-3m"] == kept["memetic-3m"] == {}
    assert kept["scaling"] == {"games-half": False, "games-four": True}
    assert found["scaling"] == {"games-half": False}


def test_what_was_found_follows_from_the_data(tmp_path):
    """The sentence of README changes with the data: who gains, and whether crossover pays."""
    for name in EXPERIMENTS[:3]:
        (tmp_path / f"{name}.json").write_text((DATA / f"{name}.json").read_text())
    assert "only pairs (+0.223 ± 0.191) gain points" in findings(tmp_path)
    assert "without its 1 lost start, so crossover is not shown to pay" in findings(tmp_path)
    rows = json.loads((DATA / "memetic-long.json").read_text(encoding="utf-8"))
    (climb,) = (row for row in rows if (row["run"], row["row"]) == ("climb", "gain"))
    climb["mean"] = -2 * climb["error"]
    (tmp_path / "memetic-long.json").write_text(json.dumps(rows))
    assert "so crossover is shown to pay" in findings(tmp_path)


def test_no_error_of_few_games_is_shown():
    """Of 199 games none, of 200 one; in the tables by their own number of games."""
    assert with_error(24.84, 0.05, LEAST - 1) == "24.84" and LEAST == 200
    assert with_error(0.3, 0.05, LEAST, "+.2f") == "+0.30 ± 0.05"
    cross = pd.read_csv(DATA / "cross.csv")
    row = re.search(r"^\| search:convention .*$", company(cross), re.M)[0]
    assert re.match(r"\| search:convention \| 24\.84 \| [\d.]+ ± [\d.]+ \|", row)
    thinkers = pd.read_csv(DATA / "thinkers.csv")  # 25 games per count, 100 in all
    assert "±" not in scores(thinkers)
    more = scores(thinkers.assign(games=50))
    first = more.splitlines()[2].split("|")
    assert "±" in first[6] and "±" not in first[2], "of 200 games in all"
    assert "±" not in TABLES["lookahead rollouts"](DATA)
    late, one = TABLES["lookahead parts"](DATA).splitlines()[:1:-1]
    assert "± 0.03" in late and "±" not in one, "400 and 25 games"
