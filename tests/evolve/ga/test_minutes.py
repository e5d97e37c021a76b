"""A run of so many minutes: it ends after a generation, and repeats without a clock."""

from types import SimpleNamespace

import pytest
from paths import ROOT
from stopped import results
from tiny import tiny
from typed import typed

from hanabi.evolve.ga import config, evolution
from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import RunStoppedError, evolve, resume
from hanabi.evolve.ga.run_folder import state_of
from hanabi.rules import agents

PARTS = dict(lists=["2", "3"], generations=8)


@pytest.fixture
def clock(monkeypatch):
    """Each generation takes ``clock.each`` seconds."""
    made = SimpleNamespace(now=0.0, each=10.0)

    def perf_counter():
        made.now += made.each
        return made.now

    monkeypatch.setattr(evolution, "time", SimpleNamespace(perf_counter=perf_counter))
    return made


def test_the_time_ends_a_run_which_repeats_without_a_clock(tmp_path, clock):
    """Six generations of ten seconds are a minute: 0 to 5 of 12."""
    run = evolve(tiny(minutes=1), tmp_path / "timed", "one", jobs=1)
    assert run.log["generation"].tolist() == [0, 1, 2, 3, 4, 5]
    assert run.time_limit == {"minutes": 1.0, "generations": [5]}
    assert run.agent.provenance["generations"] == 5
    assert (run.state.state, run.state.generation, run.state.generations) == ("done", 5, 5)
    assert "ended by its 1 minute" in str(run)
    plain = evolve(tiny(generations=5), tmp_path / "plain", "one", jobs=1)
    assert results(run) == results(plain) and not plain.time_limit
    assert run.again.endswith("config.toml --set minutes=0 --set generations=5")


def test_a_run_that_is_faster_than_its_minutes_is_the_same_as_without(tmp_path):
    run = evolve(tiny(generations=2, minutes=60), tmp_path / "timed", "one", jobs=1)
    assert run.time_limit is None and run.again.endswith("config.toml")
    assert results(run) == results(evolve(tiny(generations=2), tmp_path / "plain", "one", jobs=1))


def test_a_stop_does_not_count_and_a_longer_run_has_no_clock(tmp_path, clock):
    def stop(step):
        if step.generation == 2:
            raise KeyboardInterrupt

    with pytest.raises(RunStoppedError) as stopped:
        evolve(tiny(minutes=1), tmp_path / "timed", "one", jobs=1, progress=stop)
    clock.now += 3600  # before it is resumed
    run = resume(stopped.value.run, jobs=1)
    assert run.time_limit == {"minutes": 1.0, "generations": [5]}
    assert results(resume(run)) == results(run), "a run that is done stays as it is"
    with pytest.raises(ValueError, match="goes to generation 5 as it is"):
        resume(run, extend_to=5)
    longer = resume(run, extend_to=7, jobs=1)
    assert longer.config.search.minutes == 0 and not longer.time_limit
    assert (longer / "best-5.toml").exists() and "extended after generation 5" in str(longer)
    whole = evolve(tiny(generations=7), tmp_path / "plain", "one", jobs=1)
    assert results(longer) == results(whole)


def test_each_list_has_its_share_and_ends_after_its_own_generation(tmp_path, clock):
    """Half a minute each: three generations of ten seconds, or five of six."""

    made = tiny(minutes=1, **PARTS)
    assert [one.search.minutes for one in made.part_configs().values()] == [0.5, 0.5]
    seen = []
    run = evolve(made, tmp_path / "timed", "one", jobs=1, progress=seen.append)
    assert run.time_limit == {"minutes": 1.0, "generations": [2, 2]}
    assert [step.generation for step in seen if step.stage == "evolve"] == [0, 1, 2, 3, 4, 5]
    assert run.again.endswith("--set minutes=0 --set generations=2")
    plain = evolve(tiny(**PARTS | {"generations": 2}), tmp_path / "plain", "one", jobs=1)
    assert results(run) == results(plain)

    def slower(step):
        if step.stage == "done":
            clock.each = 6.0

    uneven = evolve(made, tmp_path / "uneven", "one", jobs=1, progress=slower)
    assert uneven.time_limit == {"minutes": 1.0, "generations": [2, 4]}
    assert (uneven.state.generation, uneven.state.generations) == (7, 7)
    assert uneven.again.endswith(
        "--set minutes=0 --set generations=4 --set 'part_generations=[2,4]'"
    )
    again = tiny(**PARTS | {"generations": 4}, part_generations=[2, 4])
    assert results(uneven) == results(evolve(again, tmp_path / "again", "one", jobs=1))
    longer = resume(uneven, extend_to=5, jobs=1)
    assert longer.log.groupby("list")["generation"].max().tolist() == [5, 5]


def test_a_list_whose_time_is_up_counts_with_the_generations_that_it_played(tmp_path, clock):
    def stop(step):
        if step.generation == 4:
            raise KeyboardInterrupt

    with pytest.raises(RunStoppedError) as stopped:
        evolve(tiny(minutes=1, **PARTS), tmp_path, "one", jobs=1, progress=stop)
    state = state_of(stopped.value.run)
    assert (state.state, state.generation, state.generations) == ("stopped", 4, 11)


def test_the_command_takes_minutes_and_says_that_they_ended_it(tmp_path, clock):
    (tmp_path / "tiny.toml").write_text(tiny().text())
    code, out, err = typed(
        "evolve", "tiny.toml", "--minutes", 0.5, "--quiet", "--jobs", 1, folder=tmp_path
    )
    assert code == 0, err
    (run,) = map(Run, (tmp_path / "runs").iterdir())
    assert run.time_limit == {"minutes": 0.5, "generations": [2]}
    said = " ".join(out.split())
    assert "0.5 minutes ended it after generation 2; the same without a clock:" in said
    assert "0.5 minutes ended it after generation 2" in (run / "report.html").read_text()


@pytest.mark.parametrize(
    "values, message",
    [
        ({"minutes": -1}, "minutes: -1 is out of its range, 0 to 100000"),
        ({"part_generations": [2]}, "part_generations: this run has one list: write generations"),
        (
            PARTS | {"part_generations": [2]},
            r"part_generations: \[2\] should have a number for each of the 2 lists",
        ),
        ({"part_generations": ["2"]}, "should be a list of numbers of generations"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(values, message):
    with pytest.raises(ValueError, match=message):
        tiny(**values)


def test_configs_of_before_have_no_limit():
    for file in (ROOT / "runs" / "reference").glob("*/config.toml"):
        assert config.loads(file.read_text()).search.minutes == 0
    assert seconds_left([10.0] * 3, 100) == 1000 and seconds_left([10.0] * 3, 100, 1) == 30


def test_a_winner_of_a_timed_run_is_an_agent_like_any_other(tmp_path, clock):
    run = evolve(tiny(minutes=0.1), tmp_path, jobs=1)
    assert agents.loads((run / "best.toml").read_text()).provenance["generations"] == 0
