"""Experiments: resuming a folder of runs, and the tables of its results."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from tiny import RULES
from typed import typed

from hanabi.evolve import Run, experiment, preset, tournament
from hanabi.evolve.experiments.experiment import (
    COLUMNS,
    delete_large_files,
    lines_of,
    planned,
    table_of,
)
from hanabi.evolve.experiments.plan import NAMES, SMALL, read
from hanabi.evolve.ga.evolution import INITIAL_GAMES
from hanabi.evolve.ga.progress import RunStoppedError
from hanabi.evolve.ga.toolbox import population_size
from hanabi.evolve.measure.seed_means import LOST, of_seeds
from hanabi.evolve.papers.cig2018 import SEED, TABLE_V, TABLE_VI

TEXT = f"""
says = "two small ones"

[runs.one]
name = "One"
table = "Table A"
config = {{ base = "quick", rules = ["toy_rules"], rule_files = ["{RULES}"], \
otherwise = "default", players = [2, 3], population = 8, \
elitism = 2, tournament_size = 3, generations = 3, games = 3, finalists = 3, race_games = 60, \
final_games = 80 }}
published = {{ mean = 18.38, 2 = 19.35 }}
reach = {{ mean = 5 }}
agent = "mirror-old-2018"

[runs.two]
table = "Table B"
against = "one"
config = {{ players = [2] }}
"""
QUICK = dict(games=14, jobs=1)
FILES = sorted({*SMALL} - {"language.csv"})  # of a run with a free language


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    return path


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(file, folder of runs, results, reported steps) of the experiment with two seeds."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "mine.toml").write_text(TEXT)
    steps = []
    return (
        folder / "mine.toml",
        folder / "runs",
        experiment(
            str(folder / "mine.toml"), 2, runs=folder / "runs", progress=steps.append, **QUICK
        ),
        steps,
    )


def tree(folder):
    return {
        path.name: path.stat().st_mtime_ns for path in folder.glob("*/*") if path.name != "lock"
    }


def row_of(found, what):
    return found.rows[found.rows["row"] == what].iloc[-1]


def test_every_run_has_a_folder_of_its_own_name_and_seed(done):
    _, runs, found, _ = done
    assert sorted(path.name for path in (runs / "mine").iterdir()) == [
        "one",
        "one-2",
        "two",
        "two-2",
    ]
    for name, seed in dict(one=1, two=1).items():
        first, second = Run(runs / "mine" / name), Run(runs / "mine" / f"{name}-2")
        assert (first.config.search.seed, second.config.search.seed) == (
            seed,
            seed + 1,
        ) and first.agent.name == name
        assert first.state.state == second.state.state == "done"
    assert (found.done, found.of) == (4, 4) and found.folder == runs / "mine"


def test_the_rows_are_made_of_the_runs_and_of_games_of_the_published_list(done):
    _, runs, found, _ = done
    rows = found.rows
    assert list(rows.columns) == COLUMNS
    assert list(zip(rows["run"], rows["row"])) == [
        ("one", "published"),
        ("one", "reproduced"),
        ("one", "to reach"),
        ("one", "ours"),
        ("one", "best"),
        ("one", "seed"),
        ("one", "seed"),
        ("two", "ours"),
        ("two", "best"),
        ("two", "seed"),
        ("two", "seed"),
        ("two", "gain"),
    ]
    published, reproduced, reach, ours, best, *seeds = rows[rows["run"] == "one"].to_dict("records")
    assert (published["mean"], published["2"], reach["mean"]) == (18.38, 19.35, 5) and np.isnan(
        published["5"]
    )
    played = tournament(["mirror-old-2018"], games_each=14, seed=SEED, jobs=1).rows
    assert [reproduced[str(count)] for count in (2, 3, 4, 5)] == pytest.approx(
        list(played["mean_kept"])
    )
    assert (
        reproduced["mean"] == pytest.approx(played["mean_kept"].mean())
        and reproduced["games"] == 56
    )
    totals = [
        json.loads((runs / "mine" / name / "result.json").read_text())["results"]
        for name in ("one", "one-2")
    ]
    means = [some[-1]["mean_kept"] for some in totals]
    assert (
        ours["mean"] == pytest.approx(np.mean(means))
        and ours["error"] == pytest.approx(np.std(means, ddof=1))
        and ours["seeds"] == 2
    )
    better = totals[int(np.argmax(means))]
    assert (best["mean"], best["error"], best["3"]) == (
        max(means),
        better[-1]["sem_kept"],
        better[1]["mean_kept"],
    )
    assert best["zero"] == better[-1]["mean_zero"] and best["games"] == 160
    assert [(row["seed"], row["mean"]) for row in seeds] == [(1, means[0]), (2, means[1])]
    record = json.loads((runs / "mine/one-2/run.json").read_text())
    assert seeds[1]["version"].endswith(record["engine"]) and np.isnan(ours["seed"])
    of = of_seeds(means)
    assert {key: ours[key] for key in of} == pytest.approx(of, nan_ok=True)
    shown = {line[1]: line[2] for line in lines_of(rows)["Table A"]}
    assert "seed" not in shown and shown["median"] == f"{np.median(means):.2f}"
    two = rows[rows["run"] == "two"]
    assert two["2"][two["row"] != "gain"].notna().all() and two["3"].isna().all()


def test_a_run_inherits_from_the_one_it_is_compared_with_seed_by_seed(
    done,
):
    file, runs, found, _ = done
    one, two = read(str(file)).entries
    assert (
        two.config == one.config.changed(players=[2])
        and (one.against, two.against) == ("", "one")
        and two.published == {}
    )
    gains = [
        (
            Run(runs / "mine" / f"two{end}").table["mean_kept"].iloc[-1]
            - Run(runs / "mine" / f"one{end}").table["mean_kept"].iloc[-1]
        )
        for end in ("", "-2")
    ]
    (row,) = found.rows[found.rows["row"] == "gain"].to_dict("records")
    sem = abs(gains[0] - gains[1]) / 2  # of two numbers
    assert (
        row["mean"] == pytest.approx(np.mean(gains))
        and row["seeds"] == 2
        and row["against"] == "one"
    )
    assert row["error"] == pytest.approx(12.706205 * sem) and row["sees"] == pytest.approx(
        (12.706205 + 1.376382) * sem
    )
    alone = table_of(str(file), 1, runs=runs, **QUICK).rows
    assert "gain" not in set(alone["row"]), "one pair has no error"


def test_it_tells_how_far_the_whole_of_it_is(done):
    steps = done[-1]
    assert {step.run for step in steps} == {"one", "two", "one-2", "two-2"} and {
        step.of for step in steps
    } == {4}
    assert [step.place for step in steps] == sorted(step.place for step in steps)
    shares = [step.done for step in steps]
    total = 2 * sum(entry.games for entry in read(str(done[0])).entries)
    assert shares == sorted(shares) and total - steps[-1].done == 6 * 60 + 160, (
        "the last race and finals are to come, or just done"
    )
    assert np.isnan(steps[0].left) and {step.games for step in steps} == {total}
    middle = [step for step in steps[1:-1] if step.step.stage == "evolve"]
    assert all(0 < step.left < 1000 for step in middle)
    assert read(str(done[0])).entries[1].games == 8 * 3 * 4 + 6 * 60 + 160


def test_what_is_done_is_not_done_again(done):
    file, runs, found, _ = done
    before = tree(runs / "mine")
    again = experiment(
        str(file), 2, runs=runs, progress=lambda step: pytest.fail("nothing is left to do"), **QUICK
    )
    assert tree(runs / "mine") == before
    pd.testing.assert_frame_equal(again.rows, found.rows)
    assert str(again).startswith("mine: 4 of 4 runs done\n") and "<table" in again._repr_html_()


def test_one_that_was_broken_off_goes_on_and_ends_the_same(done, tmp_path):
    file, runs, found, _ = done
    seen = []

    def stop(step):
        seen.append(step)
        if step.run == "two" and step.step.generation == 2:
            raise RunStoppedError(step.step.run, "stopped after generation 2; go on with: …")

    with pytest.raises(
        RunStoppedError, match="^two stopped after generation 2; the same command goes on with it$"
    ):
        experiment(str(file), 2, runs=tmp_path, progress=stop, **QUICK)
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["one", "two"]
    part = table_of(str(file), 2, runs=tmp_path, **QUICK)
    assert (part.done, part.of) == (1, 4) and list(
        part.rows[part.rows["run"] == "two"]["row"]
    ) == []
    steps = []
    again = experiment(str(file), 2, runs=tmp_path, progress=steps.append, **QUICK)
    pd.testing.assert_frame_equal(again.rows, found.rows)
    assert (steps[0].run, steps[0].place, steps[0].step.generation) == ("two", 2, 3)
    for name in ("log.csv", "best.toml", "result.json"):
        assert (tmp_path / "mine/two" / name).read_bytes() == (
            runs / "mine/two" / name
        ).read_bytes()


def test_other_settings_need_another_folder(done, tmp_path):
    file, runs, _, _ = done
    with pytest.raises(
        ValueError,
        match=r"one was made with generations = 3 and not 4: the same --set resumes it, --runs",
    ):
        experiment(str(file), settings=["generations=4"], runs=runs, **QUICK)
    code, out, err = typed(
        "experiment", file, "--set", "generations=4", "--runs", runs, folder=tmp_path
    )
    assert code == 2 and out == "" and err.startswith("hanabi: ") and err.count("\n") == 1
    plan = read(str(file), ["generations=4"])
    assert [entry.config.search.generations for entry in plan.entries] == [4, 4]
    assert [one.folder.name for one in planned(plan, 1, tmp_path)] == ["one", "two"]


def test_only_some_runs_and_the_table_has_what_is_done(done, tmp_path):
    words = ("experiment", done[0], "--runs", tmp_path, "--games", 14, "--jobs", 1, "--only")
    code, out, err = typed(*words, "two")
    assert code == 0 and "1 of 2 runs done" in " ".join(out.split()) and "two (1 of 1)" in err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["two"]
    code, out, err = typed(*words, "tow")
    assert code == 2 and "no run 'tow' (did you mean 'two'?)" in err, err


def test_a_finished_run_can_be_kept_small(done, tmp_path):
    _, runs, _, _ = done
    shutil.copytree(runs / "mine/one", tmp_path / "one")
    delete_large_files(tmp_path / "one")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == FILES
    run = Run(tmp_path / "one")
    assert run.state.state == "done" and run.agent.name == "one" and len(run.log) == 4


def test_a_run_of_several_lists_is_an_experiments_run_like_any_other(tmp_path):
    (tmp_path / "lists.toml").write_text(
        "small = true\n"
        + TEXT[: TEXT.index("[runs.two]")].replace(
            "players = [2, 3]", 'players = [2, 3], lists = ["2", "3"]'
        )
    )
    steps = []
    found = experiment(str(tmp_path / "lists.toml"), runs=tmp_path, progress=steps.append, **QUICK)
    ours = found.rows[found.rows["row"] == "ours"].iloc[0]
    results = [
        json.loads((tmp_path / "lists/one" / part / "result.json").read_text())["results"][0][
            "mean_kept"
        ]
        for part in "23"
    ]
    assert (
        [ours["2"], ours["3"]] == results
        and ours["mean"] == pytest.approx(np.mean(results), abs=1e-6)
        and ours["games"] == 160
    )
    assert [step.done for step in steps] == sorted(step.done for step in steps) and steps[
        -1
    ].done <= steps[-1].games
    for part in ("2", "3"):
        assert sorted(path.name for path in (tmp_path / "lists/one" / part).iterdir()) == FILES
    assert experiment(str(tmp_path / "lists.toml"), runs=tmp_path, **QUICK).done == 1, (
        "kept small it is still done"
    )


def test_the_command_prints_tables_and_data(done, tmp_path):
    file, runs, found, _ = done
    words = ("experiment", file, "--seeds", 2, "--runs", runs, "--games", 14, "--jobs", 1)
    code, out, err = typed(*words, "--table", "-o", tmp_path / "rows.csv")
    plain = " ".join(out.split())
    assert code == 0 and err == "", err
    assert (
        "Table A; points by players run mean 2 3 4 5" in plain
        and "Table B; points by players" in plain
    )
    assert (
        " One published 18.38 19.35 reproduced " in plain
        and " to reach 5.00 ours, 2 seeds " in plain
        and " best of them " in plain
    )
    assert (
        plain.endswith(f"lost start ends more than {LOST:g} points below the best of its entry.")
        and f"4 of 4 runs done, in {runs}/mine." in plain
    )
    assert (
        len(pd.read_csv(tmp_path / "rows.csv")) == 12
        and f" gain {row_of(found, 'gain')['mean']:+.3f} ± " in plain
        and "(sees " in plain
    )
    code, out, err = typed(*words, "--json")
    assert [row["row"] for row in json.loads(out)] == list(found.rows["row"])


def test_progress_is_told_line_by_line(file, tmp_path):
    code, out, err = typed("experiment", file, "--runs", tmp_path / "r", "--games", 14, "--jobs", 1)
    lines = [line for line in err.splitlines() if "generation" in line]
    assert (
        code == 0
        and lines[0].startswith("one (1 of 2): generation 0/3: best ")
        and " games/s; " in lines[0]
    )
    assert any(
        line.startswith("two (2 of 2): ") and line.endswith(" left for all") for line in lines
    ), err
    code, out, err = typed(
        "experiment", file, "--runs", tmp_path / "q", "--games", 14, "--jobs", 1, "--quiet"
    )
    assert code == 0 and err == ""


def test_the_list_of_experiments(tmp_path):
    code, out, err = typed("experiment", folder=tmp_path)
    assert (
        code == 0
        and all(f"\n{name} " in out for name in NAMES)
        and "hanabi experiment paper --set" in " ".join(out.split())
    )


@pytest.mark.parametrize(
    "change, message",
    [
        (("[runs.one]", "[run.one]"), "no key 'run' .did you mean 'runs'"),
        (('base = "quick"', 'base = "quik"'), "runs.one: no preset 'quik'"),
        (
            ("mean = 18.38", "mena = 18.38"),
            "runs.one.published: no key 'mena'; write mean, or a player count",
        ),
        (("mean = 18.38", 'mean = "x"'), "runs.one.published should be points"),
        (("agent = ", "agnt = "), "runs.one: no key 'agnt' .did you mean 'agent'"),
        (("mirror-old-2018", "nobody"), "no agent 'nobody'"),
        (("[runs.two]", '[runs."../two"]'), "should be a plain word"),
        (('table = "Table A"\nconfig', 'table = "Table A"\nconfg'), "runs.one needs a config"),
        (
            ('against = "one"', 'against = "two"'),
            "runs.two.against: 'two' should be a run above it",
        ),
        (('against = "one"', "against = 1"), "runs.two.against: 1 should be a run"),
        (("config = { players = [2] }", "config = 3"), "runs.two needs a config"),
    ],
)
def test_mistakes_in_a_file_are_told(change, message, file):
    assert change[0] in TEXT
    file.write_text(TEXT.replace(*change))
    with pytest.raises(ValueError, match=message):
        read(str(file))


def test_mistakes_of_the_command_are_told(file):
    for name, message in (
        ("papr", "no experiment 'papr' .did you mean 'paper'"),
        ("nothing.toml", "nothing.toml"),
    ):
        with pytest.raises(ValueError, match=message):
            experiment(name)
    with pytest.raises(ValueError, match="seeds must be at least 1"):
        experiment(str(file), 0)


# The experiments that come with the package


def test_the_paper_has_its_six_with_the_numbers_of_its_tables():
    plan = read("paper")
    whats = ("old", "new", "situational")
    assert [entry.key for entry in plan.entries] == [
        f"{mode}-{what}" for mode in ("mirror", "mixed") for what in whats
    ]
    for entry in plan.entries:
        assert entry.published["mean"] == pytest.approx(
            np.mean([entry.published[count] for count in "2345"]), abs=0.016
        )
        known = (TABLE_V | TABLE_VI).get(entry.name)
        assert (entry.agent, entry.published["mean"]) == known[:2] if known else entry.agent == ""
        base = f"paper-{entry.config.game.mode}"
        assert entry.config.changed(rules=["cig2018"], lists=()) == preset(base)
        assert entry.config.genome.rules == (
            ("cig2018-old",) if entry.key.endswith("old") else ("cig2018",)
        )
        assert entry.config.parts.lists == (
            ("2", "3-5") if entry.key.endswith("situational") else ()
        )


def test_the_reference_runs_are_those_of_the_score_table():
    plan = read("reference")
    assert plan.small and {entry.key: entry.reach["mean"] for entry in plan.entries} == {
        "mirror-cig2018-old": 18.50,
        "mirror-cig2018": 19.35,
        "mirror-cig2018-situational": 19.65,
        "mirror-cig2018-old-orders": 18.50,
        "mirror-cig2018-orders": 19.35,
        "mirror-cig2018-situational-orders": 19.65,
        "mirror-modern+epistemic-per-count": 20.60,
        "mirror-living-per-count": 24.10,
        "mirror-living-per-count-long": 24.10,
        "mirror-living-per-count-further": 24.10,
        "mirror-living-per-count-correct": 24.10,
        "mirror-living": 23.40,
        "mixed-cig2018": 11.75,
        "mixed-cig2018-situational": 11.83,
        "mixed-cig2018-orders": 11.75,
        "mixed-cig2018-situational-orders": 11.83,
        "mixed-living-per-count": 12.05,
    }
    for entry in plan.entries:
        assert entry.key.startswith(entry.config.game.mode) and entry.config.game.players == (
            2,
            3,
            4,
            5,
        )
        assert set(entry.config.parts.lists) == (
            {"2", "3", "4", "5"}
            if "per-count" in entry.key
            else {"2", "3-5"}
            if ("situational" in entry.key)
            else set()
        )
        assert entry.config.final.final_games >= (
            20_000 if entry.config.game.mode == "mirror" else 4_000
        )
        assert entry.config.genome.variable_length != ("orders" in entry.key), (
            "the rules of 2018 with guards, and as bare orders"
        )
        assert (
            "cig2018" not in entry.key
            or not entry.config.genome.conventions
            and not entry.config.genome.weights
        )
    names = {entry.key: entry.config.genome.rules for entry in read("modern").entries}
    assert names == {
        "modern": ("modern",),
        "epistemic": ("modern+epistemic",),
        "living": ("living",),
    }


def test_the_arms_of_recombination_differ_in_one_thing_and_play_as_many_games():
    plan = read("recombination")
    kinds = [entry for entry in plan.entries if not entry.against]
    assert len(kinds) == 8 and plan.simultaneous
    for kind in kinds:
        arms = {
            one.key.removeprefix(kind.key): one for one in plan.entries if one.against == kind.key
        }
        assert list(arms) == ["-uncrossed", "-random-mates", "-random", "-one"]
        games = [_search_games(one.config) for one in (kind, *arms.values())]
        assert max(games) < 1.06 * min(games), kind.key
        here, flat = kind.config.flat(), {name: one.config.flat() for name, one in arms.items()}
        changed = {key for key, value in here.items() if flat["-uncrossed"][key] != value}
        crossing = {"crossover_probability", "crossed_share", "crossing_share", "graft_share"}
        assert changed and changed <= crossing
        assert [key for key in here if flat["-random-mates"][key] != here[key]] == ["random_mates"]
        assert not flat["-random"]["generations"] and flat["-one"]["population"] == 1


def _search_games(config):
    """The games of a run before its race: of the first pool, of generations, of local search."""
    search, schedule = config.search, config.schedule
    pool = schedule.initial_pool * search.population * INITIAL_GAMES
    generations = range(search.generations + 1)
    return (
        (pool if schedule.initial_pool > 1 else 0)
        + sum(population_size(config, number) * search.games for number in generations)
        + config.local_search.local_search_games * len(generations)
    )
